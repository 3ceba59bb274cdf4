// home.js - all crawls in a table, and what their states are called.
// SPDX-License-Identifier: MIT
import { h, icon } from './dom.js';
import { address } from './router.js';
import { count, crawlName, percent, timeNode } from './format.js';

export const STATES = {
  starting: ['wait', 'starting'],
  running: ['run', 'running'],
  paused: ['pause', 'paused'],
  finished: ['done', 'finished'],
  dead: ['dead', 'stopped without an end'],
};

export const homeTable = (list) => [
  h('h1', null, 'Crawls'),
  h(
    'div',
    { class: 'panel scroll' },
    h(
      'table',
      { class: 'plain' },
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          ['Crawl', 'Model', 'State', 'Begun', 'Pages', 'Relevant'].map((t, i) =>
            h('th', { class: i > 3 ? 'num' : '' }, t),
          ),
        ),
      ),
      h(
        'tbody',
        null,
        list.map((c) =>
          h(
            'tr',
            null,
            h(
              'td',
              null,
              h('a', { href: address({ id: c.id, view: 'overview' }), title: c.dir }, crawlName(c)),
              c.topic && crawlName(c) === c.name && h('p', { class: 'note' }, c.topic),
            ),
            h('td', null, c.model || '–'),
            h(
              'td',
              null,
              h(
                'span',
                { class: `chip ${c.state}` },
                icon((STATES[c.state] || ['wait'])[0]),
                (STATES[c.state] || [0, c.state])[1],
              ),
              c.trouble && h('p', { class: 'note' }, c.trouble),
            ),
            h('td', { class: 'nowrap' }, timeNode(c.started_at)),
            h('td', { class: 'num' }, count(c.pages)),
            h('td', { class: 'num' }, c.pages ? percent(c.relevant / c.pages) : '–'),
          ),
        ),
      ),
    ),
  ),
];
