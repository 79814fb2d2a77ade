// SPDX-License-Identifier: MIT
Promise.reject(new Error('rejected'));
console.error('reported');
setTimeout(() => {
  globalThis.ready = true;
  throw new Error('thrown');
});
