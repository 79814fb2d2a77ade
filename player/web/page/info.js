// SPDX-License-Identifier: MIT
// The panel with facts about the character.
import {byId, byteText, counted, make, setText} from './dom.js';
import {clipName, currentClip, setBindPose} from './player.js';

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
  const size = make('dd');
  const bindPose = createBindPose(player);
  /** @type {Player['character'] | undefined} */
  let shown;
  /** @type {ReturnType<typeof currentClip> | undefined} */
  let shownClip;
  return () => {
    const {character} = player;
    if (shown !== character) {
      shown = character;
      shownClip = undefined;
      bindPose.fill();
      const parts = character ? characterParts(character.info, player.name, size, bindPose.element, clipFacts)
                              : ['No file is open.'];
      panel.replaceChildren(...parts);
    }
    if (!character) return;
    bindPose.update();
    setText(size, sizeText(character.info.bounds));
    const clip = currentClip(player);
    if (shownClip === clip) return;
    shownClip = clip;
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

/**
 * Returns the controls for the bind pose. fill() lists the clips of the open character.
 *
 * @param {Player} player
 */
function createBindPose(player) {
  const pose = make('select', {id: 'bind-pose', title: 'The pose that the vertices were made in'});
  const frame = make('input', {id: 'bind-frame', type: 'number', min: '0', 'aria-label': 'Frame of the bind pose'});
  const use = make('button', {id: 'bind-shown', type: 'button'}, 'Use the frame shown');
  const guess = make('p', {id: 'bind-guess', className: 'dim'});
  const element = make('div', {className: 'bind'},
    make('div', {className: 'row'}, make('label', {htmlFor: 'bind-pose', className: 'dim'}, 'Bind pose'), pose, frame),
    guess, use);
  const clipsOf = () => player.character?.info.clips ?? [];
  pose.addEventListener('change', () => {
    const clip = clipsOf()[Number(pose.value)];
    setBindPose(player, clip ? `${clip.name}:0` : pose.value);
  });
  frame.addEventListener('change', () => {
    const clip = clipsOf()[Number(pose.value)];
    if (!clip) return;
    frame.value = String(Math.min(Math.max(Math.round(Number(frame.value)), 0), clip.frames - 1));
    setBindPose(player, `${clip.name}:${frame.value}`);
  });
  use.addEventListener('click', () => {
    const clip = currentClip(player);
    if (player.character && clip) setBindPose(player, `${clip.name}:${player.character.frame}`);
  });

  function fill() {
    pose.replaceChildren(make('option', {value: 'auto'}, 'Automatic'),
      make('option', {value: 'identity'}, 'As authored'),
      ...clipsOf().map((clip, index) => make('option', {value: String(index), disabled: clip.frames === 0},
        clipName(clip))));
  }

  function update() {
    if (!player.character) return;
    const {clips, bindClip, bindFrame, bindGuessed, is3d} = player.character.info;
    const isClip = player.bind !== 'auto' && player.bind !== 'identity';
    const inUse = bindClip < 0 ? 'as authored' : `${clipName(clips[bindClip])}, frame ${bindFrame}`;
    pose.value = isClip ? String(bindClip) : player.bind;
    frame.hidden = !isClip || clips[bindClip].frames < 2;
    if (!frame.hidden && document.activeElement !== frame) frame.value = String(bindFrame);
    if (isClip) frame.max = String(clips[bindClip].frames - 1);
    guess.hidden = player.bind !== 'auto';
    setText(guess, `${bindGuessed ? 'Guessed' : 'In use'}: ${inUse}`);
    pose.disabled = is3d;
    use.disabled = is3d || currentClip(player) === null;
  }

  return {element, fill, update};
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
 * @param {HTMLElement} size
 * @param {HTMLElement} bindPose
 * @param {HTMLElement} clipFacts
 */
function characterParts(info, name, size, bindPose, clipFacts) {
  const {bones, meshes, images} = info;
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
      make('div', {}, make('dt', {}, 'Size'), size)),
    bindPose,
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
