// The table's face in a stream: its address says what is shown, and how late. Nothing here shows more than any face does.
//
//   ?ground=none             nothing behind what is shown (css/face.css)
//   ?parts=chain,party       only these parts, also as parts=chain&parts=party
//   ?delay=30                everything so many seconds later: the page lives in the past, by its clock too
"use strict";
(() => {
  const PARTS = ["chain", "now", "party", "verdict", "clocks", "rolls", "scene"];
  const LONGEST = 300, SECOND = 1000;
  const root = document.documentElement, asked = new URLSearchParams(location.search);
  if (!document.querySelector(".face-screen, .face-lobby") || !["ground", "parts", "delay"].some((name) => asked.has(name))) return;

  root.dataset.stream = "";
  if (asked.get("ground") === "none") root.dataset.ground = "none";
  const parts = asked.getAll("parts").flatMap((part) => part.split(",")).filter((part) => PARTS.includes(part));
  if (parts.length) root.dataset.parts = parts.join(" ");

  const delay = SECOND * Math.min(LONGEST, Math.max(0, Number.parseInt(asked.get("delay"), 10) || 0));
  if (!delay) return;
  // What the page came with is of now: it is held, too.
  root.dataset.held = "";
  setTimeout(() => delete root.dataset.held, delay);

  // Whoever listens hears a message only when its time has come; an answer to a ping tells the server's time of then.
  window.WebSocket = class extends WebSocket {
    constructor(...address) {
      super(...address);
      const held = new WeakSet();
      this.addEventListener("message", (event) => {
        if (held.has(event)) return;
        event.stopImmediatePropagation();
        const isPong = event.data.startsWith('{"pong"');
        const data = isPong ? JSON.stringify({ pong: JSON.parse(event.data).pong - delay }) : event.data;
        const later = new MessageEvent("message", { data });
        held.add(later);
        setTimeout(() => this.dispatchEvent(later), isPong ? 0 : delay);
      });
    }
  };
})();
