// SPDX-License-Identifier: MIT
// The buttons and settings of playback.
import {byId, setAttribute, setText} from './dom.js';
import {
  canPlay, currentClip, SPEEDS, seekFrame, setPlayback, setPlaying, step,
} from './player.js';

/** @typedef {import('./player.js').Player} Player */

/**
 * Returns the function that shows the controls.
 *
 * @param {Player} player
 * @returns {() => void}
 */
export function createTransport(player) {
  const buttons = {
    first: byId('first', HTMLButtonElement),
    previous: byId('previous', HTMLButtonElement),
    play: byId('play', HTMLButtonElement),
    next: byId('next', HTMLButtonElement),
    last: byId('last', HTMLButtonElement),
  };
  const playIcon = byId('play-icon', SVGUseElement);
  const frame = byId('frame', HTMLElement);
  const frames = byId('frames', HTMLElement);
  const time = byId('time', HTMLElement);
  const duration = byId('duration', HTMLElement);
  const loop = byId('loop', HTMLSelectElement);
  const speed = byId('speed', HTMLSelectElement);
  const reverse = byId('reverse', HTMLButtonElement);
  const smooth = byId('smooth', HTMLInputElement);
  for (const each of SPEEDS) speed.add(new Option(`${each}x`, String(each)));

  buttons.first.addEventListener('click', () => seekFrame(player, 0));
  buttons.previous.addEventListener('click', () => step(player, -1));
  buttons.play.addEventListener('click', () => setPlaying(player, !player.playing));
  buttons.next.addEventListener('click', () => step(player, 1));
  buttons.last.addEventListener('click', () => seekFrame(player, Infinity));
  loop.addEventListener('change', () => {
    setPlayback(player, {loop: /** @type {import('./player.js').LoopMode} */ (loop.value)});
  });
  speed.addEventListener('change', () => setPlayback(player, {speed: Number(speed.value)}));
  reverse.addEventListener('click', () => setPlayback(player, {reverse: !player.reverse}));
  smooth.addEventListener('change', () => setPlayback(player, {smooth: smooth.checked}));

  return () => {
    const clip = currentClip(player);
    for (const button of Object.values(buttons)) button.disabled = clip === null;
    buttons.play.disabled = !canPlay(clip);
    setAttribute(playIcon, 'href', player.playing ? '#icon-pause' : player.reverse ? '#icon-reverse' : '#icon-play');
    setAttribute(buttons.play, 'aria-label', player.playing ? 'Pause' : 'Play');
    setAttribute(buttons.play, 'title', player.playing ? 'Pause (Space)' : 'Play (Space)');
    setText(frame, clip ? String(player.character?.frame ?? 0) : '–');
    setText(frames, clip ? ` / ${clip.frames}` : '');
    setText(time, clip ? (player.character?.time ?? 0).toFixed(3) : '–');
    setText(duration, clip ? ` / ${clip.seconds.toFixed(3)}` : '');
    loop.value = player.loop;
    speed.value = String(player.speed);
    setAttribute(reverse, 'aria-pressed', String(player.reverse));
    smooth.checked = player.smooth;
  };
}
