// Care signals: a tap goes out over the socket and leaves nothing behind; a signal buzzes and chimes at the GM's desk.
"use strict";
(() => {
  const SHOWN_FOR = 3000, ON_ITS_WAY = 21 * 1000;
  const toast = document.getElementById("toast");
  const say = document.getElementById("say");
  let tapped = -Infinity, timer = 0;

  function tell(words) {
    toast.textContent = say.textContent = words;
    toast.hidden = false;
    clearTimeout(timer);
    timer = setTimeout(() => { toast.hidden = true; toast.textContent = ""; }, SHOWN_FOR);
  }

  const send = (frame) => document.dispatchEvent(new CustomEvent("live:send", { detail: frame }));

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-care]");
    if (!button) return;
    send("careNamed" in button.dataset ? { care: button.dataset.care, named: true } : { care: button.dataset.care });
    tapped = performance.now();
    const words = button.closest("[data-care-said]").dataset.careSaid;
    button.closest("dialog")?.close();
    tell(words);
  });

  // A signal waits for a while in the server's memory: if the connection breaks before it is shown, the page cannot know whether it is still there.
  document.addEventListener("htmx:ws:close", () => {
    if (performance.now() - tapped < ON_ITS_WAY) tell(document.querySelector("[data-care-lost]").dataset.careLost);
    tapped = -Infinity;
  });

  // --- the GM's desk ---
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-heard]");
    if (button) send({ heard: button.dataset.heard });
  });

  const lying = () => [...document.querySelectorAll("[data-care-kind]")].map((card) => card.dataset.careKind);
  let known = lying();
  document.addEventListener("htmx:ws:after:message:incoming", () => {
    const now = lying();
    if (now.some((kind) => !known.includes(kind))) document.dispatchEvent(new CustomEvent("takujo:care"));
    known = now;
  });
})();
