// SPDX-License-Identifier: MIT
// Saves images and animations of a character: PNG, and animated WebP or, where browsers cannot encode WebP, animated
// PNG.
//
// The character must be attached to a canvas of its own, which is resized and drawn to:
//
//   const canvas = document.createElement('canvas');
//   character.attach(canvas);
//   const {blob, extension} = await saveAnimation(character, canvas, {clip: 0, scale: 2});

/** @typedef {import('./character.js').Character} Character */
/** @typedef {Character['info']['clips'][number]} Clip */
/** @typedef {{width: number, height: number, center: [number, number], zoom: number}} Framing */
/**
 * How frames are drawn.
 *
 * @typedef {object} FrameOptions
 * @property {number} [scale] Image pixels per world pixel. The default is 1.
 * @property {[number, number, number, number]} [background] Premultiplied. The default is transparent.
 * @property {'trilinear' | 'bilinear' | 'nearest'} [filter] The default is what the character asks for.
 */
/**
 * @typedef {object} AnimationOptions
 * @property {number} clip Index of the clip.
 * @property {boolean} [loop] Whether the animation repeats. The default is what the clip says.
 * @property {AbortSignal} [signal] Cancels.
 * @property {(fraction: number) => void} [onProgress]
 */

export const MAX_SIDE = 8192;
const MAX_PIXELS = 64 * 1024 * 1024;

/**
 * Returns the size and camera of images of bounds, in whole pixels.
 *
 * @param {readonly [number, number, number, number] | null} bounds
 * @param {number} scale
 * @returns {Framing} The image can be too large to be saved: see checkSize().
 */
export function framing(bounds, scale) {
  const [left, bottom, right, top] = bounds ?? [0, 0, 1, 1];
  const [x0, width] = wholePixels(left * scale, right * scale);
  const [y0, height] = wholePixels(bottom * scale, top * scale);
  return {width, height, center: [(x0 + width / 2) / scale, (y0 + height / 2) / scale], zoom: scale};
}

/**
 * Returns the start and length of the whole pixels from `low` to `high`. A whole number of pixels stays where it is:
 * pixel art of an odd size about the origin lies between whole pixels.
 *
 * @param {number} low
 * @param {number} high
 * @returns {[number, number]}
 */
function wholePixels(low, high) {
  const rounding = 1e-3;
  const isWhole = Math.abs(high - low - Math.round(high - low)) < rounding;
  const from = isWhole ? low : Math.floor(low + rounding);
  return [from, Math.max(1, Math.ceil(high - from - rounding))];
}

/**
 * Returns why an image of this size cannot be saved, or an empty text.
 *
 * @param {{width: number, height: number}} size
 */
export function checkSize({width, height}) {
  if (width <= MAX_SIDE && height <= MAX_SIDE && width * height <= MAX_PIXELS) return '';
  return `An image of ${width} × ${height} pixels is too large: at most ${MAX_SIDE} per side and 64 million in all.`;
}

/**
 * Saves the character as it is posed now.
 *
 * @param {Character} character
 * @param {HTMLCanvasElement} canvas
 * @param {FrameOptions & {bounds?: readonly [number, number, number, number] | null}} options The default bounds are
 *   those of all clips.
 * @returns {Promise<Blob>} A PNG file.
 */
export async function savePng(character, canvas, {bounds = character.info.bounds, ...options} = {}) {
  draw(character, canvas, framing(bounds, options.scale ?? 1), options);
  return encoded(canvas, 'image/png');
}

/**
 * Saves a clip as an animation. Each of its frames lasts as long as in the clip, to the millisecond.
 *
 * @param {Character} character Shows the last frame of the clip afterward.
 * @param {HTMLCanvasElement} canvas
 * @param {AnimationOptions & FrameOptions} options
 * @returns {Promise<{blob: Blob, extension: 'webp' | 'png'}>}
 */
export async function saveAnimation(character, canvas, options) {
  const clip = character.info.clips[options.clip];
  const frame = framing(clip.bounds, options.scale ?? 1);
  const problem = checkSize(frame);
  if (problem !== '') throw new Error(problem);
  character.setClip(options.clip, {smooth: false});
  const encoder = (await canEncodeWebp()) ? new WebpEncoder() : new PngEncoder();
  for (let index = 0; index < clip.frames; ++index) {
    options.signal?.throwIfAborted();
    character.seekFrame(index);
    draw(character, canvas, frame, options);
    await encoder.add(canvas, endOf(clip, index) - (index > 0 ? endOf(clip, index - 1) : 0));
    options.onProgress?.((index + 1) / clip.frames);
  }
  options.signal?.throwIfAborted();
  return encoder.finish(frame, options.loop ?? clip.loops);
}

/**
 * Returns when a frame ends, in milliseconds. Durations are differences of these, so rounding does not add up.
 *
 * @param {Clip} clip
 * @param {number} frame
 */
function endOf(clip, frame) {
  if (clip.frameEnds) return Math.round(clip.frameEnds[frame] * 1000);
  return clip.fps > 0 ? Math.round(((frame + 1) * 1000) / clip.fps) : 1000 * (frame + 1);
}

/**
 * @param {Character} character
 * @param {HTMLCanvasElement} canvas
 * @param {Framing} frame
 * @param {FrameOptions} options
 */
function draw(character, canvas, frame, options) {
  if (canvas.width !== frame.width) canvas.width = frame.width;
  if (canvas.height !== frame.height) canvas.height = frame.height;
  const {center, zoom} = frame;
  const {background, filter} = options;
  character.draw({center, zoom, background, filter});
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {string} type
 * @returns {Promise<Blob>}
 */
function encoded(canvas, type) {
  return new Promise((resolve, reject) => {
    const done = (/** @type {Blob | null} */ blob) => {
      if (blob) resolve(blob);
      else reject(new Error('The browser cannot encode an image of this size.'));
    };
    // Chromium and Firefox encode WebP without loss at a quality of 1.
    canvas.toBlob(done, type, 1);
  });
}

async function canEncodeWebp() {
  const canvas = document.createElement('canvas');
  canvas.width = 1;
  canvas.height = 1;
  return (await encoded(canvas, 'image/webp')).type === 'image/webp';
}

/** Puts still WebP images, which the browser encodes, into an animation. */
class WebpEncoder {
  /** @type {{data: Uint8Array, milliseconds: number}[]} */
  #frames = [];

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {number} milliseconds
   */
  async add(canvas, milliseconds) {
    const file = new Uint8Array(await (await encoded(canvas, 'image/webp')).arrayBuffer());
    const data = joined(webpChunks(file).filter(({name}) => /^(ALPH|VP8 |VP8L)$/.test(name)).map(({bytes}) => bytes));
    const last = this.#frames.at(-1);
    if (last && equal(last.data, data)) last.milliseconds += milliseconds;
    else this.#frames.push({data, milliseconds});
  }

  /**
   * @param {{width: number, height: number}} size
   * @param {boolean} loop
   * @returns {{blob: Blob, extension: 'webp'}}
   */
  finish({width, height}, loop) {
    const size = [...little(width - 1, 3), ...little(height - 1, 3)];
    const hasAlphaAndAnimation = 0x12;
    const parts = [
      webpChunk('VP8X', [hasAlphaAndAnimation, 0, 0, 0, ...size]),
      webpChunk('ANIM', [0, 0, 0, 0, ...little(loop ? 0 : 1, 2)]),
    ];
    const replacesPixels = 0x02;
    for (const {data, milliseconds} of this.#frames) {
      const header = [0, 0, 0, 0, 0, 0, ...size, ...little(milliseconds, 3), replacesPixels];
      parts.push(webpChunk('ANMF', header, data));
    }
    const length = parts.reduce((sum, part) => sum + part.length, 4);
    const start = [...ascii('RIFF'), ...little(length, 4), ...ascii('WEBP')];
    return {blob: new Blob([new Uint8Array(start), ...parts], {type: 'image/webp'}), extension: 'webp'};
  }
}

/**
 * Returns the chunks of a WebP file, each with its header.
 *
 * @param {Uint8Array} file
 */
function webpChunks(file) {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const chunks = [];
  for (let at = 12; at + 8 <= file.length;) {
    const length = view.getUint32(at + 4, true);
    const end = at + 8 + length + (length % 2);
    chunks.push({name: String.fromCharCode(...file.subarray(at, at + 4)), bytes: file.subarray(at, end)});
    at = end;
  }
  return chunks;
}

/**
 * @param {string} name
 * @param {number[]} header
 * @param {Uint8Array} data
 */
function webpChunk(name, header, data = new Uint8Array()) {
  const length = header.length + data.length;
  return joined([new Uint8Array([...ascii(name), ...little(length, 4), ...header]), data, new Uint8Array(length % 2)]);
}

/** Writes an animated PNG. */
class PngEncoder {
  /** @type {{rows: Uint8Array, data: Uint8Array, milliseconds: number}[]} */
  #frames = [];

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {number} milliseconds
   */
  async add(canvas, milliseconds) {
    const {width, height} = canvas;
    const copy = document.createElement('canvas');
    copy.width = width;
    copy.height = height;
    const context = copy.getContext('2d', {willReadFrequently: true});
    if (!context) throw new Error('The browser has no 2D canvas.');
    context.drawImage(canvas, 0, 0);
    const rows = filtered(context.getImageData(0, 0, width, height).data, width, height);
    const last = this.#frames.at(-1);
    if (last && equal(last.rows, rows)) {
      last.milliseconds += milliseconds;
      return;
    }
    if (last) last.rows = new Uint8Array();
    this.#frames.push({rows, data: await compressed(rows), milliseconds});
  }

  /**
   * @param {{width: number, height: number}} size
   * @param {boolean} loop
   * @returns {{blob: Blob, extension: 'png'}}
   */
  finish({width, height}, loop) {
    const rgba8 = [8, 6, 0, 0, 0];
    const parts = [
      new Uint8Array([0x89, ...ascii('PNG\r\n'), 0x1a, 0x0a]),
      pngChunk('IHDR', [...big(width, 4), ...big(height, 4), ...rgba8]),
      pngChunk('acTL', [...big(this.#frames.length, 4), ...big(loop ? 0 : 1, 4)]),
    ];
    let sequence = 0;
    for (const [index, {data, milliseconds}] of this.#frames.entries()) {
      const size = [...big(width, 4), ...big(height, 4), ...big(0, 4), ...big(0, 4)];
      const delay = milliseconds < 65536 ? [...big(milliseconds, 2), ...big(1000, 2)]
        : [...big(Math.min(Math.round(milliseconds / 1000), 65535), 2), ...big(1, 2)];
      parts.push(pngChunk('fcTL', [...big(sequence++, 4), ...size, ...delay, 0, 0]));
      parts.push(index === 0 ? pngChunk('IDAT', [], data) : pngChunk('fdAT', big(sequence++, 4), data));
    }
    parts.push(pngChunk('IEND', []));
    return {blob: new Blob(parts, {type: 'image/png'}), extension: 'png'};
  }
}

/**
 * Returns RGBA pixels as rows of a PNG file, each the difference to the row above.
 *
 * @param {Uint8ClampedArray} pixels
 * @param {number} width
 * @param {number} height
 */
function filtered(pixels, width, height) {
  const stride = 4 * width;
  const rows = new Uint8Array((stride + 1) * height);
  const differenceToRowAbove = 2;
  for (let y = 0; y < height; ++y) {
    const from = y * stride;
    const to = y * (stride + 1) + 1;
    rows[to - 1] = differenceToRowAbove;
    for (let x = 0; x < stride; ++x) rows[to + x] = pixels[from + x] - (y > 0 ? pixels[from - stride + x] : 0);
  }
  return rows;
}

/**
 * @param {Uint8Array} bytes
 * @returns {Promise<Uint8Array>} A zlib stream.
 */
async function compressed(bytes) {
  const {CompressionStream} = /** @type {any} */ (globalThis);
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * @param {string} name
 * @param {number[]} header
 * @param {Uint8Array} data
 */
function pngChunk(name, header, data = new Uint8Array()) {
  const chunk = joined([new Uint8Array([...big(header.length + data.length, 4), ...ascii(name), ...header]), data,
    new Uint8Array(4)]);
  new DataView(chunk.buffer).setUint32(chunk.length - 4, crc32(chunk.subarray(4, -4)));
  return chunk;
}

const CRC_TABLE = new Uint32Array(256).map((_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; ++bit) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc;
});

/** @param {Uint8Array} bytes */
function crc32(bytes) {
  let crc = ~0;
  for (let i = 0; i < bytes.length; ++i) crc = CRC_TABLE[(crc ^ bytes[i]) & 0xff] ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** @param {string} text */
const ascii = (text) => Array.from(text, (letter) => letter.charCodeAt(0));

/**
 * @param {number} value
 * @param {number} bytes
 */
const little = (value, bytes) => Array.from({length: bytes}, (_, index) => (value >>> (8 * index)) & 0xff);

/**
 * @param {number} value
 * @param {number} bytes
 */
const big = (value, bytes) => little(value, bytes).reverse();

/** @param {Uint8Array[]} parts */
function joined(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/**
 * @param {Uint8Array} a
 * @param {Uint8Array} b
 */
function equal(a, b) {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; ++i) {
    if (a[i] !== b[i]) return false;
  }
  return true;
}
