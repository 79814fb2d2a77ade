// SPDX-License-Identifier: MIT
// Characters on a WebGL context: what is uploaded to it, for all modules.

import {CharacterError} from './module.js';

/** @typedef {import('./character.js').Character} Character */
/** @typedef {import('./character.js').Playback} Playback */
/** @typedef {import('./module.js').Instance} Instance */

/**
 * Where to draw: the world point in the center of the viewport (world y points up), pixels of the viewport per world
 * pixel, its size, and the filter of images (default: what the character asks for).
 * @typedef {object} View
 * @property {[x: number, y: number]} center
 * @property {number} zoom
 * @property {number} width
 * @property {number} height
 * @property {'trilinear' | 'bilinear' | 'nearest'} [filter]
 */

/** What the module calls them. `undefined` is what the character asks for. */
const FILTERS = ['trilinear', 'bilinear', 'nearest', undefined];

/** @param {View['filter']} filter */
export const filterNumber = (filter) => FILTERS.indexOf(filter);

/** Characters that are uploaded to a WebGL context, with a renderer of each module. */
export class Surface {
  #context;
  /**
   * Keeps the modules, so that the next character finds the shaders compiled.
   * @type {Map<Instance, {renderer: number, ignoreFailure: () => void, release: () => void}>}
   */
  #renderers = new Map();
  /** @type {Map<Character, number>} */
  #models = new Map();

  /** @param {WebGL2RenderingContext} context */
  constructor(context) {
    this.#context = context;
  }

  get context() {
    return this.#context;
  }

  /**
   * Uploads a character, unless it is uploaded. Fails with a CharacterError.
   * @param {Character} character
   */
  upload(character) {
    const renderer = this.#renderer(character.instance);
    let model = this.#models.get(character);
    if (model === undefined) {
      model = this.#make(character.instance, 'web_model_create', renderer, character.pointer);
      this.#models.set(character, model);
    }
    return {renderer, model};
  }

  /**
   * Draws a character over what is there, into a viewport that the caller has set. Changes state of the context.
   * @param {Playback} playback @param {View} view
   */
  draw(playback, {center, zoom, width, height, filter}) {
    const {character} = playback;
    const {renderer, model} = this.upload(character);
    character.instance.on(this.#context, () => character.instance.call(
      'web_draw', renderer, model, playback.pointer, width, height, center[0], center[1], zoom, filterNumber(filter)));
  }

  /**
   * Deletes a character from the context.
   * @param {Character} character
   */
  remove(character) {
    const model = this.#models.get(character);
    if (model === undefined) return;
    this.#models.delete(character);
    const {instance} = character;
    if (!instance.failed) instance.on(this.#context, () => instance.call('web_model_free', model));
  }

  /** Forgets everything, for a context that is lost. */
  lose() {
    for (const instance of this.#renderers.keys()) instance.forget(this.#context);
    this.free();
  }

  /** Deletes everything from the context. */
  free() {
    for (const character of [...this.#models.keys()]) this.remove(character);
    for (const [instance, {renderer, ignoreFailure, release}] of this.#renderers) {
      ignoreFailure();
      if (!instance.failed) instance.on(this.#context, () => instance.call('web_renderer_free', renderer));
      instance.forget(this.#context);
      release();
    }
    this.#renderers.clear();
  }

  /** @param {Instance} instance */
  #renderer(instance) {
    let known = this.#renderers.get(instance);
    if (!known) {
      const renderer = this.#make(instance, 'web_renderer_create');
      const ignoreFailure = instance.onFailure(() => {
        instance.deleteObjects(this.#context);
        this.#renderers.delete(instance);
        for (const character of [...this.#models.keys()]) {
          if (character.instance === instance) this.#models.delete(character);
        }
      });
      this.#renderers.set(instance, known = {renderer, ignoreFailure, release: instance.retain()});
    }
    return known.renderer;
  }

  /**
   * Calls a function that makes something. Fails with a CharacterError.
   * @param {Instance} instance @param {string} name @param {number[]} values
   * @returns {number}
   */
  #make(instance, name, ...values) {
    const pointer = instance.on(this.#context, () => instance.call(name, ...values));
    if (pointer === 0) throw new CharacterError(instance.result().error);
    return pointer;
  }
}
