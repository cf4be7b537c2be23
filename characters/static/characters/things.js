// A thing from the sheet that was brought is tapped into the fields of an item: its kind, and its name.
"use strict";
for (const things of document.querySelectorAll("[data-things]")) {
  const { elements } = things.closest("form");
  const name = elements[`${things.dataset.things}-name`];
  const kinds = [...elements[`${things.dataset.things}-kind`]];
  const buttons = [...things.querySelectorAll("button")];
  const show = () => {
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.textContent.trim() === name.value.trim()));
  };
  things.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (!button) return;
    name.value = button.textContent.trim();
    const kind = kinds.find((one) => one.value === button.dataset.kind);
    kind.checked = true;
    for (const field of [name, kind]) field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  things.closest("form").addEventListener("input", show);
  things.hidden = false;
  show();
}
