// A deal and a shot, as the ring shows them before and after a move. The words in the markup say all of it, too: nothing is
// lost with reduced motion, and a finger or the next move ends what is playing. Effects catch no press.
(() => {
  "use strict";

  const AIM = 150, FLASH = 220, FLIP = 400, STAMP = 300, DEAL = 300, APART = 120, STAYS = 2000;
  const table = document.getElementById("table"), still = matchMedia("(prefers-reduced-motion: reduce)");
  let playing = [], effects = [], before = null;

  const ring = () => document.querySelector(".gc-ring");
  const version = () => Number(document.getElementById("pulse")?.dataset.version ?? 0);

  function stand() {
    const seats = {};
    for (const seat of ring()?.querySelectorAll("[data-who]") ?? []) {
      seats[seat.dataset.who] = {
        out: seat.classList.contains("is-out"),
        zombie: seat.classList.contains("is-zombie"),
        wounded: seat.querySelectorAll("[data-token=wound]").length > 0,
        open: [...seat.querySelectorAll(".gc-shown")].map((card) => card.id),
        fires: Boolean(seat.querySelector("[data-fires]")),
      };
    }
    return { seats, version: version() };
  }

  function end() {
    for (const one of playing) one.cancel();
    for (const one of effects) one.remove();
    playing = [];
    effects = [];
  }

  function play(element, frames, timing) {
    const one = element.animate(frames, { easing: "ease-out", fill: "backwards", ...timing });
    playing.push(one);
    return one;
  }

  // An effect lies on the ring for its time, and is no part of the page for anybody who reads it.
  function effect(name, text = "") {
    const one = document.createElement("span");
    one.className = name;
    one.textContent = text;
    one.ariaHidden = "true";
    ring().parentElement.append(one);
    effects.push(one);
    return one;
  }

  function box(seat) {
    const place = ring().querySelector(`[data-who="${seat}"]`).getBoundingClientRect(), frame = ring().parentElement.getBoundingClientRect();
    return { x: place.left - frame.left, y: place.top - frame.top, w: place.width, h: place.height };
  }

  function lay(one, { x, y, w, h }) {
    Object.assign(one.style, { left: `${x}px`, top: `${y}px`, width: `${w}px`, height: `${h}px` });
  }

  function shot(shooter, victim, fresh, word) {
    const to = box(victim);
    if (shooter && shooter !== victim) {
      const from = box(shooter), dx = to.x + to.w / 2 - from.x - from.w / 2, dy = to.y + to.h / 2 - from.y - from.h / 2;
      const line = effect("gc-shot"), turn = `rotate(${Math.atan2(dy, dx)}rad)`;
      lay(line, { x: from.x + from.w / 2, y: from.y + from.h / 2, w: Math.hypot(dx, dy), h: 3 });
      line.style.transform = turn;
      play(line, [{ transform: `${turn} scaleX(0)` }, { transform: `${turn} scaleX(1)` }], { duration: AIM });
      play(line, [{ opacity: 1 }, { opacity: 0 }], { duration: FLASH, delay: AIM, fill: "forwards" });
    }
    const flash = effect("gc-flash");
    lay(flash, to);
    play(flash, [{ opacity: 0 }, { opacity: 0.95, offset: 0.25 }, { opacity: 0 }], { duration: FLASH, delay: AIM, fill: "both" });
    fresh.forEach((card, n) => play(card, [{ transform: "rotateY(90deg)" }, { transform: "none" }], { duration: FLIP, delay: AIM + FLASH + n * APART }));
    const fell = effect("gc-fell", word);
    Object.assign(fell.style, { left: `${to.x + to.w / 2}px`, top: `${to.y + to.h / 2}px` });
    play(fell, [{ opacity: 0, transform: "scale(2) rotate(-14deg)" }, {}], { duration: STAMP, delay: AIM + FLASH + fresh.length * APART });
    play(fell, [{ opacity: 1 }, { opacity: 0 }], { duration: FLASH, delay: STAYS, fill: "forwards" }).finished.then(end, () => {});
  }

  function look() {
    if (!ring()) { before = null; return; }
    const now = stand(), was = before;
    before = now;
    if (!was || now.version <= was.version) return;
    end();
    if (still.matches) return;
    const shooter = Object.keys(was.seats).find((seat) => was.seats[seat].fires);
    for (const [seat, one] of Object.entries(now.seats)) {
      const then = was.seats[seat], words = ring().dataset;
      const word = then && ((one.out && !then.out && words.out) || (one.wounded && !then.wounded && words.wounded) || (one.zombie && !then.zombie && words.zombie));
      if (!word) continue;
      const fresh = one.open.filter((card) => !then.open.includes(card)).map((card) => document.getElementById(card));
      shot(shooter, seat, fresh, word);
    }
  }

  // The cards come from the middle when a game begins: once on each device.
  function deal() {
    const dealt = `dealt.${table?.dataset.table}`;
    if (!ring() || version() > 0 || Stored.tab.get(dealt)) return;
    Stored.tab.set(dealt, "yes");
    if (still.matches) return;
    const round = ring().getBoundingClientRect();
    [...ring().querySelectorAll(".gc-card")].forEach((card, n) => {
      const place = card.getBoundingClientRect();
      const from = `translate(${round.left + round.width / 2 - place.left - place.width / 2}px, ${round.top + round.height / 2 - place.top - place.height / 2}px) rotate(-30deg)`;
      play(card, [{ opacity: 0, transform: from }, {}], { duration: DEAL, delay: n * 30 });
    });
  }

  for (const touch of ["pointerdown", "keydown"]) document.addEventListener(touch, end, true);
  document.addEventListener("table:arrived", look);
  before = ring() && stand();
  addEventListener("load", deal);
})();
