// The bell of the table's face: one stroke for a verdict, a deep one for a fall, three for the end of the night. It rings while
// the face's sounds are on (static/js/sound/asked.js), and once when they are turned on. A replay has no sounds.
"use strict";
(() => {
  const button = document.querySelector("[data-sounds]"), root = document.documentElement;
  root.dataset.bell = ""; // live.js chimes for no moment then
  // Overtones of a small bell by their share of the pitch; the higher, the softer and shorter.
  const OVERTONES = [[0.5, 0.3, 1], [1, 1, 0.9], [1.19, 0.5, 0.7], [1.5, 0.25, 0.6], [2, 0.4, 0.5], [2.74, 0.15, 0.3]];
  const VOLUME = 0.16, RINGS_FOR = 2.4, PITCH = 523, DEEP = 262;
  const STROKES = { fall: [[0, DEEP]], last_foe: [[0, PITCH], [0.7, PITCH * 1.5]], end: [[0, PITCH], [1.2, PITCH], [2.4, PITCH]] };

  function strike(start, pitch) {
    const sound = Sound.open(), at = sound.currentTime + start;
    for (const [share, loud, long] of OVERTONES) {
      const tone = sound.createOscillator(), loudness = sound.createGain();
      tone.frequency.value = pitch * share;
      loudness.gain.setValueAtTime(0, at);
      loudness.gain.linearRampToValueAtTime(VOLUME * loud, at + 0.005);
      loudness.gain.exponentialRampToValueAtTime(0.0001, at + RINGS_FOR * long);
      tone.connect(loudness).connect(sound.destination);
      tone.start(at);
      tone.stop(at + RINGS_FOR * long);
    }
  }

  const ring = (kind) => { for (const [start, pitch] of STROKES[kind] ?? [[0, PITCH]]) strike(start, pitch); };

  button?.addEventListener("click", () => { if (root.dataset.ambience) ring(); });

  document.addEventListener("takujo:moment", ({ detail: { kind } }) => {
    if (root.dataset.ambience && Sound.isOpen() && kind !== "round") ring(kind);
  });
})();
