// Bringing NPCs to the table: the choice is fetched when its sheet opens, and what was chosen is sent once.
"use strict";
(() => {
  const place = document.querySelector("[data-spawn]"), wait = place?.innerHTML;

  async function fetchChoice() {
    place.innerHTML = wait;
    try {
      const answer = await fetch(place.dataset.spawn);
      if (answer.ok) place.innerHTML = await answer.text();
    } catch { /* the line is lost, which the page says by itself */ }
  }

  document.addEventListener("click", (event) => { if (event.target.closest("[data-open=npc-sheet]")) fetchChoice(); });

  place?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = event.target, chosen = event.submitter, refused = form.querySelector("[data-spawn-refused]");
    if (form.ariaBusy === "true" || !chosen) return;
    const wish = new FormData(form);
    if (chosen.name) wish.append(chosen.name, chosen.value);
    form.ariaBusy = "true";
    refused.hidden = true;
    let reason = refused.dataset.lost;
    try {
      const answer = await fetch(form.action, { method: "POST", body: wish });
      reason = answer.ok && !answer.redirected ? "" : (await Answers.dataOf(answer)).reason;
    } catch { /* the reason stands */ }
    form.ariaBusy = "false";
    if (!reason) { form.closest("dialog").close(); return; }
    refused.textContent = reason;
    refused.hidden = false;
  });
})();
