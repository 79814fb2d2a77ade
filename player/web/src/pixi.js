// SPDX-License-Identifier: MIT
// Characters in PixiJS 8. Their triangles are batched with those of sprites, so they follow transforms, tints, masks,
// filters and sorting like any other container. Import this before a renderer is created.

import {
  BufferImageSource, Container, ExtensionType, LoaderParserPriority, Matrix, Texture, Ticker, ViewContainer, extensions,
} from 'pixi.js';
import {Actor, BLENDS, Run, Textures, loadObject, multiply} from './actor.js';
import {Character} from './runtime.js';

/** @typedef {import('./actor.js').ActorOptions} ActorOptions */
/** @typedef {import('./actor.js').PlayOptions} PlayOptions */
/** @typedef {{mesh?: string | number, behind?: boolean}} Place */
/** @typedef {import('./actor.js').LoadOptions} LoadOptions */

const textures = new Textures(
  ({width, height, pixels, pixelArt}) => new Texture({source: new BufferImageSource({
    resource: pixels, width, height, format: 'rgba8unorm', alphaMode: 'premultiplied-alpha',
    autoGenerateMipmaps: !pixelArt, scaleMode: pixelArt ? 'nearest' : 'linear'})}),
  (texture) => texture.destroy(true));

/** A run of triangles as Pixi's batcher takes them. */
class BatchableRun extends Run {
  batcherName = 'default';
  topology = 'triangle-list';
  packAsQuad = false;
  roundPixels = 0;
  /** @type {any} */
  _batcher = null;
  _batch = null;
  /** @type {any} */
  texture = null;

  /** @param {PchrCharacter} owner */
  constructor(owner) {
    super();
    this.owner = owner;
  }

  get positions() { return this.owner._actor.triangles.positions; }
  get uvs() { return this.owner._actor.triangles.uvs; }
  get indices() { return this.owner._actor.triangles.indices; }
  get transform() { return this.owner.groupTransform; }
  get blendMode() { return this.blend === 0 ? this.owner.groupBlendMode : BLENDS[this.blend]; }
  get color() { return multiply(this.tint, this.owner.groupColorAlpha); }
}

/** Adds characters to the batches of a renderer. */
class PchrPipe {
  static extension = {type: [ExtensionType.WebGLPipes, ExtensionType.WebGPUPipes], name: 'pchr'};

  /** @param {any} renderer */
  constructor(renderer) {
    this.renderer = renderer;
  }

  /** @param {PchrCharacter} character */
  validateRenderable(character) {
    // Those that are not shown are not worth skinning.
    if (character.globalDisplayStatus < 7) return false;
    const {triangles} = character._actor;
    const {structure} = triangles;
    triangles.update();
    return structure !== triangles.structure;
  }

  /** @param {PchrCharacter} character @param {any} instructions */
  addRenderable(character, instructions) {
    const {_actor: actor, _placed: placed} = character;
    const {runs, count, breaks} = actor.triangles.update();
    for (let i = 0, next = 0; i <= count; ++i) {
      for (; next < placed.length && breaks[next] === i; ++next) {
        placed[next].collectRenderables(instructions, this.renderer, character._layer);
      }
      if (i === count) break;
      const run = runs[i];
      run.texture = actor.texture(run.image);
      run.roundPixels = this.renderer._roundPixels | /** @type {any} */ (character)._roundPixels;
      this.renderer.renderPipes.batch.addToBatch(run, instructions);
    }
  }

  /** @param {PchrCharacter} character */
  updateRenderable({_actor: {triangles: {runs, count}}}) {
    for (let i = 0; i < count; ++i) runs[i]._batcher.updateElement(runs[i]);
  }

  destroy() { this.renderer = null; }
}

/** Loads `.pchr` files with `Assets.load()`. The asset is a Character. Name other formats with `parser: 'pchr'`. */
const loader = {
  extension: {type: ExtensionType.LoadParser, name: 'pchr', priority: LoaderParserPriority.High},
  name: 'pchr',
  id: 'pchr',
  /** @param {string} url */
  test: (url) => /\.pchr$/i.test(url.split(/[?#]/)[0]),
  /** @param {string} url @param {{data?: LoadOptions}} [asset] */
  load: (url, asset) => Character.share(url, asset?.data),
  /** @param {Character} character */
  unload: (character) => character.close(),
};

extensions.add(PchrPipe, /** @type {any} */ (loader));

/**
 * A character in a scene. Its origin is that of the character. Emits `marker`, `finished`, `looped`, `started` and
 * `interrupted` with the event of the animator, and `entered`, `left` and `named` with that of its state machines.
 */
export class PchrCharacter extends ViewContainer {
  /** Name of the render pipe. */
  renderPipeId = 'pchr';
  batched = true;
  /** @type {Map<Container, Place & {bone: number, frame: Container, place: number}>} */
  #attached = new Map();
  /** @internal Children that are drawn between meshes, in order. @type {Container[]} */
  _placed = [];
  /** @internal @type {any} */
  _layer = null;
  #updates = false;

  /**
   * @param {Character} character  From `Assets.load()` or `Character.load()`. Must stay open until this is destroyed.
   * @param {ActorOptions & {autoUpdate?: boolean}} [options]  With `autoUpdate` (default), `Ticker.shared` advances it.
   */
  constructor(character, options = {}) {
    const {autoUpdate = true, ...others} = options;
    super({label: 'PchrCharacter'});
    this.allowChildren = true;
    /** @internal */
    this._actor = new Actor(character, textures, others, () => new BatchableRun(this));
    this.update(0);
    this.autoUpdate = autoUpdate;
  }

  /**
   * Loads a character, which is shared with others of the same URL and closed with the last of them.
   * @param {string | URL} url @param {ActorOptions & LoadOptions & {autoUpdate?: boolean}} [options]
   */
  static async from(url, options = {}) {
    return loadObject(url, options, (character) => {
      const result = new PchrCharacter(character, options);
      result._actor.closes = true;
      return result;
    });
  }

  /** The character that is shown. */
  get character() { return this._actor.character; }
  /** Plays clips. Changes are seen after the next update(). */
  get animator() { return this._actor.animator; }
  /** The pose on screen. After you change it, call changed(). */
  get pose() { return this._actor.pose; }

  /** The skin that the character wears, or null. */
  get skin() { return this._actor.skin; }
  set skin(skin) {
    this._actor.skin = skin;
    this.changed();
  }

  /** Whether `Ticker.shared` advances the character. */
  get autoUpdate() { return this.#updates; }
  set autoUpdate(value) {
    if (value === this.#updates) return;
    this.#updates = value;
    if (value) Ticker.shared.add(this.#tick);
    else Ticker.shared.remove(this.#tick);
  }

  #tick = (/** @type {Ticker} */ ticker) => this.update(ticker.deltaMS / 1000);

  /**
   * Plays a clip. Returns the id of this play, for the animator.
   * @param {string | number} clip @param {PlayOptions} [options]
   */
  play(clip, options) {
    const id = this.animator.play(clip, options);
    this.update(0);
    return id;
  }

  /**
   * Advances the character, and emits the events on the way.
   * @param {number} seconds
   */
  update(seconds) {
    if (this.character.rig) {
      this.updateLocalTransform();
      const {a, b, c, d, tx, ty} = this.localTransform;
      this._actor.place(a, b, c, d, tx, ty);
    }
    const events = this._actor.update(seconds);
    this.changed();
    for (const event of events) if (!this.destroyed) this.emit(/** @type {any} */ (event.kind), event);
  }

  /** Shows changes to `pose`, until the next update(). */
  changed() {
    ++this._actor.version;
    for (const {bone, frame} of this.#attached.values()) frame.setFromMatrix(this.boneTransform(bone));
    if (this.#attached.size > 0 || this._placed.length > 0) {
      const placed = [...this.#attached.values()].filter(({mesh}) => mesh !== undefined);
      for (const each of placed) each.place = this.pose.findPlace(each.mesh, each.behind);
      placed.sort((one, other) => one.place - other.place);
      this._actor.places = placed.map(({place}) => place);
      this._placed = placed.map(({frame}) => frame);
    }
    this.onViewUpdate();
  }

  /**
   * Returns the transform of a bone in this container's space, where y points down.
   * @param {string | number} bone @param {Matrix} [out]
   */
  boneTransform(bone, out = new Matrix()) {
    const {world} = this.pose;
    const at = 6 * this.character.boneIndex(bone);
    return out.set(world[at], -world[at + 1], -world[at + 2], world[at + 3], world[at + 4], -world[at + 5]);
  }

  /**
   * Adds a container that moves with a bone. Its own transform is relative to the bone. It is in front of the character
   * or, with `mesh`, directly in front of that mesh or `behind` it.
   * @template {Container} T @param {string | number} bone @param {T} container @param {Place} [place] @returns {T}
   */
  attach(bone, container, place = {}) {
    const {character} = this;
    const {mesh, behind} = place;
    // Before anything changes, because these fail if there is no such part.
    const at = {bone: character.boneIndex(bone), mesh: mesh === undefined ? mesh : character.meshIndex(mesh), behind};
    this.detach(container);
    const frame = this.addChild(new Container());
    frame.addChild(container);
    // Also when it is destroyed, or added elsewhere.
    frame.once('childRemoved', () => this.detach(container));
    this.#attached.set(container, {...at, frame, place: 0});
    this.changed();
    return container;
  }

  /**
   * Removes a container from its bone.
   * @param {Container} container
   */
  detach(container) {
    const frame = this.#attached.get(container)?.frame;
    if (!frame) return;
    this.#attached.delete(container);
    frame.removeChildren();
    frame.destroy();
    if (!this.destroyed) this.changed();
  }

  /** @internal @override @param {any} instructions @param {any} renderer @param {any} layer */
  collectRenderablesSimple(instructions, renderer, layer) {
    const container = /** @type {any} */ (this);
    const {children} = container;
    this._layer = layer;
    if (this._placed.length > 0) {
      container.children = children.filter((/** @type {Container} */ each) => !this._placed.includes(each));
    }
    super.collectRenderablesSimple(instructions, renderer, layer);
    container.children = children;
  }

  /** @internal */
  updateBounds() {
    const [left, bottom, right, top] = this.pose.bounds() ?? [0, 0, 0, 0];
    this._bounds.set(left, -top, right, -bottom);
  }

  /**
   * Returns the topmost mesh at a point in this container's space, or null. Transparent pixels are not hit.
   * @param {number} x @param {number} y
   */
  hitTest(x, y) { return this._actor.hitTest(x, -y); }

  /**
   * @override Returns whether a point in this container's space hits the character, for pointer events.
   * @param {{x: number, y: number}} point
   */
  containsPoint(point) {
    return super.containsPoint(point) && this.hitTest(point.x, point.y) !== null;
  }

  /**
   * @override Frees everything but the character, if it was not made by from().
   * @param {any} [options]
   */
  destroy(options) {
    if (this.destroyed) return;
    this.autoUpdate = false;
    if (options !== true && !options?.children) for (const each of this.#attached.keys()) this.detach(each);
    super.destroy(options);
    this._actor.free();
  }
}
