// Handles a failed request: the form, its words and its button stay, and #problem says what happened.
//
//   #problem[data-…]   the words of this page for it (templates/parts/_problem.html)
//   [data-problem]     on an error page of the server: its own words, which are more exact than ours
//
// htmx swaps in an answer of 2xx alone, and only if it is of the address that was asked.
"use strict";
globalThis.Answers = (() => {
  const place = document.getElementById("problem"), { dataset: words } = place;
  place.setAttribute("role", "alert"); // no page comes with such a sentence
  const TOKEN = "[name=csrfmiddlewaretoken]", PAUSE = 10;

  const pageIn = (text) => new DOMParser().parseFromString(text, "text/html");
  const isJson = (answer) => (answer.headers.get("Content-Type") ?? "").startsWith("application/json");

  // The CSRF token of a page expires when its person signs in or out in another tab. The page's forms get the new token.
  async function renewToken() {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } }).catch(() => null);
    if (!answer?.ok || answer.redirected) return false;
    const token = pageIn(await answer.text()).querySelector(TOKEN)?.value;
    if (token) for (const field of document.querySelectorAll(TOKEN)) field.value = token;
    return Boolean(token);
  }

  async function toldBy(answer) {
    const text = await answer.text();
    if (isJson(answer)) return JSON.parse(text).reason;
    return pageIn(text).querySelector("[data-problem]")?.textContent.replace(/\s+/g, " ").trim();
  }

  async function reason(answer) {
    if (!answer) return words.lost;
    if (answer.redirected) return words.elsewhere;
    const told = await toldBy(answer).catch(() => "");
    if (told) return told;
    if (answer.status === 403) return await renewToken() ? words.stale : words.elsewhere;
    if (answer.status === 429) return words.until.replace("{seconds}", Number.parseInt(answer.headers.get("Retry-After"), 10) || PAUSE);
    return answer.status >= 500 ? words.failed : words.refused.replace("{status}", answer.status);
  }

  // Why an answer is none, in words; null is a line that brought none.
  const problem = async (answer) => `${await reason(answer)} ${words.kept}`.replace("。 ", "。");

  // The data of an answer to a script; { reason } where it has none, or nothing came.
  async function dataOf(answer) {
    const data = answer && isJson(answer) && !answer.redirected && await answer.clone().json().catch(() => null);
    return data || { reason: await problem(answer) };
  }

  // It lies at the other end of the screen than the pressed button, which is pressed again. A sheet would cover it.
  function say(said, pressed) {
    (pressed?.closest("dialog[open]") ?? document.body).append(place);
    place.classList.toggle("above", pressed?.getBoundingClientRect().bottom > innerHeight / 2);
    place.hidden = !said;
    place.querySelector("p").textContent = said;
  }

  const pressedIn = ({ sourceEvent, sourceElement }) => sourceEvent?.submitter ?? sourceElement;
  place.querySelector("button").addEventListener("click", () => say(""));
  document.addEventListener("htmx:before:request", () => { if (!place.hidden) say(""); });
  document.addEventListener("htmx:before:response", async (event) => {
    const { ctx } = event.detail, answer = ctx.response.raw;
    if (answer.ok && !answer.redirected) return;
    event.preventDefault();
    say(await problem(answer), pressedIn(ctx));
  });
  // Without a text nothing has come, or not all of it.
  document.addEventListener("htmx:error", async ({ detail: { ctx } }) => {
    if (ctx && ctx.text === undefined) say(await problem(null), pressedIn(ctx));
  });

  return { problem, dataOf, say };
})();
