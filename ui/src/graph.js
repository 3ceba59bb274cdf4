// graph.js - discs and the links between them, laid out by forces (d3-force), on a canvas.
//
//   const g = graph({label, open(node), tip(node) -> text});  g.node; g.set(nodes, links, relevance of the best)
//
// A node is {id, label, r, relevance, edge, waiting}: `edge` is empty and dashed, `waiting`
// draws a ring and a number. Pointing at a node shows its links and dims all others.
// SPDX-License-Identifier: MIT
import { forceSimulation, forceLink, forceManyBody, forceX, forceY, forceCollide } from 'd3-force';
import { css, scale } from './colour.js';
import { short } from './format.js';
import { stage } from './stage.js';

const FIRST_LOOK = 15; // milliseconds of laying out before the first picture
const LABELS = 150; // names that are tried
const ALWAYS = 12; // of these names are drawn even if they cover a disc
const DASHED = 5; // pixels of a radius from which on dashes can be told from a line

// A host's name without its common parts; the tip has the whole name.
const brief = (text) => {
  const plain = text.replace(/^www\./, '');
  return plain.length > 24 ? `${plain.slice(0, 23)}…` : plain;
};

export function graph({ label, open, tip }) {
  let nodes = [];
  let links = [];
  let top = 1; // relevance that has the end of the scale
  let pointed = null;
  let near = null; // ids around the one that is pointed at
  const places = new Map(); // positions of nodes, which are used again when a node comes back
  const sim = forceSimulation([]).stop();
  sim.on('tick', () => {
    st.settle();
  });

  // Those without links come nearer, so that they cost no room; the picture gets the shape of
  // its window.
  function forces() {
    const tied = new Set(links.flatMap((l) => [l.source, l.target]));
    const flat = Math.max(0.4, Math.min(2.5, (st.node.clientWidth || 3) / (st.node.clientHeight || 2)));
    const pull = (d) => (tied.has(d.id) ? 0.06 : 0.13);
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
        forceCollide((d) => d.r + (d.ring ? 4 + d.ring : 0) + 4),
      )
      .force(
        'x',
        forceX(0).strength((d) => pull(d) / Math.sqrt(flat)),
      )
      .force(
        'y',
        forceY(0).strength((d) => pull(d) * Math.sqrt(flat)),
      );
  }

  // Of very many links only the strongest are drawn, and all of the one that is pointed at.
  function markMinor() {
    const ranked = [...links].sort((a, b) => (b.n || 1) - (a.n || 1));
    if (!ranked.length || (ranked[0].n || 1) === (ranked[ranked.length - 1].n || 1)) return;
    ranked.slice(Math.round(2.5 * nodes.length)).forEach((l) => {
      l.minor = true;
    });
  }

  function box() {
    const b = [-100, -80, 100, 80];
    for (const n of nodes) {
      b[0] = Math.min(b[0], n.x - n.r);
      b[1] = Math.min(b[1], n.y - n.r);
      b[2] = Math.max(b[2], n.x + n.r);
      b[3] = Math.max(b[3], n.y + n.r);
    }
    return b;
  }

  function set(next, edges, most) {
    top = most || 1;
    for (const n of nodes) places.set(n.id, { x: n.x, y: n.y });
    const known = places.size;
    const before = nodes.length;
    nodes = next.map((n) => ({ ...n, ...places.get(n.id) }));
    const at = new Map(nodes.map((n) => [n.id, n]));
    links = edges
      .filter((e) => at.has(e.source) && at.has(e.target) && e.source !== e.target)
      .map((e) => ({ ...e }));
    markMinor();
    forces();
    point(pointed && at.get(pointed.id));
    st.setBounds(box);
    if (!known) {
      // the first look: some of the way without being watched
      const end = performance.now() + FIRST_LOOK;
      sim.alpha(1);
      for (let i = 0; i < 120 && performance.now() < end; i++) sim.tick();
    }
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (still) {
      for (let i = 0; i < 60; i++) sim.tick();
      st.settle();
    } else if (known && before === nodes.length) st.settle();
    else sim.alpha(known ? 0.15 : Math.max(0.3, sim.alpha())).restart();
  }

  // ---- drawing ----

  function draw(g, view) {
    g.save();
    g.translate(view.x, view.y);
    g.scale(view.k, view.k);
    drawLinks(g, view);
    for (const n of nodes) disc(g, n, view);
    g.globalAlpha = 1;
    labels(g, view);
    g.restore();
  }

  function drawLinks(g, view) {
    let most = 1;
    for (const l of links) most = Math.max(most, l.n || 1);
    for (const l of links) {
      const mine = near && (l.source === pointed || l.target === pointed);
      if (l.minor && !mine) continue;
      const weight = most > 1 ? Math.sqrt((l.n || 1) / most) : 0.12; // if all are equal: thin
      g.strokeStyle = css(mine ? '--accent' : '--line-strong');
      g.globalAlpha = mine ? 0.9 : (near ? 0.15 : 1) * (0.12 + 0.6 * weight);
      g.lineWidth = (0.4 + 3 * weight) / Math.max(0.5, view.k);
      g.beginPath();
      g.moveTo(l.source.x, l.source.y);
      g.lineTo(l.target.x, l.target.y);
      g.stroke();
    }
  }

  function disc(g, n, view) {
    g.globalAlpha = near && !near.has(n.id) ? 0.25 : 1;
    if (n.waiting > 0) {
      g.beginPath(); // the frontier's edge: what waits at this host
      g.arc(n.x, n.y, n.r + 2.5 + n.ring / 2, 0, 7);
      g.lineWidth = n.ring;
      g.strokeStyle = css('--muted');
      dashed(g, n.r * view.k, [4, 3]);
    }
    g.beginPath();
    g.arc(n.x, n.y, n.r, 0, 7);
    g.fillStyle = n.edge ? css('--panel') : scale(Math.sqrt(Math.max(0, n.relevance || 0) / top));
    g.fill();
    g.lineWidth = (n.edge ? 1.2 : 1) / view.k;
    g.strokeStyle = n.edge ? css('--muted') : css('--text');
    if (n.edge) dashed(g, n.r * view.k, [3 / view.k, 2.5 / view.k]);
    else g.stroke();
  }

  // Dashes take a browser much longer than a line.
  function dashed(g, radius, dashes) {
    if (radius < DASHED) {
      g.stroke();
      return;
    }
    g.setLineDash(dashes);
    g.stroke();
    g.setLineDash([]);
  }

  // The places where a name may be: below its disc, above it, beside it.
  function spots(n, half, size, gap) {
    const r = n.r + (n.ring || 0) + gap;
    return [
      [n.x - half, n.y + r],
      [n.x - half, n.y - r - size * 1.2],
      [n.x + r, n.y - size * 0.6],
      [n.x - r - 2 * half, n.y - size * 0.6],
    ];
  }

  const inside = (b, view) =>
    b[0] * view.k + view.x >= 2 &&
    b[2] * view.k + view.x <= view.width - 2 &&
    b[1] * view.k + view.y >= 2 &&
    b[3] * view.k + view.y <= view.height - 2;
  const meets = (b, o) => b[0] < o[2] && b[2] > o[0] && b[1] < o[3] && b[3] > o[1];

  // Names for the largest nodes, as many as there is room for: a name covers neither another name
  // nor a large disc, except that the very largest nodes always have one, where it covers least.
  // There are more names when the user zooms in, and names for the nodes around the pointer.
  function labels(g, view) {
    const size = 11.5 / view.k;
    g.font = `${size}px system-ui, sans-serif`;
    g.textAlign = 'left';
    g.textBaseline = 'top';
    const named = nodes.filter((m) => m.label && !m.edge && (!near || near.has(m.id)));
    named.sort((a, b) => (b === pointed) - (a === pointed) || b.r - a.r);
    const discs = nodes
      .filter((m) => m.r * view.k > 6)
      .map((m) => [m.x - m.r, m.y - m.r, m.x + m.r, m.y + m.r]);
    const taken = [];
    const covered = (b) => discs.filter((o) => meets(b, o)).length;
    for (const [i, n] of named.slice(0, LABELS).entries()) {
      const text = n.waiting > 0 ? `${brief(n.label)} +${short(n.waiting)}` : brief(n.label);
      const width = g.measureText(text).width;
      const free = spots(n, width / 2, size, 3 / view.k)
        .map(([x, y]) => [x, y, x + width, y + size * 1.2])
        .filter((b) => inside(b, view) && !taken.some((o) => meets(b, o)));
      const discsUnder = free.map(covered);
      const least = Math.min(...discsUnder);
      if (free.length === 0 || (least > 0 && i >= ALWAYS && n !== pointed)) continue;
      const spot = free[discsUnder.indexOf(least)];
      taken.push(spot);
      g.lineWidth = 3 / view.k;
      g.strokeStyle = css('--panel');
      g.strokeText(text, spot[0], spot[1]);
      g.fillStyle = css('--text');
      g.fillText(text, spot[0], spot[1]);
    }
  }

  // ---- the pointer ----

  function point(n) {
    if (n === pointed) return;
    pointed = n || null;
    near = null;
    if (pointed && !pointed.edge) {
      near = new Set([pointed.id]);
      for (const l of links) {
        if (l.source === pointed) near.add(l.target.id);
        if (l.target === pointed) near.add(l.source.id);
      }
    }
    st.repaint();
  }

  const st = stage({
    label,
    draw,
    extent: [0.05, 10],
    tip,
    open,
    point,
    hit(x, y, view) {
      let found = null;
      let least = 8 / view.k;
      for (const n of nodes) {
        const d = Math.hypot(n.x - x, n.y - y) - n.r;
        if (d < least) {
          least = d;
          found = n;
        }
      }
      return found;
    },
  });
  return {
    node: st.node,
    set,
    point: (id) => point(nodes.find((n) => n.id === id)),
    destroy() {
      sim.stop();
      st.destroy();
    },
  };
}
