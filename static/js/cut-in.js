// Cut-ins: a picture, words or both over all of every screen, at the same instant and for a moment. The page has nothing of one
// before it is thrown: the frame says when it begins, and until then the picture has time to load.
//   {"thrown": {at, words, picture: {url, …} or null}}  at: milliseconds of the server's clock
//   #cut-in[popover=manual]   over everything, sheets too; it takes no focus, and a tap puts it away and does nothing else
"use strict";
(() => {
  const SHOWN_FOR = 1500;
  const box = document.getElementById("cut-in"), say = document.getElementById("say"), root = document.documentElement;
  let starting = 0, ending = 0, takesClick = false;

  const isShown = () => Boolean(box.showPopover) && box.matches(":popover-open");

  function put() {
    clearTimeout(ending);
    if (isShown()) box.hidePopover();
  }

  function draw({ words, picture }) {
    const parts = [];
    if (picture) parts.push(Object.assign(new Image(), { src: picture.url, alt: "" }));
    if (words) parts.push(Object.assign(document.createElement("p"), { textContent: words }));
    parts.at(-1).style.setProperty("--signs", Math.max(4, [...words].length));
    return parts;
  }

  function begin(parts, words, began) {
    const past = performance.now() - began;
    put();
    if (document.hidden || past >= SHOWN_FOR) return;
    box.replaceChildren(...parts);
    box.style.setProperty("--past", `${-Math.max(0, past)}ms`);
    box.showPopover?.();
    if (words && root.dataset.speech === "all") say.textContent = words;
    ending = setTimeout(put, SHOWN_FOR - past);
  }

  document.addEventListener("htmx:ws:after:message:incoming", ({ detail }) => {
    if (!detail.message.data.startsWith('{"thrown"')) return;
    const { thrown } = JSON.parse(detail.message.data), begins = ServerClock.here(thrown.at);
    if (begins === null || document.hidden || !(thrown.words || thrown.picture)) return;
    const parts = draw(thrown);
    clearTimeout(starting);
    starting = setTimeout(() => begin(parts, thrown.words, begins), begins - performance.now());
  });

  document.addEventListener("pointerdown", () => {
    takesClick = isShown();
    put();
  }, true);
  for (const [name, takes] of [["click", () => takesClick], ["keydown", ({ key }) => key === "Escape" && isShown()]])
    document.addEventListener(name, (event) => {
      if (!takes(event)) return;
      takesClick = false;
      event.preventDefault();
      event.stopImmediatePropagation();
      put();
    }, true);
})();
