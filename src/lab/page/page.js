// page.js - what moves in a lab report: curves, their legend, sorted tables, print.
//
// In: the JSON of #data, the <figure class="chart"> and <div class="legend"> of the
// page. uPlot is a variable of the function this stands in, null where brood was
// built without it. Texts are only ever set as textContent.
// SPDX-License-Identifier: MIT
'use strict';

const data = JSON.parse(document.getElementById('data').textContent);
const COLOURS = 8;
const DASHES = [[], [8, 4], [2, 3], [8, 3, 2, 3]];
const HEIGHT = 340;
const PRINT_WIDTH = 660; // of A4 between margins, in CSS pixels
const charts = []; // {figure, world, curve, plot}
const hidden = data.worlds.map(() => new Set());
let printing = false;

// ---- figures as text ----

function number(v) {
  if (v === null || v === undefined) return '\u2013';
  const a = Math.abs(v);
  return (v < 0 ? '\u2212' : '') + a.toFixed(a < 9.9995 ? 3 : a < 999.95 ? 1 : 0);
}

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
      label: data.models[model],
      stroke: colour(model),
      width: 2,
      points: { show: false },
      dash: DASHES[Math.floor(model / COLOURS) % DASHES.length],
    },
    edge,
    { ...edge },
  ];
}

function columns(curve) {
  const out = [curve.x];
  // A band of values that cannot be below 0 or above 1 ends there.
  const inside = (v) => (curve.share ? Math.min(1, Math.max(0, v)) : v);
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
  const box = document.createElement('div');
  box.className = 'tip';
  box.hidden = true;
  chart.figure.append(box);
  return (u) => {
    const at = u.cursor.idx;
    box.hidden = at === null || at === undefined || u.cursor.left < 0;
    if (box.hidden) return;
    const table = document.createElement('table');
    table.createCaption().textContent = unit.show(u.data[0][at]);
    data.models
      .map((name, m) => ({ name, m, v: u.data[1 + 3 * m][at], half: chart.curve.half[m][at] }))
      .filter((row) => row.v !== null && u.series[1 + 3 * row.m].show)
      .sort((a, b) => b.v - a.v)
      .forEach((row) => {
        const tr = table.insertRow();
        const mark = tr.insertCell();
        mark.textContent = '\u25cf';
        mark.style.color = colour(row.m);
        tr.insertCell().textContent = row.name;
        tr.insertCell().textContent =
          number(row.v) + (row.half === null ? '' : ' \u00b1 ' + number(row.half));
      });
    box.replaceChildren(table);
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
      axes: [axis(unit.label, (u, ticks) => ticks.map(unit.show), 34), axis(chart.curve.name, undefined, 56)],
      legend: { show: false },
      padding: [10, 26, 0, 0],
      cursor: { drag: { x: true, y: false }, points: { show: false }, sync: { key: 'world' + chart.world } },
      hooks: { setCursor: [show] },
    },
    columns(chart.curve),
    chart.figure,
  );
  chart.plot.root
    .querySelector('canvas')
    .setAttribute('aria-label', `Curves of ${chart.curve.name}; the table beside them has the figures`);
}

function drawAll() {
  charts.forEach(draw);
}

function findCharts() {
  document.querySelectorAll('.chart').forEach((figure) => {
    const world = +figure.dataset.world;
    const curve = data.worlds[world].metrics.find((m) => m.name === figure.dataset.metric);
    if (curve && curve.x.length) charts.push({ figure, world, curve, plot: null });
    else figure.remove();
  });
  drawAll();
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

function wireLegends() {
  document.querySelectorAll('.legend').forEach((legend) => {
    const world = +legend.dataset.world;
    legend
      .querySelectorAll('.key')
      .forEach((key) => key.addEventListener('click', () => toggle(world, +key.dataset.model, key)));
  });
}

// ---- tables ----

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
  if (uPlot) drawAll();
}

addEventListener('beforeprint', () => setPrinting(true));
addEventListener('afterprint', () => setPrinting(false));
matchMedia('print').addEventListener('change', (e) => setPrinting(e.matches));
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  if (uPlot) drawAll();
});

wireTables();
if (uPlot) {
  findCharts();
  watchWidths();
  wireLegends();
}
