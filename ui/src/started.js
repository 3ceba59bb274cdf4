// started.js - crawls started from this page: those without data yet, the contents of the form, and
// those that failed to start. SPDX-License-Identifier: MIT
import { h, icon } from './dom.js';
import { go } from './router.js';

// id -> the file where they write what went wrong.
export const started = new Map();

// The contents of the form when it was last sent: {field: typed}; null: begin with an empty one.
export const draft = { values: null };

// Is it a row of the list without a crawl, because the child ended before it made one?
export const cameToNothing = (row) => Boolean(row) && row.state === 'dead' && row.pages === undefined;

// Why, and what to do.
export const nothing = (row) =>
  h(
    'div',
    { class: 'panel failed-start', role: 'alert' },
    h('h2', null, 'This crawl did not begin'),
    h('p', null, 'It ended before its first page, and nothing was stored. It said:'),
    h('pre', { class: 'said' }, (row.trouble || 'nothing').replace(/^the crawl came to nothing: /, '')),
    h(
      'p',
      null,
      'Change what it names and start it again',
      draft.values ? ': the form is as you left it.' : '.',
      h('span', { class: 'note' }, ` (Its words are also in ${row.dir}.log.)`),
    ),
    h(
      'div',
      { class: 'row' },
      h(
        'button',
        { class: 'main', onclick: () => go({ id: '', view: 'new', params: {} }) },
        icon('plus'),
        draft.values ? 'Change it and start again' : 'New crawl',
      ),
    ),
  );
