// start.mjs - a crawl and a watch from the form, in a real browser.
//
//   node start.mjs BROOD DIR
//
// Real worlds are served, `brood serve` stands before them. Every mistake is shown at its
// field; what is right starts, with its options; what is shown as a command line runs in a
// shell; a child that dies says why. Screenshots go to DIR. Speaks TAP; skipped where
// Chromium or playwright-core is not installed. SPDX-License-Identifier: MIT
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { assert, openPage, perform, serveDashboard, serveWorld, until } from './support.mjs';

const [brood, into] = process.argv.slice(2);
const shots = resolve(into);
const work = mkdtempSync(join(tmpdir(), 'brood-start-'));
const root = join(work, 'crawls');
const wide = { viewport: { width: 1280, height: 900 } };
const narrow = { viewport: { width: 375, height: 740 }, deviceScaleFactor: 2, hasTouch: true };

const run = (...args) => execFileSync(brood, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

// ---- the stage ----

const stage = {}; // browser, dash, page, topical and news: {served, words, seeds, resolve}

async function makeWorld(kind, args) {
  const dir = join(work, kind);
  run('world', 'make', dir, '--kind', kind, '--rng', '7', ...args);
  const topic = JSON.parse(run('world', 'info', dir, '--json')).topics[0];
  const served = await serveWorld(brood, dir, kind === 'news' ? ['--speed', '1440'] : []);
  return {
    served,
    words: topic.words.slice(0, 4).join(' '),
    seeds: topic.seeds.slice(0, 2),
    resolve: served.env.BROOD_RESOLVE,
  };
}

// ---- the form ----

const at = (name) => stage.page.locator(`#new-${name.replaceAll('.', '-')}`);
const error = (name) => stage.page.locator(`#new-${name.replaceAll('.', '-')}-error`);
const start = () => stage.page.getByRole('button', { name: 'Start' }).click();
const command = () => stage.page.locator('.command').textContent();
const way = (name) => stage.page.getByRole('radio', { name, exact: true }).check();

// The page as high as its content: the middle scrolls, not the window.
async function shot(page, name, whole = true) {
  const size = page.viewportSize();
  const height = await page.evaluate(() => {
    const main = document.getElementById('main');
    return Math.ceil(innerHeight + main.scrollHeight - main.clientHeight);
  });
  if (whole) await page.setViewportSize({ ...size, height: Math.min(height, 4000) });
  await page.screenshot({ path: join(shots, `start-${name}.png`) });
  await page.setViewportSize(size);
}

async function saysAt(name, part) {
  await until(
    async () => ((await error(name).textContent()) || '').toLowerCase().includes(part.toLowerCase()),
    async () => `${name} says "${await error(name).textContent()}", not "${part}"`,
    20,
  );
  assert((await at(name).getAttribute('aria-invalid')) === 'true', `${name} is not marked`);
  const described = (await at(name).getAttribute('aria-describedby')).split(' ');
  assert(described.includes(await error(name).getAttribute('id')), `${name} is not described by it`);
  assert(await error(name).isVisible(), `${name}: its mistake is not to be seen`);
}

const isFocused = (name) => at(name).evaluate((node) => node === document.activeElement);

async function openForm() {
  await stage.page.evaluate(() => {
    location.hash = '#//new';
  });
  await stage.page.getByRole('heading', { name: 'New crawl' }).waitFor();
  await at('topic').waitFor();
}

async function fillGood(world) {
  await at('topic').fill(world.words);
  await at('seeds').fill(world.seeds.join('\n'));
  await at('delay').fill('10ms');
  await network(world);
}

async function network(world) {
  const fold = stage.page.locator('details', { has: at('resolve') });
  if (!(await fold.evaluate((f) => f.open))) await fold.locator('summary').click();
  await at('allow_private').check();
  await at('resolve').fill(world.resolve);
}

const stateOf = () => stage.page.locator('.head [data-state]').getAttribute('data-state');
const api = (path) => stage.page.evaluate((p) => fetch(p).then((r) => r.json()), path);
const overview = async () =>
  api(`/api/crawls/${await stage.page.evaluate(() => location.hash.split('/')[1])}`);

async function fits(page, what) {
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert(content <= window, `${what}: ${content} of ${window} pixels`);
}

// ---- the tests, in the order of a visit ----

const tests = {
  'shows every mistake at its field, and goes to the first': async () => {
    const { page } = stage;
    await openForm();
    await shot(page, 'empty');
    await start();
    await saysAt('topic', 'what is it to look for?');
    await saysAt('seeds', 'where is it to start?');
    assert(await isFocused('topic'), 'the first mistake has not the focus');
    await at('topic').fill('coral reefs');
    await at('seeds').fill('http://127.0.0.1:2/\nhppt://example.org/reefs');
    await page
      .locator('.start details', { has: at('set.LB') })
      .locator('summary')
      .click();
    await at('set.LB').fill('few');
    await at('set.N').fill('0');
    await at('limits.pages').fill('many');
    await at('limits.for').fill('soon');
    await at('limits.bytes').fill('-3');
    await at('contact').fill('me');
    await at('scope').fill('same-site\n*.example.org/*');
    await at('resolve').evaluate((node) => {
      node.value = 'nonsense';
    });
    await start();
    await saysAt('seeds', 'did you mean http://example.org/reefs?');
    await saysAt('set.LB', "'few' will not do: write a whole number");
    await saysAt('set.N', "'0' will not do");
    await saysAt('limits.pages', 'a whole number');
    await saysAt('limits.for', "'soon' is no duration");
    await saysAt('limits.bytes', 'is no size');
    await saysAt('contact', 'neither a mail address nor a URL');
    await saysAt('resolve', "'nonsense' is not HOST:PORT"); // its fold was closed
    assert(await isFocused('seeds'), 'the first mistake has not the focus');
    assert(!(await error('topic').isVisible()), 'what is right now is still complained of');
    await shot(page, 'mistakes');
  },
  'complains while one writes, but only of what was left': async () => {
    const { page } = stage;
    await page.reload();
    await openForm();
    await at('limits.for').fill('2 fortnights');
    await at('limits.pages').focus();
    await saysAt('limits.for', "'2 fortnights' is no duration");
    assert(!(await error('topic').isVisible()), 'a field that nobody touched is complained of');
    await at('limits.for').fill('2');
    await until(async () => (await command()).includes('--for 2m'), command);
    assert(!(await error('limits.for').isVisible()), 'it is right now');
  },
  'says which options of a model do not go together': async () => {
    const { page } = stage;
    await at('topic').fill('coral reefs');
    await at('seeds').fill('http://127.0.0.1:2/');
    await page
      .locator('.start details', { has: at('set.LB') })
      .locator('summary')
      .click();
    await at('set.LB').fill('50');
    await at('set.UB').fill('20');
    await start();
    await page.locator('.options > .error').getByText('LB=50 is above UB=20').waitFor();
    assert(await isFocused('set.LB'), 'the focus is elsewhere');
  },
  'tells what a model is': async () => {
    const { page } = stage;
    await at('model').selectOption('fish');
    await page.getByText('Fish-Search: links of relevant pages first').waitFor();
    await page.getByRole('button', { name: 'What it does, and why' }).click();
    await page.locator('dialog').getByText('a school that breeds where it finds food').waitFor();
    assert((await page.locator('dialog td code').count()) > 5, 'its table is no table');
    await shot(page, 'manual', false);
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
  },
  'starts a crawl with options of its model': async () => {
    const { page } = stage;
    await page.reload();
    await openForm();
    await fillGood(stage.topical);
    await at('model').selectOption('infospiders');
    await page
      .locator('.start details', { has: at('set.max_population') })
      .locator('summary')
      .click();
    await at('set.max_population').fill('77');
    await at('limits.pages').fill('150');
    await until(async () => /--set max_population=77 .*--pages 150/.test(await command()), command);
    stage.command = await command();
    await shot(page, 'ready');
    await start();
    await until(async () => ['running', 'finished'].includes(await stateOf()), 'it does not run');
    await page.locator('.facts').getByText('max_population=77').first().waitFor();
    await until(async () => (await overview()).pages > 20, 'no pages come');
    const o = await overview();
    assert(o.model === 'infospiders' && o.kind === 'crawl' && o.pages_limit === 150, JSON.stringify(o));
    await shot(page, 'overview');
  },
  'shows a command line that does the same in a shell': async () => {
    const bin = join(work, 'bin');
    mkdirSync(bin);
    symlinkSync(resolve(brood), join(bin, 'brood'));
    const line = stage.command.replace('--pages 150', '--pages 30');
    execFileSync('sh', ['-c', `${line} --out ${join(work, 'by-hand')} --quiet`], {
      env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
      stdio: 'pipe',
    });
    const stats = JSON.parse(run('stats', join(work, 'by-hand'), '--json'));
    assert(stats.pages === 30, `${stats.pages} pages`);
  },
  'starts a watch, which is shown as one': async () => {
    const { page } = stage;
    await openForm();
    await way('Watch');
    const fit = await at('model').locator('option').allTextContents();
    assert(fit.join() === 'foragers,revisit', `models of a watch: ${fit}`);
    assert((await at('limits.pages').inputValue()) === '', 'a watch has no limit of its own');
    await fillGood(stage.news);
    await at('max_age').fill('3');
    await at('set.recheck').fill('2s');
    await until(async () => /^brood watch .*--max-age 3d/.test(await command()), command);
    await shot(page, 'watch');
    await start();
    await until(async () => (await stateOf()) === 'running', 'it does not run');
    await page.locator('.head .chip').getByText('watch', { exact: true }).waitFor();
    await page.locator('[role=tab][data-view=watch]').waitFor();
    await until(async () => (await overview()).pages > 3, 'no pages come');
    const o = await overview();
    assert(o.kind === 'watch' && o.options.set.includes('recheck=2s'), JSON.stringify(o.options));
    await page.locator('[data-do=stop]').click();
    await page.locator('dialog').getByRole('button', { name: 'Stop' }).click();
    await until(async () => (await stateOf()) === 'finished', 'it does not stop');
    await page.locator('[data-do=resume]').click();
    await page.locator('dialog').getByRole('button', { name: 'Go on' }).click();
    await until(async () => (await stateOf()) === 'running', 'it does not go on');
    await page.locator('[data-do=stop]').click();
    await page.locator('dialog').getByRole('button', { name: 'Stop' }).click();
    await until(async () => (await stateOf()) === 'finished', 'it does not stop again');
  },
  'says why a child came to nothing; the form is as it was': async () => {
    const { page } = stage;
    const file = join(work, 'reefs.topic');
    writeFileSync(file, 'reefs\n+ http://127.0.0.1:2/example.html\n');
    await openForm();
    await way('Topic file');
    await at('topic_file').fill(join(work, 'nothing.topic'));
    await at('seeds').fill('http://127.0.0.1:2/');
    await start();
    await saysAt('topic_file', 'No such file or directory');
    await at('topic_file').fill(file);
    await page
      .locator('details', { has: at('allow_private') })
      .locator('summary')
      .click();
    await at('allow_private').check();
    await start();
    await page.getByRole('heading', { name: 'This crawl did not begin' }).waitFor();
    assert(
      (await page.locator('.said').textContent()).includes('reefs.topic:2: '),
      await page.locator('.said').textContent(),
    );
    await shot(page, 'nothing');
    await page.getByRole('button', { name: 'Change it and start again' }).click();
    await at('topic_file').waitFor();
    assert((await at('topic_file').inputValue()) === file, 'the form has forgotten the topic');
    assert((await at('seeds').inputValue()) === 'http://127.0.0.1:2/', 'the form has forgotten the seeds');
    await page.goBack();
    await page.getByRole('heading', { name: 'This crawl did not begin' }).waitFor();
    await page.reload(); // nobody is asked for what is not there
    await page.getByRole('heading', { name: 'This crawl did not begin' }).waitFor();
    await page.evaluate(() => {
      location.hash = '/no-such-crawl/results?page=1';
    });
    await page.getByText('This crawl is not here').waitFor();
    await page.getByRole('button', { name: 'All crawls' }).click();
    await page.getByRole('heading', { name: 'Crawls' }).waitFor();
  },
  'says why a crawl had nothing to eat': async () => {
    const { page } = stage;
    await page.reload();
    await openForm();
    await at('topic').fill('coral reefs');
    await at('seeds').fill('http://127.0.0.1:2/');
    await start();
    await page.locator('.head .trouble').getByText('nothing could be fetched').waitFor();
    await page.locator('.head .trouble').getByText('--allow-private').waitFor();
    await shot(page, 'starved', false);
  },
  'is useful by keyboard alone': async () => {
    const { page } = stage;
    await openForm();
    await at('topic').focus();
    await page.keyboard.type('coral reefs');
    await page.keyboard.press('Tab');
    await page.keyboard.type('http://127.0.0.1:2/');
    await page.keyboard.press('Tab'); // the search engine, folded
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('http://127.0.0.1:3/?q={}');
    await until(async () => (await command()).includes("--search 'http://127.0.0.1:3/?q={}'"), command);
    await at('search').fill('');
    await page.getByText('Search engine', { exact: true }).first().focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    assert(await page.locator('input[name=kind][value=watch]').isChecked(), 'an arrow chooses no watch');
    await until(async () => (await command()).startsWith("brood watch 'coral reefs'"), command);
    await page.keyboard.press('ArrowLeft');
    await at('limits.for').focus();
    await page.keyboard.type('soon');
    await page.keyboard.press('Enter');
    await saysAt('limits.for', 'is no duration');
    assert(await isFocused('limits.for'), 'the mistake has not the focus');
  },
  'is useful on a telephone, and in the dark': async () => {
    const phone = await openPage(stage.browser, `${stage.dash.url}`, { ...narrow, colorScheme: 'dark' });
    await phone.evaluate(() => {
      location.hash = '#//new';
    });
    await phone.locator('#new-topic').waitFor();
    await phone.getByRole('radio', { name: 'Watch' }).check();
    await phone.getByText('Options of foragers').click();
    await phone.getByRole('button', { name: 'Start' }).click();
    await phone.locator('#new-topic-error').getByText('what is it to look for?').waitFor();
    await fits(phone, 'the form');
    await shot(phone, 'phone');
    stage.pages.push(phone);
  },
  'looks only, where there is no key': async () => {
    const page = await openPage(stage.browser, stage.dash.origin, wide);
    await page.evaluate(() => {
      location.hash = '#//new';
    });
    await page.getByText('it has the key').waitFor();
    assert(await page.getByRole('button', { name: 'Start' }).isDisabled(), 'it could be sent');
    stage.pages.push(page);
  },
  'complained of nothing, and asked nobody else': async () => {
    for (const page of stage.pages) {
      assert(page.complaints.length === 0, page.complaints.join('\n'));
      const elsewhere = page.requests.filter(
        (u) => !u.startsWith(stage.dash.origin) && !/^(data|blob):/.test(u),
      );
      assert(elsewhere.length === 0, elsewhere.join('\n'));
    }
  },
};

// Children of the dashboard go on when it ends.
async function stopCrawls() {
  const headers = { 'X-Brood-Token': stage.dash.url.split('token=')[1], 'Content-Type': 'application/json' };
  const list = await fetch(`${stage.dash.origin}/api/crawls`).then((r) => r.json());
  await Promise.all(
    list
      .filter((c) => ['starting', 'running', 'paused'].includes(c.state))
      .map((c) =>
        fetch(`${stage.dash.origin}/api/crawls/${c.id}/stop`, { method: 'POST', headers, body: '{}' }),
      ),
  );
}

// ---- the run ----

await perform(stage, {
  work,
  tests,
  end: () => stopCrawls().catch(() => {}),
  begin: async () => {
    mkdirSync(shots, { recursive: true });
    mkdirSync(root);
    stage.topical = await makeWorld('topical', ['--pages', '1500', '--hosts', '30']);
    stage.news = await makeWorld('news', ['--hosts', '8', '--days', '2', '--articles', '6']);
    stage.dash = await serveDashboard(brood, ['--root', root, '--port', '0'], { BROOD_CONTACT: '' });
    stage.page = await openPage(stage.browser, stage.dash.url, wide);
    stage.pages = [stage.page];
  },
});
