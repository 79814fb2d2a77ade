// SPDX-License-Identifier: MIT
import {Animator, Pose, Renderer, load} from 'pchr-player/runtime';

async function main() {
  const character = await load('kiri.pchr');
  const animator = new Animator(character);
  animator.play('walk');
  animator.advance(0.5);
  const pose = new Pose(character);
  animator.pose(pose);
  const canvas = document.body.appendChild(document.createElement('canvas'));
  const renderer = new Renderer(canvas.getContext('webgl2', {preserveDrawingBuffer: true}));
  renderer.draw(renderer.upload(character), pose, {center: [0, 0], zoom: 1});
  globalThis.ready = true;
}
main();
