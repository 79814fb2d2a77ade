// SPDX-License-Identifier: MIT
// Characters between a moon and a hill. Click one to make it jump.
import 'pixi.js/unsafe-eval';  // For pages whose security policy forbids eval(), such as this one.
import {Application, Assets, Graphics} from 'pixi.js';
import {PchrCharacter} from 'pchr-player/pixi';
import {setModuleUrl} from 'pchr-player/runtime';

// esbuild does not copy the module.
setModuleUrl('runtime', '../../pchr-runtime.wasm');

const app = new Application();
await app.init({resizeTo: window, background: '#27304f', antialias: true});
document.body.append(app.canvas);
app.stage.addChild(new Graphics().circle(120, 120, 60).fill('#f4f1ea'));

const kiri = await Assets.load('../../samples/kiri.pchr');
for (let i = 0; i < 12; ++i) {
  const character = app.stage.addChild(new PchrCharacter(kiri, {clip: 'walk', start: i / 5}));
  character.scale.set(0.2 + 0.01 * i);
  character.tint = i % 3 ? '#ffffff' : '#ffc0a0';
  character.position.set(80 * i, 300 + 8 * i);
  character.eventMode = 'static';
  character.cursor = 'pointer';
  character.on('pointertap', () => character.play('jump', {fade: 0.2, loop: 'once'}));
  character.on('finished', () => character.play('walk', {fade: 0.2}));
  app.ticker.add(({deltaMS}) => {
    character.x = (character.x + 0.06 * deltaMS) % (app.screen.width + 100);
  });
}
app.stage.addChild(new Graphics().ellipse(400, 620, 1600, 180).fill('#1b2238'));
