// figures.js - a row of large numbers with small print.
//
//   figures([[label or label(o), value(o), small(o), key, title]]).set(o)      key: for tests
//
// A value of null hides its figure: not every model has all of them. SPDX-License-Identifier: MIT
import { h, say } from './dom.js';

export function figures(list) {
  const cells = list.map(([label, value, small, key, title]) => {
    const v = h('dd', { data: { figure: key } });
    const s = h('dd', { class: 'small' });
    const t = h('dt', null, typeof label === 'string' ? label : '');
    return { t, v, s, label, value, small, node: h('div', { class: 'figure', title }, t, v, s) };
  });
  return {
    node: h(
      'dl',
      { class: 'figures' },
      cells.map((c) => c.node),
    ),
    set(o) {
      cells.forEach((c) => {
        const value = c.value(o);
        c.node.hidden = value === null;
        if (value === null) return;
        if (typeof c.label !== 'string') say(c.t, c.label(o));
        say(c.v, value);
        say(c.s, c.small(o));
      });
    },
  };
}
