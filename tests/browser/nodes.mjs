// nodes.mjs - the dashboard over two nodes of a crawl, in a real browser (Chromium by playwright-core).
//
//   node nodes.mjs BROOD DIR SOURCE
//
// A nats-server, a served world and two nodes: the page shows what both have found, and the end of the
// crawl. Screenshots in light and dark go to DIR, for people to look at. Speaks TAP; skipped where
// Chromium, playwright-core or nats-server is not installed. SPDX-License-Identifier: MIT
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { assert, openPage, perform, serveDashboard, serveWorld, skipAll, start, until } from './support.mjs';

const [brood, into, source] = process.argv.slice(2);
const shots = resolve(into);
const work = mkdtempSync(join(tmpdir(), 'brood-nodes-'));
const run = (...args) =>
  execFileSync(brood, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1e8 });
const stage = {};

const shot = (page, name) => page.screenshot({ path: join(shots, `${name}.png`) });
const api = (page, path) =>
  page.evaluate((p) => fetch(p).then((r) => r.json()), `/api/crawls/${stage.id}${path}`);
const see = (page, hash) =>
  page.evaluate((h) => {
    location.hash = h;
  }, `/${stage.id}/${hash}`);
const stateOf = (page) => page.locator('.head [data-state]').getAttribute('data-state');
const rows = (page) => page.locator('table.nodes tbody tr');
const wide = (colorScheme) => ({ viewport: { width: 1280, height: 900 }, colorScheme });

// ---- the stage ----

const server = [
  '/usr/sbin/nats-server',
  '/usr/bin/nats-server',
  join(source, '.deps/usr/sbin/nats-server'),
].find(existsSync);

// A bus on a free port: it says which in a file.
async function startBus() {
  const dir = join(work, 'bus');
  mkdirSync(dir);
  const child = spawn(server, ['-a', '127.0.0.1', '-p', '-1', '-js', '-sd', dir, '--ports_file_dir', dir]);
  process.on('exit', () => child.kill());
  const said = () => {
    const file = readdirSync(dir).find((name) => name.endsWith('.ports'));
    try {
      return JSON.parse(readFileSync(join(dir, file), 'utf8')).nats[0];
    } catch {
      return null;
    }
  };
  return { child, url: await until(said, 'nats-server does not start') };
}

async function startNodes({ bus, world, served }) {
  const topic = JSON.parse(run('world', 'info', world, '--json')).topics[0];
  const args = ['crawl', topic.words.slice(0, 4).join(' '), '--model', 'balanced', '--out', join(work, 'n1')];
  topic.seeds.slice(0, 2).forEach((s) => args.push('--seed', s));
  // No limit of pages, and hosts for many minutes: the crawl is there until a test stops it, however
  // slow the machine is.
  args.push('--delay', '2s', '--nats', bus.url, '--name', 'two', '--nodes', '2');
  // A first line on standard output is waited for: --json prints one a second.
  const first = await start(brood, [...args, '--json'], served.env);
  const join2 = ['node', '--nats', bus.url, '--crawl', 'two', '--out', join(work, 'n2'), '--trust', '--json'];
  return [first, await start(brood, join2, served.env)];
}

async function begin() {
  mkdirSync(shots, { recursive: true });
  stage.world = join(work, 'world');
  run('world', 'make', stage.world, '--pages', '3000', '--hosts', '24', '--topics', '2');
  stage.bus = await startBus();
  stage.served = await serveWorld(brood, stage.world);
  stage.nodes = await startNodes(stage);
  stage.dash = await serveDashboard(brood, ['--port', '0', '--nats', stage.bus.url, '--crawl', 'two']);
}

// Is the text of a page there? A node that is slow is left out for some seconds, and the page then
// offers to try again.
async function seesText(page) {
  const again = page.locator('dialog [role=alert] button');
  if (await again.isVisible()) await again.click();
  return page.locator('dialog .stored-text pre').isVisible();
}

// ---- the tests ----

const tests = {
  'shows both nodes while they crawl': async () => {
    const page = await openPage(stage.browser, stage.dash.url, wide('light'));
    stage.page = page;
    stage.id = (await page.evaluate(() => fetch('/api/crawls').then((r) => r.json())))[0].id;
    await rows(page).nth(1).waitFor();
    assert((await rows(page).count()) === 2, 'not two nodes');
    await until(
      async () => (await api(page, '')).nodes.every((n) => n.pages > 0 && n.partitions > 0),
      'a node has no pages',
    );
    await page.locator('.finds li').first().waitFor();
    const tabs = await page
      .locator('[role=tab][data-view]')
      .evaluateAll((all) => all.map((t) => t.dataset.view));
    assert(!tabs.includes('new') && !tabs.includes('compare'), `offers what cannot be done: ${tabs}`);
    assert((await page.locator('.head [data-do=limits]').count()) === 0, 'offers to change limits');
    await shot(page, 'nodes-light');
  },
  'pauses all nodes': async () => {
    const { page } = stage;
    await page.locator('.head [data-do=pause]').click();
    await until(async () => (await stateOf(page)) === 'paused', 'it is not paused');
  },
  'lists pages of both, opens one of each': async () => {
    const { page } = stage;
    await see(page, 'results');
    await page.locator('.result:not(.headings):not(.ghost)').first().waitFor();
    const { rows: all } = await api(page, '/pages?n=200');
    for (const place of [0, 1]) {
      const one = all.find((r) => r.id % 1000 === place);
      assert(one, `no page of node ${place}`);
      await see(page, `results?page=${one.id}`);
      await until(() => seesText(page), 'the text of a page does not come');
      assert((await page.locator('dialog .address').textContent()).includes(one.url), 'another page');
      await page.keyboard.press('Escape');
    }
    assert((await page.locator('button.mark').count()) === 0, 'offers to mark pages');
  },
  'draws one family': async () => {
    const { page } = stage;
    await see(page, 'tree');
    await page.locator('.view-tree canvas').first().waitFor();
    const { rows: lives } = await api(page, '/lives');
    const ids = new Set(lives.map((r) => r[0]));
    assert(ids.size === lives.length, 'an agent is there twice');
    assert(
      lives.every((r) => r[1] === 0 || ids.has(r[1])),
      'a parent is missing',
    );
    await see(page, `tree?agent=${lives[0][0]}`);
    await page.locator('dialog').getByText(lives[0][2]).first().waitFor();
    await page.keyboard.press('Escape');
  },
  'goes on when it is told to': async () => {
    const { page } = stage;
    await see(page, 'overview');
    const before = (await api(page, '')).pages;
    await page.locator('.head [data-do=continue]').click();
    await until(async () => (await stateOf(page)) === 'running', 'it does not go on');
    await until(async () => (await api(page, '')).pages > before, 'no page comes');
  },
  'stops all nodes, and shows the end with all pages': async () => {
    const { page } = stage;
    await page.locator('.head [data-do=stop]').click();
    await page.locator('dialog').getByRole('button', { name: 'Stop' }).click();
    await until(async () => (await stateOf(page)) === 'finished', 'it does not end');
    await until(
      async () => (await api(page, '')).nodes.every((n) => n.state === 'gone'),
      'a node is still there',
    );
    const stored = ['n1', 'n2'].map((dir) => JSON.parse(run('stats', join(work, dir), '--json')).pages);
    const pages = stored[0] + stored[1];
    await until(
      async () => (await api(page, '')).pages === pages,
      async () => `${(await api(page, '')).pages} pages, not ${pages}`,
    );
    await page.locator('[data-figure=pages]').getByText(String(pages)).waitFor();
    assert(page.complaints.length === 0, page.complaints.join('\n'));
    const dark = await openPage(stage.browser, stage.dash.url, wide('dark'));
    await rows(dark).nth(1).waitFor();
    await shot(dark, 'nodes-dark');
  },
};

if (!server) skipAll('nats-server is not installed');
await perform(stage, { work, begin, tests, pages: () => [stage.page] });
