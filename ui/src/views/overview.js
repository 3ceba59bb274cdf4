// overview.js - how the crawl is doing, and what it waits for. SPDX-License-Identifier: MIT
import { h, fill, say, outLink } from '../dom.js';
import { get } from '../api.js';
import { count, number, bytes, percent, duration, words, shortUrl, relevance, plural } from '../format.js';
import { curve, bars } from '../chart.js';
import { keep, loading } from '../live.js';

// What a reason to wait means: some are visits that wait, some are shares of the time.
const WAITS = {
  politeness: 'hosts that get their pause between two visits',
  dns: 'names being looked up',
  robots: 'robots.txt on its way',
  server: 'servers that have not answered yet',
};

const SHARES = {
  cpu: ['computing', 'its own computing', 0.8],
  store: ['disk', 'the disk', 0.3],
};

const DROPS = {
  seen: 'known already',
  scope: 'outside the scope',
  robots: 'robots.txt says no',
  trap: 'looks like a trap',
  budget: 'its host has had its share',
  host_dead: 'its host does not answer',
  'host dead': 'its host does not answer',
  depth: 'too deep',
  'too deep': 'too deep',
  model: 'the model let it go',
  full: 'the queue was full',
  'queue full': 'the queue was full',
  refused: 'an address that is not visited',
  'refused address': 'an address that is not visited',
};

const isLive = (o) => ['running', 'paused', 'starting'].includes(o.state);

// [label, value(o), small print(o), key for tests]
const FIGURES = [
  [
    'Pages',
    (o) => count(o.pages),
    (o) => (o.pages_limit > 0 ? `of ${count(o.pages_limit)}` : 'no limit'),
    'pages',
  ],
  [
    'Pages a second',
    (o) => number(isLive(o) ? o.rate_1s : o.seconds > 0 ? o.pages / o.seconds : 0),
    (o) => (isLive(o) ? `${number(o.rate_60s ?? 0)} in the last minute` : 'all in all'),
    'rate',
  ],
  [
    'Relevant',
    (o) => (o.pages ? percent(o.relevant / o.pages) : '–'),
    (o) => `${count(o.relevant)} pages; mean ${relevance(o.mean_relevance)}`,
    'relevant',
  ],
  [
    'Population',
    (o) => count(o.agents?.alive ?? o.alive),
    (o) => `${count(o.agents?.born ?? o.born)} born, ${count(o.agents?.died)} died`,
    'alive',
  ],
  [
    'Energy',
    (o) => number(o.energy?.agents),
    (o) => (o.energy?.pages ? `${number(o.energy.pages)} left on pages` : 'held by agents'),
    'energy',
  ],
  [
    'Queue',
    (o) => (isLive(o) ? count(o.queue) : '–'),
    (o) => (isLive(o) ? `${count(o.in_flight)} under way` : `${count(o.urls)} URLs known`),
    'queue',
  ],
  ['Hosts', (o) => count(o.hosts), () => '', 'hosts'],
  ['Fetched', (o) => bytes(o.bytes), (o) => `in ${duration(o.seconds)}`, 'bytes'],
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
      { class: 'figures' },
      cells.map((c) => c.node),
    ),
    set(o) {
      cells.forEach((c) => {
        say(c.v, c.value(o));
        say(c.s, c.small(o));
      });
    },
  };
}

function waits(place, o) {
  const now = o.waiting || {};
  const visits = Object.keys(WAITS)
    .filter((k) => now[k] > 0)
    .map((k) => [k, now[k]])
    .sort((a, b) => b[1] - a[1]);
  const shares = Object.entries(SHARES).filter(([k]) => now[k] > 0);
  if (o.state !== 'running') {
    fill(
      place,
      h(
        'p',
        { class: 'note' },
        o.state === 'paused' ? 'It is paused.' : 'Only a running crawl waits for something.',
      ),
    );
    return;
  }
  const full = shares.find(([k, [, , much]]) => now[k] >= much);
  const main = full ? full[1][1] : visits.length ? WAITS[visits[0][0]] : null;
  fill(
    place,
    h('p', null, main ? ['It waits mostly for ', h('strong', null, main), '.'] : 'Nothing waits.'),
    bars(
      visits.map(([k, n]) => ({ label: k === 'dns' ? 'DNS' : words(k), n, title: WAITS[k] })),
      (n) => plural(n, 'visit'),
    ),
    shares.length > 0 &&
      h(
        'p',
        { class: 'note' },
        shares.map(([k, [label]]) => `${label} ${percent(now[k])} of the time`).join(', '),
      ),
  );
}

function drops(place, o) {
  const rows = Object.entries(o.drops || {})
    .filter(([, n]) => n > 0)
    .sort((a, b) => b[1] - a[1]);
  fill(
    place,
    rows.length
      ? bars(
          rows.map(([k, n]) => ({ label: words(k), n, title: DROPS[k] })),
          count,
        )
      : h('p', { class: 'note' }, 'No link was left out so far.'),
  );
}

function facts(place, thing, none) {
  const rows = Object.entries(thing || {}).filter(([, v]) => v !== null && v !== '' && typeof v !== 'object');
  fill(
    place,
    rows.length
      ? h(
          'dl',
          { class: 'facts' },
          rows.map(([k, v]) => [
            h('dt', null, words(k)),
            h('dd', null, typeof v === 'number' ? number(v) : String(v)),
          ]),
        )
      : h('p', { class: 'note' }, none),
  );
}

const panel = (title, body) => h('section', { class: 'panel' }, h('h2', null, title), body);

function mount(root, ctx) {
  const top = figures();
  const speed = curve({
    title: 'Pages',
    series: [
      { key: 'pages', label: 'stored', fill: true },
      { key: 'relevant', label: 'relevant', colour: 1 },
    ],
    format: count,
  });
  const share = curve({
    title: 'Relevant share',
    series: [{ key: 'relevant_share', label: 'of all so far', format: percent, fill: true, colour: 2 }],
    yFormat: percent,
  });
  const places = Object.fromEntries(
    ['waits', 'drops', 'seeds', 'model', 'options'].map((k) => [k, h('div')]),
  );
  const body = h(
    'div',
    { class: 'stack' },
    top.node,
    h('div', { class: 'grid two' }, speed.node, share.node),
    h(
      'div',
      { class: 'grid two' },
      panel('Why it is not faster', places.waits),
      panel('Links left out, by reason', places.drops),
      panel('Seeds', places.seeds),
      panel('The model says', places.model),
      panel('Options', places.options),
    ),
  );
  fill(root, loading());
  let seen = {};
  // Only what changed is drawn anew.
  const differs = (k, v) => {
    const t = JSON.stringify(v);
    const d = seen[k] !== t;
    seen[k] = t;
    return d;
  };
  const draw = (o) => {
    if (!o) return;
    if (!body.parentNode) fill(root, body);
    top.set(o);
    if (differs('w', [o.waiting, o.state])) waits(places.waits, o);
    if (differs('d', o.drops)) drops(places.drops, o);
    if (differs('s', o.seeds))
      fill(
        places.seeds,
        (o.seeds || []).length
          ? h(
              'ul',
              { class: 'links' },
              o.seeds.slice(0, 200).map((u) => h('li', null, outLink(u, { class: 'url' }, shortUrl(u)))),
            )
          : h('p', { class: 'note' }, 'None are known.'),
      );
    if (differs('m', o.describe)) facts(places.model, o.describe, 'Nothing of its own.');
    if (differs('o', o.options)) facts(places.options, o.options, 'All as they are by default.');
  };
  ctx.onEnd(ctx.overview.on(draw));
  draw(ctx.overview.value);
  keep(
    ctx,
    async () => {
      const got = await get(ctx.path('samples'), { metric: 'pages,relevant', points: 400 });
      if (ctx.ended) return;
      got.relevant_share = (got.pages || []).map((n, i) =>
        n > 0 && got.relevant?.[i] !== null ? (got.relevant?.[i] ?? 0) / n : null,
      );
      speed.set(got);
      share.set(got);
    },
    2000,
  );
  ctx.onEnd(() => {
    speed.destroy();
    share.destroy();
  });
}

export default { key: 'overview', label: 'Overview', icon: 'overview', mount };
