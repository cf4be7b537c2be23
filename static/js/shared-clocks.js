// Shared countdowns: the server says when they end, and every page counts by the server's clock.
//
//   [data-ends]   a countdown that runs, to this millisecond of the server's clock
//   [data-left]   one that stands still, with the milliseconds that are left
//   [data-gone]   what stands there when nothing is left
"use strict";
(() => {
  const SECOND = 1000;
  const say = document.getElementById("say");

  // Null until the server's clock is heard: this device's own may be wrong.
  function leftOf({ ends, left }) {
    if (!ends) return Number(left);
    const until = ServerClock.here(Number(ends));
    return until === null ? null : until - performance.now();
  }
  const spoken = (left) => {
    const seconds = Math.ceil(left / SECOND);
    return `${String(Math.floor(seconds / 60)).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`;
  };

  function show() {
    for (const one of document.querySelectorAll(".countdown")) {
      const left = leftOf(one.dataset), words = left > 0 ? spoken(left) : one.dataset.gone;
      if (left === null || one.textContent === words) continue;
      // A page that is open when the time runs out says it aloud; a later page shows it.
      if (left <= 0 && one.textContent) say.textContent = `${one.parentElement.querySelector(".shared-clock-name").textContent}: ${words}`;
      one.textContent = words;
      one.classList.toggle("is-over", left <= 0);
    }
  }

  document.addEventListener("takujo:clock", show);
  document.addEventListener("table:arrived", show);
  setInterval(() => { if (!document.hidden) show(); }, SECOND / 4);
  show();
})();
