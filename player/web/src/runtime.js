// SPDX-License-Identifier: MIT
// The runtime for games: characters, poses, skins and hit tests here; animators and rigs in animator.js; the renderer
// in render.js; draw streams in stream.js. Positions are world pixels with y up, times are seconds, angles are degrees
// counter-clockwise, and clips, bones and meshes are indices or names.
//
// Typed arrays show the module's memory. They stop working when that memory grows, which loading, creating objects and
// drawing more of them than before can do: get them from their objects each time instead of keeping them.

import {Rig, writeMask, writeOverrides} from './animator.js';
import {Character as OpenedCharacter} from './character.js';
import {rotationOf} from './geometry.js';
import {Handle, Memory, disposable, enumNumber, need} from './memory.js';
import {CharacterError} from './module.js';

export {Animator, Rig} from './animator.js';
export {Crowd, GpuSkin, Model, Renderer, Upload, fitOrbitCamera} from './render.js';
export {
  cameraToViewport, cameraToWorld, concatenate, fitCamera, inverse, placement, rotationOf, zoomCameraAt,
} from './geometry.js';
export {DrawStream, GpuGeometry, GpuPalettes} from './stream.js';
export {setModuleUrl} from './module.js';
export {CharacterError};

/** @typedef {import('./character.js').Bounds} Bounds */
/** @typedef {import('./character.js').CharacterFile} CharacterFile */
/** @typedef {import('./memory.js').Appearance} Appearance */
/** @typedef {import('./memory.js').Camera} Camera */
/** @typedef {string | number} Part Name or index of a clip, bone or mesh. */
/** @typedef {{frame: number, next: number, factor: number}} ClipTime Blends from `frame` to `next` by `factor`. */

/**
 * Values of a bone.
 * @typedef {object} BoneState
 * @property {number} x  In the space of the parent bone.
 * @property {number} y
 * @property {number} rotation
 * @property {number} scaleX  Across the bone.
 * @property {number} scaleY  Along the bone.
 * @property {number} opacity
 * @property {number} zOrder  Higher is drawn later, on top.
 * @property {boolean} visible  Whether the meshes it governs are drawn.
 */

/**
 * Values of all bones of a pose: arrays with one element per bone.
 * @typedef {object} BoneValues
 * @property {Float32Array} x
 * @property {Float32Array} y
 * @property {Float32Array} rotation
 * @property {Float32Array} scaleX
 * @property {Float32Array} scaleY
 * @property {Float32Array} opacity
 * @property {Int32Array} zOrder
 * @property {Uint8Array} visible  0 or 1.
 */

/**
 * Values that replace those of one bone. Those that are not given stay.
 * @typedef {object} BoneOverride
 * @property {Part} bone
 * @property {number} [x]
 * @property {number} [y]
 * @property {number} [rotation]
 * @property {number} [scaleX]
 * @property {number} [scaleY]
 * @property {number} [zOrder]
 * @property {boolean} [visible]
 * @property {boolean} [relative]  Adds to position, rotation and zOrder, and multiplies the scale.
 * @property {number} [keep]  Share of the pose's values to keep: 0 replaces them, 1 changes nothing.
 */

/**
 * Range of vertices and triangles that are drawn with one image.
 * @typedef {object} MeshDetails
 * @property {string} name
 * @property {number} image
 * @property {number} firstVertex
 * @property {number} vertexCount
 * @property {number} firstIndex
 * @property {number} indexCount  Each index is relative to `firstVertex`.
 * @property {number} governingBone  Bone that controls its visibility, draw order and opacity.
 */

/**
 * Mesh to draw. Colors as in Appearance.
 * @typedef {object} DrawItem
 * @property {number} mesh
 * @property {number} [opacity]
 * @property {number[]} [tint]
 * @property {number[]} [darkTint]
 * @property {number[]} [additive]
 * @property {number} [image]  Image of the character or of a skin, or -1 for the mesh's.
 * @property {'normal' | 'add' | 'multiply' | 'screen'} [blend]  Replaces that of the character, unless normal.
 */

/**
 * What a skin does to a mesh. Colors as in Appearance.
 * @typedef {object} SkinPart
 * @property {boolean} [visible]  False hides the mesh. True lets the clip decide.
 * @property {number} [image]  Image of the character or of the skin, or -1 for the mesh's.
 * @property {'normal' | 'add' | 'multiply' | 'screen'} [blend]  Replaces that of the character, unless normal.
 * @property {ArrayLike<number>} [tint]
 * @property {ArrayLike<number>} [darkTint]
 * @property {ArrayLike<number>} [additive]
 */

/**
 * Hit on a mesh.
 * @typedef {object} Hit
 * @property {number} mesh
 * @property {number} bone  Bone with the largest weight at the point.
 * @property {number} governingBone
 * @property {number} triangle  Its corners are the mesh's indices from `3 * triangle` on.
 * @property {[number, number, number]} barycentrics
 * @property {number} u
 * @property {number} v
 * @property {number} alpha  Of the texel, 0 to 255.
 */

/**
 * Files of a saved character.
 * @typedef {object} SavedCharacter
 * @property {CharacterFile[]} files  The character, then its images.
 * @property {{code: string, message: string}[]} losses  What the format could not store.
 */

/** @type {Record<keyof BoneValues, import('./memory.js').ArrayType>} */
const VALUE_TYPES = {
  x: Float32Array, y: Float32Array, rotation: Float32Array, scaleX: Float32Array, scaleY: Float32Array,
  opacity: Float32Array, zOrder: Int32Array, visible: Uint8Array,
};
const OTHER = 'the two belong to different characters';

/**
 * How to read formats other than PCHR v1, and limits.
 * @typedef {object} ReadingOptions
 * @property {string} [armature]  DragonBones: armature to load (default: the first).
 * @property {string} [skin]  DragonBones and Spine: skin to load.
 * @property {number} [framesPerSecond]  Skeletons and glTF: rate of the samples (default: that of the file, or 30).
 * @property {number} [deformTolerance]  Pixels that vertices with deform keys may be off (default: 0.5).
 * @property {boolean} [flat]  glTF: loads a flat scene as a 2D character.
 * @property {'visible' | 'all' | readonly string[]} [layers]  Pixel art: layers to draw (default: visible
 *   ones).
 * @property {readonly {layer: number, drawn: boolean}[]} [layerOverrides]  Pixel art: changes to that choice.
 * @property {boolean} [secondPlayer]  .chp: prefers the second player's images.
 * @property {boolean} [blackColorKey]  .chp without AutoColorSet: makes black transparent.
 * @property {string} [textEncoding]  .chp: text encoding, by its iconv name.
 * @property {string} [imageFolder]  Base folder for image paths in a JSON character.
 * @property {readonly string[]} [animations]  Unreal mesh: .psa files instead of those found next to it.
 * @property {boolean} [alsoFindAnimations]  Unreal mesh: those found next to it, too.
 * @property {readonly string[]} [textureFolders]  Unreal mesh: folders to search first for textures.
 * @property {number} [maxImagePixels]  Limit of all images together.
 * @property {number} [maxBoneSamples]  Limit of bones times frames.
 */

/**
 * Loads a character.
 * @param {string | URL | CharacterFile[]} source  Its URL, or its files, the character first.
 * @param {import('./character.js').OpenOptions & {sources?: readonly (string | URL)[]}} [options]  `sources` are other
 *   files that belong to it, such as `hero.rig.json`.
 * @returns {Promise<Character>}
 */
export function load(source, options) {
  const character = Array.isArray(source) ? Character.open(source, options) : Character.load(source, options);
  return /** @type {Promise<any>} */ (character);
}

/** Character that never changes. Poses, animators and so on keep what they need of it. */
export class Character extends OpenedCharacter {
  /** @override */
  static kind = /** @type {import('./module.js').Kind} */ ('runtime');

  /**
   * @override
   * @param {import('./module.js').Instance} instance @param {import('./character.js').OpenOptions} options
   */
  static prepare(instance, {reading}) {
    if (!reading) return;
    const memory = Memory.of(instance).begin();
    const {layers = 'visible', layerOverrides = [], animations = [], textureFolders = [], ...options} = reading;
    const which = typeof layers === 'string' ? layers : 'named';
    memory.call('web_set_load_options', memory.struct('load_options', {
      ...options, layers: which, layerNames: memory.names(typeof layers === 'string' ? [] : layers),
      layerOverrides: memory.structs('layer_override', layerOverrides), layerOverrideCount: layerOverrides.length,
      animations: memory.names(animations), textureFolders: memory.names(textureFolders),
    }));
  }

  #handle = 0;
  /** @type {Rig | null} */
  #rig = null;
  /** @type {Record<string, Map<string, number>>} */
  #indices = {};

  /** @internal */
  get memory() {
    return Memory.of(this.instance);
  }

  /** Address of its pchr_character. */
  get handle() {
    this.#handle ||= this.memory.call('web_c_character', this.pointer);
    return this.#handle;
  }

  /** @override Frees the character when all who share it have closed it. Poses and so on stay. */
  close() {
    super.close();
    if (!this.closed || this.#handle === 0 || this.instance.failed) return;
    this.memory.call('pchr_character_free', this.#handle);
    this.#handle = 0;
    this.#rig?.free();
    this.#rig = null;
  }

  /** Procedural layers of the `.rig.json` among its files, or null. */
  get rig() {
    if (this.sidecar && !this.#rig) {
      this.#rig = Rig.fromJson(this, new TextDecoder().decode(this.sidecar.bytes), this.sidecar.name);
    }
    return this.#rig;
  }

  /**
   * Returns the index of the first clip with a name, or -1.
   * @param {string} name
   */
  findClip(name) {
    return this.#find('clips', name);
  }

  /**
   * Returns the index of the first bone with a name, or -1.
   * @param {string} name
   */
  findBone(name) {
    return this.#find('bones', name);
  }

  /**
   * Returns the index of the first mesh with a name, or -1.
   * @param {string} name
   */
  findMesh(name) {
    return this.#find('meshes', name);
  }

  /**
   * Returns the index of a clip. Fails with a CharacterError that lists the clips.
   * @param {Part} clip
   */
  clipIndex(clip) {
    return this.#index('clips', 'clip', clip);
  }

  /**
   * Returns the index of a bone. Fails with a CharacterError that lists the bones.
   * @param {Part} bone
   */
  boneIndex(bone) {
    return this.#index('bones', 'bone', bone);
  }

  /**
   * Returns the index of a mesh. Fails with a CharacterError that lists the meshes.
   * @param {Part} mesh
   */
  meshIndex(mesh) {
    return this.#index('meshes', 'mesh', mesh);
  }

  /** @param {'clips' | 'bones' | 'meshes'} list @param {string} name */
  #find(list, name) {
    const indices = this.#indices[list] ??=
      new Map(this.info[list].map((part, i) => /** @type {[string, number]} */ ([part.name, i])).reverse());
    return indices.get(name) ?? -1;
  }

  /** @param {'clips' | 'bones' | 'meshes'} list @param {string} kind @param {Part} part */
  #index(list, kind, part) {
    if (typeof part === 'string') {
      const found = this.#find(list, part);
      if (found >= 0) return found;
      const names = this.info[list].map(({name}) => name).join(', ');
      throw new CharacterError({message: `the character has no ${kind} named "${part}"; it has ${names}`});
    }
    if (Number.isInteger(part) && part >= 0 && part < this.info[list].length) return part;
    throw new CharacterError({message: `${kind} ${part} does not exist; the character has ${this.info[list].length}`});
  }

  /**
   * Computes the exact bounds of a clip, or of all clips. Null if nothing shows.
   * @param {Part} [clip] @returns {Bounds | null}
   */
  bounds(clip) {
    const {memory, handle} = this;
    if (clip === undefined) memory.call('pchr_character_bounds', handle, 0, memory.out);
    else memory.call('pchr_clip_bounds', handle, this.clipIndex(clip), 0, memory.out);
    return memory.bounds(memory.out);
  }

  /**
   * Computes the bounds of one frame of a clip. Null if nothing shows.
   * @param {Part} clip @param {number} frame @returns {Bounds | null}
   */
  frameBounds(clip, frame) {
    const {memory} = this;
    need(memory.call('pchr_frame_bounds', this.handle, this.clipIndex(clip), frame, 0, memory.out),
         `frame ${frame} does not exist`);
    return memory.bounds(memory.out);
  }

  /**
   * Computes the bounds of one mesh over the frames of a clip in which it is visible. Null if it is never visible.
   * @param {Part} clip @param {Part} mesh @returns {Bounds | null}
   */
  meshBounds(clip, mesh) {
    const {memory} = this;
    memory.call('pchr_mesh_bounds', this.handle, this.clipIndex(clip), this.meshIndex(mesh), 0, memory.out);
    return memory.bounds(memory.out);
  }

  /**
   * Returns the position in a clip at a time. The time wraps if the clip loops.
   * @param {Part} clip @param {number} seconds @param {boolean} [smooth]  Interpolates between frames.
   * @returns {ClipTime}
   */
  findFrame(clip, seconds, smooth = false) {
    const {memory} = this;
    need(memory.call('pchr_find_frame', this.handle, this.clipIndex(clip), seconds, Number(smooth), memory.out),
         `seconds is ${seconds}, expected a finite number`);
    return memory.read('clip_time', memory.out);
  }

  /**
   * Returns the start of a frame in seconds.
   * @param {Part} clip @param {number} frame @returns {number}
   */
  frameBegin(clip, frame) {
    return this.memory.call('pchr_frame_begin', this.handle, this.clipIndex(clip), frame);
  }

  /**
   * Returns the world transform `[a, b, c, d, tx, ty]` of a bone: in the bind pose, or at a position in a clip.
   * @param {Part} bone @param {Part} [clip] @param {Partial<ClipTime>} [time]
   * @returns {number[]}
   */
  boneWorld(bone, clip, time = {}) {
    const memory = this.memory.begin();
    const index = this.boneIndex(bone);
    if (clip === undefined) {
      memory.call('pchr_bind_world', this.handle, index, memory.out);
    } else {
      const {frame = 0, next = frame, factor = 0} = time;
      const position = memory.struct('clip_time', {frame, next, factor});
      memory.call('pchr_bone_world', this.handle, this.clipIndex(clip), position, index, memory.out);
    }
    return /** @type {number[]} */ (Object.values(memory.read('affine', memory.out)));
  }

  /**
   * Returns the indices of a bone, its first child, that one's first child and so on.
   * @param {Part} bone @returns {number[]}
   */
  chain(bone) {
    const {memory, handle} = this;
    const index = this.boneIndex(bone);
    const pointer = memory.begin().take(4 * this.info.bones.length);
    const count = memory.call('pchr_find_chain', handle, index, pointer, this.info.bones.length);
    return [...memory.view(Uint32Array, pointer, count)];
  }

  /**
   * Adds a bone and its descendants to a mask, which has one element per bone.
   * @param {Part} bone @param {Uint8Array} [mask]  (Default: a new one.)
   */
  maskSubtree(bone, mask = new Uint8Array(this.info.bones.length)) {
    const {memory, handle} = this;
    const index = this.boneIndex(bone);
    memory.begin();
    const pointer = writeMask(this, mask);
    memory.call('pchr_mask_subtree', handle, index, pointer);
    mask.set(memory.view(Uint8Array, pointer, mask.length));
    return mask;
  }

  /**
   * Returns the ranges of a mesh in `vertices` and `indices`.
   * @param {Part} mesh @returns {MeshDetails}
   */
  mesh(mesh) {
    const memory = this.memory.begin();
    const out = memory.struct('mesh');
    memory.call('pchr_get_mesh', this.handle, this.meshIndex(mesh), out);
    return memory.read('mesh', out);
  }

  /** Regions of images that games show in menus. Only .chp characters have any. */
  get menuImages() {
    const memory = this.memory.begin();
    const count = memory.call('pchr_menu_image_count', this.handle);
    return Array.from({length: count}, (_, i) => {
      const out = memory.struct('menu_image');
      memory.call('pchr_get_menu_image', this.handle, i, out);
      /** @type {{image: number, x: number, y: number, width: number, height: number, name: string}} */
      const image = memory.read('menu_image', out);
      return image;
    });
  }

  /** Vertices of all meshes before skinning: x, y, u, v, two words for bones, and four weights. */
  get vertices() {
    return this.#array('pchr_vertices', Float32Array, 10);
  }

  /**
   * The same memory. Element `20 * vertex + 8 + i` is bone i of a vertex, whose weight is
   * `vertices[10 * vertex + 6 + i]`.
   */
  get vertexBones() {
    return this.#array('pchr_vertices', Uint16Array, 20);
  }

  /** Depth and normal of every vertex of a 3D character: 4 numbers. */
  get vertices3d() {
    return this.#array('pchr_vertices_3d', Float32Array, 4);
  }

  /** Indices of all meshes. */
  get indices() {
    return this.#array('pchr_indices', Uint16Array, 1);
  }

  /** Transforms from world space in the bind pose to the space of the bones: 6 numbers per bone. */
  get inverseBind() {
    const {memory} = this;
    const pointer = memory.call('pchr_inverse_bind', this.handle);
    return memory.view(Float32Array, pointer, 6 * this.info.bones.length);
  }

  /**
   * @template {import('./memory.js').ArrayType} Type
   * @param {string} name @param {Type} Type @param {number} elements @returns {InstanceType<Type>}
   */
  #array(name, Type, elements) {
    const {memory} = this;
    const pointer = memory.call(name, this.handle, memory.out);
    return memory.view(Type, pointer, elements * memory.views.words[memory.out >>> 2]);
  }

  /**
   * Returns the samples of a clip: arrays whose element `frame * bones + bone` is the value of a bone.
   * @param {Part} clip @returns {BoneValues & {frames: number}}
   */
  clipSamples(clip) {
    const memory = this.memory.begin();
    const out = memory.struct('clip_samples');
    memory.call('pchr_get_clip_samples', this.handle, this.clipIndex(clip), out);
    const samples = memory.read('clip_samples', out);
    const length = samples.frameCount * samples.boneCount;
    /** @type {any} */
    const arrays = {frames: samples.frameCount};
    for (const [key, Type] of Object.entries(VALUE_TYPES)) {
      // Clips without opacity are opaque.
      arrays[key] = samples[key] === 0 ? new Float32Array(length).fill(1) : memory.view(Type, samples[key], length);
    }
    return arrays;
  }

  /**
   * Decodes an image. Returns premultiplied RGBA, top row first.
   * @param {number} image @returns {{width: number, height: number, pixels: Uint8Array}}
   */
  decodeImage(image) {
    const {width, height, pixels} = this.imagePixels(image);
    return {width, height, pixels: pixels.slice()};
  }

  /**
   * Saves the character as files in memory. It must have been loaded with `full`. Fails with a CharacterError.
   * @param {'v1' | 'json' | 'packed'} format @param {string} stem  Name of the file without its extension.
   * @param {object} [options]
   * @param {'default' | 'v1' | 'pachario'} [options.dialect]  Names of the fields in JSON.
   * @param {boolean} [options.rawPixels]  Stores decoded pixels instead of the original image data.
   * @param {boolean} [options.lossy]  Omits and reports what the format cannot store, instead of failing.
   * @param {number} [options.maxOutputBytes]
   * @returns {SavedCharacter}
   */
  saveAs(format, stem, options = {}) {
    const memory = this.memory.begin();
    const saved = memory.tried('pchr_save', this.handle, enumNumber('format', format, 'format'), memory.text(stem),
                               memory.struct('save_options', options));
    const files = Array.from({length: memory.call('pchr_saved_file_count', saved)}, (_, i) => {
      const out = memory.struct('saved_file');
      memory.call('pchr_get_saved_file', saved, i, out);
      const {name, bytes, size} = memory.read('saved_file', out);
      return {name, bytes: memory.view(Uint8Array, bytes, size).slice()};
    });
    const losses = Array.from({length: memory.call('pchr_saved_loss_count', saved)}, (_, i) => {
      const out = memory.struct('error');
      memory.call('pchr_saved_loss', saved, i, out);
      const {code, message} = memory.read('error', out);
      return {code, message};
    });
    memory.call('pchr_saved_free', saved);
    return {files, losses};
  }
}
disposable(Character, 'close');

/** Posed character: values of bones, transforms and draw list. Starts in the bind pose. */
export class Pose extends Handle {
  /** @type {any} */
  #values = null;
  /** @type {Record<keyof BoneValues, number>} */
  #valuePointers;
  #worldPointer;
  #palettePointer;
  /** @type {Float32Array | null} */
  #world = null;
  /** @type {Float32Array | null} */
  #palette = null;

  /** @param {Character} character */
  constructor(character) {
    const memory = character.memory.begin();
    const pose = memory.call('pchr_pose_create', character.handle);
    super(memory, pose, 'pchr_pose_free');
    this.character = character;
    this.bones = character.info.bones.length;
    const out = memory.struct('pose_values');
    memory.call('pchr_pose_get_values', pose, out);
    this.#valuePointers = memory.read('pose_values', out);
    this.#worldPointer = memory.call('pchr_pose_world', pose);
    this.#palettePointer = memory.call('pchr_pose_palette', pose);
  }

  /** Shows the bind pose. */
  bind() {
    this.memory.call('pchr_pose_bind', this.pointer);
    return this;
  }

  /**
   * Shows a clip at a time. The time wraps if the clip loops, and is clamped to the clip otherwise.
   * @param {Part} clip @param {number} seconds @param {boolean} [smooth]  Interpolates between frames.
   */
  setClip(clip, seconds, smooth = false) {
    const index = this.character.clipIndex(clip);
    if (this.memory.call('pchr_pose_clip', this.pointer, index, seconds, Number(smooth))) return this;
    throw new CharacterError({message: `seconds is ${seconds}, expected a finite number`});
  }

  /**
   * Shows a position in a clip.
   * @param {Part} clip @param {{frame: number, next?: number, factor?: number}} time
   */
  setFrame(clip, {frame, next = frame, factor = 0}) {
    const memory = this.memory.begin();
    const time = memory.struct('clip_time', {frame, next, factor});
    if (memory.call('pchr_pose_frame', this.pointer, this.character.clipIndex(clip), time)) return this;
    throw new CharacterError({message: `frame ${frame} or ${next} does not exist`});
  }

  /**
   * Copies another pose of the same character.
   * @param {Pose} from
   */
  copy(from) {
    need(this.memory.call('pchr_pose_copy', this.pointer, this.memory.of(from)), OTHER);
    return this;
  }

  /** Recomputes transforms and the draw list after changes to bones. */
  update() {
    this.memory.call('pchr_pose_update', this.pointer);
    return this;
  }

  /**
   * Values of all bones, to be changed in place. After the last change, call update().
   * @returns {BoneValues}
   */
  get values() {
    this.check();
    const {memory} = this;
    if (this.#values?.x.buffer !== memory.views.floats.buffer) {
      this.#values ??= {};
      for (const [key, Type] of Object.entries(VALUE_TYPES)) {
        this.#values[key] = memory.view(Type, this.#valuePointers[/** @type {keyof BoneValues} */ (key)], this.bones);
      }
    }
    return this.#values;
  }

  /** World transforms `[a, b, c, d, tx, ty]`: 6 numbers per bone. */
  get world() {
    return this.#world = this.#transforms(this.#worldPointer, this.#world);
  }

  /** Skinning palette: transforms from the bind pose to this pose, 6 numbers per bone. */
  get palette() {
    return this.#palette = this.#transforms(this.#palettePointer, this.#palette);
  }

  /** @param {number} start @param {Float32Array | null} last */
  #transforms(start, last) {
    this.check();
    return this.memory.view(Float32Array, start, 6 * this.bones, last);
  }

  /**
   * Returns where a bone is: its origin and rotation in the world, and its transform.
   * @param {Part} bone
   */
  boneTransform(bone) {
    const start = 6 * this.character.boneIndex(bone);
    const transform = [...this.world.subarray(start, start + 6)];
    const [x, y] = transform.slice(4);
    return {x, y, rotation: rotationOf(transform), transform};
  }

  /**
   * Returns the values of a bone.
   * @param {Part} bone @returns {BoneState}
   */
  getBone(bone) {
    const memory = this.memory.begin();
    memory.call('pchr_pose_get_bone', this.pointer, this.character.boneIndex(bone), memory.out);
    return memory.read('bone_state', memory.out);
  }

  /**
   * Sets values of a bone. After the last change, call update().
   * @param {Part} bone @param {Partial<BoneState>} state
   */
  setBone(bone, state) {
    const {memory} = this;
    const index = this.character.boneIndex(bone);
    memory.begin().call('pchr_pose_get_bone', this.pointer, index, memory.out);
    memory.write('bone_state', memory.out, state);
    memory.call('pchr_pose_set_bone', this.pointer, index, memory.out);
    return this;
  }

  /**
   * Applies overrides in order. After the last change, call update().
   * @param {readonly BoneOverride[]} overrides
   */
  override(overrides) {
    const memory = this.memory.begin();
    memory.call('pchr_pose_override', this.pointer, writeOverrides(this.character, overrides), overrides.length);
    return this;
  }

  /**
   * Moves the pose toward another of the same character. After the last change, call update().
   * @param {Pose} to @param {number} weight  0 to 1.
   * @param {Uint8Array} [mask]  Nonzero for the bones to change, as from Character.maskSubtree() (default: all).
   */
  blend(to, weight, mask) {
    const memory = this.memory.begin();
    need(memory.call('pchr_pose_blend', this.pointer, memory.of(to), weight, writeMask(this.character, mask)), OTHER);
    return this;
  }

  /**
   * Adds the difference between two poses of the same character. After the last change, call update().
   * @param {Pose} layer @param {number} [weight]
   * @param {{reference?: Pose, mask?: Uint8Array}} [options]  `reference` is the bind pose by default.
   */
  add(layer, weight = 1, options = {}) {
    const {reference, mask} = options;
    const memory = this.memory.begin();
    need(memory.call('pchr_pose_add', this.pointer, memory.of(layer), memory.of(reference), weight,
                     writeMask(this.character, mask)), OTHER);
    return this;
  }

  /**
   * Returns the rotation for a bone that points an axis of its own space at a world point.
   * @param {Part} bone @param {number} x @param {number} y
   * @param {number} [axisX] @param {number} [axisY]  (Default: along the bone.)
   * @returns {number}
   */
  rotationTowards(bone, x, y, axisX = 0, axisY = 1) {
    const index = this.character.boneIndex(bone);
    return this.memory.call('pchr_pose_rotation_towards', this.pointer, index, x, y, axisX, axisY);
  }

  /** Number of meshes in the draw list. */
  get drawCount() {
    const {memory} = this;
    memory.call('pchr_pose_draw_list', this.pointer, memory.out);
    return memory.views.words[memory.out >>> 2];
  }

  /**
   * Visible meshes, back to front.
   * @returns {Required<DrawItem>[]}
   */
  get drawList() {
    const {memory} = this;
    const start = memory.call('pchr_pose_draw_list', this.pointer, memory.out);
    return memory.readAll('draw_item', start, memory.views.words[memory.out >>> 2]);
  }

  /**
   * Replaces the draw list until the pose changes, to hide, tint or reorder meshes.
   * @param {readonly DrawItem[]} items
   */
  setDrawList(items) {
    const memory = this.memory.begin();
    const all = items.map((item) => ({
      opacity: 1, image: -1, tint: [1, 1, 1, 1], blend: 'normal', ...item, mesh: this.character.meshIndex(item.mesh),
    }));
    memory.call('pchr_pose_set_draw_list', this.pointer, memory.structs('draw_item', all), all.length);
    return this;
  }

  /**
   * Applies a skin to the draw list, until the pose changes.
   * @param {Skin} skin
   */
  applySkin(skin) {
    need(this.memory.call('pchr_pose_apply_skin', this.pointer, this.memory.of(skin)), OTHER);
    return this;
  }

  /**
   * Computes the bounds of the visible vertices. Null if nothing shows.
   * @returns {Bounds | null}
   */
  bounds() {
    const {memory} = this;
    memory.call('pchr_pose_bounds', memory.out, this.pointer);
    return memory.bounds(memory.out);
  }

  /**
   * Computes the bounds of one mesh, visible or not.
   * @param {Part} mesh @returns {Bounds | null}
   */
  meshBounds(mesh) {
    const {memory} = this;
    memory.call('pchr_pose_mesh_bounds', this.pointer, this.character.meshIndex(mesh), memory.out);
    return memory.bounds(memory.out);
  }

  /**
   * Computes the skinned vertices of a mesh: x and y of each.
   * @param {Part} mesh @param {Float32Array} [out]  (Default: a new one.)
   */
  vertices(mesh, out) {
    const memory = this.memory.begin();
    const index = this.character.meshIndex(mesh);
    const count = this.character.info.meshes[index].vertices;
    const pointer = memory.take(8 * count);
    memory.call('pchr_pose_vertices', this.pointer, index, pointer, count);
    out ??= new Float32Array(2 * count);
    out.set(memory.views.floats.subarray(pointer >>> 2, (pointer >>> 2) + 2 * count));
    return out;
  }

  /**
   * Returns where a place is in the draw list: the index of the first item in front of it.
   * @param {Part} [mesh]  (Default: all meshes.)
   * @param {boolean} [behind]  Behind the mesh instead of in front of it.
   * @returns {number}
   */
  findPlace(mesh, behind = false) {
    const memory = this.memory.begin();
    const index = mesh === undefined ? -1 : this.character.meshIndex(mesh);
    return memory.call('pchr_pose_find_place', this.pointer, memory.struct('draw_place', {mesh: index, behind}));
  }

  /**
   * Finds the topmost mesh at a world point.
   * @param {number} x @param {number} y
   * @param {object} [options]
   * @param {HitImages} [options.images]  Without, everything is opaque.
   * @param {number} [options.minAlpha]  Texels with less alpha are not hit: 1 to 255 (default: 128).
   * @param {Appearance} [options.appearance]
   * @param {Skin} [options.skin]  Skin that the character wears.
   * @returns {Hit | null}
   */
  hitTest(x, y, options = {}) {
    const {images, minAlpha, appearance, skin} = options;
    const memory = this.memory.begin();
    const written = memory.struct('hit_options', {
      minAlpha, skin: memory.of(skin),
      appearance: appearance && memory.writeAppearance(memory.appearance, appearance),
    });
    const hit = memory.struct('hit');
    const worked = memory.call('pchr_hit_test', this.pointer, memory.of(images), x, y, written, hit);
    return worked ? memory.read('hit', hit) : null;
  }
}

/** Changes to the meshes of one character: hidden, tinted or with other images. */
export class Skin extends Handle {
  /** @param {Character} character @param {string} [name] */
  constructor(character, name = '') {
    const memory = character.memory.begin();
    super(memory, memory.call('pchr_skin_create', character.handle, memory.text(name)), 'pchr_skin_free');
    this.character = character;
  }

  /** Its name. */
  get name() {
    return this.memory.textAt(this.memory.call('pchr_skin_name', this.pointer));
  }

  /**
   * Changes a mesh.
   * @param {Part} mesh @param {SkinPart} part
   */
  setPart(mesh, part) {
    const memory = this.memory.begin();
    const changed = memory.defaults('skin_part', part);
    need(memory.call('pchr_skin_set_part', this.pointer, this.character.meshIndex(mesh), changed),
         `image ${part.image} does not exist`);
    return this;
  }

  /**
   * Returns the changes to a mesh.
   * @param {Part} mesh @returns {Required<SkinPart>}
   */
  getPart(mesh) {
    const memory = this.memory.begin();
    const out = memory.struct('skin_part');
    memory.call('pchr_skin_get_part', this.pointer, this.character.meshIndex(mesh), out);
    return memory.read('skin_part', out);
  }

  /**
   * Adds an image of any size and returns its index for setPart().
   * @param {{width: number, height: number, data: ArrayLike<number>}} image  Such as an ImageData: straight RGBA, 8
   *   bits each, top row first.
   * @param {{premultiplied?: boolean}} [options]  Whether colors are multiplied by alpha already.
   * @returns {number}
   */
  addImage({width, height, data}, options = {}) {
    const {premultiplied = false} = options;
    need(width > 0 && height > 0 && data.length === 4 * width * height,
         `the image has ${data.length} bytes, expected 4 * ${width} * ${height}`);
    const {memory} = this;
    const pixels = Uint8Array.from(data);
    for (let i = 0; !premultiplied && i < pixels.length; i += 4) {
      const alpha = pixels[i + 3];
      for (let band = i; band < i + 3; ++band) pixels[band] = Math.floor((pixels[band] * alpha + 127) / 255);
    }
    const pointer = this.character.instance.copyIn(pixels);
    const image = memory.call('pchr_skin_add_image', this.pointer, pointer, width, height);
    memory.release(pointer);
    need(image >= 0, 'the image is too large');
    return image;
  }

  /**
   * Returns an image that was added: premultiplied RGBA, top row first. Null if there is none.
   * @param {number} image @returns {{width: number, height: number, pixels: Uint8Array} | null}
   */
  image(image) {
    const {memory} = this;
    const pointer = memory.call('pchr_skin_image', this.pointer, image, memory.out, memory.out + 4);
    const [width, height] = memory.views.words.subarray(memory.out >>> 2);
    return pointer ? {width, height, pixels: memory.view(Uint8Array, pointer, 4 * width * height)} : null;
  }

  /**
   * Changes the skin to fit another version of its character, by names. Returns the names that it lacks.
   * @param {Character} character
   */
  rebind(character) {
    const memory = this.memory.begin();
    memory.of({memory: character.memory, pointer: 1});
    const out = memory.struct('rebound');
    memory.call('pchr_skin_rebind', this.pointer, character.handle, out);
    this.character = character;
    return memory.rebound(out);
  }
}

/** Opaque parts of a character's images, for hit tests. */
export class HitImages extends Handle {
  /** @param {Character} character */
  constructor(character) {
    const memory = character.memory.begin();
    super(memory, memory.tried('pchr_hit_images_create', character.handle, 0), 'pchr_hit_images_free');
  }
}
