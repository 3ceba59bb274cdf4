// report.mjs - a lab report in a real browser (Chromium by playwright-core).
//
//   node report.mjs MAKE_REPORT DIR
//
// MAKE_REPORT writes the report that is looked at (tests/unit/lab/make_report.c);
// its names are hostile on purpose. Screenshots go to DIR, for people to look at:
// light, dark, narrow, print. Speaks TAP; skipped where Chromium or playwright-core
// is not installed.
// SPDX-License-Identifier: MIT
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { assert, launchBrowser, openPage, skipAll, tap } from './support.mjs';

const [maker, into] = process.argv.slice(2);
const dir = resolve(into);

const open = (browser, file, options) =>
  openPage(browser, pathToFileURL(file).href, { offline: true, ...options });

// Of every canvas: its size, and how many of its dots are drawn, in how many colours.
const canvases = (page) =>
  page.$$eval('.chart canvas', (list) =>
    list.map((c) => {
      const dots = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
      const colours = new Set();
      let drawn = 0;
      for (let i = 0; i < dots.length; i += 4) {
        if (dots[i + 3] < 200) continue;
        drawn++;
        colours.add(((dots[i] >> 4) << 8) | ((dots[i + 1] >> 4) << 4) | (dots[i + 2] >> 4));
      }
      return { width: c.width, shown: c.clientWidth, drawn, colours: colours.size };
    }),
  );

// What a person looks at: NAME-0.png from the first selector on, and so forth.
async function shots(page, name, selectors) {
  for (const [i, selector] of selectors.entries()) {
    await page
      .locator(selector)
      .first()
      .evaluate((e) => e.scrollIntoView());
    await page.screenshot({ path: join(dir, `${name}-${i}.png`) });
  }
}

const widths = (page) => page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);

const tests = {
  'opens without a complaint and loads nothing': async (page) => {
    assert(page.complaints.length === 0, page.complaints.join('\n'));
    assert(page.requests.length === 1, 'it asked for ' + page.requests.join(' '));
  },
  'has every figure of the tables in the terminal': async (page) => {
    const shown = await page.textContent('#worlds');
    const figures = inTerminal.match(/\d+\.\d+ \u00b1 \d+\.\d+/g);
    assert(figures.length > 20, `only ${figures.length} figures in the terminal`);
    for (const figure of figures) assert(shown.includes(figure), `${figure} is missing`);
  },
  'has names as text, never as markup': async (page) => {
    assert((await page.$$eval('img, iframe, object, b', (l) => l.length)) === 0, 'a name became an element');
    assert((await page.$$eval('script', (l) => l.length)) === 2, 'there are scripts that are not ours');
    const text = await page.textContent('main');
    assert(text.includes('<script>alert(1)</script>'), 'the name of the world is not there as it was given');
  },
  'draws a curve for every metric, sharp enough for print': async (page) => {
    const all = await canvases(page);
    assert(all.length === 8, `${all.length} charts, not 2 worlds x 4 metrics`);
    for (const c of all) {
      assert(c.drawn > 3000, `a chart has only ${c.drawn} dots`);
      assert(c.width >= 2 * c.shown, 'a canvas has fewer than 2 dots a pixel');
    }
    assert(all[0].colours > 8, `the first chart has only ${all[0].colours} colours`);
  },
  'hides and shows a curve by its key': async (page) => {
    const before = (await canvases(page))[0].drawn;
    const key = page.locator('.legend .key').nth(9);
    await key.click();
    const after = (await canvases(page))[0].drawn;
    assert((await key.getAttribute('aria-pressed')) === 'false', 'the key does not say so');
    assert(after < before, `${before} dots before, ${after} after`);
    await key.click();
    assert((await canvases(page))[0].drawn === before, 'it does not come back');
  },
  'shows the figures under the pointer': async (page) => {
    const over = page.locator('.chart .u-over').first();
    await over.scrollIntoViewIfNeeded();
    const box = await over.boundingBox();
    await page.mouse.move(box.x + box.width * 0.7, box.y + box.height * 0.5);
    await page.waitForFunction(
      () => document.querySelector('.chart .tip').querySelectorAll('tr').length === 10,
    );
    await page.screenshot({ path: join(dir, 'pointer.png') });
    await page.mouse.move(0, 0);
  },
  'sorts the table by topic': async (page) => {
    const table = page.locator('table.sortable').first();
    await table.evaluate((t) => {
      t.closest('details').open = true;
    });
    await table.locator('thead th').nth(2).click();
    const values = await table
      .locator('tbody tr')
      .evaluateAll((rows) => rows.map((r) => +r.cells[2].dataset.v));
    assert(
      values.every((v, i) => i === 0 || v <= values[i - 1]),
      'not from the largest down',
    );
    await table.evaluate((t) => {
      t.closest('details').open = false;
    });
  },
  'fits a wide screen': async (page) => {
    const [content, window] = await widths(page);
    assert(content <= window, `${content} of ${window} pixels`);
    await shots(page, 'light', ['header', '#claims', '#w1', '#w1 .matrix', '#parameters']);
  },
};

async function isDark(browser, file) {
  const page = await open(browser, file, { colorScheme: 'dark', viewport: { width: 1280, height: 1200 } });
  const back = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await shots(page, 'dark', ['#claims', '#w1', '#w1 .matrix']);
  assert(/rgb\((\d+)/.exec(back)[1] < 64, `the background is ${back}`);
  assert(
    (await canvases(page)).every((c) => c.drawn > 3000),
    'curves are missing',
  );
  assert(page.complaints.length === 0, page.complaints.join('\n'));
  // Printed from a dark screen it is white, open and light.
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.waitForFunction(() => document.querySelectorAll('details:not([open])').length === 0);
  const paper = await page.evaluate(
    () =>
      getComputedStyle(document.documentElement).getPropertyValue('--s0') +
      getComputedStyle(document.body).backgroundColor,
  );
  assert(paper.includes('rgb(255, 255, 255)') && paper.includes('#0072b2'), `on paper: ${paper}`);
  await page.context().close();
}

async function isNarrow(browser, file) {
  const page = await open(browser, file, { viewport: { width: 390, height: 800 }, deviceScaleFactor: 2 });
  const [content, window] = await widths(page);
  await shots(page, 'narrow', ['header', '#w1']);
  assert(content <= window, `${content} of ${window} pixels`);
  assert(
    (await canvases(page)).every((c) => c.drawn > 2000),
    'curves are missing',
  );
  await page.context().close();
}

async function prints(browser, file) {
  const page = await open(browser, file, { viewport: { width: 1280, height: 1200 } });
  const path = join(dir, 'report.pdf');
  await page.pdf({ path, format: 'A4', printBackground: false });
  assert(readFileSync(path).subarray(0, 5).toString() === '%PDF-', 'no PDF');
  assert(statSync(path).size > 100000, 'the PDF is too small to hold curves');
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 680, height: 960 });
  await page.waitForFunction(() => document.querySelectorAll('details:not([open])').length === 0);
  await shots(page, 'print', ['header', '#w1', '#w1 .matrix']);
  assert(
    (await canvases(page)).every((c) => c.drawn > 3000 && c.shown <= 680),
    'curves do not fit the paper',
  );
  await page.context().close();
}

async function helpsWithoutScripts(browser, file) {
  const page = await open(browser, file, { javaScriptEnabled: false });
  const text = await page.textContent('noscript');
  assert(
    text.includes('scripts are off') && text.includes('results.csv'),
    'nothing says where the figures are',
  );
  await page.context().close();
}

// ---- the run ----

const browser = await launchBrowser();
mkdirSync(dir, { recursive: true });
const file = join(dir, 'report.html');
const inTerminal = execFileSync(maker, [file], { encoding: 'utf8' });
if (!readFileSync(file, 'utf8').includes('leeoniya/uPlot')) {
  await browser.close();
  skipAll('brood was built without uPlot');
}
const report = tap(Object.keys(tests).length + 4);
const page = await open(browser, file, { viewport: { width: 1280, height: 1200 } });
for (const [name, run] of Object.entries(tests)) await report.check(name, () => run(page));
await report.check('is dark where the system is, and white on paper', () => isDark(browser, file));
await report.check('fits a narrow screen', () => isNarrow(browser, file));
await report.check('prints, curves and all', () => prints(browser, file));
await report.check('says where the figures are without scripts', () => helpsWithoutScripts(browser, file));
await browser.close();
process.exit(report.failed);
