// SPDX-License-Identifier: MIT
// Characters in three.js, with its WebGLRenderer.

import {
  AddEquation, BufferAttribute, BufferGeometry, Color, CustomBlending, DataTexture, DoubleSide, DstColorFactor,
  DynamicDrawUsage, InterleavedBuffer, InterleavedBufferAttribute, LinearFilter, LinearMipmapLinearFilter, Matrix4,
  Mesh, NearestFilter, OneFactor, OneMinusSrcAlphaFactor, OneMinusSrcColorFactor, Plane, Ray, RGBAFormat,
  ShaderMaterial, Sphere, Vector3,
} from 'three';
import {Actor, Textures, loadObject} from './actor.js';

/** @typedef {import('./actor.js').ActorOptions} ActorOptions */
/** @typedef {import('./actor.js').PlayOptions} PlayOptions */
/** @typedef {import('./runtime.js').Character} Character */
/** @typedef {import('./animator.js').AnimatorEvent} AnimatorEvent */
/** @typedef {import('./animator.js').StateEvent} StateEvent */
/**
 * @typedef {import('three').Object3DEventMap & Record<AnimatorEvent['kind'], {detail: AnimatorEvent}> &
 *   Record<StateEvent['kind'], {detail: StateEvent}>} PchrEventMap
 */
/** @typedef {import('./actor.js').LoadOptions} LoadOptions */

const VERTEX_SHADER = `
attribute vec2 texturePosition;
attribute vec4 premultiplied;
varying vec2 at;
varying vec4 factor;
void main() {
  at = texturePosition;
  factor = premultiplied;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position.xy, 0.0, 1.0);
}`;

// Colors are sRGB values, blended as such. three.js expects linear light, and encodes it for the target.
const FRAGMENT_SHADER = `
uniform sampler2D map;
varying vec2 at;
varying vec4 factor;
vec3 decoded(vec3 color) {
  return mix(color / 12.92, pow((color + 0.055) / 1.055, vec3(2.4)), step(0.04045, color));
}
void main() {
  vec4 color = texture2D(map, at) * factor;
  // Additive meshes have colors without alpha.
  float cover = color.a > 0.0 ? color.a : 1.0;
  gl_FragColor = vec4(decoded(color.rgb / cover), color.a);
  #include <colorspace_fragment>
  gl_FragColor.rgb *= cover;
}`;

/** Factors by pchr_blend. Streams express additive blending as normal, with colors that have no alpha. */
const BLEND_FACTORS = [
  [OneFactor, OneMinusSrcAlphaFactor], [OneFactor, OneFactor], [DstColorFactor, OneMinusSrcAlphaFactor],
  [OneFactor, OneMinusSrcColorFactor]];

/** A texture and its materials by pchr_blend. */
class CharacterImage {
  /** @type {ShaderMaterial[]} */
  #materials = [];

  /** @param {import('./actor.js').ImageData} image */
  constructor({width, height, pixels, pixelArt}) {
    this.texture = new DataTexture(pixels, width, height, RGBAFormat);
    this.texture.magFilter = pixelArt ? NearestFilter : LinearFilter;
    this.texture.minFilter = pixelArt ? NearestFilter : LinearMipmapLinearFilter;
    this.texture.generateMipmaps = !pixelArt;
    this.texture.needsUpdate = true;
  }

  /** @param {number} blend */
  material(blend) {
    const [blendSrc, blendDst] = BLEND_FACTORS[blend];
    return this.#materials[blend] ??= new ShaderMaterial({
      uniforms: {map: {value: this.texture}}, vertexShader: VERTEX_SHADER, fragmentShader: FRAGMENT_SHADER,
      blending: CustomBlending, blendEquation: AddEquation, blendSrc, blendDst, premultipliedAlpha: true,
      transparent: true, depthWrite: false, side: DoubleSide, toneMapped: false});
  }

  dispose() {
    this.texture.dispose();
    for (const material of this.#materials) material?.dispose();
  }
}

const images = new Textures((image) => new CharacterImage(image), (image) => image.dispose());
const plane = new Plane(new Vector3(0, 0, 1), 0);

/**
 * A character in a scene, in the plane z = 0 of the object, one unit per pixel, its origin that of the character.
 * Dispatches `marker`, `finished`, `looped`, `started` and `interrupted`, with the event of the animator as `detail`,
 * and `entered`, `left` and `named`, with that of its state machines.
 * @extends {Mesh<BufferGeometry, ShaderMaterial[], PchrEventMap>}
 */
export class PchrObject extends Mesh {
  /** Color that the character is multiplied with. */
  color = new Color(1, 1, 1);
  /** Opacity of the whole character. */
  opacity = 1;
  /** @type {Actor<CharacterImage>} */
  #actor;
  #colors = new Uint32Array(0);
  #appearance = {tint: [1, 1, 1, 1]};

  /**
   * @param {Character} character  Must stay open until dispose().
   * @param {ActorOptions & {scale?: number}} [options]  `scale` is units per pixel.
   */
  constructor(character, options = {}) {
    const {scale = 1, ...others} = options;
    super(new BufferGeometry(), []);
    this.#actor = new Actor(character, images, others);
    this.#actor.appearance = this.#appearance;
    this.scale.setScalar(scale);
    this.geometry.boundingSphere = new Sphere();
    this.update(0);
  }

  /**
   * Loads a character, which is shared with others of the same URL and closed with the last of them.
   * @param {string | URL} url @param {ActorOptions & LoadOptions & {scale?: number}} [options]
   */
  static async load(url, options = {}) {
    return loadObject(url, options, (character) => {
      const result = new PchrObject(character, options);
      result.#actor.closes = true;
      return result;
    });
  }

  /** The character that is shown. */
  get character() { return this.#actor.character; }
  /** Plays clips. Changes are seen after the next update(). */
  get animator() { return this.#actor.animator; }
  /** The pose on screen. After you change it, call changed(). */
  get pose() { return this.#actor.pose; }
  /** The skin that the character wears, or null. Seen after the next update(). */
  get skin() { return this.#actor.skin; }
  set skin(skin) { this.#actor.skin = skin; }

  /**
   * Plays a clip. Returns the id of this play, for the animator.
   * @param {string | number} clip @param {PlayOptions} [options]
   */
  play(clip, options) {
    return this.animator.play(clip, options);
  }

  /**
   * Advances the character, and dispatches the events on the way.
   * @param {number} seconds
   */
  update(seconds) {
    if (this.character.rig) {
      this.updateMatrix();
      const {elements} = this.matrix;
      this.#actor.place(elements[0], -elements[1], -elements[4], elements[5], elements[12], -elements[13]);
    }
    const events = this.#actor.update(seconds);
    this.changed();
    for (const event of events) this.dispatchEvent(/** @type {any} */ ({type: event.kind, detail: event}));
  }

  /** Shows changes to `pose`, `color`, `opacity` and `skin`, until the next update(). */
  changed() {
    const {tint} = this.#appearance;
    this.color.toArray(tint);
    tint[3] = this.opacity;
    const {vertices, colors, vertexCount, indices, indexCount, commands, commandCount} = this.#actor.stream();
    const {geometry} = this;
    if (this.#colors.length < vertexCount || (geometry.index?.count ?? -1) < indexCount) {
      this.#grow(vertexCount, indexCount);
    }
    const {data} = /** @type {InterleavedBufferAttribute} */ (geometry.attributes.position);
    const places = data.array;
    let recolored = false;
    for (let from = 0, to = 0, i = 0; i < vertexCount; ++i) {
      places[to++] = vertices[from];
      places[to++] = vertices[from + 1];
      places[to++] = vertices[from + 2];
      places[to++] = vertices[from + 3];
      const color = colors[from + 4];
      recolored ||= this.#colors[i] !== color;
      this.#colors[i] = color;
      from += 5;
    }
    upload(data, 4 * vertexCount);
    if (recolored) upload(/** @type {BufferAttribute} */ (geometry.attributes.premultiplied), 4 * vertexCount);
    const index = /** @type {BufferAttribute} */ (geometry.index);
    let reordered = false;
    for (let i = 0; i < indexCount; ++i) {
      reordered ||= index.array[i] !== indices[i];
      index.array[i] = indices[i];
    }
    if (reordered) upload(index, indexCount);
    const materials = /** @type {ShaderMaterial[]} */ (this.material);
    materials.length = geometry.groups.length = commandCount;
    for (let i = 0, at = 0; i < commandCount; ++i, at += 5) {
      materials[i] = this.#actor.texture(commands[at + 1]).material(commands[at + 4] & 255);
      const group = geometry.groups[i] ??= {start: 0, count: 0, materialIndex: i};
      group.start = commands[at + 2];
      group.count = commands[at + 3];
    }
    const [left, bottom, right, top] = this.pose.bounds() ?? [0, 0, 0, 0];
    const sphere = /** @type {Sphere} */ (geometry.boundingSphere);
    sphere.center.set((left + right) / 2, (bottom + top) / 2, 0);
    sphere.radius = Math.hypot(right - left, top - bottom) / 2;
  }

  /**
   * Makes room. Buffers of three.js cannot grow.
   * @param {number} vertexCount @param {number} indexCount
   */
  #grow(vertexCount, indexCount) {
    const {geometry} = this;
    geometry.dispose();
    this.#colors = new Uint32Array(vertexCount);
    const places = new InterleavedBuffer(new Float32Array(4 * vertexCount), 4).setUsage(DynamicDrawUsage);
    geometry.setAttribute('position', new InterleavedBufferAttribute(places, 2, 0));
    geometry.setAttribute('texturePosition', new InterleavedBufferAttribute(places, 2, 2));
    geometry.setAttribute('premultiplied', new BufferAttribute(new Uint8Array(this.#colors.buffer), 4, true));
    geometry.setIndex(new BufferAttribute(new Uint32Array(indexCount), 1));
  }

  /**
   * Returns the transform of a bone in the space of this object.
   * @param {string | number} bone @param {Matrix4} [out]
   */
  boneTransform(bone, out = new Matrix4()) {
    const [a, b, c, d, x, y] = this.pose.boneTransform(bone).transform;
    return out.set(a, c, 0, x, b, d, 0, y, 0, 0, 1, 0, 0, 0, 0, 1);
  }

  /**
   * Returns the topmost mesh at a point in the plane of this object, or null. Transparent pixels are not hit.
   * @param {number} x @param {number} y
   */
  hitTest(x, y) {
    return this.#actor.hitTest(x, y);
  }

  /** @override @param {import('three').Raycaster} raycaster @param {import('three').Intersection[]} intersections */
  raycast(raycaster, intersections) {
    const ray = new Ray().copy(raycaster.ray).applyMatrix4(new Matrix4().copy(this.matrixWorld).invert());
    const point = ray.intersectPlane(plane, new Vector3());
    const hit = point && this.hitTest(point.x, point.y);
    if (!hit) return;
    point.applyMatrix4(this.matrixWorld);
    const distance = point.distanceTo(raycaster.ray.origin);
    if (distance < raycaster.near || distance > raycaster.far) return;
    intersections.push(/** @type {any} */ ({distance, point, object: this, hit}));
  }

  /** @override Frees everything but the character, if it was not made by load(). */
  dispose() {
    super.dispose?.();
    this.removeFromParent();
    this.geometry.dispose();
    this.#actor.free();
  }
}

/**
 * Uploads the first elements of a buffer before the next frame.
 * @param {BufferAttribute | InterleavedBuffer} buffer @param {number} count
 */
function upload(buffer, count) {
  buffer.clearUpdateRanges();
  buffer.addUpdateRange(0, count);
  buffer.needsUpdate = true;
}
