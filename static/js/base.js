// The abilities of every page: the light, menus, sheets, long presses. Nothing here is needed to read or to send a form.
"use strict";
(() => {
  const root = document.documentElement;
  const YEAR = 60 * 60 * 24 * 365;

  // --- the light: device, dark, light; a cookie, so that the server draws it right the first time ---
  const showTheme = () => {
    for (const button of document.querySelectorAll("[data-set-theme]"))
      button.setAttribute("aria-pressed", String(button.dataset.setTheme === (root.dataset.theme || "device")));
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-set-theme]");
    if (!button) return;
    root.dataset.theme = button.dataset.setTheme;
    document.cookie = `theme=${button.dataset.setTheme};path=/;max-age=${YEAR};samesite=lax`;
    showTheme();
  });
  showTheme();

  // --- what a device prefers: <input type="checkbox" data-pref="suits" value="4">; kept as "on" (or its value) and "off",
  // and shown as data-suits="4" on the root; or <select data-pref="speech"> with an option "off" ---
  const PREFS = {
    suits: "off", cover: "company", lefthand: "off", sound: "off", vibrate: "on", awake: "on", rules: "off", speech: "all", quiet: "off",
    keep: "on", notify: "off", ambience: "off", volume: "middle", tempo: "usual", calm: "off", wants: "shot", keys: "on",
  };
  const pref = (name) => Stored.device.get(name) ?? PREFS[name];
  const applyPrefs = () => {
    for (const name of Object.keys(PREFS)) {
      if (pref(name) === "off") delete root.dataset[name]; else root.dataset[name] = pref(name);
    }
    for (const input of document.querySelectorAll("input[data-pref]")) input.checked = pref(input.dataset.pref) !== "off";
    for (const select of document.querySelectorAll("select[data-pref]")) select.value = pref(select.dataset.pref);
  };
  document.addEventListener("change", (event) => {
    const input = event.target.closest("[data-pref]");
    if (!input) return;
    Stored.device.set(input.dataset.pref, input.checked ?? true ? input.value : "off");
    applyPrefs();
    document.dispatchEvent(new CustomEvent("takujo:pref", { detail: { name: input.dataset.pref } }));
  });
  applyPrefs();

  // --- menus close again ---
  document.addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll("details[data-menu][open]")) if (!menu.contains(event.target)) menu.open = false;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of document.querySelectorAll("details[data-menu][open]")) { menu.open = false; menu.querySelector("summary").focus(); }
  });

  // --- an explanation that opens above a phone's hand is scrolled free of it ---
  document.addEventListener("toggle", (event) => {
    const hand = document.querySelector(".phone-hand");
    if (!hand || !event.target.open || !event.target.closest(".phone-asked")) return;
    scrollBy({ top: Math.max(0, event.target.getBoundingClientRect().bottom - hand.getBoundingClientRect().top) });
  }, true);

  // --- on paper: <button data-print hidden>, there only where it can do something ---
  for (const button of document.querySelectorAll("[data-print]")) { button.hidden = false; button.addEventListener("click", () => print()); }

  // --- sheets: <button data-open="sheet-log">, <button data-close>; over the page, unless there is a place beside it (desk.js) ---
  document.addEventListener("sheet:show", (event) => event.target.showModal());
  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-open]");
    if (opener) {
      const sheet = document.getElementById(opener.dataset.open);
      if (sheet && !sheet.open) { event.preventDefault(); opener.closest("dialog")?.close(); opener.closest("details[data-menu]")?.removeAttribute("open"); sheet.dispatchEvent(new CustomEvent("sheet:show", { bubbles: true })); }
      return;
    }
    const closer = event.target.closest("[data-close]");
    if (closer) closer.closest("dialog")?.close();
    else if (event.target.matches?.("dialog.sheet")) {
      const box = event.target.getBoundingClientRect();
      if (event.clientY < box.top || event.clientY > box.bottom || event.clientX < box.left || event.clientX > box.right) event.target.close();
    }
  });

  // --- a second tap of the same finger is for what the first one has closed or opened, and touches nothing that lies there now ---
  const TWICE = 400, NEAR = 24;
  let tapped = null, calm = 0;
  new MutationObserver((changes) => {
    const left = tapped ? tapped.timeStamp + TWICE - performance.now() : 0;
    if (left <= 0 || !changes.some(({ target }) => target.matches("dialog"))) return;
    document.documentElement.classList.add("just-tapped");
    clearTimeout(calm);
    calm = setTimeout(() => document.documentElement.classList.remove("just-tapped"), left);
  }).observe(document.documentElement, { subtree: true, attributeFilter: ["open"] });
  document.addEventListener("click", (event) => {
    if (!event.isTrusted || !event.detail) return;
    const isSecond = document.documentElement.classList.contains("just-tapped")
      && Math.hypot(event.clientX - tapped.clientX, event.clientY - tapped.clientY) <= NEAR;
    if (!isSecond) { tapped = event; return; }
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);

  // --- tabs: <div data-tabs="gm"> holds a role=tablist and its panels; arrow keys go along, the device remembers the choice ---
  const tabsOf = (list) => [...list.querySelectorAll("[role=tab]:not([hidden])")];
  const choose = (tab) => {
    const list = tab.closest("[role=tablist]");
    for (const other of list.querySelectorAll("[role=tab]")) {
      other.setAttribute("aria-selected", String(other === tab));
      other.tabIndex = other === tab ? 0 : -1;
      document.getElementById(other.getAttribute("aria-controls")).hidden = other !== tab;
    }
    tab.dispatchEvent(new CustomEvent("takujo:tab", { bubbles: true }));
  };
  const tabsName = (list) => `tab.${list.closest("[data-tabs]").dataset.tabs}`;
  const chosen = (tab) => {
    choose(tab);
    Stored.device.set(tabsName(tab.closest("[role=tablist]")), tab.id);
  };
  document.addEventListener("click", (event) => {
    const tab = event.target.closest("[role=tab]");
    if (tab) chosen(tab);
  });
  document.addEventListener("keydown", (event) => {
    const tab = event.target.closest("[role=tab]");
    if (!tab) return;
    const tabs = tabsOf(tab.closest("[role=tablist]")), at = tabs.indexOf(tab);
    const to = { ArrowRight: tabs[(at + 1) % tabs.length], ArrowLeft: tabs.at(at - 1), Home: tabs[0], End: tabs.at(-1) }[event.key];
    if (!to) return;
    event.preventDefault();
    chosen(to);
    to.focus();
  });
  for (const list of document.querySelectorAll("[data-tabs] > [role=tablist]")) {
    const known = Stored.device.get(tabsName(list));
    choose(tabsOf(list).find((tab) => tab.id === known) ?? tabsOf(list)[0]);
  }

  // --- a tap is ignored if the question changed between pointerdown and click ---
  const question = () => document.getElementById("pulse")?.dataset.asked ?? "";
  let press = null; // its question, and whether the long press has acted already
  document.addEventListener("pointerdown", () => { press = { question: question(), acted: false }; }, true);
  document.addEventListener("click", (event) => {
    const pointed = event.isTrusted && event.detail > 0 && event.target.closest("#table"); // no key, no script
    if (!pointed || !press || (!press.acted && press.question === question())) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
  // A key held down repeats its click on the element that has the focus now.
  document.addEventListener("keydown", (event) => {
    if (event.repeat && [" ", "Enter"].includes(event.key) && event.target.closest("#table button")) event.preventDefault();
  }, true);
  let asked = question();
  document.addEventListener("table:arrived", () => {
    if (question() === asked) return;
    asked = question();
    letGo();
    for (const button of document.querySelectorAll("[data-sure]")) delete button.dataset.sure;
  });

  // --- a long press: <button data-hold> acts only after 600 ms; a click without a finger (keyboard, screen reader) asks
  // twice, in the words of data-again ---
  let held = null;
  const letGo = () => { if (held) { clearTimeout(held.timer); held.button.classList.remove("holding"); held = null; } };
  document.addEventListener("pointerdown", (event) => {
    const button = event.target.closest("button[data-hold]");
    if (!button || event.button) return;
    button.classList.add("holding");
    held = { button, timer: setTimeout(() => { if (press) press.acted = true; button.dataset.sure = "1"; button.click(); letGo(); }, 600) };
  });
  for (const name of ["pointerup", "pointercancel", "blur"]) addEventListener(name, letGo);
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-hold]");
    if (!button) return;
    if (button.dataset.sure) { delete button.dataset.sure; return; }
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.detail === 0) { // no pointer: the second press within five seconds counts
      button.dataset.sure = "1";
      document.getElementById("say").textContent = button.dataset.again || button.textContent;
      setTimeout(() => delete button.dataset.sure, 5000);
    }
  }, true);

  // --- a join code: full-width digits, spaces and hyphens are welcome ---
  document.addEventListener("input", (event) => {
    if (!event.target.matches("[data-code]") || event.isComposing) return;
    const complete = Number(event.target.dataset.code); // how many digits, 0 where codes of several lengths are about
    const digits = event.target.value.normalize("NFKC").replace(/\D/g, "").slice(0, complete || 10);
    const half = Math.floor((complete || 6) / 2);
    event.target.value = digits.length > half ? digits.slice(0, half) + " " + digits.slice(half) : digits;
    if (digits.length === complete) event.target.form.requestSubmit();
  });

  // --- one choice that fills others: <input type="radio" data-sets='{"npc": "n1"}'> ---
  document.addEventListener("change", (event) => {
    if (event.target.dataset?.sets && event.target.checked) fill(event.target);
  });
  const fill = (choice) => {
    for (const [name, value] of Object.entries(JSON.parse(choice.dataset.sets))) choice.form.elements[name].value = value;
  };
  // Once more before it goes out: a fresh view may have put the hidden fields back.
  document.addEventListener("submit", (event) => { for (const choice of event.target.querySelectorAll("[data-sets]:checked")) fill(choice); }, true);

  // --- a button that fills another form: <button data-fills="call-form" data-values='{"label": "…"}'> ---
  // A sheet is rendered when it opens: values without a field wait until it is there.
  let unfilled = null;
  function fillForm() {
    const form = unfilled && document.getElementById(unfilled.form);
    if (!form) return;
    const missing = Object.entries(unfilled.values).filter(([name, value]) => !fillField(form, name, value));
    unfilled = missing.length ? { ...unfilled, values: Object.fromEntries(missing) } : null;
    showParts();
  }
  function fillField(form, name, value) {
    let found = false;
    for (const field of form.querySelectorAll(`[name="${CSS.escape(name)}"]`)) {
      if (typeof value === "boolean") field.checked = value;
      else if (field.type === "radio") field.checked = field.value === value;
      else field.value = value;
      found ||= field.type !== "radio" || field.checked;
    }
    return found;
  }
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-fills]");
    if (!button) return;
    unfilled = { form: button.dataset.fills, sheet: button.dataset.open, values: JSON.parse(button.dataset.values) };
    fillForm();
    if (button.dataset.open) return;
    unfilled = null;
    const form = document.getElementById(button.dataset.fills);
    // With [data-goes] it is sent, too, if nothing is missing any more.
    if (form && button.dataset.goes !== undefined && form.checkValidity()) form.requestSubmit();
    else form?.querySelector("button:not([type])")?.focus();
  });
  document.addEventListener("close", (event) => { if (event.target.id === unfilled?.sheet) unfilled = null; }, true);
  document.addEventListener("table:arrived", fillForm);

  // --- a part of a form for one choice only: <div data-choice="npc" data-is="n1" hidden>; hidden fields are not sent ---
  const showParts = () => {
    for (const part of document.querySelectorAll("[data-choice]")) {
      const chosen = new FormData(part.closest("form")).get(part.dataset.choice) === part.dataset.is;
      part.hidden = !chosen;
      for (const field of part.querySelectorAll("input, select, textarea")) field.disabled = !chosen;
    }
  };
  for (const name of ["change", "table:arrived"]) document.addEventListener(name, showParts);
  showParts();

  // --- keys for what is frequent: <… data-key="2">, while nothing is being typed and no sheet is open ---
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || document.querySelector("dialog[open]:not(.is-beside)")) return;
    if (event.target.matches("input:not([type=radio], [type=checkbox]), textarea, select, button, a, summary")) return;
    if (event.key.length === 1 && !root.dataset.keys) return; // switched off
    const keyed = document.querySelectorAll(`[data-key="${CSS.escape(event.key)}"]`);
    const target = [...keyed].find((one) => one.getClientRects().length); // not one that is folded away
    if (!target) return;
    event.preventDefault();
    target.click();
    if (target.matches("input")) target.focus();
  });

  // --- a form that was played starts afresh; one that was refused keeps its words (data-reset) ---
  let sent = null;
  document.addEventListener("table:sent", (event) => { sent = event.detail.form.matches("[data-reset]") ? event.detail.form : null; });
  document.addEventListener("table:refused", () => { sent = null; });
  document.addEventListener("table:arrived", () => { sent?.reset(); sent = null; });

  // --- a list whose order counts: <button data-up> takes its line one place up ---
  for (const button of document.querySelectorAll("[data-up]")) button.hidden = false;
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-up]"), line = button?.closest("li");
    if (!line?.previousElementSibling) return;
    line.after(line.previousElementSibling);
    button.focus();
  });

  // --- plus and minus beside a number: .stepper > <button data-step="1"> ---
  document.addEventListener("click", (event) => {
    const button = event.target.closest(".stepper > [data-step]");
    if (!button) return;
    const input = button.parentElement.querySelector("input");
    const value = Number(input.value || 0) + Number(button.dataset.step);
    input.value = Math.min(Number(input.max || 99), Math.max(Number(input.min || 0), value));
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });
})();
