// Copies of one's own table and sheets, and of help and rules, on this device, to be read without a connection. Only where browsers allow service
// workers: over https, and on the serving machine itself.
//
// The server says what may be kept, and of whom (/kept/). A copy is the page as it is seen, without anything to press and
// without a script; the worker shows it, and drops it when another person uses the device.
"use strict";
(() => {
  let canKeep = false;
  try { canKeep = Boolean(isSecureContext && navigator.serviceWorker && window.caches); } catch { /* forbidden */ }
  if (!canKeep) return;
  const AFTER = 2000, LIVE = "live";
  // A copy can neither run a script nor send a request.
  const POLICY = "default-src 'none'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:";
  const GOES = "script, noscript, template, dialog, iframe, select, textarea, input:not(.pick > input), .no-print, .btn, .commit, .phone-icons, "
    + ".cover, .skip, .messages, #live, #connection, #problem, #toast, link:not([rel=stylesheet]), meta[name=htmx-config], header.top > *:not(.brand, .back)";

  let mark = "", pages = {}, books = {};
  const wants = () => Stored.device.get("keep") !== "off";
  const here = () => location.pathname + location.search;
  const cacheName = () => `kept-${mark}`;

  // --- a still of a page ---------------------------------------------------------------------------------------------
  function still(source, path) {
    const words = source.querySelector("[data-kept-banner]");
    const copy = source.documentElement.cloneNode(true), banner = words.content.firstElementChild.cloneNode(true);
    for (const element of copy.querySelectorAll(GOES)) element.remove();
    for (const element of copy.querySelectorAll("details")) if (!element.querySelector(":scope > summary")) element.remove();
    for (const element of copy.querySelectorAll("button, input")) element.disabled = true;
    for (const element of copy.querySelectorAll("form")) element.removeAttribute("action");
    // From book to book one turns the leaves; a table's still leads nowhere.
    const leads = (to) => path in books && (to.startsWith("#") || to.split("#")[0] in books);
    for (const link of copy.querySelectorAll("a[href]")) if (!leads(link.getAttribute("href"))) link.removeAttribute("href");
    for (const image of copy.querySelectorAll("img")) image.removeAttribute("loading");
    copy.classList.add("hand-open");
    const now = new Date(), time = banner.querySelector("time");
    time.dateTime = now.toISOString();
    time.textContent = now.toLocaleString(copy.lang, { month: "long", day: "numeric", hour: "numeric", minute: "2-digit" });
    copy.querySelector("body").prepend(banner);
    return copy;
  }

  // The looks of a page are kept with it: files of everybody in one cache, portraits with what is the person's own.
  async function keepFiles(copy, cache) {
    const addresses = [...copy.querySelectorAll("link[rel=stylesheet]")].map((link) => link.getAttribute("href"))
      .concat([...copy.querySelectorAll("use")].map((use) => use.getAttribute("href").split("#")[0]))
      .concat([...copy.querySelectorAll("img")].map((image) => image.getAttribute("src")));
    for (const address of new Set(addresses)) {
      const isPicture = address?.startsWith("/pictures/");
      // The worker keeps a static file whenever it passes.
      if (!address?.startsWith("/") || (!isPicture && await caches.match(address))) continue;
      const answer = await fetch(address).catch(() => null);
      if (answer?.ok && isPicture) await cache.put(address, answer);
    }
  }

  async function keep(source, path) {
    if (!(path in pages) || !wants() || !(await caches.has(cacheName()))) return;
    const copy = still(source, path), cache = await caches.open(cacheName());
    const headers = {
      "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": POLICY,
      "Kept-Title": encodeURIComponent(source.title.trim().replace(/^● .* – /, "")), "Kept-Version": pages[path],
    };
    await cache.put(path, new Response(`<!DOCTYPE html>${copy.outerHTML}`, { headers }));
    await keepFiles(copy, cache);
    document.documentElement.dataset.kept = Number(document.documentElement.dataset.kept ?? 0) + 1;
  }

  async function fetchAndKeep(path) {
    const answer = await fetch(path).catch(() => null);
    if (!answer?.ok || answer.redirected) return;
    await keep(new DOMParser().parseFromString(await answer.text(), "text/html"), path);
  }

  // --- copies to keep, and copies to delete --------------------------------------------------------------------------
  async function sync() {
    const answer = await fetch("/kept/").catch(() => null);
    if (!answer?.ok) return;
    ({ mark, pages, books } = await answer.json());
    pages = { ...pages, ...books };
    for (const name of await caches.keys()) if (name.startsWith("kept-") && (name !== cacheName() || !wants())) await caches.delete(name);
    if (!mark || !wants()) return;
    const cache = await caches.open(cacheName());
    for (const { url } of await cache.keys()) {
      const { pathname } = new URL(url);
      if (!pathname.startsWith("/pictures/") && !(pathname in pages)) await cache.delete(url);
    }
    // The books are fetched on pages without a table: the first load of a table is small.
    const playing = document.getElementById("table");
    for (const [path, version] of Object.entries(pages)) {
      if (playing && path in books) continue;
      if (path === here()) await keep(document, path);
      else if (version !== LIVE && (await cache.match(path))?.headers.get("Kept-Version") !== version) await fetchAndKeep(path);
    }
  }

  // One after the other: a page that comes up is told twice when a new worker takes it over.
  let last = Promise.resolve();
  const syncAgain = () => { last = last.then(sync).catch(() => { /* not here, not now */ }); };

  let soon = 0;
  document.addEventListener("table:arrived", () => {
    clearTimeout(soon);
    soon = setTimeout(() => keep(document, here()).catch(() => { /* no room */ }), AFTER);
  });
  document.addEventListener("takujo:pref", ({ detail: { name } }) => { if (name === "keep") syncAgain(); });
  for (const part of document.querySelectorAll("[data-home-screen]")) part.hidden = false;

  // An older worker, and what it kept, may have just gone. The first worker takes over in a moment, and files pass it from then on.
  navigator.serviceWorker.addEventListener("controllerchange", syncAgain);
  const started = navigator.serviceWorker.register("/worker.js").then(() => navigator.serviceWorker.ready);
  started.then(() => { if (navigator.serviceWorker.controller) syncAgain(); }).catch(() => { /* not here, not now */ });
})();
