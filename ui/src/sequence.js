// sequence.js - messages as a sequence diagram: a column for each who speaks, an arrow for
// each message, downwards in time. SPDX-License-Identifier: MIT
import { h, s } from './dom.js';
import { timeNode, absolute, instant, words } from './format.js';
import { empty } from './live.js';

const COLUMN = 150;
const ROW = 34;
const TOP = 42;

function arrow(m, i, from, to) {
  const y = TOP + 20 + i * ROW;
  const [x0, x1] = [60 + from * COLUMN, 60 + to * COLUMN];
  const self = from === to;
  const text = self ? x0 + 8 : (x0 + x1) / 2;
  const tip = `${m.performative}\n${m.at ? absolute(instant(m.at)) : ''}\n${m.content || ''}`;
  return s(
    'g',
    { class: `message ${String(m.performative || '').replace(/[^a-z-]/gi, '')}` },
    s('title', null, tip),
    s('text', { x: text, y: y - 5, 'text-anchor': self ? 'start' : 'middle' }, words(m.performative || '')),
    self
      ? s('path', { d: `M${x0} ${y}h30v10h-26`, 'marker-end': 'url(#arrow)' })
      : s('path', { d: `M${x0} ${y}H${x1 + (x1 > x0 ? -3 : 3)}`, 'marker-end': 'url(#arrow)' }),
  );
}

// Who speaks to nobody, or to all, has a column too.
const partyOf = (x) => (x && typeof x === 'object' ? x.name : x) || 'all';

export function sequence(rows) {
  if (!rows || rows.length === 0) return empty('No messages', 'This conversation has none that were kept.');
  const parties = [...new Set(rows.flatMap((m) => [partyOf(m.sender), partyOf(m.receiver)]))];
  const at = new Map(parties.map((p, i) => [p, i]));
  const [width, height] = [120 + (parties.length - 1) * COLUMN + 40, TOP + 30 + rows.length * ROW];
  const svg = s(
    'svg',
    {
      class: 'sequence',
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'aria-label': `${rows.length} messages between ${parties.join(', ')}`,
    },
    s(
      'defs',
      null,
      s(
        'marker',
        {
          id: 'arrow',
          viewBox: '0 0 8 8',
          refX: 7,
          refY: 4,
          markerWidth: 8,
          markerHeight: 8,
          orient: 'auto',
        },
        s('path', { d: 'M0 0 8 4 0 8z' }),
      ),
    ),
    parties.map((p, i) =>
      s(
        'g',
        { class: 'party' },
        s('line', { x1: 60 + i * COLUMN, x2: 60 + i * COLUMN, y1: TOP - 8, y2: height - 4 }),
        s(
          'text',
          { x: 60 + i * COLUMN, y: 20, 'text-anchor': 'middle' },
          p.length > 20 ? p.slice(0, 19) + '…' : p,
          s('title', null, p),
        ),
      ),
    ),
    rows.map((m, i) => arrow(m, i, at.get(partyOf(m.sender)), at.get(partyOf(m.receiver)))),
  );
  // The same as a list, for those who read rather than look, with what was said.
  const list = h(
    'ol',
    { class: 'messages' },
    rows.map((m) =>
      h(
        'li',
        null,
        h('strong', null, words(m.performative || '')),
        ` ${partyOf(m.sender)} → ${partyOf(m.receiver)} `,
        timeNode(m.at),
        m.content && h('code', null, String(m.content).slice(0, 400)),
      ),
    ),
  );
  return [h('div', { class: 'scroll' }, svg), h('details', null, h('summary', null, 'In words'), list)];
}
