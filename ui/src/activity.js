// activity.js - recent events in words: births, deaths, finds, contracts that end; each with links
// to the agent and to the page. SPDX-License-Identifier: MIT
import { act, h, fill, say } from './dom.js';
import { get } from './api.js';
import { isLive } from './live.js';
import { alter } from './router.js';
import { instant, plural, relevance, sure, timeNode } from './format.js';

const LINES = 12;
const ASKED = 60; // many deaths become one line

const agent = (id, name) => (id ? act(() => alter({ agent: id }), null, name || `#${id}`) : name);
const page = (id, title) => act(() => alter({ page: id }), null, title);

// Joins neighbouring events of one kind with the same text: only deaths come in large numbers.
function gather(rows) {
  const out = [];
  for (const r of rows) {
    const last = out.at(-1);
    if (r.kind === 'died' && last?.kind === 'died' && last.cause === r.cause) last.more.push(r);
    else out.push({ ...r, more: [] });
  }
  return out;
}

const ENDS = {
  done: 'is done',
  failed: 'has failed',
  'no-bid': 'found nobody',
  'timed-out': 'was not answered in time',
};

function sentence(r) {
  if (r.kind === 'born')
    return [agent(r.agent, r.name), ' is born', r.parent && [', child of ', agent(r.parent, r.parent_name)]];
  if (r.kind === 'died') {
    const others = r.more.length ? [` and ${plural(r.more.length, 'other')}`] : [];
    return [agent(r.agent, r.name), others, r.more.length ? ' die' : ' dies', r.cause && `: ${r.cause}`];
  }
  if (r.kind === 'found')
    return [
      r.name ? [agent(r.agent, r.name), ' finds '] : 'found: ',
      page(r.page, r.title),
      h('span', { class: 'note', title: `relevance ${relevance(r.relevance)}` }, ` ${sure(r)} % sure`),
    ];
  return [`a contract of ${r.manager} `, r.contractor && `with ${r.contractor} `, ENDS[r.state] || r.state];
}

const SIGNS = { born: '+', died: '†', found: '★', contract: '⇄' };
const WORDS = { born: 'birth', died: 'death', found: 'find', contract: 'contract' };

async function contracts(ctx) {
  if (ctx.overview.value?.model !== 'crew') return [];
  const { rows } = await get(ctx.path('conversations'), { n: 30 });
  return rows
    .filter((r) => r.contract && ENDS[r.state])
    .map((r) => ({ ...r, kind: 'contract', at: r.last_at }));
}

export function activity(ctx) {
  const list = h('ol', { class: 'activity', 'aria-label': 'What happens' });
  const none = h('p', { class: 'note', hidden: true });
  const node = h('div', null, list, none);
  let shown = '';
  return {
    node,
    async load() {
      const [got, closed] = await Promise.all([get(ctx.path('activity'), { n: ASKED }), contracts(ctx)]);
      if (ctx.ended) return;
      const rows = gather([...got.rows, ...closed].sort((a, b) => instant(b.at) - instant(a.at)));
      const text = JSON.stringify(rows.slice(0, LINES));
      none.hidden = rows.length > 0;
      say(none, isLive(ctx.overview.value) ? 'Nothing to tell yet.' : 'Nothing happened.');
      if (text === shown) return;
      shown = text;
      fill(
        list,
        rows
          .slice(0, LINES)
          .map((r) =>
            h(
              'li',
              { class: r.kind },
              h(
                'span',
                { class: 'sign', role: 'img', 'aria-label': WORDS[r.kind], title: WORDS[r.kind] },
                SIGNS[r.kind],
              ),
              h('span', null, sentence(r)),
              timeNode(r.at),
            ),
          ),
      );
    },
  };
}
