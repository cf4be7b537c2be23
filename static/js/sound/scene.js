// Plays the sounds of the present scene. The server says which; a device plays them if its listener has asked for sound.
//
//   #sound[data-ambience]      a sound that is made here (ambiences.js), or none
//   #sound[data-sound-url]     a file of the scenario, or none; [data-since] since when it is heard, by the server's clock
//   :root[data-ambience]       asked for (asked.js)
//   :root[data-volume]         how loud
"use strict";
(() => {
  const FADE = 1.5, VOLUMES = { low: 0.25, middle: 0.6, high: 1 };
  const root = document.documentElement;
  const volume = () => VOLUMES[root.dataset.volume];
  let master = null;
  const heard = { ambience: null, file: null };

  // In milliseconds; until the server was asked for its clock, what this device believes of it.
  const since = (instant) => performance.now() - (ServerClock.here(instant) ?? instant - performance.timeOrigin);

  function output() {
    const context = Sound.open();
    if (!master) {
      master = context.createGain();
      master.gain.value = volume();
      master.connect(context.destination);
    }
    return context;
  }

  function fade(gain, to) {
    const { currentTime } = gain.context;
    gain.gain.cancelScheduledValues(currentTime);
    gain.gain.setValueAtTime(gain.gain.value, currentTime);
    gain.gain.linearRampToValueAtTime(to, currentTime + FADE);
  }

  const SOURCES = {
    ambience(context, { ambience }) {
      const node = context.createBufferSource();
      node.buffer = Ambiences.buffer(context, ambience);
      node.loop = true;
      node.start();
      return { node, stop() { node.stop(context.currentTime + FADE); } };
    },
    file(context, { soundUrl, since: begun }) {
      const audio = new Audio(soundUrl);
      audio.loop = true;
      audio.addEventListener("loadedmetadata", () => {
        audio.currentTime = Math.max(0, since(Number(begun))) / 1000 % audio.duration;
      }, { once: true });
      // Forbidden before the first touch, which tries again; a deleted file stays silent.
      const wake = () => { audio.play().catch(() => {}); };
      wake();
      return { node: context.createMediaElementSource(audio), wake, stop() { setTimeout(() => audio.pause(), FADE * 1000); } };
    },
  };

  function change(kind, name, said) {
    if ((heard[kind]?.name ?? "") === name) return;
    if (heard[kind]) {
      fade(heard[kind].gain, 0);
      heard[kind].stop();
      heard[kind] = null;
    }
    if (!name) return;
    const context = output(), gain = context.createGain(), source = SOURCES[kind](context, said);
    gain.gain.value = 0;
    source.node.connect(gain).connect(master);
    fade(gain, 1);
    heard[kind] = { name, gain, ...source };
  }

  function follow() {
    const said = document.getElementById("sound")?.dataset, asked = said && root.dataset.ambience;
    change("ambience", asked ? said.ambience : "", said);
    change("file", asked && said.soundUrl ? `${said.soundUrl} ${said.since}` : "", said);
  }

  // --- once: a short sound for all at the same instant (cut-in.js has what is seen) --------------------------------
  const TOO_LATE = 1500;

  async function once({ at, sound }) {
    const context = output();
    try {
      const answer = await fetch(sound), node = context.createBufferSource();
      node.buffer = await context.decodeAudioData(await answer.arrayBuffer());
      const late = since(at);
      if (late > TOO_LATE) return;
      node.connect(master);
      node.start(context.currentTime + Math.max(0, -late) / 1000);
    } catch { /* a sound that cannot be loaded is skipped */ }
  }

  document.addEventListener("htmx:ws:after:message:incoming", ({ detail }) => {
    if (!root.dataset.ambience || !detail.message.data.startsWith('{"thrown"')) return;
    const { thrown } = JSON.parse(detail.message.data);
    if (thrown.sound) once(thrown);
  });

  document.addEventListener("click", () => heard.file?.wake());
  document.addEventListener("takujo:pref", () => {
    if (master) master.gain.setTargetAtTime(volume(), master.context.currentTime, 0.1);
    follow();
  });
  document.addEventListener("table:arrived", follow);
  follow();
})();
