// What is pasted anywhere on the page lands in the field for it, so that nobody has to aim.
"use strict";
document.addEventListener("paste", (event) => {
  const field = document.querySelector("[data-paste] textarea");
  if (event.target.closest?.("input, textarea")) return;
  const text = event.clipboardData.getData("text/plain");
  if (!text) return;
  event.preventDefault();
  field.value = text;
  field.focus();
});
