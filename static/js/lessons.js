// Lessons: one at the first time of each kind of question of a game. What was understood is remembered on this device.
//   .lesson[data-lesson="journey.move"] with a button[data-understood]    (templates/tables/kit/lesson.jinja)
//   input[data-lessons="journey"]                                         the switch that brings them back, or puts all away
(() => {
  "use strict";

  const STORE = "lessons";
  const known = () => (localStorage.getItem(STORE) ?? "").split(" ").filter(Boolean);
  const keep = (lessons) => localStorage.setItem(STORE, [...new Set(lessons)].join(" "));
  const gameOf = (lesson) => lesson.split(".")[0];
  const knob = document.querySelector("[data-lessons]");
  let told = "";

  function show() {
    const understood = known();
    for (const lesson of document.querySelectorAll("[data-lesson]")) {
      const id = lesson.dataset.lesson;
      lesson.hidden = understood.includes(id) || understood.includes(gameOf(id));
    }
    if (knob) knob.checked = !understood.includes(knob.dataset.lessons);
    const lesson = document.querySelector("[data-lesson]:not([hidden])");
    if (lesson && lesson.dataset.lesson !== told) clear(lesson);
    told = lesson?.dataset.lesson ?? "";
  }

  // A lesson that is new comes out from under the hand, which stays at the thumb.
  function clear(lesson) {
    const hand = document.querySelector(".phone-hand");
    const hidden = hand ? lesson.getBoundingClientRect().bottom - hand.getBoundingClientRect().top : 0;
    if (hidden > 0) scrollBy(0, hidden);
  }

  document.addEventListener("click", (event) => {
    const lesson = event.target.closest("[data-understood]")?.closest("[data-lesson]");
    if (!lesson) return;
    keep([...known(), lesson.dataset.lesson]);
    show();
  });
  knob?.addEventListener("change", () => {
    const others = known().filter((lesson) => gameOf(lesson) !== knob.dataset.lessons);
    keep(knob.checked ? others : [...others, knob.dataset.lessons]);
    show();
  });
  document.addEventListener("table:arrived", show);
  show();
})();
