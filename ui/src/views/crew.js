// crew.js - a crew at work: groups and their abilities, contracts, the concept lattice.
// SPDX-License-Identifier: MIT
import { h, fill } from '../dom.js';
import { get } from '../api.js';
import { alter } from '../router.js';
import { count, plural, timeNode } from '../format.js';
import { keep, empty, loading } from '../live.js';
import { groups } from '../groups.js';
import { contracts } from '../contracts.js';
import { lattice, conceptList } from '../lattice.js';

// ---- the lattice of one agent ----

const SIZES = [30, 60, 150, 500, 2000];

function lattices(ctx, place) {
  const pick = h('select', { 'aria-label': 'Agent', onchange: (e) => alter({ of: e.target.value }, true) });
  const size = h(
    'select',
    { 'aria-label': 'Concepts', onchange: (e) => alter({ n: e.target.value }, true) },
    SIZES.map((k) => h('option', { value: k }, count(k))),
  );
  const find = h('input', {
    type: 'search',
    placeholder: 'word',
    'aria-label': 'Word',
    oninput: (e) => part?.find?.(e.target.value),
  });
  const forms = h(
    'div',
    { class: 'choice', role: 'group', 'aria-label': 'As' },
    [
      ['', 'Diagram'],
      ['list', 'List'],
    ].map(([k, label]) =>
      h('button', { data: { form: k }, onclick: () => alter({ form: k || null }, true) }, label),
    ),
  );
  const note = h('p', { class: 'note', role: 'status' });
  const body = h('div', { class: 'panel grow lattice-place' });
  fill(
    place,
    h(
      'div',
      { class: 'bar' },
      h('label', { class: 'inline' }, h('span', null, 'Read by'), pick),
      forms,
      h('label', { class: 'inline' }, h('span', null, 'Largest'), size),
      find,
    ),
    note,
    body,
  );
  let part = null;
  let known = '';
  let drawn = '';

  const mine = () => ctx.params.of || pick.value;
  const amount = () => +(ctx.params.n || (innerWidth < 640 ? 30 : 60));
  const isList = () => ctx.params.form === 'list';

  function tell(got) {
    const l = got.lattice;
    fill(
      note,
      `${plural(l.objects, 'page')} read by ${got.agent}, ${got.kind}; `,
      l.total > l.concepts.length
        ? `the ${count(l.concepts.length)} concepts with most pages, of ${count(l.total)}`
        : plural(l.total, 'concept'),
      `, each of at least ${plural(l.min_extent, 'page')}`,
      got.at ? ['; as of ', timeNode(got.at)] : '',
      '. Above: few words, many pages. Below: more words, fewer pages.',
    );
  }

  function draw(got, key) {
    const before = part?.view?.();
    const same = drawn.split('\n')[0] === key.split('\n')[0];
    part?.destroy();
    part = null;
    drawn = key;
    if (!got.lattice?.concepts?.length) {
      fill(note);
      fill(
        body,
        empty('No lattice yet', 'It is drawn when this agent has read pages and judged its ability.'),
      );
      return;
    }
    tell(got);
    part = isList()
      ? conceptList(got.lattice.concepts)
      : lattice(
          got.lattice,
          same ? before : null,
          Math.max(0.6, body.clientWidth / Math.max(300, body.clientHeight - 60)),
        );
    fill(body, part.node);
    if (same && before?.focused) part.focus();
    if (find.value) part.find?.(find.value);
  }

  async function show() {
    const of = mine();
    size.value = amount();
    find.hidden = !isList();
    for (const b of forms.children)
      b.setAttribute('aria-pressed', String((b.dataset.form === 'list') === isList()));
    if (!of) {
      fill(body, empty('No agent has read anything yet'));
      return;
    }
    pick.value = of;
    const got = await get(ctx.path('lattice'), { agent: of, n: amount() });
    const key = `${of} ${isList()} ${amount()}\n${got.at}`;
    if (of === mine() && key !== drawn && !ctx.ended) draw(got, key);
  }

  return {
    async load() {
      const { groups: all } = await get(ctx.path('crew'));
      const options = (all || []).flatMap((g) => [
        [g.facilitator, 'facilitator'],
        ...(g.crawlers || []).map((a) => (a.assistant ? [a.assistant, 'assistant'] : [a.crawler, 'crawler'])),
      ]);
      const text = JSON.stringify(options);
      if (text !== known) {
        known = text;
        fill(
          pick,
          options.map(([name, kind]) => h('option', { value: name }, `${name} (${kind})`)),
        );
      }
      await show();
    },
    update: () => true,
    destroy: () => part?.destroy(),
  };
}

const PARTS = {
  groups: ['Groups', groups],
  contracts: ['Contracts', contracts],
  lattice: ['Lattice', lattices],
};

function mount(root, ctx) {
  const place = h('div', { class: 'fill stack' });
  const choice = h(
    'div',
    { class: 'choice', role: 'group', 'aria-label': 'Show' },
    Object.entries(PARTS).map(([k, [label]]) =>
      h('button', { data: { as: k }, onclick: () => alter({ as: k === 'groups' ? null : k }, true) }, label),
    ),
  );
  let part = null;
  let name = '';
  let before = ctx.params;
  fill(root, h('div', { class: 'bar' }, choice), place);
  function switchTo(next) {
    name = PARTS[next] ? next : 'groups';
    part?.destroy();
    fill(place, loading());
    for (const b of choice.children) b.setAttribute('aria-pressed', String(b.dataset.as === name));
    part = PARTS[name][1](ctx, place);
    work.now();
  }
  const work = keep(ctx, async () => part?.load(), 2000);
  switchTo(ctx.params.as || 'groups');
  ctx.onEnd(() => part?.destroy());
  return {
    update(params) {
      const old = before;
      before = params;
      if ((params.as || 'groups') !== name) switchTo(params.as || 'groups');
      else if (part?.update(params, old)) work.now();
    },
  };
}

// There is a crew where agents talk.
export default { key: 'crew', label: 'Crew', icon: 'crew', when: (o) => o.model === 'crew', mount };
