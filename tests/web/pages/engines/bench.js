// SPDX-License-Identifier: MIT
// Times characters of several runtimes in PixiJS: milliseconds of script per frame.
import 'pixi.js/unsafe-eval';
import {AnimatedSprite, Application, Assets} from 'pixi.js';
import {PchrCharacter} from 'pchr-player/pixi';
import {load, setModuleUrl} from 'pchr-player/runtime';

setModuleUrl('runtime', '/pchr-runtime.wasm');
setModuleUrl('full', '/pchr.wasm');

// The policy of the page forbids workers from blobs.
Assets.setPreferences({preferWorkers: false});
const app = new Application();
// Without a GPU, filling pixels would take longer than everything else.
await app.init({width: 64, height: 36, autoStart: false, preference: 'webgl'});
document.body.append(app.canvas);

/** Times `count` objects that a function makes, each updated by another. */
async function time(count, frames, make, update) {
  const objects = Array.from({length: count}, (_, i) => {
    const object = make(i);
    object.scale.set(0.05);
    object.position.set(1.5 * (i % 40), 1.2 * (Math.floor(i / 40) % 28));
    return app.stage.addChild(object);
  });
  const times = [];
  for (let frame = 0; frame < frames; ++frame) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const start = performance.now();
    update(objects);
    app.render();
    times.push(performance.now() - start);
  }
  for (const object of objects) object.destroy({children: true});
  return times.slice(Math.min(10, Math.floor(frames / 3)));
}

const runtimes = {
  async pchr(count, frames) {
    const character = await load('/assets/akari/akari_ske.json', {sources: ['/assets/akari/akari_tex.json']});
    const clip = character.info.clips.find((each) => each.frames > 1).name;
    return time(count, frames, (i) => new PchrCharacter(character, {clip, start: i * 0.037, autoUpdate: false}),
                (all) => all.forEach((each) => each.update(1 / 60)));
  },
  async dragonbones(count, frames) {
    const {PixiFactory} = await import('pixi-dragonbones-runtime');
    const [skeleton, atlas] = await Promise.all(['ske', 'tex'].map(
      async (part) => (await fetch(`/assets/akari/akari_${part}.json`)).json()));
    const {factory} = PixiFactory;
    factory.parseDragonBonesData(skeleton);
    factory.parseTextureAtlasData(atlas, await Assets.load('/assets/akari/akari_tex.png'));
    const make = () => {
      const display = factory.buildArmatureDisplay('akari');
      display.animation.play(null, 0);
      return display;
    };
    return time(count, frames, make, (all) => all.forEach((each) => each.armature.advanceTime(1 / 60)));
  },
  async sprites(count, frames) {
    const sheet = await Assets.load('/out/bench_sheet.json');
    const [textures] = Object.values(sheet.animations);
    const make = (i) => {
      const sprite = new AnimatedSprite(textures, false);
      sprite.gotoAndPlay(i % textures.length);
      return sprite;
    };
    return time(count, frames, make, (all) => all.forEach((each) => each.update({deltaTime: 1})));
  },
};

export const engine = {time: (name, count, frames) => runtimes[name](count, frames)};
