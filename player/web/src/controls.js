// SPDX-License-Identifier: MIT
// The bar below a character, and its mouse, touch and keyboard input. Uses only the element's public interface.

import {panView} from './view.js';

/** @typedef {import('./pchr-player.js').PchrPlayer} PchrPlayer */

const SPEEDS = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 4];

/** Paths of icons in a box of 24 by 24. */
const ICONS = {
  play: 'M8 5v14l11-7z',
  pause: 'M6 5h4v14H6zm8 0h4v14h-4z',
  loop: 'M7 7h10v3l4-4-4-4v3H5v6h2zm10 10H7v-3l-4 4 4 4v-3h12v-6h-2z',
  fit: 'M3 8V3h5v2H5v3zm13-5h5v5h-2V5h-3zM5 16v3h3v2H3v-5zm14 0h2v5h-5v-2h3zM8 8h8v8H8z',
  fullscreen: 'M14 3h7v7h-2V6.4l-5.3 5.3-1.4-1.4L17.6 5H14zM10 21H3v-7h2v3.6l5.3-5.3 1.4 1.4L6.4 19H10z',
};

/** Styles of the bar. */
export const CONTROLS_STYLE = `
  .bar { container-type: inline-size; }
  [part=controls] {
    display: flex; flex-wrap: wrap; align-items: center; gap: 0 4px; padding: 0 6px;
    background: var(--pchr-controls-background, Canvas); color: var(--pchr-controls-color, CanvasText);
    font: var(--pchr-controls-font, 13px/1 system-ui, sans-serif);
    accent-color: var(--pchr-accent-color, #e0662f);
  }
  [inert] > * { opacity: 0.4; }
  button, select {
    font: inherit; color: inherit; height: 44px; margin: 0; border: 0; border-radius: 6px; background: transparent;
    cursor: pointer;
  }
  button { flex: none; width: 44px; padding: 11px; }
  select { flex: 0 1 auto; max-width: 12em; text-overflow: ellipsis; }
  option { background: Canvas; color: CanvasText; }
  button:hover, select:hover { background: color-mix(in srgb, currentColor 14%, transparent); }
  button:focus-visible, select:focus-visible, input:focus-visible {
    outline: 2px solid var(--pchr-accent-color, #e0662f); outline-offset: -1px;
  }
  button[aria-pressed=true] { color: var(--pchr-accent-color, #e0662f); }
  svg { display: block; width: 22px; height: 22px; fill: currentColor; }
  input { flex: 1 1 0; min-width: 0; height: 44px; margin: 0; cursor: pointer; }
  output { min-width: 4em; text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
  [hidden] { display: none; }
  @container (max-width: 520px) {
    input, output { order: -1; }
    input { flex-basis: calc(100% - 5em); }
    [part=clips] { flex: 1 1 4em; min-width: 0; }
    [part=speeds] { margin-inline-end: auto; }
  }
  @container (max-width: 280px) {
    [part=controls] { gap: 0; }
    [part=clips] { flex-basis: 3em; }
    [part=speeds] { display: none; }
  }
`;

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Record<string, string>} [attributes] @param {(Node | string)[]} children
 */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** @param {keyof typeof ICONS} name */
function makeIcon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', ICONS[name]);
  svg.append(path);
  return svg;
}

/** @param {keyof typeof ICONS} name @param {string} label @param {() => void} act */
function makeButton(name, label, act) {
  const button = make('button', {type: 'button', part: `button ${name}`, 'aria-label': label, title: label},
                      makeIcon(name));
  button.addEventListener('click', act);
  return button;
}

/**
 * Replaces the options unless they are the same, because that closes a menu.
 * @param {HTMLSelectElement} select @param {string[]} texts
 */
function setOptions(select, texts) {
  if (texts.length === select.length && texts.every((text, i) => text === select.options[i].value)) return;
  select.replaceChildren(...texts.map((text) => new Option(text, text)));
}

/** Bar of controls. */
export class Controls {
  /** The bar's element. */
  element;
  #player;
  #bar;
  #play;
  #loop;
  #frame;
  #position;
  #clips;
  #speeds;
  #wasPlaying = false;

  /** @param {PchrPlayer} player */
  constructor(player) {
    this.#player = player;
    this.#play = makeButton('play', 'Play', () => togglePlayback(player));
    this.#loop = makeButton('loop', 'Loop', () => toggleLoop(player));
    this.#frame = make('input', {type: 'range', min: '0', step: '1', part: 'timeline', 'aria-label': 'Frame'});
    this.#position = make('output', {part: 'position', 'aria-hidden': 'true'});
    this.#clips = make('select', {part: 'clips', 'aria-label': 'Clip', title: 'Clip'});
    this.#speeds = make('select', {part: 'speeds', 'aria-label': 'Speed', title: 'Speed'});
    const fullscreen = makeButton('fullscreen', 'Full screen', () => {
      document.fullscreenElement ? document.exitFullscreen() : player.requestFullscreen();
    });
    fullscreen.hidden = !document.fullscreenEnabled;
    this.#bar = make('div', {part: 'controls', role: 'group', 'aria-label': 'Playback'}, this.#play, this.#frame,
                     this.#position, this.#clips, this.#speeds, this.#loop,
                     makeButton('fit', 'Fit', () => player.fit()), fullscreen);
    this.element = make('div', {class: 'bar'}, this.#bar);

    // The character waits while the slider is held.
    this.#frame.addEventListener('input', () => {
      this.#wasPlaying ||= !player.paused;
      player.pause();
      player.frame = Number(this.#frame.value);
    });
    this.#frame.addEventListener('change', () => {
      if (this.#wasPlaying) player.play();
      this.#wasPlaying = false;
    });
    this.#clips.addEventListener('change', () => {
      player.clipIndex = this.#clips.selectedIndex;
    });
    this.#speeds.addEventListener('change', () => {
      player.speed = Number.parseFloat(this.#speeds.value);
    });
    this.update();
  }

  /** Shows another character, clip, speed or state. */
  update() {
    const player = this.#player;
    const {clips, speed} = player;
    this.#bar.inert = player.info === null;
    setOptions(this.#clips, clips.map(({name}) => name));
    this.#clips.selectedIndex = player.clipIndex;
    this.#clips.hidden = clips.length < 2;
    const speeds = SPEEDS.includes(speed) ? SPEEDS : [...SPEEDS, speed].sort((a, b) => a - b);
    setOptions(this.#speeds, speeds.map((each) => `${each}×`));
    this.#speeds.selectedIndex = speeds.indexOf(speed);
    this.#loop.setAttribute('aria-pressed', String(player.loops));
    this.#frame.max = String(Math.max(player.frameCount - 1, 0));
    const label = player.paused ? 'Play' : 'Pause';
    if (this.#play.title !== label) {
      this.#play.title = label;
      this.#play.setAttribute('aria-label', label);
      this.#play.replaceChildren(makeIcon(player.paused ? 'play' : 'pause'));
    }
    this.updateTime();
  }

  /** Shows another frame. */
  updateTime() {
    const {frame} = this.#player;
    this.#frame.value = String(frame);
    const text = `${frame} / ${this.#frame.max}`;
    if (this.#position.value !== text) this.#position.value = text;
  }
}

/** @param {PchrPlayer} player */
function togglePlayback(player) {
  if (player.paused) player.play();
  else player.pause();
}

/** @param {PchrPlayer} player */
function toggleLoop(player) {
  player.loop = player.loops ? 'once' : 'always';
}

/** @param {PchrPlayer} player @param {number} step */
function changeSpeed(player, step) {
  const next = step > 0 ? SPEEDS.find((speed) => speed > player.speed)
                        : [...SPEEDS].reverse().find((speed) => speed < player.speed);
  player.speed = next ?? player.speed;
}

/** @param {PchrPlayer} player @param {number} step */
function stepFrame(player, step) {
  player.pause();
  player.frame = (player.frame + step + player.frameCount) % player.frameCount;
}

/** @param {PchrPlayer} player @param {number} step */
function stepClip(player, step) {
  const {length} = player.clips;
  if (length > 0) player.clipIndex = (player.clipIndex + step + length) % length;
}

/**
 * Keys, as in the desktop player.
 * @type {Record<string, (player: PchrPlayer) => void>}
 */
const KEYS = {
  ' ': togglePlayback,
  ArrowLeft: (player) => stepFrame(player, -1),
  ArrowRight: (player) => stepFrame(player, 1),
  ArrowUp: (player) => stepClip(player, -1),
  ArrowDown: (player) => stepClip(player, 1),
  Home: (player) => { player.frame = 0; },
  End: (player) => { player.frame = player.frameCount - 1; },
  ',': (player) => changeSpeed(player, -1),
  '.': (player) => changeSpeed(player, 1),
  Backspace: (player) => { player.speed = 1; },
  l: toggleLoop,
  m: (player) => { player.smooth = !player.smooth; },
  f: (player) => player.fit(),
  '+': (player) => player.zoomBy(1.25),
  '=': (player) => player.zoomBy(1.25),
  '-': (player) => player.zoomBy(0.8),
};

/** Factor of the zoom when the wheel turns by one notch, which is 100 pixels. */
const ZOOM_PER_NOTCH = 1.15;

/**
 * Lets the user move the view with the mouse, touch and keyboard until the signal is aborted.
 * @param {PchrPlayer} player @param {HTMLElement} stage @param {AbortSignal} signal
 * @param {boolean} shy  Lets the page scroll with one finger, and with the wheel unless the player has the focus.
 */
export function addInput(player, stage, signal, shy) {
  /**
   * Positions of the mouse or the fingers that are down.
   * @type {Map<number, {x: number, y: number}>}
   */
  const pointers = new Map();

  /** Returns the center of the pointers and their mean distance from it. */
  const gather = () => {
    /** @param {(pointer: {x: number, y: number}) => number} value */
    const mean = (value) => [...pointers.values()].reduce((sum, each) => sum + value(each), 0) / pointers.size;
    const [x, y] = [mean((each) => each.x), mean((each) => each.y)];
    return {x, y, spread: mean((each) => Math.hypot(each.x - x, each.y - y))};
  };
  /** Factor that waits until it is enough for the next whole zoom. */
  let waiting = 1;
  /**
   * Zooms around a position on the page.
   * @param {number} factor @param {number} x @param {number} y @param {number} enough
   */
  const zoom = (factor, x, y, enough) => {
    waiting *= factor;
    const isLittle = waiting * 1.001 < enough && waiting > 1.001 / enough;
    if (player.hasWholeZooms && isLittle) return;
    const box = stage.getBoundingClientRect();
    player.zoomBy(waiting, x - box.x - box.width / 2, y - box.y - box.height / 2);
    waiting = 1;
  };

  if (player.controls) {
    stage.addEventListener('keydown', (event) => {
      const act = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!act || !player.info || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      act(player);
    }, {signal});
    stage.addEventListener('dblclick', () => player.fit(), {signal});
  }
  // Keeps the browser from scrolling with two fingers.
  stage.addEventListener('touchmove', (event) => {
    if (event.touches.length > 1) event.preventDefault();
  }, {signal, passive: false});

  stage.addEventListener('wheel', (event) => {
    // A pinch on a touchpad counts as Ctrl and small turns.
    if (shy && !event.ctrlKey && !stage.matches(':focus')) return;
    event.preventDefault();
    const pixels = event.deltaY * [1, 33, 300][event.deltaMode] * (event.ctrlKey ? 8 : 1);
    zoom(ZOOM_PER_NOTCH ** (-pixels / 100), event.clientX, event.clientY, ZOOM_PER_NOTCH);
  }, {signal, passive: false});

  stage.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 && (shy || event.button !== 1)) return;
    stage.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, {x: event.clientX, y: event.clientY});
    waiting = 1;
  }, {signal});

  stage.addEventListener('pointermove', (event) => {
    const pointer = pointers.get(event.pointerId);
    if (!pointer) return;
    const before = gather();
    pointer.x = event.clientX;
    pointer.y = event.clientY;
    if (!player.info || (shy && event.pointerType === 'touch' && pointers.size < 2)) return;
    const after = gather();
    player.view = panView(player.view, after.x - before.x, after.y - before.y);
    if (before.spread > 0 && after.spread > 0) zoom(after.spread / before.spread, after.x, after.y, 1.5);
  }, {signal});

  for (const end of /** @type {const} */ (['pointerup', 'pointercancel', 'lostpointercapture'])) {
    stage.addEventListener(end, (event) => pointers.delete(event.pointerId), {signal});
  }
}
