// What pictures that are drawn on this device have in common: the colours of the page, and the way out.
"use strict";
globalThis.Sharing = (() => {
  // A colour may be made of others, which a canvas does not know: it is asked of an element that wears it.
  function worn(name, place = document.body) {
    const probe = place.appendChild(document.createElement("i"));
    probe.style.color = `var(${name})`;
    const found = getComputedStyle(probe).color;
    probe.remove();
    return found;
  }

  async function file(canvas, name) {
    const blob = await new Promise((done) => { canvas.toBlob(done, "image/png"); });
    return new File([blob], name, { type: "image/png" });
  }

  // Plain http has no sheet to share with.
  const canSend = (picture) => Boolean(navigator.canShare?.({ files: [picture] }));
  const send = (picture) => navigator.share({ files: [picture] }).catch(() => { /* thought better of it */ });

  return { worn, file, canSend, send };
})();
