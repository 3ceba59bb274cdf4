// screenshots.mjs - the pictures of the README and the manual: real ones, of a real crawl.
//
//   node screenshots.mjs BROOD DIR            (tools/screenshots)
//
// A generated world is served, two models crawl it, and the dashboard is looked at while one
// of them still runs. SPDX-License-Identifier: MIT
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { endAll, launchBrowser, openPage, serveDashboard, serveWorld, start, until } from './support.mjs';

const [brood, into] = process.argv.slice(2);
const dir = resolve(into);
const work = mkdtempSync(join(tmpdir(), 'brood-pictures-'));
const root = join(work, 'crawls');
const world = join(work, 'world');
const wide = { viewport: { width: 1240, height: 780 } };
const phone = { viewport: { width: 375, height: 740 }, deviceScaleFactor: 2 };

// [file, place, how it is looked at]
const PICTURES = [
  ['overview', 'overview', wide],
  ['population', 'population', wide],
  ['tree', 'tree', { ...wide, colorScheme: 'dark' }],
  ['page', 'results?page=2', wide],
  ['map', 'map', { viewport: { width: 1040, height: 660 } }],
  ['phone', 'overview', phone],
];

const run = (...args) =>
  execFileSync(brood, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

async function crawl(served, topic, name, model, pages, delay) {
  const args = [
    'crawl',
    topic.words.slice(0, 4).join(' '),
    ...topic.seeds.slice(0, 3).flatMap((u) => ['--seed', u]),
    '--model',
    model,
    '--pages',
    pages,
    '--delay',
    delay,
    '--out',
    join(root, name),
    '--json',
  ];
  return start(brood, args, served.env);
}

const browser = await launchBrowser();
try {
  mkdirSync(dir, { recursive: true });
  mkdirSync(root);
  run('world', 'make', '--kind', 'topical', '--pages', '6000', '--hosts', '90', '--rng', '5', world);
  const topic = JSON.parse(run('world', 'info', world, '--json')).topics[0];
  const served = await serveWorld(brood, world, ['--latency', '20ms', '--host-latency', '200ms']);
  const dash = await serveDashboard(brood, ['--root', root, '--port', '0'], served.env);
  crawl(served, topic, 'astronomy-best-first', 'best-first', '1500', '50ms').catch(() => {});
  crawl(served, topic, 'astronomy', 'balanced', '4000', '700ms').catch(() => {});
  const list = () => fetch(`${dash.origin}/api/crawls`).then((r) => r.json());
  const live = await until(
    async () => (await list()).find((c) => c.name === 'astronomy' && c.pages > 900),
    'the crawl does not get on',
    300,
  );
  for (const [name, place, options] of PICTURES) {
    const page = await openPage(browser, dash.url, options);
    await page.evaluate((hash) => {
      location.hash = hash;
    }, `/${live.id}/${place}`);
    await page.waitForTimeout(4000);
    await page.evaluate(() => document.activeElement?.blur());
    await page.screenshot({ path: join(dir, `${name}.png`) });
    if (page.complaints.length) console.error(`${name}: ${page.complaints.join('\n')}`);
    await page.context().close();
  }
} finally {
  await browser.close();
  await endAll();
  rmSync(work, { recursive: true, force: true });
}
