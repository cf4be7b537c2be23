// The table's face shows a roll, the words of a scene and the join code for a time.
//
//   [data-roll]                   the newest roll of the chat, new since the page was loaded: #table.is-rolled for some seconds
//   .scenery-words[data-until]    a scene's words, to this millisecond of the server's clock: :root.is-titled; without it while the
//                                 scene is on. A tap puts them away or brings them back, for [data-seconds]
//   {"thrown": {at, code}}        the GM shows the join code for `code` seconds: :root.is-admitting
"use strict";
(() => {
  const SHOWN_FOR = 6000, SECOND = 1000;
  const root = document.documentElement, table = document.getElementById("table");

  // --- a roll -------------------------------------------------------------------------------------------------
  const newest = () => document.querySelector("[data-roll]")?.dataset.roll;
  let seen = newest(), rolling = 0;

  function roll() {
    if (!table || newest() === seen) return;
    seen = newest();
    clearTimeout(rolling);
    table.classList.toggle("is-rolled", Boolean(seen));
    rolling = setTimeout(() => table.classList.remove("is-rolled"), SHOWN_FOR);
  }

  // --- a scene's words ----------------------------------------------------------------------------------------
  // By performance.now; the words that a tap has put away or brought back keep that time.
  let told = "", until = 0, ending = 0;

  function show() {
    const words = document.querySelector(".scenery-words"), said = words?.dataset.until;
    if (!words) {
      told = "";
      until = 0;
    } else if (told !== `${said} ${words.textContent}`) {
      const at = said ? ServerClock.here(Number(said)) : Infinity;
      if (at !== null) {
        told = `${said} ${words.textContent}`;
        until = at;
      }
    }
    // A check or a fight has the picture whole, and the words do not come back after it.
    if (document.querySelector('[data-shows~="busy"], [data-shows~="over"]')) until = 0;
    clearTimeout(ending);
    const left = until - performance.now();
    root.classList.toggle("is-titled", left > 0);
    if (left > 0 && left < Infinity) ending = setTimeout(show, left);
  }

  function turn({ target, key = " " }) {
    const words = document.querySelector(".scenery-words");
    if (!words || !["Enter", " "].includes(key) || target.closest("a, button, summary, input")) return;
    const stays = SECOND * (Number(words.dataset.seconds) || Infinity);
    until = root.classList.contains("is-titled") ? 0 : performance.now() + stays;
    show();
  }

  // --- the join code ------------------------------------------------------------------------------------------
  let closing = 0;

  document.addEventListener("htmx:ws:after:message:incoming", ({ detail }) => {
    if (!detail.message.data.startsWith('{"thrown"')) return;
    const { at, code } = JSON.parse(detail.message.data).thrown, begins = ServerClock.here(at);
    if (!code || begins === null) return;
    clearTimeout(closing);
    root.classList.add("is-admitting");
    closing = setTimeout(() => root.classList.remove("is-admitting"), begins + SECOND * code - performance.now());
  });

  document.addEventListener("click", turn);
  document.addEventListener("keydown", turn);
  document.addEventListener("takujo:clock", show);
  document.addEventListener("table:arrived", () => {
    roll();
    show();
  });
  show();
})();
