// Emotes: a tap in the tray goes out over the socket, and what comes in shows for a moment where its sender sits.
//   [data-at="p1"]                a seat's place; of several the first that is in sight
//   button[data-emote-send]       in the tray
//   template[data-emote="nice"]   what one looks like, in #emoted
// They may be silenced on this device (data-pref="quiet"): then they are neither seen nor read aloud.
(() => {
  "use strict";

  const SHOWN_FOR = 2000, APART = 2000, EDGE = 8; // the server takes one emote in APART (sessions/evening/announcements.py)
  const box = document.getElementById("emoted"), tray = document.getElementById("emote-tray"), said = document.getElementById("emoted-said");
  const root = document.documentElement;
  const shown = new Map(); // seat → what shows there

  function placeOf(seat) {
    return [...document.querySelectorAll(`[data-at="${CSS.escape(seat)}"]`)].find((place) => {
      const at = place.getBoundingClientRect();
      return place.checkVisibility() && at.bottom > 0 && at.top < innerHeight;
    });
  }

  function put(one, place) {
    const ground = box.getBoundingClientRect(), at = place?.getBoundingClientRect();
    const x = at ? at.left + (at.width - one.offsetWidth) / 2 : (root.clientWidth - one.offsetWidth) / 2;
    const y = at ? at.top + (at.height - one.offsetHeight) / 2 : innerHeight / 8;
    one.style.left = `${Math.min(Math.max(EDGE, x), root.clientWidth - one.offsetWidth - EDGE) - ground.left}px`;
    one.style.top = `${Math.max(EDGE, y) - ground.top}px`;
  }

  function show({ seat, name, kind }) {
    const template = box.querySelector(`template[data-emote="${CSS.escape(kind)}"]`);
    if (!template || root.dataset.quiet) return;
    const one = document.createElement("p"), place = placeOf(seat);
    one.className = "emoted-one";
    one.append(template.content.cloneNode(true));
    const word = one.querySelector("[data-word]").textContent.trim();
    if (!place) one.querySelector("[data-word]").textContent = `${name}: ${word}`;
    shown.get(seat)?.remove();
    shown.set(seat, one);
    box.append(one);
    put(one, place);
    if (root.dataset.speech === "all") said.textContent = box.dataset.said.replace("{name}", name).replace("{word}", word);
    setTimeout(() => {
      one.remove();
      if (shown.get(seat) === one) shown.delete(seat);
      if (!shown.size) said.textContent = "";
    }, SHOWN_FOR);
  }

  document.addEventListener("htmx:ws:after:message:incoming", ({ detail }) => {
    if (!detail.message.data.startsWith('{"emote"')) return;
    show(JSON.parse(detail.message.data).emote);
  });

  tray?.addEventListener("click", (event) => {
    const button = event.target.closest("[data-emote-send]");
    if (!button) return;
    document.dispatchEvent(new CustomEvent("live:now", { detail: { emote: button.dataset.emoteSend } }));
    tray.hidePopover?.();
    const all = tray.querySelectorAll("[data-emote-send]");
    for (const each of all) each.disabled = true;
    setTimeout(() => { for (const each of all) each.disabled = false; }, APART);
  });
})();
