// SPDX-License-Identifier: MIT
// The renderer on WebGL 2: models, skins, instances, crowds and attachments.

import {Handle, disposable, enumNumber, layoutOf, need, wordsOf} from './memory.js';
import {CharacterError} from './module.js';

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
 * Options of a renderer.
 * @typedef {object} RendererOptions
 * @property {WebGLContextAttributes} [attributes]  Of the context, if it is created (default: no antialiasing hints).
 * @property {boolean} [linear]  Blends in linear light, for framebuffers that encode sRGB or hold linear light.
 * @property {number} [paletteBudgetBytes]  GPU memory for baked clips (default: 64 MiB).
 * @property {number} [bakeBytesPerDraw]  Palettes that a draw bakes before it poses other new clips (default: 1 MiB).
 * @property {string} [fragmentMain]  Body of a GLSL function for each pixel, such as "return color;"; docs/embedding.md
 *   lists what it can use.
 */

/** @typedef {Omit<RendererOptions, 'attributes'> & {effectValues?: ArrayLike<number>}} ModuleOptions */
/**
 * HTMLCanvasElement or OffscreenCanvas.
 * @typedef {{
 *   getContext(kind: 'webgl2', attributes?: WebGLContextAttributes): WebGL2RenderingContext | null
 * }} WebGL2Canvas
 */

/**
 * One of many characters that share a model.
 * @typedef {object} CharacterInstance
 * @property {Part | null} [clip]  Null is the bind pose.
 * @property {number} [seconds]  Time in the clip.
 * @property {boolean} [smooth]  Interpolates between frames.
 * @property {Appearance} [appearance]
 * @property {GpuSkin} [skin]
 * @property {Part | null} [fadeClip]  Clip of a crossfade. Null is none.
 * @property {number} [fadeSeconds]  Time in that clip.
 * @property {number} [fadeWeight]  0 shows `clip`, 1 shows `fadeClip`.
 */

/**
 * One of many characters that share a model and have poses of their own.
 * @typedef {{pose: Pose, appearance?: Appearance, skin?: GpuSkin}} PosedCharacter
 */

/**
 * Something that moves with a bone and has a place in the draw order: another model, or what `draw` draws.
 * @typedef {object} Attachment
 * @property {Part} bone
 * @property {{mesh?: Part, behind?: boolean}} [place]  In front of or behind a mesh (default: in front of all).
 * @property {Appearance} [appearance]  Placement relative to the bone, and look.
 * @property {Model} [model]
 * @property {Pose} [pose]  Pose of the model.
 * @property {GpuSkin} [skin]  Skin of the model.
 * @property {(world: number[]) => void} [draw]  Called with the transform `[a, b, c, d, tx, ty]` to world pixels. Can
 *   change all WebGL state.
 */

/**
 * How to draw.
 * @typedef {object} DrawOptions
 * @property {'off' | 'test' | 'test-and-write'} [depth]  What is done with the depth buffer. Ignored in 3D.
 * @property {boolean} [leaveState]  Leaves WebGL state changed, which is faster.
 * @property {Appearance} [appearance]  Placement and look of a pose.
 * @property {GpuSkin} [skin]  Skin of a pose.
 * @property {readonly Attachment[]} [attachments]  What to draw between the meshes of a pose.
 * @property {number} [firstItem]  First item of a pose's draw list to draw, without attachments.
 * @property {number} [itemCount]  (Default: all.)
 */

/**
 * Counters of the last draw.
 * @typedef {object} DrawStatistics
 * @property {number} drawCalls
 * @property {number} triangles
 * @property {number} uploadedBytes
 * @property {number} instances
 * @property {number} culled  Instances outside the camera's view.
 * @property {number} posed  Instances that were posed on the CPU.
 */

/**
 * Perspective camera that orbits a point.
 * @typedef {object} OrbitCamera
 * @property {[number, number, number]} [target]
 * @property {number} [yaw]  To the right around the y axis. 0 looks from the front.
 * @property {number} [pitch]  Upward.
 * @property {number} [distance]  (Default: 1.)
 * @property {number} [fieldOfView]  Vertical, in degrees (default: 30).
 * @property {number} width  Of the viewport.
 * @property {number} height
 */

/**
 * View of a 3D scene. Matrices are stored column by column.
 * @typedef {object} SceneView
 * @property {ArrayLike<number>} worldToClip  16 numbers. Depth is -1 (near) to 1 (far).
 * @property {ArrayLike<number>} worldToView  9 numbers: a rotation for lighting.
 * @property {boolean} [keepDepth]  Keeps what is in the depth buffer instead of clearing it.
 * @property {boolean} [cullBackFaces]
 */

const DRAW = wordsOf('draw_options');

/** Draws characters on one WebGL 2 context: over what is there, into its framebuffer and viewport. */
export class Renderer {
  #context;
  /** @type {ModuleOptions} */
  #options;
  /** The renderers in modules: one for each, as characters can be in several. @type {Map<Memory, InModule>} */
  #modules = new Map();
  #forget;
  #freed = false;
  /** @type {InModule | null} */
  #last = null;

  /**
   * Creates a renderer on a context, or on that of a canvas. After a lost context is restored, everything is uploaded
   * again.
   * @param {WebGL2RenderingContext | WebGL2Canvas} target @param {RendererOptions} [given]
   */
  constructor(target, given = {}) {
    const {attributes, ...options} = given;
    const isCanvas = 'getContext' in target;
    const context = isCanvas ? target.getContext('webgl2', attributes) : target;
    if (!context) throw new CharacterError({message: 'this browser has no WebGL 2, or it is turned off'});
    this.#context = context;
    this.#options = options;
    this.#forget = (/** @type {Event} */ event) => {
      // Otherwise the browser does not restore it.
      if (isCanvas) event.preventDefault();
      for (const module of this.#modules.values()) module.forget();
    };
    this.#context.canvas.addEventListener('webglcontextlost', this.#forget);
  }

  get context() {
    return this.#context;
  }

  /**
   * Uploads a character. Fails with a CharacterError.
   * @param {Character} character
   */
  upload(character) {
    return new Model(this.#in(character.memory), character);
  }

  /**
   * Starts to upload a character in parts, to avoid long frames.
   * @param {Character} character
   * @param {readonly Uint8Array[]} [images]  Pixels of each image, as from Character.decodeImage() (default: decoded
   *   now).
   */
  beginUpload(character, images) {
    return new Upload(this.#in(character.memory), character, images);
  }

  /**
   * Uploads a skin for a model of the same character. Upload it again after changes. Keep both for when a lost context
   * is restored.
   * @param {Model} model @param {Skin} skin
   */
  uploadSkin(model, skin) {
    return new GpuSkin(this.#of(model), model, skin);
  }

  /**
   * Draws a pose, a crowd, or instances or posed characters in the given order. Does nothing while the context is lost.
   * @param {Model} model
   * @param {Pose | Crowd | readonly PosedCharacter[] | readonly CharacterInstance[]} what
   * @param {Camera} camera
   * @param {DrawOptions} [options]
   */
  draw(model, what, camera, options = NOTHING) {
    if (this.#context.isContextLost()) return;
    const memory = model.memory.begin();
    const module = this.#of(model);
    const address = model.pointer;
    const appearance = options.appearance ? memory.writeAppearance(memory.appearance, options.appearance) : 0;
    const {drawingBufferWidth, drawingBufferHeight} = this.#context;
    const view = memory.writeCamera(camera, drawingBufferWidth, drawingBufferHeight);
    if (what instanceof Crowd) {
      const crowd = memory.of(what);
      what.write();
      this.#draw(module, 'pchr_renderer_draw_crowd', address, crowd, view, writeOptions(memory, options));
    } else if (Array.isArray(what)) {
      const name = what[0]?.pose ? 'pchr_renderer_draw_poses' : 'pchr_renderer_draw';
      const start = what[0]?.pose ? writePosed(memory, what) : writeInstances(memory, model, what);
      this.#draw(module, name, address, start, what.length, view, writeOptions(memory, options));
    } else {
      const pose = memory.of(/** @type {Pose} */ (what));
      const {attachments = []} = options;
      const start = attachments.length === 0 ? 0 : writeAttachments(memory, /** @type {Pose} */ (what), attachments);
      const written = writeOptions(memory, options, appearance, start, attachments.length);
      const draw = () => this.#draw(module, 'pchr_renderer_draw_pose', address, pose, view, written);
      if (start === 0) draw();
      else this.#drawWithAttachments(memory, attachments, draw);
    }
  }

  /**
   * Draws a 3D character in a 3D view: a pose or instances.
   * @param {Model} model @param {Pose | readonly CharacterInstance[]} what @param {SceneView | OrbitCamera} view
   * @param {DrawOptions} [options]
   */
  drawScene(model, what, view, options = NOTHING) {
    if (this.#context.isContextLost()) return;
    const memory = model.memory.begin();
    const module = this.#of(model);
    const address = model.pointer;
    const scene = memory.struct('scene_view', 'worldToClip' in view ? view : {});
    if (!('worldToClip' in view)) memory.call('pchr_orbit_camera_view', writeOrbit(memory, view), scene);
    const appearance = options.appearance ? memory.writeAppearance(memory.appearance, options.appearance) : 0;
    const written = writeOptions(memory, options, appearance);
    if (Array.isArray(what)) {
      const start = writeInstances(memory, model, what);
      this.#draw(module, 'pchr_renderer_draw_scene', address, start, what.length, scene, written);
    } else {
      const pose = memory.of(/** @type {Pose} */ (what));
      this.#draw(module, 'pchr_renderer_draw_pose_scene', address, pose, scene, written);
    }
  }

  /**
   * Bakes a clip before its first use. Returns false if it will be posed on the CPU instead.
   * @param {Model} model @param {Part} clip @param {boolean} [smooth]
   * @returns {boolean}
   */
  bake(model, clip, smooth = false) {
    const module = this.#of(model);
    const index = model.character.clipIndex(clip);
    if (this.#context.isContextLost()) return false;
    return module.run(() => model.memory.call('pchr_renderer_bake', module.pointer, model.pointer, index,
                                              Number(smooth)) !== 0);
  }

  /**
   * Counters of the last draw.
   * @returns {DrawStatistics}
   */
  get statistics() {
    const module = this.#last;
    if (!module) return {drawCalls: 0, triangles: 0, uploadedBytes: 0, instances: 0, culled: 0, posed: 0};
    const memory = module.memory.begin();
    const out = memory.struct('draw_statistics');
    module.ask('pchr_renderer_statistics', out);
    return memory.read('draw_statistics', out);
  }

  /** GPU memory of baked clips and of buffers that change each frame. */
  get gpuBytes() {
    let bytes = 0;
    for (const module of this.#modules.values()) bytes += Number(module.ask('pchr_renderer_gpu_bytes'));
    return bytes;
  }

  /**
   * Sets the values that `fragmentMain` sees as `effect_values`.
   * @param {ArrayLike<number>} values  Four numbers.
   */
  setEffectValues(values) {
    this.#options.effectValues = Array.from(values);
    for (const module of this.#modules.values()) module.setEffectValues();
  }

  /** Deletes everything of the renderer from the context, with its models and skins. */
  free() {
    this.#freed = true;
    this.#context.canvas.removeEventListener('webglcontextlost', this.#forget);
    for (const module of this.#modules.values()) module.free();
    this.#modules.clear();
    this.#last = null;
  }

  /** @param {Memory} memory */
  #in(memory) {
    need(!this.#freed, 'this object has been freed');
    let module = this.#modules.get(memory);
    if (!module) {
      module = new InModule(memory, this, this.#options, () => {
        this.#modules.delete(memory);
        if (this.#last?.memory === memory) this.#last = null;
      });
      this.#modules.set(memory, module);
    }
    return module;
  }

  /** @param {Model} model */
  #of({module}) {
    need(module.owner === this, 'the model belongs to another renderer');
    return module;
  }

  /** @param {InModule} module @param {string} name @param {number[]} values */
  #draw(module, name, ...values) {
    this.#last = module;
    need(module.run(() => module.memory.call(name, module.pointer, ...values)),
         'the model and what is drawn belong to different characters, or a number is not finite');
  }

  /** @param {Memory} memory @param {readonly Attachment[]} attachments @param {() => void} draw */
  #drawWithAttachments(memory, attachments, draw) {
    /** @type {unknown[]} */
    const errors = [];
    const {instance} = memory;
    const before = instance.onDraw;
    instance.onDraw = (number, world) => {
      try {
        const start = world >>> 2;
        attachments[number - 1].draw?.([...memory.views.floats.subarray(start, start + 6)]);
      } catch (error) {
        // It must not leave the module in the middle of a draw.
        errors.push(error);
      }
    };
    try {
      memory.keep(draw);
    } finally {
      instance.onDraw = before;
    }
    if (errors.length > 0) throw errors[0];
  }
}
disposable(Renderer);

/** A renderer in a module, and what was uploaded with it. */
class InModule {
  #options;
  #pointer = 0;
  #release;
  #ignoreFailure;
  /** @type {Set<GpuObject>} */
  objects = new Set();

  /**
   * @param {Memory} memory @param {Renderer} owner
   * @param {ModuleOptions} options  Those of the owner, which can change.
   * @param {() => void} onFailure
   */
  constructor(memory, owner, options, onFailure) {
    this.memory = memory;
    this.owner = owner;
    this.context = owner.context;
    this.#options = options;
    this.#release = memory.instance.retain();
    this.#ignoreFailure = memory.instance.onFailure(() => {
      memory.instance.deleteObjects(this.context);
      onFailure();
    });
  }

  /** Address of the pchr_renderer, which is created when it is needed. */
  get pointer() {
    if (this.#pointer === 0) this.create(() => this.#create());
    return this.#pointer;
  }

  #create() {
    const memory = this.memory.begin();
    const {effectValues, ...options} = this.#options;
    this.#pointer = memory.tried('pchr_renderer_create', 0, memory.struct('renderer_options', options));
    this.setEffectValues();
  }

  /**
   * Runs work that creates something on the context, in the middle of other calls.
   * @template Result @param {() => Result} work
   */
  create(work) {
    need(!this.context.isContextLost(), 'the WebGL context is lost');
    return this.memory.keep(() => this.run(work));
  }

  /**
   * Runs work whose calls draw on the context.
   * @template Result @param {() => Result} work
   */
  run(work) {
    return this.memory.instance.on(this.context, work);
  }

  /**
   * Calls a function of the renderer. Returns 0 if there is none, as while the context is lost.
   * @param {string} name @param {number[]} values
   */
  ask(name, ...values) {
    return this.#pointer === 0 ? 0 : this.memory.call(name, this.#pointer, ...values);
  }

  setEffectValues() {
    const {effectValues} = this.#options;
    if (!effectValues) return;
    this.ask('pchr_renderer_set_effect_values', this.memory.begin().array(Float32Array, effectValues));
  }

  /** Frees what a lost context has taken along. It is created anew when it is used. */
  forget() {
    const {instance} = this.memory;
    if (!instance.failed) {
      this.run(() => {
        for (const object of this.objects) object.forget();
        this.ask('pchr_renderer_free');
      });
    }
    this.#pointer = 0;
    instance.forget(this.context);
  }

  free() {
    this.#ignoreFailure();
    for (const object of this.objects) object.free();
    if (!this.memory.instance.failed) this.run(() => this.ask('pchr_renderer_free'));
    this.#pointer = 0;
    this.#release();
  }
}

/** Something on the GPU. It is created again after the context was lost. */
class GpuObject {
  #pointer;
  #freed = false;
  #create;
  #free;
  /** @internal */
  module;

  /** @param {InModule} module @param {() => number} create @param {string} free @param {number} [pointer] */
  constructor(module, create, free, pointer = 0) {
    this.module = module;
    this.#create = create;
    this.#free = free;
    this.#pointer = pointer || module.context.isContextLost() ? pointer : module.create(create);
    module.objects.add(this);
  }

  /** @internal */
  get memory() {
    return this.module.memory;
  }

  /** Address in the module's memory. */
  get pointer() {
    need(!this.#freed, 'this object has been freed');
    if (this.#pointer === 0) this.#pointer = this.module.create(this.#create);
    return this.#pointer;
  }

  /**
   * @internal Calls a function of the object. Returns 0 if it is not on the GPU, as while the context is lost.
   * @param {string} name @param {number[]} values
   */
  ask(name, ...values) {
    return this.#pointer === 0 ? 0 : this.memory.call(name, this.#pointer, ...values);
  }

  /** @internal */
  forget() {
    this.ask(this.#free);
    this.#pointer = 0;
  }

  /** @internal Called when the module has freed it. */
  taken() {
    this.#pointer = 0;
  }

  /** Deletes it from the GPU. */
  free() {
    if (!this.memory.instance.failed) this.module.run(() => this.forget());
    this.#freed = true;
    this.module.objects.delete(this);
  }
}
disposable(GpuObject);

/**
 * Returns a pchr_character, for when that of the page is closed and the context is lost.
 * @param {Character} character
 */
function keepCharacter({memory, pointer}) {
  return new Handle(memory, memory.call('web_c_character', pointer), 'pchr_character_free');
}

/** Character on the GPU, from Renderer.upload(). */
export class Model extends GpuObject {
  #kept;
  #filter;

  /**
   * @internal
   * @param {InModule} module @param {Character} character @param {Handle} [kept] @param {number} [pointer]
   */
  constructor(module, character, kept = keepCharacter(character), pointer) {
    const {memory} = module;
    const filter = {number: -1};
    super(module, () => {
      const created = memory.begin().tried('pchr_renderer_upload', module.pointer, kept.pointer);
      if (filter.number >= 0) memory.call('pchr_model_set_filter', created, filter.number);
      return created;
    }, 'pchr_model_free', pointer);
    this.character = character;
    this.#kept = kept;
    this.#filter = filter;
  }

  /** @internal Address of its pchr_character, which stays when the character is closed. */
  get handle() {
    return this.#kept.pointer;
  }

  /** @override Deletes it from the GPU. */
  free() {
    this.#kept.free();
    super.free();
  }

  /** GPU memory: textures with mipmaps, and buffers. */
  get gpuBytes() {
    return Number(this.ask('pchr_model_gpu_bytes'));
  }

  /**
   * Sets how textures are sampled. The default is trilinear, or nearest for pixel art.
   * @param {'trilinear' | 'bilinear' | 'nearest'} filter
   */
  setFilter(filter) {
    this.#filter.number = enumNumber('filter', filter, 'filter');
    this.ask('pchr_model_set_filter', this.#filter.number);
  }
}

/** Model that is uploaded in parts, from Renderer.beginUpload(). */
export class Upload extends GpuObject {
  #character;
  #kept;

  /** @internal @param {InModule} module @param {Character} character @param {readonly Uint8Array[]} [images] */
  constructor(module, character, images) {
    const {memory} = module;
    const {length} = character.info.images;
    if (images && images.length !== length) {
      throw new CharacterError({message: `there are ${images.length} images, but the character has ${length}`});
    }
    images?.forEach((pixels, i) => {
      const {width, height} = character.info.images[i];
      if (pixels.length === 4 * width * height) return;
      throw new CharacterError({message: `images[${i}] has ${pixels.length} bytes, expected ${4 * width * height}`});
    });
    const kept = keepCharacter(character);
    super(module, () => {
      const copies = (images ?? []).map((pixels) => memory.instance.copyIn(pixels));
      try {
        const array = images ? memory.begin().array(Uint32Array, copies) : 0;
        return memory.tried('pchr_renderer_begin_upload', module.pointer, kept.pointer, array);
      } finally {
        for (const copy of copies) memory.release(copy);
      }
    }, 'pchr_upload_free');
    this.#character = character;
    this.#kept = kept;
  }

  /**
   * Uploads up to `bytes`, but at least one vertex or one row of an image. Returns whether everything is uploaded.
   * Fails with a CharacterError while the context is lost, and then starts over.
   * @param {number} bytes @returns {boolean}
   */
  step(bytes) {
    const {memory} = this;
    return this.module.run(() => memory.call('pchr_upload_step', this.pointer, BigInt(bytes)) !== 0);
  }

  /** How much is left to upload. */
  get bytesLeft() {
    return Number(this.memory.call('pchr_upload_bytes_left', this.pointer));
  }

  /** Uploads the rest, returns the model, and frees the upload. */
  finish() {
    const {memory, module} = this;
    const pointer = module.run(() => memory.call('pchr_upload_finish', this.pointer));
    this.taken();
    this.free();
    return new Model(module, this.#character, this.#kept, pointer);
  }
}

/** Skin on the GPU, from Renderer.uploadSkin(). */
export class GpuSkin extends GpuObject {
  /** @internal @param {InModule} module @param {Model} model @param {Skin} skin */
  constructor(module, model, skin) {
    const {memory} = module;
    super(module, () => {
      const {pointer} = module;
      return memory.begin().tried('pchr_renderer_upload_skin', pointer, memory.of(model), memory.of(skin));
    }, 'pchr_gpu_skin_free');
  }

  /** GPU memory. */
  get gpuBytes() {
    return Number(this.ask('pchr_gpu_skin_bytes'));
  }
}

const CROWD = wordsOf('crowd');

/**
 * Many instances of a character as typed arrays in the module's memory: fill them in place, or copy to them with set().
 */
export class Crowd extends Handle {
  /** @type {any} */
  #arrays = {};
  #layout;

  /**
   * @param {Character} character @param {number} capacity  Largest number of instances.
   * @param {object} [options]
   * @param {boolean} [options.tints]  Gives each instance a tint.
   * @param {boolean} [options.fades]  Gives each instance a crossfade.
   * @param {boolean} [options.oneClip]  Has one clip for all instead of one for each.
   * @param {boolean} [options.oneTime]  Has one time for all instead of one for each.
   */
  constructor(character, capacity, options = {}) {
    const {tints = false, fades = false, oneClip = false, oneTime = false} = options;
    const {memory} = character;
    const times = oneTime ? 1 : capacity;
    const clips = oneClip ? 1 : capacity;
    const fading = fades ? capacity : 0;
    /** @type {Record<string, [ArrayType, number]>} */
    const arrays = {
      seconds: [Float64Array, times], fadeSeconds: [Float64Array, fading], placements: [Float32Array, 6 * capacity],
      clips: [Uint32Array, clips], tints: [Float32Array, tints ? 4 * capacity : 0], fadeClips: [Uint32Array, fading],
      fadeWeights: [Float32Array, fading],
    };
    const {size} = layoutOf('crowd');
    let bytes = size + 8 & ~7;
    /** @type {Record<string, [ArrayType, number, number]>} */
    const layout = {};
    for (const [name, [Type, length]] of Object.entries(arrays)) {
      layout[name] = [Type, bytes, length];
      bytes += Type.BYTES_PER_ELEMENT * length;
    }
    const struct = memory.allocate(bytes);
    super(memory, struct, 'web_free');
    this.#layout = layout;
    this.capacity = capacity;
    /** Number of instances that are drawn. */
    this.count = capacity;
    /** Whether to interpolate between frames. */
    this.smooth = false;
    memory.write('crowd', struct, {structSize: size, ...Object.fromEntries(Object.entries(layout).map(
      ([name, [, at, length]]) => [name, length === 0 ? 0 : struct + at]))});
    for (let i = 0; i < capacity; ++i) this.placements.set([1, 0, 0, 1, 0, 0], 6 * i);
    this.tints.fill(1);
  }

  /** Transforms `[a, b, c, d, tx, ty]`: 6 numbers per instance. */
  get placements() {
    return /** @type {Float32Array} */ (this.#array('placements'));
  }

  /** Indices of clips. 0xFFFFFFFF is the bind pose. */
  get clips() {
    return /** @type {Uint32Array} */ (this.#array('clips'));
  }

  /** Times in the clips. */
  get seconds() {
    return /** @type {Float64Array} */ (this.#array('seconds'));
  }

  /** Straight RGBA: 4 numbers per instance. Empty without `tints`. */
  get tints() {
    return /** @type {Float32Array} */ (this.#array('tints'));
  }

  /** Clips of crossfades. Empty without `fades`, as are the next two. */
  get fadeClips() {
    return /** @type {Uint32Array} */ (this.#array('fadeClips'));
  }

  /** Times in those clips. */
  get fadeSeconds() {
    return /** @type {Float64Array} */ (this.#array('fadeSeconds'));
  }

  /** 0 shows `clips`, 1 shows `fadeClips`. */
  get fadeWeights() {
    return /** @type {Float32Array} */ (this.#array('fadeWeights'));
  }

  /**
   * Copies arrays, which can be shorter.
   * @param {Partial<Record<'placements' | 'clips' | 'seconds' | 'tints' | 'fadeClips' | 'fadeSeconds' | 'fadeWeights',
   *   ArrayLike<number>>>} arrays
   */
  set(arrays) {
    for (const [name, values] of Object.entries(arrays)) {
      if (!Object.hasOwn(this.#layout, name)) throw new CharacterError({message: `there is no array "${name}"`});
      const array = this.#array(name);
      if (values.length > array.length) {
        throw new CharacterError({message: `${name} has ${values.length} elements, but the crowd has ${array.length}`});
      }
      array.set(values);
    }
  }

  /** @internal */
  write() {
    const at = this.pointer >>> 2;
    const {words} = this.memory.views;
    const count = Math.max(0, Math.min(this.count, this.capacity));
    words[at + CROWD.count] = count;
    words[at + CROWD.clipCount] = this.#layout.clips[2] === 1 ? 1 : count;
    words[at + CROWD.secondsCount] = this.#layout.seconds[2] === 1 ? 1 : count;
    words[at + CROWD.sampling] = Number(this.smooth);
  }

  /** @param {string} name */
  #array(name) {
    const [Type, at, length] = this.#layout[name];
    return this.#arrays[name] = this.memory.view(Type, this.pointer + at, length, this.#arrays[name]);
  }
}

/**
 * Writes options to the struct for them.
 * @param {Memory} memory @param {DrawOptions} options @param {number} [appearance] @param {number} [attachments]
 * @param {number} [count]
 */
function writeOptions(memory, options, appearance = 0, attachments = 0, count = 0) {
  const skin = memory.of(options.skin);
  const at = memory.drawOptions >>> 2;
  const {words} = memory.views;
  words[at + DRAW.depth] = options.depth === undefined ? 0 : enumNumber('depth_mode', options.depth, 'depth');
  words[at + DRAW.leaveState] = Number(options.leaveState ?? false);
  words[at + DRAW.appearance] = appearance;
  words[at + DRAW.skin] = skin;
  words[at + DRAW.attachments] = attachments;
  words[at + DRAW.attachmentCount] = count;
  words[at + DRAW.firstItem] = options.firstItem ?? 0;
  words[at + DRAW.itemCount] = options.itemCount ?? 0;
  return memory.drawOptions;
}

const APPEARANCE_BYTES = layoutOf('appearance').size;
const INSTANCE_WORDS = layoutOf('instance').size >>> 2;
const INSTANCE = wordsOf('instance');

/**
 * Writes instances to scratch memory.
 * @param {Memory} memory @param {Model} model @param {readonly CharacterInstance[]} instances
 */
function writeInstances(memory, {character, handle}, instances) {
  const {length} = instances;
  const start = memory.take(4 * INSTANCE_WORDS * length);
  const looks = memory.take(APPEARANCE_BYTES * length);
  const writeClip = (/** @type {number} */ at, /** @type {Part | null} */ clip, /** @type {number} */ timeAt,
                     /** @type {number} */ seconds, /** @type {boolean} */ smooth) => {
    const number = clip === null ? -1 : character.clipIndex(clip);
    memory.views.words[at] = number;
    if (number >= 0) memory.call('pchr_find_frame', handle, number, seconds, Number(smooth), 4 * timeAt);
  };
  memory.views.bytes.fill(0, start, start + 4 * INSTANCE_WORDS * length);
  for (let i = 0; i < length; ++i) {
    const {clip = null, seconds = 0, smooth = false, appearance, fadeClip = null, fadeSeconds = 0} = instances[i];
    const skin = memory.of(instances[i].skin);
    const {words, floats} = memory.views;
    const at = (start >>> 2) + i * INSTANCE_WORDS;
    words[at] = 4 * INSTANCE_WORDS;
    words[at + INSTANCE.appearance] =
      appearance ? memory.writeAppearance(looks + i * APPEARANCE_BYTES, appearance) : 0;
    words[at + INSTANCE.skin] = skin;
    floats[at + INSTANCE.fadeWeight] = instances[i].fadeWeight ?? 0;
    writeClip(at + INSTANCE.clip, clip, at + INSTANCE.time, seconds, smooth);
    writeClip(at + INSTANCE.fadeClip, fadeClip, at + INSTANCE.fadeTime, fadeSeconds, smooth);
  }
  return start;
}

const POSED_WORDS = layoutOf('posed').size >>> 2;
const POSED = wordsOf('posed');

/**
 * Writes posed characters to scratch memory.
 * @param {Memory} memory @param {readonly PosedCharacter[]} characters
 */
function writePosed(memory, characters) {
  const {length} = characters;
  const start = memory.take(4 * POSED_WORDS * length);
  const looks = memory.take(APPEARANCE_BYTES * length);
  for (let i = 0; i < length; ++i) {
    const {pose, appearance} = characters[i];
    const skin = memory.of(characters[i].skin);
    const {words} = memory.views;
    const at = (start >>> 2) + i * POSED_WORDS;
    words[at] = 4 * POSED_WORDS;
    words[at + POSED.pose] = memory.of(pose);
    words[at + POSED.appearance] = appearance ? memory.writeAppearance(looks + i * APPEARANCE_BYTES, appearance) : 0;
    words[at + POSED.skin] = skin;
  }
  return start;
}

/**
 * Writes attachments to scratch memory.
 * @param {Memory} memory @param {Pose} pose @param {readonly Attachment[]} attachments
 */
function writeAttachments(memory, {character}, attachments) {
  const callback = memory.call('web_draw_callback');
  const all = attachments.map(({bone, place = {}, appearance, model, pose, skin, draw}, i) => ({
    bone: character.boneIndex(bone), model: memory.of(model), pose: memory.of(pose), skin: memory.of(skin),
    place: {mesh: place.mesh === undefined ? -1 : character.meshIndex(place.mesh), behind: place.behind},
    appearance: appearance && memory.writeAppearance(memory.take(APPEARANCE_BYTES), appearance),
    draw: draw && callback, user: i + 1,
  }));
  return memory.structs('attachment', all);
}

/** @param {Memory} memory @param {OrbitCamera} camera */
function writeOrbit(memory, {width, height, ...camera}) {
  return memory.struct('orbit_camera', {...camera, viewportWidth: width, viewportHeight: height});
}

/**
 * Returns an orbit camera that shows all of a posed 3D character with a margin, a fraction of the viewport.
 * @template {OrbitCamera} T
 * @param {T} camera @param {Pose} pose @param {number} [margin] @returns {T & {target: [number, number, number]}}
 */
export function fitOrbitCamera(camera, pose, margin = 0.05) {
  const memory = pose.memory.begin();
  const written = writeOrbit(memory, camera);
  memory.call('pchr_orbit_camera_fit', written, pose.pointer, margin);
  const {viewportWidth, viewportHeight, ...fitted} = memory.read('orbit_camera', written);
  return {...camera, ...fitted};
}
