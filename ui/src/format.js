// format.js - numbers with their units, times, names for people. SPDX-License-Identifier: MIT
import { h } from './dom.js';

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const NONE = '–';
const missing = (x) => x === null || x === undefined || Number.isNaN(+x);

export const count = (n) => (missing(n) ? NONE : whole.format(n));

// 1234567 -> "1.23M": for axes and narrow places.
export function short(n) {
  if (missing(n)) return NONE;
  const a = Math.abs(n);
  if (a >= 1e9) return trim(n / 1e9) + 'G';
  if (a >= 1e6) return trim(n / 1e6) + 'M';
  if (a >= 1e4) return trim(n / 1e3) + 'k';
  return number(n);
}

const trim = (x) => String(+x.toPrecision(3));

// A number with three significant digits.
export function number(n) {
  if (missing(n)) return NONE;
  const a = Math.abs(n);
  if (a === 0) return '0';
  if (a >= 1000) return whole.format(n);
  if (a < 0.001) return (+n).toExponential(1);
  return String(+(+n).toPrecision(3));
}

export function bytes(n) {
  if (missing(n)) return NONE;
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']; // as in the output of commands
  let i = 0;
  let x = +n;
  while (x >= 1000 && i < units.length - 1) {
    x /= 1000;
    i++;
  }
  return `${i === 0 ? whole.format(x) : x.toFixed(1)}\u00a0${units[i]}`;
}

export const percent = (x) =>
  missing(x) ? NONE : `${(100 * x).toFixed(Math.abs(x) >= 0.1 || +x === 0 ? 0 : 1)} %`;
// How sure we are that a page is on the topic, from 0 to 1, and as people read it: 0 to 100. Lists
// are ordered by it (docs/relevance.md). Without a verdict it is computed from the relevance alone.
export const rank = (page) => page.p ?? page.relevance / (page.relevance + 0.05);
export const sure = (page) => (missing(rank(page)) ? NONE : String(Math.round(100 * rank(page))));
export const relevance = (x) => (missing(x) ? NONE : (+x).toFixed(3));

export function duration(seconds) {
  if (missing(seconds)) return NONE;
  const t = Math.max(0, +seconds);
  if (t > 0 && t < 0.1) return `${Math.ceil(1000 * t)} ms`;
  if (t < 10) return `${t.toFixed(1)} s`;
  if (t < 60) return `${Math.round(t)} s`;
  const r = Math.round(t);
  if (r < 3600) return `${Math.floor(r / 60)} min ${String(r % 60).padStart(2, '0')} s`;
  if (r < 86400) return `${Math.floor(r / 3600)} h ${String(Math.floor(r / 60) % 60).padStart(2, '0')} min`;
  return `${Math.floor(r / 86400)} d ${Math.floor(r / 3600) % 24} h`;
}

// Seconds on a time axis: 0:05, 12:00, 3:25:00; 0.4 s where marks are that near, 12 d where
// they are that far.
export function clock(seconds, step = 1) {
  if (step < 1) return `${+seconds.toFixed(2)} s`;
  if (step >= 86400) return `${Math.round(seconds / 86400)} d`;
  const r = Math.round(seconds);
  const mm = Math.floor(r / 60) % 60;
  const ss = String(Math.abs(r % 60)).padStart(2, '0');
  return r >= 3600 ? `${Math.floor(r / 3600)}:${String(mm).padStart(2, '0')}:${ss}` : `${mm}:${ss}`;
}

// A time of the server (ISO text, or a number since 1970 in any unit) as seconds since 1970; null:
// none.
export function instant(v) {
  if (v === null || v === undefined || v === '' || v === 0) return null;
  if (typeof v === 'string' && Number.isNaN(+v)) {
    const t = Date.parse(v);
    return Number.isNaN(t) ? null : t / 1000;
  }
  const n = +v;
  if (n > 1e14) return n / 1e6;
  return n > 1e11 ? n / 1e3 : n;
}

export function ago(at, now = Date.now() / 1000) {
  const t = now - at;
  if (t < -1) return `in ${coarse(-t)}`;
  return t < 1.5 ? 'now' : `${coarse(t)} ago`;
}

function coarse(t) {
  for (const [size, unit] of [
    [31557600, 'y'],
    [2629800, 'mo'],
    [86400, 'd'],
    [3600, 'h'],
    [60, 'min'],
  ]) {
    if (t >= size) return `${Math.floor(t / size)} ${unit}`;
  }
  return `${Math.round(t)} s`;
}

export const absolute = (at) =>
  new Date(at * 1000)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC');
export const day = (at) => new Date(at * 1000).toISOString().slice(0, 10);

// A node with the age of a time, which updates itself; the exact time is its title.
export function timeNode(v) {
  const at = instant(v);
  if (at === null) return h('span', null, NONE);
  return h(
    'time',
    { datetime: new Date(at * 1000).toISOString(), title: absolute(at), data: { at } },
    ago(at),
  );
}

setInterval(() => {
  if (document.hidden) return;
  const now = Date.now() / 1000;
  for (const node of document.querySelectorAll('time[data-at]')) {
    const text = ago(+node.dataset.at, now);
    if (node.textContent !== text) node.textContent = text;
  }
}, 1000);

// "http://host/path" without the scheme.
export const shortUrl = (url) =>
  String(url || '')
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '');
export const plural = (n, one, many = one + 's') => `${count(n)} ${+n === 1 ? one : many}`;
// A topic as a title: several, each under its "[name]", by their names.
export function topicTitle(topic) {
  const names = [...String(topic || '').matchAll(/^\[(.+)\]$/gm)].map((m) => m[1]);
  return names.length ? names.join(', ') : topic;
}
// The name of a crawl: its directory, or for a directory that the page named, its topic and time:
// "coral reefs, 15 Nov 21:17".
export function crawlName(c) {
  const stamped = /^(.*)-\d{8}-\d{9}$/.exec(c.name || '');
  if (!stamped) return c.name || topicTitle(c.topic) || c.id;
  const at = instant(c.started_at);
  const when =
    at !== null &&
    new Date(at * 1000).toLocaleString('en-GB', {
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
    });
  return `${topicTitle(c.topic) || stamped[1].replaceAll('-', ' ')}${when ? `, ${when.replace(',', '')}` : ''}`;
}
// keys_like_this -> "keys like this"
export const words = (key) => String(key).replace(/[_.]/g, ' ');
