// reasons.js - why a crawl waits, why a link was left out: in words. SPDX-License-Identifier: MIT

// Visits that wait: [label, "it waits mostly for …"].
export const WAITS = {
  politeness: ['pause between visits', 'hosts that get their pause between two visits'],
  patience: ['nothing worth a visit there', 'hosts whose links promise too little (--patience)'],
  dns: ['DNS', 'names being looked up'],
  robots: ['robots.txt', 'robots.txt on its way'],
  server: ['answers of servers', 'servers that have not answered yet'],
};

// Shares of the time: [label, "it waits mostly for …", from here on it is the reason].
export const SHARES = {
  cpu: ['own computing', 'its own computing', 0.8],
  store: ['writing to disk', 'the disk', 0.3],
};

// A drop as the program names it -> [label, more].
export const DROPS = {
  seen: ['known already'],
  scope: ['outside the scope'],
  robots: ['robots.txt says no'],
  nofollow: ['marked “do not follow”'],
  trap: ['looks like a trap', 'part of an endless space of addresses'],
  budget: ['host had its share', 'the budget of its host, or of the domain that names it, is spent'],
  'host-dead': ['host does not answer', 'it has no address, or failed too often'],
  'queue-full': ['the queue was full'],
  address: ['private address', 'it leads to an address that is not public'],
  port: ['not a port of the web', 'its port belongs to another service than the web'],
  depth: ['too deep', 'deeper than --max-depth'],
  scheme: ['not http or https'],
  long: ['address too long'],
  type: ['not a readable document', 'not a kind of document that is read'],
  lang: ['another language'],
  rejected: ['rejected by the topic', 'it matches a reject pattern of the topic'],
  status: ['server said no', 'an error, or an answer without a page'],
  redirects: ['too many redirects'],
  size: ['too large'],
  timeout: ['took too long'],
  network: ['connection failed'],
  encoding: ['broken encoding'],
  limit: ['limit reached first'],
  model: ['model lost interest', 'its own queue was full'],
  forgotten: ['forgotten by you'],
};

// Names for the models' own figures.
export const MODEL_WORDS = {
  open_urls: 'links it could follow',
  open: 'visits under way',
  under_way: 'visits under way',
  queue: 'links in its queue',
  base_pages: 'pages remembered',
  R: 'relevance from which a visit pays (R)',
  lambda: 'how sharply pay rises there (λ)',
  rewarded: 'pages that paid',
  energy_on_pages: 'energy left on pages',
  threshold: 'ability from which one may call',
  round: 'rounds of judging',
  questions: 'asked before a visit',
  denied: 'another agent had been there',
  overlap: 'fetched twice',
  links_offered: 'links offered',
  links_transferred: 'links passed on',
  wordnet: 'related words (WordNet)',
  walks: 'walks',
  kept_links: 'links kept for later',
  mean_keywords: 'words an agent knows, mean',
  mean_energy: 'energy of an agent, mean',
  c_t: 'price of a page that times out',
  round_left: 'pages until the next training',
  trainings: 'trainings',
  remembered: 'examples remembered',
  marks: 'marks learned',
  accuracy: 'accuracy (cross-validated)',
  auc: 'AUC (cross-validated)',
  graph_pages: 'pages in the graph',
  ranked: 'links with a rank',
  mean_score: 'score of an agent, mean',
};

// Names for the kinds of agents, if the model's own word is short.
export const KINDS = {
  wl: 'learns where to start',
  rl: 'learns what to follow',
  wlrl: 'learns where to start and what to follow',
};
