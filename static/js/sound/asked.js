// Whoever wants to hear a scene asks for it: by the switch in the settings, or by [data-sounds], the button of the table's face.
// What makes the sounds (scene.js) comes only then; #sound[data-player] has its address. Browsers ask for a touch besides.
"use strict";
(() => {
  const root = document.documentElement, button = document.querySelector("[data-sounds]");
  const isHeard = () => Boolean(root.dataset.ambience) && Sound.isOpen();

  function follow() {
    const player = document.getElementById("sound")?.dataset.player;
    if (root.dataset.ambience && player) import(player);
  }

  function show() { button?.setAttribute("aria-pressed", String(isHeard())); }

  button?.addEventListener("click", () => {
    if (isHeard()) delete root.dataset.ambience; else root.dataset.ambience = "on";
    Stored.device.set("ambience", root.dataset.ambience ?? "off");
    document.dispatchEvent(new CustomEvent("takujo:pref", { detail: { name: "ambience" } }));
  });
  // Any touch is one, and opens what the browser still kept shut.
  document.addEventListener("click", () => { if (root.dataset.ambience) Sound.open(); });
  document.addEventListener("takujo:sounds", show);
  document.addEventListener("takujo:pref", () => {
    follow();
    show();
  });
  follow();
})();
