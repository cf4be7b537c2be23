// A scene is silent until its listener asks for sound: by the switch in the settings, or by [data-sounds], the button of the table's face.
// The player of sounds (scene.js) is loaded only then; #sound[data-player] has its address. Browsers want a touch besides.
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
  // Any touch will do, and lets the browser play.
  document.addEventListener("click", () => { if (root.dataset.ambience) Sound.open(); });
  document.addEventListener("takujo:sounds", show);
  document.addEventListener("takujo:pref", () => {
    follow();
    show();
  });
  follow();
})();
