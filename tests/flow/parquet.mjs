// parquet.mjs - what an independent reader (npm `hyparquet`) makes of a Parquet file.
//
//   node parquet.mjs FILE
//
// The rows as a JSON array; times as ISO texts. Exit 77: hyparquet is not installed.
// SPDX-License-Identifier: MIT
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

let hyparquet;
try {
  hyparquet = await import('hyparquet');
} catch {
  process.exit(77);
}
const strict = new TextDecoder('utf-8', { fatal: true });
const bytes = readFileSync(process.argv[2]);
const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
const rows = await hyparquet.parquetReadObjects({
  file,
  compressors: { GZIP: (input) => gunzipSync(input) },
  parsers: { stringFromBytes: (text) => text && strict.decode(text) }, // fails with other bytes
});
console.log(JSON.stringify(rows, (key, value) => (typeof value === 'bigint' ? Number(value) : value)));
