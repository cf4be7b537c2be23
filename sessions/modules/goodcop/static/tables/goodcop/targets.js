// Choosing on the ring.
//
//   button[data-act="act-investigate"]     opens the panel with this id: a form with its steps; [data-leave] closes it
//   form[data-panel].eyes-only             closes with the covered hand
//   form[data-panel] [data-step] select    a step; its options carry data-target="p2-0" (a card) or "p2" (a player)
//   form[data-apart="seat"]                 no two steps take the same player's; ="card": the same data-target
//   [data-pair] with select[data-part="a"]  its two choices become one value of its hidden field
//   select[data-together]                   all of these choose from one player
//   #ring [data-target]                     what a tap chooses for the step that is open
//   [data-preview]                          a sentence with __1__, __2__ and __all__ for what is chosen
"use strict";
(() => {
  const table = document.getElementById("table");
  let open = null; // the id of the open panel
  let asked = null; // the question it belongs to
  let chosen = []; // the values of its selects, put back after a new view

  const question = () => document.getElementById("pulse").dataset.asked;
  const panel = () => document.querySelector("form[data-panel]:not([hidden])");
  const steps = (form) => [...form.querySelectorAll("[data-step] select")];
  const option = (select) => (select.value ? select.selectedOptions[0] : null);
  function put(element, name, value) { if (element.getAttribute(name) !== value) element.setAttribute(name, value); }

  // --- the open panel ---------------------------------------------------------------------------------------------

  // What one step has taken is closed to the others; a pair that is begun is to be finished, then the next one opens.
  function keepApart(form, selects) {
    const seat = (item) => item?.dataset.target.split("-")[0], by = (item) => (form.dataset.apart === "card" ? item?.dataset.target : seat(item));
    for (const select of form.dataset.apart ? selects : []) {
      const others = selects.filter((other) => other !== select), taken = others.map((other) => by(option(other)));
      const one = select.matches("[data-together]") && others.filter((other) => other.matches("[data-together]")).map(option).find(Boolean);
      for (const item of select.options) item.disabled = Boolean(item.value) && (taken.includes(by(item)) || Boolean(one && seat(one) !== seat(item)));
    }
    let done = true;
    for (const [at, pair] of [...form.querySelectorAll("[data-pair]")].entries()) {
      const [first, second] = pair.querySelectorAll("select");
      if (at) { first.required = Boolean(second.value); second.required = Boolean(first.value); }
      pair.hidden = !done && !first.value && !second.value;
      done = Boolean(first.value && second.value);
    }
  }

  function show() {
    if (asked !== question()) { open = null; chosen = []; asked = question(); }
    for (const form of document.querySelectorAll("form[data-panel]:not([data-always])")) form.hidden = form.id !== open;
    const form = panel(), ring = document.getElementById("ring");
    table.classList.toggle("has-panel", Boolean(form && !form.matches("[data-always]")));
    for (const one of ring?.querySelectorAll(".fits, .chosen") ?? []) { one.classList.remove("fits", "chosen"); one.removeAttribute("data-mark"); }
    ring?.removeAttribute("data-picking");
    if (!form) return;
    const selects = steps(form);
    selects.forEach((select, at) => { if (chosen[at] !== undefined) select.value = chosen[at]; });
    keepApart(form, selects);
    const now = selects.find((select) => !select.value && !select.closest("[hidden]")) ?? selects.at(-1);
    for (const select of selects) select.closest("[data-step]").classList.toggle("is-now", select === now && !select.value);
    for (const one of now?.options ?? []) if (one.value && !one.disabled) ring.querySelector(`[data-target="${one.dataset.target}"]`)?.classList.add("fits");
    for (const [at, select] of selects.entries()) {
      const target = option(select) && ring.querySelector(`[data-target="${option(select).dataset.target}"]`);
      if (!target) continue;
      target.classList.add("chosen");
      put(target, "data-mark", selects.length > 1 ? String(at + 1) : "✓");
    }
    if (now) put(ring, "data-picking", now.querySelector("option[data-target*='-']") ? "card" : "seat");
    preview(form, selects.map((select) => option(select)?.text));
  }

  const PAIRED = { from: " → ", a: " ⇄ " };

  function preview(form, texts) {
    const place = form.querySelector("[data-preview]");
    if (!place) return;
    place.dataset.words ??= place.textContent;
    const joined = texts.map((text, at) => [text, PAIRED[steps(form)[at].dataset.part] ?? ", "]);
    const all = joined.filter(([text]) => text).map(([text, by], at, list) => text + (at < list.length - 1 ? by : "")).join("") || "…";
    const words = place.dataset.words.replace("__all__", all).replace(/__(\d)__/g, (_, number) => texts[number - 1] ?? "…");
    if (place.textContent !== words) place.textContent = words;
  }

  function remember() { const form = panel(); chosen = form ? steps(form).map((select) => select.value) : []; show(); }

  // A tap fills the first open step it fits; on what is chosen it takes the choice back.
  function take(form, target) {
    const selects = steps(form).filter((select) => !select.closest("[hidden]")), fits = (select) => [...select.options].find((one) => one.dataset.target === target && !one.disabled);
    const back = selects.find((select) => option(select)?.dataset.target === target);
    const step = back ?? selects.find((select) => !select.value && fits(select)) ?? selects.findLast(fits);
    if (!step) return;
    step.value = back ? "" : fits(step).value;
    remember();
  }

  document.addEventListener("click", (event) => {
    const act = event.target.closest("[data-act]"), form = panel();
    if (act) {
      open = act.dataset.act;
      chosen = [];
      show();
      panel()?.querySelector("select, .btn.primary").focus({ preventScroll: true });
    } else if (event.target.closest("[data-leave]")) {
      const from = open;
      open = null;
      show();
      document.querySelector(`[data-act="${from}"]`)?.focus({ preventScroll: true });
    } else if (form && event.target.closest("#ring")) {
      const card = event.target.closest(".gc-card")?.dataset.target, person = event.target.closest(".gc-person")?.dataset.target;
      event.preventDefault();
      event.stopImmediatePropagation();
      take(form, document.getElementById("ring").dataset.picking === "card" ? card : person);
    }
  }, true);

  document.addEventListener("change", (event) => { if (event.target.closest("[data-step]")) remember(); });
  document.addEventListener("hand:back", () => panel()?.querySelector("[data-leave]")?.click()); // Escape (keys.js)

  document.addEventListener("submit", (event) => {
    for (const pair of event.target.querySelectorAll("[data-pair]")) {
      const parts = [...pair.querySelectorAll("select")].filter((select) => select.value);
      pair.querySelector("input").value = parts.length < 2 ? "" : JSON.stringify(Object.fromEntries(parts.map((select) => [select.dataset.part, JSON.parse(select.value)])));
    }
  }, true);

  document.addEventListener("hand:cover", () => {
    if (document.documentElement.classList.contains("hand-open") || !panel()?.matches(".eyes-only")) return;
    open = null;
    show();
  });

  document.addEventListener("table:arrived", show);
  show();
})();
