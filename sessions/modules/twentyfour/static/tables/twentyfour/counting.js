// The score: cards are laid down one after the other (table.css), and the sums grow with them.
(() => {
  "use strict";

  const STEP = 220; // as in table.css
  let counted = Boolean(document.querySelector(".tf-counted")); // a page that comes up later shows the sums

  function count() {
    const rows = document.querySelectorAll(".tf-counted > li");
    if (counted || !rows.length) return;
    counted = true;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const row of rows) {
      const sum = row.querySelector("[data-sum]");
      let vp = 0;
      sum.textContent = "0";
      for (const part of row.querySelectorAll("[data-vp]"))
        setTimeout(() => { sum.textContent = String(vp += Number(part.dataset.vp)); }, STEP * part.style.getPropertyValue("--at"));
    }
  }

  document.addEventListener("table:arrived", count);
})();
