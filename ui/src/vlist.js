// vlist.js - a list of any length, of which only the rows in sight exist.
//
//   const l = vlist({height: 56, render: (i) => node, key: (i) => 'text', label});
//   l.node; l.setTotal(n); l.refresh(); l.range() -> [first, last]; l.onrange = fn
//
// A row is made again only when its key has changed, so that clicks, focus and selections survive
// updates. Up, Down, Home, End, PageUp, PageDown move the focus.
// SPDX-License-Identifier: MIT
import { h } from './dom.js';

const MARGIN = 6; // rows kept above and below

export function vlist({ height, render, key, label, roles = ['list', 'listitem'] }) {
  const space = h('div', { class: 'vspace', role: roles[0], 'aria-label': label });
  const node = h('div', { class: 'vlist', tabindex: '-1' }, space);
  const rows = new Map(); // index -> {node, key}
  let total = 0;
  let first = 0;
  let last = -1;
  let current = 0; // the row that Tab reaches
  let waiting = false;
  const list = {
    node,
    onrange: null,
    setTotal,
    refresh: () => paint(true),
    range: () => [first, last],
    focus,
    show,
    get total() {
      return total;
    },
  };

  function setTotal(n) {
    total = n;
    current = Math.max(0, Math.min(current, total - 1));
    space.style.height = `${total * height}px`;
    paint(true);
  }

  function paint(check) {
    waiting = false;
    const top = node.scrollTop;
    first = Math.max(0, Math.floor(top / height) - MARGIN);
    last = Math.min(total - 1, Math.ceil((top + (node.clientHeight || 600)) / height) + MARGIN);
    for (const [i, row] of rows) {
      if (i < first || i > last) {
        row.node.remove();
        rows.delete(i);
      }
    }
    for (let i = first; i <= last; i++) {
      const old = rows.get(i);
      if (old && !check) continue;
      const k = key(i);
      if (old && old.key === k) continue;
      place(i, old, k);
    }
    list.onrange?.(first, last);
  }

  function place(i, old, k) {
    const row = render(i);
    row.style.transform = `translateY(${i * height}px)`;
    row.style.height = `${height}px`;
    row.classList.add('vrow');
    row.setAttribute('role', roles[1]);
    row.setAttribute('aria-setsize', total);
    row.setAttribute('aria-posinset', i + 1);
    row.dataset.index = i;
    row.tabIndex = i === current ? 0 : -1;
    const focused = old && old.node.contains(document.activeElement);
    if (old) old.node.replaceWith(row);
    else space.insertBefore(row, after(i)); // screen readers read them in the visible order
    rows.set(i, { node: row, key: k });
    if (focused) row.focus({ preventScroll: true });
  }

  // The next row that exists.
  function after(i) {
    for (let k = i + 1; k <= last; k++) if (rows.has(k)) return rows.get(k).node;
    return null;
  }

  // Brings a row into the middle; the focus stays where it is.
  function show(i) {
    current = i;
    node.scrollTop = Math.max(0, i * height - node.clientHeight / 2);
    paint(true);
  }

  function focus(i) {
    if (total === 0) return;
    const to = Math.max(0, Math.min(total - 1, i));
    rows.get(current)?.node.setAttribute('tabindex', '-1');
    current = to;
    const top = to * height;
    if (top < node.scrollTop) node.scrollTop = top;
    if (top + height > node.scrollTop + node.clientHeight) node.scrollTop = top + height - node.clientHeight;
    paint(false);
    const row = rows.get(to)?.node;
    if (row) {
      row.tabIndex = 0;
      row.focus({ preventScroll: true });
    }
  }

  node.addEventListener('keydown', (e) => {
    const row = e.target.closest?.('.vrow');
    if (!row || e.target !== row) return;
    const page = Math.max(1, Math.floor(node.clientHeight / height) - 1);
    const to = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[
      e.key
    ];
    if (to === undefined) return;
    e.preventDefault();
    focus(+row.dataset.index + to);
  });
  node.addEventListener('focusin', (e) => {
    const row = e.target.closest?.('.vrow');
    if (row) current = +row.dataset.index;
  });
  node.addEventListener(
    'scroll',
    () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => paint(false));
    },
    { passive: true },
  );
  const resize = new ResizeObserver(() => paint(false));
  resize.observe(node);
  list.destroy = () => resize.disconnect();
  return list;
}
