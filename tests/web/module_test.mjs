// SPDX-License-Identifier: MIT
// Tests the WebAssembly modules without a browser: they give the same results as the native library, and survive any
// file. Run by ctest: node module_test.mjs SITE REPOSITORY PCHR [CONFORMANCE]. Exits 77 if the modules are not built.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';

const [site, repository, tool, conformance] = process.argv.slice(2).map((each) => path.resolve(each));
const MODULES = ['pchr-v1.wasm', 'pchr-runtime.wasm', 'pchr.wasm'].filter((name) => fs.existsSync(path.join(site, name)));
if (MODULES.length === 0) {
  console.log(`skipped: the web player is not built in ${site}: run ./dev web`);
  process.exit(77);
}
const compiled = new Map(MODULES.map((name) => [name, new WebAssembly.Module(fs.readFileSync(path.join(site, name)))]));

/** Calls a module. Its OpenGL does nothing, but succeeds. */
class Instance {
  constructor(name) {
    const write = (pointer, value) => new Int32Array(this.exports.memory.buffer).set([value], pointer >>> 2);
    let objects = 0;
    const create = () => ++objects;
    const generate = (count, pointer) => {
      for (let i = 0; i < count; ++i) write(pointer + 4 * i, create());
    };
    const answers = {
      CreateProgram: create, CreateShader: create,
      GenBuffers: generate, GenSamplers: generate, GenTextures: generate, GenVertexArrays: generate,
      GetShaderiv: (_shader, _parameter, pointer) => write(pointer, 1),
      GetProgramiv: (_program, _parameter, pointer) => write(pointer, 1),
      GetIntegerv: (_parameter, pointer) => write(pointer, 4096),
    };
    this.character = 0;
    const imports = {};
    for (const {module, name: wanted} of WebAssembly.Module.imports(compiled.get(name))) {
      const answer = module === 'gl' ? answers[wanted] : undefined;
      (imports[module] ??= {})[wanted] = (...values) => {
        return answer?.(...values) ?? 0;
      };
    }
    this.exports = new WebAssembly.Instance(compiled.get(name), imports).exports;
    this.exports._initialize();
  }

  put(bytes) {
    const pointer = this.exports.web_alloc(bytes.length);
    new Uint8Array(this.exports.memory.buffer).set(bytes, pointer);
    return pointer;
  }

  /** Opens a file as `character`, and returns the description, or an object with the error. */
  open(bytes, bindPose = 'auto') {
    this.close();
    const pose = Buffer.from(bindPose);
    const posePointer = this.put(pose);
    this.exports.web_set_bind_pose(posePointer, pose.length);
    this.exports.web_free(posePointer);
    const text = Buffer.from('character');
    const pointer = this.put(text);
    this.exports.web_add_file(pointer, text.length, this.put(bytes), bytes.length);
    this.character = this.exports.web_open(pointer, text.length, 0);
    this.exports.web_free(pointer);
    const result = this.result();
    assert.equal('error' in result, this.character === 0);
    return result;
  }

  close() {
    this.exports.web_close(this.character);
    this.character = 0;
  }

  /** Returns the JSON text of the last call that has one. */
  result() {
    const start = this.exports.web_text();
    return JSON.parse(Buffer.from(this.exports.memory.buffer, start, this.exports.web_text_length()).toString());
  }

  /** Uses everything of the character that was opened. */
  useAll(info) {
    const {exports, character} = this;
    info.images.forEach((_image, i) => exports.web_image_pixels(character, i));
    const player = exports.web_player_create(character);
    for (let clip = -1; clip < Math.min(info.clips.length, 4); ++clip) {
      exports.web_set(player, clip, 1, 1, 1);
      exports.web_advance(player, 0.35);
      exports.web_joints(player);
      exports.web_wireframe(player);
    }
    const renderer = exports.web_renderer_create();
    assert.notEqual(renderer, 0);
    const model = exports.web_model_create(renderer, character);
    if (model !== 0) exports.web_draw(renderer, model, player, 64, 64, 0, 0, 1, 3);
    exports.web_model_free(model);
    exports.web_renderer_free(renderer);
    exports.web_player_free(player);
  }
}

const read = (...parts) => fs.readFileSync(path.join(...parts));
const SAMPLES = ['kiri', 'corners', 'quad'];
const sample = (name) => read(repository, 'assets', `${name}.pchr`);

/** Runs the native tool. Files with errors make it exit with 1. */
function native(...options) {
  try {
    return JSON.parse(execFileSync(tool, options, {maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore']}).toString());
  } catch (error) {
    if (error.status !== 1 || error.stdout.length === 0) throw error;
    return JSON.parse(error.stdout.toString());
  }
}

/** PCHR v1 files of a folder that have diagnostics. */
function listFiles(folder) {
  return fs.readdirSync(folder).filter((name) => name.endsWith('.pchr')).sort().map((name) => path.join(folder, name));
}

/** Characters of others, if they are there. */
function listCharacters() {
  const files = SAMPLES.map((name) => path.join(repository, 'assets', `${name}.pchr`));
  if (conformance && fs.existsSync(conformance)) {
    for (const name of fs.readdirSync(conformance)) {
      const file = path.join(conformance, name, `${name}.pchr`);
      if (fs.existsSync(file)) files.push(file);
    }
  }
  return files;
}

/** Returns pseudorandom integers below a limit, always the same ones. */
function makeRandom() {
  let state = 1;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(state / 2 ** 32 * limit);
  };
}

for (const name of MODULES) {
  test(`${name} poses with the same bits as native builds`, () => {
    const instance = new Instance(name);
    for (const character of ['kiri', 'corners']) {
      instance.open(sample(character));
      const golden = read(repository, 'tests', 'golden', `${character}.pose_hash`).toString().trim();
      assert.equal(BigInt.asUintN(64, instance.exports.web_pose_hash(instance.character)).toString(), golden, character);
    }
  });

  test(`${name} describes characters as the native tool does`, () => {
    const instance = new Instance(name);
    for (const file of listCharacters()) {
      const info = instance.open(fs.readFileSync(file));
      const expected = native('inspect', '--json', file);
      assert.deepEqual(info.bounds, expected.bounds, file);
      assert.equal(info.fileBytes, expected.fileBytes, file);
      assert.deepEqual(info.bones.map((bone) => [bone.name, bone.parent]),
                       expected.bones.map((bone) => [bone.name, bone.parent]), file);
      assert.deepEqual(info.clips.map((clip) => [clip.name, clip.frames, clip.seconds, clip.loops, clip.loopStart, clip.bounds]),
                       expected.clips.map((clip) => [clip.name, clip.frames, clip.seconds, clip.loop, clip.loopStart,
                                                       clip.bounds]), file);
      assert.deepEqual(info.images.map((image) => [image.width, image.height]),
                       expected.images.map((image) => [image.width, image.height]), file);
      assert.equal(info.bindClip, expected.bindPose.clip ?? -1, file);
    }
  });

  test(`${name} finds the same problems in PCHR v1 files as the native tool`, () => {
    const files = listFiles(path.join(repository, 'tests', 'diagnostics'));
    if (conformance && fs.existsSync(conformance)) files.push(...listFiles(path.join(conformance, 'malformed')));
    const {files: expected} = native('validate', '--json', ...files);
    let compared = 0;
    for (const {file, diagnostics} of expected) {
      const instance = new Instance(name);
      const result = instance.open(fs.readFileSync(file));
      const ids = (list) => list.map(({id}) => id).sort();
      // The older .pchr is another format, which the small module does not read.
      if (name !== 'pchr.wasm' && (result.error?.id === 'E129' || file.includes('packed'))) continue;
      if (result.error) {
        assert.deepEqual(ids(diagnostics.filter(({severity}) => severity === 'error')), [result.error.id], file);
        assert.ok(result.error.message !== '' && result.error.hint !== '', file);
        const {offset, path: place} = diagnostics.find(({severity}) => severity === 'error');
        assert.deepEqual([result.error.byte, result.error.path], [offset, place ?? ''], file);
      } else if (name !== 'pchr.wasm') {
        // It neither decodes images nor looks for likely mistakes before it draws.
        assert.deepEqual(ids(result.diagnostics), ids(diagnostics.filter(({id}) => id.startsWith('W2'))), file);
        assert.ok(result.diagnostics.every(({message, hint}) => message !== '' && hint !== ''), file);
        const broken = result.images.some((_image, i) => instance.exports.web_image_pixels(instance.character, i) === 0);
        assert.equal(broken, diagnostics.some(({severity}) => severity === 'error'), file);
      } else {
        assert.deepEqual(ids(result.diagnostics), ids(diagnostics), file);
      }
      ++compared;
    }
    assert.ok(compared > 20, `only ${compared} files are PCHR v1`);
  });

  test(`${name} survives files that end anywhere`, () => {
    const instance = new Instance(name);
    for (const [character, step] of [['quad', 1], ['corners', 641]]) {
      const bytes = sample(character);
      for (let length = 0; length < bytes.length; length += step) {
        assert.ok(instance.open(bytes.subarray(0, length)).error, `${character}, ${length} bytes`);
      }
    }
  });

  test(`${name} survives damaged files`, () => {
    const instance = new Instance(name);
    const random = makeRandom();
    let opened = 0;
    for (let i = 0; i < 1500; ++i) {
      const bytes = Buffer.from(sample('quad'));
      for (let count = 1 + random(3); count > 0; --count) bytes[random(bytes.length)] = random(256);
      const info = instance.open(bytes);
      if (info.error) continue;
      ++opened;
      instance.useAll(info);
    }
    assert.ok(opened > 20, `only ${opened} files opened`);
  });

  test(`${name} opens characters with other bind poses`, () => {
    const module = new Instance(name);
    const {exports} = module;
    const opened = module.open(sample('kiri'));
    const hash = exports.web_pose_hash(module.character);
    assert.equal(opened.clips[opened.bindClip].name, 'bind');
    assert.equal(opened.bindGuessed, false);
    const clip = opened.clips.findIndex(({name}) => name === 'walk');
    const changed = module.open(sample('kiri'), 'walk:7');
    assert.deepEqual([changed.bindClip, changed.bindFrame], [clip, 7]);
    assert.notDeepEqual(changed.bounds, opened.bounds);
    assert.notEqual(exports.web_pose_hash(module.character), hash);
    assert.equal(module.open(sample('kiri'), 'walk:700').error.id, 'E130');
    assert.equal(module.open(sample('kiri'), 'identity').bindClip, -1);
    assert.deepEqual(module.open(sample('kiri')), opened);
    assert.equal(exports.web_pose_hash(module.character), hash);
  });

  test(`${name} reports the ends and markers of clips`, () => {
    const module = new Instance(name);
    const {exports} = module;
    const info = module.open(sample('kiri'));
    const clip = info.clips.findIndex(({name}) => name === 'walk');
    const {seconds} = info.clips[clip];
    exports.web_add_marker(module.character, clip, 3);
    const player = exports.web_player_create(module.character);
    const other = exports.web_player_create(module.character);
    const advance = (time) => {
      const count = exports.web_advance(player, time);
      return [...new Uint32Array(exports.memory.buffer, exports.web_events(), 2 * count)];
    };
    exports.web_set(player, clip, 1, 0, 1);
    assert.deepEqual(advance(0.02), []);
    assert.deepEqual(advance(seconds), [2, 0, 0, 1]);
    exports.web_set(player, clip, 0, 0, 1);
    // Players keep what they need.
    module.close();
    exports.web_seek(player, seconds / 2);
    assert.deepEqual(advance(seconds), [1, 0]);
    assert.equal(exports.web_ended(player), 1);
    assert.equal(exports.web_frame(player), info.clips[clip].frames - 1);
    exports.web_seek_frame(player, 3);
    assert.equal(exports.web_frame(player), 3);
    assert.equal(exports.web_ended(player), 0);
    assert.equal(exports.web_frame(other), 0);
  });

  test(`${name} needs no more memory for the fiftieth character than for the tenth`, () => {
    const instance = new Instance(name);
    let bytes = 0;
    for (let i = 0; i < 50; ++i) {
      instance.useAll(instance.open(sample('corners')));
      instance.close();
      if (i === 9) bytes = instance.exports.memory.buffer.byteLength;
    }
    assert.equal(instance.exports.memory.buffer.byteLength, bytes);
  });

  test(`${name} draws many players without allocating`, () => {
    const instance = new Instance(name);
    const {exports} = instance;
    const info = instance.open(sample('kiri'));
    const renderer = exports.web_renderer_create();
    const model = exports.web_model_create(renderer, instance.character);
    const players = info.clips.map((_clip, i) => {
      const player = exports.web_player_create(instance.character);
      exports.web_set(player, i, 1, 1, 1);
      return player;
    });
    const draw = (count) => {
      for (let frame = 0; frame < count; ++frame) {
        for (const player of players) {
          exports.web_advance(player, 1 / 60);
          exports.web_draw(renderer, model, player, 100, 100, 0, 300, 0.2, 3);
        }
      }
    };
    draw(10);
    const bytes = exports.memory.buffer.byteLength;
    draw(90);
    assert.equal(exports.memory.buffer.byteLength, bytes);
  });
}
