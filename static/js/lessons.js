// Lessons: one at the first time of each kind of question of a game. What was understood is remembered on this device.
//   .lesson[data-lesson="journey.move"] with a button[data-understood]    (templates/tables/kit/lesson.jinja)
//   button[data-lesson-again="journey.move"]                              brings one lesson back
//   input[data-lessons="journey"]                                         the switch that brings all back, or puts all away
(() => {
  "use strict";

  const STORE = "lessons";
  const known = () => (localStorage.getItem(STORE) ?? "").split(" ").filter(Boolean);
  const keep = (lessons) => localStorage.setItem(STORE, [...new Set(lessons)].join(" "));
  const gameOf = (lesson) => lesson.split(".")[0];
  const knob = document.querySelector("[data-lessons]");
  let asked = ""; // the lesson that was brought back, whatever is understood

  function show() {
    const understood = known();
    const open = (id) => id === asked || !(understood.includes(id) || understood.includes(gameOf(id)));
    const lessons = [...document.querySelectorAll("[data-lesson]")];
    const first = lessons.find((lesson) => lesson.dataset.lesson === asked) ?? lessons.find((lesson) => open(lesson.dataset.lesson));
    for (const lesson of lessons) lesson.hidden = lesson !== first;
    for (const button of document.querySelectorAll("[data-lesson-again]")) button.hidden = Boolean(first);
    if (knob) knob.checked = !understood.includes(knob.dataset.lessons);
  }

  document.addEventListener("click", (event) => {
    const lesson = event.target.closest("[data-understood]")?.closest("[data-lesson]"), again = event.target.closest("[data-lesson-again]");
    if (!lesson && !again) return;
    if (lesson) keep([...known(), lesson.dataset.lesson]);
    asked = again?.dataset.lessonAgain ?? "";
    show();
    document.dispatchEvent(new CustomEvent("lessons:shown"));
  });
  knob?.addEventListener("change", () => {
    const others = known().filter((lesson) => gameOf(lesson) !== knob.dataset.lessons);
    keep(knob.checked ? others : [...others, knob.dataset.lessons]);
    asked = "";
    show();
  });
  document.addEventListener("table:arrived", () => { if (!document.querySelector(`[data-lesson="${CSS.escape(asked)}"]`)) asked = ""; show(); });
  show();
})();
