// results.js - the ranked pages, live: filters, marks, downloads.
//
// Rows are fetched in blocks as they come into sight, and again while the crawl runs; so
// 100,000 pages cost as much as the 20 on the screen. SPDX-License-Identifier: MIT
import { h, fill, say, onEnter } from '../dom.js';
import { get, query } from '../api.js';
import { alter } from '../router.js';
import { count, rank, relevance, sure, shortUrl, timeNode, plural, instant, day } from '../format.js';
import { scale, theme } from '../colour.js';
import { vlist } from '../vlist.js';
import { marks } from '../mark.js';
import { keep, empty, noPage } from '../live.js';
import { snippet } from '../snippet.js';

const BLOCK = 50;
const TYPING = 30; // milliseconds without a key; then a search under way is given up

const FILTERS = [
  { name: 'host', label: 'Host', placeholder: 'any', list: 'hosts' },
  { name: 'by', label: 'Agent', placeholder: 'name or number' }, // `agent` opens its card
  { name: 'from', label: 'From', type: 'date' },
  { name: 'to', label: 'To', type: 'date' },
  { name: 'min', label: 'Sure from', placeholder: '0', mode: 'decimal' },
];

const NAMES = ['q', ...FILTERS.map((f) => f.name), 'seed', 'sort', 'topic'];
const filterOf = (params) => Object.fromEntries(NAMES.filter((n) => params[n]).map((n) => [n, params[n]]));
// The filter with the server's names.
const asked = ({ by, min, ...rest }) => ({ ...rest, agent: by, min: min && min / 100 });

const choose = (params, name, label, options, changed) =>
  h(
    'label',
    { class: 'inline' },
    h('span', null, label),
    h(
      'select',
      { name, onchange: (e) => changed({ [name]: e.target.value }) },
      options.map(([v, t]) => h('option', { value: v, selected: (params[name] || '') === v }, t)),
    ),
  );

const SEEDS = [
  ['', 'all pages'],
  ['yes', 'only seeds'],
  ['no', 'no seeds'],
];

const ORDERS = [
  ['', 'by relevance'],
  ['match', 'by match'],
  ['time', 'newest first'],
];

// Which of several topics ranks the pages; hidden where the crawl has one.
function topicPart(ctx, changed) {
  const node = h('span', { hidden: true });
  let names = '';
  const show = (overview) => {
    const topics = overview?.topics || [];
    if (topics.length < 2 || names === topics.join('\n')) return;
    names = topics.join('\n');
    fill(
      node,
      choose(ctx.params, 'topic', 'Topic', [['', 'all topics'], ...topics.map((t) => [t, t])], changed),
    );
    node.hidden = false;
  };
  show(ctx.overview.value);
  ctx.onEnd(ctx.overview.on(show));
  return node;
}

const HEADINGS = [
  ['rank', 'rank'],
  ['', 'sure, 0 to 100'],
  ['', 'page'],
  ['wide-only', 'found by'],
  ['wide-only', 'date'],
  ['', 'right?'],
];

// Pages of a crawl on several machines are not marked from here.
const headings = (ctx) =>
  h(
    'div',
    { class: 'result headings', 'aria-hidden': 'true' },
    HEADINGS.map(([kind, words]) =>
      h('span', { class: kind }, words === 'right?' && ctx.overview.value?.far ? '' : words),
    ),
  );

// The filters behind a button that shows how many are set.
function filterPart(ctx, changed) {
  const { params } = ctx;
  const inputs = FILTERS.map((f) =>
    h(
      'label',
      { class: 'inline' },
      h('span', null, f.label),
      h('input', {
        type: f.type || 'text',
        name: f.name,
        placeholder: f.placeholder,
        inputmode: f.mode,
        list: f.list,
        autocomplete: f.list && 'off',
        value: params[f.name] || '',
        onchange: (e) => changed({ [f.name]: e.target.value.trim() }),
      }),
    ),
  );
  const seeds = choose(params, 'seed', 'Seeds', SEEDS, changed);
  const clear = h(
    'button',
    {
      class: 'quiet',
      onclick: () => {
        for (const input of node.querySelectorAll('input, select')) input.value = '';
        changed(Object.fromEntries([...FILTERS.map((f) => [f.name, null]), ['seed', null]]));
      },
    },
    'Clear all',
  );
  const hosts = h('datalist', { id: 'hosts' });
  const node = h('div', { class: 'row filters', id: 'filters', hidden: true }, inputs, hosts, seeds, clear);
  const offer = async () => {
    if (hosts.firstChild) return;
    const { hosts: all } = await get(ctx.path('map'), { n: 1000 }).catch(() => ({ hosts: [] }));
    fill(
      hosts,
      all.map((one) => h('option', { value: one.name })),
    );
  };
  const button = h('button', {
    'aria-controls': 'filters',
    onclick: () => {
      node.hidden = !node.hidden;
      button.setAttribute('aria-expanded', String(!node.hidden));
      if (!node.hidden) offer();
    },
  });
  const set = (filter) => {
    const n = [...FILTERS.map((f) => f.name), 'seed'].filter((name) => filter[name]).length;
    say(button, n ? `Filters: ${n}` : 'Filters');
    button.classList.toggle('on', n > 0);
    clear.hidden = n === 0;
    return n;
  };
  node.hidden = set(params) === 0;
  button.setAttribute('aria-expanded', String(!node.hidden));
  return { node, button, set };
}

function searchField(params, changed) {
  let timer = null;
  return h('input', {
    type: 'search',
    placeholder: 'Search the pages',
    'aria-label': 'Search',
    value: params.q || '',
    class: 'search',
    name: 'q',
    oninput: (e) => {
      clearTimeout(timer);
      timer = setTimeout(() => changed({ q: e.target.value.trim() }), TYPING);
    },
  });
}

// A note on what was searched, if it was not the full text of all pages.
function searchedNote(got) {
  if (got.searched === 'part')
    return ` (full text of ${count(got.indexed)} of ${count(got.of)} pages, titles of the rest)`;
  return got.searched === 'titles' ? ' (titles only)' : '';
}

// Names for types of documents that are not web pages.
const TYPES = {
  'application/pdf': 'PDF',
  'application/epub+zip': 'EPUB',
  'application/vnd.oasis.opendocument.text': 'ODT',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'DOCX',
};

// Its own direction keeps it from deciding that of the title behind it.
const tag = (text) => h('em', { class: 'tag', dir: 'ltr' }, text);

function row(ctx, r, changed) {
  const title = r.title || shortUrl(r.url);
  return h(
    'div',
    {
      class: `result ${r.label || ''}`,
      onclick: () => alter({ page: r.id }),
      onkeydown: onEnter(() => alter({ page: r.id })),
    },
    h('span', { class: 'rank' }, count(r.rank)),
    h(
      'span',
      {
        class: 'rel',
        title: `${sure(r)} % sure that it is about the topic (relevance ${relevance(r.relevance)})`,
      },
      h('i', {
        style: {
          background: scale(rank(r)),
          width: `${Math.max(3, 100 * rank(r))}%`,
        },
      }),
      h('b', null, sure(r)),
    ),
    h(
      'span',
      { class: 'what' },
      h(
        'span',
        { class: 'title', dir: 'auto' },
        r.seed && [tag('seed'), ' '],
        r.version_of && [tag('new version'), ' '],
        TYPES[r.mime] && [tag(TYPES[r.mime]), ' '],
        title,
      ),
      h('span', { class: 'url', title: r.why && `it has: ${r.why}` }, shortUrl(r.url)),
      h('span', { class: 'snippet wide-only', dir: 'auto' }, snippet(r.snippet)),
    ),
    h(
      'span',
      { class: 'who wide-only' },
      r.agent
        ? h(
            'button',
            {
              class: 'quiet',
              tabindex: '-1',
              onclick: (e) => {
                e.stopPropagation();
                alter({ agent: r.agent });
              },
            },
            r.agent_name || `#${r.agent}`,
          )
        : '',
    ),
    h(
      'span',
      { class: 'when wide-only' },
      r.date ? h('span', { title: `dated ${r.date}` }, day(instant(r.date) ?? 0)) : timeNode(r.fetched_at),
    ),
    ctx.overview.value?.far ? h('span') : marks(ctx.id, r.url, r.label, (label) => changed({ ...r, label })),
  );
}

function mount(root, ctx) {
  let rows = new Map();
  let filter = filterOf(ctx.params);
  let version = 0;
  let abort = new AbortController();
  const total = h('span', { class: 'note', role: 'status' });
  const nothing = h('div', { class: 'nothing', hidden: true });
  const links = h('span', { class: 'row' });
  const narrow = matchMedia('(max-width: 700px)').matches;
  const list = vlist({
    height: narrow ? 74 : 76,
    label: 'Pages',
    key: (i) => {
      const r = rows.get(i);
      return r ? `${theme.value} ${r.rank} ${r.id} ${rank(r)} ${r.label} ${r.title} ${r.snippet}` : 'none';
    },
    render: (i) =>
      rows.has(i)
        ? row(ctx, rows.get(i), (next) => {
            rows.set(i, next);
            list.refresh();
          })
        : h('div', { class: 'result ghost', 'aria-busy': 'true' }),
  });
  const ask = (changes) => alter(changes, true);
  const filters = filterPart(ctx, ask);
  fill(
    root,
    h(
      'div',
      { class: 'row result-bar' },
      searchField(ctx.params, ask),
      topicPart(ctx, ask),
      choose(ctx.params, 'sort', 'Order', ORDERS, ask),
      filters.button,
    ),
    filters.node,
    h('div', { class: 'bar between' }, total, links),
    headings(ctx),
    h('div', { class: 'fill' }, list.node, nothing),
  );

  function downloads() {
    if (ctx.overview.value?.far) return;
    fill(
      links,
      h('span', { class: 'note wide-only' }, 'Download'),
      ['jsonl', 'csv'].map((kind) =>
        h(
          'a',
          {
            class: 'button small',
            'aria-label': `Download ${kind.toUpperCase()}`,
            href: query(ctx.path(`pages.${kind}`), { ...asked(filter), sort: undefined }),
            download: `pages.${kind}`,
          },
          kind.toUpperCase(),
        ),
      ),
    );
  }

  async function block(start, mine) {
    const got = await get(
      ctx.path('pages'),
      { ...asked(filter), offset: start, n: BLOCK, snippet: narrow ? undefined : 1 },
      abort.signal,
    );
    if (mine !== version || ctx.ended) return null;
    for (let i = start; i < start + BLOCK; i++) rows.delete(i);
    got.rows.forEach((r, i) => rows.set(start + i, r));
    return got;
  }

  function totalWords(got) {
    const o = ctx.overview.value;
    const doubles = (o?.duplicates || 0) + (o?.hidden || 0);
    const whole = !Object.keys(filter).some((k) => k !== 'sort' && k !== 'topic');
    const without = whole && doubles > 0 ? `, without ${plural(doubles, 'duplicate')}` : '';
    const most = got.reach < got.total ? `, the first ${count(got.reach)} listed` : '';
    return plural(got.total, 'page') + without + most + searchedNote(got);
  }

  async function load() {
    const mine = version;
    const [first, last] = list.range();
    const from = Math.floor(first / BLOCK) * BLOCK;
    const starts = [];
    for (let at = from; at <= Math.max(from, last); at += BLOCK) starts.push(at);
    const got = (await Promise.all(starts.map((at) => block(at, mine)))).find(Boolean);
    if (!got || mine !== version || ctx.ended) return;
    for (const i of rows.keys()) if (i < from - 4 * BLOCK || i > last + 4 * BLOCK) rows.delete(i);
    list.setTotal(Math.min(got.total, got.reach ?? got.total));
    say(total, totalWords(got));
    clearTimeout(later);
    if (got.searched && got.searched !== 'text') later = setTimeout(() => work.now(), 1000);
    nothing.hidden = got.total > 0;
    if (got.total === 0)
      fill(
        nothing,
        Object.keys(filter).length
          ? empty('No page matches', 'Use fewer words, or remove a filter.')
          : empty('No page', noPage(ctx.overview.value)),
      );
  }

  let later = null; // more is indexed by then
  const work = keep(ctx, load, 1500);
  list.onrange = (first, last) => {
    for (let i = first; i <= last; i++) {
      if (rows.has(i)) continue;
      work.now(); // one at a time: blocks that are scrolled past are never requested
      return;
    }
  };
  ctx.onEnd(() => {
    clearTimeout(later);
    abort.abort();
    list.destroy();
  });
  ctx.onEnd(theme.on(() => list.refresh()));
  downloads();
  return {
    update(params) {
      const next = filterOf(params);
      if (JSON.stringify(next) === JSON.stringify(filter)) return;
      filter = next;
      version++;
      abort.abort();
      abort = new AbortController();
      rows = new Map();
      list.node.scrollTop = 0;
      filters.set(filter);
      // The way back changes the filter too.
      for (const input of root.querySelectorAll('input[name], select[name]'))
        if (input.name !== 'q' || input !== document.activeElement) input.value = filter[input.name] || '';
      downloads();
      work.now();
    },
  };
}

export default { key: 'results', label: 'Results', icon: 'results', mount };
