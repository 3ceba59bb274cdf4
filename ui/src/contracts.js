// contracts.js - conversations of a crew: the list, and one as a sequence of messages.
// SPDX-License-Identifier: MIT
import { h, fill, onEnter } from './dom.js';
import { get } from './api.js';
import { alter } from './router.js';
import { count, plural, timeNode, words } from './format.js';
import { vlist } from './vlist.js';
import { empty, failure, loading } from './live.js';
import { sequence } from './sequence.js';

// The outcomes of contracts: [key, words, sign].
export const OUTCOMES = {
  called: ['called', '…'],
  'cfp-sent': ['called', '…'],
  transfer: ['handing over', '…'],
  awarded: ['awarded', '…'],
  running: ['under way', '▶'],
  done: ['done', '✓'],
  'no-bid': ['no bid came', '–'],
  failed: ['failed', '✕'],
  'timed-out': ['timed out', '!'],
  lost: ['lost', '✕'],
};
const OPEN = new Set(['called', 'awarded']);
const outcome = (state) => {
  const [text, sign] = OUTCOMES[state] || [words(state || ''), ''];
  return sign ? `${sign} ${text}` : text;
};

const STEP = 200;
const ALL = 5000; // as many as the server lists
const MESSAGES = 1000; // of one conversation, drawn

const about = (c) =>
  [
    c.contract &&
      (c.passed
        ? `${count(c.passed)} of ${plural(c.links, 'link')} passed on`
        : `${plural(c.links, 'link')} offered`),
    c.detail && c.contract && c.detail,
    plural(c.messages, 'message'),
  ]
    .filter(Boolean)
    .join(', ');

function talkRow(c, chosen) {
  const choose = () => alter({ conversation: c.id }, true);
  const partner = (c.contract ? c.contractor : c.receiver) ?? (OPEN.has(c.state) ? '…' : '');
  return h(
    'div',
    {
      class: `talk ${c.id === chosen ? 'chosen' : ''}`,
      'aria-current': c.id === chosen ? 'true' : null,
      data: { conversation: c.id },
      onclick: choose,
      onkeydown: onEnter(choose),
    },
    h(
      'span',
      { class: 'what' },
      h('span', { class: 'title' }, partner ? `${c.manager} → ${partner}` : c.manager),
      h('span', { class: 'url' }, about(c)),
    ),
    h('span', { class: 'tag' }, c.contract ? outcome(c.state) : words(c.performative)),
    timeNode(c.at),
  );
}

export function contracts(ctx, place) {
  let rows = [];
  let shown = [];
  let n = STEP;
  let chosen = ctx.params.conversation ? +ctx.params.conversation : null;
  let drawn = ''; // the conversation on the screen, and its state
  const side = h('div', { class: 'panel grow talk-side' });
  const note = h('span', { class: 'note', role: 'status' });
  const more = h('button', { onclick: () => alter({ many: 'yes' }, true), hidden: true }, 'List more');
  const only = h('select', {
    'aria-label': 'Outcome',
    onchange: (e) => alter({ only: e.target.value, conversation: null }, true),
  });
  const every = h('input', {
    type: 'checkbox',
    onchange: (e) => alter({ talk: e.target.checked ? 'all' : null, only: null, conversation: null }, true),
  });
  const list = vlist({
    height: 48,
    label: 'Conversations',
    key: (i) => `${shown[i].id} ${shown[i].state} ${shown[i].messages} ${shown[i].id === chosen}`,
    render: (i) => talkRow(shown[i], chosen),
  });
  fill(
    place,
    h(
      'div',
      { class: 'bar' },
      h('label', { class: 'inline' }, h('span', null, 'Outcome'), only),
      h('label', { class: 'inline' }, every, h('span', null, 'questions too')),
      note,
      more,
    ),
    h('div', { class: 'split fill' }, h('div', { class: 'list-side' }, list.node), side),
  );

  // Only changed parts are drawn again, in place.
  async function show() {
    if (!chosen) {
      drawn = '';
      fill(side, empty('Choose a conversation', 'Its messages are drawn here.'));
      return;
    }
    const row = rows.find((c) => c.id === chosen);
    const key = `${chosen} ${row?.messages} ${row?.state}`;
    if (key === drawn) return;
    const same = drawn.split(' ')[0] === String(chosen);
    const scrolled = same ? side.querySelector('.diagram')?.scrollTop : 0;
    drawn = key;
    if (!same) fill(side, loading());
    try {
      const got = await get(ctx.path('messages'), { conversation: chosen, n: MESSAGES });
      if (drawn !== key || ctx.ended) return;
      fill(
        side,
        h(
          'h2',
          null,
          `Conversation ${chosen}`,
          row && h('span', { class: 'tag' }, row.contract ? outcome(row.state) : words(row.performative)),
        ),
        row && h('p', { class: 'note' }, about(row)),
        row &&
          row.messages > got.rows.length &&
          h(
            'p',
            { class: 'note' },
            `The first ${count(got.rows.length)} of ${plural(row.messages, 'message')}.`,
          ),
        sequence(got, { open: (id) => alter({ agent: id }), room: side.clientWidth - 36 }),
      );
      const diagram = side.querySelector('.diagram');
      if (diagram && scrolled) diagram.scrollTop = scrolled;
    } catch (e) {
      drawn = '';
      fill(side, failure(e, show));
    }
  }

  function drawList() {
    const wish = ctx.params.only || '';
    const counts = new Map();
    rows.forEach((c) => counts.set(c.state, (counts.get(c.state) || 0) + 1));
    fill(
      only,
      h('option', { value: '', selected: !wish }, `all (${count(rows.length)})`),
      [...counts].map(([state, many]) =>
        h('option', { value: state, selected: state === wish }, `${outcome(state)} (${count(many)})`),
      ),
    );
    every.checked = ctx.params.talk === 'all';
    shown = wish ? rows.filter((c) => c.state === wish) : rows;
    if (!chosen && shown.length) {
      // The newest contract worth showing: one that found a contractor.
      chosen = (shown.find((c) => c.contractor) || shown[0]).id;
    }
    const full = rows.length >= n;
    note.textContent = rows.length
      ? `${full ? 'the newest ' : ''}${plural(shown.length, ctx.params.talk === 'all' ? 'conversation' : 'contract')}${full ? '; there are more' : ''}`
      : '';
    more.hidden = !full || n >= ALL;
    list.setTotal(shown.length);
    list.refresh();
    if (rows.length === 0)
      fill(
        side,
        empty(
          'No contract yet',
          'Whoever has ability enough calls for proposals after the next round of judging.',
        ),
      );
    else show();
  }

  return {
    async load() {
      n = ctx.params.many ? ALL : STEP;
      const got = await get(ctx.path('conversations'), {
        n,
        contracts: ctx.params.talk === 'all' ? 'no' : 'yes',
      });
      if (ctx.ended) return;
      rows = got.rows.reverse();
      drawList();
    },
    update(params, before) {
      if (params.conversation) chosen = +params.conversation;
      else if (params.only !== before.only || params.talk !== before.talk) chosen = null;
      if (params.talk !== before.talk || params.many !== before.many) return true;
      drawList();
      return false;
    },
    destroy: list.destroy,
  };
}
