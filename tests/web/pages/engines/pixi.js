// SPDX-License-Identifier: MIT
import 'pixi.js/unsafe-eval';
import {AlphaFilter, Application, Assets, Graphics, Sprite, Texture} from 'pixi.js';
import {PchrCharacter} from 'pchr-player/pixi';
import {Character, Renderer, Skin, setModuleUrl} from 'pchr-player/runtime';

setModuleUrl('runtime', '/pchr-runtime.wasm');
setModuleUrl('full', '/pchr.wasm');

const app = new Application();

async function start(width, height, background) {
  await app.init({width, height, background, autoStart: false, preserveDrawingBuffer: true, preference: 'webgl'});
  document.body.append(app.canvas);
}

async function add({box, character, x, y, scale = 1, flipX = false, color = 0xFFFFFF, alpha = 1, ...options}) {
  const made = box ? new Sprite({texture: Texture.WHITE, width: box[2], height: box[3]})
    : await PchrCharacter.from(character, {autoUpdate: false, smooth: false, ...options});
  made.position.set(box ? box[0] : x, box ? box[1] : y);
  if (!box) made.scale.set(flipX ? -scale : scale, scale);
  made.tint = color;
  made.alpha = alpha;
  app.stage.addChild(made);
  return made;
}

const clear = () => app.stage.removeChildren().forEach((child) => child.destroy({children: true}));

export const engine = {
  app, start, add, clear, AlphaFilter, Assets, Graphics, PchrCharacter,
  get canvas() { return app.canvas; },
  render: () => app.render(),
  resize: (width, height) => app.renderer.resize(width, height),
  update: (object, seconds) => object.update(seconds),
  stop: () => app.destroy({removeView: true}, {children: true}),
};
export const runtime = {Character, Renderer, Skin};
