// agent.js - the card of an agent: family, words, path, energy, finds. SPDX-License-Identifier: MIT
import { h, fill, icon } from './dom.js';
import { get } from './api.js';
import { alter } from './router.js';
import { count, number, rank, sure, shortUrl, timeNode, instant, duration, plural } from './format.js';
import { scale } from './colour.js';
import { curve } from './chart.js';
import { told } from './told.js';
import { KINDS } from './reasons.js';
import { into } from './live.js';

const MANY = 60;
const AGAIN = 3000; // ms between two requests for its present state

const kin = (list, total = list?.length) =>
  list && list.length
    ? h(
        'span',
        { class: 'kin' },
        list
          .slice(0, MANY)
          .map((a) =>
            h(
              'button',
              { class: 'quiet', onclick: () => alter({ agent: a.id, page: null }) },
              a.name || `#${a.id}`,
            ),
          ),
        total > MANY && ` and ${count(total - MANY)} more`,
      )
    : h('span', { class: 'note' }, 'none');

export const pageRow = (p, time) =>
  h(
    'li',
    null,
    h(
      'button',
      { class: 'quiet page-row', onclick: () => alter({ page: p.id || p.page, agent: null }) },
      h(
        'b',
        { class: 'rel-chip', title: 'how sure brood is that it is about the topic, 0 to 100' },
        h('i', { style: { background: scale(rank(p)) } }),
        sure(p),
      ),
      h('span', { class: 'title', dir: 'auto' }, p.title || shortUrl(p.url)),
      h('span', { class: 'url' }, shortUrl(p.url)),
    ),
    time && timeNode(time),
  );

export function agentCard(window, ctx, id) {
  let energy = null;
  let nature = null; // the model's description, which changes while the card is open
  let live = false;
  let last = performance.now();
  const draw = (a) => {
    window.heading.textContent = a.name || `#${a.id}`;
    window.heading.title = '';
    const dead = Boolean(a.died_at);
    const o = ctx.overview.value;
    const now = o && ['running', 'paused'].includes(o.state) ? Date.now() / 1000 : instant(o?.commit_at);
    const lived = instant(a.born_at) ? duration((instant(a.died_at) ?? now) - instant(a.born_at)) : '–';
    const parts = [
      h(
        'div',
        { class: 'chips' },
        h(
          'span',
          { class: `chip ${dead ? 'dead' : 'running'}` },
          icon(dead ? 'dead' : 'run'),
          dead ? `died: ${a.death || 'unknown'}` : 'alive',
        ),
        a.kind && h('span', { class: 'chip', title: a.kind }, KINDS[a.kind] || a.kind),
        h(
          'span',
          { class: 'note' },
          `agent ${a.id}${a.generation !== undefined ? `, generation ${a.generation}` : ''}`,
        ),
      ),
      h(
        'dl',
        { class: 'figures small' },
        [
          o?.energy && ['Energy', number(a.energy)],
          ['Pages', count(a.pages)],
          o?.energy && ['Gained', number(a.gained)],
          o?.energy && ['Paid', number(a.paid)],
          ['Lived', lived],
        ]
          .filter(Boolean)
          .map(([k, v]) => h('div', { class: 'figure' }, h('dt', null, k), h('dd', null, v))),
      ),
      h(
        'dl',
        { class: 'facts' },
        h('dt', null, 'born'),
        h('dd', null, timeNode(a.born_at)),
        dead && [h('dt', null, 'died'), h('dd', null, timeNode(a.died_at))],
        h('dt', null, 'descends from'),
        h('dd', null, kin(a.parents)),
        h('dt', null, 'children'),
        h('dd', null, kin(a.children, a.children_total)),
      ),
    ];
    nature = h('div', { class: 'told' }, told(a));
    parts.push(nature);
    live = !dead;
    if (a.energy_curve && a.energy_curve.length > 1) {
      energy = curve({
        title: 'Energy along its life',
        always: true,
        height: 140,
        series: [{ key: 'value', label: 'energy', colour: 4, fill: true, step: true }],
      });
      energy.set({ at: a.energy_curve.map((e) => e.at), value: a.energy_curve.map((e) => e.value) });
      parts.push(energy.node);
    }
    parts.push(
      h('h3', null, `What it found (${plural(a.found, 'page')})`),
      a.finds && a.finds.length
        ? h(
            'ol',
            { class: 'page-list' },
            a.finds.slice(0, 100).map((p) => pageRow(p)),
          )
        : h('p', { class: 'note' }, 'Nothing yet.'),
    );
    parts.push(
      h('h3', null, `Its way (${plural(a.visits, 'visit')})`),
      a.path && a.path.length
        ? h(
            'ol',
            { class: 'page-list' },
            a.path
              .slice(-200)
              .reverse()
              .map((p) => pageRow(p, p.at)),
          )
        : h('p', { class: 'note' }, 'It has not moved.'),
    );
    return parts;
  };
  const stop = ctx.changed.on(async () => {
    if (nature && !nature.isConnected) return void stop();
    if (!live || document.hidden || performance.now() - last < AGAIN) return;
    last = performance.now();
    try {
      const a = await get(ctx.path(`agent/${id}?n=1`));
      live = !a.died_at;
      fill(nature, told(a));
    } catch {
      /* what is shown stays */
    }
  });
  into(window.body, () => get(ctx.path(`agent/${id}`)), draw);
  return {
    end: () => {
      stop();
      energy?.destroy();
    },
  };
}
