// SPDX-License-Identifier: MIT
// Adds a button for each clip and counts the markers "step".
import '../pchr-player.js';

const player = document.querySelector('pchr-player');
const steps = document.querySelector('#steps');

player.addEventListener('load', () => {
  for (const {name} of player.clips) {
    const button = document.createElement('button');
    button.textContent = name;
    button.addEventListener('click', () => {
      player.clip = name;
      player.play();
    });
    document.querySelector('#clips').append(button, ' ');
  }
});

player.addEventListener('marker', (event) => {
  if (event.detail.name === 'step') steps.value = Number(steps.value) + 1;
});
