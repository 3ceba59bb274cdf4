// large.mjs - the rows of bench_large as figures, and as a picture.
//
//     node bench/large.mjs ROWS [SVG [MODEL]]
//
// SPDX-License-Identifier: MIT
import { readFileSync, writeFileSync } from "node:fs";

const [file, svg, model = ""] = process.argv.slice(2);
const lines = readFileSync(file, "utf8").trim().split("\n");
const names = lines[0].split("\t");
const rows = lines
  .slice(1)
  .filter((l) => /^\d/.test(l))
  .map((l) => Object.fromEntries(l.split("\t").map((v, i) => [names[i], Number(v)])));
const last = rows.at(-1);

// What the process does, without making the pages it is given.
const spent = (r) => r.cpu_s - r.stub_cpu_s;
const cost = (from, to) => ((spent(to) - spent(from)) / (to.pages - from.pages)) * 1e6;
const making = (from, to) => ((to.stub_cpu_s - from.stub_cpu_s) / (to.pages - from.pages)) * 1e6;
const at = (share) => rows.find((r) => r.pages >= last.pages * share);

const zero = { pages: 0, cpu_s: 0, stub_cpu_s: 0 };
const figures = {
  pages: last.pages,
  urls: last.urls,
  rss_mb: last.rss_mb,
  bytes_a_url: (last.rss_mb * 1e6) / last.urls,
  bytes_a_url_from_half_way: ((last.rss_mb - at(0.5).rss_mb) * 1e6) / (last.urls - at(0.5).urls),
  cpu_us_a_page: cost(zero, last),
  cpu_us_first_tenth: cost(zero, at(0.1)),
  cpu_us_last_tenth: cost(at(0.9), last),
  // Making a page is always the same work: what it costs says how busy the machine was.
  making_us_first_tenth: making(zero, at(0.1)),
  making_us_last_tenth: making(at(0.9), last),
};
figures.growth_beside_making =
  figures.cpu_us_last_tenth / figures.cpu_us_first_tenth /
  (figures.making_us_last_tenth / figures.making_us_first_tenth);
for (const [name, value] of Object.entries(figures)) console.log(`# ${name}\t${+value.toFixed(2)}`);
for (const line of lines.filter((l) => l.startsWith("#"))) console.log(line);

// ---- the picture ------------------------------------------------------------

const wide = 640, high = 150, left = 56, top = 34;

function panel(y, title, points, color) {
  const most = Math.max(...points.map((p) => p[1])) * 1.1;
  const x = (v) => left + ((wide - left - 12) * v) / last.pages;
  const h = (v) => y + top + high - (high * v) / most;
  const step = 10 ** Math.floor(Math.log10(most)), ticks = [];
  for (let v = 0; v <= most; v += most / step < 3 ? step / 2 : step) ticks.push(v);
  return [
    `<text x="${left}" y="${y + 20}" font-weight="bold">${title}</text>`,
    ...ticks.map(
      (v) =>
        `<path d="M${left} ${h(v).toFixed(1)}H${wide - 12}" stroke="#ddd"/>` +
        `<text x="${left - 6}" y="${(h(v) + 4).toFixed(1)}" text-anchor="end">${v}</text>`,
    ),
    ...[0, 0.25, 0.5, 0.75, 1].map(
      (s) =>
        `<text x="${x(s * last.pages).toFixed(1)}" y="${y + top + high + 16}" text-anchor="middle">` +
        `${Math.round((s * last.pages) / 1000).toLocaleString("en")}</text>`,
    ),
    `<path fill="none" stroke="${color}" stroke-width="2" d="M` +
      points.map((p) => `${x(p[0]).toFixed(1)} ${h(p[1]).toFixed(1)}`).join("L") + `"/>`,
  ].join("\n");
}

if (svg) {
  const every = rows.filter((_, i) => i % 4 === 0);
  const costs = every.slice(1).map((r, i) => [r.pages, cost(every[i], r)]);
  writeFileSync(
    svg,
    `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${2 * (high + top) + 50}" ` +
      `font-family="sans-serif" font-size="12">\n<rect width="100%" height="100%" fill="#fff"/>\n` +
      panel(0, `Resident memory, MB (${model}, by thousands of pages)`, rows.map((r) => [r.pages, r.rss_mb]), "#2563a8") +
      "\n" +
      panel(high + top + 26, "CPU time a page, microseconds, all threads", costs, "#b4511f") +
      "\n</svg>\n",
  );
}
