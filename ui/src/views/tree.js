// tree.js - the family tree: as a picture of lives, or as a list that opens.
//
// The picture: time runs to the right, each agent is a bar from its birth to its death,
// hung up on its parent's bar where it was born; colour is energy; the dead are thin and
// dimmed. Canvas: thousands of lives. SPDX-License-Identifier: MIT
import { hierarchy } from 'd3-hierarchy';
import { h, fill } from '../dom.js';
import { get } from '../api.js';
import { alter } from '../router.js';
import { count, number, instant, clock, duration, shortUrl, plural } from '../format.js';
import { css, scale } from '../colour.js';
import { stage } from '../stage.js';
import { outline } from '../outline.js';
import { keep, empty, loading } from '../live.js';

const LANE = 9; // height of a life, in the picture's own units
const MOST = 4000; // lives in the picture

export function energyColour(energy, most) {
  return scale(most > 0 ? Math.sqrt(Math.max(0, energy) / most) : 0);
}

// ---- the picture ----

function layout(forest) {
  const top = hierarchy({ children: forest }, (d) => d.children);
  const lives = [];
  top.eachBefore((n) => {
    if (n.depth > 0) lives.push(n);
  });
  const now = Math.max(...lives.map((n) => instant(n.data.died_at) ?? instant(n.data.born_at) ?? 0), 0);
  const first = Math.min(...lives.map((n) => instant(n.data.born_at) ?? now));
  return { lives, first, now };
}

function picture(ctx) {
  let lives = [];
  let first = 0;
  let end = 1;
  let most = 1;
  let wide = 1600; // of all time: as wide as the window, when all lives fit its height
  const x = (at) => ((at - first) / Math.max(1e-6, end - first)) * wide;
  const y = (n) => n.lane * LANE;

  function set(forest) {
    const got = layout(forest);
    lives = got.lives;
    first = got.first;
    const o = ctx.overview.value;
    const last = instant(o?.commit_at) ?? got.now;
    end = Math.max(got.now, o && ['running', 'paused'].includes(o.state) ? last : got.now, first + 1);
    most = Math.max(1e-9, ...lives.map((n) => n.data.energy || 0));
    const [width, height] = [st.node.clientWidth, st.node.clientHeight]; // before the first resize, too
    const names = lives.length < 60 ? 90 : 20;
    if (height > 0) wide = Math.max(300, Math.max(30, lives.length) * LANE * (width / height) - names);
    lives.forEach((n, i) => {
      n.lane = i;
      n.from = x(instant(n.data.born_at) ?? first);
      n.to = x(instant(n.data.died_at) ?? end);
    });
    st.setBounds(() => [-wide * 0.02, -LANE * 3, wide * 1.02 + names, Math.max(30, lives.length) * LANE]);
    st.settle();
  }

  function draw(g, view) {
    const sx = (v) => v * view.k + view.x;
    const sy = (v) => v * view.k + view.y;
    timeAxis(g, view, sx);
    const lane = LANE * view.k;
    const firstLane = Math.max(0, Math.floor(-view.y / lane) - 1);
    const lastLane = Math.min(lives.length - 1, Math.ceil((view.height - view.y) / lane) + 1);
    g.lineWidth = Math.max(0.5, Math.min(1.2, view.k));
    g.strokeStyle = css('--line-strong');
    g.beginPath();
    for (let i = 0; i < lives.length; i++) {
      // a stem may cross the window though both its ends are outside
      const n = lives[i];
      if (n.depth < 2 || (i > lastLane && n.parent.lane > lastLane) || i < firstLane) continue;
      g.moveTo(sx(n.from), sy(y(n.parent)));
      g.lineTo(sx(n.from), sy(y(n)));
    }
    g.stroke();
    for (let i = firstLane; i <= lastLane; i++) drawLife(g, lives[i], sx, sy, lane, view);
  }

  function drawLife(g, n, sx, sy, lane, view) {
    const dead = Boolean(n.data.died_at);
    const thick = Math.max(dead ? 1 : 1.6, Math.min(10, lane * (dead ? 0.3 : 0.62)));
    const [x0, x1, y0] = [sx(n.from), Math.max(sx(n.to), sx(n.from) + 2), sy(y(n))];
    g.globalAlpha = dead ? 0.55 : 1;
    g.fillStyle = dead ? css('--dead') : energyColour(n.data.energy, most);
    g.fillRect(x0, y0 - thick / 2, x1 - x0, thick);
    if (!dead) {
      // a head: alive, whatever the colour
      g.beginPath();
      g.arc(x1, y0, Math.max(1.5, Math.min(6, lane * 0.48)), 0, 7);
      g.fill();
      g.lineWidth = 1;
      g.strokeStyle = css('--text');
      if (lane > 5) g.stroke();
    }
    g.globalAlpha = 1;
    if (lane >= 11) {
      g.font = `${Math.min(13, lane * 0.85)}px system-ui, sans-serif`;
      g.fillStyle = dead ? css('--muted') : css('--text');
      g.textBaseline = 'middle';
      if (x1 + 8 < view.width + 200) g.fillText(n.data.name || `#${n.data.id}`, x1 + 9, y0);
    }
  }

  function timeAxis(g, view, sx) {
    const total = end - first;
    const raw = total / Math.max(2, (wide * view.k) / 130);
    const step =
      [
        0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400,
      ].find((v) => v >= raw) || 86400 * Math.ceil(raw / 86400);
    g.font = '11px system-ui, sans-serif';
    g.textBaseline = 'top';
    g.lineWidth = 1;
    for (let t = 0; t <= total; t += step) {
      const px = Math.round(sx(x(first + t))) + 0.5;
      if (px < 0 || px > view.width) continue;
      g.strokeStyle = css('--grid');
      g.beginPath();
      g.moveTo(px, 0);
      g.lineTo(px, view.height);
      g.stroke();
      g.fillStyle = css('--muted');
      g.fillText(clock(t, step), px + 3, 3);
    }
  }

  const st = stage({
    label: 'Family tree: lives over time',
    draw,
    extent: [0.003, 12],
    hit(px, py, view) {
      const n = lives[Math.round(py / LANE)];
      if (!n) return null;
      const slack = 8 / view.k;
      return px >= n.from - slack && px <= n.to + slack + (LANE * view.k >= 11 ? 90 / view.k : 0) ? n : null;
    },
    tip: (n) => lifeText(n.data),
    open: (n) => alter({ agent: n.data.id }),
  });
  return { node: st.node, set, destroy: st.destroy };
}

function lifeText(a) {
  const age = a.born_at && a.died_at ? `, lived ${duration(instant(a.died_at) - instant(a.born_at))}` : '';
  const best = a.best ? `\nbest: ${a.best.title || shortUrl(a.best.url)} (${number(a.best.relevance)})` : '';
  return `${a.name || '#' + a.id}${a.kind ? ` (${a.kind})` : ''}\nenergy ${number(a.energy)}, ${plural(a.pages, 'page')}${a.died_at ? `\ndied: ${a.death || 'unknown'}${age}` : ''}${best}`;
}

// ---- the list ----

function list(ctx, mostEnergy) {
  return outline({
    label: 'Family tree',
    open: (a) => alter({ agent: a.id }),
    classes: (a) => (a.died_at ? 'dead' : ''),
    key: (a) => `${a.energy} ${a.pages} ${a.died_at} ${a.best?.relevance}`,
    load: async (node, n) => {
      const got = await get(ctx.path('tree'), { root: node?.id, depth: node ? 1 : 3, n });
      return { nodes: got.children, more: got.more };
    },
    row: (a) => [
      h('i', {
        class: 'dot',
        style: { background: a.died_at ? 'transparent' : energyColour(a.energy, mostEnergy()) },
      }),
      h('span', { class: 'name' }, a.name || `#${a.id}`),
      h('span', { class: 'note wide-only' }, a.kind || ''),
      h('span', { class: 'cell' }, `${number(a.energy)} energy`),
      h('span', { class: 'cell' }, plural(a.pages, 'page')),
      h('span', { class: 'cell wide-only' }, a.died_at ? `died: ${a.death || 'unknown'}` : 'alive'),
      h(
        'span',
        { class: 'note best wide-only' },
        a.best ? `${number(a.best.relevance)} ${a.best.title || shortUrl(a.best.url)}` : '',
      ),
    ],
  });
}

function mount(root, ctx) {
  let most = 1;
  let shown = null;
  let mode = ctx.params.as || 'picture';
  const note = h('p', { class: 'note' });
  const place = h('div', { class: 'fill' });
  const choice = h(
    'div',
    { class: 'choice', role: 'group', 'aria-label': 'Show as' },
    ['picture', 'list'].map((m) =>
      h(
        'button',
        {
          data: { as: m },
          'aria-pressed': String(m === mode),
          onclick: () => alter({ as: m === 'picture' ? null : m }, true),
        },
        m === 'picture' ? 'Picture' : 'List',
      ),
    ),
  );
  const legend = h(
    'div',
    { class: 'key' },
    h('span', null, 'energy: none'),
    h('i', { class: 'ramp' }),
    h('span', null, 'most'),
    h('span', { class: 'dead-key' }, 'dead: thin and grey'),
  );
  fill(root, h('div', { class: 'bar' }, choice, legend, note), place);

  function switchTo(next) {
    mode = next;
    shown?.destroy();
    for (const b of choice.children) b.setAttribute('aria-pressed', String(b.dataset.as === mode));
    shown = mode === 'list' ? list(ctx, () => most) : picture(ctx);
    fill(place, loading());
    first = true;
    work.now();
  }

  let first = true;
  async function load() {
    if (!shown) return;
    const view = shown;
    if (mode === 'list') {
      await view.refresh();
      if (view !== shown || ctx.ended) return;
      if (first) {
        fill(place, view.node);
        view.unfold(2);
      }
    } else {
      const { children: forest, more } = await get(ctx.path('tree'), { depth: 1000, n: MOST });
      if (view !== shown || ctx.ended) return;
      most = 1e-9;
      let seen = 0;
      let hidden = more;
      const walk = (nodes) =>
        nodes.forEach((n) => {
          seen++;
          hidden += n.more || 0;
          most = Math.max(most, n.energy || 0);
          walk(n.children || []);
        });
      walk(forest);
      if (seen === 0) {
        fill(place, empty('Nobody was born yet', 'The first agents appear with the first seeds.'));
        return;
      }
      if (!view.node.isConnected) fill(place, view.node);
      view.set(forest);
      note.textContent = hidden
        ? `${count(seen)} shown; more are in the list`
        : plural(seen, 'life', 'lives');
    }
    first = false;
  }

  const work = keep(ctx, load, 2500);
  switchTo(mode);
  ctx.onEnd(() => shown?.destroy());
  return {
    update: (params) => {
      if ((params.as || 'picture') !== mode) switchTo(params.as || 'picture');
    },
  };
}

export default { key: 'tree', label: 'Family tree', icon: 'tree', mount };
