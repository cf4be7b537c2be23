// Moments are played when a move comes, and not when a page comes up: :root[data-lively] is there from the first move on.
(() => {
  "use strict";

  const table = document.getElementById("table"), came = table?.dataset.version;
  document.addEventListener("table:arrived", () => {
    if (table && table.dataset.version !== came) document.documentElement.dataset.lively = "on";
  });
})();
