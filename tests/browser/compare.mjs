// compare.mjs - crawls side by side, and reports of the lab, in a real browser.
//
//   node compare.mjs BROOD DIR
//
// One served world is crawled by three models; a tiny plan of the lab is run. Figures are
// those of `brood stats --json`; what was found by whom is counted here once more.
// Screenshots go to DIR, for people to look at. Speaks TAP; skipped where Chromium or
// playwright-core is not installed. SPDX-License-Identifier: MIT
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { assert, openPage, perform, serveDashboard, serveWorld, until } from './support.mjs';

const [brood, into] = process.argv.slice(2);
const shots = resolve(into);
const work = mkdtempSync(join(tmpdir(), 'brood-compare-'));
const root = join(work, 'crawls');
const lab = join(work, 'tiny');
const MODELS = ['breadth-first', 'best-first', 'balanced'];
const wide = { viewport: { width: 1280, height: 900 } };
const narrow = { viewport: { width: 375, height: 740 }, deviceScaleFactor: 2, hasTouch: true };
const stage = { stats: {}, found: {} };

const run = (args, env = {}) =>
  execFileSync(brood, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1e8,
    env: { ...process.env, ...env },
  });
const shot = (page, name) => page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
const numbers = (texts) => texts.map((t) => +t.replace(/[^\d.]/g, ''));
const rowOf = (page, label) => page.locator(`.side-by-side tr[data-row="${label}"] td`).allTextContents();

function crawlWorld({ world, served }) {
  const topic = JSON.parse(run(['world', 'info', world, '--json'])).topics[0];
  for (const model of MODELS) {
    const dir = join(root, model);
    const seeds = topic.seeds.slice(0, 2).flatMap((s) => ['--seed', s]);
    const words = topic.words.slice(0, 4).join(' ');
    const limits = ['--pages', '250', '--delay', '150ms', '--quiet'];
    run(['crawl', words, ...seeds, '--model', model, ...limits, '--out', dir], served.env);
    stage.stats[model] = JSON.parse(run(['stats', dir, '--json']));
    stage.found[model] = new Set(
      run(['export', dir, '--as', 'jsonl'])
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).url),
    );
  }
}

function runLab() {
  const plan = join(work, 'tiny.plan');
  writeFileSync(
    plan,
    `name: tiny
about: two models on a small web
worlds:
  - {name: made, make: {kind: topical, pages: 300, hosts: 10, rng: 3}}
topics: {labels: {min: 10, max: 60%, most: 2}}
models: [breadth-first, best-first]
pages: 30%
repeats: 2
`,
  );
  run(['lab', 'run', plan, '--out', lab]);
  run(['lab', 'report', lab]);
}

const tests = {
  'puts three crawls of one world side by side': async () => {
    const page = await openPage(stage.browser, `${stage.dash.url}`, wide);
    stage.page = page;
    await page.locator('[role=tab][data-view=compare]').click();
    await until(async () => (await page.locator('.side-by-side thead a').count()) === 3, 'not three');
    stage.order = await page.locator('.side-by-side thead a').allTextContents();
    assert([...stage.order].sort().join() === [...MODELS].sort().join(), `they are ${stage.order}`);
  },
  'its figures are those of brood stats': async () => {
    const { page, order } = stage;
    const of = (fn) => order.map((m) => fn(stage.stats[m]));
    for (const [label, wanted] of [
      ['Pages', of((s) => s.pages)],
      ['Relevant', of((s) => s.relevant)],
      ['Agents born', of((s) => s.agents.born)],
      ['Agents alive', of((s) => s.agents.alive)],
      ['Hosts', of((s) => s.hosts)],
      ['URLs known', of((s) => s.urls)],
      ['Duplicates', of((s) => s.duplicates)],
      ['Mean relevance', of((s) => +s.mean_relevance.toPrecision(3))],
    ]) {
      const got = numbers(await rowOf(page, label));
      assert(got.join() === wanted.join(), `${label}: ${got} on the page, ${wanted} by stats`);
    }
  },
  'marks the best of a row by more than colour': async () => {
    const { page, order } = stage;
    for (const [label, value] of [
      ['Relevant', (s) => s.relevant],
      ['Mean relevance', (s) => s.mean_relevance],
    ]) {
      const cells = await rowOf(page, label);
      const values = order.map((m) => value(stage.stats[m]));
      const alike = values.every((v) => v === values[0]); // then none is the best
      const most = Math.max(...values);
      values.forEach((v, i) =>
        assert(cells[i].includes('★') === (!alike && v === most), `${label}: ${cells[i]} of ${values}`),
      );
    }
    assert((await page.getByLabel('best of the row').count()) > 0, 'nobody can hear it');
    assert(!(await rowOf(page, 'Pages')).some((t) => t.includes('★')), 'pages are no merit');
  },
  'lists all crawls: sorted, searched, and forgotten by this browser alone': async () => {
    const page = await openPage(stage.browser, stage.dash.url, wide);
    const names = () => page.locator('table.plain tbody a').allTextContents();
    await until(async () => (await names()).length === MODELS.length, 'not all are listed');
    await page.locator('th button').first().click();
    assert((await names()).join() === [...MODELS].sort().join(), `sorted: ${await names()}`);
    await page.locator('th button').first().click();
    assert((await names()).join() === [...MODELS].sort().reverse().join(), `back: ${await names()}`);
    await page.getByLabel('Search crawls').fill(MODELS[0]);
    assert((await names()).join() === MODELS[0], `found: ${await names()}`);
    await page.getByLabel('Search crawls').fill('');
    await page.getByRole('button', { name: 'Forget' }).first().click();
    await until(async () => (await names()).length === MODELS.length - 1, 'it is still there');
    await page.getByText('also 1 forgotten one').click();
    await page.getByRole('button', { name: 'Remember' }).click();
    assert((await names()).length === MODELS.length, 'it did not come back');
    await page.context().close();
  },
  'the overview shows the best pages, and tells what happened': async () => {
    const page = await openPage(stage.browser, stage.dash.url, wide);
    await page.locator('table.plain tbody a', { hasText: 'balanced' }).click();
    const best = JSON.parse(run(['top', join(root, 'balanced'), '-n', '1', '--json']))[0];
    await page.locator('.finds .title').first().waitFor();
    const first = await page.locator('.finds .title').first().textContent();
    assert(first === best.title, `${first} is first, ${best.title} by brood top`);
    assert((await page.locator('.finds mark').count()) > 0, 'no word is marked');
    assert((await page.locator('.activity li').count()) > 0, 'nothing is told');
    // The newest may be births and deaths alone.
    await page.locator('.activity li a').last().click();
    await until(async () => /[?&#](page|agent)=/.test(page.url()), 'no way to the page or the agent');
    await page.context().close();
  },
  'begins to compare with the crawl that one comes from': async () => {
    const page = await openPage(stage.browser, stage.dash.url, wide);
    const last = stage.order.at(-1);
    await page.locator('table.plain tbody a', { hasText: last }).click();
    await page.locator('[role=tab][data-view=results]').waitFor();
    await page.locator('[role=tab][data-view=compare]').click();
    await until(async () => (await page.locator('.side-by-side thead a').count()) === 3, 'not three');
    const first = await page.locator('.side-by-side thead a').first().textContent();
    assert(first === last, `${first} stands first, not ${last}`);
    const state = await rowOf(page, 'State');
    assert(state.join() === 'finished (all)', `the state of all is ${state}`);
    await page.context().close();
  },
  'offers no family tree where there is no family': async () => {
    const page = await openPage(stage.browser, stage.dash.url, wide);
    await page.locator('table.plain tbody a', { hasText: 'breadth-first' }).click();
    await page.locator('[role=tab][data-view=results]').waitFor();
    assert((await page.locator('[role=tab][data-view=tree]').count()) === 0, 'a tree of one');
    assert((await page.locator('[role=tab][data-view=population]').count()) === 0, 'a population of one');
    await page.context().close();
  },
  'draws curves on common axes, over pages and over time': async () => {
    const { page, order } = stage;
    const chart = page.locator('.chart', { hasText: 'Relevant pages' });
    const values = async () => numbers(await chart.locator('.legend .value').allTextContents());
    const wanted = order.map((m) => stage.stats[m].relevant).join();
    await until(
      async () => (await values()).join() === wanted,
      async () => `the curves end at ${await values()}, not at ${wanted}`,
    );
    assert((await page.locator('.chart canvas').count()) === 3, 'not three charts');
    await shot(page, 'compare');
    await page.getByRole('button', { name: 'over time' }).click();
    await page.locator('.chart', { hasText: 'since each began' }).first().waitFor();
    assert((await page.locator('.chart canvas').count()) === 4, 'not four charts');
    await until(
      async () => (await values()).join() === wanted,
      async () => `over time they end at ${await values()}`,
    );
    await page.waitForTimeout(300);
    await shot(page, 'compare-time');
  },
  'counts which pages were found by whom': async () => {
    const { page, order } = stage;
    await page.locator('.overlap tbody tr').first().waitFor();
    const wanted = new Map();
    for (const url of new Set(order.flatMap((m) => [...stage.found[m]]))) {
      const key = order
        .map((m, i) => (stage.found[m].has(url) ? i : null))
        .filter((i) => i !== null)
        .join();
      wanted.set(key, (wanted.get(key) || 0) + 1);
    }
    const rows = await page
      .locator('.overlap tbody tr')
      .evaluateAll((all) => all.map((tr) => [tr.dataset.set, +tr.children[3].textContent]));
    assert(rows.length === wanted.size, `${rows.length} sets, not ${wanted.size}`);
    rows.forEach(([set, n]) => assert(wanted.get(set) === n, `${set}: ${n}, not ${wanted.get(set)}`));
  },
  'compares those that are chosen, and says so when none is': async () => {
    const { page } = stage;
    await page.getByRole('checkbox').first().uncheck();
    await until(async () => (await page.locator('.side-by-side thead a').count()) === 2, 'three still');
    await until(
      async () => (await page.locator('.overlap thead .who').count()) === 2,
      'what was found is not counted anew',
    );
    await page.reload();
    await until(async () => (await page.locator('.side-by-side thead a').count()) === 2, 'it forgets');
    for (const box of await page.getByRole('checkbox').all()) await box.uncheck();
    await page.getByText('Choose crawls above').waitFor();
  },
  'opens a report of the lab in a frame that reaches nothing': async () => {
    const { page } = stage;
    await page.getByRole('button', { name: 'tiny' }).click();
    const frame = page.locator('dialog iframe');
    await frame.waitFor();
    assert((await frame.getAttribute('sandbox')) === 'allow-scripts', 'it may do more');
    const inside = page.frameLocator('dialog iframe');
    await inside.locator('h1').first().waitFor();
    await inside.getByText('best-first').first().waitFor();
    const drawn = () => inside.locator('svg path, svg polyline, canvas').evaluateAll((all) => all.length);
    await until(async () => (await drawn()) > 0, 'its curves are not drawn');
    await page.waitForTimeout(500);
    await shot(page, 'compare-report');
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
  },
  'fits a telephone, in light and dark': async () => {
    for (const colorScheme of ['light', 'dark']) {
      const page = await openPage(stage.browser, stage.dash.url, { ...narrow, colorScheme });
      await page.locator('[role=tab][data-view=compare]').click();
      await page.locator('.side-by-side').waitFor();
      await page.locator('.overlap').waitFor();
      await page.waitForTimeout(400);
      const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert(content <= window, `${content} of ${window} pixels`);
      await shot(page, `compare-narrow-${colorScheme}`);
      await page.context().close();
    }
    const dark = await openPage(stage.browser, stage.dash.url, { ...wide, colorScheme: 'dark' });
    await dark.locator('[role=tab][data-view=compare]').click();
    await dark.locator('.overlap').waitFor();
    await dark.waitForTimeout(400);
    await shot(dark, 'compare-dark');
    await dark.context().close();
  },
  'complained of nothing, and asked nobody else': async () => {
    const { page } = stage;
    assert(page.complaints.length === 0, page.complaints.join('\n'));
    const foreign = page.requests.filter(
      (r) => !r.startsWith(stage.dash.origin) && !r.startsWith('data:') && !r.startsWith('blob:'),
    );
    assert(foreign.length === 0, 'it asked for ' + foreign.slice(0, 5).join(' '));
  },
};

await perform(stage, {
  work,
  tests,
  begin: async () => {
    mkdirSync(shots, { recursive: true });
    mkdirSync(root);
    stage.world = join(work, 'world');
    run(['world', 'make', '--kind', 'topical', '--pages', '800', '--hosts', '15', '--rng', '7', stage.world]);
    stage.served = await serveWorld(brood, stage.world);
    crawlWorld(stage);
    runLab();
    stage.dash = await serveDashboard(brood, ['--root', root, '--lab', lab, '--port', '0']);
  },
});
