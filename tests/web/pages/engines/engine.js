// SPDX-License-Identifier: MIT
// Loads the script of an engine, which the test has bundled: engine.html?pixi. It sets `engine`, which adds boxes and
// characters to a scene, all in pixels from the top left.

for (const {prototype} of [WebGLRenderingContext, WebGL2RenderingContext]) {
  for (const name of ['drawArrays', 'drawElements', 'drawArraysInstanced', 'drawElementsInstanced']) {
    const original = prototype[name];
    if (!original) continue;
    prototype[name] = function (...all) {
      ++globalThis.drawCalls;
      return original.apply(this, all);
    };
  }
}

/** Returns the pixels of a canvas as RGBA, top row first, in base64. */
function readCanvas(canvas) {
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d');
  copy.drawImage(canvas, 0, 0);
  const {data} = copy.getImageData(0, 0, canvas.width, canvas.height);
  let text = '';
  for (let i = 0; i < data.length; i += 32768) text += String.fromCharCode(...data.subarray(i, i + 32768));
  return btoa(text);
}

/** Draws the scene. Returns its pixels. */
function readScene() {
  globalThis.drawCalls = 0;
  engine.render();
  globalThis.calls = drawCalls;
  return readCanvas(engine.canvas);
}

/** Adds things to the scene, back to front. They are in `shown`. */
async function show(things) {
  globalThis.shown = [];
  for (const thing of things) shown.push(await engine.add(thing));
}

/** Returns the numbers of OpenGL objects, and the bytes of the modules' memory. */
function held() {
  const bytes = live.memories.reduce((sum, memory) => sum + (memory.deref()?.buffer.byteLength ?? 0), 0);
  return {...live.gl, bytes};
}

Object.assign(globalThis, {drawCalls: 0, readScene, readCanvas, show, held});
const {engine, runtime} = await import(`/out/engines/${location.search.slice(1)}.js`);
Object.assign(globalThis, runtime, {engine, ready: true});
