// Silence as an answer (sessions/table/bots.py): where all players who could break in are asked at once, the table answers for the
// silent ones. The server says how long that takes.
//   form[data-silence]   the move that silence means; the time runs out on its button
//   [data-reads]         the player's options: while they are in sight, the page says that they read, and silence is no answer
(() => {
  "use strict";

  const AGAIN = 20 * 1000; // a hold ends by itself after a minute
  const root = document.documentElement;
  const form = () => document.querySelector("form[data-silence]");
  const question = () => form() && document.getElementById("pulse").dataset.asked;
  let told = null, running = null;

  const inSight = () => [...document.querySelectorAll("[data-reads]")].some((one) => one.checkVisibility());
  const reads = () => Boolean(form()) && !document.hidden && ("calm" in root.dataset || "learning" in root.dataset || inSight());

  function tell(reading) {
    document.dispatchEvent(new CustomEvent("live:now", { detail: { reads: reading } }));
  }

  function look() {
    const reading = reads() ? question() : null;
    if (reading === told) return;
    const before = told;
    told = reading;
    root.toggleAttribute("data-reading", Boolean(reading));
    if (reading) { running?.cancel(); tell(true); }
    else if (before === question()) tell(false);
  }

  function run({ left, of }) {
    running?.cancel();
    const button = form()?.querySelector("button");
    if (!button || told) return;
    running = button.animate([{ transform: `scaleX(${left / of})` }, { transform: "scaleX(0)" }], { duration: 1000 * left, pseudoElement: "::after", fill: "forwards" });
  }

  document.addEventListener("htmx:ws:after:message:incoming", ({ detail: { message: { data } } }) => {
    if (data.startsWith('{"silence"')) run(JSON.parse(data).silence);
  });
  new MutationObserver(look).observe(document.body, { subtree: true, attributeFilter: ["open", "hidden"] });
  for (const change of ["table:arrived", "visibilitychange", "takujo:pref", "lessons:read"]) document.addEventListener(change, look);
  setInterval(() => { if (told) tell(true); }, AGAIN);
})();
