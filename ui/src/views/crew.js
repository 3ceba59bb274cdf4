// crew.js - a crew at work: groups and their abilities, contracts, the concept lattice.
// SPDX-License-Identifier: MIT
import { h, fill } from '../dom.js';
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
  return h('tr', { class: able ? '' : 'below' },
    h('td', null, h('button', { class: 'quiet', onclick: () => alter({ agent: a.id }) }, a.name || `#${a.id}`)),
    h('td', { class: 'wide' }, h('span', { class: 'ability', role: 'img', 'aria-label': `ability ${number(a.ability)}, threshold ${number(threshold)}` },
      h('i', { style: { width: at(Math.max(0, a.ability)) } }), threshold !== null && threshold !== undefined && h('b', { title: `threshold ${number(threshold)}`, style: { left: at(threshold) } }))),
    h('td', { class: 'num' }, number(a.ability)), h('td', null, able ? '✓ takes work' : '– below'),
    h('td', { class: 'num' }, count(a.queue)), h('td', { class: 'num' }, count(a.pages)));
}

function groups(got) {
  if (!got.groups || got.groups.length === 0) return empty('No groups', 'This model has not formed any.');
  return got.groups.map((g) => {
    const all = g.agents || [];
    const most = Math.max(1e-9, g.threshold || 0, ...all.map((a) => a.ability || 0)) * 1.05;
    const name = g.facilitator && typeof g.facilitator === 'object' ? g.facilitator.name : g.facilitator;
    return h('section', { class: 'panel' }, h('h2', null, `Group of ${name ?? '–'}`), h('p', { class: 'note' }, `${plural(all.length, 'agent')}, threshold ${number(g.threshold)}`),
      h('div', { class: 'scroll' }, h('table', { class: 'plain' }, h('thead', null, h('tr', null, ['Agent', 'Ability', '', 'Work', 'Queue', 'Pages'].map((t, i) => h('th', { class: i === 2 || i > 3 ? 'num' : '' }, t)))),
        h('tbody', null, all.map((a) => member(a, g.threshold, most))))));
  });
}

// ---- contracts: conversations, one as a sequence of messages ----

function contracts(ctx, place) {
  let rows = [];
  let chosen = ctx.params.conversation || null;
  const side = h('div', { class: 'panel grow scroll' }, empty('Choose a conversation', 'Its messages are drawn here.'));
  const list = vlist({
    height: 46, label: 'Conversations', key: (i) => `${rows[i].id} ${rows[i].state} ${rows[i].messages} ${rows[i].id === chosen}`,
    render: (i) => {
      const c = rows[i];
      return h('div', { class: `talk ${c.id === chosen ? 'chosen' : ''}`, onclick: () => alter({ conversation: c.id }, true), onkeydown: (e) => { if (e.key === 'Enter') alter({ conversation: c.id }, true); } },
        h('span', { class: 'what' }, h('span', { class: 'title' }, `${c.manager ?? '–'} → ${c.contractor ?? '…'}`), h('span', { class: 'url' }, `${plural(c.messages, 'message')}${c.links ? `, ${plural(c.links, 'link')}` : ''}`)),
        h('span', { class: 'tag' }, words(c.state || '')), timeNode(c.at));
    },
  });
  fill(place, h('div', { class: 'split fill' }, h('div', { class: 'list-side' }, list.node), side));
  const show = () => {
    if (chosen) into(side, () => get(ctx.path('messages'), { conversation: chosen, n: 500 }), (got) => sequence(got.rows));
  };
  show();
  return {
    async load() {
      const got = await get(ctx.path('conversations'));
      rows = got.rows;
      list.setTotal(rows.length);
      if (!chosen && rows.length) { chosen = rows[0].id; list.refresh(); show(); }
    },
    update(params) {
      if (!params.conversation || params.conversation === chosen) return;
      chosen = params.conversation;
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
  fill(place, h('div', { class: 'bar' }, h('label', { class: 'inline' }, h('span', null, 'Agent'), pick), h('span', { class: 'note' }, 'Above: few words, many pages. Below: many words, few pages. Point at a concept to see what it joins.')), body);
  const show = () => into(body, () => get(ctx.path('lattice'), { agent: of || undefined }), (got) => (got.concepts && got.concepts.length ? lattice(got) : empty('No lattice yet', 'It grows with what the agent reads.')));
  let known = '';
  return {
    async load() {
      const got = await get(ctx.path('crew'));
      const agents = (got.groups || []).flatMap((g) => g.agents || []);
      const key = agents.map((a) => a.id).join();
      if (key === known && known) return;
      known = key;
      of = of || (agents[0] && String(agents[0].id));
      fill(pick, agents.map((a) => h('option', { value: a.id, selected: String(a.id) === of }, a.name || `#${a.id}`)));
      show();
    },
    update(params) { if (params.of && params.of !== of) { of = params.of; show(); } },
    destroy() {},
  };
}

const PARTS = {
  groups: ['Groups', (ctx, place) => ({ load: async () => fill(place, groups(await get(ctx.path('crew')))), update() {}, destroy() {} })],
  contracts: ['Contracts', contracts],
  lattice: ['Lattice', lattices],
};

function mount(root, ctx) {
  const place = h('div', { class: 'fill stack' });
  const choice = h('div', { class: 'choice', role: 'group', 'aria-label': 'Show' }, Object.entries(PARTS).map(([k, [label]]) => h('button', { data: { as: k }, onclick: () => alter({ as: k === 'groups' ? null : k }, true) }, label)));
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
  const work = keep(ctx, async () => { await part?.load(); }, 3000);
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
export default { key: 'crew', label: 'Crew', icon: 'crew', when: (o) => o.messages > 0 || o.model === 'crew', mount };
