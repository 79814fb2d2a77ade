// SPDX-License-Identifier: MIT
// The element <pchr-player>, which shows an animated character.

import {Character, CharacterError, Playback} from './character.js';
import * as stage from './stage.js';
import {fitView, wholeView, wholeZoom, zoomView} from './view.js';

export {Character, CharacterError, Playback};
export {setModuleUrl} from './module.js';

/** @typedef {import('./character.js').CharacterFile} CharacterFile */
/** @typedef {import('./character.js').CharacterInfo} CharacterInfo */
/** @typedef {import('./character.js').Clip} Clip */
/** @typedef {import('./view.js').Placement} Placement */

/** A character can move at most this many seconds per frame, such as after the page was in the background. */
const MAX_STEP = 0.1;

/**
 * How Character.save() calls the values of `filter`.
 * @type {Record<'auto' | 'smooth' | 'hard', import('./surface.js').View['filter']>}
 */
export const FILTERS = {auto: undefined, smooth: 'trilinear', hard: 'nearest'};

const CHECKER = 'repeating-conic-gradient(#8883 0 25%, #8881 0 50%) 0 0 / 24px 24px';

const STYLE = `
  :host { display: inline-block; width: 320px; height: 320px; overflow: hidden; }
  .frame { display: flex; flex-direction: column; width: 100%; height: 100%; }
  :host([hidden]) { display: none !important; }
  :host(:fullscreen) { width: 100% !important; height: 100% !important; background: Canvas; }
  [part=stage] { position: relative; flex: 1 1 0; min-height: 0; overflow: hidden; }
  [part=stage].input { cursor: grab; touch-action: none; }
  [part=stage].input:active { cursor: grabbing; }
  [part=stage].shy { touch-action: pan-x pan-y; }
  [part=stage].empty canvas { visibility: hidden; }
  [part=stage]:focus-visible { outline: 2px solid var(--pchr-accent-color, #e0662f); outline-offset: -2px; }
  canvas, slot { position: absolute; inset: 0; width: 100%; height: 100%; }
  slot { display: flex; align-items: center; justify-content: center; }
  ::slotted(*) { max-width: 100%; max-height: 100%; }
  slot[hidden], [part=error][hidden] { display: none; }
  [part=error] {
    position: absolute; inset: auto 0 0; max-height: 100%; overflow: auto; box-sizing: border-box; padding: 12px;
    white-space: pre-wrap; overflow-wrap: anywhere;
    font: 14px/1.4 system-ui, sans-serif; background: color-mix(in srgb, Canvas 88%, transparent); color: CanvasText;
  }
  [part=error] strong { display: block; }
  [part=error] small { display: block; margin-top: 6px; opacity: 0.8; }
  [part=stage]:not(.empty) [part=error] { padding: 4px 8px; font-size: 12px; pointer-events: none; }
  [part=stage]:not(.empty) [part=error] small { display: none; }
`;

/**
 * Sheets that all elements share.
 * @type {CSSStyleSheet | undefined}
 */
let sheet;
/** @type {CSSStyleSheet | undefined} */
let controlsSheet;
/** @type {MediaQueryList | undefined} */
let motion;

/**
 * What the event "draw" tells: the view in pixels of the canvas, its size, and how many of them a CSS pixel has.
 * @typedef {Placement & {width: number, height: number, pixelRatio: number}} DrawnView
 */

/** Element that shows an animated character. The package's README lists its attributes and events. */
export class PchrPlayer extends (globalThis.HTMLElement ?? class {}) {
  static observedAttributes = [
    'src', 'module', 'clip', 'bind', 'loop', 'speed', 'smooth', 'filter', 'margin', 'background', 'controls', 'movable',
    'label',
  ];

  /** @type {Character | null} */
  #character = null;
  /**
   * Clock of the character.
   * @type {Playback | null}
   */
  #playback = null;
  /** Stops listening to the failure of the character's module. */
  #ignoreFailure = () => {};
  /** @type {CharacterError | null} */
  #error = null;
  /** @type {readonly CharacterFile[] | null} */
  #files = null;
  /** Aborts the load in progress. */
  #loading = new AbortController();
  #isConnected = false;
  /** Whether the character was loaded again because its module had failed. */
  #isReloaded = false;
  #paused = true;
  /** Whether the attribute `autoplay` has started playback, not the user or the page. */
  #autoplayed = false;
  #visible = false;
  #clip = -1;
  #appliedClip = -1;
  /**
   * View in CSS pixels.
   * @type {Placement}
   */
  #view = {center: [0, 0], zoom: 1};
  #fitted = true;
  /**
   * Size of the canvas.
   * @type {ResizeObserverEntry | null}
   */
  #size = null;
  #lastTick = 0;
  #drawn = {frame: -1, time: -1};

  /** @type {HTMLElement} */
  #stage;
  #frame;
  #canvas = document.createElement('canvas');
  /** Pixels of the canvas per CSS pixel. */
  #ratio = 1;
  #message;
  #fallback;
  /** @type {import('./controls.js').Controls | null} */
  #controls = null;
  /** Settles when the controls are there. */
  #controlsLoaded = Promise.resolve();
  #input = new AbortController();
  #resizes = new ResizeObserver((entries) => {
    this.#size = entries[entries.length - 1];
    this.#invalidate();
  });
  #sights = new IntersectionObserver((entries) => this.#see(entries[entries.length - 1].isIntersecting),
                                     {rootMargin: '25%'});

  /** @type {stage.Viewer} */
  #viewer = {
    canvas: this.#canvas,
    update: (now) => this.#update(now),
    drawn: ({center, zoom, width, height}) => {
      this.dispatchEvent(new CustomEvent('draw', {detail: {center, zoom, width, height, pixelRatio: this.#ratio}}));
    },
    redraw: () => this.#invalidate(),
    fail: (error) => this.#fail(error),
  };

  constructor() {
    super();
    const root = this.attachShadow({mode: 'open', delegatesFocus: true});
    root.adoptedStyleSheets = [sheet ??= makeSheet(STYLE)];
    this.#stage = document.createElement('div');
    this.#stage.setAttribute('part', 'stage');
    this.#stage.className = 'empty';
    this.#canvas.setAttribute('part', 'canvas');
    this.#canvas.setAttribute('role', 'img');
    this.#canvas.id = 'canvas';
    this.#fallback = document.createElement('slot');
    this.#message = document.createElement('div');
    this.#message.setAttribute('part', 'error');
    this.#message.setAttribute('role', 'alert');
    this.#message.hidden = true;
    this.#stage.append(this.#fallback, this.#canvas, this.#message);
    // The page can change how the element itself is displayed.
    this.#frame = document.createElement('div');
    this.#frame.className = 'frame';
    this.#frame.append(this.#stage);
    root.append(this.#frame);
  }

  connectedCallback() {
    this.#observeSize();
    this.#sights.observe(this);
    // Also when the page is zoomed.
    window.addEventListener('resize', this.#invalidate);
    if (this.#isConnected) return;
    this.#isConnected = true;
    stage.addViewer(this.#viewer);
    reducedMotion().addEventListener('change', this.#reduceMotion);
    if (!this.#character) this.#load();
  }

  disconnectedCallback() {
    this.#resizes.disconnect();
    this.#sights.disconnect();
    window.removeEventListener('resize', this.#invalidate);
    this.#see(false);
    // An element that only moves within the document stays loaded.
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.#isConnected = false;
      this.#loading.abort();
      this.#close();
      stage.removeViewer(this.#viewer);
      reducedMotion().removeEventListener('change', this.#reduceMotion);
    });
  }

  /** @param {string} name @param {string | null} before @param {string | null} value */
  attributeChangedCallback(name, before, value) {
    if (name === 'src') {
      this.#files = null;
      this.#isReloaded = false;
      this.#load();
    } else if (name === 'module') {
      if (!this.#character) this.#load();
    } else if (name === 'background') {
      this.#stage.style.background = value === 'checker' ? CHECKER : value ?? '';
    } else if (name === 'controls' || name === 'movable') {
      if ((before === null) !== (value === null)) {
        this.#controlsLoaded = this.#showControls().catch((error) => this.#showError(error));
      }
    } else if (name === 'filter' || name === 'margin') {
      this.#invalidate();
    } else if (name === 'clip') {
      this.#chooseClip();
    } else if (name === 'bind') {
      this.#hideError();
      this.#applyBindPose();
    } else {
      this.#applyClip();
    }
  }

  // Attributes --------------------------------------------------------------------------------------------------------

  /** URL of the character. */
  get src() {
    return this.getAttribute('src') ?? '';
  }
  set src(value) {
    this.#reflect('src', value);
  }

  /**
   * URL of `pchr-v1.wasm`, for bundlers that do not find it. The other modules must be next to it.
   */
  get module() {
    return this.getAttribute('module') ?? '';
  }
  set module(value) {
    this.#reflect('module', value);
  }

  /** Name of the clip that plays. Setting it sets the attribute. */
  get clip() {
    return this.clips[this.#clip]?.name ?? this.getAttribute('clip') ?? '';
  }
  set clip(value) {
    this.#reflect('clip', value);
  }

  /** Bind pose: a clip, or a clip and a frame such as "idle:12"; "identity", or "auto". */
  get bind() {
    return this.getAttribute('bind') ?? 'auto';
  }
  set bind(value) {
    this.#reflect('bind', value);
  }

  /** Whether the character starts to play when it is loaded, unless the user prefers reduced motion. */
  get autoplay() {
    return this.hasAttribute('autoplay');
  }
  set autoplay(value) {
    this.#reflect('autoplay', value, true);
  }

  /**
   * What happens at the end of a clip: what its file says, or it starts over, stops, or reverses.
   * @type {'file' | 'always' | 'once' | 'ping-pong'}
   */
  get loop() {
    const value = this.getAttribute('loop');
    if (value === null || value === 'file') return 'file';
    return value === 'once' || value === 'ping-pong' ? value : 'always';
  }
  set loop(value) {
    if (value === 'file') this.removeAttribute('loop');
    else this.#reflect('loop', value);
  }

  /** Factor on the clip's speed. Negative plays backward. */
  get speed() {
    const value = Number(this.getAttribute('speed') ?? 1);
    return Number.isFinite(value) ? value : 1;
  }
  set speed(value) {
    this.#reflect('speed', value);
  }

  /** Whether to interpolate between frames. */
  get smooth() {
    return this.hasAttribute('smooth');
  }
  set smooth(value) {
    this.#reflect('smooth', value, true);
  }

  /**
   * How texels are drawn: as the character asks for, smooth, or hard.
   * @type {'auto' | 'smooth' | 'hard'}
   */
  get filter() {
    const value = this.getAttribute('filter');
    return value === 'smooth' || value === 'hard' ? value : 'auto';
  }
  set filter(value) {
    this.#reflect('filter', value);
  }

  /** Margin around a clip that is fitted, as a fraction of the element. */
  get margin() {
    const value = Number(this.getAttribute('margin') ?? 0.05);
    return value >= 0 && value < 0.5 ? value : 0.05;
  }
  set margin(value) {
    this.#reflect('margin', value);
  }

  /** CSS background behind the character, or "checker". */
  get background() {
    return this.getAttribute('background') ?? '';
  }
  set background(value) {
    this.#reflect('background', value);
  }

  /** Whether the user can control playback and the view. */
  get controls() {
    return this.hasAttribute('controls');
  }
  set controls(value) {
    this.#reflect('controls', value, true);
  }

  /** Whether the user can move the view, also with one finger, and zoom it with the wheel. */
  get movable() {
    return this.hasAttribute('movable');
  }
  set movable(value) {
    this.#reflect('movable', value, true);
  }

  /** Description for screen readers (default: the character's title or file, and the clip). */
  get label() {
    return this.getAttribute('label') ?? '';
  }
  set label(value) {
    this.#reflect('label', value);
  }

  /**
   * Sets an attribute, or removes it for null, undefined and false, which frameworks pass for what is not given.
   * @param {string} name @param {unknown} value
   * @param {boolean} [isFlag]  Whether only the presence of the attribute counts. Then '' sets it, as in markup.
   */
  #reflect(name, value, isFlag = false) {
    if (isFlag ? !value && value !== '' : value === null || value === undefined || value === false) {
      this.removeAttribute(name);
    } else {
      this.setAttribute(name, isFlag || value === true ? '' : String(value));
    }
  }

  // Properties --------------------------------------------------------------------------------------------------------

  /** Files to show instead of `src`: the character, and those that belong to it. */
  get files() {
    return this.#files;
  }
  set files(value) {
    this.#files = value;
    this.#isReloaded = false;
    this.#load();
  }

  /**
   * The character, or null before it is loaded. Setting it shows one that the page has opened, which the element closes
   * when it shows another. If the character cannot be drawn, it is closed, the one before stays, and the setter throws
   * a CharacterError.
   */
  get character() {
    return this.#character;
  }
  set character(character) {
    this.#loading.abort();
    this.removeAttribute('aria-busy');
    // What the page has opened cannot be loaded again.
    this.#isReloaded = true;
    if (character !== this.#character) this.#show(character);
  }

  /** Clock of the character, which tells its pose too; or null before it is loaded. */
  get playback() {
    return this.#playback;
  }

  /** Contents of the character, or null before it is loaded. */
  get info() {
    return this.#character?.info ?? null;
  }

  /** Error that the element shows, or null. */
  get error() {
    return this.#error;
  }

  /**
   * Clips of the character.
   * @returns {readonly Clip[]}
   */
  get clips() {
    return this.info?.clips ?? [];
  }

  /** Index of the clip that plays, or -1 for the bind pose. Does not change the attribute. */
  get clipIndex() {
    return this.#clip;
  }
  set clipIndex(value) {
    this.#clip = value in this.clips ? value : -1;
    this.#applyClip();
  }

  /** Whether the clip never ends. */
  get loops() {
    return this.loop === 'file' ? this.clips[this.#clip]?.loops ?? false : this.loop !== 'once';
  }

  /** Seconds in the clip. */
  get currentTime() {
    return this.#playback?.time ?? 0;
  }
  set currentTime(value) {
    this.seek(value);
  }

  /** Length of the clip in seconds. */
  get duration() {
    return this.clips[this.#clip]?.seconds ?? 0;
  }

  /** Frame on screen. */
  get frame() {
    return this.#playback?.frame ?? 0;
  }
  set frame(value) {
    this.#run(() => this.#playback?.seekFrame(value));
    this.#changeTime();
  }

  /** Number of frames of the clip. */
  get frameCount() {
    return this.clips[this.#clip]?.frames ?? 1;
  }

  /** Whether playback is stopped. */
  get paused() {
    return this.#paused;
  }

  /** CSS pixels per pixel of the character's world. */
  get zoom() {
    return this.#view.zoom;
  }
  set zoom(value) {
    this.view = {...this.#view, zoom: value};
  }

  /** World point in the center of the element. World y points up. */
  get center() {
    return this.#view.center;
  }
  set center(value) {
    this.view = {...this.#view, center: value};
  }

  /** Center and zoom. */
  get view() {
    return this.#view;
  }
  set view({center, zoom}) {
    if (![...center, zoom].every(Number.isFinite) || zoom <= 0) return;
    this.#view = {center: [center[0], center[1]], zoom};
    this.#fitted = false;
    this.#invalidate();
  }

  /** Whether the whole clip is shown, until the view is changed. */
  get fitted() {
    return this.#fitted;
  }

  /** Whether texels are drawn hard, at zooms at which all have the same size: 1, 2, 3 … or 1/2, 1/3 … */
  get hasWholeZooms() {
    const {info, filter} = this;
    return info !== null && !info.is3d && (filter === 'auto' ? info.pixelArt : filter === 'hard');
  }

  // Methods -----------------------------------------------------------------------------------------------------------

  /** Plays the clip, from its start if it has ended. */
  play() {
    this.#autoplayed = false;
    if (this.#playback?.ended) this.seek(this.speed < 0 ? this.duration : 0);
    if (!this.#paused) return;
    this.#paused = false;
    this.#lastTick = 0;
    this.#schedule();
    this.#dispatch('play');
  }

  /** Stops playback. */
  pause() {
    if (this.#paused) return;
    this.#paused = true;
    this.#dispatch('pause');
  }

  /**
   * Moves to a time in the clip.
   * @param {number} seconds
   */
  seek(seconds) {
    this.#run(() => this.#playback?.seek(seconds));
    this.#changeTime();
  }

  /**
   * Moves on in time, also while playback is stopped.
   * @param {number} seconds
   */
  advance(seconds) {
    this.#run(() => this.#playback && this.#advance(this.#playback, seconds));
    this.#changeTime();
  }

  /** Shows the whole clip, also when the clip or the element's size changes, until the view is changed. */
  fit() {
    this.#fitted = true;
    this.#invalidate();
  }

  /**
   * Multiplies the zoom, if need be to the next whole one.
   * @param {number} factor
   * @param {number} [x]  Point that stays in place: CSS pixels right of the element's center.
   * @param {number} [y]  CSS pixels below it.
   */
  zoomBy(factor, x = 0, y = 0) {
    const {zoom} = this.#view;
    const by = this.hasWholeZooms ? wholeZoom(zoom * this.#ratio, factor) / (zoom * this.#ratio) : factor;
    this.view = zoomView(this.#view, by, x, y);
  }

  // Loading -----------------------------------------------------------------------------------------------------------

  async #load() {
    this.#loading.abort();
    const {signal} = this.#loading = new AbortController();
    if (!this.#isConnected) return;
    // Waits for other attributes and properties that a script sets.
    await null;
    if (signal.aborted) return;
    this.#close();
    if (!this.#files && !this.src) return;
    this.setAttribute('aria-busy', 'true');
    const files = this.#files;
    /** @param {string} bindPose */
    const open = (bindPose) => {
      const options = {bindPose, signal, module: this.module ? new URL(this.module, this.baseURI) : undefined};
      return files ? Character.open(files, options) : this.#share(options);
    };
    let {bind} = this;
    try {
      const character = await open(bind).catch((error) => {
        if (bind === 'auto' || error.id !== 'E130') throw error;
        bind = 'auto';
        return open(bind);
      });
      await this.#controlsLoaded;
      if (signal.aborted) {
        character.close();
        return;
      }
      this.removeAttribute('aria-busy');
      this.#show(character, bind);
    } catch (error) {
      if (signal.aborted) return;
      this.removeAttribute('aria-busy');
      this.#fail(error);
    }
  }

  /**
   * Returns the character that all elements with the same files and bind pose share.
   * @param {import('./character.js').OpenOptions} options
   */
  async #share(options) {
    // The children of an element that is being parsed come later.
    if (document.readyState === 'loading') {
      await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, {once: true}));
    }
    const sources = [...this.querySelectorAll('source')].map(({src}) => new URL(src, this.baseURI));
    return Character.share(new URL(this.src, this.baseURI), {...options, sources});
  }

  /**
   * Shows a character instead of the one before it, which stays if the new one cannot be drawn.
   * @param {Character | null} character
   * @param {string} [bind]  Its bind pose.
   */
  #show(character, bind = 'auto') {
    if (character) this.#replace(character);
    else this.#drop();
    this.#reset();
    if (!character) return;
    this.#fitted = true;
    this.#chooseClip();
    if (bind !== this.bind) this.#applyBindPose();
    if (this.autoplay && !reducedMotion().matches) {
      this.play();
      this.#autoplayed = true;
    }
    this.#dispatch('load');
  }

  /** @param {Character} character */
  #replace(character) {
    stage.addCharacter(this.#viewer, character);
    let playback;
    try {
      if (this.#visible) stage.upload(character);
      playback = new Playback(character);
    } catch (error) {
      stage.removeCharacter(this.#viewer, character);
      character.close();
      throw error;
    }
    this.#drop();
    this.#character = character;
    this.#playback = playback;
    this.#ignoreFailure = character.instance.onFailure(() => this.#recover(character));
  }

  /** Frees the character. */
  #drop() {
    if (!this.#character) return;
    this.#ignoreFailure();
    this.#playback?.close();
    stage.removeCharacter(this.#viewer, this.#character);
    this.#character.close();
    this.#character = this.#playback = null;
  }

  /**
   * Loads the character again after a call for another element has made the module fail.
   * @param {Character} character
   */
  async #recover(character) {
    // The element whose call has failed shows the error.
    if (character !== this.#character) return;
    if (this.#isReloaded) return this.#fail(new CharacterError({message: 'the module failed for another character'}));
    const {clipIndex, paused} = this;
    this.#isReloaded = true;
    await this.#load();
    if (!this.#character || !this.#isReloaded) return;
    this.clipIndex = clipIndex;
    if (paused) this.pause();
    else this.play();
  }

  #close() {
    this.#drop();
    this.removeAttribute('aria-busy');
    this.#reset();
  }

  /** Forgets the state of the character before. */
  #reset() {
    this.#clip = this.#appliedClip = -1;
    this.#paused = true;
    this.#autoplayed = false;
    this.#hideError();
    this.#fallback.hidden = this.#character !== null;
    this.#stage.classList.toggle('empty', this.#character === null);
    this.#controls?.update();
  }

  /** @param {unknown} reason */
  #fail(reason) {
    this.#close();
    this.#showError(reason);
  }

  // Names and messages can come from hostile files, so they are never parsed as HTML.
  /** @param {unknown} reason */
  #showError(reason) {
    const error = this.#error = reason instanceof CharacterError ? reason
      : new CharacterError({message: reason instanceof Error ? reason.message : String(reason)}, {cause: reason});
    const title = document.createElement('strong');
    title.textContent = error.id ? `${error.id}: ${error.message}` : error.message;
    this.#message.replaceChildren(title, ...[error.hint, error.place].filter((text) => text).map((text) => {
      const line = document.createElement('small');
      line.textContent = text;
      return line;
    }));
    this.#message.hidden = false;
    this.dispatchEvent(new CustomEvent('error', {detail: error}));
  }

  #hideError() {
    this.#error = null;
    this.#message.hidden = true;
  }

  // Playback ----------------------------------------------------------------------------------------------------------

  /**
   * Plays the clip that the attribute names. By default, it is the first of several frames; if there is none of that
   * name, the one that plays already.
   */
  #chooseClip() {
    if (!this.info) return;
    this.#hideError();
    const name = this.getAttribute('clip');
    const named = this.clips.findIndex((clip) => clip.name === name);
    if (named >= 0) {
      this.#clip = named;
    } else if (name === null || this.#clip < 0) {
      // Many files start with a clip of one frame, the bind pose.
      const [moving, still] = [2, 1].map((count) => this.clips.findIndex(({frames}) => frames >= count));
      this.#clip = moving >= 0 ? moving : still;
    }
    this.#applyClip();
    if (named < 0 && name !== null) {
      const names = this.clips.map((clip) => clip.name).join(', ');
      this.#showError(new CharacterError({message: `there is no clip "${name}"`, hint: `The clips are ${names}.`}));
    }
  }

  #applyBindPose() {
    if (!this.#character) return;
    try {
      const {currentTime} = this;
      this.#replace(this.#character.withBindPose(this.bind));
      this.#applyClip();
      this.seek(currentTime);
    } catch (error) {
      this.#showError(error);
    }
  }

  #applyClip() {
    const playback = this.#playback;
    if (!playback) return;
    const changed = this.#clip !== this.#appliedClip;
    this.#appliedClip = this.#clip;
    this.#run(() => playback.setClip(this.#clip, {loop: this.loop, speed: this.speed, smooth: this.smooth}));
    const name = this.info?.title || this.src.split('/').pop() || '';
    this.#canvas.setAttribute('aria-label', this.label || [name, this.clip].filter((text) => text).join(', '));
    if (changed) this.#dispatch('clipchange');
    this.#changeTime();
  }

  #changeTime() {
    if (!this.#character) return;
    this.#dispatch('timechange');
    this.#invalidate();
  }

  /** @param {string} type */
  #dispatch(type) {
    if (type === 'timechange') this.#controls?.updateTime();
    else this.#controls?.update();
    this.dispatchEvent(new Event(type));
  }

  /**
   * Closes the character if the module fails.
   * @param {() => void} act
   */
  #run(act) {
    try {
      act();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Pauses what has started by itself when the user begins to prefer reduced motion. */
  #reduceMotion = () => {
    if (this.#autoplayed && reducedMotion().matches) this.pause();
  };

  /** @param {Playback} playback @param {number} seconds */
  #advance(playback, seconds) {
    for (const event of playback.advance(seconds)) {
      if (event.type === 'end') {
        this.pause();
        this.#dispatch('clipend');
      } else if (event.type === 'marker') {
        this.dispatchEvent(new CustomEvent('marker', {detail: event.marker}));
      }
      // A listener can have chosen another character.
      if (playback !== this.#playback) return;
    }
    const {frame, time} = playback;
    const moved = frame !== this.#drawn.frame || (this.smooth && time !== this.#drawn.time);
    if (moved || playback.states) this.#changeTime();
  }

  // Drawing -----------------------------------------------------------------------------------------------------------

  /** @param {boolean} visible */
  #see(visible) {
    if (visible === this.#visible) return;
    this.#visible = visible;
    this.#lastTick = 0;
    if (visible) this.#invalidate();
    else Object.assign(this.#canvas, {width: 0, height: 0});  // Frees the image.
  }

  /** Draws in the next frame. */
  #invalidate = () => {
    this.#drawn.frame = -1;
    this.#schedule();
  };

  #observeSize() {
    this.#resizes.disconnect();
    try {
      this.#resizes.observe(this.#canvas, {box: 'device-pixel-content-box'});
    } catch {
      this.#resizes.observe(this.#canvas);  // Safari knows only CSS pixels.
    }
  }

  #schedule() {
    if (this.#visible && this.#character) stage.requestUpdate(this.#viewer);
  }

  /**
   * Returns what to draw, or null if it is on the canvas already.
   * @param {number} now  Milliseconds.
   */
  #update(now) {
    // #recover() is about to load it again.
    if (this.#character?.instance.failed) return null;
    if (this.#playback && !this.#paused) {
      const seconds = this.#lastTick === 0 ? 0 : (now - this.#lastTick) / 1000;
      this.#lastTick = now;
      this.#advance(this.#playback, Math.min(seconds, MAX_STEP));
      if (!this.#paused) this.#schedule();
    }
    const [playback, size] = [this.#playback, this.#size];
    const {width, height} = size ? devicePixels(size) : {width: 0, height: 0};
    if (!playback || !size || !this.#visible || width === 0 || height === 0) return null;
    const {frame, time} = playback;
    if (frame === this.#drawn.frame && (!this.smooth || time === this.#drawn.time)) return null;
    this.#drawn = {frame, time};
    const ratio = this.#ratio = width / size.contentRect.width;
    const bounds = this.clips[this.#clip]?.bounds ?? playback.character.info.bounds;
    /** @type {Placement} */
    let view = this.#fitted ? fitView(bounds, width, height, this.margin)
                            : {center: this.#view.center, zoom: this.#view.zoom * ratio};
    if (this.hasWholeZooms) view = wholeView(view, width, height);
    // A view that was moved keeps what is between whole pixels.
    if (this.#fitted) this.#view = {center: view.center, zoom: view.zoom / ratio};
    return {playback, view: {...view, width, height, filter: FILTERS[this.filter]}};
  }

  /** Shows controls and takes input, or not. Their script is loaded when an element first needs it. */
  async #showControls() {
    this.#input.abort();
    this.#controls?.element.remove();
    this.#controls = null;
    for (const name of ['tabindex', 'role', 'aria-labelledby']) this.#stage.removeAttribute(name);
    const isShy = this.controls && !this.movable;
    this.#stage.classList.toggle('input', this.controls || this.movable);
    this.#stage.classList.toggle('shy', isShy);
    const {signal} = this.#input = new AbortController();
    if (!this.controls && !this.movable) return;
    const {CONTROLS_STYLE, Controls, addInput} = await import('./controls.js');
    if (signal.aborted) return;
    addInput(this, this.#stage, signal, isShy);
    if (!this.controls) return;
    const root = /** @type {ShadowRoot} */ (this.shadowRoot);
    controlsSheet ??= makeSheet(CONTROLS_STYLE);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets.slice(0, 1), controlsSheet];
    this.#stage.tabIndex = 0;
    this.#stage.setAttribute('role', 'group');
    this.#stage.setAttribute('aria-labelledby', this.#canvas.id);
    this.#controls = new Controls(this);
    this.#frame.append(this.#controls.element);
  }
}

/** @param {string} text */
function makeSheet(text) {
  const made = new CSSStyleSheet();
  made.replaceSync(text);
  return made;
}

/**
 * Returns the size in device pixels.
 * @param {ResizeObserverEntry} entry
 */
function devicePixels({contentRect, devicePixelContentBoxSize}) {
  const width = contentRect.width * devicePixelRatio;
  const height = contentRect.height * devicePixelRatio;
  // This knows how browsers round, but not of pixel ratios that their tools emulate.
  const [exact] = devicePixelContentBoxSize ?? [];
  if (exact && Math.abs(exact.inlineSize - width) < 1) return {width: exact.inlineSize, height: exact.blockSize};
  return {width: Math.round(width), height: Math.round(height)};
}

/** Returns the query whether the user prefers reduced motion, the same one each time. */
function reducedMotion() {
  return motion ??= matchMedia('(prefers-reduced-motion: reduce)');
}

// Importing is safe where there is no page.
if (globalThis.customElements && !customElements.get('pchr-player')) customElements.define('pchr-player', PchrPlayer);
