// watch.js - announcements one by one and by time; the age and the freshness of the copies.
//
// Announcements are numbered from 1: the newest stands first, and rows are fetched in blocks as
// they come into sight. SPDX-License-Identifier: MIT
import { h, fill, say, onEnter } from '../dom.js';
import { get } from '../api.js';
import { alter } from '../router.js';
import {
  count,
  relevance,
  shortUrl,
  timeNode,
  percent,
  duration,
  plural,
  absolute,
  instant,
  number,
} from '../format.js';
import { relevanceColour, relevanceScale, theme, best } from '../colour.js';
import { curve } from '../chart.js';
import { timeline } from '../timeline.js';
import { vlist } from '../vlist.js';
import { keep, empty } from '../live.js';
import { readMarks } from '../read.js';

const BLOCK = 30;
const KEPT = 3000; // most rows on the page; those out of sight are removed first

// ---- figures ----

const both = (n) => n.new + n.changed;
const parts = (n) => `${count(n.new)} new, ${count(n.changed)} changed`;

// [label, value(times, now), small print, key for tests]
const FIGURES = [
  ['Announced', (t) => count(both(t.total)), (t) => parts(t.total), 'announced'],
  ['Last 24 hours', (t) => count(both(t.day)), (t) => parts(t.day), 'day'],
  ['Fresh', (t, n) => percent(n?.freshness), () => 'expected share', 'fresh'],
  ['Age', (t, n) => duration(n?.age), () => 'since the last look', 'age'],
  ['Copies', (t, n) => count(n?.copies), (t, n) => `${count(n?.looks)} looks`, 'copies'],
  [
    'Looks an hour',
    (t, n) => count(n?.looks_hour),
    (t, n) => `${percent(n?.changes_look)} found a change`,
    'looks',
  ],
];

function figures() {
  const cells = FIGURES.map(([label, value, small, key]) => {
    const v = h('dd', { data: { figure: key } });
    const s = h('dd', { class: 'small' });
    return { v, s, value, small, node: h('div', { class: 'figure' }, h('dt', null, label), v, s) };
  });
  return {
    node: h(
      'dl',
      { class: 'figures six' },
      cells.map((c) => c.node),
    ),
    set(times, now) {
      cells.forEach((c) => {
        say(c.v, c.value(times, now));
        say(c.s, c.small(times, now));
      });
    },
  };
}

// ---- curves ----

// A time on an axis: one unit.
function span(t) {
  const [size, unit] = [
    [86400, 'd'],
    [3600, 'h'],
    [60, 'min'],
    [1, 's'],
  ].find(([n]) => t >= n) || [1, 's'];
  return `${number(t / size)} ${unit}`;
}

const curves = () => [
  curve({
    always: true,
    title: 'Freshness',
    height: 120,
    note: 'expected share of copies still as on the web',
    series: [{ key: 'freshness', label: 'fresh', format: percent, colour: 2 }],
    range: () => [0, 1],
    yFormat: (x) => `${Math.round(100 * x)} %`,
  }),
  curve({
    always: true,
    title: 'Age',
    height: 120,
    note: 'mean time since a copy was looked at',
    series: [{ key: 'age', label: 'mean', format: duration, colour: 1 }],
    yFormat: span,
  }),
  curve({
    always: true,
    title: 'Looks an hour',
    height: 120,
    note: 'visits to see what changed',
    series: [{ key: 'looks_hour', label: 'looks', format: count, fill: true }],
  }),
];

// ---- the list ----

const kind = (r) => (r.changed ? 'changed' : 'new');

// `open` also marks it as read.
function rowOf(r, arrived, isRead, open) {
  return h(
    'div',
    {
      class: `result news ${arrived ? 'arrived' : ''} ${isRead ? '' : 'unread'}`,
      data: { news: r.id },
      onclick: open,
      onkeydown: onEnter(open),
    },
    h('span', { class: 'when' }, timeNode(r.at)),
    h('span', { class: `kind ${kind(r)}` }, kind(r)),
    h(
      'span',
      { class: 'rel', title: `relevance ${relevance(r.relevance)}` },
      h('i', {
        style: {
          background: relevanceColour(r.relevance),
          width: `${Math.max(4, 100 * relevanceScale(r.relevance))}%`,
        },
      }),
      h('b', null, relevance(r.relevance)),
    ),
    h(
      'span',
      { class: 'what' },
      h(
        'span',
        { class: 'title', dir: 'auto', title: isRead ? '' : 'not read yet' },
        r.title || shortUrl(r.url),
      ),
      h('span', { class: 'url' }, shortUrl(r.url)),
    ),
    h(
      'span',
      { class: 'when dated', title: r.date ? absolute(instant(r.date)) : '' },
      r.date ? ['dated ', timeNode(r.date)] : 'no date',
    ),
  );
}

// Announcements by number; null for those that were forgotten.
function newsList(ctx, marks, onRead) {
  const rows = new Map();
  let last = 0;
  let seen = 0; // the last one when the view was opened: later ones are marked as arrived
  const idAt = (i) => last - i;
  const narrow = matchMedia('(max-width: 700px)').matches;
  const list = vlist({
    height: narrow ? 66 : 54,
    label: 'New documents, newest first',
    key: (i) => `${idAt(i)} ${rows.has(idAt(i))} ${marks.has(idAt(i))} ${theme.value} ${best.value}`,
    render(i) {
      const row = rows.get(idAt(i));
      if (row) return rowOf(row, seen && row.id > seen, marks.has(row.id), () => open(row));
      return row === null
        ? h('div', { class: 'result news' }, h('span', { class: 'what note' }, 'forgotten'))
        : h('div', { class: 'result ghost', 'aria-busy': 'true' });
    },
  });

  function open(row) {
    marks.add(row.id);
    onRead();
    alter({ page: row.page });
  }

  // Loads a block after a number; without a number, the newest.
  async function fetchBlock(after) {
    const got = await get(ctx.path('news'), { after, n: BLOCK });
    const from = after ?? Math.max(0, got.last - BLOCK);
    for (let id = from + 1; id <= Math.min(got.last, from + BLOCK); id++) rows.set(id, null);
    got.rows.forEach((r) => rows.set(r.id, r));
    return got.last;
  }

  // For a user who has scrolled down, the row in sight keeps its place and the focus.
  function grow(to) {
    const more = to - last;
    const focused = document.activeElement?.closest?.('.vrow');
    const at = focused && list.node.contains(focused) ? +focused.dataset.index : null;
    const top = list.node.scrollTop;
    last = to;
    list.setTotal(last);
    if (more <= 0) return;
    if (top > 0) list.node.scrollTop = top + (more * list.node.scrollHeight) / last;
    if (at !== null) list.focus(at + more);
  }

  function forgetFar(first, end) {
    if (rows.size <= KEPT) return;
    for (const id of rows.keys())
      if (id > idAt(first) + KEPT / 4 || id < idAt(end) - KEPT / 4) rows.delete(id);
  }

  return {
    list,
    async load() {
      const to = await fetchBlock(last || undefined);
      if (ctx.ended) return 0;
      if (last === 0) seen = to;
      if (to !== last) grow(to);
      const [first, end] = list.range();
      for (let i = first; i <= end && !ctx.ended; i++)
        if (idAt(i) > 0 && !rows.has(idAt(i))) await fetchBlock(Math.max(0, idAt(i) - BLOCK / 2));
      forgetFar(first, end);
      list.refresh();
      return last;
    },
    missing: (first, end) => {
      for (let i = first; i <= end; i++) if (idAt(i) > 0 && !rows.has(idAt(i))) return true;
      return false;
    },
  };
}

// ---- the view ----

function nothing(o) {
  const live = ['running', 'paused', 'starting'].includes(o?.state);
  return live
    ? empty(
        'Nothing new yet',
        'A document of the topic appears here as soon as it is found. What was there before the watch began is no news.',
      )
    : empty('Nothing new was found', 'The watch has ended. The same command goes on where it was.');
}

function mount(root, ctx) {
  const top = figures();
  const times = timeline();
  const charts = curves();
  const marks = readMarks(ctx.id);
  const news = newsList(ctx, marks, tellUnread);
  const note = h('p', { class: 'note', role: 'status' });
  const readAll = h('button', { type: 'button', class: 'quiet', hidden: true, onclick: markAll });
  let newest = 0;
  const place = h('div', { class: 'fill' }, news.list.node);
  const aside = h(
    'div',
    { class: 'watch-curves' },
    charts.map((c) => c.node),
  );
  fill(
    root,
    top.node,
    h(
      'div',
      { class: 'watch-body' },
      h(
        'div',
        { class: 'watch-news' },
        times.node,
        h('div', { class: 'bar row between' }, note, readAll),
        place,
      ),
      aside,
    ),
  );

  function tellUnread() {
    const n = marks.unread(newest);
    readAll.hidden = n === 0;
    say(readAll, `Mark ${count(n)} as read`);
    news.list.refresh();
  }

  function markAll() {
    marks.all(newest);
    tellUnread();
  }

  async function load() {
    const [t, f] = await Promise.all([get(ctx.path('timeline')), get(ctx.path('freshness'))]);
    if (ctx.ended) return;
    top.set(t, f.now);
    times.node.hidden = both(t.total) === 0;
    if (both(t.total) > 0) times.set(t);
    aside.hidden = f.at.length === 0; // of a version that did not count copies
    charts.forEach((c) => c.set(f));
    const last = await news.load();
    if (ctx.ended) return;
    newest = last;
    tellUnread();
    if (last > 0 && !news.list.node.isConnected) fill(place, news.list.node);
    if (last === 0) fill(place, nothing(ctx.overview.value));
    say(note, last > 0 ? `${plural(both(t.total), 'document')}, newest first: ${parts(t.total)}` : '');
  }

  const work = keep(ctx, load, 1500);
  let timer = null;
  news.list.onrange = (first, end) => {
    if (!news.missing(first, end)) return;
    clearTimeout(timer);
    timer = setTimeout(() => work.now(), 60);
  };
  ctx.onEnd(theme.on(() => news.list.refresh()));
  ctx.onEnd(best.on(() => news.list.refresh()));
  ctx.onEnd(() => {
    clearTimeout(timer);
    news.list.destroy();
    charts.forEach((c) => c.destroy());
  });
}

export default { key: 'watch', label: 'Watch', icon: 'watch', when: (o) => o.kind === 'watch', mount };
