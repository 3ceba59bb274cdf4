// manual.js - pages of docs/models in a window: descriptions of the models.
//
// They are our own texts, built in by build.mjs; all the same they become elements one by
// one, never markup. It supports as much of Markdown as those pages use.
// SPDX-License-Identifier: MIT
import texts from 'brood:models';
import { h, outLink } from './dom.js';
import { dialog } from './dialog.js';

export const hasManual = (model) => model in texts;

// `code`, **strong**, *stressed*, [words](where).
const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|!?\[([^\]]*)\]\(([^)]*)\)/g;

function inline(text) {
  const parts = [];
  let at = 0;
  for (const m of text.matchAll(INLINE)) {
    parts.push(text.slice(at, m.index));
    if (m[1]) parts.push(h('code', null, m[1]));
    else if (m[2]) parts.push(h('strong', null, m[2]));
    else if (m[3]) parts.push(h('em', null, m[3]));
    else if (!m[0].startsWith('!')) parts.push(outLink(m[5], null, m[4]));
    at = m.index + m[0].length;
  }
  return [...parts, text.slice(at)];
}

const cells = (line) =>
  line
    .replace(/^\||\|\s*$/g, '')
    .split(/(?<!\\)\|/)
    .map((c) => inline(c.trim().replaceAll('\\|', '|')));

function table(lines) {
  const [head, , ...rows] = lines.map(cells);
  const row = (tag, line) =>
    h(
      'tr',
      null,
      line.map((c) => h(tag, null, c)),
    );
  return h(
    'div',
    { class: 'scroll' },
    h(
      'table',
      { class: 'plain' },
      h('thead', null, row('th', head)),
      h(
        'tbody',
        null,
        rows.map((r) => row('td', r)),
      ),
    ),
  );
}

// The kinds of blocks; the first that matches is used. Each makes one node of all lines that it
// takes.
const BLOCKS = [
  [/^#+ /, null, ([line]) => h(/^# /.test(line) ? 'h2' : 'h3', null, inline(line.replace(/^#+ /, '')))],
  [
    /^ {4}/,
    /^( {4}|$)/,
    (lines) =>
      h(
        'pre',
        null,
        lines
          .map((l) => l.slice(4))
          .join('\n')
          .trimEnd(),
      ),
  ],
  [/^\|/, /^\|/, table],
  [/^(- |\d+\. )/, /^(- |\d+\. | {2})/, list],
  [/./, /^(?!#|\||- |\d+\. |$)/, (lines) => h('p', null, inline(lines.join(' ')))],
];

function list(lines) {
  const items = [];
  for (const line of lines) {
    if (/^ /.test(line)) items.push(`${items.pop()} ${line.trim()}`);
    else items.push(line.replace(/^(- |\d+\. )/, ''));
  }
  return h(
    /^-/.test(lines[0]) ? 'ul' : 'ol',
    null,
    items.map((i) => h('li', null, inline(i))),
  );
}

function blocks(text) {
  const lines = text.split('\n');
  const nodes = [];
  for (let i = 0; i < lines.length;) {
    const block = BLOCKS.find(([begin]) => begin.test(lines[i]));
    if (!block) {
      i++;
      continue;
    }
    const [, more, make] = block;
    let end = i + 1;
    while (more && end < lines.length && more.test(lines[end])) end++;
    nodes.push(make(lines.slice(i, end)));
    i = end;
  }
  return nodes;
}

export function showManual(model) {
  const window_ = dialog({ title: `The model ${model}`, kind: 'whole' });
  window_.body.append(h('article', { class: 'manual' }, blocks(texts[model].replace(/^# .*\n/, ''))));
}
