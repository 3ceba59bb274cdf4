// map.js - where the crawl is: hosts as a graph, the pages of one host, the search paths.
//
// A disc is a host (its area: pages) or a page; colour is relevance. The frontier's edge: a ring
// around a host at which links wait, an empty dashed disc for a link that was not followed. SPDX-License-Identifier: MIT
import { h, fill } from '../dom.js';
import { get } from '../api.js';
import { alter } from '../router.js';
import { count, number, relevance, shortUrl, plural } from '../format.js';
import { best, relevanceColour, theme } from '../colour.js';
import { scaleKey } from '../chart.js';
import { graph } from '../graph.js';
import { outline } from '../outline.js';
import { hostList } from '../hosts.js';
import { keep, empty, loading, noPage } from '../live.js';

const HOSTS = 300;
const EDGE = 300; // links of the frontier drawn

// ---- what is shown ----

const brief = (text) => (text.length > 30 ? `${text.slice(0, 29)}…` : text);

const hostNodes = (got) => {
  const most = Math.max(1, ...got.hosts.map((x) => x.pages));
  const queue = Math.max(1, ...got.hosts.map((x) => x.waiting || 0));
  return got.hosts.map((x) => ({
    id: x.name,
    label: x.name,
    r: 4 + 20 * Math.sqrt(x.pages / most),
    relevance: x.relevance,
    pages: x.pages,
    waiting: x.waiting,
    ring: x.waiting > 0 ? 0.8 + 2.4 * Math.sqrt(x.waiting / queue) : 0,
  }));
};

const hosts = (ctx) => ({
  make() {
    const picture = graph({
      label: 'Hosts and the links between them',
      open: (n) => alter({ host: n.id }),
      tip: (n) =>
        [
          n.label,
          `${plural(n.pages, 'page')}, mean relevance ${relevance(n.relevance)}`,
          n.waiting > 0 && `${plural(n.waiting, 'link')} waiting`,
          'click for its pages',
        ]
          .filter(Boolean)
          .join('\n'),
    });
    const list = hostList(
      (name) => alter({ host: name }),
      (name) => picture.point(name),
    );
    return { ...picture, list, node: h('div', { class: 'map-and-list' }, picture.node, list.node) };
  },
  async load(view) {
    const got = await get(ctx.path('map'), { n: HOSTS });
    if (ctx.ended || got.hosts.length === 0) return { count: 0 };
    const top = Math.max(1e-6, ...got.hosts.map((x) => x.relevance || 0));
    view.set(
      hostNodes(got),
      got.links.map((l) => ({ source: l.from, target: l.to, n: l.n })),
      top,
    );
    view.list.set(got.hosts, top);
    const all = ctx.overview.value?.hosts ?? 0;
    const some =
      all > got.hosts.length ? `the ${count(got.hosts.length)} largest of ${count(all)} hosts` : null;
    return {
      count: got.hosts.length,
      top,
      waiting: got.hosts.some((x) => x.waiting > 0),
      words: `${some || plural(got.hosts.length, 'host')}, ${plural(got.links.length, 'connection')}`,
    };
  },
});

const pages = (ctx, host) => ({
  make: () =>
    graph({
      label: `Pages of ${host}`,
      open: (n) => {
        if (n.page) alter({ page: n.page });
      },
      tip: (n) =>
        n.edge
          ? `${shortUrl(n.url)}\nknown, not visited${n.score !== undefined && n.score !== null ? `; score ${number(n.score)}` : ''}`
          : `${n.title || shortUrl(n.url)}\nrelevance ${relevance(n.relevance)}`,
    }),
  async load(view) {
    const got = await get(ctx.path('map'), { host });
    if (ctx.ended || got.pages.length === 0) return { count: 0 };
    const nodes = got.pages.map((p) => ({
      ...p,
      page: p.id,
      label: brief(p.title || shortUrl(p.url)),
      r: 4 + 8 * Math.sqrt(p.relevance || 0),
    }));
    const links = got.links.map((l) => ({ source: l.from, target: l.to }));
    // The best links of the edge, each once.
    const edge = new Map();
    for (const f of [...got.frontier].sort((x, y) => (y.score ?? 0) - (x.score ?? 0))) {
      if (!edge.has(f.url) && edge.size >= EDGE) continue;
      edge.set(f.url, { ...f, id: `edge ${f.url}`, r: 3, edge: true });
      links.push({ source: f.from, target: `edge ${f.url}` });
    }
    view.set([...nodes, ...edge.values()], links, best.value);
    return {
      count: nodes.length,
      words: `${plural(nodes.length, 'page')}, ${plural(edge.size, 'link')} at the frontier`,
    };
  },
});

const paths = (ctx) => ({
  make() {
    let first = true;
    const list = outline({
      label: 'Search paths',
      open: (p) => alter({ page: p.id }),
      key: (p) => `${theme.value} ${best.value} ${p.relevance} ${p.title}`,
      load: async (node, n) => {
        const got = await get(ctx.path('paths'), { root: node?.id, depth: node ? 1 : 3, n });
        return { nodes: got.children, more: got.more };
      },
      row: (p) => [
        h(
          'b',
          { class: 'rel-chip' },
          h('i', { style: { background: relevanceColour(p.relevance) } }),
          relevance(p.relevance),
        ),
        h('span', { class: 'name', dir: 'auto' }, p.title || shortUrl(p.url)),
        h('span', { class: 'url wide-only' }, shortUrl(p.url)),
      ],
    });
    return {
      ...list,
      node: list.node,
      async show() {
        await list.refresh();
        if (first) list.unfold(2);
        first = false;
        return !list.isEmpty;
      },
    };
  },
  load: async (view) => ({ count: (await view.show()) ? 1 : 0, words: 'which page led to which' }),
});

function mount(root, ctx) {
  const bar = h('div', { class: 'bar' });
  const place = h('div', { class: 'fill' });
  fill(root, bar, place);
  let shown = null;
  let mode = '';

  const modeOf = (params) =>
    params.as === 'paths' ? 'paths' : params.host ? `host ${params.host}` : 'hosts';

  function drawBar({ words = '', waiting = false, top = best.value } = {}) {
    const host = mode.startsWith('host ') ? mode.slice(5) : null;
    fill(
      bar,
      h(
        'div',
        { class: 'choice', role: 'group', 'aria-label': 'Show' },
        h(
          'button',
          { 'aria-pressed': String(mode !== 'paths'), onclick: () => alter({ as: null, host: null }) },
          'Hosts',
        ),
        h(
          'button',
          {
            'aria-pressed': String(mode === 'paths'),
            data: { as: 'paths' },
            onclick: () => alter({ as: 'paths', host: null }),
          },
          'Search paths',
        ),
      ),
      host &&
        h(
          'span',
          { class: 'crumb' },
          h('button', { class: 'quiet', onclick: () => alter({ host: null }) }, 'all hosts'),
          ' › ',
          h('strong', null, host),
        ),
      mode !== 'paths' &&
        scaleKey(
          mode === 'hosts' ? 'mean relevance 0' : 'relevance 0',
          relevance(top),
          host && h('span', { class: 'edge-key' }, 'known, not visited'),
          mode === 'hosts' && h('span', { class: 'size-key' }, 'area: pages'),
          waiting && h('span', { class: 'ring-key' }, 'ring, +n: links that wait there'),
        ),
      h('span', { class: 'note' }, words),
    );
  }

  function switchTo(next) {
    shown?.view.destroy();
    mode = next;
    const kind = mode === 'paths' ? paths(ctx) : mode === 'hosts' ? hosts(ctx) : pages(ctx, mode.slice(5));
    shown = { ...kind, view: kind.make() };
    drawBar();
    fill(place, loading());
    work.now();
  }

  const work = keep(
    ctx,
    async () => {
      if (!shown) return;
      const mine = shown;
      // It is inserted before the first data, because it must know its size.
      if (!mine.view.node.isConnected) fill(place, mine.view.node);
      const got = await mine.load(mine.view);
      if (mine !== shown || ctx.ended) return;
      if (got.count === 0)
        fill(
          place,
          mode.startsWith('host ')
            ? empty('No page of this host', 'It was not visited, or not yet.')
            : empty('Nothing to map', noPage(ctx.overview.value)),
        );
      drawBar(got);
    },
    4000,
  );
  switchTo(modeOf(ctx.params));
  ctx.onEnd(() => shown?.view.destroy());
  return {
    update: (params) => {
      if (modeOf(params) !== mode) switchTo(modeOf(params));
    },
  };
}

export default { key: 'map', label: 'Map', icon: 'map', mount };
