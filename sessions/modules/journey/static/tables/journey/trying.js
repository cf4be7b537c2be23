// Journey: the thought experiment on the screen. Tried moves show on the board and can be taken back freely;
// committing sends the tried moves to the table one after the other, as if they had been tapped.
(() => {
  "use strict";

  const panel = document.getElementById("trial");
  if (!panel) return;
  const words = panel.dataset, part = (name) => panel.querySelector(`[data-trial-${name}]`);
  const board = () => document.getElementById("board");
  const version = () => Number(document.getElementById("pulse").dataset.version);

  let path = [], shown = "", began = 0, queue = [];

  // --- from the page to a position and back --------------------------------------------------------------------------

  const list = (text) => (text ? text.trim().split(/\s+/) : []);

  function position() {
    const from = document.getElementById("position").dataset, days = [...board().querySelectorAll(".day[data-day]")];
    return {
      phase: from.phase, turn: Number(from.turn), items: list(from.items), hand: list(from.hand), discards: list(from.discards),
      letters: Number(from.letters), deck: Number(from.deck), top: list(from.top), bottom: list(from.bottom),
      singleKey: from.singleKey, toCome: list(from.toCome), applied: list(from.applied), acting: from.acting || null, solved: list(from.solved),
      pawns: { white: Number(from.white), a: Number(from.a), b: Number(from.b) },
      days: days.map((day) => [...day.querySelectorAll(".events [data-card]")].map((card) => card.dataset.card)),
      room: days.map((day) => Number(day.dataset.room)),
    };
  }

  function element(name, className, ...inside) {
    const made = document.createElement(name);
    made.className = className;
    made.append(...inside);
    return made;
  }

  function icon(name) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg"), use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    svg.setAttribute("class", "icon");
    svg.setAttribute("aria-hidden", "true");
    use.setAttribute("href", `${words.sprite}#${name}`);
    svg.append(use);
    return svg;
  }

  // A card as the page shows it already, or its mark where only its id is known.
  function card(id) {
    const known = document.querySelector(`.event-card[data-card="${id}"]`);
    if (known) return known.cloneNode(true);
    const made = id === journeyTrial.UNKNOWN ? element("span", "event-card", "?") : element("span", "event-card", element("b", "", String(journeyTrial.numberOf(id))), icon(journeyTrial.suitOf(id)));
    if (id !== journeyTrial.UNKNOWN) made.dataset.suit = journeyTrial.suitOf(id);
    return made;
  }

  function mark(id) {
    const made = element("span", "event-mark", icon(journeyTrial.suitOf(id)), String(journeyTrial.numberOf(id)));
    made.dataset.suit = journeyTrial.suitOf(id);
    return made;
  }

  function pawn(name) {
    const made = element("span", "pawn", name === "white" ? "" : name.toUpperCase());
    made.dataset.pawn = name;
    return made;
  }

  // Words of the page by what they are for; "" where it has none.
  const named = (what, name) => words[`${what}${name[0].toUpperCase()}${name.slice(1)}`] ?? "";
  const day = (number) => element("b", "", words.day.replace("__n__", number));

  // --- tried moves on the board ------------------------------------------------------------------------------------

  const now = () => path.at(-1).position;

  function draw() {
    const s = now();
    for (const place of board().querySelectorAll(".day[data-day]")) {
      const number = Number(place.dataset.day), cards = s.days[number - 1], row = place.querySelector(".events");
      place.querySelector(".standing").replaceChildren(...["white", "a", "b"].filter((name) => s.pawns[name] === number).map(pawn));
      place.classList.toggle("here", s.pawns.white === number);
      const made = cards.map((id) => { const li = element("li", id === s.acting ? "acting" : "", card(id)); return li; });
      const points = journeyTrial.keyPoints(s, cards), shownDay = place.querySelector("h3 small");
      shownDay.querySelector("b")?.remove();
      if (points) shownDay.append(element("b", "", `+${points}`));
      row.replaceChildren(...made, ...Array.from({ length: s.room[number - 1] - cards.length }, () => element("li", "free")));
    }
    for (const story of board().querySelectorAll(".stories li")) {
      const told = s.solved.includes(story.dataset.suit), lacks = journeyTrial.lacking(s, story.dataset.suit);
      story.classList.toggle("solved", told);
      story.replaceChildren(icon(story.dataset.suit), story.querySelector(".story-name"), told ? words.told : lacks ? words.more.replace("__n__", lacks) : element("b", "", words.ready));
    }
    for (const [name, count] of Object.entries({ deck: s.deck, discards: s.discards.length, letters: s.letters })) {
      board().querySelector(`[data-pile="${name}"]`).textContent = words[name].replace("__n__", count);
    }
    board().querySelector(".pile-line.letters").dataset.letters = s.letters;
    board().querySelector("[data-pile-top] .event-card")?.replaceWith(card(s.top[0] ?? journeyTrial.UNKNOWN));
    board().querySelector(".board-score").textContent = words.score.replace("__n__", journeyTrial.score(s).total);
    board().dataset.tried = "";
  }

  function label(before, move, then = journeyTrial.after(before, move)) {
    const white = then.pawns.white !== before.pawns.white;
    const moved = ["a", "b"].filter((name) => before.pawns[name] !== then.pawns[name]);
    const gone = element("span", "way-pawns", ...moved.map((name) => element("span", "way-pawn", pawn(name), day(then.pawns[name]))));
    switch (move.type) {
      case "play": return [mark(move.card), ...(white ? [element("span", "way-white", pawn("white"), day(then.pawns.white))] : []), gone];
      case "red": case "location_memory": return [gone];
      case "white": return move.pawn ? [pawn(move.pawn), words.called] : [words.leave];
      case "blue": return move.first ? [mark(move.first), "⇄", mark(move.second)] : [words.leave];
      case "green": return move.copy ? [mark(move.copy), element("span", "copied-words", named("effect", journeyTrial.suitOf(move.copy)))] : [words.leave];
      case "yellow": return [mark(move.card), words[move.to]];
      case "adventure_memory": return [mark(move.card), words.top];
      case "solve": { const sign = element("span", "event-mark", icon(move.suit)); sign.dataset.suit = move.suit; return [sign]; }
      default: return [words.on];
    }
  }

  // The hint (hint.js) reads and names things in the same way.
  Object.assign(journeyTrial, { position, label });

  function button(move) {
    const then = journeyTrial.after(now(), move), made = element("button", "btn", ...label(now(), move, then));
    made.type = "button";
    if (then.solved.length > now().solved.length) made.classList.add("good");
    made.addEventListener("click", () => { path.push({ move, position: then }); show(); });
    return made;
  }

  function show() {
    draw();
    const s = now(), choices = journeyTrial.choices(s), memories = journeyTrial.letterChoices(s), steps = path.length - 1;
    part("choices").replaceChildren(...choices.map(button));
    part("choices").dataset.count = choices.length;
    part("memories").replaceChildren(...memories.map(button));
    part("letters").hidden = !memories.length;
    part("letters").open = false;
    part("hand").replaceChildren(...s.hand.map(card));
    // The table's question; where there is only "go on", the button says it.
    part("say").textContent = s.phase === "over" ? words.over : choices.length ? named("ask", s.phase) : words.unknown;
    part("count").textContent = part("count").dataset.words.replace("__n__", steps);
    part("back").disabled = part("commit").disabled = !steps;
    panel.scrollTop = 0;
  }

  function start() {
    document.querySelector("#hand input[name=raised]:checked")?.click();
    for (const ghost of board().querySelectorAll(".ghost")) ghost.remove();
    for (const marked of board().querySelectorAll(".landing, .falling")) marked.classList.remove("landing", "falling");
    shown = board().innerHTML;
    began = version();
    path = [{ position: position() }];
    document.documentElement.classList.add("trying");
    panel.hidden = false;
    show();
    part("drop").focus();
  }

  function stop() {
    path = [];
    panel.hidden = true;
    document.documentElement.classList.remove("trying");
    restore();
  }

  // Show the true board again. A board that the server has sent since is the true one already.
  function restore() {
    if (board().dataset.tried === undefined) return;
    board().innerHTML = shown;
    delete board().dataset.tried;
  }

  // What a push leaves out is what the server has shown before.
  document.addEventListener("htmx:ws:before:message:incoming", ({ detail }) => {
    if (!detail.cancelled && detail.message.data.includes('hx-target="#board"')) restore();
  });

  // --- committing: one move after the other, each on the answer to the one before ----------------------------------------

  function send() {
    const move = queue.shift();
    if (!move) return;
    const form = element("form", "");
    form.dataset.move = JSON.stringify(move);
    panel.append(form);
    began = version();
    form.requestSubmit();
    form.remove();
  }

  new MutationObserver(() => {
    const sending = document.getElementById("table").classList.contains("is-sending");
    if (queue.length && !sending && version() > began) send();
    if (path.length && version() > began) stop();
  }).observe(document.getElementById("table"), { attributes: true, attributeFilter: ["class", "data-version"] });
  document.addEventListener("table:refused", () => { queue = []; });

  document.addEventListener("click", (event) => { if (event.target.closest("[data-trial-start]")) start(); });
  part("back").addEventListener("click", () => { path.pop(); show(); });
  part("drop").addEventListener("click", stop);
  part("commit").addEventListener("click", () => {
    queue = path.slice(1).map((step) => step.move);
    stop();
    send();
  });
  window.addEventListener("keydown", (event) => { if (event.key === "Escape" && path.length) stop(); });

  // The switch for pauses waits while a trial or what came of it is under way (journey.js).
  document.addEventListener("journey:pass", (event) => { if (path.length || queue.length) event.preventDefault(); });
})();
