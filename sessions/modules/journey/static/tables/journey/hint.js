// Journey: a hint, and how often an imagined journey comes home. A Web Worker (planning.js) thinks about what the screen
// shows, on this device alone: the page stays quick, and the server has nothing to do.
(() => {
  "use strict";

  const sheet = document.getElementById("hint-sheet");
  if (!sheet) return;
  const TIME = 1500;
  const part = (name) => sheet.querySelector(`[data-hint-${name}]`);
  let worker = null;

  function told(came, tried) {
    part("bar").value = came / tried;
    part("odds").textContent = (came ? sheet.dataset.odds : sheet.dataset.none).replace("__came__", came).replace("__tried__", tried);
  }

  function stop() {
    worker?.terminate();
    worker = null;
  }

  function ask() {
    stop();
    const position = journeyTrial.position();
    part("move").replaceChildren(sheet.dataset.thinking);
    part("odds").textContent = "";
    part("bar").hidden = true;
    sheet.ariaBusy = "true";
    worker = new Worker(sheet.dataset.worker);
    worker.onmessage = ({ data }) => {
      if (data.move) part("move").replaceChildren(...journeyTrial.label(position, data.move));
      if (data.tried) { part("bar").hidden = false; told(data.came, data.tried); }
      if (data.done) { sheet.ariaBusy = "false"; stop(); }
    };
    worker.postMessage({ rules: sheet.dataset.rules, position, time: TIME });
  }

  document.addEventListener("click", (event) => { if (event.target.closest("[data-open=hint-sheet]")) setTimeout(ask); });
  sheet.addEventListener("close", stop);
})();
