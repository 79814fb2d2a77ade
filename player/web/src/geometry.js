// SPDX-License-Identifier: MIT
// Placements and cameras. A transform `[a, b, c, d, tx, ty]` maps (x, y) to (a x + c y + tx, b x + d y + ty).

import {writePlacement} from './memory.js';

/** @typedef {import('./character.js').Bounds} Bounds */
/** @typedef {import('./memory.js').Camera} Camera */

/**
 * Returns the transform that mirrors (if `flipX`), scales, rotates, then moves.
 * @param {number} x @param {number} y @param {number} [rotation] @param {number} [scale] @param {boolean} [flipX]
 */
export function placement(x, y, rotation = 0, scale = 1, flipX = false) {
  const out = [1, 0, 0, 1, 0, 0];
  writePlacement(out, 0, {x, y, rotation, scale, flipX});
  return out;
}

/**
 * Returns the transform that applies `inner` first and `outer` second.
 * @param {ArrayLike<number>} outer @param {ArrayLike<number>} inner
 */
export function concatenate(outer, inner) {
  const [a, b, c, d, tx, ty] = Array.from(outer);
  const [ia, ib, ic, id, itx, ity] = Array.from(inner);
  return [
    a * ia + c * ib, b * ia + d * ib, a * ic + c * id, b * ic + d * id, a * itx + c * ity + tx, b * itx + d * ity + ty,
  ];
}

/**
 * Returns the inverse of a transform, or null if it has none.
 * @param {ArrayLike<number>} transform
 */
export function inverse(transform) {
  const [a, b, c, d, tx, ty] = Array.from(transform);
  const area = a * d - b * c;
  if (area === 0 || !Number.isFinite(area)) return null;
  return [d / area, -b / area, -c / area, a / area, (c * ty - d * tx) / area, (b * tx - a * ty) / area];
}

/**
 * Returns the direction of a bone in the world: the angle of its +Y axis from world +Y.
 * @param {ArrayLike<number>} world
 */
export function rotationOf(world) {
  return Math.atan2(-world[2], world[3]) * 180 / Math.PI;
}

/**
 * Returns a camera that shows some bounds with a margin, a fraction of the viewport.
 * @param {Bounds} bounds @param {number} width @param {number} height @param {number} [margin]
 * @returns {Camera & {center: [number, number], width: number, height: number}}
 */
export function fitCamera([left, bottom, right, top], width, height, margin = 0.05) {
  const inside = 1 - 2 * margin;
  const zoom = Math.min(inside * width / (right - left || 1), inside * height / (top - bottom || 1));
  return {center: [(left + right) / 2, (bottom + top) / 2], zoom, width, height};
}

/**
 * Returns the transform from the world to viewport pixels, whose origin is at the top left and whose y points down.
 * @param {Camera & {width: number, height: number}} camera
 */
export function cameraToViewport({center: {0: x, 1: y}, zoom, width, height, flipY}) {
  const down = flipY ? zoom : -zoom;
  return [zoom, 0, 0, down, width / 2 - zoom * x, height / 2 - down * y];
}

/**
 * Returns the world point at a viewport pixel.
 * @param {Camera & {width: number, height: number}} camera @param {number} x @param {number} y
 * @returns {[number, number]}
 */
export function cameraToWorld({center, zoom, width, height, flipY}, x, y) {
  const down = flipY ? zoom : -zoom;
  return [center[0] + (x - width / 2) / zoom, center[1] + (y - height / 2) / down];
}

/**
 * Returns a camera with another zoom that keeps the world point under a viewport pixel in place.
 * @template {Camera & {width: number, height: number}} T
 * @param {T} camera @param {number} x @param {number} y @param {number} factor
 * @returns {T & {center: [number, number]}}
 */
export function zoomCameraAt(camera, x, y, factor) {
  const [fixedX, fixedY] = cameraToWorld(camera, x, y);
  const {center, zoom} = camera;
  return {
    ...camera, zoom: zoom * factor,
    center: [fixedX + (center[0] - fixedX) / factor, fixedY + (center[1] - fixedY) / factor],
  };
}
