// SPDX-License-Identifier: MIT
// Draws all elements of a page with one WebGL context, because browsers keep only about 16. The context belongs to a
// canvas that is not on the page; what it draws for an element moves to the canvas of the element.

import {CharacterError} from './module.js';
import {Surface} from './surface.js';

/** @typedef {import('./character.js').Character} Character */
/** @typedef {import('./character.js').Playback} Playback */
/** @typedef {import('./surface.js').View} View */

/**
 * Element that shares the context.
 * @typedef {object} Viewer
 * @property {HTMLCanvasElement} canvas
 * @property {(now: number) => {playback: Playback, view: View} | null} update  Proceeds to a time in milliseconds.
 *   Returns what to draw, or null if it is on the canvas already.
 * @property {(view: View) => void} drawn  Called when it is on the canvas.
 * @property {() => void} redraw  Called when everything must be drawn again.
 * @property {(error: unknown) => void} fail  Called when updating or drawing fails.
 */

/** Milliseconds that a browser has to restore a lost context, before a new one is made. */
const PATIENCE = 2000;

/**
 * Connected elements.
 * @type {Set<Viewer>}
 */
const viewers = new Set();
/**
 * Elements that are updated in the next frame.
 * @type {Set<Viewer>}
 */
const waiting = new Set();
/**
 * Characters on the page, and the elements that show them.
 * @type {Map<Character, Set<Viewer>>}
 */
const users = new Map();
/**
 * The context of all elements. Its canvas is an OffscreenCanvas where there are those.
 * @type {Surface | null}
 */
let shared = null;
let request = 0;

/**
 * Adds an element to the page.
 * @param {Viewer} viewer
 */
export function addViewer(viewer) {
  viewers.add(viewer);
}

/**
 * Removes an element, which no longer shows a character. Without elements, there is no context.
 * @param {Viewer} viewer
 */
export function removeViewer(viewer) {
  viewers.delete(viewer);
  waiting.delete(viewer);
  if (viewers.size === 0) close();
}

/**
 * Notes that an element shows a character.
 * @param {Viewer} viewer @param {Character} character
 */
export function addCharacter(viewer, character) {
  const known = users.get(character);
  if (known) known.add(viewer);
  else users.set(character, new Set([viewer]));
}

/**
 * Notes that an element no longer shows a character, and frees its GPU memory if no other element does.
 * @param {Viewer} viewer @param {Character} character
 */
export function removeCharacter(viewer, character) {
  const left = users.get(character);
  if (!left?.delete(viewer) || left.size > 0) return;
  users.delete(character);
  shared?.remove(character);
}

/**
 * Updates and draws an element in the next frame.
 * @param {Viewer} viewer
 */
export function requestUpdate(viewer) {
  waiting.add(viewer);
  if (request === 0) request = requestAnimationFrame(update);
}

/**
 * Uploads a character now rather than when it is drawn. Fails with a CharacterError.
 * @param {Character} character
 */
export function upload(character) {
  const surface = shared ??= open();
  try {
    if (!surface.context.isContextLost()) surface.upload(character);
  } catch (error) {
    // It can be lost at any time.
    if (!surface.context.isContextLost()) throw error;
  }
}

/** @param {number} now */
function update(now) {
  request = 0;
  // Elements of the same size follow each other: resizing the canvas takes longer than drawing.
  const order = [...waiting].sort(({canvas: a}, {canvas: b}) => a.width - b.width || a.height - b.height);
  for (const viewer of order) {
    // Listeners to the events of elements can remove others.
    if (!waiting.delete(viewer)) continue;
    try {
      const change = viewer.update(now);
      if (change && draw(viewer.canvas, change.playback, change.view)) viewer.drawn(change.view);
    } catch (error) {
      if (!shared?.context.isContextLost()) viewer.fail(error);
    }
  }
}

/**
 * Draws on the canvas of an element. Returns whether it could, which it cannot while the context is lost.
 * @param {HTMLCanvasElement} target @param {Playback} playback @param {View} view
 */
function draw(target, playback, view) {
  const surface = shared ??= open();
  const {context} = surface;
  const canvas = /** @type {HTMLCanvasElement} */ (context.canvas);
  if (context.isContextLost()) return false;
  resize(canvas, view);
  context.viewport(0, 0, view.width, view.height);
  context.depthMask(true);
  context.clear(context.COLOR_BUFFER_BIT | context.DEPTH_BUFFER_BIT);
  surface.draw(playback, view);
  resize(target, view);
  if ('transferToImageBitmap' in canvas) {
    // Measured in Chromium and Firefox: faster than copying from a canvas, or from one with all elements.
    const image = /** @type {any} */ (canvas).transferToImageBitmap();
    /** @type {ImageBitmapRenderingContext} */ (target.getContext('bitmaprenderer')).transferFromImageBitmap(image);
  } else {
    const copy = /** @type {CanvasRenderingContext2D} */ (target.getContext('2d'));
    copy.globalCompositeOperation = 'copy';
    copy.drawImage(canvas, 0, 0);
  }
  return true;
}

/**
 * Setting the size clears a canvas, even if it is the same.
 * @param {HTMLCanvasElement} canvas @param {{width: number, height: number}} size
 */
function resize(canvas, {width, height}) {
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, {width, height});
}

function open() {
  /** @param {HTMLCanvasElement} canvas */
  const start = (canvas) => canvas.getContext('webgl2', {antialias: true, depth: true});
  const {OffscreenCanvas} = /** @type {any} */ (globalThis);
  /** @type {WebGL2RenderingContext | null} */
  const context = (OffscreenCanvas && start(new OffscreenCanvas(1, 1))) ?? start(document.createElement('canvas'));
  if (!context) throw new CharacterError({message: 'this browser has no WebGL 2, or it is turned off'});
  const opened = new Surface(context);
  const {canvas} = context;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  canvas.addEventListener('webglcontextlost', (event) => {
    if (opened !== shared) return;
    event.preventDefault();  // Otherwise the browser does not restore the context.
    opened.lose();
    timer = setTimeout(() => {
      if (opened !== shared) return;
      close();
      redrawAll();
    }, PATIENCE);
  });
  canvas.addEventListener('webglcontextrestored', () => {
    clearTimeout(timer);
    if (opened === shared) redrawAll();
    else context.getExtension('WEBGL_lose_context')?.loseContext();
  });
  return opened;
}

function close() {
  if (!shared) return;
  const surface = shared;
  shared = null;
  surface.free();
  // Browsers free unused contexts late.
  surface.context.getExtension('WEBGL_lose_context')?.loseContext();
}

function redrawAll() {
  for (const viewer of viewers) viewer.redraw();
}
