// A word that another table has begun is said once on this device, of the newest one: p[data-begun="12"]. Its tab stays.
(() => {
  "use strict";

  const STORE = "begun", KEPT = 50;
  const read = () => Stored.tab.read(STORE, []);
  const keep = (told) => Stored.tab.write(STORE, told.slice(-KEPT));
  const before = read(); // was told when this page came up
  const closed = [];

  function show() {
    const words = [...document.querySelectorAll("[data-begun]")], told = read();
    const fresh = words.filter(({ dataset: { begun } }) => !before.includes(begun) && !closed.includes(begun)).at(-1);
    for (const one of words) one.hidden = one !== fresh;
    const heard = words.map((one) => one.dataset.begun).filter((begun) => !told.includes(begun));
    if (heard.length) keep([...told, ...heard]);
  }

  document.addEventListener("click", ({ target }) => {
    const one = target.closest("[data-begun-close]")?.closest("[data-begun]");
    if (!one) return;
    // Older ones are not said in its place.
    closed.push(...[...document.querySelectorAll("[data-begun]")].map((other) => other.dataset.begun));
    show();
  });
  document.addEventListener("table:arrived", show);
  show();
})();
