// SPDX-License-Identifier: MIT
// Uses the runtime of the npm package as a TypeScript project does. It is compiled, not run.
import {Animator, Character, CharacterError, Crowd, DrawStream, HitImages, Pose, Renderer, Rig, Skin, fitCamera, load} from
  'pchr-player/runtime';
import type {Appearance, Hit} from 'pchr-player/runtime';

export async function start(canvas: HTMLCanvasElement, worker: {getContext(kind: 'webgl2'): WebGL2RenderingContext | null}) {
  const hero: Character = await load('hero.pchr', {sources: ['hero.rig.json'], reading: {layers: ['body'], framesPerSecond: 60}});
  const again: Character = await Character.share('hero.pchr');
  const renderer = new Renderer(canvas, {attributes: {antialias: false}, linear: true});
  new Renderer(worker);
  new Renderer(renderer.context);
  const model = renderer.upload(hero);
  const animator = new Animator(hero);
  const pose = new Pose(hero).setClip('walk', 0.5, true);
  const id: number = animator.play('walk', {layer: 1, loop: 'ping-pong', fade: 0.2});
  animator.setLayer(1, {mask: hero.maskSubtree('head'), mode: 'additive', referenceClip: 0});
  for (const {kind, marker, count} of animator.advance(1 / 60)) {
    if (kind === 'marker') console.log(marker.length + count + (animator.getPlay(id)?.weight ?? 0));
  }
  const appearance: Appearance = {x: 3, tint: [1, 1, 1, 0.5], blend: 'screen'};
  const skin = new Skin(hero).setPart('head', {tint: new Float32Array(4), visible: false});
  renderer.draw(model, animator.pose(pose), fitCamera([0, 0, 1, 1], 10, 10), {
    appearance, skin: renderer.uploadSkin(model, skin), depth: 'test-and-write',
    attachments: [{bone: 'hand', place: {mesh: 'arm', behind: true}, draw: (world: number[]) => console.log(world[4])}],
  });
  const crowd = new Crowd(hero, 100, {tints: true});
  crowd.seconds[3] = 1;
  renderer.draw(model, crowd, {center: [0, 0], zoom: 1});
  renderer.draw(model, [{clip: 'walk', seconds: 1, fadeClip: 2, fadeWeight: 0.5}], {center: [0, 0], zoom: 1});
  const hit: Hit | null = pose.hitTest(1, 2, {images: new HitImages(hero), appearance, skin});
  const stream = new DrawStream({looks: true});
  if (!stream.add(pose, {source: 1, appearance, maxVertices: 1000})) console.log(stream.vertices[0] + stream.commands[1]);
  new Rig(hero).addSpring({bones: ['tail'], gravity: [0, -10]}).addAim({bone: 'head', target: 'hand'});
  const {files} = hero.saveAs('json', 'hero', {lossy: true});
  // @ts-expect-error This is no loop mode.
  animator.play('walk', {loop: 'forever'});
  // @ts-expect-error A hit can be null.
  console.log(hit.mesh, files[0].bytes.length);
  // @ts-expect-error This is no blend mode.
  renderer.draw(model, pose, {center: [0, 0], zoom: 1}, {appearance: {blend: 'dodge'}});
  // @ts-expect-error A camera has a zoom.
  renderer.draw(model, pose, {center: [0, 0]});
  // @ts-expect-error Poses belong to characters.
  new Pose(model);
  again.close();
  return new CharacterError({message: 'so far'});
}
