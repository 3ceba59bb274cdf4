// start_fields.js - the fields of the form for a new crawl: the server's names (docs/api.md), and
// words for people. SPDX-License-Identifier: MIT

const TIMES = [
  ['s', 'seconds'],
  ['m', 'minutes'],
  ['h', 'hours'],
  ['d', 'days'],
];
const SIZES = [
  ['M', 'megabytes'],
  ['G', 'gigabytes'],
];

export const WORDS = {
  name: 'topic',
  label: 'Topic',
  help: 'words, best those that good pages have in common',
};
export const FILE = {
  name: 'topic_file',
  label: 'Topic file',
  placeholder: '/home/me/solar.topic',
  help: 'its path on the machine where brood serve runs: weights, phrases, examples (docs/topic.md)',
};
export const SEEDS = {
  name: 'seeds',
  label: 'Places to start',
  kind: 'area',
  placeholder: 'https://example.org/reefs/\nhttps://example.net/',
  help: 'one address a line: pages, feeds or sitemaps that are near the topic, or the name of a host',
};
export const SEARCH = [
  {
    name: 'search',
    label: 'Search engine',
    placeholder: 'https://search.example/search?q={}&format=json',
    help: 'start at its results too, or only there; {} stands for the topic (SearXNG and others)',
  },
  {
    name: 'search_queries',
    label: 'Queries',
    mode: 'numeric',
    placeholder: '3',
    help: 'the first has the words of the topic, each other one also a learned word',
  },
  {
    name: 'search_hits',
    label: 'Results of each query',
    mode: 'numeric',
    placeholder: '30',
    help: 'so many are taken',
  },
];

export const LIMITS = [
  {
    name: 'limits.pages',
    label: 'Pages',
    mode: 'numeric',
    value: '1000',
    help: 'stop after so many; 0: no limit',
  },
  {
    name: 'limits.for',
    label: 'Time',
    kind: 'amount',
    units: TIMES,
    unit: 'm',
    help: 'stop then; empty: no limit',
  },
  {
    name: 'limits.bytes',
    label: 'Data',
    kind: 'amount',
    units: SIZES,
    unit: 'M',
    help: 'stop after downloading so much; empty: no limit',
  },
];

export const MANNERS = [
  {
    name: 'contact',
    label: 'Contact',
    placeholder: 'you@example.org',
    help: 'mail or web address that site owners see; needed on the public web',
  },
  {
    name: 'delay',
    label: 'Pause between two visits of a host',
    kind: 'amount',
    units: [['ms', 'milliseconds'], ...TIMES.slice(0, 2)],
    unit: 's',
    placeholder: '1',
    help: 'longer where the host wishes it',
  },
  {
    name: 'scope',
    label: 'Scope',
    kind: 'area',
    rows: 2,
    help: 'same-host, same-site, or a pattern such as *.example.org/docs/*, one a line; empty: the whole web',
  },
];

export const NETWORK = [
  {
    name: 'allow_private',
    label: 'Private addresses too',
    kind: 'flag',
    help: 'visit machines of this network; without it, only the public web',
  },
  {
    name: 'resolve',
    label: 'Where names lead',
    placeholder: '*:80:127.0.0.1:8080',
    help: 'HOST:PORT:ADDR[/BITS][:PORT], for tests',
  },
];

export const WATCH = [
  {
    name: 'max_age',
    label: 'News is not older than',
    kind: 'amount',
    units: TIMES.slice(1),
    unit: 'd',
    placeholder: '1',
    help: 'by the date of a document; 0: any age',
  },
  {
    name: 'changes',
    label: 'Documents that changed',
    kind: 'choice',
    choices: ['none', 'dated', 'all'],
    value: 'dated',
    help: 'announced too: none, those with a date of their own, or all',
  },
  {
    name: 'quiet_hours',
    label: 'Quiet hours',
    placeholder: '22:00-06:00',
    help: 'no requests are made then; empty: none',
  },
];

// Options of models that say how often a page is visited: a watch shows them first.
export const PACE = { recheck: 'A page is left alone for', least: 'A page is left alone for' };

export const KINDS = {
  crawl: 'Looks for pages on the topic until a limit is reached.',
  watch:
    'Visits pages again and again until you stop it, and announces every new document of the topic once, under Watch.',
};
