// map.js - where the crawl is: hosts as a graph, the pages of one host, the search paths.
//
// A disc is a host (its area: pages) or a page; colour is relevance; an empty dashed one is the
// frontier's edge: a link that nobody has followed. SPDX-License-Identifier: MIT
import { forceSimulation, forceLink, forceManyBody, forceX, forceY, forceCollide } from 'd3-force';
import { h, fill } from '../dom.js';
import { get } from '../api.js';
import { alter } from '../router.js';
import { number, relevance, shortUrl, plural } from '../format.js';
import { best, css, relevanceColour } from '../colour.js';
import { stage } from '../stage.js';
import { outline } from '../outline.js';
import { keep, empty, loading } from '../live.js';

const HOSTS = 300;
const EDGE = 300; // links of the frontier drawn

function graph({ label, open, tip }) {
  let nodes = [];
  let links = [];
  const places = new Map(); // where a node was: it stays there when it comes again
  const sim = forceSimulation([]).stop();
  sim.on('tick', () => {
    st.settle();
  });

  function set(next, edges) {
    for (const n of nodes) places.set(n.id, { x: n.x, y: n.y });
    const known = places.size;
    nodes = next.map((n) => ({ ...n, ...places.get(n.id) }));
    const at = new Map(nodes.map((n) => [n.id, n]));
    links = edges
      .filter((e) => at.has(e.source) && at.has(e.target) && e.source !== e.target)
      .map((e) => ({ ...e }));
    sim
      .nodes(nodes)
      .force(
        'link',
        forceLink(links)
          .id((d) => d.id)
          .distance((l) => (l.target.edge ? 14 : 50) + l.source.r + l.target.r),
      )
      .force(
        'charge',
        forceManyBody()
          .strength((d) => (d.edge ? -18 : -120 - 8 * d.r))
          .distanceMax(600),
      )
      .force(
        'hit',
        forceCollide((d) => d.r + 4),
      )
      .force('x', forceX(0).strength(0.05))
      .force('y', forceY(0).strength(0.09));
    st.setBounds(() => {
      let box = [-100, -80, 100, 80];
      for (const n of nodes)
        box = [
          Math.min(box[0], n.x - n.r),
          Math.min(box[1], n.y - n.r),
          Math.max(box[2], n.x + n.r),
          Math.max(box[3], n.y + n.r),
        ];
      return box;
    });
    if (!known) {
      // the first look: most of the way without being watched
      sim.alpha(1);
      for (let i = 0; i < (nodes.length > 400 ? 40 : 120); i++) sim.tick();
    }
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (still) st.settle();
    else sim.alpha(known ? 0.15 : 0.3).restart();
  }

  function draw(g, view) {
    g.save();
    g.translate(view.x, view.y);
    g.scale(view.k, view.k);
    const most = Math.max(1, ...links.map((l) => l.n || 1));
    for (const l of links) {
      g.strokeStyle = css('--line-strong');
      const weight = most > 1 ? Math.sqrt((l.n || 1) / most) : 0.12; // where all are alike, all are thin
      g.globalAlpha = 0.18 + 0.7 * weight;
      g.lineWidth = (0.5 + 3 * weight) / Math.max(0.5, view.k);
      g.beginPath();
      g.moveTo(l.source.x, l.source.y);
      g.lineTo(l.target.x, l.target.y);
      g.stroke();
    }
    g.globalAlpha = 1;
    for (const n of nodes) disc(g, n, view);
    labels(g, view);
    g.restore();
  }

  function disc(g, n, view) {
    g.beginPath();
    g.arc(n.x, n.y, n.r, 0, 7);
    g.fillStyle = n.edge ? css('--back') : relevanceColour(n.relevance);
    g.fill();
    g.lineWidth = (n.edge ? 1.2 : 1) / view.k;
    g.strokeStyle = n.edge ? css('--muted') : css('--text');
    if (n.edge) g.setLineDash([3 / view.k, 2.5 / view.k]);
    g.stroke();
    g.setLineDash([]);
  }

  // The largest have names; more of them as one comes nearer.
  function labels(g, view) {
    const room = Math.max(6, Math.round(12 * view.k * view.k + 6));
    const size = 11.5 / view.k;
    g.font = `${size}px system-ui, sans-serif`;
    g.textAlign = 'center';
    g.textBaseline = 'top';
    const taken = [];
    for (const n of [...nodes]
      .filter((m) => m.label && !m.edge)
      .sort((a, b) => b.r - a.r)
      .slice(0, room)) {
      const w = g.measureText(n.label).width;
      const box = [n.x - w / 2, n.y + n.r + 3 / view.k, n.x + w / 2, n.y + n.r + 3 / view.k + size * 1.2];
      if (taken.some((b) => box[0] < b[2] && box[2] > b[0] && box[1] < b[3] && box[3] > b[1])) continue;
      taken.push(box);
      g.lineWidth = 3 / view.k;
      g.strokeStyle = css('--back');
      g.strokeText(n.label, n.x, box[1]);
      g.fillStyle = css('--text');
      g.fillText(n.label, n.x, box[1]);
    }
  }

  const st = stage({
    label,
    draw,
    extent: [0.05, 10],
    tip,
    open,
    hit(x, y, view) {
      let best = null;
      let near = 12 / view.k;
      for (const n of nodes) {
        const d = Math.hypot(n.x - x, n.y - y) - n.r;
        if (d < near) {
          near = d;
          best = n;
        }
      }
      return best;
    },
  });
  return {
    node: st.node,
    set,
    destroy() {
      sim.stop();
      st.destroy();
    },
  };
}

// ---- what is shown ----

const brief = (text) => (text.length > 30 ? `${text.slice(0, 29)}…` : text);

const hostNodes = (got) => {
  const most = Math.max(1, ...got.hosts.map((x) => x.pages));
  return got.hosts.map((x) => ({
    id: x.name,
    label: x.name,
    r: 4 + 20 * Math.sqrt(x.pages / most),
    relevance: x.relevance,
    pages: x.pages,
  }));
};

const hosts = (ctx) => ({
  make: () =>
    graph({
      label: 'Hosts and the links between them',
      open: (n) => alter({ host: n.id }),
      tip: (n) =>
        `${n.label}\n${plural(n.pages, 'page')}, mean relevance ${relevance(n.relevance)}\nclick for its pages`,
    }),
  async load(view) {
    const got = await get(ctx.path('map'), { n: HOSTS });
    if (ctx.ended || got.hosts.length === 0) return { count: 0 };
    view.set(
      hostNodes(got),
      got.links.map((l) => ({ source: l.from, target: l.to, n: l.n })),
    );
    return {
      count: got.hosts.length,
      words: `${plural(got.hosts.length, 'host')}, ${plural(got.links.length, 'connection')}`,
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
    // The best links of the edge; each once, whoever has it.
    const edge = new Map();
    for (const f of [...got.frontier].sort((x, y) => (y.score ?? 0) - (x.score ?? 0))) {
      if (!edge.has(f.url) && edge.size >= EDGE) continue;
      edge.set(f.url, { ...f, id: `edge ${f.url}`, r: 3, edge: true });
      links.push({ source: f.from, target: `edge ${f.url}` });
    }
    view.set([...nodes, ...edge.values()], links);
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
      key: (p) => `${p.relevance} ${p.title}`,
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
        h('span', { class: 'name' }, p.title || shortUrl(p.url)),
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

  function drawBar(words) {
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
        h(
          'div',
          { class: 'key' },
          h('span', null, 'relevance 0'),
          h('i', { class: 'ramp' }),
          h('span', null, relevance(best.value)),
          host && h('span', { class: 'edge-key' }, 'dashed: known, not visited'),
        ),
      h('span', { class: 'note' }, words),
    );
  }

  function switchTo(next) {
    shown?.view.destroy();
    mode = next;
    const kind = mode === 'paths' ? paths(ctx) : mode === 'hosts' ? hosts(ctx) : pages(ctx, mode.slice(5));
    shown = { ...kind, view: kind.make() };
    drawBar('');
    fill(place, loading());
    work.now();
  }

  const work = keep(
    ctx,
    async () => {
      if (!shown) return;
      const mine = shown;
      // In its place before the first figures: it has to know its size.
      if (!mine.view.node.isConnected) fill(place, mine.view.node);
      const got = await mine.load(mine.view);
      if (mine !== shown || ctx.ended) return;
      if (got.count === 0) fill(place, empty('Nothing to map yet', 'Hosts appear with their first page.'));
      drawBar(got.words || '');
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
