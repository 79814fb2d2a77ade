// SPDX-License-Identifier: MIT
// Uses the types of characters in game engines with those of the engines. It is compiled, not run.
import * as Phaser from 'phaser';
import {createPchrPlugin} from 'pchr-player/phaser';
import {PchrCharacter} from 'pchr-player/pixi';
import {Container, FederatedPointerEvent, Sprite} from 'pixi.js';

export async function addTo(stage: Container): Promise<number> {
  const hero = await PchrCharacter.from('kiri.pchr', {clip: 'walk'});
  stage.addChild(hero, new Sprite());
  hero.on('pointertap', (event: FederatedPointerEvent) => hero.position.copyFrom(event.global));
  hero.play('jump', {fade: 0.2});
  // @ts-expect-error Clips are named by strings, or have numbers.
  hero.play(true);
  return hero.getBounds().width + hero.character.info.clips.length;
}

export const plugins: Phaser.Types.Core.PluginObject = {
  global: [{key: 'pchr', plugin: createPchrPlugin(Phaser), start: true}],
};
