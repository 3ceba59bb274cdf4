// timeline.js - the number of announcements by time: a bar for each slice, first versions below,
// changed ones above them and hatched. SPDX-License-Identifier: MIT
import { h, fill, say } from './dom.js';
import { count, plural, duration } from './format.js';

const STEPS = { 60: 'minute', 3600: 'hour', 86400: 'day', 604800: 'week' };
const bar = (step) =>
  STEPS[step] ? `a bar is ${/^h/.test(STEPS[step]) ? 'an' : 'a'} ${STEPS[step]}` : `a bar is ${slice(step)}`;
const slice = (step) =>
  step < 86400
    ? duration(step)
        .replace(/( 0+ (s|min)|\.0)/, '')
        .trim()
    : plural(step / 86400, 'day');

// The time of a bar, as exact as its step.
function stamp(at, step, whole) {
  const text = new Date(at * 1000).toISOString();
  if (step >= 86400) return text.slice(0, 10);
  const time = text.slice(11, step < 60 ? 19 : 16);
  return whole ? `${text.slice(0, 10)} ${time}` : time;
}

const said = (fresh, changed) =>
  changed ? `${count(fresh)} new, ${count(changed)} changed` : `${count(fresh)} new`;

function column(t, i, most) {
  const title = `${stamp(t.at[i], t.step, true)} UTC: ${said(t.new[i], t.changed[i])}`;
  const part = (kind, n) => n > 0 && h('i', { class: kind, style: { height: `${(100 * n) / most}%` } });
  return h('span', { title }, part('changed', t.changed[i]), part('new', t.new[i]));
}

export function timeline() {
  const plot = h('div', { class: 'timeline', role: 'img' });
  const axis = h('div', { class: 'histogram-axis', 'aria-hidden': 'true' });
  const top = h('span', { class: 'timeline-top', 'aria-hidden': 'true' });
  const note = h('span', { class: 'note' });
  const node = h(
    'figure',
    { class: 'chart panel' },
    h(
      'figcaption',
      null,
      h('span', { class: 'chart-title' }, 'New documents by time'),
      h(
        'span',
        { class: 'kinds' },
        h('span', { class: 'kind new' }, 'new'),
        h('span', { class: 'kind changed' }, 'changed'),
        note,
      ),
    ),
    h('div', { class: 'timeline-frame' }, top, plot),
    axis,
  );
  let shown = '';
  return {
    node,
    set(t) {
      const text = JSON.stringify(t);
      if (text === shown) return;
      shown = text;
      const sums = t.at.map((_, i) => t.new[i] + t.changed[i]);
      const most = Math.max(1, ...sums);
      const last = t.at.length - 1;
      fill(
        plot,
        t.at.map((_, i) => column(t, i, most)),
      );
      say(top, count(most));
      say(note, last >= 0 ? bar(t.step) : '');
      fill(
        axis,
        last >= 0 && [
          h('span', null, stamp(t.at[0], t.step, true)),
          last > 3 && h('span', null, stamp(t.at[last >> 1], t.step, false)),
          last > 0 && h('span', null, `${stamp(t.at[last], t.step, false)} UTC`),
        ],
      );
      plot.setAttribute(
        'aria-label',
        `${said(t.total.new, t.total.changed)}; ${bar(t.step)}, the highest has ${count(most)}`,
      );
    },
  };
}
