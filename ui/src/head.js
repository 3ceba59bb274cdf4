// head.js - the head of a crawl: topic, model, state, progress, and its actions.
// SPDX-License-Identifier: MIT
import { h, fill, icon, say } from './dom.js';
import { count, crawlName, duration, bytes, percent, plural, topicTitle } from './format.js';
import { post, crawlPath, canChange } from './api.js';
import { ask, toast } from './dialog.js';

let shown = null; // {id, state, update()}

export function head(place, o, states) {
  now = o;
  if (
    !shown ||
    shown.id !== o.id ||
    shown.state !== o.state ||
    shown.can !== canChange.value ||
    !place.firstChild
  ) {
    shown = { id: o.id, state: o.state, can: canChange.value, ...make(o, states) };
    fill(place, shown.node);
  }
  shown.update(o);
}

async function command(o, name, body, done) {
  try {
    await post(crawlPath(o.id, name), body);
    if (done) toast(done);
  } catch (e) {
    toast(e.message, true);
  }
}

const LIMITS = [
  { name: 'pages', label: 'Pages', help: 'stop after so many', mode: 'numeric' },
  { name: 'for', label: 'Time', help: 'such as 10m or 2h' },
  { name: 'bytes', label: 'Bytes', help: 'such as 500M or 2Gi' },
];

let now = {}; // as it was last seen

function changeLimits(o) {
  ask({
    title: 'Limits',
    text: 'What is left empty stays as it is.',
    button: 'Change',
    fields: LIMITS.map((f) => ({ ...f, value: f.name === 'pages' ? o.pages_limit || '' : '' })),
    send: async (values) => {
      const body = {};
      if (/^\d+$/.test(values.pages) && +values.pages > 0 && +values.pages <= now.pages)
        throw Object.assign(
          new Error(`It has ${plural(now.pages, 'page')} already: this would end it. Stop does that.`),
          { field: 'pages' },
        );
      for (const [k, v] of Object.entries(values))
        if (v !== '') body[k] = k === 'pages' && /^\d+$/.test(v) ? +v : v;
      await post(crawlPath(o.id, 'limits'), body);
      toast('Limits changed.');
    },
  });
}

function addSeeds(o) {
  ask({
    title: 'Add seeds',
    button: 'Add',
    fields: [{ name: 'seeds', label: 'Addresses, one a line', kind: 'area', placeholder: 'https://…' }],
    send: async ({ seeds }) => {
      const urls = seeds
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean);
      if (urls.length === 0) throw Object.assign(new Error('Give at least one address.'), { field: 'seeds' });
      const { taken } = await post(crawlPath(o.id, 'seeds'), { urls });
      toast(taken ? `${plural(taken, 'seed')} added.` : 'It knows these already: nothing was added.');
    },
  });
}

function goOn(o) {
  const more = now.pages_limit > now.pages ? now.pages_limit : now.pages + (now.pages_limit || 1000);
  ask({
    title: o.kind === 'watch' ? 'Go on with this watch?' : 'Go on with this crawl?',
    button: 'Go on',
    text: 'It begins where it ended, with the options it had.',
    fields:
      o.kind === 'watch'
        ? []
        : [
            {
              name: 'pages',
              label: 'Pages',
              help: `stop at so many, those it has (${count(now.pages)}) among them; 0: no limit`,
              mode: 'numeric',
              value: more,
            },
          ],
    send: async ({ pages = '' }) => {
      const wrong = (text) => Object.assign(new Error(text), { field: 'pages' });
      if (o.kind !== 'watch' && !/^\d+$/.test(pages)) throw wrong('Write a whole number.');
      if (+pages > 0 && +pages <= now.pages) throw wrong(`It has ${plural(now.pages, 'page')} already.`);
      await post(crawlPath(o.id, 'resume'), o.kind === 'watch' ? {} : { pages: +pages });
      toast('It goes on.');
    },
  });
}

function stop(o) {
  ask({
    title: 'Stop this crawl?',
    danger: true,
    button: 'Stop',
    text: o.far
      ? 'It ends on all nodes: each keeps what it has fetched.'
      : 'It ends in order: all it has fetched is kept, and it can go on from there.',
    fields: [],
    send: () => post(crawlPath(o.id, 'stop')),
  });
}

function buttons(o) {
  const button = (name, shape, label, run) =>
    h(
      'button',
      {
        data: { do: name },
        disabled: !canChange.value,
        onclick: run,
        title: canChange.value ? label : 'Open the address that brood printed to do this',
      },
      icon(shape),
      h('span', null, label),
    );
  const live = ['running', 'paused', 'starting'].includes(o.state);
  // A world, which nothing crawled, has no model.
  if (!live) return o.model && !o.far ? [button('resume', 'run', 'Go on', () => goOn(o))] : [];
  return [
    o.state === 'paused'
      ? button('continue', 'run', 'Continue', () => command(o, 'continue'))
      : button('pause', 'pause', 'Pause', () => command(o, 'pause')),
    !o.far && button('limits', 'wait', 'Limits', () => changeLimits(o)),
    !o.far && button('seeds', 'plus', 'Seeds', () => addSeeds(o)),
    button('stop', 'stop', 'Stop', () => stop(o)),
  ];
}

function make(o, states) {
  const [shape, words] = states[o.state] || ['wait', o.state];
  const meter = h(
    'div',
    {
      class: 'meter',
      role: 'progressbar',
      'aria-label': 'Progress',
      'aria-valuemin': 0,
      'aria-valuemax': 100,
    },
    h('i'),
  );
  const line = h('p', { class: 'head-line' });
  const trouble = h('p', { class: 'trouble', role: 'alert', hidden: true });
  const node = h(
    'header',
    { class: 'head' },
    h(
      'div',
      { class: 'head-words' },
      h('h1', { title: o.topic }, topicTitle(o.topic) || o.name || 'Crawl'),
      h(
        'div',
        { class: 'chips' },
        h('span', { class: `chip ${o.state}`, data: { state: o.state } }, icon(shape), words),
        o.model && h('span', { class: 'chip' }, o.model),
        o.far && h('span', { class: 'chip' }, icon('map'), plural(o.nodes.length, 'node')),
        o.kind === 'watch' && h('span', { class: 'chip' }, icon('watch'), 'watch'),
        crawlName(o) === o.name && h('span', { class: 'note dir', title: o.dir }, o.name),
      ),
    ),
    h('div', { class: 'head-buttons' }, buttons(o)),
    meter,
    line,
    trouble,
  );
  return { node, update: (now) => update(now, { meter, line, trouble }) };
}

function update(o, { meter, line, trouble }) {
  const part = o.pages_limit > 0 ? Math.min(1, o.pages / o.pages_limit) : null;
  const live = ['running', 'paused', 'starting'].includes(o.state);
  meter.hidden = part === null || !live;
  meter.firstChild.style.width = `${100 * (part || 0)}%`;
  meter.setAttribute('aria-valuenow', Math.round(100 * (part || 0)));
  const left = o.left > 0 && o.state === 'running' ? `, about ${duration(o.left)} left` : '';
  say(
    line,
    `${count(o.pages)}${o.pages_limit > 0 ? ` of ${count(o.pages_limit)}` : ''} pages` +
      `${o.pages ? `, ${percent(o.relevant / o.pages)} relevant` : ''}, ${plural(o.hosts, 'host')}, ${bytes(o.received ?? o.bytes)}, ${duration(o.seconds)}${left}${!live && o.end ? `; ${o.end}` : ''}`,
  );
  trouble.hidden = !o.trouble;
  say(trouble, o.trouble || '');
}
