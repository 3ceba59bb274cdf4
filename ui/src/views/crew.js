// crew.js - a crew at work: groups and their abilities, contracts, the concept lattice.
// SPDX-License-Identifier: MIT
import { h, fill, onEnter } from '../dom.js';
import { get } from '../api.js';
import { alter } from '../router.js';
import { count, number, plural, timeNode, words } from '../format.js';
import { vlist } from '../vlist.js';
import { keep, empty, into } from '../live.js';
import { sequence } from '../sequence.js';
import { lattice } from '../lattice.js';

// ---- groups: abilities against the threshold ----

function member(a, threshold, most) {
  const at = (v) => `${(100 * v) / most}%`;
  const able = a.ability >= threshold;
  return h(
    'tr',
    { class: able ? '' : 'below' },
    h('td', null, h('strong', null, a.crawler)),
    h('td', null, a.assistant),
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
    h('td', null, able ? '✓ at or above' : '– below'),
    COLUMNS.map(([key]) => h('td', { class: 'num' }, number(a[key]))),
  );
}

// What stands behind the ability, and what they did. [member of the answer, heading, help]
const COLUMNS = [
  ['S', 'S', 'how well its links fit'],
  ['M', 'M', 'how well its lattice fits'],
  ['links', 'Links', 'it has to follow'],
  ['open', 'Open', 'contracts under way'],
  ['given', 'Given', 'links given away'],
  ['taken', 'Taken', 'links taken over'],
  ['pages', 'Pages', 'fetched'],
];

function groups(got) {
  if (!got.groups || got.groups.length === 0)
    return empty('No groups yet', 'They form when the first assistants have registered.');
  return got.groups.map((g) => {
    const all = g.crawlers || [];
    const most = Math.max(1e-9, got.threshold || 0, ...all.map((a) => a.ability || 0)) * 1.05;
    return h(
      'section',
      { class: 'panel' },
      h('h2', null, `Group of ${g.facilitator ?? '–'}`),
      h(
        'p',
        { class: 'note' },
        `${plural(all.length, 'crawler')}, each with an assistant; threshold ${number(got.threshold)}`,
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
              h('th', null, 'Crawler'),
              h('th', null, 'Assistant'),
              h('th', null, 'Ability'),
              h('th'),
              h('th', null, 'Threshold'),
              COLUMNS.map(([, label, help]) => h('th', { class: 'num', title: help }, label)),
            ),
          ),
          h(
            'tbody',
            null,
            all.map((a) => member(a, got.threshold, most)),
          ),
        ),
      ),
    );
  });
}

// ---- contracts: conversations, one as a sequence of messages ----

function contracts(ctx, place) {
  let rows = [];
  let chosen = ctx.params.conversation ? +ctx.params.conversation : null;
  const side = h(
    'div',
    { class: 'panel grow scroll' },
    empty('Choose a conversation', 'Its messages are drawn here.'),
  );
  const list = vlist({
    height: 46,
    label: 'Conversations',
    key: (i) => `${rows[i].id} ${rows[i].state} ${rows[i].messages} ${rows[i].id === chosen}`,
    render: (i) => {
      const c = rows[i];
      return h(
        'div',
        {
          class: `talk ${c.id === chosen ? 'chosen' : ''}`,
          onclick: () => alter({ conversation: c.id }, true),
          onkeydown: onEnter(() => alter({ conversation: c.id }, true)),
        },
        h(
          'span',
          { class: 'what' },
          h(
            'span',
            { class: 'title' },
            c.contract ? `${c.manager} → ${c.contractor ?? '…'}` : `${c.manager}: ${words(c.performative)}`,
          ),
          h(
            'span',
            { class: 'url' },
            `${plural(c.messages, 'message')}${c.contract ? `, ${count(c.passed)} of ${plural(c.links, 'link')} passed on` : ''}${c.detail ? `, ${c.detail}` : ''}`,
          ),
        ),
        h('span', { class: 'tag' }, words(c.state || '')),
        timeNode(c.at),
      );
    },
  });
  fill(place, h('div', { class: 'split fill' }, h('div', { class: 'list-side' }, list.node), side));
  const show = () => {
    if (chosen)
      into(
        side,
        () => get(ctx.path('messages'), { conversation: chosen, n: 500 }),
        (got) => sequence(got.rows),
      );
  };
  show();
  return {
    async load() {
      const got = await get(ctx.path('conversations'), { n: 2000 });
      rows = got.rows.reverse();
      list.setTotal(rows.length);
      if (!chosen && rows.length) {
        chosen = rows[0].id;
        list.refresh();
        show();
      }
    },
    update(params) {
      if (!params.conversation || +params.conversation === chosen) return;
      chosen = +params.conversation;
      list.refresh();
      show();
    },
    destroy: list.destroy,
  };
}

// ---- the lattice of one agent ----

function lattices(ctx, place) {
  const pick = h('select', { 'aria-label': 'Agent', onchange: (e) => alter({ of: e.target.value }, true) });
  const body = h('div', { class: 'panel grow' });
  let of = ctx.params.of || null;
  fill(
    place,
    h(
      'div',
      { class: 'bar' },
      h('label', { class: 'inline' }, h('span', null, 'Agent'), pick),
      h(
        'span',
        { class: 'note' },
        'Above: few words, many pages. Below: many words, few pages. Point at a concept to see what it joins.',
      ),
    ),
    body,
  );
  const show = () =>
    into(
      body,
      () =>
        get(ctx.path('lattice'), { agent: of }).catch((e) => {
          if (e.status === 404) return {};
          throw e;
        }),
      (got) =>
        got.lattice?.concepts?.length
          ? lattice(got.lattice)
          : empty('No lattice', 'Nothing was kept of what this agent has read.'),
    );
  let known = '';
  return {
    async load() {
      const agents = [];
      const walk = (nodes) =>
        nodes.forEach((a) => {
          if (a.kind !== 'facilitator') agents.push(a);
          walk(a.children);
        });
      walk((await get(ctx.path('tree'), { depth: 10, n: 500 })).children);
      const key = agents.map((a) => a.id).join();
      if (key === known) return;
      known = key;
      agents.sort((a, b) => (b.kind === 'crawler') - (a.kind === 'crawler'));
      of = of || (agents[0] && String(agents[0].id));
      fill(
        pick,
        agents.map((a) =>
          h('option', { value: a.id, selected: String(a.id) === of }, `${a.name} (${a.kind})`),
        ),
      );
      if (of) show();
      else fill(body, empty('Nobody has read anything yet'));
    },
    update(params) {
      if (params.of && params.of !== of) {
        of = params.of;
        show();
      }
    },
    destroy() {},
  };
}

const PARTS = {
  groups: [
    'Groups',
    (ctx, place) => ({
      load: async () => fill(place, groups(await get(ctx.path('crew')))),
      update() {},
      destroy() {},
    }),
  ],
  contracts: ['Contracts', contracts],
  lattice: ['Lattice', lattices],
};

function mount(root, ctx) {
  const place = h('div', { class: 'fill stack' });
  const choice = h(
    'div',
    { class: 'choice', role: 'group', 'aria-label': 'Show' },
    Object.entries(PARTS).map(([k, [label]]) =>
      h('button', { data: { as: k }, onclick: () => alter({ as: k === 'groups' ? null : k }, true) }, label),
    ),
  );
  let part = null;
  let name = '';
  fill(root, h('div', { class: 'bar' }, choice), place);
  function switchTo(next) {
    name = PARTS[next] ? next : 'groups';
    part?.destroy();
    fill(place);
    for (const b of choice.children) b.setAttribute('aria-pressed', String(b.dataset.as === name));
    part = PARTS[name][1](ctx, place);
    work.now();
  }
  const work = keep(
    ctx,
    async () => {
      await part?.load();
    },
    3000,
  );
  switchTo(ctx.params.as || 'groups');
  ctx.onEnd(() => part?.destroy());
  return {
    update(params) {
      if ((params.as || 'groups') !== name) switchTo(params.as || 'groups');
      else part?.update(params);
    },
  };
}

// There is a crew where agents talk.
export default { key: 'crew', label: 'Crew', icon: 'crew', when: (o) => o.model === 'crew', mount };
