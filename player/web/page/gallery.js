// SPDX-License-Identifier: MIT
// The gallery: samples, which need no script, the visitor's own files, and a crowd.

import './pchr-player.js';
import {byId, setText} from './dom.js';
import {charactersIn, chosenFiles, droppedFiles, isCompanion} from './files.js';
import {PchrPlayer} from './pchr-player.js';
import {Crowd, Renderer, load} from './runtime.js';

/** @typedef {import('./files.js').SourceFile} SourceFile */

const MAX_COUNT = 10_000;

const drop = byId('drop', HTMLElement);
const own = byId('own', PchrPlayer);
const ownStatus = byId('own-status', HTMLElement);
const count = byId('count', HTMLInputElement);
const canvas = byId('crowd', HTMLCanvasElement);
const crowdStatus = byId('crowd-status', HTMLElement);

let reading = new AbortController();

/** @param {Promise<SourceFile[]> | SourceFile[]} chosen */
async function show(chosen) {
  reading.abort();
  const {signal} = reading = new AbortController();
  try {
    const files = await chosen;
    const [character] = charactersIn(files);
    if (!character) {
      setText(ownStatus, 'There is no character among these files.');
      return;
    }
    const companions = files.filter((file) => file !== character && isCompanion(file.name));
    const read = await Promise.all([character, ...companions].map(async ({name, read}) =>
      ({name, bytes: await read(signal, () => {})})));
    if (signal.aborted) return;
    own.files = read;
    own.hidden = false;
    setText(ownStatus, character.name);
  } catch (error) {
    if (!signal.aborted) setText(ownStatus, `The files cannot be read: ${/** @type {Error} */ (error).message}`);
  }
}

byId('files', HTMLInputElement).addEventListener('change', ({currentTarget}) =>
  show(chosenFiles(/** @type {HTMLInputElement} */ (currentTarget).files ?? [])));
for (const type of ['dragover', 'dragleave', 'drop']) {
  drop.addEventListener(type, (event) => {
    event.preventDefault();
    drop.classList.toggle('over', type === 'dragover');
    const {dataTransfer} = /** @type {DragEvent} */ (event);
    if (type === 'drop' && dataTransfer) show(droppedFiles(dataTransfer));
  });
}

/** Walks up to MAX_COUNT characters in rows, the nearest in front. */
async function startCrowd() {
  const character = await load('samples/kiri.pchr');
  const renderer = new Renderer(canvas);
  const gl = renderer.context;
  const model = renderer.upload(character);
  const crowd = new Crowd(character, MAX_COUNT, {oneClip: true});
  crowd.smooth = true;
  crowd.clips[0] = character.clipIndex('walk');
  // Out of step.
  for (let i = 0; i < MAX_COUNT; ++i) crowd.seconds[i] = 7 * i * 0.618 % 7;
  const [left, bottom, right, top] = character.bounds('walk') ?? [0, 0, 1, 1];
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  let last = 0;
  let visible = false;
  // Counts the frames since the text was written.
  let frames = 0;
  let milliseconds = 0;
  let written = 0;
  /**
   * Signaled when the last frame is drawn.
   * @type {WebGLSync | null}
   */
  let drawn = null;

  function arrange() {
    const ratio = Math.min(devicePixelRatio, 2);
    canvas.width = canvas.clientWidth * ratio;
    canvas.height = canvas.clientHeight * ratio;
    crowd.count = Math.min(MAX_COUNT, Math.round(10 ** count.valueAsNumber));
    // Cells have the shape of a character. Rows are packed, so that they overlap.
    const shape = (right - left) / (top - bottom);
    const columns = Math.max(1, Math.ceil(Math.sqrt(crowd.count * canvas.width / canvas.height / shape)));
    const rows = Math.ceil(crowd.count / columns);
    const scale = Math.min(canvas.width / columns / (right - left), canvas.height / (0.5 * rows + 0.5) / (top - bottom));
    const height = canvas.height - scale * (top - bottom);
    for (let i = 0; i < crowd.count; ++i) {
      const row = Math.floor(i / columns);
      const x = (i % columns + 0.5) / columns * canvas.width - scale * (left + right) / 2;
      const y = height * (rows > 1 ? 1 - row / (rows - 1) : 0.5) - scale * bottom;
      crowd.placements.set([scale, 0, 0, scale, x, y], 6 * i);
    }
    const text = `${crowd.count.toLocaleString('en')} ${crowd.count === 1 ? 'character' : 'characters'}`;
    count.setAttribute('aria-valuetext', text);
    setText(crowdStatus, text);
    frames = milliseconds = 0;
    written = performance.now();
    if (still.matches) draw(0);
  }

  /** @param {number} seconds */
  function draw(seconds) {
    const start = performance.now();
    const clock = crowd.seconds;
    for (let i = 0; i < crowd.count; ++i) clock[i] += seconds;
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clear(gl.COLOR_BUFFER_BIT);
    renderer.draw(model, crowd, {center: [canvas.width / 2, canvas.height / 2], zoom: 1}, {leaveState: true});
    gl.deleteSync(drawn);
    drawn = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    const end = performance.now();
    ++frames;
    milliseconds += end - start;
    if (end < written + 500) return;
    const average = (milliseconds / frames).toFixed(1);
    setText(crowdStatus, `${count.getAttribute('aria-valuetext')}, ${average} ms of script per frame`);
    frames = milliseconds = 0;
    written = end;
  }

  /** @param {number} now */
  function tick(now) {
    if (!visible || still.matches) return;
    requestAnimationFrame(tick);
    // Slow devices draw fewer frames, but the page stays responsive.
    if (drawn && gl.getSyncParameter(drawn, gl.SYNC_STATUS) === gl.UNSIGNALED) return;
    draw(Math.min(0.1, (now - last) / 1000));
    last = now;
  }

  function resume() {
    last = performance.now();
    requestAnimationFrame(tick);
  }

  count.addEventListener('input', arrange);
  new ResizeObserver(arrange).observe(canvas);
  still.addEventListener('change', resume);
  new IntersectionObserver((entries) => {
    const before = visible;
    visible = entries[entries.length - 1].isIntersecting;
    if (visible && !before) resume();
  }).observe(canvas);
}

startCrowd().catch((error) => setText(crowdStatus, `The crowd cannot be shown: ${error.message}`));
