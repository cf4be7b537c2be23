// What runs on the GM's desk at the card table.
import "../../js/hand.js";
import "./attack.js";
import "./marks.js";
import "./spawn.js";
import "./peek.js";

// At a verdict, what was prepared for it stands open: the words for a success or a failure, and those for neither.
const openOutcomes = () => {
  const outcomes = document.getElementById("outcomes"), verdict = document.getElementById("running")?.dataset;
  if (!outcomes || !verdict) return;
  for (const check of outcomes.children) {
    check.hidden = !verdict.deed || check.dataset.deed !== verdict.deed;
    for (const line of check.querySelectorAll("[data-success]")) line.hidden = line.dataset.success !== verdict.success;
  }
  outcomes.hidden = [...outcomes.children].every((check) => check.hidden);
};
document.addEventListener("table:arrived", openOutcomes);
openOutcomes();
