// identity.mjs - signed requests (brood crawl --identity), judged by an implementation of RFC 9421
// that somebody else wrote (npm http-message-signatures; thumbprints by npm jose).
//
//   node identity.mjs BROOD
//
// SPDX-License-Identifier: MIT
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { assert, skipAll, tap } from '../browser/support.mjs';

const brood = process.argv[2];
const { httpbis, createVerifier, calculateJwkThumbprint } = await load();

async function load() {
  try {
    const { default: signatures } = await import('http-message-signatures');
    return { ...signatures, ...(await import('jose')) };
  } catch {
    return skipAll('http-message-signatures is not installed (npm ci)');
  }
}

const work = mkdtempSync(join(tmpdir(), 'brood-identity-'));
const file = join(work, 'key');
const run = (...args) => spawnSync(brood, args, { encoding: 'utf8' });

// a.example leads to b.example.
const requests = [];
const server = createServer((request, answer) => {
  const { method, headers } = request;
  requests.push({ method, url: `http://${headers.host}${request.url}`, headers });
  if (request.url === '/there') answer.writeHead(302, { location: 'http://b.example/moved?x=1' }).end();
  else if (request.url === '/robots.txt') answer.writeHead(404).end();
  else answer.end('<title>zebrafish</title><p>zebrafish swim <a href="http://a.example/there">there</a>');
}).listen(0, '127.0.0.1');
await new Promise((done) => server.once('listening', done));

// Not execFileSync: the server is in this process.
const crawl = (name, ...args) =>
  new Promise((done) => {
    const options = ['--delay', '0', '--pages', '2', '--quiet', '--allow-private', '--no-index'];
    const where = ['--resolve', `*:80:127.0.0.1:${server.address().port}`, '--out', join(work, name)];
    const seed = ['--seed', 'http://a.example/'];
    spawn(brood, ['crawl', 'zebrafish', ...seed, ...options, ...where, ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
    }).on('close', done);
  });

const directory = () =>
  JSON.parse(readFileSync(join(work, 'www/.well-known/http-message-signatures-directory')));

// The params of a valid signature; else the reason.
async function judge(request) {
  let found;
  const keyLookup = async (params) => {
    found = params;
    const jwk = directory().keys.find((k) => k.kid === params.keyid);
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    return { id: jwk.kid, algs: ['ed25519'], verify: createVerifier(key, 'ed25519') };
  };
  const requiredFields = ['@authority', '@method', '@path'];
  const options = {
    keyLookup,
    requiredFields,
    requiredParams: ['created', 'expires', 'keyid', 'tag', 'nonce'],
  };
  const valid = await httpbis.verifyMessage(options, request).catch((e) => e.message);
  return valid === true ? found : `refused: ${valid}`;
}

const filesOf = (dir) =>
  readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((e) => e.isFile())
    .map((e) => join(e.parentPath ?? e.path, e.name));

const tests = {
  'an identity is made once, and only its owner can read it': async () => {
    assert(run('identity', 'new', file, '--agent', 'https://bot.example.org').status === 0, 'made');
    assert((statSync(file).mode & 0o777) === 0o600, 'mode 600');
    assert(run('identity', 'new', file, '--agent', 'https://bot.example.org').status !== 0, 'once');
    assert(/--agent/.test(run('identity', 'new', `${file}2`, '--agent', 'http://x/').stderr), 'https');
    chmodSync(file, 0o640);
    assert(/chmod 600/.test(run('identity', 'show', file).stderr), 'nobody else');
    chmodSync(file, 0o600);
  },
  'its directory has the public key, under its thumbprint': async () => {
    execFileSync(brood, ['identity', 'publish', file, '--out', join(work, 'www')], { stdio: 'ignore' });
    const [key] = directory().keys;
    assert(key.kid === (await calculateJwkThumbprint(key)), key.kid);
    assert(!('d' in key), 'the private part stays at home');
    assert(run('identity', 'show', file).stdout.includes(key.kid), 'shown');
  },
  'every request is signed, and the verifier agrees': async () => {
    const code = await crawl('signed', '--identity', file, '--purpose', 'a study of fish');
    assert(code === 0 && requests.length >= 4, `${code}, ${requests.length} requests`);
    for (const r of requests) {
      const params = await judge(r);
      assert(params.tag === 'web-bot-auth', `${r.url}: ${params}`);
      assert(params.expires * 1000 - params.created.getTime() === 300000, 'five minutes');
      assert(r.headers['signature-agent'] === 'sig1="https://bot.example.org"', 'its address');
      assert(r.headers['crawl-purpose'] === 'a study of fish', 'its purpose');
    }
    const nonces = requests.map((r) => /nonce="([^"]+)"/.exec(r.headers['signature-input'])[1]);
    assert(new Set(nonces).size === nonces.length, 'a signature for each request');
  },
  'any change of a covered part is refused': async () => {
    const r = requests.find((r) => r.url === 'http://a.example/there');
    const input = r.headers['signature-input'];
    const other = (text) => text.slice(0, -1) + (text.endsWith('A') ? 'B' : 'A');
    const changed = {
      method: { method: 'POST' },
      authority: { url: 'http://evil.example/there' },
      path: { url: 'http://a.example/elsewhere' },
      agent: { headers: { ...r.headers, 'signature-agent': 'sig1="https://evil.example"' } },
      purpose: { headers: { ...r.headers, 'crawl-purpose': 'spam' } },
      expires: {
        headers: { ...r.headers, 'signature-input': input.replace(/expires=\d+/, 'expires=9999999999') },
      },
      created: { headers: { ...r.headers, 'signature-input': input.replace(/created=\d/, 'created=2') } },
      keyid: { headers: { ...r.headers, 'signature-input': input.replace(/keyid="./, other) } },
      tag: { headers: { ...r.headers, 'signature-input': input.replace('web-bot-auth', 'web-bot-uath') } },
      alg: { headers: { ...r.headers, 'signature-input': input.replace('"ed25519"', '"rsa-v1_5-sha256"') } },
      signature: {
        headers: {
          ...r.headers,
          signature: r.headers.signature.replace(/:./, other),
        },
      },
      nonce: { headers: { ...r.headers, 'signature-input': input.replace(/nonce="./, other) } },
      covered: { headers: { ...r.headers, 'signature-input': input.replace(' "@path"', '') } },
    };
    // Each part that the signature says it covers is among them.
    const parts = [...input.matchAll(/"(@?[a-z-]+)"(?:;key="sig1")?(?=[ )])/g)].map((m) => m[1]);
    const known = ['@method', '@authority', '@path', 'signature-agent', 'crawl-purpose'];
    assert(String(parts) === String(known), String(parts));
    assert((await judge(r)).tag, 'as it was');
    for (const [what, change] of Object.entries(changed))
      assert(/^refused/.test(await judge({ ...r, ...change })), what);
  },
  'a redirect to another host is signed anew for it': async () => {
    const from = requests.find((r) => r.url === 'http://a.example/there');
    const to = requests.find((r) => r.url === 'http://b.example/moved?x=1');
    assert((await judge(to)).tag, 'it holds there');
    assert(from.headers.signature !== to.headers.signature, 'another signature');
    assert(/^refused/.test(await judge({ ...to, headers: from.headers })), 'the first one does not');
  },
  'without an identity nothing is signed': async () => {
    requests.length = 0;
    assert((await crawl('plain')) === 0 && requests.length > 0, 'a crawl');
    assert(!requests.some((r) => 'signature' in r.headers || 'signature-agent' in r.headers), 'unsigned');
  },
  'no file of a crawl has the private key': async () => {
    const secret = readFileSync(file, 'utf8').split('\n')[2];
    assert(secret.length > 60, 'a line of PEM');
    const files = filesOf(join(work, 'signed'));
    assert(
      files.some((f) => f.endsWith('.warc.gz')),
      'an archive',
    );
    for (const f of files) {
      const bytes = f.endsWith('.gz') ? gunzipSync(readFileSync(f)) : readFileSync(f);
      assert(!bytes.includes(secret), f);
    }
  },
};

const report = tap(Object.keys(tests).length);
for (const [name, test] of Object.entries(tests)) await report.check(name, test);
server.close();
rmSync(work, { recursive: true, force: true });
process.exit(report.failed);
