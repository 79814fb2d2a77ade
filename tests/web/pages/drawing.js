// SPDX-License-Identifier: MIT
// What the page and its worker draw.
import * as runtime from '/runtime.js';

/** Returns pixels as text: premultiplied RGBA, bottom row first. */
export function readPixels(gl) {
  const pixels = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
  gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  const error = gl.getError();
  if (error !== 0) throw new Error(`OpenGL error ${error}`);
  let text = '';
  for (let i = 0; i < pixels.length; i += 32768) text += String.fromCharCode(...pixels.subarray(i, i + 32768));
  return btoa(text);
}

/** Draws a frame of a clip alone on a canvas, and returns its pixels. */
export async function drawFrame(canvas, url, clip, frame) {
  const character = await runtime.load(url);
  const gl = canvas.getContext('webgl2', {antialias: false});
  const renderer = new runtime.Renderer(gl);
  const model = renderer.upload(character);
  const pose = new runtime.Pose(character).setFrame(clip, {frame});
  const camera = runtime.fitCamera(character.info.bounds, canvas.width, canvas.height);
  gl.clearColor(0, 0, 0, 0);
  gl.clear(gl.COLOR_BUFFER_BIT);
  renderer.draw(model, pose, camera);
  const pixels = readPixels(gl);
  renderer.free();
  character.close();
  return pixels;
}
