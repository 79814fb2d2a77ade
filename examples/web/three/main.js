// SPDX-License-Identifier: MIT
// Characters that walk around in a three.js scene. Click one to make it jump.
import {
  Clock, Color, GridHelper, PerspectiveCamera, Raycaster, Scene, Vector2, WebGLRenderer,
} from 'three';
import {PchrObject} from 'pchr-player/three';
import {setModuleUrl} from 'pchr-player/runtime';

// esbuild does not copy the module.
setModuleUrl('runtime', '../../pchr-runtime.wasm');

const renderer = new WebGLRenderer({antialias: true});
document.body.append(renderer.domElement);
const scene = new Scene();
scene.background = new Color('#27304f');
scene.add(new GridHelper(40, 40, '#4a5a8f', '#3a4670'));
const camera = new PerspectiveCamera(40);
camera.position.set(0, 3, 12);
camera.lookAt(0, 1.2, 0);

const characters = await Promise.all(Array.from({length: 9}, (_, i) =>
  PchrObject.load('../../samples/kiri.pchr', {clip: 'walk', start: i / 4, scale: 1 / 300})));
characters.forEach((character, i) => {
  // Their origin is between the hips.
  character.position.set(1.6 * (i - 4), 1.03, -Math.abs(i - 4));
  character.addEventListener('finished', () => character.play('walk', {fade: 0.2}));
});
scene.add(...characters);

function resize() {
  renderer.setPixelRatio(devicePixelRatio);
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', resize);
resize();

addEventListener('pointerdown', ({clientX, clientY}) => {
  const raycaster = new Raycaster();
  raycaster.setFromCamera(new Vector2(2 * clientX / innerWidth - 1, 1 - 2 * clientY / innerHeight), camera);
  raycaster.intersectObjects(characters)[0]?.object.play('jump', {fade: 0.2, loop: 'once'});
});

const clock = new Clock();
renderer.setAnimationLoop(() => {
  const seconds = clock.getDelta();
  for (const character of characters) character.update(seconds);
  renderer.render(scene, camera);
});
