// Lines from each gun to whom it points at: [data-who] with a [data-aim="p2"] inside, on the svg[data-aims] beside them.
// The words are in the markup; without this file only the lines are missing.
"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg", APART = 7, HEAD = 8;

  function centre(element, frame) {
    const box = element.getBoundingClientRect();
    return { x: box.left + box.width / 2 - frame.left, y: box.top + box.height / 2 - frame.top, w: box.width / 2, h: box.height / 2 };
  }

  // Where somebody's place ends towards the middle of the ring, a little beside it: lines leave to the side where they can.
  function edge(place, middle, beside) {
    const dx = middle.x - place.x, dy = middle.y - place.y;
    if (Math.abs(dx) > place.w / 2) return { x: place.x + Math.sign(dx) * place.w, y: place.y + beside };
    return { x: place.x + beside, y: place.y + Math.sign(dy) * place.h };
  }

  // A bow through the middle, so that no line runs over somebody's cards.
  function bow(from, to, middle) {
    const bend = { x: (from.x + to.x) / 4 + middle.x / 2, y: (from.y + to.y) / 4 + middle.y / 2 };
    const slant = Math.atan2(to.y - bend.y, to.x - bend.x);
    const tip = (turn) => `${to.x - HEAD * Math.cos(slant + turn)} ${to.y - HEAD * Math.sin(slant + turn)}`;
    return `M${from.x} ${from.y}Q${bend.x} ${bend.y} ${to.x} ${to.y}M${tip(0.5)}L${to.x} ${to.y}L${tip(-0.5)}`;
  }

  function draw() {
    for (const svg of document.querySelectorAll("svg[data-aims]")) {
      const round = svg.parentElement, frame = svg.getBoundingClientRect(), known = (svg.dataset.drawn ?? "").split(" ");
      const middle = { x: frame.width / 2, y: frame.height / 2 }, drawn = [];
      svg.replaceChildren();
      for (const gun of round.querySelectorAll("[data-aim]")) {
        const shooter = gun.closest("[data-who]"), target = round.querySelector(`[data-who="${gun.dataset.aim}"]`);
        if (!target || target === shooter) continue;
        const line = document.createElementNS(SVG, "path"), name = shooter.dataset.who + ">" + gun.dataset.aim;
        line.setAttribute("d", bow(edge(centre(shooter, frame), middle, -APART), edge(centre(target, frame), middle, APART), middle));
        line.setAttribute("pathLength", "1");
        line.setAttribute("class", ["gc-line", known.includes(name) ? "" : "is-new", gun.dataset.fires ? "fires" : ""].join(" "));
        svg.append(line);
        drawn.push(name);
      }
      svg.dataset.drawn = drawn.join(" ");
    }
  }

  document.addEventListener("table:arrived", draw);
  for (const name of ["resize", "load"]) addEventListener(name, draw);
  draw();
})();
