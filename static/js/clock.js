// The clock of a table: the server says how much time is left, and the page counts on. Nothing here decides anything.
(() => {
  "use strict";

  const SOON = 10; // seconds: from here on it no longer looks quiet
  const clock = document.getElementById("clock");
  let due = 0, whole = 0, ticking = 0;

  function show() {
    const left = Math.max(0, (due - performance.now()) / 1000);
    clock.querySelector("b").textContent = Math.ceil(left);
    clock.style.setProperty("--left", `${100 * Math.min(1, left / whole)}%`);
    clock.classList.toggle("is-soon", left <= SOON);
  }

  document.addEventListener("htmx:ws:after:message:incoming", ({ detail }) => {
    if (!clock || !detail.message.data.startsWith('{"clock"')) return;
    const time = JSON.parse(detail.message.data).clock;
    clock.hidden = !time;
    clearInterval(ticking);
    if (!time) return;
    [due, whole] = [performance.now() + 1000 * time.left, time.of];
    show();
    ticking = setInterval(() => { if (!document.hidden) show(); }, 250);
  });
})();
