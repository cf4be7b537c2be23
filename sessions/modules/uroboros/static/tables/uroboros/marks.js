// Marks of HP fall one after the other, from the right, and a rescue fills them from the left. It is over after 400 ms at
// most, and begins when it is visible: marks under a verdict wait until the verdict is gone. The words change at once.
"use strict";
(() => {
  const IN_ALL = 400, ONE = 160;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const table = document.getElementById("table");
  const FULL = { background: "var(--accent-fill)", borderColor: "var(--accent-fill)" };
  const FALLS = [{ ...FULL, transform: "none" }, { ...FULL, transform: "translateY(.35em)", opacity: .3 }];
  const FILLS = [{ background: "transparent", transform: "scale(.6)" }, { ...FULL, transform: "none" }];

  // Each row by the thing that it stands in.
  const rows = () => [...document.querySelectorAll("[id] .marks")].map((row) => [row.closest("[id]").id, row]);
  const count = (row) => row.querySelectorAll("i.on").length;
  const counted = () => new Map(rows().map(([name, row]) => [name, count(row)]));
  const isCovered = (row) => table.matches(".is-coming, .is-moment") && !row.closest(".gm");

  let before = counted(), waiting = [];

  function change(row, was) {
    const marks = [...row.querySelectorAll("i")], now = count(row);
    const changed = was > now ? marks.slice(now, was).reverse() : marks.slice(was, now);
    const step = Math.min(ONE, (IN_ALL - ONE) / Math.max(1, changed.length - 1));
    for (const [place, mark] of changed.entries()) {
      const way = mark.animate(was > now ? FALLS : FILLS, { duration: ONE, delay: place * step, easing: "ease-out", fill: "backwards" });
      if (isCovered(row)) { way.pause(); waiting.push(way); }
    }
  }

  document.addEventListener("table:arrived", () => {
    if (!calm.matches)
      for (const [name, row] of rows()) if (before.has(name) && before.get(name) !== count(row)) change(row, before.get(name));
    before = counted();
  });

  new MutationObserver(() => {
    if (table.matches(".is-coming, .is-moment")) return;
    for (const way of waiting) way.play();
    waiting = [];
  }).observe(table, { attributeFilter: ["class"] });
})();
