// SPDX-License-Identifier: MIT
const started = performance.now();
const {Character, Playback} = await import('/character.js');
const {Surface} = await import('/surface.js');
const {Animator, Crowd, DrawStream, Pose, Renderer, load} = await import('/runtime.js');

const KIRI = '/assets/kiri.pchr';

function createContext(width, height, attributes) {
  const canvas = Object.assign(document.createElement('canvas'), {width, height});
  document.body.append(canvas);
  return canvas.getContext('webgl2', attributes);
}

/** Returns milliseconds from the start of this script to the first image of a character, and parts of it. */
async function timeFirstImage() {
  const character = await Character.load(KIRI);
  const opened = performance.now();
  const context = createContext(512, 512);
  const surface = new Surface(context);
  surface.upload(character);
  const uploaded = performance.now();
  surface.draw(new Playback(character), {center: [0, 300], zoom: 0.6, width: 512, height: 512});
  // Waits until the pixels are there.
  context.readPixels(0, 0, 1, 1, context.RGBA, context.UNSIGNED_BYTE, new Uint8Array(4));
  const drawn = performance.now();
  return {total: drawn - started, open: opened - started, upload: uploaded - opened, draw: drawn - uploaded};
}

/** Calls a function for each of `frames` frames. Returns how many milliseconds it took in each, once warm. */
async function timeFrames(frames, work) {
  const times = [];
  for (let frame = 0; frame < frames; ++frame) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const start = performance.now();
    work(frame);
    times.push(performance.now() - start);
  }
  return times.slice(Math.min(10, Math.floor(frames / 3)));
}

// Without a GPU, filling pixels would take longer than everything else and hold up the next frame. So these canvases are
// small, and the characters on them tiny.
const camera = {center: [0, 0], zoom: 0.05, width: 64, height: 36};
const createRenderer = () => new Renderer(createContext(64, 36, {antialias: false}));
const spread = (i) => [1, 0, 0, 1, 30 * (i % 40) - 600, 25 * (Math.floor(i / 40) % 28) - 320];

/** Times a crowd: baked clips, or crossfades, which are posed. */
async function timeCrowd(count, fades, frames) {
  const kiri = await load(KIRI);
  const renderer = createRenderer();
  const model = renderer.upload(kiri);
  const crowd = new Crowd(kiri, count, {fades});
  const clips = kiri.info.clips.length;
  const {placements} = crowd;
  for (let i = 0; i < count; ++i) placements.set(spread(i), 6 * i);
  return timeFrames(frames, (frame) => {
    const {seconds, fadeSeconds} = crowd;
    for (let i = 0; i < count; ++i) {
      crowd.clips[i] = 1 + i % (clips - 1);
      seconds[i] = frame / 60 + i * 0.37;
      if (!fades) continue;
      crowd.fadeClips[i] = 1 + (i + 1) % (clips - 1);
      fadeSeconds[i] = seconds[i];
      crowd.fadeWeights[i] = 0.5;
    }
    renderer.draw(model, crowd, camera);
  });
}

/**
 * Times animators in a crossfade: `what` is "pose" to advance and pose them, "stream" to make their triangles as well, and
 * "draw" to draw them instead.
 */
async function timeAnimators(count, what, frames) {
  const kiri = await load(KIRI);
  const renderer = createRenderer();
  const model = renderer.upload(kiri);
  const stream = new DrawStream();
  const actors = Array.from({length: count}, (_, i) => {
    const animator = new Animator(kiri, {smooth: true});
    animator.play('walk', {loop: 'always', start: (i * 0.37) % 1});
    animator.play('wave', {loop: 'always', fade: 1e6});
    return {animator, pose: new Pose(kiri)};
  });
  return timeFrames(frames, () => {
    stream.clear();
    for (const {animator, pose} of actors) {
      animator.advance(1 / 60);
      animator.pose(pose);
      if (what === 'stream') stream.add(pose);
    }
    if (what === 'draw') renderer.draw(model, actors, camera);
  });
}

const memory = async () => {
  globalThis.gc?.();
  await new Promise((resolve) => setTimeout(resolve, 50));
  return {heap: performance.memory?.usedJSHeapSize ?? 0,
          module: live.memories.reduce((sum, memory) => sum + (memory.deref()?.buffer.byteLength ?? 0), 0)};
};

const first = location.search === '?first' ? await timeFirstImage() : null;
Object.assign(globalThis, {first, timeAnimators, timeCrowd, memory, ready: true});
