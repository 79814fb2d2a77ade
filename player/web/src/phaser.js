// SPDX-License-Identifier: MIT
// Characters in Phaser 3.80 or later and Phaser 4, with WebGL. Their triangles are batched with those of sprites.

import {Actor, BLENDS, Textures, multiply, padded, swapped} from './actor.js';
import {Character} from './runtime.js';

/** @typedef {import('./actor.js').ActorOptions} ActorOptions */
/** @typedef {import('./actor.js').PlayOptions} PlayOptions */
/** @typedef {import('./actor.js').LoadOptions} LoadOptions */

/**
 * Makes a plugin, which adds `this.load.pchr(key, url)` and `this.add.pchr(x, y, key, clip)` to scenes:
 *
 *     new Phaser.Game({plugins: {global: [{key: 'pchr', plugin: createPchrPlugin(Phaser), start: true}]}, ...});
 *
 * @param {any} Phaser  The engine: `import * as Phaser from 'phaser'`, or the global of its script.
 */
export function createPchrPlugin(Phaser) {
  const {GameObject, GetCalcMatrix, Components} = Phaser.GameObjects;
  const blendModes = BLENDS.map((name) => Phaser.BlendModes[name.toUpperCase()]);

  /**
   * A character in a scene. Its origin is that of the character. Emits `marker`, `finished`, `looped`, `started` and
   * `interrupted` with the event of the animator, and `entered`, `left` and `named` with that of its state machines.
   */
  class PchrCharacter extends GameObject {
    /**
     * @param {any} scene @param {number} x @param {number} y
     * @param {Character} character  Must stay open until this is destroyed.
     * @param {Textures<any>} textures @param {ActorOptions} options
     */
    constructor(scene, x, y, character, textures, options) {
      super(scene, 'PchrCharacter');
      this.actor = new Actor(character, textures, options);
      // Phaser's bounds and hit areas assume a box that does not change, and filters one of whole pixels.
      const [left, bottom, right, top] = (character.info.bounds ?? [0, 0, 1, 1]).map(
        (side, i) => (i < 2 ? Math.floor : Math.ceil)(side));
      this.setSize(right - left, top - bottom);
      this.originX = -left / this.width;
      this.originY = top / this.height;
      this.setPosition(x, y);
      this.on('addedtoscene', () => scene.sys.updateList.add(this));
      this.on('removedfromscene', () => scene.sys.updateList.remove(this));
      this.initPipeline?.();
      this.initPostPipeline?.(true);
      this.advance(0);
    }

    /** Distance of the character's origin from the left and the top of its box, in pixels. */
    get displayOriginX() { return this.originX * this.width; }
    get displayOriginY() { return this.originY * this.height; }
    /** Signs of x and y as flipping has them. */
    get sides() { return [this.flipX ? -1 : 1, this.flipY ? -1 : 1]; }
    /** The character that is shown. */
    get character() { return this.actor.character; }
    /** Plays clips. Changes are seen after the next advance(). */
    get animator() { return this.actor.animator; }
    /** The pose on screen, until the next advance(). */
    get pose() { return this.actor.pose; }
    /** The skin that the character wears, or null. */
    get skin() { return this.actor.skin; }
    set skin(skin) { this.actor.skin = skin; }

    /**
     * Plays a clip.
     * @param {string | number} clip @param {PlayOptions} [options]
     */
    play(clip, options) {
      this.animator.play(clip, options);
      this.advance(0);
      return this;
    }

    /**
     * Advances the character, and emits the events on the way. The scene does that every frame.
     * @param {number} seconds
     */
    advance(seconds) {
      if (this.character.rig) {
        const {a, b, c, d, e, f} = this.getLocalTransformMatrix().scale(...this.sides);
        this.actor.place(a, b, c, d, e, f);
      }
      for (const event of this.actor.update(seconds)) {
        if (this.scene) this.emit(event.kind, event);
      }
    }

    /** @internal @param {number} _time @param {number} milliseconds */
    preUpdate(_time, milliseconds) { this.advance(milliseconds / 1000); }

    /**
     * Returns the transform of a bone in the space of this object, where y points down.
     * @param {string | number} bone
     */
    boneTransform(bone) {
      const [a, b, c, d, x, y] = this.pose.boneTransform(bone).transform;
      return new Components.TransformMatrix().scale(...this.sides).transform(a, -b, -c, d, x, -y);
    }

    /**
     * Returns the topmost mesh at a point in the space of this object, or null. Transparent pixels are not hit.
     * @param {number} x @param {number} y
     */
    hitTest(x, y) {
      const [side, down] = this.sides;
      return this.actor.hitTest(side * x, -down * y);
    }

    /**
     * Makes the object interactive, by default where its pixels are.
     * @param {any} [hitArea] @param {any} [callback] @param {boolean} [dropZone]
     */
    setInteractive(hitArea, callback, dropZone) {
      if (callback) return super.setInteractive(hitArea, callback, dropZone);
      const hitAreaCallback = (/** @type {any} */ _, /** @type {number} */ x, /** @type {number} */ y) =>
        this.hitTest(x - this.displayOriginX, y - this.displayOriginY) !== null;
      const shape = new Phaser.Geom.Rectangle(0, 0, this.width, this.height);
      return super.setInteractive({hitArea: shape, hitAreaCallback, ...hitArea});
    }

    preDestroy() { this.actor.free(); }

    /**
     * @internal `context` is the camera in Phaser 3, and the drawing context in Phaser 4.
     * @param {any} renderer @param {this} object @param {any} context @param {any} parentMatrix
     */
    renderWebGL(renderer, object, context, parentMatrix) {
      (context.camera ?? context).addToRenderList(object);
      (renderer.renderNodes ? drawInPhaser4 : drawInPhaser3)(renderer, object, context, parentMatrix);
    }

    /** Draws nothing: the Canvas renderer has no triangles. */
    renderCanvas() {}
  }

  // Phaser describes getters as objects.
  for (const part of ['AlphaSingle', 'BlendMode', 'ComputedSize', 'Depth', 'Flip', 'GetBounds', 'Mask', 'Pipeline',
                      'PostPipeline', 'ScrollFactor', 'Tint', 'Transform', 'Visible']) {
    for (const [name, value] of Object.entries(Components[part] ?? {})) {
      Object.defineProperty(PchrCharacter.prototype, name, {
        configurable: true, ...(value?.get || value?.set ? value : {value, writable: true})});
    }
  }

  /**
   * Returns a color times the tint of an object, as Phaser has it: blue in the lowest byte.
   * @param {number} color @param {any} object @param {number} alpha
   */
  const tinted = (color, {tintTopLeft}, alpha) =>
    swapped(multiply(color, swapped(tintTopLeft & 0xFFFFFF | Math.round(alpha * 255) << 24)));

  /** @param {any} renderer @param {any} object @param {any} camera @param {any} parentMatrix */
  function drawInPhaser3(renderer, object, camera, parentMatrix) {
    const pipeline = renderer.pipelines.set(object.pipeline, object);
    const {a, b, c, d, e, f} = GetCalcMatrix(object, camera, parentMatrix).calc.scale(...object.sides);
    const {positions, uvs, indices, runs, count} = object.actor.triangles.update();
    renderer.pipelines.preBatch(object);
    for (const {image, blend, tint, indexOffset, indexSize} of runs.slice(0, count)) {
      const {texture, scaleU, scaleV} = object.actor.texture(image);
      const color = tinted(tint, object, object.alpha * camera.alpha);
      renderer.setBlendMode(blend ? blendModes[blend] : object.blendMode);
      let unit = pipeline.setTexture2D(texture);
      for (let i = 0; i < indexSize; ++i) {
        if (i % 3 === 0 && pipeline.shouldFlush(3)) {
          pipeline.flush();
          unit = pipeline.setTexture2D(texture);
        }
        const at = 2 * indices[indexOffset + i];
        pipeline.batchVert(
          a * positions[at] + c * positions[at + 1] + e, b * positions[at] + d * positions[at + 1] + f,
          uvs[at] * scaleU, uvs[at + 1] * scaleV, unit, Number(object.tintFill), color);
      }
    }
    renderer.setBlendMode(object.blendMode);
    renderer.pipelines.postBatch(object);
  }

  /** @param {any} renderer @param {any} object @param {any} context @param {any} parentMatrix */
  function drawInPhaser4(renderer, object, context, parentMatrix) {
    // That of sprites. Each triangle is a quad whose last corners are equal.
    const batch = renderer.renderNodes.getNode('BatchHandlerQuad');
    const {a, b, c, d, e, f} =
      GetCalcMatrix(object, context.camera, parentMatrix, !context.useCanvas).calc.scale(...object.sides);
    const {layout: {layout}, buffer: {viewF32: floats, viewU32: words}} = batch.vertexBufferLayout;
    // Phaser 4.0 has a float.
    const packed = layout.find((/** @type {any} */ {name}) => name === 'inTintEffect').size === 4;
    const {positions, uvs, indices, runs, count} = object.actor.triangles.update();
    for (const {image, blend, tint, indexOffset, indexSize} of runs.slice(0, count)) {
      const {texture, scaleU, scaleV} = object.actor.texture(image);
      const color = tinted(tint, object, object.alpha);
      let target = context;
      if (blend && blendModes[blend] !== context.blendMode) {
        target = context.getClone();
        target.setBlendMode(blendModes[blend]);
        target.use();
      }
      const {smoothPixelArt} = object.scene.sys.game.config;
      batch.updateRenderOptions({multiTexturing: true, smoothPixelArt, alphaStrategy: target.alphaStrategy});
      if (batch._renderOptionsChanged) {
        batch.run(target);
        batch.updateShaderConfig();
      }
      for (let i = indexOffset; i < indexOffset + indexSize; i += 3) {
        if (batch.instanceCount === 0) batch.manager.setCurrentBatchNode(batch, target);
        const unit = batch.batchTextures(texture, {});
        let to = batch.instanceCount * batch.floatsPerInstance;
        for (let corner = 0; corner < 4; ++corner) {
          const at = 2 * indices[i + Math.min(corner, 2)];
          floats[to++] = a * positions[at] + c * positions[at + 1] + e;
          floats[to++] = b * positions[at] + d * positions[at + 1] + f;
          floats[to++] = uvs[at] * scaleU;
          floats[to++] = uvs[at + 1] * scaleV;
          floats[to++] = unit;
          if (packed) words[to++] = object.tintMode << 24;
          else floats[to++] = object.tintMode;
          words[to++] = color;
        }
        ++batch.instanceCount;
        ++batch.currentBatchEntry.count;
        if (batch.instanceCount === batch.instancesPerBatch) batch.run(target);
      }
      if (target !== context) target.release();
    }
  }

  /** Loads a character. Fetches it with `Character.load()`, which finds the files that it names. */
  class PchrFile extends Phaser.Loader.File {
    /** @param {any} loader @param {string} key @param {string} [url] @param {LoadOptions} [options] */
    constructor(loader, key, url, options) {
      super(loader, {type: 'pchr', cache: loader.cacheManager.addCustom('pchr'), extension: 'pchr', key, url});
      this.options = options;
    }

    async load() {
      this.state = Phaser.Loader.FILE_LOADING;
      this.src = Phaser.Loader.GetURL(this, this.loader.baseURL);
      try {
        this.data = await Character.load(new URL(this.src, document.baseURI), this.options);
        this.state = Phaser.Loader.FILE_LOADED;
      } catch (error) {
        console.error(error);
      }
      this.loader.nextFile(this, Boolean(this.data));
    }
  }

  /** @param {any} renderer @returns {Textures<any>} */
  function texturesOf(renderer) {
    const {gl} = renderer;
    return renderer.pchrTextures ??= new Textures(({width, height, pixels, pixelArt}) => {
      // WebGL 1 has mipmaps only for powers of two.
      const [wide, high] = pixelArt ? [width, height] : [width, height].map((side) => 2 ** Math.ceil(Math.log2(side)));
      const [minFilter, filter] = pixelArt ? [gl.NEAREST, gl.NEAREST] : [gl.LINEAR_MIPMAP_LINEAR, gl.LINEAR];
      const texture = renderer.createTexture2D(0, minFilter, filter, gl.CLAMP_TO_EDGE, gl.CLAMP_TO_EDGE, gl.RGBA,
        padded(pixels, width, height, wide, high), wide, high, false, false, false);
      return {texture, scaleU: width / wide, scaleV: height / high};
    }, (/** @type {any} */ {texture}) => renderer.deleteTexture(texture));
  }

  /** @this {any} @param {string} key @param {string} [url] @param {LoadOptions} [options] */
  function loadPchr(key, url, options) {
    this.addFile(new PchrFile(this, key, url, options));
    return this;
  }

  /** @this {any} @param {number} x @param {number} y @param {string} key @param {string | number} [clip]
   *  @param {ActorOptions} [options] */
  function addPchr(x, y, key, clip, options) {
    const {cache: {custom}, renderer} = this.scene.sys;
    const character = custom.pchr?.get(key);
    if (!character) throw new Error(`no character "${key}" is loaded`);
    const object = new PchrCharacter(this.scene, x, y, character, texturesOf(renderer), {clip, ...options});
    this.displayList.add(object);
    return object;
  }

  return class PchrPlugin extends Phaser.Plugins.BasePlugin {
    /** Open characters by key. @type {Map<string, Character>} */
    #open = new Map();

    init() {
      const {events} = this.game.cache.addCustom('pchr');
      events.on('add', (/** @type {any} */ _, /** @type {string} */ key, /** @type {Character} */ character) =>
        this.#open.set(key, character));
      events.on('remove', (/** @type {any} */ _, /** @type {string} */ key) => {
        this.#open.get(key)?.close();
        this.#open.delete(key);
      });
      this.pluginManager.registerFileType('pchr', loadPchr);
      this.pluginManager.registerGameObject('pchr', addPchr);
    }

    /** Closes all characters. */
    destroy() {
      for (const character of this.#open.values()) character.close();
      super.destroy();
    }
  };
}
