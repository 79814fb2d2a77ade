// SPDX-License-Identifier: MIT
// Uses the npm package as a TypeScript project does. It is compiled, not run.
import {PchrPlayer} from 'pchr-player';
import {Character, CharacterError, Playback} from 'pchr-player/character.js';

const player: PchrPlayer = document.createElement('pchr-player');
player.src = 'kiri.pchr';
player.loop = 'always';
player.module = '/modules/pchr-v1.wasm';
player.addEventListener('marker', (event) => console.log(event.detail.name.length + event.detail.frame));
const listener = (event: CustomEvent<CharacterError>) => console.log(event.detail.hint);
player.addEventListener('error', listener);
player.removeEventListener('error', listener);
// @ts-expect-error This is no event of a marker.
player.removeEventListener('marker', listener);
console.log(player.playback?.joints().length);
player.addEventListener('error', ({detail}) => console.log(detail.id, detail.hint, detail.place));
player.addEventListener('draw', ({detail: {zoom, pixelRatio}}) => console.log(zoom / pixelRatio === player.zoom));
player.filter = player.hasWholeZooms ? 'smooth' : 'hard';
player.addEventListener('click', (event) => player.seek(event.clientX / player.duration));
const names: string[] = player.clips.map((clip) => clip.name);
const [x, y]: [number, number] = player.center;

export async function play(bytes: Uint8Array): Promise<number> {
  try {
    const character = await Character.open([{name: 'kiri.pchr', bytes}], {full: true});
    const playback = new Playback(character);
    playback.setClip(names.indexOf('walk'), {smooth: true});
    for (const event of playback.advance(1)) {
      if (event.type === 'marker') console.log(event.marker.name);
      // @ts-expect-error Other events have no marker.
      else console.log(event.marker);
    }
    const left: number | undefined = character.info.bounds?.[0];
    // @ts-expect-error Bounds can be null.
    console.log(character.info.bounds[0], left);
    // @ts-expect-error This is no loop mode.
    playback.setClip(0, {loop: 'twice'});
    const animation: Blob = await character.save({format: 'gif', scale: character.imageSize().width > 512 ? 0.5 : 1});
    // @ts-expect-error This is no format.
    await character.save({format: 'bmp'});
    player.character = character;
    return playback.time + animation.size + x + y;
  } catch (error) {
    if (error instanceof CharacterError) return error.line;
    throw error;
  }
}

// @ts-expect-error Filters have names.
player.filter = 'cubic';
// @ts-expect-error Properties have types.
player.speed = 'fast';
// @ts-expect-error The element has no such method.
player.stop();
