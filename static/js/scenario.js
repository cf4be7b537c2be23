// Saves a scenario while its author types: each field goes out by itself, a moment after its change, with its earlier value.
//
//   main[data-writes]        the address for it
//   .written[data-of]        the thing a field belongs to; [data-several] on a group of ticks that are one list
//   [data-wrong]             the reason why a field was not kept
//   [data-kind]              the kind of a check, to which some fields belong
//   [data-title-of]          shows the title of a thing, wherever that stands
//   #kept                    says how it stands; its data-* are the words
"use strict";

const PAUSE = 500, AGAIN = 3000;
const main = document.querySelector("[data-writes]"), kept = document.getElementById("kept");
const token = main.querySelector("[name=csrfmiddlewaretoken]");

// --- the value of a field -----------------------------------------------------------------------------------------------

const groupOf = (field) => field.closest(".written");
const nameOf = (group) => group.dataset.several ?? group.querySelector("[name]").name;

function said(group) {
  if (group.dataset.several) return [...group.querySelectorAll(":checked")].map((tick) => tick.value);
  const field = group.querySelector("[name]");
  if (field.type === "checkbox") return field.checked;
  if (field.type === "number") return field.value === "" ? null : Number(field.value);
  return field.value.replaceAll("\r\n", "\n");
}

function put(group, value) {
  const field = group.querySelector("[name]");
  if (group.dataset.several) for (const tick of group.querySelectorAll("input")) tick.checked = value.includes(tick.value);
  else if (field.type === "checkbox") field.checked = value;
  else field.value = value;
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

// --- sending: one field at a time, in the order in which they were changed ----------------------------------------------

const was = new Map(), waiting = new Set();
let sending = null, timer = 0;

for (const group of document.querySelectorAll(".written")) was.set(group, said(group));

function tell(how) {
  if (kept.dataset.now === how) return;
  kept.dataset.now = how;
  kept.textContent = kept.dataset[how];
}

function wrong(group, words) {
  const place = group.querySelector("[data-wrong]");
  place.textContent = words;
  place.hidden = !words;
}

// Returns why a field was neither kept nor refused.
async function send(group) {
  const value = said(group);
  if (same(value, was.get(group))) { waiting.delete(group); return ""; }
  const answer = await fetch(main.dataset.writes, {
    method: "POST",
    headers: { "X-CSRFToken": token.value, "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify({ of: group.dataset.of, field: nameOf(group), value, was: was.get(group) }),
  });
  const told = await Answers.dataOf(answer);
  if (!("value" in told || told.code)) return told.reason;
  waiting.delete(group);
  if (answer.ok) {
    was.set(group, told.value);
    wrong(group, "");
    if (!same(said(group), value)) waiting.add(group); // it was edited during the request
  } else if (told.code === "changed") ask(group, told.now);
  else wrong(group, told.reason);
  return "";
}

async function flush() {
  clearTimeout(timer);
  sending ??= (async () => {
    let why = "";
    try {
      for (const group of [...waiting]) if (why = await send(group)) break;
    } catch { why = kept.dataset.lost; }
    sending = null;
    if (why) {
      kept.dataset.now = "lost";
      kept.textContent = why;
      timer = setTimeout(flush, AGAIN);
      return false;
    }
    if (waiting.size) timer = setTimeout(flush, PAUSE);
    else tell("kept");
    return !waiting.size;
  })();
  return sending;
}

// No text is lost: both are shown, and the later author chooses.
function ask(group, now) {
  const place = group.querySelector("[data-wrong]"), theirs = document.createElement("q");
  const choose = (words, act) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "btn quiet";
    button.textContent = words;
    button.addEventListener("click", () => { was.set(group, now); wrong(group, ""); act(); });
    return button;
  };
  theirs.textContent = now;
  wrong(group, `${kept.dataset.changed} `);
  place.append(theirs, choose(kept.dataset.mine, () => { waiting.add(group); tell("keeping"); flush(); }), choose(kept.dataset.theirs, () => put(group, now)));
}

function entitle(group) {
  if (!["title", "name", "label", "words"].includes(nameOf(group))) return;
  const words = said(group);
  for (const place of document.querySelectorAll(`[data-title-of="${group.dataset.of}"]`)) if (words) place.textContent = words;
  const heading = main.querySelector("[data-titled]");
  if (group.dataset.of === "0") heading.textContent = words || heading.dataset.titled;
}

main.addEventListener("input", ({ target }) => {
  const group = groupOf(target);
  if (!group) return;
  entitle(group);
  if (target.name === "kind") target.closest("[data-kind]").dataset.kind = target.value;
  if (!group.dataset.several && !group.querySelector("[name]").validity.valid) { wrong(group, kept.dataset.malformed); return; }
  waiting.add(group);
  tell("keeping");
  clearTimeout(timer);
  timer = setTimeout(flush, PAUSE);
});

// --- a button that changes the page saves the fields first -------------------------------------------------------------------

addEventListener("beforeunload", (event) => { if (waiting.size) event.preventDefault(); });

document.addEventListener("submit", async (event) => {
  if (!waiting.size || event.defaultPrevented) return;
  event.preventDefault();
  const { target, submitter } = event;
  if (await flush()) target.requestSubmit(submitter);
});

// A sound is answered in words, and the page shows it when it is there.
main.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.dataset.sound === undefined || event.defaultPrevented) return;
  event.preventDefault();
  if (!await flush()) return;
  tell("keeping");
  try {
    const answer = await fetch(form.action, { method: "POST", body: new FormData(form), headers: { Accept: "application/json" } });
    if (answer.ok) { location.reload(); return; }
    wrong(form, (await Answers.dataOf(answer)).reason);
    tell("kept");
  } catch { tell("lost"); }
});

main.addEventListener("change", ({ target }) => { if (target.type === "file") target.form.requestSubmit(); });

// --- open parts stay open, and new ones are opened ------------------------------------------------------------------

const OPEN = `scenario.${location.pathname}`;
const things = [...main.querySelectorAll("details.thing")];
const remembered = Stored.tab.get(OPEN);
if (remembered) for (const thing of things) thing.open ||= remembered.split(" ").includes(thing.id);

for (const thing of things) {
  thing.addEventListener("toggle", () => {
    Stored.tab.set(OPEN, things.filter((one) => one.open).map((one) => one.id).join(" "));
  });
}

const aimed = document.getElementById(location.hash.slice(1));
for (let thing = aimed; thing; thing = thing.parentElement.closest("details.thing")) thing.open = true;
aimed?.scrollIntoView({ block: "center" });
