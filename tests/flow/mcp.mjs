// mcp.mjs - `brood mcp`, asked by the official client of the Model Context Protocol (npm
// @modelcontextprotocol/client) about a real crawl over loopback.
//
//   node mcp.mjs BROOD
//
// SPDX-License-Identifier: MIT
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert, endAll, serveWorld, skipAll, tap, until } from '../browser/support.mjs';

const brood = process.argv[2];
const { Client, LATEST_PROTOCOL_VERSION, StdioClientTransport } = await load();

async function load() {
  try {
    const { Client, LATEST_PROTOCOL_VERSION } = await import('@modelcontextprotocol/client');
    return { Client, LATEST_PROTOCOL_VERSION, ...(await import('@modelcontextprotocol/client/stdio')) };
  } catch {
    return skipAll('@modelcontextprotocol/client is not installed (npm ci), or needs a newer node');
  }
}

const work = mkdtempSync(join(tmpdir(), 'brood-mcp-'));
const root = join(work, 'crawls');
const world = join(work, 'world');
mkdirSync(root);
execFileSync(brood, ['world', 'make', world, '--pages', '200', '--hosts', '5', '--topics', '3']);
const info = JSON.parse(execFileSync(brood, ['world', 'info', world, '--json']));
const topic = info.topics[0].words.slice(0, 3).join(' ');
const web = await serveWorld(brood, world);

// A feed that gets longer: so many entries, each of a page of today.
let entries = 1;
const news = createServer((request, answer) => {
  const entry = (_, i) =>
    `<item><title>zebrafish ${i}</title><link>/${i}</link><pubDate>${new Date().toUTCString()}</pubDate></item>`;
  if (request.url === '/feed')
    answer
      .writeHead(200, { 'content-type': 'application/rss+xml' })
      .end(
        `<rss version="2.0"><channel><title>fish</title>${Array.from({ length: entries }, entry).join('')}</channel></rss>`,
      );
  else if (/^\/\d$/.test(request.url))
    answer.end(
      `<title>zebrafish</title><p>Zebrafish number ${request.url} swims ${'round and '.repeat(request.url[1])}`,
    );
  else answer.writeHead(404).end();
}).listen(0, '127.0.0.1');
await new Promise((done) => news.once('listening', done));

async function connect(args, mode, delay = '0') {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const env = { ...process.env, ...web.env, BROOD_DELAY: delay };
  await client.connect(new StdioClientTransport({ command: brood, args: ['mcp', root, ...args], env }));
  return client;
}

// The parts of an answer: of three the second is the data.
const call = async (client, name, args, options) => {
  const answer = await client.callTool({ name, arguments: args }, options);
  return { ...answer, texts: answer.content.map((c) => c.text) };
};
const data = async (...args) => {
  const answer = await call(...args);
  assert(!answer.isError, answer.texts.join(' '));
  return JSON.parse(answer.texts[1]);
};
const refused = (promise) =>
  promise.then(
    () => '',
    (e) => e.message,
  );

const client = await connect(['--write', '--pages', '50'], { pin: '2026-07-28' });
let best;

const tests = {
  'a crawl is made, and says how far it is': async () => {
    const progress = [];
    const { summary } = await data(
      client,
      'crawl',
      { topic, seeds: [info.topics[0].seeds[0]], pages: 12, name: 'first' },
      { onprogress: (p) => progress.push(p) },
    );
    assert(summary.pages === 12, `it has ${summary.pages} pages`);
    assert(progress.length > 0, 'nothing was said meanwhile');
    assert(
      progress.every((p, i) => p.total === 12 && p.progress > (progress[i - 1]?.progress ?? 0)),
      'it goes on',
    );
  },
  'pages are ranked, found, shown and explained': async () => {
    const top = await data(client, 'top', { n: 5 });
    best = top.find((p) => p.title.includes(' - ')); // a page, no feed
    assert(top.length === 5 && top[0].rank === 1, 'five pages');
    const word = best.title.split(/\s+/)[0];
    const found = await data(client, 'search', { crawl: 'first', words: word });
    assert(
      found.some((p) => p.url === best.url),
      `${best.url} has '${word}' in its title`,
    );
    const shown = await call(client, 'show', { what: best.url });
    assert(shown.texts[1].includes(']('), 'the text as Markdown');
    const facts = await data(client, 'show', { what: best.url, as: 'facts', n: 5 });
    assert(facts.pages[0].url === best.url && facts.links_out.length <= 5, 'its facts');
    const why = await data(client, 'explain', { url: best.url });
    assert(/^taken/.test(why.verdict), why.verdict);
    assert((await data(client, 'stats', {})).pages === 12, 'its figures');
    assert((await data(client, 'tree', {}))[0].children, 'its agents');
    assert(JSON.parse((await call(client, 'crawls', {})).texts[0])[0].crawl === 'first', 'its name');
  },
  'text of strangers stands behind a fence that cannot be foreseen': async () => {
    const fences = [];
    for (let i = 0; i < 2; i++) {
      const { texts } = await call(client, 'show', { what: best.url });
      const [, begin] = texts[0].match(/(<data-[0-9a-f]{16}>)$/);
      assert(texts.length === 3 && texts[2].startsWith(begin.replace('<', '</')), texts[2]);
      fences.push(begin);
    }
    assert(fences[0] !== fences[1], 'another one every time');
  },
  'pages are resources': async () => {
    const { resources } = await client.listResources();
    assert(resources.length >= 10 && resources.every((r) => r.mimeType === 'text/markdown'), 'a list');
    const page = resources.find((r) => r.name === best.url);
    const { contents } = await client.readResource({ uri: page.uri });
    assert(contents[0].text.includes('](') && /<data-/.test(contents[0].text), 'its text');
    assert((await client.listResourceTemplates()).resourceTemplates.length === 1, 'a template');
    const away = 'brood:///..%2Ffirst/page?url=x';
    assert(/no crawl/.test(await refused(client.readResource({ uri: away }))), 'none outside');
  },
  'pages are marked, and what makes no sense is refused in words': async () => {
    const marked = await call(client, 'mark', { url: best.url, relevant: 'no' });
    assert(/irrelevant/.test(marked.texts.join(' ')), marked.texts.join(' '));
    const wrong = [
      ['mark', { url: best.url, relevant: 'maybe' }, /yes\|no\|neither/],
      ['search', { crawl: '../first', words: 'x' }, /no crawl/],
      ['search', { words: 'x', more: 1 }, /no argument 'more'/],
      ['top', { n: 0 }, /1 to 100/],
      ['explain', {}, /url is missing/],
      ['show', { what: 'http://nowhere.example/' }, /knows no URL/],
      ['stop', {}, /not running/],
      ['crawl', { topic, seeds: ['x'], pages: 51 }, /50 here/],
      ['crawl', { topic, seeds: ['http://a.example/'], name: 'first' }, /already/],
    ];
    for (const [name, args, sentence] of wrong) {
      const { isError, texts } = await call(client, name, args);
      assert(isError && sentence.test(texts[0]), `${name}: ${texts[0]}`);
    }
  },
  'a crawl that runs longer than one waits for is stopped by the tool': async () => {
    const slow = await connect(['--write'], { pin: '2026-07-28' }, '20s');
    const args = { topic, seeds: [info.topics[0].seeds[0]], pages: 50, name: 'slow', wait: 0 };
    const { texts } = await call(slow, 'crawl', args);
    assert(/'slow' runs/.test(texts[0]), texts[0]);
    for (let i = 1; i < 4; i++) await call(slow, 'crawl', { ...args, name: `slow${i}` });
    const fifth = await call(slow, 'crawl', { ...args, name: 'slow4' });
    assert(/4 crawls run already/.test(fifth.texts[0]), fifth.texts[0]); // else none could be stopped
    await until(async () => !(await call(slow, 'stop', { crawl: 'slow' })).isError, 'it cannot be stopped');
    await until(
      async () => /"slow","running":false/.test((await call(slow, 'crawls', {})).texts[0]),
      'it goes on',
    );
    await slow.close();
  },
  'a watch answers with what is new since the last look': async () => {
    const from = `http://127.0.0.1:${news.address().port}`;
    const first = { name: 'news', topic: 'zebrafish', seeds: [`${from}/feed`], seconds: 20 };
    const progress = [];
    const look = async (args) => {
      const { isError, texts } = await call(client, 'watch', args, { onprogress: (p) => progress.push(p) });
      assert(!isError, texts.join(' '));
      if (texts.length === 1) return texts[0];
      assert(/<data-/.test(texts[0]), 'titles are data of strangers');
      return texts[1].split('\n').map((line) => JSON.parse(line).url.replace(from, ''));
    };
    assert(String(await look(first)) === '/0', 'the first document');
    assert(/^Nothing is new/.test(await look({ name: 'news' })), 'nothing new');
    entries = 3;
    assert(String((await look({ name: 'news' })).sort()) === '/1,/2', 'two more');
    assert(
      progress.length > 0 && progress.every((p) => /new so far/.test(p.message)),
      'it says how far it is',
    );
    const other = await call(client, 'watch', { name: 'first', seconds: 1 });
    assert(other.isError && /not a watch/.test(other.texts[0]), other.texts[0]);
    const none = await call(client, 'watch', { name: 'none', seconds: 1 });
    assert(none.isError && /what is the topic/.test(none.texts[0]), none.texts[0]);
  },
  'the client chooses the newest revision that it knows': async () => {
    const free = await connect([], 'auto');
    assert(free.getProtocolEra() === 'modern', free.getProtocolEra());
    assert(free.getNegotiatedProtocolVersion() === '2026-07-28', free.getNegotiatedProtocolVersion());
    await free.close();
  },
  'a client of an earlier revision reads, and may not write': async () => {
    const earlier = await connect([], 'legacy');
    assert(earlier.getNegotiatedProtocolVersion() === LATEST_PROTOCOL_VERSION, 'the newest of those');
    assert(earlier.getServerVersion().name === 'brood', 'who it is');
    const { tools } = await earlier.listTools();
    assert(tools.length === 7 && tools.every((t) => t.annotations.readOnlyHint), 'only reading tools');
    assert(
      (await data(earlier, 'search', { crawl: 'first', words: topic.split(' ').join(' OR ') })).length,
      'found',
    );
    const said = await refused(
      earlier.callTool({ name: 'crawl', arguments: { topic, seeds: ['http://a.example/'] } }),
    );
    assert(/--write/.test(said), said);
    await earlier.close();
  },
};

const report = tap(Object.keys(tests).length);
for (const [name, test] of Object.entries(tests)) await report.check(name, test);
await client.close();
news.close();
await endAll();
rmSync(work, { recursive: true, force: true });
process.exit(report.failed);
