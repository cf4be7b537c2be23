// In a frame of the bench: what the scripts of a page complain of is told to the author.
"use strict";
(() => {
  if (parent === window) return;
  // Saved files are to be seen: nothing is kept on the device.
  Object.defineProperty(navigator, "serviceWorker", { value: undefined });
  const tell = (said) => parent.postMessage({ complaint: String(said) }, "*");
  addEventListener("error", ({ message, filename, lineno }) => { if (message) tell(`${message} (${filename}:${lineno})`); });
  addEventListener("unhandledrejection", ({ reason }) => tell(reason?.stack ?? reason));
})();
