// SPDX-License-Identifier: MIT
// The panel for background, zoom and overlays.
import {byId, setText} from './dom.js';
import {setView} from './player.js';
import {zoomMiddle} from './stage.js';

/** @typedef {import('./player.js').Player} Player */

/**
 * Returns the function that shows the panel.
 *
 * @param {Player} player
 * @returns {() => void}
 */
export function createViewPanel(player) {
  const background = byId('background', HTMLSelectElement);
  const color = byId('color', HTMLInputElement);
  const filter = byId('filter', HTMLSelectElement);
  const zoom = byId('zoom', HTMLElement);
  const skeleton = byId('skeleton', HTMLInputElement);
  const wireframe = byId('wireframe', HTMLInputElement);
  const bounds = byId('bounds', HTMLInputElement);
  background.addEventListener('change', () => {
    setView(player, {background: /** @type {import('./player.js').Background} */ (background.value)});
  });
  color.addEventListener('input', () => setView(player, {background: 'color', color: color.value}));
  filter.addEventListener('change', () => {
    setView(player, {filter: /** @type {import('./player.js').Filter} */ (filter.value)});
  });
  skeleton.addEventListener('change', () => setView(player, {skeleton: skeleton.checked}));
  wireframe.addEventListener('change', () => setView(player, {wireframe: wireframe.checked}));
  bounds.addEventListener('change', () => setView(player, {bounds: bounds.checked}));
  byId('zoom-out', HTMLButtonElement).addEventListener('click', () => zoomMiddle(player, 1 / 1.25));
  byId('zoom-in', HTMLButtonElement).addEventListener('click', () => zoomMiddle(player, 1.25));
  byId('zoom-full', HTMLButtonElement).addEventListener('click', () => zoomMiddle(player, 1 / player.camera.zoom));
  byId('fit', HTMLButtonElement).addEventListener('click', () => setView(player, {fitted: true}));

  return () => {
    background.value = player.background;
    color.value = player.color;
    filter.value = player.filter;
    skeleton.checked = player.skeleton;
    wireframe.checked = player.wireframe;
    bounds.checked = player.bounds;
    const percent = player.camera.zoom * 100;
    setText(zoom, player.character ? `${percent < 10 ? percent.toPrecision(2) : Math.round(percent)}%` : '–');
  };
}
