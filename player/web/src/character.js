// SPDX-License-Identifier: MIT
// A character that is read, played and drawn by the WebAssembly module.

import {CharacterError, Instance, loadModule} from './module.js';

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
 * @property {Diagnostic[]} diagnostics
 * @property {string[]} missing  Files that the character names but that were not found.
 */

/**
 * Event of playback: the clip started over, ended, or reached a marker.
 * @typedef {{type: 'loop', count: number} | {type: 'end'} | {type: 'marker', marker: Marker}} PlaybackEvent
 */

/**
 * Where to draw, in pixels of the canvas.
 * @typedef {object} View
 * @property {[x: number, y: number]} center  World point at the center of the canvas. World y points up.
 * @property {number} zoom  Pixels of the canvas per world pixel.
 * @property {[red: number, green: number, blue: number, alpha: number]} [background]  Premultiplied, 0 to 1 (default:
 *   transparent).
 * @property {'trilinear' | 'bilinear' | 'nearest'} [filter]  Filter of images (default: what the character asks for).
 */

/**
 * What to save, and how.
 * @typedef {object} SaveOptions
 * @property {'png' | 'apng' | 'gif' | 'webp'} format
 * @property {number} [clip]  Index, or -1 for the bind pose (default: the clip that plays).
 * @property {number} [frame]  Saves only this frame (default: the whole clip; for a PNG, the frame that is shown).
 * @property {number} [scale]  Pixels of the image per world pixel (default: 1).
 * @property {'file' | 'always' | 'once'} [loop]  Whether the animation repeats (default: as the file says).
 * @property {View['background']} [background]
 * @property {View['filter']} [filter]
 * @property {AbortSignal} [signal]
 * @property {(fraction: number) => void} [onProgress]
 */

/** What pchr_draw() and pchr_save() call them. `undefined` is what the character asks for. */
const FILTERS = ['trilinear', 'bilinear', 'nearest', undefined];
const FORMATS = ['png', 'apng', 'gif', 'webp'];
const LOOP = {'once': 0, 'always': 1, 'file': 2, 'ping-pong': 3};
/** Milliseconds after which saving lets the page draw. */
const SAVING_STEP = 30;
/** @type {PlaybackEvent[]} */
const NO_EVENTS = [];
/** @type {NonNullable<View['background']>} */
const TRANSPARENT = [0, 0, 0, 0];

/** Character with a clock and, on a canvas, a renderer. */
export class Character {
  /** @type {Instance} */
  #instance;
  /** @type {CharacterInfo} */
  #info;
  #clip = -1;
  /** Bind pose in a file that the module has not read. */
  #ownBindPose = 'auto';
  #crowd = {pointer: 0, capacity: 0};
  /** @type {{canvas: HTMLCanvasElement, lost: (event: Event) => void, restored: () => void} | null} */
  #target = null;
  #drawable = false;

  /**
   * Opens the first of some files. The others are images and other files that belong to it. Fails with a
   * CharacterError.
   * @param {CharacterFile[]} files
   * @param {object} [options]
   * @param {boolean} [options.full]  Uses the module that reads all formats and finds all problems (default: only if
   *   the file is not PCHR v1).
   * @param {WebAssembly.Module} [options.module]  Uses this module (default: fetched from the folder of this script).
   * @param {(name: string) => Promise<Uint8Array | null>} [options.findFile]  Returns files that the character names
   *   but that are not among `files`.
   * @param {AbortSignal} [options.signal]
   * @param {number} [options.maxBytes]  Rejects larger files.
   * @param {string} [options.bindPose]  As setBindPose() takes it.
   */
  static async open(files, options = {}) {
    const {signal} = options;
    if (files.length === 0) throw new CharacterError({message: 'there is no file to open'});
    const known = files.map(({name, bytes}) => ({name, bytes}));
    const sidecar = findSidecar(known);
    const full = options.full ?? !(isPchrV1(known[0].bytes) && known.every((file, i) => i === 0 || file === sidecar));
    const module = options.module ?? await loadModule(full);
    signal?.throwIfAborted();
    const instance = new Instance(module);
    const asked = new Set(known.map(({name}) => name));
    for (;;) {
      const result = openFiles(instance, known, options.maxBytes ?? 0);
      /** @type {string[]} */
      const missing = options.findFile ? result.missing.filter((/** @type {string} */ name) => !asked.has(name)) : [];
      if (missing.length === 0) {
        if (result.error) throw new CharacterError(result.error);
        // It can do without a texture atlas that it asked for by one of several names.
        result.missing = result.missing.filter((/** @type {string} */ name) => !/\.json$/i.test(name));
        const character = new Character(instance, result, full ? undefined : sidecar);
        if (options.bindPose !== undefined && options.bindPose !== 'auto') character.setBindPose(options.bindPose);
        return character;
      }
      await Promise.all(missing.map(async (name) => {
        asked.add(name);
        const bytes = await options.findFile?.(name);
        if (bytes) known.push({name, bytes});
      }));
      signal?.throwIfAborted();
    }
  }

  /**
   * Use open() instead.
   * @param {Instance} instance @param {CharacterInfo} info
   * @param {CharacterFile} [sidecar]  File with markers and a bind pose that the module has not read.
   */
  constructor(instance, info, sidecar) {
    this.#instance = instance;
    this.#info = info;
    if (sidecar) this.#apply(sidecar);
    this.setClip(0);
  }

  /** Contents of the character. */
  get info() {
    return this.#info;
  }

  /** Index of the clip that plays, or -1 for the bind pose. */
  get clip() {
    return this.#clip;
  }

  /** Time in the clip in seconds. */
  get time() {
    return /** @type {number} */ (this.#instance.call('pchr_time'));
  }

  /** Frame on screen. */
  get frame() {
    return this.#instance.call('pchr_frame') >>> 0;
  }

  /** Whether the clip plays once and has ended. */
  get ended() {
    return this.#instance.call('pchr_ended') !== 0;
  }

  /**
   * Plays a clip. Another clip starts at its beginning (with a negative speed, at its end); the same clip keeps its
   * time.
   * @param {number} index  Clip, or -1 for the bind pose.
   * @param {object} [options]
   * @param {'file' | 'always' | 'once' | 'ping-pong'} [options.loop]  What happens at the end (default: as the file
   *   says).
   * @param {boolean} [options.smooth]  Interpolates between frames.
   * @param {number} [options.speed]
   */
  setClip(index, options = {}) {
    const {loop = 'file', smooth = false, speed = 1} = options;
    this.#clip = Number.isInteger(index) && index >= 0 && index < this.#info.clips.length ? index : -1;
    this.#instance.call('pchr_set', this.#clip, LOOP[loop], Number(smooth), Number.isFinite(speed) ? speed : 1);
  }

  /**
   * Chooses the bind pose, the pose that the vertices were made in. Fails with a CharacterError if it does not exist.
   * @param {string} pose  Name of a clip, or with a frame such as "idle:12"; "identity" for the vertices as authored,
   *   or "auto" for the pose that the files choose or that is guessed.
   */
  setBindPose(pose) {
    this.#instance.callWithText('pchr_set_bind_pose', pose === 'auto' ? this.#ownBindPose : pose);
    const result = this.#checkedResult();
    this.#info.clips.forEach(({markers}, index) => Object.assign(result.clips[index], {markers}));
    this.#info = result;
  }

  /**
   * Advances the clip. Returns what happened on the way, in order.
   * @param {number} seconds
   * @returns {readonly PlaybackEvent[]}
   */
  advance(seconds) {
    const count = this.#instance.call('pchr_advance', seconds) >>> 0;
    if (count === 0) return NO_EVENTS;
    const start = this.#instance.call('pchr_events') >>> 0;
    const pairs = new Uint32Array(this.#instance.bytes.buffer, start, 2 * count);
    return Array.from({length: count}, (_, i) => this.#event(pairs[2 * i], pairs[2 * i + 1]));
  }

  /**
   * Moves to a time in the clip, clamped to it.
   * @param {number} seconds
   */
  seek(seconds) {
    this.#instance.call('pchr_seek', Number.isFinite(seconds) ? seconds : 0);
  }

  /**
   * Moves to the start of a frame, clamped to the last.
   * @param {number} frame
   */
  seekFrame(frame) {
    this.#instance.call('pchr_seek_frame', Math.max(0, Math.floor(frame) || 0));
  }

  /**
   * Prepares a canvas for drawing. Uploads the character again when the context was lost and is restored.
   * @param {HTMLCanvasElement} canvas
   * @param {WebGLContextAttributes & {onRestored?: () => void}} [options]  `onRestored` is called when the canvas must
   *   be drawn again.
   */
  attach(canvas, options = {}) {
    const {onRestored, ...attributes} = options;
    this.detach();
    const context = canvas.getContext('webgl2', {depth: this.#info.is3d, antialias: true, ...attributes});
    if (!context) throw new CharacterError({message: 'this browser has no WebGL 2, or it is turned off'});
    const lost = (/** @type {Event} */ event) => {
      event.preventDefault();  // Otherwise the browser does not restore the context.
      this.#stop();
    };
    const restored = () => {
      this.#start(context);
      onRestored?.();
    };
    canvas.addEventListener('webglcontextlost', lost);
    canvas.addEventListener('webglcontextrestored', restored);
    this.#target = {canvas, lost, restored};
    if (!context.isContextLost()) this.#start(context);
  }

  /** Deletes everything from the canvas's context. The character can be attached again. */
  detach() {
    if (!this.#target) return;
    const {canvas, lost, restored} = this.#target;
    canvas.removeEventListener('webglcontextlost', lost);
    canvas.removeEventListener('webglcontextrestored', restored);
    this.#target = null;
    this.#stop();
  }

  /**
   * Draws the pose at the current time on the canvas. Does nothing while the context is lost.
   * @param {View} view
   */
  draw({center, zoom, background = TRANSPARENT, filter}) {
    if (!this.#target || !this.#drawable) return;
    const {width, height} = this.#target.canvas;
    const [red, green, blue, alpha] = background;
    this.#instance.call('pchr_draw', width, height, center[0], center[1], zoom, red, green, blue, alpha,
                        FILTERS.indexOf(filter));
  }

  /**
   * Draws many copies of the character, back to front, instead of one.
   * @param {ArrayBufferView} members  48 bytes each: the clip (Uint32) and, as Float32, its time in seconds, the
   *   placement `[a, b, c, d, e, f]`, which moves (x, y) to (a x + c y + e, b x + d y + f), and the tint (red, green,
   *   blue, alpha, 0 to 1).
   * @param {View} view
   */
  drawCrowd(members, {center, zoom, background = TRANSPARENT}) {
    if (!this.#target || !this.#drawable) return;
    const {width, height} = this.#target.canvas;
    const {byteLength} = members;
    if (this.#crowd.capacity < byteLength) {
      this.#instance.call('pchr_free', this.#crowd.pointer);
      this.#crowd = {pointer: this.#instance.call('pchr_alloc', byteLength) >>> 0, capacity: byteLength};
    }
    this.#instance.bytes.set(new Uint8Array(members.buffer, members.byteOffset, byteLength), this.#crowd.pointer);
    const [red, green, blue, alpha] = background;
    this.#instance.call('pchr_draw_crowd', this.#crowd.pointer, Math.floor(byteLength / 48), width, height, center[0],
                        center[1], zoom, red, green, blue, alpha);
  }

  /** Returns 4 numbers per bone: start x, start y, end x and end y in world pixels. Valid until the next call. */
  joints() {
    const start = this.#instance.call('pchr_joints') >>> 0;
    return new Float32Array(this.#instance.bytes.buffer, start, 4 * this.#info.bones.length);
  }

  /** Returns 6 numbers per visible triangle: x and y of its corners in world pixels. Valid until the next call. */
  wireframe() {
    const start = this.#instance.call('pchr_wireframe') >>> 0;
    return new Float32Array(this.#instance.bytes.buffer, start, 6 * this.#instance.call('pchr_wireframe_count'));
  }

  /**
   * Returns the size of saved images in pixels. Fails with a CharacterError if they cannot be saved.
   * @param {{clip?: number, scale?: number}} [options]  As save() takes them.
   * @returns {{width: number, height: number}}
   */
  imageSize(options = {}) {
    const {clip = this.#clip, scale = 1} = options;
    if (!this.#instance.has('pchr_save')) {
      throw new CharacterError({message: 'only a character that was opened with {full: true} can be saved'});
    }
    this.#instance.call('pchr_image_size', clip, scale);
    return this.#checkedResult();
  }

  /**
   * Saves a frame or a clip on a canvas of its own: the character must have been opened with `full`, and must not be
   * attached to another. Frames of a clip last as long as in the clip. Fails with a CharacterError.
   * @param {SaveOptions} options
   * @returns {Promise<Blob>}  The file.
   */
  async save({format, clip = this.#clip, frame = format === 'png' ? this.frame : -1, scale = 1, loop = 'file',
              background = TRANSPARENT, filter, signal, onProgress}) {
    if (this.#target) throw new CharacterError({message: 'the character is attached to a canvas'});
    this.imageSize({clip, scale});
    const canvas = document.createElement('canvas');
    this.attach(canvas);
    try {
      this.#instance.call('pchr_save', clip, frame, FORMATS.indexOf(format), scale, LOOP[loop], FILTERS.indexOf(filter),
                          ...background);
      this.#checkedResult();
      for (let done = 0; done < 1;) {
        const pause = performance.now() + SAVING_STEP;
        while (done < 1 && performance.now() < pause) {
          if (!this.#drawable) throw new CharacterError({message: 'the browser lost the WebGL context'});
          done = this.#instance.call('pchr_save_more');
          if (done < 0) this.#checkedResult();
        }
        onProgress?.(done);
        await nextTask();
        signal?.throwIfAborted();
      }
      const start = this.#instance.call('pchr_saved') >>> 0;
      const file = this.#instance.bytes.slice(start, start + this.#instance.call('pchr_saved_bytes'));
      return new Blob([file], {type: format === 'apng' ? 'image/png' : `image/${format}`});
    } finally {
      this.detach();
      // Browsers limit the number of contexts, and free unused ones late.
      canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext();
    }
  }

  /** Memory in use: bytes of the module, bytes on the GPU, and the number of OpenGL objects. */
  get memory() {
    return {
      bytes: this.#instance.bytes.length,
      gpuBytes: this.#drawable ? /** @type {number} */ (this.#instance.call('pchr_gpu_bytes')) : 0,
      glObjects: this.#instance.gl.countObjects(),
    };
  }

  /** Frees the character. It cannot be used any more. */
  close() {
    this.detach();
    this.#instance.dispose();
  }

  /** Returns the result of the last call that has one, or throws the error that it is. */
  #checkedResult() {
    const result = this.#instance.result();
    if (result.error) throw new CharacterError(result.error);
    return result;
  }

  /** @param {WebGL2RenderingContext} context */
  #start(context) {
    this.#instance.gl.setContext(context);
    if (this.#instance.call('pchr_start_gl') === 0) {
      const {error} = this.#instance.result();
      this.#stop();
      throw new CharacterError(error);
    }
    this.#drawable = true;
  }

  // Also after a trap, when calls fail and the context must not keep the objects.
  #stop() {
    this.#drawable = false;
    try {
      this.#instance.call('pchr_stop_gl');
    } catch {
      this.#instance.gl.deleteObjects();
    }
    this.#instance.gl.setContext(null);
  }

  /** @param {number} kind @param {number} value @returns {PlaybackEvent} */
  #event(kind, value) {
    if (kind === 0) return {type: 'loop', count: value};
    if (kind === 1) return {type: 'end'};
    return {type: 'marker', marker: this.#info.clips[this.#clip].markers[value]};
  }

  /** @param {CharacterFile} sidecar */
  #apply(sidecar) {
    const {markers = [], bind} = readSidecar(sidecar);
    if (bind) {
      this.#ownBindPose = bind === 'identity' ? bind : `${bind.clip}:${bind.frame ?? 0}`;
      this.setBindPose('auto');
    }
    const {clips} = this.#info;
    for (const {clip, frame, name} of markers) {
      const index = clips.findIndex((candidate) => candidate.name === clip);
      if (!(frame >= 0 && frame < clips[index]?.frames)) {
        throw new CharacterError({
          message: `${sidecar.name}: marker "${name}" is at frame ${frame} of clip "${clip}", which does not exist`,
        });
      }
      clips[index].markers.push({frame, name});
    }
    clips.forEach(({markers}, index) => {
      markers.sort((a, b) => a.frame - b.frame);
      for (const {frame} of markers) this.#instance.call('pchr_add_marker', index, frame);
    });
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

/** @param {Instance} instance @param {CharacterFile[]} files @param {number} maxBytes */
function openFiles(instance, files, maxBytes) {
  for (const {name, bytes} of files) {
    instance.callWithText('pchr_add_file', name, instance.copyIn(bytes), bytes.length);
  }
  instance.callWithText('pchr_open', files[0].name, maxBytes);
  return instance.result();
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
 * @param {CharacterFile} file
 * @returns {{markers?: {clip: string, frame: number, name: string}[],
 *   bind?: 'identity' | {clip: string, frame?: number}}}
 */
function readSidecar({name, bytes}) {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new CharacterError({message: `${name}: ${/** @type {Error} */ (error).message}`}, {cause: error});
  }
}
