// crew.mjs - the view of a crew in a real browser (Chromium by playwright-core).
//
//   node crew.mjs BROOD DIR
//
// A world is served and crawled by a crew of two groups while the page looks at it: groups,
// contracts, lattices. After the end everything is what `brood show --json` says.
// Screenshots go to DIR, for people to look at. Speaks TAP; skipped where Chromium or
// playwright-core is not installed. SPDX-License-Identifier: MIT
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { assert, openPage, perform, serveDashboard, serveWorld, start, until } from './support.mjs';

const [brood, into] = process.argv.slice(2);
const shots = resolve(into);
const work = mkdtempSync(join(tmpdir(), 'brood-crew-'));
const root = join(work, 'crawls');
const dir = join(root, 'crew');
const run = (...args) =>
  execFileSync(brood, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1e8 });
const json = (...args) => JSON.parse(run(...args, '--json'));
const wide = { viewport: { width: 1280, height: 860 } };
const narrow = { viewport: { width: 375, height: 740 }, deviceScaleFactor: 2, hasTouch: true };
const stage = {};

const shot = (page, name) => page.screenshot({ path: join(shots, `${name}.png`) });
const api = (page, path) =>
  page.evaluate((p) => fetch(p).then((r) => r.json()), `/api/crawls/${stage.id}/${path}`);
const see = (page, hash) =>
  page.evaluate((h) => {
    location.hash = h;
  }, `/${stage.id}/crew${hash}`);
const texts = (locator) => locator.allTextContents();
const stateOf = (page) => page.locator('.head [data-state]').getAttribute('data-state');

// Everybody calls, whoever has the best link of its group finds a taker, and judging takes
// so little that a round is over in a moment.
const CREW = {
  groups: 2,
  crawlers: 4,
  interval: '1s',
  threshold: 0.05,
  deadline: '0.5s',
  bid: 'at-most',
  managers: 'all',
  links: 3,
  wordnet: 'none',
};

async function startCrawl({ world, served }) {
  const topic = JSON.parse(run('world', 'info', world, '--json')).topics[0];
  const args = ['crawl', topic.words.slice(0, 4).join(' '), '--model', 'crew', '--out', dir];
  topic.seeds.slice(0, 2).forEach((s) => args.push('--seed', s));
  Object.entries(CREW).forEach(([k, v]) => args.push('--set', `${k}=${v}`));
  // A first line on standard output is waited for: --json prints one a second.
  return start(brood, [...args, '--pages', '2500', '--delay', '300ms', '--json'], served.env);
}

// What `brood show --conversation N --json` says, with the milliseconds of the page.
const milli = (at) => (at ? at.replace(/(\.\d{3})\d*Z/, '$1Z') : null);

const tests = {
  'says that there is no group yet, then shows groups, while the crawl runs': async () => {
    const page = await openPage(stage.browser, stage.dash.url, wide);
    stage.page = page;
    stage.crawl = await startCrawl(stage);
    stage.id = await until(
      async () => (await page.evaluate(() => fetch('/api/crawls').then((r) => r.json())))[0]?.id,
      'the crawl is not listed',
    );
    await see(page, '');
    await page.locator('.view-crew [data-group]').first().waitFor();
    assert((await page.locator('[data-group]').count()) === CREW.groups, 'not two groups');
    assert(
      (await page.locator('.crew-table tbody tr').count()) === CREW.groups * CREW.crawlers,
      'not every crawler has a row',
    );
  },
  'draws abilities as bars against the threshold': async () => {
    const { page } = stage;
    // Somebody is able, and the figure beside the bar is the bar's.
    await until(
      async () => (await api(page, 'crew')).groups.some((g) => g.crawlers.some((a) => a.ability > 0.05)),
      'nobody is able',
    );
    await page.getByText('✓ may call').first().waitFor();
    const rows = page.locator('.crew-table tbody tr');
    const shapes = await rows.evaluateAll((all) =>
      all.map((tr) => {
        const [bar, line] = [tr.querySelector('.ability i'), tr.querySelector('.ability b')];
        const at = tr.querySelector('.ability').getBoundingClientRect();
        return {
          ability: +tr.children[3].textContent,
          bar: bar.getBoundingClientRect().width,
          line: line.getBoundingClientRect().left - at.left,
          says: tr.children[4].textContent,
        };
      }),
    );
    shapes.forEach((s) => {
      const above = s.bar >= s.line - 1;
      assert(
        above === s.ability >= CREW.threshold && above === s.says.startsWith('✓'),
        `the bar and the word differ: ${JSON.stringify(s)}`,
      );
    });
    await shot(page, 'crew-groups');
  },
  'lists contracts as they come, and draws one': async () => {
    const { page } = stage;
    await page.getByRole('button', { name: 'Contracts' }).click();
    await page.locator('.talk').first().waitFor();
    const first = await page.locator('.talk').first().getAttribute('data-conversation');
    await until(
      async () => (await page.locator('.talk').first().getAttribute('data-conversation')) !== first,
      'no contract comes any more',
    );
    await page.locator('.sequence .message').first().waitFor();
    await until(
      async () =>
        (await api(page, 'conversations?contracts=yes&n=5000')).rows.some((c) => c.state === 'done'),
      'no contract was done',
    );
    await shot(page, 'crew-contracts');
  },
  'draws the lattice of an agent, and draws it anew when it has read more': async () => {
    const { page } = stage;
    await page.getByRole('button', { name: 'Lattice' }).click();
    const note = page.locator('.view-crew .stack > .note');
    await until(async () => (await page.locator('.concept').count()) > 5, 'no lattice');
    const pages = async () => parseInt(await note.textContent(), 10);
    const before = await pages();
    await until(async () => (await pages()) > before, 'it stays as it was');
    assert((await page.locator('.lattice line').count()) > 4, 'no edges');
    await shot(page, 'crew-lattice');
  },
  'an agent that has read nothing yet is no error': async () => {
    const { page } = stage;
    const reply = await page.evaluate(
      (id) => fetch(`/api/crawls/${id}/lattice?agent=1`).then((r) => r.status),
      stage.id,
    );
    assert(reply === 200, `the answer is ${reply}`);
  },
  'ends, and everything is still there': async () => {
    const { page } = stage;
    await stage.crawl.end('SIGINT');
    await until(async () => (await stateOf(page)) === 'finished', 'it never ends');
    stage.contracts = json('show', dir, '--conversation');
    await see(page, '');
    const said = page.locator('[data-figure=contracts]');
    await until(
      async () => +(await said.textContent()).replace(/\D/g, '') === stage.contracts.length,
      async () => `${await said.textContent()} contracts, ${stage.contracts.length} by show`,
    );
    await see(page, '?as=contracts');
    await page.locator('.talk').first().waitFor();
    const newest = stage.contracts.at(-1);
    assert(
      (await page.locator('.talk').first().getAttribute('data-conversation')) === String(newest.id),
      'another one is the newest',
    );
  },
  'a conversation is what brood show says': async () => {
    const { page } = stage;
    // One with everything: bids, refusals, an award; and the one with most messages.
    const by = (fn) => [...stage.contracts].sort((a, b) => fn(b) - fn(a))[0];
    const chosen = [
      by((c) => c.messages),
      by((c) => (c.outcome === 'done' ? 1 : 0)),
      by((c) => (c.outcome === 'no-bid' ? c.messages : 0)),
    ];
    for (const { id } of chosen) {
      const show = json('show', dir, '--conversation', String(id));
      await see(page, `?as=contracts&conversation=${id}`);
      await page.getByRole('heading', { name: `Conversation ${id}` }).waitFor();
      await until(
        async () => (await page.locator('.sequence.parties .name').count()) === show.parties.length,
        'parties are missing',
      );
      const names = await texts(page.locator('.sequence.parties .name'));
      assert(names.join() === show.parties.map((p) => p.name).join(), `${names} are others`);
      const kinds = await texts(page.locator('.sequence.parties .kind'));
      assert(kinds.join() === show.parties.map((p) => p.kind).join(), `${kinds} are others`);
      const arrows = await texts(page.locator('.message:not(.late) .what'));
      assert(
        arrows.map((t) => t.replace(/^[✓✕] /, '')).join() === show.messages.map((m) => m.performative).join(),
        `${arrows}\nare not\n${show.messages.map((m) => m.performative)}`,
      );
      const late = show.messages.filter((m) => m.missed).length;
      assert((await page.locator('.message.late').count()) === late, `not ${late} late answers`);
      const got = (await api(page, `messages?conversation=${id}`)).rows;
      got.forEach((m, i) => {
        const same =
          m.at === milli(show.messages[i].at) &&
          m.reply_by === milli(show.messages[i].reply_by) &&
          m.content === show.messages[i].content;
        assert(same, `${JSON.stringify(m)}\nis not\n${JSON.stringify(show.messages[i])}`);
      });
    }
    const refused = page.locator('.message.no');
    await refused.first().waitFor();
    const dash = await refused
      .first()
      .locator('path')
      .evaluate((p) => getComputedStyle(p).strokeDasharray);
    assert(dash !== 'none', 'a refusal is drawn like anything else');
    assert((await refused.first().locator('.what').textContent()).startsWith('✕'), 'nor said');
  },
  'a message is read by keyboard; deadlines and times are there': async () => {
    const { page } = stage;
    const { id } = stage.contracts.find((c) => c.messages > 8);
    await see(page, `?as=contracts&conversation=${id}`);
    await page.getByRole('heading', { name: `Conversation ${id}` }).waitFor();
    const show = json('show', dir, '--conversation', String(id));
    await page.locator('.message').first().focus();
    await page.keyboard.press('ArrowDown');
    const words = await page.locator('.spoken').textContent();
    assert(
      words.includes(show.messages[1].performative) && words.includes(show.messages[1].content),
      `it reads ${words}`,
    );
    assert((await page.locator('.message .at').first().textContent()) === '+0.000 s', 'no time');
    assert(/by \+0\.5\d\d s/.test(await page.locator('.message .by').first().textContent()), 'no deadline');
    await page.getByText('In words').click();
    await until(
      async () => (await page.locator('.messages li').count()) >= show.messages.length,
      'the list is not whole',
    );
    await page.locator('.sequence .party.known').first().click();
    await page.locator('dialog h2', { hasText: show.parties[0].name }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
  },
  'one outcome alone, or all that was said': async () => {
    const { page } = stage;
    await see(page, '?as=contracts');
    await page.getByLabel('Outcome').selectOption('done');
    const done = stage.contracts.filter((c) => c.outcome === 'done').length;
    const note = page.locator('.view-crew .bar [role=status]');
    await until(async () => parseInt(await note.textContent(), 10) === done, `not ${done} are listed`);
    await page.getByLabel('questions too').check();
    await until(async () => (await note.textContent()).includes('conversations'), 'questions are missing');
    await page.locator('.talk .tag', { hasText: 'query-if' }).first().waitFor();
    await shot(page, 'crew-questions');
  },
  'a lattice is what brood show says': async () => {
    const { page } = stage;
    const { groups } = await api(page, 'crew');
    const reader = groups.flatMap((g) => g.crawlers).sort((a, b) => b.pages - a.pages)[0].assistant;
    const show = json('show', dir, '--lattice', reader);
    stage.reader = reader;
    await see(page, `?as=lattice&of=${reader}&n=2000`);
    const all = page.locator('.concept');
    await until(
      async () => (await all.count()) === show.lattice.total,
      async () => `${await all.count()} concepts, ${show.lattice.total} by show`,
    );
    const got = await api(page, `lattice?agent=${reader}&n=5000`);
    assert(JSON.stringify(got.lattice) === JSON.stringify(show.lattice), 'the lattices differ');
    assert(got.agent === show.agent && got.kind === show.kind && got.at === show.at, 'of whom, or when');
    const edges = show.lattice.concepts.reduce((n, c) => n + c.up.length, 0);
    assert((await page.locator('.lattice line').count()) === edges, `not ${edges} edges`);
    // What is above is drawn above.
    const upside = await page
      .locator('.lattice line')
      .evaluateAll((all) => all.filter((l) => +l.getAttribute('y1') >= +l.getAttribute('y2')).length);
    assert(upside === 0, `${upside} edges go upwards`);
    show.lattice.attributes.forEach((w) => assert(!w.startsWith('#'), `${w} is no word`));
  },
  'the largest concepts come first, and how many there are is said': async () => {
    const { page } = stage;
    const { lattice } = json('show', dir, '--lattice', stage.reader);
    const few = Math.min(30, lattice.total - 1); // how many there are depends on what was read so far
    await see(page, `?as=lattice&of=${stage.reader}&n=${few}`);
    await until(async () => (await page.locator('.concept').count()) <= few, 'all are drawn');
    const note = await page.locator('.view-crew .stack > .note').textContent();
    assert(note.includes(`of ${lattice.total}`), `it says ${note}`);
    await page.locator('.concept').nth(1).hover();
    const most = lattice.concepts[1];
    const said = page.locator('.spoken');
    await until(
      async () => (await said.textContent()).startsWith(`${most.intent.join(', ')} – ${most.extent} page`),
      async () => `it says ${await said.textContent()}`,
    );
    await page.mouse.move(5, 5);
    const k = () =>
      page.locator('.lattice > g').evaluate((g) => +/scale\(([\d.]+)/.exec(g.getAttribute('transform'))[1]);
    const before = await k();
    await page.getByLabel('zoom in').click();
    await until(async () => (await k()) > before, 'it does not zoom');
    await page.locator('.concept[tabindex="0"]').focus();
    await page.keyboard.press('ArrowDown');
    const at = await page.evaluate(() => document.activeElement.getAttribute('aria-label'));
    assert(/^\S.*: \d+ pages?$/.test(at), `the focus is on ${at}`);
    assert((await page.locator('.concept.dim').count()) > 0, 'what hangs together does not stand out');
    await page.keyboard.press('0');
    await page.getByRole('button', { name: 'List' }).click();
    await page.locator('.concept-row').first().waitFor();
    const word = most.intent[0];
    await page.getByLabel('Word').fill(word);
    await until(
      async () => (await texts(page.locator('.concept-row .words'))).every((t) => t.includes(word)),
      'others are listed',
    );
    await shot(page, 'crew-list');
  },
  'fits a telephone, in light and dark': async () => {
    for (const colorScheme of ['light', 'dark']) {
      const page = await openPage(stage.browser, stage.dash.url, { ...narrow, colorScheme });
      for (const [name, hash] of [
        ['groups', ''],
        ['contracts', '?as=contracts'],
        ['lattice', '?as=lattice'],
        ['list', '?as=lattice&form=list'],
      ]) {
        await see(page, hash);
        await page.locator('.crew-table, .sequence .message, .concept, .concept-row').first().waitFor();
        await page.waitForTimeout(400);
        const [content, window] = await page.evaluate(() => [
          document.documentElement.scrollWidth,
          innerWidth,
        ]);
        assert(content <= window, `${name}: ${content} of ${window} pixels`);
        await shot(page, `crew-narrow-${colorScheme}-${name}`);
      }
      assert(page.complaints.length === 0, page.complaints.join('\n'));
      await page.context().close();
    }
  },
  'complained of nothing, and asked nobody else': async () => {
    const { page } = stage;
    assert(page.complaints.length === 0, page.complaints.join('\n'));
    const foreign = page.requests.filter((r) => !r.startsWith(stage.dash.origin));
    assert(foreign.length === 0, 'it asked for ' + foreign.slice(0, 5).join(' '));
  },
};

await perform(stage, {
  work,
  tests,
  pages: () => [stage.page],
  begin: async () => {
    mkdirSync(shots, { recursive: true });
    mkdirSync(root);
    stage.world = join(work, 'world');
    run('world', 'make', '--kind', 'topical', '--pages', '3000', '--hosts', '30', '--rng', '7', stage.world);
    stage.served = await serveWorld(brood, stage.world);
    stage.dash = await serveDashboard(brood, ['--root', root, '--port', '0']);
  },
});
