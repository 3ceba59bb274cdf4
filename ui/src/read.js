// read.js - which announcements of a watch were read, kept in this browser. All up to `upto` are
// read, and some after it; if there are many single ones, `upto` moves up to the oldest of them.
// SPDX-License-Identifier: MIT

const MOST = 2000;

export function readMarks(id) {
  const key = `read ${id}`;
  let upto = 0;
  let some = new Set();

  // Another tab may have read more.
  function load() {
    try {
      const kept = JSON.parse(localStorage.getItem(key) || '{}');
      upto = Math.max(upto, Number.isInteger(kept.upto) ? kept.upto : 0);
      for (const n of Array.isArray(kept.some) ? kept.some : []) if (n > upto) some.add(n);
    } catch {
      // storage is off, or holds something else: marks last as long as the page
    }
  }

  function save() {
    load();
    const list = [...some].filter((n) => n > upto).sort((a, b) => a - b);
    if (list.length > MOST) upto = list[list.length - MOST - 1];
    some = new Set(list.filter((n) => n > upto));
    try {
      localStorage.setItem(key, JSON.stringify({ upto, some: [...some] }));
    } catch {
      // as above
    }
  }

  load();
  return {
    has: (n) => n <= upto || some.has(n),
    add(n) {
      some.add(n);
      save();
    },
    all(last) {
      upto = Math.max(upto, last);
      save();
    },
    unread: (last) => Math.max(0, last - upto - [...some].filter((n) => n > upto && n <= last).length),
  };
}
