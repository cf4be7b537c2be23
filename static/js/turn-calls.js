// Notifications of the reader's turn while no page is open: switched on by a tap, and by nothing else.
//
// The form shows one of its [data-state]: "off" the button, "on", or why it cannot be: "plain" without https, "install" where
// only what stands on the home screen may notify, "denied", and "failed" where the browser's push service did not answer.
"use strict";
(() => {
  const form = document.querySelector("[data-turn-calls]");
  if (!form) return;
  const key = form.dataset.key, READ = 12_000;

  function show(state) {
    for (const part of form.querySelectorAll("[data-state]")) part.hidden = part.dataset.state !== state;
    form.hidden = false;
    // At a table the reason stands where the question was: it makes room again.
    if (!["on", "off"].includes(state) && form.closest(".slow-line")) setTimeout(show, READ, "off");
  }

  const ours = (subscription) => {
    const bytes = new Uint8Array(subscription.options.applicationServerKey);
    return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "") === key;
  };

  async function tell(address, subscription) {
    const body = new FormData(form), { endpoint, keys } = subscription.toJSON();
    for (const [name, value] of Object.entries({ endpoint, ...keys })) body.set(name, value);
    const answer = await fetch(address, { method: "POST", body });
    // The worker ends it when another person is here.
    if (answer.ok) await (await caches.open("push-of")).put("/", new Response(answer.headers.get("Kept-Of")));
    return answer.ok;
  }

  async function begin() {
    if (!isSecureContext) return "plain";
    if (!navigator.serviceWorker || !window.PushManager || !window.Notification) return "install";
    if ((await Notification.requestPermission()) !== "granted") return "denied";
    try {
      const { pushManager } = await navigator.serviceWorker.ready, before = await pushManager.getSubscription();
      if (before && !ours(before)) await before.unsubscribe();
      const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
      return (await tell(form.action, subscription)) ? "on" : "failed";
    } catch {
      return "failed";
    }
  }

  const present = async () => (await navigator.serviceWorker?.getRegistration())?.pushManager?.getSubscription();

  async function end() {
    const subscription = await present();
    if (subscription) await tell(form.dataset.ends, subscription);
    await subscription?.unsubscribe();
    return "off";
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = event.submitter;
    button.disabled = true;
    show(await (button.name === "end" ? end() : begin()).catch(() => "failed"));
    button.disabled = false;
  });

  present().catch(() => null).then((subscription) => show(subscription && ours(subscription) && Notification.permission === "granted" ? "on" : "off"));
})();
