// The night as a picture, drawn on this device from the words of the report, which are the same for everybody.
"use strict";
(() => {
  const place = document.querySelector("[data-share-card]"), canvas = place.querySelector("canvas");
  const file = place.querySelector("[data-share-file]"), send = place.querySelector("[data-share-send]");
  const WIDTH = canvas.width, HEIGHT = canvas.height, EDGE = 72, LINES = 5;

  // Signs have their words beside them for screen readers: the picture leaves the words out.
  function words(element) {
    const copy = element.cloneNode(true);
    for (const signs of copy.querySelectorAll("[aria-hidden=true]")) signs.remove();
    return copy.textContent.replace(/\s+/g, " ").trim();
  }
  const all = (selector) => [...document.querySelectorAll(selector)].map(words);
  const colour = (name) => getComputedStyle(place).getPropertyValue(name).trim();

  const worn = (name) => Sharing.worn(name, place);

  function shortened(pen, text, width) {
    if (pen.measureText(text).width <= width) return text;
    let letters = [...text];
    while (letters.length && pen.measureText(`${letters.join("")}…`).width > width) letters = letters.slice(0, -1);
    return `${letters.join("")}…`;
  }

  function ring(pen, x, y, radius) {
    pen.lineWidth = 14;
    pen.lineCap = "round";
    pen.beginPath();
    pen.arc(x, y, radius, -1.2, 4.6);
    pen.stroke();
  }

  function draw() {
    const pen = canvas.getContext("2d"), mincho = colour("--mincho"), width = WIDTH - 2 * EDGE;
    pen.fillStyle = worn("--ground");
    pen.fillRect(0, 0, WIDTH, HEIGHT);
    pen.strokeStyle = worn("--gold-line");
    ring(pen, WIDTH - 150, 150, 78);
    pen.textBaseline = "alphabetic";
    const line = (text, y, size, weight, ink, room = width) => {
      pen.font = `${weight} ${size}px ${mincho}`;
      pen.fillStyle = worn(ink);
      pen.fillText(shortened(pen, text, room), EDGE, y);
    };
    line(words(document.querySelector(".report-head .soft")).split(" · ")[0], 104, 30, 500, "--gold", width - 240);
    line(words(document.querySelector("h1")), 184, 68, 600, "--ink", width - 240);
    line(all(".counts tbody th").map((name) => name.split(" ")[0]).join("　"), 250, 30, 500, "--ink-soft", width - 240);
    const told = [...all(".story > li"), ...all(".quotes blockquote").map((text) => `「${text}」`), ...all("ul.highlights > li")];
    told.slice(0, LINES).forEach((text, at) => line(text, 330 + at * 52, 32, 500, "--ink"));
    line("卓上 Takujō", HEIGHT - 28, 22, 500, "--ink-soft");
  }

  async function ready() {
    await document.fonts.ready;
    draw();
    const card = await Sharing.file(canvas, file.download);
    file.href = URL.createObjectURL(card);
    send.hidden = !Sharing.canSend(card);
    send.addEventListener("click", () => Sharing.send(card));
    place.hidden = false;
  }

  ready();
})();
