// Lines from each gun to whom it points at: [data-who] with a [data-aim="p2"] inside, on the svg[data-aims] beside them.
// The words are in the markup; without this file only the lines are missing.
"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg", APART = 7, SPREAD = 11, HEAD = 8;

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

  // A bow through the middle, so that no line runs over somebody's cards; beside the others, so that it can be followed.
  function bow(from, to, middle, beside) {
    const bend = { x: (from.x + to.x) / 4 + middle.x / 2 + beside, y: (from.y + to.y) / 4 + middle.y / 2 };
    const slant = Math.atan2(to.y - bend.y, to.x - bend.x);
    const tip = (turn) => `${to.x - HEAD * Math.cos(slant + turn)} ${to.y - HEAD * Math.sin(slant + turn)}`;
    return `M${from.x} ${from.y}Q${bend.x} ${bend.y} ${to.x} ${to.y}M${tip(0.5)}L${to.x} ${to.y}L${tip(-0.5)}`;
  }

  function draw() {
    for (const svg of document.querySelectorAll("svg[data-aims]")) {
      const round = svg.parentElement, frame = svg.getBoundingClientRect(), known = (svg.dataset.drawn ?? "").split(" ");
      const middle = { x: frame.width / 2, y: frame.height / 2 }, drawn = [];
      svg.replaceChildren();
      const guns = [...round.querySelectorAll("[data-aim]")].filter((gun) => gun.closest("[data-who]").dataset.who !== gun.dataset.aim);
      // Side by side and not one over the other: the n-th of several, counted from the middle one.
      const among = (all, gun) => all.indexOf(gun) - (all.length - 1) / 2;
      for (const gun of guns) {
        const shooter = gun.closest("[data-who]"), target = round.querySelector(`[data-who="${gun.dataset.aim}"]`);
        if (!target) continue;
        const line = document.createElementNS(SVG, "path"), name = shooter.dataset.who + ">" + gun.dataset.aim;
        const arrives = among(guns.filter((other) => other.dataset.aim === gun.dataset.aim), gun) * SPREAD;
        const from = edge(centre(shooter, frame), middle, -APART), to = edge(centre(target, frame), middle, APART + arrives);
        line.setAttribute("d", bow(from, to, middle, among(guns, gun) * APART));
        line.setAttribute("pathLength", "1");
        line.setAttribute("class", ["gc-line", known.includes(name) ? "" : "is-new", gun.dataset.fires ? "fires" : "", round.querySelector(".is-mine") && !shooter.matches(".is-mine") && !target.matches(".is-mine") ? "of-others" : ""].join(" "));
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
