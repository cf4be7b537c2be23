// A live page: moves go out with an id of their own, HTML comes in, and a lost connection is opened again.
//
// htmx's websocket extension holds the socket and swaps the incoming HTML. Added here are the needs of a phone at a table on
// top: an outbox that survives a lost connection, a heartbeat that notices a dead one, and words about both.
(() => {
  "use strict";

  const live = document.getElementById("live");
  const table = document.getElementById("table");
  const connection = document.getElementById("connection");
  const say = document.getElementById("say");
  const twice = document.getElementById("twice");
  const alertPlace = document.getElementById("alert");

  const PING_EVERY = 5000, DEAD_AFTER = 12000, PROVED_WITHIN = 4000, SHOW_UNSENT_AFTER = 1000, SHOW_LOST_AFTER = 1500, SHOW_STUCK_AFTER = 15000, BACK_SHOWN_FOR = 2500;
  const LONGEST_SILENCE = 30 * 1000, ONLINE_SPREAD = 1000, TOO_MANY = 4429, TRY_AGAIN = 1013;
  const RELOAD_APART = 10 * 1000, SLEEPY_AFTER = 10 * 60 * 1000;

  // --- the line -------------------------------------------------------------------------------------------------

  // Private to the extension: pinned with its version, and kept by a browser test.
  const line = () => live._htmx?.ws?.connection;
  const isOpen = () => line()?.socket?.readyState === WebSocket.OPEN;

  // By a monotonic clock. It may stand still while a phone sleeps (see prove).
  let heardAt = performance.now(), lostAt = 0, wasLost = false, keptAt = 0, toldUntil = 0;

  // A server that is slow because all phones come back at once must not be asked by all of them again and again: each connection
  // that brings nothing doubles the wait for the next one, and no two phones wait equally long.
  let patience = spread(DEAD_AFTER);

  function spread(time) { return time * (0.8 + 0.4 * Math.random()); }

  const isSilent = () => performance.now() - heardAt > patience;

  function show(state) { if (connection.dataset.state !== state) connection.dataset.state = state; }

  // A notice stays for a while, even if the connection's state changes.
  function showFor(state, time) {
    show(state);
    toldUntil = performance.now() + time;
  }

  const isStuck = () => outbox && performance.now() - keptAt > SHOW_UNSENT_AFTER;

  // The server runs but cannot reach its data: it said so in a frame, or by the code with which it closed the socket.
  let dataAway = false;

  // This table's work does not come back: the server says so, and when it goes on.
  let stalled = false;

  function showStall(is) {
    stalled = is;
    if (is) say.textContent = connection.querySelector("[data-when=stalled]").textContent.trim();
    showLine();
  }

  function dataIsBack() {
    dataAway = wasLost = false;
    showFor("back", BACK_SHOWN_FOR);
    post();
    flush();
  }

  function showLine() {
    if (document.hidden) return;
    if (dataAway) { show(outbox ? "unsent" : "nodata"); return; }
    if (isOpen() && !lostAt) { if (stalled) show("stalled"); else if (performance.now() >= toldUntil) show(isStuck() ? "unsent" : "on"); return; }
    const silent = performance.now() - (lostAt || performance.now());
    if (silent < SHOW_LOST_AFTER) return;
    wasLost = true;
    show(outbox ? "unsent" : silent < SHOW_STUCK_AFTER ? "lost" : "stuck");
  }

  function revive() {
    const old = line();
    heardAt = performance.now();
    if (old) {
      // A socket that died unnoticed cannot be closed properly; let go of it and open another.
      clearTimeout(old.timer);
      old.abortController?.abort();
      document.removeEventListener("visibilitychange", old.visibilityHandler);
      try { old.socket?.close(); } catch { /* it was dead */ }
      delete live._htmx.ws.connection;
    }
    htmx.trigger(live, "revive");
  }

  // --- the server's clock, from the quickest of the last answers ---------------------------------------------------
  let pingedAt = 0, quickest = Infinity;

  function ping() {
    pingedAt = performance.now();
    line().socket.send('{"ping": 1}');
  }

  function clocked(server) {
    const now = performance.now(), trip = now - pingedAt;
    quickest += 1; // an old measurement may have drifted
    if (trip > quickest) return;
    quickest = trip;
    document.dispatchEvent(new CustomEvent("takujo:clock", { detail: { ahead: server + trip / 2 - now } }));
  }

  document.addEventListener("htmx:ws:after:connection", () => {
    heardAt = performance.now();
    quickest = Infinity;
    ping();
    lostAt = 0;
    stalled = false; // A new connection says so again.
    showTwice(false); // A new connection measures soon.
    if (dataAway) return; // An open line may only be there to say so again.
    if (wasLost) {
      wasLost = false;
      showFor("back", BACK_SHOWN_FOR);
      say.textContent = connection.querySelector("[data-when=back]").textContent;
    } else {
      show("on");
    }
    if (table) for (const sheet of document.querySelectorAll("dialog.sheet[open]")) tell({ opened: sheet.id });
    post();
    flush();
  });

  // Whether this seat is open on another screen, too. The table face has no seat, and no place to say so.
  function showTwice(is) {
    if (!twice) return;
    twice.hidden = !is;
    if (is) say.textContent = twice.textContent.trim();
  }

  // Not right after a reload: a browser that keeps the cookie from the socket would reload for ever.
  function reloads() {
    const [came] = performance.getEntriesByType("navigation");
    if (came?.type === "reload" && performance.now() < RELOAD_APART) return false;
    location.reload();
    return true;
  }

  document.addEventListener("htmx:ws:close", (event) => {
    // Codes of ours mean that this page has nothing to show any more: the server says why.
    if (event.detail.code >= 4400 && event.detail.code !== TOO_MANY && reloads()) return;
    if (event.detail.code === TRY_AGAIN) dataAway = true;
    lostAt ||= performance.now();
  });

  document.addEventListener("htmx:ws:error", (event) => {
    if (event.detail.error) lostAt ||= performance.now();
  });

  setInterval(() => {
    if (document.hidden) return;
    if (isOpen()) ping();
    if (isSilent()) {
      lostAt ||= performance.now();
      patience = spread(Math.min(2 * patience, LONGEST_SILENCE));
      revive();
    }
  }, PING_EVERY);
  setInterval(showLine, 500);

  // A phone that slept may hold a socket that looks open and is dead: one that is looked at again has to answer soon.
  function prove() {
    const asked = performance.now();
    ping();
    setTimeout(() => { if (heardAt < asked && isOpen() && !document.hidden) revive(); }, PROVED_WITHIN);
  }

  // All phones of a house hear at once that its network is back.
  addEventListener("online", () => setTimeout(revive, ONLINE_SPREAD * Math.random()));
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && isOpen()) { if (isSilent()) revive(); else prove(); }
  });
  addEventListener("pageshow", (event) => { if (event.persisted) revive(); });
  connection.querySelector("[data-revive]").addEventListener("click", revive);

  // --- moves out ------------------------------------------------------------------------------------------------

  // One move at a time of one seat: a move is kept until the table has answered, even across a reload. A stand-in's
  // move is not sent as one's own.
  const boxName = `outbox.${table?.dataset.table ?? ""}.${table?.dataset.seat ?? ""}`;
  let outbox = Stored.tab.read(boxName);

  function keep(frame) {
    if (frame) keptAt = performance.now();
    outbox = frame;
    if (frame) Stored.tab.write(boxName, frame); else Stored.tab.remove(boxName);
    post(); // It goes out before the page changes.
    showBusy();
  }

  function showBusy() { table?.classList.toggle("is-sending", Boolean(outbox)); }

  function post() {
    if (outbox && isOpen()) line().socket.send(JSON.stringify(outbox));
  }

  // Plain http on the local network has no crypto.randomUUID.
  function newId() {
    return Sha256.hex(crypto.getRandomValues(new Uint8Array(16))).replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
  }

  // A form's move: its data-move, its named fields, and the button that sent it. [data-kinds]: the fields that are not text (sessions/engine/forms.py).
  function composed(form, button) {
    const move = JSON.parse(form.dataset.move), kinds = JSON.parse(form.dataset.kinds ?? "{}");
    for (const field of form.elements) if (field.name && !field.disabled && (field === button || !/submit|button/.test(field.type))) fill(move, field, kinds);
    return move;
  }

  // "active.seat" fills {"active": {"seat": …}}, and "seat position" both from one JSON. A field that the move has not is sent as it is:
  // the table says that it cannot be read.
  function fill(move, { name, type, value, checked }, kinds) {
    const path = name.split("."), last = path.pop(), isOff = /radio|checkbox/.test(type) && !checked;
    if (name.includes(" ")) return Object.assign(move, JSON.parse(value || "{}"));
    let kind = kinds, place = move;
    for (const part of path) { kind = kind?.[part]; place = place[part] ??= {}; }
    kind = kind?.[last] ?? "text";
    if (Array.isArray(kind)) {
      place[last] ??= [];
      // A hidden field may hold a list whole.
      if (value && !isOff) place[last].push(...[valued(value, type === "hidden" && value[0] === "[" ? "json" : kind[0])].flat());
    }
    else if (type === "checkbox" && /^bool/.test(kind)) place[last] = checked;
    else if (isOff) return;
    else if (value) place[last] = valued(value, kind);
    else if (/^text$|\?$/.test(kind)) place[last] = kind === "text" ? "" : null;
  }

  // "true" and "false" are JSON, and so are structures.
  function valued(value, kind) {
    return /^text/.test(kind) ? value : /^int/.test(kind) ? Number.parseInt(value.normalize("NFKC"), 10) : JSON.parse(value);
  }

  function send(move) {
    if (outbox) return;
    const pulse = document.getElementById("pulse");
    keep({ id: newId(), version: Number(pulse.dataset.version), asked: pulse.dataset.asked, move });
    refused("");
  }

  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-move]");
    if (!form) return;
    event.preventDefault();
    try { send(composed(form, event.submitter)); } catch (problem) {
      // A form that its game has written wrongly: without this a tap would do nothing and say nothing.
      refused(document.getElementById("refusal")?.dataset.broken ?? "");
      throw problem;
    }
    form.closest("dialog")?.close();
    document.dispatchEvent(new CustomEvent("table:sent", { detail: { form } }));
  });

  connection.querySelector("[data-unsend]").addEventListener("click", () => { keep(null); showLine(); });

  // Frames that are no moves (care.js) wait in memory alone, so that a lost connection leaves no trace of them on the phone.
  const waiting = [];

  function tell(frame) { if (isOpen()) line().socket.send(JSON.stringify(frame)); }

  // A bottom sheet is rendered only while it is open; a new connection reports the open sheets again.
  new MutationObserver((changes) => {
    for (const { target } of changes)
      if (table && target.matches("dialog.sheet")) tell(target.open ? { opened: target.id } : { closed: target.id });
  }).observe(document.body, { subtree: true, attributeFilter: ["open"] });

  function flush() {
    while (waiting.length && isOpen()) line().socket.send(JSON.stringify(waiting.shift()));
  }

  document.addEventListener("live:send", (event) => { waiting.push(event.detail); flush(); });

  // Frames that would mean nothing later are lost with the connection.
  document.addEventListener("live:now", (event) => tell(event.detail));

  // The GM calls the phone of a seat: <button data-nudge="p1">.
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-nudge]");
    if (button) tell({ nudge: button.dataset.nudge });
  });

  // --- verbs of the evening: buttons of #act with data-stay. Their changes come over the websocket -----------------

  document.addEventListener("submit", async (event) => {
    const form = event.target, button = event.submitter;
    if (form.id !== "act" || button?.dataset.stay === undefined || event.defaultPrevented) return;
    event.preventDefault();
    refused("");
    button.ariaBusy = "true";
    try {
      const answer = await fetch(button.formAction, { method: "POST", body: new FormData(form, button) });
      if (!answer.ok) { Answers.say(await Answers.problem(answer), button); return; }
      const there = new URL(answer.url);
      if (there.pathname !== location.pathname) { location.assign(there); return; }
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const words = page.querySelector(".messages");
      document.querySelector(".messages")?.remove();
      if (words) document.querySelector("main").before(words);
    } catch {
      Answers.say(await Answers.problem(null), button);
    } finally {
      button.ariaBusy = null;
    }
  });

  // --- answers and views in -------------------------------------------------------------------------------------

  function refused(reason, rule = null) {
    const place = document.getElementById("refusal");
    if (place && (reason || !place.hidden)) {
      const more = place.querySelector("[data-rule]");
      place.querySelector("[data-reason]").textContent = reason;
      place.hidden = !reason;
      more.hidden = !rule;
      more.dataset.rule = more.querySelector("span").textContent = rule ?? "";
    }
    alertPlace.textContent = reason;
    if (reason) { buzz([20, 30, 20]); document.dispatchEvent(new CustomEvent("table:refused")); }
  }

  document.addEventListener("htmx:ws:before:message:incoming", (event) => {
    heardAt = performance.now();
    patience = spread(DEAD_AFTER);
    const shown = Number(table?.dataset.version ?? -1);
    const version = /data-version="(\d+)"/.exec(event.detail.message.data)?.[1];
    // A late view must not cover a newer one.
    if (version !== undefined && Number(version) < shown) event.detail.cancelled = true;
  });

  document.addEventListener("htmx:ws:after:message:incoming", (event) => {
    const data = event.detail.message.data;
    if (data.startsWith("{")) { answered(JSON.parse(data)); return; }
    if (dataAway) dataIsBack();
    arrived();
  });

  // A face in a stream stays one wherever the play goes on (stream.js).
  function goTo(address) {
    const there = new URL(address || location.href, location.href);
    if ("stream" in document.documentElement.dataset) there.search = location.search;
    location.assign(there);
  }

  function answered(message) {
    if (message.go !== undefined) { goTo(message.go); return; }
    if (message.twice !== undefined) showTwice(message.twice === 1);
    if (message.pong) clocked(message.pong);
    if (message.stalled !== undefined) showStall(message.stalled === 1);
    if (message.data === 1) dataIsBack();
    if (message.data === 0) { dataAway = true; showLine(); }
    if (message.nudge) { calledUp(); alertPlace.textContent = connection.querySelector("[data-when=nudged]").textContent; showFor("nudged", BACK_SHOWN_FOR); return; }
    if (!("accepted" in message) && !("refused" in message)) return;
    if (outbox?.id !== message.id) return;
    keep(null);
    // The end says itself that a move came too late for it.
    if ("refused" in message && !(isOver() && /^(stale|game_over)$/.test(message.refused))) refused(message.reason, message.rule);
    showLine();
  }

  // A push has a stub for an unchanged element, and the page keeps its own element of that id (companion/rendering/markup.py).
  // And htmx looks at every attribute of a region for its own: a fifth of a phone's work, where it has none.
  const ACTS = "[hx-get], [hx-post], #live";
  htmx.registerExtension("parts", {
    htmx_before_morph_node: (_, { newNode }) => !newNode.hasAttribute("data-kept"),
    htmx_before_process: (part) => part.matches(ACTS) || part.querySelector(ACTS) !== null,
  });

  // The log stays at its newest line, unless its reader has scrolled up.
  let following = true;

  function follow() {
    const log = document.getElementById("log"), sheet = log?.closest("dialog");
    if (following && (sheet?.open ?? true)) for (const box of [log, sheet]) if (box) box.scrollTop = box.scrollHeight;
  }

  document.addEventListener("scroll", (event) => {
    const box = event.target;
    if (box.id === "log") following = box.scrollTop + box.clientHeight > box.scrollHeight - 24;
  }, true);
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-open=log-sheet]")) setTimeout(follow);
  });
  follow();
  const lines = document.getElementById("log");
  if (lines) new ResizeObserver(follow).observe(lines);  // there is less room while something waits beside it

  // A card that comes to every phone at once buzzes on every phone alike, so that it tells nothing of its contents.
  let noticed = document.querySelector("[data-notice]")?.dataset.notice ?? "";

  function notice() {
    const card = document.querySelector("[data-notice]");
    if (card && card.dataset.notice !== noticed) {
      for (const sheet of document.querySelectorAll("dialog[open]:not(.is-beside)")) sheet.close();
      buzz([60, 40, 60]);
      chime();
      card.querySelector("summary").focus();
    }
    noticed = card?.dataset.notice ?? noticed;
  }

  let called = document.querySelector("[data-call]")?.dataset.call ?? "";

  const isOver = () => document.getElementById("pulse")?.dataset.ended !== undefined;
  let wasOver = isOver();

  // What a region shows, in words: <p data-shows="over">. Styles of what lies round it ask for body[data-shows~="over"].
  // The server says it first (templatetags/table.py); by :has() each push would restyle the whole page.
  function showState() {
    const words = [...document.body.querySelectorAll("[data-shows]:not([hidden])")].flatMap((one) => one.dataset.shows.split(" "));
    const state = [...new Set(words)].filter(Boolean).sort().join(" ");
    if (document.body.dataset.shows !== state) document.body.dataset.shows = state;
  }

  document.addEventListener("live:shows", showState);

  function arrived() {
    showState();
    const pulse = document.getElementById("pulse");
    if (table && pulse) table.dataset.version = pulse.dataset.version;
    if (isOver() && !wasOver) {
      // Why an earlier question's answer was refused means nothing after the last one; the end begins at the top.
      refused("");
      scrollTo(0, 0);
    }
    wasOver = isOver();
    notice();
    document.dispatchEvent(new CustomEvent("table:arrived"));
    const prompt = document.querySelector("[data-call]");
    if (prompt && prompt.dataset.call !== called) {
      called = prompt.dataset.call;
      // First all phones show the event and buzz alike; then the awaited players are called.
      if (called) setTimeout(calledUp, Math.max(0, momentUntil - performance.now()));
    }
    follow(); // last: the layout that it asks for is the one that will be painted
  }

  // --- being called ---------------------------------------------------------------------------------------------

  // The switches of the settings sheet; base.js shows them on the root.
  const wants = (name) => name in document.documentElement.dataset;

  // A browser lets a page buzz and sound only after its first touch.
  const touched = () => navigator.userActivation?.hasBeenActive;

  function buzz(pattern) {
    if (wants("vibrate") && touched()) navigator.vibrate?.(pattern);
  }

  function chime(notes = [[0, 660], [0.14, 880]]) {
    if (wants("sound") && touched()) Sound.chime(notes);
  }

  document.addEventListener("takujo:care", () => { buzz([60, 40, 60]); chime(); });

  // An animation for all buzzes alike on every phone; its sound tells the result.
  const MOMENTS = { good: [[0, 392], [0.25, 784]], bad: [[0, 392], [0.25, 294]] };
  let momentUntil = 0;
  document.addEventListener("takujo:coming", ({ detail: { until } }) => { momentUntil = until; });
  document.addEventListener("takujo:moment", ({ detail: { tone } }) => {
    buzz([35, 215, 60]);
    if (!document.querySelector("[data-bell]")) chime(MOMENTS[tone]); // the table's face has a bell of its own
  });

  function calledUp() {
    document.dispatchEvent(new CustomEvent("takujo:called"));
    buzz([60, 40, 60]);
    chime();
    table?.classList.remove("is-called");
    requestAnimationFrame(() => table?.classList.add("is-called"));
  }

  // --- the screen stays on ---------------------------------------------------------------------------------------

  // Absent on plain http: there the settings sheet asks people to switch the automatic lock off instead.
  const canStayOn = Boolean(navigator.wakeLock);
  for (const part of document.querySelectorAll("[data-stay-on]")) part.hidden = (part.dataset.stayOn === "yes") !== canStayOn;

  let lock = null, sleepy = 0;

  async function keepAwake() {
    if (!table || !canStayOn || !wants("awake") || document.hidden || (lock && !lock.released)) return;
    try { lock = await navigator.wakeLock.request("screen"); } catch { /* low battery: tried again at the next tap */ }
    stir();
  }

  // A table where nothing happens lets the screen go dark.
  function stir() {
    clearTimeout(sleepy);
    sleepy = setTimeout(() => lock?.release(), SLEEPY_AFTER);
  }

  document.addEventListener("pointerup", keepAwake);
  document.addEventListener("visibilitychange", keepAwake);
  document.addEventListener("table:arrived", stir);

  // A switch that is turned on plays its sound, buzzes or acts at once.
  document.addEventListener("takujo:pref", ({ detail: { name } }) => {
    if (name === "sound") chime();
    if (name === "vibrate") buzz([30]);
    if (name === "awake") { if (wants("awake")) keepAwake(); else lock?.release(); }
  });

  // --- the fingerprint of the table's chance ---------------------------------------------------------------------

  // Noted the first time this device sees the table, for verify.js to compare when the secret is published. A data folder
  // that was emptied has other tables under the same numbers: their opening times differ.
  function noteFingerprint({ table: number, commitment, opened }) {
    if (!commitment) return;
    const name = "fingerprint." + number;
    if (Stored.device.read(name)?.opened === opened) return;
    Stored.device.write(name, { commitment, opened, at: new Date().toISOString() });
  }
  if (table) {
    noteFingerprint(table.dataset);
    const { evening, eveningOpened, rolls } = table.dataset;
    noteFingerprint({ table: `rolls.${evening}`, commitment: rolls, opened: eveningOpened });
  }

  showBusy();
})();
