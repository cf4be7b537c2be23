// On a desk there is room beside the table (desk.css has the same size): the log stands open there, and rules and chat open
// over it instead of over the table, which can still be played.
"use strict";
(() => {
  const phone = document.querySelector(".phone");
  if (!phone) return;
  const desk = matchMedia("(min-width: 62.5rem) and (min-height: 37.5rem)");
  const log = phone.querySelector("#log-sheet"), others = [...phone.querySelectorAll(":scope > dialog.sheet:not(#log-sheet)")];
  let cameFrom = null;

  // Without show(), which would take the focus.
  function put(sheet, is) {
    sheet.classList.toggle("is-beside", is);
    sheet.open = is;
    for (const opener of document.querySelectorAll(`.phone-icons [data-open="${sheet.id}"]`)) opener.classList.toggle("is-here", is);
  }

  function shut(sheet) {
    const focused = sheet.contains(document.activeElement);
    put(sheet, false);
    if (focused) cameFrom?.focus({ preventScroll: true });
  }

  const shown = () => others.find((sheet) => sheet.matches(".is-beside"));

  document.addEventListener("sheet:show", (event) => {
    const sheet = event.target;
    if (!desk.matches || !others.includes(sheet)) return;
    event.stopImmediatePropagation();
    if (shown()) put(shown(), false);
    cameFrom = document.activeElement;
    put(sheet, true);
    sheet.querySelector("[data-close]").focus({ preventScroll: true });
  }, true);

  // Its own button puts it away again, as its cross and Escape do.
  document.addEventListener("click", (event) => {
    const sheet = shown();
    if (!sheet || !(event.target.closest("[data-open]")?.dataset.open === sheet.id || (sheet.contains(event.target) && event.target.closest("[data-close]")))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    shut(sheet);
  }, true);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && shown()?.contains(event.target)) shut(shown());
  });

  function arrange() {
    for (const sheet of [log, ...others]) if (sheet.matches(desk.matches ? "[open]:not(.is-beside)" : ".is-beside")) { sheet.close(); sheet.classList.remove("is-beside"); }
    if (desk.matches) put(log, true);
  }
  desk.addEventListener("change", arrange);
  arrange();
})();
