// What a person sees on a page and may press there. pressing.py puts this into every page.
window.pressing = (() => {
  const ELSEWHERE = "[inert], .phone-icons, #undo, #log, .emote-tray, #refusal, #evening, #tabs, #care, #entrance, [data-lesson-again]";
  const OWN = "button[type=button], label:has(input:enabled), select, summary";
  const POINTS = [.5, .12, .3, .7, .88];
  const kindOf = (form) => JSON.parse(form.dataset.move).type;
  let groups = {};

  // The places of a page that a game fills, and the sheet that lies over them.
  function places() {
    const sheet = [...document.querySelectorAll("dialog:modal")].at(-1);
    return sheet ? [sheet] : [...document.querySelectorAll(".phone-table, .phone-asked, .phone-hand, .gm-screen #table")];
  }

  // An element that a person can press: shown, and not disabled.
  function lets(one) {
    const dead = one.disabled || one.ariaDisabled === "true" || one.closest(ELSEWHERE);
    return !dead && one.checkVisibility({ visibilityProperty: true });
  }

  function look() {
    const all = (selector) => places().flatMap((place) => [...place.querySelectorAll(selector)]).filter(lets);
    const sends = all("button").filter(({ form, type }) =>
      form?.dataset.move && type === "submit" && form.checkValidity() && !["concede", "undo"].includes(kindOf(form)));
    groups = { first: all("[data-understood]"), sends, rest: all(OWN) };
    return {
      first: groups.first.length,
      sends: sends.length,
      rest: groups.rest.length,
      asked: document.querySelector("[data-call]:not([data-call=''])") !== null,
      sheet: document.querySelector("dialog:modal") !== null,
      kinds: [...document.querySelectorAll("form[data-move]")].map(kindOf),
      over: document.querySelector("#evening .over-result") !== null,
    };
  }

  // People do not aim at an element that still moves.
  async function rest(one) {
    const place = () => JSON.stringify(one.getBoundingClientRect());
    for (let alike = 0, before = place(); alike < 4; before = place()) {
      await new Promise(requestAnimationFrame);
      alike = place() === before ? alike + 1 : 0;
    }
  }

  // A point of a thing that a finger meets, or else what lies there instead.
  function spot(one) {
    const box = one.getBoundingClientRect();
    let met = null;
    for (const down of POINTS) for (const right of POINTS) {
      const x = box.left + box.width * right, y = box.top + box.height * down;
      met = document.elementFromPoint(x, y) ?? met;
      if (met && (one.contains(met) || met.closest("label") === one)) return { x, y };
    }
    return { under: met?.outerHTML.slice(0, 200) ?? "the edge of the screen" };
  }

  // Bring a thing into view, as people scroll until it is free of what stays in place; null if it is gone.
  async function meet([group, index]) {
    const one = groups[group][index], says = one.innerText.trim();
    for (const words of document.querySelectorAll("[popover=''], [popover=auto]")) words.hidePopover();
    let found = null;
    for (const [block, more] of [["center", 0], ["start", 0], ["start", -innerHeight / 8], ["end", 0]]) {
      one.scrollIntoView({ block, inline: "center", behavior: "instant" });
      scrollBy({ top: more, behavior: "instant" });
      await rest(one);
      if (!one.isConnected || !lets(one)) return null;
      found = spot(one);
      if (!found.under) break;
    }
    return { says, name: one.id || one.className, holds: "hold" in one.dataset, chooses: one.options?.length, before: told(), ...found };
  }

  // Browsers draw the list of a select outside of the page.
  function choose([index, option]) {
    const select = groups.rest[index];
    select.selectedIndex = option;
    for (const name of ["input", "change"]) select.dispatchEvent(new Event(name, { bubbles: true }));
  }

  const BUSY = "#table.just-sent, #table.is-sending, #table.is-moment, :root.just-tapped, button.holding";
  const PATIENCE = 20_000;

  // Whether a condition becomes true within a waiting time.
  function until(holds) {
    const end = performance.now() + PATIENCE;
    return new Promise((answer) => {
      const ask = () => holds() || performance.now() > end ? answer(Boolean(holds())) : requestAnimationFrame(ask);
      ask();
    });
  }

  // The page takes presses: nothing is under way, and no moment stands before it.
  const still = () => until(() => !document.querySelector(BUSY));

  let sent = 0;
  document.addEventListener("table:sent", () => { sent += 1; });

  function says() {
    const { innerText, dataset } = document.getElementById("table");
    return `${dataset.version} ${innerText} ${document.getElementById("alert").textContent}`;
  }

  // A press is answered by a new version, by words, or by the words that stand there already.
  function answered(before, sentBefore) {
    return until(() => says() !== before || (sent > sentBefore && !document.querySelector(BUSY)));
  }

  // What the page has said and sent, to ask later whether a press was answered. Told with the point to press: a page
  // that moves on in between is an answer.
  const told = () => [says(), sent];

  return { look, meet, choose, still, answered };
})();
