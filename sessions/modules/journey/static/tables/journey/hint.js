// Journey: a hint, and how often an imagined journey comes home. It knows what the screen shows and nothing else: the
// unseen part of the deck is imagined, in another order each time. It runs on this device, a slice at a time.
(() => {
  "use strict";

  const sheet = document.getElementById("hint-sheet");
  if (!sheet) return;
  const { choices, letterChoices, after, lacking, solvable, SUITS } = journeyTrial;
  const CARDS = SUITS.flatMap((suit) => [1, 2, 3, 4, 5, 6].map((number) => `${suit}-${number}`));
  const MOST_TIME = 1200, MOST_JOURNEYS = 20, ENDS_SEEN = 250, ENDS_SEEN_AFTER = 60, ENDS_FOLLOWED = 5, LAST = 7;

  // --- the same judgement as the bot's (bot.py) ------------------------------------------------------------------------

  const home = (s) => s.solved.length === SUITS.length && Object.values(s.pawns).every((day) => day === LAST);

  function worth(s) {
    if (s.phase === "over") return home(s) ? 2000 : -2000;
    const open = SUITS.filter((suit) => !s.solved.includes(suit)), missing = open.map((suit) => lacking(s, suit));
    let value = 100 * s.solved.length + 6 * s.letters + 1.5 * s.deck;
    if (!open.length) return value + 15 * Object.values(s.pawns).filter((day) => day === LAST).length;
    value -= 8 * Math.min(...missing) + 3 * missing.reduce((sum, one) => sum + one, 0);
    for (const suit of open) {
      const counts = s.days.map((cards) => cards.filter((card) => card.startsWith(suit)).length);
      value += 9 * Math.min(counts.reduce((sum, one) => sum + one, 0), 3) + 3 * Math.min(counts.filter(Boolean).length, 3);
    }
    return value;
  }

  function worthALook(s) {
    const asked = choices(s), days = Object.values(s.pawns);
    if (s.phase === "draw" && !s.deck) return [...asked, ...letterChoices(s)];
    if (s.phase === "blue") {
      const dayOf = (card) => s.days.findIndex((cards) => cards.includes(card)) + 1;
      return asked.filter((move) => !move.first || (dayOf(move.first) !== dayOf(move.second) && (days.includes(dayOf(move.first)) || days.includes(dayOf(move.second)))));
    }
    if (s.phase === "before_solve" && !solvable(s).length) return [...asked, ...letterChoices(s).filter((move) => move.type === "location_memory" && brings(s, move))];
    if (s.phase === "end" && s.solved.length === SUITS.length && s.pawns.white === LAST) return [...asked, ...letterChoices(s)];
    return asked;
  }

  function brings(s, move) {
    const then = after(s, move);
    return then.solved.length > s.solved.length || solvable(then).length > 0;
  }

  // Each first move has its share of what is looked at, so that no card with many trades hides the others.
  function ends(s, most) {
    const firsts = worthALook(s), share = Math.max(6, Math.floor(most / firsts.length)), found = [];
    for (const first of firsts) {
      const open = [{ path: [first], at: after(s, first) }];
      for (let seen = 0; open.length && seen < share;) {
        const { path, at } = open.pop();
        if (at.phase === "over" || at.turn > s.turn) { seen += 1; found.push({ path, at, worth: worth(at) }); continue; }
        for (const move of worthALook(at)) open.push({ path: [...path, move], at: after(at, move) });
      }
    }
    return found.sort((one, other) => other.worth - one.worth);
  }

  const best = (s) => ends(s, ENDS_SEEN_AFTER)[0];

  function plan(s) {
    const later = (end) => end.worth + 0.8 * (end.at.phase === "over" ? end.worth : best(end.at)?.worth ?? end.worth);
    return ends(s, ENDS_SEEN).slice(0, ENDS_FOLLOWED).map((end) => ({ end, value: later(end) })).sort((one, other) => other.value - one.value)[0]?.end;
  }

  // --- imagining -----------------------------------------------------------------------------------------------------------

  function imagined(s) {
    const seen = new Set([...s.hand, ...s.discards, ...s.top, ...s.bottom, ...s.days.flat()]);
    const unseen = CARDS.filter((card) => !seen.has(card));
    for (let i = unseen.length - 1; i > 0; i -= 1) {
      const j = Math.floor(Math.random() * (i + 1));
      [unseen[i], unseen[j]] = [unseen[j], unseen[i]];
    }
    return { ...journeyTrial.copy(s), top: [...s.top, ...unseen, ...s.bottom], bottom: [] };
  }

  function* journey(s) {
    let at = imagined(s);
    while (at.phase !== "over") {
      const next = best(at);
      if (!next) return false;
      at = next.at;
      yield;
    }
    return home(at);
  }

  // --- the sheet -------------------------------------------------------------------------------------------------------------

  const part = (name) => sheet.querySelector(`[data-hint-${name}]`);
  let asked = 0;

  async function ask() {
    const mine = (asked += 1), began = performance.now(), s = journeyTrial.position();
    const breath = () => new Promise((resolve) => { setTimeout(resolve); });
    const stale = () => mine !== asked || !sheet.open;
    part("odds").textContent = sheet.dataset.thinking;
    part("move").replaceChildren();
    await breath();
    const move = plan(imagined(s))?.path[0];
    if (move) part("move").replaceChildren(...journeyTrial.label(s, move));
    let tried = 0, came = 0;
    while (tried < MOST_JOURNEYS && (tried < 3 || performance.now() - began < MOST_TIME)) {
      const going = journey(s);
      let step = going.next();
      while (!step.done) { await breath(); if (stale()) return; step = going.next(); }
      tried += 1;
      came += step.value;
    }
    part("odds").textContent = sheet.dataset.odds.replace("__came__", came).replace("__tried__", tried);
  }

  document.addEventListener("click", (event) => { if (event.target.closest("[data-open=hint-sheet]")) setTimeout(ask); });
})();
