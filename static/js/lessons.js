// Lessons: one at the first time of each kind of question of a game. The device remembers the lessons that were understood.
//   .lesson[data-lesson="journey.move"] with a button[data-understood]    (templates/tables/kit/lesson.jinja)
//   button[data-lesson-again="journey.move"]                              brings one lesson back
//   input[data-lessons="journey"]                                         the switch that brings all back, or puts all away
// Where the hand leaves no room for one, it is folded to a line, or to a button in the corner, and covers no question and no table.
//   .lesson button[data-unfold]                                           lays it over them until it is understood,
//   #prompt[data-pressed-above]                                           close to the hand: people press the table above
//   #table.has-lesson, .has-chip                                          while one is shown, and while it is such a button
//   html[data-learning]                                                   while one is read: no clock runs, for a minute a lesson at most
(() => {
  "use strict";

  const STORE = "lessons", GAP = 8, LONGEST = 60 * 1000;
  const known = () => (Stored.device.get(STORE) ?? "").split(" ").filter(Boolean);
  const keep = (lessons) => Stored.device.set(STORE, [...new Set(lessons)].join(" "));
  const gameOf = (lesson) => lesson.split(".")[0];
  const knob = document.querySelector("[data-lessons]");
  const hand = document.querySelector(".phone-hand");
  const root = document.documentElement, table = document.getElementById("table"), begun = new Map(); // when each lesson began to be read
  let hasClock = false, readAt = "", ending = 0; // readAt: the version at which the table was told
  let asked = ""; // the lesson that the player wants to read: brought back although it was understood, or unfolded

  const roomAbove = (box) => {
    const bar = hand.getBoundingClientRect(), top = bar.top + (getComputedStyle(hand).position === "static" ? scrollY : 0);
    return bar.left < box.right && box.left < bar.right ? Math.min(top, innerHeight) : innerHeight;
  };

  function tell() {
    clearTimeout(ending);
    const lesson = document.hidden ? null : document.querySelector("[data-lesson]:not([hidden], .is-folded)");
    const id = lesson?.checkVisibility() && lesson.dataset.lesson, present = performance.now();
    if (id && !begun.has(id)) begun.set(id, present);
    const left = id ? begun.get(id) + LONGEST - present : 0, learns = left > 0, version = document.getElementById("pulse")?.dataset.version;
    if (learns) ending = setTimeout(tell, left);
    if (learns !== root.hasAttribute("data-learning")) {
      root.toggleAttribute("data-learning", learns);
      document.dispatchEvent(new CustomEvent("lessons:read"));
    }
    if (!hasClock || (learns ? readAt === version : !readAt)) return;
    if (learns || readAt === version) document.dispatchEvent(new CustomEvent("live:now", { detail: { learns } }));
    readAt = learns ? version : "";
  }

  function place() {
    const lesson = document.querySelector("[data-lesson]:not([hidden])");
    table.classList.toggle("has-lesson", Boolean(lesson));
    table.classList.remove("has-chip");
    if (!lesson || !hand) return;
    lesson.classList.remove("is-over", "is-folded", "is-chip");
    const box = lesson.getBoundingClientRect(), room = roomAbove(box);
    if (box.bottom + scrollY <= room) return;
    const isWanted = lesson.dataset.lesson === asked;
    lesson.classList.add(isWanted ? "is-over" : "is-folded");
    if (!isWanted) {
      const fits = lesson.getBoundingClientRect().bottom + scrollY <= room, length = document.documentElement.scrollHeight;
      lesson.classList.add("is-chip");
      table.classList.add("has-chip");
      if (fits && document.documentElement.scrollHeight === length) {
        lesson.classList.remove("is-chip");
        table.classList.remove("has-chip");
        return;
      }
    }
    const prompt = lesson.closest("#prompt"), said = prompt.querySelector(".say").getBoundingClientRect();
    const lowest = room - scrollY - GAP - lesson.offsetHeight;
    const low = !isWanted || lowest > said.bottom || prompt.matches("[data-pressed-above]");
    const highest = table.getBoundingClientRect().top;
    const top = Math.max(highest, low ? lowest : Math.min(lowest, said.top - GAP - lesson.offsetHeight));
    lesson.style.setProperty("--lesson-top", `${top - lesson.offsetParent.getBoundingClientRect().top}px`);
  }

  function settle() {
    place();
    tell();
  }

  function show() {
    const understood = known();
    const open = (id) => id === asked || !(understood.includes(id) || understood.includes(gameOf(id)));
    const lessons = [...document.querySelectorAll("[data-lesson]")];
    const first = lessons.find((lesson) => lesson.dataset.lesson === asked) ?? lessons.find((lesson) => open(lesson.dataset.lesson));
    for (const lesson of lessons) lesson.hidden = lesson !== first;
    for (const button of document.querySelectorAll("[data-lesson-again]")) button.hidden = Boolean(first);
    if (knob) knob.checked = !understood.includes(knob.dataset.lessons);
    settle();
  }

  document.addEventListener("click", (event) => {
    const folded = event.target.closest("[data-unfold]")?.closest("[data-lesson]");
    if (folded) {
      asked = folded.dataset.lesson;
      begun.delete(asked);
      show();
      folded.querySelector("[data-understood]").focus();
      return;
    }
    const lesson = event.target.closest("[data-understood]")?.closest("[data-lesson]"), again = event.target.closest("[data-lesson-again]");
    if (!lesson && !again) return;
    if (lesson) keep([...known(), lesson.dataset.lesson]);
    asked = again?.dataset.lessonAgain ?? "";
    begun.delete(asked);
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
  document.addEventListener("visibilitychange", tell);
  document.addEventListener("htmx:ws:after:message:incoming", ({ detail: { message: { data } } }) => {
    if (!data.startsWith('{"clock"')) return;
    hasClock = Boolean(JSON.parse(data).clock);
    tell();
  });
  show();
  const sizes = new ResizeObserver(settle);
  // The hand grows while a card is raised, and with the window; a table that grows moves it.
  if (hand) for (const one of [hand, hand.parentElement]) sizes.observe(one);
  addEventListener("resize", settle);
})();
