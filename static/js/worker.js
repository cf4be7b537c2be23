// The service worker: files by their hashed names, and pages that this device kept, for times without a connection.
//
// Pages are always requested first. A person's copies (kept.js writes them) lie in a cache of that person's
// mark; every page names its person in a header, and other people's copies are deleted at once.
"use strict";

const VERSION = "__VERSION__", STATIC = "__STATIC__";
const FILES = `files-${VERSION}`, OFFLINE = "/offline/", OF = "Kept-Of", KEPT = "kept-", PUSH_OF = "push-of";
const HASHED = /\.[0-9a-f]{12}\.\w+$/;
// A person begins to leave this device here: by signing out, by erasure, or for another device.
const LEAVES = /^\/(account|device)\//;

const names = async (wanted) => (await caches.keys()).filter(wanted);
const drop = async (wanted) => Promise.all((await names(wanted)).map((name) => caches.delete(name)));
const forgetOthers = (mark) => drop((name) => name.startsWith(KEPT) && (!mark || name !== KEPT + mark));

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const files = await caches.open(FILES), page = await fetch(OFFLINE);
    const html = await page.text(), headers = new Headers();
    for (const name of ["Content-Type", "Content-Security-Policy"]) headers.set(name, page.headers.get(name));
    await files.put(OFFLINE, new Response(html, { headers }));
    const wanted = [...html.matchAll(/(?:href|src)="([^"#]+)/g)].map((found) => found[1]).filter((url) => url.startsWith(STATIC));
    await files.addAll([...new Set(wanted)]);
    await self.skipWaiting();
  })());
});

// Copies of an older worker need older files: open pages store new ones.
self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    const older = await names((name) => name.startsWith("files-") && name !== FILES);
    if (older.length) await drop((name) => name !== FILES && name !== PUSH_OF);
    await self.clients.claim();
  })());
});

self.addEventListener("fetch", (event) => {
  const { request } = event, url = new URL(request.url);
  if (url.origin !== self.location.origin) return;
  if (request.mode === "navigate") {
    if (request.method === "GET") event.respondWith(page(request, url));
    else if (LEAVES.test(url.pathname)) event.waitUntil(forgetOthers(""));
  } else if (request.method === "GET" && url.pathname.startsWith(STATIC)) {
    event.respondWith(file(request, url));
  } else if (request.method === "GET" && url.pathname.startsWith("/pictures/")) {
    event.respondWith(fetch(request).catch(async () => (await kept(url)) ?? Response.error()));
  }
});

async function page(request, url) {
  try {
    const answer = await fetch(request);
    if (answer.headers.has(OF)) await forgetOthers(answer.headers.get(OF));
    if (answer.headers.has(OF)) await tellNobodyElse(answer.headers.get(OF));
    return answer;
  } catch {
    return (await kept(url)) ?? offline();
  }
}

async function kept(url) {
  for (const name of await names((each) => each.startsWith(KEPT))) {
    const found = await (await caches.open(name)).match(url.pathname + url.search);
    if (found) return found;
  }
  return undefined;
}

const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

async function offline() {
  const answer = await (await caches.open(FILES)).match(OFFLINE);
  if (!answer) return Response.error();
  const rows = [];
  for (const name of await names((each) => each.startsWith(KEPT))) {
    const cache = await caches.open(name);
    for (const { url } of await cache.keys()) {
      const title = (await cache.match(url))?.headers.get("Kept-Title");
      if (title) rows.push(`<li><a class="row" href="${escaped(new URL(url).pathname)}"><span class="row-body"><span class="row-title">${escaped(decodeURIComponent(title))}</span></span></a></li>`);
    }
  }
  const html = (await answer.text()).replace(/(<ul[^>]* data-kept-list>)/, (list) => list + rows.join(""));
  return new Response(html, { headers: answer.headers });
}

// A hashed name has one content for ever; another is asked for first.
async function file(request, url) {
  const files = await caches.open(FILES);
  const known = async () => files.match(url.pathname);
  const found = HASHED.test(url.pathname) ? await known() : undefined;
  if (found) return found;
  try {
    const answer = await fetch(request);
    if (answer.status === 200) await files.put(url.pathname, answer.clone());
    return answer;
  } catch {
    return (await known()) ?? Response.error();
  }
}

// Another person's turn is no longer notified here (turn-calls.js stores whose it was).
async function tellNobodyElse(mark) {
  const whose = await (await caches.match("/", { cacheName: PUSH_OF }))?.text();
  if (whose === undefined || whose === mark) return;
  await (await self.registration.pushManager?.getSubscription())?.unsubscribe();
  await caches.delete(PUSH_OF);
}

self.addEventListener("push", (event) => {
  const { title, body, url, lang, icon } = event.data.json();
  const data = { url: new URL(url, self.location.origin).href };
  event.waitUntil(self.registration.showNotification(title, { body, lang, icon, data, tag: url, renotify: true }));
});

// A notification (of a push, or of notify.js) leads back to its table.
self.addEventListener("notificationclick", (event) => {
  const { url } = event.notification.data;
  event.notification.close();
  event.waitUntil((async () => {
    const open = (await self.clients.matchAll({ type: "window" })).find((client) => client.url === url);
    await (open ? open.focus() : self.clients.openWindow(url));
  })());
});
