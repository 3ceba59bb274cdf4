// home.js - all crawls in a table, to be sorted, searched and forgotten; and the names of their
// states. SPDX-License-Identifier: MIT
import { h, fill, icon } from './dom.js';
import { address } from './router.js';
import { count, crawlName, instant, percent, plural, timeNode, topicTitle } from './format.js';

export const STATES = {
  starting: ['wait', 'starting'],
  running: ['run', 'running'],
  paused: ['pause', 'paused'],
  finished: ['done', 'finished'],
  dead: ['dead', 'stopped without an end'],
  lost: ['dead', 'no answer'],
};

// [heading, what it is sorted by, from the largest on, a number]
const COLUMNS = [
  ['Crawl', (c) => crawlName(c).toLowerCase()],
  ['Model', (c) => c.model || ''],
  ['State', (c) => Object.keys(STATES).indexOf(c.state)],
  ['Begun', (c) => instant(c.started_at) || 0, true],
  ['Pages', (c) => c.pages || 0, true, true],
  ['Relevant', (c) => (c.pages ? c.relevant / c.pages : -1), true, true],
];

// ---- crawls that this browser has forgotten; the directories stay ----

const KEY = 'forgotten';

function forgotten() {
  try {
    return new Set(JSON.parse(localStorage.getItem(KEY) || '[]'));
  } catch {
    return new Set();
  }
}

function forget(dir, yes) {
  const all = forgotten();
  if (yes) all.add(dir);
  else all.delete(dir);
  try {
    localStorage.setItem(KEY, JSON.stringify([...all]));
  } catch {
    /* a browser without storage forgets nothing */
  }
}

// ---- the table ----

let order = { column: null, back: false }; // null: those that run, then the newest
let words = '';

function chosen(list, withForgotten) {
  const gone = forgotten();
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (c) => {
    const text = [c.name, c.topic, c.model, c.dir].join(' ').toLowerCase();
    return wanted.every((w) => text.includes(w));
  };
  const shown = list.filter((c) => (withForgotten || !gone.has(c.dir)) && fits(c));
  if (order.column === null) return shown;
  const [, value, largest] = COLUMNS[order.column];
  const sign = (largest ? -1 : 1) * (order.back ? -1 : 1);
  return shown.sort((a, b) => (value(a) < value(b) ? -sign : value(a) > value(b) ? sign : 0));
}

function row(c, redraw) {
  const [shape, state] = STATES[c.state] || ['wait', c.state];
  const gone = forgotten().has(c.dir);
  return h(
    'tr',
    null,
    h(
      'td',
      null,
      h('a', { href: address({ id: c.id, view: 'overview' }), title: c.dir }, crawlName(c)),
      c.topic && crawlName(c) === c.name && h('p', { class: 'note', title: c.topic }, topicTitle(c.topic)),
    ),
    h('td', null, c.model || '–'),
    h(
      'td',
      null,
      h('span', { class: `chip ${c.state}` }, icon(shape), state),
      c.trouble && h('p', { class: 'note' }, c.trouble),
    ),
    h('td', { class: 'nowrap' }, timeNode(c.started_at)),
    h('td', { class: 'num' }, count(c.pages)),
    h('td', { class: 'num' }, c.pages ? percent(c.relevant / c.pages) : '–'),
    h(
      'td',
      null,
      h(
        'button',
        {
          class: 'quiet small',
          title: gone
            ? 'List it again'
            : `Leave it out of this list, in this browser. Its directory stays: ${c.dir}`,
          onclick: () => {
            forget(c.dir, !gone);
            redraw();
          },
        },
        gone ? 'Remember' : 'Forget',
      ),
    ),
  );
}

export function homeTable(list) {
  const body = h('tbody');
  const found = h('span', { class: 'note', role: 'status' });
  const all = h('input', { type: 'checkbox', onchange: () => draw() });
  const others = h('label', { class: 'inline' }, all, h('span'));
  const heads = COLUMNS.map(([title, , , number], i) =>
    h(
      'th',
      { class: number ? 'num' : '' },
      h(
        'button',
        {
          class: 'quiet sort',
          onclick: () => {
            order = { column: i, back: order.column === i && !order.back };
            draw();
          },
        },
        title,
      ),
    ),
  );
  function draw() {
    const rows = chosen([...list], all.checked);
    const gone = list.filter((c) => forgotten().has(c.dir)).length;
    others.hidden = gone === 0;
    others.lastChild.textContent = `also ${plural(gone, 'forgotten one')}`;
    found.textContent = rows.length === list.length ? '' : `${count(rows.length)} of ${count(list.length)}`;
    heads.forEach((th, i) =>
      th.setAttribute(
        'aria-sort',
        order.column !== i ? 'none' : Boolean(COLUMNS[i][2]) === order.back ? 'ascending' : 'descending',
      ),
    );
    fill(
      body,
      rows.length
        ? rows.map((c) => row(c, draw))
        : h('tr', null, h('td', { colspan: COLUMNS.length + 1, class: 'note' }, 'No crawl fits.')),
    );
  }
  draw();
  return [
    h('h1', null, 'Crawls'),
    h(
      'div',
      { class: 'row home-bar' },
      h('input', {
        type: 'search',
        class: 'search',
        placeholder: 'Search crawls by name, topic or model',
        'aria-label': 'Search crawls',
        value: words,
        oninput: (e) => {
          words = e.target.value;
          draw();
        },
      }),
      found,
      others,
    ),
    h(
      'div',
      { class: 'panel scroll' },
      h('table', { class: 'plain' }, h('thead', null, h('tr', null, heads, h('th'))), body),
    ),
  ];
}
