// The table's face in a stream: its address says which parts show, and how late. It shows nothing that other faces hide.
//
//   ?ground=none             a transparent ground (css/face.css)
//   ?parts=chain,party       only these parts, also as parts=chain&parts=party
//   ?delay=30                everything 30 seconds later, the page's clock too
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
  // The first HTML of the page is live: it is delayed, too.
  root.dataset.held = "";
  setTimeout(() => delete root.dataset.held, delay);

  // Listeners get a message only at its time; the answer to a ping has the server's time at that instant.
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
