// SPDX-License-Identifier: MIT
import 'pchr-player';

const player = document.createElement('pchr-player');
Object.assign(player, {src: 'kiri.pchr', clip: 'walk', autoplay: true});
player.addEventListener('draw', () => { globalThis.ready = player.frame > 0; });
document.body.append(player);
