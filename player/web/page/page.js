// SPDX-License-Identifier: MIT
// The page: opens files and keeps its panels up to date.
import {App, canPlay} from './app.js';
import {Character, CharacterError} from './character.js';
import {byId, counted, make, setAttribute, setText} from './dom.js';
import {
  charactersIn, chosenFiles, droppedFiles, findNamed, isCompanion, remoteFiles, remoteNamed, unnamedCompanions,
} from './files.js';
import {createKeys} from './keys.js';
import {createOverlay} from './overlay.js';
import {
  createClips, createInfo, createProblems, createStates, createTabs, createTransport, createView, placeText,
} from './panels.js';
import {createSaveDialog} from './save.js';
import {createTimeline} from './timeline.js';

/** @typedef {import('./files.js').SourceFile} SourceFile */
/**
 * Files to open: one of the characters, and everything that may belong to it.
 *
 * @typedef {object} Selection
 * @property {SourceFile[]} characters At least one.
 * @property {number} index
 * @property {SourceFile[]} files
 * @property {string} [address] Where the character is on the web; files that it names are fetched from there.
 */

const SLOW = 150;

const app = new App();
const {player} = app;
const stage = byId('stage', HTMLElement);
const message = byId('message', HTMLElement);
const missing = byId('missing', HTMLElement);
const progress = byId('opening', HTMLElement);
const choices = byId('choices', HTMLSelectElement);
const filesInput = byId('files-input', HTMLInputElement);
const folderInput = byId('folder-input', HTMLInputElement);
/** @type {Selection | null} */
let opened = null;
/** @type {AbortController | null} */
let opening = null;

const showTab = createTabs();
const panels = [
  createOverlay(app, stage, byId('overlay', HTMLCanvasElement)), createClips(app), createTransport(app),
  createTimeline(app), createView(app), createInfo(app), createStates(app), createProblems(app), showName,
];
const showSave = createSaveDialog(app);

// Panels follow what the element draws, and each change.
let request = 0;
app.changed = () => {
  if (request === 0) request = requestAnimationFrame(show);
};
app.announce = (/** @type {string} */ text) => setText(byId('status', HTMLElement), text);
player.addEventListener('draw', (event) => {
  app.drawn = /** @type {CustomEvent<import('./app.js').DrawnView>} */ (event).detail;
  show();
});
for (const type of ['play', 'pause', 'clipchange', 'timechange']) player.addEventListener(type, () => app.changed());
player.addEventListener('clipend', () => app.announce('The clip ended'));
player.addEventListener('error', (event) => fail(/** @type {any} */ (event).detail));

function show() {
  cancelAnimationFrame(request);
  request = 0;
  try {
    for (const showPanel of panels) showPanel();
  } catch (error) {
    // The module has failed.
    player.character = null;
    fail(error);
  }
  if (!player.paused) app.changed();
}

function showName() {
  const name = app.name || 'pchr player';
  document.title = app.name ? `${app.name} – pchr player` : 'pchr player';
  setText(byId('name', HTMLElement), name);
  byId('name', HTMLElement).title = name;
  byId('invitation', HTMLElement).hidden = player.character !== null || opening !== null;
  byId('show-save', HTMLButtonElement).disabled = player.character === null;
  const {clip} = app;
  setAttribute(stage, 'aria-label', clip ? `${name}, clip ${clip.name}` : name);
}

/**
 * Opens a character. The one before it stays until the new one is ready, and if that fails.
 * @param {Selection} selection
 * @param {{clip?: string | undefined, keepView?: boolean}} options
 */
async function open(selection, {clip, keepView = false} = {}) {
  opening?.abort();
  const controller = new AbortController();
  const {signal} = controller;
  opening = controller;
  const chosen = selection.characters[selection.index];
  hideMessage();
  setText(byId('opening-name', HTMLElement), `Opening ${chosen.name}`);
  setProgress(0);
  const timer = setTimeout(() => {
    progress.hidden = false;
  }, SLOW);
  app.changed();
  try {
    const files = [chosen, ...unnamedCompanions(chosen, selection.files)];
    const loaded = await readAll(files, chosen, signal);
    const character = await Character.open(loaded, {full: true, signal, findFile: async (path) => {
      const file = findNamed(chosen, selection.files, path)
        ?? (selection.address === undefined ? undefined : remoteNamed(selection.address, path));
      return await file?.read(signal, () => {}).catch(() => null) ?? null;
    }});
    if (signal.aborted) return character.close();
    const view = keepView && !player.fitted ? player.view : null;
    clip ??= keepView ? app.clip?.name : undefined;
    const nameBefore = app.name;
    app.name = chosen.name;
    player.removeAttribute('bind');
    try {
      player.character = character;
    } catch (error) {
      app.name = nameBefore;
      throw error;
    }
    opened = selection;
    const index = player.clips.findIndex((each) => each.name === clip && each.frames > 0);
    if (index >= 0) player.clipIndex = index;
    if (view) player.view = view;
    if (canPlay(app.clip) && !matchMedia('(prefers-reduced-motion: reduce)').matches) player.play();
    showChoices(selection);
    showMissing(character);
    const {clips, bones} = character.info;
    app.announce(`Opened ${chosen.name}: ${counted(clips.length, 'clip')}, ${counted(bones.length, 'bone')}`);
  } catch (error) {
    if (signal.aborted) return;
    fail(error, chosen.name);
  } finally {
    clearTimeout(timer);
    if (opening === controller) {
      opening = null;
      progress.hidden = true;
    }
    app.changed();
  }
}

/** @param {SourceFile[]} files @param {SourceFile} chosen @param {AbortSignal} signal */
async function readAll(files, chosen, signal) {
  const folder = chosen.name.slice(0, chosen.name.lastIndexOf('/') + 1);
  const loaded = [];
  for (const [index, file] of files.entries()) {
    const bytes = await file.read(signal, (read, total) => {
      setProgress((index + (total > 0 ? Math.min(read / total, 1) : 0)) / files.length);
    });
    signal.throwIfAborted();
    loaded.push({name: index === 0 ? file.name.slice(folder.length) : file.name, bytes});
  }
  return loaded;
}

/** @param {number} fraction */
function setProgress(fraction) {
  byId('opening-bar', HTMLProgressElement).value = fraction;
}

/** @param {Selection} selection */
function showChoices(selection) {
  const {characters, index} = selection;
  choices.hidden = characters.length < 2;
  byId('name', HTMLElement).hidden = characters.length > 1;
  choices.replaceChildren(...characters.map((file, at) => new Option(file.name, String(at), false, at === index)));
  choices.title = characters[index].name;
}

/** @param {Character} character */
function showMissing(character) {
  const names = character.info.missing;
  missing.hidden = names.length === 0;
  const shown = names.slice(0, 5).join(', ') + (names.length > 5 ? ` and ${names.length - 5} more` : '');
  setText(byId('missing-text', HTMLElement), `${counted(names.length, 'file is', 'files are')} missing: ${shown}`);
}

/**
 * Shows an error over the character.
 *
 * @param {unknown} error
 * @param {string} name
 */
function fail(error, name = app.name) {
  player.pause();
  if (!player.character) [app.name, opened] = ['', null];
  app.changed();
  const parts = error instanceof CharacterError ? errorParts(error, name)
    : [make('p', {}, `${name}: ${error instanceof Error ? error.message : String(error)}`)];
  byId('message-text', HTMLElement).replaceChildren(...parts);
  message.hidden = false;
}

/** @param {CharacterError} error @param {string} name */
function errorParts(error, name) {
  const place = placeText(error);
  const id = error.id === '' ? 'error' : `error ${error.id}`;
  const where = place === '' ? '' : ` (${place})`;
  const lines = [make('p', {}, make('strong', {}, `${name}: ${id}: `), error.message, where)];
  if (error.hint !== '') lines.push(make('p', {className: 'dim'}, error.hint));
  return lines;
}

function hideMessage() {
  message.hidden = true;
}

/**
 * Opens chosen files. Files without a character belong to the open one, such as its missing images.
 *
 * @param {SourceFile[]} files
 */
function openFiles(files) {
  const characters = charactersIn(files);
  if (characters.length > 0) return open({characters, index: 0, files});
  const more = files.filter((file) => isCompanion(file.name));
  if (opened && more.length > 0) return open({...opened, files: [...more, ...opened.files]}, {keepView: true});
  if (files.length === 0) return undefined;
  fail(new Error('choose a @usual_extensions@ file'), files.length === 1 ? files[0].name : 'These files');
  return undefined;
}

/** @param {number} direction */
function stepCharacter(direction) {
  if (!opened) return;
  const index = opened.index + direction;
  if (index >= 0 && index < opened.characters.length) open({...opened, index});
}

/** Opens what the address of the page names: ?src=hero.pchr&file=hero.rig.json&clip=walk. */
function openAddress() {
  const query = new URLSearchParams(location.search);
  const address = query.get('src');
  if (address === null) return;
  try {
    const files = remoteFiles([address, ...query.getAll('file')]);
    open({characters: [files[0]], index: 0, files: files.slice(1), address}, {clip: query.get('clip') ?? undefined});
  } catch {
    fail(new Error('this is not an address'), address);
  }
}

// Ways to open files.
for (const input of [filesInput, folderInput]) {
  input.addEventListener('change', () => {
    openFiles(chosenFiles(input.files ?? []));
    input.value = '';
  });
}
const browse = () => filesInput.click();
for (const id of ['open', 'invitation-open', 'missing-add']) {
  byId(id, HTMLButtonElement).addEventListener('click', browse);
}
const folder = byId('open-folder', HTMLButtonElement);
folder.hidden = !('webkitdirectory' in folderInput);
folder.addEventListener('click', () => folderInput.click());
document.addEventListener('dragover', (event) => {
  if (!event.dataTransfer?.types.includes('Files')) return;
  event.preventDefault();
  stage.classList.add('target');
});
document.addEventListener('dragleave', (event) => {
  if (event.relatedTarget === null) stage.classList.remove('target');
});
document.addEventListener('drop', async (event) => {
  if (!event.dataTransfer?.types.includes('Files')) return;
  event.preventDefault();
  stage.classList.remove('target');
  try {
    await openFiles(await droppedFiles(event.dataTransfer));
  } catch (error) {
    fail(error, 'The dropped files');
  }
});
choices.addEventListener('change', () => {
  if (opened) open({...opened, index: Number(choices.value)});
});
byId('opening-cancel', HTMLButtonElement).addEventListener('click', () => opening?.abort());
byId('message-close', HTMLButtonElement).addEventListener('click', hideMessage);
byId('missing-close', HTMLButtonElement).addEventListener('click', () => {
  missing.hidden = true;
});
byId('show-save', HTMLButtonElement).addEventListener('click', showSave);

// After a click, keys such as Space belong to playback again, not to the button. People who use the keyboard keep the
// focus: their clicks have no detail.
document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('#transport button, #view button, #states button, #states input') : null;
  if (button && event.detail > 0) stage.focus({preventScroll: true});
});

// Samples are links, so that they can be shared and opened in a new tab.
const menu = byId('menu', HTMLDetailsElement);
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a[href^="?src="]') : null;
  const isMenu = event.target instanceof Node && byId('menu-toggle', HTMLElement).contains(event.target);
  if (!isMenu) menu.open = false;
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  history.pushState(null, '', link.getAttribute('href'));
  openAddress();
});
addEventListener('popstate', openAddress);

createKeys(app, {
  browse,
  stepCharacter,
  save: showSave,
  findClip: () => {
    showTab('clips');
    byId('clip-filter', HTMLInputElement).focus();
  },
  showProblems: () => showTab('problems'),
  dismiss: () => {
    if (opening) return opening.abort();
    menu.open = false;
    hideMessage();
    missing.hidden = true;
  },
});
openAddress();
app.changed();
