// Animates moved things: after a push a thing travels from its earlier place to its new one.
//   [data-travels="red-3"]        one thing, by the same word wherever it lies
//   [data-from="deck"]            where a thing comes from that lay nowhere before: a [data-stop="deck"]
//   [data-takes="red-3 blue-1"]   a place where things go that lie nowhere any more
//
// These words may name nothing but open things and the reader's own: the page has no others.
// A thing in flight takes no press: the element under it does. The next push finds it where it is and sends it on from there.
(() => {
  "use strict";

  const TIME = 320, EASE = "cubic-bezier(.2, .7, .3, 1)", NEAR = 6;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const boxOf = (element) => element.getBoundingClientRect();
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true });
  const things = () => [...document.querySelectorAll("[data-travels]")].filter(isShown);
  const groundOf = (element) => element.closest("#board, #hand, #face, #prompt");

  let before = null; // by word: the box of a thing, its ground and that ground's box, and a copy
  const flights = new Map(); // element → animation

  function look() {
    before = null;
    if (calm.matches || document.hidden) return;
    before = new Map();
    for (const thing of things()) {
      const ground = groundOf(thing);
      if (!before.has(thing.dataset.travels))
        before.set(thing.dataset.travels, { box: boxOf(thing), ground, at: ground && boxOf(ground), copy: thing.cloneNode(true) });
    }
  }

  function move() {
    if (!before) return;
    for (const flight of flights.values()) flight.cancel();
    const now = things(), words = new Set(now.map((thing) => thing.dataset.travels));
    for (const thing of now) {
      const was = before.get(thing.dataset.travels), stop = !was && thing.dataset.from && document.querySelector(`[data-stop="${thing.dataset.from}"]`);
      if (was) travel(thing, was.box, shift(thing, was));
      else if (stop && isShown(stop)) travel(thing, boxOf(stop), [0, 0]);
    }
    for (const [word, was] of before) {
      const taker = words.has(word) ? null : [...document.querySelectorAll("[data-takes]")].find((place) => place.dataset.takes.split(" ").includes(word) && isShown(place));
      if (taker) leave(was, boxOf(taker));
    }
    before = null;
  }

  // A ground that was pushed down as a whole takes its things along: that is no journey.
  function shift(thing, was) {
    const ground = groundOf(thing);
    if (!ground || ground !== was.ground) return [0, 0];
    const box = boxOf(ground);
    return [box.left - was.at.left, box.top - was.at.top];
  }

  const centre = (box) => [box.left + box.width / 2, box.top + box.height / 2];

  function travel(thing, from, [dx, dy]) {
    const to = boxOf(thing), [fx, fy] = centre(from), [tx, ty] = centre(to);
    const x = fx + dx - tx, y = fy + dy - ty;
    if (Math.hypot(x, y) < NEAR || !to.width) return;
    const scale = Math.min(2, Math.max(.4, from.width / to.width));
    fly(thing, [{ transform: `translate(${x}px, ${y}px) scale(${scale})` }, { transform: "none" }]);
  }

  function leave({ box, copy }, to) {
    const [fx, fy] = centre(box), [tx, ty] = centre(to);
    for (const part of [copy, ...copy.querySelectorAll("[id]")]) part.removeAttribute("id");
    copy.removeAttribute("data-travels");
    copy.ariaHidden = "true";
    Object.assign(copy.style, { position: "fixed", left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px`, height: `${box.height}px`, margin: 0 });
    document.body.append(copy);
    fly(copy, [{ transform: "none", opacity: 1 }, { transform: `translate(${tx - fx}px, ${ty - fy}px) scale(.6)`, opacity: .2 }], () => copy.remove());
  }

  function fly(thing, frames, landed) {
    thing.classList.add("is-travelling");
    const flight = thing.animate(frames, { duration: TIME, easing: EASE });
    flights.set(thing, flight);
    const end = () => {
      if (flights.get(thing) !== flight) return; // a later push sent it on
      flights.delete(thing);
      thing.classList.remove("is-travelling");
      landed?.();
    };
    flight.finished.then(end, end);
  }

  document.addEventListener("htmx:ws:before:message:incoming", ({ detail }) => { if (!detail.cancelled && !detail.message.data.startsWith("{")) look(); });
  document.addEventListener("table:arrived", move);
})();
