// All that a page sounds goes one way: through one AudioContext, which a browser lets begin after a touch.
"use strict";
globalThis.Sound = (() => {
  let context = null;

  // A sound that starts while the browser still forbids it waits, and so does its time.
  function open() {
    if (!context) {
      context = new AudioContext();
      context.addEventListener("statechange", () => document.dispatchEvent(new CustomEvent("takujo:sounds")));
    }
    if (context.state !== "running") context.resume();
    return context;
  }

  const isOpen = () => context?.state === "running";

  // notes: [[seconds from now, hertz], …]
  function chime(notes) {
    const { currentTime, destination } = open();
    for (const [start, pitch] of notes) {
      const tone = context.createOscillator(), loudness = context.createGain(), at = currentTime + start;
      tone.frequency.value = pitch;
      loudness.gain.setValueAtTime(0.15, at);
      loudness.gain.exponentialRampToValueAtTime(0.001, at + 0.3);
      tone.connect(loudness).connect(destination);
      tone.start(at);
      tone.stop(at + 0.3);
    }
  }

  return { open, isOpen, chime };
})();
