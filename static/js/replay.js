// Leafing through a replay without loading a page for each step: the links' own pages are fetched, and their middle is put
// in the place of the present one. Without this script the links and the form do the same.
"use strict";
(() => {
  const place = () => document.getElementById("replay");
  const say = document.getElementById("say");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const STEP_EVERY = 1600, CALM_STEP_EVERY = 3000;
  const focusable = ["#replay-version", "[data-autoplay]", ...["first", "previous", "next", "last"].map((name) => `[data-leaf="${name}"]`)];
  let playing = 0, asked = 0;

  const link = (name) => place().querySelector(`[data-leaf="${name}"]`);
  const isEnd = () => place().dataset.version === place().dataset.last;

  async function leaf(url, { spoken = true } = {}) {
    const mine = ++asked;
    let page;
    try {
      const answer = await inLine(url, (reason) => { say.textContent = reason; });
      if (!answer.ok) throw new Error(answer.status);
      page = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("replay");
    } catch { page = null; }
    if (mine !== asked) return; // another step was asked for meanwhile
    if (!page) { location.assign(url); return; }
    const was = document.activeElement, same = focusable.find((selector) => was?.matches(selector));
    place().replaceWith(page);
    history.replaceState(null, "", url);
    ready();
    if (same) page.querySelector(same).focus({ preventScroll: true });
    if (spoken) say.textContent = page.querySelector(".replay-lines").innerText;
  }

  const towards = (version) => { const url = new URL(location.href); url.searchParams.set("version", version); return url.href; };

  function stop() { clearTimeout(playing); playing = 0; ready(); }
  function play() {
    playing = setTimeout(async () => {
      if (isEnd()) { stop(); return; }
      if (!document.hidden) await leaf(link("next").href, { spoken: false });
      if (playing) play();
    }, calm.matches ? CALM_STEP_EVERY : STEP_EVERY);
    ready();
  }

  // Buttons that only work with this script are shown by it.
  function ready() {
    const button = place().querySelector("[data-autoplay]");
    button.hidden = false;
    button.setAttribute("aria-pressed", String(Boolean(playing)));
    place().querySelector("[data-go]").hidden = true;
  }

  document.addEventListener("click", async (event) => {
    const to = event.target.closest("a[data-leaf]");
    if (to && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      if (playing) stop();
      if (to.ariaDisabled !== "true") leaf(to.href);
      return;
    }
    if (!event.target.closest("[data-autoplay]")) return;
    if (playing) { stop(); return; }
    if (isEnd()) await leaf(link("first").href, { spoken: false });
    play();
  });

  let sliding = 0;
  document.addEventListener("input", (event) => {
    if (event.target.id !== "replay-version") return;
    if (playing) stop();
    clearTimeout(sliding);
    const version = event.target.value;
    place().querySelector(".replay-count").textContent = `${version} / ${place().dataset.last}`;
    sliding = setTimeout(() => leaf(towards(version)), 120);
  });

  const KEYS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea")) return;
    if (event.key in KEYS) { event.preventDefault(); link(KEYS[event.key]).click(); }
    else if (event.key === " " && !event.target.closest("button, a, summary")) { event.preventDefault(); place().querySelector("[data-autoplay]").click(); }
  });

  ready();
})();
