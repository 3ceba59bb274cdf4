// population.js - births and deaths, energy, R, relevance: the curves of a population.
// SPDX-License-Identifier: MIT
import { h, fill } from '../dom.js';
import { get } from '../api.js';
import { count, number, relevance, percent } from '../format.js';
import { curve, histogram } from '../chart.js';
import { keep } from '../live.js';

const METRICS = 'population,born,energy.agents,energy.pages,model.R,pages,relevant,mean_relevance';

function mount(root, ctx) {
  const size = curve({
    title: 'Population',
    series: [{ key: 'population', label: 'alive', fill: true, step: true }],
    marks: [
      { key: 'low', label: 'lower bound' },
      { key: 'high', label: 'upper bound' },
    ],
    format: count,
  });
  const turnover = curve({
    title: 'Births and deaths',
    note: 'so far',
    series: [
      { key: 'born', label: 'born', colour: 2 },
      { key: 'died', label: 'died', colour: 1, dash: 1 },
    ],
    format: count,
  });
  const energy = curve({
    title: 'Energy',
    series: [
      { key: 'energy.agents', label: 'held by agents', colour: 4, fill: true },
      { key: 'energy.pages', label: 'left on pages', colour: 5, dash: 1 },
    ],
  });
  const good = curve({
    title: 'R',
    note: 'relevance that pays for a visit',
    series: [{ key: 'model.R', label: 'R', colour: 3, format: number }],
  });
  const precision = curve({
    title: 'Precision over time',
    series: [
      { key: 'share', label: 'relevant share', format: percent },
      { key: 'mean_relevance', label: 'mean relevance', colour: 1, dash: 1, format: relevance },
    ],
    note: 'of all pages so far',
  });
  const spread = histogram();
  fill(
    root,
    h(
      'div',
      { class: 'grid two' },
      size.node,
      turnover.node,
      energy.node,
      good.node,
      precision.node,
      spread.node,
    ),
  );
  keep(
    ctx,
    async () => {
      const [got, bins] = await Promise.all([
        get(ctx.path('samples'), { metric: METRICS, points: 500 }),
        get(ctx.path('histogram')),
      ]);
      if (ctx.ended) return;
      got.share = (got.pages || []).map((n, i) => (n > 0 ? (got.relevant?.[i] ?? 0) / n : null));
      got.died = (got.born || []).map((n, i) =>
        n === null || got.population[i] === null ? null : n - got.population[i],
      );
      const bounds = ctx.overview.value?.bounds || {};
      size.set(got, { low: bounds.low, high: bounds.high });
      turnover.set(got);
      energy.set(got);
      good.set(got);
      // Not every model has all of this.
      const has = (...keys) => keys.some((k) => (got[k] || []).some((v) => v !== null));
      good.node.hidden = !has('model.R');
      turnover.node.hidden = !has('born', 'died');
      energy.node.hidden = !has('energy.agents', 'energy.pages');
      precision.set(got);
      spread.set(bins);
    },
    2000,
  );
  ctx.onEnd(() => [size, turnover, energy, good, precision, spread].forEach((c) => c.destroy()));
}

export default { key: 'population', label: 'Population', icon: 'population', mount };
