// SPDX-License-Identifier: MIT
// OpenGL ES 3.0 for the WebAssembly module, on a WebGL 2 context. Objects are integers in the module: indices of
// `objects`, where 0 is null. Pointers are offsets in the module's memory.

const FLOAT = 0x1406;
const HALF_FLOAT = 0x140B;
const INFO_LOG_LENGTH = 0x8B84;
const PIXEL_UNPACK_BUFFER = 0x88EC;
/** First name of objects that are not the module's. */
const FOREIGN = 1 << 30;
/** What WebGL would do to uploaded pixels: flip them, multiply them by alpha, and convert their colors. */
const UNPACK = [0x9240, 0x9241, 0x9243];

/**
 * Parameters that methods set, each with the number of its argument. Asking the context for them would wait until the
 * GPU has drawn everything so far.
 * @type {Record<string, [parameter: number, argument: number][]>}
 */
const SETTERS = {
  blendEquation: [[0x8009, 0], [0x883D, 0]], blendEquationSeparate: [[0x8009, 0], [0x883D, 1]],
  blendFunc: [[0x80C9, 0], [0x80C8, 1], [0x80CB, 0], [0x80CA, 1]],
  blendFuncSeparate: [[0x80C9, 0], [0x80C8, 1], [0x80CB, 2], [0x80CA, 3]],
  cullFace: [[0x0B45, 0]], depthFunc: [[0x0B74, 0]], depthMask: [[0x0B72, 0]], frontFace: [[0x0B46, 0]],
};
const REMEMBERED = new Set([
  ...Object.values(SETTERS).flat().map(([parameter]) => parameter),
  0x0CF2, 0x0CF3, 0x0CF4, 0x0CF5, 0x806D, 0x806E,  // What pixelStorei() sets for uploads.
]);
/** @type {WeakMap<WebGL2RenderingContext, Map<number, any>>} */
const remembered = new WeakMap();

/**
 * Returns a parameter that methods of a context set, which are watched from now on.
 * @param {any} context @param {number} parameter
 */
function remember(context, parameter) {
  let known = remembered.get(context);
  if (!known) {
    /** @type {Map<number, any>} */
    const values = known = new Map();
    remembered.set(context, values);
    for (const [name, parameters] of Object.entries(SETTERS)) {
      const set = context[name];
      context[name] = function (/** @type {any} */ a, /** @type {any} */ b, /** @type {any} */ c, /** @type {any} */ d) {
        set.call(this, a, b, c, d);
        for (const [changed, argument] of parameters) {
          values.set(changed, argument === 0 ? a : argument === 1 ? b : argument === 2 ? c : d);
        }
      };
    }
    const {pixelStorei} = context;
    context.pixelStorei = function (/** @type {number} */ changed, /** @type {any} */ value) {
      pixelStorei.call(this, changed, value);
      if (REMEMBERED.has(changed)) values.set(changed, value);
    };
    // Everything has its default again.
    context.canvas.addEventListener('webglcontextrestored', () => values.clear());
  }
  if (!known.has(parameter)) known.set(parameter, context.getParameter(parameter));
  return known.get(parameter);
}

/**
 * What the module knows of a context.
 * @typedef {object} State
 * @property {any[]} objects  By their names.
 * @property {number[]} free  Names to use again.
 * @property {number} unpackBuffer  Buffer that texture functions read: their pointers are offsets in it, unless it is 0.
 * @property {any[]} foreign  Objects of the page that a call has asked for, so that it can bind them again. Their names
 *   end with the call.
 * @property {any[] | null} unpack  What the page has set for UNPACK, in a call that has changed it.
 */
/** @returns {State} */
const makeState = () => ({objects: [null], free: [], unpackBuffer: 0, foreign: [], unpack: null});

/**
 * Creates the module's imports from "gl", named without the prefix, such as `BindBuffer`.
 */
export function createGl() {
  /**
   * Null stands for no context: then every call is an error.
   * @type {WebGL2RenderingContext}
   */
  let gl = /** @type {any} */ (null);
  /** What belongs to the current context. */
  let state = makeState();
  let {objects} = state;
  /** @type {Map<WebGL2RenderingContext | null, State>} */
  const contexts = new Map([[null, state]]);
  /**
   * Names of uniform locations of programs, with which they end.
   * @type {WeakMap<object, number[]>}
   */
  const locations = new WeakMap();
  let memory = /** @type {WebAssembly.Memory} */ (/** @type {unknown} */ (null));
  let bytes = new Uint8Array(0);
  let halves = new Uint16Array(0);
  let words = new Int32Array(0);
  let floats = new Float32Array(0);

  /** @param {WebGL2RenderingContext | null} context */
  function setContext(context) {
    gl = /** @type {any} */ (context);
    let known = contexts.get(context);
    if (!known) contexts.set(context, known = makeState());
    state = known;
    ({objects} = state);
  }

  // Growing the memory replaces its buffer.
  function renewViews() {
    const {buffer} = memory;
    if (bytes.buffer === buffer) return;
    bytes = new Uint8Array(buffer);
    halves = new Uint16Array(buffer);
    words = new Int32Array(buffer);
    floats = new Float32Array(buffer);
  }

  /** @param {object | null} object */
  function add(object) {
    if (!object) return 0;
    const name = state.free.pop() ?? objects.length;
    objects[name] = object;
    return name;
  }

  /**
   * Frees the name of an object, and returns the object.
   * @param {number} name
   */
  function take(name) {
    const object = objects[name];
    if (object) {
      if (name === state.unpackBuffer) state.unpackBuffer = 0;
      objects[name] = null;
      state.free.push(name);
    }
    return object;
  }

  /**
   * Returns an object that can be one of the page.
   * @param {number} name
   */
  const find = (name) => (name < FOREIGN ? objects[name] : state.foreign[name - FOREIGN]);

  /** @param {number} count @param {number} pointer @param {() => object | null} create */
  function generate(count, pointer, create) {
    renewViews();
    for (let i = 0; i < count; ++i) words[(pointer >>> 2) + i] = add(create());
  }

  /** @param {number} count @param {number} pointer @param {(object: any) => void} remove */
  function remove(count, pointer, remove) {
    renewViews();
    for (let i = 0; i < count; ++i) remove(take(words[(pointer >>> 2) + i]));
  }

  /**
   * Returns the text from `start` to `end` or, by default, the next zero.
   * @param {number} start @param {number} [end]
   */
  function readText(start, end) {
    renewViews();
    start >>>= 0;
    return new TextDecoder().decode(bytes.subarray(start, end ?? bytes.indexOf(0, start)));
  }

  /** @param {string} text @param {number} capacity @param {number} length 0 or a pointer @param {number} pointer */
  function writeText(text, capacity, length, pointer) {
    if (capacity < 1) return;
    renewViews();
    pointer >>>= 0;
    const {written = 0} = new TextEncoder().encodeInto(text, bytes.subarray(pointer, pointer + capacity - 1));
    bytes[pointer + written] = 0;
    if (length !== 0) words[length >>> 2] = written;
  }

  /**
   * Returns the log's bytes and its final zero, as OpenGL counts them.
   * @param {string | null} log
   */
  const logLength = (log) => (log ? new TextEncoder().encode(log).length + 1 : 0);

  /**
   * Writes what WebGL returns for a parameter.
   * @param {any} value @param {number} pointer
   */
  function writeIntegers(value, pointer) {
    renewViews();
    const at = pointer >>> 2;
    if (value === null || typeof value !== 'object') {
      words[at] = Number(value);
    } else if (typeof value.length === 'number') {
      for (let i = 0; i < value.length; ++i) words[at + i] = Number(value[i]);
    } else {
      const name = objects.indexOf(value);
      words[at] = name >= 0 ? name : FOREIGN + state.foreign.push(value) - 1;
    }
  }

  /**
   * Returns the view and the index for pixels of a type.
   * @param {number} type @param {number} pointer
   * @returns {[ArrayBufferView, number]}
   */
  function pixels(type, pointer) {
    renewViews();
    if (type === FLOAT) return [floats, pointer >>> 2];
    if (type === HALF_FLOAT) return [halves, pointer >>> 1];
    return [bytes, pointer >>> 0];
  }

  function takePixelsAsTheyAre() {
    if (state.unpack) return;
    state.unpack = UNPACK.map((parameter) => gl.getParameter(parameter));
    for (const parameter of UNPACK) gl.pixelStorei(parameter, 0);
  }

  /** @type {Record<string, (...values: number[]) => number | void>} */
  const functions = {
    ActiveTexture(unit) { gl.activeTexture(unit); },
    AttachShader(program, shader) { gl.attachShader(objects[program], objects[shader]); },
    BindBuffer(target, buffer) {
      if (target === PIXEL_UNPACK_BUFFER) state.unpackBuffer = buffer;
      gl.bindBuffer(target, find(buffer));
    },
    BindSampler(unit, sampler) { gl.bindSampler(unit, find(sampler)); },
    BindTexture(target, texture) { gl.bindTexture(target, find(texture)); },
    BindVertexArray(vertexArray) { gl.bindVertexArray(find(vertexArray)); },
    BlendEquationSeparate(rgb, alpha) { gl.blendEquationSeparate(rgb, alpha); },
    BlendFuncSeparate(sourceRgb, targetRgb, sourceAlpha, targetAlpha) {
      gl.blendFuncSeparate(sourceRgb, targetRgb, sourceAlpha, targetAlpha);
    },
    BufferData(target, size, pointer, usage) {
      if (pointer === 0 || size === 0) {
        gl.bufferData(target, size >>> 0, usage);
      } else {
        renewViews();
        gl.bufferData(target, bytes, usage, pointer >>> 0, size >>> 0);
      }
    },
    BufferSubData(target, offset, size, pointer) {
      if (size === 0) return; // Zero would mean the rest of the memory.
      renewViews();
      gl.bufferSubData(target, offset, bytes, pointer >>> 0, size >>> 0);
    },
    Clear(mask) { gl.clear(mask); },
    ClearBufferfv(buffer, drawBuffer, pointer) {
      renewViews();
      gl.clearBufferfv(buffer, drawBuffer, floats, pointer >>> 2);
    },
    CompileShader(shader) { gl.compileShader(objects[shader]); },
    CopyBufferSubData(from, to, start, toStart, size) { gl.copyBufferSubData(from, to, start, toStart, size); },
    CreateProgram() { return add(gl.createProgram()); },
    CreateShader(type) { return add(gl.createShader(type)); },
    CullFace(side) { gl.cullFace(side); },
    DeleteBuffers(count, pointer) { remove(count, pointer, (buffer) => gl.deleteBuffer(buffer)); },
    DeleteProgram(program) {
      for (const location of locations.get(objects[program]) ?? []) take(location);
      gl.deleteProgram(take(program));
    },
    DeleteSamplers(count, pointer) { remove(count, pointer, (sampler) => gl.deleteSampler(sampler)); },
    DeleteShader(shader) { gl.deleteShader(take(shader)); },
    DeleteTextures(count, pointer) { remove(count, pointer, (texture) => gl.deleteTexture(texture)); },
    DeleteVertexArrays(count, pointer) { remove(count, pointer, (vertexArray) => gl.deleteVertexArray(vertexArray)); },
    DepthFunc(test) { gl.depthFunc(test); },
    DepthMask(write) { gl.depthMask(!!write); },
    Disable(capability) { gl.disable(capability); },
    DisableVertexAttribArray(attribute) { gl.disableVertexAttribArray(attribute); },
    DrawElementsInstanced(mode, count, type, offset, instances) {
      gl.drawElementsInstanced(mode, count, type, offset, instances);
    },
    Enable(capability) { gl.enable(capability); },
    EnableVertexAttribArray(attribute) { gl.enableVertexAttribArray(attribute); },
    FrontFace(winding) { gl.frontFace(winding); },
    GenBuffers(count, pointer) { generate(count, pointer, () => gl.createBuffer()); },
    GenSamplers(count, pointer) { generate(count, pointer, () => gl.createSampler()); },
    GenTextures(count, pointer) { generate(count, pointer, () => gl.createTexture()); },
    GenVertexArrays(count, pointer) { generate(count, pointer, () => gl.createVertexArray()); },
    GenerateMipmap(target) { gl.generateMipmap(target); },
    GetIntegerv(parameter, pointer) {
      writeIntegers(REMEMBERED.has(parameter) ? remember(gl, parameter) : gl.getParameter(parameter), pointer);
    },
    GetProgramInfoLog(program, capacity, length, pointer) {
      writeText(gl.getProgramInfoLog(objects[program]) ?? '', capacity, length, pointer);
    },
    GetProgramiv(program, parameter, pointer) {
      const object = objects[program];
      writeIntegers(parameter === INFO_LOG_LENGTH ? logLength(gl.getProgramInfoLog(object))
                                                  : gl.getProgramParameter(object, parameter), pointer);
    },
    GetShaderInfoLog(shader, capacity, length, pointer) {
      writeText(gl.getShaderInfoLog(objects[shader]) ?? '', capacity, length, pointer);
    },
    GetShaderiv(shader, parameter, pointer) {
      const object = objects[shader];
      writeIntegers(parameter === INFO_LOG_LENGTH ? logLength(gl.getShaderInfoLog(object))
                                                  : gl.getShaderParameter(object, parameter), pointer);
    },
    GetUniformLocation(program, name) {
      const location = add(gl.getUniformLocation(objects[program], readText(name)));
      if (location === 0) return -1;
      const others = locations.get(objects[program]);
      if (others) others.push(location);
      else locations.set(objects[program], [location]);
      return location;
    },
    IsBuffer(buffer) { return gl.isBuffer(find(buffer)) ? 1 : 0; },
    IsEnabled(capability) { return gl.isEnabled(capability) ? 1 : 0; },
    IsProgram(program) { return gl.isProgram(find(program)) ? 1 : 0; },
    LinkProgram(program) { gl.linkProgram(objects[program]); },
    PixelStorei(parameter, value) { gl.pixelStorei(parameter, value); },
    ReadPixels(x, y, width, height, format, type, pointer) {
      renewViews();
      gl.readPixels(x, y, width, height, format, type, bytes, pointer >>> 0);
    },
    /** Returns whether the browser has a canvas of that size. */
    ResizeCanvas(width, height) {
      Object.assign(gl.canvas, {width, height});
      return gl.drawingBufferWidth === width && gl.drawingBufferHeight === height ? 1 : 0;
    },
    SamplerParameteri(sampler, parameter, value) { gl.samplerParameteri(objects[sampler], parameter, value); },
    ShaderSource(shader, count, strings, lengths) {
      renewViews();
      let source = '';
      for (let i = 0; i < count; ++i) {
        const start = words[(strings >>> 2) + i];
        const length = lengths === 0 ? -1 : words[(lengths >>> 2) + i];
        source += readText(start, length < 0 ? undefined : start + length);
      }
      gl.shaderSource(objects[shader], source);
    },
    TexImage2D(target, level, kind, width, height, border, format, type, pointer) {
      takePixelsAsTheyAre();
      if (state.unpackBuffer !== 0) {
        gl.texImage2D(target, level, kind, width, height, border, format, type, pointer);
      } else if (pointer === 0) {
        gl.texImage2D(target, level, kind, width, height, border, format, type, null);
      } else {
        gl.texImage2D(target, level, kind, width, height, border, format, type, ...pixels(type, pointer));
      }
    },
    TexParameteri(target, parameter, value) { gl.texParameteri(target, parameter, value); },
    TexSubImage2D(target, level, x, y, width, height, format, type, pointer) {
      takePixelsAsTheyAre();
      if (state.unpackBuffer !== 0) {
        gl.texSubImage2D(target, level, x, y, width, height, format, type, pointer);
      } else {
        gl.texSubImage2D(target, level, x, y, width, height, format, type, ...pixels(type, pointer));
      }
    },
    Uniform1f(location, value) { gl.uniform1f(objects[location], value); },
    Uniform1i(location, value) { gl.uniform1i(objects[location], value); },
    Uniform1iv(location, count, pointer) {
      renewViews();
      gl.uniform1iv(objects[location], words, pointer >>> 2, count);
    },
    Uniform4fv(location, count, pointer) {
      renewViews();
      gl.uniform4fv(objects[location], floats, pointer >>> 2, 4 * count);
    },
    UniformMatrix3fv(location, count, transpose, pointer) {
      renewViews();
      gl.uniformMatrix3fv(objects[location], !!transpose, floats, pointer >>> 2, 9 * count);
    },
    UniformMatrix3x2fv(location, count, transpose, pointer) {
      renewViews();
      gl.uniformMatrix3x2fv(objects[location], !!transpose, floats, pointer >>> 2, 6 * count);
    },
    UniformMatrix4fv(location, count, transpose, pointer) {
      renewViews();
      gl.uniformMatrix4fv(objects[location], !!transpose, floats, pointer >>> 2, 16 * count);
    },
    UseProgram(program) { gl.useProgram(find(program)); },
    VertexAttribDivisor(attribute, divisor) { gl.vertexAttribDivisor(attribute, divisor); },
    VertexAttribIPointer(attribute, size, type, stride, offset) {
      gl.vertexAttribIPointer(attribute, size, type, stride, offset);
    },
    VertexAttribPointer(attribute, size, type, normalized, stride, offset) {
      gl.vertexAttribPointer(attribute, size, type, !!normalized, stride, offset);
    },
    Viewport(x, y, width, height) { gl.viewport(x, y, width, height); },
  };

  return {
    functions,
    /**
     * Sets the memory that pointers refer to.
     * @param {WebAssembly.Memory} value
     */
    setMemory(value) { memory = value; },
    /**
     * Makes a context current, or none, and returns the one before, for leave().
     * @param {WebGL2RenderingContext | null} context
     */
    enter(context) {
      const before = gl;
      setContext(context);
      return before;
    },
    /**
     * Gives the current context back as it was but for what the module has changed, and makes another current.
     * @param {WebGL2RenderingContext | null} before
     */
    leave(before) {
      if (before === gl) return;
      state.unpack?.forEach((value, i) => gl.pixelStorei(UNPACK[i], value));
      state.unpack = null;
      state.foreign = [];
      // A context that nothing is left on can go.
      if (gl && objects.length - 1 === state.free.length) contexts.delete(gl);
      setContext(before);
    },
    /**
     * Forgets all objects of a context that is lost, or gone.
     * @param {WebGL2RenderingContext} context
     */
    forget(context) {
      const lost = contexts.get(context);
      if (lost) Object.assign(lost, makeState());
      if (lost === state) ({objects} = state);
      else contexts.delete(context);
    },
    /**
     * Deletes all objects of a context, for a module that cannot.
     * @param {WebGL2RenderingContext} context
     */
    deleteObjects(context) {
      for (const object of contexts.get(context)?.objects ?? []) {
        const kind = Object.prototype.toString.call(object).slice(13, -1);  // "[object WebGLBuffer]" is a "Buffer".
        /** @type {any} */ (context)[`delete${kind === 'VertexArrayObject' ? 'VertexArray' : kind}`]?.(object);
      }
      this.forget(context);
    },
    /** Returns the number of objects that exist: buffers, programs, uniform locations and so on. */
    countObjects() {
      let count = 0;
      for (const {objects: all, free} of contexts.values()) count += all.length - 1 - free.length;
      return count;
    },
  };
}
