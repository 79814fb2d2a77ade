// SPDX-License-Identifier: MIT
import {Character, CharacterError, Playback} from '/character.js';
import {Surface} from '/surface.js';

/** Returns the files at some URLs, named relative to the folder of the first, which is the character. */
function fetchFiles(...urls) {
  const folder = urls[0].slice(0, urls[0].lastIndexOf('/') + 1);
  return Promise.all(urls.map(async (url) => {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: ${response.status}`);
    return {name: decodeURIComponent(url.slice(folder.length)), bytes: new Uint8Array(await response.arrayBuffer())};
  }));
}

function createCanvas(width, height) {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  document.body.append(canvas);
  return canvas;
}

/** Draws a playback on all of a canvas that a surface is on. */
function draw(surface, playback, view) {
  const {context} = surface;
  const {width, height} = context.canvas;
  context.viewport(0, 0, width, height);
  context.clearColor(0, 0, 0, 0);
  context.clear(context.COLOR_BUFFER_BIT | context.DEPTH_BUFFER_BIT);
  surface.draw(playback, {...view, width, height});
}

/** Returns the pixels of a canvas on which something was drawn in this task: premultiplied RGBA, bottom row first. */
function readPixels(canvas) {
  const gl = canvas.getContext('webgl2');
  const pixels = new Uint8Array(4 * canvas.width * canvas.height);
  gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  const error = gl.getError();
  if (error !== 0) throw new Error(`OpenGL error ${error}`);
  let text = '';
  for (let i = 0; i < pixels.length; i += 32768) text += String.fromCharCode(...pixels.subarray(i, i + 32768));
  return btoa(text);
}

Object.assign(globalThis, {Character, CharacterError, Playback, Surface, fetchFiles, createCanvas, draw, readPixels, ready: true});
