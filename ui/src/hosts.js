// hosts.js - the hosts of the map as a list: the meaning of the discs in words and numbers.
// SPDX-License-Identifier: MIT
import { act, h, fill } from './dom.js';
import { count, relevance } from './format.js';
import { scale } from './colour.js';

// hostList(open, point): rows are set by set(hosts, relevance at the end of the scale).
export function hostList(open, point) {
  const body = h('tbody');
  const node = h(
    'div',
    { class: 'host-list panel scroll' },
    h(
      'table',
      { class: 'plain' },
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          h('th', null, 'Host'),
          h('th', { class: 'num' }, 'Pages'),
          h('th', { class: 'num' }, 'Rel.'),
          h('th', { class: 'num' }, 'Waiting'),
        ),
      ),
      body,
    ),
  );
  return {
    node,
    set(hosts, top) {
      fill(
        body,
        hosts.map((x) =>
          h(
            'tr',
            { onmouseenter: () => point(x.name), onmouseleave: () => point(null) },
            h(
              'td',
              null,
              act(() => open(x.name), { title: x.name }, x.name),
            ),
            h('td', { class: 'num' }, count(x.pages)),
            h(
              'td',
              { class: 'num' },
              h('i', {
                class: 'dot',
                style: { background: scale(Math.sqrt(Math.max(0, x.relevance || 0) / top)) },
              }),
              relevance(x.relevance),
            ),
            h('td', { class: 'num' }, x.waiting === null ? '–' : count(x.waiting)),
          ),
        ),
      );
    },
  };
}
