// A part in the chance of a table that opens: a random number, first its fingerprint, then itself (evening/shares.py).
"use strict";
(() => {
  const fingerprint = (text) => Sha256.hex(Sha256.digest(new TextEncoder().encode(text)));
  const send = (frame) => document.dispatchEvent(new CustomEvent("live:send", { detail: frame }));
  const mine = new Map(); // by opening

  // The fingerprint of the server's secret is here before this device says anything.
  function promise({ opening, commitment }) {
    const share = Sha256.hex(crypto.getRandomValues(new Uint8Array(32)));
    mine.set(opening, { commitment, share });
    send({ opening, share: fingerprint(share) });
  }

  // All fingerprints are here before any share is. They are kept for verify.js to compare.
  function give({ opening, fingerprints }) {
    const promised = mine.get(opening);
    if (!promised || !fingerprints.includes(fingerprint(promised.share))) return;
    Stored.device.write("share." + opening, { ...promised, fingerprints });
    send({ opening, share: promised.share });
  }

  document.addEventListener("htmx:ws:after:message:incoming", ({ detail: { message: { data } } }) => {
    const { fate } = data.startsWith("{") ? JSON.parse(data) : {};
    if (fate?.commitment) promise(fate);
    if (fate?.fingerprints) give(fate);
  });
})();
