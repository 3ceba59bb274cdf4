// population.js - births and deaths, energy, R, relevance: the curves of a population.
// SPDX-License-Identifier: MIT
import { h, fill } from '../dom.js';
import { get } from '../api.js';
import { count, number, relevance, percent } from '../format.js';
import { curve, histogram } from '../chart.js';
import { figures } from '../figures.js';
import { shareOf, recentShare } from '../derive.js';
import { keep, empty } from '../live.js';

const METRICS =
  'population,born,bounds.low,bounds.high,energy.agents,energy.pages,model.R,pages,relevant,mean_relevance';

const boundsOf = ({ low, high, cap }) =>
  low === null || low === undefined
    ? high || cap
      ? `at most ${count(high || cap)}`
      : ''
    : `${count(low)} to ${high ? count(high) : 'any'}`;

const FIGURES = [
  [
    'Alive',
    (o) => count(o.agents?.alive),
    (o) => boundsOf(o.bounds || {}),
    'p-alive',
    'and the bounds LB and UB',
  ],
  ['Born', (o) => count(o.agents?.born), () => 'so far', 'p-born'],
  ['Died', (o) => count(o.agents?.died), () => 'so far', 'p-died'],
  [
    'Energy of agents',
    (o) => (o.energy ? number(o.energy.agents) : null),
    (o) => (o.agents?.alive ? `${number(o.energy.agents / o.agents.alive)} each` : ''),
    'p-energy',
  ],
  ['Energy on pages', (o) => (o.energy ? number(o.energy.pages) : null), () => 'left for others', 'p-left'],
  [
    'Energy earned',
    (o) => (o.energy ? number(o.energy.earned) : null),
    (o) => `${number(o.energy.burnt)} burnt`,
    'p-earned',
  ],
  [
    'A visit pays from',
    (o) => (typeof o.describe?.R === 'number' ? number(o.describe.R) : null),
    () => 'relevance (R)',
    'p-r',
  ],
];

function curves() {
  const height = 190;
  return {
    size: curve({
      title: 'Agents alive',
      height,
      series: [
        { key: 'population', label: 'alive', fill: true, step: true },
        { key: 'bounds.low', label: 'lower bound (LB)', colour: 1, dash: 2, step: true },
        { key: 'bounds.high', label: 'upper bound (UB)', colour: 3, dash: 1, step: true },
      ],
      format: count,
    }),
    turnover: curve({
      title: 'Births and deaths',
      height,
      note: 'so far',
      series: [
        { key: 'born', label: 'born', colour: 2 },
        { key: 'died', label: 'died', colour: 1, dash: 1 },
      ],
      format: count,
    }),
    energy: curve({
      title: 'Energy',
      height,
      series: [
        { key: 'energy.agents', label: 'held by agents', colour: 4, fill: true },
        { key: 'energy.pages', label: 'left on pages', colour: 0, dash: 1 },
      ],
    }),
    precision: curve({
      title: 'Precision',
      note: 'share of relevant pages',
      height,
      series: [
        { key: 'recent', label: 'of the last 200', colour: 5, format: percent },
        { key: 'share', label: 'of all so far', colour: 2, format: percent },
      ],
      yFormat: percent,
    }),
    worth: curve({
      title: 'Relevance',
      height,
      series: [
        { key: 'mean_relevance', label: 'mean of all pages', format: relevance },
        { key: 'model.R', label: 'from here a visit pays (R)', colour: 3, dash: 1, format: number },
      ],
    }),
  };
}

function held(column = []) {
  let last = null;
  return column.map((v) => {
    last = v ?? last;
    return last;
  });
}

function mount(root, ctx) {
  const top = figures(FIGURES);
  const c = curves();
  const spread = histogram();
  const nobody = h('div', { hidden: true });
  fill(nobody, empty('No agents', 'This model has one queue, and no population.'));
  const charts = h(
    'div',
    { class: 'grid charts' },
    c.size.node,
    c.turnover.node,
    c.energy.node,
    c.precision.node,
    c.worth.node,
    spread.node,
  );
  fill(root, h('div', { class: 'stack' }, top.node, nobody, charts));
  const drawFigures = (o) => {
    if (!o) return;
    top.set(o);
    const any = (o.agents?.born ?? o.born) > 0;
    top.node.hidden = !any;
    nobody.hidden = any || !o.pages;
  };
  drawFigures(ctx.overview.value);
  ctx.onEnd(ctx.overview.on(drawFigures));
  keep(
    ctx,
    async () => {
      const [got, bins] = await Promise.all([
        get(ctx.path('samples'), { metric: METRICS, points: 500 }),
        get(ctx.path('histogram')),
      ]);
      if (ctx.ended) return;
      got.share = shareOf(got.relevant, got.pages);
      got.recent = recentShare(got.relevant, got.pages);
      got.died = (got.born || []).map((n, i) =>
        n === null || got.population[i] === null ? null : n - got.population[i],
      );
      // Values of a handful of pages are noise.
      got.mean_relevance = (got.mean_relevance || []).map((v, i) => (got.share[i] === null ? null : v));
      // Bounds are only reported when they change, so the last ones are valid.
      for (const k of ['bounds.low', 'bounds.high']) got[k] = held(got[k]);
      got['model.R'] = (got['model.R'] || []).map((v) => v || null);
      Object.values(c).forEach((one) => one.set(got));
      // Not every model has all of this.
      const has = (...keys) => keys.some((k) => (got[k] || []).some((v) => v !== null));
      const moves = (k) => new Set((got[k] || []).filter((v) => v !== null)).size > 1;
      c.size.node.hidden = !has('population');
      c.turnover.node.hidden = !moves('born') && !moves('died');
      c.energy.node.hidden = !has('energy.agents', 'energy.pages');
      c.precision.node.hidden = !has('pages');
      c.worth.node.hidden = !has('mean_relevance', 'model.R');
      spread.set(bins);
    },
    2000,
  );
  ctx.onEnd(() => [...Object.values(c), spread].forEach((one) => one.destroy()));
}

export default {
  key: 'population',
  label: 'Population',
  icon: 'population',
  when: (o) => (o.agents?.born ?? o.born) > 1,
  mount,
};
