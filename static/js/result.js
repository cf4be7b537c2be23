// The card of a result, in two shapes, drawn from the words of its page: templates/report/result.html.
//   [data-sent-said]                            the decisive moment in one sentence, where it is not the first highlight
//   [data-row="who or what"][data-points]       a row of the score in a game's prompt, for a game without a _sent.jinja
import "./sharing.js";
import "./painting.js";
(() => {
  "use strict";

  const form = document.getElementById("result"), told = document.getElementById("result-words");
  const day = document.getElementById("result-day")?.dataset;
  const done = form.querySelector("[data-result-done]");
  const look = getComputedStyle(told);
  const mincho = (size, weight = 600) => `${weight} ${size}px ${look.getPropertyValue("--mincho")}`;
  const sans = (size, weight = 500) => `${weight} ${size}px ${look.getPropertyValue("--sans")}`;
  const inks = Object.fromEntries(["ground", "ground-deep", "ink", "ink-soft", "gold", "gold-line", "line"].map(
    (name) => [name, Sharing.worn(`--${name}`, told)],
  ));

  const plain = (text) => (text ?? "").trim().replace(/\s+/g, " ");

  async function cardOf(item) {
    const { backgroundColor, color } = getComputedStyle(item), svg = item.querySelector("svg");
    const own = { name: plain(item.dataset.sentCard), corner: item.dataset.corner, gone: "gone" in item.dataset };
    return { ...own, paper: backgroundColor, ink: color, sign: svg && await Painting.sign(svg) };
  }
  const cardsOf = (place, at) => Promise.all([...place.querySelectorAll(at)].map(cardOf));

  async function rowsOf(place) {
    const own = [...place.querySelectorAll("[data-sent-row]")];
    if (own.length) {
      return Promise.all(own.map(async (row) => ({
        name: plain(row.dataset.sentRow), note: plain(row.dataset.note), points: plain(row.dataset.points),
        won: "won" in row.dataset, cards: await cardsOf(row, "[data-sent-card]"),
      })));
    }
    const prompt = place.querySelector("template").content;
    return [...prompt.querySelectorAll("[data-row]")].map((row) => ({
      name: plain(row.dataset.row), note: "", points: plain(row.dataset.points), won: false, cards: [],
    }));
  }

  async function words(names) {
    const place = told.querySelector(`[data-told="${names ? "with" : "without"}"]`), said = place.querySelector("[data-said]");
    const own = place.querySelector("[data-sent-said]");
    return {
      result: plain(place.querySelector("[data-result]").textContent),
      head: plain(said.querySelector("b")?.textContent),
      said: plain((own ?? said.querySelector("span") ?? said).textContent),
      cards: await cardsOf(place, "ul:not([data-sent-row] ul) > [data-sent-card]"),
      rows: await rowsOf(place),
    };
  }

  function write(pen, found, x, y, colour, spacing = 1.3) {
    pen.font = found.font;
    pen.fillStyle = colour;
    pen.textAlign = "left";
    found.lines.forEach((line, at) => pen.fillText(line, x, y + found.size + at * found.size * spacing));
  }
  const tall = (found, spacing = 1.3) => found.size * (1 + (found.lines.length - 1) * spacing) + found.size * 0.25;

  // A text that stands alone: { height, draw }.
  function line(pen, text, options, colour) {
    const found = Painting.fitted(pen, text, options);
    return { height: tall(found), draw: (x, y) => write(pen, found, x, y, colour) };
  }

  // The decisive moment: its cards, and the sentence beside them.
  function moment(pen, one, width, large) {
    if (!one.said && !one.cards.length) return null;
    const cards = one.cards.length, gap = large * 0.08;
    const card = cards ? Math.min(large, (width * 0.55 - gap * (cards - 1)) / cards) : 0;
    const taken = cards ? cards * card + (cards - 1) * gap + 28 : 0;
    const head = one.head && Painting.fitted(pen, one.head, { width: width - taken, most: 1, sizes: [large * 0.2], font: sans });
    const said = Painting.fitted(pen, one.said, {
      width: width - taken, most: 4, sizes: [0.34, 0.31, 0.28, 0.25, 0.22].map((part) => Math.round(large * part)), font: mincho,
    });
    const high = (head ? tall(head) + 6 : 0) + tall(said), height = Math.max(card * 1.4, high);
    return {
      height,
      draw(x, y) {
        Painting.cards(pen, one.cards, { x, y: y + (height - card * 1.4) / 2, width: card, height: card * 1.4, gap, room: taken, font: mincho });
        let top = y + (height - high) / 2;
        if (head) {
          write(pen, head, x + taken, top, inks.gold);
          top += tall(head) + 6;
        }
        write(pen, said, x + taken, top, inks.ink);
      },
    };
  }

  // A game of the day that others may still play is told in squares alone, in their order. Not every device has them as letters.
  const SQUARES = { "🟩": "#4f9d69", "🟨": "#e0b84c", "🟥": "#c8493a", "🟦": "#4a83b8", "⬜": "#e9e2d2", "⬛": "#3b413f" };

  function signs(pen, width, most) {
    const groups = day.signs.split(" "), longest = Math.max(...groups.map((group) => [...group].length));
    const side = Math.min(most, Math.max(width / Math.min(longest, 12) - 10, 36)), step = side + 10, row = Math.floor((width + 10) / step);
    const lines = groups.flatMap((group) => {
      const all = [...group];
      return Array.from({ length: Math.ceil(all.length / row) }, (_, at) => all.slice(at * row, (at + 1) * row));
    });
    return {
      height: lines.length * step - 10,
      draw(left, top) {
        lines.forEach((line, down) => line.forEach((sign, at) => {
          pen.fillStyle = SQUARES[sign] ?? inks["ink-soft"];
          Painting.panel(pen, left + at * step, top + down * step, side, side, side * 0.14);
          pen.fill();
        }));
      },
    };
  }

  // And by its points, with a word to people who have not played it.
  function dayOf(pen, width, most) {
    if (!day) return [];
    return [
      signs(pen, width, day.signs.includes(" ") ? most * 0.72 : most),
      day.points && line(pen, day.points, { width, most: 1, sizes: [80, 64], font: mincho }, inks.gold),
      line(pen, day.call, { width, most: 2, sizes: [28, 26, 24], font: mincho }, inks.ink),
    ];
  }

  // The people, or places: a name, its cards, its points.
  function rows(pen, all, width, room) {
    if (!all.length) return null;
    const columns = all.length > 5 || (width > 800 && all.length % 2 === 0 && all[0].cards.length) ? 2 : 1, each = Math.ceil(all.length / columns), gap = 28;
    const high = Math.max(38, Math.min(width > 800 ? 150 : 100, room / each)), wide = (width - gap * (columns - 1)) / columns;
    // Where there is little room the winners' gold says enough.
    const shown = all.filter((row) => wide > 400 || NUMBER.test(row.points)).map((row) => [...row.points].length);
    const points = Math.max(0, ...shown), most = Math.max(...all.map((row) => row.cards.length));
    return {
      height: high * each,
      draw(left, top) {
        all.forEach((row, at) => {
          const x = left + Math.floor(at / each) * (wide + gap), y = top + (at % each) * high;
          oneRow(pen, row, { x, y, wide, high, points, most });
        });
      },
    };
  }

  const NUMBER = /^[\d−-]+$/;

  function oneRow(pen, row, { x, y, wide, high, points, most }) {
    const narrow = wide < 400, middle = y + high / 2, size = Math.min(narrow ? 21 : 28, high * 0.4), end = points ? Math.max(1.6, points) * size : 0;
    pen.strokeStyle = inks.line;
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(x, y + high);
    pen.lineTo(x + wide, y + high);
    pen.stroke();
    if (row.won) {
      pen.fillStyle = inks.gold;
      Painting.panel(pen, x, y + 8, 5, high - 16, 2.5);
      pen.fill();
    }
    const card = most ? Math.min((high - 14) / 1.4, (wide * (narrow ? 0.46 : 0.62) - end) / Math.min(most, 4) - 6) : 0;
    const room = most ? Math.min(wide * (narrow ? 0.46 : 0.62) - end, most * (card + 6) - 6) : 0;
    const name = wide - room - end - 24;
    pen.textAlign = "left";
    const stacked = row.note && high >= 50 && !narrow;
    const called = Painting.fitted(pen, row.name, {
      width: name, most: narrow ? 2 : 1, sizes: [1, 0.9, 0.8, 0.7].map((part) => size * part), font: mincho,
    });
    write(pen, called, x + 16, middle - called.size * (stacked ? 1.04 : 0.64 + (called.lines.length - 1) * 0.58), row.won ? inks.gold : inks.ink, 1.15);
    if (stacked) {
      pen.font = sans(size * 0.66);
      pen.fillStyle = inks["ink-soft"];
      pen.fillText(Painting.shortened(pen, row.note, name), x + 16, middle + size * 0.95);
    }
    Painting.cards(pen, row.cards, { x: x + wide - end - room, y: middle - card * 0.7, width: card, height: card * 1.4, gap: 6, room, font: mincho, shade: inks["ground-deep"] });
    if (row.points && points) {
      pen.font = mincho(NUMBER.test(row.points) ? size * 1.15 : size * 0.8);
      pen.fillStyle = row.won ? inks.gold : inks.ink;
      pen.textAlign = "right";
      pen.fillText(row.points, x + wide, middle + size * 0.4);
      pen.textAlign = "left";
    }
  }

  // Blocks below one another, the room that is left between and around them.
  function stack(blocks, x, top, height, between) {
    const found = blocks.filter(Boolean), needed = found.reduce((sum, block) => sum + block.height, 0);
    const gap = Math.min(between * 1.8, Math.max(between, (height - needed) / (found.length + 1)));
    let y = top + Math.max(0, (height - needed - gap * (found.length - 1)) / 2);
    for (const block of found) {
      block.draw(x, y);
      y += block.height + gap;
    }
  }
  const left = (blocks, height, between) =>
    height - blocks.filter(Boolean).reduce((sum, block) => sum + block.height + between, 0);

  function ground(pen, cover, width, height) {
    pen.fillStyle = inks.ground;
    pen.fillRect(0, 0, width, height);
    if (cover) {
      // Its colours alone: drawn small, and large again.
      const small = Object.assign(document.createElement("canvas"), { width: 8, height: 6 });
      small.getContext("2d").drawImage(cover, 0, 0, 8, 6);
      pen.globalAlpha = 0.2;
      pen.imageSmoothingQuality = "high";
      pen.drawImage(small, 1, 1, 6, 4, 0, 0, width, height);
      pen.globalAlpha = 1;
    }
    pen.strokeStyle = inks["gold-line"];
    pen.lineWidth = 2;
    Painting.panel(pen, 16, 16, width - 32, height - 32, 12);
    pen.stroke();
  }

  function lid(pen, cover, x, y, width) {
    if (!cover) return;
    pen.save();
    pen.shadowColor = "rgb(0 0 0 / .55)";
    pen.shadowBlur = 32;
    pen.shadowOffsetY = 10;
    pen.fillStyle = inks["ground-deep"];
    Painting.panel(pen, x, y, width, width * 0.75, 14);
    pen.fill();
    pen.shadowColor = "transparent";
    pen.clip();
    pen.drawImage(cover, x, y, width, width * 0.75);
    pen.restore();
  }

  function way(pen, qr, x, y, side, width) {
    pen.fillStyle = "#fff";
    Painting.panel(pen, x, y, side, side, 8);
    pen.fill();
    pen.drawImage(qr, x, y, side, side);
    const beside = x + side + 18, room = width - side - 18;
    const invites = Painting.fitted(pen, form.dataset.invites, { width: room, most: 1, sizes: [22, 20, 18], font: mincho });
    const address = Painting.fitted(pen, form.dataset.address.replace(/^https?:\/\/|\/$/g, ""), {
      width: room, most: 2, sizes: [19, 17, 15], font: (size) => sans(size, 400),
    });
    const high = tall(invites) + tall(address) + 6, top = y + (side - high) / 2;
    write(pen, invites, beside, top, inks.ink);
    write(pen, address, beside, top + tall(invites) + 6, inks["ink-soft"]);
  }

  function drawWide(pen, one, { cover, qr }) {
    const edge = 52, half = 432, x = edge + half + 56, width = 1200 - x - edge, top = 48, height = 534;
    ground(pen, cover, 1200, 630);
    lid(pen, cover, edge, 52, half);
    const title = line(pen, form.dataset.title, { width: half, most: cover ? 1 : 3, sizes: cover ? [38, 34, 30, 26, 22] : [64, 52, 44], font: mincho }, inks.ink);
    const when = line(pen, form.dataset.kicker || form.dataset.day, { width: half, most: 1, sizes: [20, 18], font: sans }, inks.gold);
    stack([title, when], edge, cover ? 52 + half * 0.75 + 6 : 52, cover ? 98 : 400, 2);
    way(pen, qr, edge, 482, 96, half);
    const head = line(pen, one.result, { width, most: 2, sizes: [46, 40, 36, 32, 28], font: mincho }, inks.gold);
    const told = moment(pen, one, width, 92);
    stack([head, ...dayOf(pen, width, 84), told, rows(pen, one.rows, width, left([head, told], height, 16))], x, top, height, 16);
  }

  function drawSquare(pen, one, { cover, qr }) {
    const edge = 60, half = cover ? 520 : 0, x = edge + (half ? half + 40 : 0), width = 1080 - x - edge, whole = 1080 - 2 * edge;
    ground(pen, cover, 1080, 1080);
    lid(pen, cover, edge, edge, half);
    const when = line(pen, form.dataset.kicker || form.dataset.day, { width, most: 2, sizes: [24, 22], font: sans }, inks.gold);
    const title = line(pen, form.dataset.title, { width, most: 3, sizes: [52, 46, 40, 36], font: mincho }, inks.ink);
    const head = line(pen, one.result, { width, most: 4, sizes: [42, 38, 34, 30, 26], font: mincho }, inks.gold);
    stack([when, title, head], x, edge, 390, 18);
    const told = moment(pen, one, whole, 124), height = 406;
    stack([...dayOf(pen, whole, 84), told, rows(pen, one.rows, whole, left([told], height, 22))], edge, 482, height, 22);
    way(pen, qr, edge, 908, 116, whole - 220);
    pen.font = mincho(26);
    pen.fillStyle = inks["ink-soft"];
    pen.textAlign = "right";
    pen.fillText("Takujō", 1080 - edge, 1014);
  }

  const draws = { wide: drawWide, square: drawSquare };
  const canvasOf = (shape) => form.querySelector(`[value="${shape}"] + canvas`);
  const shape = () => form.elements.shape.value;
  let pictures;

  async function draw() {
    pictures ??= Promise.all([
      form.dataset.cover && Painting.file(form.dataset.cover).then((found) => Painting.picture(found.documentElement, 960, 720)),
      Painting.picture(document.querySelector("#result-qr svg").cloneNode(true), 464, 464),
    ]);
    const names = form.elements.names.checked, [cover, qr] = await pictures, one = await words(names);
    for (const place of told.querySelectorAll("[data-told]")) place.hidden = (place.dataset.told === "with") !== names;
    for (const [kind, drawing] of Object.entries(draws)) drawing(canvasOf(kind).getContext("2d"), one, { cover, qr });
    form.dataset.drawn = names ? "with" : "without";
    ready = await Promise.all(Object.keys(draws).map(async (kind) => [kind, await Sharing.file(canvasOf(kind), `${form.dataset.file}.png`)]));
    form.querySelector("[data-result-send]").hidden = !Sharing.canSend(picked());
  }

  // Files are made beforehand: a browser shares and copies only while a tap lasts.
  let ready = [];
  const picked = () => Object.fromEntries(ready)[shape()];
  const say = (words) => { done.textContent = words; };

  form.addEventListener("change", (event) => {
    say("");
    if (event.target.name === "names") draw();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.querySelector("[data-result-send]").addEventListener("click", () => Sharing.send(picked()));
  form.querySelector("[data-result-save]").addEventListener("click", () => {
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(picked()), download: picked().name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  });
  const copy = form.querySelector("[data-result-copy]");
  copy.hidden = !(isSecureContext && navigator.clipboard?.write && window.ClipboardItem);
  copy.addEventListener("click", () => {
    navigator.clipboard.write([new ClipboardItem({ "image/png": picked() })]).then(() => say(done.dataset.copied), () => say(""));
  });

  document.fonts.ready.then(draw);
})();
