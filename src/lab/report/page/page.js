// page.js - a lab report, drawn from its JSON: sentences, tables, box plots, curves.
//
// In: the JSON of #data (lab/report/page.c) and the empty places of page.html. uPlot is a
// variable of the function this stands in, null where brood was built without it. Names come
// from plans and worlds that others may have written: they are only ever set as text.
// SPDX-License-Identifier: MIT
'use strict';

const data = JSON.parse(document.getElementById('data').textContent);
const COLOURS = 8;
const DASHES = [[], [8, 4], [2, 3], [8, 3, 2, 3]];
const HEIGHT = 340;
const PRINT_WIDTH = 660; // of A4 between margins, in CSS pixels
const LEVEL = 0.05; // p below it: two models differ
const charts = []; // {figure, world, curve, plot}
const hidden = data.worlds.map(() => new Set());
let printing = false;

// ---- elements ----

// Characters that turn the reading direction would let a name rewrite its row.
const safe = (text) =>
  String(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {}))
    if (value !== null && value !== undefined && value !== false)
      element.setAttribute(name, value === true ? '' : safe(value));
  for (const child of children.flat(Infinity))
    if (child !== null && child !== undefined) element.append(child instanceof Node ? child : safe(child));
  return element;
}

const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) =>
  fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
const place = (id) => document.getElementById(id);

const note = (...children) => el('span', { class: 'note' }, ...children);
const num = (text, attributes) => el('td', { class: 'num', ...attributes }, text);
const numHead = (text, title) => el('th', { class: 'num', title }, text);

function table(heads, rows, attributes) {
  return el(
    'div',
    { class: 'scroll' },
    el('table', attributes, el('thead', null, el('tr', null, heads)), el('tbody', null, rows)),
  );
}

const details = (open, title, ...children) =>
  el('details', { open }, el('summary', null, title), ...children);

// ---- figures as text: as report_say.c writes them ----

const digits = (size) => (size < 9.9995 ? 3 : size < 999.95 ? 1 : 0);
const none = (v) => v === null || v === undefined;

function sized(v, places) {
  return none(v) ? '\u2013' : (v < 0 ? '\u2212' : '') + Math.abs(v).toFixed(places);
}

const number = (v) => sized(v, digits(Math.abs(v)));
const half = (v, mean) => (none(v) ? '' : ' \u00b1 ' + sized(v, digits(Math.abs(mean))));

// A difference may be small and still be one.
function signed(v) {
  const size = Math.abs(v);
  return (!none(v) && v >= 0 ? '+' : '') + sized(v, size < 0.00995 ? 4 : digits(size));
}

const probability = (p) => (none(p) ? '\u2013' : p < 0.001 ? '< 0.001' : p.toFixed(3));
const interval = (c) =>
  none(c.low) || none(c.high)
    ? '\u2013'
    : `${signed(c.low)} to ${signed(c.high)}${c.interval === 't' ? ' (t)' : ''}`;
const largerP = (c) => (none(c.t_p) || none(c.wilcoxon_p) ? null : Math.max(c.t_p, c.wilcoxon_p));

function duration(s) {
  if (s >= 2 * 86400) return +(s / 86400).toFixed(2) + ' d';
  if (s >= 2 * 3600) return +(s / 3600).toFixed(2) + ' h';
  if (s >= 120) return +(s / 60).toFixed(1) + ' min';
  return +s.toFixed(1) + ' s';
}

const UNITS = {
  pages: { label: 'pages fetched', show: (x) => x.toLocaleString('en') },
  share: { label: '% of the reachable pages fetched', show: (x) => +(x * 100).toFixed(2) + ' %' },
  seconds: { label: 'simulated time', show: duration },
};
const unit = UNITS[data.unit];

// ---- models ----

// The colour and dash of a model, as in page.css.
const look = (m) => `s${m % COLOURS} d${Math.floor(m / COLOURS) % DASHES.length}`;

const modelName = (m) => [
  el('span', { class: 'no' }, m + 1),
  ' ',
  data.models[m].label,
  data.models[m].lab_only ? [' ', note('lab only')] : [],
];

const modelHeads = () => data.models.map((model, m) => numHead(m + 1, model.label));

// ---- the head of the page ----

function drawHead() {
  const topics = new Set(data.worlds.flatMap((w) => w.topics.map((t) => t.name)));
  const counts = {
    world: data.worlds.length,
    topic: topics.size,
    model: data.models.length,
    repeat: data.repeats,
    run: data.runs,
  };
  document.title = safe(`${data.name} - brood lab report`);
  fill(place('name'), null, [data.name]);
  if (data.about) fill(place('about'), null, [data.about]).hidden = false;
  for (const [name, n] of Object.entries(counts))
    place('counts').append(el('li', null, el('strong', null, n), ` ${name}${n === 1 ? '' : 's'}`));
  const links = [['findings', 'Findings']];
  if (data.claims.length) links.push(['claims', 'Claims']);
  data.worlds.forEach((w, i) => links.push([`w${i + 1}`, `World ${w.name}`]));
  links.push(['parameters', 'Parameters'], ['repeat', 'Repeat it']);
  fill(place('contents'), null, links.map(([id, text]) => [el('a', { href: '#' + id }, text), ' ']).flat());
  place('no-curves').hidden = !!uPlot;
  fill(
    place('found'),
    null,
    data.findings.map((line) => el('li', null, line)),
  );
}

// ---- claims ----

const VERDICTS = {
  reproduced: 'yes',
  'not reproduced': 'no',
  mixed: 'mixed',
  undecided: 'mixed',
  untested: 'untested',
};

function claimWhere(c) {
  return el(
    'tr',
    { class: 'sub' },
    el('td'),
    el('td', null, c.world),
    el('td', null, c.finding),
    num(number(c.mean_a)),
    num(number(c.mean_b)),
    num(signed(c.difference)),
    num(interval(c)),
    num(probability(c.finding === 'too few topics' ? null : largerP(c))),
    num(c.topics),
  );
}

function claimRows(claim) {
  const line = (text) => (text ? [el('br'), note(text)] : []);
  return [
    el(
      'tr',
      { class: 'claim' },
      el('th', null, claim.id),
      el(
        'td',
        { colspan: 6 },
        claim.says ? [el('strong', null, claim.says), el('br')] : [],
        note(claim.asks),
        line(claim.source && 'source: ' + claim.source),
        line(claim.since && 'written in ' + claim.since),
        line(claim.was && 'adjusted after the fact; it was: ' + claim.was),
      ),
      el(
        'td',
        { colspan: 2 },
        el('span', { class: 'verdict ' + VERDICTS[claim.verdict] }, claim.verdict),
        line(claim.note),
      ),
    ),
    ...claim.where.map(claimWhere),
  ];
}

function drawClaims() {
  place('claims').hidden = data.claims.length === 0;
  fill(place('claimed'), null, data.claims.flatMap(claimRows));
}

// ---- one metric: means ----

function meansTable(metric) {
  const row = (_, m) =>
    el(
      'tr',
      null,
      el('th', null, modelName(m)),
      metric.places.map(({ models }) =>
        el(
          'td',
          { class: models[m].best ? 'num best' : 'num' },
          number(models[m].mean),
          el('span', { class: 'half' }, half(models[m].half, models[m].mean)),
        ),
      ),
    );
  const heads = [el('th', null, 'model'), ...metric.places.map((p) => numHead('at ' + p.at))];
  return table(heads, data.models.map(row), { class: 'means' });
}

// ---- one metric: which beats which ----

const turned = (c) => ({
  ...c,
  difference: -c.difference,
  low: none(c.high) ? null : -c.high,
  high: none(c.low) ? null : -c.low,
});

function pairOf(pairs, a, b) {
  const [x, y] = [data.models[a].label, data.models[b].label];
  const straight = pairs.find((c) => c.a === x && c.b === y);
  const back = pairs.find((c) => c.a === y && c.b === x);
  return straight ?? (back && turned(back));
}

// Where there are too few topics no p could be small: it would mislead.
function pairCell(c, direction, showP) {
  if (!c || c.topics === 0) return el('td', { class: 'num none' }, '\u2013');
  const kind =
    !(largerP(c) < LEVEL) || none(largerP(c)) ? 'even' : direction * c.difference > 0 ? 'win' : 'lose';
  const title =
    `95 % interval ${interval(c)}; t test p ${probability(c.t_p)}, ` +
    `Wilcoxon p ${probability(c.wilcoxon_p)}; ${c.topics} topics`;
  const p = showP ? el('span', { class: 'p' }, 'p ' + probability(largerP(c))) : null;
  return el('td', { class: 'num ' + kind, title }, signed(c.difference), p);
}

function matrix(at, direction, showP) {
  const row = (_, a) =>
    el(
      'tr',
      null,
      el('th', null, modelName(a)),
      data.models.map((__, b) =>
        a === b ? el('td', { class: 'self' }) : pairCell(pairOf(at.pairs, a, b), direction, showP),
      ),
    );
  const box = table([el('th', null, 'row minus column'), ...modelHeads()], data.models.map(row), {
    class: 'matrix',
  });
  box.firstChild.prepend(el('caption', null, 'at ' + at.at));
  return box;
}

function pairs(world, metric, open) {
  return details(
    open,
    'Which beats which',
    world.too_few ? el('p', { class: 'note' }, el('strong', null, world.too_few + '.')) : null,
    el(
      'p',
      { class: 'note' },
      'Mean difference over topics, row minus column, with p: the larger of the paired t test\u2019s and ' +
        'Wilcoxon\u2019s, both corrected after Holm over all pairs. ',
      el('span', { class: 'win' }, 'Blue: the row is better'),
      ', ',
      el('span', { class: 'lose' }, 'orange: worse'),
      ', both with p < 0.05.',
    ),
    [...metric.places].reverse().map((at) => matrix(at, metric.direction, !world.too_few)),
  );
}

// ---- one metric: box plots by topic, as SVG: sharp in print ----

const BOX = { width: 860, names: 250, right: 18, row: 26, top: 8, axis: 24, letters: 34 };

// A round step that gives 4 to 10 ticks.
function roundStep(range) {
  const power = 10 ** Math.floor(Math.log10(range / 5));
  const share = range / 5 / power;
  return power * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10);
}

function scaleOf(values) {
  const all = values.flat().filter((v) => !none(v));
  let low = all.length ? Math.min(...all) : 0;
  let high = all.length ? Math.max(...all) : 1;
  if (!(high - low > 1e-9 * Math.abs(high))) high = low + (Math.abs(low) || 1); // all the same
  const step = roundStep(high - low);
  low = Math.floor(low / step) * step;
  high = Math.ceil(high / step) * step;
  const x = (v) => BOX.names + ((v - low) / (high - low)) * (BOX.width - BOX.names - BOX.right);
  return { low, high, step, x };
}

function boxAxis(scale, bottom) {
  const ticks = Math.round((scale.high - scale.low) / scale.step);
  const places = scale.step >= 1 ? 0 : Math.ceil(-Math.log10(scale.step) - 1e-9);
  return Array.from({ length: ticks + 1 }, (_, i) => {
    const v = scale.low + i * scale.step;
    const x = scale.x(v).toFixed(1);
    return [
      svg('line', { class: 'grid', x1: x, y1: BOX.top, x2: x, y2: bottom }),
      svg(
        'text',
        { class: 'tick', x, y: bottom + 16 },
        (Math.abs(v) < scale.step / 1000 ? 0 : v).toFixed(places),
      ),
    ];
  }).flat();
}

function quantile(sorted, q) {
  const at = (sorted.length - 1) * q;
  const below = sorted[Math.floor(at)];
  return below + (at % 1) * (sorted[Math.ceil(at)] - below);
}

// Quartiles, median, and whiskers to the last value within 1.5 quartile distances.
function box(scale, values, y) {
  const sorted = values.filter((v) => !none(v)).sort((a, b) => a - b);
  if (sorted.length === 0) return [];
  const [q1, q2, q3] = [0.25, 0.5, 0.75].map((q) => quantile(sorted, q));
  const reach = 1.5 * (q3 - q1);
  const low = Math.min(
    q1,
    sorted.find((v) => v >= q1 - reach),
  );
  const high = Math.max(
    q3,
    sorted.findLast((v) => v <= q3 + reach),
  );
  const median = scale.x(q2).toFixed(1);
  const width = Math.max(scale.x(q3) - scale.x(q1), 1).toFixed(1);
  return [
    svg('line', {
      class: 'whisker',
      x1: scale.x(low).toFixed(1),
      y1: y,
      x2: scale.x(high).toFixed(1),
      y2: y,
    }),
    svg('rect', { class: 'box', x: scale.x(q1).toFixed(1), y: y - 7, width, height: 14 }),
    svg('line', { class: 'median', x1: median, y1: y - 7, x2: median, y2: y + 7 }),
  ];
}

// A dot a topic, spread a little, always the same way, so that equal values are seen.
function dots(scale, values, topics, y) {
  return values.flatMap((v, t) =>
    none(v)
      ? []
      : svg(
          'circle',
          { cx: scale.x(v).toFixed(1), cy: y + ((t * 7) % 9) - 4, r: 2.2 },
          svg('title', null, `${topics[t].name}: ${number(v)}`),
        ),
  );
}

function boxes(world, metric) {
  const scale = scaleOf(metric.values);
  const bottom = BOX.top + BOX.row * data.models.length;
  const short = (label) => {
    const letters = [...label];
    return letters.length > BOX.letters ? letters.slice(0, BOX.letters - 1).join('') + '\u2026' : label;
  };
  const row = (values, m) => {
    const y = BOX.top + BOX.row * (m + 0.5);
    return [
      svg('text', { class: 'name', x: BOX.names - 10, y: y + 4 }, `${m + 1} ${short(data.models[m].label)}`),
      svg('g', { class: look(m) }, box(scale, values, y), dots(scale, values, world.topics, y)),
    ];
  };
  const label = `Box plot of ${metric.name} by topic, a row a model`;
  return el(
    'div',
    { class: 'scroll' },
    svg(
      'svg',
      { class: 'boxes', viewBox: `0 0 ${BOX.width} ${bottom + BOX.axis}`, role: 'img', 'aria-label': label },
      boxAxis(scale, bottom),
      metric.values.flatMap(row),
    ),
  );
}

// ---- one metric: by topic ----

function topicsTable(world, metric) {
  const row = (topic, t) =>
    el(
      'tr',
      null,
      el('th', { title: topic.words }, topic.name),
      num(topic.targets),
      metric.values.map((values) => num(number(values[t]), { 'data-v': values[t] })),
    );
  const heads = [el('th', null, 'topic'), numHead('targets'), ...modelHeads()];
  return details(false, 'By topic', table(heads, world.topics.map(row), { class: 'sortable' }));
}

// ---- a world ----

function drawMetric(world, w, metric, m, open) {
  const last = metric.places.at(-1);
  const several = data.models.length > 1;
  const figure = uPlot ? el('figure', { class: 'chart' }) : null;
  if (figure && metric.curve.x.length)
    charts.push({
      figure,
      world: w,
      name: metric.name,
      share: metric.share,
      curve: metric.curve,
      plot: null,
    });
  return el(
    'section',
    { class: 'metric' },
    el('h3', { id: `w${w + 1}-m${m + 1}` }, metric.name),
    el('p', { class: 'note' }, metric.help, metric.direction < 0 ? ' Less is better.' : null),
    metric.curve.x.length ? figure : null,
    meansTable(metric),
    world.topics.length > 1 ? details(open, 'Box plots by topic, at ' + last.at, boxes(world, metric)) : null,
    several && metric.alike ? el('p', { class: 'note' }, 'The same for every model.') : null,
    several && !metric.alike && metric.direction !== 0 ? pairs(world, metric, open) : null,
    topicsTable(world, metric),
  );
}

function legend(w) {
  const key = (m) =>
    el(
      'button',
      { type: 'button', class: 'key', 'aria-pressed': 'true' },
      svg(
        'svg',
        { class: 'swatch', viewBox: '0 0 28 10', 'aria-hidden': 'true' },
        svg('g', { class: look(m) }, svg('line', { class: 'stroke', x1: 0, y1: 5, x2: 28, y2: 5 })),
      ),
      modelName(m),
    );
  const box = el('div', { class: 'legend', role: 'group', 'aria-label': 'Curves shown' });
  data.models.forEach((_, m) => {
    const button = key(m);
    button.addEventListener('click', () => toggle(w, m, button));
    box.append(button);
  });
  return box;
}

function endings(world) {
  const row = (e) =>
    el(
      'tr',
      null,
      el('td', null, e.end),
      num(e.runs),
      el('td', null, e.models.map((m) => data.models[m].label).join(', ')),
    );
  return table([el('th', null, 'end'), numHead('runs'), el('th', null, 'models')], world.endings.map(row));
}

function drawWorld(world, w) {
  const pair = ([name, text]) => el('div', null, el('dt', null, name), el('dd', null, text));
  const figures = Object.entries(world.figures).filter(([, v]) => v !== null);
  // Details of the first metric that is worth something stand open.
  const first = world.metrics.findIndex((m) => m.direction !== 0);
  return el(
    'section',
    { class: 'world', id: `w${w + 1}` },
    el('h2', null, 'World ' + world.name),
    el(
      'dl',
      { class: 'figures' },
      Object.entries(world.counts).map(([name, n]) => pair([name, n.toLocaleString('en')])),
      figures.map(([name, v]) => pair([name, number(v)])),
    ),
    legend(w),
    world.metrics.map((metric, m) => drawMetric(world, w, metric, m, m === first)),
    el('h3', null, 'How the runs ended'),
    endings(world),
  );
}

// ---- every parameter ----

function drawModel(model, m) {
  const row = (o) =>
    el(
      'tr',
      { class: o.value === o.default ? null : 'set' },
      el('td', null, o.name),
      num(o.value),
      num(o.default),
      el('td', null, o.help),
    );
  const heads = [el('th', null, 'option'), numHead('value'), numHead('default'), el('th', null, 'meaning')];
  return details(
    false,
    el('span', null, modelName(m)),
    model.summary ? el('p', null, model.summary + '. ', note(model.source)) : null,
    model.options.length
      ? table(heads, model.options.map(row))
      : el('p', { class: 'note' }, 'It has no options.'),
  );
}

function drawEnd() {
  fill(
    place('settings'),
    null,
    data.settings.map(([name, value]) => el('tr', null, el('th', null, name), el('td', null, value))),
  );
  fill(place('models'), null, data.models.map(drawModel));
  fill(place('plan'), null, [data.plan]);
  fill(place('command'), null, [data.command]);
  fill(place('made-by'), null, [
    `The same plan with brood ${data.version} on the same worlds gives the same results, to the byte, ` +
      `with any number of jobs. Made by brood ${data.version}` +
      (uPlot ? '; curves by uPlot (MIT licence, in the source of this page).' : '.'),
  ]);
}

// ---- curves ----

function variable(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// On paper always the colours for white.
function colour(model) {
  return variable((printing ? '--l' : '--s') + (model % COLOURS));
}

function faint(hex) {
  const n = parseInt(hex.slice(1), 16);
  return `rgba(${n >> 16},${(n >> 8) & 255},${n & 255},0.16)`;
}

function axis(label, values, size) {
  const ink = printing ? '#444444' : variable('--muted');
  const grid = printing ? '#e4e4e4' : variable('--grid');
  const font = '12px system-ui, "DejaVu Sans", sans-serif';
  return {
    label,
    values,
    size,
    font,
    stroke: ink,
    labelFont: font,
    labelSize: 22,
    labelGap: 2,
    grid: { stroke: grid, width: 1 },
    ticks: { stroke: grid, width: 1, size: 5 },
  };
}

// A model is three series: its mean, and the two ends of its band, which have no line.
function seriesOf(model, shown) {
  const edge = { show: shown, width: 0, stroke: 'transparent', points: { show: false } };
  return [
    {
      show: shown,
      label: data.models[model].label,
      stroke: colour(model),
      width: 2,
      points: { show: false },
      dash: DASHES[Math.floor(model / COLOURS) % DASHES.length],
    },
    edge,
    { ...edge },
  ];
}

function columns({ curve, share }) {
  const out = [curve.x];
  // A band of values that cannot be below 0 or above 1 ends there.
  const inside = (v) => (share ? Math.min(1, Math.max(0, v)) : v);
  curve.mean.forEach((mean, m) => {
    const edge = (sign) =>
      mean.map((v, i) =>
        v === null || curve.half[m][i] === null ? null : inside(v + sign * curve.half[m][i]),
      );
    out.push(mean, edge(1), edge(-1));
  });
  return out;
}

// The models at the cursor, the highest first.
function tip(chart) {
  const box = el('div', { class: 'tip', hidden: true });
  chart.figure.append(box);
  return (u) => {
    const at = u.cursor.idx;
    box.hidden = at === null || at === undefined || u.cursor.left < 0;
    if (box.hidden) return;
    const rows = data.models
      .map(({ label }, m) => ({ label, m, v: u.data[1 + 3 * m][at], half: chart.curve.half[m][at] }))
      .filter((row) => row.v !== null && u.series[1 + 3 * row.m].show)
      .sort((a, b) => b.v - a.v)
      .map((row) => {
        const mark = el('td', null, '\u25cf');
        mark.style.color = colour(row.m);
        return el(
          'tr',
          null,
          mark,
          el('td', null, row.label),
          el('td', null, number(row.v) + half(row.half, row.half)),
        );
      });
    box.replaceChildren(el('table', null, el('caption', null, unit.show(u.data[0][at])), rows));
    const over = u.over.getBoundingClientRect();
    const right = u.cursor.left > over.width / 2;
    const x = u.over.offsetLeft + u.cursor.left;
    box.style.left = (right ? Math.max(0, x - box.offsetWidth - 14) : x + 14) + 'px';
    box.style.top = u.over.offsetTop + 6 + 'px';
  };
}

// The axis begins at 0 unless all values are far from it.
function fromZero(u, low, high) {
  if (low === null) return [0, 1];
  return uPlot.rangeNum(low > 0 && low < high / 2 ? 0 : low, high, 0.05, true);
}

function draw(chart) {
  if (chart.plot) chart.plot.destroy();
  chart.figure.replaceChildren();
  const bands = [];
  const series = [{}];
  data.models.forEach((_, m) => {
    series.push(...seriesOf(m, !hidden[chart.world].has(m)));
    bands.push({ series: [2 + 3 * m, 3 + 3 * m], fill: faint(colour(m)) });
  });
  const show = tip(chart);
  chart.plot = new uPlot(
    {
      width: printing ? PRINT_WIDTH : chart.figure.clientWidth,
      height: HEIGHT,
      series,
      bands,
      scales: { x: { time: false }, y: { range: fromZero } },
      axes: [axis(unit.label, (u, ticks) => ticks.map(unit.show), 34), axis(chart.name, undefined, 56)],
      legend: { show: false },
      padding: [10, 26, 0, 0],
      cursor: { drag: { x: true, y: false }, points: { show: false }, sync: { key: 'world' + chart.world } },
      hooks: { setCursor: [show] },
    },
    columns(chart),
    chart.figure,
  );
  chart.plot.root
    .querySelector('canvas')
    .setAttribute('aria-label', `Curves of ${chart.name}; the table beside them has the figures`);
}

function drawAll() {
  charts.forEach(draw);
}

function watchWidths() {
  const observer = new ResizeObserver((entries) =>
    entries.forEach((entry) => {
      const chart = charts.find((c) => c.figure === entry.target);
      const width = Math.floor(entry.contentRect.width);
      if (!printing && width > 0 && chart.plot.width !== width) chart.plot.setSize({ width, height: HEIGHT });
    }),
  );
  charts.forEach((chart) => observer.observe(chart.figure));
}

function toggle(world, model, key) {
  const shown = hidden[world].delete(model);
  if (!shown) hidden[world].add(model);
  key.setAttribute('aria-pressed', String(shown));
  charts
    .filter((c) => c.world === world)
    .forEach((c) => {
      for (let k = 1; k <= 3; k++) c.plot.setSeries(k + 3 * model, { show: shown });
    });
}

// ---- tables that can be sorted ----

// Numbers begin with the largest, names with A; a second click turns the order.
function sortBy(table, column, head) {
  const first = column === 0 ? 'ascending' : 'descending';
  const order = head.getAttribute('aria-sort') !== first ? first : column === 0 ? 'descending' : 'ascending';
  const value = (row) => {
    const cell = row.cells[column];
    const v = parseFloat(cell.dataset.v ?? cell.textContent);
    return isNaN(v) ? -Infinity : v;
  };
  const compare = (a, b) =>
    column === 0
      ? a.cells[0].textContent.localeCompare(b.cells[0].textContent, 'en')
      : value(a) < value(b)
        ? -1
        : value(a) > value(b)
          ? 1
          : 0;
  const rows = [...table.tBodies[0].rows].sort((a, b) => (order === 'ascending' ? 1 : -1) * compare(a, b));
  table.querySelectorAll('th[aria-sort]').forEach((th) => th.removeAttribute('aria-sort'));
  head.setAttribute('aria-sort', order);
  table.tBodies[0].append(...rows);
}

function wireTables() {
  document.querySelectorAll('table.sortable').forEach((table) =>
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      head.tabIndex = 0;
      head.addEventListener('click', () => sortBy(table, column, head));
      head.addEventListener('keydown', (e) => {
        if (e.key === 'Enter') sortBy(table, column, head);
      });
    }),
  );
}

// ---- print: everything open, white paper ----

let opened = [];

function setPrinting(on) {
  if (on === printing) return;
  printing = on;
  if (on) {
    opened = [...document.querySelectorAll('details:not([open])')];
    opened.forEach((d) => {
      d.open = true;
    });
  } else {
    opened.forEach((d) => {
      d.open = false;
    });
  }
  drawAll();
}

addEventListener('beforeprint', () => setPrinting(true));
addEventListener('afterprint', () => setPrinting(false));
matchMedia('print').addEventListener('change', (e) => setPrinting(e.matches));
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);

drawHead();
drawClaims();
fill(place('worlds'), null, data.worlds.map(drawWorld));
drawEnd();
wireTables();
drawAll();
watchWidths();
