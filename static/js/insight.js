// Scrolls new text that must be read out from under the hand, which stays at the thumb: [data-in-sight="its name"].
// Elements over the table (lessons.js) are beside the hand already.
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
    const box = fresh.getBoundingClientRect(), hidden = fresh.matches(".is-over") ? 0 : box.bottom - hand.getBoundingClientRect().top;
    if (hidden > 0 || box.top < 0) scrollBy(0, hidden > 0 ? hidden : box.top);
  }

  for (const name of ["table:arrived", "lessons:shown"]) document.addEventListener(name, show);
  addEventListener("load", show);
})();
