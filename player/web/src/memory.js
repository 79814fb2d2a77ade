// SPDX-License-Identifier: MIT
// How scripts call the C interface in a module: its structs, texts and handles, and typed arrays over its memory.

import {CharacterError, lookUp} from './module.js';
import {ENUMS, STRUCTS} from './native.js';

/** @typedef {import('./module.js').Instance} Instance */
/** @typedef {{at: number, kind: string, of: string, count: number}} Member */
/** @typedef {{size: number, align: number, members: Map<string, Member>}} Layout */
/**
 * @typedef {Uint8ArrayConstructor | Uint16ArrayConstructor | Uint32ArrayConstructor | Int32ArrayConstructor |
 *   Float32ArrayConstructor | Float64ArrayConstructor} ArrayType
 */

/** Bytes of a member by the letter of its kind in STRUCTS. */
const SIZES = /** @type {Record<string, number>} */ ({b: 1, c: 1, B: 1, H: 2, d: 8, q: 8});
const NONE = 0xFFFFFFFF;
const SCRATCH_BYTES = 16384;

/** @type {Map<string, Layout>} */
const layouts = new Map();

/**
 * Returns the layout of a struct in 32-bit WebAssembly.
 * @param {string} name @returns {Layout}
 */
export function layoutOf(name) {
  const known = layouts.get(name);
  if (known) return known;
  let size = 0;
  let align = 1;
  const members = new Map();
  for (const text of STRUCTS[name].split(' ')) {
    const [, member, kind, of, count] = /** @type {string[]} */ (/^(\w+):(@|\w)\.?(\w*)(?:\*(\d+))?$/.exec(text));
    const nested = kind === '@' ? layoutOf(of) : undefined;
    const bytes = nested?.size ?? SIZES[kind] ?? 4;
    const alignment = nested?.align ?? bytes;
    size = Math.ceil(size / alignment) * alignment;
    members.set(member, {at: size, kind, of, count: Number(count ?? 1)});
    size += bytes * Number(count ?? 1);
    align = Math.max(align, alignment);
  }
  const layout = {size: Math.ceil(size / align) * align, align, members};
  layouts.set(name, layout);
  return layout;
}

/**
 * Returns the offsets of the members of a struct in words of 4 bytes.
 * @param {string} struct @returns {Record<string, number>}
 */
export function wordsOf(struct) {
  return Object.fromEntries([...layoutOf(struct).members].map(([name, {at}]) => [name, at >>> 2]));
}

/**
 * Fails with a CharacterError if something did not work.
 * @param {unknown} worked @param {string} message
 */
export function need(worked, message) {
  if (!worked) throw new CharacterError({message});
}

/**
 * Returns the number of a value of an enum. Fails with a CharacterError that lists the values.
 * @param {string} name @param {string} value @param {string} what
 */
export function enumNumber(name, value, what) {
  return lookUp(ENUMS[name], value, what);
}

const APPEARANCE_BYTES = layoutOf('appearance').size;
const LOOK = wordsOf('appearance');
const CAMERA = wordsOf('camera');
const WHITE = [1, 1, 1, 1];
const NOTHING = [0, 0, 0];

/**
 * Placement and look of one character. Colors are straight, from 0 to 1. They turn a color of the image into
 * `min(tint * color + darkTint * (1 - color) + additive, 1)`.
 * @typedef {object} Appearance
 * @property {number} [x]  World position.
 * @property {number} [y]
 * @property {number} [rotation]  Degrees counter-clockwise.
 * @property {number} [scale]
 * @property {boolean} [flipX]  Mirrors it.
 * @property {ArrayLike<number>} [placement]  Transform `[a, b, c, d, tx, ty]` instead of those, as from placement().
 * @property {ArrayLike<number>} [tint]  RGBA: what white becomes, and opacity.
 * @property {ArrayLike<number>} [darkTint]  RGB: what black becomes.
 * @property {ArrayLike<number>} [additive]  RGB: added to every color, as for a hit flash.
 * @property {'normal' | 'add' | 'multiply' | 'screen'} [blend]  How its pixels combine with what is behind them.
 * @property {ArrayLike<number>} [effect]  Two numbers for `fragmentMain` of a renderer.
 * @property {number} [depth]  For draws with `depth`, from -1 (near) to 1 (far).
 */

/**
 * 2D view of the world.
 * @typedef {object} Camera
 * @property {ArrayLike<number>} center  World point in the center of the viewport.
 * @property {number} zoom  Viewport pixels per world pixel.
 * @property {number} [width]  Width of the viewport in pixels (default: of the canvas).
 * @property {number} [height]
 * @property {boolean} [flipY]  World y points down.
 */

/**
 * The memory of a module, as the C interface uses it. Structs and texts for a call are in scratch memory, which
 * begin() empties.
 */
export class Memory {
  /** @type {WeakMap<Instance, Memory>} */
  static #known = new WeakMap();

  /**
   * Returns the memory of an instance.
   * @param {Instance} instance
   */
  static of(instance) {
    let memory = Memory.#known.get(instance);
    if (!memory) Memory.#known.set(instance, memory = new Memory(instance));
    return memory;
  }

  #views = {
    bytes: new Uint8Array(0), halves: new Uint16Array(0), words: new Uint32Array(0), integers: new Int32Array(0),
    floats: new Float32Array(0), doubles: new Float64Array(0),
  };
  #start = 0;
  #top = 0;
  #end = 0;
  /** Address from which scratch memory is free. Above the start in keep(). */
  #base = 0;
  /** How deeply calls of keep() are nested. */
  #depth = 0;
  /** @type {number[]} */
  #outgrown = [];
  /** @type {Map<string, number>} */
  #names = new Map();

  /** @param {Instance} instance */
  constructor(instance) {
    this.instance = instance;
    this.#grow(SCRATCH_BYTES);
    /** Address of 64 bytes for results. */
    this.out = this.allocate(64);
    /** Addresses of structs for calls of every frame. */
    this.appearance = this.#allocateStruct('appearance');
    this.camera = this.#allocateStruct('camera');
    this.drawOptions = this.#allocateStruct('draw_options');
    this.streamOptions = this.#allocateStruct('stream_options');
    this.call('pchr_appearance_init', this.appearance, layoutOf('appearance').size);
  }

  /** @param {string} name */
  #allocateStruct(name) {
    const {size} = layoutOf(name);
    const pointer = this.allocate(size);
    this.views.words[pointer >>> 2] = size;
    return pointer;
  }

  /**
   * Calls a function of the module.
   * @param {string} name @param {(number | bigint)[]} values @returns {any}
   */
  call(name, ...values) {
    return this.instance.call(name, .../** @type {number[]} */ (values));
  }

  /** Typed arrays over the whole memory. They change when it grows. */
  get views() {
    const {bytes} = this.instance;
    if (this.#views.bytes.buffer !== bytes.buffer) {
      const {buffer} = bytes;
      this.#views = {
        bytes, halves: new Uint16Array(buffer), words: new Uint32Array(buffer), integers: new Int32Array(buffer),
        floats: new Float32Array(buffer), doubles: new Float64Array(buffer),
      };
    }
    return this.#views;
  }

  /**
   * Returns the address of memory that stays until release(). It is all zero.
   * @param {number} bytes
   */
  allocate(bytes) {
    const pointer = this.call('web_alloc', Math.max(bytes, 1)) >>> 0;
    this.views.bytes.fill(0, pointer, pointer + bytes);
    return pointer;
  }

  /** @param {number} pointer */
  release(pointer) {
    if (!this.instance.failed) this.call('web_free', pointer);
  }

  /** Empties the scratch memory. Called before a call's parameters are written. */
  begin() {
    this.#top = this.#base;
    if (this.#depth === 0) {
      for (const pointer of this.#outgrown.splice(0)) this.release(pointer);
    }
    return this;
  }

  /**
   * Runs `work`, which can put more into scratch memory without overwriting what is there.
   * @template Result @param {() => Result} work @returns {Result}
   */
  keep(work) {
    const base = this.#base;
    const start = this.#start;
    this.#base = this.#top;
    ++this.#depth;
    try {
      return work();
    } finally {
      --this.#depth;
      this.#base = this.#start === start ? base : this.#start;
    }
  }

  /**
   * Returns the address of scratch memory, a multiple of 8.
   * @param {number} bytes
   */
  take(bytes) {
    if (this.#top + bytes > this.#end) this.#grow(bytes);
    const pointer = this.#top;
    this.#top = (pointer + bytes + 7) & ~7;
    return pointer;
  }

  /** @param {number} bytes */
  #grow(bytes) {
    if (this.#start !== 0) this.#outgrown.push(this.#start);
    const size = Math.max(2 * (this.#end - this.#start), 2 * bytes);
    this.#start = this.#top = this.call('web_alloc', size) >>> 0;
    this.#end = this.#start + size;
    this.#base = this.#start;
  }

  /**
   * Copies numbers to scratch memory.
   * @param {ArrayType} Type @param {ArrayLike<number>} numbers
   */
  array(Type, numbers) {
    const pointer = this.take(numbers.length * Type.BYTES_PER_ELEMENT);
    new Type(this.views.bytes.buffer, pointer, numbers.length).set(numbers);
    return pointer;
  }

  /**
   * Copies a text to scratch memory. Null and undefined are null.
   * @param {string | null | undefined} text
   */
  text(text) {
    if (text === null || text === undefined) return 0;
    const encoded = new TextEncoder().encode(`${text}\0`);
    const pointer = this.take(encoded.length);
    this.views.bytes.set(encoded, pointer);
    return pointer;
  }

  /**
   * Returns the address of a name that is used every frame. It is kept.
   * @param {string} name
   */
  name(name) {
    let pointer = this.#names.get(name);
    if (pointer === undefined) {
      pointer = this.instance.copyIn(new TextEncoder().encode(`${name}\0`));
      this.#names.set(name, pointer);
    }
    return pointer;
  }

  /**
   * Returns the text at an address, up to the zero.
   * @param {number} pointer
   */
  textAt(pointer) {
    if (pointer === 0) return '';
    const {bytes} = this.views;
    return new TextDecoder().decode(bytes.subarray(pointer, bytes.indexOf(0, pointer)));
  }

  /**
   * Writes texts as a pchr_names.
   * @param {readonly string[]} texts
   */
  names(texts) {
    const pointers = texts.map((text) => this.text(text));
    return {names: this.array(Uint32Array, pointers), count: pointers.length};
  }

  /**
   * Returns a struct in scratch memory with some values, all others zero.
   * @param {string} name @param {Record<string, any>} [values]
   */
  struct(name, values) {
    return this.structs(name, values === undefined ? [{}] : [values]);
  }

  /**
   * Returns an array of structs in scratch memory.
   * @param {string} name @param {readonly Record<string, any>[]} all
   */
  structs(name, all) {
    const {size, members} = layoutOf(name);
    const start = this.take(size * all.length);
    this.views.bytes.fill(0, start, start + size * all.length);
    all.forEach((values, i) => {
      if (members.has('structSize')) this.views.words[(start + i * size) >>> 2] = size;
      this.write(name, start + i * size, values);
    });
    return start;
  }

  /**
   * Returns a struct in scratch memory that the library has filled with its defaults, with some values.
   * @param {string} name @param {Record<string, any>} values
   */
  defaults(name, values) {
    const {size} = layoutOf(name);
    const pointer = this.take(size);
    this.call(`pchr_${name}_init`, pointer, size);
    this.write(name, pointer, values);
    return pointer;
  }

  /**
   * Changes members of a struct. Undefined changes nothing. Fails with a CharacterError if there is no such member.
   * @param {string} name @param {number} pointer @param {Record<string, any>} values
   */
  write(name, pointer, values) {
    const {members} = layoutOf(name);
    for (const [key, value] of Object.entries(values)) {
      if (value === undefined) continue;
      const member = members.get(key);
      if (!member) {
        const known = [...members.keys()].filter((each) => each !== 'structSize');
        throw new CharacterError({message: `there is no option "${key}"; expected ${known.join(', ')}`});
      }
      this.#put(pointer + member.at, member, key, value);
    }
  }

  /** @param {number} at @param {Member} member @param {string} key @param {any} value */
  #put(at, {kind, of, count}, key, value) {
    if (count > 1) {
      if (value?.length !== count) {
        throw new CharacterError({message: `${key} has ${value?.length ?? 'no'} numbers, expected ${count}`});
      }
      this.views.floats.set(value, at >>> 2);
      return;
    }
    if (kind === 's') value = this.text(value);
    if (kind === 'e') value = enumNumber(of, value, key);
    if (kind === '@') return this.write(of, at, value);
    if (kind === 'b') value = Number(Boolean(value));
    if (typeof value !== 'number') throw new CharacterError({message: `${key} is ${value}, expected a number`});
    const {bytes, words, floats, doubles} = this.views;
    if (kind === 'b') {
      bytes[at] = value;
    } else if (kind === 'f') {
      floats[at >>> 2] = value;
    } else if (kind === 'd') {
      doubles[at >>> 3] = value;
    } else {
      words[at >>> 2] = value;
      if (kind === 'q') words[(at >>> 2) + 1] = value / 2 ** 32;
    }
  }

  /**
   * Returns the members of a struct. Indices that are PCHR_NONE are -1.
   * @param {string} name @param {number} pointer @returns {any}
   */
  read(name, pointer) {
    /** @type {Record<string, any>} */
    const values = {};
    for (const [key, member] of layoutOf(name).members) {
      if (key !== 'structSize') values[key] = this.#get(pointer + member.at, member);
    }
    return values;
  }

  /** @param {number} at @param {Member} member @returns {any} */
  #get(at, {kind, of, count}) {
    const {bytes, words, integers, floats, doubles} = this.views;
    if (count > 1) return kind === 'c' ? this.textAt(at) : [...floats.subarray(at >>> 2, (at >>> 2) + count)];
    switch (kind) {
      case 'b': return bytes[at] !== 0;
      case 'f': return floats[at >>> 2];
      case 'd': return doubles[at >>> 3];
      case 'i': return integers[at >>> 2];
      case 'q': return words[at >>> 2] + words[(at >>> 2) + 1] * 2 ** 32;
      case 's': return this.textAt(words[at >>> 2]);
      case 'e': return Object.keys(ENUMS[of])[words[at >>> 2]];
      case '@': return this.read(of, at);
      default: return words[at >>> 2] === NONE ? -1 : words[at >>> 2];
    }
  }

  /**
   * Reads consecutive structs.
   * @param {string} name @param {number} pointer @param {number} count @returns {any[]}
   */
  readAll(name, pointer, count) {
    const {size} = layoutOf(name);
    return Array.from({length: count}, (_, i) => this.read(name, pointer + i * size));
  }

  /**
   * Returns a rectangle, or null if it is empty.
   * @param {number} pointer @returns {import('./character.js').Bounds | null}
   */
  bounds(pointer) {
    const {minX, minY, maxX, maxY} = this.read('rect', pointer);
    return minX > maxX || minY > maxY ? null : [minX, minY, maxX, maxY];
  }

  /**
   * Reads a pchr_rebound: names of what a new version of a character lacks.
   * @param {number} pointer @returns {Record<'clips' | 'bones' | 'meshes' | 'images', string[]>}
   */
  rebound(pointer) {
    const rebound = this.read('rebound', pointer);
    for (const key in rebound) {
      const {names, count} = rebound[key];
      const {words} = this.views;
      rebound[key] = Array.from({length: count}, (_, i) => this.textAt(words[(names >>> 2) + i]));
    }
    return rebound;
  }

  /**
   * Calls a function whose last parameter is a pchr_error, and returns its result. Throws the error if it is 0 or
   * PCHR_NONE.
   * @param {string} name @param {(number | bigint)[]} values @returns {number}
   */
  tried(name, ...values) {
    const error = this.struct('error');
    const result = this.call(name, ...values, error);
    if (result !== 0 && result !== -1) return result;
    const {code, message, path, hint} = this.read('error', error);
    throw new CharacterError({id: code, message, path, hint});
  }

  /**
   * Returns the address of an object, or 0 for none. Fails with a CharacterError if it is in another module.
   * @param {{memory: Memory, pointer: number} | null | undefined} object
   */
  of(object) {
    if (!object) return 0;
    if (object.memory === this) return object.pointer;
    throw new CharacterError({
      message: 'these characters are in different modules',
      hint: 'Load all of them with {full: true}, or none.',
    });
  }

  /**
   * Returns a typed array over the memory: `last` if that is still right.
   * @template {ArrayType} Type
   * @param {Type} Type @param {number} pointer @param {number} length
   * @param {InstanceType<Type> | null} [last]
   * @param {boolean} [mayExceed]  Lets it be longer.
   * @returns {InstanceType<Type>}
   */
  view(Type, pointer, length, last, mayExceed) {
    const {buffer} = this.instance.bytes;
    if (last && last.buffer === buffer && last.byteOffset === pointer &&
        (mayExceed ? last.length >= length : last.length === length)) {
      return last;
    }
    return /** @type {any} */ (new Type(buffer, pointer, length));
  }

  /**
   * Writes an appearance to a pchr_appearance.
   * @param {number} pointer @param {Appearance} appearance
   */
  writeAppearance(pointer, appearance) {
    const {floats, words} = this.views;
    const at = pointer >>> 2;
    const {tint = WHITE, darkTint = NOTHING, additive = NOTHING, effect = NOTHING} = appearance;
    words[at] = APPEARANCE_BYTES;
    words[at + LOOK.blend] = appearance.blend === undefined ? 0 : enumNumber('blend', appearance.blend, 'blend');
    writePlacement(floats, at + LOOK.placement, appearance);
    for (let i = 0; i < 4; ++i) floats[at + LOOK.tint + i] = tint[i];
    for (let i = 0; i < 3; ++i) floats[at + LOOK.darkTint + i] = darkTint[i];
    for (let i = 0; i < 3; ++i) floats[at + LOOK.additive + i] = additive[i];
    for (let i = 0; i < 2; ++i) floats[at + LOOK.effect + i] = effect[i];
    floats[at + LOOK.depth] = appearance.depth ?? 0;
    return pointer;
  }

  /**
   * Writes a camera to the struct for it.
   * @param {Camera} camera @param {number} [defaultWidth] @param {number} [defaultHeight]
   */
  writeCamera({center, zoom, width, height, flipY = false}, defaultWidth = 0, defaultHeight = 0) {
    const {floats, bytes} = this.views;
    const at = this.camera >>> 2;
    floats[at + CAMERA.centerX] = center[0];
    floats[at + CAMERA.centerY] = center[1];
    floats[at + CAMERA.zoom] = zoom;
    floats[at + CAMERA.viewportWidth] = width ?? defaultWidth;
    floats[at + CAMERA.viewportHeight] = height ?? defaultHeight;
    bytes[4 * (at + CAMERA.flipY)] = Number(flipY);
    return this.camera;
  }
}

/**
 * Writes a placement as six numbers.
 * @param {Float32Array | number[]} out @param {number} at @param {Appearance} appearance
 */
export function writePlacement(out, at, {placement, x = 0, y = 0, rotation = 0, scale = 1, flipX = false}) {
  if (placement) {
    for (let i = 0; i < 6; ++i) out[at + i] = placement[i];
    return;
  }
  const cosine = rotation === 0 ? scale : scale * Math.cos(rotation * Math.PI / 180);
  const sine = rotation === 0 ? 0 : scale * Math.sin(rotation * Math.PI / 180);
  out[at] = flipX ? -cosine : cosine;
  out[at + 1] = flipX ? -sine : sine;
  out[at + 2] = -sine;
  out[at + 3] = cosine;
  out[at + 4] = x;
  out[at + 5] = y;
}

/**
 * Frees objects that the program has forgotten.
 * @type {FinalizationRegistry<{memory: Memory, pointer: number, free: string}>}
 */
const forgotten = new FinalizationRegistry(({memory, pointer, free}) => {
  try {
    memory.call(free, pointer);
  } catch {
    // The module has failed, and its memory is gone.
  }
});

/** Object in a module. It is freed by free(), or some time after the program has forgotten it. */
export class Handle {
  #pointer;
  #free;

  /**
   * @param {Memory} memory @param {number} pointer
   * @param {string} free  Function that frees it.
   */
  constructor(memory, pointer, free) {
    need(pointer, 'an argument is not valid');
    /** @internal */
    this.memory = memory;
    this.#pointer = pointer;
    this.#free = free;
    forgotten.register(this, {memory, pointer, free}, this);
  }

  /** Address in the module's memory. Fails if it has been freed. */
  get pointer() {
    this.check();
    return this.#pointer;
  }

  /** @internal Fails if it has been freed. */
  check() {
    need(this.#pointer, 'this object has been freed');
  }

  /** Frees it. It cannot be used any more. */
  free() {
    if (this.#pointer === 0) return;
    forgotten.unregister(this);
    const pointer = this.#pointer;
    this.#pointer = 0;
    if (!this.memory.instance.failed) this.memory.call(this.#free, pointer);
  }
}

/**
 * Lets `using` free objects of a class, where the browser has that.
 * @param {{prototype: any}} type @param {string} [method]
 */
export function disposable({prototype}, method = 'free') {
  const {dispose} = /** @type {any} */ (Symbol);
  if (dispose) prototype[dispose] = prototype[method];
}
disposable(Handle);
