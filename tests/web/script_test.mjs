// SPDX-License-Identifier: MIT
// Tests the JavaScript layer of the web player without a browser. Run by ctest: node script_test.mjs SITE REPOSITORY.
// Exits 77 if the site is not built.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import {pathToFileURL} from 'node:url';
import zlib from 'node:zlib';

const [site, repository] = process.argv.slice(2).map((each) => path.resolve(each));
const MODULES = ['pchr-v1.wasm', 'pchr.wasm'].map((name) => path.join(site, name)).filter((file) => fs.existsSync(file));
if (MODULES.length === 0) {
  console.log(`skipped: the web player is not built in ${site}: run ./dev web`);
  process.exit(77);
}
const load = (name) => import(pathToFileURL(path.join(site, name)));
const {createGl} = await load('gl.js');
const {Character, CharacterError} = await load('character.js');
const {fitView, panView, wholeView, zoomView} = await load('view.js');

const compiled = MODULES.map((file) => new WebAssembly.Module(fs.readFileSync(file)));
const asset = (name) => ({name: path.basename(name), bytes: fs.readFileSync(path.join(repository, 'assets', name))});
const open = (files, options) => Character.open(files, {module: compiled[0], ...options});

test('scripts provide exactly the functions that the modules import', () => {
  const imported = new Set();
  for (const {module, name} of compiled.flatMap((each) => WebAssembly.Module.imports(each))) {
    imported.add(`${module}.${name}`);
  }
  const wasi = ['fd_close', 'fd_seek', 'fd_write', 'proc_exit'].map((name) => `wasi_snapshot_preview1.${name}`);
  const known = ['escape.leave', 'escape.run', 'text.decode', ...wasi,
                 ...Object.keys(createGl().functions).map((name) => `gl.${name}`)];
  assert.deepEqual([...imported].filter((name) => !known.includes(name)), [], 'imported, but not provided');
  const unused = known.filter((name) => name.startsWith('gl.') && !imported.has(name));
  assert.deepEqual(unused, [], 'provided, but not imported');
});

test('a character plays, seeks and reports markers of its sidecar', async () => {
  const character = await open([asset('kiri.pchr'), asset('kiri.rig.json')]);
  const walk = character.info.clips.findIndex(({name}) => name === 'walk');
  assert.deepEqual(character.info.clips[walk].markers, [{frame: 0, name: 'step'}, {frame: 15, name: 'step'}]);
  character.setClip(walk, {loop: 'always'});
  assert.deepEqual(character.advance(0.4), []);
  assert.equal(character.frame, 12);
  assert.deepEqual(character.advance(0.7).map(({type, marker}) => [type, marker?.frame]),
                   [['marker', 0], ['marker', 15], ['loop', undefined]]);
  character.setClip(walk, {loop: 'once'});
  assert.deepEqual(character.advance(5).at(-1), {type: 'end'});
  assert.ok(character.ended);
  character.seek(0.5);
  assert.ok(!character.ended);
  assert.equal(character.frame, 15);
  character.setClip(12345);
  assert.equal(character.clip, -1);
  assert.equal(character.joints().length, 4 * character.info.bones.length);
  assert.ok(character.wireframe().length > 6);
  character.close();
});

test('wrong files are rejected with an id, a hint and a place', async () => {
  const kiri = asset('kiri.pchr');
  await assert.rejects(open([{...kiri, bytes: kiri.bytes.subarray(0, 1000)}]), (error) => {
    assert.ok(error instanceof CharacterError);
    assert.equal(error.id, 'E103');
    assert.ok(error.hint.length > 0);
    assert.equal(error.place, 'images[0] (byte 29)');
    return true;
  });
  await assert.rejects(open([]), CharacterError);
  await assert.rejects(open([kiri], {maxBytes: 1000}), CharacterError);
  const wrong = {name: 'kiri.rig.json', bytes: Buffer.from('{"markers": [{"clip": "fly", "frame": 1, "name": "x"}]}')};
  await assert.rejects(open([kiri, wrong]), /fly/);
  await assert.rejects(open([kiri, {...wrong, bytes: Buffer.from('{')}]), /kiri\.rig\.json/);
});

test('a character that failed or was closed stays unusable', async () => {
  const character = await open([asset('quad.pchr')]);
  character.close();
  assert.throws(() => character.advance(1), /closed/);
  character.close();
  // A module whose functions trap.
  const broken = new WebAssembly.Module(trappingModule());
  await assert.rejects(Character.open([asset('quad.pchr')], {module: broken}), CharacterError);
});

test('loading stops when it is aborted', async () => {
  const controller = new AbortController();
  controller.abort();
  await assert.rejects(open([asset('quad.pchr')], {signal: controller.signal}), {name: 'AbortError'});
});

test('a character that can be saved tells the size of its images, and others say why not', async () => {
  const character = await open([asset('kiri.pchr')], {module: compiled[1]});
  const walk = character.info.clips.findIndex(({name}) => name === 'walk');
  const {width, height} = character.imageSize({clip: walk, scale: 2});
  const [left, bottom, right, top] = character.info.clips[walk].bounds;
  assert.ok(Math.abs(width - 2 * (right - left)) < 3 && Math.abs(height - 2 * (top - bottom)) < 3);
  assert.notEqual(character.imageSize({clip: -1}).width, character.imageSize({clip: walk}).width);
  assert.throws(() => character.imageSize({scale: 14}), /pixels is too large: at most 8192 per side and 64 million/);
  for (const scale of [0, -1, NaN]) assert.throws(() => character.imageSize({scale}), /above 0/);
  const small = await open([asset('kiri.pchr')]);
  assert.throws(() => small.imageSize(), /full/);
  await assert.rejects(small.save({format: 'png'}), /full/);
  assert.equal(small.frame, 0);
});

test('docs/web.md states what pages download', {skip: MODULES.length < 2}, () => {
  const text = fs.readFileSync(path.join(repository, 'docs/web.md'), 'utf8');
  const scripts = ['pchr-player', 'character', 'controls', 'gl', 'module', 'view'].map((name) => `${name}.js`);
  const sizes = (names) => names.map((name) => fs.readFileSync(path.join(site, name))).reduce(
    ([raw, packed], bytes) => [raw + bytes.length, packed + zlib.gzipSync(bytes, {level: 9}).length], [0, 0]);
  const stated = [...text.matchAll(/^\| `<pchr-player>`, .* \| (\d+) \| (\d+) \| \**(\d+)\**/gm)];
  assert.equal(stated.length, 2);
  for (const [i, name] of ['pchr-v1.wasm', 'pchr.wasm'].entries()) {
    const found = [sizes(scripts)[0], sizes([name])[0], sizes([...scripts, name])[1]];
    // Compilers differ.
    for (const [j, bytes] of found.entries()) {
      const kilobytes = Number(stated[i][j + 1]);
      assert.ok(Math.abs(bytes / 1000 / kilobytes - 1) < 0.03, `${name}: ${kilobytes} kB stated, ${bytes} bytes found`);
    }
  }
});

test('views fit, move and zoom', () => {
  assert.deepEqual(fitView([-10, 0, 10, 10], 200, 300), {center: [0, 5], zoom: 9});
  assert.deepEqual(fitView(null, 200, 300), {center: [0, 0], zoom: 1});
  assert.deepEqual(fitView([5, 5, 5, 5], 200, 300).zoom, 1);
  assert.deepEqual(panView({center: [0, 0], zoom: 2}, 10, -4), {center: [-5, -2], zoom: 2});
  // The world point 50 pixels right of the center and 20 above it stays there.
  const {center, zoom} = zoomView({center: [1, 2], zoom: 2}, 4, 50, -20);
  assert.equal(zoom, 8);
  assert.deepEqual([center[0] + 50 / zoom, center[1] + 20 / zoom], [1 + 25, 2 + 10]);
  // Texels become whole pixels: edges of the canvas are at whole texels.
  const whole = wholeView({center: [0.3, 0], zoom: 3.7}, 101, 100);
  assert.equal(whole.zoom, 3);
  assert.equal(Number.isInteger(Math.round(1e9 * (101 / 2 - whole.center[0] * 3)) / 1e9), true);
  assert.equal(wholeView({center: [0, 0], zoom: 0.4}, 100, 100).zoom, 1 / 3);
});

/** Returns a module that exports `memory` and an `_initialize` that traps. */
function trappingModule() {
  const text = (name) => [name.length, ...Buffer.from(name)];
  const section = (id, bytes) => [id, bytes.length, ...bytes];
  return Uint8Array.from([
    0, 0x61, 0x73, 0x6D, 1, 0, 0, 0,
    ...section(1, [1, 0x60, 0, 0]),                                                     // A type without parameters.
    ...section(3, [1, 0]),                                                              // One function of that type.
    ...section(5, [1, 0, 1]),                                                           // One page of memory.
    ...section(7, [2, ...text('memory'), 2, 0, ...text('_initialize'), 0, 0]),          // The exports.
    ...section(10, [1, 3, 0, 0x00, 0x0B]),                                              // Its code: unreachable.
  ]);
}
