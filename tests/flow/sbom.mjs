// sbom.mjs - the list of what brood is made of (tools/sbom), judged by the schema of CycloneDX as
// another implementation has it (npm @cyclonedx/cyclonedx-library), and by the facts.
//
//   node sbom.mjs SOURCE BUILD
//
// SPDX-License-Identifier: MIT
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { assert, skipAll, tap } from '../browser/support.mjs';

const [source, build] = process.argv.slice(2);
const { Spec, Validation } = await load();

async function load() {
  if (!existsSync('/usr/bin/dpkg-query')) return skipAll('this is no Debian');
  try {
    return (await import('@cyclonedx/cyclonedx-library')).default;
  } catch {
    return skipAll('@cyclonedx/cyclonedx-library is not installed (npm ci)');
  }
}

const work = mkdtempSync(join(tmpdir(), 'brood-sbom-'));
const make = () =>
  execFileSync(join(source, 'tools/sbom'), [build, join(work, 'licences')], { encoding: 'utf8' });
const text = make();
const bom = JSON.parse(text);
const lock = JSON.parse(readFileSync(join(source, 'package-lock.json'), 'utf8')).packages;
const npm = bom.components.filter((c) => c.purl.startsWith('pkg:npm/'));
const judge = async (document) =>
  new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(JSON.stringify(document));

const tests = {
  async 'the schema of CycloneDX 1.6 accepts it, and refuses it after a change'() {
    const faults = await judge(bom);
    assert(faults === null, JSON.stringify(faults));
    const broken = structuredClone(bom);
    broken.components[0].licenses[0].license = { id: 'no licence' };
    assert((await judge(broken)) !== null, 'a licence that SPDX has not is accepted');
  },

  'it names every library that the program loads'() {
    const files = new Set(bom.components.flatMap((c) => (c.components || []).map((f) => f.name)));
    const loaded = execFileSync('ldd', [join(build, 'src/cli/brood')], { encoding: 'utf8' })
      .split('\n')
      .map((line) => / => (\/\S+)/.exec(line)?.[1])
      .filter(Boolean)
      .map((path) => basename(execFileSync('readlink', ['-f', path], { encoding: 'utf8' }).trim()));
    assert(loaded.length > 20, `only ${loaded.length} libraries`);
    for (const name of loaded) assert(files.has(name), `${name} is missing`);
  },

  'every bundled module has the digest of package-lock.json, and a licence text'() {
    if (existsSync(join(build, 'ui/app.modules'))) assert(npm.length > 5, `only ${npm.length} modules`);
    const texts = readdirSync(join(work, 'licences'));
    for (const c of npm) {
      const digest = Buffer.from(c.hashes[0].content, 'hex').toString('base64');
      assert(lock[`node_modules/${c.name}`].integrity === `sha512-${digest}`, c.name);
      assert(texts.includes(`npm-${c.name}`), `no licence text of ${c.name}`);
    }
  },

  'every module that npm may install has a digest in package-lock.json'() {
    for (const [name, at] of Object.entries(lock))
      assert(name === '' || /^sha512-/.test(at.integrity), `${name} has none`);
  },

  'the same build gives the same bytes'() {
    assert(make() === text, 'they differ');
  },
};

const report = tap(Object.keys(tests).length);
for (const [name, test] of Object.entries(tests)) await report.check(name, test);
rmSync(work, { recursive: true, force: true });
process.exit(report.failed);
