// lattice.js - a concept lattice as a Hasse diagram: the general above, the special below.
//
// Layers are the longest ways down from the top; in a layer, concepts stand near the mean of
// those they hang on (a few passes down and up), as Sugiyama does. SPDX-License-Identifier: MIT
import { s } from './dom.js';
import { plural } from './format.js';
import { scale } from './colour.js';

const LAYER = 84;
const SLOT = 108;
const PASSES = 8;
const MOST = 400; // concepts drawn

// edges: [a, b], a is above b.
function layers(concepts, edges) {
  const above = new Map(concepts.map((c) => [c.id, []]));
  const below = new Map(concepts.map((c) => [c.id, []]));
  for (const [a, b] of edges) {
    if (!above.has(a) || !above.has(b)) continue;
    above.get(b).push(a);
    below.get(a).push(b);
  }
  const depth = new Map();
  const visit = (id, seen) => {
    if (depth.has(id)) return depth.get(id);
    if (seen.has(id)) return 0; // no lattice has a ring; a broken answer may
    seen.add(id);
    const d = Math.max(-1, ...above.get(id).map((a) => visit(a, seen))) + 1;
    depth.set(id, d);
    return d;
  };
  concepts.forEach((c) => visit(c.id, new Set()));
  const rows = [];
  concepts.forEach((c) => (rows[depth.get(c.id)] ||= []).push(c.id));
  return { rows: rows.map((r) => r || []), above, below };
}

function arrange(rows, above, below) {
  const place = new Map();
  const spread = (row) => row.forEach((id, i) => place.set(id, (i - (row.length - 1) / 2) * SLOT));
  rows.forEach(spread);
  for (let pass = 0; pass < PASSES; pass++) {
    const near = pass % 2 ? below : above;
    for (const row of pass % 2 ? [...rows].reverse() : rows) {
      const mean = (id) => {
        const others = near.get(id);
        return others.length
          ? others.reduce((sum, o) => sum + place.get(o), 0) / others.length
          : place.get(id);
      };
      const wish = new Map(row.map((id) => [id, mean(id)]));
      row.sort((a, b) => wish.get(a) - wish.get(b));
      spread(row);
    }
  }
  return place;
}

// Everything that hangs together with a concept, upwards or downwards.
function reach(from, next, into = new Set()) {
  for (const id of next.get(from))
    if (!into.has(id)) {
      into.add(id);
      reach(id, next, into);
    }
  return into;
}

// concepts: [{intent: [word], extent: pages, up: [place of one above it]}].
export function lattice({ concepts }) {
  const all = concepts.map((c, id) => ({ ...c, id }));
  return draw(
    all,
    all.flatMap((c) => (c.up || []).map((a) => [a, c.id])),
  );
}

function draw(all, edges) {
  const concepts = all.slice(0, MOST);
  const { rows, above, below } = layers(concepts, edges);
  const place = arrange(rows, above, below);
  const width = Math.max(320, Math.max(...rows.map((r) => r.length)) * SLOT + 60);
  const height = rows.length * LAYER + 50;
  const most = Math.max(1, ...concepts.map((c) => c.extent || 0));
  const x = (id) => width / 2 + place.get(id);
  const y = new Map(rows.flatMap((r, i) => r.map((id) => [id, 30 + i * LAYER])));
  const lines = [];
  for (const [a, b] of edges) {
    if (y.has(a) && y.has(b))
      lines.push({ a, b, node: s('line', { x1: x(a), y1: y.get(a), x2: x(b), y2: y.get(b) }) });
  }
  const discs = concepts.map((c) => {
    const r = 5 + 10 * Math.sqrt((c.extent || 0) / most);
    const text =
      (c.intent || []).slice(0, 3).join(', ') +
      ((c.intent || []).length > 3 ? ` +${c.intent.length - 3}` : '');
    const node = s(
      'g',
      { class: 'concept', tabindex: '0', transform: `translate(${x(c.id)} ${y.get(c.id)})` },
      s('title', null, `${(c.intent || []).join(', ') || 'no word'}\n${plural(c.extent, 'page')}`),
      s('circle', { r, fill: scale((c.extent || 0) / most) }),
      s(
        'text',
        { y: r + 12, 'text-anchor': 'middle' },
        text.length > 22 ? text.slice(0, 21) + '…' : text || '∅',
      ),
    );
    const light = (on) => {
      const lit = on ? new Set([c.id, ...reach(c.id, above), ...reach(c.id, below)]) : null;
      discs.forEach((d) => d.node.classList.toggle('dim', Boolean(lit) && !lit.has(d.id)));
      lines.forEach((l) => l.node.classList.toggle('dim', Boolean(lit) && !(lit.has(l.a) && lit.has(l.b))));
    };
    for (const [event, on] of [
      ['pointerenter', true],
      ['pointerleave', false],
      ['focus', true],
      ['blur', false],
    ])
      node.addEventListener(event, () => light(on));
    return { id: c.id, node };
  });
  const svg = s(
    'svg',
    {
      class: 'lattice',
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: 'group',
      'aria-label': `Lattice of ${all.length} concepts`,
    },
    lines.map((l) => l.node),
    discs.map((d) => d.node),
  );
  const box = document.createElement('div');
  box.className = 'scroll';
  box.append(svg);
  if (all.length > MOST) {
    const note = document.createElement('p');
    note.className = 'note';
    note.textContent = `The first ${MOST} of ${all.length} concepts.`;
    box.append(note);
  }
  return box;
}
