// page.mjs - from a click to the frame that shows its answer, in Chromium. See bench/page.
//
// A click is a real one (playwright); the time runs from the event's own time stamp to the
// frame in which shown() is true and has been painted. Beside it stands what the page's thread
// was busy with meanwhile (the browser's own TaskDuration): other work on the machine disturbs
// that less. SPDX-License-Identifier: MIT
import { endAll, launchBrowser, openPage, serveDashboard } from '../tests/browser/support.mjs';

const [brood, dir, times] = process.argv.slice(2);
const TIMES = +times;

// In the page: notes when the last event came, and waits for a painted frame.
const HELPERS = () => {
  let since = 0;
  for (const kind of ['click', 'input', 'change', 'keydown', 'wheel'])
    addEventListener(kind, (e) => { since = e.timeStamp; }, { capture: true, passive: true }); // prettier-ignore
  window.armed = (shown) => {
    since = 0;
    window.outcome = new Promise((done) => {
      const look = () => {
        if (since > 0 && shown()) {
          const post = new MessageChannel(); // its message comes after the frame is painted
          post.port1.onmessage = () => done(performance.now() - since);
          post.port2.postMessage(0);
        } else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
  };
  window.began = (now) => {
    since = now;
  };
};

const page_ = {}; // page, cdp, id

const busy = async () => {
  const { metrics } = await page_.cdp.send('Performance.getMetrics');
  return 1000 * metrics.find((m) => m.name === 'TaskDuration').value;
};

// One click: `act` does it, `shown` (run in the page) says when the answer is there.
async function once({ before, act, shown, arg }) {
  const { page } = page_;
  await before?.(page);
  await page.waitForTimeout(250); // what came before has settled
  await page.evaluate(
    ([code, a]) => {
      const fn = new Function('a', 'was', `return (${code})(a, was)`);
      const drawn = () => +(document.querySelector('.stage canvas')?.dataset.drawn || 0);
      const was = {
        drawn: drawn(),
        first: document.querySelector('.result .url')?.textContent,
        total: document.querySelector('.view-results .bar [role=status]')?.textContent,
      };
      window.armed(() => fn(a, was));
    },
    [shown.toString(), arg],
  );
  const start = await busy();
  await act(page);
  const ms = await Promise.race([
    page.evaluate(() => window.outcome),
    new Promise((_, no) => setTimeout(() => no(new Error('no answer in 20 s')), 20000)),
  ]);
  return { ms, busy: (await busy()) - start };
}

const go = (view) => async (page) => {
  await page.evaluate((h) => { location.hash = h; }, `/${page_.id}/${view}`); // prettier-ignore
  await page.waitForTimeout(600);
};
const tab = (name) => (page) => page.locator(`[role=tab][data-view=${name}]`).click();
const drawnAgain = (a, was) => +document.querySelector('.stage canvas').dataset.drawn > was.drawn;
const totalDiffers = (a, was) =>
  document.querySelector('.view-results .bar [role=status]')?.textContent !== was.total &&
  document.querySelector('.result .title');
const rowsDiffer = (a, was) => {
  const url = document.querySelector('.result .url');
  return url && url.textContent !== was.first && !document.querySelector('.result.ghost');
};
const has = (selector) => `() => document.querySelector(${JSON.stringify(selector)})`;
const says = (selector) =>
  `(text) => (document.querySelector(${JSON.stringify(selector)})?.textContent || '').includes(text)`;

const middle = async (page, selector) => {
  const box = await page.locator(selector).first().boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
};

const CLICKS = [
  ['tab Overview', { before: go('compare'), act: tab('overview'), shown: says('[data-figure=pages]'), arg: '100,000' }],
  ['tab Population', { before: go('overview'), act: tab('population'), shown: has('.histogram i') }],
  ['tab Family tree, 10,000 lives', {
    before: go('overview'), act: tab('tree'),
    shown: () => +(document.querySelector('.view-tree canvas')?.dataset.drawn || 0) > 0 && document.querySelector('.view-tree .bar .note').textContent.includes('10,000'),
  }],
  ['tree: zoom in', { before: go('tree'), act: (p) => p.locator('[aria-label="zoom in"]').click(), shown: drawnAgain }],
  ['tree: find by name', { before: async (p) => { await go('tree')(p); await p.locator('.find').fill(''); }, act: (p) => p.locator('.find').fill('Agent7777'), shown: drawnAgain }],
  ['tree: fold all', { before: go('tree'), act: (p) => p.getByRole('button', { name: 'Fold all', exact: true }).click(), shown: drawnAgain }],
  ['tree: only lines that live', { before: async (p) => { await go('overview')(p); await go('tree')(p); }, act: (p) => p.locator('.view-tree [type=checkbox]').click(), shown: drawnAgain }],
  ['tree as a list', { before: async (p) => { await go('overview')(p); await go('tree')(p); }, act: (p) => p.getByRole('button', { name: 'List', exact: true }).click(), shown: has('.outline-row .name') }],
  ['list: open a line of descent', {
    before: async (p) => { await go('overview')(p); await go('tree?as=list')(p); await p.getByRole('button', { name: 'Fold all', exact: true }).click(); },
    act: (p) => p.locator('button.twisty').first().click(), shown: has('.vrow[aria-level="2"]'),
  }],
  ['list: find by number', { before: async (p) => { await go('overview')(p); await go('tree?as=list')(p); }, act: (p) => p.locator('.find').fill('9999'), shown: has('.outline-row.found') }],
  ['open an agent', { before: go('tree?as=list'), act: (p) => p.locator('.outline-row .name').nth(3).click(), shown: says('dialog .dialog-body'), arg: 'What it found' }],
  ['tab Results', { before: go('overview'), act: tab('results'), shown: has('.result .title') }],
  ['results: newest first', { before: go('results'), act: (p) => p.locator('select[name=sort]').selectOption('time'), shown: rowsDiffer }],
  ['results: relevance from 0.5', {
    before: async (p) => { await go('results')(p); if (!(await p.locator('[name=min]').isVisible())) await p.getByRole('button', { name: /Filters/ }).click(); await p.locator('[name=min]').fill('0.5'); },
    act: (p) => p.locator('[name=min]').press('Enter'),
    shown: totalDiffers,
  }],
  ['results: one host', {
    before: async (p) => { await go('overview')(p); await go('results?seed=any')(p); await p.locator('[name=host]').fill('herd-hub.example'); },
    act: (p) => p.locator('[name=host]').press('Enter'),
    shown: totalDiffers,
  }],
  ['results: search a word', { before: async (p) => { await go('results')(p); await p.locator('.search').fill(''); await p.waitForTimeout(300); }, act: (p) => p.locator('.search').fill('telescope'), shown: rowsDiffer }],
  ['results: a word of most pages', { before: async (p) => { await go('results')(p); await p.locator('.search').fill(''); await p.waitForTimeout(300); }, act: (p) => p.locator('.search').fill('the'), shown: totalDiffers }],
  ['results: jump to the end', {
    before: async (p) => { await go('overview')(p); await go('results')(p); },
    act: (p) => p.evaluate(() => { const l = document.querySelector('.vlist'); window.began(performance.now()); l.scrollTop = l.scrollHeight; }),
    shown: () => /98,2/.test(document.querySelector('.vrow:last-child .rank')?.textContent || ''),
  }],
  ['open a page', { before: go('results'), act: (p) => p.locator('.result .title').nth(4).click(), shown: has('dialog iframe.stored') }],
  ['page: its text', { before: go('results?page=4711'), act: (p) => p.getByRole('tab', { name: 'Text' }).click(), shown: has('.stored-text pre') }],
  ['tab Map, 300 hosts', { before: go('overview'), act: tab('map'), shown: () => +(document.querySelector('.view-map canvas')?.dataset.drawn || 0) > 0 && /300 hosts/.test(document.querySelector('.view-map .bar').textContent) }],
  ['map: zoom in', { before: async (p) => { await go('map')(p); await p.waitForTimeout(2500); }, act: (p) => p.locator('[aria-label="zoom in"]').click(), shown: drawnAgain }],
  ['map: a host', {
    before: async (p) => { await go('map')(p); await p.waitForTimeout(2000); },
    act: async (p) => { const [x, y] = await middle(p, '.stage canvas'); for (let i = 0; i < 40; i++) { await p.mouse.move(x + 9 * i, y + 5 * (i % 7)); if (await p.locator('canvas.pointing').count()) break; } await p.mouse.down(); await p.mouse.up(); },
    shown: () => location.hash.includes('host=') && +(document.querySelector('.view-map canvas')?.dataset.drawn || 0) > 0 && / pages,/.test(document.querySelector('.view-map .bar').textContent),
  }],
  ['map: search paths', { before: go('map'), act: (p) => p.locator('[data-as=paths]').click(), shown: has('.outline-row .name') }],
  ['theme', { before: go('tree'), act: (p) => p.locator('.theme').click(), shown: drawnAgain }],
]; // prettier-ignore

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor((list.length - 1) / 2)];

const browser = await launchBrowser();
let longest = ['', 0, 0];
try {
  const dash = await serveDashboard(brood, [
    dir,
    '--port',
    '0',
    '--root',
    dir,
    ...(process.env.PAGE ? ['--page', process.env.PAGE] : []),
  ]);
  const [{ id }] = await (await fetch(`${dash.origin}/api/crawls`)).json();
  while (!(await fetch(`${dash.origin}/api/crawls/${id}/pages?n=1`)).ok); // read once
  const page = await openPage(browser, dash.url, { viewport: { width: 1440, height: 900 } });
  await page.evaluate(HELPERS);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable');
  Object.assign(page_, { page, cdp, id });
  console.log(
    `${'ms from a click to its answer'.padEnd(34)}${'median'.padStart(9)}${'longest'.padStart(9)}${'busy'.padStart(9)}`,
  );
  for (const [name, click] of CLICKS.filter(([n]) => n.includes(process.env.ONLY || ''))) {
    const got = [];
    try {
      for (let i = 0; i < TIMES; i++) {
        got.push(await once(click));
        if (await page.locator('dialog').count()) await page.keyboard.press('Escape');
        await page.locator('dialog').waitFor({ state: 'detached' });
      }
    } catch (e) {
      console.log(`${name.padEnd(34)} ${e.message.split('\n')[0]}`);
      continue;
    }
    const all = got.map((g) => g.ms);
    const most = Math.max(...all);
    if (median(all) > longest[1]) longest = [name, median(all), most];
    console.log(
      name.padEnd(34) +
        [median(all), most, median(got.map((g) => g.busy))].map((v) => v.toFixed(1).padStart(9)).join(''),
    );
  }
  console.log(`longest median: ${longest[0]}, ${longest[1].toFixed(1)} ms`);
  if (page.complaints.length) console.log(page.complaints.join('\n'));
} finally {
  await browser.close();
  await endAll();
}
