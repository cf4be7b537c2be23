// The hand lies covered against the eyes of neighbours: backs, until a tap opens it. It is this device's own affair, and nothing is sent.
//   .coverable > button.cover    opens it, as any press there does. All beside it is covered, but .commit and .hand-empty
//   button[data-uncover]         opens it from elsewhere
//   button[data-cover-now]       covers it
//   .eyes-only                   what else is for its owner alone; a sheet that has some is open only as long as the hand is
//   html.hand-open               nothing is covered. Only this script says so: without it all of the above is hidden (hand.css)
//   script[data-people]          how many people the evening has; not there where everybody may see the hand
// It runs before the page is drawn, so that an open hand does not blink. hand.js and the games hear of it by "hand:cover".
"use strict";
(() => {
  const root = document.documentElement, script = document.currentScript;
  const STAYS = 20000;
  const USED = ".phone-hand, .phone-asked, .gm-hand, dialog";
  let closes = 0, held = false;
  let kept = [], call = ""; // half-done sheets, and the question that they answer

  // Before the page is drawn there is no Stored yet.
  const wish = () => { try { return globalThis.Stored ? Stored.device.get("cover") : localStorage.getItem("cover"); } catch { return null; } };
  const people = () => document.querySelectorAll("#presence > .person:not(.is-missing)").length || Number(script.dataset.people);
  const inCompany = () => script.dataset.people !== undefined && people() > 1;
  const covers = () => ({ on: true, off: false })[wish()] ?? inCompany();
  const covered = () => !root.classList.contains("hand-open");
  const sheets = () => [...document.querySelectorAll("dialog[open]:not(.is-beside)")].filter((sheet) => sheet.querySelector(".eyes-only"));
  const question = () => document.querySelector("[data-call]")?.dataset.call ?? "";
  const say = (words) => { document.getElementById("say").textContent = words; };
  const wait = () => { clearTimeout(closes); closes = !covered() && covers() ? setTimeout(() => (held ? wait() : cover()), STAYS) : 0; };

  function turn(on) {
    root.classList.toggle("hand-open", !on);
    wait();
    document.dispatchEvent(new CustomEvent("hand:cover"));
  }

  function cover() {
    if (covered()) return;
    kept = sheets();
    const focused = document.activeElement?.closest(".coverable, [data-cover-now], .eyes-only") ?? kept.some((sheet) => sheet.contains(document.activeElement));
    call = question();
    for (const sheet of kept) sheet.close();
    turn(true);
    if (focused) document.querySelector(".coverable > .cover")?.focus({ preventScroll: true });
    say(script.dataset.coveredWords);
  }

  function open() {
    if (!covered()) return;
    const area = document.activeElement?.matches(".cover, [data-uncover]") && document.querySelector(".coverable > .cover")?.parentElement;
    turn(false);
    // If the player has opened another sheet since, that one stays.
    const returns = question() === call && !document.querySelector("dialog[open]:not(.is-beside)");
    if (returns) for (const sheet of kept) if (sheet.isConnected) sheet.showModal();
    kept = [];
    if (area) area.querySelector("input:checked, input, button, a")?.focus({ preventScroll: true });
    say(script.dataset.openWords);
  }

  turn(covers());

  document.addEventListener("click", (event) => {
    const under = event.target.closest(".coverable")?.querySelector(":scope > .cover");
    if (covered() && (under || event.target.closest("[data-uncover]"))) {
      event.preventDefault();
      event.stopImmediatePropagation();
      open();
    } else if (event.target.closest("[data-cover-now]")) cover();
  }, true);
  // A sheet with the own cards opens the hand, too; its content may come later.
  const look = () => { if (sheets().length) open(); };
  addEventListener("click", look);
  document.addEventListener("hand:open", open);

  // As long as a finger is at work here, and a while longer, it stays open.
  for (const name of ["pointerdown", "keydown", "input"]) {
    document.addEventListener(name, (event) => {
      if (!event.target.closest?.(USED)) return;
      held ||= name === "pointerdown";
      wait();
    }, true);
  }
  for (const name of ["pointerup", "pointercancel"]) addEventListener(name, () => { if (held) { held = false; wait(); } }, true);
  document.addEventListener("visibilitychange", () => { if (document.hidden && covers()) cover(); });

  document.addEventListener("takujo:pref", ({ detail: { name } }) => {
    if (name !== "cover") return;
    if (covers()) cover(); else open();
  });
  // Company may have come, or gone.
  document.addEventListener("table:arrived", () => { look(); if (!closes) wait(); });
})();
