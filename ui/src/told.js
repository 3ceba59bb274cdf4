// told.js - the model's description of an agent: words with their weights, facts, places.
// SPDX-License-Identifier: MIT
import { h, webAddress, outLink } from './dom.js';
import { number, shortUrl, timeNode } from './format.js';
import { signedBars } from './chart.js';

const value = (v) => {
  if (typeof v === 'number') return number(v);
  return webAddress(v) ? outLink(v, { title: v }, shortUrl(v)) : String(v);
};

const sentence = (text) => (text ? `${text[0].toUpperCase()}${text.slice(1)}.` : '');

const when = (a) => {
  if (a.told_live) return 'As the crawl knows it now.';
  return h('span', null, a.died_at ? 'As it died, ' : 'As of ', timeNode(a.told_at), '.');
};

const words = (t) => [
  h('h3', null, 'Its words'),
  h('p', { class: 'note' }, 'Bars: ', t.weights || 'the weight of the word', '.'),
  signedBars(t.keywords.map((k) => ({ label: k.word, n: k.weight }))),
];

const places = (t) => [
  h('h3', null, 'Its places'),
  h('p', { class: 'note' }, sentence(t.values)),
  h(
    'dl',
    { class: 'facts told-places' },
    t.places.map((p) => [h('dt', null, number(p.value)), h('dd', null, value(p.url))]),
  ),
];

const facts = (t) => [
  h('h3', null, 'Its nature'),
  h(
    'dl',
    { class: 'facts' },
    t.facts.map((f) => [h('dt', null, f.label), h('dd', null, value(f.value))]),
  ),
];

// Returns nothing if the model gives no description.
export function told(a) {
  const t = a.told;
  if (!t) return null;
  return [
    t.keywords?.length > 0 && words(t),
    t.facts?.length > 0 && facts(t),
    t.places?.length > 0 && places(t),
    h('p', { class: 'note told-when' }, when(a)),
  ];
}
