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
  player.addEventListener('draw', () => { player.hasDrawn = true; });
  for (const [name, value] of Object.entries(attributes)) player.setAttribute(name, value);
  for (const src of sources) player.append(Object.assign(document.createElement('source'), {src}));
  document.body.append(player);
  return player;
}

/** Resolves when an element has loaded or failed. */
async function loaded(player) {
  while (player.info === null && player.error === null) await new Promise((resolve) => setTimeout(resolve, 5));
  return player;
}

/** Resolves when an element of addPlayer() has loaded or failed, and has drawn if it is in view. */
async function settled(player) {
  await loaded(player);
  const {top, bottom, width, height} = player.getBoundingClientRect();
  const isInView = player.checkVisibility() && width * height > 0 && bottom > 0 && top < innerHeight;
  while (isInView && !player.hasDrawn && player.error === null) await nextFrame();
  await nextFrame();
  await nextFrame();
  return player;
}

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
/** Returns the number of different colors on the canvas of an element. */
function countColors(player) {
  const source = part(player, 'canvas');
  if (source.width === 0) return 0;
  const canvas = Object.assign(document.createElement('canvas'), {width: source.width, height: source.height});
  const context = canvas.getContext('2d');
  context.drawImage(source, 0, 0);
  return new Set(new Uint32Array(context.getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size;
}

const part = (player, name) => player.shadowRoot.querySelector(`[part~=${name}]`);

await customElements.whenDefined('pchr-player');
Object.assign(globalThis, {addPlayer, loaded, settled, nextFrame, part, countColors, ready: true});
