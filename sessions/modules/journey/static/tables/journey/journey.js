// Journey: ghosts on the board for what a choice would do, and the switch "pause for letters".
(() => {
  "use strict";

  const board = () => document.getElementById("board");
  const dayOf = (number) => board()?.querySelector(`.day[data-day="${number}"]`);

  // --- ghosts: where the pawns of the raised card, or of the button under the finger, would stand ---------------

  function clear() {
    for (const ghost of document.querySelectorAll("#board .ghost")) ghost.remove();
    for (const marked of document.querySelectorAll("#board .landing, #board .falling")) marked.classList.remove("landing", "falling");
  }

  function ghost(pawn, number) {
    const standing = dayOf(number)?.querySelector(".standing");
    if (!standing || standing.querySelector(`[data-pawn="${pawn}"]`)) return;
    const shape = document.createElement("span");
    shape.className = "pawn ghost";
    shape.dataset.pawn = pawn;
    shape.ariaHidden = "true";
    if (pawn !== "white") shape.textContent = pawn.toUpperCase();
    standing.append(shape);
  }

  function raised() {
    const pick = document.querySelector("#hand input[name=raised]:checked");
    return pick && document.querySelector(`#hand .preview[data-slot="${pick.dataset.slot}"]`);
  }

  function draw(way = null) {
    const preview = raised();
    document.getElementById("table").classList.toggle("has-chosen", Boolean(preview));
    for (const one of document.querySelectorAll("#hand .preview")) one.classList.toggle("is-chosen", one === preview);
    if (document.documentElement.classList.contains("trying")) return;
    clear();
    if (preview) {
      ghost("white", preview.dataset.white);
      dayOf(preview.dataset.white)?.classList.add("landing");
      if (preview.dataset.falls) document.getElementById(`board-event-${preview.dataset.falls}`)?.classList.add("falling");
    }
    // One way under the finger; before that both, where there are no more than two.
    const ways = preview?.querySelectorAll("button[data-a]") ?? [];
    for (const shown of way ? [way] : ways.length > 2 ? [] : ways) { ghost("a", shown.dataset.a); ghost("b", shown.dataset.b); }
  }

  // A raised card makes the hand taller: the seven days come out from under it, and the header makes room.
  function uncover() {
    const hand = document.querySelector(".phone-hand");
    const hidden = hand ? board().getBoundingClientRect().bottom - hand.getBoundingClientRect().top : 0;
    if (hidden > 0) scrollBy(0, hidden);
  }

  // Escape (keys.js)
  document.addEventListener("hand:back", () => {
    for (const pick of document.querySelectorAll("#hand input[name=raised]:checked")) pick.checked = false;
    draw();
  });
  document.addEventListener("change", (event) => { if (event.target.name === "raised") { draw(); uncover(); } });
  for (const kind of ["pointerover", "focusin"]) {
    document.addEventListener(kind, (event) => {
      const way = event.target.closest?.("#hand button[data-a]");
      if (way) draw(way); else if (kind === "pointerover" && event.pointerType === "mouse") draw();
    });
  }

  // --- pauses: with the switch off, they go on by themselves -------------------------------------------------------

  const NAME = "journey-pauses";
  const pauses = () => Stored.device.get(NAME) !== "off";

  function pass() {
    if (pauses() || !document.dispatchEvent(new CustomEvent("journey:pass", { cancelable: true }))) return;
    document.querySelector("#hand form[data-pass]")?.requestSubmit();
  }

  const knob = document.querySelector("[data-journey-pauses]");
  if (knob) {
    knob.checked = pauses();
    knob.addEventListener("change", () => {
      Stored.device.set(NAME, knob.checked ? "on" : "off");
      pass();
    });
  }

  document.addEventListener("table:arrived", () => { draw(); pass(); });
  document.addEventListener("htmx:ws:after:connection", pass);
})();
