// A sheet with many faces is more than a field may send: it goes as a file.
"use strict";
(() => {
  const whole = document.querySelector("[data-whole]");
  whole.form.addEventListener("submit", () => {
    const chosen = new DataTransfer();
    chosen.items.add(new File([whole.value], "character.json", { type: "application/json" }));
    whole.form.elements.file.files = chosen.files;
  });
})();
