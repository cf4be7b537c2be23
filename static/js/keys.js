// Keys for everything at a table. Arrows go from button to button and Enter presses one; a digit chooses the nth card or
// answer, and sends nothing; Escape puts back; letters open the panels at the edge.
// Digits and letters do nothing while the pref "keys" is off, during typing, and where a game uses the key itself (data-key).
//   [data-picking] .fits    the choices of digits on a board, before anything else
//   button[data-numbered]   the choices of digits, where not all buttons of #hand are meant
//   the event "hand:back"   Escape: a raised card or a begun choice is put back
"use strict";
(() => {
  const phone = document.querySelector(".phone");
  if (!phone && !document.querySelector(".gm")) return;
  const root = document.documentElement;
  const PRESSED = "button, a[href], input, summary";
  const TYPED = "input:not([type=radio], [type=checkbox]), textarea, [contenteditable]";
  const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  // A GM's desk at the card table shows what these open, and its digits call checks: there only the cover has a key.
  const LETTERS = phone ? { l: "log-sheet", r: "rules-sheet", "?": "keys-sheet" } : {};

  const modal = () => document.querySelector("dialog[open]:not(.is-beside)");
  const isSeen = (one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled && one.type !== "hidden" && one.getBoundingClientRect().width > 1;
  const seen = (selector, within = phone ?? document) => [...within.querySelectorAll(selector)].filter(isSeen);

  // --- arrows -------------------------------------------------------------------------------------------------------
  function pressable(sheet) {
    if (sheet) return seen(PRESSED, sheet);
    return seen(PRESSED).filter((one) => one.closest(".phone-table, .phone-asked, .phone-hand") && !one.closest("[popover]"));
  }

  // The nearest in this direction: an element straight ahead comes before one beside it.
  function nearest(from, [dx, dy], all) {
    const a = from.getBoundingClientRect();
    let best = null, least = Infinity;
    for (const one of all) {
      const b = one.getBoundingClientRect(), x = b.left + b.width / 2 - a.left - a.width / 2, y = b.top + b.height / 2 - a.top - a.height / 2;
      const ahead = x * dx + y * dy;
      if (one === from || ahead < 4) continue;
      const beside = dx ? Math.max(0, b.top - a.bottom, a.top - b.bottom) : Math.max(0, b.left - a.right, a.left - b.right);
      const far = ahead + 3 * beside + Math.abs(dx ? y : x) / 4;
      if (far < least) [best, least] = [one, far];
    }
    return best;
  }

  const first = (all) => all.find((one) => one.matches("#hand .pick > :checked")) ?? all.find((one) => one.closest("#hand")) ?? all[0];

  function go(event) {
    const way = WAYS[event.key], at = event.target, sheet = modal();
    // Cards and choices of one kind have arrows of their own along their row; so have tabs, and what scrolls.
    const isRow = at.matches("[type=radio], .pick > input");
    const scrolls = sheet ? sheet.scrollHeight > sheet.clientHeight + 1 : at.closest("dialog");
    if ((isRow && way[0]) || at.closest("[role=tab]") || scrolls) return;
    const all = pressable(sheet).filter((one) => !isRow || one.name !== at.name);
    const next = all.includes(at) || isRow ? nearest(at, way, all) : first(all);
    if (!next) return;
    taken(event);
    next.focus();
  }

  // --- digits -------------------------------------------------------------------------------------------------------
  function numbered() {
    const sheet = modal();
    if (sheet) return seen("button:not([data-close]), input[type=radio], input[type=checkbox]", sheet);
    const kinds = ["[data-picking] .fits:not(.chosen)", "#hand .pick > input", "#hand [data-numbered]", "#hand :is(button, input):not(.cover, .cover-now)"];
    return kinds.map((kind) => seen(kind)).find((all) => all.length) ?? [];
  }

  // A choice is made at once; a button that would send waits for Enter.
  function choose(one) {
    one.focus();
    if (one.matches("input:not(:checked), [type=checkbox], [aria-pressed], .fits")) one.click();
    // The last of what is picked on a board is followed by the button that sends it.
    if (one.matches(".chosen")) seen("#hand form:valid .btn.primary")[0]?.focus();
  }

  // --- letters ------------------------------------------------------------------------------------------------------
  function cover() {
    const opener = root.classList.contains("hand-open") ? "[data-cover-now]" : ".coverable > .cover";
    seen(opener)[0]?.click();
  }

  function open(id) {
    const sheet = document.getElementById(id), log = document.getElementById("log");
    if (id === "log-sheet" && sheet.open) { log.focus(); return; }
    const opener = document.querySelector(`.phone-icons [data-open="${id}"]`);
    if (opener) opener.click(); else sheet.dispatchEvent(new CustomEvent("sheet:show", { bubbles: true }));
  }

  function taken(event) { event.preventDefault(); event.stopPropagation(); }

  // Before all other key listeners: a key that acts here acts once.
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.target.closest(TYPED)) return;
    const key = event.key.toLowerCase(), inSelect = event.target.matches("select"); // it has keys of its own
    if (inSelect && !(key === "escape" || document.querySelector("[data-picking]") && /^[1-9]$/.test(key))) return;
    if (phone && event.key in WAYS) go(event);
    else if (phone && event.key === "Enter" && event.target.matches("[type=checkbox]:not(.pick > input)")) { taken(event); event.target.click(); }
    else if (event.key === "Escape" && !modal() && !(document.body.showPopover && document.querySelector(":popover-open")) && !event.target.closest("dialog")) document.dispatchEvent(new CustomEvent("hand:back"));
    else if (!root.dataset.keys || event.repeat || document.querySelector(`[data-key="${CSS.escape(event.key)}"]`)) return;
    else if (phone && /^[1-9]$/.test(key)) {
      const one = numbered()[key - 1];
      if (one) { taken(event); choose(one); }
    } else if (!modal() && (key in LETTERS || key === "c")) {
      taken(event);
      if (key === "c") cover(); else open(LETTERS[key]);
    }
  }, true);

  // Tell screen readers the key of each button.
  function tell() {
    for (const [key, id] of Object.entries(LETTERS)) {
      for (const opener of document.querySelectorAll(`[data-open="${id}"]`)) {
        if (root.dataset.keys) opener.setAttribute("aria-keyshortcuts", key.toUpperCase()); else opener.removeAttribute("aria-keyshortcuts");
      }
    }
  }
  document.addEventListener("takujo:pref", tell);
  tell();
})();
