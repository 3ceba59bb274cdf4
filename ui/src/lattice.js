// lattice.js - a concept lattice as a Hasse diagram: the general above, the special below.
//
//   const d = lattice({concepts, objects, …}, kept, aspect); d.node; d.view(); d.destroy()
//
// Layers are the longest ways down from the top; in a layer, concepts stand near the mean of
// those they hang on (a few passes down and up), as Sugiyama does; a wide layer takes several
// lines. A concept names only the words that none above it has. SPDX-License-Identifier: MIT
import { select } from 'd3-selection';
import { zoom, zoomIdentity } from 'd3-zoom';
import { h, s, fill } from './dom.js';
import { plural, percent } from './format.js';
import { scale, theme } from './colour.js';
import { vlist } from './vlist.js';

const LINE = 74;
const SLOT = 98;
const PASSES = 8;

// Who is above and below whom, and the layers; concepts: [{intent, extent, up: [place]}].
function layers(concepts) {
  const above = concepts.map((c) => (c.up || []).filter((a) => a >= 0 && a < concepts.length));
  const below = concepts.map(() => []);
  above.forEach((list, id) => list.forEach((a) => below[a].push(id)));
  const depth = new Array(concepts.length);
  const visit = (id, seen) => {
    if (depth[id] !== undefined) return depth[id];
    if (seen.has(id)) return 0; // a lattice has no cycle, but a broken answer may
    seen.add(id);
    depth[id] = Math.max(-1, ...above[id].map((a) => visit(a, seen))) + 1;
    return depth[id];
  };
  const rows = [];
  concepts.forEach((_, id) => (rows[visit(id, new Set())] ||= []).push(id));
  return { rows: rows.map((r) => r || []), above, below };
}

// Places of the concepts: x, y.
function arrange({ rows, above, below }, total, aspect) {
  const most = Math.max(4, Math.ceil(Math.sqrt((aspect * LINE * total) / SLOT))); // discs in a line
  const place = new Map();
  let y = 0;
  const spread = (row) => {
    const lines = Math.ceil(row.length / most);
    row.forEach((id, i) => {
      place.set(id, { x: ((i - (row.length - 1) / 2) * SLOT) / lines, line: i % lines });
    });
    return lines;
  };
  rows.forEach(spread);
  for (let pass = 0; pass < PASSES; pass++) {
    const near = pass % 2 ? below : above;
    for (const row of pass % 2 ? [...rows].reverse() : rows) {
      const wish = new Map(
        row.map((id) => [
          id,
          near[id].length
            ? near[id].reduce((sum, o) => sum + place.get(o).x, 0) / near[id].length
            : place.get(id).x,
        ]),
      );
      row.sort((a, b) => wish.get(a) - wish.get(b));
      spread(row);
    }
  }
  rows.forEach((row) => {
    const lines = spread(row);
    row.forEach((id) => (place.get(id).y = y + place.get(id).line * LINE));
    y += lines * LINE + 24;
  });
  return place;
}

// All concepts connected with a concept, upwards or downwards.
function reach(from, next) {
  const seen = new Set();
  const todo = [from];
  while (todo.length)
    for (const id of next[todo.pop()])
      if (!seen.has(id)) {
        seen.add(id);
        todo.push(id);
      }
  return seen;
}

// The words that no concept above has.
function own(concepts, above, id) {
  const known = new Set(above[id].flatMap((a) => concepts[a].intent || []));
  return (concepts[id].intent || []).filter((w) => !known.has(w));
}

function label(words) {
  const text = words.slice(0, 2).join(', ') + (words.length > 2 ? ` +${words.length - 2}` : '');
  return text.length > 17 ? `${text.slice(0, 16)}…` : text;
}

const sizeOf = (c, most) => 5 + 11 * Math.sqrt((c.extent || 0) / most);

export const conceptWords = (c) => (c.intent || []).join(', ') || 'no word in common';

function drawDisc(c, words, at, most) {
  const r = sizeOf(c, most);
  return s(
    'g',
    {
      class: 'concept',
      tabindex: '-1',
      role: 'img',
      'aria-label': `${conceptWords(c)}: ${plural(c.extent, 'page')}`,
      transform: `translate(${at.x} ${at.y})`,
    },
    s('circle', { r }),
    s('text', { y: r + 12, 'text-anchor': 'middle' }, label(words)),
    s(
      'text',
      { y: r + (words.length ? 24 : 12), 'text-anchor': 'middle', class: 'extent' },
      String(c.extent),
    ),
  );
}

function tell(place, { concepts, objects }, above, below, id) {
  if (id === null) {
    fill(place, h('span', { class: 'note' }, 'Point at a concept, or go through them by the arrow keys.'));
    return;
  }
  const c = concepts[id];
  fill(
    place,
    h('strong', null, conceptWords(c)),
    ` – ${plural(c.extent, 'page')}${objects ? ` (${percent(c.extent / objects)} of those read)` : ''}, `,
    `${plural(above[id].length, 'concept')} above, ${below[id].length} below`,
  );
}

// `kept`: {transform, intent} of the one before it, where the same lattice is drawn again.
export function lattice(data, kept = null, aspect = 1.6) {
  const { concepts } = data;
  const web = layers(concepts);
  const { above, below, rows } = web;
  const at = arrange(web, concepts.length, aspect);
  const most = Math.max(1, ...concepts.map((c) => c.extent || 0));
  const lines = concepts.flatMap((_, b) =>
    above[b].map((a) => ({
      a,
      b,
      node: s('line', { x1: at.get(a).x, y1: at.get(a).y, x2: at.get(b).x, y2: at.get(b).y }),
    })),
  );
  const discs = concepts.map((c, id) => drawDisc(c, own(concepts, above, id), at.get(id), most));
  const paint = () =>
    discs.forEach((d, id) => {
      d.querySelector('circle').style.fill = scale(Math.sqrt((concepts[id].extent || 0) / most));
    });
  const picture = s(
    'g',
    null,
    lines.map((l) => l.node),
    discs,
  );
  const svg = s(
    'svg',
    { class: 'lattice', role: 'group', 'aria-label': `Lattice of ${plural(concepts.length, 'concept')}` },
    picture,
  );
  const info = h('p', { class: 'spoken', 'aria-live': 'polite' });
  let current = Math.max(
    0,
    concepts.findIndex((c) => (c.intent || []).join() === kept?.intent),
  );
  let touched = Boolean(kept?.transform);

  const light = (id) => {
    const lit = id === null ? null : new Set([id, ...reach(id, above), ...reach(id, below)]);
    discs.forEach((d, k) => d.classList.toggle('dim', Boolean(lit) && !lit.has(k)));
    lines.forEach((l) => l.node.classList.toggle('dim', Boolean(lit) && !(lit.has(l.a) && lit.has(l.b))));
    tell(info, data, above, below, id);
  };

  // ---- moving and zooming ----
  const behaviour = zoom()
    .scaleExtent([0.05, 6])
    .on('zoom', (e) => {
      if (e.sourceEvent) touched = true;
      picture.setAttribute('transform', e.transform.toString());
      svg.classList.toggle('far', e.transform.k < 0.5);
    });
  select(svg).call(behaviour).on('dblclick.zoom', null);
  const by = (k) => {
    touched = true;
    select(svg).call(behaviour.scaleBy, k);
  };
  const fit = () => {
    touched = false;
    const [w, height] = [svg.clientWidth, svg.clientHeight];
    if (!w || !height) return;
    const xs = [...at.values()].map((p) => p.x);
    const ys = [...at.values()].map((p) => p.y);
    const [x0, x1] = [Math.min(...xs) - 52, Math.max(...xs) + 52];
    const [y0, y1] = [Math.min(...ys) - 24, Math.max(...ys) + 48];
    const k = Math.min(1.4, w / (x1 - x0), height / (y1 - y0));
    select(svg).call(
      behaviour.transform,
      zoomIdentity.translate(w / 2 - (k * (x0 + x1)) / 2, height / 2 - (k * (y0 + y1)) / 2).scale(k),
    );
  };
  // Moves the concept that the keyboard focuses into sight.
  const reveal = (id) => {
    const p = at.get(id);
    const t = svg.__zoom;
    const [px, py] = [p.x * t.k + t.x, p.y * t.k + t.y];
    if (px < 20 || py < 20 || px > svg.clientWidth - 20 || py > svg.clientHeight - 40)
      select(svg).call(behaviour.translateTo, p.x, p.y);
  };

  // ---- pointing, and the keyboard: up and down along edges, left and right in a layer ----
  discs.forEach((d, id) => {
    d.addEventListener('pointerenter', () => light(id));
    d.addEventListener('pointerleave', () => light(svg.contains(document.activeElement) ? current : null));
    d.addEventListener('focus', () => {
      discs[current].setAttribute('tabindex', '-1');
      d.setAttribute('tabindex', '0');
      current = id;
      light(id);
    });
    d.addEventListener('blur', () => light(null));
  });
  const nearest = (from, list) =>
    [...list].sort(
      (a, b) => Math.abs(at.get(a).x - at.get(from).x) - Math.abs(at.get(b).x - at.get(from).x),
    )[0];
  svg.addEventListener('keydown', (e) => {
    const row = rows.find((r) => r.includes(current));
    const to = {
      ArrowUp: () => nearest(current, above[current]),
      ArrowDown: () => nearest(current, below[current]),
      ArrowLeft: () => row[row.indexOf(current) - 1],
      ArrowRight: () => row[row.indexOf(current) + 1],
    }[e.key];
    const zooming = { '+': () => by(1.5), '=': () => by(1.5), '-': () => by(1 / 1.5), 0: fit }[e.key];
    if (!to && !zooming) return;
    e.preventDefault();
    zooming?.();
    const next = to?.();
    if (next === undefined) return;
    discs[next].focus({ preventScroll: true });
    reveal(next);
  });
  discs[current]?.setAttribute('tabindex', '0');
  paint();
  light(null);
  const off = theme.on(paint);
  const resize = new ResizeObserver(() => {
    if (!touched) fit();
  });
  resize.observe(svg);
  if (kept?.transform) select(svg).call(behaviour.transform, kept.transform);

  const button = (name, title, text, run) => h('button', { 'aria-label': name, title, onclick: run }, text);
  return {
    node: [
      h(
        'div',
        { class: 'stage hasse' },
        svg,
        h(
          'div',
          { class: 'zoom' },
          button('zoom in', 'Zoom in (+)', '+', () => by(1.5)),
          button('zoom out', 'Zoom out (−)', '−', () => by(1 / 1.5)),
          button('show all', 'Show all (0)', '⤢', fit),
        ),
      ),
      info,
    ],
    // The state that the next diagram needs to look the same.
    view: () => ({
      transform: touched ? svg.__zoom : null,
      intent: (concepts[current]?.intent || []).join(),
      focused: svg.contains(document.activeElement),
    }),
    focus: () => discs[current]?.focus({ preventScroll: true }),
    destroy() {
      off();
      resize.disconnect();
    },
  };
}

// The same as a list: the concepts with most pages first, those with a word alone.
export function conceptList(concepts) {
  const most = Math.max(1, ...concepts.map((c) => c.extent || 0));
  let shown = concepts;
  const list = vlist({
    height: 34,
    label: 'Concepts',
    key: (i) => `${shown[i].extent} ${conceptWords(shown[i])}`,
    render: (i) =>
      h(
        'div',
        { class: 'concept-row' },
        h('span', { class: 'num' }, plural(shown[i].extent, 'page')),
        h(
          'span',
          { class: 'bar-track' },
          h('span', { class: 'bar-fill', style: { width: `${(100 * shown[i].extent) / most}%` } }),
        ),
        h('span', { class: 'words', title: conceptWords(shown[i]) }, conceptWords(shown[i])),
      ),
  });
  list.setTotal(shown.length);
  return {
    node: list.node,
    find(word) {
      const w = word.trim().toLowerCase();
      shown = w ? concepts.filter((c) => (c.intent || []).some((x) => x.includes(w))) : concepts;
      list.setTotal(shown.length);
      list.refresh();
    },
    destroy: list.destroy,
  };
}
