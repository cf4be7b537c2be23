// Lines from each gun to whom it points at: [data-who] with a [data-aim="p2"] inside, on the svg[data-aims] beside them.
// The words are in the markup; without this file only the lines are missing.
"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg", APART = 14, HEAD = 8, DEEP = 160;

  function centre(element, frame) {
    const box = element.getBoundingClientRect();
    return { x: box.left + box.width / 2 - frame.left, y: box.top + box.height / 2 - frame.top, w: box.width / 2, h: box.height / 2 };
  }

  // The edge at which a line leaves a player's place or reaches it: a side edge if possible.
  function edge(place, middle) {
    const dx = middle.x - place.x, dy = middle.y - place.y;
    if (Math.abs(dx) > place.w / 2) return { x: place.x + Math.sign(dx) * place.w, y: place.y, along: "y", half: place.h };
    return { x: place.x, y: place.y + Math.sign(dy) * place.h, along: "x", half: place.w };
  }

  // All that meet at one edge stand side by side, in the order of where they go: each arrow keeps a tip of its own.
  function fan(ends) {
    const { along, half } = ends[0].at, apart = Math.min(APART, (2 * half - 2 * HEAD) / ends.length);
    ends.sort((one, other) => one.towards[along] - other.towards[along]);
    ends.forEach((end, n) => { end.at[along] += (n - (ends.length - 1) / 2) * apart; });
  }

  // A bow through the middle, so that no line crosses a player's cards. Along one side of the ring the longer
  // bow is the deeper one: they lie in each other like the rings of a tree instead of on each other.
  function bow(from, to, middle) {
    const bend = { x: (from.x + to.x) / 4 + middle.x / 2, y: (from.y + to.y) / 4 + middle.y / 2 };
    if (Math.abs(from.x - to.x) < 1) {
      const gap = middle.x - from.x, deep = Math.abs(gap) * (0.6 + (1.2 * Math.abs(from.y - to.y)) / middle.y);
      bend.x = from.x + Math.sign(gap) * Math.min(deep, DEEP);
    }
    const slant = Math.atan2(to.y - bend.y, to.x - bend.x);
    const tip = (turn) => `${to.x - HEAD * Math.cos(slant + turn)} ${to.y - HEAD * Math.sin(slant + turn)}`;
    return `M${from.x} ${from.y}Q${bend.x} ${bend.y} ${to.x} ${to.y}M${tip(0.5)}L${to.x} ${to.y}L${tip(-0.5)}`;
  }

  function draw() {
    for (const svg of document.querySelectorAll("svg[data-aims]")) {
      const round = svg.parentElement, frame = svg.getBoundingClientRect(), known = (svg.dataset.drawn ?? "").split(" ");
      const middle = { x: frame.width / 2, y: frame.height / 2 }, drawn = [];
      svg.replaceChildren();
      if (!frame.height) continue; // not to be seen yet
      const mine = round.querySelector(".is-mine"), lines = [], ends = {};
      for (const gun of round.querySelectorAll("[data-aim]")) {
        const shooter = gun.closest("[data-who]"), target = round.querySelector(`[data-who="${gun.dataset.aim}"]`);
        if (!target || target === shooter) continue;
        const [from, to] = [shooter, target].map((one) => centre(one, frame)), leaves = edge(from, middle), arrives = edge(to, middle);
        (ends[shooter.dataset.who] ??= []).push({ at: leaves, towards: to });
        (ends[target.dataset.who] ??= []).push({ at: arrives, towards: from });
        lines.push({ gun, name: shooter.dataset.who + ">" + target.dataset.who, leaves, arrives, others: mine && ![shooter, target].includes(mine) });
      }
      Object.values(ends).forEach(fan);
      for (const { gun, name, leaves, arrives, others } of lines) {
        const line = document.createElementNS(SVG, "path");
        line.setAttribute("d", bow(leaves, arrives, middle));
        line.setAttribute("pathLength", "1");
        line.setAttribute("class", ["gc-line", known.includes(name) ? "" : "is-new", gun.dataset.fires ? "fires" : "", others ? "of-others" : ""].join(" "));
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
