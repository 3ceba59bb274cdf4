// chart.js - curves over time (uPlot), with a legend that shows the figures under the pointer.
//
//   const c = curve({title, series: [{key, label, format, fill, dash, step}], marks, height});
//   c.node; c.set({at: [seconds…], key: […]}); c.destroy()
//
// marks: horizontal lines [{key, label}], whose values come with set(…, {key: value}).
// always: time goes on where nothing was measured. SPDX-License-Identifier: MIT
import uPlot from 'uplot';
import { h, say, fill } from './dom.js';
import { clock, number, short, instant, absolute } from './format.js';
import { css, line, theme, relevanceColour, best } from './colour.js';

// Steps of a time axis, seconds: those of clocks.
const STEPS = [
  0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400,
  172800, 604800,
];
const DASHES = [[], [6, 4], [2, 3], [8, 3, 2, 3]];
const SWATCHES = ['', 'dashed', 'dotted', 'dashed'];

export function curve({
  title,
  note,
  series,
  marks = [],
  height = 180,
  format = number,
  min0 = true,
  range,
  xFormat = clock,
  yFormat = short,
  always = false,
}) {
  const body = h('div', { class: 'chart-body' });
  const legend = h('ul', { class: 'legend' });
  const node = h(
    'figure',
    { class: 'chart panel' },
    h(
      'figcaption',
      null,
      h('span', { class: 'chart-title' }, title),
      note && h('span', { class: 'note' }, note),
    ),
    legend,
    body,
    h('p', { class: 'note chart-none' }, 'No figures so far.'),
  );
  node.classList.add('empty');
  const all = [...series, ...marks.map((m) => ({ ...m, mark: true, dash: 1 }))];
  const cells = all.map((one, i) => {
    const value = h('span', { class: 'value' });
    const stroke = () => line(one.colour ?? i);
    const swatch = h('i', { class: `swatch ${SWATCHES[one.dash || 0]}` });
    legend.append(h('li', null, swatch, h('span', null, one.label), value));
    return { value, swatch, stroke };
  });
  let plot = null;
  let data = [[]];
  let start = null;
  let times = null; // of the samples

  const paintSwatches = () =>
    cells.forEach((c) => {
      c.swatch.style.borderTopColor = c.stroke();
    });

  function show(at) {
    all.forEach((one, i) => {
      const column = data[i + 1] || [];
      let v = at === null ? lastOf(column) : column[at];
      say(cells[i].value, v === undefined || v === null ? '–' : (one.format || format)(v));
    });
    const x = at === null ? null : data[0][at];
    node.title = x === null || start === null ? '' : absolute(times[at]);
  }

  function make() {
    plot?.destroy();
    const axis = (extra) => ({
      stroke: () => css('--muted'),
      grid: { stroke: () => css('--grid'), width: 1 },
      ticks: { show: false },
      font: '11px system-ui, sans-serif',
      ...extra,
    });
    plot = new uPlot(
      {
        width: Math.max(120, body.clientWidth),
        height,
        legend: { show: false },
        padding: [8, 14, 0, 0],
        cursor: { y: false, points: { size: 6 }, drag: { x: false, y: false } },
        scales: { x: { time: false }, y: { range: range || ((u, low, high) => wide(low, high, min0)) } },
        axes: [
          axis({
            size: 26,
            gap: 4,
            space: 60,
            incrs: xFormat === clock ? STEPS : undefined,
            values: (u, ticks) => ticks.map((t) => xFormat(t, ticks[1] - ticks[0])),
          }),
          axis({ size: 48, gap: 4, space: 30, values: (u, ticks) => ticks.map(yFormat) }),
        ],
        series: [
          {},
          ...all.map((one, i) => ({
            label: one.label,
            stroke: cells[i].stroke,
            width: one.mark ? 1 : 1.6,
            dash: DASHES[one.dash || 0],
            points: { show: (u) => u.data[0].length < 3 },
            fill: one.fill ? () => fade(cells[i].stroke()) : undefined,
            spanGaps: true,
            paths: one.step ? uPlot.paths.stepped({ align: 1 }) : undefined,
          })),
        ],
        hooks: { setCursor: [(u) => show(u.cursor.idx ?? null)] },
      },
      data,
      body,
    );
    paintSwatches();
  }

  const resize = new ResizeObserver(() => {
    if (body.clientWidth === 0) return;
    if (!plot) make();
    else if (plot.width !== body.clientWidth) plot.setSize({ width: body.clientWidth, height });
  });
  resize.observe(body);
  const off = theme.on(() => {
    paintSwatches();
    plot?.redraw(false);
  });

  return {
    node,
    // samples.at: times of the server, or plain numbers where `plain`.
    set(samples, levels = {}, plain = false) {
      const at = samples.at || [];
      start = plain || at.length === 0 ? null : instant(at[0]);
      times = plain ? null : at.map(instant);
      const x = plain ? at : always ? times.map((t) => t - start) : worked(times);
      data = [
        x,
        ...series.map((one) => clean(samples[one.key], x.length)),
        ...marks.map((m) => x.map(() => levels[m.key] ?? null)),
      ];
      // Series without values are not in the legend.
      const known = data.slice(1).map((column) => column.some((v) => v !== null));
      known.forEach((is, i) => {
        legend.children[i].hidden = !is && known.some(Boolean);
      });
      node.classList.toggle('empty', !known.some(Boolean));
      if (plot) plot.setData(data);
      show(null);
      const words = series.map((one, i) => `${one.label}: ${cells[i].value.textContent}`).join(', ');
      body.setAttribute('role', 'img');
      body.setAttribute('aria-label', `${title}. ${words}`);
    },
    destroy() {
      resize.disconnect();
      off();
      plot?.destroy();
    },
  };
}

// Seconds of work since the beginning, without the time between a stop and a resume.
function worked(times) {
  const steps = times.slice(1).map((t, i) => t - times[i]);
  const usual = [...steps].sort((a, b) => a - b)[Math.floor(steps.length / 2)] || 0;
  let off = times[0] || 0;
  return times.map((t, i) => {
    if (i > 0 && steps[i - 1] > Math.max(30, 20 * usual)) off += steps[i - 1] - usual;
    return t - off;
  });
}

function wide(low, high, min0) {
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const bottom = min0 ? Math.min(0, low) : low;
  const top = high <= bottom ? bottom + 1 : high + (high - bottom) * 0.06;
  return [bottom, top];
}

const fade = (colour) => (/^#[0-9a-f]{6}$/i.test(colour) ? colour + '22' : colour);
const clean = (column, n) =>
  (column || new Array(n).fill(null)).map((v) => (v === null || Number.isNaN(v) ? null : v));

function lastOf(column) {
  for (let i = column.length - 1; i >= 0; i--)
    if (column[i] !== null && column[i] !== undefined) return column[i];
  return null;
}

// Bars for shares of a whole or counts: [{label, n, title}]; the largest is full, unless a row has
// its own `most`. Its `text` replaces the formatted number.
export function bars(rows, format, kind = '') {
  const most = Math.max(1e-9, ...rows.filter((r) => r.most === undefined).map((r) => r.n));
  return h(
    'ul',
    { class: `bars ${kind}` },
    rows.map((r) =>
      h(
        'li',
        { title: r.title },
        h('span', { class: 'bar-label' }, r.label),
        h(
          'span',
          { class: 'bar-track' },
          r.n > 0 && h('span', { class: 'bar-fill', style: { width: `${(100 * r.n) / (r.most ?? most)}%` } }),
        ),
        h('span', { class: 'bar-value' }, r.text ?? format(r.n)),
      ),
    ),
  );
}

// Bars to both sides of 0, which is marked where any is below it: [{label, n}].
export function signedBars(rows) {
  const low = Math.max(0, ...rows.map((r) => -r.n));
  const high = Math.max(0, ...rows.map((r) => r.n));
  const share = (n) => (100 * n) / Math.max(1e-9, low + high);
  const long = rows.some((r) => r.label.length > 16);
  const value = (n) => (Math.max(low, high) < 0.01 ? number(n) : n.toFixed(3).replace('-', '−'));
  return h(
    'ul',
    { class: `bars slim signed ${long ? 'long' : ''}` },
    rows.map((r) =>
      h(
        'li',
        { title: `${r.label}: ${r.n}` },
        h('span', { class: 'bar-label' }, r.label),
        h(
          'span',
          { class: 'bar-track' },
          h('span', {
            class: r.n < 0 ? 'bar-fill below' : 'bar-fill',
            style: { width: `${share(Math.abs(r.n))}%`, marginLeft: `${share(low + Math.min(0, r.n))}%` },
          }),
          low > 0 && h('span', { class: 'bar-zero', style: { left: `${share(low)}%` } }),
        ),
        h('span', { class: 'bar-value' }, (r.n > 0 && low > 0 ? '+' : '') + value(r.n)),
      ),
    ),
  );
}

// The histogram of relevance: one bar a bin, coloured by the scale, R marked. Empty bins on the
// right are cut off.
export function histogram() {
  const plot = h('div', { class: 'histogram', role: 'img' });
  const axis = h('div', { class: 'histogram-axis', 'aria-hidden': 'true' });
  const note = h('span', { class: 'note' });
  const node = h(
    'figure',
    { class: 'chart panel' },
    h('figcaption', null, h('span', { class: 'chart-title' }, 'Relevance of the pages'), note),
    plot,
    axis,
  );
  let last = null;
  function draw() {
    if (!last) return;
    const all = last.bins || [];
    const one = 1 / Math.max(1, all.length);
    const R = typeof last.R === 'number' ? last.R : null;
    let used = all.length;
    while (used > 1 && !all[used - 1]) used--;
    const wide = Math.min(all.length, Math.ceil(Math.max(used, (R || 0) / one, 5) / 5) * 5);
    const bins = all.slice(0, wide);
    const most = Math.max(1, ...bins);
    // The root keeps rare bins visible beside full ones.
    fill(
      plot,
      bins.map((n, i) =>
        h(
          'i',
          {
            title: `${(i * one).toFixed(2)} to ${((i + 1) * one).toFixed(2)}: ${n} pages`,
            style: {
              height: n ? `${Math.max(2, 100 * Math.sqrt(n / most))}%` : '0',
              background: relevanceColour((i + 0.5) * one),
            },
          },
          bins.length <= 15 && n > 0 && h('span', null, short(n)),
        ),
      ),
      R !== null &&
        h('b', { class: 'r-mark', style: { left: `${(100 * R) / (wide * one)}%` } }, `R ${number(R)}`),
    );
    fill(
      axis,
      [0, 0.25, 0.5, 0.75, 1].map((x) => h('span', null, number(x * wide * one))),
    );
    plot.setAttribute(
      'aria-label',
      `${bins.reduce((a, b) => a + b, 0)} pages by relevance; most from ${number(bins.indexOf(most) * one)}`,
    );
    say(note, `Each bar covers ${number(one)}. Its height follows the square root of the number of pages.`);
  }
  const ends = [theme.on(draw), best.on(draw)];
  return {
    node,
    set(v) {
      last = v;
      draw();
    },
    destroy: () => ends.forEach((end) => end()),
  };
}

// The key of the colour scale: the meaning of its ends, and (`middle`) of the values between them.
export const scaleKey = (low, high, ...more) =>
  h('span', { class: 'key' }, h('span', null, low), h('i', { class: 'ramp' }), h('span', null, high), more);
