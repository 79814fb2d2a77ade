// SPDX-License-Identifier: MIT
// Geometry of views: which part of the world a canvas shows. World y points up, canvas y points down.

/** @typedef {import('./character.js').Bounds} Bounds */

/**
 * World point at the center of a canvas, and pixels of the canvas per world pixel.
 * @typedef {{center: [x: number, y: number], zoom: number}} Placement
 */

/**
 * Returns the view in which the bounds fill the canvas, except for a margin on each side.
 * @param {Bounds | null} bounds @param {number} width @param {number} height
 * @param {number} [margin]  Fraction of the canvas.
 * @returns {Placement}
 */
export function fitView(bounds, width, height, margin = 0.05) {
  if (!bounds) return {center: [0, 0], zoom: 1};
  const [left, bottom, right, top] = bounds;
  const inside = 1 - 2 * margin;
  const zoom = Math.min(inside * width / (right - left), inside * height / (top - bottom));
  return {center: [(left + right) / 2, (bottom + top) / 2], zoom: zoom > 0 && Number.isFinite(zoom) ? zoom : 1};
}

/**
 * Multiplies the zoom and keeps the world point under a pixel in place.
 * @param {Placement} view @param {number} factor
 * @param {number} x  Pixels right of the canvas's center.
 * @param {number} y  Pixels below it.
 * @returns {Placement}
 */
export function zoomView({center, zoom}, factor, x, y) {
  const next = Math.min(Math.max(zoom * factor, 1e-3), 1e3);
  const moved = 1 / zoom - 1 / next;
  return {center: [center[0] + x * moved, center[1] - y * moved], zoom: next};
}

/**
 * Returns the view moved with the pointer.
 * @param {Placement} view
 * @param {number} x  Pixels to the right.
 * @param {number} y  Pixels down.
 * @returns {Placement}
 */
export function panView({center, zoom}, x, y) {
  return {center: [center[0] - x / zoom, center[1] + y / zoom], zoom};
}

/**
 * Returns the nearest smaller view in which texels of pixel art are whole pixels of the canvas, and aligned with them.
 * @param {Placement} view @param {number} width @param {number} height
 * @returns {Placement}
 */
export function wholeView({center, zoom}, width, height) {
  const whole = zoom >= 1 ? Math.floor(zoom + 1e-6) : 1 / Math.ceil(1 / zoom - 1e-6);
  /** @param {number} position @param {number} size */
  const align = (position, size) => (size / 2 - Math.round(size / 2 - position * whole)) / whole;
  return {center: [align(center[0], width), align(center[1], height)], zoom: whole};
}

/**
 * Returns a zoom near `zoom * factor` at which all texels have the same size: 1, 2, 3 … or 1/2, 1/3 …, but at least
 * one step in that direction.
 * @param {number} zoom @param {number} factor
 * @returns {number}
 */
export function wholeZoom(zoom, factor) {
  if (factor < 1) return 1 / wholeZoom(1 / zoom, 1 / factor);
  const rounding = 1e-4;
  const below = (/** @type {number} */ of) => (of >= 1 ? Math.floor(of + rounding) : 1 / Math.ceil(1 / of - rounding));
  const next = zoom < 1 - rounding ? 1 / Math.ceil(1 / zoom - 1 - rounding) : Math.floor(zoom + rounding) + 1;
  return Math.max(below(zoom * factor), next);
}
