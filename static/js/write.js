// Forms at the table: a draft survives a reload, goes out by a form post, and stays in its form when it was
// refused. <form data-write="…">; the answer names each field that is wrong. An empty data-write leaves no draft behind.
"use strict";
(() => {
  const SHOWN_FOR = 3000;
  const toast = document.getElementById("toast"), say = document.getElementById("say");
  const forms = [...document.querySelectorAll("form[data-write]")];
  let timer = 0;

  // --- drafts: of this window, gone with it, as it may hold secrets ---------------------------------------------------

  const draftName = (form) => `write.${form.dataset.write}.${forms.indexOf(form)}`;
  const fieldsOf = (form) => [...form.elements].filter((field) => field.matches("textarea, input:not([type=hidden], [type=file])"));
  const isTicked = (field) => ["checkbox", "radio"].includes(field.type);

  function keep(form) {
    const draft = fieldsOf(form).map((field) => [field.name, field.value, isTicked(field) ? field.checked : null]);
    Stored.tab.write(draftName(form), draft);
  }

  function bringBack(form) {
    for (const [name, value, checked] of Stored.tab.read(draftName(form), [])) {
      const field = fieldsOf(form).find((one) => one.name === name && (checked === null || one.value === value));
      if (!field) continue;
      if (checked === null) field.value = value; else field.checked = checked;
    }
  }

  // --- sending -----------------------------------------------------------------------------------------------------------

  function tell(words) {
    toast.textContent = say.textContent = words;
    toast.hidden = false;
    clearTimeout(timer);
    timer = setTimeout(() => { toast.hidden = true; toast.textContent = ""; }, SHOWN_FOR);
  }

  function complain(form, errors) {
    const places = [...form.querySelectorAll("[data-error]")];
    const lines = Object.entries(errors).map(([name, words]) => [places.find((place) => place.dataset.error === name) ?? places.at(-1), words]);
    for (const place of places) { place.textContent = ""; place.hidden = true; }
    for (const [place, words] of lines) { place.textContent = words.join(" "); place.hidden = false; }
    document.getElementById("alert").textContent = lines.map(([, words]) => words.join(" ")).join(" ");
    lines[0]?.[0].closest(".field, fieldset")?.querySelector("input, textarea")?.focus();
  }

  async function send(form, button) {
    const sent = new FormData(form, button);
    form.ariaBusy = "true";
    let told = { reason: form.querySelector("[data-lost]").dataset.lost };
    try {
      told = await Answers.dataOf(await fetch(form.action, { method: "POST", body: sent, headers: { Accept: "application/json" } }));
    } catch { /* the line is lost: the words stay, and are told to */ }
    form.ariaBusy = "false";
    if (told.said) written(form, told.said);
    complain(form, told.errors ?? (told.reason ? { __all__: [told.reason] } : {}));
  }

  function written(form, words) {
    form.reset();
    Stored.tab.remove(draftName(form));
    form.closest("dialog")?.close();
    tell(words);
  }

  for (const form of forms) {
    bringBack(form);
    if (form.dataset.write) form.addEventListener("input", () => keep(form));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (form.ariaBusy !== "true") send(form, event.submitter);
    });
  }
})();
