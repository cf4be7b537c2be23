// The clock of a table: the server says how much time is left, and the page counts on. Nothing here decides anything.
(() => {
  "use strict";

  const SOON = 10; // seconds: from here on it no longer looks quiet
  // Of a slow table: hours are told, then minutes, and seconds at the very end.
  const MINUTE = 60, HOUR = 60 * MINUTE, DAY = 24 * HOUR, SECONDS_FROM = 2 * MINUTE;
  const clock = document.getElementById("clock");
  let due = 0, most = 0, whole = 0, ticking = 0;

  function spoken(left) {
    const [unit, seconds] = left >= HOUR ? ["hour", HOUR] : left > SECONDS_FROM ? ["minute", MINUTE] : ["second", 1];
    const value = unit === "hour" ? Math.floor(left / HOUR) : Math.ceil(left / seconds);
    const time = new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit, unitDisplay: "long" }).format(value);
    return clock.dataset.left.replace("{time}", time.replace(/(\d)\s(?=[^\x00-\x7f])/, "$1")); // 21時間, as people write it
  }

  function show() {
    const left = Math.min(most, Math.max(0, (due - performance.now()) / 1000)), isSlow = whole >= DAY;
    clock.querySelector("b").textContent = isSlow ? spoken(left) : Math.ceil(left);
    clock.style.setProperty("--left", `${100 * Math.min(1, left / whole)}%`);
    clock.classList.toggle("is-slow", isSlow);
    clock.classList.toggle("is-soon", left <= (isSlow ? HOUR : SOON));
    return isSlow && left > SECONDS_FROM + 10 ? 10_000 : 250;
  }

  function tick() {
    clearTimeout(ticking);
    ticking = setTimeout(tick, document.hidden ? 1_000 : show());
  }

  document.addEventListener("htmx:ws:after:message:incoming", ({ detail }) => {
    if (!clock || !detail.message.data.startsWith('{"clock"')) return;
    const time = JSON.parse(detail.message.data).clock;
    clock.hidden = !time;
    clearTimeout(ticking);
    if (!time) return;
    // It pauses while a player reads a lesson.
    [due, most, whole] = [performance.now() + 1000 * (time.left + time.stands), time.left, time.of];
    tick();
  });

  // A page that comes back to the front shows the remaining time at once.
  document.addEventListener("visibilitychange", () => {
    if (clock?.hidden === false && !document.hidden) tick();
  });
})();
