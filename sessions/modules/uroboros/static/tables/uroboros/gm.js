// What runs on the GM's desk at the card table.
import "../../js/hand.js";
import "./attack.js";
import "./marks.js";
import "./spawn.js";
import "./peek.js";

// A prepared contest opens its sheet filled: <button data-fills="prepared-contest" data-values='{"label": "…", "difficulty": "2",
// "active": "", "passive": "Iwase"}'>. A side is found by its name; the one without a name is who is chosen for a check.
const sheet = document.getElementById("contest-sheet");
let prepared = null;

function fillContest() {
  const form = sheet?.querySelector("form");
  if (!prepared || !form) return; // the sheet is rendered when it opens
  if (!prepared.isFilled) {
    form.reset();
    form.elements.label.value = prepared.label;
    form.elements.difficulty.value = prepared.difficulty;
    prepared.isFilled = true;
  }
  for (const side of ["active", "passive"]) {
    if (form.elements[`${side}.seat`]?.value) continue;
    const figures = [...form.querySelectorAll(`label[id^="${side}-"]`)], name = prepared[side];
    const figure = figures.find((one) => name ? nameOf(one) === name : one.id === `${side}-${prepared.chosen}`);
    if (figure) figure.querySelector("input").checked = true;
  }
}

const nameOf = (label) => [...label.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data).join("").trim();

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-fills=prepared-contest]");
  if (!button) return;
  const chosen = document.querySelector("#call-form [name=seat]:checked")?.closest("label").id.replace("call-", "");
  prepared = { ...JSON.parse(button.dataset.values), chosen };
  sheet.dispatchEvent(new CustomEvent("sheet:show", { bubbles: true }));
  fillContest();
});
document.addEventListener("table:arrived", fillContest);
sheet?.addEventListener("close", () => { prepared = null; });

// At a verdict the words prepared for it stand open: those for its success or failure, and those for neither.
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
