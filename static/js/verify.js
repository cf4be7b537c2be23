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
    try {
      const noted = JSON.parse(localStorage.getItem("fingerprint." + section.dataset.table));
      return noted?.opened === section.dataset.opened ? noted : null;
    } catch { return null; }
  }

  // shares.js noted what this device gave to the opening of the table.
  function given(shares) {
    try { return JSON.parse(localStorage.getItem("share." + shares?.opening)); } catch { return null; }
  }

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

  async function verified(section) {
    const answer = await fetch(section.dataset.facts, { cache: "no-store" });
    if (!answer.ok) throw new Error(answer.status);
    const facts = await answer.json();
    const line = (name) => section.querySelector(`[data-check="${name}"]`);
    const fingerprint = fingerprintOf(facts.shares?.secret ?? facts.secret);
    let fits = judge(line("commitment"), fingerprint === facts.commitment);
    fits = judge(line("fits"), facts.fits) && fits;
    fits = fitting(section, facts) && fits;
    const noted = seen(section);
    line("seen").hidden = !noted;
    section.querySelector("[data-unseen]").hidden = Boolean(noted);
    if (noted) {
      section.querySelector("[data-seen-at]").textContent = `(${new Date(noted.at).toLocaleString(document.documentElement.lang)})`;
      fits = judge(line("seen"), noted.commitment === fingerprint) && fits;
    }
    const lines = [...section.querySelectorAll('[data-check="drawn"]')];
    fits = lines.length === facts.drawn.length && fits;
    lines.forEach((item, i) => {
      const drawn = facts.drawn[i];
      fits = judge(item, Boolean(drawn) && same(calculated(facts.secret, drawn), drawn.result)) && fits;
    });
    return fits;
  }

  const result = document.getElementById("verify-result"), start = document.getElementById("verify-start");
  if (!start) return;
  start.hidden = false;
  start.querySelector("[data-verify]").addEventListener("click", async ({ currentTarget: button }) => {
    button.disabled = true;
    try {
      let fits = true;
      for (const section of document.querySelectorAll("[data-facts]")) fits = (await verified(section)) && fits;
      result.dataset.state = fits ? "all" : "broken";
    } catch {
      result.dataset.state = "failed";
    }
    button.disabled = false;
  });
})();
