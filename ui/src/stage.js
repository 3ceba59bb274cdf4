// stage.js - a canvas that can be moved and zoomed (d3-zoom), sharp on every screen.
//
//   const st = stage({draw(g, view), hit(x, y) -> thing, tip(thing) -> text, open(thing),
//                     point(thing or null), label});
//
// draw() and hit() work in the picture's own coordinates; view is {k, x, y, width, height}.
// SPDX-License-Identifier: MIT
import { select } from 'd3-selection';
import { zoom, zoomIdentity } from 'd3-zoom';
import { h, say } from './dom.js';
import { theme } from './colour.js';

export function stage({ draw, hit, tip, open, point, label, extent = [0.05, 40] }) {
  const canvas = h('canvas', { role: 'img', 'aria-label': label, tabindex: '0' });
  const bubble = h('div', { class: 'tip', hidden: true });
  const node = h(
    'div',
    { class: 'stage' },
    canvas,
    bubble,
    h(
      'div',
      { class: 'zoom' },
      h('button', { 'aria-label': 'zoom in', title: 'Zoom in (+)', onclick: () => by(1.5) }, '+'),
      h('button', { 'aria-label': 'zoom out', title: 'Zoom out (−)', onclick: () => by(1 / 1.5) }, '−'),
      h('button', { 'aria-label': 'show all', title: 'Show all (0)', onclick: () => fit() }, '⤢'),
    ),
  );
  const g = canvas.getContext('2d');
  const view = { k: 1, x: 0, y: 0, width: 0, height: 0 };
  let bounds = null; // () -> [x0, y0, x1, y1]
  let touched = false;
  let queued = 0; // of requestAnimationFrame
  let drawn = 0;

  const paint = () => {
    cancelAnimationFrame(queued);
    queued = 0;
    if (view.width === 0) return;
    const dots = devicePixelRatio || 1;
    g.setTransform(dots, 0, 0, dots, 0, 0);
    g.clearRect(0, 0, view.width, view.height);
    draw(g, view);
    canvas.dataset.drawn = ++drawn; // for those who wait for it
  };
  const repaint = () => {
    if (!queued) queued = requestAnimationFrame(paint);
  };

  const behaviour = zoom()
    .scaleExtent(extent)
    .on('zoom', (e) => {
      Object.assign(view, { k: e.transform.k, x: e.transform.x, y: e.transform.y });
      if (e.sourceEvent) touched = true;
      bubble.hidden = true;
      repaint();
    });
  select(canvas).call(behaviour).on('dblclick.zoom', null);
  const by = (k) => {
    touched = true;
    select(canvas).call(behaviour.scaleBy, k);
  };

  function fit() {
    touched = false;
    if (!bounds || view.width === 0) return;
    const [x0, y0, x1, y1] = bounds();
    if (!(x1 > x0) || !(y1 > y0)) return;
    const k = Math.max(
      extent[0],
      Math.min(extent[1], 2, 0.96 * Math.min(view.width / (x1 - x0), view.height / (y1 - y0))),
    );
    const at = zoomIdentity
      .translate(view.width / 2 - (k * (x0 + x1)) / 2, view.height / 2 - (k * (y0 + y1)) / 2)
      .scale(k);
    select(canvas).call(behaviour.transform, at);
  }

  const place = (e) => {
    const box = canvas.getBoundingClientRect();
    const [px, py] = [e.clientX - box.left, e.clientY - box.top];
    return { px, py, x: (px - view.x) / view.k, y: (py - view.y) / view.k };
  };
  canvas.addEventListener('pointermove', (e) => {
    const p = place(e);
    const thing = e.buttons ? null : hit(p.x, p.y, view, p.px, p.py);
    canvas.classList.toggle('pointing', Boolean(thing));
    point?.(thing);
    bubble.hidden = !thing;
    if (!thing) return;
    say(bubble, tip(thing));
    bubble.style.left = `${Math.min(p.px + 12, Math.max(0, view.width - bubble.offsetWidth - 8))}px`;
    bubble.style.top = `${Math.min(p.py + 14, Math.max(0, view.height - bubble.offsetHeight - 8))}px`;
  });
  canvas.addEventListener('pointerleave', () => {
    bubble.hidden = true;
    point?.(null);
  });
  canvas.addEventListener('click', (e) => {
    const p = place(e);
    const thing = hit(p.x, p.y, view, p.px, p.py);
    if (thing) open(thing);
  });
  canvas.addEventListener('keydown', (e) => {
    const pan = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }[e.key];
    if (pan) {
      touched = true;
      select(canvas).call(behaviour.translateBy, pan[0] / view.k, pan[1] / view.k);
    } else if (e.key === '+' || e.key === '=') by(1.5);
    else if (e.key === '-') by(1 / 1.5);
    else if (e.key === '0') fit();
    else return;
    e.preventDefault();
  });

  const resize = new ResizeObserver(() => {
    const dots = devicePixelRatio || 1;
    view.width = node.clientWidth;
    view.height = node.clientHeight;
    canvas.width = Math.round(view.width * dots);
    canvas.height = Math.round(view.height * dots);
    if (!touched) fit();
    paint();
  });
  resize.observe(node);
  const off = theme.on(repaint);

  return {
    node,
    view,
    repaint,
    fit,
    setBounds(fn) {
      bounds = fn;
    },
    // Puts a point of the picture into the middle.
    center(x, y, k) {
      touched = true;
      const at = zoomIdentity.translate(view.width / 2 - k * x, view.height / 2 - k * y).scale(k);
      select(canvas).call(behaviour.transform, at);
      repaint();
    },
    // Shows the whole picture, unless the user has moved it.
    settle() {
      if (!touched) fit();
      repaint();
    },
    destroy() {
      resize.disconnect();
      off();
    },
  };
}
