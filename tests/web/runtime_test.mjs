// SPDX-License-Identifier: MIT
// Tests the runtime for games without a browser. Run by ctest: node runtime_test.mjs SITE REPOSITORY. Exits 77 if the
// site is not built.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test, {after} from 'node:test';
import {pathToFileURL} from 'node:url';
import v8 from 'node:v8';
import vm from 'node:vm';
import {Worker, isMainThread, parentPort} from 'node:worker_threads';

const [site, repository] = process.argv.slice(2).map((each) => path.resolve(each));
if (!fs.existsSync(path.join(site, 'pchr-runtime.wasm'))) {
  console.log(`skipped: the web player is not built in ${site}: run ./dev web`);
  process.exit(77);
}
const runtime = await import(pathToFileURL(path.join(site, 'runtime.js')));
const {Instance} = await import(pathToFileURL(path.join(site, 'module.js')));
const {layoutOf} = await import(pathToFileURL(path.join(site, 'memory.js')));
const {Animator, Character, CharacterError, Crowd, DrawStream, GpuGeometry, HitImages, Pose, Renderer, Rig, Skin} = runtime;

const compile = (name) => new WebAssembly.Module(fs.readFileSync(path.join(site, name)));
const [games, full] = ['pchr-runtime.wasm', 'pchr.wasm'].map((name) => fs.existsSync(path.join(site, name)) && compile(name));
const asset = (name) => ({name: path.basename(name), bytes: fs.readFileSync(path.join(repository, 'assets', name))});
const assets = (...names) => names.map(asset);
const load = (files, options) => runtime.load(files, {module: games, ...options});
const loadKiri = () => load(assets('kiri.pchr', 'kiri.rig.json'));

/** Compares numbers that are computed in another order. */
function close(found, expected, what, tolerance = 1e-3) {
  assert.equal(found.length, expected.length, what);
  for (let i = 0; i < found.length; ++i) {
    assert.ok(Math.abs(found[i] - expected[i]) <= tolerance, `${what}[${i}]: found ${found[i]}, expected ${expected[i]}`);
  }
}

/** Returns a hash of all poses as `web_pose_hash` computes it. */
function hashPoses(character) {
  const pose = new Pose(character);
  const {length} = character.info.meshes;
  const points = character.info.meshes.map(({vertices}) => new Float32Array(2 * vertices));
  let hash = 14695981039346656037n;
  const add = (word) => { hash = (hash ^ BigInt(word)) * 1099511628211n & 0xFFFFFFFFFFFFFFFFn; };
  character.info.clips.forEach((_clip, clip) => {
    for (let i = 0; i < 40; ++i) {
      pose.setClip(clip, i * 0.061, true);
      for (let mesh = 0; mesh < length; ++mesh) {
        new Uint32Array(pose.vertices(mesh, points[mesh]).buffer).forEach(add);
      }
      for (const {mesh} of pose.drawList) add(mesh);
    }
  });
  pose.free();
  return hash.toString();
}

if (!isMainThread) {
  const character = await load(assets('corners.pchr'));
  parentPort.postMessage(hashPoses(character));
  process.exit(0);
}

const called = new Set();
const {call} = Instance.prototype;
Instance.prototype.call = function record(name, ...values) {
  called.add(name);
  return call.call(this, name, ...values);
};

/** Functions of pchr.h that a page has no use for. */
const NOT_FOR_PAGES = [
  [/^pchr_(version|api_version|features)$/, 'scripts and module are one package'],
  [/^pchr_(set_allocator|thread_executor)$/, 'a module has its own memory and one thread'],
  [/^pchr_(headless|target)_/, 'the browser makes contexts and framebuffers'],
  [/^pchr_(load_file|load_memory)$/, 'web_open() reads files of the page'],
  [/^pchr_(rig_load|rig_from_memory|skin_load_image|animator_load_markers|saved_write)$/, 'a page has bytes, but no paths'],
  [/^pchr_(get_info|get_clip|get_image|bone_name|bone_parent|(bone|clip|image|mesh)_count|find_(bone|clip|mesh))$/,
   'info has it'],
  [/^pchr_(warning|warning_count|validate)$/, 'info.diagnostics has it'],
  [/^pchr_decode_image$/, 'imagePixels() does it'],
  [/^pchr_(placement|concatenate|inverse|rotation_of|camera_\w+)$/, 'plain arithmetic is done in JavaScript'],
];

test('every function of pchr.h is in both modules, or has a reason not to be', () => {
  const header = fs.readFileSync(path.join(repository, 'runtime/include/pchr.h'), 'utf8');
  const declared = [...header.matchAll(/^PCHR_C_API [\w *]*?\b(pchr_\w+)\(/gm)].map(([, name]) => name);
  assert.ok(declared.length > 150, `found only ${declared.length}`);
  const wanted = declared.filter((name) => !NOT_FOR_PAGES.some(([pattern]) => pattern.test(name))).sort();
  for (const module of [games, full].filter(Boolean)) {
    const exported = WebAssembly.Module.exports(module).map(({name}) => name);
    assert.deepEqual(exported.filter((name) => declared.includes(name)).sort(), wanted);
  }
});

after(() => {
  const exported = WebAssembly.Module.exports(games).map(({name}) => name).filter((name) => /^pchr_(?!run$)/.test(name));
  const only = /^pchr_(saved|get_saved|get_menu_image)/;
  const expected = full ? exported : exported.filter((name) => !only.test(name));
  assert.deepEqual(expected.filter((name) => !called.has(name)), [], 'functions of pchr.h that no script calls');
});

test('structs are where Clang puts them', () => {
  // From offsetof() and sizeof() of a program for wasm32.
  for (const [name, size, member, at] of [['appearance', 84, 'depth', 80], ['event', 48, 'clip', 36], ['play', 56, 'playing', 52],
                                          ['load_options', 144, 'flat', 136], ['crowd', 48, 'tints', 32], ['vertex', 40, 'weights', 24],
                                          ['error', 1276, 'hint', 1272], ['draw_item', 56, 'blend', 52]]) {
    const layout = layoutOf(name);
    assert.deepEqual([layout.size, layout.members.get(member).at], [size, at], name);
  }
});

test('poses have the same bits as native builds', async () => {
  for (const name of ['kiri', 'corners']) {
    const character = await load(assets(`${name}.pchr`));
    assert.equal(hashPoses(character), fs.readFileSync(path.join(repository, `tests/golden/${name}.pose_hash`), 'utf8').trim());
    character.close();
  }
});

test('it works in a worker', async () => {
  const worker = new Worker(new URL(import.meta.url), {argv: process.argv.slice(2)});
  const hash = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  assert.equal(hash, fs.readFileSync(path.join(repository, 'tests/golden/corners.pose_hash'), 'utf8').trim());
});

test('parts are found by name, and mistakes are explained', async () => {
  const kiri = await loadKiri();
  assert.equal(kiri.instance, (await loadKiri()).instance);
  assert.deepEqual([kiri.findClip('walk'), kiri.findBone('head'), kiri.findMesh('tunic'), kiri.findClip('swim')], [2, 5, 5, -1]);
  const pose = new Pose(kiri);
  const fails = (work, message) => assert.throws(work, (error) => error instanceof CharacterError && message.test(error.message));
  fails(() => pose.setClip('wlk', 0), /no clip named "wlk"; it has bind, idle, walk, wave, jump, run$/);
  fails(() => pose.setClip(9, 0), /clip 9 does not exist; the character has 6$/);
  fails(() => pose.setClip('walk', NaN), /seconds is NaN/);
  fails(() => pose.setFrame('walk', {frame: 1000}), /frame 1000/);
  fails(() => pose.getBone('tail'), /no bone named "tail"/);
  fails(() => pose.setBone(0, {angle: 3}), /no option "angle"; expected x, y, rotation/);
  fails(() => pose.setBone(0, {x: '3px'}), /x is 3px, expected a number/);
  fails(() => pose.blend(pose, 1, new Uint8Array(3)), /3 elements, but the character has 37 bones/);
  fails(() => kiri.maskSubtree('head', new Uint8Array(2)), /2 elements, but the character has 37 bones/);
  fails(() => kiri.frameBounds('walk', 1000), /frame 1000/);
  const animator = new Animator(kiri);
  fails(() => animator.play('walk', {loop: 'forever'}), /loop is "forever", but must be "file", "once", "always" or "ping-pong"/);
  fails(() => animator.play('walk', {layer: 64}), /layer is 64/);
  fails(() => animator.setTarget('nose', [0, 0]), /no aim or limb named "nose"/);
  fails(() => animator.setLayer(1, {mode: 'sum'}), /mode is "sum", but must be "override" or "additive"/);
  const other = await load(assets('quad.pchr'));
  fails(() => pose.copy(new Pose(other)), /different characters/);
  fails(() => animator.pose(new Pose(other)), /different characters/);
  pose.free();
  pose.free();
  fails(() => pose.update(), /freed/);
  for (const name of ['values', 'world', 'palette']) fails(() => pose[name], /freed/);
  if (!full) return;
  const elsewhere = await load(assets('quad.pchr'), {module: full, full: true});
  fails(() => new DrawStream().add(new Pose(other), {skin: new Skin(elsewhere)}), /different modules/);
});

test('a character has bounds, bones, meshes and samples', async () => {
  const kiri = await loadKiri();
  const [left, bottom, right, top] = kiri.bounds('walk');
  const frame = kiri.frameBounds('walk', 7);
  assert.ok(left <= frame[0] && bottom <= frame[1] && right >= frame[2] && top >= frame[3]);
  close(kiri.bounds(), kiri.info.bounds, 'bounds of all clips');
  const head = kiri.meshBounds('walk', 'head');
  assert.ok(head[1] > bottom + 200 && head[3] < top);
  assert.equal(kiri.meshBounds('walk', 'mouth_o'), null);

  const pose = new Pose(kiri).setFrame('walk', {frame: 7});
  close(pose.bounds(), frame, 'bounds of a frame');
  close(kiri.boneWorld('near_hand', 'walk', {frame: 7}), pose.boneTransform('near_hand').transform, 'a hand');
  close(kiri.boneWorld('near_hand'), new Pose(kiri).boneTransform('near_hand').transform, 'a hand in the bind pose');
  const hand = kiri.boneIndex('near_hand');
  close(runtime.concatenate(pose.world.slice(6 * hand, 6 * hand + 6), kiri.inverseBind.slice(6 * hand, 6 * hand + 6)),
        pose.palette.slice(6 * hand, 6 * hand + 6), 'the palette of a hand');

  assert.deepEqual(kiri.chain('tail_1').map((bone) => kiri.info.bones[bone].name), ['tail_1', 'tail_2', 'tail_3']);
  const mask = kiri.maskSubtree('near_thigh', kiri.maskSubtree('far_thigh'));
  assert.deepEqual([...mask.keys()].filter((bone) => mask[bone]), [31, 32, 33, 34, 35, 36]);

  const samples = kiri.clipSamples('walk');
  const bones = kiri.info.bones.length;
  assert.equal(samples.x.length, samples.frames * bones);
  const state = pose.getBone('near_hand');
  assert.equal(samples.rotation[7 * bones + hand], state.rotation);
  assert.deepEqual([...samples.opacity.slice(0, 3)], [1, 1, 1]);

  const mesh = kiri.mesh('tunic');
  assert.deepEqual([mesh.name, mesh.vertexCount, mesh.governingBone], ['tunic', 124, kiri.findBone('chest')]);
  assert.equal(kiri.vertices.length, 10 * 1177);
  assert.equal(kiri.indices.length, 3 * 1772);
  const weights = kiri.vertices.slice(10 * mesh.firstVertex + 6, 10 * mesh.firstVertex + 10);
  close([weights.reduce((sum, weight) => sum + weight)], [1], 'weights of a vertex');
  const moving = kiri.vertexBones.slice(20 * mesh.firstVertex + 8, 20 * mesh.firstVertex + 12);
  assert.ok([...moving].every((bone) => bone < bones));
  assert.equal(kiri.vertices3d.length, 0);
  assert.deepEqual(kiri.menuImages, []);
  const {width, height, pixels} = kiri.decodeImage(0);
  assert.deepEqual([width, height, pixels.length], [1024, 684, 4 * 1024 * 684]);

  assert.deepEqual(kiri.findFrame('walk', 0.55, true).frame, 16);
  assert.equal(kiri.frameBegin('walk', 15), 0.5);
});

test('a pose is changed, blended and copied', async () => {
  const kiri = await loadKiri();
  const [pose, walk, jump] = [new Pose(kiri), new Pose(kiri).setClip('walk', 0.3), new Pose(kiri).setClip('jump', 0.3)];
  const head = kiri.findBone('head');
  pose.values.rotation[head] = 30;
  pose.update();
  assert.equal(pose.getBone('head').rotation, 30);
  pose.setBone('head', {rotation: 40}).update();
  assert.equal(pose.values.rotation[head], 40);
  close([pose.boneTransform('head').rotation], [40 + new Pose(kiri).boneTransform('neck').rotation], 'rotation of the head');
  pose.override([{bone: 'head', rotation: 5, relative: true}, {bone: 'hips', x: 7, keep: 0.5}]).update();
  assert.equal(pose.getBone('head').rotation, 45);
  close([pose.getBone('hips').x], [(7 + new Pose(kiri).getBone('hips').x) / 2], 'half of an override');

  const angle = pose.rotationTowards('head', 1000, 500);
  pose.setBone('head', {rotation: angle}).update();
  const {x, y, transform} = pose.boneTransform('head');
  close([transform[2] * (500 - y) - transform[3] * (1000 - x)], [0], 'the axis points at the target', 1);

  pose.copy(walk).blend(jump, 1).update();
  close(pose.world, jump.world, 'blended all the way', 0.01);
  pose.copy(walk).blend(jump, 1, kiri.maskSubtree('head')).update();
  assert.equal(pose.getBone('near_thigh').rotation, walk.getBone('near_thigh').rotation);
  close([pose.getBone('head').rotation], [jump.getBone('head').rotation], 'the head blended');
  pose.bind().add(walk).update();
  close(pose.world, walk.world, 'the bind pose and the difference to it', 0.05);
  pose.copy(jump).add(walk, 1, {reference: jump}).update();
  close(pose.world, walk.world, 'a pose and the difference to another', 0.05);

  walk.setClip('walk', 0.3);
  assert.equal(walk.drawCount, walk.drawList.length);
  const names = walk.drawList.map(({mesh}) => kiri.info.meshes[mesh].name);
  assert.equal(names[walk.findPlace('tunic', true)], 'tunic');
  assert.equal(walk.findPlace('tunic'), walk.findPlace('tunic', true) + 1);
  assert.equal(walk.findPlace(), walk.drawCount);
  walk.setDrawList([{mesh: kiri.findMesh('head'), tint: [1, 0, 0, 0.5]}]);
  assert.deepEqual(walk.drawList.map(({mesh, tint, opacity, image}) => [mesh, tint, opacity, image]),
                   [[kiri.findMesh('head'), [1, 0, 0, 0.5], 1, -1]]);
  close(walk.bounds(), walk.meshBounds('head'), 'bounds of the only mesh');
});

test('skins hide, tint and replace what is drawn', async () => {
  const kiri = await loadKiri();
  const skin = new Skin(kiri, 'winter');
  assert.equal(skin.name, 'winter');
  const image = skin.addImage({width: 2, height: 1, data: [200, 100, 50, 128, 9, 9, 9, 0]});
  assert.equal(image, 1);
  assert.deepEqual([...skin.image(image).pixels], [100, 50, 25, 128, 0, 0, 0, 0]);
  assert.equal(skin.image(7), null);
  skin.setPart('scarf', {visible: false}).setPart('tunic', {image, tint: [0.5, 1, 1, 1], blend: 'screen'});
  assert.deepEqual(skin.getPart('tunic').tint, [0.5, 1, 1, 1]);
  assert.throws(() => skin.setPart('tunic', {image: 9}), /image 9 does not exist/);
  const pose = new Pose(kiri);
  const before = pose.drawCount;
  pose.applySkin(skin);
  assert.equal(pose.drawCount, before - 1);
  const item = pose.drawList.find(({mesh}) => mesh === kiri.findMesh('tunic'));
  assert.deepEqual([item.image, item.tint[0], item.blend], [image, 0.5, 'screen']);
  const quad = await load(assets('quad.pchr'));
  assert.ok(skin.rebind(quad).meshes.includes('scarf'));
  assert.throws(() => pose.applySkin(skin), /different characters/);
  skin.free();
});

test('hit tests find the topmost opaque mesh', async () => {
  const kiri = await loadKiri();
  const pose = new Pose(kiri);
  const images = new HitImages(kiri);
  const {x, y} = pose.boneTransform('head');
  const hit = pose.hitTest(x, y + 60, {images});
  assert.ok(hit && kiri.info.bones[hit.bone].name);
  close([hit.barycentrics.reduce((sum, part) => sum + part)], [1], 'barycentrics');
  assert.equal(pose.hitTest(5000, 0, {images}), null);
  const appearance = {x: 5000, scale: 2};
  assert.equal(pose.hitTest(5000 + 2 * x, 2 * (y + 60), {images, appearance}).mesh, hit.mesh);
  const skin = new Skin(kiri).setPart(hit.mesh, {visible: false});
  assert.notEqual(pose.hitTest(x, y + 60, {images, skin})?.mesh, hit.mesh);
  // Inside a triangle that is transparent there.
  const [left, bottom, right, top] = pose.bounds();
  let transparent = 0;
  for (let i = 0; i < 400; ++i) {
    const at = [left + (right - left) * (i % 20) / 19, bottom + (top - bottom) * Math.floor(i / 20) / 19];
    if (pose.hitTest(...at) && !pose.hitTest(...at, {images, minAlpha: 255})) ++transparent;
  }
  assert.ok(transparent > 0);
  images.free();
});

test('animators fade, queue, layer and report what happens', async () => {
  const kiri = await loadKiri();
  const animator = new Animator(kiri, {rig: null, smooth: true});
  const pose = new Pose(kiri);
  const kinds = (events) => events.map(({kind, marker, play}) => marker || `${kind} ${play}`);

  assert.ok(animator.smooth);
  const walk = animator.play('walk');
  assert.deepEqual(kinds(animator.advance(0.25)), [`started ${walk}`, 'step']);
  assert.deepEqual(animator.playsAlone()?.clip, kiri.findClip('walk'));
  const jump = animator.play('jump', {fade: 0.5, loop: 'once'});
  assert.deepEqual(kinds(animator.advance(0.25)), [`interrupted ${walk}`, `started ${jump}`, 'step']);
  assert.equal(animator.playsAlone(), null);
  assert.deepEqual(animator.plays().map(({id, loop}) => [id, loop]), [[walk, 'file'], [jump, 'once']]);
  close([animator.getPlay(jump).weight], [0.5], 'weight in the middle of a fade');
  const expected = new Pose(kiri).setClip('walk', 0.5, true).blend(new Pose(kiri).setClip('jump', 0.25, true), 0.5).update();
  close(animator.pose(pose).world, expected.world, 'a crossfade', 0.01);

  const idle = animator.queue('idle');
  const {seconds} = kiri.info.clips[kiri.findClip('jump')];
  assert.deepEqual(kinds(animator.advance(seconds)), ['leap', 'land', `finished ${jump}`, `started ${idle}`]);
  assert.ok(animator.setPlaySpeed(idle, 2) && animator.seekPlay(idle, 0.5));
  animator.advance(0.1);
  close([animator.getPlay(idle).seconds], [0.7], 'a play at double speed');
  assert.ok(animator.setPlayPaused(idle, true));
  animator.speed = 3;
  assert.equal(animator.speed, 3);
  assert.deepEqual(animator.advance(1), []);
  close([animator.getPlay(idle).seconds], [0.7], 'a paused play');
  assert.equal(animator.setPlaySpeed(999, 1), false);
  assert.equal(animator.getPlay(999), null);
  animator.speed = 1;

  animator.play('walk', {start: 0.25});
  animator.advance(0);
  const mask = kiri.maskSubtree('near_upper_arm');
  animator.setLayer(1, {mask, weight: 1});
  assert.deepEqual([...animator.getLayer(1).mask], [...mask]);
  assert.equal(animator.getLayer(0).mask, null);
  animator.play('wave', {layer: 1, start: 0.5});
  animator.advance(0);
  animator.pose(pose);
  const [walking, waving] = [new Pose(kiri).setClip('walk', 0.25, true), new Pose(kiri).setClip('wave', 0.5, true)];
  const rotation = (of, bone) => of.getBone(bone).rotation;
  close([rotation(pose, 'near_forearm'), rotation(pose, 'far_forearm')],
        [rotation(waving, 'near_forearm'), rotation(walking, 'far_forearm')], 'an arm on its own layer');
  animator.setLayerWeight(1, 0);
  close([rotation(animator.pose(pose), 'near_forearm')], [rotation(walking, 'near_forearm')], 'a layer without weight');
  animator.setLayer(1, {mode: 'additive', referenceClip: 'wave', referenceFrame: 0});
  assert.deepEqual([animator.getLayer(1).mode, animator.getLayer(1).referenceClip], ['additive', kiri.findClip('wave')]);
  const start = new Pose(kiri).setFrame('wave', {frame: 0});
  close([rotation(animator.pose(pose), 'near_forearm')],
        [rotation(walking, 'near_forearm') + rotation(waving, 'near_forearm') - rotation(start, 'near_forearm')],
        'a difference', 0.01);
  animator.queueStop(1);
  animator.stop(1);
  assert.ok(animator.advance(0.1).some(({kind, layer}) => kind === 'interrupted' && layer === 1));

  animator.setOverrides([{bone: 'head', rotation: 77}]);
  assert.equal(rotation(animator.pose(pose), 'head'), 77);
  animator.setMarkers([{clip: 'idle', frame: 2, name: 'blink'}]);
  assert.deepEqual(animator.markers, [{clip: kiri.findClip('idle'), frame: 2, name: 'blink'}]);

  animator.setOverrides([]);
  animator.setRootMotion('hips', true, true);
  animator.play('jump');
  animator.advance(0);
  animator.takeRootMotion();
  animator.advance(0.5);
  const moved = animator.takeRootMotion([0, 0]);
  const hips = (time) => new Pose(kiri).setClip('jump', time, true).getBone('hips');
  close(moved, [hips(0.5).x - hips(0).x, hips(0.5).y - hips(0).y], 'root motion', 0.01);
  animator.setRootMotion(null);

  const quad = await load(assets('quad.pchr'));
  assert.ok(animator.rebind(quad).clips.includes('jump'));
  assert.equal(animator.character, quad);
  animator.pose(new Pose(quad));
  animator.free();
  assert.throws(() => animator.advance(1), /freed/);
});

test('rigs swing, aim and reach', async () => {
  const kiri = await loadKiri();
  const [swinging, stiff] = [new Animator(kiri), new Animator(kiri, {rig: null})];
  const [pose, plain] = [new Pose(kiri), new Pose(kiri)];
  const run = (frames, speed) => {
    for (let i = 0; i < frames; ++i) {
      swinging.setPlacement({x: i * speed});
      for (const animator of [swinging, stiff]) animator.advance(1 / 60);
    }
    swinging.pose(pose);
    stiff.pose(plain);
    return Math.abs(pose.boneTransform('tail_3').rotation - plain.boneTransform('tail_3').rotation);
  };
  run(1, 0);
  assert.ok(run(20, 15) > 3, 'running swings the tail');
  swinging.resetRig();
  assert.ok(run(1, 0) < 0.01, 'a rig at rest');
  swinging.setPlacement({x: 0}, true);
  swinging.setWind(-9000, 0);
  assert.ok(run(60, 0) > 0.5, 'wind moves the tail');

  const rig = new Rig(kiri);
  rig.addAim({bone: 'head', name: 'look'}).addLimb({upper: 'near_upper_arm', lower: 'near_forearm', end: 'near_hand', name: 'hand'})
    .addFoot({ik: 'hand', fadeIn: 0.1}).addSpring({bones: 'scarf_1', gravity: [0, -500], tip: [0, 45]}).setWind(10, 0, 0.5);
  assert.throws(() => rig.addFoot({ik: 'leg'}), /no limb has that name/);
  assert.throws(() => rig.addLimb({upper: 'head', lower: 'tail_1'}), CharacterError);
  assert.throws(() => rig.addLimb({upper: 'head', lower: 'tail_1', bend: 'up'}), /bend is "up"/);
  rig.addMask({name: 'legs', bones: ['near_thigh', 'far_thigh']});
  assert.deepEqual([...rig.mask('legs').keys()].filter((bone) => rig.mask('legs')[bone]), [31, 34]);
  assert.throws(() => rig.mask('arms'), /the rig has no mask named "arms"/);
  assert.throws(() => rig.addMask({name: 'legs', bones: ['hips']}), /an earlier mask has that name/);
  assert.deepEqual(kiri.rig.mask('upper body'), kiri.maskSubtree('chest'));
  stiff.setRig(rig);
  rig.free();
  const shoulder = plain.boneTransform('near_upper_arm');
  const target = [shoulder.x + 60, shoulder.y + 60];
  stiff.setTarget('hand', target);
  stiff.setTarget('look', [1000, plain.boneTransform('head').y]);
  stiff.advance(0);
  stiff.pose(plain);
  const hand = plain.boneTransform('near_hand');
  close([hand.x, hand.y], target, 'the hand reaches its target', 0.5);
  close([plain.boneTransform('head').rotation], [-90], 'the head looks to the right', 0.5);
  stiff.setTarget('hand', null);
  stiff.setRig(null);

  const fromJson = (values) => Rig.fromJson(kiri, JSON.stringify(values), 'kiri.rig.json');
  const all = {$schema: 'x', aim: [{bone: 'head', min: -20}], ik: [{name: 'leg', upper: 'near_thigh', lower: 'near_shin', bend: 'clockwise'}],
               feet: [{ik: 'leg'}], springs: [{bones: ['tail_1', 'tail_2'], damping: 0.2}], wind: [3, 4], gusts: 0.1, step: 0.01, markers: [],
               masks: [{name: 'head', bones: ['head']}]};
  fromJson(all).free();
  for (const [values, message] of [[{spring: []}, /kiri\.rig\.json: spring is not a known field/],
                                   [{masks: [{name: 'head', bones: ['no']}]}, /masks\[0\]: .*no/],
                                   [{masks: [{name: '', bones: ['head']}]}, /masks\[0\]: name must be/],
                                   [{masks: [{name: 'head', bones: []}]}, /masks\[0\]: bones must be/],
                                   [{masks: [{name: 'head', bones: ['head'], bone: 1}]}, /there is no option "bone"/],
                                   [{springs: [{bones: ['no']}]}, /springs\[0\]: the character has no bone named "no"/],
                                   [{step: 3}, /the step is 3, expected 0\.001 to 0\.1/],
                                   [{aim: [{axis: 3}]}, /aim\[0\]: bone is missing/],
                                   [{aim: [{bone: 'head', angle: 3}]}, /aim\[0\]: there is no option "angle"/]]) {
    assert.throws(() => fromJson(values), message);
  }
  const broken = await load([asset('kiri.pchr'), {name: 'kiri.rig.json', bytes: Buffer.from('{"springs": [{"bones": ["no"]}]}')}]);
  assert.throws(() => new Animator(broken), /kiri\.rig\.json: springs\[0\]/);
});

test('state machines play a character, and go back to an earlier time', async () => {
  const json = fs.readFileSync(path.join(repository, 'tests/c/look.rig.json'));
  const kiri = await load([asset('kiri.pchr'), {name: 'kiri.rig.json', bytes: json}]);
  const quad = await load(assets('quad.pchr'));
  const [animator, earlier] = [new Animator(kiri), new Animator(kiri)];
  assert.equal(kiri.rig.stateLayerCount, 2);
  assert.deepEqual([animator.state(), animator.parameters, animator.stateEvents], [null, [], []]);
  animator.setStates();
  const [speed, waves, jump] = animator.parameters;
  assert.deepEqual(speed, {name: 'speed', kind: 'number', value: 0, min: 0, max: 1, key: 'right'});
  assert.deepEqual([waves.name, waves.kind, jump.kind, jump.key], ['wînkt', 'boolean', 'trigger', 'space']);
  animator.advance(0.1);
  assert.deepEqual(animator.stateEvents.map(({kind, name, layer}) => [kind, name, layer]),
                   [['entered', 'idle', 0], ['entered', 'nothing', 1]]);
  animator.setParameter('speed', 7);
  animator.setParameter('wînkt', true);
  animator.advance(0.1);
  assert.deepEqual(animator.stateEvents.filter(({layer}) => layer === 0).map(({kind, name}) => `${kind} ${name}`),
                   ['left idle', 'named up', 'entered move']);
  const {name, from, fromName, transition, progress, phase} = animator.state(0);
  assert.deepEqual([name, from, fromName, transition], ['move', 0, 'idle', 2]);
  close([progress, phase], [0.25, 0.2 / 3], 'a fade, synchronized', 0.1);
  assert.equal(animator.state(1).name, 'wave');
  assert.equal(animator.parameters[0].value, 1);

  const saved = animator.saveStates();
  earlier.copy(animator);
  animator.fire('jump');
  animator.advance(0.1);
  assert.deepEqual([animator.state().name, earlier.state().name, animator.stateLayerCount], ['jump', 'move', 2]);
  earlier.enterState('idle', 0, 0.1);
  assert.equal(earlier.state().name, 'idle');
  earlier.restoreStates(saved);
  assert.equal(earlier.state().name, 'move');
  const [pose, plain] = [new Pose(kiri), new Pose(kiri)];
  animator.copy(earlier).pose(pose);
  close(pose.world, earlier.pose(plain).world, 'a copied animator');
  for (const text of ['text', '', undefined]) assert.throws(() => earlier.restoreStates(text), CharacterError);
  assert.throws(() => animator.setParameter('fly', 1), /no parameter named "fly"/);
  for (const name of ['fly', 'speed', 99]) {
    assert.throws(() => animator.fire(name), new RegExp(`no trigger named "${name}"`));
  }
  assert.throws(() => animator.state('arms'), /layer is "arms", expected a number/);
  assert.throws(() => animator.enterState('fly'), /layer 0 .*no state named "fly"/);
  animator.setStates(null);
  assert.deepEqual([animator.state(), animator.stateEvents], [null, []]);
  assert.throws(() => animator.setStates(new Rig(kiri)), /has no states/);
  assert.throws(() => new Animator(quad).setStates(), /has no .rig.json/);

  const all = {
    parameters: [{name: 'x', type: 'number', min: -1}, {name: 'y', type: 'number', min: -1, value: 1},
                 {name: 'rate', type: 'number', value: 0.5}],
    layers: [{
      name: 'all', mode: 'additive', reference: {clip: 'idle', frame: 3}, weight: 0.5, weightParameter: 'y', first: 'b',
      states: [{name: 'a', sequence: {start: 'wave', loop: 'walk', end: 'jump'}},
               {name: 'b', blend: [{clip: 'walk', at: [0, 1]}, {clip: 'idle', at: [1, 0]}, {clip: 'wave', at: [-1, -1]}], parameters: ['x', 'y'],
                speed: 2, speedParameter: 'rate', leave: ['bye']}],
      transitions: [{from: 'b', to: 'a', when: [{parameter: 'y', below: 0}, {parameter: 'x', above: -0.5}], after: 0.25, interruptible: false}],
    }],
  };
  animator.setStates(new Rig(kiri).addStates(all));
  animator.advance(0.25);
  assert.equal(animator.state().name, 'b');
  animator.setParameter('y', -0.5);
  animator.setParameter('x', 0.5);
  animator.advance(0.25);
  assert.deepEqual(animator.stateEvents.map((event) => event.name), ['b', 'bye', 'a']);
  for (const [values, message] of [[{layer: []}, /states: there is no option "layer"/],
                                   [{parameters: [{name: 'x', type: 'text'}]}, /states\.parameters\[0\]\.type is "text", but must be "number"/],
                                   [{layers: [{name: 'x', states: [{name: 'a', loops: true}]}]}, /no option "loops"/],
                                   [{layers: [{name: 'x', transitions: [{to: 'a', when: [{parameter: 'x', is: 3}]}]}]}, /when\[0\]\.is is 3, but must be true or false/]]) {
    assert.throws(() => Rig.fromJson(kiri, JSON.stringify({states: values})), message);
  }
  const wrong = new Rig(kiri).addStates({layers: [{name: 'x', states: [{name: 'a', clip: 'fly'}]}]});
  assert.throws(() => animator.setStates(wrong), (error) => error.path === 'states.layers[0].states[0].clip');
});

test('names that every object has are no words of a file, with the error of the library', async () => {
  const kiri = await loadKiri();
  for (const word of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
    for (const [json, path, words] of [
      [`{"ik": [{"name": "a", "upper": "near_upper_arm", "lower": "near_forearm", "bend": "${word}"}]}`, 'ik[0].bend',
       '"animated", "counterclockwise" or "clockwise"'],
      [`{"states": {"parameters": [{"name": "a", "type": "${word}"}]}}`, 'states.parameters[0].type',
       '"number", "boolean" or "trigger"'],
      [`{"states": {"layers": [{"name": "a", "mode": "${word}"}]}}`, 'states.layers[0].mode', '"override" or "additive"'],
    ]) {
      assert.throws(() => Rig.fromJson(kiri, json, 'kiri.rig.json'), {
        name: 'CharacterError', id: 'E125', path, message: `kiri.rig.json: ${path} is "${word}", but must be ${words}`,
      });
    }
    for (const json of [`{"${word}": 1}`, `{"aim": [{"bone": "head", "${word}": 1}]}`,
                        `{"states": {"${word}": []}}`, `{"states": {"layers": [{"name": "a", "${word}": 1}]}}`]) {
      assert.throws(() => Rig.fromJson(kiri, json), new RegExp(word), json);
    }
    const animator = new Animator(kiri);
    assert.throws(() => animator.play('walk', {loop: word}), {id: 'E125', path: 'loop'});
    assert.throws(() => animator.setLayer(1, {[word]: 1}), CharacterError);
    assert.throws(() => animator.setLayer(1, {mode: word}), CharacterError);
    assert.throws(() => kiri.clipIndex(word), /no clip named/);
  }
});

/** Returns a WebGL 2 context that draws nothing, and what was called on it. */
function makeContext() {
  const counts = {created: 0, deleted: 0, draws: 0};
  let lost = false;
  const canvas = new EventTarget();
  const answers = {
    canvas, drawingBufferWidth: 300, drawingBufferHeight: 200,
    isContextLost: () => lost, getParameter: (name) => (name === 0x9240 || name === 0x9241 ? false : 4096),
    getShaderParameter: () => true, getProgramParameter: () => true, getShaderInfoLog: () => '', getProgramInfoLog: () => '',
    getUniformLocation: () => ({}), isEnabled: () => false, isBuffer: () => true, isProgram: () => true,
    drawElementsInstanced: () => { ++counts.draws; },
  };
  const context = new Proxy({}, {
    has: (_, name) => name in answers,
    get(_, name) {
      if (name in answers) return answers[name];
      if (/^create/.test(name)) return () => { if (lost) return null; ++counts.created; return {[Symbol.toStringTag]: `WebGL${name.slice(6)}`}; };
      if (/^delete/.test(name)) return (object) => { if (!lost && object?.[Symbol.toStringTag]) ++counts.deleted; };
      return () => {};
    },
  });
  const fire = (isLost) => {
    lost = isLost;
    const event = new Event(isLost ? 'webglcontextlost' : 'webglcontextrestored', {cancelable: true});
    canvas.dispatchEvent(event);
    return event;
  };
  return {context, counts, fire};
}

test('the renderer draws poses, instances and crowds, and frees what it made', async () => {
  const kiri = await loadKiri();
  const {context, counts} = makeContext();
  const renderer = new Renderer(context, {paletteBudgetBytes: 1 << 20, fragmentMain: 'return color;'});
  assert.equal(renderer.context, context);
  renderer.setEffectValues([1, 2, 3, 4]);
  const model = renderer.upload(kiri);
  model.setFilter('nearest');
  assert.ok(model.gpuBytes > 1e6);
  const camera = {center: [0, 0], zoom: 1};
  const pose = new Pose(kiri).setClip('walk', 0.3);
  const drawn = (work) => {
    work();
    return renderer.statistics;
  };
  assert.equal(drawn(() => renderer.draw(model, pose, camera, {appearance: {x: 10, tint: [1, 0, 0, 1]}, leaveState: true})).instances, 1);
  const all = drawn(() => renderer.draw(model, pose, camera)).triangles;
  assert.ok(drawn(() => renderer.draw(model, pose, camera, {firstItem: 2, itemCount: 3})).triangles < all);
  assert.equal(drawn(() => renderer.draw(model, [{}, {appearance: {x: 9000}}], camera)).culled, 1);

  const many = Array.from({length: 700}, (_, i) => ({clip: 'walk', seconds: i / 9, appearance: {x: i % 100}}));
  assert.equal(drawn(() => renderer.draw(model, [...many, {}, {clip: 1, fadeClip: 'jump', fadeWeight: 0.5}], camera)).instances, 702);
  const posed = many.map(({appearance}, i) => ({pose: i % 2 ? pose : new Pose(kiri).setClip('jump', i / 99), appearance}));
  assert.equal(drawn(() => renderer.draw(model, posed, camera)).instances, 700);
  assert.equal(renderer.statistics.posed, 700);
  assert.throws(() => renderer.draw(model, [posed[0], {pose: null}], camera), /different characters/);
  assert.ok(renderer.bake(model, 'jump', true));
  assert.ok(renderer.gpuBytes > 0);

  const crowd = new Crowd(kiri, 1000, {tints: true, fades: true});
  crowd.set({clips: new Uint32Array(1000).fill(2), fadeClips: new Uint32Array(1000).fill(3)});
  for (let i = 0; i < 1000; ++i) crowd.seconds[i] = i / 60;
  crowd.fadeWeights[7] = 0.5;
  crowd.smooth = true;
  assert.equal(drawn(() => renderer.draw(model, crowd, camera)).instances, 1000);
  assert.equal(renderer.statistics.posed, 1);
  crowd.count = 10;
  assert.equal(drawn(() => renderer.draw(model, crowd, camera)).instances, 10);
  crowd.count = -1;
  assert.equal(drawn(() => renderer.draw(model, crowd, camera)).instances, 0);
  crowd.free();
  assert.throws(() => renderer.draw(model, crowd, camera), /freed/);
  assert.throws(() => new Crowd(kiri, 3).set({clips: [1, 2, 3, 4]}), /clips has 4 elements, but the crowd has 3/);

  const skin = new Skin(kiri).setPart('head', {visible: false});
  const worn = renderer.uploadSkin(model, skin);
  assert.equal(typeof worn.gpuBytes, 'number');
  assert.ok(drawn(() => renderer.draw(model, pose, camera, {skin: worn})).triangles < all);
  assert.throws(() => renderer.draw(model, pose, camera, {depth: 'on'}), /depth is "on", but must be "off", "test" or "test-and-write"/);

  const quad = await load(assets('quad.pchr'));
  const other = new Renderer(makeContext().context);
  const foreign = other.beginUpload(quad, [quad.decodeImage(0).pixels]).finish();
  const mixed = /the model belongs to another renderer/;
  assert.throws(() => renderer.draw(foreign, new Pose(quad), camera), mixed);
  assert.throws(() => renderer.bake(foreign, 0), mixed);
  assert.throws(() => renderer.uploadSkin(foreign, new Skin(quad)), mixed);
  other.free();
  assert.throws(() => other.draw(foreign, new Pose(quad), camera), /freed/);
  assert.throws(() => other.upload(quad), /freed/);
  const upload = renderer.beginUpload(quad, quad.info.images.map((_image, i) => quad.decodeImage(i).pixels));
  const left = upload.bytesLeft;
  while (!upload.step(100)) assert.ok(upload.bytesLeft < left);
  const small = upload.finish();
  assert.throws(() => upload.step(1), /freed/);
  assert.throws(() => renderer.draw(small, pose, camera), /different characters/);
  assert.throws(() => renderer.beginUpload(quad, [new Uint8Array(3)]), /images\[0\] has 3 bytes/);
  assert.throws(() => renderer.beginUpload(quad, []), /0 images, but the character has 1/);
  const closed = await load(assets('quad.pchr'));
  const [late, kept] = [renderer.beginUpload(closed), new Pose(closed)];
  closed.close();
  renderer.draw(late.finish(), kept, camera);
  const abandoned = renderer.beginUpload(quad);
  abandoned.free();
  renderer.draw(small, new Pose(quad), camera);
  renderer.free();
  assert.throws(() => small.pointer, /freed/);
  assert.equal(counts.deleted, counts.created);
});

test('attachments are drawn in the order and at the place of their bones', async () => {
  const [kiri, quad] = [await loadKiri(), await load(assets('quad.pchr'))];
  const {context, counts} = makeContext();
  const renderer = new Renderer(context);
  const [model, held] = [renderer.upload(kiri), renderer.upload(quad)];
  const pose = new Pose(kiri).setClip('walk', 0.3);
  const camera = {center: [0, 0], zoom: 1};
  const order = [];
  const inner = {bone: 'near_hand', draw: () => order.push('inner')};
  const before = counts.draws;
  renderer.draw(model, pose, camera, {
    appearance: {x: 100},
    attachments: [
      {bone: 'near_hand', appearance: {y: 5}, draw: (world) => {
        order.push('front');
        close(world, runtime.concatenate([1, 0, 0, 1, 100, 0],
              runtime.concatenate(pose.boneTransform('near_hand').transform, [1, 0, 0, 1, 0, 5])), 'an attachment');
      }},
      {bone: 'head', place: {mesh: 'head', behind: true}, draw: () => {
        order.push('behind');
        // Other draws do not disturb the one that is going on.
        renderer.draw(model, new Pose(kiri), camera, {attachments: Array(400).fill(inner)});
      }},
      {bone: 'tail_3', model: held, pose: new Pose(quad)},
    ],
  });
  assert.deepEqual(order, ['behind', ...Array(400).fill('inner'), 'front']);
  assert.ok(counts.draws - before > 4);
  const fails = {bone: 'head', draw: () => { throw new Error('mine'); }};
  assert.throws(() => renderer.draw(model, pose, camera, {attachments: [fails, inner]}), /mine/);
  renderer.draw(model, pose, camera);
  renderer.free();
});

test('everything is uploaded again after a context was lost', async () => {
  const kiri = await loadKiri();
  const {context, counts, fire} = makeContext();
  const canvas = {getContext: (kind) => (kind === 'webgl2' ? context : null)};
  const before = kiri.instance.glObjects;
  const renderer = new Renderer(canvas);
  const model = renderer.upload(kiri);
  const skin = renderer.uploadSkin(model, new Skin(kiri).setPart('head', {tint: [1, 0, 0, 1]}));
  const pose = new Pose(kiri);
  const draw = () => {
    renderer.draw(model, Array(9).fill({clip: 1, skin}), {center: [0, 0], zoom: 1});
    assert.equal(renderer.statistics.instances, 9);
    renderer.draw(model, [{pose, skin}, {pose}], {center: [0, 0], zoom: 1}, {skin});
  };
  draw();
  const {glObjects} = kiri.instance;
  assert.ok(glObjects > before);
  assert.ok(fire(true).defaultPrevented);
  const {draws} = counts;
  renderer.draw(model, pose, {center: [0, 0], zoom: 1});
  assert.equal(counts.draws, draws);
  assert.equal(kiri.instance.glObjects, before);
  kiri.close();
  fire(false);
  draw();
  assert.ok(counts.draws > draws);
  renderer.free();
  assert.equal(kiri.instance.glObjects, before);
});

test('what is asked of objects while a context is lost does not harm them', async () => {
  const quad = await load(assets('quad.pchr'), {module: compile('pchr-runtime.wasm')});
  const {context, fire} = makeContext();
  const renderer = new Renderer(context);
  const model = renderer.upload(quad);
  const [skin, upload] = [renderer.uploadSkin(model, new Skin(quad)), renderer.beginUpload(quad)];
  const [pose, camera] = [new Pose(quad), {center: [0, 0], zoom: 1}];
  renderer.draw(model, pose, camera);
  const {glObjects} = quad.instance;
  fire(true);
  model.setFilter('nearest');
  renderer.setEffectValues([1, 2, 3, 4]);
  assert.deepEqual([model.gpuBytes, skin.gpuBytes, renderer.gpuBytes, renderer.statistics.triangles], [0, 0, 0, 0]);
  assert.equal(renderer.bake(model, 0), false);
  for (const work of [() => upload.step(1), () => upload.finish()]) assert.throws(work, /context is lost/);
  const later = renderer.upload(quad);
  fire(false);
  const again = new Set();
  quad.instance.call = (name, ...values) => {
    again.add(name);
    return Instance.prototype.call.call(quad.instance, name, ...values);
  };
  renderer.draw(model, pose, camera, {skin});
  assert.ok(again.has('pchr_renderer_set_effect_values') && again.has('pchr_model_set_filter'));
  assert.ok(model.gpuBytes > 0);
  renderer.draw(later, pose, camera);
  renderer.draw(upload.finish(), pose, camera);
  assert.ok(quad.instance.glObjects >= glObjects);
  renderer.free();
  assert.equal(quad.instance.glObjects, 0);
});

test('uploads that fail free what they copied', async () => {
  const kiri = await load(assets('kiri.pchr'), {module: compile('pchr-runtime.wasm')});
  const {context} = makeContext();
  const small = new Proxy(context, {get: (_, name) => (name === 'getParameter' ? () => 64 : context[name])});
  const renderer = new Renderer(small);
  const copies = new Set();
  const {instance} = kiri;
  instance.copyIn = (bytes) => {
    const pointer = Instance.prototype.copyIn.call(instance, bytes);
    copies.add(pointer);
    return pointer;
  };
  instance.call = (name, ...values) => {
    if (name === 'web_free') copies.delete(values[0]);
    return Instance.prototype.call.call(instance, name, ...values);
  };
  assert.throws(() => renderer.beginUpload(kiri, [kiri.decodeImage(0).pixels]), /64/);
  assert.equal(copies.size, 0);
  renderer.free();
});

test('a module that fails takes its characters along, and nothing else', async () => {
  const module = compile('pchr-runtime.wasm');
  const [doomed, kiri] = [await runtime.load(assets('kiri.pchr'), {module}), await loadKiri()];
  const {context, counts} = makeContext();
  const renderer = new Renderer(context);
  const [lost, model] = [renderer.upload(doomed), renderer.upload(kiri)];
  const [pose, crowd, stream, animator] = [new Pose(doomed), new Crowd(doomed, 3), new DrawStream(), new Animator(doomed)];
  stream.add(pose);
  const camera = {center: [0, 0], zoom: 1};
  renderer.draw(lost, pose, camera);
  const {created, deleted} = counts;
  assert.throws(() => doomed.memory.call('pchr_pose_update', -16), CharacterError);
  await new Promise((resolve) => setTimeout(resolve));
  assert.ok(counts.deleted > deleted, 'what it had on the context is deleted');
  assert.throws(() => renderer.draw(lost, pose, camera), CharacterError);
  assert.throws(() => animator.advance(1), CharacterError);
  for (const each of [pose, crowd, stream, animator, lost]) each.free();
  doomed.close();
  const again = await runtime.load(assets('kiri.pchr'), {module});
  renderer.draw(renderer.upload(again), new Pose(again), camera);
  renderer.draw(model, new Pose(kiri), camera);
  renderer.free();
  assert.equal(counts.deleted, counts.created);
  assert.ok(counts.created > created);
});

test('draw streams show the memory of the module, which they survive growing', async () => {
  const kiri = await loadKiri();
  const stream = new DrawStream({looks: true});
  assert.deepEqual([stream.vertexCount, stream.vertices.length], [0, 0]);
  const pose = new Pose(kiri).setClip('walk', 0.3);
  const skin = new Skin(kiri).setPart('head', {blend: 'multiply'});
  assert.ok(stream.add(pose, {source: 3, skin, appearance: {x: 100, scale: 2, tint: [1, 0.5, 0, 1], additive: [1, 0, 0]}}));
  const first = pose.drawList[0].mesh;
  const points = pose.vertices(first);
  close([stream.vertices[0], stream.vertices[1]], [100 + 2 * points[0], 2 * points[1]], 'the first vertex');
  assert.equal(stream.colors[4] & 0xFFFF, 0x80FF);
  assert.equal(stream.looks[1] & 0xFF, 0xFF);
  const commands = [...stream.commands.slice(0, 5 * stream.commandCount)];
  assert.deepEqual(commands.filter((_, i) => i % 5 === 4), [0, 2, 0]);
  assert.deepEqual(commands.filter((_, i) => i % 5 === 0), [3, 3, 3]);
  const count = commands.filter((_, i) => i % 5 === 3).reduce((sum, each) => sum + each);
  assert.equal(count, stream.indexCount);
  assert.ok(stream.indices.slice(0, count).every((index) => index < stream.vertexCount));

  assert.equal(stream.add(pose, {maxVertices: stream.vertexCount}), false);
  assert.ok(stream.add(pose, {firstItem: 2, itemCount: 1, camera: {center: [9000, 0], zoom: 1, width: 9, height: 9}}));
  assert.equal(stream.indexCount, count);
  const copy = new DrawStream({looks: true}).copy(stream);
  const {vertices} = copy;
  const shown = [...vertices];
  const large = kiri.memory.allocate(64 << 20);
  assert.equal(vertices.length, 0);
  assert.deepEqual([...copy.vertices], shown);
  close(pose.vertices(first), points, 'a mesh after the memory has grown', 0);
  assert.equal(pose.values.x.length, kiri.info.bones.length);
  kiri.memory.release(large);
  stream.free();
  copy.clear();
  assert.equal(copy.vertexCount, 0);
});

test('views of the memory can be placements and targets, even if the call lets the memory grow', async () => {
  const kiri = await load(assets('kiri.pchr', 'kiri.rig.json'), {module: compile('pchr-runtime.wasm')});
  const {instance} = kiri;
  const [pose, expected] = [new Pose(kiri), new DrawStream()];
  const start = 6 * kiri.boneIndex('head');
  const placement = () => pose.world.subarray(start, start + 6);
  expected.add(pose, {appearance: {placement: [...placement()]}});
  const animator = new Animator(kiri, {rig: new Rig(kiri).addAim({bone: 'head', name: 'look'})});
  const aimed = (target) => {
    animator.setTarget('look', target);
    animator.advance(0);
    return animator.pose(new Pose(kiri)).getBone('head').rotation;
  };
  let grown = 0;
  instance.call = (name, ...values) => {
    const result = Instance.prototype.call.call(instance, name, ...values);
    if (name === 'pchr_stream_create' || name === 'web_alloc') {
      ++grown;
      Instance.prototype.call.call(instance, 'web_alloc', 16 << 20);
    }
    return result;
  };
  const stream = new DrawStream();
  stream.add(pose, {appearance: {placement: placement()}});
  const angle = aimed(placement().subarray(4));
  assert.ok(grown >= 2);
  assert.deepEqual([...stream.vertices], [...expected.vertices]);
  assert.equal(angle, aimed([...placement().slice(4)]));
});

test('objects that the program has forgotten are freed', async () => {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc');
  const kiri = await load(assets('kiri.pchr'), {module: compile('pchr-runtime.wasm')});
  const left = new Set();
  (() => {
    for (const {pointer} of [new Crowd(kiri, 3), new Animator(kiri)]) left.add(pointer);
  })();
  kiri.instance.call = (name, ...values) => {
    left.delete(values[0]);
    return Instance.prototype.call.call(kiri.instance, name, ...values);
  };
  for (let i = 0; i < 100 && left.size > 0; ++i) {
    collect();
    await new Promise((resolve) => setTimeout(resolve));
  }
  assert.equal(left.size, 0);
});

test('frames neither take memory nor make new arrays', async () => {
  const kiri = await loadKiri();
  const actors = Array.from({length: 10}, () => ({animator: new Animator(kiri), pose: new Pose(kiri), stream: new DrawStream()}));
  const {context} = makeContext();
  const renderer = new Renderer(context);
  const model = renderer.upload(kiri);
  const camera = {center: [0, 0], zoom: 1};
  const crowd = new Crowd(kiri, 100, {tints: true});
  const appearance = {x: 0, y: 0, tint: [1, 1, 1, 1]};
  const options = {appearance};
  for (const {animator} of actors) {
    animator.smooth = true;
    animator.setLayer(1, {mask: kiri.maskSubtree('near_upper_arm')});
    animator.play('walk', {loop: 'always'});
    animator.play('wave', {layer: 1, loop: 'always'});
  }
  const frame = (number) => {
    for (const {animator, pose, stream} of actors) {
      appearance.x = number % 50;
      animator.setPlacement(appearance);
      animator.advance(1 / 60);
      animator.pose(pose);
      stream.clear();
      stream.add(pose, options);
      renderer.draw(model, pose, camera, options);
    }
    for (let i = 0; i < 100; ++i) crowd.seconds[i] = number / 60 + i;
    renderer.draw(model, crowd, camera);
  };
  const arrays = () => [kiri.memory.views, crowd.seconds, crowd.tints, crowd.placements, ...actors.flatMap(({pose, stream}) =>
    [pose.world, pose.palette, pose.values, stream.vertices, stream.colors, stream.indices, stream.commands])];
  // A whole loop, so that every mesh was shown.
  for (let i = 0; i < 600; ++i) frame(i);
  const warm = arrays();
  const {length} = kiri.instance.bytes;
  for (let i = 600; i < 1600; ++i) {
    frame(i);
    if (i % 100 === 0) arrays().forEach((array, at) => assert.ok(array === warm[at], `array ${at} in frame ${i}`));
  }
  assert.equal(kiri.instance.bytes.length, length);
  renderer.free();
});

test('geometry and palettes are ready for other renderers', async () => {
  const kiri = await loadKiri();
  const geometry = new GpuGeometry(kiri);
  assert.equal(geometry.vertices.length, 10 * kiri.info.meshes.reduce((sum, {vertices}) => sum + vertices, 0));
  assert.ok(geometry.indices.length > 3 * 1772);
  assert.deepEqual(geometry.meshRanges.map(({indexCount}) => indexCount), kiri.info.meshes.map(({triangles}) => 3 * triangles));
  const palettes = geometry.bake('walk', {smooth: true});
  const row = palettes.findRow(kiri.findFrame('walk', 0.5));
  assert.ok(geometry.drawOrder(row.drawOrder).reduce((sum, {indexCount}) => sum + indexCount, 0) > 3000);
  assert.equal(geometry.drawOrder(1000), null);
  const length = 8 * geometry.rowBones;
  const written = geometry.writeRow(new Pose(kiri).setClip('walk', 0.5));
  assert.equal(written.length, length);
  close(palettes.texels.slice(row.row * length, (row.row + 1) * length), written, 'a baked row', 0.01);
  close(palettes.rowBounds.slice(4 * row.row, 4 * row.row + 4), kiri.frameBounds('walk', 15), 'bounds of a row', 0.01);
  assert.equal(typeof geometry.packRow(row, 0), 'number');
  assert.equal(palettes.findRow({frame: 3, next: 9, factor: 0.5}), null);
  assert.equal(geometry.bake('walk', {maxBytes: 100}), null);
  geometry.bake(null).free();
  geometry.free();
});

test('placements and cameras are plain numbers', () => {
  const {placement, concatenate, inverse, rotationOf, fitCamera, cameraToWorld, cameraToViewport, zoomCameraAt} = runtime;
  close(placement(10, 20, 90, 2), [0, 2, -2, 0, 10, 20], 'a placement', 1e-9);
  close(placement(0, 0, 90, 1, true), [0, -1, -1, 0, 0, 0], 'a mirrored placement', 1e-9);
  close(concatenate(placement(3, 4, 30, 2), inverse(placement(3, 4, 30, 2))), [1, 0, 0, 1, 0, 0], 'an inverse', 1e-9);
  assert.equal(inverse([1, 1, 1, 1, 0, 0]), null);
  close([rotationOf(placement(0, 0, 120, 3))], [120], 'a rotation', 1e-9);
  const camera = fitCamera([-10, 0, 30, 20], 200, 100, 0.1);
  assert.deepEqual([camera.center, camera.zoom], [[10, 10], 4]);
  const at = (view, x, y) => {
    const [a, b, c, d, tx, ty] = cameraToViewport(view);
    return [a * x + c * y + tx, b * x + d * y + ty];
  };
  close(at(camera, 10, 20), [100, 10], 'a point above the center', 1e-9);
  close(cameraToWorld(camera, ...at(camera, 7, 3)), [7, 3], 'a point there and back', 1e-9);
  const closer = zoomCameraAt({...camera, flipY: true}, 30, 40, 2);
  close(cameraToWorld(closer, 30, 40), cameraToWorld({...camera, flipY: true}, 30, 40), 'the point under the pointer', 1e-9);
  assert.equal(closer.zoom, 8);
});

test('other formats are read with options, drawn in 3D, and saved', {skip: !full && 'pchr.wasm is not built'}, async () => {
  const loadFull = (names, reading) => runtime.load(assets(...names), {module: full, full: true, reading});
  const akari = ['akari/akari_ske.json', 'akari/akari_tex.json', 'akari/akari_tex.png'];
  const [usual, fast] = [await loadFull(akari), await loadFull(akari, {framesPerSecond: 60})];
  assert.equal(fast.info.clips[0].fps, 60);
  assert.notEqual(usual.info.clips[0].fps, 60);
  await assert.rejects(loadFull(akari, {armature: 'nobody'}), CharacterError);
  const shown = await loadFull(['kaeru.aseprite'], {layers: []});
  assert.ok(shown.info.meshes.length < (await loadFull(['kaeru.aseprite'], {layers: 'all'})).info.meshes.length);

  const konpei = await loadFull(['konpei/konpei.chp', ...fs.readdirSync(path.join(repository, 'assets/konpei'))
    .filter((name) => !name.endsWith('.chp')).map((name) => `konpei/${name}`)]);
  assert.ok(konpei.menuImages.length > 0 && konpei.menuImages[0].width > 0);

  const kiri = await loadFull(['kiri.pchr', 'kiri.rig.json']);
  assert.ok(kiri.rig.pointer > 0);
  assert.deepEqual(new Animator(kiri).markers.length, 6);
  const {files, losses} = kiri.saveAs('json', 'copy', {dialect: 'pachario', lossy: true});
  assert.deepEqual(files.map(({name}) => name)[0], 'copy.json');
  assert.ok(Array.isArray(losses));
  const {files: [again]} = kiri.saveAs('v1', 'copy');
  assert.equal(hashPoses(await load([again])), hashPoses(kiri));
  const lossy = konpei.saveAs('json', 'konpei', {lossy: true});
  assert.ok(lossy.losses.every(({message}) => message.length > 0));

  const {context} = makeContext();
  const renderer = new Renderer(context);
  const koi = await loadFull(fs.readdirSync(path.join(repository, 'assets/koi')).sort((a, b) => b.endsWith('.psk') - a.endsWith('.psk'))
    .map((name) => `koi/${name}`));
  assert.ok(koi.info.is3d);
  assert.equal(koi.vertices3d.length, 4 * koi.vertices.length / 10);
  const model = renderer.upload(koi);
  const pose = new Pose(koi).setClip(0, 0.2);
  const camera = runtime.fitOrbitCamera({yaw: 30, width: 300, height: 200}, pose);
  assert.ok(camera.distance > 1 && camera.width === 300);
  renderer.drawScene(model, pose, camera);
  assert.equal(renderer.statistics.instances, 1);
  renderer.drawScene(model, [{clip: 0}, {clip: 0, appearance: {x: 5}}], {
    worldToClip: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], worldToView: [1, 0, 0, 0, 1, 0, 0, 0, 1], keepDepth: true,
  });
  assert.equal(renderer.statistics.instances, 2);
  const stream = new DrawStream({depth: true});
  stream.add(pose);
  assert.equal(stream.vertices3d.length, 4 * stream.vertexCount);
  renderer.free();
});
