// SPDX-License-Identifier: MIT
// Keyboard shortcuts, the same as the desktop player's where browsers allow, and the dialog that lists them.
import {pressStateKey, seekFrame, selectClip, step, stepClip, stepSpeed, togglePlaying} from './app.js';
import {byId, make} from './dom.js';
import {panView} from './view.js';

/** @typedef {import('./app.js').App} App */
/** @typedef {{keys: string[], shown: string, name: string, run: (key: string) => void}} Command */
/**
 * What the page does beside the actions of the player.
 *
 * @typedef {object} PageActions
 * @property {() => void} browse Lets the user choose files.
 * @property {(direction: number) => void} stepCharacter Opens another of the chosen characters.
 * @property {() => void} save Opens the dialog.
 * @property {() => void} findClip Focuses the filter.
 * @property {() => void} showProblems
 * @property {() => void} dismiss Closes messages.
 */

const STORED = 'pchr-shortcuts';

/**
 * Makes the shortcuts work.
 *
 * @param {App} app
 * @param {PageActions} actions
 */
export function createKeys(app, actions) {
  const help = byId('help', HTMLDialogElement);
  const enabled = byId('shortcuts', HTMLInputElement);
  const groups = commands(app, actions, () => help.showModal());
  const rows = groups.flatMap(([title, list]) => [
    make('tr', {}, make('th', {colSpan: 2, scope: 'colgroup'}, title)),
    ...list.map(({shown, name}) => make('tr', {}, make('td', {}, make('kbd', {}, shown)), make('td', {}, name))),
  ]);
  byId('key-table', HTMLElement).replaceChildren(...rows);
  byId('show-help', HTMLButtonElement).addEventListener('click', () => help.showModal());

  // People who use speech input can turn single keys off.
  enabled.checked = stored() !== 'off';
  enabled.addEventListener('change', () => store(enabled.checked ? 'on' : 'off'));

  /** @type {Map<string, Command>} */
  const byKey = new Map();
  for (const [, list] of groups) {
    for (const command of list) command.keys.forEach((key) => byKey.set(key, command));
  }
  const held = new Set();
  /** Returns whether a key plays the state machines. Shift leads to the commands, unless it is a key of its own. */
  const isOfStates = (/** @type {KeyboardEvent} */ event) => {
    const hasShift = app.player.info?.states?.parameters.some((parameter) => parameter.key === 'shift');
    if (event.shiftKey && !hasShift) return false;
    if (held.has(event.code)) return true;
    if (!pressStateKey(app, event.key, true)) return false;
    held.add(event.code);
    return true;
  };
  document.addEventListener('keyup', (event) => {
    if (held.delete(event.code)) pressStateKey(app, event.key, false);
  });
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]')) return;
    const key = keyOf(event);
    if (key === 'Escape') return actions.dismiss();
    if (!enabled.checked || isUsedBy(event.target, key)) return;
    if (!event.ctrlKey && !event.metaKey && !event.altKey && isOfStates(event)) return event.preventDefault();
    const command = byKey.get(key);
    if (!command) return;
    event.preventDefault();
    command.run(key);
  });
}

/** @returns {string | null} */
function stored() {
  try {
    return localStorage.getItem(STORED);
  } catch {
    return null;  // The user blocks storage.
  }
}

/** @param {string} value */
function store(value) {
  try {
    localStorage.setItem(STORED, value);
  } catch {
    // Only forgotten when the page closes.
  }
}

/**
 * Returns the name of a key with its modifiers: "Shift+ArrowLeft", "Ctrl+o", "?".
 *
 * @param {KeyboardEvent} event
 */
function keyOf(event) {
  const isLetter = event.key.length > 1 || event.key.toLowerCase() !== event.key.toUpperCase();
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const shift = event.shiftKey && isLetter ? 'Shift+' : '';
  return `${event.ctrlKey || event.metaKey ? 'Ctrl+' : ''}${event.altKey ? 'Alt+' : ''}${shift}${key}`;
}

/**
 * Returns whether an element needs a key itself.
 *
 * @param {EventTarget | null} target
 * @param {string} key
 */
function isUsedBy(target, key) {
  if (!(target instanceof HTMLElement) || key.startsWith('Ctrl+')) return false;
  if (target instanceof HTMLInputElement && target.type !== 'checkbox' && target.type !== 'radio') return true;
  if (target instanceof HTMLSelectElement) return /^(Arrow|Home|End|Page| |Enter|.$)/.test(key);
  return key === ' ' && target.closest('button, a, summary, input') !== null;
}

/**
 * @param {App} app
 * @param {PageActions} actions
 * @param {() => void} showHelp
 * @returns {[string, Command[]][]}
 */
function commands(app, actions, showHelp) {
  const key = (/** @type {string[]} */ keys, /** @type {string} */ shown, /** @type {string} */ name,
    /** @type {(key: string) => void} */ run) => ({keys, shown, name, run});
  const direction = (/** @type {string} */ of) => (/Left|Up/.test(of) ? -1 : 1);
  const {player} = app;
  const pan = (/** @type {string} */ of) => {
    const {clientWidth, clientHeight} = player;
    const along = -0.1 * direction(of);
    player.view = panView(player.view, /Left|Right/.test(of) ? along * clientWidth : 0,
                          /Up|Down/.test(of) ? along * clientHeight : 0);
  };
  return [
    ['Playback', [
      key([' '], 'Space', 'Play or pause', () => togglePlaying(app)),
      key(['ArrowLeft', 'ArrowRight'], '← →', 'Step by one frame', (of) => step(app, direction(of))),
      key(['Shift+ArrowLeft', 'Shift+ArrowRight'], 'Shift+← →', 'Step by ten frames',
        (of) => step(app, 10 * direction(of))),
      key(['Home'], 'Home', 'Go to the first frame', () => seekFrame(app, 0)),
      key(['End'], 'End', 'Go to the last frame', () => seekFrame(app, Infinity)),
      key(['r'], 'R', 'Reverse the playback direction', () => {
        player.speed = -player.speed;
      }),
      key([',', '.'], ', .', 'Slow down or speed up', (of) => stepSpeed(app, of === ',' ? -1 : 1)),
      key(['Backspace'], 'Backspace', 'Reset the speed', () => {
        player.speed = 1;
      }),
      key(['l'], 'L', 'Cycle the loop mode', () => {
        player.loop = next(/** @type {const} */ (['file', 'once', 'always']), player.loop);
      }),
      key(['m'], 'M', 'Interpolate between frames', () => {
        player.smooth = !player.smooth;
      }),
    ]],
    ['Clips', [
      key([...'123456789'], '1 – 9', 'Select clip 1 to 9', (of) => selectClip(app, Number(of) - 1)),
      key(['ArrowUp', 'ArrowDown'], '↑ ↓', 'Select the previous or next clip',
        (of) => stepClip(app, direction(of))),
      key(['/'], '/', 'Find a clip by name', actions.findClip),
    ]],
    ['View', [
      key(['f'], 'F', 'Fit the character', () => player.fit()),
      key(['+', '=', '-'], '+ −', 'Zoom in or out', (of) => player.zoomBy(of === '-' ? 1 / 1.25 : 1.25)),
      key(['Left', 'Right', 'Up', 'Down'].map((of) => `Ctrl+Arrow${of}`), 'Ctrl+arrows', 'Move the camera', pan),
      key(['Shift+f'], 'Shift+F', 'Cycle the texel filter: auto, smooth, hard', () => {
        player.filter = next(/** @type {const} */ (['auto', 'smooth', 'hard']), player.filter);
      }),
      key(['g'], 'G', 'Cycle the background: checker, plain color, none', () => {
        app.set({background: next(/** @type {const} */ (['checker', 'color', 'none']), app.background)});
      }),
      key(['b'], 'B', 'Skeleton', () => app.set({skeleton: !app.skeleton})),
      key(['w'], 'W', 'Wireframe', () => app.set({wireframe: !app.wireframe})),
      key(['e'], 'E', 'Bounds of the clip', () => app.set({bounds: !app.bounds})),
      key(['p'], 'P', 'Show the file\u2019s problems', actions.showProblems),
    ]],
    ['Files', [
      key(['Ctrl+o'], 'Ctrl+O', 'Open files', actions.browse),
      key(['[', ']'], '[ ]', 'Open the previous or next of the chosen characters',
        (of) => actions.stepCharacter(of === '[' ? -1 : 1)),
      key(['Ctrl+e'], 'Ctrl+E', 'Save an image or an animation', actions.save),
      key(['?', 'F1'], '? or F1', 'Show this help', showHelp),
    ]],
  ];
}

/**
 * Returns the choice after another one.
 * @template T
 * @param {readonly T[]} choices @param {unknown} now
 */
function next(choices, now) {
  return choices[(choices.findIndex((choice) => choice === now) + 1) % choices.length];
}
