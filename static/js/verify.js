// Calculates every shuffle and roll of ended tables again, as companion/fate.py does, and says what fits.
"use strict";
(() => {
  const bytes = (text) => new TextEncoder().encode(text);

  // The numbers that a secret gives for one move, name and use; each call of the result gives 0 … n - 1.
  function stream(secret, { move, name, use }) {
    const key = bytes(`${secret}/${move}`);
    let counter = 0;
    return (n) => {
      const limit = 2n ** 64n - (2n ** 64n % BigInt(n)); // the uneven rest is thrown away
      for (;;) {
        const block = Sha256.hmac(key, bytes(`${name}/${use}/${counter++}`));
        const number = new DataView(block.buffer).getBigUint64(0);
        if (number < limit) return Number(number % BigInt(n));
      }
    };
  }

  function calculated(secret, drawn) {
    const below = stream(secret, drawn);
    if (drawn.kind === "roll") return below(drawn.items.length) + 1;
    const pile = [...drawn.items];
    for (let i = pile.length - 1; i > 0; i--) {
      const j = below(i + 1);
      [pile[i], pile[j]] = [pile[j], pile[i]];
    }
    return pile;
  }

  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const judge = (line, fits) => { line.dataset.verdict = fits ? "same" : "differs"; return fits; };

  // live.js noted which fingerprint this device saw when the table ran.
  function seen(section) {
    const noted = Stored.device.read("fingerprint." + section.dataset.table);
    return noted?.opened === section.dataset.opened ? noted : null;
  }

  // shares.js noted what this device gave to the opening of the table.
  const given = (shares) => Stored.device.read("share." + shares?.opening);

  const fingerprintOf = (text) => Sha256.hex(Sha256.digest(bytes(text)));

  // The shares of phones: each is what its fingerprint promised, and together they make the secret.
  function fitting(section, { shares, secret, commitment }) {
    const line = (name) => section.querySelector(`[data-check="${name}"]`);
    const rows = [...section.querySelectorAll('[data-check="share"]')];
    const of = shares?.of ?? [], noted = given(shares);
    let fits = rows.length === of.length;
    rows.forEach((row, i) => {
      if (of[i]?.share) fits = judge(row, fingerprintOf(of[i].share) === of[i].fingerprint) && fits;
    });
    const told = of.flatMap(({ share }) => (share ? [share] : []));
    const whole = shares && (told.length ? fingerprintOf([shares.secret, ...told].join("\n")) : shares.secret);
    if (shares) fits = judge(line("shares"), whole === secret) && fits;
    if (!line("own-share")) return fits;
    line("own-share").hidden = !noted;
    section.querySelector("[data-unshared]").hidden = Boolean(noted);
    if (!noted) return fits;
    const promised = of.flatMap(({ fingerprint }) => (fingerprint ? [fingerprint] : [])).sort();
    const kept = told.includes(noted.share) && same(promised, noted.fingerprints) && noted.commitment === commitment;
    return judge(line("own-share"), kept) && fits;
  }

  async function fetched(section, address, part) {
    const place = section.querySelector("[data-waiting]");
    const answer = await inLine(`${address}?part=${part}`, (reason) => { place.textContent = reason; });
    place.textContent = "";
    if (!answer.ok) throw new Error(answer.status);
    return answer.json();
  }

  // A long log comes part by part, so that the server never plays all of it at once.
  async function* partsOf(section, address) {
    const bar = section.querySelector("progress"), parts = Number(section.dataset.parts);
    if (bar) { bar.hidden = false; bar.value = 0; }
    for (let part = 1; part <= parts; part++) {
      yield await fetched(section, address, part);
      if (bar) bar.value = part;
    }
    if (bar) bar.hidden = true;
  }

  function lineFor({ said }) {
    const line = document.getElementById("verify-line").content.cloneNode(true);
    line.querySelector("li > span").textContent = said;
    return line;
  }

  // The lines of a part: those on the page where the whole log is listed there, else new ones.
  function linesOf(list, drawn, isWhole) {
    if (!isWhole) list.append(...drawn.map(lineFor));
    return [...list.children].slice(isWhole ? 0 : list.children.length - drawn.length);
  }

  async function verified(section) {
    const line = (name) => section.querySelector(`[data-check="${name}"]`);
    const list = section.querySelector("[data-drawn]"), isWhole = "whole" in section.dataset;
    if (!isWhole) list.replaceChildren();
    let fits = true, played = true, one;
    for await (const facts of partsOf(section, section.dataset.facts)) {
      const fingerprint = fingerprintOf(facts.shares?.secret ?? facts.secret);
      one ??= { secret: facts.secret, commitment: facts.commitment, shares: facts.shares, fingerprint };
      fits = facts.secret === one.secret && facts.commitment === one.commitment && same(facts.shares, one.shares) && fits;
      played = facts.fits && played;
      const lines = linesOf(list, facts.drawn, isWhole);
      fits = lines.length === facts.drawn.length && fits;
      lines.forEach((item, i) => {
        const drawn = facts.drawn[i];
        fits = judge(item, Boolean(drawn) && same(calculated(facts.secret, drawn), drawn.result)) && fits;
      });
    }
    fits = judge(line("commitment"), one.fingerprint === one.commitment) && fits;
    fits = judge(line("fits"), played) && fits;
    fits = fitting(section, one) && fits;
    return remembered(section, one.fingerprint) && fits;
  }

  // Whether a secret has the fingerprint that this device noted, if it did.
  function remembered(section, fingerprint) {
    const noted = seen(section), line = section.querySelector('[data-check="seen"]');
    line.hidden = !noted;
    section.querySelector("[data-unseen]").hidden = Boolean(noted);
    if (!noted) return true;
    section.querySelector("[data-seen-at]").textContent = `(${new Date(noted.at).toLocaleString(document.documentElement.lang)})`;
    return judge(line, noted.commitment === fingerprint);
  }

  // The rolls of the chat: each die by the secret of the evening and the id of its message.
  function rollsFit(section) {
    const { secret, commitment } = section.dataset, fingerprint = fingerprintOf(secret);
    let fits = judge(section.querySelector('[data-check="commitment"]'), fingerprint === commitment);
    const lines = [...section.querySelectorAll('[data-check="drawn"]')];
    JSON.parse(section.dataset.rolls).forEach(({ name, sides, dice }, i) => {
      const fall = dice.map((_, use) => stream(secret, { move: 0, name, use })(sides) + 1);
      fits = judge(lines[i], same(fall, dice)) && fits;
    });
    return remembered(section, fingerprint) && fits;
  }

  for (const again of document.querySelectorAll("[data-again]")) {
    again.parentElement.hidden = false;
    again.addEventListener("click", async () => {
      const section = again.closest("[data-fits]");
      again.disabled = true;
      try {
        let played = true;
        for await (const { fits } of partsOf(section, section.dataset.fits)) played = fits && played;
        judge(section.querySelector('[data-check="fits"]'), played);
      } catch { /* No verdict; the button is there to try again. */ }
      again.disabled = false;
    });
  }

  const result = document.getElementById("verify-result"), start = document.getElementById("verify-start");
  if (!start) return;
  start.hidden = false;
  start.querySelector("[data-verify]").addEventListener("click", async ({ currentTarget: button }) => {
    button.disabled = true;
    try {
      let fits = true;
      for (const section of document.querySelectorAll("[data-rolls]")) fits = rollsFit(section) && fits;
      for (const section of document.querySelectorAll("[data-facts]")) fits = (await verified(section)) && fits;
      result.dataset.state = fits ? "all" : "broken";
    } catch {
      result.dataset.state = "failed";
    }
    button.disabled = false;
  });
})();
