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
const MODULES = ['pchr-v1.wasm', 'pchr-runtime.wasm', 'pchr.wasm'].map((name) => path.join(site, name)).filter((file) => fs.existsSync(file));
if (MODULES.length === 0) {
  console.log(`skipped: the web player is not built in ${site}: run ./dev web`);
  process.exit(77);
}
const load = (name) => import(pathToFileURL(path.join(site, name)));
const {createGl} = await load('gl.js');
const {Character, CharacterError, Playback} = await load('character.js');
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
  const known = ['callback.draw', 'escape.leave', 'escape.run', 'text.decode', ...wasi,
                 ...Object.keys(createGl().functions).map((name) => `gl.${name}`)];
  assert.deepEqual([...imported].filter((name) => !known.includes(name)), [], 'imported, but not provided');
  const unused = known.filter((name) => name.startsWith('gl.') && !imported.has(name));
  assert.deepEqual(unused, [], 'provided, but not imported');
});

test('a character plays, seeks and reports markers of its sidecar', async () => {
  const character = await open([asset('kiri.pchr'), asset('kiri.rig.json')]);
  const walk = character.info.clips.findIndex(({name}) => name === 'walk');
  assert.deepEqual(character.info.clips[walk].markers, [{frame: 0, name: 'step'}, {frame: 15, name: 'step'}]);
  const playback = new Playback(character);
  playback.setClip(walk, {loop: 'always'});
  assert.deepEqual(playback.advance(0.4), []);
  assert.equal(playback.frame, 12);
  assert.deepEqual(playback.advance(0.7).map(({type, marker}) => [type, marker?.frame]),
                   [['marker', 0], ['marker', 15], ['loop', undefined]]);
  playback.setClip(walk, {loop: 'once'});
  assert.deepEqual(playback.advance(5).at(-1), {type: 'end'});
  assert.ok(playback.ended);
  playback.seek(0.5);
  assert.ok(!playback.ended);
  assert.equal(playback.frame, 15);
  playback.setClip(12345);
  assert.equal(playback.clip, -1);
  assert.equal(playback.joints().length, 4 * character.info.bones.length);
  assert.ok(playback.wireframe().length > 6);
  playback.close();
  assert.throws(() => playback.advance(1), /closed/);
  character.close();
});

for (const full of MODULES.length > 2 ? [false, true] : [false]) {
  test(`a character with another bind pose keeps its markers, and the first one its pose${full ? ', fully' : ''}`, async () => {
    const options = {full, module: full ? compiled.at(-1) : compiled[0]};
    const character = await open([asset('kiri.pchr'), asset('kiri.rig.json')], options);
    const walk = character.info.clips.findIndex(({name}) => name === 'walk');
    const other = character.withBindPose('walk:7');
    assert.deepEqual([other.info.bindClip, other.info.bindFrame], [walk, 7]);
    assert.equal(other.info.clips[walk].markers.length, 2);
    const playback = new Playback(other);
    playback.setClip(walk, {loop: 'always'});
    assert.equal(playback.advance(1.1)[0].marker.name, 'step');
    assert.notEqual(character.info.bindClip, walk);
    assert.throws(() => character.withBindPose('fly'), {id: 'E130'});
    const again = other.withBindPose('auto');
    assert.deepEqual(again.info, character.info);
    const bound = await open([asset('kiri.pchr')], {...options, bindPose: 'identity'});
    assert.equal(bound.info.bindClip, -1);
    playback.close();
    for (const each of [character, other, again, bound]) each.close();
    await assert.rejects(open([asset('kiri.pchr')], {...options, bindPose: 'fly'}), {id: 'E130'});
  });
}

test('characters of a page share one module, which is freed with the last of them', async () => {
  const first = await open([asset('quad.pchr')]);
  const second = await open([asset('kiri.pchr')]);
  assert.equal(first.instance, second.instance);
  first.close();
  const third = await open([asset('quad.pchr')]);
  assert.equal(third.instance, second.instance);
  second.close();
  third.close();
  const fourth = await open([asset('quad.pchr')]);
  assert.notEqual(fourth.instance, second.instance);
  fourth.close();
});

test('those who ask for the same URL share a character', async () => {
  const fetched = [];
  const {fetch} = globalThis;
  globalThis.fetch = async (url) => {
    fetched.push(String(url));
    await new Promise((resolve) => setTimeout(resolve));
    return new Response(fs.readFileSync(path.join(repository, 'assets', path.basename(url.pathname))));
  };
  try {
    const url = 'http://localhost/kiri.pchr';
    const options = {module: compiled[0], sources: ['http://localhost/kiri.rig.json']};
    const characters = await Promise.all(Array.from({length: 40}, () => Character.share(url, options)));
    assert.equal(new Set(characters).size, 1);
    assert.deepEqual(fetched.sort(), [url, 'http://localhost/kiri.rig.json']);
    characters.push(await Character.share(url, options));
    const other = await Character.share(url, {...options, bindPose: 'identity'});
    assert.notEqual(other, characters[0]);
    other.close();
    for (const character of characters.slice(1)) character.close();
    assert.ok(characters[0].pointer > 0);
    characters[0].close();
    assert.throws(() => characters[0].pointer, /closed/);
    const again = await Character.share(url, options);
    assert.notEqual(again, characters[0]);
    again.close();

    // One who does not want it any more takes it from nobody else, and all together stop loading.
    fetched.length = 0;
    const controller = new AbortController();
    const wanted = Character.share('http://localhost/quad.pchr', {module: compiled[0]});
    const unwanted = Character.share('http://localhost/quad.pchr', {module: compiled[0], signal: controller.signal});
    controller.abort();
    await assert.rejects(unwanted, {name: 'AbortError'});
    assert.equal((await wanted).info.meshes.length, 1);
    assert.equal(fetched.length, 1);
    await assert.rejects(Character.share('http://localhost/corners.pchr',
                                         {module: compiled[0], signal: AbortSignal.abort()}), {name: 'AbortError'});
    assert.equal((await Character.share('http://localhost/corners.pchr', {module: compiled[0]})).info.clips[0].name, 'sway');
  } finally {
    globalThis.fetch = fetch;
  }
});

test('a context of the page keeps its objects', () => {
  const objects = {program: {}, buffer: {}};
  const calls = [];
  const context = {
    canvas: new EventTarget(),
    getParameter(parameter) {
      calls.push(['get', parameter]);
      return {0x8B8D: objects.program, 0x9240: true, 0x9241: false, 0x9243: 0, 0x80CB: 1, 0x0CF2: 7}[parameter];
    },
    useProgram: (program) => calls.push(['program', program]),
    pixelStorei: (parameter, value) => calls.push([parameter, value]),
    createBuffer: () => objects.buffer,
    texImage2D: () => calls.push('image'),
    isProgram: (program) => program === objects.program,
  };
  for (const name of ['blendEquation', 'blendEquationSeparate', 'blendFunc', 'blendFuncSeparate', 'cullFace',
                      'depthFunc', 'depthMask', 'frontFace']) {
    context[name] = (...values) => calls.push([name, ...values.slice(0, 2)]);
  }
  const gl = createGl();
  const memory = new WebAssembly.Memory({initial: 1});
  gl.setMemory(memory);
  const {functions} = gl;
  const get = (parameter) => {
    functions.GetIntegerv(parameter, 32);
    return new Int32Array(memory.buffer)[8];
  };
  const before = gl.enter(context);
  functions.GenBuffers(1, 16);
  const name = get(0x8B8D);
  functions.TexImage2D(0, 0, 0, 1, 1, 0, 0, 0, 0);
  functions.TexImage2D(0, 0, 0, 1, 1, 0, 0, 0, 0);
  assert.equal(functions.IsProgram(name), 1);
  functions.UseProgram(name);
  gl.leave(before);
  assert.deepEqual(calls.filter(([call]) => call !== 'get'), [
    [0x9240, 0], [0x9241, 0], [0x9243, 0], 'image', 'image', ['program', objects.program],
    [0x9240, true], [0x9241, false], [0x9243, 0]]);

  // What asking would wait for is asked once, and followed from then on, until the context is lost.
  gl.enter(context);
  calls.length = 0;
  assert.deepEqual([get(0x80CB), get(0x80CB), get(0x0CF2)], [1, 1, 7]);
  context.blendFunc(5, 6);
  assert.deepEqual([0x80C9, 0x80C8, 0x80CB, 0x80CA].map(get), [5, 6, 5, 6]);
  context.blendFuncSeparate(1, 2, 3, 4);
  assert.deepEqual([0x80C9, 0x80C8, 0x80CB, 0x80CA].map(get), [1, 2, 3, 4]);
  context.pixelStorei(0x0CF2, 9);
  assert.equal(get(0x0CF2), 9);
  assert.deepEqual(calls, [['get', 0x80CB], ['get', 0x0CF2], ['blendFunc', 5, 6], ['blendFuncSeparate', 1, 2],
                           [0x0CF2, 9]]);
  context.canvas.dispatchEvent(new Event('webglcontextrestored'));
  assert.equal(get(0x80CB), 1);
  gl.leave(null);
  assert.equal(gl.countObjects(), 1);
  gl.forget(context);
  assert.equal(gl.countObjects(), 0);
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
  const options = {module: new WebAssembly.Module(fs.readFileSync(MODULES[0]))};
  const keeps = await open([asset('quad.pchr')], options);
  const {instance} = keeps;
  for (const text of ['{', 'null', '{"markers": {}}', '{"markers": [null]}', '{"bind": null}']) {
    await assert.rejects(open([kiri, {...wrong, bytes: Buffer.from(text)}], options), (error) => {
      assert.match(error.message, /^kiri\.rig\.json: /, text);
      return error instanceof CharacterError;
    });
  }
  keeps.close();
  const later = await open([asset('quad.pchr')], options);
  assert.notEqual(later.instance, instance, 'a rejected character was not closed');
  later.close();
});

test('a character can have a URL without a folder', async () => {
  const character = await Character.load(`data:;base64,${asset('quad.pchr').bytes.toString('base64')}`,
                                         {module: compiled[0], full: false});
  assert.equal(character.info.meshes.length, 1);
  character.close();
});

test('a character that failed or was closed stays unusable', async () => {
  const character = await open([asset('quad.pchr')]);
  character.close();
  assert.throws(() => new Playback(character), /closed/);
  character.close();
  // A module whose functions trap.
  const broken = new WebAssembly.Module(trappingModule());
  await assert.rejects(Character.open([asset('quad.pchr')], {module: broken}), CharacterError);
});

test('when a module fails, its users are told, and later characters get another', async () => {
  const character = await open([asset('quad.pchr')]);
  const {instance} = character;
  let told = 0;
  instance.onFailure(() => ++told);
  instance.onFailure(() => ++told)();
  assert.throws(() => instance.call('web_joints', 2 ** 32 - 65536), CharacterError);
  await null;
  assert.equal(told, 1);
  assert.throws(() => character.withBindPose('identity'), CharacterError);
  character.close();
  const other = await open([asset('quad.pchr')]);
  assert.notEqual(other.instance, instance);
  other.close();
});

test('loading stops when it is aborted', async () => {
  const controller = new AbortController();
  controller.abort();
  await assert.rejects(open([asset('quad.pchr')], {signal: controller.signal}), {name: 'AbortError'});
  await assert.rejects(Character.load('data:,', {module: compiled[0], signal: controller.signal}), {name: 'AbortError'});
});

test('a clip that does not exist leaves nothing of a character in a scene behind', async () => {
  const {Actor, Textures} = await load('actor.js');
  const runtime = await load('runtime.js');
  const character = await runtime.Character.open([asset('quad.pchr')], {module: compiled[1]});
  const textures = new Textures(() => ({}), () => {});
  assert.throws(() => new Actor(character, textures, {clip: 'fly'}), /fly/);
  assert.throws(() => textures.hitImages(character), /not in the scene/);

  // Freeing twice takes nothing from others.
  const [one, other] = [0, 1].map(() => new Actor(character, textures, {clip: 'turn'}));
  one.free();
  one.free();
  assert.ok(textures.hitImages(character));
  other.free();
  assert.throws(() => textures.hitImages(character), /not in the scene/);
  character.close();
});

test('work on one context inside of work on another changes only its own', () => {
  const calls = [];
  const makeContext = (flipped) => {
    const program = {};
    return {
      program, canvas: new EventTarget(),
      getParameter: (parameter) => (parameter === 0x8B8D ? program : flipped),
      pixelStorei: (parameter, value) => calls.push([flipped, parameter, value]),
      texImage2D: () => calls.push([flipped, 'image']),
      useProgram: (used) => assert.equal(used, program),
      bufferData: (...values) => calls.push([flipped, ...values]),
    };
  };
  const [outer, inner] = [makeContext(1), makeContext(2)];
  const gl = createGl();
  const memory = new WebAssembly.Memory({initial: 1});
  gl.setMemory(memory);
  const {functions} = gl;
  const before = gl.enter(outer);
  functions.GetIntegerv(0x8B8D, 32);
  const name = new Int32Array(memory.buffer)[8];
  functions.TexImage2D(0, 0, 0, 1, 1, 0, 0, 0, 0);
  const between = gl.enter(inner);
  functions.TexImage2D(0, 0, 0, 1, 1, 0, 0, 0, 0);
  gl.leave(between);
  functions.UseProgram(name);
  gl.leave(before);
  const set = (context, value) => [0x9240, 0x9241, 0x9243].map((parameter) => [context, parameter, value]);
  assert.deepEqual(calls, [...set(1, 0), [1, 'image'], ...set(2, 0), [2, 'image'], ...set(2, 2), ...set(1, 1)]);

  // No data would be the rest of the memory.
  calls.length = 0;
  gl.enter(outer);
  functions.BufferData(1, 0, 64, 2);
  gl.leave(before);
  assert.deepEqual(calls, [[1, 1, 0, 2]]);
});

test('a character that can be saved tells the size of its images, and others say why not', async () => {
  const character = await open([asset('kiri.pchr')], {module: compiled.at(-1)});
  const walk = character.info.clips.findIndex(({name}) => name === 'walk');
  const {width, height} = character.imageSize({clip: walk, scale: 2});
  const [left, bottom, right, top] = character.info.clips[walk].bounds;
  assert.ok(Math.abs(width - 2 * (right - left)) < 3 && Math.abs(height - 2 * (top - bottom)) < 3);
  assert.notEqual(character.imageSize({clip: -1}).width, character.imageSize({clip: walk}).width);
  assert.deepEqual(character.imageSize(), character.imageSize({clip: 0}));
  assert.throws(() => character.imageSize({scale: 14}), /pixels is too large: at most 8192 per side and 64 million/);
  for (const scale of [0, -1, NaN]) assert.throws(() => character.imageSize({scale}), /above 0/);
  const small = await open([asset('kiri.pchr')]);
  assert.throws(() => small.imageSize(), /full/);
  await assert.rejects(small.save({format: 'png'}), /full/);
});

test('docs/web.md states what pages download', {skip: MODULES.length < 3}, () => {
  const text = fs.readFileSync(path.join(repository, 'docs/web.md'), 'utf8');
  const element = ['pchr-player', 'character', 'gl', 'module', 'stage', 'surface', 'view'];
  const runtime = ['runtime', 'animator', 'geometry', 'memory', 'native', 'render', 'stream', 'character', 'gl', 'module',
                   'surface'];
  const sizes = (names) => names.map((name) => fs.readFileSync(path.join(site, name))).reduce(
    ([raw, packed], bytes) => [raw + bytes.length, packed + zlib.gzipSync(bytes, {level: 9}).length], [0, 0]);
  for (const [row, scripts, modules] of [
    ['`<pchr-player>`, PCHR v1', element, ['pchr-v1.wasm']], ['its controls', ['controls'], []],
    ['`<pchr-player>`, all formats, saving', element, ['pchr.wasm']],
    ['runtime for games, PCHR v1', runtime, ['pchr-runtime.wasm']],
    ['for PixiJS, PCHR v1', [...runtime, 'pixi', 'actor'], ['pchr-runtime.wasm']],
  ]) {
    const files = scripts.map((name) => `${name}.js`);
    const stated = new RegExp(`^\\| ${row} \\| (\\d+) \\| (\\d*) ?\\| \\**(\\d+)\\**`, 'm').exec(text);
    assert.ok(stated, row);
    const found = [sizes(files)[0], sizes(modules)[0], sizes([...files, ...modules])[1]];
    for (const [i, bytes] of found.entries()) {
      const kilobytes = Number(stated[i + 1]);
      // Compilers differ.
      assert.ok(Math.abs(bytes / 1000 - kilobytes) < Math.max(0.03 * kilobytes, 0.6),
                `${row}: ${kilobytes} kB stated, ${bytes} bytes found`);
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
