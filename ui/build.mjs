// build.mjs - bundles the page: app.js and app.css from src/ and css/.
//
//   node ui/build.mjs OUT-DIR [DEPFILE]       esbuild comes from npm (package.json)
//
// The licences of what is bundled stand at the head of app.js; its names are in app.modules
// (tools/sbom). DEPFILE: for ninja, what it was made from. SPDX-License-Identifier: MIT
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
const [out = '.', depfile] = process.argv.slice(2);

// `import texts from 'brood:models'`: the pages of docs/models, by the names of the models.
const pages = readdirSync(join(root, 'docs/models'))
  .filter((f) => f.endsWith('.md'))
  .map((f) => join(root, 'docs/models', f));
const models = {
  name: 'models',
  setup(b) {
    b.onResolve({ filter: /^brood:models$/ }, () => ({ path: 'models', namespace: 'brood' }));
    b.onLoad({ filter: /.*/, namespace: 'brood' }, () => ({
      loader: 'json',
      contents: JSON.stringify(
        Object.fromEntries(pages.map((f) => [basename(f, '.md'), readFileSync(f, 'utf8')])),
      ),
    }));
  },
};

const options = {
  plugins: [models],
  absWorkingDir: root,
  entryPoints: { app: join(here, 'src/main.js') },
  bundle: true,
  minify: true,
  format: 'iife',
  target: ['chrome100', 'firefox100', 'safari15.4'],
  charset: 'utf8',
  legalComments: 'none',
  metafile: true,
  write: false,
  outdir: resolve(out),
  logLevel: 'warning',
};

// The modules of npm that are in the page.
const modules = (inputs) =>
  [...new Set(inputs.map((f) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(f)?.[1]).filter(Boolean))].sort();

function licences(inputs) {
  return modules(inputs)
    .map((name) => {
      const dir = join(root, 'node_modules', name);
      const file = readdirSync(dir).find((f) => /^licen[cs]e/i.test(f));
      if (!file) throw new Error(`${name} has no licence`);
      return `${name}\n${readFileSync(join(dir, file), 'utf8').trim()}`;
    })
    .join('\n\n');
}

const made = await build(options);
const inputs = Object.keys(made.metafile.inputs);
mkdirSync(out, { recursive: true });
for (const file of made.outputFiles) {
  const name = relative(resolve(out), file.path);
  const head = name.endsWith('.js')
    ? `/*! brood's page. It contains:\n\n${licences(inputs).replaceAll('*/', '* /')}\n*/\n`
    : '';
  writeFileSync(join(out, name), head + file.text);
}
writeFileSync(join(out, 'app.modules'), modules(inputs).join('\n') + '\n');
if (depfile) {
  const used = [
    ...inputs.map((f) => resolve(root, f)),
    ...pages,
    fileURLToPath(import.meta.url),
    join(root, 'package-lock.json'),
  ].filter(existsSync);
  writeFileSync(depfile, `${join(out, 'app.js')}: ${used.map((f) => f.replaceAll(' ', '\\ ')).join(' ')}\n`);
}
