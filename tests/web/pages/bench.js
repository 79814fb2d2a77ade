// SPDX-License-Identifier: MIT
const started = performance.now();
const {Character} = await import('/character.js');
const {loadModule} = await import('/module.js');

/**
 * Returns milliseconds from the start of this script to the first image of a character, and parts of it. Like the
 * element, it compiles the module while it fetches the file.
 */
async function timeFirstImage(url) {
  loadModule(false);
  const response = await fetch(url);
  const files = [{name: 'kiri.pchr', bytes: new Uint8Array(await response.arrayBuffer())}];
  const fetched = performance.now();
  const character = await Character.open(files);
  const opened = performance.now();
  const canvas = Object.assign(document.createElement('canvas'), {width: 512, height: 512});
  document.body.append(canvas);
  character.attach(canvas);
  const uploaded = performance.now();
  character.setClip(1);
  character.draw({center: [0, 300], zoom: 0.6});
  // Waits until the pixels are there.
  canvas.getContext('webgl2').readPixels(0, 0, 1, 1, WebGL2RenderingContext.RGBA, WebGL2RenderingContext.UNSIGNED_BYTE,
                                         new Uint8Array(4));
  const drawn = performance.now();
  return {total: drawn - started, fetch: fetched - started, open: opened - fetched, upload: uploaded - opened,
          draw: drawn - uploaded};
}

/** Returns milliseconds of JavaScript and WebAssembly per frame of `count` characters of a baked crowd. */
async function timeCrowd(url, count, frames) {
  const response = await fetch(url);
  const character = await Character.open([{name: 'kiri.pchr', bytes: new Uint8Array(await response.arrayBuffer())}]);
  // Without a GPU, filling pixels would take longer than everything else and hold up the next frame.
  const canvas = Object.assign(document.createElement('canvas'), {width: 64, height: 36});
  document.body.append(canvas);
  character.attach(canvas, {antialias: false});
  const clips = character.info.clips.length;
  const bytes = new ArrayBuffer(48 * count);
  const numbers = new Float32Array(bytes);
  const words = new Uint32Array(bytes);
  const times = [];
  for (let frame = 0; frame < frames; ++frame) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const start = performance.now();
    for (let i = 0; i < count; ++i) {
      const at = 12 * i;
      words[at] = 1 + i % (clips - 1);
      numbers[at + 1] = frame / 60 + i * 0.37;
      numbers[at + 2] = numbers[at + 5] = 0.05;
      numbers[at + 6] = 30 * (i % 40) - 600;
      numbers[at + 7] = 25 * Math.floor(i / 40) - 320;
      numbers.fill(1, at + 8, at + 12);
    }
    character.drawCrowd(numbers, {center: [0, 0], zoom: 0.05});
    times.push(performance.now() - start);
  }
  return times;
}

/** Returns milliseconds of JavaScript and WebAssembly per frame of one character. */
async function timeOne(url, frames) {
  const response = await fetch(url);
  const character = await Character.open([{name: 'kiri.pchr', bytes: new Uint8Array(await response.arrayBuffer())}]);
  const canvas = Object.assign(document.createElement('canvas'), {width: 256, height: 256});
  document.body.append(canvas);
  character.attach(canvas);
  character.setClip(1, {loop: 'always', smooth: true});
  const times = [];
  for (let frame = 0; frame < frames; ++frame) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const start = performance.now();
    character.advance(1 / 60);
    character.draw({center: [0, 300], zoom: 0.3});
    times.push(performance.now() - start);
  }
  return times;
}

const url = new URLSearchParams(location.search).get('first');
const first = url === null ? null : await timeFirstImage(url);
Object.assign(globalThis, {first, timeCrowd, timeOne, ready: true});
