// SPDX-License-Identifier: MIT
// The timeline: a slider over the frames of the clip, with its markers.
import {byId, setAttribute, setText, themeColor} from './dom.js';
import {canPlay, frameStart, seekFrame} from './app.js';

/** @typedef {import('./app.js').App} App */
/** @typedef {import('./app.js').Clip} Clip */

const MIN_LABEL_DISTANCE = 48;
const MIN_TICK_DISTANCE = 6;
const RULER_HEIGHT = 24;

/**
 * Returns the function that shows the timeline.
 * @param {App} app
 */
export function createTimeline(app) {
  const slider = byId('timeline', HTMLElement);
  const canvas = byId('timeline-canvas', HTMLCanvasElement);
  const tip = byId('timeline-tip', HTMLElement);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The browser has no 2D canvas.');
  let width = 1;
  let height = 1;
  /** Frame under the mouse, or -1. */
  let pointed = -1;
  let drawn = '';

  new ResizeObserver(([entry]) => {
    width = entry.contentRect.width;
    height = entry.contentRect.height;
    drawn = '';
    app.changed();
  }).observe(slider);
  matchMedia('(prefers-color-scheme: light)').addEventListener('change', () => {
    drawn = '';
    app.changed();
  });

  const frameUnder = (/** @type {PointerEvent} */ event) => {
    const clip = app.clip;
    return clip ? frameAt(clip, (event.clientX - slider.getBoundingClientRect().left) / width) : -1;
  };
  slider.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    slider.setPointerCapture(event.pointerId);
    seekFrame(app, frameUnder(event));
  });
  slider.addEventListener('pointermove', (event) => {
    pointed = frameUnder(event);
    if (slider.hasPointerCapture(event.pointerId)) seekFrame(app, pointed);
    app.changed();
  });
  slider.addEventListener('pointerleave', () => {
    pointed = -1;
    app.changed();
  });

  return () => {
    const clip = app.clip;
    const {frame} = app.player;
    setAttribute(slider, 'aria-disabled', String(clip === null));
    setAttribute(slider, 'aria-valuemax', String(clip ? clip.frames - 1 : 0));
    setAttribute(slider, 'aria-valuenow', String(clip ? frame : 0));
    const names = clip?.markers.filter((marker) => marker.frame === frame).map((marker) => marker.name) ?? [];
    const text = clip ? [`Frame ${frame} of ${clip.frames}`, ...names].join(', ') : 'No clip';
    setAttribute(slider, 'aria-valuetext', text);

    tip.hidden = clip === null || pointed < 0;
    if (clip && pointed >= 0) {
      setText(tip, tipText(clip, pointed));
      const middle = ((placeOf(clip, pointed) + placeOf(clip, pointed + 1)) / 2) * width;
      const half = tip.offsetWidth / 2;
      tip.style.left = `${Math.min(Math.max(middle, half), Math.max(width - half, half))}px`;
    }

    const place = clip ? headPlace(clip, frame, app.player.currentTime) : 0;
    const key = [app.player.clipIndex, app.name, frame, place.toFixed(4), pointed, devicePixelRatio].join();
    if (key === drawn) return;
    drawn = key;
    canvas.width = Math.round(width * devicePixelRatio);
    canvas.height = Math.round(height * devicePixelRatio);
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    if (clip && clip.frames > 0) draw(context, {width, height}, clip, frame, place, pointed);
  };
}

/**
 * Returns where a frame starts, from 0 to 1.
 *
 * @param {Clip} clip
 * @param {number} frame
 */
function placeOf(clip, frame) {
  return clip.frameEnds ? frameStart(clip, frame) / clip.seconds : frame / clip.frames;
}

/** @param {Clip} clip @param {number} frame @param {number} seconds */
function headPlace(clip, frame, seconds) {
  const time = canPlay(clip) ? seconds / clip.seconds : 0;
  return Math.min(Math.max(time, placeOf(clip, frame)), placeOf(clip, frame + 1));
}

/** @param {Clip} clip @param {number} place */
function frameAt(clip, place) {
  const {frameEnds} = clip;
  const found = frameEnds
    ? frameEnds.findIndex((end) => place * clip.seconds < end)
    : Math.floor(place * clip.frames);
  return Math.min(Math.max(found < 0 && place > 0 ? clip.frames - 1 : found, 0), clip.frames - 1);
}

/** @param {Clip} clip @param {number} frame */
function tipText(clip, frame) {
  const names = clip.markers.filter((marker) => marker.frame === frame).map((marker) => marker.name);
  return [`Frame ${frame}, ${frameStart(clip, frame).toFixed(3)} s`, ...names].join(' · ');
}

/**
 * Returns the smallest of 1, 2, 5, 10, 20, 50, … frames that is at least `distance` wide.
 *
 * @param {number} frameWidth
 * @param {number} distance
 */
function tickStep(frameWidth, distance) {
  const least = Math.max(distance / frameWidth, 1);
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least * 0.999) ?? power * 10;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {{width: number, height: number}} size
 * @param {Clip} clip
 * @param {number} frame
 * @param {number} place Of the playhead.
 * @param {number} pointed
 */
function draw(context, size, clip, frame, place, pointed) {
  const {canvas} = context;
  const {width, height} = size;
  const color = (/** @type {string} */ name) => themeColor(canvas, name);
  const x = (/** @type {number} */ of) => placeOf(clip, of) * width;

  context.fillStyle = color('control');
  context.fillRect(0, 0, width, RULER_HEIGHT);
  drawRuler(context, size, clip, x);

  context.fillStyle = color('accent');
  context.globalAlpha = 0.08;
  context.fillRect(0, 0, x(frame), height);
  context.globalAlpha = 0.28;
  context.fillRect(x(frame), 0, Math.max(x(frame + 1) - x(frame), 1), height);
  if (pointed >= 0) {
    context.fillStyle = color('text');
    context.globalAlpha = 0.12;
    context.fillRect(x(pointed), 0, Math.max(x(pointed + 1) - x(pointed), 1), height);
  }
  context.globalAlpha = 1;

  context.fillStyle = color('warning');
  for (const marker of clip.markers) {
    const left = Math.round(x(marker.frame));
    context.fillRect(left, RULER_HEIGHT + 2, 1, height - RULER_HEIGHT - 2);
    context.beginPath();
    context.moveTo(left, RULER_HEIGHT + 2);
    context.lineTo(left + 9, RULER_HEIGHT + 6.5);
    context.lineTo(left, RULER_HEIGHT + 11);
    context.fill();
  }

  const head = Math.min(Math.max(place * width, 1), width - 1);
  context.fillStyle = color('accent');
  context.fillRect(head - 1, 0, 2, height);
  context.beginPath();
  context.moveTo(head - 6, 0);
  context.lineTo(head + 6, 0);
  context.lineTo(head + 6, 7);
  context.lineTo(head, 13);
  context.lineTo(head - 6, 7);
  context.fill();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {{width: number, height: number}} size
 * @param {Clip} clip
 * @param {(frame: number) => number} x
 */
function drawRuler(context, {width, height}, clip, x) {
  const style = getComputedStyle(context.canvas);
  const fontSize = parseFloat(style.fontSize) * 0.87;
  const frameWidth = width / clip.frames;
  const labeled = tickStep(frameWidth, Math.max(MIN_LABEL_DISTANCE, fontSize * 3.5));
  const ticked = tickStep(frameWidth, MIN_TICK_DISTANCE);
  context.font = `${fontSize}px ${style.fontFamily}`;
  context.textBaseline = 'middle';
  const dim = themeColor(context.canvas, 'dim');
  let free = 0;
  for (let frame = 0; frame < clip.frames; frame += ticked) {
    const left = Math.floor(x(frame));
    context.fillStyle = dim;
    context.globalAlpha = 0.5;
    context.fillRect(left, RULER_HEIGHT - (frame % labeled === 0 ? 11 : 5), 1, frame % labeled === 0 ? 11 : 5);
    if (frame % labeled !== 0) continue;
    context.globalAlpha = 0.2;
    context.fillRect(left, RULER_HEIGHT, 1, height - RULER_HEIGHT);
    context.globalAlpha = 1;
    const text = String(frame);
    const right = left + 4 + context.measureText(text).width;
    if (left < free || right > width) continue;
    context.fillText(text, left + 4, RULER_HEIGHT / 2);
    free = right;
  }
  context.globalAlpha = 1;
}
