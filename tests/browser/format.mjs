// format.mjs - is every script and style as prettier writes it? (npx prettier --write FILE)
// SPDX-License-Identifier: MIT
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const root = process.argv[2];
const folders = [
  'ui',
  'ui/src',
  'ui/src/views',
  'ui/css',
  'tests/browser',
  'tests/flow',
  'src/lab/report/page',
];

const prettier = await import('prettier').catch(() => null);
if (!prettier) {
  console.log('1..0 # SKIP prettier is not installed');
  process.exit(0);
}
const options = JSON.parse(await readFile(join(root, 'package.json'))).prettier;
let number = 0;
for (const folder of folders) {
  for (const name of (await readdir(join(root, folder))).filter((n) => /\.(m?js|css)$/.test(n))) {
    const text = await readFile(join(root, folder, name), 'utf8');
    const good = await prettier.check(text, { ...options, filepath: name });
    console.log(`${good ? 'ok' : 'not ok'} ${++number} - ${folder}/${name}`);
  }
}
console.log(`1..${number}`);
