// Journey: thought experiments. The rules of a turn once more, for the player's own device alone: nothing of a trial
// leaves it before it is committed, and nothing is drawn that the player does not know ("?" stands for such a card).
// The server judges every committed move itself; tests compare each step of this with the rules in Python.
globalThis.journeyTrial = (() => {
  "use strict";

  const SUITS = ["red", "green", "blue", "yellow", "white"], BLACKS = ["a", "b"], LAST = 7, UNKNOWN = "?";
  const PAUSES = ["draw", "before_events", "before_solve", "end"];
  // A search asks a million times: looking up is faster than taking ids apart.
  const CARDS = SUITS.flatMap((suit) => [1, 2, 3, 4, 5, 6].map((number) => `${suit}-${number}`));
  const SUIT_OF = Object.fromEntries(CARDS.map((card) => [card, card.split("-")[0]])), NUMBER_OF = Object.fromEntries(CARDS.map((card) => [card, Number(card.split("-")[1])]));
  const suitOf = (card) => SUIT_OF[card];
  const numberOf = (card) => NUMBER_OF[card];
  const stepped = (day, steps) => (((day - 1 + steps) % LAST) + LAST) % LAST + 1;
  const here = (s) => s.days[s.pawns.white - 1];
  const has = (s, item) => s.items.includes(item);

  function eventsOf(s, day, suit) {
    let count = 0;
    for (const card of s.days[day - 1]) if (suitOf(card) === suit) count += 1;
    return count;
  }

  // --- possible solutions, trades and copies ------------------------------------------------------------------------

  function lacking(s, suit) {
    const { white, a, b } = s.pawns, short = (day, pawns) => Math.max(0, pawns - eventsOf(s, day, suit));
    const withWhite = 1 + (a === white) + (b === white);
    return short(white, withWhite) + (a === white ? 0 : short(a, 1 + (a === b))) + (b === white || b === a ? 0 : short(b, 1));
  }

  const solvable = (s) => SUITS.filter((suit) => !s.solved.includes(suit) && !lacking(s, suit));
  const away = (s) => BLACKS.filter((pawn) => s.pawns[pawn] !== s.pawns.white);

  function pairs(s) {
    const placed = s.days.flat();
    return placed.flatMap((one, i) => placed.slice(i + 1).filter((other) => numberOf(one) === numberOf(other)).map((other) => [one, other]));
  }

  function placeOf(s, card) {
    const day = s.days.findIndex((cards) => cards.includes(card));
    return [day, s.days[day].indexOf(card)];
  }

  function copyable(s) {
    const [day, row] = placeOf(s, s.acting);
    return [[day, row - 1], [day, row + 1], [day - 1, row], [day + 1, row]].map(([d, r]) => s.days[d]?.[r]).filter((card) => card && suitOf(card) !== "green");
  }

  // --- the deck, as far as it is known ------------------------------------------------------------------------------

  function taken(s) {
    s.deck -= 1;
    if (s.top.length) return s.top.shift();
    return s.deck < s.bottom.length ? s.bottom.shift() : UNKNOWN;
  }

  function drawn(s) {
    if (!s.deck) { s.phase = "over"; return false; }
    s.hand.push(taken(s));
    return true;
  }

  function looped(s) {
    if (!s.deck) { s.phase = "over"; return false; }
    const card = taken(s);
    if (!has(s, "tent")) s.discards.push(card);
    else { s.deck += 1; if (card === UNKNOWN) s.bottom = []; else s.bottom.push(card); }
    return true;
  }

  // --- the score as it stands -----------------------------------------------------------------------------------------

  const KEYS = ["moon", "star", "feather"], COST = { lantern: 2, map: 3, radio: 2, camera: 3, rucksack: 2, tent: 10 };
  const keyOf = (card) => KEYS[(SUITS.indexOf(suitOf(card)) + numberOf(card)) % KEYS.length];

  function keyPoints(s, cards) {
    if (!cards.length || cards.some((card) => keyOf(card) !== keyOf(cards[0]))) return 0;
    return cards.length > 1 || s.singleKey === "full" ? (has(s, "camera") ? 6 : 4) : 1;
  }

  function score(s) {
    const deck = s.deck * (has(s, "camera") ? 2 : 1), letters = s.letters * (has(s, "camera") ? 1 : 2);
    const keys = s.days.reduce((sum, cards) => sum + keyPoints(s, cards), 0), items = -s.items.reduce((sum, item) => sum + COST[item], 0);
    return { deck, letters, keys, items, total: deck + letters + keys + items };
  }

  // --- the phases of a turn ---------------------------------------------------------------------------------------

  function pauses(s, phase) { if (s.letters) s.phase = phase; return s.letters > 0; }
  function begin(s) { s.turn += 1; if (!pauses(s, "draw")) draw(s); }
  function draw(s) { if (drawn(s)) s.phase = "move"; }
  function beginEvents(s) { s.toCome = [...here(s)]; s.applied = []; nextEffect(s); }

  function nextEffect(s) {
    while (s.toCome.length) {
      s.acting = s.toCome.shift();
      const suit = suitOf(s.acting);
      if (s.applied.includes(suit)) continue;
      s.applied.push(suit);
      if (begins(s, suit)) return;
    }
    s.acting = null;
    s.applied = [];
    if (!pauses(s, "before_solve")) solve(s);
  }

  function begins(s, suit) {
    if (suit === "yellow") { if (!drawn(s)) return true; }
    else if (suit === "blue" ? !pairs(s).length : suit === "green" ? !copyable(s).length : suit === "white" && !away(s).length) return false;
    s.phase = suit;
    return true;
  }

  function solve(s) {
    const suits = solvable(s);
    if (suits.length > 1) s.phase = "solve"; else solvedOne(s, suits[0]);
  }

  function solvedOne(s, suit) {
    if (suit) { s.solved.push(suit); s.letters += 1; }
    if (!pauses(s, "end")) end(s);
  }

  function end(s) {
    if (s.solved.length === SUITS.length && Object.values(s.pawns).every((day) => day === LAST)) s.phase = "over"; else begin(s);
  }

  const leave = { draw, before_events: beginEvents, before_solve: solve, end };

  // --- moves: the same JSON as the table's ---------------------------------------------------------------------------

  function choices(s) {
    const known = s.hand.filter((card) => card !== UNKNOWN);
    switch (s.phase) {
      case "draw": return [{ type: "draw" }];
      case "before_events": case "before_solve": return [{ type: "go_on" }];
      case "end": return [{ type: "end_turn" }];
      case "move": return known.flatMap((card) => {
        const rest = LAST - numberOf(card);
        if (!has(s, "map")) return BLACKS.map((black) => ({ type: "play", card, black }));
        return [...Array(rest + 1).keys()].reverse().map((a) => ({ type: "play", card, split: { a, b: rest - a } }));
      });
      case "red": return BLACKS.flatMap((pawn) => [1, -1].map((step) => ({ type: "red", pawn, step })));
      case "blue": return [...pairs(s).map(([first, second]) => ({ type: "blue", first, second })), { type: "blue", first: null, second: null }];
      case "yellow": return known.flatMap((card) => ["top", "bottom"].map((to) => ({ type: "yellow", card, to })));
      case "green": return [...copyable(s), null].map((copy) => ({ type: "green", copy }));
      case "white": return [...away(s), null].map((pawn) => ({ type: "white", pawn }));
      case "solve": return solvable(s).map((suit) => ({ type: "solve", suit }));
      default: return [];
    }
  }

  function letterChoices(s) {
    const count = s.letters;
    if (!count || s.phase === "over") return [];
    const cards = s.discards.filter((card) => card !== UNKNOWN).map((card) => ({ type: "adventure_memory", card }));
    if (!has(s, "map")) return [...BLACKS.flatMap((pawn) => [count, -count].map((steps) => ({ type: "location_memory", pawn, steps }))), ...cards];
    const ways = new Map();
    for (let a = 0; a <= count; a += 1) for (const x of [1, -1]) for (const y of [1, -1]) {
      const split = { a: a * x + 0, b: (count - a) * y + 0 };
      ways.set(`${split.a} ${split.b}`, { type: "location_memory", split });
    }
    return [...ways.values(), ...cards];
  }

  // Searching copies thousands of positions: structuredClone would take most of the time, and so would "...".
  const copy = (s) => ({
    phase: s.phase, turn: s.turn, items: s.items, singleKey: s.singleKey, room: s.room, letters: s.letters, deck: s.deck, acting: s.acting,
    pawns: { white: s.pawns.white, a: s.pawns.a, b: s.pawns.b }, days: s.days.map((cards) => cards.slice()), hand: s.hand.slice(), discards: s.discards.slice(),
    top: s.top.slice(), bottom: s.bottom.slice(), toCome: s.toCome.slice(), applied: s.applied.slice(), solved: s.solved.slice(),
  });

  function after(before, move) {
    const s = copy(before);
    switch (move.type) {
      case "draw": case "go_on": case "end_turn": leave[s.phase](s); break;
      case "play": play(s, move); break;
      case "red": s.pawns[move.pawn] = stepped(s.pawns[move.pawn], move.step); nextEffect(s); break;
      case "blue": if (move.first) trade(s, move); nextEffect(s); break;
      case "yellow":
        s.hand.splice(s.hand.indexOf(move.card), 1);
        s.deck += 1;
        if (move.to === "top") s.top.unshift(move.card); else s.bottom.push(move.card);
        nextEffect(s);
        break;
      case "green": if (!move.copy || !begins(s, suitOf(move.copy))) nextEffect(s); break;
      case "white": if (move.pawn) s.pawns[move.pawn] = s.pawns.white; nextEffect(s); break;
      case "solve": solvedOne(s, move.suit); break;
      case "location_memory": {
        const steps = move.split ?? { [move.pawn]: move.steps };
        for (const pawn of BLACKS) s.pawns[pawn] = stepped(s.pawns[pawn], steps[pawn] ?? 0);
        spent(s);
        break;
      }
      case "adventure_memory":
        s.discards.splice(s.discards.indexOf(move.card), 1);
        s.deck += 1;
        s.top.unshift(move.card);
        spent(s);
    }
    return s;
  }

  function spent(s) {
    s.letters -= 1;
    if (s.phase === "solve") solve(s);
    else if (!s.letters && PAUSES.includes(s.phase)) leave[s.phase](s);
  }

  function trade(s, { first, second }) {
    const [day, row] = placeOf(s, first), [otherDay, otherRow] = placeOf(s, second);
    s.days[day][row] = second;
    s.days[otherDay][otherRow] = first;
    s.toCome = s.toCome.filter((card) => here(s).includes(card));
  }

  function play(s, move) {
    const number = numberOf(move.card), loops = s.pawns.white + number > LAST;
    s.hand.splice(s.hand.indexOf(move.card), 1);
    s.pawns.white = stepped(s.pawns.white, number);
    if (loops && !looped(s)) return;
    const steps = move.split ?? { [move.black]: LAST - number };
    for (const pawn of BLACKS) s.pawns[pawn] = stepped(s.pawns[pawn], steps[pawn] ?? 0);
    here(s).unshift(move.card);
    if (here(s).length > s.room[s.pawns.white - 1]) s.discards.push(here(s).pop());
    if (!pauses(s, "before_events")) beginEvents(s);
  }

  return { choices, letterChoices, after, copy, lacking, solvable, score, keyPoints, suitOf, numberOf, UNKNOWN, SUITS, CARDS };
})();
