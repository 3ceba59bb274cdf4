// wabac.mjs - what replayweb.page's own library (npm `@webrecorder/wabac`) finds in a WACZ file.
//
//   node wabac.mjs FILE URL...
//
// Serves the file on loopback, opens it as replayweb.page does, and prints "pages URL..." and for
// each URL its status and how many bytes are replayed. The library keeps what it has read in a
// browser's database, for which npm `fake-indexeddb` stands in. Exit 77: not installed.
// SPDX-License-Identifier: MIT
import http from 'node:http';
import { readFileSync } from 'node:fs';

globalThis.self ??= globalThis;
let wabac;
try {
  await import('fake-indexeddb/auto');
  wabac = await import('@webrecorder/wabac/swlib');
} catch {
  process.exit(77);
}
console.debug = console.info = () => {};
const say = console.log;
console.log = () => {}; // the library tells of its work

const bytes = readFileSync(process.argv[2]);
const server = http.createServer((request, reply) => {
  const range = /bytes=(\d*)-(\d*)/.exec(request.headers.range ?? '');
  let [from, to] = [0, bytes.length - 1];
  if (range && range[1] === '') from = Math.max(0, bytes.length - Number(range[2]));
  if (range && range[1] !== '') from = Number(range[1]);
  if (range && range[1] !== '' && range[2] !== '') to = Math.min(to, Number(range[2]));
  const head = { 'Content-Length': to - from + 1, 'Accept-Ranges': 'bytes' };
  if (range) head['Content-Range'] = `bytes ${from}-${to}/${bytes.length}`;
  reply.writeHead(range ? 206 : 200, head);
  reply.end(request.method === 'HEAD' ? undefined : bytes.subarray(from, to + 1));
});
await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
const url = `http://127.0.0.1:${server.address().port}/c.wacz`;

const loader = new wabac.WorkerLoader({ addEventListener() {} });
await loader._init_db;
const { store } = await loader.addCollection(
  { name: 'c', file: { sourceUrl: url, loadUrl: url } },
  (done, error) => {
    if (error) say('error', error);
  },
);
say(
  'pages',
  (await store.getAllPages())
    .map((page) => page.url)
    .sort()
    .join(' '),
);

const prefix = 'http://localhost/w/c/';
for (const one of process.argv.slice(3)) {
  const request = new wabac.ArchiveRequest(`mp_/${one}`, new Request(`${prefix}mp_/${one}`));
  const reply = await store.getResource(request, prefix, { waitUntil() {} }, { noRedirect: true });
  say(one, reply ? reply.status : 'missing', reply ? (await reply.getBuffer()).length : 0);
}
process.exit(0);
