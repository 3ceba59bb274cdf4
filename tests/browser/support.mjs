// support.mjs - what the tests in a browser share: Chromium, TAP, a page that keeps its
// complaints, and processes of brood. SPDX-License-Identifier: MIT
import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';

// Milliseconds after which only something that hangs is meant: a machine with much other work may
// take a hundred times as long as a quiet one.
const PATIENCE = 600_000;

export function skipAll(why) {
  console.log(`1..0 # SKIP ${why}`);
  process.exit(0);
}

// Debian's Chromium, driven by playwright-core.
export async function launchBrowser() {
  const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
    existsSync,
  );
  if (!executablePath) skipAll('Chromium is not installed');
  let chromium;
  try {
    ({ chromium } = await import('playwright-core'));
  } catch {
    skipAll('playwright-core is not installed (npm ci)');
  }
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
    timeout: PATIENCE,
  });
}

export function assert(condition, what) {
  if (!condition) throw new Error(what);
}

// Waits until fn() is true; `what` says what did not come about.
export async function until(fn, what) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const got = await fn();
    if (got) return got;
    if (Date.now() > end) throw new Error(typeof what === 'function' ? await what() : what);
    await new Promise((done) => {
      setTimeout(done, 150);
    });
  }
}

// ---- TAP ----

export function tap(count) {
  let number = 0;
  let failed = 0;
  console.log(`1..${count}`);
  return {
    get failed() {
      return failed;
    },
    async check(name, run) {
      number++;
      try {
        await run();
        console.log(`ok ${number} - ${name}`);
      } catch (e) {
        failed = 1;
        console.log(`not ok ${number} - ${name}`);
        String(e.stack || e.message)
          .split('\n')
          .slice(0, 12)
          .forEach((line) => console.log('# ' + line));
      }
    },
  };
}

// ---- pages ----

// A page of a new context. page.complaints: console errors and warnings, exceptions,
// dialogs; page.requests: every address it asked for, but for what the policy of a document
// kept the browser from asking.
export async function openPage(browser, url, options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.complaints = [];
  page.requests = [];
  page.excused = false; // a time when the server is gone
  const complain = (text) => {
    if (!page.excused) page.complaints.push(text);
  };
  page.on('console', (m) => {
    if (['error', 'warning'].includes(m.type())) complain(`${m.text()} (${m.location().url})`);
  });
  page.on('pageerror', (e) => complain(String(e.stack || e)));
  page.on('dialog', (d) => {
    complain('dialog: ' + d.message());
    d.dismiss();
  });
  page.on('request', (r) => page.requests.push(r.url()));
  page.on('requestfailed', (r) => {
    if (/^csp$|BLOCKED_BY_CSP/.test(r.failure()?.errorText))
      page.requests.splice(page.requests.lastIndexOf(r.url()), 1);
  });
  await page.goto(url);
  return page;
}

// ---- processes ----

const running = new Set();

// Starts a program; the answer has the first line of its standard output, all of them so far
// (said), and end(signal).
export async function start(program, args, env = {}) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  running.add(child);
  let errors = '';
  child.stderr.on('data', (d) => {
    errors = (errors + d).slice(-4000);
  });
  const gone = new Promise((done) => {
    child.on('close', () => {
      running.delete(child);
      done();
    });
  });
  const lines = createInterface({ input: child.stdout });
  const said = [];
  lines.on('line', (line) => said.push(line));
  const first = await new Promise((done, fail) => {
    lines.once('line', done);
    gone.then(() => fail(new Error(`${args.slice(0, 2).join(' ')} ended at once: ${errors}`)));
  });
  return {
    first,
    said,
    child,
    end(signal = 'SIGTERM') {
      child.kill(signal);
      return gone;
    },
  };
}

export const endAll = () =>
  Promise.all(
    [...running].map(
      (child) =>
        new Promise((done) => {
          child.on('exit', done);
          child.kill('SIGKILL');
        }),
    ),
  );

// A world, served; and what a crawl's environment needs to find it.
export async function serveWorld(brood, dir, args = []) {
  const server = await start(brood, ['world', 'serve', dir, '--port', '0', ...args]);
  const port = /port (\d+)/.exec(server.first)[1];
  return { ...server, port, env: { BROOD_ALLOW_PRIVATE: 'yes', BROOD_RESOLVE: `*:80:127.0.0.0/8:${port}` } };
}

// The dashboard: origin, and the address with the token.
export async function serveDashboard(brood, args, env) {
  const server = await start(brood, ['serve', ...args], env);
  const url = /http:\S+/.exec(server.first)[0];
  return { ...server, url, origin: new URL(url).origin, port: new URL(url).port };
}

// ---- a whole test ----

// begin() sets the stage (stage.dash among others), the tests are run one after the other, end()
// clears it; `work` is removed. Windows that a failed test left open on `pages` are closed:
// they are not the next one's concern.
export async function perform(stage, { work, begin, tests, pages = () => [], end }) {
  stage.browser = await launchBrowser();
  try {
    await begin();
    const script = await fetch(`${stage.dash.origin}/app.js`);
    if (!script.ok || (await script.text()).length < 1000)
      skipAll('brood was built without its page (npm ci)');
  } catch (e) {
    await endAll();
    if (/built without its dashboard/.test(e.message)) skipAll('brood was built without its dashboard');
    console.log(`1..1\nnot ok 1 - begins\n# ${String(e.stack).replaceAll('\n', '\n# ')}`);
    process.exit(1);
  }
  const report = tap(Object.keys(tests).length);
  for (const [name, test] of Object.entries(tests)) {
    await report.check(name, test);
    for (const page of pages())
      if (page && !page.isClosed() && (await page.locator('dialog').count()) > 0)
        await page.keyboard.press('Escape');
  }
  await stage.browser.close();
  await end?.();
  await endAll();
  rmSync(work, { recursive: true, force: true });
  process.exit(report.failed);
}
