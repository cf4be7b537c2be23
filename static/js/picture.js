// A picture of a result, drawn on the device: the game, what came of it, and the rows of the score that lie open to all.
//   button[data-picture="title"][data-day]      in the section .over
//   [data-row="who or what"][data-points]       a row of the score, in its order
(() => {
  "use strict";

  const SIDE = 1080, EDGE = 84, ROW = 76;
  const MINCHO = '"Hiragino Mincho ProN", "Noto Serif JP", "Noto Serif CJK JP", serif';
  const SANS = '"Hiragino Sans", "Noto Sans JP", "Noto Sans CJK JP", system-ui, sans-serif';

  // A long line is broken where it is full: Japanese has no spaces to look for.
  function lines(pen, text, width) {
    const found = [""];
    for (const letter of text) {
      if (pen.measureText(found.at(-1) + letter).width > width) found.push("");
      found[found.length - 1] += letter;
    }
    return found;
  }

  const plain = (text) => text.trim().replace(/\s+/g, " ");

  function drawn(button) {
    const rows = [...document.querySelectorAll("[data-row]")].map((row) => [row.dataset.row, row.dataset.points].map(plain));
    const canvas = document.createElement("canvas"), pen = canvas.getContext("2d");
    const [ground, ink, soft, gold, line] = ["--ground", "--ink", "--ink-soft", "--gold", "--line"].map((name) => Sharing.worn(name));
    canvas.width = canvas.height = SIDE;
    pen.fillStyle = ground;
    pen.fillRect(0, 0, SIDE, SIDE);
    pen.strokeStyle = gold;
    pen.lineWidth = 3;
    pen.strokeRect(EDGE / 2, EDGE / 2, SIDE - EDGE, SIDE - EDGE);
    let y = EDGE + 70;
    const write = (text, font, colour, height) => {
      pen.font = font;
      pen.fillStyle = colour;
      for (const part of lines(pen, text, SIDE - 2 * EDGE)) { pen.fillText(part, EDGE, y); y += height; }
    };
    write(plain(button.dataset.picture), `600 52px ${MINCHO}`, gold, 66);
    y += 14;
    write(plain(button.closest(".over").querySelector(".over-result").textContent), `600 60px ${MINCHO}`, ink, 80);
    y += 20;
    for (const [name, points] of rows.slice(0, Math.floor((SIDE - EDGE - 90 - y) / ROW))) {
      pen.strokeStyle = line;
      pen.beginPath();
      pen.moveTo(EDGE, y + 22);
      pen.lineTo(SIDE - EDGE, y + 22);
      pen.stroke();
      pen.font = `400 38px ${SANS}`;
      pen.fillStyle = ink;
      pen.fillText(lines(pen, name, SIDE - 2 * EDGE - 160)[0], EDGE, y);
      pen.textAlign = "right";
      pen.font = `600 44px ${MINCHO}`;
      pen.fillStyle = gold;
      pen.fillText(points, SIDE - EDGE, y);
      pen.textAlign = "left";
      y += ROW;
    }
    pen.font = `400 30px ${SANS}`;
    pen.fillStyle = soft;
    pen.fillText(button.dataset.day, EDGE, SIDE - EDGE);
    pen.textAlign = "right";
    pen.fillText("Takujō", SIDE - EDGE, SIDE - EDGE);
    return canvas;
  }

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-picture]");
    if (!button) return;
    const picture = await Sharing.file(drawn(button));
    if (Sharing.canSend(picture)) { await Sharing.send(picture); return; }
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(picture), download: picture.name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  });
})();
