// live.js - keeps the screen up to date: loads, and loads again while the crawl changes.
// SPDX-License-Identifier: MIT
import { h, fill } from './dom.js';

// keep(ctx, load, every): runs load() now, then after a tick, at most every so many
// milliseconds, never twice at once and never in a hidden tab; slow requests are repeated less
// often. Stops with the view.
export function keep(ctx, load, every = 2000, failed = ctx.fail) {
  let busy = false;
  let again = false;
  let last = 0;
  let cost = 0;
  let timer = null;

  async function run() {
    if (busy) {
      again = true;
      return;
    } // once more, as soon as it can be
    busy = true;
    again = false;
    last = performance.now();
    try {
      await load();
      ctx.ok();
    } catch (e) {
      if (!ctx.ended && e.name !== 'AbortError') failed(e);
    }
    cost = performance.now() - last;
    busy = false;
    if (again && !ctx.ended) run();
  }

  function soon() {
    clearTimeout(timer);
    timer = setTimeout(
      () => {
        if (!document.hidden && !busy) run();
      },
      Math.max(0, last + Math.max(every, 4 * cost) - performance.now()),
    );
  }

  ctx.onEnd(ctx.changed.on(soon));
  ctx.onEnd(() => clearTimeout(timer));
  const seen = () => {
    if (!document.hidden) soon();
  };
  document.addEventListener('visibilitychange', seen);
  ctx.onEnd(() => document.removeEventListener('visibilitychange', seen));
  run();
  return { now: run };
}

export const empty = (title, text, ...more) =>
  h('div', { class: 'state' }, h('strong', null, title), text && h('p', null, text), more);
export const loading = (words = 'Loading…') =>
  h('div', { class: 'state', 'aria-busy': 'true' }, h('span', { class: 'spinner' }), h('span', null, words));
export const failure = (e, retry) =>
  h(
    'div',
    { class: 'state bad', role: 'alert' },
    h('strong', null, e.message),
    retry && h('button', { onclick: retry }, 'Try again'),
  );

// Shows that a place is loading, and then the result of draw() or an error.
export async function into(place, load, draw) {
  fill(place, loading());
  try {
    fill(place, draw(await load()));
  } catch (e) {
    if (e.name !== 'AbortError')
      fill(
        place,
        failure(e, () => into(place, load, draw)),
      );
  }
}

export const isLive = (o) => ['running', 'paused', 'starting'].includes(o?.state);

// What a list of pages says that is empty.
export const noPage = (o) =>
  isLive(o)
    ? 'The first pages appear here as soon as they are stored.'
    : 'The crawl has ended, and no page was stored.';
