// The server's clock as this page knows it: live.js asks for it with every sign of life.
"use strict";
globalThis.ServerClock = (() => {
  let ahead = null;
  document.addEventListener("takujo:clock", ({ detail }) => { ahead = detail.ahead; });

  // When it is so late here, by performance.now, as it is there at an instant in milliseconds; null while nobody knows.
  const here = (instant) => ahead === null ? null : instant - ahead;
  return { here };
})();
