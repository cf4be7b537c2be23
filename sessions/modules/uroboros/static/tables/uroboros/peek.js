// The GM looks at a player's hand: it is shown once, for a moment, and nothing of it stays in the page.
"use strict";
(() => {
  const SHOWN_FOR = 15000;
  const form = document.querySelector("[data-peeking]"), place = document.querySelector("[data-peeked]");
  if (!form || !place) return;
  const sheet = form.closest("dialog"), problem = form.querySelector("[data-lost]");
  let timer = 0;

  function putAway() {
    clearTimeout(timer);
    place.replaceChildren();
    place.hidden = true;
    sheet.classList.remove("is-peeked");
    form.hidden = false;
    problem.hidden = true;
    form.reset();
  }

  function show(html) {
    place.innerHTML = html;
    form.hidden = true;
    place.hidden = false;
    sheet.classList.add("is-peeked");
    timer = setTimeout(() => sheet.close(), SHOWN_FOR);
  }

  function complain(reason) {
    problem.textContent = reason;
    problem.hidden = false;
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (form.ariaBusy === "true") return;
    form.ariaBusy = "true";
    let reason = problem.dataset.lost;
    try {
      const answer = await fetch(form.action, { method: "POST", body: new FormData(form), cache: "no-store" });
      if (answer.ok && !answer.redirected) {
        const html = await answer.text();
        reason = "";
        if (sheet.open) show(html);
      } else reason = (await Answers.dataOf(answer)).reason;
    } catch { /* the reason stands */ }
    form.ariaBusy = "false";
    if (reason) complain(reason);
  });

  sheet.addEventListener("close", putAway);
  // A hidden page closes the hand.
  document.addEventListener("visibilitychange", () => { if (document.hidden && !place.hidden) sheet.close(); });
  addEventListener("pagehide", putAway);
})();
