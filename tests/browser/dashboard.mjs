// dashboard.mjs - the dashboard in a real browser (Chromium by playwright-core).
//
//   node dashboard.mjs BROOD DIR
//
// A generated world is served, `brood serve` stands before it, and a crawl is started from
// the form, watched, paused, stopped. The server is killed in the middle. A second, hostile
// site has markup wherever a page can have text. Screenshots go to DIR, for people to look
// at. Speaks TAP; skipped where Chromium or playwright-core is not installed.
// SPDX-License-Identifier: MIT
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { assert, openPage, perform, serveDashboard, serveWorld, until } from './support.mjs';

const [brood, into] = process.argv.slice(2);
const shots = resolve(into);
const work = mkdtempSync(join(tmpdir(), 'brood-dashboard-'));
const root = join(work, 'crawls');

const run = (...args) => execFileSync(brood, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const wide = { viewport: { width: 1280, height: 860 } };
const narrow = { viewport: { width: 375, height: 740 }, deviceScaleFactor: 2, hasTouch: true };

// ---- the stage ----

const HOSTILE = '<script>window.broken = 1</script><img src=x onerror="window.broken = 2"><b>bold</b>';

function writeHostile(dir) {
  const text = (s) => s.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  mkdirSync(dir, { recursive: true });
  for (let i = 0; i < 12; i++) {
    const links = Array.from(
      { length: 12 },
      (_, k) => `<a href="p${k}.html">${text(HOSTILE)} comet ${k}</a>`,
    ).join(' ');
    writeFileSync(
      join(dir, `p${i}.html`),
      `<!doctype html><html><head><title>${text(HOSTILE)} ${i}</title></head><body onload="top.broken=3"><h1>comet telescope ${i}</h1>
<script>top.broken = 4; fetch('/api/crawls'); document.title = 'ran'</script><img src="http://evil.example/x.png"><iframe src="http://evil.example/"></iframe>
<form action="/api/crawls" method="post"><button>x</button></form><p>Comets, telescopes and stars, ${i} of them.</p>${links}</body></html>`,
    );
  }
}

function makeWorlds() {
  const world = join(work, 'world');
  run('world', 'make', '--kind', 'topical', '--pages', '6000', '--hosts', '60', '--rng', '7', world);
  writeHostile(join(work, 'hostile-site'));
  run(
    'world',
    'import',
    '--from',
    'dir',
    join(work, 'hostile-site'),
    '--url-prefix',
    'http://hostile.example/',
    join(work, 'hostile'),
  );
  const topic = JSON.parse(run('world', 'info', world, '--json')).topics[0];
  return { world, topic: topic.words.slice(0, 4).join(' '), seeds: topic.seeds.slice(0, 3) };
}

// ---- looking ----

const stateOf = (page) => page.locator('.head [data-state]').getAttribute('data-state');
const waitState = (page, state) =>
  until(async () => (await stateOf(page).catch(() => null)) === state, `it never was ${state}`);
const tab = (page, name) => page.locator(`[role=tab][data-view=${name}]`).click();
const numberOf = async (locator) => parseFloat((await locator.textContent()).replaceAll(',', '')); // the first

const pagesOf = (page) => numberOf(page.locator('[data-figure=pages]'));
const crawlId = (page) => page.evaluate(() => location.hash.split('/')[1]);
const api = (page, path) => page.evaluate((p) => fetch(p).then((r) => r.json()), path);

// What a number of the program looks like on the page: three digits that matter.
const shownNumber = (n) => {
  const a = Math.abs(n);
  if (a === 0) return '0';
  if (a >= 1000) return Math.round(n).toLocaleString('en');
  return a < 0.001 ? n.toExponential(1) : String(+n.toPrecision(3));
};

// A tree of the program, row by row as the list shows it when everything is open.
const flatten = (nodes) => nodes.flatMap((a) => [a, ...flatten(a.children)]);

// Dots of a canvas that are drawn.
const drawn = (page, selector) =>
  page
    .locator(selector)
    .first()
    .evaluate((c) => {
      const copy = Object.assign(document.createElement('canvas'), { width: c.width, height: c.height });
      const g = copy.getContext('2d', { willReadFrequently: true }); // the page's own would be complained of
      g.drawImage(c, 0, 0);
      const dots = g.getImageData(0, 0, c.width, c.height).data;
      let n = 0;
      for (let i = 3; i < dots.length; i += 4) if (dots[i] > 60) n++;
      return n;
    });

async function fits(page, what) {
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert(content <= window, `${what}: ${content} of ${window} pixels`);
}

// Words whose contrast is below 4.5 : 1 (WCAG AA), but for those of what is switched off.
const faint = (page) =>
  page.evaluate(() => {
    const part = (v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
    const light = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
    const parse = (text) => text.match(/[\d.]+/g).map(Number);
    const behind = (node) => {
      for (let e = node; e; e = e.parentElement) {
        const c = parse(getComputedStyle(e).backgroundColor);
        if (c.length === 3 || c[3] > 0.9) return c;
      }
      return [255, 255, 255];
    };
    const words = [...document.querySelectorAll('body *')].filter(
      (e) =>
        e.checkVisibility() &&
        [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()) &&
        !e.closest(':disabled, .histogram i, iframe') &&
        (!document.querySelector('dialog') || e.closest('dialog')),
    );
    return words
      .map((e) => {
        const [a, b] = [light(parse(getComputedStyle(e).color)), light(behind(e))].sort();
        return [(b + 0.05) / (a + 0.05), e.textContent.slice(0, 40)];
      })
      .filter(([ratio]) => ratio < 4.5)
      .map(([ratio, text]) => `${ratio.toFixed(1)} "${text}"`);
  });

async function readable(page, what) {
  const list = await faint(page);
  assert(list.length === 0, `${what}: too faint: ${list.slice(0, 5).join(', ')}`);
}

const shot = (page, name) => page.screenshot({ path: join(shots, `${name}.png`) });

// ---- the tests, in the order of a visit ----

const stage = {}; // world, topic, seeds, served, dash, page, id

const tests = {
  'is an invitation where there is no crawl yet': async () => {
    stage.page = await openPage(stage.browser, stage.dash.url, wide);
    await stage.page.getByText('No crawl yet').waitFor();
    assert(
      !(await stage.page.evaluate(() => location.href)).includes('token'),
      'the token stays in the address',
    );
    await stage.page.getByRole('button', { name: 'New crawl' }).last().click();
    await stage.page.getByRole('heading', { name: 'New crawl' }).waitFor();
  },
  'says at the field what is wrong with it': async () => {
    const { page } = stage;
    await page.getByRole('button', { name: 'Start' }).click();
    await page.locator('.field:has(#new-topic) .error').getByText('what is it to look for?').waitFor();
    await page.locator('#new-topic').fill(stage.topic);
    await page.locator('#new-seeds').fill(stage.seeds.join('\n'));
    await page.locator('#new-model').selectOption('balanced');
    await page.getByText('Options of balanced').click();
    const option = page.locator('.options input[inputmode]:visible').first();
    await option.fill('-99999999');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.locator('.options .error:not([hidden])').first().waitFor();
    await option.fill('');
    await page.locator('#new-limits-for').fill('soon');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.locator('.field:has(#new-limits-for) .error').getByText('is no duration').waitFor();
    await shot(page, 'form');
    await page.locator('#new-limits-for').fill('');
  },
  'starts a crawl from the form': async () => {
    const { page } = stage;
    await page.locator('#new-limits-pages').fill('5000');
    await page.locator('#new-delay').fill('4s');
    await page.getByText('Network', { exact: true }).click();
    await page.locator('#new-allow_private').check();
    await page.locator('#new-resolve').fill(stage.served.env.BROOD_RESOLVE);
    await page.getByRole('button', { name: 'Start' }).click();
    await page.locator('.figures').waitFor();
    await waitState(page, 'running');
    stage.id = await crawlId(page);
  },
  'shows pages and curves that move': async () => {
    const { page } = stage;
    const first = await pagesOf(page);
    await until(async () => (await pagesOf(page)) > first + 5, 'the number of pages stands still');
    const legend = page.locator('.chart .legend .value').first();
    const stored = await numberOf(legend);
    await until(async () => (await numberOf(legend)) > stored, 'the curve stands still');
    await until(async () => (await drawn(page, '.chart canvas')) > 500, 'the curve is empty');
    await shot(page, 'overview');
  },
  'shows a population and its histogram': async () => {
    const { page } = stage;
    await tab(page, 'population');
    await until(async () => (await page.locator('.histogram i').count()) > 4, 'there is no histogram');
    await until(async () => (await drawn(page, '.chart canvas')) > 500, 'the curve is empty');
    await shot(page, 'population');
  },
  "shows a tree that grows, and an agent's card": async () => {
    const { page } = stage;
    await tab(page, 'tree');
    const note = page.locator('.view-tree .bar .note');
    await until(async () => (await numberOf(note)) > 0, 'nobody lives'); // "85 lives, 12 alive"
    const before = await numberOf(note);
    await until(async () => (await numberOf(note)) > before, 'the tree stands still');
    assert((await drawn(page, '.stage canvas')) > 300, 'the tree is empty');
    await shot(page, 'tree');
    await page.getByRole('button', { name: 'List', exact: true }).click();
    await page.locator('.vrow').first().waitFor();
    await page.locator('.vrow').first().click();
    await page.locator('dialog').getByText('What it found').waitFor();
    const name = await page.locator('dialog h2').textContent();
    const agent = await api(page, `/api/crawls/${stage.id}/agent/1`);
    assert(name === agent.name, `the card is of ${name}, not of ${agent.name}`);
    await shot(page, 'agent');
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
  },
  'ranks pages, live; a search narrows them': async () => {
    const { page } = stage;
    await tab(page, 'results');
    await page.locator('.result .title').first().waitFor();
    const total = page.locator('.view-results .bar [role=status]');
    const before = await until(() => numberOf(total), 'no total');
    await until(async () => (await numberOf(total)) > before, 'the list stands still');
    await page.getByLabel('Search').fill('zzqqxx');
    await page.getByText('No page matches').waitFor();
    await page.getByLabel('Search').fill('');
    await page.locator('.result .title').first().waitFor();
    const word = (await page.locator('.result .title').first().textContent()).match(/[A-Za-z]{5,}/)[0];
    await page.getByLabel('Search').fill(word);
    await until(
      () => page.evaluate((w) => location.hash.includes(`q=${w}`), word),
      'the search is not in the address',
    );
    await until(
      async () => (await numberOf(total)) > 0 && (await page.locator('.result .title').count()) > 0,
      'the search finds nothing',
    );
    await page.getByLabel('Search').fill('');
  },
  'shows a stored page in a frame that can do nothing': async () => {
    const { page } = stage;
    await until(async () => (await page.locator('.result .title').count()) > 3, 'there are no results');
    await page.locator('.result .title').nth(1).click();
    const frame = page.locator('dialog iframe.stored');
    await frame.waitFor();
    assert((await frame.getAttribute('sandbox')) === '', 'the frame may do something');
    await until(
      async () => (await page.frameLocator('dialog iframe.stored').locator('body').innerText()).length > 40,
      'the copy is empty',
    );
    await page.getByRole('tab', { name: 'Text' }).click();
    await until(
      async () => (await page.locator('.stored-text pre').textContent()).length > 40,
      'the text is empty',
    );
    await page.getByRole('tab', { name: 'Markdown' }).click();
    await until(
      async () => /^#+ /m.test(await page.locator('.stored-text pre').textContent()),
      'the Markdown has no heading',
    );
    await page.getByRole('tab', { name: 'Links out' }).click();
    await page.locator('.side table').waitFor();
    await shot(page, 'page');
  },
  'marks a page': async () => {
    const { page } = stage;
    await page.locator('.result .title').nth(1).click();
    const mark = page.locator('dialog').getByRole('button', { name: 'relevant', exact: true });
    await mark.click();
    await until(
      async () => (await page.locator('dialog .mark.relevant').getAttribute('aria-pressed')) === 'true',
      'it is not marked',
    );
    const number = await page.evaluate(() => /page=(\d+)/.exec(location.hash)[1]);
    await until(
      async () => (await api(page, `/api/crawls/${stage.id}/page/${number}`)).label === 'relevant',
      'the crawl does not know it',
    );
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.locator('.result.relevant').first().waitFor();
  },
  'opens another page while the first is still closing': async () => {
    const { page } = stage;
    const { rows: pages } = await api(page, `/api/crawls/${stage.id}/pages?n=2`);
    for (const number of [pages[0].id, pages[1].id])
      await page.evaluate((to) => {
        document.querySelector('dialog')?.close(); // its event comes later
        location.hash = location.hash.replace(/[?].*|$/, `?page=${to}`);
      }, number);
    await until(
      async () => (await page.locator('dialog .address').allTextContents()).includes(`${pages[1].url} `),
      'the second page does not appear',
    );
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
  },
  'pauses and continues': async () => {
    const { page } = stage;
    await tab(page, 'overview');
    await page.locator('[data-do=pause]').click();
    await waitState(page, 'paused');
    // What was under way comes in; then nothing does.
    let last = -1;
    await until(async () => {
      const n = await pagesOf(page);
      const still = n === last;
      last = n;
      await page.waitForTimeout(2500);
      return still;
    }, 'it does not pause');
    await page.locator('[data-do=continue]').click();
    await waitState(page, 'running');
    await until(async () => (await pagesOf(page)) > last, 'it does not go on');
  },
  'is where it was after a reload, and may still change things': async () => {
    const { page } = stage;
    await tab(page, 'results');
    await page.getByLabel('Search').fill('a');
    await until(() => page.evaluate(() => location.hash.includes('q=a')), 'the search is not in the address');
    await page.reload();
    await page.locator('.view-results').waitFor();
    await until(async () => (await page.getByLabel('Search').inputValue()) === 'a', 'the search is gone');
    await page.getByLabel('Search').fill('');
    await tab(page, 'overview');
    await until(() => page.locator('[data-do=pause]').isEnabled(), 'it lost its token');
  },
  'two browsers see the same, and one without the token only looks': async () => {
    const { page } = stage;
    const other = await openPage(stage.browser, stage.dash.origin + '/', { ...wide, colorScheme: 'dark' });
    stage.other = other;
    await waitState(other, 'running');
    assert(await other.locator('[data-do=pause]').isDisabled(), 'it could pause without a token');
    await page.locator('[data-do=pause]').click();
    await waitState(other, 'paused');
    await shot(other, 'overview-dark');
    await page.locator('[data-do=continue]').click();
    await waitState(other, 'running');
    const back = await other.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert(/rgb\((\d+)/.exec(back)[1] < 64, `the background is ${back}`);
  },
  'comes back when the server was killed; the crawl went on': async () => {
    const { page, other } = stage;
    const before = await pagesOf(page);
    page.excused = other.excused = true;
    await stage.dash.end('SIGKILL');
    await page.locator('.banner:visible').waitFor();
    await page.waitForTimeout(1500);
    stage.dash = await serveDashboard(brood, ['--root', root, '--port', stage.dash.port]);
    await page.locator('.banner').waitFor({ state: 'hidden' });
    await other.locator('.banner').waitFor({ state: 'hidden' });
    await until(async () => (await pagesOf(page)) > before, 'it does not come back');
    await page.waitForTimeout(500);
    page.excused = other.excused = false;
    // It has a new token: the old one is refused, and the page says so.
    await page.goto(stage.dash.url.replace('#', `#/${stage.id}/overview?`));
    await page.reload();
    await until(() => page.locator('[data-do=pause]').isEnabled(), 'the new token is not taken');
    await other.context().close();
  },
  'maps hosts, and shows which page led to which': async () => {
    const { page } = stage;
    await tab(page, 'map');
    await until(
      async () =>
        (await page.locator('.stage canvas').count()) > 0 && (await drawn(page, '.stage canvas')) > 500,
      'the map is empty',
    );
    await shot(page, 'map');
    await page.locator('[data-as=paths]').click();
    await until(async () => (await page.locator('.vrow .name').count()) > 2, 'there are no paths');
    await shot(page, 'paths');
  },
  'works by keyboard': async () => {
    const { page } = stage;
    await page.locator('[role=tab][data-view=map]').focus();
    await page.keyboard.press('ArrowUp');
    assert(
      (await page.evaluate(() => document.activeElement.dataset.view)) === 'results',
      'the arrow does not move',
    );
    await page.locator('.vrow[tabindex="0"]').first().waitFor();
    await until(async () => {
      await page.locator('.vrow[tabindex="0"]').first().focus(); // which may move: the crawl goes on
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowDown');
      return (await page.evaluate(() => document.activeElement.dataset.index)) === '1';
    }, 'the arrow does not go down the list');
    await page.keyboard.press('Enter');
    await page.locator('dialog h2').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    // A picture is moved by keys, and says by a ring that it has the focus.
    await tab(page, 'tree');
    const canvas = page.locator('.stage canvas[data-drawn]');
    await canvas.waitFor();
    await page.locator('.find').focus();
    for (let i = 0; i < 12 && !(await canvas.evaluate((c) => c === document.activeElement)); i++)
      await page.keyboard.press('Tab');
    assert(
      await canvas.evaluate(
        (c) => c.matches(':focus-visible') && getComputedStyle(c).outlineStyle === 'solid',
      ),
      'the picture is not reached by Tab, or does not say so',
    );
    const times = await canvas.getAttribute('data-drawn');
    await page.keyboard.press('+');
    await until(async () => (await canvas.getAttribute('data-drawn')) !== times, 'a key does not zoom');
    // A line of descent opens and closes.
    await page.getByRole('button', { name: 'List', exact: true }).click();
    const closed = page.locator('.vrow[aria-expanded=false]').first();
    const open = await until(() => closed.getAttribute('data-id').catch(() => null), 'nobody has children');
    await closed.focus();
    await page.keyboard.press('ArrowRight');
    await page.locator(`.vrow[data-id="${open}"][aria-expanded=true]`).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.locator(`.vrow[data-id="${open}"][aria-expanded=false]`).waitFor();
  },
  'stops; its numbers are those of the commands': async () => {
    const { page } = stage;
    await tab(page, 'overview');
    await page.locator('[data-do=stop]').click();
    await page.locator('dialog').getByRole('button', { name: 'Stop' }).click();
    await waitState(page, 'finished');
    const { dir } = await api(page, `/api/crawls/${stage.id}`);
    const stats = JSON.parse(run('stats', dir, '--json'));
    const top = JSON.parse(run('top', dir, '-n', '3', '--json'));
    await until(
      async () => (await pagesOf(page)) === stats.pages,
      async () => `${await pagesOf(page)} pages on the page, ${stats.pages} by stats`,
    );
    const small = page.locator('.figure:has([data-figure=alive]) .small');
    const lives = async () => (await small.textContent()).replaceAll(',', '');
    await until(
      async () =>
        (await numberOf(page.locator('[data-figure=alive]'))) === stats.agents.alive &&
        (await lives()).includes(`${stats.agents.born} born`) &&
        (await lives()).includes(`${stats.agents.died} died`),
      async () => `${await lives()}: stats says ${JSON.stringify(stats.agents)}`,
    );
    const figure = (name) => page.locator(`[data-figure=${name}]`).textContent();
    await until(async () => (await figure('mean')) === stats.mean_relevance.toFixed(3), 'the mean differs');
    await until(
      async () => (await figure('energy')) === shownNumber(stats.energy.living),
      'the energy differs',
    );
    await tab(page, 'population');
    for (const [name, value] of [
      ['p-alive', stats.agents.alive.toLocaleString('en')],
      ['p-born', stats.agents.born.toLocaleString('en')],
      ['p-died', stats.agents.died.toLocaleString('en')],
      ['p-energy', shownNumber(stats.energy.living)],
      ['p-left', shownNumber(stats.energy.pages)],
      ['p-earned', shownNumber(stats.energy.earned)],
    ])
      await until(
        async () => (await figure(name)) === value,
        async () => `${name} is ${await figure(name)}, stats says ${value}`,
      );
    await tab(page, 'results');
    await until(
      async () =>
        (await page.locator('.result .url').first().textContent()) ===
        top[0].url.replace(/^https?:\/\//, '').replace(/\/$/, ''),
      'another page is the best',
    );
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download JSONL' }).click(),
    ]);
    const rows = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\n')
      .map((l) => JSON.parse(l));
    assert(
      rows[0].url === top[0].url &&
        rows.length === (await numberOf(page.locator('.view-results .bar [role=status]'))),
      'the download differs from the list',
    );
  },
  'has the tree that the command has': async () => {
    const { page } = stage;
    const { dir } = await api(page, `/api/crawls/${stage.id}`);
    const all = flatten(JSON.parse(run('tree', dir, '--json')));
    await page.evaluate((h) => {
      location.hash = h;
    }, `/${stage.id}/tree`);
    const alive = all.filter((a) => !a.died_at).length;
    const words = `${all.length.toLocaleString('en')} lives, ${alive.toLocaleString('en')} alive`;
    await page.locator('.view-tree .bar .note', { hasText: words }).waitFor();
    await page.getByRole('button', { name: 'List', exact: true }).click();
    await page.locator('.vrow .name').first().waitFor();
    // Somebody is found by name, with the whole way there open; the row says what tree says.
    const deep = all.reduce((a, b) => (b.generation > a.generation ? b : a));
    const dead = all.find((a) => a.died_at);
    for (const agent of [all[0], deep, dead, all[all.length - 1]].filter(Boolean)) {
      await page.getByLabel('Find an agent').fill(agent.name);
      const row = page.locator(`.vrow.found[data-id="${agent.id}"]`);
      await row.waitFor();
      const cells = await row.locator('.name, .cell').allTextContents();
      const expected = [
        agent.name,
        shownNumber(agent.energy),
        agent.pages.toLocaleString('en'),
        agent.died_at ? agent.death : 'alive',
        agent.best ? `${shownNumber(agent.best.relevance)} ${agent.best.title}` : '',
      ];
      assert(cells.join('|') === expected.join('|'), `${cells.join('|')}: tree says ${expected.join('|')}`);
      assert(
        +(await row.getAttribute('aria-level')) === agent.generation + 1,
        `${agent.name} is in another generation`,
      );
    }
    // Births and deaths, as the card has them.
    await page.getByLabel('Find an agent').press('Enter');
    const last = all[all.length - 1];
    await page.locator('dialog h2', { hasText: last.name }).waitFor();
    const times = await page.locator('dialog dl time').evaluateAll((list) => list.map((t) => t.dateTime));
    const known = [last.born_at, last.died_at].filter(Boolean);
    assert(
      known.every((t) => times.includes(t)),
      `${times}: tree says ${known}`,
    );
    await shot(page, 'tree-list');
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
  },
  'shows markup of pages as text': async () => {
    const hostile = await serveWorld(brood, join(work, 'hostile'));
    execFileSync(
      brood,
      [
        'crawl',
        `comet telescope ${HOSTILE}`,
        '--seed',
        'http://hostile.example/p0.html',
        '--model',
        'infospiders',
        '--pages',
        '12',
        '--delay',
        '0',
        '--quiet',
        '--out',
        join(root, 'hostile'),
      ],
      { env: { ...process.env, ...hostile.env }, stdio: 'ignore' },
    );
    await hostile.end();
    const page = await openPage(stage.browser, stage.dash.url, wide);
    const id = await until(
      async () => (await api(page, '/api/crawls')).find((c) => c.name === 'hostile')?.id,
      'the crawl is not listed',
    );
    for (const view of [
      'overview',
      'population',
      'results',
      'tree',
      'tree?as=list',
      'map',
      'map?as=paths',
      'map?host=hostile.example',
      'results?page=1',
      'results?page=1&side=text',
      'results?page=1&side=out',
      'tree?agent=1',
      'compare',
    ]) {
      await page.evaluate((h) => {
        location.hash = h;
      }, `/${id}/${view}`);
      await page.waitForTimeout(900);
      assert(
        (await page.evaluate(() => window.broken)) === undefined,
        `${view}: a script ran (${await page.evaluate(() => window.broken)})`,
      );
      assert(
        (await page.locator('body b:text-is("bold"), main img, dialog img').count()) === 0,
        `${view}: markup became elements`,
      );
      await page.evaluate((h) => {
        location.hash = h;
      }, `/${id}/overview`);
    }
    await page.evaluate((h) => {
      location.hash = h;
    }, `/${id}/results`);
    await page.locator('.result .title', { hasText: '<script>' }).first().waitFor();
    await shot(page, 'hostile');
    page.complaints = page.complaints.filter(
      (c) =>
        !/Blocked script execution|frame-src|Refused to|violates the following|because the document's frame is sandboxed|ERR_BLOCKED_BY/.test(
          c,
        ),
    );
    assert(page.complaints.length === 0, page.complaints.join('\n'));
    assert(
      page.requests.every((r) => r.startsWith(stage.dash.origin) || r.startsWith('data:')),
      'it asked for ' + page.requests.filter((r) => !r.startsWith(stage.dash.origin)).join(' '),
    );
    await page.context().close();
  },
  'tells what an agent is made of': async () => {
    const page = await openPage(stage.browser, stage.dash.url, wide);
    const id = (await api(page, '/api/crawls')).find((c) => c.name === 'hostile').id;
    const { told } = await api(page, `/api/crawls/${id}/agent/1`);
    await page.evaluate((h) => {
      location.hash = h;
    }, `/${id}/tree?agent=1`);
    const bars = page.locator('.told .bars li');
    await bars.first().waitFor();
    assert((await bars.count()) === told.keywords.length, 'not all words are shown');
    for (const [i, k] of told.keywords.entries()) {
      const text = await bars.nth(i).textContent();
      const shown = text.slice(k.word.length).replace('−', '-');
      assert(text.startsWith(k.word), `${text} is not of ${k.word}`);
      assert(Math.abs(+shown - k.weight) < 0.00051, `${k.word}: ${shown} is not ${k.weight}`);
    }
    const nature = await page.locator('.told .facts').first().textContent();
    for (const f of told.facts) assert(nature.includes(f.label), `${f.label} is not shown`);
    await shot(page, 'told');
    await page.context().close();
  },
  'puts crawls side by side': async () => {
    const { page } = stage;
    await tab(page, 'compare');
    await page.locator('.side-by-side').waitFor();
    await until(async () => (await page.locator('.side-by-side thead a').count()) === 2, 'not both of them');
    await shot(page, 'compare');
  },
  'fits a telephone, in light and dark': async () => {
    for (const colorScheme of ['light', 'dark']) {
      const page = await openPage(stage.browser, stage.dash.url, { ...narrow, colorScheme });
      for (const view of [
        'overview',
        'population',
        'tree',
        'results',
        'map',
        'compare',
        'new',
        'results?page=1',
        'tree?agent=1',
      ]) {
        await page.evaluate((h) => {
          location.hash = h;
        }, `/${stage.id}/${view}`);
        await page.waitForTimeout(900);
        await fits(page, view);
        await readable(page, `${colorScheme} ${view}`);
        await shot(page, `narrow-${colorScheme}-${view.replace(/\W/g, '-')}`);
      }
      assert(page.complaints.length === 0, page.complaints.join('\n'));
      await page.context().close();
    }
  },
  'says that a crawl found nothing, and shows titles in the direction of their script': async () => {
    const dir = join(work, 'reefs-site');
    mkdirSync(dir, { recursive: true });
    writeFileSync(
      join(dir, 'index.html'),
      '<!doctype html><meta charset=utf-8><title>الشعاب المرجانية في البحر الأحمر وأثر التبييض عليها</title><p>Coral reefs.',
    );
    run(
      'world',
      'import',
      '--from',
      'dir',
      dir,
      '--url-prefix',
      'http://reefs.example/',
      join(work, 'reefs'),
    );
    const reefs = await serveWorld(brood, join(work, 'reefs'));
    const crawl = (name, path, code) => {
      try {
        execFileSync(
          brood,
          [
            'crawl',
            'coral reefs',
            '--seed',
            `http://reefs.example/${path}`,
            '--delay',
            '0',
            '--quiet',
            '--out',
            join(root, name),
          ],
          { env: { ...process.env, ...reefs.env }, stdio: 'ignore' },
        );
        assert(code === 0, `${name}: exit code 0`);
      } catch (e) {
        assert(e.status === code, `${name}: ${e.message}`);
      }
    };
    crawl('reefs', 'index.html', 0);
    crawl('barren', 'nowhere.html', 3);
    await reefs.end();
    const page = await openPage(stage.browser, stage.dash.url, { viewport: { width: 400, height: 780 } });
    const show = async (name, view) => {
      const id = await until(
        async () => (await api(page, '/api/crawls')).find((c) => c.name === name)?.id,
        'the crawl is not listed',
      );
      await page.evaluate((h) => {
        location.hash = h;
      }, `/${id}/${view}`);
    };
    const direction = (where) => where.evaluate((n) => getComputedStyle(n).direction);
    await show('reefs', 'results');
    const title = page.locator('.result .title').first();
    await title.waitFor();
    assert((await direction(title)) === 'rtl', 'the beginning of a title is cut off');
    await show('reefs', 'overview');
    await page.locator('.finds .title').first().waitFor();
    assert((await direction(page.locator('.finds .title').first())) === 'rtl', 'best finds: the same');
    assert(!(await page.locator('h2:text-is("Nodes")').isVisible()), 'nodes of a crawl that has none');
    for (const view of ['overview', 'results', 'map']) {
      await show('barren', view);
      await page.getByText('The crawl has ended, and no page was stored.').first().waitFor();
    }
    assert(page.complaints.length === 0, page.complaints.join('\n'));
    await page.context().close();
  },
  'has the colours that were chosen': async () => {
    const { page } = stage;
    const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await back();
    await page.locator('.theme').click(); // light
    await page.locator('.theme').click(); // dark
    assert((await back()) !== light, 'it stays light');
    for (const view of ['overview', 'population', 'tree', 'results', 'map', 'compare', 'new']) {
      await tab(page, view);
      await page.waitForTimeout(900);
      await shot(page, `dark-${view}`);
    }
    await page.locator('.theme').click();
    assert((await back()) === light, 'it stays dark');
  },
  'complained of nothing, and asked nobody else': async () => {
    const { page } = stage;
    assert(page.complaints.length === 0, page.complaints.join('\n'));
    const foreign = page.requests.filter(
      (r) => !r.startsWith(`http://127.0.0.1:${stage.dash.port}/`) && !r.startsWith('data:'),
    );
    assert(foreign.length === 0, 'it asked for ' + foreign.slice(0, 5).join(' '));
    assert(page.requests.length > 50, 'it asked for nothing');
  },
};

// Crawls go on without their dashboard: those that a failed test left are ended here.
async function stopCrawls() {
  const headers = { 'X-Brood-Token': stage.dash.url.split('token=')[1], 'Content-Type': 'application/json' };
  const list = await fetch(`${stage.dash.origin}/api/crawls`)
    .then((r) => r.json())
    .catch(() => []);
  const live = list.filter((c) => ['running', 'paused'].includes(c.state));
  await Promise.all(
    live.map((c) =>
      fetch(`${stage.dash.origin}/api/crawls/${c.id}/stop`, { method: 'POST', headers, body: '{}' }).catch(
        () => {},
      ),
    ),
  );
}

// ---- the run ----

await perform(stage, {
  work,
  tests,
  pages: () => [stage.page, stage.other],
  end: stopCrawls,
  begin: async () => {
    mkdirSync(shots, { recursive: true });
    mkdirSync(root);
    Object.assign(stage, makeWorlds());
    stage.served = await serveWorld(brood, stage.world, ['--latency', '5ms']);
    stage.dash = await serveDashboard(brood, ['--root', root, '--port', '0']);
  },
});
