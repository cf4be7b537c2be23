// Passing where its player does not want to be asked. This device keeps that, and no other can see it: it looks at what is
// declared and never at the hand, so that an early pass tells nothing of what could have been played.
//
//   form[data-pass="own|shot|other"]   the pass of a window, and its kind (_window.jinja)
//   select[data-pref="wants"]          the windows in which its player wants to be asked
//   button[data-break-in]              asks at the next window of any kind
(() => {
  "use strict";

  const WANTED = { each: ["own", "shot", "other"], shot: ["own", "shot"], own: ["own"], turn: [] };
  const AGAIN = 50;
  const root = document.documentElement, table = document.getElementById("table"), button = document.querySelector("[data-break-in]");
  const form = () => document.querySelector("form[data-pass]");
  const question = () => document.getElementById("pulse").dataset.asked;
  const wants = () => WANTED[root.dataset.wants] ?? WANTED.shot;
  // Nothing passes by itself while a first game tells of it.
  const isWanted = () => breaksIn || wants().includes(form().dataset.pass) || Boolean(document.getElementById("first-game"));
  let breaksIn = false, asked = null, waiting = 0;

  const show = () => { if (button) button.ariaPressed = String(breaksIn); };

  // The move before may still wait for its answer.
  function pass(window) {
    if (window !== question() || !form()) return;
    if (table.classList.contains("is-sending")) waiting = setTimeout(pass, AGAIN, window);
    else form().requestSubmit();
  }

  function arrive() {
    if (!form() && asked) { asked = null; breaksIn = false; }
    show();
    const passes = Boolean(form()) && !isWanted(), isNew = Boolean(form()) && asked !== question();
    root.toggleAttribute("data-passing", passes);
    if (passes) document.getElementById("prompt").dataset.call = ""; // a window that needs no answer calls no player
    if (!isNew) return;
    clearTimeout(waiting);
    asked = question();
    if (passes) pass(asked);
  }

  document.addEventListener("takujo:pref", ({ detail: { name } }) => {
    if (name !== "wants") return;
    asked = null;
    arrive();
  });
  button?.addEventListener("click", () => {
    breaksIn = !breaksIn;
    show();
  });
  // Before all other listeners: they call the player who is asked.
  document.addEventListener("table:arrived", arrive, true);
  arrive();
})();
