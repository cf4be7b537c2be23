// The bench: one frame a seat, loaded again for each new table, with the seat's knowledge beside it.
//
// All of it comes from one answer of the server, which the page polls: a saved file shows with the next answer.
const EVERY = 400, LEAST = .36, HEAD = 36, GAP = 12, DATA = 328;

const main = document.getElementById("main"), problems = document.querySelector(".bench-problems");
const secret = document.getElementById("secret"), slider = document.getElementById("version");
const frames = [...document.querySelectorAll("[data-frame]")];
const hostOf = (frame) => `${frame.dataset.frame}.${location.host}`;

let asked = 0, shown = 0, mark = "", moves = [], held = false, sliding = 0, last = null;
/** What the scripts of frames complain of. */
let said = [];

// --- what the server tells ----------------------------------------------------------------------------------------

async function look() {
  const turn = ++asked;
  try {
    const answer = await fetch(main.dataset.now);
    if (!answer.ok) throw new Error(answer.statusText);
    const told = await answer.json();
    if (turn > shown) { shown = turn; show(told); }
    document.body.classList.remove("is-away");
  } catch {
    document.body.classList.add("is-away");
  }
}

function show(told) {
  if (told.mark !== mark) begun(told);
  if (document.activeElement !== secret) secret.value = told.secret;
  moves = told.moves;
  slider.max = moves.length;
  if (!held && !sliding) slider.value = told.version;
  showMove();
  for (const frame of frames) showSeat(frame, told.seats[frame.dataset.frame]);
  showProblems(told);
}

function begun(told) {
  mark = told.mark;
  said = [];
  if (!Object.keys(told.seats).length) return;
  // Of a game that could not be imported nothing was known: not even who sits there.
  if (!("hasGame" in main.dataset)) { location.reload(); return; }
  for (const frame of frames) {
    const address = `${location.protocol}//${hostOf(frame)}${main.dataset.sit}?${mark}`;
    frame.querySelector("[data-open]").href = address;
    frame.querySelector("iframe").contentWindow.location.replace(address);
  }
}

function showMove() {
  const version = Number(slider.value), move = document.querySelector("[data-move]");
  document.querySelector("[data-count]").textContent = `${version} / ${moves.length}`;
  move.textContent = version ? moves[version - 1] : move.dataset.dealt;
}

function showSeat(frame, seat) {
  frame.toggleAttribute("data-waits", Boolean(seat?.waits));
  const kind = frame.querySelector("select"), data = frame.querySelector("pre");
  if (kind && document.activeElement !== kind) kind.value = seat?.bot ?? "";
  if (data.textContent !== (seat?.data ?? "")) data.textContent = seat?.data ?? "";
}

function showProblems({ refused, complaints }) {
  const all = [...refused ? [refused.why] : [], ...complaints, ...said], line = problems.querySelector("[data-refused]");
  line.hidden = !refused;
  if (refused) line.textContent = line.dataset.words.replace("{number}", refused.number).replace("{move}", moves[refused.number - 1]);
  const list = problems.querySelector("ul");
  if (list.dataset.shown === JSON.stringify(all)) return;
  list.dataset.shown = JSON.stringify(all);
  list.replaceChildren(...all.map(([what, where]) => {
    const item = document.createElement("li");
    item.append(Object.assign(document.createElement("b"), { textContent: what }));
    if (where) item.append(Object.assign(document.createElement("pre"), { textContent: where }));
    return item;
  }));
  problems.hidden = !all.length;
  fit();
}

addEventListener("message", ({ data, origin }) => {
  const frame = frames.find((each) => origin === `${location.protocol}//${hostOf(each)}`);
  if (!frame || typeof data?.complaint !== "string") return;
  const complaint = `${frame.dataset.frame}: ${data.complaint}`;
  if (!said.some(([what]) => what === complaint)) said.push([complaint, ""]);
});

// --- what the author does -----------------------------------------------------------------------------------------

async function send(form, changes = {}) {
  const body = new FormData(form);
  for (const [name, value] of Object.entries(changes)) body.set(name, value);
  try { await fetch(form.action, { method: "POST", body }); } catch { /* the server starts again, and look() reports it */ }
  await look();
}

document.getElementById("begin").addEventListener("submit", (event) => {
  event.preventDefault();
  secret.blur();
  send(event.target, "another" in (event.submitter?.dataset ?? {}) ? { secret: "" } : {});
});

// One step after the other, however fast they are pressed; until the last one is there the slider stays where it was put.
async function go() {
  const version = slider.value, before = last;
  sliding += 1;
  showMove();
  last = (async () => { await before; await send(slider.form, { version }); })();
  await last;
  sliding -= 1;
}

document.getElementById("go").addEventListener("submit", (event) => {
  event.preventDefault();
  slider.value = Number(slider.value) + Number(event.submitter?.dataset.step ?? 0);
  go();
});

slider.addEventListener("input", () => { held = true; showMove(); });
slider.addEventListener("change", () => { held = false; go(); });

for (const frame of frames) {
  frame.querySelector("select")?.addEventListener("change", ({ target }) => { target.blur(); send(target.form); });
  frame.querySelector("[data-toggle]").addEventListener("click", ({ currentTarget }) => {
    const data = frame.querySelector("pre");
    data.hidden = !data.hidden;
    currentTarget.ariaPressed = String(!data.hidden);
    fit();
  });
}

// --- as large as fits ---------------------------------------------------------------------------------------------

const number = (frame, name) => Number(getComputedStyle(frame).getPropertyValue(name));

/** Returns the height that all frames need, laid out in rows. */
function heightAt(scale) {
  let height = GAP, row = 0, used = 0;
  for (const frame of frames) {
    const zoom = scale * number(frame, "--zoom");
    const width = number(frame, "--width") * zoom + (frame.querySelector("pre").hidden ? 0 : DATA);
    if (used && used + width > main.clientWidth - 2 * GAP) { height += row; row = used = 0; }
    used += width + GAP;
    row = Math.max(row, HEAD + number(frame, "--height") * zoom + GAP);
  }
  return height + row;
}

function fit() {
  let scale = 1;
  while (scale > LEAST && heightAt(scale) > main.clientHeight) scale -= .01;
  main.style.setProperty("--scale", scale);
}

addEventListener("resize", fit);
fit();

for (;;) {
  await look();
  await new Promise((wake) => { setTimeout(wake, EVERY); });
}
