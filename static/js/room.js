// The events since one's last move show only if the hand leaves room for all of them: [data-if-room], and #table.has-since.
(() => {
  "use strict";

  const table = document.getElementById("table"), hand = document.querySelector(".phone-hand");

  function show() {
    const part = document.querySelector("[data-if-room]");
    table?.classList.toggle("has-since", Boolean(part));
    if (!part) return;
    part.hidden = false;
    part.hidden = Boolean(hand) && part.getBoundingClientRect().bottom > hand.getBoundingClientRect().top;
    table.classList.toggle("has-since", !part.hidden);
  }

  for (const name of ["table:arrived", "lessons:shown"]) document.addEventListener(name, show);
  if (hand) new ResizeObserver(show).observe(hand);
  addEventListener("resize", show);
  addEventListener("load", show);
})();
