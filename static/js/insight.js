// What is new and must be read comes out from under the hand, which stays at the thumb: [data-in-sight="its name"].
(() => {
  "use strict";

  let seen = [];
  const said = (one) => one.dataset.inSight + (one.matches("button") ? one.previousElementSibling : one).textContent;

  function show() {
    const there = [...document.querySelectorAll("[data-in-sight]")].filter((one) => one.checkVisibility());
    const fresh = there.filter((one) => !seen.includes(said(one))).at(-1);
    seen = there.map(said);
    const hand = document.querySelector(".phone-hand");
    if (!fresh || !hand) return;
    const hidden = fresh.getBoundingClientRect().bottom - hand.getBoundingClientRect().top;
    if (hidden > 0) scrollBy(0, hidden);
  }

  for (const name of ["table:arrived", "lessons:shown"]) document.addEventListener(name, show);
  addEventListener("load", show);
})();
