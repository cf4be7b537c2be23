// Copies a text that is in the page: <div data-copying> holds a button[data-copy], a textarea in details, and a place for words.
// Nothing is fetched after the tap: iOS lets a page write to the clipboard only while the tap lasts.
"use strict";
(() => {
  for (const part of document.querySelectorAll("[data-copying]")) {
    const text = part.querySelector("textarea");
    const copyButton = part.querySelector("[data-copy]");
    const said = part.querySelector("[role=status]");

    const say = (words) => { said.textContent = ""; said.textContent = words; };
    const done = () => say(said.dataset.said);

    // The older way to the clipboard: a selection in an invisible text field.
    const copyHidden = () => {
      const hidden = document.createElement("textarea");
      hidden.value = text.value;
      hidden.readOnly = true;
      hidden.style.cssText = "position:fixed;inset:0 auto auto 0;opacity:0";
      part.append(hidden);
      hidden.select();
      hidden.setSelectionRange(0, hidden.value.length);
      let copied = false;
      try { copied = document.execCommand("copy"); } catch { /* this browser has none */ }
      hidden.remove();
      copyButton.focus();
      return copied;
    };

    // For fingers: the text itself, selected, to press and hold.
    const show = () => {
      part.querySelector("details").open = true;
      text.focus();
      text.select();
    };

    const copyWithoutClipboard = () => {
      const copied = copyHidden();
      if (!copied || !isSecureContext) show();
      if (copied) done(); else say(part.querySelector("label").textContent);
    };

    copyButton.hidden = false;
    copyButton.addEventListener("click", () => {
      if (!isSecureContext || !navigator.clipboard?.write || !window.ClipboardItem) { copyWithoutClipboard(); return; }
      const blob = Promise.resolve(new Blob([text.value], { type: "text/plain" }));
      try {
        navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]).then(done, copyWithoutClipboard);
      } catch { copyWithoutClipboard(); }
    });

    const shareButton = part.querySelector("[data-share]");
    if (navigator.share) {
      shareButton.hidden = false;
      shareButton.addEventListener("click", () => navigator.share({ text: text.value }).catch(() => { /* thought better of it */ }));
    }
    text.addEventListener("focus", () => text.select());
  }
})();
