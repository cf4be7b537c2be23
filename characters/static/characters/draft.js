// Keeps the unsaved fields of a sheet over a reload: on the device, until the sheet has another revision.
"use strict";
(() => {
  const form = document.querySelector("form[data-draft]");
  if (!form) return;
  const [sheet, revision] = form.dataset.draft.split("/");
  const note = form.querySelector("[data-draft-note]");
  const fields = () => [...form.elements].filter((field) => field.name && field.type !== "hidden");
  const values = () => fields().map((field) => [field.name, field.value, field.type === "checkbox" && field.checked]);
  const began = JSON.stringify(values());

  const drop = () => Stored.device.remove(sheet);
  const keep = () => {
    const now = JSON.stringify(values());
    if (now === began) return drop();
    Stored.device.write(sheet, { revision, now });
  };

  const kept = Stored.device.read(sheet);
  if (kept && kept.revision !== revision) drop();
  else if (kept && kept.now !== began) {
    for (const [name, value, checked] of JSON.parse(kept.now)) {
      const field = fields().find((one) => one.name === name && (one.type !== "checkbox" || one.value === value));
      if (!field) continue;
      if (field.type === "checkbox") field.checked = checked; else field.value = value;
    }
    note.hidden = false;
    form.dispatchEvent(new Event("input"));
  }
  form.addEventListener("input", keep);
  form.addEventListener("change", keep);
  note.querySelector("button").addEventListener("click", () => { drop(); location.reload(); });
})();
