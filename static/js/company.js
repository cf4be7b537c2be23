// One device, several people (companion/identity/shared_device.py): no page of one of them stays for the next one's eyes.
//   html[data-whose]        whose page it is, on a device with a company; "" is the curtain
//   button[data-beside]     offers the curtain to another person of this device, while its reader is not asked
"use strict";
(() => {
  const root = document.documentElement, WHOSE = "whose", mine = root.dataset.whose ?? null;
  const now = () => Stored.device.get(WHOSE);
  const look = () => { if (now() !== mine) location.reload(); };

  if (mine === null) Stored.device.remove(WHOSE); else Stored.device.set(WHOSE, mine);
  // The drafts, moves and opened parts of one person are cleared for the next.
  if (mine === "") Stored.tab.clear();

  // Another tab of this device has gone to another person.
  addEventListener("storage", (event) => { if (event.key === WHOSE) look(); });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
  // The browser may keep a page whole for the way back: it comes back empty until it is known whose it is.
  addEventListener("pagehide", (event) => { if (event.persisted) root.hidden = true; });
  addEventListener("pageshow", (event) => {
    if (event.persisted && now() !== mine) location.reload(); else root.hidden = false;
  });

  const buttons = document.querySelectorAll("[data-beside]");
  if (!buttons.length) return;
  // The other awaited players stay secret: in some games they would tell what a player holds.
  function offer() {
    const own = Boolean(document.querySelector("[data-call]:not([data-call=''])"));
    for (const button of buttons) button.hidden = button.form.hidden = own;
  }
  document.addEventListener("table:arrived", offer);
  offer();
})();
