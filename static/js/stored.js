// The storage of this device and this tab. A browser may forbid it, or have no room: then values last as long as the page.
//
//   Stored.device, Stored.tab    localStorage and sessionStorage: get, set and remove a text, read and write what JSON can say
"use strict";
globalThis.Stored = (() => {
  function guarded(name) {
    const unkept = new Map();
    let store = null;
    try { store = globalThis[name]; } catch { /* forbidden */ }

    function get(key) {
      if (unkept.has(key)) return unkept.get(key);
      try { return store.getItem(key); } catch { return null; }
    }

    function set(key, text) {
      try { store.setItem(key, text); unkept.delete(key); } catch { unkept.set(key, text); }
    }

    function remove(key) {
      unkept.delete(key);
      try { store.removeItem(key); } catch { /* nothing is there */ }
    }

    function clear() {
      unkept.clear();
      try { store.clear(); } catch { /* nothing is there */ }
    }

    function read(key, usual = null) {
      try { return JSON.parse(get(key)) ?? usual; } catch { return usual; }
    }

    const write = (key, value) => set(key, JSON.stringify(value));
    return { get, set, remove, clear, read, write };
  }

  return { device: guarded("localStorage"), tab: guarded("sessionStorage") };
})();
