// A hand of cards, for every game: raise, commit, choose in order, sort, enlarge. Its cover is cover.js.
//
// The server renders the hand; this script keeps the player's choices by card and puts them back after every new view.
//   #hand [data-pick="one" | "many"] [data-need]     the region, around everything below
//   [data-hand] > li[data-card][data-name][data-short][data-fits]   with an input inside a label.pick
//   form[data-commit]       what the big button does; a raised card tapped again sends it
//   input[data-raised]      gets the raised card, input[data-raised-list] the chosen ones in order, as JSON
//   button[data-label="Play __card__"]               names the raised card, button[data-few] how many are missing
//   button[data-without-card]                        goes out without a raised card, too
//   li[data-asks="suit-sheet"], input[data-answer], button[data-answer-with]   a card that asks something before it is played
//   [data-hand-sort] with an option "suit", li[data-by-suit="203"]   an order of the game's own; "drawn" is every game's
//   [data-why]              tells why the raised card fits or not: the [data-why-text] in the card, and its [data-why-rule]
//   [data-first]            its words for a press of the button without a raised card
//   #table.card-raised, .cards-raised   while one card is raised, or any; .card-leaves while one is sent or dragged
//   button[data-because]    an act that is not possible now, and why
//   #zoom-sheet with [data-zoom-card] and [data-zoom-why]   shows a card large, after a long press or by a [data-zoom]
//   input[data-raised-choice]   a sheet's own choice of a card begins with the raised one
"use strict";
(() => {
  const table = document.getElementById("table");
  if (!table) return;
  const covered = () => !document.documentElement.classList.contains("hand-open");
  const hand = () => document.querySelector("[data-hand]");
  const cards = () => [...(hand()?.querySelectorAll(":scope > [data-card]") ?? [])];  // without backs of cards to come
  const many = () => document.getElementById("hand")?.dataset.pick === "many";
  const need = () => Number(document.getElementById("hand")?.dataset.need ?? 1);
  const seenKey = "seen." + table.dataset.table + "." + table.dataset.seat;

  const asked = () => document.getElementById("pulse")?.dataset.asked;
  let told = null;
  const because = () => (told && told.asked === asked() ? told.words : "");
  let raised = [], sent = [];
  let seen = Stored.tab.read(seenKey);
  const TOO_SOON = 350;   // a second tap so soon after a commit is a slip of the finger
  let focused = null, drag = null;

  // --- what the screen shows of it --------------------------------------------------------------------------------
  function put(element, name, value) { if (element.getAttribute(name) !== value) element.setAttribute(name, value); }
  function tell(element, text) { if (element.textContent !== text) element.textContent = text; }

  // The id of the rule is for eyes alone: what describes the card to a reader has none.
  const whole = (why) => why.textContent.trim() + (why.dataset.whyRule ? ` (${why.dataset.whyRule})` : "");

  // Words with the id of a rule: it opens the rules of this table at its clause (rules.js).
  function tellWithRule(element, text) {
    if (element.textContent === text) return;
    const rule = text.match(/[A-Z]+-\d+\.\d+/)?.[0], rules = document.querySelector("[data-rules]");
    if (!rule || !rules) { element.textContent = text; return; }
    const [before, after] = text.split(rule), link = document.createElement("a");
    link.className = "rule-id";
    link.href = `${rules.dataset.rules}#${rule}`;
    link.dataset.rule = link.textContent = rule;
    element.replaceChildren(before, link, after);
  }

  function show() {
    watcher.disconnect();
    const list = cards();
    const held = list.map((li) => li.dataset.card);
    raised = raised.filter((card) => held.includes(card));
    if (!many()) raised = raised.slice(-1);
    seen = seen?.filter((card) => held.includes(card)) ?? held;  // a card that comes back is new again
    for (const li of list) {
      const place = raised.indexOf(li.dataset.card), input = li.querySelector("input");
      if (input.checked !== place >= 0) input.checked = place >= 0;
      li.classList.toggle("is-new", !seen.includes(li.dataset.card));
      li.classList.toggle("is-sent", sent.includes(li.dataset.card));
      li.classList.toggle("is-raised", place >= 0);
      const mark = li.querySelector(".pick-mark");
      if (many() && place >= 0) tell(mark, String(place + 1));
    }
    table.classList.toggle("cards-raised", raised.length > 0);
    table.classList.toggle("card-raised", raised.length > 0 && !many());
    showLeaving();
    if (focused && (focused.isLent || !held.includes(focused.card)) && document.activeElement === document.body) settleFocus();
    const one = covered() ? null : list.find((li) => li.dataset.card === raised[raised.length - 1]);  // nothing names what lies covered
    for (const input of document.querySelectorAll("input[data-raised]")) input.value = many() ? "" : raised[0] ?? "";
    for (const input of document.querySelectorAll("input[data-raised-list]")) input.value = JSON.stringify(raised);
    for (const place of document.querySelectorAll("[data-raised-name]")) tell(place, !many() && one ? one.dataset.name : place.dataset.none);
    for (const button of document.querySelectorAll("#hand button[data-label]")) label(button, one, list);
    for (const place of document.querySelectorAll("[data-why]")) {
      const why = !many() && one?.querySelector("[data-why-text]");
      tellWithRule(place, because() || (why ? `${one.dataset.short}: ${whole(why)}` : place.dataset.none ?? ""));
      place.classList.toggle("fits", one?.dataset.fits === "yes" && !many());
      place.classList.toggle("fails", one?.dataset.fits === "no" && !many());
    }
    sort();
    watcher.observe(table, { childList: true, subtree: true, attributes: true, attributeFilter: ["data-pick", "data-need", "data-fits"] });
  }

  // Focus stays in the hand: with the card, or with its neighbour when it has been played. It asks for a layout: the frame's own will do.
  let settling = 0;
  function settleFocus() {
    settling ||= requestAnimationFrame(() => {
      settling = 0;
      if (!focused || document.activeElement !== document.body) return;
      const list = cards(), own = list.find((li) => li.dataset.card === focused.card);
      (own ?? list[Math.min(focused.place, list.length - 1)])?.querySelector("input").focus({ preventScroll: true });
    });
  }
  // A focused card that a push takes away would be laid out once more on its way: it lends its focus before.
  document.addEventListener("htmx:ws:before:message:incoming", ({ detail }) => {
    if (detail.cancelled || detail.message.data.startsWith("{") || !focused || !sent.includes(focused.card)) return;
    const lent = focused;
    document.activeElement.blur();
    focused = { ...lent, isLent: true };
  });

  // What leaves the hand lies over the buttons above it.
  function showLeaving() { table.classList.toggle("card-leaves", Boolean(drag?.moving || hand()?.querySelector(".is-sent"))); }

  function label(button, one, list) {
    button.dataset.rest ??= button.innerHTML;
    if (many() && !covered()) {
      const missing = need() - raised.length;
      const names = raised.map((card) => list.find((li) => li.dataset.card === card).dataset.short).join(" → ");
      tell(button, missing > 0 ? button.dataset.few.replace("__n__", missing) : button.dataset.label.replace("__cards__", names));
      put(button, "aria-disabled", String(missing !== 0));
    } else {
      if (one) tell(button, button.dataset.label.replace("__card__", one.dataset.short));
      else if (button.dataset.rest !== button.innerHTML) button.innerHTML = button.dataset.rest;
      put(button, "aria-disabled", String(!one && button.dataset.withoutCard === undefined));
    }
  }

  document.addEventListener("focusin", (event) => {
    const li = event.target.closest?.("[data-hand] > li");
    focused = li ? { card: li.dataset.card, place: cards().indexOf(li) } : null;
  });

  // --- order --------------------------------------------------------------------------------------------------------
  const arrived = new Map(); // card → place in the server's order
  function chosenOrder() {
    const select = document.querySelector("[data-hand-sort]"), order = Stored.device.read("hand.sort", "drawn");
    // The device may know it from another game, which has other orders.
    const known = [...(select?.options ?? [])].some((option) => option.value === order) ? order : "drawn";
    if (select && select.value !== known) select.value = known;
    return known;
  }
  function sort() {
    const order = chosenOrder(), list = hand();
    if (!list) return;
    const now = cards();
    // The server's order is the order of arrival: what it has just drawn is in that order, unless sorted here before.
    if (!list.dataset.sorted) { arrived.clear(); now.forEach((li, i) => arrived.set(li.dataset.card, i)); }
    now.forEach((li) => { if (!arrived.has(li.dataset.card)) arrived.set(li.dataset.card, arrived.size); });
    const place = (li) => order === "drawn" ? arrived.get(li.dataset.card) : Number(li.getAttribute(`data-by-${order}`));
    const wanted = [...now].sort((a, b) => place(a) - place(b));
    if (wanted.some((li, i) => li !== now[i])) {
      const focused = document.activeElement;
      list.prepend(...wanted);
      if (focused && list.contains(focused)) focused.focus({ preventScroll: true });
    }
    if (order !== "drawn") list.dataset.sorted = "1";
  }

  // --- raise, choose, commit --------------------------------------------------------------------------------------
  const tooSoon = () => table.classList.contains("just-sent");
  let settle = 0;
  function hasSent(form) {
    told = null;
    if (form.matches("[data-commit]")) sent = [...raised];
    rest();
    show();
  }
  function rest() {
    table.classList.add("just-sent");
    clearTimeout(settle);
    settle = setTimeout(() => table.classList.remove("just-sent"), TOO_SOON);
  }
  // The second of two quick taps on the cover plays nothing.
  document.addEventListener("hand:cover", () => { if (!covered()) rest(); show(); });
  // Played or refused: the remaining cards lie where they lay before.
  for (const name of ["table:arrived", "table:refused"]) document.addEventListener(name, () => { if (sent.length && !table.classList.contains("is-sending")) { sent = []; show(); } });
  document.addEventListener("click", (event) => {
    if (tooSoon() && event.target.closest?.("#commit")) { event.preventDefault(); event.stopImmediatePropagation(); }
  }, true);

  const commitForm = () => document.querySelector("#hand form[data-commit]");
  function commit() {
    const form = commitForm();
    if (!form || table.classList.contains("is-sending") || tooSoon()) return;
    const button = form.querySelector("button[data-label]");
    if (button?.getAttribute("aria-disabled") === "true") return;
    form.requestSubmit(button ?? undefined);
  }
  function touch(card) {
    if (seen && !seen.includes(card)) { seen.push(card); Stored.tab.write(seenKey, seen); }
  }

  let wasRaised = false;
  document.addEventListener("pointerdown", (event) => {
    const pick = event.target.closest?.(".pick");
    wasRaised = Boolean(pick && !many() && pick.querySelector("input").checked);
  });
  document.addEventListener("click", (event) => {
    const input = event.target.closest?.(".pick > input");
    if (!input || many()) return;
    if (zoomed) { event.preventDefault(); zoomed = false; return; }
    if (wasRaised && event.detail > 0) { wasRaised = false; commit(); }
  });
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-hand-sort]")) { Stored.device.write("hand.sort", event.target.value); if (hand()) { hand().dataset.sorted = "1"; show(); } return; }
    if (!event.target.matches(".pick > input")) return;
    const card = event.target.value;
    told = null;
    touch(card);
    if (many()) raised = event.target.checked ? [...raised, card].slice(0, need()) : raised.filter((other) => other !== card);
    else raised = [card];
    show();
  });
  // A tap on the bare table lays a raised card back.
  document.addEventListener("click", (event) => {
    if (many() || !raised.length || !event.target.closest?.(".phone-table, .phone-asked")) return;
    if (event.target.closest("a, button, input, label, select, textarea, summary, [data-open]")) return;
    raised = [];
    show();
  });
  function putBack() { if (raised.length) { raised = []; show(); } }
  document.addEventListener("hand:back", putBack); // Escape, wherever the focus is (keys.js)
  document.addEventListener("keydown", (event) => {
    if (!event.target.matches?.(".pick > input")) return;
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter" || event.key === "p") { event.preventDefault(); if (!event.repeat) commit(); }
    else if (step && many()) { // cards that are chosen one by one have no arrows of their own
      event.preventDefault();
      const all = cards(), place = all.findIndex((li) => li.contains(event.target));
      all[(place + step + all.length) % all.length].querySelector("input").focus();
    }
    else if (event.key === "Escape") putBack();
  });

  // An undecided button explains instead of sending; a card that asks something is answered first.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("form[data-move]")) return;
    const undecided = form.matches("[data-commit]") && event.submitter?.getAttribute("aria-disabled") === "true";
    if (covered() && (undecided || (form.matches("[data-commit]") && raised.length))) {
      event.preventDefault(); event.stopImmediatePropagation();
      document.dispatchEvent(new CustomEvent("hand:open"));
      return;
    }
    if (undecided) {
      event.preventDefault(); event.stopImmediatePropagation();
      cards()[0]?.querySelector("input").focus();
      explain(many() ? event.submitter.textContent : document.querySelector("[data-why][data-first]")?.dataset.first);
      return;
    }
    const answer = form.querySelector("[data-answer]"), asks = cards().find((li) => li.dataset.card === raised[0])?.dataset.asks;
    if (answer && asks && !answer.value) {
      event.preventDefault(); event.stopImmediatePropagation();
      document.getElementById(asks).showModal();
      return;
    }
    if (answer && !asks) answer.value = "";
  }, true);
  document.addEventListener("table:sent", ({ detail: { form } }) => { if (form.closest("#hand")) hasSent(form); });
  // An act that is not possible now says why, until another card is touched or something else is asked.
  function explain(words) {
    if (!words) return;
    told = { words: words.trim(), asked: asked() };
    document.getElementById("say").textContent = told.words;
    show();
  }
  document.addEventListener("click", (event) => explain(event.target.closest?.("button[data-because]")?.dataset.because));
  // The sheet may have to come first: until the raised card is among its choices, every push is checked.
  let choosing = "";
  function chooseRaised() {
    if (!choosing) return;
    for (const input of document.querySelectorAll("input[data-raised-choice]")) {
      input.checked = !many() && input.value === raised[0];
      if (input.checked) choosing = "";
    }
  }
  document.addEventListener("click", (event) => {
    const opener = event.target.closest?.("[data-open]");
    if (!opener) return;
    choosing = raised.length && !many() ? opener.dataset.open : "";
    for (const input of document.querySelectorAll("input[data-raised-choice]")) input.checked = false;
    chooseRaised();
  });
  document.addEventListener("close", (event) => { if (event.target.id === choosing) choosing = ""; }, true);
  document.addEventListener("table:arrived", chooseRaised);
  document.addEventListener("click", (event) => {
    const choice = event.target.closest?.("[data-answer-with]");
    if (!choice) return;
    choice.closest("dialog").close();
    const form = commitForm(), answer = form?.querySelector("[data-answer]");
    if (!answer) return;
    answer.value = choice.dataset.answerWith;
    form.requestSubmit();
    answer.value = "";
  });

  // --- drag a raised card up onto the table: let go above the hand to play it, let go elsewhere to keep it ------------
  const FAR = 64, SLOP = 10;
  document.addEventListener("pointerdown", (event) => {
    const pick = event.isPrimary && !many() && commitForm() ? event.target.closest?.(".pick") : null;
    drag = pick?.querySelector("input").checked ? { pick, id: event.pointerId, x: event.clientX, y: event.clientY, moving: false, asked: asked() } : null;
  });
  document.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const x = event.clientX - drag.x, y = event.clientY - drag.y;
    if (!drag.moving && Math.hypot(x, y) > SLOP) { drag.moving = true; wasRaised = false; drag.pick.classList.add("dragged"); showLeaving(); }
    if (!drag.moving) return;
    drag.pick.style.transform = `translate(${x}px, ${Math.min(y, 0) - 12}px)`;
    commitForm()?.classList.toggle("drop", y < -FAR);
  });
  function drop(event) {
    if (!drag || event.pointerId !== drag.id) return;
    const { pick, moving, y } = drag, plays = event.type === "pointerup" && moving && event.clientY - y < -FAR && drag.asked === asked();
    drag = null;
    pick.classList.remove("dragged");
    showLeaving();
    pick.style.removeProperty("transform");
    commitForm()?.classList.remove("drop");
    if (plays) commit();
  }
  for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, drop);
  document.addEventListener("dragstart", (event) => { if (event.target.closest?.("[data-hand]")) event.preventDefault(); });

  // --- enlarge: a long press, or the button -------------------------------------------------------------------------
  let pressed = null, zoomed = false;
  function zoom(li) {
    const sheet = document.getElementById("zoom-sheet");
    if (!sheet || !li) return false;
    sheet.querySelector("h2").textContent = li.dataset.name;
    const card = li.querySelector(".card").cloneNode(true);
    sheet.querySelector("[data-zoom-card]").replaceChildren(card);
    const why = li.querySelector("[data-why-text]");
    sheet.querySelector("[data-zoom-why]").textContent = why ? whole(why) : "";
    sheet.showModal();
    return true;
  }
  document.addEventListener("pointerdown", (event) => {
    const li = event.target.closest?.("[data-hand] > li");
    zoomed = false;
    if (li) pressed = { x: event.clientX, y: event.clientY, timer: setTimeout(() => { zoomed = zoom(li); }, 400) };
  });
  const release = () => { if (pressed) clearTimeout(pressed.timer); pressed = null; };
  for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, release);
  document.addEventListener("pointermove", (event) => { if (pressed && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > 10) release(); });
  document.addEventListener("contextmenu", (event) => { if (event.target.closest?.("[data-hand]")) event.preventDefault(); });
  document.addEventListener("click", (event) => {
    if (!event.target.closest?.("[data-zoom]")) return;
    zoom(cards().find((li) => li.dataset.card === raised[0]) ?? cards()[0]);
  });

  // --- very large text: a hand that would fill the screen lets the table above it be scrolled to --------------------
  const band = document.querySelector(".phone-hand");
  // A raised card moves nothing but the hand.
  const isTall = () => band.offsetHeight > innerHeight * .62;
  if (band) new ResizeObserver(() => { if (!raised.length) document.body.classList.toggle("hand-is-tall", isTall()); }).observe(band);

  const watcher = new MutationObserver(show);
  document.addEventListener("table:arrived", show);  // a view that is drawn again may change words alone
  show();
})();
