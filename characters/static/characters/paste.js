// Text that is pasted anywhere on the page goes into the field for it, without aiming. Text that is longer than a field may
// send goes as a file.
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
document.querySelector("[data-paste]").addEventListener("submit", ({ target }) => {
  const { text, file } = target.elements;
  const pasted = new File([text.value], "pasted.txt", { type: "text/plain" });
  if (pasted.size <= Number(target.dataset.paste) || file.files.length) return;
  const chosen = new DataTransfer();
  chosen.items.add(pasted);
  file.files = chosen.files;
  text.value = "";
});
