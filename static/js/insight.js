// What is new and must be read comes out from under the hand, which stays at the thumb: [data-in-sight="what it says"].
(() => {
  "use strict";

  let seen = [];

  function show() {
    const there = [...document.querySelectorAll("[data-in-sight]")].filter((one) => one.checkVisibility());
    const fresh = there.filter((one) => !seen.includes(one.dataset.inSight)).at(-1);
    seen = there.map((one) => one.dataset.inSight);
    const hand = document.querySelector(".phone-hand");
    if (!fresh || !hand) return;
    const hidden = fresh.getBoundingClientRect().bottom - hand.getBoundingClientRect().top;
    if (hidden > 0) scrollBy(0, hidden);
  }

  for (const name of ["table:arrived", "lessons:shown"]) document.addEventListener(name, show);
  addEventListener("load", show);
})();
