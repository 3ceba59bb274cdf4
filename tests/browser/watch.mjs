// watch.mjs - a watch in a real browser (Chromium by playwright-core).
//
//   node watch.mjs BROOD DIR
//
// A generated news world is served, a day of it in a quarter of a minute. `brood watch` watches
// it, `brood serve` shows that: news appear while one looks, figures and curves move, and when
// the watch is stopped all of them equal what it printed and what its feed has. Screenshots go
// to DIR. Speaks TAP; skipped where Chromium or playwright-core is not installed.
// SPDX-License-Identifier: MIT
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { assert, openPage, perform, serveDashboard, serveWorld, start, until } from './support.mjs';

const [brood, into] = process.argv.slice(2);
const shots = resolve(into);
const work = mkdtempSync(join(tmpdir(), 'brood-watch-'));
const root = join(work, 'crawls');
const feed = join(work, 'feed.xml');
const DAYS = 24; // of the world: …
const SECONDS = 360; // … it is over then, which a slow machine may need

const wide = { viewport: { width: 1280, height: 860 } };
const narrow = { viewport: { width: 375, height: 740 }, deviceScaleFactor: 2, hasTouch: true };
const run = (args, env) =>
  execFileSync(brood, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });

// ---- the stage ----

const stage = {}; // words, seed, served, dash, watch, page, id

function makeWorld() {
  const dir = join(work, 'world');
  const size = `--hosts 6 --days ${DAYS} --articles 8 --backlog 1 --topics 3 --changes 3 --words 120`;
  const kind = '--kind news --purity 0.95 --locality 0.95 --topic-share 1 --robots 0 --rng 5';
  run(['world', 'make', dir, ...`${kind} ${size}`.split(' ')]);
  const topic = JSON.parse(run(['world', 'info', dir, '--json'])).topics[0];
  stage.words = topic.words.join(' ');
  stage.seed = `http://${new URL(topic.seeds[0]).host}/`;
  return dir;
}

const watchArgs = (name, ...more) =>
  ['watch', stage.words, '--seed', stage.seed, '--out', join(root, name), '--delay', '10ms', ...more].concat([
    '--quiet',
    '--set',
    'recheck=1s',
  ]);

// ---- looking ----

const api = (path) => fetch(stage.dash.origin + path).then((r) => r.json());
const crawlOf = async (name) => (await api('/api/crawls')).find((c) => c.name === name);
const ours = (what) => api(`/api/crawls/${stage.id}/${what}`);
const figure = (page, key) => page.locator(`[data-figure=${key}]`).textContent();
const numberOf = async (page, key) => Number((await figure(page, key)).replace(/[^\d.]/g, '') || 'NaN');
const drawing = (page, title) =>
  page.locator(`.chart:has-text("${title}") [role=img]`).first().getAttribute('aria-label');
const shot = (page, name) => page.screenshot({ path: join(shots, `watch-${name}.png`) });

async function openWatch(id, options) {
  const page = await openPage(stage.browser, stage.dash.url, options);
  await page.evaluate((to) => {
    location.hash = to;
  }, `#/${id}/watch`);
  await page.locator('.view-watch .figures').waitFor();
  return page;
}

async function fits(page, what) {
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert(content <= window, `${what}: ${content} of ${window} pixels`);
}

// Every row of the list, by scrolling through it: newest first.
async function allRows(page) {
  const list = page.locator('.vlist');
  const rows = new Map();
  const height = await list.evaluate((n) => n.scrollHeight);
  for (let top = 0; top < height; top += 200) {
    await list.evaluate((n, y) => n.scrollTo(0, y), top);
    await until(async () => (await page.locator('.ghost').count()) === 0, 'a row never came');
    const seen = await page.locator('.result.news').evaluateAll((all) =>
      all.map((r) => ({
        id: +r.dataset.news,
        kind: r.querySelector('.kind').textContent,
        title: r.querySelector('.title').textContent,
      })),
    );
    seen.forEach((r) => rows.set(r.id, r));
  }
  await list.evaluate((n) => n.scrollTo(0, 0));
  return [...rows.values()].sort((a, b) => b.id - a.id);
}

// ---- the tests, in order ----

const tests = {
  'says so where nothing is new': async () => {
    run(watchArgs('nothing', '--for', '1s', '--relevant', '1'), stage.served.env);
    await until(() => crawlOf('nothing'), 'the dashboard does not see it');
    const page = await openWatch((await crawlOf('nothing')).id, wide);
    await page.getByText('Nothing new was found').waitFor();
    assert((await figure(page, 'announced')) === '0', 'nothing is none');
    await shot(page, 'nothing');
    assert(page.complaints.length === 0, page.complaints.join('\n'));
    await page.context().close();
  },
  'shows news as they come, without a reload': async () => {
    stage.watch = await start(
      brood,
      watchArgs('live', '--relevant', '0.12', '--changes', 'all', '--feed', feed, '--feed-entries', '1000'),
      stage.served.env,
    );
    stage.id = (await until(() => crawlOf('live'), 'the dashboard does not see it')).id;
    const page = (stage.page = await openWatch(stage.id, wide));
    await page.evaluate(() => {
      window.same = true;
    });
    const status = page.locator('.watch-news [role=status]');
    await until(async () => /document/.test(await status.textContent()), 'it never counts');
    const before = await numberOf(page, 'announced');
    const said = await status.textContent();
    await until(async () => (await numberOf(page, 'announced')) > before + 1, 'nothing came');
    await until(async () => (await status.textContent()) !== said, 'the count is not announced');
    await page.locator('.result.arrived').first().waitFor();
    const ids = await page
      .locator('.result.news')
      .evaluateAll((all) =>
        all.sort((a, b) => a.dataset.index - b.dataset.index).map((r) => +r.dataset.news),
      );
    assert(
      ids[0] > before && ids.every((id, i) => i === 0 || id < ids[i - 1]),
      `not newest first: ${ids.slice(0, 5)}`,
    );
    assert(await page.evaluate(() => window.same), 'it was loaded anew');
  },
  'is used by keyboard, and keeps the row that is read': async () => {
    const { page } = stage;
    await page.locator('.result.news').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const focused = () => page.evaluate(() => ({ ...document.activeElement.dataset }));
    const { news: id, index } = await focused();
    await until(async () => (await focused()).index !== index, 'nothing came');
    const now = await focused();
    assert(now.news === id && +now.index > +index, `the focus went from ${id} to ${now.news}`);
    await page.keyboard.press('Enter');
    await page.locator('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
  },
  'has curves that move': async () => {
    const { page } = stage;
    const titles = ['Freshness', 'Age', 'Looks an hour'];
    const before = await Promise.all(titles.map((t) => drawing(page, t)));
    const looks = (await ours('freshness')).now.looks;
    await until(
      async () =>
        (await Promise.all(titles.map((t) => drawing(page, t)))).every((text, i) => text !== before[i]),
      'a curve stands still',
    );
    await until(async () => (await ours('freshness')).now.looks > looks, 'nobody looks');
    for (const text of await Promise.all(titles.map((t) => drawing(page, t))))
      assert(/: .*\d/.test(text), `no figure: ${text}`);
    const { at, freshness, age } = await ours('freshness?points=5');
    assert(at.length === 5 && freshness.length === 5 && age.length === 5, `${at.length} points`);
    assert(
      freshness.slice(1).every((x) => x >= 0 && x <= 1),
      `freshness ${freshness}`,
    );
    await shot(page, 'live');
  },
  'tells what changed from what is new': async () => {
    await until(
      async () => (await ours('timeline')).total.changed > 1,
      'the world changes and nobody says so',
    );
  },
  'still has everything, and the same, when the watch is stopped': async () => {
    const { page } = stage;
    await stage.watch.end('SIGTERM');
    await until(async () => (await crawlOf('live')).state === 'finished', 'it never ended');
    const lines = stage.watch.said.map((l) => JSON.parse(l));
    const times = await ours('timeline');
    const entries = readFileSync(feed, 'utf8').match(/<entry>/g).length;
    assert(lines.length > 5 && entries === lines.length, `${lines.length} lines, ${entries} entries`);
    await until(
      async () => (await numberOf(page, 'announced')) === lines.length,
      async () => `${await figure(page, 'announced')} on the page, ${lines.length} lines`,
    );
    const kinds = (list) => [
      list.filter((l) => l.change === 'new').length,
      list.filter((l) => l.change !== 'new').length,
    ];
    const [fresh, changed] = kinds(lines);
    assert(times.total.new === fresh && times.total.changed === changed, JSON.stringify(times.total));
    assert(times.day.new + times.day.changed === lines.length, JSON.stringify(times.day));
    const sum = (a) => a.reduce((x, y) => x + y, 0);
    assert(sum(times.new) === fresh && sum(times.changed) === changed, 'bars do not add up');
    assert(times.at.length <= 60, `${times.at.length} bars`);
    const news = (await ours('news?n=5000')).rows;
    const all = (list, kind) => JSON.stringify(list.map((r) => [r.url, r.page, r.title, kind(r)]));
    assert(
      all(news, (r) => (r.changed ? 'changed' : 'new')) === all(lines, (l) => l.change),
      'the rows are not the lines',
    );
    const pages = async (query) => (await ours(`news?${query}`)).rows.map((r) => r.page).join();
    const some = (from, to) =>
      lines
        .slice(from, to)
        .map((l) => l.page)
        .join();
    assert((await pages('n=2')) === some(-2), 'without a number there are others than the newest');
    assert((await pages('after=0&n=2')) === some(0, 2), 'behind 0 there are others than the first');
    assert((await pages('after=3&n=2')) === some(3, 5), 'behind 3 there are others than 4 and 5');
    const rows = await allRows(page);
    const shown = (list) => JSON.stringify(list);
    assert(
      shown(rows.map((r) => [r.kind, r.title])) === shown(lines.map((l) => [l.change, l.title]).reverse()),
      `the list has ${rows.length} rows, or others`,
    );
  },
  // Nothing comes any more that would push a row out of sight.
  'knows what was read, also after a reload': async () => {
    const { page } = stage;
    const button = page.getByRole('button', { name: /^Mark .* as read$/ });
    const left = async () => +(await button.textContent()).replace(/\D/g, '');
    await page.locator('.result.news[data-index="0"]').waitFor(); // the list is drawn at its top again
    const id = await page
      .locator('.result.news.unread')
      .evaluateAll((all) => all.sort((a, b) => a.dataset.index - b.dataset.index)[0].dataset.news);
    const same = page.locator(`.result.news[data-news="${id}"]`); // whatever the list is drawn like
    await same.click();
    await page.locator('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await until(async () => !/unread/.test(await same.getAttribute('class')), 'it stays unread');
    assert((await left()) > 0, 'all are read');
    await button.click();
    await until(async () => !(await same.getAttribute('class')).includes('unread'), 'not all were read');
    const kept = await page.evaluate(() => Object.keys(localStorage).filter((k) => k.startsWith('read ')));
    assert(kept.length === 1, `kept: ${kept}`);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.locator('.result.news').first().waitFor();
    const first = other.locator('.result.news[data-news="1"]');
    await until(async () => {
      await other.locator('.vlist').evaluate((n) => n.scrollTo(0, n.scrollHeight));
      return (await first.count()) > 0;
    }, 'the first one is not in the list');
    assert(!(await first.getAttribute('class')).includes('unread'), 'it is unread again');
    await other.close();
  },
  'goes on with its figures when it is started again': async () => {
    const before = (await ours('freshness')).now;
    run(['watch', '--out', join(root, 'live'), '--quiet', '--for', '1s'], stage.served.env);
    const { now } = await until(async () => {
      const got = await ours('freshness');
      return got.now.looks >= before.looks && got.now.age !== before.age && got;
    }, 'the figures begin anew');
    assert(now.changes >= before.changes && now.copies > 0, JSON.stringify(now));
    const { page } = stage;
    await until(
      async () => (await numberOf(page, 'copies')) === now.copies,
      async () => `${await figure(page, 'copies')} on the page, ${now.copies} counted`,
    );
    const metrics = await fetch(`${stage.dash.origin}/metrics`).then((r) => r.text());
    const copies = /brood_copies\{[^}]*crawl="live"\} (\d+)/.exec(metrics);
    assert(copies && +copies[1] === now.copies, `Prometheus: ${copies?.[0]}`);
  },
  'fits a telephone, in light and dark': async () => {
    for (const [name, options] of [
      ['wide', wide],
      ['narrow', narrow],
    ]) {
      for (const colorScheme of ['light', 'dark']) {
        const page = await openWatch(stage.id, { ...options, colorScheme });
        await page.locator('.result.news').first().waitFor();
        await fits(page, `${name}, ${colorScheme}`);
        await shot(page, `${name}-${colorScheme}`);
        if (name === 'narrow') {
          await page.locator('.watch-curves').scrollIntoViewIfNeeded();
          await page.locator('.view-watch').evaluate((n) => n.scrollTo(0, n.scrollHeight));
          await shot(page, `${name}-${colorScheme}-below`);
        }
        assert(page.complaints.length === 0, page.complaints.join('\n'));
        await page.context().close();
      }
    }
  },
  'complained of nothing and asked nobody else': async () => {
    const { page } = stage;
    assert(page.complaints.length === 0, page.complaints.join('\n'));
    const elsewhere = page.requests.filter((u) => !u.startsWith(stage.dash.origin));
    assert(elsewhere.length === 0, elsewhere.join('\n'));
  },
};

mkdirSync(shots, { recursive: true });
mkdirSync(root, { recursive: true });
await perform(stage, {
  work,
  tests,
  begin: async () => {
    const world = makeWorld();
    stage.served = await serveWorld(brood, world, ['--speed', String((DAYS * 86400) / SECONDS)]);
    stage.dash = await serveDashboard(brood, ['--root', root, '--port', '0']);
  },
});
