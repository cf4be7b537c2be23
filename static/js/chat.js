// The chat on a live page: a message goes out by an ordinary form post. It gets an id when it is sent, so that the
// same words can be sent again after a lost connection; this device alone counts the unread messages.
"use strict";
(() => {
  const chat = document.querySelector("[data-chat]");
  if (!chat) return;
  const form = chat.querySelector("form"), box = form.elements.text;
  const refusal = chat.querySelector("[data-chat-refusal]"), unsent = chat.querySelector("[data-chat-unsent]");
  const editing = chat.querySelector("[data-chat-editing]"), sheet = document.getElementById("message-sheet");

  // --- drafts: kept over a reload, gone with the window -------------------------------------------

  const draftName = `chat.draft.${chat.dataset.chat}`;
  let draft = Stored.tab.read(draftName, { text: "" });
  let sending = false, tries = Number(draft.lost), timer = 0, latest = null;
  box.value = draft.text;

  function keep() {
    Stored.tab.write(draftName, draft);
    unsent.hidden = !(draft.lost && tries);
  }

  // A message that its writer changes no longer goes out by itself.
  function change() {
    draft.text = box.value;
    draft.lost = false;
    keep();
    refuse("");
  }

  form.addEventListener("input", change);

  function refuse(reason) {
    refusal.textContent = reason;
    refusal.hidden = !reason;
    box.setAttribute("aria-invalid", Boolean(reason));
    document.getElementById("alert").textContent = reason;
  }

  // --- sending -----------------------------------------------------------------------------------------------------

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (sending || !box.value.trim()) return;
    const data = new FormData(form);
    data.delete("csrfmiddlewaretoken");
    // With other words, or for others, it is a new message: the first may have arrived.
    const tried = `${changing ?? form.action}?${new URLSearchParams(data)}`;
    if (draft.tried !== tried) draft = { id: Sha256.hex(crypto.getRandomValues(new Uint8Array(16))), tried };
    draft.text = box.value;
    tries = 0;
    send();
  });

  // Send the pending message, even if the form has other words now. A second try has the same id: of a tab and its
  // duplicate, too, the server writes it once.
  async function send() {
    const [address, fields] = draft.tried.split("?"), body = new URLSearchParams(fields), { text } = draft;
    body.set("client_id", draft.id);
    clearTimeout(timer);
    sending = draft.lost = true;
    keep();
    refuse("");
    const answer = await post(address, body);
    sending = false;
    draft.lost &&= !(answer?.status < 502);
    if (answer?.status === 204) {
      if (address !== form.action) stopChanging();
      else {
        wear(text);
        if (box.value === text) box.value = "";
        draft = { text: box.value };
      }
      following[current()] = true;
    } else if (draft.lost) {
      timer = setTimeout(again, Math.min(2 ** ++tries, 30) * (1000 + 250 * Math.random()));
    } else refuseBy(answer);
    keep();
  }

  // Return the latest answer; null after a broken connection.
  async function post(address, body) {
    body.set("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
    return latest = await fetch(address, { method: "POST", body, headers: { Accept: "application/json" } }).catch(() => null);
  }

  // Its page is read first: a newer answer may have come.
  async function refuseBy(answer) {
    const { reason } = await Answers.dataOf(answer);
    if (answer === latest) refuse(reason);
  }

  // A face that a line named by its label stays chosen, as one that was tapped does.
  const folded = (label) => label.normalize("NFKC").replace(/\s+/g, "").toLowerCase();

  function wear(text) {
    const [, named] = /[@＠]([^@＠]*)$/.exec(text) ?? [];
    const face = named && [...form.querySelectorAll("[data-label]")].find((radio) => folded(radio.dataset.label) === folded(named));
    if (face) face.checked = true;
  }

  const again = () => { if (draft.lost && !sending) send(); };
  addEventListener("online", again);
  document.addEventListener("htmx:ws:after:connection", again);

  // Enter sends where there is a keyboard; on a phone it breaks the line, as its key says. Never while an IME composes:
  // 229 is what Safari still says after the composition has ended by this very key.
  const touch = matchMedia("(pointer: coarse)");
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || event.keyCode === 229) return;
    if (event.shiftKey || event.altKey || (touch.matches && !event.ctrlKey && !event.metaKey)) return;
    event.preventDefault();
    form.requestSubmit();
  });

  // --- the palette: a tap writes the line into the box, to be changed or sent ---------------------------------------------

  form.addEventListener("click", (event) => {
    const line = event.target.closest("[data-palette]");
    if (!line) return;
    box.value = box.value.trim() ? `${box.value.trimEnd()} ${line.textContent}` : line.textContent;
    change();
    line.closest("details").open = false;
    box.focus();
  });

  // --- one's own messages ---------------------------------------------------------------------------------------------

  let changing = null, chosen = null, before = "";

  chat.addEventListener("click", (event) => {
    const link = event.target.closest("[data-message]");
    if (!link) return;
    event.preventDefault();
    chosen = { url: link.href, text: link.closest(".msg").querySelector(".msg-text").textContent };
    sheet.querySelector("[data-message-text]").textContent = chosen.text;
    sheet.showModal();
  });
  sheet.querySelector("[data-message-edit]").addEventListener("click", () => {
    sheet.close();
    if (!changing) before = box.value;
    change();
    changing = chosen.url;
    box.value = chosen.text;
    editing.hidden = false;
    box.focus();
  });
  sheet.querySelector("[data-message-delete]").addEventListener("click", async () => {
    sheet.close();
    const answer = await post(chosen.url, new URLSearchParams("delete=1"));
    if (answer?.status !== 204) refuseBy(answer);
  });
  chat.querySelector("[data-chat-stop]").addEventListener("click", stopChanging);

  function stopChanging() {
    changing = null;
    editing.hidden = true;
    box.value = before;
    draft = { text: before };
    keep();
    box.focus();
  }

  // --- tabs: the one to write in, and the messages that were read -------------------------------------------------------------------

  const panels = [...chat.querySelectorAll("[data-chat-panel]")];
  const current = () => panels.find((panel) => !panel.hidden).dataset.chatPanel;
  const following = {};
  const seenName = `chat.seen.${chat.dataset.chat}`;

  function showTab() {
    chat.dataset.tab = form.elements.tab.value = current();
    allow();
    arrived();
  }

  // Whether one may write here can change while one looks.
  function allow() {
    showSpeaker();
    const open = document.getElementById("chat_with").dataset.openTabs.split(" ").includes(current());
    chat.classList.toggle("is-shut", !open);
  }

  // Who speaks as themselves has no faces to choose from.
  function showSpeaker() {
    chat.classList.toggle("as-seat", document.querySelector("#chat_with select[name=speaker]")?.value === "seat");
  }

  chat.addEventListener("change", showSpeaker);
  chat.addEventListener("takujo:tab", () => { refuse(""); showTab(); });

  function arrived() {
    const seen = Stored.device.read(seenName, {}), before = JSON.stringify(seen);
    let all = 0;
    for (const panel of panels) {
      const tab = panel.dataset.chatPanel;
      const others = [...panel.querySelectorAll(".msg:not(.mine)")].map((message) => Number(message.dataset.at));
      if (panel.checkVisibility() && !document.hidden) {
        seen[tab] = Math.max(seen[tab] ?? 0, ...others);
        if (following[tab] ?? true) panel.scrollTop = panel.scrollHeight;
      }
      const unread = others.filter((at) => at > (seen[tab] ?? 0)).length;
      all += unread;
      badge(tab, unread);
    }
    badge("all", all);
    announce(seen.whisper ?? 0);
    if (JSON.stringify(seen) !== before) Stored.device.write(seenName, seen);
  }

  function badge(name, count) {
    for (const mark of document.querySelectorAll(`[data-unread="${name}"]`)) {
      mark.hidden = !count;
      mark.textContent = count || "";
    }
  }

  // At a desk the newest whisper that was not read yet waits with all else that waits.
  const whispers = document.querySelector("[data-whispers]");

  function announce(seen) {
    if (!whispers) return;
    const all = [...document.querySelectorAll("#chat_whisper .msg:not(.mine)")];
    const newest = all.filter((message) => message.dataset.at > seen).at(-1);
    if (whispers.hidden !== !newest) {
      whispers.hidden = !newest;
      document.dispatchEvent(new CustomEvent("live:shows"));
    }
    whispers.querySelector("[data-whisper-from]").textContent = newest?.querySelector(".msg-head > b").textContent ?? "";
    whispers.querySelector("[data-whisper-text]").textContent = newest?.querySelector(".msg-text")?.textContent ?? "";
  }

  whispers?.addEventListener("click", () => {
    for (const tab of ["gm-tab-chat", "chat-tab-whisper"]) document.getElementById(tab).click();
  });

  for (const panel of panels) {
    new MutationObserver(arrived).observe(panel, { childList: true, subtree: true });
    new ResizeObserver(arrived).observe(panel); // there is less room while something waits beside it
    panel.addEventListener("scroll", () => {
      following[panel.dataset.chatPanel] = panel.scrollTop + panel.clientHeight > panel.scrollHeight - 24;
    });
  }

  document.addEventListener("htmx:ws:after:message:incoming", allow);
  document.addEventListener("visibilitychange", arrived);
  // A sheet or a tab that opens shows what is in it.
  document.addEventListener("click", () => setTimeout(arrived));
  document.addEventListener("takujo:tab", () => setTimeout(arrived));

  // A keyboard on the screen covers what is fixed to its bottom edge: the sheet goes above it.
  visualViewport?.addEventListener("resize", () => {
    const covered = Math.max(0, innerHeight - visualViewport.height - visualViewport.offsetTop);
    document.documentElement.style.setProperty("--keyboard", `${covered}px`);
  });

  again();
  showTab();
  showSpeaker();
})();
