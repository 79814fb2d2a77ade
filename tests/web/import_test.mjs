// SPDX-License-Identifier: MIT
// Imports every script of the npm package where there is no browser, as servers and tests of pages do. Run by ctest:
// node import_test.mjs SITE. Exits 77 if the site is not built.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import {register} from 'node:module';
import path from 'node:path';
import test from 'node:test';
import {pathToFileURL} from 'node:url';

const site = path.resolve(process.argv[2]);
if (!fs.existsSync(path.join(site, 'package.json'))) {
  console.log(`skipped: the web player is not built in ${site}: run ./dev web`);
  process.exit(77);
}
const {exports, files, peerDependencies} = JSON.parse(fs.readFileSync(path.join(site, 'package.json'), 'utf8'));
const scripts = files.filter((name) => name.endsWith('.js'));

// Engines are not part of the package, and are the only packages that it imports. Whatever is imported of them can be
// extended, called and read here.
const names = scripts.flatMap((name) => {
  const imports = fs.readFileSync(path.join(site, name), 'utf8').matchAll(/\bimport\s*\{([^}]*)\}\s*from\s*["'][^."']/g);
  return [...imports].flatMap(([, list]) => list.split(',').map((each) => each.trim().split(' ')[0]));
});
const stand = `const any = new Proxy(class {}, {get: (from, name) => from[name] ?? any, apply: () => any});
  export default any;
  ${[...new Set(names)].filter((name) => name).map((name) => `export const ${name} = any;`).join('\n')}`;
register(`data:text/javascript,${encodeURIComponent(`
  const engines = new Set(${JSON.stringify(Object.keys(peerDependencies))});
  export const resolve = (name, context, next) => engines.has(name)
    ? {url: 'data:text/javascript,' + ${JSON.stringify(encodeURIComponent(stand))}, shortCircuit: true}
    : next(name, context);`)}`);

for (const name of scripts) {
  test(`${name} can be imported without a browser`, async () => {
    for (const missing of ['document', 'HTMLElement', 'customElements', 'window']) assert(!(missing in globalThis), missing);
    assert(Object.keys(await import(pathToFileURL(path.join(site, name)))).length > 0);
  });
}

test('the script of the element exports what its types say', async () => {
  const {Character, CharacterError, Playback, PchrPlayer, setModuleUrl} =
    await import(pathToFileURL(path.join(site, 'pchr-player.js')));
  for (const each of [Character, CharacterError, Playback, PchrPlayer, setModuleUrl]) assert.equal(typeof each, 'function');
});

test('all that package.json exports is there', () => {
  const targets = Object.values(exports).flatMap((target) => typeof target === 'string' ? target : Object.values(target));
  for (const target of targets.filter((each) => !each.includes('*'))) assert(fs.existsSync(path.join(site, target)), target);
});
