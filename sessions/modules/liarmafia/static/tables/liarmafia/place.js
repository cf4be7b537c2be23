// Laying two of three cards: tap a card to lay it or to take it back, the arrow to turn it.
//
// This script keeps the player's choices and puts them back after every new view. The markup is in _hand.jinja.
"use strict";
(() => {
  const form = () => document.querySelector("[data-laying]");
  const list = () => [...document.querySelectorAll("#laying > [data-card]")];
  let field = [null, null]; // {card, facing} by slot
  let known = null; // what the server has, as its words

  function read(words) {
    known = words;
    if (!words) return;
    field = words.split(" ").map((word) => { const [card, facing] = word.split(":"); return { card, facing }; });
  }

  function show() {
    const laying = form();
    if (!laying) return;
    const words = laying.dataset.placed.trim();
    if (words !== known) read(words);
    for (const li of list()) {
      const slot = field.findIndex((laid) => laid?.card === li.dataset.card), facing = field[slot]?.facing;
      const full = !field.includes(null), names = laying.dataset;
      const place = slot === 0 ? names.fieldA : slot === 1 ? names.fieldB : full ? names.stays : "";
      li.dataset.place = slot >= 0 ? String(slot) : full ? "hand" : "";
      li.querySelector(".mafioso").dataset.lies = facing ?? "free";
      li.querySelector("[data-where]").textContent = place;
      li.querySelector("[data-take]").ariaPressed = String(slot >= 0);
      const turn = li.querySelector("[data-turn]"), label = turn.querySelector("[data-facing]");
      turn.disabled = slot < 0;
      label.dataset.word ??= label.textContent;
      label.textContent = facing ? names[facing] : label.dataset.word;
    }
    const [first, second] = laying.querySelectorAll("input[name=slots]"), button = laying.querySelector("button");
    const done = !field.includes(null), same = done && words === field.map((laid) => laid.card + ":" + laid.facing).join(" ");
    first.value = JSON.stringify(field[0]);
    second.value = JSON.stringify(field[1]);
    button.ariaDisabled = done && !same ? null : "true";
    button.textContent = !done ? laying.dataset.few : same ? laying.dataset.same : laying.dataset.done;
  }

  document.addEventListener("click", (event) => {
    const li = event.target.closest?.("#laying > [data-card]");
    if (!li) return;
    const slot = field.findIndex((laid) => laid?.card === li.dataset.card), free = field.indexOf(null);
    if (event.target.closest("[data-turn]")) {
      if (slot >= 0) field[slot] = { card: li.dataset.card, facing: field[slot].facing === "up" ? "down" : "up" };
    } else if (slot >= 0) field[slot] = null;
    else if (free >= 0) field[free] = { card: li.dataset.card, facing: "up" };
    show();
  });

  // Nothing goes out before two cards are chosen.
  document.addEventListener("submit", (event) => {
    if (!event.target.matches?.("[data-laying]") || event.target.querySelector("button").ariaDisabled !== "true") return;
    event.preventDefault();
    event.stopImmediatePropagation();
    document.getElementById("say").textContent = event.target.querySelector("button").textContent;
  }, true);

  document.addEventListener("table:arrived", show);
  show();
})();
