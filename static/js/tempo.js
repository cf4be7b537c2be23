// How fast bots move: each device says what its reader wants, and the table waits for the slowest of them (live/timers.py).
//   select[data-pref="tempo"]   slow, usual, quick
//   button[data-hurry]          bots hurry until its reader is asked something; there while bots play: #pulse[data-bots]
(() => {
  "use strict";

  const root = document.documentElement;
  const button = document.querySelector("[data-hurry]");
  if (!button) return;

  const tell = (tempo) => document.dispatchEvent(new CustomEvent("live:now", { detail: { tempo } }));

  function show() {
    const waits = document.getElementById("pulse").dataset.bots === undefined;
    if (waits) button.ariaPressed = "false";
    button.hidden = waits;
  }

  button.addEventListener("click", () => {
    button.ariaPressed = "true";
    tell("now");
  });
  document.addEventListener("htmx:ws:after:connection", () => { if (root.dataset.tempo !== "usual") tell(root.dataset.tempo); });
  document.addEventListener("takujo:pref", ({ detail: { name } }) => { if (name === "tempo") tell(root.dataset.tempo); });
  document.addEventListener("table:arrived", show);
  show();
})();
