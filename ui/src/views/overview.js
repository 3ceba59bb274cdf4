// overview.js - how the crawl is doing, and what it waits for. SPDX-License-Identifier: MIT
import { act, h, fill, outLink } from '../dom.js';
import { get } from '../api.js';
import { count, number, percent, words, shortUrl, rank, relevance, sure, plural } from '../format.js';
import { curve, bars } from '../chart.js';
import { figures } from '../figures.js';
import { speedOf, shareOf, recentShare, meanOf } from '../derive.js';
import { WAITS, SHARES, DROPS, MODEL_WORDS } from '../reasons.js';
import { isLive, keep, loading, noPage } from '../live.js';
import { activity } from '../activity.js';
import { snippet } from '../snippet.js';
import { alter, go } from '../router.js';
import { scale } from '../colour.js';

// Shares of the topic: an estimate below this one changes too much to be shown; and the share if
// this many more pages are expected.
const FIRM = 0.25;
const share = (o, more) => percent(o.found / (o.found + o[more]));

// [label, value(o), small print(o), key for tests, more]
const FIGURES = [
  [
    'Pages',
    (o) => count(o.pages),
    (o) => (o.pages_limit > 0 ? `of ${count(o.pages_limit)}` : 'no limit'),
    'pages',
  ],
  [
    'Pages a second',
    (o) => number(isLive(o) ? (o.rate_60s ?? o.rate_1s) : o.seconds > 0 ? o.pages / o.seconds : 0),
    (o) => (isLive(o) ? `${number(o.rate_1s ?? 0)} just now` : 'all in all'),
    'rate',
  ],
  [
    'Relevant',
    (o) => (o.pages ? percent(o.relevant / o.pages) : '–'),
    (o) => `${plural(o.relevant, 'page')}`,
    'relevant',
    'pages above the threshold of relevance',
  ],
  [
    'Of the topic',
    (o) => (o.outlook?.share >= FIRM ? percent(o.outlook.share) : null),
    (o) => `found, by estimate (${share(o.outlook, 'most')} to ${share(o.outlook, 'least')})`,
    'outlook',
    'which share of the topic is found, as far as the model can tell',
  ],
  [
    'Mean relevance',
    (o) => relevance(o.mean_relevance),
    (o) => `relevant from ${number(o.relevant_threshold)}`,
    'mean',
  ],
  [
    'Agents alive',
    (o) => count(o.agents?.alive ?? o.alive),
    (o) => `${count(o.agents?.born ?? o.born)} born, ${count(o.agents?.died)} died`,
    'alive',
  ],
  [
    'Energy',
    (o) => (o.energy ? number(o.energy.agents) : null),
    (o) => `${number(o.energy.pages)} left on pages`,
    'energy',
    'held by agents, and left on pages for those who come',
  ],
  [
    (o) => (isLive(o) ? 'Queue' : 'Known URLs'),
    (o) => (isLive(o) ? count(o.queue) : o.urls === null ? null : count(o.urls)),
    (o) => (isLive(o) ? `${count(o.in_flight)} under way` : plural(o.hosts, 'host')),
    'queue',
  ],
];

// What the crawl waits for: now, or (`mean`: of the samples) on average over its life.
function waits(place, o, mean) {
  const over = !isLive(o);
  const now = over ? mean : o.waiting;
  if (o.state === 'paused') {
    fill(place, h('p', { class: 'note' }, 'It is paused: no request is made.'));
    return;
  }
  if (!now || Object.values(now).every((v) => v === null || v === undefined)) {
    fill(
      place,
      h('p', { class: 'note' }, over ? 'What it waited for is not known.' : 'Nothing is known yet.'),
    );
    return;
  }
  const visits = Object.entries(WAITS).map(([k, names]) => ({ names, n: now[k] || 0 }));
  const shares = Object.entries(SHARES).map(([k, names]) => ({ names, n: now[k] || 0 }));
  const worst = visits.reduce((a, b) => (b.n > a.n ? b : a));
  const full = shares.find(({ names, n }) => n >= names[2]);
  const main = full ? full.names[1] : worst.n > 0 ? worst.names[1] : null;
  const amount = (n) => (over ? String(+n.toFixed(1)) : count(n));
  fill(
    place,
    h(
      'p',
      null,
      main
        ? [over ? 'It waited mostly for ' : 'It waits mostly for ', h('strong', null, main), '.']
        : over
          ? 'It hardly waited.'
          : 'Nothing waits.',
    ),
    bars(
      [
        ...visits.map(({ names, n }) => ({
          label: names[0],
          n,
          title: names[1],
          text: `${amount(n)} ${amount(n) === '1' ? 'visit' : 'visits'}`,
        })),
        ...shares.map(({ names, n }) => ({
          label: names[0],
          n,
          title: names[1],
          most: 1,
          text: `${percent(n)} of time`,
        })),
      ],
      count,
      'wide',
    ),
    over && h('p', { class: 'note' }, 'on the average, while it ran'),
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
          rows.map(([k, n]) => ({ label: DROPS[k]?.[0] || words(k), n, title: DROPS[k]?.[1] })),
          count,
          'wide',
        )
      : h('p', { class: 'note' }, 'No link was left out.'),
  );
}

// Names and values; a panel that has none is not shown.
function facts(whole, place, rows, kind = '') {
  whole.hidden = rows.length === 0;
  const text = (v) => (typeof v !== 'number' ? String(v) : Number.isInteger(v) ? count(v) : number(v));
  fill(
    place,
    h(
      'dl',
      { class: `facts ${kind}` },
      rows.map(([k, v]) => h('div', null, h('dt', null, k), h('dd', null, text(v)))),
    ),
  );
}

const modelFacts = (o) =>
  Object.entries(o.describe || {})
    .filter(([, v]) => v !== null && v !== '' && typeof v !== 'object')
    .map(([k, v]) => [MODEL_WORDS[k] || words(k), v]);

// Options that have no effect here or are shown elsewhere on the page.
const ELSEWHERE = new Set(['words', 'seed', 'model', 'out', 'json', 'quiet', 'pages', 'topic']);
const OFF = new Set(['0', '0s', 'no', '-1', '']);
const optionFacts = (o) =>
  Object.entries(o.options || {}).filter(([k, v]) => !ELSEWHERE.has(k) && typeof v !== 'object');

// The options that the user chose; the rest on demand.
function options(whole, place, o) {
  const usual = new Set(o.usual || []);
  const rows = optionFacts(o);
  const rest = rows.filter(([k, v]) => usual.has(k) && !OFF.has(String(v)));
  const folded = h('div');
  whole.hidden = rows.length === 0;
  facts(
    place,
    place,
    rows.filter(([k, v]) => !usual.has(k) && v !== ''),
    'many',
  );
  place.hidden = false;
  if (rest.length === 0) return;
  facts(folded, folded, rest, 'many');
  place.append(h('details', null, h('summary', null, `As usual (${rest.length})`), folded));
}

// The URL of a seed that was given without "http://".
const seedUrl = (u) => (/^[a-z][a-z0-9+.-]*:/i.test(u) ? u : `http://${u}`);

function seeds(place, o) {
  const all = o.seeds || [];
  fill(
    place,
    all.length
      ? h(
          'ul',
          { class: 'links' },
          all.slice(0, 200).map((u) => h('li', null, outLink(seedUrl(u), { class: 'url' }, shortUrl(u)))),
        )
      : h('p', { class: 'note' }, 'None are known.'),
  );
}

// [heading, value(node), a number]
const NODE_COLUMNS = [
  ['Node', (n) => n.id.slice(0, 6)],
  ['Machine', (n) => n.host || '–'],
  ['State', (n) => (n.state === 'gone' || n.answers ? n.state : 'no answer')],
  ['Partitions', (n) => count(n.partitions), true],
  ['Pages', (n) => count(n.pages), true],
  ['Relevant', (n) => (n.pages ? percent(n.relevant / n.pages) : '–'), true],
  ['Known URLs', (n) => count(n.urls), true],
  ['Agents', (n) => count(n.agents), true],
  ['Came', (n) => count(n.came), true],
  ['Left', (n) => count(n.left), true],
  ['Unsent', (n) => count(n.unsent), true],
  ['Lost', (n) => count(n.lost), true],
];

// The nodes of a crawl on several machines.
function nodes(whole, place, o) {
  whole.hidden = !o.nodes;
  if (!o.nodes) return;
  fill(
    place,
    h(
      'div',
      { class: 'scroll' },
      h(
        'table',
        { class: 'plain nodes' },
        h(
          'thead',
          null,
          h(
            'tr',
            null,
            NODE_COLUMNS.map(([title, , num]) => h('th', { class: num ? 'num' : '' }, title)),
          ),
        ),
        h(
          'tbody',
          null,
          o.nodes.map((n) =>
            h(
              'tr',
              { title: n.id },
              NODE_COLUMNS.map(([, value, num]) => h('td', { class: num ? 'num' : '' }, value(n))),
            ),
          ),
        ),
      ),
    ),
    isLive(o) &&
      o.free_partitions > 0 &&
      h('p', { class: 'note' }, `${plural(o.free_partitions, 'partition')} without an owner`),
  );
}

const panel = (title, body, kind = '') =>
  h('section', { class: `panel ${kind}` }, h('h2', null, title), body);

function curves() {
  const height = 150;
  const pages = curve({
    title: 'Pages',
    height,
    series: [
      { key: 'pages', label: 'stored', fill: true },
      { key: 'relevant', label: 'relevant', colour: 1 },
    ],
    format: count,
  });
  const speed = curve({
    title: 'Pages a second',
    height,
    series: [{ key: 'speed', label: 'smoothed', colour: 3, fill: true }],
  });
  const share = curve({
    title: 'Relevant share',
    height,
    series: [
      { key: 'recent', label: 'of the last 200 pages', colour: 5, format: percent },
      { key: 'share', label: 'of all', colour: 2, format: percent },
    ],
    yFormat: percent,
  });
  return [pages, speed, share];
}

// The best pages so far, and a link to all of them.
function finds(place, rows, o) {
  fill(
    place,
    rows.length
      ? [
          h(
            'ol',
            { class: 'finds' },
            rows.map((r) =>
              h(
                'li',
                null,
                h(
                  'b',
                  { class: 'rel-chip', title: 'relevance' },
                  h('i', { style: { background: scale(rank(r)) } }),
                  sure(r),
                ),
                h(
                  'div',
                  null,
                  act(
                    () => alter({ page: r.id }),
                    { class: 'title', dir: 'auto' },
                    r.title || shortUrl(r.url),
                  ),
                  h('span', { class: 'note' }, ` ${r.host}`),
                  h('p', { class: 'snippet', dir: 'auto' }, snippet(r.snippet)),
                ),
              ),
            ),
          ),
          h('button', { class: 'quiet', onclick: () => go({ view: 'results', params: {} }) }, 'All results'),
        ]
      : h('p', { class: 'note' }, noPage(o)),
  );
}

const FINDS = 5;
const WAIT_METRICS = [...Object.keys(WAITS), ...Object.keys(SHARES)];

function mount(root, ctx) {
  const top = figures(FIGURES);
  const charts = curves();
  const places = Object.fromEntries(
    ['waits', 'drops', 'seeds', 'model', 'options', 'finds', 'nodes'].map((k) => [k, h('div')]),
  );
  const waitPanel = panel('Why it is not faster', places.waits);
  const modelPanel = panel('The model', places.model);
  const optionPanel = panel('Options', places.options);
  const nodePanel = panel('Nodes', places.nodes);
  const feed = activity(ctx);
  const body = h(
    'div',
    { class: 'stack' },
    top.node,
    nodePanel,
    h(
      'div',
      { class: 'grid charts' },
      charts.map((c) => c.node),
    ),
    h('div', { class: 'columns' }, panel('Best finds', places.finds), panel('What happens', feed.node)),
    h(
      'div',
      { class: 'columns' },
      h('div', { class: 'stack' }, waitPanel, panel('Where it started', places.seeds)),
      h('div', { class: 'stack' }, panel('Links left out, and why', places.drops), modelPanel),
    ),
    optionPanel,
  );
  fill(root, loading());
  let mean = null; // what it waited for, all in all
  const seen = {};
  // Only changed parts are drawn again.
  const differs = (k, v) => {
    const t = JSON.stringify(v) ?? 'nothing'; // not what it is before the first time
    const d = seen[k] !== t;
    seen[k] = t;
    return d;
  };
  const draw = (o) => {
    if (!o) return;
    if (!body.parentNode) fill(root, body);
    top.set(o);
    if (differs('w', [o.waiting, o.state, mean])) {
      waitPanel.firstChild.textContent = isLive(o) ? 'Why it is not faster' : 'Why it was not faster';
      waits(places.waits, o, mean);
    }
    if (differs('n', o.nodes)) nodes(nodePanel, places.nodes, o);
    if (differs('d', o.drops)) drops(places.drops, o);
    if (differs('s', o.seeds)) seeds(places.seeds, o);
    if (differs('m', o.describe)) facts(modelPanel, places.model, modelFacts(o));
    if (differs('o', [o.options, o.usual])) options(optionPanel, places.options, o);
  };
  ctx.onEnd(ctx.overview.on(draw));
  draw(ctx.overview.value);
  keep(
    ctx,
    async () => {
      const metric = ['pages', 'relevant', ...WAIT_METRICS.map((k) => `wait.${k}`)].join();
      const got = await get(ctx.path('samples'), { metric, points: 400 });
      if (ctx.ended) return;
      got.speed = speedOf(got.at, got.pages);
      got.share = shareOf(got.relevant, got.pages);
      got.recent = recentShare(got.relevant, got.pages);
      charts.forEach((c) => c.set(got));
      mean = Object.fromEntries(WAIT_METRICS.map((k) => [k, meanOf(got[`wait.${k}`])]));
      draw(ctx.overview.value);
    },
    2000,
  );
  keep(ctx, feed.load, 1500);
  keep(
    ctx,
    async () => {
      const { rows } = await get(ctx.path('pages'), { n: FINDS, snippet: 1 });
      const o = ctx.overview.value;
      if (!ctx.ended && o && differs('f', [rows, isLive(o)])) finds(places.finds, rows, o);
    },
    3000,
  );
  ctx.onEnd(() => charts.forEach((c) => c.destroy()));
}

export default { key: 'overview', label: 'Overview', icon: 'overview', mount };
