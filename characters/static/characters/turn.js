// A drawn fate is turned card by card. The server has drawn the cards; this script makes only the backs,
// and this tab remembers the turned cards. Without scripts all cards lie open.
"use strict";
(() => {
  const table = document.querySelector("[data-turning]");
  if (!table) return;
  const cards = [...table.children];
  const back = document.querySelector("[data-back]").content.firstElementChild;
  const bar = document.querySelector("[data-turn-bar]");
  const after = document.querySelector("[data-when-turned]");
  const say = document.getElementById("say");
  const key = `turned:${table.dataset.turning}`;
  const turned = new Set(Stored.tab.read(key, []));
  const keep = () => Stored.tab.write(key, [...turned]);

  const buttons = cards.map((card, place) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "turn";
    button.setAttribute("aria-label", table.dataset.name.replace("{n}", `${place + 1} / ${cards.length}`));
    button.append(back.cloneNode(true));
    button.addEventListener("click", () => turn(place));
    return button;
  });

  const settle = () => {
    const left = cards.filter((_, place) => !turned.has(place)).length;
    bar.hidden = !left;
    after.hidden = Boolean(left);
    return left;
  };
  const lay = (place) => { if (buttons[place].isConnected) buttons[place].replaceWith(cards[place]); };
  const turn = (place) => {
    turned.add(place);
    keep();
    lay(place);
    cards[place].classList.add("turn-in");
    say.textContent = cards[place].getAttribute("aria-label") ?? "";
    if (settle()) buttons.find((button) => button.isConnected).focus({ preventScroll: true });
    else finish();
  };
  const finish = () => {
    const title = after.querySelector("h1");
    title.tabIndex = -1;
    title.focus({ preventScroll: true });
    after.scrollIntoView({ block: "nearest" });
  };

  cards.forEach((card, place) => { if (!turned.has(place)) card.replaceWith(buttons[place]); });
  table.classList.add("is-ready");
  settle();
  bar.querySelector("[data-turn-all]").addEventListener("click", () => {
    cards.forEach((card, place) => { turned.add(place); lay(place); });
    keep();
    settle();
    finish();
  });
})();
