// colour.js - colours of the theme, and one scale that colour-blind readers can read.
//
// On a dark page the scale is cividis (Nunez, Anderton, Renslow 2018): between blue and yellow,
// its lightness changes evenly. On a light page it goes from pale to dark blue, because cividis
// would give the least relevant pages yellow, the most conspicuous colour. Large values stand out.
// Wherever the scale is used, a number or a shape shows the same value.
// SPDX-License-Identifier: MIT
import { signal } from './signal.js';

const CIVIDIS = [
  [0, 34, 78],
  [18, 53, 112],
  [59, 73, 108],
  [87, 93, 109],
  [112, 113, 115],
  [138, 134, 120],
  [165, 157, 116],
  [195, 181, 105],
  [225, 207, 87],
  [254, 232, 56],
];

const BLUES = [
  [222, 229, 237],
  [181, 203, 226],
  [126, 166, 208],
  [66, 120, 180],
  [20, 74, 134],
  [4, 34, 74],
];

export const theme = signal('light'); // the present theme: light or dark

const prefersDark = matchMedia('(prefers-color-scheme: dark)');

export function themeChoice() {
  try {
    return localStorage.getItem('theme') || 'auto';
  } catch {
    return 'auto';
  }
}

export function chooseTheme(choice) {
  try {
    localStorage.setItem('theme', choice);
  } catch {
    /* a browser without storage forgets it */
  }
  applyTheme();
}

export function applyTheme() {
  const choice = themeChoice();
  const shown = choice === 'auto' ? (prefersDark.matches ? 'dark' : 'light') : choice;
  document.documentElement.dataset.theme = shown;
  cache.clear();
  theme.set(shown);
}

prefersDark.addEventListener('change', applyTheme);

const cache = new Map();

// A colour of the style sheet: css('--line').
export function css(name) {
  if (!cache.has(name))
    cache.set(name, getComputedStyle(document.documentElement).getPropertyValue(name).trim());
  return cache.get(name);
}

// x in [0,1] as a colour that stands out from the background of the theme.
export function scale(x, alpha = 1) {
  const dark = theme.value === 'dark';
  const colours = dark ? CIVIDIS : BLUES;
  const from = dark ? 0.22 : 0;
  const at = (from + (1 - from) * Math.min(1, Math.max(0, +x || 0))) * (colours.length - 1);
  const i = Math.min(colours.length - 2, Math.floor(at));
  const c = colours[i].map((v, k) => Math.round(v + (colours[i + 1][k] - v) * (at - i)));
  return alpha === 1 ? `rgb(${c.join(',')})` : `rgba(${c.join(',')},${alpha})`;
}

// Relevance on the scale: the best page of the crawl has its end, and the square root spreads the
// small values of most pages.
export const best = signal(1);
export const relevanceScale = (x) => Math.sqrt(Math.min(1, Math.max(0, (+x || 0) / best.value)));
export const relevanceColour = (x) => scale(relevanceScale(x));

export const line = (i) => css(`--s${i % 8}`);
