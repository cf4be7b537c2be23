// A page that waits for somebody's word: it asks every few seconds, and looks again when there is an answer (200; 204 is none).
(() => {
  "use strict";
  const ASK_EVERY = 3000;
  const waiting = document.querySelector("[data-waiting]");
  const ask = async () => {
    try {
      if ((await fetch(waiting.dataset.waiting)).status === 200) { location.reload(); return; }
    } catch { /* no line: asked again */ }
    setTimeout(ask, ASK_EVERY);
  };
  ask();
})();
