// SPDX-License-Identifier: MIT
// State of the page and the actions on it. Panels show this state; actions change it and ask for a new frame.
import {fitView, wholeView} from './view.js';

/** @typedef {import('./character.js').Character} Character */
/** @typedef {import('./view.js').Placement} Placement */
/** @typedef {Character['info']['clips'][number]} Clip */
/** @typedef {'file' | 'once' | 'always'} LoopMode */
/** @typedef {'auto' | 'smooth' | 'hard'} Filter */
/** @typedef {'checker' | 'color' | 'none'} Background */

const SMOOTH_MARGIN = 0.07;
const HARD_MARGIN = 0.01;  // Whole zooms leave enough room.
export const SPEEDS = [0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8];

/** Everything that the page shows. */
export class Player {
  /** @type {Character | null} */
  character = null;
  /** Name of the open file. */
  name = '';
  /** Names of the other characters that were chosen together with this one, and this one's position among them. */
  /** @type {string[]} */
  choices = [];
  choice = 0;

  /** The chosen bind pose, as Character.setBindPose() takes it. */
  bind = 'auto';
  /** The shown clip, or -1 for the bind pose. */
  clip = -1;
  playing = false;
  /** @type {LoopMode} */
  loop = 'file';
  speed = 1;
  reverse = false;
  smooth = false;

  /** @type {Placement} */
  camera = {center: [0, 0], zoom: 1};
  /** Whether the camera follows the bounds of the clip. Moving it clears this. */
  fitted = true;
  /** Size of the canvas in its own pixels, and how many of them one CSS pixel has. */
  size = {width: 1, height: 1};
  pixelRatio = 1;
  /** @type {Filter} */
  filter = 'auto';
  /** @type {Background} */
  background = 'checker';
  color = '#5c616b';
  skeleton = false;
  wireframe = false;
  bounds = false;

  /** Asks for a new frame. Set by the page. */
  changed = () => {};
  /** Tells screen readers about a change. Set by the page. */
  /** @type {(text: string) => void} */
  announce = () => {};
}

/**
 * @param {Player} player
 * @returns {Clip | null}
 */
export function currentClip(player) {
  return player.character?.info.clips[player.clip] ?? null;
}

/** @param {Clip} clip */
export function clipName(clip) {
  return clip.name === '' ? '(unnamed)' : clip.name;
}

/**
 * Returns the start time of a frame. The frame after the last gives the end of the clip.
 *
 * @param {Clip} clip
 * @param {number} frame
 */
export function frameStart(clip, frame) {
  if (clip.frameEnds) return frame === 0 ? 0 : clip.frameEnds[frame - 1];
  return clip.fps > 0 ? frame / clip.fps : 0;
}

/**
 * Returns whether a clip has more than one moment.
 *
 * @param {Clip | null} clip
 */
export function canPlay(clip) {
  return clip !== null && clip.frames > 1 && clip.seconds > 0;
}

/**
 * Returns whether texels are drawn hard in 2D, which requires zooms at which all have the same size.
 *
 * @param {Player} player
 */
export function hasWholeZooms({character, filter}) {
  if (!character || character.info.is3d) return false;
  return filter === 'auto' ? character.info.pixelArt : filter === 'hard';
}

/**
 * Returns the filter that a character is drawn with. None means what the character asks for.
 *
 * @param {Player} player
 * @returns {'trilinear' | 'nearest' | undefined}
 */
export function drawnFilter({filter}) {
  return filter === 'auto' ? undefined : filter === 'hard' ? 'nearest' : 'trilinear';
}

/** @param {Player} player */
function applySettings(player) {
  player.character?.setClip(player.clip, {
    loop: player.loop,
    smooth: player.smooth,
    speed: player.reverse ? -player.speed : player.speed,
  });
  player.changed();
}

/**
 * Shows a newly opened character, which must be attached already.
 *
 * @param {Player} player
 * @param {Character} character
 * @param {{name: string, clip?: string | undefined, play: boolean, keepView: boolean}} options
 */
export function showCharacter(player, character, {name, clip, play, keepView}) {
  const {clips} = character.info;
  let index = clip === undefined ? -1 : clips.findIndex((each) => each.name === clip && each.frames > 0);
  // Many files start with a clip of one frame, the bind pose.
  for (const frames of [2, 1]) {
    if (index < 0) index = clips.findIndex((each) => each.frames >= frames);
  }
  player.character = character;
  player.name = name;
  player.bind = 'auto';
  player.clip = index;
  player.playing = play && canPlay(clips[index] ?? null);
  if (!keepView) player.fitted = true;
  applySettings(player);
}

/**
 * @param {Player} player
 * @param {number} index
 */
export function selectClip(player, index) {
  const clip = player.character?.info.clips[index];
  if (!clip || clip.frames === 0) return;
  const fromStart = index !== player.clip;
  player.clip = index;
  applySettings(player);
  if (fromStart && !canPlay(clip)) player.playing = false;
  player.announce(`Clip ${clipName(clip)}`);
}

/**
 * Selects the next clip with frames in a direction, 1 or -1.
 *
 * @param {Player} player
 * @param {number} direction
 */
export function stepClip(player, direction) {
  const clips = player.character?.info.clips ?? [];
  for (let index = player.clip + direction; index >= 0 && index < clips.length; index += direction) {
    if (clips[index].frames > 0) return selectClip(player, index);
  }
}

/**
 * @param {Player} player
 * @param {boolean} playing
 */
export function setPlaying(player, playing) {
  const clip = currentClip(player);
  if (!player.character || !clip || !canPlay(clip)) return;
  if (playing && player.character.ended) player.character.seek(player.reverse ? clip.seconds : 0);
  player.playing = playing;
  player.announce(playing ? 'Playing' : `Paused at frame ${player.character.frame}`);
  player.changed();
}

/**
 * Pauses and shows a frame, limited to those of the clip.
 *
 * @param {Player} player
 * @param {number} frame
 */
export function seekFrame(player, frame) {
  const clip = currentClip(player);
  if (!player.character || !clip) return;
  player.playing = false;
  player.character.seekFrame(Math.min(Math.max(frame, 0), clip.frames - 1));
  player.changed();
}

/**
 * Pauses and moves by frames. Goes around the ends of a clip that loops.
 *
 * @param {Player} player
 * @param {number} frames
 */
export function step(player, frames) {
  const clip = currentClip(player);
  if (!player.character || !clip) return;
  let frame = player.character.frame + frames;
  const loops = player.loop === 'file' ? clip.loops : player.loop === 'always';
  if (loops) frame = ((frame % clip.frames) + clip.frames) % clip.frames;
  seekFrame(player, frame);
  player.announce(`Frame ${player.character.frame}`);
}

/**
 * @param {Player} player
 * @param {Partial<Pick<Player, 'loop' | 'speed' | 'reverse' | 'smooth'>>} settings
 */
export function setPlayback(player, settings) {
  Object.assign(player, settings);
  applySettings(player);
}

/**
 * Selects the next speed in a direction, 1 or -1.
 *
 * @param {Player} player
 * @param {number} direction
 */
export function stepSpeed(player, direction) {
  const index = Math.min(Math.max(SPEEDS.indexOf(player.speed) + direction, 0), SPEEDS.length - 1);
  setPlayback(player, {speed: SPEEDS[index]});
  player.announce(`Speed ${SPEEDS[index]}`);
}

/**
 * @param {Player} player
 * @param {Partial<Pick<Player, 'camera' | 'fitted' | 'filter' | 'background' | 'color' | 'skeleton' | 'wireframe' |
 *   'bounds'>>} settings
 */
export function setView(player, settings) {
  Object.assign(player, settings);
  player.changed();
}

/**
 * @param {Player} player
 * @param {string} pose  As Character.setBindPose() takes it.
 */
export function setBindPose(player, pose) {
  player.character?.setBindPose(pose);
  player.bind = pose;
  player.announce(`Bind pose ${pose}`);
  player.changed();
}

/** @param {Player} player */
export function followBounds(player) {
  if (!player.fitted || !player.character) return;
  const bounds = currentClip(player)?.bounds ?? player.character.info.bounds;
  const {width, height} = player.size;
  const whole = hasWholeZooms(player);
  const view = fitView(bounds, width, height, whole ? HARD_MARGIN : SMOOTH_MARGIN);
  player.camera = whole ? wholeView(view, width, height) : view;
}

/**
 * Moves the clock and stops at the end of a clip that plays once.
 *
 * @param {Player} player
 * @param {number} seconds
 */
export function advance(player, seconds) {
  if (!player.character || !player.playing) return;
  for (const event of player.character.advance(seconds)) {
    if (event.type !== 'end') continue;
    player.playing = false;
    player.announce('The clip ended');
  }
}
