// A page that waits for another person's answer: it asks every few seconds, and reloads when there is one (200; 204 is none),
// or at the page that data-then names.
(() => {
  "use strict";
  const ASK_EVERY = 3000;
  const look = () => (waiting.dataset.then ? location.replace(waiting.dataset.then) : location.reload());
  const waiting = document.querySelector("[data-waiting]");
  const ask = async () => {
    try {
      if ((await fetch(waiting.dataset.waiting)).status === 200) { look(); return; }
    } catch { /* no line: asked again */ }
    setTimeout(ask, ASK_EVERY);
  };
  ask();
})();
