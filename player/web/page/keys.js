// SPDX-License-Identifier: MIT
// Keyboard shortcuts, the same as the desktop player's where browsers allow, and the dialog that lists them.
import {byId, make} from './dom.js';
import {
  seekFrame, selectClip, setPlayback, setPlaying, setView, step, stepClip, stepSpeed,
} from './player.js';
import {panBy, zoomMiddle} from './stage.js';

/** @typedef {import('./player.js').Player} Player */
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
 * @param {Player} player
 * @param {PageActions} actions
 */
export function createKeys(player, actions) {
  const help = byId('help', HTMLDialogElement);
  const enabled = byId('shortcuts', HTMLInputElement);
  const groups = commands(player, actions, () => help.showModal());
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
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]')) return;
    const key = keyOf(event);
    if (key === 'Escape') return actions.dismiss();
    if (!enabled.checked || isUsedBy(event.target, key)) return;
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
 * @param {Player} player
 * @param {PageActions} actions
 * @param {() => void} showHelp
 * @returns {[string, Command[]][]}
 */
function commands(player, actions, showHelp) {
  const key = (/** @type {string[]} */ keys, /** @type {string} */ shown, /** @type {string} */ name,
    /** @type {(key: string) => void} */ run) => ({keys, shown, name, run});
  const direction = (/** @type {string} */ of) => (/Left|Up/.test(of) ? -1 : 1);
  const pan = (/** @type {string} */ of) => {
    const along = -0.1 * direction(of);
    panBy(player, /Left|Right/.test(of) ? along : 0, /Up|Down/.test(of) ? along : 0);
  };
  const next = (/** @type {string[]} */ choices, /** @type {string} */ now) =>
    choices[(choices.indexOf(now) + 1) % choices.length];
  return [
    ['Playback', [
      key([' '], 'Space', 'Play or pause', () => setPlaying(player, !player.playing)),
      key(['ArrowLeft', 'ArrowRight'], '← →', 'Step by one frame', (of) => step(player, direction(of))),
      key(['Shift+ArrowLeft', 'Shift+ArrowRight'], 'Shift+← →', 'Step by ten frames',
        (of) => step(player, 10 * direction(of))),
      key(['Home'], 'Home', 'Go to the first frame', () => seekFrame(player, 0)),
      key(['End'], 'End', 'Go to the last frame', () => seekFrame(player, Infinity)),
      key(['r'], 'R', 'Reverse the playback direction', () => setPlayback(player, {reverse: !player.reverse})),
      key([',', '.'], ', .', 'Slow down or speed up', (of) => stepSpeed(player, of === ',' ? -1 : 1)),
      key(['Backspace'], 'Backspace', 'Reset the speed', () => setPlayback(player, {speed: 1, reverse: false})),
      key(['l'], 'L', 'Cycle the loop mode', () => {
        const loop = next(['file', 'once', 'always'], player.loop);
        setPlayback(player, {loop: /** @type {import('./player.js').LoopMode} */ (loop)});
      }),
      key(['m'], 'M', 'Interpolate between frames', () => setPlayback(player, {smooth: !player.smooth})),
    ]],
    ['Clips', [
      key([...'123456789'], '1 – 9', 'Select clip 1 to 9', (of) => selectClip(player, Number(of) - 1)),
      key(['ArrowUp', 'ArrowDown'], '↑ ↓', 'Select the previous or next clip',
        (of) => stepClip(player, direction(of))),
      key(['/'], '/', 'Find a clip by name', actions.findClip),
    ]],
    ['View', [
      key(['f'], 'F', 'Fit the character', () => setView(player, {fitted: true})),
      key(['+', '=', '-'], '+ −', 'Zoom in or out', (of) => zoomMiddle(player, of === '-' ? 1 / 1.25 : 1.25)),
      key(['Left', 'Right', 'Up', 'Down'].map((of) => `Ctrl+Arrow${of}`), 'Ctrl+arrows', 'Move the camera', pan),
      key(['Shift+f'], 'Shift+F', 'Cycle the texel filter: auto, smooth, hard', () => {
        const filter = next(['auto', 'smooth', 'hard'], player.filter);
        setView(player, {filter: /** @type {import('./player.js').Filter} */ (filter)});
      }),
      key(['g'], 'G', 'Cycle the background: checker, plain color, none', () => {
        const background = next(['checker', 'color', 'none'], player.background);
        setView(player, {background: /** @type {import('./player.js').Background} */ (background)});
      }),
      key(['b'], 'B', 'Skeleton', () => setView(player, {skeleton: !player.skeleton})),
      key(['w'], 'W', 'Wireframe', () => setView(player, {wireframe: !player.wireframe})),
      key(['e'], 'E', 'Bounds of the clip', () => setView(player, {bounds: !player.bounds})),
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
