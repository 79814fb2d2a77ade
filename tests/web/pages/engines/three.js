// SPDX-License-Identifier: MIT
import {
  Color, HalfFloatType, Mesh, MeshBasicMaterial, OrthographicCamera, PlaneGeometry, Raycaster, Scene, SRGBColorSpace,
  Vector2, Vector3, WebGLRenderer, WebGLRenderTarget,
} from 'three';
import {PchrObject} from 'pchr-player/three';
import {Character, Renderer, Skin, setModuleUrl} from 'pchr-player/runtime';

setModuleUrl('runtime', '/pchr-runtime.wasm');
setModuleUrl('full', '/pchr.wasm');

const scene = new Scene();
const camera = new OrthographicCamera(0, 1, 1, 0, -1000, 1000);
let renderer;

function resize(width, height) {
  renderer.setSize(width, height);
  camera.right = width;
  camera.top = height;
  camera.updateProjectionMatrix();
}

function start(width, height, background) {
  renderer = new WebGLRenderer({antialias: false, preserveDrawingBuffer: true});
  document.body.append(renderer.domElement);
  scene.background = new Color(background);
  resize(width, height);
}

async function add({box, character, x, y, scale = 1, flipX = false, color = 0xFFFFFF, alpha = 1, ...options}) {
  let made;
  if (box) {
    const [left, top, width, height] = box;
    made = new Mesh(new PlaneGeometry(width, height),
                    new MeshBasicMaterial({color, opacity: alpha, transparent: true, depthWrite: false}));
    made.position.set(left + width / 2, camera.top - top - height / 2, 0);
  } else {
    made = await PchrObject.load(character, {smooth: false, scale, ...options});
    made.position.set(x, camera.top - y, 0);
    if (flipX) made.scale.x *= -1;
    made.color.setHex(color, SRGBColorSpace).convertLinearToSRGB();
    made.opacity = alpha;
    made.changed();
  }
  made.renderOrder = scene.children.length;
  scene.add(made);
  return made;
}

function clear() {
  for (const child of [...scene.children]) {
    child.dispose();
    if (child.geometry) {
      child.geometry.dispose();
      if (!child.character) child.material.dispose();
    }
    child.removeFromParent();
  }
}

let linear = false;

/** Draws the scene, first into a target as for effects if that is asked for. */
function render() {
  if (!linear) {
    renderer.render(scene, camera);
    return;
  }
  const target = new WebGLRenderTarget(camera.right, camera.top, {type: HalfFloatType});
  renderer.setRenderTarget(target);
  renderer.render(scene, camera);
  renderer.setRenderTarget(null);
  const all = new Scene();
  all.add(new Mesh(new PlaneGeometry(2, 2), new MeshBasicMaterial({map: target.texture})));
  renderer.render(all, new OrthographicCamera(-1, 1, 1, -1, -1, 1));
  target.dispose();
}

export const engine = {
  start, add, clear, resize, scene, camera, Raycaster, Vector2, Vector3,
  get renderer() { return renderer; },
  get canvas() { return renderer.domElement; },
  render,
  throughLinearLight() { linear = true; },
  update: (object, seconds) => object.update(seconds),
  stop() {
    clear();
    renderer.dispose();
    renderer.forceContextLoss();
    renderer.domElement.remove();
  },
};
export const runtime = {Character, Renderer, Skin};
