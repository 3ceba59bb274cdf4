// mark.js - two buttons: "this page is on the topic", "it is not". SPDX-License-Identifier: MIT
import { h } from './dom.js';
import { post, crawlPath, canChange } from './api.js';
import { toast } from './dialog.js';

// label: "relevant", "irrelevant", or nothing; done(label) gets the new one.
export function marks(id, url, label, done) {
  const button = (value, shape, words) => {
    const on = label === value;
    return h(
      'button',
      {
        class: `mark ${value}`,
        'aria-pressed': String(on),
        'aria-label': words,
        title: on ? `Marked: ${words}. Click to take it back` : `Mark as ${words}`,
        disabled: !canChange.value,
        onclick: async (e) => {
          e.stopPropagation();
          const next = on ? null : value;
          try {
            await post(crawlPath(id, 'mark'), { url, relevant: next === null ? null : next === 'relevant' });
            done(next);
          } catch (problem) {
            toast(problem.message, true);
          }
        },
      },
      shape,
    );
  };
  return h(
    'span',
    { class: 'marks' },
    button('relevant', '✓', 'relevant'),
    button('irrelevant', '✕', 'not relevant'),
  );
}
