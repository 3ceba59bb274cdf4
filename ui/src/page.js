// page.js - the card of a page: the stored copy, its text, Markdown, links, visits, versions.
//
// The stored copy is not trusted. It comes with a policy that allows neither scripts nor requests,
// and is shown in a frame that does not allow them either.
// SPDX-License-Identifier: MIT
import { h, fill, icon, outLink } from './dom.js';
import { get, getText } from './api.js';
import { alter } from './router.js';
import { count, number, rank, relevance, sure, shortUrl, timeNode, words, bytes, plural } from './format.js';
import { scale } from './colour.js';
import { marks } from './mark.js';
import { into, empty } from './live.js';

const MANY = 300;

const SIDES = [
  ['copy', 'Stored copy'],
  ['text', 'Text'],
  ['markdown', 'Markdown'],
  ['out', 'Links out'],
  ['in', 'Links in'],
  ['visits', 'Visits'],
  ['versions', 'Versions'],
];

const linkTable = (links, fate) =>
  links && links.length
    ? h(
        'div',
        { class: 'scroll' },
        h(
          'table',
          { class: 'plain' },
          h(
            'thead',
            null,
            h(
              'tr',
              null,
              h('th', { class: 'num' }, 'Score'),
              h('th', null, 'Link'),
              fate && h('th', null, 'Fate'),
            ),
          ),
          h(
            'tbody',
            null,
            links
              .slice(0, MANY)
              .map((l) =>
                h(
                  'tr',
                  null,
                  h('td', { class: 'num' }, number(l.score)),
                  h(
                    'td',
                    null,
                    l.anchor && h('span', { class: 'title' }, l.anchor),
                    l.page
                      ? h(
                          'button',
                          { class: 'quiet url', onclick: () => alter({ page: l.page }) },
                          shortUrl(l.url),
                        )
                      : h('span', { class: 'url' }, shortUrl(l.url)),
                  ),
                  fate &&
                    h(
                      'td',
                      { class: 'note' },
                      l.page ? 'visited' : l.dropped ? words(l.dropped) : 'not visited',
                    ),
                ),
              ),
          ),
        ),
      )
    : h('p', { class: 'note' }, 'None are known.');

function plainText(path) {
  const place = h('div', { class: 'stored-text' });
  into(
    place,
    () => getText(path),
    (t) => h('pre', null, typeof t === 'string' ? t : t.text || ''),
  );
  return place;
}

const SHOW = {
  copy: (p, ctx) =>
    p.stored === false
      ? empty('No copy', 'This page was not archived.')
      : h('iframe', {
          class: 'stored',
          title: 'Stored copy',
          sandbox: '',
          referrerpolicy: 'no-referrer',
          src: ctx.path(`stored/${p.id}`),
        }),
  text: (p, ctx) => plainText(ctx.path(`text/${p.id}`)),
  markdown: (p, ctx) => plainText(ctx.path(`markdown/${p.id}`)),
  out: (p) => linkTable(p.links_out, true),
  in: (p) =>
    p.links_in
      ? linkTable(p.links_in, false)
      : [
          h(
            'p',
            { class: 'note' },
            'All links to it are known when the crawl has ended. The first one is on this page:',
          ),
          p.via
            ? h(
                'button',
                { class: 'quiet', onclick: () => alter({ page: p.via.page }) },
                p.via.title || shortUrl(p.via.url),
              )
            : h('p', null, 'none: it was a place to start.'),
        ],
  visits: (p) =>
    p.visits && p.visits.length
      ? h(
          'div',
          { class: 'scroll' },
          h(
            'table',
            { class: 'plain' },
            h(
              'thead',
              null,
              h(
                'tr',
                null,
                ['When', 'Agent', 'Energy before', 'Change', 'After'].map((t, i) =>
                  h('th', { class: i > 1 ? 'num' : '' }, t),
                ),
              ),
            ),
            h(
              'tbody',
              null,
              p.visits
                .slice(0, MANY)
                .map((v) =>
                  h(
                    'tr',
                    null,
                    h('td', null, timeNode(v.at)),
                    h(
                      'td',
                      null,
                      h(
                        'button',
                        { class: 'quiet', onclick: () => alter({ agent: v.agent, page: null, side: null }) },
                        v.agent_name || `#${v.agent}`,
                      ),
                    ),
                    h('td', { class: 'num' }, number(v.before)),
                    h('td', { class: 'num' }, `${v.delta > 0 ? '+' : ''}${number(v.delta)}`),
                    h('td', { class: 'num' }, number(v.after)),
                  ),
                ),
            ),
          ),
        )
      : h('p', { class: 'note' }, 'No agent was here.'),
  versions: (p) =>
    p.versions && p.versions.length
      ? h(
          'ol',
          { class: 'page-list' },
          p.versions.map((v) =>
            h(
              'li',
              null,
              h('button', { class: 'quiet', onclick: () => alter({ page: v.page }) }, timeNode(v.fetched_at)),
              h('span', { class: 'note' }, ` relevance ${relevance(v.relevance)}`),
            ),
          ),
        )
      : h('p', { class: 'note' }, 'Only this one.'),
};

const amount = {
  out: (p) => p.links_out?.length,
  in: (p) => p.links_in?.length,
  visits: (p) => p.visits?.length,
  versions: (p) => p.versions?.length,
};

export function pageCard(window, ctx, id) {
  let page = null;
  // Copies stay on the machine that made them: over the bus, the first part is the text.
  const far = Boolean(ctx.overview.value?.far);
  const sides = far ? SIDES.filter(([key]) => key !== 'copy') : SIDES;
  const first = sides[0][0];
  let side = ctx.params.side || first;
  const place = h('div', { class: 'side', role: 'tabpanel' });
  const tabs = h('div', { class: 'choice', role: 'tablist', 'aria-label': 'Parts of the page' });

  function show(next) {
    side = sides.some(([key]) => key === next) ? next : first;
    for (const t of tabs.children) {
      t.setAttribute('aria-selected', String(t.dataset.side === side));
      t.tabIndex = t.dataset.side === side ? 0 : -1;
    }
    fill(place, SHOW[side](page, ctx));
  }

  tabs.addEventListener('keydown', (e) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
    if (!step) return;
    const all = [...tabs.children];
    const to = all[(all.indexOf(document.activeElement) + step + all.length) % all.length];
    to.focus();
    to.click();
  });

  const markPlace = h('span');
  const drawMarks = () =>
    fill(
      markPlace,
      !far &&
        marks(ctx.id, page.url, page.label, (label) => {
          page.label = label;
          drawMarks();
          ctx.changed.set(ctx.changed.value + 1);
        }),
    );

  function draw(p) {
    page = p;
    window.heading.textContent = p.title || shortUrl(p.url);
    window.heading.title = p.title || '';
    fill(
      tabs,
      sides.map(([key, label]) => {
        const n = amount[key]?.(p);
        return h(
          'button',
          {
            role: 'tab',
            data: { side: key },
            onclick: () => alter({ side: key === first ? null : key }, true),
          },
          label,
          n ? h('small', null, ` ${count(n)}`) : '',
        );
      }),
    );
    drawMarks();
    const node = [
      h('p', { class: 'address' }, outLink(p.url, { class: 'url' }, p.url, ' ', icon('out'))),
      h(
        'div',
        { class: 'row between' },
        h(
          'div',
          { class: 'chips' },
          h(
            'b',
            {
              class: 'rel-chip',
              title: `how sure brood is that it is about the topic; relevance ${relevance(p.relevance)}`,
            },
            h('i', { style: { background: scale(rank(p)) } }),
            `${sure(p)} of 100`,
          ),
          (p.topics || []).map((t) =>
            h('span', { class: 'note', data: { topic: t.topic } }, `${t.topic}: ${t.sure}`),
          ),
          h(
            'span',
            { class: 'note' },
            `status ${p.status}, depth ${p.depth ?? '–'}${p.bytes ? `, ${bytes(p.bytes)}` : ''}`,
          ),
          p.seed && h('em', { class: 'tag' }, 'seed'),
          p.agent
            ? h(
                'button',
                { class: 'quiet', onclick: () => alter({ agent: p.agent, page: null, side: null }) },
                `found by ${p.agent_name || '#' + p.agent}`,
              )
            : '',
          h('span', { class: 'note' }, timeNode(p.fetched_at)),
        ),
        markPlace,
      ),
      tabs,
      place,
    ];
    setTimeout(() => show(side), 0);
    return node;
  }

  into(window.body, () => get(ctx.path(`page/${id}`)), draw);
  return {
    update: (next) => {
      if (page && (next || first) !== side) show(next || first);
    },
  };
}
