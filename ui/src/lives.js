// lives.js - the picture of a family: time runs to the right, each agent is a bar from its birth
// to its death, connected with its parent's bar at its birth. Colour is energy; the dead are thin
// and grey. A line of descent can be folded into its first member.
//
//   const p = lives({now: () => seconds or null, open(id)});  p.node; p.set(rows of /lives); …
//
// It uses a canvas, which draws ten thousand lives at once. SPDX-License-Identifier: MIT
import { clock, number, duration, plural, count } from './format.js';
import { css, scale } from './colour.js';
import { stage } from './stage.js';

const LANE = 9; // height of a life, in the picture's own units
const READABLE = 9; // pixels of a lane from which on names and handles are drawn
const SHADES = 24; // of energy, in the picture
const IN_ROW = 2; // living, and dead, drawn in one row of pixels: a sample
const STEPS = [
  0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800,
  3600, 7200, 14400, 43200, 86400,
];

export const energyColour = (energy, most) => scale(most > 0 ? energy / most : 0);

// The energy at the end of the scale, chosen so that one rich agent does not make all others look
// poor.
export function energyTop(agents) {
  const all = agents
    .filter((a) => !a.died)
    .map((a) => a.energy || 0)
    .sort((a, b) => a - b);
  return Math.max(1e-9, all[Math.floor(0.95 * (all.length - 1))] || 0);
}

// Rows of /lives as a forest. Parents come before their children.
export function grow(rows) {
  const byId = new Map();
  const roots = [];
  for (const [id, parent, name, energy, pages, born, died, death] of rows) {
    const n = {
      id,
      name: name || `#${id}`,
      energy,
      pages,
      born,
      died,
      death,
      kids: [],
      below: 0,
      lives: !died,
    };
    n.parent = byId.get(parent) || null;
    byId.set(id, n);
    (n.parent ? n.parent.kids : roots).push(n);
  }
  const all = [...byId.values()];
  for (let i = all.length - 1; i >= 0; i--) {
    const { parent, below, lives } = all[i];
    if (!parent) continue;
    parent.below += 1 + below;
    parent.lives = parent.lives || lives; // it, or one of its descendants
  }
  return { roots, byId, all };
}

export const ancestors = (n) => {
  const path = [];
  for (let a = n; a; a = a.parent) path.unshift(a);
  return path;
};

function lifeText(a) {
  const age = a.born && a.died ? ` after ${duration(a.died - a.born)}` : '';
  return [
    `${a.name}, agent ${a.id}`,
    `energy ${number(a.energy)}, ${plural(a.pages, 'page')}, ${plural(a.below, 'descendant')}`,
    a.died ? `died${age}: ${a.death || 'unknown'}` : 'alive',
  ].join('\n');
}

export function lives({ now, open, folded: heard }) {
  let forest = grow([]);
  let shown = []; // in the order of their lanes
  let first = 0;
  let end = 1;
  let most = 1;
  let wide = 1600; // of all time: as wide as the window, when all lives fit its height
  let onlyLiving = false;
  let marked = null; // the agent that was searched for
  const folded = new Set();
  const x = (at) => ((at - first) / Math.max(1e-6, end - first)) * wide;
  const y = (n) => n.lane * LANE;

  function arrange() {
    shown = [];
    const walk = (nodes) => {
      for (const n of nodes) {
        if (onlyLiving && !n.lives) continue;
        n.lane = shown.length;
        shown.push(n);
        if (!folded.has(n.id)) walk(n.kids);
      }
    };
    walk(forest.roots);
    const [width, height] = [st.node.clientWidth, st.node.clientHeight]; // before the first resize, too
    const names = shown.length < 60 ? 90 : 20;
    const lanes = Math.max(30, shown.length);
    if (height > 0) wide = Math.max(300, lanes * LANE * (width / height) - names);
    for (const n of shown) {
      n.from = x(n.born ?? first);
      n.to = x(n.died ?? end);
    }
    st.setBounds(() => [-wide * 0.02, -LANE * 3, wide * 1.02 + names, lanes * LANE]);
    heard?.(shown.length);
  }

  function set(rows) {
    forest = grow(rows);
    let last = 0;
    first = Infinity;
    for (const n of forest.all) {
      first = Math.min(first, n.born ?? Infinity);
      last = Math.max(last, n.died ?? n.born ?? 0);
    }
    if (first === Infinity) first = 0;
    end = Math.max(last, now() ?? 0, first + 1e-3);
    most = energyTop(forest.all);
    marked = marked && forest.byId.get(marked.id);
    arrange();
    st.settle();
  }

  // ---- drawing ----

  function draw(g, view) {
    const sx = (v) => v * view.k + view.x;
    const sy = (v) => v * view.k + view.y;
    timeAxis(g, view, sx);
    const lane = LANE * view.k;
    const top = Math.max(0, Math.floor(-view.y / lane) - 1);
    const bottom = Math.min(shown.length - 1, Math.ceil((view.height - view.y) / lane) + 1);
    stems(g, view, sx, sy, top, bottom);
    bars(g, sx, sy, lane, top, bottom);
    if (lane >= READABLE) for (let i = top; i <= bottom; i++) words(g, shown[i], sx, sy, lane, view);
    if (marked && shown[marked.lane] === marked) ring(g, marked, sx, sy, view);
  }

  // A stem may cross the window though both its ends are outside. Rectangles: a path of ten
  // thousand lines takes a browser many times as long. Children born in one column of pixels
  // hang on one stem, that of the last.
  function stems(g, view, sx, sy, top, bottom) {
    const thin = Math.max(0.4, Math.min(1.2, view.k));
    const last = new Map(); // parent's lane and column -> the lane of the lowest child
    for (let i = top; i < shown.length; i++) {
      const { parent, from, lane } = shown[i];
      if (!parent || (i > bottom && parent.lane > bottom)) continue;
      last.set(parent.lane * 8192 + (Math.round(sx(from)) & 8191), lane);
    }
    g.fillStyle = css('--line-strong');
    for (const lane of last.values()) {
      const n = shown[lane];
      const from = Math.max(-2, sy(y(n.parent)));
      const to = Math.min(view.height + 2, sy(y(n)));
      if (to - from > 0.3) g.fillRect(sx(n.from) - thin / 2, from, thin, to - from);
    }
  }

  // The lanes from top to bottom that `wanted` accepts; of those that share a row of pixels, a
  // sample.
  function sparse(sy, top, bottom, wanted) {
    const list = [];
    let row = -1;
    let inRow = 0;
    for (let i = top; i <= bottom; i++) {
      if (!wanted(shown[i])) continue;
      const at = Math.floor(sy(i * LANE));
      inRow = at === row ? inRow + 1 : 0;
      row = at;
      if (inRow < IN_ROW) list.push(shown[i]);
    }
    return list;
  }

  // Draws the dead first, so that they do not cover the living, and bars of one colour together,
  // because changing the colour is slow.
  function bars(g, sx, sy, lane, top, bottom) {
    const thin = Math.max(0.7, Math.min(4, lane * 0.3));
    const thick = Math.max(1.4, Math.min(10, lane * 0.62));
    const one = sx(1) - sx(0);
    const bar = (n, height) =>
      g.fillRect(sx(n.from), sy(y(n)) - height / 2, Math.max(2, (n.to - n.from) * one), height);
    g.fillStyle = css('--dead');
    g.globalAlpha = 0.6;
    for (const n of sparse(sy, top, bottom, (a) => a.died)) bar(n, thin);
    g.globalAlpha = 1;
    const shades = Array.from({ length: SHADES }, () => []);
    for (const n of sparse(sy, top, bottom, (a) => !a.died))
      shades[Math.round(Math.max(0, Math.min(1, n.energy / most)) * (SHADES - 1))].push(n);
    shades.forEach((list, i) => {
      g.fillStyle = scale(i / (SHADES - 1));
      for (const n of list) bar(n, thick);
      if (lane > 2.5) for (const n of list) head(g, Math.max(sx(n.to), sx(n.from) + 2), sy(y(n)), lane);
    });
  }

  // Marks a living agent, independently of its colour.
  function head(g, cx, cy, lane) {
    g.beginPath();
    g.arc(cx, cy, Math.min(6, lane * 0.48), 0, 7);
    g.fill();
    if (lane <= 5) return;
    g.lineWidth = 1;
    g.strokeStyle = css('--text');
    g.stroke();
  }

  function words(g, n, sx, sy, lane, view) {
    const y0 = sy(y(n));
    g.textBaseline = 'middle';
    if (n.kids.length > 0) handle(g, sx(n.from) - 7, y0, folded.has(n.id));
    if (lane < 11) return;
    const x1 = Math.max(sx(n.to), sx(n.from) + 2);
    g.font = `${Math.min(13, lane * 0.85)}px system-ui, sans-serif`;
    g.fillStyle = n.died ? css('--muted') : css('--text');
    if (x1 > view.width + 200) return;
    g.fillText(folded.has(n.id) ? `${n.name} +${count(n.below)}` : n.name, x1 + 9, y0);
  }

  // A triangle: to the right where a line is folded, else down.
  function handle(g, cx, cy, closed) {
    g.fillStyle = css('--muted');
    g.beginPath();
    if (closed) {
      g.moveTo(cx - 2, cy - 4);
      g.lineTo(cx + 3, cy);
      g.lineTo(cx - 2, cy + 4);
    } else {
      g.moveTo(cx - 4, cy - 2);
      g.lineTo(cx + 4, cy - 2);
      g.lineTo(cx, cy + 3);
    }
    g.fill();
  }

  function ring(g, n, sx, sy, view) {
    const [x0, x1, y0] = [sx(n.from) - 5, Math.max(sx(n.to), sx(n.from) + 2) + 8, sy(y(n))];
    g.strokeStyle = css('--focus');
    g.lineWidth = 2;
    g.strokeRect(x0, y0 - 7, x1 - x0, 14);
    g.font = '600 13px system-ui, sans-serif';
    g.textBaseline = 'bottom';
    g.lineWidth = 4;
    g.strokeStyle = css('--panel');
    const at = Math.max(4, Math.min(x0, view.width - 120));
    g.strokeText(n.name, at, y0 - 9);
    g.fillStyle = css('--text');
    g.fillText(n.name, at, y0 - 9);
  }

  function timeAxis(g, view, sx) {
    const total = end - first;
    const raw = total / Math.max(2, (wide * view.k) / 130);
    const step = STEPS.find((v) => v >= raw) || 86400 * Math.ceil(raw / 86400);
    g.font = '11px system-ui, sans-serif';
    g.textBaseline = 'top';
    g.lineWidth = 1;
    for (let i = 0; i * step <= total; i++) {
      const px = Math.round(sx(x(first + i * step))) + 0.5;
      if (px < 0 || px > view.width) continue;
      g.strokeStyle = css('--grid');
      g.beginPath();
      g.moveTo(px, 0);
      g.lineTo(px, view.height);
      g.stroke();
      g.fillStyle = css('--muted');
      g.fillText(clock(i * step, step), px + 3, 3);
    }
  }

  // ---- the user ----

  function toggle(n) {
    if (folded.has(n.id)) folded.delete(n.id);
    else folded.add(n.id);
    arrange();
    st.repaint();
  }

  const st = stage({
    label: 'Family tree: lives over time. The list shows the same.',
    draw,
    extent: [0.0005, 12],
    hit(px, py, view) {
      const n = shown[Math.round(py / LANE)];
      if (!n) return null;
      const lane = LANE * view.k;
      const slack = 8 / view.k;
      if (lane >= READABLE && n.kids.length > 0 && Math.abs(px - n.from + 7 / view.k) < slack)
        return { fold: n };
      return px >= n.from - slack && px <= n.to + slack + (lane >= 11 ? 90 / view.k : 0) ? n : null;
    },
    tip: (n) =>
      n.fold
        ? `${folded.has(n.fold.id) ? 'show' : 'hide'} ${plural(n.fold.below, 'descendant')} of ${n.fold.name}`
        : lifeText(n),
    open: (n) => (n.fold ? toggle(n.fold) : open(n.id)),
  });

  return {
    node: st.node,
    set,
    destroy: st.destroy,
    get most() {
      return most;
    },
    get forest() {
      return forest;
    },
    // Only those who live, and their ancestors.
    living(only) {
      onlyLiving = only;
      arrange();
      st.fit();
      st.repaint();
    },
    foldAll(close) {
      folded.clear();
      if (close) forest.all.forEach((n) => n.kids.length > 0 && folded.add(n.id));
      arrange();
      st.fit();
      st.repaint();
    },
    // Brings an agent into the middle, even out of folded lines.
    show(n) {
      marked = n;
      if (!n) {
        st.repaint();
        return;
      }
      ancestors(n.parent).forEach((a) => folded.delete(a.id));
      if (onlyLiving && !n.lives) onlyLiving = false;
      arrange();
      st.center((n.from + n.to) / 2, y(n), Math.min(14 / LANE, Math.max(st.view.k, 14 / LANE)));
    },
  };
}
