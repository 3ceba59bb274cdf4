// derive.js - curves computed from curves: speeds, shares. SPDX-License-Identifier: MIT

// How much a column grows in a second, over the last `span` samples.
export function speedOf(at, column = [], span = 5) {
  return column.map((v, i) => {
    const from = Math.max(0, i - span);
    if (i === 0 || v === null || column[from] === null || at[i] <= at[from]) return null;
    return Math.max(0, (v - column[from]) / (at[i] - at[from]));
  });
}

// part/whole from the beginning; empty as long as there are too few values.
export function shareOf(part = [], whole = [], least = 20) {
  const last = whole[whole.length - 1] ?? 0;
  return whole.map((n, i) =>
    n > 0 && n >= Math.min(least, last) && part[i] !== null && part[i] !== undefined ? part[i] / n : null,
  );
}

// The same of the last `many` only.
export function recentShare(part = [], whole = [], many = 200) {
  let from = 0;
  return whole.map((n, i) => {
    if (n === null || part[i] === null || part[i] === undefined) return null;
    while (from < i && n - (whole[from + 1] ?? n) >= many) from++;
    const grown = n - (whole[from] ?? 0);
    return grown >= many / 4 ? (part[i] - (part[from] ?? 0)) / grown : null;
  });
}

export function meanOf(column = []) {
  const known = column.filter((v) => v !== null && v !== undefined);
  return known.length ? known.reduce((a, b) => a + b, 0) / known.length : null;
}
