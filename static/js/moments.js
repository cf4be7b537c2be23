// Moments: the newest event stands in the foreground of every screen for a second or a few, once, and is spoken with the next question.
// All screens begin at the same instant of the server's clock, and no screen shows it earlier: the push that brings it is held.
//
//   [data-moment="12"]      the newest moment, drawn by the game, with a number that grows
//   [data-told]             its words; absent where there is nothing to see any more
//   [data-kind="fall"]      its subject, in the game's own word; [data-lasts] its milliseconds, 1200 unless it says else
//   [data-who="p1 p2"]      the seats it is about, [data-mover] the card's player, [data-fell] the characters that fell by it
//   #pulse[data-at]         when the server told of it, in milliseconds of its clock
//   #table.is-coming        while the push is drawn: the game's CSS lays an empty veil over what it changes
//   takujo:coming           says until when (by performance.now) a moment will be shown; takujo:moment that it begins
//   #table.is-moment        while it is shown: the game's CSS brings it forward; nothing can be pressed on it
//   [data-goes-on]          elements that the game's CSS lifts above a moment: a press there does not put it away first
//   [popover=manual]        on the moment: it is shown above a sheet that is open on a phone, too
//   [data-own-result="7"]   the newest result that the reader knows and not everybody, with a number that grows; [data-own-told] its words
//   [data-say], [data-call] the question to the reader, and the mark of a demand on them (every game's prompt)
"use strict";
(() => {
  const SHORT = 1200;
  // So long after it was told it begins: by then it has reached the slowest phone, and that has drawn it under the veil. How long
  // that takes a phone it learns from its pushes.
  const LEAD = 300, DRAWING = 200;
  let drawing = DRAWING;
  const table = document.getElementById("table");
  const say = document.getElementById("say"), alertPlace = document.getElementById("alert");
  if (!table) return;

  const moment = () => document.querySelector("[data-moment]");
  const lasts = () => Number(moment()?.dataset.lasts ?? SHORT);
  const number = () => Number(moment()?.dataset.moment ?? 0);
  const names = (list) => (list ?? "").split(" ").filter(Boolean);
  const mine = (list) => names(list).includes(table.dataset.seat);

  // --- shown once: not again after a reload or a new connection -------------------------
  let seen = number(), isFirst = true, carries = false, timer = 0, shown = seen;

  document.addEventListener("htmx:ws:after:connection", () => { isFirst = true; });
  let begins = 0;

  document.addEventListener("htmx:ws:before:message:incoming", ({ detail }) => {
    if (detail.cancelled) return;
    const push = detail.message.data, next = /data-moment="(\d+)"/.exec(push)?.[1], at = /data-at="(\d+)"/.exec(push)?.[1];
    carries = next !== undefined;
    begins = 0;
    if (!carries || isFirst || Number(next) <= seen || !at || document.hidden) return;
    begins = ServerClock.here(Number(at) + LEAD) ?? 0;
    if (!begins) return;
    detail.waitUntil(new Promise((go) => {
      setTimeout(() => {
        const since = performance.now();
        requestAnimationFrame(() => setTimeout(() => { drawing = Math.max(DRAWING, performance.now() - since); }));
        table.classList.add("is-coming");
        go();
      }, Math.min(LEAD, begins - drawing - performance.now()));
    }));
  });

  function isNews() {
    if (!carries) return false;
    const news = !isFirst && number() > seen && moment().dataset.told !== undefined;
    isFirst = carries = false;
    seen = number();
    return news;
  }

  function put() {
    clearTimeout(timer);
    table.classList.remove("is-coming", "is-moment", "own-moment");
    const place = moment();
    if (place?.popover && place.matches(":popover-open")) place.hidePopover();
  }

  function show({ mover }) {
    const follows = table.classList.contains("is-moment");
    put();
    if (follows) void table.offsetWidth; // starts the animation again
    // A late page joins in the middle.
    const late = begins ? Math.max(0, performance.now() - begins) : 0, past = late < lasts() ? late : 0;
    moment().style.setProperty("--past", `${-past}ms`);
    table.classList.toggle("own-moment", mine(mover));
    table.classList.add("is-moment");
    // A sheet lies over everything that was opened before it.
    if (moment().popover && document.querySelector(".phone") && document.querySelector("dialog[open]:not(.is-beside)")) moment().showPopover();
    timer = setTimeout(put, lasts() - past);
  }
  // A player who goes on has seen it: the press acts as it would without a moment.
  for (const name of ["pointerdown", "keydown"])
    document.addEventListener(name, ({ target }) => { if (!target.closest?.("[data-goes-on]")) put(); }, true);

  // --- spoken: polite for events, assertive for the reader's own fall -------------------------------------------
  const speech = () => document.documentElement.dataset.speech; // "all", "mine", or absent
  const own = () => document.querySelector("[data-own-result]")?.dataset;
  const ownNumber = () => Number(own()?.ownResult ?? 0);
  let asked = document.querySelector("[data-say]")?.dataset.say ?? "", heard = ownNumber();

  function speak(news) {
    const prompt = document.querySelector("[data-say]")?.dataset.say ?? "";
    const isNew = prompt !== asked, isOwn = ownNumber() > heard;
    asked = prompt;
    heard = Math.max(heard, ownNumber());
    if (!speech()) return;
    const all = speech() === "all", called = Boolean(document.querySelector("[data-call]")?.dataset.call);
    const words = [];
    if (news && (all || mine(news.who))) words.push(news.told);
    if (isOwn) words.push(own().ownTold);
    if ((isNew || words.length) && (all || called)) words.push(prompt);
    if (words.length) (news && mine(news.fell) ? alertPlace : say).textContent = words.join(" ");
  }

  // --- the title says that the table waits for the reader -----------------------------------------------------------------
  const title = document.title;
  function badge() {
    const prompt = document.querySelector("[data-call]");
    const words = prompt?.dataset.call ? prompt.querySelector(".asked-mark, .say")?.textContent.trim() ?? "" : "";
    const now = words ? `● ${words} – ${title}` : title;
    if (document.title !== now) document.title = now;
  }

  let starting = 0;

  function begin(news) {
    starting = 0;
    show(news);
    document.dispatchEvent(new CustomEvent("takujo:moment", { detail: { tone: news.tone, kind: news.kind, shownFor: lasts() } }));
    speak(news);
    badge();
  }

  document.addEventListener("table:arrived", () => {
    if (isNews()) {
      const news = moment().dataset, left = begins ? begins - performance.now() : 0;
      clearTimeout(starting);
      shown = number();
      document.dispatchEvent(new CustomEvent("takujo:coming", { detail: { until: performance.now() + Math.max(0, left) + lasts() } }));
      if (left > 0) starting = setTimeout(() => begin(news), left); else begin(news);
      return;
    }
    if (shown !== number()) { // the moment that is shown, or was to come, is gone
      clearTimeout(starting);
      starting = 0;
      shown = number();
      put();
    }
    if (starting) return;
    table.classList.remove("is-coming");
    speak(null);
    badge();
  });
  badge();
})();
