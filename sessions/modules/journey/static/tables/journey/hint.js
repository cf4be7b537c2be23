// Journey: a hint, and how often an imagined journey comes home. Web Workers (planning.js) think about what the screen
// shows, on this device alone: the page stays quick, and the server has nothing to do.
(() => {
  "use strict";

  const sheet = document.getElementById("hint-sheet");
  if (!sheet) return;
  const TIME = 1500, WORKERS = 3;
  const part = (name) => sheet.querySelector(`[data-hint-${name}]`);
  let workers = [];

  function told(came, tried) {
    part("bar").hidden = false;
    part("bar").value = came / tried;
    part("odds").textContent = (came ? sheet.dataset.odds : sheet.dataset.none).replace("__came__", came).replace("__tried__", tried);
  }

  function stop() {
    for (const worker of workers) worker.terminate();
    workers = [];
  }

  function ask() {
    stop();
    const position = journeyTrial.position();
    let came = 0, tried = 0, busy = WORKERS;
    part("move").replaceChildren(sheet.dataset.thinking);
    part("odds").textContent = "";
    part("bar").hidden = true;
    sheet.ariaBusy = "true";
    workers = Array.from({ length: WORKERS }, () => new Worker(sheet.dataset.worker));
    workers.forEach((worker, number) => {
      worker.onmessage = ({ data }) => {
        if (data.move) part("move").replaceChildren(...journeyTrial.label(position, data.move));
        else if (data.done) { busy -= 1; if (!busy) { sheet.ariaBusy = "false"; stop(); } }
        else told(came += data.came, tried += 1);
      };
      worker.postMessage({ rules: sheet.dataset.rules, position, hint: number === 0, time: TIME });
    });
  }

  document.addEventListener("click", (event) => { if (event.target.closest("[data-open=hint-sheet]")) setTimeout(ask); });
  sheet.addEventListener("close", stop);
})();
