// A notification of the reader's turn, if they asked for it and while the page is not in front. It tells nothing else.
"use strict";
(() => {
  const wanted = document.querySelector("[data-pref=notify]");
  if (!wanted || !isSecureContext || !navigator.serviceWorker || !window.Notification) return;
  // That of a push (worker.js), which comes later: both are one notification.
  const TAG = location.pathname, no = document.querySelector("[data-notify-no]");
  const isOn = () => document.documentElement.dataset.notify !== undefined && Notification.permission === "granted";

  document.addEventListener("takujo:pref", async ({ detail: { name } }) => {
    if (name !== "notify" || !wanted.checked) return;
    const allowed = (await Notification.requestPermission()) === "granted";
    no.hidden = allowed;
    if (!allowed) wanted.click(); // switched off again
  });

  document.addEventListener("takujo:called", async () => {
    if (!document.hidden || !isOn()) return;
    const registration = await navigator.serviceWorker.ready;
    const data = { url: location.href }, lang = document.documentElement.lang;
    const icon = document.querySelector("link[rel=apple-touch-icon]").href;
    await registration.showNotification(wanted.dataset.words, { tag: TAG, icon, lang, data });
  });

  // A page in front shows the question itself: its notification closes.
  document.addEventListener("visibilitychange", async () => {
    if (document.hidden) return;
    const registration = await navigator.serviceWorker.getRegistration();
    for (const shown of (await registration?.getNotifications({ tag: TAG })) ?? []) shown.close();
  });
})();
