// sequence.js - messages as a sequence diagram: a column for each party, an arrow for each message,
// downwards in time; a deadline that passed without an answer is a line too.
//
//   sequence({rows, parties, last_at}, {open: (id) => …, room: pixels})
//
// If many agents were asked, those without a contract share a column. SPDX-License-Identifier: MIT
import { h, s, fill } from './dom.js';
import { absolute, count, instant, plural } from './format.js';
import { empty } from './live.js';

const ROW = 46;
const HEAD = 46;
const TIME = 84; // the column of times
const MOST = 9; // columns

// The sign and the kind of line of each performative.
const SIGNS = {
  'accept-proposal': ['✓', 'yes'],
  agree: ['✓', 'yes'],
  'inform-done': ['✓', 'yes'],
  refuse: ['✕', 'no'],
  'reject-proposal': ['✕', 'no'],
  failure: ['✕', 'no'],
  cancel: ['✕', 'no'],
  'not-understood': ['✕', 'no'],
};

const seconds = (t) => `${t < 0 ? '−' : '+'}${Math.abs(t).toFixed(3)} s`;

// The messages whose deadline passed without an answer. An answer is the receiver's next
// message that is not the same question handed on; of "inform" none is awaited.
export function missed(rows, lastAt) {
  const now = instant(lastAt);
  const times = rows.map((m) => instant(m.at));
  return rows.map((m, i) => {
    const by = instant(m.reply_by);
    if (by === null || m.performative === 'inform' || now === null || by >= now) return false;
    for (let k = i + 1; k < rows.length && times[k] <= by; k++)
      if (rows[k].sender === m.receiver && rows[k].performative !== m.performative) return false;
    return true;
  });
}

// Lines of the diagram, in the order of time: messages, and deadlines that passed.
function linesOf(rows, lost) {
  const late = rows
    .filter((_, i) => lost[i])
    .map((m) => ({ m, at: instant(m.reply_by), late: true }))
    .sort((a, b) => a.at - b.at);
  const lines = [];
  for (const m of rows) {
    while (late.length && late[0].at < instant(m.at)) lines.push(late.shift());
    lines.push({ m, at: instant(m.at), n: 1 });
  }
  return [...lines, ...late];
}

// Columns: [{name, kind, id}]. If there are more than fit, the agents without an award are one
// column, and their consecutive messages are one arrow.
function columnsOf(rows, parties) {
  const known = new Map((parties || []).map((p) => [p.name, p]));
  const names = [...new Set(rows.flatMap((m) => [m.sender, m.receiver]))];
  const all = names.map((name) => known.get(name) || { name });
  if (all.length <= MOST) return { columns: all, at: new Map(names.map((n, i) => [n, i])) };
  const chosen = new Set(names.slice(0, 2));
  rows.forEach((m) => {
    if (m.performative === 'accept-proposal') chosen.add(m.receiver);
  });
  names.forEach((n) => {
    if (chosen.size < MOST - 1) chosen.add(n);
  });
  const columns = all.filter((p) => chosen.has(p.name));
  const at = new Map(names.map((n) => [n, columns.length]));
  columns.forEach((p, i) => at.set(p.name, i));
  columns.push({ name: `${count(names.length - columns.length)} others`, kind: 'together' });
  return { columns, at };
}

function mergeFolded(lines, columns, at) {
  const folded = columns.at(-1).kind === 'together' ? columns.length - 1 : -1;
  return lines.reduce((out, line) => {
    const last = out.at(-1);
    const [from, to] = [at.get(line.m.sender), at.get(line.m.receiver)];
    if (
      last &&
      (from === folded || to === folded) &&
      last.late === line.late &&
      last.m.performative === line.m.performative &&
      at.get(last.m.sender) === from &&
      at.get(last.m.receiver) === to
    )
      last.n = (last.n || 1) + 1;
    else out.push({ ...line, from, to });
    return out;
  }, []);
}

const cut = (text, width) => {
  const most = Math.max(6, Math.floor(width / 6.1));
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
};

function labelOf(line) {
  const sign = line.late ? ['!', 'late'] : SIGNS[line.m.performative] || ['', 'plain'];
  const words = line.late ? `no answer to ${line.m.performative}` : line.m.performative;
  return {
    kind: sign[1],
    text: `${sign[0] ? sign[0] + ' ' : ''}${words}${line.n > 1 ? ` × ${count(line.n)}` : ''}`,
  };
}

function inWords(line, start) {
  const { m } = line;
  if (line.late)
    return [
      h('strong', null, `no answer to ${m.performative}`),
      ` ${m.receiver} said nothing to ${m.sender} until ${seconds(line.at - start)}`,
    ];
  const by = instant(m.reply_by);
  return [
    h('strong', null, m.performative),
    ` ${m.sender} → ${m.receiver}, ${seconds(line.at - start)}`,
    by !== null && `, answer by ${seconds(by - start)}`,
    m.content && h('code', null, String(m.content).slice(0, 2000)),
  ];
}

function drawLine(line, i, x, start) {
  const y = i * ROW + 22;
  const { m, from, to } = line;
  const { kind, text } = labelOf(line);
  const [x0, x1] = [x(from), x(to)];
  const self = from === to;
  const room = self ? 120 : Math.abs(x1 - x0) - 14;
  const middle = self ? x0 + 10 : (x0 + x1) / 2;
  const anchor = self ? 'start' : 'middle';
  const by = line.late ? null : instant(m.reply_by);
  return s(
    'g',
    { class: `message ${kind}`, tabindex: i === 0 ? '0' : '-1', data: { line: i } },
    s('title', null, `${text}: ${m.sender} → ${m.receiver}\n${absolute(line.at)}\n${m.content || ''}`),
    s('rect', { x: 0, y: i * ROW, width: x(-1), height: ROW, class: 'hit' }),
    s('text', { x: 4, y: y - 4, class: 'at' }, seconds(line.at - start)),
    by !== null && s('text', { x: 4, y: y + 9, class: 'by' }, `by ${seconds(by - start)}`),
    s('text', { x: middle, y: y - 6, 'text-anchor': anchor, class: 'what' }, cut(text, room)),
    s('path', {
      d: self ? `M${x0} ${y}h30v10h-26` : `M${x0} ${y}H${x1 + (x1 > x0 ? -3 : 3)}`,
      'marker-end': line.late ? null : 'url(#arrow)',
    }),
    !line.late &&
      m.content &&
      s('text', { x: middle, y: y + 13, 'text-anchor': anchor, class: 'content' }, cut(m.content, room)),
  );
}

const marker = () =>
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
        markerUnits: 'userSpaceOnUse',
        markerWidth: 11,
        markerHeight: 11,
        orient: 'auto',
      },
      s('path', { d: 'M0 0 8 4 0 8z' }),
    ),
  );

function headOf(columns, x, width, step, open) {
  return s(
    'svg',
    { class: 'sequence parties', width, height: HEAD },
    columns.map((p, i) =>
      s(
        'g',
        {
          class: `party ${p.id ? 'known' : ''}`,
          tabindex: p.id ? '0' : null,
          role: p.id ? 'button' : null,
          onclick: () => p.id && open?.(p.id),
          onkeydown: (e) => {
            if (e.key === 'Enter' && p.id) open?.(p.id);
          },
        },
        s('rect', { x: x(i) - step / 2, y: 0, width: step, height: HEAD, class: 'hit' }),
        s('title', null, p.id ? `${p.name}: open its card` : p.name),
        s('text', { x: x(i), y: 18, 'text-anchor': 'middle', class: 'name' }, cut(p.name, step - 8)),
        s('text', { x: x(i), y: 34, 'text-anchor': 'middle', class: 'kind' }, p.kind || ''),
      ),
    ),
  );
}

const LEGEND = [
  ['plain', 'says or asks'],
  ['yes', '✓ agrees, reports'],
  ['no', '✕ refuses, fails'],
  ['late', '! did not answer in time'],
];

export function sequence({ rows, parties, last_at: lastAt }, { open, room = 700 } = {}) {
  if (!rows || rows.length === 0) return empty('No messages', 'This conversation has none that were kept.');
  const { columns, at } = columnsOf(rows, parties);
  const lines = mergeFolded(linesOf(rows, missed(rows, lastAt)), columns, at);
  const start = instant(rows[0].at);
  const step = Math.max(112, Math.min(220, (room - TIME - 4) / columns.length));
  const width = TIME + columns.length * step;
  const x = (i) => (i < 0 ? width : TIME + (i + 0.5) * step);
  const height = lines.length * ROW + 10;
  const said = h('p', { class: 'spoken', 'aria-live': 'polite' }, 'Choose a message to read all of it.');
  const body = s(
    'svg',
    {
      class: 'sequence',
      width,
      height,
      role: 'group',
      'aria-label': `${plural(rows.length, 'message')} between ${columns.map((p) => p.name).join(', ')}`,
    },
    marker(),
    columns.map((_, i) => s('line', { class: 'life', x1: x(i), x2: x(i), y1: 0, y2: height })),
    lines.map((line, i) => drawLine(line, i, x, start)),
  );
  const messages = [...body.querySelectorAll('.message')];
  const choose = (i) => {
    messages.forEach((g, k) => {
      g.classList.toggle('chosen', k === i);
      g.setAttribute('tabindex', k === i ? '0' : '-1');
    });
    fill(said, inWords(lines[i], start));
  };
  const lineOf = (e) => e.target.closest?.('.message');
  body.addEventListener('focusin', (e) => lineOf(e) && choose(+lineOf(e).dataset.line));
  body.addEventListener('click', (e) => lineOf(e)?.focus());
  body.addEventListener('keydown', (e) => {
    const move = { ArrowDown: 1, ArrowUp: -1, Home: -lines.length, End: lines.length }[e.key];
    if (!move || !lineOf(e)) return;
    e.preventDefault();
    messages[Math.max(0, Math.min(lines.length - 1, +lineOf(e).dataset.line + move))].focus();
  });
  // The same as a list, with the contents of messages, for users who prefer text.
  const list = h('details', null, h('summary', null, 'In words'));
  list.addEventListener('toggle', () => {
    if (list.open && list.children.length === 1)
      list.append(
        h(
          'ol',
          { class: 'messages' },
          lines.map((line) => h('li', null, inWords(line, start))),
        ),
      );
  });
  return [
    h(
      'ul',
      { class: 'legend talk-legend' },
      LEGEND.map(([kind, text]) => h('li', null, h('i', { class: `dash ${kind}` }), text)),
    ),
    h('div', { class: 'scroll diagram' }, headOf(columns, x, width, step, open), body),
    said,
    list,
  ];
}
