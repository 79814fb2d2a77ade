// SPDX-License-Identifier: MIT
// A character in the scene of a game engine: what the adapters for PixiJS, Phaser and three.js share.

import {Animator, Character, CharacterError, DrawStream, HitImages, Pose} from './runtime.js';

/** @typedef {import('./runtime.js').Skin} Skin */
/** @typedef {import('./animator.js').PlayOptions} PlayOptions */
/** @typedef {NonNullable<Parameters<typeof Character.share>[1]>} LoadOptions */

/**
 * Options for a character in a scene.
 * @typedef {object} OwnOptions
 * @property {string | number} [clip]  Clip to play at first (default: none, which is the bind pose).
 * @property {Skin | null} [skin]  Skin that it wears.
 * @property {boolean} [smooth]  Whether to interpolate between frames (default: true).
 * @property {boolean} [states]  Lets the state machines of its `.rig.json` play it.
 */
/** @typedef {PlayOptions & OwnOptions} ActorOptions Those of PlayOptions are for `clip`. */

/** Names of blend modes by pchr_blend. */
export const BLENDS = /** @type {const} */ (['normal', 'add', 'multiply', 'screen']);
const ADD = 1;

/**
 * Streams by module. One is enough for all characters of a module: it is read as soon as it is filled.
 * @type {WeakMap<object, DrawStream>}
 */
const streams = new WeakMap();

/**
 * Makes an object of a character that is shared by all who load the same URL. Its actor closes the character.
 * @template T
 * @param {string | URL} url @param {LoadOptions} options @param {(character: Character) => T} make
 */
export async function loadObject(url, options, make) {
  const character = /** @type {Character} */ (await Character.share(url, options));
  try {
    return make(character);
  } catch (error) {
    character.close();
    throw error;
  }
}

/**
 * An image: premultiplied RGBA, top row first.
 * @typedef {{width: number, height: number, pixels: Uint8Array, pixelArt: boolean}} ImageData
 */

/**
 * The textures of characters and skins in one engine: one per image, until their last user is gone.
 * @template T
 */
export class Textures {
  /** @type {Map<object, {users: number, made: Map<number, T>, hitImages?: HitImages}>} */
  #owners = new Map();

  /** @param {(image: ImageData) => T} make @param {(texture: T) => void} destroy */
  constructor(make, destroy) {
    this.make = make;
    this.destroy = destroy;
  }

  /** @param {object | null} owner  A character or skin. */
  keep(owner) {
    if (!owner) return;
    const entry = this.#owners.get(owner);
    if (entry) ++entry.users;
    else this.#owners.set(owner, {users: 1, made: new Map()});
  }

  /** @param {object | null} owner */
  release(owner) {
    const entry = owner && this.#owners.get(owner);
    if (!entry || --entry.users > 0) return;
    for (const texture of entry.made.values()) this.destroy(texture);
    entry.hitImages?.free();
    this.#owners.delete(owner);
  }

  /** @param {object} owner @param {number} index @param {() => ImageData} image */
  get(owner, index, image) {
    const {made} = this.#entry(owner);
    let texture = made.get(index);
    if (texture === undefined) made.set(index, texture = this.make(image()));
    return texture;
  }

  /** @param {Character} character */
  hitImages(character) {
    return this.#entry(character).hitImages ??= new HitImages(character);
  }

  /** @param {object} owner */
  #entry(owner) {
    const entry = this.#owners.get(owner);
    if (!entry) throw new CharacterError({message: 'the character is not in the scene any more'});
    return entry;
  }
}

/**
 * Enlarges an image of four bytes per pixel. Its last row and column are repeated.
 * @param {Uint8Array} pixels @param {number} width @param {number} height @param {number} wide @param {number} high
 */
export function padded(pixels, width, height, wide, high) {
  if (wide === width && high === height) return pixels;
  const from = new Uint32Array(pixels.buffer);
  const to = new Uint32Array(wide * high);
  for (let y = 0; y < high; ++y) {
    const start = Math.min(y, height - 1) * width;
    to.set(from.subarray(start, start + width), y * wide);
    to.fill(from[start + width - 1], y * wide + width, (y + 1) * wide);
  }
  return new Uint8Array(to.buffer);
}

/**
 * Multiplies two colors.
 * @param {number} a  Straight RGBA, 8 bits each. @param {number} b
 */
export function multiply(a, b) {
  if (a === 0xFFFFFFFF) return b >>> 0;
  let product = 0;
  for (let shift = 0; shift < 32; shift += 8) {
    product |= Math.round((a >>> shift & 255) * (b >>> shift & 255) / 255) << shift;
  }
  return product >>> 0;
}

/**
 * Exchanges red and blue.
 * @param {number} color
 */
export const swapped = (color) => (color & 0xFF00FF00 | color >> 16 & 255 | (color & 255) << 16) >>> 0;

/**
 * Makes a premultiplied color straight. Without alpha, as in additive meshes, it is opaque.
 * @param {number} color
 */
function straight(color) {
  const alpha = color >>> 24;
  if (alpha === 255) return color;
  if (alpha === 0) return (color | 0xFF000000) >>> 0;
  let result = alpha << 24;
  for (let shift = 0; shift < 24; shift += 8) {
    result |= Math.min(Math.round((color >>> shift & 255) * 255 / alpha), 255) << shift;
  }
  return result >>> 0;
}

/** Consecutive triangles with one image, color and blend mode. */
export class Run {
  image = -1;
  /** A pchr_blend. */
  blend = 0;
  /** Straight RGBA, red in the lowest byte. */
  tint = 0;
  indexOffset = 0;
  indexSize = 0;
  /** Range of vertices. */
  attributeOffset = 0;
  attributeSize = 0;
}

/**
 * Triangles of a character for engines whose batches have positions and UVs apart, y down, and one color per call.
 * @template {Run} R
 */
class Triangles {
  positions = new Float32Array(0);
  uvs = new Float32Array(0);
  indices = new Uint32Array(0);
  /** @type {R[]} */
  runs = [];
  /** Number of runs in use. */
  count = 0;
  /**
   * Number of runs before each of the actor's places.
   * @type {number[]}
   */
  breaks = [];
  /** Increases when batches have to be built again, because more than positions, UVs and tints changed. */
  structure = 0;
  #version = 0;
  #actor;
  #make;

  /** @param {Actor<any, R>} actor @param {() => R} make */
  constructor(actor, make) {
    this.#actor = actor;
    this.#make = make;
  }

  update() {
    const {version} = this.#actor;
    if (this.#version === version) return this;
    this.#version = version;
    const {vertices, colors, vertexCount, indices, indexCount, commands, commandCount} = this.#actor.stream();
    const {breakIndices} = this.#actor;
    if (this.positions.length < 2 * vertexCount) {
      this.positions = new Float32Array(2 * vertexCount);
      this.uvs = new Float32Array(2 * vertexCount);
    }
    if (this.indices.length < indexCount) this.indices = new Uint32Array(indexCount);
    const {positions, uvs, indices: kept, runs} = this;
    for (let from = 0, to = 0; to < 2 * vertexCount; from += 5, to += 2) {
      positions[to] = vertices[from];
      positions[to + 1] = -vertices[from + 1];
      uvs[to] = vertices[from + 2];
      uvs[to + 1] = vertices[from + 3];
    }
    let count = 0;
    let changed = false;
    let passed = 0;
    for (let command = 0; command < 5 * commandCount; command += 5) {
      const image = commands[command + 1];
      const end = commands[command + 2] + commands[command + 3];
      for (let i = commands[command + 2]; i < end;) {
        for (; breakIndices[passed] <= i; ++passed) {
          changed ||= this.breaks[passed] !== count;
          this.breaks[passed] = count;
        }
        const run = runs[count++] ??= this.#make();
        const first = i;
        const color = colors[5 * indices[i] + 4];
        const blend = color !== 0 && color >>> 24 === 0 ? ADD : commands[command + 4] & 255;
        let low = indices[i];
        let high = low;
        do {
          for (const next = i + 3; i < next; ++i) {
            const vertex = indices[i];
            changed ||= kept[i] !== vertex;
            kept[i] = vertex;
            if (vertex < low) low = vertex;
            else if (vertex > high) high = vertex;
          }
        } while (i < end && i !== breakIndices[passed] && colors[5 * indices[i] + 4] === color);
        changed ||= run.image !== image || run.blend !== blend || run.indexOffset !== first ||
          run.indexSize !== i - first || run.attributeOffset !== low || run.attributeSize !== high - low + 1;
        run.image = image;
        run.blend = blend;
        run.tint = straight(color);
        run.indexOffset = first;
        run.indexSize = i - first;
        run.attributeOffset = low;
        run.attributeSize = high - low + 1;
      }
    }
    for (; passed < breakIndices.length; ++passed) {
      changed ||= this.breaks[passed] !== count;
      this.breaks[passed] = count;
    }
    if (changed || count !== this.count) ++this.structure;
    this.count = count;
    return this;
  }
}

/**
 * An animator, its pose, the triangles of that pose and their textures.
 * @template T @template {Run} [R=Run]
 */
export class Actor {
  /** Increases when the triangles may have changed. */
  version = 1;
  /** Whether free() closes the character. */
  closes = false;
  /**
   * Places in the draw order between which something else is drawn, as the index of the next item, in order.
   * @type {number[]}
   */
  places = [];
  /**
   * Number of indices of the stream before each of the places.
   * @type {number[]}
   */
  breakIndices = [];
  #moves = false;
  #freed = false;
  /** @type {Textures<T>} */
  #textures;
  /** @type {{skin?: Skin, appearance?: import('./runtime.js').Appearance}} */
  #streamOptions;

  /**
   * @param {Character} character @param {Textures<T>} textures @param {ActorOptions} options
   * @param {() => R} [makeRun]
   */
  constructor(character, textures, options, makeRun = () => /** @type {R} */ (new Run())) {
    const {clip, skin = null, smooth = true, states = false, layer, loop, fade, speed, start} = options;
    this.character = character;
    this.animator = new Animator(character);
    this.animator.smooth = smooth;
    this.pose = new Pose(character);
    this.triangles = new Triangles(this, makeRun);
    this.#textures = textures;
    this.#streamOptions = {skin: skin ?? undefined};
    // Before anything is kept, because they fail if there is no such clip, or if the states cannot work.
    if (states) this.animator.setStates();
    if (clip !== undefined) this.animator.play(clip, {layer, loop, fade, speed, start});
    textures.keep(character);
    textures.keep(skin);
  }

  /** @param {import('./runtime.js').Appearance} appearance  A tint and so on for the triangles. */
  set appearance(appearance) {
    this.#streamOptions.appearance = appearance;
  }

  /** The skin that the character wears, or null. */
  get skin() {
    return this.#streamOptions.skin ?? null;
  }

  set skin(skin) {
    this.#textures.keep(skin);
    this.#textures.release(this.skin);
    this.#streamOptions.skin = skin ?? undefined;
    // Its images can have the numbers of those before.
    this.triangles.count = -1;
    ++this.version;
  }

  /**
   * Says where the character is, y down, so that its springs swing when it moves.
   * @param {number} a @param {number} b @param {number} c @param {number} d @param {number} x @param {number} y
   */
  place(a, b, c, d, x, y) {
    // Before the first step, it is being put somewhere.
    this.animator.setPlacement({placement: [a, -b, -c, d, x, -y]}, !this.#moves);
  }

  /**
   * Advances the animator and poses the character. Returns the events, then those of state machines.
   * @param {number} seconds
   */
  update(seconds) {
    this.#moves ||= seconds > 0;
    const events = this.animator.advance(seconds);
    this.animator.pose(this.pose);
    ++this.version;
    const {stateEvents} = this.animator;
    return stateEvents.length === 0 ? events : [...events, ...stateEvents];
  }

  /** Returns the triangles of the pose as the module makes them, valid until the next call for any character. */
  stream() {
    const {instance} = this.character;
    let stream = streams.get(instance);
    if (!stream) streams.set(instance, stream = new DrawStream());
    stream.clear();
    this.breakIndices.length = 0;
    let firstItem = 0;
    for (const place of this.places) {
      // No items would mean all.
      if (place > firstItem) stream.add(this.pose, {...this.#streamOptions, firstItem, itemCount: place - firstItem});
      firstItem = place;
      this.breakIndices.push(stream.indexCount);
    }
    if (firstItem === 0) stream.add(this.pose, this.#streamOptions);
    else if (firstItem < this.pose.drawCount) stream.add(this.pose, {...this.#streamOptions, firstItem});
    // Decoding images can move the module's memory, which nobody expects while reading the stream.
    for (let i = 0; i < stream.commandCount; ++i) this.texture(stream.commands[5 * i + 1]);
    return stream;
  }

  /**
   * Returns the texture of an image of the character or, past its images, of its skin.
   * @param {number} index
   */
  texture(index) {
    const {character, skin} = this;
    const skinned = index >= character.info.images.length;
    return this.#textures.get(skinned ? /** @type {Skin} */ (skin) : character, index, () => {
      const image = skinned ? /** @type {Skin} */ (skin).image(index) : character.imagePixels(index);
      if (!image) throw new CharacterError({message: `image ${index} does not exist`});
      const {width, height, pixels} = image;
      return {width, height, pixels: pixels.slice(), pixelArt: character.info.pixelArt};
    });
  }

  /**
   * Returns the topmost mesh at a point in the character's space (y up), or null. Transparent pixels are not hit.
   * @param {number} x @param {number} y
   */
  hitTest(x, y) {
    const images = this.#textures.hitImages(this.character);
    return this.pose.hitTest(x, y, {images, skin: this.skin ?? undefined});
  }

  /** Frees everything but the character, unless `closes` says so. */
  free() {
    if (this.#freed) return;
    this.#freed = true;
    this.animator.free();
    this.pose.free();
    this.#textures.release(this.skin);
    this.#textures.release(this.character);
    if (this.closes) this.character.close();
  }
}
