// Passing by itself, so that nobody has to tap through windows in which there is nothing to play.
//
//   form[data-pass]        the pass of a window
//   input[data-pass-on]    whether this device sends it by itself: it does, until somebody says otherwise
//
// It must tell the others nothing. So the device does not look at what is in hand: it passes after the same time whatever could
// be played, and only a finger stops it. Whoever could play and whoever only wants to look so stop it alike.
(() => {
  "use strict";

  const PASS_AFTER = 6000, STORE = "goodcop-passes";
  const root = document.documentElement;
  const form = () => document.querySelector("form[data-pass]");
  const question = () => document.getElementById("pulse").dataset.asked;
  // Nothing passes by itself while a first game tells of it.
  const passes = () => localStorage.getItem(STORE) !== "off" && !document.getElementById("first-game");
  let asked = null, timer = 0;

  function stop() {
    clearTimeout(timer);
    delete root.dataset.passing;
  }

  function arrive() {
    for (const input of document.querySelectorAll("[data-pass-on]")) input.checked = passes();
    if (!form()) { asked = null; stop(); return; }
    if (asked === question()) return;
    asked = question();
    begin();
  }

  function begin() {
    stop();
    if (!passes() || !form() || document.hidden) return;
    root.dataset.passing = "on";
    const window = asked;
    timer = setTimeout(() => { stop(); if (window === question()) form()?.requestSubmit(); }, PASS_AFTER);
  }

  for (const touch of ["pointerdown", "keydown"]) document.addEventListener(touch, stop, true);
  document.addEventListener("visibilitychange", () => { if (document.hidden) stop(); else begin(); });
  document.addEventListener("change", (event) => {
    if (!event.target.matches("[data-pass-on]")) return;
    localStorage.setItem(STORE, event.target.checked ? "on" : "off");
    begin();
  });
  document.addEventListener("table:arrived", arrive);
  arrive();
})();
