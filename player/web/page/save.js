// SPDX-License-Identifier: MIT
// The dialog that saves images and animations.
import {canPlay, clipName} from './app.js';
import {byId, setText} from './dom.js';
import {FILTERS} from './pchr-player.js';

/** @typedef {import('./app.js').App} App */

/**
 * Makes the dialog work and returns the function that opens it.
 * @param {App} app
 */
export function createSaveDialog(app) {
  const {player} = app;
  const dialog = byId('save', HTMLDialogElement);
  const form = byId('save-form', HTMLFormElement);
  const animation = byId('save-animation', HTMLInputElement);
  const still = byId('save-still', HTMLInputElement);
  const format = byId('save-format', HTMLSelectElement);
  const scale = byId('save-scale', HTMLInputElement);
  const background = byId('save-background', HTMLInputElement);
  const summary = byId('save-summary', HTMLElement);
  const submit = byId('save-submit', HTMLButtonElement);
  const cancel = byId('save-cancel', HTMLButtonElement);
  const progress = byId('save-progress', HTMLProgressElement);
  const inputs = [animation, still, format, scale, background];
  /** @type {AbortController | null} */
  let running = null;

  const check = () => {
    const {clip} = app;
    let problem = '';
    try {
      const {width, height} = player.character?.imageSize({clip: player.clipIndex, scale: Number(scale.value) / 100}) ?? {};
      const frames = animation.checked && clip ? `, ${clip.frames} frames, ${clip.seconds.toFixed(2)} s` : '';
      setText(summary, `${width} × ${height} pixels${frames}`);
    } catch (error) {
      problem = /** @type {Error} */ (error).message;
      setText(summary, problem);
    }
    summary.classList.toggle('error-text', problem !== '');
    submit.disabled = problem !== '' || running !== null;
  };
  const setRunning = (/** @type {AbortController | null} */ controller) => {
    running = controller;
    for (const input of inputs) input.disabled = controller !== null;
    animation.disabled ||= !canPlay(app.clip);
    format.disabled ||= animation.disabled || !animation.checked;
    progress.hidden = controller === null;
    progress.value = 0;
    check();
  };

  const save = async (/** @type {AbortSignal} */ signal) => {
    const {clip} = app;
    const {frame} = player;
    const type = animation.checked ? /** @type {'webp' | 'apng' | 'gif'} */ (format.value) : 'png';
    const stem = fileStem(app.name) + (clip ? `-${fileStem(clipName(clip))}` : '');
    const options = {
      clip: player.clipIndex, frame: animation.checked ? -1 : frame, scale: Number(scale.value) / 100,
      background: background.checked ? colorOf(app.color) : undefined, filter: FILTERS[player.filter],
    };
    // Stays while the page opens another.
    const character = player.character?.withBindPose(player.bind);
    if (!character) throw new Error('no character is open');
    try {
      const blob = await character.save({format: type, ...options, signal, onProgress: (fraction) => {
        progress.value = fraction;
      }});
      const end = animation.checked || !clip ? '' : `-${frame}`;
      return download(blob, `${stem}${end}.${type === 'apng' ? 'png' : type}`);
    } finally {
      character.close();
    }
  };

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (running) return;
    const controller = new AbortController();
    setRunning(controller);
    try {
      const name = await save(controller.signal);
      dialog.close();
      app.announce(`Saved ${name}`);
    } catch (error) {
      if (controller.signal.aborted) return;
      setRunning(null);
      setText(summary, error instanceof Error ? error.message : String(error));
      summary.classList.add('error-text');
      return;
    } finally {
      if (running === controller) setRunning(null);
    }
  });
  for (const input of inputs) input.addEventListener('input', () => setRunning(running));
  cancel.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => {
    running?.abort();
    setRunning(null);
  });

  return () => {
    if (!player.character || dialog.open) return;
    const plays = canPlay(app.clip);
    animation.checked = plays;
    still.checked = !plays;
    background.checked = app.background === 'color';
    setRunning(null);
    dialog.showModal();
  };
}

/**
 * Returns a name for files, without a folder, an extension and characters that some systems do not allow.
 *
 * @param {string} name
 */
function fileStem(name) {
  const base = name.slice(name.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');
  return base.replace(/[^\p{L}\p{N} _.-]+/gu, '_').slice(0, 80) || 'character';
}

/**
 * @param {string} hex A color such as #20222a.
 * @returns {[number, number, number, number]}
 */
function colorOf(hex) {
  const channel = (/** @type {number} */ at) => parseInt(hex.slice(at, at + 2), 16) / 255;
  return [channel(1), channel(3), channel(5), 1];
}

/**
 * @param {Blob} blob
 * @param {string} name
 */
function download(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // Browsers take the blob when the download starts, which is soon after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  return name;
}
