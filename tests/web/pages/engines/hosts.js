// SPDX-License-Identifier: MIT
// Scenes of engines, on whose contexts the runtime draws, too.
import 'pixi.js/unsafe-eval';
import {Application, Sprite, Texture} from 'pixi.js';
import {
  DataTexture, Mesh, MeshBasicMaterial, OrthographicCamera, PlaneGeometry, Scene, WebGLRenderer,
} from 'three';
import * as runtime from 'pchr-player/runtime';

runtime.setModuleUrl('runtime', '/pchr-runtime.wasm');

const SIDE = 256;
/** Pixels that look different when they are flipped or multiplied by alpha. */
const PIXELS = new Uint8Array([255, 0, 0, 255, 0, 255, 0, 128, 0, 0, 255, 255, 255, 255, 0, 64]);

async function startThree() {
  const renderer = new WebGLRenderer({antialias: false, preserveDrawingBuffer: true});
  renderer.setSize(SIDE, SIDE);
  renderer.autoClear = true;
  const texture = new DataTexture(PIXELS, 2, 2);
  Object.assign(texture, {flipY: true, premultiplyAlpha: true, needsUpdate: true});
  const scene = new Scene();
  const material = new MeshBasicMaterial({map: texture, transparent: true});
  scene.add(new Mesh(new PlaneGeometry(1, 1), material));
  scene.add(new Mesh(new PlaneGeometry(0.3, 0.3), new MeshBasicMaterial()));
  const camera = new OrthographicCamera(-1, 1, 1, -1, -1, 1);
  return {
    gl: renderer.getContext(), render: () => renderer.render(scene, camera), stop: () => renderer.dispose(),
    upload: () => { texture.needsUpdate = true; },
  };
}

async function startPixi() {
  const app = new Application();
  await app.init({width: SIDE, height: SIDE, backgroundAlpha: 0, autoStart: false, preserveDrawingBuffer: true,
                  preference: 'webgl'});
  const texture = Texture.from({resource: PIXELS, width: 2, height: 2, alphaMode: 'premultiply-alpha-on-upload'});
  const sprite = new Sprite({texture, width: 100, height: 100});
  sprite.position.set(60, 80);
  app.stage.addChild(sprite, new Sprite({texture: Texture.WHITE, width: 50, height: 20}));
  return {
    gl: app.renderer.gl, render: () => app.render(), stop: () => app.destroy(true),
    upload: () => texture.source.update(),
  };
}

function read(gl) {
  const pixels = new Uint8Array(4 * SIDE * SIDE);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  gl.readPixels(0, 0, SIDE, SIDE, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  return pixels;
}

/** Draws a character on top of a scene. Returns what each of some frames shows. */
async function run(start) {
  const host = await start();
  const {gl} = host;
  host.render();
  const plain = read(gl);
  const kiri = await runtime.Character.load('/assets/kiri.pchr');
  const renderer = new runtime.Renderer(gl);
  const model = renderer.upload(kiri);
  const pose = new runtime.Pose(kiri).setFrame('walk', {frame: 15});
  const camera = {...runtime.fitCamera(kiri.info.bounds, SIDE, SIDE), width: SIDE, height: SIDE};
  const frames = [];
  for (let i = 0; i < 3; ++i) {
    host.render();
    frames.push(read(gl));
    gl.viewport(0, 0, SIDE, SIDE);
    renderer.draw(model, pose, camera);
    frames.push(read(gl));
    if (i === 1) host.upload();
  }
  // The character alone, on nothing.
  const color = gl.getParameter(gl.COLOR_CLEAR_VALUE);
  gl.clearColor(0, 0, 0, 0);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.clearColor(...color);
  renderer.draw(model, pose, camera);
  const alone = read(gl);
  const error = gl.getError();
  renderer.free();
  host.render();
  frames.push(read(gl));
  host.stop();
  const same = (a, b) => a.every((byte, i) => byte === b[i]);
  return {
    error, hosts: [0, 2, 4, 6].map((i) => same(frames[i], plain)),
    characters: [3, 5].map((i) => same(frames[i], frames[1])),
    alone: [...alone], plain: [...plain], together: [...frames[1]],
  };
}

export const engine = {start() {}, runThree: () => run(startThree), runPixi: () => run(startPixi)};
