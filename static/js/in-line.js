// Heavy requests wait in a queue: the server answers with the place in it, and this script asks again.
"use strict";
async function inLine(address, told = () => {}) {
  for (;;) {
    const answer = await fetch(address, { cache: "no-store" });
    const waits = [429, 503].includes(answer.status) && answer.headers.get("Content-Type") === "application/json";
    if (!waits) return answer;
    told((await answer.json()).reason);
    await new Promise((done) => setTimeout(done, 1000 * answer.headers.get("Retry-After")));
  }
}
