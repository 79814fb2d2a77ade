// SPDX-License-Identifier: MIT
// The list of clips, with a filter.
import {byId, make, setAttribute} from './dom.js';
import {clipName, selectClip} from './player.js';

/** @typedef {import('./player.js').Player} Player */

/**
 * Returns the function that shows the list.
 *
 * @param {Player} player
 * @returns {() => void}
 */
export function createClips(player) {
  const list = byId('clip-list', HTMLElement);
  const filter = byId('clip-filter', HTMLInputElement);
  const empty = byId('no-clips', HTMLElement);
  /** @type {HTMLElement[]} */
  let rows = [];
  /** @type {Player['character'] | undefined} */
  let shown;
  let selected = -1;

  const matches = (/** @type {number} */ index) => {
    const name = player.character?.info.clips[index]?.name ?? '';
    return name.toLowerCase().includes(filter.value.trim().toLowerCase());
  };
  const applyFilter = () => {
    rows.forEach((row, index) => {
      row.hidden = !matches(index);
    });
    const count = rows.filter((row) => !row.hidden).length;
    empty.hidden = player.character === null || count > 0;
    empty.textContent = rows.length === 0 ? 'This character has no clips.' : 'No clip has this name.';
  };
  const build = () => {
    shown = player.character;
    filter.value = '';
    selected = -1;
    rows = (shown?.info.clips ?? []).map((clip, index) => {
      const name = clipName(clip);
      const loops = clip.loops ? ', loops' : '';
      const details = clip.frames > 0 ? `${clip.frames} frames at ${clip.fps} FPS${loops}` : 'No frames';
      const seconds = clip.frames > 0 ? clip.seconds.toFixed(2) : '–';
      return make('li',
        {id: `clip-${index}`, role: 'option', title: `${name}\n${details}`, 'aria-selected': 'false',
          'aria-disabled': String(clip.frames === 0), className: clip.loops ? 'loops' : ''},
        make('span', {className: 'number', 'aria-hidden': 'true'}, String(index + 1)),
        make('span', {className: 'name'}, name), make('span', {className: 'hidden-text'}, `, ${details}`),
        make('span', {className: 'figure', 'aria-hidden': 'true'}, String(clip.frames)),
        make('span', {className: 'figure', 'aria-hidden': 'true'}, seconds), make('span', {className: 'loop-mark'}));
    });
    list.replaceChildren(...rows);
    list.scrollTop = 0;
    applyFilter();
  };

  /** Selects the nearest visible clip in a direction. */
  const move = (/** @type {number} */ direction) => {
    for (let index = player.clip + direction; index >= 0 && index < rows.length; index += direction) {
      if (!rows[index].hidden && rows[index].getAttribute('aria-disabled') !== 'true') return selectClip(player, index);
    }
  };
  list.addEventListener('click', (event) => {
    const row = event.target instanceof Element ? event.target.closest('li') : null;
    if (row) selectClip(player, rows.indexOf(row));
  });
  filter.addEventListener('input', applyFilter);
  for (const element of [list, filter]) {
    element.addEventListener('keydown', (event) => {
      if (event.key === 'ArrowDown') move(1);
      else if (event.key === 'ArrowUp') move(-1);
      else if (event.key === 'Enter' && element === filter) {
        const first = rows.findIndex((row) => !row.hidden && row.getAttribute('aria-disabled') !== 'true');
        if (first >= 0 && !matches(player.clip)) selectClip(player, first);
      } else if (event.key === 'Escape' && element === filter) {
        filter.value = '';
        applyFilter();
        filter.blur();
      } else return;
      event.preventDefault();
    });
  }

  return () => {
    if (shown !== player.character) build();
    if (selected === player.clip) return;
    rows[selected]?.setAttribute('aria-selected', 'false');
    selected = player.clip;
    const row = rows[selected];
    row?.setAttribute('aria-selected', 'true');
    row?.scrollIntoView({block: 'nearest'});
    setAttribute(list, 'aria-activedescendant', row ? row.id : '');
  };
}
