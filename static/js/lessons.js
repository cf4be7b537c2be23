// Lessons: one at the first time of each kind of question of a game. What was understood is remembered on this device.
//   .lesson[data-lesson="journey.move"] with a button[data-understood]    (templates/tables/kit/lesson.jinja)
//   button[data-lesson-again="journey.move"]                              brings one lesson back
//   input[data-lessons="journey"]                                         the switch that brings all back, or puts all away
// Where the hand leaves no room for one, it lies over what follows the question, or over the table, until it is understood;
// close to the hand where the table above is what people press: #prompt[data-pressed-above].
(() => {
  "use strict";

  const STORE = "lessons", GAP = 8;
  const known = () => (localStorage.getItem(STORE) ?? "").split(" ").filter(Boolean);
  const keep = (lessons) => localStorage.setItem(STORE, [...new Set(lessons)].join(" "));
  const gameOf = (lesson) => lesson.split(".")[0];
  const knob = document.querySelector("[data-lessons]");
  const hand = document.querySelector(".phone-hand");
  let asked = ""; // the lesson that was brought back, whatever is understood

  const roomAbove = (box) => {
    const bar = hand.getBoundingClientRect();
    return bar.left < box.right && box.left < bar.right ? Math.min(bar.top, innerHeight) : innerHeight;
  };

  function place() {
    const lesson = document.querySelector("[data-lesson]:not([hidden])");
    if (!lesson || !hand) return;
    lesson.classList.remove("is-over");
    const box = lesson.getBoundingClientRect(), room = roomAbove(box);
    if (box.bottom + scrollY <= room) return;
    lesson.classList.add("is-over");
    const prompt = lesson.closest("#prompt"), said = prompt.querySelector(".say").getBoundingClientRect();
    const lowest = room - scrollY - GAP - lesson.offsetHeight;
    const low = lowest > said.bottom || prompt.matches("[data-pressed-above]");
    const highest = document.getElementById("table").getBoundingClientRect().top;
    const top = Math.max(highest, low ? lowest : Math.min(lowest, said.top - GAP - lesson.offsetHeight));
    lesson.style.setProperty("--lesson-top", `${top - lesson.offsetParent.getBoundingClientRect().top}px`);
  }

  function show() {
    const understood = known();
    const open = (id) => id === asked || !(understood.includes(id) || understood.includes(gameOf(id)));
    const lessons = [...document.querySelectorAll("[data-lesson]")];
    const first = lessons.find((lesson) => lesson.dataset.lesson === asked) ?? lessons.find((lesson) => open(lesson.dataset.lesson));
    for (const lesson of lessons) lesson.hidden = lesson !== first;
    for (const button of document.querySelectorAll("[data-lesson-again]")) button.hidden = Boolean(first);
    if (knob) knob.checked = !understood.includes(knob.dataset.lessons);
    place();
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
  // The hand grows while a card is raised, and with the window.
  if (hand) new ResizeObserver(place).observe(hand);
  addEventListener("resize", place);
})();
