// SPDX-License-Identifier: MIT
// The canvas: draws the character, and moves the camera by mouse, touch and pen.
import {byId} from './dom.js';
import {drawOverlay} from './overlay.js';
import {currentClip, drawnFilter, followBounds, hasWholeZooms, setView} from './player.js';
import {panView, wholeView, zoomView} from './view.js';

/** @typedef {import('./player.js').Player} Player */

const ZOOM_PER_NOTCH = 1.15;
const NOTCH = 100;

/**
 * Returns the function that draws the stage.
 *
 * @param {Player} player
 * @returns {{canvas: HTMLCanvasElement, show: () => void}}
 */
export function createStage(player) {
  const stage = byId('stage', HTMLElement);
  const canvas = byId('canvas', HTMLCanvasElement);
  const overlay = byId('overlay', HTMLCanvasElement);
  const context = overlay.getContext('2d');
  if (!context) throw new Error('The browser has no 2D canvas.');
  /** @type {[number, number] | null} */
  let mouse = null;

  watchSize(stage, (width, height, ratio) => {
    player.size = {width, height};
    player.pixelRatio = ratio;
    player.changed();
  });
  moveByPointer(player, stage);
  moveByWheel(player, stage);
  stage.addEventListener('pointermove', (event) => {
    mouse = event.pointerType === 'mouse' ? pointOn(player, stage, event) : null;
    if (player.skeleton) player.changed();
  });
  stage.addEventListener('pointerleave', () => {
    mouse = null;
    player.changed();
  });

  const show = () => {
    const {width, height} = player.size;
    for (const each of [canvas, overlay]) {
      // Assigning the same size would still clear the canvas.
      if (each.width !== width) each.width = width;
      if (each.height !== height) each.height = height;
    }
    stage.dataset['background'] = player.background;
    stage.style.backgroundColor = player.background === 'color' ? player.color : '';
    const {character} = player;
    canvas.hidden = character === null;
    followBounds(player);
    const {camera: moved} = player;
    const camera = hasWholeZooms(player) ? wholeView(moved, width, height) : moved;
    character?.draw({...camera, background: [0, 0, 0, 0], filter: drawnFilter(player)});
    drawOverlay(context, player, camera, currentClip(player)?.bounds ?? character?.info.bounds ?? null, mouse);
  };
  return {canvas, show};
}

/**
 * Reports the size of an element in device pixels whenever it changes.
 *
 * @param {Element} element
 * @param {(width: number, height: number, ratio: number) => void} onSize
 */
function watchSize(element, onSize) {
  const observer = new ResizeObserver(([entry]) => {
    const css = entry.contentBoxSize[0];
    const near = {inlineSize: Math.round(css.inlineSize * devicePixelRatio),
                  blockSize: Math.round(css.blockSize * devicePixelRatio)};
    const exact = entry.devicePixelContentBoxSize?.[0] ?? near;
    // Browsers that emulate another screen report the pixels of the real one.
    const isReal = Math.abs(exact.inlineSize - near.inlineSize) <= 1;
    const {inlineSize: width, blockSize: height} = isReal ? exact : near;
    if (width > 0 && height > 0) onSize(width, height, width / css.inlineSize);
  });
  try {
    observer.observe(element, {box: 'device-pixel-content-box'});
  } catch {
    observer.observe(element);
  }
}

/**
 * @param {Player} player
 * @param {Element} stage
 * @param {MouseEvent} event
 * @returns {[number, number]} A point in canvas pixels.
 */
function pointOn(player, stage, event) {
  const box = stage.getBoundingClientRect();
  return [(event.clientX - box.left) * player.pixelRatio, (event.clientY - box.top) * player.pixelRatio];
}

/**
 * Multiplies the zoom around a point, by whole steps if texels are hard.
 *
 * @param {Player} player
 * @param {[number, number]} point
 * @param {number} factor
 */
export function zoomBy(player, point, factor) {
  const {character, camera, size} = player;
  if (!character) return;
  const by = hasWholeZooms(player) ? nextWholeZoom(camera.zoom, factor) / camera.zoom : factor;
  const [x, y] = [point[0] - size.width / 2, point[1] - size.height / 2];
  setView(player, {camera: zoomView(camera, by, x, y), fitted: false});
}

/**
 * Returns a zoom near `zoom * factor` at which all texels have the same size: 1, 2, 3 … or 1/2, 1/3 …, but at least
 * one step in that direction.
 *
 * @param {number} zoom
 * @param {number} factor
 * @returns {number}
 */
function nextWholeZoom(zoom, factor) {
  if (factor < 1) return 1 / nextWholeZoom(1 / zoom, 1 / factor);
  const rounding = 1e-4;
  const below = (/** @type {number} */ of) => (of >= 1 ? Math.floor(of + rounding) : 1 / Math.ceil(1 / of - rounding));
  const next = zoom < 1 - rounding ? 1 / Math.ceil(1 / zoom - 1 - rounding) : Math.floor(zoom + rounding) + 1;
  return Math.max(below(zoom * factor), next);
}

/**
 * Zooms around the middle of the canvas.
 *
 * @param {Player} player
 * @param {number} factor
 */
export function zoomMiddle(player, factor) {
  zoomBy(player, [player.size.width / 2, player.size.height / 2], factor);
}

/**
 * Moves the character by a fraction of the canvas.
 *
 * @param {Player} player
 * @param {number} x
 * @param {number} y
 */
export function panBy(player, x, y) {
  if (!player.character) return;
  const camera = panView(player.camera, x * player.size.width, y * player.size.height);
  setView(player, {camera, fitted: false});
}

/**
 * @param {Player} player
 * @param {HTMLElement} stage
 */
function moveByWheel(player, stage) {
  let turned = 0;
  stage.addEventListener('wheel', (event) => {
    if (event.target instanceof Element && event.target.closest('.card')) return;
    event.preventDefault();
    // Lines and pages of mice that report those; a pinch on a touch pad arrives as small turns with Ctrl.
    const unit = [1, 33, 300][event.deltaMode] * (event.ctrlKey ? 8 : 1);
    turned += (-event.deltaY * unit) / NOTCH;
    const hard = hasWholeZooms(player);
    if (hard && Math.abs(turned) < 1) return;
    zoomBy(player, pointOn(player, stage, event), ZOOM_PER_NOTCH ** turned);
    turned = 0;
  }, {passive: false});
}

/**
 * Moves the camera with one finger or button, and zooms with two fingers.
 *
 * @param {Player} player
 * @param {HTMLElement} stage
 */
function moveByPointer(player, stage) {
  /** @type {Map<number, [number, number]>} */
  const pointers = new Map();
  let pinched = 1;
  /** @returns {[number, number]} */
  const middle = () => {
    const [a, b = a] = pointers.values();
    return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  };
  const spread = () => {
    const [a, b] = pointers.values();
    return b ? Math.max(Math.hypot(a[0] - b[0], a[1] - b[1]), 1) : 0;
  };

  stage.addEventListener('pointerdown', (event) => {
    if (event.target instanceof Element && event.target.closest('.card')) return;
    if (event.pointerType === 'mouse' && event.button === 2) return;
    stage.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, pointOn(player, stage, event));
    pinched = 1;
    stage.classList.add('moving');
  });
  stage.addEventListener('pointermove', (event) => {
    if (!pointers.has(event.pointerId) || pointers.size > 2) return;
    const [before, wide] = [middle(), spread()];
    pointers.set(event.pointerId, pointOn(player, stage, event));
    if (!player.character) return;
    const after = middle();
    setView(player, {camera: panView(player.camera, after[0] - before[0], after[1] - before[1]), fitted: false});
    if (wide === 0) return;
    // Hard texels wait until the fingers have moved far enough for the next whole zoom.
    pinched *= spread() / wide;
    const hard = hasWholeZooms(player);
    if (hard && pinched < 1.5 && pinched > 1 / 1.5) return;
    zoomBy(player, after, pinched);
    pinched = 1;
  });
  const release = (/** @type {PointerEvent} */ event) => {
    pointers.delete(event.pointerId);
    if (pointers.size === 0) stage.classList.remove('moving');
  };
  stage.addEventListener('pointerup', release);
  stage.addEventListener('pointercancel', release);
}
