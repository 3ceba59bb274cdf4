// compare.js - several crawls side by side; reports of the lab. SPDX-License-Identifier: MIT
import { h, fill } from '../dom.js';
import { get, crawlPath } from '../api.js';
import { alter, address } from '../router.js';
import {
  count,
  crawlName,
  number,
  percent,
  bytes,
  clock,
  duration,
  instant,
  plural,
  short,
  topicTitle,
} from '../format.js';
import { curve } from '../chart.js';
import { dialog } from '../dialog.js';
import { keep, empty } from '../live.js';

const MOST = 8; // as many as there are colours

// [label, value(c), larger is better: 1, smaller: -1, neither: 0, text]
const ROWS = [
  ['Topic', (c) => topicTitle(c.topic), 0],
  ['Model', (c) => c.model, 0],
  ['State', (c) => c.state, 0],
  ['Pages', (c) => c.pages, 0, count],
  ['Relevant', (c) => c.relevant, 1, count],
  ['Relevant share', (c) => (c.pages ? c.relevant / c.pages : null), 1, percent],
  ['Mean relevance', (c) => c.mean_relevance, 1, number],
  ['Agents born', (c) => c.agents?.born, 0, count],
  ['Agents alive', (c) => c.agents?.alive, 0, count],
  ['Hosts', (c) => c.hosts, 0, count],
  ['URLs known', (c) => c.urls, 0, count],
  ['Duplicates', (c) => c.duplicates, -1, count],
  ['Received', (c) => c.received ?? c.bytes, 0, bytes],
  ['Failed', (c) => c.failed, -1, count],
  ['Time', (c) => c.seconds, 0, duration],
  ['Pages a second', (c) => (c.seconds > 0 ? c.pages / c.seconds : null), 1, number],
];

// The best value of a row; null where all are alike, or none is better than another.
function bestOf(values, better) {
  const known = values.filter((v) => typeof v === 'number').map((v) => v * better);
  if (!better || known.length < 2 || known.every((v) => v === known[0])) return null;
  return Math.max(...known) / better;
}

function cell(v, best, text) {
  const words = v === null || v === undefined ? '–' : text ? text(v) : String(v);
  if (best === null || v !== best) return h('td', null, words);
  return h(
    'td',
    { class: 'best' },
    words,
    h('span', { class: 'star', role: 'img', 'aria-label': 'best of the row', title: 'best of the row' }, '★'),
  );
}

function table(list) {
  const one = list.every((c) => c.topic === list[0].topic); // else relevance cannot be compared
  return h(
    'div',
    { class: 'panel scroll' },
    h(
      'table',
      { class: 'plain side-by-side' },
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          h('th', null, ''),
          list.map((c) =>
            h(
              'th',
              null,
              h('a', { href: address({ id: c.id, view: 'overview' }), title: c.dir }, crawlName(c)),
            ),
          ),
        ),
      ),
      h(
        'tbody',
        null,
        ROWS.map(([label, value, better, text]) => {
          const values = list.map(value);
          const best = one ? bestOf(values, better) : null;
          return h(
            'tr',
            { data: { row: label } },
            h('th', null, label),
            !text && values.every((v) => v === values[0])
              ? h(
                  'td',
                  { colspan: values.length },
                  values[0] ?? '–',
                  values.length > 1 && h('span', { class: 'note' }, ' (all)'),
                )
              : values.map((v) => cell(v, best, text)),
          );
        }),
      ),
    ),
    h(
      'p',
      { class: 'note' },
      one
        ? '★ best of the row'
        : 'These crawls have different topics: their relevance cannot be compared, and no row has a best.',
    ),
  );
}

// ---- curves: one a crawl, all on one axis ----

const POINTS = 400;

// The value at x between the points around it; null outside.
function between(points, x, from) {
  let i = from;
  while (i + 1 < points.length && points[i + 1][0] <= x) i++;
  const [a, b] = [points[i], points[i + 1]];
  if (!a || x < a[0] || (!b && x > a[0])) return [null, i];
  if (!b || a[0] === x) return [a[1], i];
  return [a[1] + ((b[1] - a[1]) * (x - a[0])) / (b[0] - a[0]), i];
}

// all: [{at, pages, …}]; xOf(s, i), value(s, i): the coordinates of a sample.
function join(all, xOf, value) {
  const lines = all.map((s) =>
    (s.at || [])
      .map((_, i) => [xOf(s, i), value(s, i)])
      .filter(([x, y]) => x !== null && y !== null && Number.isFinite(x) && Number.isFinite(y))
      .filter(([x], i, list) => i === list.length - 1 || list[i + 1][0] > x),
  );
  const ends = lines.flatMap((l) => (l.length ? [l[0][0], l.at(-1)[0]] : []));
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const grid = ends.length
    ? Array.from({ length: POINTS }, (_, i) => low + ((high - low) * i) / (POINTS - 1))
    : [];
  const at = [...new Set([...grid, ...ends])].sort((a, b) => a - b);
  const out = { at };
  lines.forEach((points, k) => {
    let i = 0;
    out[`c${k}`] = at.map((x) => {
      const [y, place] = between(points, x, i);
      i = place;
      return y;
    });
  });
  return out;
}

const AXES = {
  pages: ['over pages stored', (s, i) => (s.pages[i] > 0 ? s.pages[i] : null), short],
  time: ['over the time since each began', (s, i) => s.at[i] - s.start, clock],
};

// [title, value of a sample, text, only over this axis]
const CURVES = [
  ['Relevant pages', (s, i) => s.relevant?.[i] ?? null, count],
  ['Relevant share', (s, i) => (s.pages[i] > 0 ? (s.relevant?.[i] ?? 0) / s.pages[i] : null), percent],
  ['Population', (s, i) => s.population?.[i] ?? null, count],
  ['Pages', (s, i) => s.pages[i], count, 'time'],
];
const curvesOver = (axis) => CURVES.filter(([, , , only]) => !only || only === axis);

// ---- which crawls found which pages ----

const SETS = 15; // shown

function overlapPanel(got, names) {
  const all = got.sets;
  const most = Math.max(1, ...all.map((s) => s.pages));
  const everyone = all.find((s) => s.in.length === names.length);
  return h(
    'section',
    { class: 'panel overlap' },
    h('h2', null, 'Found by whom'),
    h(
      'p',
      { class: 'note' },
      `${plural(got.pages, 'page')} in all; ${count(everyone?.pages ?? 0)} found by ${names.length === 2 ? 'both' : `all ${names.length}`}. A row counts pages that these crawls have, and no other.`,
    ),
    h(
      'div',
      { class: 'scroll' },
      h(
        'table',
        { class: 'plain' },
        h(
          'thead',
          null,
          h(
            'tr',
            null,
            names.map((n) => h('th', { class: 'who' }, n)),
            h('th', { class: 'num' }, 'Pages'),
            h('th'),
            h('th', { class: 'num', title: 'for one of them at least' }, 'Relevant'),
          ),
        ),
        h(
          'tbody',
          null,
          all.slice(0, SETS).map((s) =>
            h(
              'tr',
              { data: { set: s.in.join() } },
              names.map((n, k) =>
                s.in.includes(k)
                  ? h('td', { class: 'who', 'aria-label': `found by ${n}` }, '●')
                  : h('td', { class: 'who not', 'aria-label': `not by ${n}` }, '·'),
              ),
              h('td', { class: 'num' }, count(s.pages)),
              h(
                'td',
                { class: 'wide' },
                h(
                  'span',
                  { class: 'bar-track' },
                  h('span', { class: 'bar-fill', style: { width: `${(100 * s.pages) / most}%` } }),
                ),
              ),
              h('td', { class: 'num' }, count(s.relevant)),
            ),
          ),
        ),
      ),
    ),
    all.length > SETS && h('p', { class: 'note' }, `and ${count(all.length - SETS)} more`),
  );
}

// ---- reports of the lab ----

function openReport(name) {
  const w = dialog({ title: name, kind: 'whole' });
  w.body.append(
    h('iframe', {
      class: 'stored',
      title: `Report ${name}`,
      sandbox: 'allow-scripts',
      src: `/reports/${encodeURIComponent(name)}`,
    }),
  );
}

function mount(root, ctx) {
  const choice = h('div', { class: 'panel' });
  const place = h('div', { class: 'stack' });
  const reports = h('div');
  let curves = [];
  fill(root, h('h1', null, 'Compare'), choice, place, reports);

  // The crawl that one comes from, and others of its topic: only their figures can be compared.
  const usual = (list) => {
    const some = list.filter((c) => c.pages > 0);
    const first = some.find((c) => c.id === ctx.id) || some[0];
    const alike = some.filter((c) => c !== first && c.topic === first.topic);
    return (alike.length ? [first, ...alike] : some).slice(0, 4);
  };
  const chosen = () => {
    const list = ctx.crawls.value || [];
    const ids = (ctx.params.ids || '').split(',').filter(Boolean);
    const found = ids.map((id) => list.find((c) => c.id === id)).filter(Boolean);
    return ctx.params.ids === undefined ? usual(list) : found;
  };

  function drawChoice() {
    const list = ctx.crawls.value || [];
    const now = new Set(chosen().map((c) => c.id));
    fill(
      choice,
      h('h2', null, 'Crawls'),
      list.length === 0
        ? h('p', { class: 'note' }, 'There are none yet.')
        : h(
            'div',
            { class: 'checks' },
            list.map((c) =>
              h(
                'label',
                null,
                h('input', {
                  type: 'checkbox',
                  checked: now.has(c.id),
                  disabled: !now.has(c.id) && now.size >= MOST,
                  onchange: (e) => {
                    if (e.target.checked) now.add(c.id);
                    else now.delete(c.id);
                    alter({ ids: [...now].join(',') || 'none' }, true);
                  },
                }),
                ` ${crawlName(c)}`,
                h('span', { class: 'note' }, ` ${c.model || '–'}, ${plural(c.pages, 'page')}`),
              ),
            ),
          ),
    );
  }

  const axisOf = () => (AXES[ctx.params.over] ? ctx.params.over : 'pages');
  const labelOf = (c) => (c.model && c.model !== c.name ? `${crawlName(c)} (${c.model})` : crawlName(c));
  const axes = h(
    'div',
    { class: 'choice', role: 'group', 'aria-label': 'Curves over' },
    Object.keys(AXES).map((k) =>
      h(
        'button',
        { data: { over: k }, onclick: () => alter({ over: k === 'pages' ? null : k }, true) },
        `over ${k}`,
      ),
    ),
  );
  const figures = h('div');
  const shared = h('div');
  let shown = '';

  function layOut(list, axis) {
    curves.forEach((c) => c.destroy());
    curves = curvesOver(axis).map(([title, , format]) =>
      curve({
        title,
        note: AXES[axis][0],
        format,
        height: 220,
        xFormat: AXES[axis][2],
        series: list.map((c, k) => ({ key: `c${k}`, label: labelOf(c), colour: k, dash: k % 4 })),
      }),
    );
    for (const b of axes.children) b.setAttribute('aria-pressed', String(b.dataset.over === axis));
    fill(
      place,
      figures,
      shared,
      h('div', { class: 'bar' }, axes),
      h(
        'div',
        { class: 'grid two' },
        curves.map((c) => c.node),
      ),
    );
  }

  const work = keep(
    ctx,
    async () => {
      const list = chosen();
      const axis = axisOf();
      if (list.length === 0) {
        shown = '';
        fill(place, empty('Choose crawls above', 'Up to eight are put side by side.'));
        return;
      }
      const [all, details] = await Promise.all([
        Promise.all(
          list.map((c) =>
            get(crawlPath(c.id, 'samples'), { metric: 'pages,relevant,population', points: POINTS }),
          ),
        ),
        Promise.all(list.map((c) => get(crawlPath(c.id)))),
      ]);
      if (ctx.ended) return;
      all.forEach((s, i) => (s.start = instant(details[i].started_at) ?? s.at[0]));
      const key = `${axis} ${list.map((c) => c.id).join()}`;
      if (key !== shown) {
        layOut(list, axis);
        shown = key;
      }
      fill(figures, table(details));
      curvesOver(axis).forEach(([, value], i) => curves[i].set(join(all, AXES[axis][1], value), {}, true));
    },
    4000,
  );

  // This reads every page of every crawl, so it is done seldom, and last.
  const whole = keep(
    ctx,
    async () => {
      const list = chosen();
      if (list.length < 2) {
        fill(shared);
        return;
      }
      const got = await get('/api/overlap', { ids: list.map((c) => c.id).join() });
      if (
        ctx.ended ||
        got.ids.join() !==
          chosen()
            .map((c) => c.id)
            .join()
      )
        return;
      fill(shared, overlapPanel(got, list.map(crawlName)));
    },
    15000,
  );

  get('/api/reports')
    .then((list) => {
      if (ctx.ended || !list.length) return;
      fill(
        reports,
        h(
          'section',
          { class: 'panel' },
          h('h2', null, 'Reports of the lab'),
          h(
            'ul',
            { class: 'links' },
            list.map((r) =>
              h(
                'li',
                null,
                r.report
                  ? h('button', { class: 'quiet', title: r.dir, onclick: () => openReport(r.name) }, r.name)
                  : [r.name, h('span', { class: 'note' }, ` has no report yet: brood lab report ${r.dir}`)],
              ),
            ),
          ),
        ),
      );
    })
    .catch(() => {});
  let known = '';
  ctx.onEnd(
    ctx.crawls.on(() => {
      drawChoice();
      const key = chosen()
        .map((c) => c.id)
        .join();
      if (key === known) return;
      known = key;
      work.now();
      whole.now();
    }),
  );
  ctx.onEnd(() => curves.forEach((c) => c.destroy()));
  drawChoice();
  return {
    update: () => {
      drawChoice();
      work.now();
      whole.now();
    },
  };
}

export default { key: 'compare', label: 'Compare', icon: 'compare', mount };
