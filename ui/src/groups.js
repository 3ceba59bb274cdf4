// groups.js - the groups of a crew: abilities against the threshold, and their work.
// SPDX-License-Identifier: MIT
import { h, fill } from './dom.js';
import { get } from './api.js';
import { alter } from './router.js';
import { count, number, plural, words } from './format.js';
import { empty } from './live.js';
import { OUTCOMES } from './contracts.js';

// The figures behind the ability, and the work of a group: [member of the answer, heading, help]
const COLUMNS = [
  ['S', 'Links', 'S: how well the links of its queue fit the topic'],
  ['M', 'Reading', 'M: how like what it has read is to what its group has found on topic'],
  ['links', 'Queue', 'links it has to follow'],
  ['open', 'Open', 'visits under way'],
  ['given', 'Given', 'links given away by contract'],
  ['taken', 'Taken', 'links taken over by contract'],
  ['pages', 'Pages', 'fetched'],
];
const FEW = 40; // members of a group shown at first

const named = (name, id) =>
  id ? h('button', { class: 'quiet name', onclick: () => alter({ agent: id }) }, name) : name;

function member(a, threshold, most, ids) {
  const at = (v) => `${(100 * v) / most}%`;
  const able = a.ability >= threshold;
  return h(
    'tr',
    { class: able ? '' : 'below' },
    h('td', null, named(a.crawler, ids.get(a.crawler)), a.gone && h('span', { class: 'tag' }, 'gone')),
    h('td', null, a.assistant ? named(a.assistant, ids.get(a.assistant)) : '–'),
    h(
      'td',
      { class: 'wide' },
      h(
        'span',
        {
          class: 'ability',
          role: 'img',
          'aria-label': `ability ${number(a.ability)}, threshold ${number(threshold)}`,
        },
        h('i', { style: { width: at(Math.max(0, a.ability)) } }),
        typeof threshold === 'number' &&
          h('b', { title: `threshold ${number(threshold)}`, style: { left: at(threshold) } }),
      ),
    ),
    h('td', { class: 'num' }, number(a.ability)),
    h('td', null, able ? '✓ may call' : '– below'),
    COLUMNS.map(([key]) => h('td', { class: 'num' }, number(a[key]))),
  );
}

function summary(got) {
  const all = Object.entries(got.contracts || {});
  const total = all.reduce((sum, [, n]) => sum + n, 0);
  const figure = (label, value, small) =>
    h(
      'div',
      { class: 'figure' },
      h('dt', null, label),
      h('dd', null, value),
      h('dd', { class: 'small' }, small),
    );
  return h(
    'dl',
    { class: 'figures' },
    figure(
      'Contracts',
      h('span', { data: { figure: 'contracts' } }, count(total)),
      all.map(([state, n]) => `${count(n)} ${(OUTCOMES[state] || [words(state)])[0]}`).join(', ') ||
        'none yet',
    ),
    figure(
      'Links passed on',
      count(got.links_transferred ?? 0),
      `of ${count(got.links_offered ?? 0)} offered`,
    ),
    figure(
      'Asked before a visit',
      count(got.questions ?? 0),
      `${count(got.denied ?? 0)} times another agent had been there`,
    ),
    figure('Rounds', count(got.round ?? 0), 'of judging'),
    figure('Threshold', number(got.threshold), 'from this ability on one may call'),
    got.wordnet &&
      figure(
        'Related words',
        got.wordnet === 'found' ? 'WordNet' : 'equal ones only',
        got.wordnet === 'found' ? '' : got.wordnet,
      ),
  );
}

function table(members, got, most, ids) {
  return h(
    'div',
    { class: 'scroll' },
    h(
      'table',
      { class: 'plain crew-table' },
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          h('th', null, 'Crawler'),
          h('th', null, 'Assistant'),
          h('th', { colspan: '2', title: 'α S + (1 − α) M; the dashed line is the threshold' }, 'Ability'),
          h('th', null, 'Threshold'),
          COLUMNS.map(([, label, help]) => h('th', { class: 'num', title: help }, label)),
        ),
      ),
      h(
        'tbody',
        null,
        members.map((a) => member(a, got.threshold, most, ids)),
      ),
    ),
  );
}

function groupPanel(g, got, most, ids, whole, showAll) {
  const all = [...(g.crawlers || [])].sort((a, b) => (b.ability || 0) - (a.ability || 0));
  const able = all.filter((a) => a.ability >= got.threshold).length;
  const shown = whole ? all : all.slice(0, FEW);
  return h(
    'section',
    { class: 'panel', data: { group: g.facilitator } },
    h('h2', null, 'Group of ', named(g.facilitator ?? '–', ids.get(g.facilitator))),
    h(
      'p',
      { class: 'note' },
      `${plural(all.length, 'crawler')}, ${count(able)} at or above the threshold of ${number(got.threshold)} (the dashed line)`,
    ),
    table(shown, got, most, ids),
    shown.length < all.length &&
      h(
        'p',
        null,
        h('button', { onclick: showAll }, `Show all ${count(all.length)}`),
        h('span', { class: 'note' }, ` the ${FEW} most able are shown`),
      ),
  );
}

// Numbers of agents by name: for their cards.
async function idsOf(ctx) {
  const ids = new Map();
  const walk = (nodes) =>
    nodes.forEach((a) => {
      ids.set(a.name, a.id);
      walk(a.children || []);
    });
  walk((await get(ctx.path('tree'), { depth: 10, n: 5000 })).children);
  return ids;
}

export function groups(ctx, place) {
  const whole = new Set();
  let ids = null;
  let last = '';
  const draw = (got) => {
    if (!got.groups?.length) {
      fill(place, empty('No groups yet', 'They form when the first assistants have registered.'));
      return;
    }
    const all = got.groups.flatMap((g) => g.crawlers || []);
    const most = 1.05 * all.reduce((m, a) => Math.max(m, a.ability || 0), Math.max(1e-9, got.threshold || 0));
    fill(
      place,
      summary(got),
      got.groups.map((g) =>
        groupPanel(g, got, most, ids || new Map(), whole.has(g.facilitator), () => {
          whole.add(g.facilitator);
          draw(got);
        }),
      ),
    );
  };
  return {
    async load() {
      const got = await get(ctx.path('crew'));
      if (got.groups?.length && !ids) ids = await idsOf(ctx).catch(() => null);
      const text = JSON.stringify(got);
      if (text === last || ctx.ended) return;
      last = text;
      draw(got);
    },
    update() {},
    destroy() {},
  };
}
