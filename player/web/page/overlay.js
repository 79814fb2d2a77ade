// SPDX-License-Identifier: MIT
// Drawings over the character, on a 2D canvas in its own pixels.
import {themeColor} from './dom.js';

/** @typedef {import('./app.js').App} App */
/** @typedef {import('./character.js').Bounds} Bounds */

/**
 * Returns the function that draws the overlays that are on. Names the bone under the mouse.
 * @param {App} app @param {HTMLElement} stage @param {HTMLCanvasElement} canvas
 */
export function createOverlay(app, stage, canvas) {
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The browser has no 2D canvas.');
  /**
   * In pixels of the canvas.
   * @type {[number, number] | null}
   */
  let mouse = null;
  stage.addEventListener('pointermove', (event) => {
    const box = stage.getBoundingClientRect();
    const ratio = app.drawn.pixelRatio;
    mouse = event.pointerType === 'mouse' ? [(event.clientX - box.left) * ratio, (event.clientY - box.top) * ratio] : null;
    if (app.skeleton) app.changed();
  });
  stage.addEventListener('pointerleave', () => {
    mouse = null;
    app.changed();
  });
  return () => {
    const {width, height, center, zoom, pixelRatio: unit} = app.drawn;
    const {character, playback} = app.player;
    canvas.hidden = !(character && (app.skeleton || app.wireframe || app.bounds));
    if (canvas.hidden || !character || !playback) return;
    // Assigning the same size would make the canvas anew.
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, {width, height});
    context.clearRect(0, 0, width, height);
    const left = width / 2 - center[0] * zoom;
    const top = height / 2 + center[1] * zoom;
    /** @type {Place} */
    const place = {x: (x) => left + x * zoom, y: (y) => top - y * zoom, unit};
    const bounds = app.clip?.bounds ?? character.info.bounds;
    if (app.wireframe) drawWireframe(context, playback.wireframe(), place);
    if (app.bounds && bounds) drawBounds(context, bounds, place);
    if (app.skeleton) drawSkeleton(context, character.info.bones, playback.joints(), place, mouse);
  };
}

/** @typedef {{x: (x: number) => number, y: (y: number) => number, unit: number}} Place World to canvas pixels. */

/** @param {CanvasRenderingContext2D} context @param {Float32Array} corners @param {Place} place */
function drawWireframe(context, corners, place) {
  context.beginPath();
  for (let i = 0; i + 5 < corners.length; i += 6) {
    context.moveTo(place.x(corners[i]), place.y(corners[i + 1]));
    context.lineTo(place.x(corners[i + 2]), place.y(corners[i + 3]));
    context.lineTo(place.x(corners[i + 4]), place.y(corners[i + 5]));
    context.closePath();
  }
  context.lineWidth = place.unit;
  context.strokeStyle = 'rgb(232 234 239 / 45%)';
  context.stroke();
}

/** @param {CanvasRenderingContext2D} context @param {Bounds} bounds @param {Place} place */
function drawBounds(context, bounds, place) {
  const [left, bottom, right, top] = bounds;
  context.lineWidth = 1.5 * place.unit;
  context.strokeStyle = themeColor(context.canvas, 'bone');
  context.strokeRect(place.x(left), place.y(top), place.x(right) - place.x(left), place.y(bottom) - place.y(top));
}

/**
 * Draws bones as tapered shapes from the parent's joint, and joints as dots.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {readonly {name: string, parent: number}[]} bones
 * @param {Float32Array} joints
 * @param {Place} place
 * @param {[number, number] | null} mouse
 */
function drawSkeleton(context, bones, joints, place, mouse) {
  const {unit} = place;
  const xs = bones.map((_, bone) => place.x(joints[4 * bone]));
  const ys = bones.map((_, bone) => place.y(joints[4 * bone + 1]));
  context.beginPath();
  for (const [bone, {parent}] of bones.entries()) {
    if (parent >= 0) addBone(context, xs[parent], ys[parent], xs[bone], ys[bone], unit);
  }
  const color = themeColor(context.canvas, 'bone');
  context.fillStyle = color;
  context.globalAlpha = 0.4;
  context.fill();
  context.globalAlpha = 0.95;
  context.strokeStyle = color;
  context.lineWidth = 1.3 * unit;
  context.stroke();
  context.globalAlpha = 1;

  let hovered = -1;
  let nearest = 9 * unit;
  for (let bone = 0; bone < bones.length; ++bone) {
    const distance = mouse ? Math.hypot(xs[bone] - mouse[0], ys[bone] - mouse[1]) : Infinity;
    if (distance < nearest) [nearest, hovered] = [distance, bone];
    drawJoint(context, xs[bone], ys[bone], 2.6 * unit, unit);
  }
  if (hovered < 0) return;
  drawJoint(context, xs[hovered], ys[hovered], 4.2 * unit, unit);
  drawName(context, bones[hovered].name, xs[hovered], ys[hovered], unit);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} x0
 * @param {number} y0
 * @param {number} x1
 * @param {number} y1
 * @param {number} unit
 */
function addBone(context, x0, y0, x1, y1, unit) {
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length < 2 * unit) return;
  const [x, y] = [(x1 - x0) / length, (y1 - y0) / length];
  const half = Math.min(Math.max(length * 0.09, 1.5 * unit), 6 * unit);
  const along = Math.min(length * 0.25, half * 2);
  const [shoulderX, shoulderY] = [x0 + x * along, y0 + y * along];
  context.moveTo(x0, y0);
  context.lineTo(shoulderX - y * half, shoulderY + x * half);
  context.lineTo(x1, y1);
  context.lineTo(shoulderX + y * half, shoulderY - x * half);
  context.closePath();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 * @param {number} unit
 */
function drawJoint(context, x, y, radius, unit) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = '#f4fbff';
  context.fill();
  context.lineWidth = 1.2 * unit;
  context.strokeStyle = '#0b3a52';
  context.stroke();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {string} name
 * @param {number} x
 * @param {number} y
 * @param {number} unit
 */
function drawName(context, name, x, y, unit) {
  const {canvas} = context;
  const size = parseFloat(getComputedStyle(canvas).fontSize) * unit;
  context.font = `${size}px ${getComputedStyle(canvas).fontFamily}`;
  const width = context.measureText(name).width + size;
  const height = size * 1.6;
  const left = Math.max(Math.min(x + 12 * unit, canvas.width - width), 0);
  const top = Math.max(y - 12 * unit - height, 0);
  context.fillStyle = themeColor(canvas, 'panel');
  context.fillRect(left, top, width, height);
  context.fillStyle = themeColor(canvas, 'text');
  context.textBaseline = 'middle';
  context.fillText(name, left + size / 2, top + height / 2);
}
