// Optional text shows only if the hand leaves room for all of it: [data-if-room].
(() => {
  "use strict";

  const hand = document.querySelector(".phone-hand");

  function show() {
    for (const part of document.querySelectorAll("[data-if-room]")) {
      part.hidden = false;
      part.hidden = Boolean(hand) && part.getBoundingClientRect().bottom > hand.getBoundingClientRect().top;
    }
  }

  for (const name of ["table:arrived", "lessons:shown"]) document.addEventListener(name, show);
  if (hand) new ResizeObserver(show).observe(hand);
  addEventListener("resize", show);
  addEventListener("load", show);
})();
