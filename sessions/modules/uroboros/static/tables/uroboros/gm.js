// What runs on the GM's desk at the card table.
import "../../js/hand.js";
import "./attack.js";
import "./marks.js";
import "./spawn.js";
import "./peek.js";

// A prepared contest opens its sheet filled: <button data-contest data-active="" data-passive="Iwase" data-values='{"label": "…",
// "difficulty": "2"}'>. A side is found by its name; the one without a name is the figure that is chosen for a check.
const sheet = document.getElementById("contest-sheet");
let prepared = null;

function fillContest() {
  const form = sheet.querySelector("form");
  if (!prepared || !form) return; // the sheet is rendered when it opens
  if (prepared.values) {
    form.reset();
    form.elements.label.value = prepared.values.label;
    form.elements.difficulty.value = prepared.values.difficulty;
    prepared.values = null;
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
  const button = event.target.closest("[data-contest]");
  if (!button) return;
  const { active, passive, values } = button.dataset;
  const chosen = document.querySelector("#call-form [name=seat]:checked")?.closest("label").id.replace("call-", "");
  prepared = { active, passive, chosen, values: JSON.parse(values) };
  sheet.dispatchEvent(new CustomEvent("sheet:show", { bubbles: true }));
  fillContest();
});
document.addEventListener("table:arrived", fillContest);
sheet.addEventListener("close", () => { prepared = null; });
