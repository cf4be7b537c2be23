// SHA-256 and HMAC of our own: browsers keep crypto.subtle from pages on plain http, and home networks have no other.
"use strict";
globalThis.Sha256 = (() => {
  const primes = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n);
  const fraction = (root) => ((root - Math.floor(root)) * 2 ** 32) | 0;
  const START = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
  const ROUND = primes.map((prime) => fraction(Math.cbrt(prime)));
  const turn = (word, by) => (word >>> by) | (word << (32 - by));

  // Uint8Array → Uint8Array of 32 bytes
  function digest(message) {
    const padded = new Uint8Array((Math.floor((message.length + 8) / 64) + 1) * 64);
    padded.set(message);
    padded[message.length] = 0x80;
    const view = new DataView(padded.buffer);
    view.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29));
    view.setUint32(padded.length - 4, message.length * 8);
    const state = Int32Array.from(START), words = new Int32Array(64);
    for (let block = 0; block < padded.length; block += 64) {
      for (let i = 0; i < 64; i++) {
        if (i < 16) { words[i] = view.getInt32(block + i * 4); continue; }
        const near = words[i - 2], far = words[i - 15];
        words[i] = words[i - 16] + words[i - 7]
          + (turn(far, 7) ^ turn(far, 18) ^ (far >>> 3)) + (turn(near, 17) ^ turn(near, 19) ^ (near >>> 10));
      }
      let [a, b, c, d, e, f, g, h] = state;
      for (let i = 0; i < 64; i++) {
        const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUND[i] + words[i]) | 0;
        const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
      }
      [a, b, c, d, e, f, g, h].forEach((word, i) => { state[i] += word; });
    }
    const out = new DataView(new ArrayBuffer(32));
    state.forEach((word, i) => out.setInt32(i * 4, word));
    return new Uint8Array(out.buffer);
  }

  // Two Uint8Arrays → Uint8Array of 32 bytes
  function hmac(key, message) {
    const block = new Uint8Array(64);
    block.set(key.length > 64 ? digest(key) : key);
    const around = (pad, inner) => {
      const joined = new Uint8Array(64 + inner.length);
      joined.set(block.map((byte) => byte ^ pad));
      joined.set(inner, 64);
      return digest(joined);
    };
    return around(0x5c, around(0x36, message));
  }

  const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return { digest, hmac, hex };
})();
