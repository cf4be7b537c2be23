// Journey: the best next move, and how often it leads home. It knows the screen's contents and nothing else: no order of
// the unseen cards is assumed while choosing a move, and each imagined journey deals them again. The same judgement as
// the bot's (bot.py). In a Web Worker it answers on its own, so that the page never waits for it.
const journeyPlanning = (trial) => {
  "use strict";

  const { choices, letterChoices, after, copy, solvable, suitOf, numberOf, UNKNOWN, SUITS, CARDS } = trial;
  const LAST = 7, ALL = 127;
  // The numbers of ends of a turn that are seen, that are weighed, that are followed into the next turn, and of looks at each.
  const CARE = { most: 300, weighed: 32, followed: 8, looks: 4 }, HASTE = { most: 96, weighed: 16, followed: 3, looks: 1 }, AFTER = { most: 48, weighed: 8 };

  // --- where the black pawns would have to stand: seven rows (days of A) of seven bits (days of B) ----------------------

  const bit = (day) => 1 << (day - 1);
  const on = (day, steps) => (((day - 1 + steps) % LAST) + LAST) % LAST + 1;
  const turned = (row, steps) => ((row << steps) | (row >> (LAST - steps))) & ALL;
  const days = [1, 2, 3, 4, 5, 6, 7];

  // These places, and those from which one black pawn reaches them in this number of days, forward or back.
  const widened = (rows, steps) => days.map((a) => rows[a - 1] | rows[on(a, steps) - 1] | rows[on(a, -steps) - 1] | turned(rows[a - 1], steps % LAST) | turned(rows[a - 1], LAST - (steps % LAST)));
  const called = (rows, day) => rows.map((row) => (row & bit(day) ? ALL : row) | rows[day - 1]);

  // Places of the black pawns from which a story can be told once this card lies on the day of the white one.
  function telling(s, counts, card) {
    const day = on(s.pawns.white, numberOf(card)), here = [card, ...s.days[day - 1]].slice(0, s.room[day - 1]);
    let rows = days.map(() => 0);
    for (const suit of SUITS) {
      const mine = here.filter((one) => suitOf(one) === suit).length;
      if (!mine || s.solved.includes(suit)) continue;
      let one = 0, two = 0;
      for (const other of days) if (other !== day) { if (counts[suit][other - 1] > 0) one |= bit(other); if (counts[suit][other - 1] > 1) two |= bit(other); }
      for (const a of days) {
        if (a === day) rows[a - 1] |= (mine > 1 ? one : 0) | (mine > 2 ? bit(day) : 0);
        else if (one & bit(a)) rows[a - 1] |= (one & ~bit(a)) | (two & bit(a)) | (mine > 1 ? bit(day) : 0);
      }
    }
    if (s.letters && rows.some(Boolean)) rows = widened(rows, s.letters);
    if (here.some((one) => suitOf(one) === "white")) rows = called(rows, day);
    if (here.some((one) => suitOf(one) === "red")) rows = widened(rows, 1);
    return rows;
  }

  // Places of the black pawns from which letters alone bring both to day 7.
  const home = (letters) => {
    let rows = days.map((a) => (a === LAST ? bit(LAST) : 0));
    for (let left = 1; left <= letters; left += 1) rows = widened(rows, left);
    return rows;
  };

  function reaches(s, card, rows) {
    const total = LAST - numberOf(card), { a, b } = s.pawns;
    const stands = (da, db) => (rows[on(a, da) - 1] & bit(on(b, db))) !== 0;
    if (!s.items.includes("map")) return stands(total, 0) || stands(0, total);
    for (let da = 0; da <= total; da += 1) if (stands(da, total - da)) return true;
    return false;
  }

  // The chance that the next turn tells a story, or brings everybody home when all are told.
  function chance(s, unseen) {
    let does;
    if (s.solved.length < SUITS.length) {
      const counts = Object.fromEntries(SUITS.map((suit) => [suit, s.days.map((cards) => cards.filter((card) => suitOf(card) === suit).length)]));
      does = (card) => reaches(s, card, telling(s, counts, card));
    } else {
      const rows = home(s.letters);
      does = (card) => on(s.pawns.white, numberOf(card)) === LAST && reaches(s, card, rows);
    }
    const known = s.hand.filter((card) => card !== UNKNOWN), drawn = known.length < s.hand.length || (s.phase === "draw" && s.deck > 0);
    if (s.phase === "draw" && s.deck && s.top.length) known.push(s.top[0]);
    if (known.some(does)) return 1;
    return drawn && unseen.length ? unseen.filter(does).length / unseen.length : 0;
  }

  // --- how good the end of a turn looks ---------------------------------------------------------------------------------

  const WEIGHTS = { told: 100, letter: 14, card: 10, next: 55, placed: 6, places: 4, home: 150 };
  const isHome = (s) => s.solved.length === SUITS.length && Object.values(s.pawns).every((day) => day === LAST);

  const promise = (s, unseen) => (s.phase === "over" ? 0 : (s.solved.length < SUITS.length ? WEIGHTS.next : WEIGHTS.home) * chance(s, unseen));

  function worth(s) {
    if (s.phase === "over") return isHome(s) ? 2000 + trial.score(s).total : -2000;
    const value = WEIGHTS.told * s.solved.length + WEIGHTS.letter * s.letters + WEIGHTS.card * s.deck;
    let potential = 0;
    for (const suit of SUITS) {
      if (s.solved.includes(suit)) continue;
      let sum = 0, places = 0;
      for (const cards of s.days) { let mine = 0; for (const card of cards) if (suitOf(card) === suit) mine += 1; sum += mine; places += mine > 0; }
      potential += WEIGHTS.placed * Math.min(sum, 3) + WEIGHTS.places * Math.min(places, 3);
    }
    return value + potential;
  }

  // --- choosing -----------------------------------------------------------------------------------------------------------

  function worthALook(s) {
    const asked = choices(s), stand = Object.values(s.pawns);
    if (s.phase === "draw" && s.deck < 2) return [...asked, ...letterChoices(s)];
    if (s.phase === "blue") {
      const dayOf = (card) => s.days.findIndex((cards) => cards.includes(card)) + 1;
      return asked.filter((move) => !move.first || (dayOf(move.first) !== dayOf(move.second) && (stand.includes(dayOf(move.first)) || stand.includes(dayOf(move.second)))));
    }
    if (s.phase === "before_solve" && !solvable(s).length) return [...asked, ...letterChoices(s).filter((move) => move.type === "location_memory" && brings(s, move))];
    if (s.phase === "end" && s.solved.length === SUITS.length && s.pawns.white === LAST) return [...asked, ...letterChoices(s).filter((move) => move.type === "location_memory")];
    return asked;
  }

  function brings(s, move) {
    const then = after(s, move);
    return then.solved.length > s.solved.length || solvable(then).length > 0;
  }

  // The ends of this turn, the best first. Each first move has its share of what is looked at, so that no card with
  // many trades hides the others.
  function ends(s, { most, weighed }) {
    const unseen = unseenBy(s), firsts = worthALook(s), share = Math.max(4, Math.floor(most / firsts.length)), found = [];
    for (const first of firsts) {
      const open = [{ path: [first], at: after(s, first) }];
      for (let count = 0; open.length && count < share;) {
        const { path, at } = open.pop(), next = at.phase === "over" || at.turn > s.turn ? [] : worthALook(at);
        if (!next.length) { count += 1; found.push({ path, at, worth: worth(at) }); }
        for (const move of next) open.push({ path: [...path, move], at: after(at, move) });
      }
    }
    const best = found.sort((one, other) => other.worth - one.worth).slice(0, weighed);
    for (const end of best) end.worth += promise(end.at, unseen);
    return best.sort((one, other) => other.worth - one.worth);
  }

  // --- imagining unseen cards -----------------------------------------------------------------------------------------

  function unseenBy(s) {
    const seen = new Set([...s.hand, ...s.discards, ...s.top, ...s.bottom, ...s.days.flat()]);
    return CARDS.filter((card) => !seen.has(card));
  }

  function shuffled(cards, random) {
    for (let i = cards.length - 1; i > 0; i -= 1) {
      const j = Math.floor(random() * (i + 1));
      [cards[i], cards[j]] = [cards[j], cards[i]];
    }
    return cards;
  }

  // The same position with nothing hidden: unknown cards are dealt at random.
  function imagined(s, random) {
    const unseen = shuffled(unseenBy(s), random), then = copy(s), deal = (card) => (card === UNKNOWN ? unseen.pop() : card);
    then.hand = then.hand.map(deal);
    then.discards = then.discards.map(deal);
    then.top = [...s.top, ...unseen, ...s.bottom];
    then.bottom = [];
    return then;
  }

  // With the tent, cards that a loop put under the deck come up again once all others are drawn.
  const topOf = (real) => real.top[0] ?? real.bottom[0];

  // The traveller's view of it: "real" holds the face-down cards.
  function seen(s, real) {
    s.hand = real.hand.slice();
    s.discards = real.discards.slice();
    if (s.items.includes("radio") && s.deck && !s.top.length) s.top = [topOf(real)];
    return s;
  }

  // The worth of the best end of the turn after this one, for one card that might be drawn.
  function ahead(s, random) {
    const real = imagined(s, random), then = seen(copy(s), real);
    if (then.phase === "draw" && then.deck && !then.top.length) then.top = [topOf(real)];
    return ends(then, AFTER)[0].worth;
  }

  // The best moves of this turn after this number of samples of the next turn.
  function plan(s, random = Math.random, effort = CARE) {
    const open = ends(s, effort).slice(0, effort.followed);
    for (const end of open) {
      const looks = end.at.phase === "over" ? [end.worth] : Array.from({ length: effort.looks }, () => ahead(end.at, random));
      end.value = end.worth + looks.reduce((sum, one) => sum + one) / looks.length;
    }
    return open.sort((one, other) => other.value - one.value)[0].path;
  }

  // One journey from here, played quickly and without peeking: does it come home?
  function comesHome(s, random = Math.random) {
    let real = imagined(s, random), now = seen(copy(s), real);
    while (now.phase !== "over") {
      for (const move of plan(now, random, HASTE)) {
        real = after(real, move);
        now = after(now, move);
        const told = now.hand.includes(UNKNOWN) || now.discards.includes(UNKNOWN);
        now = seen(now, real);
        if (told || now.phase === "over") break;
      }
    }
    return isHome(now);
  }

  return { plan, comesHome, HASTE };
};

// --- as a Web Worker: told the rules' address and a position, it answers with a move, then with what journeys came to ---

if (typeof WorkerGlobalScope !== "undefined") {
  onmessage = ({ data: { rules, position, hint, time } }) => {
    importScripts(rules);
    const began = performance.now(), { plan, comesHome } = journeyPlanning(journeyTrial);
    if (hint) postMessage({ move: plan(position)[0] });
    for (let tried = 0; tried < 2 || performance.now() - began < time; tried += 1) postMessage({ came: comesHome(position) });
    postMessage({ done: true });
  };
}
