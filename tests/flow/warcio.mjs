// warcio.mjs - what an independent reader (npm `warcio`) makes of WARC files.
//
//   node warcio.mjs FILE...
//
// A line a record: TYPE STATUS OFFSET LENGTH DIGEST TARGET, '-' for what there
// is not, then "ok N records". The payload and block digests a record claims
// are computed again: a difference ends the run with 1. Exit 77: warcio is not
// installed and the registry does not answer.
// SPDX-License-Identifier: MIT
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const VERSION = '2.4.11';

async function load() {
  const dir = process.env.BROOD_WARCIO || join(tmpdir(), `brood-warcio-${VERSION}-${process.getuid()}`);
  const entry = join(dir, 'node_modules/warcio/dist/index.js');
  if (!existsSync(entry)) {
    try {
      mkdirSync(dir, { recursive: true });
      execFileSync(
        'npm',
        [
          'install',
          '--no-audit',
          '--no-fund',
          '--no-save',
          '--ignore-scripts',
          '--prefix',
          dir,
          `warcio@${VERSION}`,
        ],
        { stdio: 'ignore', timeout: 120000 },
      );
    } catch {
      process.exit(77);
    }
  }
  return import(pathToFileURL(entry));
}

function base32(bytes) {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  let bits = '',
    out = '';
  for (const b of bytes) bits += b.toString(2).padStart(8, '0');
  for (let i = 0; i < bits.length; i += 5) out += letters[parseInt(bits.slice(i, i + 5).padEnd(5, '0'), 2)];
  return out;
}

const sha1 = (bytes) => 'sha1:' + base32(createHash('sha1').update(bytes).digest());
let failed = 0;

function complain(file, record, what) {
  console.error(`${basename(file)}: ${record.warcType} ${record.warcTargetURI}: ${what}`);
  failed = 1;
}

// The whole block, and the part behind the HTTP header.
function check(file, record, block) {
  const claimed = record.warcHeader('WARC-Block-Digest');
  if (claimed && claimed !== sha1(block)) complain(file, record, 'block digest differs');
  if (record.warcType !== 'response') return;
  const end = block.indexOf('\r\n\r\n');
  if (end < 0) return complain(file, record, 'no HTTP header');
  if (record.warcPayloadDigest !== sha1(block.subarray(end + 4)))
    complain(file, record, 'payload digest differs');
}

const { WARCParser } = await load();
let count = 0;
for (const file of process.argv.slice(2)) {
  const parser = new WARCParser(createReadStream(file), { parseHttp: false });
  for await (const record of parser) {
    const block = Buffer.from(await record.readFully(false));
    check(file, record, block);
    const status = /^HTTP\/1\.[01] (\d{3})/.exec(block.subarray(0, 32).toString('latin1'));
    console.log(
      record.warcType,
      status && record.warcType !== 'request' ? status[1] : '-',
      parser.offset,
      parser.recordLength,
      (record.warcPayloadDigest || '-').replace('sha1:', ''),
      record.warcTargetURI || '-',
    );
    count++;
  }
}
console.log(`ok ${count} records`);
process.exit(failed);
