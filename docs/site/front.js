// SPDX-License-Identifier: MIT
// A character that is pointed at plays its act once.
for (const player of document.querySelectorAll('[data-act]')) {
  const act = () => {
    if (player.loop === 'once' || player.paused) return;
    const clip = player.clip;
    // The act fits where the character is, at its size.
    player.view = player.view;
    player.addEventListener('clipend', () => {
      player.clip = clip;
      player.loop = 'always';
      player.fit();
      player.play();
    }, {once: true});
    player.loop = 'once';
    player.clip = player.dataset.act;
    player.play();
  };
  player.parentElement.addEventListener('pointerenter', act);
  player.parentElement.addEventListener('focus', act);
}
