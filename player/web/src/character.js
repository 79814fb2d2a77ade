// SPDX-License-Identifier: MIT
// Characters that a WebAssembly module reads, plays and saves.

import {CharacterError, Instance, absolute, fetchFile, lookUp} from './module.js';
import {Surface, filterNumber} from './surface.js';

export {CharacterError};

/**
 * File with its name. Files of one character are named relative to the same folder, with slashes.
 * @typedef {{name: string, bytes: Uint8Array}} CharacterFile
 */

/** @typedef {import('./module.js').Diagnostic} Diagnostic */
/** @typedef {[left: number, bottom: number, right: number, top: number]} Bounds In world pixels, where y points up. */
/** @typedef {{name: string, parent: number}} Bone The parent of roots is -1. */
/** @typedef {{name: string, vertices: number, triangles: number, image: number}} Mesh */
/** @typedef {{name: string, width: number, height: number}} ImageInfo */
/** @typedef {{frame: number, name: string}} Marker */

/**
 * Animation.
 * @typedef {object} Clip
 * @property {string} name
 * @property {number} fps
 * @property {number} frames
 * @property {number} seconds
 * @property {boolean} loops  Whether the file says so.
 * @property {number} loopStart  Frame where it continues after the end.
 * @property {number[]} [frameEnds]  In seconds. Absent if all frames last equally long.
 * @property {Bounds | null} bounds  Null if nothing is ever visible.
 * @property {Marker[]} markers  In the order of their frames.
 */

/**
 * Value that state machines depend on. A boolean is 0 or 1.
 * @typedef {object} StateParameter
 * @property {string} name
 * @property {'number' | 'boolean' | 'trigger'} type
 * @property {number} min
 * @property {number} max
 * @property {number} value  At the start.
 * @property {string} key  Key of the keyboard, such as "space", "left" or "w"; or empty.
 */

/**
 * State machines of a character. A transition from any state has an empty `from`.
 * @typedef {object} States
 * @property {StateParameter[]} parameters
 * @property {{name: string, states: string[], transitions: {from: string, to: string}[]}[]} layers
 */

/**
 * State machines that run: the values of their parameters, and where each layer is. `state`, `from`, which still fades
 * out, and `transition` are indices, or -1; `progress` is that of the fade, 0 to 1, and `phase` the durations of the
 * state's clip since it was entered.
 * @typedef {object} RunningStates
 * @property {number[]} values
 * @property {{state: number, from: number, transition: number, progress: number, phase: number}[]} layers
 */

/**
 * Contents of a character.
 * @typedef {object} CharacterInfo
 * @property {string} format  Such as "PCHR v1".
 * @property {number} fileBytes
 * @property {boolean} is3d
 * @property {boolean} pixelArt
 * @property {string} title
 * @property {string} author
 * @property {Bounds | null} bounds  Of all clips.
 * @property {number} bindClip  Clip of the bind pose, or -1 if it is of no clip.
 * @property {number} bindFrame  Its frame.
 * @property {boolean} bindGuessed  Whether it is a guess.
 * @property {Bone[]} bones
 * @property {Mesh[]} meshes
 * @property {ImageInfo[]} images
 * @property {Clip[]} clips
 * @property {States} [states]  State machines that can run. Only of a character that was opened with `full`.
 * @property {Diagnostic[]} diagnostics
 * @property {string[]} missing  Files that the character names but that were not found.
 */

/**
 * Event of playback: the clip started over, ended, or reached a marker.
 * @typedef {{type: 'loop', count: number} | {type: 'end'} | {type: 'marker', marker: Marker}} PlaybackEvent
 */

/**
 * How to open a character.
 * @typedef {object} OpenOptions
 * @property {boolean} [full]  Uses the module that reads all formats and finds all problems (default: only if the file
 *   is not PCHR v1).
 * @property {import('./module.js').Kind} [kind]  Module for PCHR v1 (default: "v1", or "runtime" for games).
 * @property {WebAssembly.Module | string | URL} [module]  The module, or the URL of pchr-v1.wasm, with the others next
 *   to it (default: in the folder of this script).
 * @property {(name: string) => Promise<Uint8Array | null>} [findFile]  Returns files that the character names but that
 *   are not among those given.
 * @property {AbortSignal} [signal]
 * @property {number} [maxBytes]  Rejects larger files.
 * @property {string} [bindPose]  As withBindPose() takes it.
 * @property {import('./runtime.js').ReadingOptions} [reading]  How to read formats other than PCHR v1. For `Character` of
 *   runtime.js.
 */

/**
 * What to save, and how.
 * @typedef {object} SaveOptions
 * @property {'png' | 'apng' | 'gif' | 'webp'} format
 * @property {number} [clip]  Index, or -1 for the bind pose (default: the first clip).
 * @property {number} [frame]  Saves only this frame (default: the whole clip; for a PNG, its first frame).
 * @property {number} [scale]  Pixels of the image per world pixel (default: 1).
 * @property {'file' | 'always' | 'once'} [loop]  Whether the animation repeats (default: as the file says).
 * @property {[red: number, green: number, blue: number, alpha: number]} [background]  Premultiplied, 0 to 1 (default:
 *   transparent).
 * @property {import('./surface.js').View['filter']} [filter]
 * @property {AbortSignal} [signal]
 * @property {(fraction: number) => void} [onProgress]
 */

/** What the module calls them. */
const FORMATS = ['png', 'apng', 'gif', 'webp'];
const LOOP = {'once': 0, 'always': 1, 'file': 2, 'ping-pong': 3};
/** Milliseconds after which saving lets the page draw. */
const SAVING_STEP = 30;
/** @type {PlaybackEvent[]} */
const NO_EVENTS = [];

/**
 * Character that the page shares: those who wait for it, and whether it is kept for them.
 * @typedef {object} Shared
 * @property {number} waiting
 * @property {boolean} kept
 * @property {AbortController} controller
 * @property {Promise<Character>} promise
 * @property {Character} [character]
 */
/**
 * Shared characters by what was asked for.
 * @type {Map<string, Shared>}
 */
const shared = new Map();
/**
 * The last to save with each module, which does one thing at a time.
 * @type {WeakMap<Instance, Promise<unknown>>}
 */
const saving = new WeakMap();

/** Character: bones, meshes, clips and images. Never changes, so any number of players can show it. */
export class Character {
  #instance;
  #pointer;
  #info;
  /** Bind pose in a file that the module has not read. */
  #ownBindPose = 'auto';
  #users = 1;
  #release;
  /** @type {(() => void) | undefined} */
  #onClose;
  /** @type {CharacterFile | undefined} */
  #sidecar;
  /**
   * PCHR v1 to open again for another bind pose.
   * @type {CharacterFile[]}
   */
  #files = [];

  /**
   * Called before the module opens files.
   * @param {Instance} _instance @param {OpenOptions} _options
   */
  static prepare(_instance, _options) {}

  /** Module for PCHR v1, unless options say otherwise. */
  static kind = /** @type {import('./module.js').Kind} */ ('v1');

  /**
   * Opens the first of some files. The others are images and other files that belong to it. Fails with a
   * CharacterError.
   * @template {typeof Character} Class
   * @this {Class}
   * @param {readonly CharacterFile[]} files
   * @param {OpenOptions} [options]
   * @returns {Promise<InstanceType<Class>>}
   */
  static async open(files, options = {}) {
    const {signal, kind = this.kind, bindPose = 'auto'} = options;
    if (files.length === 0) throw new CharacterError({message: 'there is no file to open'});
    const known = files.map(({name, bytes}) => ({name, bytes}));
    const sidecar = findSidecar(known);
    const full = options.full ?? !(isPchrV1(known[0].bytes) && known.every((file, i) => i === 0 || file === sidecar));
    let instance = await Instance.get(full ? 'full' : kind, options.module);
    let release = instance.retain();
    try {
      signal?.throwIfAborted();
      const asked = new Set(known.map(({name}) => name));
      for (;;) {
        // Another character can have made it fail meanwhile.
        while (instance.failed) {
          release();
          instance = await Instance.get(full ? 'full' : kind, options.module);
          release = instance.retain();
        }
        this.prepare(instance, options);
        const own = full || !sidecar ? 'auto' : readSidecar(sidecar).bindPose;
        const [pointer, result] = openFiles(instance, known, bindPose === 'auto' ? own : bindPose,
                                            options.maxBytes ?? 0);
        /** @type {string[]} */
        const missing = options.findFile ? result.missing.filter((/** @type {string} */ name) => !asked.has(name)) : [];
        if (missing.length === 0) {
          if (result.error) throw new CharacterError(result.error);
          // It can do without a texture atlas that it asked for by one of several names.
          result.missing = result.missing.filter((/** @type {string} */ name) => !/\.json$/i.test(name));
          const character = /** @type {InstanceType<Class>} */ (new this(instance, pointer, result));
          character.#sidecar = sidecar;
          character.#ownBindPose = own;
          if (!full) {
            character.#files = known;
            character.#addMarkers();
          }
          return character;
        }
        instance.call('web_close', pointer);
        // Those of JSON are alternatives, the likeliest first.
        const likeliest = missing.find((name) => /\.json$/i.test(name));
        await Promise.all(missing.map(async (name) => {
          if (name !== likeliest && /\.json$/i.test(name)) return;
          asked.add(name);
          const bytes = await options.findFile?.(name);
          if (bytes) known.push({name, bytes});
        }));
        signal?.throwIfAborted();
      }
    } finally {
      release();
    }
  }

  /**
   * Fetches and opens a character. Images that it names are fetched from its folder. Fails with a CharacterError.
   * @template {typeof Character} Class
   * @this {Class}
   * @param {string | URL} url
   * @param {OpenOptions & {sources?: readonly (string | URL)[]}} [options]  `sources` are other files that belong to it,
   *   such as `hero.rig.json`.
   * @returns {Promise<InstanceType<Class>>}
   */
  static async load(url, options = {}) {
    const {sources = [], ...others} = options;
    const {signal} = options;
    const address = absolute(url);
    // Those of files in the page's memory have no folder: "blob:" and "data:".
    const folder = /^(blob|data):/.test(address.href) ? address : new URL('.', address);
    const full = options.full ?? !/\.pchr$/i.test(address.pathname);
    // Compiles while the file is on its way.
    Instance.get(full ? 'full' : options.kind ?? this.kind, options.module).catch(() => {});
    const files = await Promise.all([address, ...sources.map(absolute)].map(async (each) => {
      return {name: nameIn(folder, each), bytes: await fetchBytes(each, signal)};
    }));
    return this.open(files, {
      findFile: async (name) => {
        if (folder === address) return null;
        const path = new URL(name.split('/').map(encodeURIComponent).join('/'), folder);
        return path.href.startsWith(folder.href) ? fetchBytes(path, signal).catch(() => null) : null;
      },
      ...others,
    });
  }

  /**
   * Returns what load() does, once for all who ask for the same. Each must close it.
   * @template {typeof Character} Class
   * @this {Class}
   * @param {string | URL} url
   * @param {OpenOptions & {sources?: readonly (string | URL)[]}} [options]
   * @returns {Promise<InstanceType<Class>>}
   */
  static async share(url, options = {}) {
    const {signal, sources = [], ...others} = options;
    const key = JSON.stringify([absolute(url), sources.map(absolute), others.full, others.kind ?? this.kind, others.maxBytes,
                                others.reading, others.bindPose, String(others.module)]);
    const known = shared.get(key);
    /** @type {Shared} */
    let entry;
    const forget = () => {
      if (shared.get(key) === entry) shared.delete(key);
    };
    if (known && !known.character?.instance.failed) {
      entry = known;
    } else {
      const controller = new AbortController();
      const promise = this.load(url, {...others, sources, signal: controller.signal});
      entry = {waiting: 0, kept: true, controller, promise};
      shared.set(key, entry);
      promise.then((character) => {
        entry.character = character;
        character.#onClose = forget;
      }, forget);
    }
    ++entry.waiting;
    try {
      const character = entry.character ?? await abortable(entry.promise, signal);
      ++character.#users;
      return /** @type {InstanceType<Class>} */ (character);
    } finally {
      if (--entry.waiting === 0 && entry.kept) {
        entry.kept = false;
        entry.character?.close();
        if (!entry.character) {
          entry.controller.abort();
          forget();
        }
      }
    }
  }

  /**
   * Use open() instead.
   * @param {Instance} instance @param {number} pointer @param {CharacterInfo} info
   */
  constructor(instance, pointer, info) {
    this.#instance = instance;
    this.#pointer = pointer;
    this.#info = info;
    this.#release = instance.retain();
  }

  /** The module that it is in. */
  get instance() {
    return this.#instance;
  }

  /** Its address in the module. Fails when it is closed. */
  get pointer() {
    if (this.#pointer === 0) throw new CharacterError({message: 'the character is closed'});
    return this.#pointer;
  }

  /** Whether all who shared it have closed it. */
  get closed() {
    return this.#pointer === 0;
  }

  /** The `.rig.json` among its files. */
  get sidecar() {
    return this.#sidecar;
  }

  /** Contents of the character. */
  get info() {
    return this.#info;
  }

  /**
   * Returns the same character with another bind pose, the pose that the vertices were made in. Both must be closed.
   * Fails with a CharacterError if there is no such pose.
   * @param {string} pose  Name of a clip, or with a frame such as "idle:12"; "identity" for the vertices as authored,
   *   or "auto" for the pose that the files choose or that is guessed.
   * @returns {this}
   */
  withBindPose(pose) {
    const wanted = pose === 'auto' ? this.#ownBindPose : pose;
    const isPchr = this.#files.length > 0;
    const [pointer, info] = isPchr ? openFiles(this.#instance, this.#files, wanted, 0)
      : [this.#instance.callWithText('web_with_bind_pose', wanted, this.pointer), this.#instance.result()];
    if (info.error) throw new CharacterError(info.error);
    const Class = /** @type {typeof Character} */ (this.constructor);
    const character = /** @type {this} */ (new Class(this.#instance, pointer, info));
    character.#sidecar = this.#sidecar;
    character.#files = this.#files;
    character.#ownBindPose = this.#ownBindPose;
    if (isPchr) character.#addMarkers();
    return character;
  }

  /**
   * Returns the decoded pixels of an image: premultiplied RGBA, 8 bits each, top row first. Valid until the next call.
   * Fails with a CharacterError if the image is broken.
   * @param {number} image
   */
  imagePixels(image) {
    const {width, height} = this.#info.images[image];
    const start = this.#instance.call('web_image_pixels', this.pointer, image) >>> 0;
    if (start === 0) throw new CharacterError({message: `images[${image}] cannot be decoded`});
    return {width, height, pixels: new Uint8Array(this.#instance.bytes.buffer, start, 4 * width * height)};
  }

  /**
   * Returns the size of saved images in pixels. Fails with a CharacterError if they cannot be saved.
   * @param {{clip?: number, scale?: number}} [options]  As save() takes them.
   * @returns {{width: number, height: number}}
   */
  imageSize(options = {}) {
    const {clip = 0, scale = 1} = options;
    if (!this.#instance.has('web_save')) {
      throw new CharacterError({message: 'only a character that was opened with {full: true} can be saved'});
    }
    this.#instance.call('web_image_size', this.pointer, clip, scale);
    return checkedResult(this.#instance);
  }

  /**
   * Saves a frame or a clip, on a canvas of its own. The character must have been opened with `full`. Frames of a clip
   * last as long as in the clip. Fails with a CharacterError.
   * @param {SaveOptions} options
   * @returns {Promise<Blob>}  The file.
   */
  async save(options) {
    this.imageSize(options);
    const before = saving.get(this.#instance);
    const result = (before ?? Promise.resolve()).then(() => this.#save(options));
    saving.set(this.#instance, result.catch(() => {}));
    return result;
  }

  /** @param {SaveOptions} options */
  async #save({format, clip = 0, frame = format === 'png' ? 0 : -1, scale = 1, loop = 'file',
               background = [0, 0, 0, 0], filter, signal, onProgress}) {
    const instance = this.#instance;
    const canvas = globalThis.document ? document.createElement('canvas')
      : new /** @type {any} */ (globalThis).OffscreenCanvas(1, 1);
    const context = /** @type {WebGL2RenderingContext | null} */ (
      canvas.getContext('webgl2', {depth: this.#info.is3d, antialias: true}));
    if (!context) throw new CharacterError({message: 'this browser has no WebGL 2, or it is turned off'});
    const surface = new Surface(context);
    try {
      const {renderer, model} = surface.upload(this);
      instance.on(context, () => instance.call('web_save', renderer, model, clip, frame, FORMATS.indexOf(format), scale,
                                               lookUp(LOOP, loop, 'loop'), filterNumber(filter), ...background));
      checkedResult(instance);
      for (let done = 0; done < 1;) {
        const pause = performance.now() + SAVING_STEP;
        while (done < 1 && performance.now() < pause) {
          if (context.isContextLost()) throw new CharacterError({message: 'the browser lost the WebGL context'});
          done = instance.on(context, () => instance.call('web_save_more'));
          if (done < 0) checkedResult(instance);
        }
        onProgress?.(done);
        await nextTask();
        signal?.throwIfAborted();
      }
      const start = instance.call('web_saved') >>> 0;
      const file = instance.bytes.slice(start, start + instance.call('web_saved_bytes'));
      return new Blob([file], {type: format === 'apng' ? 'image/png' : `image/${format}`});
    } finally {
      if (!instance.failed) instance.on(context, () => instance.call('web_save_end'));
      surface.free();
      // Browsers limit the number of contexts, and free unused ones late.
      context.getExtension('WEBGL_lose_context')?.loseContext();
    }
  }

  /** Frees the character when all who share it have closed it. */
  close() {
    if (this.#pointer === 0 || --this.#users > 0) return;
    if (!this.#instance.failed) this.#instance.call('web_close', this.#pointer);
    this.#pointer = 0;
    this.#release();
    this.#onClose?.();
  }

  /** Adds the markers of a file that the module has not read. */
  #addMarkers() {
    if (!this.#sidecar) return;
    const {markers} = readSidecar(this.#sidecar);
    const {clips} = this.#info;
    for (const {clip, frame, name} of markers) {
      const index = clips.findIndex((candidate) => candidate.name === clip);
      if (!(frame >= 0 && frame < clips[index]?.frames)) {
        this.close();
        throw new CharacterError({
          message: `${this.#sidecar.name}: marker "${name}" is at frame ${frame} of clip "${clip}", which does not exist`,
        });
      }
      clips[index].markers.push({frame, name});
    }
    clips.forEach(({markers}, index) => {
      markers.sort((a, b) => a.frame - b.frame);
      for (const {frame} of markers) this.#instance.call('web_add_marker', this.pointer, index, frame);
    });
  }
}

/** Clip of a character that plays. */
export class Playback {
  #character;
  #pointer;
  #clip = -1;

  /** @param {Character} character  Must not be closed before the playback. */
  constructor(character) {
    this.#character = character;
    this.#pointer = character.instance.call('web_player_create', character.pointer);
    this.setClip(0);
  }

  get character() {
    return this.#character;
  }

  /** Its address in the module. */
  get pointer() {
    return this.#pointer;
  }

  /** Index of the clip that plays, or -1 for the bind pose. */
  get clip() {
    return this.#clip;
  }

  /** Seconds in the clip. */
  get time() {
    return /** @type {number} */ (this.#call('web_time'));
  }

  /** Frame that is shown. */
  get frame() {
    return /** @type {number} */ (this.#call('web_frame'));
  }

  /** Whether the clip plays once and has ended. */
  get ended() {
    return this.#call('web_ended') !== 0;
  }

  /**
   * Plays a clip. Another clip starts at its beginning, or with a negative speed at its end; the same clip keeps its
   * time.
   * @param {number} index  -1 and indices of no clip show the bind pose.
   * @param {object} [options]
   * @param {'once' | 'always' | 'file' | 'ping-pong'} [options.loop]  What happens at the end (default: what the file
   *   says).
   * @param {boolean} [options.smooth]  Whether to interpolate between frames.
   * @param {number} [options.speed]
   */
  setClip(index, options = {}) {
    const {loop = 'file', smooth = false, speed = 1} = options;
    this.#clip = Number.isInteger(index) && index >= 0 && index < this.#character.info.clips.length ? index : -1;
    this.#call('web_set', this.#clip, lookUp(LOOP, loop, 'loop'), Number(smooth), Number.isFinite(speed) ? speed : 1);
  }

  /**
   * Advances the clip. Returns what happened on the way, in order.
   * @param {number} seconds
   * @returns {readonly PlaybackEvent[]}
   */
  advance(seconds) {
    const count = this.#call('web_advance', seconds) >>> 0;
    if (count === 0) return NO_EVENTS;
    const start = this.#character.instance.call('web_events') >>> 0;
    const pairs = new Uint32Array(this.#character.instance.bytes.buffer, start, 2 * count);
    return Array.from({length: count}, (_, i) => this.#event(pairs[2 * i], pairs[2 * i + 1]));
  }

  /**
   * Moves to a time in the clip, clamped to it.
   * @param {number} seconds
   */
  seek(seconds) {
    this.#call('web_seek', Number.isFinite(seconds) ? seconds : 0);
  }

  /**
   * Moves to the start of a frame, clamped to the last.
   * @param {number} frame
   */
  seekFrame(frame) {
    this.#call('web_seek_frame', Math.max(0, Math.floor(frame) || 0));
  }

  /**
   * Starts the state machines of the character from their beginning, or stops them. While they run, they play instead of
   * the clip. Does nothing if the character has none; see CharacterInfo.
   * @param {boolean} on
   */
  playStates(on) {
    if (this.#character.info.states) this.#call('web_play_states', Number(on));
  }

  /**
   * Sets a parameter of the state machines: a number, a boolean (0 or 1), or a trigger (1).
   * @param {number} index @param {number} value
   */
  setParameter(index, value) {
    if (this.#character.info.states) this.#call('web_set_parameter', index, value);
  }

  /**
   * What the state machines are doing, or null while the clip plays.
   * @returns {RunningStates | null}
   */
  get states() {
    const {states} = this.#character.info;
    const start = states ? this.#call('web_states') >>> 0 : 0;
    if (!states || start === 0) return null;
    const count = states.parameters.length;
    const numbers = new Float32Array(this.#character.instance.bytes.buffer, start, count + 5 * states.layers.length);
    return {
      values: [...numbers.subarray(0, count)],
      layers: states.layers.map((_, layer) => {
        const [state, from, transition, progress, phase] = numbers.subarray(count + 5 * layer);
        return {state, from, transition, progress, phase};
      }),
    };
  }

  /** Returns 4 numbers per bone: start x, start y, end x and end y in world pixels. Valid until the next call. */
  joints() {
    const start = this.#call('web_joints') >>> 0;
    return new Float32Array(this.#character.instance.bytes.buffer, start, 4 * this.#character.info.bones.length);
  }

  /** Returns 6 numbers per visible triangle: x and y of its corners in world pixels. Valid until the next call. */
  wireframe() {
    const {instance} = this.#character;
    const start = this.#call('web_wireframe') >>> 0;
    return new Float32Array(instance.bytes.buffer, start, 6 * instance.call('web_wireframe_count'));
  }

  /** Frees the playback, but not its character. */
  close() {
    const {instance} = this.#character;
    if (this.#pointer !== 0 && !instance.failed) instance.call('web_player_free', this.#pointer);
    this.#pointer = 0;
  }

  /** @param {string} name @param {number[]} values @returns {any} */
  #call(name, ...values) {
    if (this.#pointer === 0) throw new CharacterError({message: 'the playback is closed'});
    return this.#character.instance.call(name, this.#pointer, ...values);
  }

  /** @param {number} kind @param {number} value @returns {PlaybackEvent} */
  #event(kind, value) {
    if (kind === 0) return {type: 'loop', count: value};
    if (kind === 1) return {type: 'end'};
    return {type: 'marker', marker: this.#character.info.clips[this.#clip].markers[value]};
  }
}

/**
 * Returns the result of the last call that has one, or throws the error that it is.
 * @param {Instance} instance
 */
function checkedResult(instance) {
  const result = instance.result();
  if (result.error) throw new CharacterError(result.error);
  return result;
}

/**
 * Returns the name of a file relative to a folder.
 * @param {URL} folder @param {URL} url
 */
function nameIn(folder, url) {
  const path = url.href.startsWith(folder.href) ? url.pathname.slice(folder.pathname.length)
                                                : url.pathname.split('/').pop() ?? '';
  return decodeURIComponent(path);
}

/** @param {URL} url @param {AbortSignal} [signal] */
async function fetchBytes(url, signal) {
  const response = await fetchFile(url, signal);
  const bytes = new Uint8Array(await response.arrayBuffer());
  // Servers of single-page applications, such as that of Vite, do so instead of failing.
  if (bytes[0] === 0x3c && response.headers.get('Content-Type')?.startsWith('text/html')) {
    throw new CharacterError({message: `cannot fetch ${url}: the server sent a web page`});
  }
  return bytes;
}

/**
 * Returns what a promise gives, unless a signal aborts first.
 * @template Result
 * @param {Promise<Result>} promise @param {AbortSignal} [signal]
 */
async function abortable(promise, signal) {
  if (!signal) return promise;
  signal.throwIfAborted();
  /** @type {() => void} */
  let stop = () => {};
  const aborted = new Promise((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([promise, /** @type {Promise<never>} */ (aborted)]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Lets the page draw and answer. Unlike timers, also soon in the background. */
function nextTask() {
  return new Promise((resolve) => {
    const {port1, port2} = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve(undefined);
    };
    port2.postMessage(null);
  });
}

/**
 * Returns the address of the character, or 0, and what the module says.
 * @param {Instance} instance @param {CharacterFile[]} files @param {string} bindPose @param {number} maxBytes
 * @returns {[number, any]}
 */
function openFiles(instance, files, bindPose, maxBytes) {
  for (const {name, bytes} of files) {
    instance.callWithText('web_add_file', name, instance.copyIn(bytes), bytes.length);
  }
  if (bindPose !== 'auto') instance.callWithText('web_set_bind_pose', bindPose);
  const pointer = instance.callWithText('web_open', files[0].name, maxBytes);
  return [pointer, instance.result()];
}

/** @param {Uint8Array} bytes */
function isPchrV1(bytes) {
  return [0x50, 0x43, 0x48, 0x52, 1, 0, 0, 0].every((byte, i) => bytes[i] === byte);
}

/**
 * Returns `hero.rig.json` for `hero.pchr`.
 * @param {CharacterFile[]} files
 */
function findSidecar(files) {
  const expected = files[0].name.replace(/\.[^./]*$/, '') + '.rig.json';
  return files.find(({name}) => name === expected);
}

/**
 * Returns the markers and the bind pose of a `.rig.json`. Fails with a CharacterError.
 * @param {CharacterFile} file
 */
function readSidecar({name, bytes}) {
  try {
    const {markers = [], bind = 'auto'} = JSON.parse(new TextDecoder().decode(bytes));
    return {
      /** @type {{clip: string, frame: number, name: string}[]} */
      markers: markers.map((/** @type {any} */ {clip, frame, name}) => ({clip, frame, name})),
      bindPose: typeof bind === 'string' ? bind : `${bind.clip}:${bind.frame ?? 0}`,
    };
  } catch (error) {
    throw new CharacterError({message: `${name}: ${/** @type {Error} */ (error).message}`}, {cause: error});
  }
}
