// SPDX-License-Identifier: MIT
import * as Phaser from 'phaser';
import {createPchrPlugin} from 'pchr-player/phaser';
import {Character, Renderer, Skin, setModuleUrl} from 'pchr-player/runtime';

setModuleUrl('runtime', '/pchr-runtime.wasm');
setModuleUrl('full', '/pchr.wasm');

let game;
let scene;

function start(width, height, background) {
  return new Promise((resolve) => {
    game = new Phaser.Game({
      type: Phaser.WEBGL, width, height, backgroundColor: background, banner: false, audio: {noAudio: true},
      render: {preserveDrawingBuffer: true, antialiasGL: false, autoMobilePipeline: false,
               // The default of Phaser 3.80, which moves vertices to whole pixels.
               roundPixels: false}, parent: document.body,
      plugins: {global: [{key: 'pchr', plugin: createPchrPlugin(Phaser), start: true}]},
      scene: {create() {
        scene = this;
        game.events.once('postrender', () => {
          // Tests say when to draw.
          game.loop.stop();
          game.loop.callback = () => {};
          resolve();
        });
      }},
    });
  });
}

async function add({
  box, character, x, y, scale = 1, flipX = false, color = 0xFFFFFF, alpha = 1, clip, sources, ...options
}) {
  if (box) {
    const [left, top, width, height] = box;
    return scene.add.image(left, top, '__WHITE').setOrigin(0).setDisplaySize(width, height).setTint(color)
      .setAlpha(alpha);
  }
  if (!scene.cache.custom.pchr.exists(character)) {
    await new Promise((resolve) => {
      scene.load.pchr(character, character, {sources}).once('complete', resolve).start();
    });
  }
  return scene.add.pchr(x, y, character, clip, {smooth: false, ...options})
    .setScale(scale).setFlipX(flipX).setTint(color).setAlpha(alpha);
}

let time = 1000;

export const engine = {
  Phaser, start, add,
  clear: () => [...scene.children.list].forEach((child) => child.destroy()),
  get scene() { return scene; },
  get game() { return game; },
  get canvas() { return game.canvas; },
  render() {
    const {renderer} = game;
    renderer.preRender();
    game.scene.render(renderer);
    renderer.postRender();
  },
  step: (milliseconds) => game.scene.update(time += milliseconds, milliseconds),
  resize(width, height) { game.scale.resize(width, height); },
  update(object, seconds) { object.advance(seconds); },
  stop: () => new Promise((resolve) => {
    game.events.once('destroy', () => setTimeout(resolve));
    game.destroy(true);
    game.step(time += 16, 16);
  }),
};
export const runtime = {Character, Renderer, Skin};
