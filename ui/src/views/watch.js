// watch.js - what is new, by time; how fresh the copies are. SPDX-License-Identifier: MIT
import { h, fill, onEnter } from '../dom.js';
import { get } from '../api.js';
import { alter } from '../router.js';
import { relevance, shortUrl, timeNode, percent, duration, plural, absolute, instant } from '../format.js';
import { relevanceColour, relevanceScale } from '../colour.js';
import { curve } from '../chart.js';
import { vlist } from '../vlist.js';
import { keep, empty } from '../live.js';

const STEP = 200;
const MOST = 5000; // kept on the page: the newest

function rowOf(r) {
  return h(
    'div',
    {
      class: 'result news',
      onclick: () => alter({ page: r.page }),
      onkeydown: onEnter(() => alter({ page: r.page })),
    },
    h('span', { class: 'when' }, timeNode(r.at)),
    h(
      'span',
      { class: 'rel' },
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
        { class: 'title' },
        r.changed && [h('em', { class: 'tag' }, 'changed'), ' '],
        r.title || shortUrl(r.url),
      ),
      h('span', { class: 'url' }, shortUrl(r.url)),
    ),
    h(
      'span',
      { class: 'when wide-only', title: r.date ? absolute(instant(r.date)) : '' },
      r.date ? ['dated ', timeNode(r.date)] : 'no date',
    ),
  );
}

// New documents per slice of time.
function rate(rows) {
  const times = rows
    .map((r) => instant(r.at))
    .filter((t) => t !== null)
    .sort((a, b) => a - b);
  if (times.length < 2) return { at: [], n: [] };
  const slices = Math.min(60, Math.max(4, times.length));
  const width = (times.at(-1) - times[0]) / slices || 1;
  const at = Array.from({ length: slices }, (_, i) => times[0] + (i + 0.5) * width);
  const n = new Array(slices).fill(0);
  for (const t of times) n[Math.min(slices - 1, Math.floor((t - times[0]) / width))]++;
  return { at, n };
}

function mount(root, ctx) {
  let rows = []; // newest first
  let after = 0;
  const list = vlist({
    height: 54,
    label: 'New documents',
    key: (i) => `${rows[i].id ?? rows[i].url} ${rows[i].at}`,
    render: (i) => rowOf(rows[i]),
  });
  const news = curve({
    title: 'New documents',
    height: 140,
    series: [{ key: 'n', label: 'a slice of time', fill: true, step: true }],
  });
  const fresh = curve({
    title: 'Freshness',
    height: 140,
    note: 'copies that are still as the page is',
    series: [{ key: 'freshness', label: 'fresh', format: percent, colour: 2 }],
    range: () => [0, 1],
  });
  const age = curve({
    title: 'Age',
    height: 140,
    note: 'of copies that are not',
    series: [{ key: 'age', label: 'mean', format: duration, colour: 1 }],
  });
  const note = h('p', { class: 'note' });
  const place = h(
    'div',
    { class: 'fill' },
    empty('Nothing new yet', 'New documents on the topic appear here as they are found.'),
  );
  fill(
    root,
    h('div', { class: 'grid three' }, news.node, fresh.node, age.node),
    h('div', { class: 'bar' }, note),
    place,
  );
  keep(
    ctx,
    async () => {
      for (let more = true; more && !ctx.ended;) {
        const got = await get(ctx.path('news'), { after: after || undefined, n: STEP });
        if (got.rows.length) {
          after = got.rows.at(-1).id;
          rows = [...got.rows].reverse().concat(rows).slice(0, MOST);
        }
        more = got.rows.length === STEP;
      }
      if (ctx.ended) return;
      if (rows.length && !list.node.isConnected) fill(place, list.node);
      list.setTotal(rows.length);
      note.textContent = plural(rows.length, 'new document');
      news.set(rate(rows));
      const got = await get(ctx.path('freshness'));
      if (ctx.ended) return;
      // Where the model tells.
      fresh.node.hidden = !got.freshness;
      age.node.hidden = !got.age;
      if (got.freshness) fresh.set(got);
      if (got.age) age.set(got);
    },
    3000,
  );
  ctx.onEnd(() => {
    list.destroy();
    [news, fresh, age].forEach((c) => c.destroy());
  });
}

export default { key: 'watch', label: 'Watch', icon: 'watch', when: (o) => o.kind === 'watch', mount };
