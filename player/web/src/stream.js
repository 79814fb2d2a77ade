// SPDX-License-Identifier: MIT
// Draw streams: skinned triangles for any renderer. Buffers for renderers that skin on the GPU.

import {Handle, disposable, need, wordsOf} from './memory.js';
import {ENUMS} from './native.js';

/** @typedef {import('./memory.js').Appearance} Appearance */
/** @typedef {import('./memory.js').ArrayType} ArrayType */
/** @typedef {import('./memory.js').Camera} Camera */
/** @typedef {import('./memory.js').Memory} Memory */
/** @typedef {import('./runtime.js').Character} Character */
/** @typedef {import('./runtime.js').ClipTime} ClipTime */
/** @typedef {import('./runtime.js').Part} Part */
/** @typedef {import('./runtime.js').Pose} Pose */
/** @typedef {import('./runtime.js').Skin} Skin */

/** @type {{}} */
const NOTHING = Object.freeze({});

/**
 * How to add a character to a stream.
 * @typedef {object} StreamOptions
 * @property {number} [source]  Your number for whose images to use. Characters and skins whose images differ need their
 *   own.
 * @property {Appearance} [appearance]
 * @property {Skin} [skin]
 * @property {Camera} [camera]  Leaves out meshes that it does not see. Needs its width and height.
 * @property {number} [firstItem]  First item of the draw list to add.
 * @property {number} [itemCount]  (Default: all.)
 * @property {boolean} [linear]  Decodes colors to linear light, for sRGB textures and framebuffers.
 * @property {number} [maxVertices]  Limit of the whole stream.
 * @property {number} [maxIndices]  Limit of the whole stream.
 */

const STREAM = wordsOf('stream_options');

/** Arrays of a stream: what pchr.h calls them, their type, and elements for each of what it counts. */
const STREAM_ARRAYS = /** @type {const} */ ({
  vertices: ['pchr_stream_vertices', Float32Array, 5],
  colors: ['pchr_stream_vertices', Uint32Array, 5],
  vertices3d: ['pchr_stream_vertices_3d', Float32Array, 4],
  looks: ['pchr_stream_looks', Uint32Array, 2],
  indices: ['pchr_stream_indices', Uint32Array, 1],
  commands: ['pchr_stream_commands', Uint32Array, 5],
});
/** @typedef {keyof typeof STREAM_ARRAYS} StreamArray */

/**
 * Skinned triangles of any number of characters, for any graphics API. Draw the commands in order, with both sides of
 * triangles: multiply the image's premultiplied pixel by the vertex color, and blend with ONE, ONE_MINUS_SRC_ALPHA; for
 * blend 2 (multiply) with DST_COLOR, ONE_MINUS_SRC_ALPHA; for blend 3 (screen) with ONE, ONE_MINUS_SRC_COLOR. A vertex
 * color without alpha adds.
 *
 * The arrays show the module's memory, without copies. They can be longer than what the counts say, so that they are
 * the same from frame to frame.
 */
export class DrawStream {
  #data;
  /** @type {Handle | null} */
  #handle = null;
  #changed = true;
  /** @type {Record<StreamArray, any>} */
  #arrays = {vertices: null, colors: null, vertices3d: null, looks: null, indices: null, commands: null};

  /**
   * @param {object} [options]
   * @param {boolean} [options.looks]  Keeps dark tints and additive colors, which are ignored otherwise.
   * @param {boolean} [options.depth]  Keeps depth and normals of 3D characters.
   */
  constructor(options = {}) {
    const {looks = false, depth = false} = options;
    this.#data = (looks ? ENUMS.stream_data.looks : 0) | (depth ? ENUMS.stream_data['3d'] : 0);
  }

  /** Empties the stream but keeps its memory. */
  clear() {
    if (this.#handle) this.#handle.memory.call('pchr_stream_clear', this.#handle.pointer);
    this.#changed = true;
    return this;
  }

  /**
   * Appends a posed character on top. Returns false, and appends nothing, if the stream would exceed a limit.
   * @param {Pose} pose @param {StreamOptions} [options]
   * @returns {boolean}
   */
  add(pose, options = NOTHING) {
    const {memory} = pose;
    const at = memory.streamOptions >>> 2;
    const appearance = options.appearance ? memory.writeAppearance(memory.appearance, options.appearance) : 0;
    const camera = options.camera ? memory.writeCamera(options.camera) : 0;
    const skin = memory.of(options.skin);
    // This can let the memory grow, which ends a placement that is a view of it.
    const stream = this.#in(memory);
    const {words} = memory.views;
    words[at + STREAM.source] = options.source ?? 0;
    words[at + STREAM.appearance] = appearance;
    words[at + STREAM.skin] = skin;
    words[at + STREAM.camera] = camera;
    words[at + STREAM.firstItem] = options.firstItem ?? 0;
    words[at + STREAM.itemCount] = options.itemCount ?? 0;
    words[at + STREAM.linearLight] = Number(options.linear ?? false);
    words[at + STREAM.maxVertices] = options.maxVertices ?? 0;
    words[at + STREAM.maxIndices] = options.maxIndices ?? 0;
    this.#changed = true;
    return memory.call('pchr_stream_add', stream, pose.pointer, memory.streamOptions) !== 0;
  }

  /**
   * Copies another stream.
   * @param {DrawStream} from
   */
  copy(from) {
    if (!from.#handle) return this.clear();
    const {memory} = from.#handle;
    memory.call('pchr_stream_copy', this.#in(memory), from.#handle.pointer);
    this.#changed = true;
    return this;
  }

  /** Vertices: x, y (world pixels), u, v (0 is the top row of the image), and a word for the color. */
  get vertices() {
    return /** @type {Float32Array} */ (this.#array('vertices'));
  }

  /** The same memory: element `5 * vertex + 4` is a premultiplied RGBA color, red in the lowest byte. */
  get colors() {
    return /** @type {Uint32Array} */ (this.#array('colors'));
  }

  /** Depth and normal of every vertex, with `depth`: 4 numbers. */
  get vertices3d() {
    return /** @type {Float32Array} */ (this.#array('vertices3d'));
  }

  /** Two premultiplied colors of every vertex, with `looks`: dark tint with the opacity, and additive color. */
  get looks() {
    return /** @type {Uint32Array} */ (this.#array('looks'));
  }

  /** Three indices of vertices per triangle. */
  get indices() {
    return /** @type {Uint32Array} */ (this.#array('indices'));
  }

  /**
   * Five numbers per command: source, image, first index, number of indices, and blend: 0 normal, 2 multiply,
   * 3 screen.
   */
  get commands() {
    const count = this.#find('commands');
    /** @type {{commands: Uint32Array}} */
    const {commands} = this.#arrays;
    // What follows the byte for the blend mode is not defined.
    for (let i = 4; this.#changed && i < 5 * count; i += 5) commands[i] &= 0xFF;
    this.#changed = false;
    return commands;
  }

  get vertexCount() {
    return this.#find('vertices');
  }

  get indexCount() {
    return this.#find('indices');
  }

  get commandCount() {
    return this.#find('commands');
  }

  /** Frees the stream's memory. It can be used again. */
  free() {
    this.#handle?.free();
    this.#handle = null;
    this.#changed = true;
  }

  /**
   * Returns the address of the stream, which is created where the first pose is.
   * @param {Memory} memory
   */
  #in(memory) {
    this.#handle ??= new Handle(memory, memory.call('pchr_stream_create', this.#data), 'pchr_stream_free');
    return memory.of(this.#handle);
  }

  /**
   * Finds an array. Returns how many vertices, indices or commands it describes.
   * @param {StreamArray} name
   */
  #find(name) {
    const [call, Type, elements] = STREAM_ARRAYS[name];
    if (!this.#handle) {
      this.#arrays[name] = new Type(0);
      return 0;
    }
    const {memory, pointer} = this.#handle;
    const start = memory.call(call, pointer, memory.out);
    const count = memory.views.words[memory.out >>> 2];
    this.#arrays[name] = memory.view(Type, start, count * elements, this.#arrays[name], true);
    return count;
  }

  /** @param {StreamArray} name */
  #array(name) {
    this.#find(name);
    return this.#arrays[name];
  }
}
disposable(DrawStream);

/**
 * Triangles that are drawn with one image.
 * @typedef {{image: number, firstIndex: number, indexCount: number}} GpuRange
 */
/**
 * Place in baked palettes: a row, a blend to the next, and the draw order.
 * @typedef {{row: number, factor: number, drawOrder: number}} GpuRow
 */

/** Geometry of a character, ready for GPU buffers. */
export class GpuGeometry extends Handle {
  /** @param {Character} character */
  constructor(character) {
    const {memory} = character;
    super(memory, memory.call('pchr_gpu_geometry_create', character.handle), 'pchr_gpu_geometry_free');
    this.character = character;
  }

  /** Vertices as Character.vertices, with entries of a palette row in place of bones. */
  get vertices() {
    return this.#array('pchr_gpu_vertices', Float32Array, 10);
  }

  /** Indices of all meshes and draw orders. */
  get indices() {
    return this.#array('pchr_gpu_indices', Uint32Array, 1);
  }

  /**
   * Ranges of the meshes.
   * @returns {GpuRange[]}
   */
  get meshRanges() {
    const {memory} = this;
    const start = memory.call('pchr_gpu_mesh_ranges', this.pointer, memory.out);
    return memory.readAll('gpu_range', start, memory.views.words[memory.out >>> 2]);
  }

  /**
   * Returns the ranges of a draw order, back to front, or null if there is no such order.
   * @param {number} drawOrder @returns {GpuRange[] | null}
   */
  drawOrder(drawOrder) {
    const {memory} = this;
    const start = memory.call('pchr_gpu_draw_order', this.pointer, drawOrder, memory.out);
    return start === 0 ? null : memory.readAll('gpu_range', start, memory.views.words[memory.out >>> 2]);
  }

  /** Length of a palette row, in elements of 8 numbers. */
  get rowBones() {
    return /** @type {number} */ (this.memory.call('pchr_gpu_row_bones', this.pointer));
  }

  /**
   * Writes the palette of a pose as one row.
   * @param {Pose} pose @param {Float32Array} [out]  8 numbers for each of `rowBones` (default: a new one).
   */
  writeRow(pose, out = new Float32Array(8 * this.rowBones)) {
    const memory = this.memory.begin();
    const pointer = memory.take(4 * out.length);
    need(memory.call('pchr_gpu_write_row', this.pointer, memory.of(pose), pointer, out.length),
         'the pose belongs to another character, or the array is too short');
    out.set(memory.view(Float32Array, pointer, out.length));
    return out;
  }

  /**
   * Bakes a clip, or the bind pose for null. Returns null if the palettes are too large or rotate too far between
   * frames to be blended: then use writeRow().
   * @param {Part | null} clip
   * @param {{smooth?: boolean, maxBytes?: number}} [options]  `maxBytes` is 64 MiB by default.
   */
  bake(clip, options = {}) {
    const {smooth = false, maxBytes = 0} = options;
    const {memory} = this;
    const index = clip === null ? -1 : this.character.clipIndex(clip);
    const palettes = memory.call('pchr_gpu_bake', this.pointer, index, Number(smooth), BigInt(maxBytes), 0);
    return palettes === 0 ? null : new GpuPalettes(memory, palettes, 'pchr_gpu_palettes_free');
  }

  /**
   * Returns the attribute `row` of the vertex shaders of the package, for palettes that begin at an element of the
   * palette buffer.
   * @param {GpuRow} row @param {number} firstBone @returns {number}
   */
  packRow(row, firstBone) {
    const memory = this.memory.begin();
    return memory.call('pchr_gpu_pack_row', this.pointer, memory.struct('gpu_row', row), firstBone) >>> 0;
  }

  /**
   * @template {ArrayType} Type
   * @param {string} name @param {Type} Type @param {number} elements @returns {InstanceType<Type>}
   */
  #array(name, Type, elements) {
    const {memory} = this;
    const start = memory.call(name, this.pointer, memory.out);
    return memory.view(Type, start, elements * memory.views.words[memory.out >>> 2]);
  }
}

/** Skinning palettes of a clip, from GpuGeometry.bake(). */
export class GpuPalettes extends Handle {
  /** Rows of `rowBones` elements of 8 numbers. */
  get texels() {
    const {memory} = this;
    const start = memory.call('pchr_gpu_texels', this.pointer, memory.out);
    return memory.view(Float32Array, start, memory.views.words[memory.out >>> 2]);
  }

  /** Bounds of each row: left, bottom, right, top. */
  get rowBounds() {
    const {memory} = this;
    const start = memory.call('pchr_gpu_row_bounds', this.pointer, memory.out);
    return memory.view(Float32Array, start, 4 * memory.views.words[memory.out >>> 2]);
  }

  /**
   * Finds a time of the baked clip. Null if the rows do not contain it.
   * @param {ClipTime} time @returns {GpuRow | null}
   */
  findRow(time) {
    const memory = this.memory.begin();
    const worked = memory.call('pchr_gpu_find_row', this.pointer, memory.struct('clip_time', time), memory.out);
    return worked ? memory.read('gpu_row', memory.out) : null;
  }
}
