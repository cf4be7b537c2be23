// The sounds of places, made here from noise and a few tones: some seconds each, whose end goes over into their beginning.
"use strict";
globalThis.Ambiences = (() => {
  const RATE = 24000, SECONDS = 12, LOUDNESS = 0.06, PEAK = 0.5;
  const TURN = 2 * Math.PI, SEAM = RATE / 2;

  const random = (from, to) => from + (to - from) * Math.random();
  const white = () => random(-1, 1);

  // --- filters: from sample to sample ---
  function low(hertz) {
    const share = 1 - Math.exp(-TURN * hertz / RATE);
    let held = 0;
    return (sample) => (held += share * (sample - held));
  }
  function high(hertz) {
    const below = low(hertz);
    return (sample) => sample - below(sample);
  }
  // The less width, the more it is a tone; its middle may move.
  function band(width) {
    let below = 0, middle = 0;
    return (sample, hertz) => {
      const step = 2 * Math.sin(Math.PI * hertz / RATE);
      below += step * middle;
      middle += step * (sample - below - width * middle);
      return middle;
    };
  }

  // --- continuous sounds: time runs from 0 to 1 over the whole, and a wave fits into it a whole number of times ---
  const wave = (time, times, begins = 0) => Math.sin(TURN * (times * time + begins));
  function steady(sound, make) {
    const { length } = sound, more = new Float32Array(length + SEAM);
    for (let at = 0; at < more.length; at++) more[at] = make((at % length) / length);
    for (let at = 0; at < length; at++) {
      const share = Math.min(1, at / SEAM);
      sound[at] += share < 1 ? more[at] * Math.sqrt(share) + more[length + at] * Math.sqrt(1 - share) : more[at];
    }
  }

  // --- single sounds: at a time, for some seconds; one that passes the end goes on at the beginning ---
  function strike(sound, seconds, lasts, make) {
    const first = Math.floor(seconds * RATE), count = Math.floor(lasts * RATE);
    for (let at = 0; at < count; at++) sound[(first + at) % sound.length] += make(at / RATE);
  }
  function now_and_then(sound, aSecond, happen) {
    const seconds = sound.length / RATE;
    for (let left = aSecond * seconds; left > 0; left--) happen(random(0, seconds));
  }

  const MAKERS = {
    rain(sound) {
      const under = high(350), over = low(3600), body = band(0.9);
      steady(sound, (time) => {
        const drop = white();
        return (1 + 0.12 * wave(time, 2) + 0.08 * wave(time, 5)) * (0.5 * over(under(drop)) + 0.5 * body(drop, 420));
      });
      now_and_then(sound, 45, (seconds) => {
        const pitch = random(1400, 4200), fall = random(120, 420), loud = 0.5 * Math.random() ** 2;
        strike(sound, seconds, 0.04, (since) => loud * Math.sin(TURN * pitch * since) * Math.exp(-fall * since));
      });
    },
    fire(sound) {
      const rumble = low(85), breath = band(1.2), hiss = high(3000);
      steady(sound, (time) => {
        const blow = white(), flame = 0.75 + 0.15 * wave(time, 5) + 0.1 * wave(time, 13, 0.3);
        return flame * (2.6 * rumble(blow) + 0.1 * breath(blow, 320)) + 0.012 * hiss(blow);
      });
      now_and_then(sound, 2.2, (seconds) => {
        // Wood cracks several times in a row.
        for (let more = random(1, 7); more > 0; more--) {
          const loud = 0.9 * Math.random() ** 2, fall = random(250, 900), dull = low(random(2500, 8000));
          strike(sound, seconds + random(0, 0.25), 0.03, (since) => loud * dull(white()) * Math.exp(-fall * since));
        }
      });
      now_and_then(sound, 0.5, (seconds) => {
        const dull = low(500);
        strike(sound, seconds, 0.12, (since) => 1.6 * dull(white()) * Math.exp(-45 * since));
      });
    },
    wind(sound) {
      const gust = band(0.5), whistle = band(0.06), far = low(800), begins = Math.random();
      steady(sound, (time) => {
        const force = 0.55 + 0.25 * wave(time, 1, begins) + 0.15 * wave(time, 3, 0.2 - begins) + 0.05 * wave(time, 7);
        const blow = white();
        return far(force * gust(blow, 160 + 420 * force) + 0.08 * force ** 2 * whistle(blow, 420 + 640 * force));
      });
    },
    train(sound) {
      const rumble = low(100), roll = band(0.8), hum = low(260);
      steady(sound, (time) => {
        const iron = white();
        return (1 + 0.1 * wave(time, 8)) * (1.9 * rumble(iron) + 0.1 * roll(iron, 640) + 0.25 * hum(white()));
      });
      // Two axles over a joint, and the two of the next carriage.
      for (let beat = 0; beat < SECONDS; beat += 1.5)
        for (const [after, loud] of [[0, 0.75], [0.14, 1], [0.52, 0.6], [0.66, 0.85]]) {
          const knock = low(900);
          strike(sound, beat + after, 0.2, (since) => loud * (0.55 * Math.sin(TURN * (92 - 120 * since) * since) * Math.exp(-26 * since)
            + 1.1 * knock(white()) * Math.exp(-55 * since) + 0.03 * Math.sin(TURN * 1240 * since) * Math.exp(-30 * since)));
        }
    },
    crowd(sound) {
      const room = band(1.1);
      steady(sound, () => 0.05 * room(white(), 380));
      for (let person = 0; person < 11; person++) {
        const voice = random(95, 230), near = random(0.25, 1);
        let seconds = random(0, 1.5);
        while (seconds < SECONDS) {
          // A sentence of syllables, each a vowel, and then others speak.
          for (let left = random(3, 12); left > 0 && seconds < SECONDS; left--) {
            const lasts = random(0.1, 0.24), pitch = voice * random(0.9, 1.15), mouth = random(320, 760), tongue = random(900, 1900);
            const first = band(0.25), second = band(0.18);
            strike(sound, seconds, lasts, (since) => {
              const cords = 2 * ((pitch * since) % 1) - 1 + 0.3 * white();
              return 0.12 * near * Math.sin(Math.PI * since / lasts) ** 2 * (first(cords, mouth) + 0.4 * second(cords, tongue));
            });
            seconds += lasts * random(0.9, 1.2);
          }
          seconds += random(0.4, 2.6);
        }
      }
      const walls = low(2200);
      // The filter begins as it stands at the end, or the seam of the loop would click.
      for (const sample of sound.slice(-SEAM)) walls(sample);
      for (let at = 0; at < sound.length; at++) sound[at] = walls(sound[at]);
    },
    heartbeat(sound) {
      const beats = 4, apart = sound.length / RATE / beats;
      for (let beat = 0; beat < beats; beat++)
        for (const [after, pitch, loud] of [[0.02, 52, 1], [0.34, 64, 0.62]]) {
          strike(sound, beat * apart + after, 0.3, (since) => loud * Math.tanh(2 * Math.sin(TURN * pitch * since * (1 - 0.6 * since)))
            * Math.min(1, since / 0.012) * Math.exp(-17 * since));
        }
    },
  };
  const LASTS = { heartbeat: 4.2 };
  // A sound from one place is the same on both sides.
  const ONE_PLACE = ["heartbeat", "train"];

  function even(sound) {
    let peak = 0, power = 0;
    for (const sample of sound) { peak = Math.max(peak, Math.abs(sample)); power += sample ** 2; }
    const loud = Math.min(LOUDNESS / Math.sqrt(power / sound.length), PEAK / peak);
    for (let at = 0; at < sound.length; at++) sound[at] *= loud;
    return sound;
  }

  // The samples of both sides. A sound from all around comes later on the right, so that it has no direction.
  function make(name) {
    const left = new Float32Array(Math.round((LASTS[name] ?? SECONDS) * RATE));
    MAKERS[name](left);
    even(left);
    if (ONE_PLACE.includes(name)) return [left, left];
    const later = Math.round(0.42 * left.length), right = new Float32Array(left.length);
    right.set(left.subarray(later));
    right.set(left.subarray(0, later), left.length - later);
    return [left, right];
  }

  function buffer(context, name) {
    const sides = make(name), made = context.createBuffer(2, sides[0].length, RATE);
    sides.forEach((side, number) => made.copyToChannel(side, number));
    return made;
  }

  return { names: Object.keys(MAKERS), make, buffer };
})();
