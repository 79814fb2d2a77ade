// SPDX-License-Identifier: MIT
import {drawFrame} from './drawing.js';

self.onmessage = async ({data: {canvas, url, clip, frame}}) => {
  try {
    self.postMessage({pixels: await drawFrame(canvas, url, clip, frame)});
  } catch (error) {
    self.postMessage({error: String(error)});
  }
};
self.postMessage({ready: true});
