// A roll of the chat stands large on the table's face for some seconds, once: not again after a reload.
"use strict";
(() => {
  const SHOWN_FOR = 6000;
  const table = document.getElementById("table");
  const newest = () => document.querySelector("[data-roll]")?.dataset.roll;
  let seen = newest(), timer = 0;

  document.addEventListener("table:arrived", () => {
    if (newest() === seen) return;
    seen = newest();
    clearTimeout(timer);
    table.classList.toggle("is-rolled", Boolean(seen));
    timer = setTimeout(() => table.classList.remove("is-rolled"), SHOWN_FOR);
  });
})();
