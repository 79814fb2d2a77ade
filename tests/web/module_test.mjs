// SPDX-License-Identifier: MIT
// Tests the WebAssembly modules without a browser: they give the same results as the native library, and survive any
// file. Run by ctest: node module_test.mjs SITE REPOSITORY PCHR [CONFORMANCE]. Exits 77 if the modules are not built.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';

const [site, repository, tool, conformance] = process.argv.slice(2).map((each) => path.resolve(each));
const MODULES = ['pchr-v1.wasm', 'pchr.wasm'].filter((name) => fs.existsSync(path.join(site, name)));
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
    this.calls = 0;
    const imports = {};
    for (const {module, name: wanted} of WebAssembly.Module.imports(compiled.get(name))) {
      const answer = module === 'gl' ? answers[wanted] : undefined;
      (imports[module] ??= {})[wanted] = (...values) => {
        ++this.calls;
        return answer?.(...values) ?? 0;
      };
    }
    this.exports = new WebAssembly.Instance(compiled.get(name), imports).exports;
    this.exports._initialize();
  }

  put(bytes) {
    const pointer = this.exports.pchr_alloc(bytes.length);
    new Uint8Array(this.exports.memory.buffer).set(bytes, pointer);
    return pointer;
  }

  /** Opens a file and returns the description, or an object with the error. */
  open(bytes, name = 'character') {
    const text = Buffer.from(name);
    const pointer = this.put(text);
    this.exports.pchr_add_file(pointer, text.length, this.put(bytes), bytes.length);
    const opened = this.exports.pchr_open(pointer, text.length, 0);
    this.exports.pchr_free(pointer);
    const result = this.result();
    assert.equal('error' in result, opened === 0);
    return result;
  }

  /** Returns the JSON text of the last call that has one. */
  result() {
    const start = this.exports.pchr_text();
    return JSON.parse(Buffer.from(this.exports.memory.buffer, start, this.exports.pchr_text_length()).toString());
  }

  /** Uses everything of a character that was opened. */
  useAll(info) {
    const {exports} = this;
    info.images.forEach((_image, i) => exports.pchr_image_pixels(i));
    for (let clip = -1; clip < Math.min(info.clips.length, 4); ++clip) {
      exports.pchr_set(clip, 1, 1, 1);
      exports.pchr_advance(0.35);
      exports.pchr_joints();
      exports.pchr_wireframe();
    }
    if (exports.pchr_start_gl() === 1) {
      exports.pchr_draw(64, 64, 0, 0, 1, 0, 0, 0, 0, 3);
      exports.pchr_stop_gl();
    }
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
      assert.equal(BigInt.asUintN(64, instance.exports.pchr_pose_hash()).toString(), golden, character);
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
      if (name === 'pchr-v1.wasm' && (result.error?.id === 'E129' || file.includes('packed'))) continue;
      if (result.error) {
        assert.deepEqual(ids(diagnostics.filter(({severity}) => severity === 'error')), [result.error.id], file);
        const {offset, path: place} = diagnostics.find(({severity}) => severity === 'error');
        assert.deepEqual([result.error.byte, result.error.path], [offset, place ?? ''], file);
      } else if (name === 'pchr-v1.wasm') {
        // It neither decodes images nor looks for likely mistakes before it draws.
        assert.deepEqual(ids(result.diagnostics), ids(diagnostics.filter(({id}) => id.startsWith('W2'))), file);
        const broken = result.images.some((_image, i) => instance.exports.pchr_image_pixels(i) === 0);
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

  test(`${name} changes the bind pose and keeps the clip and its time`, () => {
    const module = new Instance(name);
    const {exports} = module;
    const opened = module.open(sample('kiri'));
    const hash = exports.pchr_pose_hash();
    const bind = (pose) => {
      const text = Buffer.from(pose);
      const pointer = module.put(text);
      const worked = exports.pchr_set_bind_pose(pointer, text.length);
      exports.pchr_free(pointer);
      return {worked, ...module.result()};
    };
    assert.equal(opened.clips[opened.bindClip].name, 'bind');
    assert.equal(opened.bindGuessed, false);
    const clip = opened.clips.findIndex(({name}) => name === 'walk');
    exports.pchr_set(clip, 1, 0, 1);
    exports.pchr_seek_frame(5);
    exports.pchr_start_gl();
    const changed = bind('walk:7');
    assert.deepEqual([changed.worked, changed.bindClip, changed.bindFrame], [1, clip, 7]);
    assert.notDeepEqual(changed.bounds, opened.bounds);
    assert.equal(exports.pchr_frame(), 5);
    assert.notEqual(exports.pchr_pose_hash(), hash);
    const refused = bind('walk:700');
    assert.deepEqual([refused.worked, refused.error.id], [0, 'E130']);
    assert.equal(bind('identity').bindClip, -1);
    const {worked, ...again} = bind('auto');
    assert.deepEqual(again, opened);
    assert.equal(exports.pchr_pose_hash(), hash);
    exports.pchr_stop_gl();
  });

  test(`${name} reports the ends and markers of clips`, () => {
    const {exports, ...instance} = new Instance(name);
    const module = Object.assign(Object.create(Instance.prototype), instance, {exports});
    const info = module.open(sample('kiri'));
    const clip = info.clips.findIndex(({name}) => name === 'walk');
    const {seconds} = info.clips[clip];
    exports.pchr_add_marker(clip, 3);
    const advance = (time) => {
      const count = exports.pchr_advance(time);
      return [...new Uint32Array(exports.memory.buffer, exports.pchr_events(), 2 * count)];
    };
    exports.pchr_set(clip, 1, 0, 1);
    assert.deepEqual(advance(0.02), []);
    assert.deepEqual(advance(seconds), [2, 0, 0, 1]);
    exports.pchr_set(clip, 0, 0, 1);
    exports.pchr_seek(seconds / 2);
    assert.deepEqual(advance(seconds), [1, 0]);
    assert.equal(exports.pchr_ended(), 1);
    assert.equal(exports.pchr_frame(), info.clips[clip].frames - 1);
    exports.pchr_seek_frame(3);
    assert.equal(exports.pchr_frame(), 3);
    assert.equal(exports.pchr_ended(), 0);
  });

  test(`${name} needs no more memory for the fiftieth character than for the tenth`, () => {
    const instance = new Instance(name);
    let bytes = 0;
    for (let i = 0; i < 50; ++i) {
      instance.useAll(instance.open(sample('corners')));
      instance.exports.pchr_close();
      if (i === 9) bytes = instance.exports.memory.buffer.byteLength;
    }
    assert.equal(instance.exports.memory.buffer.byteLength, bytes);
  });

  test(`${name} draws a crowd without allocating`, () => {
    const instance = new Instance(name);
    const {exports} = instance;
    const info = instance.open(sample('kiri'));
    exports.pchr_set(0, 1, 1, 1);
    assert.equal(exports.pchr_start_gl(), 1);
    const count = 1000;
    const pointer = exports.pchr_alloc(48 * count);
    const draw = (seconds) => {
      const {buffer} = exports.memory;
      for (let i = 0; i < count; ++i) {
        new Uint32Array(buffer, pointer + 48 * i, 1)[0] = i % info.clips.length;
        new Float32Array(buffer, pointer + 48 * i + 4, 11).set([seconds + i / 60, 1, 0, 0, 1, i, 0, 1, 1, 1, 1]);
      }
      exports.pchr_draw_crowd(pointer, count, 1000, 1000, 500, 0, 1, 0, 0, 0, 1);
    };
    for (let i = 0; i < 10; ++i) draw(i / 60);
    const bytes = exports.memory.buffer.byteLength;
    instance.calls = 0;
    for (let i = 10; i < 100; ++i) draw(i / 60);
    assert.equal(exports.memory.buffer.byteLength, bytes);
    assert.ok(exports.pchr_draw_calls() > 0);
    assert.ok(instance.calls > 90);
  });
}
