// Pieces of pictures that are drawn on this device: lines of text, signs, cards.
"use strict";
globalThis.Painting = (() => {
  const OPENS = /[「『（(“【+−]$/, CLOSES = /^[、。，．,.!?！？…）)」』”】：:;ー々っゃゅょッャュョ]/;

  // Words stay whole, with the particles behind them. No line begins with a closing mark or ends with an opening one.
  function pieces(text) {
    const words = globalThis.Intl?.Segmenter
      ? [...new Intl.Segmenter(document.documentElement.lang, { granularity: "word" }).segment(text)].map((one) => one.segment)
      : [...text];
    const found = [];
    for (const word of words) {
      const bound = CLOSES.test(word) || OPENS.test(found.at(-1)) || (/^(?:\p{sc=Hiragana}+|\d+)$/u.test(word) && !/[、。\s]$/.test(found.at(-1)));
      if (found.length && bound) found[found.length - 1] += word;
      else found.push(word);
    }
    return found;
  }

  const wide = (pen, text) => pen.measureText(text).width;

  function lines(pen, text, width) {
    const found = [""];
    const add = (piece) => {
      if (wide(pen, (found.at(-1) + piece).trimEnd()) > width && found.at(-1)) found.push("");
      found[found.length - 1] += found.at(-1) ? piece : piece.trimStart();
    };
    for (const piece of pieces(text)) {
      if (wide(pen, piece) > width) [...piece].forEach(add);
      else add(piece);
    }
    return found.map((line) => line.trim());
  }

  function shortened(pen, text, width) {
    if (wide(pen, text) <= width) return text;
    let letters = [...text];
    while (letters.length && wide(pen, `${letters.join("")}…`) > width) letters = letters.slice(0, -1);
    return `${letters.join("")}…`;
  }

  // The largest of these sizes in which a text fits into this number of lines, its words whole; in the smallest it is cut short.
  function fitted(pen, text, { width, most, sizes, font }) {
    for (const size of sizes) {
      pen.font = font(size);
      const found = lines(pen, text, width), whole = pieces(text).every((piece) => wide(pen, piece.trim()) <= width);
      if (found.length <= most && whole) return { size, font: font(size), lines: found };
    }
    const size = sizes.at(-1), found = lines(pen, text, width);
    return { size, font: font(size), lines: [...found.slice(0, most - 1), shortened(pen, found.slice(most - 1).join(" "), width)] };
  }

  // A picture out of the words of an SVG: it has a size of its own, without which some browsers draw none.
  async function picture(svg, width, height) {
    svg.setAttribute("width", width);
    svg.setAttribute("height", height);
    const image = new Image(width, height);
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
    await image.decode();
    return image;
  }

  const read = new Map();
  function file(address) {
    if (!read.has(address)) {
      read.set(address, fetch(address).then((answer) => answer.text()).then((text) => new DOMParser().parseFromString(text, "image/svg+xml")));
    }
    return read.get(address);
  }

  // A sign of a sheet of symbols, as it looks on the page. An SVG alone reaches no other file.
  async function sign(svg) {
    const [address, id] = svg.querySelector("use").getAttribute("href").split("#");
    const symbol = (await file(address)).getElementById(id), look = getComputedStyle(svg);
    const alone = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    alone.setAttribute("viewBox", symbol.getAttribute("viewBox"));
    for (const name of ["color", "fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin"]) {
      alone.setAttribute(name, look.getPropertyValue(name));
    }
    for (const child of symbol.childNodes) alone.append(child.cloneNode(true));
    return picture(alone, 256, 256);
  }

  function panel(pen, x, y, width, height, radius) {
    pen.beginPath();
    pen.roundRect(x, y, width, height, radius);
  }

  // A card on the table: its corner, its sign, and where there is room its name. One that is gone lies in the shade.
  function card(pen, one, { x, y, width, height, font, shade }) {
    pen.save();
    pen.shadowColor = "rgb(0 0 0 / .45)";
    pen.shadowBlur = width / 9;
    pen.shadowOffsetY = width / 24;
    pen.fillStyle = one.paper;
    panel(pen, x, y, width, height, width * 0.1);
    pen.fill();
    pen.shadowColor = "transparent";
    pen.strokeStyle = "rgb(0 0 0 / .18)";
    pen.lineWidth = 1;
    pen.stroke();
    const named = width >= 88 && one.name, side = width * (one.corner ? 0.52 : 0.58);
    const middle = y + height * (named ? 0.42 : one.corner ? 0.6 : 0.5);
    if (one.sign) pen.drawImage(one.sign, x + (width - side) / 2, middle - side / 2, side, side);
    pen.fillStyle = one.ink;
    if (one.corner) {
      pen.font = font(width * 0.34);
      pen.textAlign = "left";
      pen.fillText(one.corner, x + width * 0.1, y + width * 0.36);
    }
    if (named) {
      const said = fitted(pen, one.name, { width: width * 0.86, most: 2, sizes: [width * 0.15, width * 0.13, width * 0.11], font });
      pen.font = said.font;
      pen.textAlign = "center";
      const top = y + height * 0.86 - (said.lines.length - 1) * said.size * 0.6;
      said.lines.forEach((line, at) => pen.fillText(line, x + width / 2, top + at * said.size * 1.2));
    }
    if (one.gone) {
      pen.globalAlpha = 0.62;
      pen.fillStyle = shade;
      panel(pen, x, y, width, height, width * 0.1);
      pen.fill();
    }
    pen.restore();
  }

  // Cards side by side, one over the other where they are many.
  function cards(pen, all, { x, y, gap, room, width, ...look }) {
    const step = all.length > 1 ? Math.min(width + gap, (room - width) / (all.length - 1)) : 0;
    all.forEach((one, at) => card(pen, one, { x: x + at * step, y, width, ...look }));
  }

  return { fitted, shortened, picture, file, sign, panel, cards };
})();
