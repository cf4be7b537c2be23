// The server's clock as this page knows it: live.js asks for it with every sign of life.
"use strict";
globalThis.ServerClock = (() => {
  let ahead = null;
  document.addEventListener("takujo:clock", ({ detail }) => { ahead = detail.ahead; });

  // Converts an instant of the server's clock, in milliseconds, to performance.now; null until the offset is known.
  const here = (instant) => ahead === null ? null : instant - ahead;
  return { here };
})();
