// A first game (templates/tables/kit/first_game.jinja): points at the next button or card, and scrolls it into view.
//   #first-game[data-points="#lay-boss .lay | #act-place button"]    the first of these that is visible
// It is looked for again after every push, and after every press: laying a card at a finger's tip is no move yet.
(() => {
  "use strict";

  let last = "";

  function point() {
    const told = document.querySelector("#first-game[data-points]"), selectors = told?.dataset.points.split(" | ").filter(Boolean) ?? [];
    let found = null, by = "";
    for (by of selectors) {
      found = [...document.querySelectorAll(by)].find((one) => one.checkVisibility());
      if (found) break;
    }
    for (const one of document.querySelectorAll(".is-pointed-at")) if (one !== found) unmark(one);
    if (!found) { last = ""; return; }
    found.classList.add("is-pointed-at");
    found.setAttribute("aria-describedby", "first-lesson");
    const now = told.textContent + by;
    if (now !== last) found.scrollIntoView({ block: "nearest" });
    last = now;
  }

  function unmark(one) {
    one.classList.remove("is-pointed-at");
    one.removeAttribute("aria-describedby");
  }

  document.addEventListener("table:arrived", point);
  // At the window, and on the way down: a game may keep a press to itself.
  for (const name of ["click", "change"]) addEventListener(name, () => requestAnimationFrame(point), true);
  addEventListener("load", point);
})();
