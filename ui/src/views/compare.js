// compare.js - several crawls side by side; reports of the lab. SPDX-License-Identifier: MIT
import { h, fill } from '../dom.js';
import { get, crawlPath } from '../api.js';
import { alter, address } from '../router.js';
import { count, number, percent, relevance, bytes, duration, short } from '../format.js';
import { curve } from '../chart.js';
import { dialog } from '../dialog.js';
import { keep, empty } from '../live.js';

const MOST = 8; // as many as there are colours

// [label, value(c), larger is better: 1, smaller: -1, neither: 0, text]
const ROWS = [
  ['Topic', (c) => c.topic, 0],
  ['Model', (c) => c.model, 0],
  ['State', (c) => c.state, 0],
  ['Pages', (c) => c.pages, 0, count],
  ['Relevant', (c) => c.relevant, 1, count],
  ['Relevant share', (c) => (c.pages ? c.relevant / c.pages : null), 1, percent],
  ['Mean relevance', (c) => c.mean_relevance, 1, relevance],
  ['Agents born', (c) => c.born, 0, count],
  ['Agents alive', (c) => c.alive, 0, count],
  ['Hosts', (c) => c.hosts, 0, count],
  ['Fetched', (c) => c.bytes, 0, bytes],
  ['Time', (c) => c.seconds, 0, duration],
  ['Pages a second', (c) => (c.seconds > 0 ? c.pages / c.seconds : null), 1, number],
];

function table(list) {
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
            h('th', null, h('a', { href: address({ id: c.id, view: 'overview' }) }, c.name || c.id)),
          ),
        ),
      ),
      h(
        'tbody',
        null,
        ROWS.map(([label, value, better, text]) => {
          const values = list.map(value);
          const best =
            better && values.length > 1
              ? Math.max(...values.map((v) => (typeof v === 'number' ? v * better : -Infinity)))
              : null;
          return h(
            'tr',
            null,
            h('th', null, label),
            values.map((v) =>
              h(
                'td',
                { class: best !== null && v * better === best ? 'best' : '' },
                v === null || v === undefined ? '–' : text ? text(v) : String(v),
              ),
            ),
          );
        }),
      ),
    ),
  );
}

// One curve a crawl, over the pages it had stored: values of each are laid on one axis.
function join(all, value) {
  const xs = [...new Set(all.flatMap((s) => (s.pages || []).filter((n) => n > 0)))].sort((a, b) => a - b);
  const at =
    xs.length > 800 ? xs.filter((_, i) => i % Math.ceil(xs.length / 800) === 0 || i === xs.length - 1) : xs;
  const out = { at };
  all.forEach((s, k) => {
    const byX = new Map();
    (s.pages || []).forEach((n, i) => {
      if (n > 0) byX.set(n, value(s, i));
    });
    out[`c${k}`] = at.map((x) => byX.get(x) ?? null);
  });
  return out;
}

const CURVES = [
  ['Relevant pages', 'over pages stored', (s, i) => s.relevant?.[i] ?? null, count],
  [
    'Relevant share',
    'over pages stored',
    (s, i) => (s.pages[i] ? (s.relevant?.[i] ?? 0) / s.pages[i] : null),
    percent,
  ],
  ['Population', 'over pages stored', (s, i) => s.population?.[i] ?? null, count],
];

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

  const chosen = () => {
    const list = ctx.crawls.value || [];
    const ids = (ctx.params.ids || '').split(',').filter(Boolean);
    const found = ids.map((id) => list.find((c) => c.id === id)).filter(Boolean);
    return ctx.params.ids === undefined ? list.filter((c) => c.pages > 0).slice(0, 4) : found;
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
                ` ${c.name || c.id}`,
                h('span', { class: 'note' }, ` ${c.model || '–'}, ${count(c.pages)} pages`),
              ),
            ),
          ),
    );
  }

  let shown = '';
  const work = keep(
    ctx,
    async () => {
      const list = chosen();
      if (list.length === 0) {
        shown = '';
        fill(place, empty('Choose crawls above', 'Up to eight are put side by side.'));
        return;
      }
      const [all, details] = await Promise.all([
        Promise.all(
          list.map((c) =>
            get(crawlPath(c.id, 'samples'), { metric: 'pages,relevant,population', points: 400 }),
          ),
        ),
        Promise.all(list.map((c) => get(crawlPath(c.id)))),
      ]);
      if (ctx.ended) return;
      const key = list.map((c) => c.id).join();
      if (key !== shown) {
        curves.forEach((c) => c.destroy());
        curves = CURVES.map(([title, note, , format]) =>
          curve({
            title,
            note,
            format,
            height: 220,
            xFormat: short,
            series: list.map((c, k) => ({
              key: `c${k}`,
              label: c.model ? `${c.name} (${c.model})` : c.name,
              colour: k,
              dash: k % 4,
            })),
          }),
        );
        fill(
          place,
          h('div', { data: { role: 'table' } }),
          h(
            'div',
            { class: 'grid two' },
            curves.map((c) => c.node),
          ),
        );
        shown = key;
      }
      fill(place.querySelector('[data-role=table]'), table(details));
      CURVES.forEach(([, , value], i) => curves[i].set(join(all, value), {}, true));
    },
    4000,
  );

  get('/api/reports')
    .then((list) => {
      const shown = list.filter((r) => r.report);
      if (ctx.ended || !shown.length) return;
      fill(
        reports,
        h(
          'section',
          { class: 'panel' },
          h('h2', null, 'Reports of the lab'),
          h(
            'ul',
            { class: 'links' },
            shown.map((r) =>
              h(
                'li',
                null,
                h('button', { class: 'quiet', title: r.dir, onclick: () => openReport(r.name) }, r.name),
              ),
            ),
          ),
        ),
      );
    })
    .catch(() => {});
  ctx.onEnd(ctx.crawls.on(drawChoice));
  ctx.onEnd(() => curves.forEach((c) => c.destroy()));
  drawChoice();
  return {
    update: () => {
      drawChoice();
      work.now();
    },
  };
}

export default { key: 'compare', label: 'Compare', icon: 'compare', mount };
