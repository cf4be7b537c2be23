// Placing five cards and sorting event cards: this script keeps the player's choices and puts them back after every new view.
//   form[data-placing][data-laid]                 a placement, and what the server holds of it
//   button[data-action][data-index], button[data-slot]   cards of the hand, incidents
//   form.tf-style with [data-stand] previews      the server has counted every way; the fitting one is shown
"use strict";
(() => {
  const table = document.getElementById("table");
  if (!table) return;
  const band = document.querySelector(".phone-hand");
  const form = () => document.querySelector("form[data-placing]");
  const cards = () => [...form().querySelectorAll("[data-action]")];
  const name = () => ["place", table.dataset.table, table.dataset.seat, form().dataset.placing].join(".");

  let key = "";
  let slots = []; // by incident, the index of a card or null
  let raised = null; // the index of a card
  let justLaid = false; // True while the raised card is one that a tap in the hand has laid

  function tell(element, text) { if (element.textContent !== text) element.textContent = text; }
  function put(element, attribute, value) { if (element.getAttribute(attribute) !== value) element.setAttribute(attribute, value); }

  // The order that the server holds, as indexes of the cards shown.
  function laid() {
    const free = cards().map((card) => card.dataset.action);
    return (form().dataset.laid ? form().dataset.laid.split(" ") : []).map((action) => {
      const at = free.indexOf(action);
      free[at] = null;
      return at;
    });
  }

  function begin() {
    const held = laid();
    key = name();
    raised = null;
    justLaid = false;
    slots = Stored.tab.read(key) ?? (held.length ? held : [null, null, null, null, null]);
  }

  const hours = (indexes) => indexes.reduce((sum, index) => sum + (Number.parseInt(cards()[index].dataset.action, 10) || 0), 0);

  function show() {
    if (!form()) { key = ""; return; }
    if (key !== name()) begin();
    const all = cards(), placed = slots.filter((index) => index !== null);
    form().classList.toggle("has-raised", raised !== null);
    for (const [index, card] of all.entries()) {
      put(card, "aria-pressed", String(placed.includes(index)));
      card.classList.toggle("is-placed", placed.includes(index));
      card.classList.toggle("is-raised", index === raised);
    }
    for (const slot of form().querySelectorAll("[data-slot]")) {
      const index = slots[slot.dataset.slot];
      const card = index === null ? null : all[index];
      slot.classList.toggle("is-full", card !== null);
      slot.classList.toggle("is-raised", index !== null && index === raised);
      const held = slot.querySelector(".tf-act");
      if (card && held?.dataset.of !== String(index)) {
        const copy = card.querySelector(".tf-act").cloneNode(true);
        copy.dataset.of = index;
        held?.remove();
        slot.append(copy);
      } else if (!card) held?.remove();
      put(slot, "aria-label", card ? slot.dataset.full.replace("__card__", card.textContent.trim()) : slot.dataset.empty);
    }
    for (const input of form().querySelectorAll("[data-place]")) {
      const index = slots[input.dataset.place];
      input.value = index === null ? "" : all[index].dataset.action;
    }
    tell(form().querySelector("[data-hours-placed]"), String(hours(placed)));
    tell(form().querySelector("[data-hours-left]"), String(hours(all.map((_, index) => index).filter((index) => !placed.includes(index)))));
    const button = form().querySelector(".btn.primary"), missing = 5 - placed.length;
    const same = !missing && form().dataset.laid === slots.map((index) => all[index].dataset.action).join(" ");
    tell(button, missing ? button.dataset.missing.replace("__n__", missing) : same ? button.dataset.same : button.dataset.ready);
    put(button, "aria-disabled", String(Boolean(missing) || same));
  }

  function change(then) { then(); Stored.tab.write(key, slots); show(); }

  // The raised card goes to this incident; the card that lay there goes where the raised one came from.
  function lay(slot) {
    const from = slots.indexOf(raised), there = slots[slot];
    if (from >= 0) slots[from] = there;
    slots[slot] = raised;
    raised = null;
  }

  // A card of the hand goes to the first free incident, and back. It stays raised while another could still be meant.
  function tapCard(index) {
    const at = slots.indexOf(index), free = slots.indexOf(null), was = raised;
    raised = null;
    justLaid = at < 0 && free >= 0;
    if (at >= 0) slots[at] = null;
    else if (free >= 0) { slots[free] = index; if (slots.includes(null)) raised = index; }
    else if (was !== index) raised = index;
  }

  // An incident takes the raised card; without one, its own is raised. A card that was just laid pushes no other away.
  function tapSlot(at) {
    if (raised === null || (justLaid && slots[at] !== null && slots[at] !== raised)) raised = slots[at];
    else if (slots[at] === raised) raised = null;
    else lay(at);
    justLaid = false;
  }

  document.addEventListener("click", (event) => {
    if (!event.target.closest("form[data-placing]")) return;
    const card = event.target.closest("[data-action]"), slot = event.target.closest("[data-slot]");
    if (card) change(() => tapCard(Number(card.dataset.index)));
    else if (slot) change(() => tapSlot(Number(slot.dataset.slot)));
    else if (event.target.closest("[data-clear]")) change(() => { slots = slots.map(() => null); raised = null; });
  });

  document.addEventListener("hand:back", () => { if (form() && raised !== null) change(() => { raised = null; }); }); // Escape (keys.js)

  document.addEventListener("submit", (event) => {
    if (!event.target.matches("form[data-placing]") || event.target.querySelector(".btn.primary").getAttribute("aria-disabled") !== "true") return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);

  // --- Stand or Coop ------------------------------------------------------------------------------------------------

  function preview() {
    const style = document.querySelector("form.tf-style");
    if (!style) return;
    const stand = [...style.querySelectorAll("input:checked")].map((input) => input.value).join(" ");
    for (const way of style.querySelectorAll("[data-stand]")) way.hidden = way.dataset.stand !== stand;
  }

  document.addEventListener("change", (event) => { if (event.target.closest("form.tf-style")) preview(); });
  document.addEventListener("table:arrived", () => { show(); preview(); });

  // In very large text the hand would hide the table: then it no longer stays at the thumb.
  new ResizeObserver(() => document.body.classList.toggle("hand-is-tall", band.offsetHeight > innerHeight * .62)).observe(band);

  show();
  preview();
})();
