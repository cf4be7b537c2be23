// The ladder of a campaign: each row says as a sentence what it means while it is changed.
"use strict";
(() => {
  const form = document.querySelector("[data-ladder]");
  form?.addEventListener("input", (event) => {
    const row = event.target.closest("[data-rung]");
    if (!row) return;
    const field = (name) => row.querySelector(`[name$="-${name}"]`);
    const near = Number(field("near").value), link = field("link").value;
    const words = form.querySelector(`[data-sample="${link}${near > 0 ? "-near" : ""}"]`).textContent.replace("__n__", near);
    row.querySelector("[data-rung-words]").textContent = (field("flip").checked ? form.dataset.flipped + " " : "") + words;
  });
})();
