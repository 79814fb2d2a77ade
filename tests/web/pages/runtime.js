// SPDX-License-Identifier: MIT
import * as runtime from '/runtime.js';
import {drawFrame, readPixels} from './drawing.js';

function createCanvas(width, height) {
  const canvas = Object.assign(document.createElement('canvas'), {width, height});
  document.body.append(canvas);
  return canvas;
}

/** Returns what a worker draws on an OffscreenCanvas. */
function drawInWorker(width, height, url, clip, frame) {
  const worker = new Worker('runtime_worker.js', {type: 'module'});
  return new Promise((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(event.message));
    worker.onmessage = ({data}) => {
      if (data.ready) {
        const canvas = new OffscreenCanvas(width, height);
        worker.postMessage({canvas, url, clip, frame}, [canvas]);
      } else if (data.error) {
        reject(new Error(data.error));
      } else {
        worker.terminate();
        resolve(data.pixels);
      }
    };
  });
}

/** What a page can have set on a context. */
const STATE = [
  'CURRENT_PROGRAM', 'VERTEX_ARRAY_BINDING', 'ARRAY_BUFFER_BINDING', 'PIXEL_UNPACK_BUFFER_BINDING', 'ACTIVE_TEXTURE', 'BLEND',
  'BLEND_SRC_RGB', 'BLEND_DST_RGB', 'BLEND_SRC_ALPHA', 'BLEND_DST_ALPHA', 'BLEND_EQUATION_RGB', 'BLEND_EQUATION_ALPHA',
  'DEPTH_TEST', 'CULL_FACE', 'STENCIL_TEST', 'UNPACK_ALIGNMENT', 'UNPACK_ROW_LENGTH', 'UNPACK_FLIP_Y_WEBGL',
  'UNPACK_PREMULTIPLY_ALPHA_WEBGL', 'UNPACK_COLORSPACE_CONVERSION_WEBGL', 'FRAMEBUFFER_BINDING', 'VIEWPORT',
];

/** Returns the state of a context, with bindings of some units. */
function readState(gl) {
  const state = STATE.map((name) => [name, gl.getParameter(gl[name])]);
  const active = gl.getParameter(gl.ACTIVE_TEXTURE);
  for (let unit = 0; unit < 4; ++unit) {
    gl.activeTexture(gl.TEXTURE0 + unit);
    state.push([`texture ${unit}`, gl.getParameter(gl.TEXTURE_BINDING_2D)], [`sampler ${unit}`, gl.getParameter(gl.SAMPLER_BINDING)]);
  }
  gl.activeTexture(active);
  return state;
}

/** Returns a program of the page that fills the viewport with a texture, and leaves its state set. */
function createScene(gl) {
  const program = gl.createProgram();
  const sources = [[gl.VERTEX_SHADER, `#version 300 es
    in vec2 at; out vec2 uv; void main() { uv = at; gl_Position = vec4(at * 2.0 - 1.0, 0, 1); }`],
                   [gl.FRAGMENT_SHADER, `#version 300 es
    precision mediump float; uniform sampler2D image; in vec2 uv; out vec4 color; void main() { color = texture(image, uv); }`]];
  for (const [type, source] of sources) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  gl.useProgram(program);
  gl.bindVertexArray(gl.createVertexArray());
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([0, 0, 1, 0, 0, 1, 1, 1]), gl.STATIC_DRAW);
  const at = gl.getAttribLocation(program, 'at');
  gl.enableVertexAttribArray(at);
  gl.vertexAttribPointer(at, 2, gl.FLOAT, false, 0, 0);
  for (const unit of [1, 0]) {
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    const color = unit === 0 ? [40, 80, 120, 255] : [1, 2, 3, 255];
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(color));
  }
  gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, true);
  gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true);
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 2);
  gl.enable(gl.BLEND);
  gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE);
  gl.enable(gl.CULL_FACE);
  gl.disable(gl.CULL_FACE);
  return () => gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
}

Object.assign(globalThis, {runtime, createCanvas, createScene, drawFrame, drawInWorker, readPixels, readState, ready: true});
