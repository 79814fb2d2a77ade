// SPDX-License-Identifier: MIT
// What the page adds to the state of <pchr-player>, and the actions of its buttons and keys.
import {byId} from './dom.js';
import {PchrPlayer} from './pchr-player.js';

/** @typedef {import('./character.js').Clip} Clip */
/** @typedef {import('./pchr-player.js').DrawnView} DrawnView */
/** @typedef {'checker' | 'color' | 'none'} Background */

export const SPEEDS = [0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8];

/** State that all panels share. They show it; actions change it and ask for an update. */
export class App {
  player = byId('player', PchrPlayer);
  /** Name of the open file. */
  name = '';
  /** @type {Background} */
  background = 'checker';
  color = '#5c616b';
  skeleton = false;
  wireframe = false;
  bounds = false;
  /**
   * What the canvas shows.
   * @type {DrawnView}
   */
  drawn = {center: [0, 0], zoom: 1, width: 1, height: 1, pixelRatio: 1};

  /** Asks for an update of the page. Set by the page. */
  changed = () => {};
  /**
   * Tells screen readers about a change. Set by the page.
   * @type {(text: string) => void}
   */
  announce = () => {};

  /** The clip that is shown, or null for the bind pose. */
  get clip() {
    return this.player.clips[this.player.clipIndex] ?? null;
  }

  /** What the state machines are doing, or null while the clip plays. */
  get states() {
    return this.player.playback?.states ?? null;
  }

  /** @param {Partial<Pick<App, 'background' | 'color' | 'skeleton' | 'wireframe' | 'bounds'>>} settings */
  set(settings) {
    Object.assign(this, settings);
    this.changed();
  }
}

/** @param {Clip} clip */
export function clipName(clip) {
  return clip.name === '' ? '(unnamed)' : clip.name;
}

/**
 * Returns the start time of a frame. The frame after the last gives the end of the clip.
 * @param {Clip} clip @param {number} frame
 */
export function frameStart(clip, frame) {
  if (clip.frameEnds) return frame === 0 ? 0 : clip.frameEnds[frame - 1];
  return clip.fps > 0 ? frame / clip.fps : 0;
}

/**
 * Returns whether a clip has more than one moment.
 * @param {Clip | null} clip
 */
export function canPlay(clip) {
  return clip !== null && clip.frames > 1 && clip.seconds > 0;
}

/** @param {App} app @param {number} index */
export function selectClip(app, index) {
  const clip = app.player.clips[index];
  if (!clip || clip.frames === 0) return;
  app.player.playback?.playStates(false);
  app.player.clipIndex = index;
  if (!canPlay(clip)) app.player.pause();
  app.announce(`Clip ${clipName(clip)}`);
}

/**
 * Selects the next clip with frames.
 * @param {App} app @param {number} direction  1 or -1.
 */
export function stepClip(app, direction) {
  const {clips, clipIndex} = app.player;
  for (let index = clipIndex + direction; index in clips; index += direction) {
    if (clips[index].frames > 0) return selectClip(app, index);
  }
}

/** @param {App} app */
export function togglePlaying(app) {
  const {player} = app;
  if (!canPlay(app.clip) && !app.states) return;
  if (player.paused) player.play();
  else player.pause();
  app.announce(player.paused ? `Paused at frame ${player.frame}` : 'Playing');
}

/**
 * Pauses and shows a frame, limited to those of the clip.
 * @param {App} app @param {number} frame
 */
export function seekFrame(app, frame) {
  if (!app.clip) return;
  // State machines only go back to their start.
  if (app.states) {
    if (frame > 0) return;
    app.player.playback?.playStates(true);
  }
  app.player.pause();
  app.player.frame = Math.min(Math.max(frame, 0), app.clip.frames - 1);
}

/**
 * Pauses and moves by frames. Goes around the ends of a clip that loops.
 * @param {App} app @param {number} frames
 */
export function step(app, frames) {
  const {player, clip} = app;
  if (!clip) return;
  if (app.states) {
    player.pause();
    return player.advance(frames / (clip.fps || 30) / player.speed);
  }
  const frame = player.frame + frames;
  seekFrame(app, player.loops ? ((frame % clip.frames) + clip.frames) % clip.frames : frame);
  app.announce(`Frame ${player.frame}`);
}

/**
 * Plays the character's state machines from their start, or the clip.
 * @param {App} app @param {boolean} on
 */
export function playStates(app, on) {
  const {player} = app;
  player.playback?.playStates(on);
  player.advance(0);
  if (on) player.play();
  app.announce(on ? 'Playing states' : `Clip ${app.clip ? clipName(app.clip) : ''}`);
  app.changed();
}

/**
 * Sets a parameter of the state machines, and starts them.
 * @param {App} app @param {number} index @param {number} value
 */
export function setParameter(app, index, value) {
  if (!app.states) playStates(app, true);
  app.player.playback?.setParameter(index, value);
  // While paused, it still takes effect.
  if (app.player.paused) app.player.advance(0);
  app.changed();
}

/**
 * Sets the parameters that have a key: while it is held, a number has its maximum and a boolean is the opposite of what
 * it starts with. Pressing it fires a trigger. Returns whether there are any.
 * @param {App} app @param {string} key  As KeyboardEvent names it. @param {boolean} down
 */
export function pressStateKey(app, key, down) {
  const parameters = app.states ? app.player.info?.states?.parameters ?? [] : [];
  const name = (key === ' ' ? 'Space' : key.replace(/^Arrow/, '')).toLowerCase();
  let found = false;
  parameters.forEach((parameter, index) => {
    if (parameter.key !== name) return;
    found = true;
    const {type, max, value} = parameter;
    if (type === 'trigger' && !down) return;
    const held = type === 'number' ? max : type === 'trigger' || value === 0 ? 1 : 0;
    setParameter(app, index, down ? held : value);
  });
  return found;
}

/**
 * Selects the next speed.
 * @param {App} app @param {number} direction  1 or -1.
 */
export function stepSpeed(app, direction) {
  const {player} = app;
  const index = Math.min(Math.max(SPEEDS.indexOf(Math.abs(player.speed)) + direction, 0), SPEEDS.length - 1);
  player.speed = SPEEDS[index] * Math.sign(player.speed);
  app.announce(`Speed ${SPEEDS[index]}`);
}
