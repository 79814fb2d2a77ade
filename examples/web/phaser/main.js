// SPDX-License-Identifier: MIT
// Characters in a Phaser scene, between a moon and a hill. Click one to make it jump.
import * as Phaser from 'phaser';
import {createPchrPlugin} from 'pchr-player/phaser';
import {setModuleUrl} from 'pchr-player/runtime';

// esbuild does not copy the module.
setModuleUrl('runtime', '../../pchr-runtime.wasm');

class Night extends Phaser.Scene {
  preload() {
    this.load.pchr('kiri', '../../samples/kiri.pchr');
  }

  create() {
    this.add.circle(120, 120, 60, 0xf4f1ea);
    for (let i = 0; i < 12; ++i) {
      const character = this.add.pchr(80 * i, 300 + 8 * i, 'kiri', 'walk', {start: i / 5});
      character.setScale(0.2 + 0.01 * i).setTint(i % 3 ? 0xffffff : 0xffc0a0).setInteractive();
      character.on('pointerdown', () => character.play('jump', {fade: 0.2, loop: 'once'}));
      character.on('finished', () => character.play('walk', {fade: 0.2}));
      this.tweens.add({targets: character, x: '+=600', duration: 10000, repeat: -1});
    }
    this.add.ellipse(400, 620, 3200, 360, 0x1b2238);
  }
}

new Phaser.Game({
  type: Phaser.WEBGL, scene: Night, backgroundColor: '#27304f', scale: {mode: Phaser.Scale.RESIZE, parent: document.body},
  plugins: {global: [{key: 'pchr', plugin: createPchrPlugin(Phaser), start: true}]},
});
