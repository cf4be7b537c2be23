// The rules to read: the search of a book, and the sheet of a table that opens at a clause.
"use strict";
(() => {
  // --- the search: hides the clauses that lack a word ---
  const plain = (text) => text.normalize("NFKC").toLowerCase();

  function search(form) {
    const book = form.closest("[data-book]"), status = form.querySelector("[role=status]");
    const words = plain(form.querySelector("input").value).split(/\s+/).filter(Boolean);
    let found = 0;
    for (const clause of book.querySelectorAll(".clause")) {
      const text = plain(clause.textContent);
      clause.hidden = !words.every((word) => text.includes(word));
      found += !clause.hidden;
    }
    for (const chapter of book.querySelectorAll(".chapter")) chapter.hidden = !chapter.querySelector(".clause:not([hidden])");
    book.classList.toggle("is-searched", words.length > 0);
    status.textContent = found ? "" : status.dataset.none;
  }

  const start = (place) => { for (const form of place.querySelectorAll("[data-book-search]")) form.hidden = false; };
  document.addEventListener("input", (event) => { const form = event.target.closest("[data-book-search]"); if (form) search(form); });
  document.addEventListener("submit", (event) => { if (event.target.matches("[data-book-search]")) event.preventDefault(); });
  start(document);

  // --- to a clause: one that the search hid comes back ---
  function go(book, id) {
    const place = book.querySelector(`[id="${CSS.escape(id)}"]`);
    if (!place) return;
    const form = book.querySelector("[data-book-search]");
    if (place.closest("[hidden]")) { form.reset(); search(form); }
    for (const asked of book.querySelectorAll(".is-asked")) asked.classList.remove("is-asked");
    place.classList.add("is-asked");
    place.scrollIntoView({ block: "start" });
    place.focus({ preventScroll: true });
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-book] a[href^='#']");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const book = link.closest("[data-book]");
    // In a sheet the address of the table stays as it is.
    if (link.closest("dialog")) event.preventDefault();
    go(book, link.hash.slice(1));
  });

  // --- the sheet: fetched once, when it is first wanted ---
  const sheet = document.getElementById("rules-sheet");
  const place = sheet?.querySelector("[data-rules]");
  const book = () => place.querySelector("[data-book]");
  let asked = "", fetching = false;

  async function fetchBook() {
    if (fetching || book()) return;
    fetching = true;
    const wait = place.querySelector("[data-rules-wait]"), lost = place.querySelector("[data-rules-lost]");
    wait.hidden = false;
    lost.hidden = true;
    try {
      const answer = await fetch(place.dataset.rules, { headers: { "HX-Request": "true" } });
      if (!answer.ok) throw new Error(String(answer.status));
      place.innerHTML = await answer.text();
      start(place);
      if (asked) go(book(), asked);
    } catch {
      wait.hidden = true;
      lost.hidden = false;
    }
    fetching = false;
  }

  function open(id) {
    asked = id;
    if (!sheet.open) sheet.dispatchEvent(new CustomEvent("sheet:show", { bubbles: true }));
    if (book()) { if (id) go(book(), id); } else fetchBook();
  }

  // <a data-rule="UC-4.2" href="/t/1/rules/#UC-4.2">, and <button data-rule="UC-4.2">
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-rule]");
    if (sheet && link && !event.ctrlKey && !event.metaKey && !event.shiftKey) { event.preventDefault(); open(link.dataset.rule); }
    if (event.target.closest("[data-open=rules-sheet]")) open("");
    if (event.target.closest("[data-rules-again]")) fetchBook();
  });
})();
