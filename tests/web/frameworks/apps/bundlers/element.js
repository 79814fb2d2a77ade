// SPDX-License-Identifier: MIT
import 'pchr-player';

const player = document.createElement('pchr-player');
Object.assign(player, {src: 'kiri.pchr', clip: 'walk', autoplay: true, controls: true});
// The controls are a script of their own.
player.addEventListener('draw', () => {
  globalThis.ready = player.frame > 0 && player.shadowRoot.querySelector('[part~=play]') !== null;
});
document.body.append(player);
