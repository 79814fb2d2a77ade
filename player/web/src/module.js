// SPDX-License-Identifier: MIT
// Compiles and instantiates the WebAssembly modules. Their errors.

import {createGl} from './gl.js';

/**
 * Problem in a file, as `pchr validate` reports it.
 * @typedef {object} Diagnostic
 * @property {string} id  Such as "E114"; empty for failures that no file causes.
 * @property {'error' | 'warning' | 'note'} severity
 * @property {string} message
 * @property {string} hint  What to do about it. Can be empty.
 * @property {string} path  Place in the file, such as "meshes[3].image". Can be empty.
 * @property {number | null} byte  Offset in the file.
 * @property {number} line  0 if unknown.
 * @property {number} column  0 if unknown.
 */

/** Error in a file, or in the use of one. */
export class CharacterError extends Error {
  /** @param {Partial<Diagnostic>} diagnostic @param {ErrorOptions} [options] */
  constructor(diagnostic, options) {
    super(diagnostic.message, options);
    this.name = 'CharacterError';
    /** Identifier such as "E114", as in docs/errors.md. Empty for failures that no file causes. */
    this.id = diagnostic.id ?? '';
    /** What to do about it. Can be empty. */
    this.hint = diagnostic.hint ?? '';
    /** Place in the file, such as "meshes[3].image". Can be empty. */
    this.path = diagnostic.path ?? '';
    /** Offset in the file, or null. */
    this.byte = diagnostic.byte ?? null;
    /** Line and column in the file, or 0. */
    this.line = diagnostic.line ?? 0;
    this.column = diagnostic.column ?? 0;
  }

  /** Place in the file in words, such as "meshes[3].image (byte 112)". Can be empty. */
  get place() {
    const position = this.line > 0 ? `line ${this.line}, column ${this.column}`
      : this.byte !== null ? `byte ${this.byte}` : '';
    return this.path && position ? `${this.path} (${position})` : this.path || position;
  }
}

/**
 * Returns what a table has for a word of a file, an attribute or a program. Fails with a CharacterError that lists the
 * words of the table.
 * @template Value @param {Record<string, Value>} table @param {string} word
 * @param {string} what  Where the word is from, such as "loop".
 * @returns {Value}
 */
export function lookUp(table, word, what) {
  // Every object inherits "constructor" and others.
  if (Object.hasOwn(table, word)) return table[word];
  const known = Object.keys(table).map((each) => `"${each}"`);
  const expected = [known.slice(0, -1).join(', '), ...known.slice(-1)].filter(Boolean).join(' or ');
  throw new CharacterError({id: 'E125', message: `${what} is ${JSON.stringify(word)}, but must be ${expected}`, path: what});
}

/**
 * Modules: the element's, the one for games, which has the functions of pchr.h, and the one that also reads all formats
 * and saves.
 * @typedef {'v1' | 'runtime' | 'full'} Kind
 */

/**
 * Where the modules are. Bundlers find them by these expressions.
 * @type {Record<Kind, () => URL>}
 */
const urls = {
  v1: () => new URL('pchr-v1.wasm', import.meta.url),
  runtime: () => new URL('pchr-runtime.wasm', import.meta.url),
  full: () => new URL('pchr.wasm', import.meta.url),
};

/**
 * Says where a module is, for bundlers that do not find it. Must be called before it is loaded.
 * @param {Kind} kind
 * @param {string | URL} url  Relative to the page.
 */
export function setModuleUrl(kind, url) {
  urls[kind] = () => absolute(url);
}

/**
 * Returns a URL that is relative to the page, or to a worker's script.
 * @param {string | URL} url
 */
export const absolute = (url) => new URL(url, globalThis.document?.baseURI ?? globalThis.location?.href);

/**
 * Compiled modules, and the instances that the page uses, by URL.
 * @type {Map<string, Promise<WebAssembly.Module>>}
 */
const compiled = new Map();
/** @type {Map<string | WebAssembly.Module, {instance?: Instance, promise: Promise<Instance>}>} */
const instances = new Map();

/**
 * Fetches and compiles a module, once per page.
 * @param {URL} url
 */
function loadModule(url) {
  let module = compiled.get(url.href);
  if (!module) {
    module = compile(url);
    compiled.set(url.href, module);
    // A later character tries again.
    module.catch(() => compiled.delete(url.href));
  }
  return module;
}

/** @param {URL} url */
async function compile(url) {
  const hint = 'Copy the .wasm files of the package there, or say where they are: attribute "module", or setModuleUrl().';
  const response = await fetchFile(url, undefined, hint);
  try {
    // Streaming needs the right media type, which not every server knows.
    return await (response.headers.get('Content-Type') === 'application/wasm'
      ? WebAssembly.compileStreaming(response)
      : WebAssembly.compile(await response.arrayBuffer()));
  } catch (cause) {
    throw new CharacterError({message: `cannot compile ${url}: ${/** @type {Error} */ (cause).message}`, hint}, {cause});
  }
}

/**
 * Fetches a file. Fails with a CharacterError that names it, or when it is aborted with the reason for that.
 * @param {URL} url
 * @param {AbortSignal} [signal]
 * @param {string} [hint]  What to do if the server does not have it.
 */
export async function fetchFile(url, signal, hint) {
  const response = await fetch(url, {signal}).catch((error) => {
    signal?.throwIfAborted();
    throw new CharacterError({message: `cannot fetch ${url}: ${error.message}`}, {cause: error});
  });
  if (!response.ok) throw new CharacterError({message: `cannot fetch ${url}: HTTP status ${response.status}`, hint});
  return response;
}

const ENOSYS = 52;
/** Exception that leaves C code. */
const ESCAPE = {};

/**
 * Instance of a module, shared by all characters of a page. A call that fails, because memory ran out or the module has
 * a bug, throws a CharacterError, as does every later call.
 */
export class Instance {
  /** @type {Record<string, any>} */
  #exports;
  #log = '';
  #gl = createGl();
  #bytes = new Uint8Array(0);
  #users = 0;
  /** @type {string | undefined} */
  #failure;
  /** @type {Set<() => void>} */
  #listeners = new Set();
  /** @type {(() => void) | undefined} */
  #onUnused;
  /**
   * Draws an attachment: its number and the address of its transform.
   * @type {((number: number, world: number) => void) | undefined}
   */
  onDraw;

  /**
   * Returns the page's instance of a module, or makes one if there is none or it has failed.
   * @param {Kind} kind
   * @param {WebAssembly.Module | string | URL} [module]  The module, or the URL of pchr-v1.wasm, next to which the
   *   others are (default: next to this script, or as setModuleUrl() says).
   * @returns {Promise<Instance>}
   */
  static get(kind, module) {
    let url = lookUp(urls, kind, 'module')();
    if (module && !(module instanceof WebAssembly.Module)) {
      url = absolute(module);
      if (kind !== 'v1') url = new URL(kind === 'full' ? 'pchr.wasm' : 'pchr-runtime.wasm', url);
    }
    const key = module instanceof WebAssembly.Module ? module : url.href;
    let slot = instances.get(key);
    if (!slot || slot.instance?.failed) {
      const source = module instanceof WebAssembly.Module ? Promise.resolve(module) : loadModule(url);
      /** @type {{instance?: Instance, promise: Promise<Instance>}} */
      const made = {promise: source.then((code) => made.instance = new Instance(code, () => remove()))};
      const remove = () => {
        if (instances.get(key) === made) instances.delete(key);
      };
      made.promise.catch(remove);
      instances.set(key, slot = made);
    }
    return slot.promise;
  }

  /**
   * @param {WebAssembly.Module} module
   * @param {() => void} [onUnused]  Called when nobody uses it any more.
   */
  constructor(module, onUnused) {
    this.#onUnused = onUnused;
    /** @type {Record<string, Record<string, Function>>} */
    const known = {
      gl: this.#gl.functions,
      text: {decode: this.#decode.bind(this)},
      callback: {draw: (/** @type {number} */ number, /** @type {number} */ world) => this.onDraw?.(number, world)},
      escape: {run: this.#run.bind(this), leave: () => { throw ESCAPE; }},
      wasi_snapshot_preview1: {
        fd_write: this.#write.bind(this),
        proc_exit: () => { throw new Error('the module exited'); },
      },
    };
    /** @type {Record<string, Record<string, any>>} */
    const imports = {};
    for (const {module: from, name} of WebAssembly.Module.imports(module)) {
      // The C library imports functions that the module never calls.
      const unused = from === 'wasi_snapshot_preview1' ? () => ENOSYS : undefined;
      (imports[from] ??= {})[name] = known[from]?.[name] ?? unused;
    }
    this.#exports = new WebAssembly.Instance(module, imports).exports;
    this.#gl.setMemory(this.#exports.memory);
    // Runs the constructors of global objects.
    this.call('_initialize');
  }

  /** Whether a call has failed. Then nothing of the instance can be used. */
  get failed() {
    return this.#failure !== undefined;
  }

  /** Number of OpenGL objects that exist. */
  get glObjects() {
    return this.#gl.countObjects();
  }

  /**
   * Counts somebody who uses the instance, until the returned function is called. The memory of an instance that nobody
   * uses is freed.
   */
  retain() {
    ++this.#users;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      if (--this.#users === 0) this.#onUnused?.();
    };
  }

  /**
   * Calls a function once when a call fails. Returns a function that takes that back.
   * @param {() => void} listener
   */
  onFailure(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Runs work whose calls draw on a context. Can be nested.
   * @template Result
   * @param {WebGL2RenderingContext} context @param {() => Result} work
   */
  on(context, work) {
    const before = this.#gl.enter(context);
    try {
      return work();
    } finally {
      this.#gl.leave(before);
    }
  }

  /**
   * Forgets the objects of a context that is lost.
   * @param {WebGL2RenderingContext} context
   */
  forget(context) {
    this.#gl.forget(context);
  }

  /**
   * Deletes what an instance that has failed has left on a context.
   * @param {WebGL2RenderingContext} context
   */
  deleteObjects(context) {
    this.#gl.deleteObjects(context);
  }

  /** The module's memory. The array changes when the memory grows. */
  get bytes() {
    const {buffer} = this.#exports.memory;
    if (this.#bytes.buffer !== buffer) this.#bytes = new Uint8Array(buffer);
    return this.#bytes;
  }

  /**
   * Calls an exported function.
   * @param {string} name @param {number[]} values
   * @returns {any}
   */
  call(name, ...values) {
    if (this.#failure !== undefined) throw new CharacterError({message: this.#failure});
    try {
      return this.#exports[name](...values);
    } catch (error) {
      this.#failure = this.#log.trim() || `the module failed: ${/** @type {Error} */ (error).message}`;
      const listeners = [...this.#listeners];
      this.#listeners.clear();
      for (const listener of listeners) queueMicrotask(listener);
      throw new CharacterError({message: this.#failure}, {cause: error});
    }
  }

  /**
   * Whether the module exports a function.
   * @param {string} name
   */
  has(name) {
    return name in this.#exports;
  }

  /**
   * Copies bytes to memory that the module owns. Returns their address.
   * @param {Uint8Array} bytes
   */
  copyIn(bytes) {
    const pointer = this.call('web_alloc', bytes.length) >>> 0;
    this.bytes.set(bytes, pointer);
    return pointer;
  }

  /**
   * Calls a function with the address and length of a text.
   * @param {string} name @param {string} text @param {number[]} values  Parameters after the text.
   */
  callWithText(name, text, ...values) {
    const bytes = new TextEncoder().encode(text);
    const pointer = this.copyIn(bytes);
    const result = this.call(name, pointer, bytes.length, ...values);
    this.call('web_free', pointer);
    return result;
  }

  /**
   * Returns the JSON result of the last call that has one.
   * @returns {any}
   */
  result() {
    const start = this.call('web_text') >>> 0;
    return JSON.parse(this.#text(start, this.call('web_text_length')));
  }

  /** @param {number} start @param {number} length */
  #text(start, length) {
    start >>>= 0;
    return new TextDecoder().decode(this.bytes.subarray(start, start + length));
  }

  /**
   * Decodes a text in another encoding than UTF-8, with U+FFFD for invalid bytes. Returns the number of bytes, or -1 if
   * the encoding is not known.
   * @param {number} label @param {number} labelLength @param {number} start @param {number} length
   * @param {number} out @param {number} capacity
   */
  #decode(label, labelLength, start, length, out, capacity) {
    try {
      const decoder = new TextDecoder(this.#text(label, labelLength), {ignoreBOM: true});
      start >>>= 0;
      const text = new TextEncoder().encode(decoder.decode(this.bytes.subarray(start, start + length)));
      if (text.length > capacity) return -1;
      this.bytes.set(text, out >>> 0);
      return text.length;
    } catch {
      return -1;
    }
  }

  /**
   * Calls a function of the module that `escape.leave` can leave. Returns whether it was not left.
   * @param {number} work
   */
  #run(work) {
    try {
      this.#exports.pchr_run(work);
      return 1;
    } catch (error) {
      if (error !== ESCAPE) throw error;
      return 0;
    }
  }

  // Only messages of the C library on failures are written. They end up in the error.
  /** @param {number} _file @param {number} vectors @param {number} count @param {number} written */
  #write(_file, vectors, count, written) {
    const view = new DataView(this.bytes.buffer);
    let total = 0;
    for (let i = 0; i < count; ++i) {
      const length = view.getUint32(vectors + 8 * i + 4, true);
      this.#log += this.#text(view.getUint32(vectors + 8 * i, true), length);
      total += length;
    }
    view.setUint32(written, total, true);
    return 0;
  }
}
