// The attack sheet: what the raised card would do at each difficulty with the chosen weapon and skill, and the damage.
// The server says it all: input[data-weigh="n1/0/skill:yynnt …"], by npc, weapon and skill; here it is only shown or hidden.
"use strict";
(() => {
  function weigh() {
    const form = document.getElementById("attack-form");
    if (!form) return;
    const card = document.querySelector("#attack [data-weigh]:checked"), chosen = new FormData(form);
    const way = [chosen.get("npc") ?? "", chosen.get("weapon") ?? "", chosen.get("skill") ? "skill" : ""].join("/") + ":";
    const prospects = card?.dataset.weigh.split(" ").find((each) => each.startsWith(way))?.slice(way.length) ?? "";
    const harm = `${card?.value ?? ""}/${chosen.has("chain") ? "chain" : "plain"}`;
    for (const step of form.querySelectorAll("[data-step]")) {
      for (const part of step.querySelectorAll("[data-when]")) part.hidden = part.dataset.when !== prospects[step.dataset.step - 1];
      for (const part of step.querySelectorAll("[data-harm]")) part.hidden = part.dataset.harm !== harm;
    }
  }
  document.addEventListener("change", (event) => {
    if (!event.target.closest?.("#attack")) return;
    // The card that is looked at here is the one that is raised in the hand.
    if (event.target.matches("[data-weigh]")) document.getElementById("pick-" + event.target.value)?.click();
    weigh();
  });
  for (const name of ["table:arrived", "click"]) document.addEventListener(name, weigh);
})();
