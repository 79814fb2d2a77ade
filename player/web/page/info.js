// SPDX-License-Identifier: MIT
// The panel with facts about the character.
import {byId, byteText, counted, make} from './dom.js';
import {clipName, currentClip} from './player.js';

/** @typedef {import('./player.js').Player} Player */
/** @typedef {NonNullable<Player['character']>['info']} Info */

/**
 * Returns the function that shows the panel.
 *
 * @param {Player} player
 * @returns {() => void}
 */
export function createInfo(player) {
  const panel = byId('info', HTMLElement);
  const clipFacts = make('dl');
  /** @type {Player['character'] | undefined} */
  let shown;
  let shownClip = -2;
  return () => {
    const {character} = player;
    if (shown !== character) {
      shown = character;
      shownClip = -2;
      const parts = character ? characterParts(character.info, player.name, clipFacts) : ['No file is open.'];
      panel.replaceChildren(...parts);
    }
    if (!character || shownClip === player.clip) return;
    shownClip = player.clip;
    clipFacts.replaceChildren(...clipRows(player));
  };
}

/**
 * @param {string} name
 * @param {string} value
 */
function fact(name, value) {
  return make('div', {}, make('dt', {}, name), make('dd', {title: value}, value));
}

/** @param {readonly number[] | null} bounds */
function sizeText(bounds) {
  if (!bounds) return 'empty';
  const [width, height] = [bounds[2] - bounds[0], bounds[3] - bounds[1]];
  return `${width.toFixed(1)} × ${height.toFixed(1)} px`;
}

/** @param {Player} player */
function clipRows(player) {
  const clip = currentClip(player);
  if (!clip) return [fact('Pose', 'bind pose')];
  return [
    fact('Name', clipName(clip)),
    fact('Frames', String(clip.frames)),
    fact('Rate', clip.frameEnds ? 'varies' : `${clip.fps} FPS`),
    fact('Duration', `${clip.seconds.toFixed(3)} s`),
    fact('Loops', clip.loops ? (clip.loopStart > 0 ? `from frame ${clip.loopStart}` : 'yes') : 'no'),
    fact('Size', sizeText(clip.bounds)),
    fact('Markers', String(clip.markers.length)),
  ];
}

/**
 * @param {string} title
 * @param {(string | HTMLElement)[]} rows
 */
function listOf(title, rows) {
  const items = rows.map((row) => (typeof row === 'string' ? make('li', {title: row}, row) : row));
  return make('details', {}, make('summary', {}, title), make('ul', {}, ...items));
}

/**
 * @param {Info} info
 * @param {string} name
 * @param {HTMLElement} clipFacts
 */
function characterParts(info, name, clipFacts) {
  const {bones, meshes, images, bindClip} = info;
  const sum = (/** @type {'vertices' | 'triangles'} */ of) => meshes.reduce((total, mesh) => total + mesh[of], 0);
  const texts = [['Title', info.title], ['Author', info.author]].filter(([, text]) => text);
  const depths = /** @type {number[]} */ ([]);
  for (const {parent} of bones) depths.push(parent < 0 ? 0 : depths[parent] + 1);
  return [
    make('h3', {title: name}, name),
    make('dl', {},
      ...texts.map(([label, text]) => fact(String(label), String(text))),
      fact('Format', info.format),
      fact('File size', byteText(info.fileBytes)),
      fact('Vertices', sum('vertices').toLocaleString('en')),
      fact('Triangles', sum('triangles').toLocaleString('en')),
      fact('Clips', String(info.clips.length)),
      fact('Bind pose', bindClip < 0 ? 'as authored' : clipName(info.clips[bindClip])),
      fact('Size', sizeText(info.bounds))),
    make('h3', {}, 'Clip'),
    clipFacts,
    listOf(counted(bones.length, 'bone'), bones.map((bone, index) => {
      const row = make('li', {title: bone.name}, bone.name);
      row.style.paddingInlineStart = `${Math.min(depths[index], 12) * 0.8}em`;
      return row;
    })),
    listOf(counted(meshes.length, 'mesh', 'meshes'), meshes.map((mesh) => row(mesh.name, `${mesh.triangles} tris`))),
    listOf(counted(images.length, 'image'),
      images.map((image) => row(image.name, `${image.width} × ${image.height}`))),
  ];
}

/**
 * @param {string} name
 * @param {string} value
 */
function row(name, value) {
  const shown = name === '' ? '(unnamed)' : name;
  return make('li', {className: 'pair', title: shown},
    make('span', {className: 'name'}, shown), make('span', {}, value));
}
