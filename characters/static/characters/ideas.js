// Examples of skills are tapped into the first free line, and out again.
"use strict";
for (const ideas of document.querySelectorAll("[data-ideas]")) {
  const lines = [...ideas.closest("form").querySelectorAll("input[name^=skill_]")];
  const buttons = [...ideas.querySelectorAll("button")];
  const lineOf = (button) => lines.find((line) => line.value.trim() === button.textContent.trim());
  const show = () => {
    const full = lines.every((line) => line.value.trim());
    for (const button of buttons) {
      button.setAttribute("aria-pressed", String(Boolean(lineOf(button))));
      button.disabled = full && !lineOf(button);
    }
  };
  ideas.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    const line = lineOf(button) ?? lines.find((one) => !one.value.trim());
    line.value = lineOf(button) ? "" : button.textContent.trim();
    line.dispatchEvent(new Event("input", { bubbles: true }));
    button.focus();
  });
  ideas.closest("form").addEventListener("input", show);
  ideas.hidden = false;
  show();
}
