// The undo window after a move: rings run out while it can be taken back, and a tap draws at once.
//
//   [data-grace]    has a ring (css/hand.css, css/table.css) that began when this device first saw the move, also after a new rendering;
//                   on the mover's own pages, also a second or reloaded one, the server says how much is left
//   [data-draw]     turns up the drawn cards; the move can no longer be taken back then
"use strict";
(() => {
  const table = document.getElementById("table");
  if (!table) return;
  const WHOLE = 5000; // of the ring in css
  const name = "grace." + table.dataset.table;
  // Of this page and of the one that it was before a reload.
  const now = () => performance.timeOrigin + performance.now();
  const version = () => Number(document.getElementById("pulse").dataset.version);

  function show() {
    const rings = document.querySelectorAll("[data-grace]");
    if (!rings.length) return;
    let seen = Stored.tab.read(name, {});
    if (seen.version !== version()) { seen = { version: version(), at: now() }; Stored.tab.write(name, seen); }
    for (const ring of rings)
      for (const running of ring.getAnimations({ subtree: true }))
        if (running.animationName === "run-out") running.currentTime = Math.max(0, now() - seen.at);
  }

  // Asking for the animations asks for the styles of the whole page: once a frame, when they are needed anyway.
  let asked = 0;
  function showSoon() { asked ||= requestAnimationFrame(() => { asked = 0; show(); }); }

  document.addEventListener("table:arrived", showSoon);
  document.addEventListener("htmx:ws:after:message:incoming", ({ detail }) => {
    if (!detail.message.data.startsWith('{"grace"')) return;
    const { version, left } = JSON.parse(detail.message.data).grace;
    Stored.tab.write(name, { version, at: now() + 1000 * left - WHOLE });
    showSoon();
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-draw]")) document.dispatchEvent(new CustomEvent("live:send", { detail: { draw: version() } }));
  });
  show();
})();
