// SPDX-License-Identifier: MIT
const EVENTS = ['load', 'error', 'play', 'pause', 'clipchange', 'clipend', 'marker', 'timechange'];

/** Adds an element with attributes and sources. Its events but for timechange are noted in `happened`. */
function addPlayer(attributes, ...sources) {
  const player = document.createElement('pchr-player');
  player.happened = [];
  for (const type of EVENTS) {
    player.addEventListener(type, ({detail}) => {
      if (type !== 'timechange') player.happened.push([type, (type === 'marker' ? detail.name : detail?.message) ?? null]);
      else player.timeChanges = (player.timeChanges ?? 0) + 1;
    });
  }
  for (const [name, value] of Object.entries(attributes)) player.setAttribute(name, value);
  for (const src of sources) player.append(Object.assign(document.createElement('source'), {src}));
  document.body.append(player);
  return player;
}

/** Resolves when an element has loaded or failed, and has drawn. */
async function settled(player) {
  while (player.info === null && player.error === null) await new Promise((resolve) => setTimeout(resolve, 5));
  await nextFrame();
  await nextFrame();
  return player;
}

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
const part = (player, name) => player.shadowRoot.querySelector(`[part~=${name}]`);

await customElements.whenDefined('pchr-player');
Object.assign(globalThis, {addPlayer, settled, nextFrame, part, ready: true});
