// tree.js - the family tree: as a picture of lives, or as a list that opens; and one agent in it
// is found by name or number. SPDX-License-Identifier: MIT
import { h, fill, say, onEnter } from '../dom.js';
import { get } from '../api.js';
import { alter } from '../router.js';
import { count, number, instant, shortUrl, plural } from '../format.js';
import { lives, energyColour, energyTop, grow, ancestors } from '../lives.js';
import { scaleKey } from '../chart.js';
import { theme } from '../colour.js';
import { outline } from '../outline.js';
import { keep, empty, loading } from '../live.js';

// ---- the list ----

const list = (ctx, most) =>
  outline({
    label: 'Family tree',
    open: (a) => alter({ agent: a.id }),
    classes: (a) => (a.died_at ? 'dead' : ''),
    head: ['Agent', 'Energy', 'Pages', 'State', 'Best page'],
    key: (a) => `${theme.value} ${most()} ${a.energy} ${a.pages} ${a.died_at} ${a.best?.relevance}`,
    load: async (node, n) => {
      const got = await get(ctx.path('tree'), { root: node?.id, depth: node ? 1 : 3, n });
      return { nodes: got.children, more: got.more };
    },
    row: (a) => [
      h(
        'span',
        { class: 'name' },
        h('i', {
          class: 'dot',
          style: { background: a.died_at ? 'transparent' : energyColour(a.energy, most()) },
        }),
        a.name || `#${a.id}`,
      ),
      h('span', { class: 'cell num' }, number(a.energy)),
      h('span', { class: 'cell num' }, count(a.pages)),
      h('span', { class: 'cell wide-only' }, a.died_at ? a.death || 'dead' : 'alive'),
      h(
        'span',
        { class: 'cell best wide-only' },
        a.best ? `${number(a.best.relevance)} ${a.best.title || shortUrl(a.best.url)}` : '',
      ),
    ],
  });

// ---- one agent ----

// By number, by name, by the beginning of a name.
function lookFor(forest, text) {
  const asked = text.trim().toLowerCase().replace(/^#/, '');
  if (!asked) return null;
  const byNumber = /^\d+$/.test(asked) ? forest.byId.get(+asked) : null;
  return (
    byNumber ||
    forest.all.find((a) => a.name.toLowerCase() === asked) ||
    forest.all.find((a) => a.name.toLowerCase().startsWith(asked)) ||
    null
  );
}

function mount(root, ctx) {
  let shown = null;
  let mode = '';
  let forest = grow([]);
  let most = 1;
  let fresh = true; // not shown yet
  const note = h('p', { class: 'note', role: 'status' });
  const key = h('span');
  const place = h('div', { class: 'fill' });
  const choice = h(
    'div',
    { class: 'choice', role: 'group', 'aria-label': 'Show as' },
    ['picture', 'list'].map((m) =>
      h(
        'button',
        { data: { as: m }, onclick: () => alter({ as: m === 'picture' ? null : m }, true) },
        m === 'picture' ? 'Picture' : 'List',
      ),
    ),
  );
  const living = h('input', { type: 'checkbox', onchange: (e) => shown?.living?.(e.target.checked) });
  const fold = (close, text) =>
    h('button', { onclick: () => (mode === 'list' ? shown.all(!close) : shown.foldAll(close)) }, text);
  const find = h('input', {
    type: 'search',
    class: 'find',
    placeholder: 'Find by name or number',
    'aria-label': 'Find an agent',
    oninput: () => showFound(),
    onkeydown: onEnter(() => {
      const one = lookFor(forest, find.value);
      if (one) alter({ agent: one.id });
    }),
  });
  const onlyPicture = h('label', { class: 'inline' }, living, h('span', null, 'only lines that live'));
  fill(
    root,
    h(
      'div',
      { class: 'bar' },
      choice,
      find,
      onlyPicture,
      h('div', { class: 'choice wide-only' }, fold(true, 'Fold all'), fold(false, 'Unfold all')),
      key,
      note,
    ),
    place,
  );

  function showFound() {
    const one = lookFor(forest, find.value);
    find.setAttribute('aria-invalid', String(Boolean(find.value.trim()) && !one));
    if (mode === 'list') {
      if (one) {
        const among = (a) => (a.parent ? a.parent.kids : forest.roots).indexOf(a);
        shown.reveal(ancestors(one).map((a) => ({ id: a.id, at: among(a) })));
      }
    } else shown.show(one);
    sayAll();
  }

  function sayAll() {
    const all = forest.all.length;
    const alive = forest.all.reduce((n, a) => n + (a.died ? 0 : 1), 0);
    const one = lookFor(forest, find.value);
    say(
      note,
      find.value.trim()
        ? one
          ? `${one.name}, agent ${one.id}: Enter opens the card`
          : 'no agent has this name or number'
        : `${plural(all, 'life', 'lives')}, ${count(alive)} alive`,
    );
  }

  function switchTo(next) {
    mode = next;
    shown?.destroy();
    for (const b of choice.children) b.setAttribute('aria-pressed', String(b.dataset.as === mode));
    onlyPicture.hidden = mode === 'list';
    living.checked = false;
    shown =
      mode === 'list'
        ? list(ctx, () => most)
        : lives({
            open: (id) => alter({ agent: id }),
            now: () => {
              const o = ctx.overview.value;
              return o && ['running', 'paused'].includes(o.state) ? instant(o.commit_at) : null;
            },
          });
    fill(place, loading());
    fresh = true;
    work.now();
  }

  // Loads all agents, for the picture, the search and the counts.
  async function loadLives(view) {
    const got = await get(ctx.path('lives'));
    if (view !== shown || ctx.ended) return;
    if (got.rows.length === 0) {
      fill(place, empty('No agent was born yet', 'The first agents appear with the first pages.'));
      return;
    }
    if (mode === 'list') {
      forest = grow(got.rows);
      most = energyTop(forest.all);
      view.repaint();
    } else {
      if (!view.node.isConnected) fill(place, view.node);
      view.set(got.rows);
      forest = view.forest;
      most = view.most;
    }
    fill(key, scaleKey('energy 0', number(most), h('span', { class: 'dead-key' }, 'dead')));
    sayAll();
    if (fresh && find.value) showFound();
    fresh = false;
  }

  async function load() {
    if (!shown) return;
    const view = shown;
    if (mode === 'list') {
      await view.refresh();
      if (view !== shown || ctx.ended) return;
      if (!view.isEmpty && !view.node.isConnected) {
        fill(place, view.node);
        view.unfold(2);
      }
    }
    await loadLives(view);
  }

  const work = keep(ctx, load, 2500);
  switchTo(ctx.params.as || 'picture');
  ctx.onEnd(() => shown?.destroy());
  return {
    update: (params) => {
      if ((params.as || 'picture') !== mode) switchTo(params.as || 'picture');
    },
  };
}

export default {
  key: 'tree',
  label: 'Family tree',
  icon: 'tree',
  when: (o) => (o.agents?.born ?? o.born) > 1,
  mount,
};
