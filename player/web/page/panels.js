// SPDX-License-Identifier: MIT
// The panels. Each function returns one that shows the state of the page, and changes only what differs.
import {
  SPEEDS, canPlay, clipName, playStates, seekFrame, selectClip, setParameter, step, togglePlaying,
} from './app.js';
import {byId, byteText, counted, make, setAttribute, setText} from './dom.js';

/** @typedef {import('./app.js').App} App */
/** @typedef {import('./character.js').Diagnostic} Diagnostic */

const NAMES = ['clips', 'view', 'info', 'problems', 'states'];
/** Keep in step with page.css. */
const WIDE = '(min-width: 60em)';

/**
 * Makes the tabs work and returns the function that brings one to the front: all panels in a narrow window, those
 * without room of their own in a wide one.
 */
export function createTabs() {
  const tabs = NAMES.map((name) => byId(`${name}-tab`, HTMLButtonElement));
  const panels = NAMES.map((name) => byId(name, HTMLElement));
  const wide = matchMedia(WIDE);
  const isTab = (/** @type {number} */ index) => !wide.matches || index >= 2;
  let front = 2;

  const show = () => {
    if (!isTab(front)) front = 2;
    tabs.forEach((tab, index) => {
      tab.hidden = !isTab(index);
      tab.setAttribute('aria-selected', String(index === front));
      tab.tabIndex = index === front ? 0 : -1;
      panels[index].hidden = isTab(index) && index !== front;
      panels[index].setAttribute('role', isTab(index) ? 'tabpanel' : 'region');
    });
  };
  const select = (/** @type {number} */ index) => {
    front = index;
    show();
  };
  tabs.forEach((tab, index) => {
    tab.addEventListener('click', () => select(index));
    tab.addEventListener('keydown', (event) => {
      const direction = {ArrowLeft: -1, ArrowRight: 1}[event.key];
      if (!direction) return;
      event.preventDefault();
      let next = index;
      do next = (next + direction + tabs.length) % tabs.length;
      while (!isTab(next));
      select(next);
      tabs[next].focus();
    });
  });
  wide.addEventListener('change', show);
  if (!wide.matches) front = 0;
  show();
  return (/** @type {string} */ name) => select(NAMES.indexOf(name));
}

/**
 * Returns the function that shows the list of clips, with a filter.
 * @param {App} app
 */
export function createClips(app) {
  const {player} = app;
  const list = byId('clip-list', HTMLElement);
  const filter = byId('clip-filter', HTMLInputElement);
  const empty = byId('no-clips', HTMLElement);
  /** @type {HTMLElement[]} */
  let rows = [];
  /** @type {import('./character.js').Character | null | undefined} */
  let shown;
  let selected = -1;

  const matches = (/** @type {number} */ index) => {
    const name = player.clips[index]?.name ?? '';
    return name.toLowerCase().includes(filter.value.trim().toLowerCase());
  };
  const applyFilter = () => {
    rows.forEach((row, index) => {
      row.hidden = !matches(index);
    });
    const count = rows.filter((row) => !row.hidden).length;
    empty.hidden = player.character === null || count > 0;
    empty.textContent = rows.length === 0 ? 'This character has no clips.' : 'No clip has this name.';
  };
  const build = () => {
    shown = player.character;
    filter.value = '';
    selected = -1;
    rows = player.clips.map((clip, index) => {
      const name = clipName(clip);
      const loops = clip.loops ? ', loops' : '';
      const details = clip.frames > 0 ? `${clip.frames} frames at ${clip.fps} FPS${loops}` : 'No frames';
      const seconds = clip.frames > 0 ? clip.seconds.toFixed(2) : '–';
      return make('li',
        {id: `clip-${index}`, role: 'option', title: `${name}\n${details}`, 'aria-selected': 'false',
          'aria-disabled': String(clip.frames === 0), className: clip.loops ? 'loops' : ''},
        make('span', {className: 'number', 'aria-hidden': 'true'}, String(index + 1)),
        make('span', {className: 'name'}, name), make('span', {className: 'hidden-text'}, `, ${details}`),
        make('span', {className: 'figure', 'aria-hidden': 'true'}, String(clip.frames)),
        make('span', {className: 'figure', 'aria-hidden': 'true'}, seconds), make('span', {className: 'loop-mark'}));
    });
    list.replaceChildren(...rows);
    list.scrollTop = 0;
    applyFilter();
  };

  /** Selects the nearest visible clip in a direction. */
  const move = (/** @type {number} */ direction) => {
    for (let index = player.clipIndex + direction; index >= 0 && index < rows.length; index += direction) {
      if (!rows[index].hidden && rows[index].getAttribute('aria-disabled') !== 'true') return selectClip(app, index);
    }
  };
  list.addEventListener('click', (event) => {
    const row = event.target instanceof Element ? event.target.closest('li') : null;
    if (row) selectClip(app, rows.indexOf(row));
  });
  filter.addEventListener('input', applyFilter);
  for (const element of [list, filter]) {
    element.addEventListener('keydown', (event) => {
      if (event.key === 'ArrowDown') move(1);
      else if (event.key === 'ArrowUp') move(-1);
      else if (event.key === 'Enter' && element === filter) {
        const first = rows.findIndex((row) => !row.hidden && row.getAttribute('aria-disabled') !== 'true');
        if (first >= 0 && !matches(player.clipIndex)) selectClip(app, first);
      } else if (event.key === 'Escape' && element === filter) {
        filter.value = '';
        applyFilter();
        filter.blur();
      } else return;
      event.preventDefault();
    });
  }

  return () => {
    if (shown !== player.character) build();
    if (selected === player.clipIndex) return;
    rows[selected]?.setAttribute('aria-selected', 'false');
    selected = player.clipIndex;
    const row = rows[selected];
    row?.setAttribute('aria-selected', 'true');
    row?.scrollIntoView({block: 'nearest'});
    setAttribute(list, 'aria-activedescendant', row ? row.id : '');
  };
}

/**
 * Returns the function that shows the buttons and settings of playback.
 * @param {App} app
 */
export function createTransport(app) {
  const {player} = app;
  const [first, previous, play, next, last, reverse] = ['first', 'previous', 'play', 'next', 'last', 'reverse'].map(
    (id) => byId(id, HTMLButtonElement));
  const playIcon = byId('play-icon', SVGUseElement);
  const [frame, frames, time, duration] = ['frame', 'frames', 'time', 'duration'].map((id) => byId(id, HTMLElement));
  const loop = byId('loop', HTMLSelectElement);
  const speed = byId('speed', HTMLSelectElement);
  const smooth = byId('smooth', HTMLInputElement);
  for (const each of SPEEDS) speed.add(new Option(`${each}x`, String(each)));

  first.addEventListener('click', () => seekFrame(app, 0));
  previous.addEventListener('click', () => step(app, -1));
  play.addEventListener('click', () => togglePlaying(app));
  next.addEventListener('click', () => step(app, 1));
  last.addEventListener('click', () => seekFrame(app, Infinity));
  loop.addEventListener('change', () => {
    player.loop = /** @type {typeof player.loop} */ (loop.value);
  });
  speed.addEventListener('change', () => {
    player.speed = Number(speed.value) * Math.sign(player.speed);
  });
  reverse.addEventListener('click', () => {
    player.speed = -player.speed;
  });
  smooth.addEventListener('change', () => {
    player.smooth = smooth.checked;
  });

  return () => {
    const {clip} = app;
    const label = player.paused ? 'Play' : 'Pause';
    for (const button of [first, previous, next, last]) button.disabled = clip === null;
    play.disabled = !canPlay(clip) && !app.states;
    setAttribute(playIcon, 'href', !player.paused ? '#icon-pause' : player.speed < 0 ? '#icon-reverse' : '#icon-play');
    setAttribute(play, 'aria-label', label);
    setAttribute(play, 'title', `${label} (Space)`);
    setText(frame, clip ? String(player.frame) : '–');
    setText(frames, clip ? ` / ${clip.frames}` : '');
    setText(time, clip ? player.currentTime.toFixed(3) : '–');
    setText(duration, clip ? ` / ${clip.seconds.toFixed(3)}` : '');
    loop.value = player.loop;
    speed.value = String(Math.abs(player.speed));
    setAttribute(reverse, 'aria-pressed', String(player.speed < 0));
    smooth.checked = player.smooth;
  };
}

/**
 * Returns the function that shows the parameters and the current states of state machines.
 * @param {App} app
 */
export function createStates(app) {
  const {player} = app;
  const panel = byId('states', HTMLElement);
  const play = make('button', {id: 'states-play', type: 'button'}, 'Play states');
  play.addEventListener('click', () => playStates(app, !app.states));
  /** @type {import('./character.js').Character | null | undefined} */
  let shown;
  /** @type {((value: number) => void)[]} */
  let setters = [];
  /** @type {{rows: HTMLElement[], bar: HTMLProgressElement}[]} */
  let layers = [];

  const build = () => {
    shown = player.character;
    setters = [];
    layers = [];
    const states = player.info?.states;
    if (!states) {
      panel.replaceChildren(shown ? 'This character has no state machine. The desktop player makes them.'
                                  : 'No file is open.');
      return;
    }
    const controls = states.parameters.map((parameter, index) => {
      const {control, set} = parameterControl(app, parameter, index);
      setters.push(set);
      const key = parameter.key === '' ? [] : [make('kbd', {}, parameter.key)];
      return [make('label', {htmlFor: control.id}, parameter.name), make('span', {className: 'row'}, control, ...key)];
    });
    const lists = states.layers.map((layer) => {
      const bar = make('progress', {max: 1, value: 0, 'aria-label': `Crossfade of ${layer.name}`});
      const rows = layer.states.map((name) => make('li', {}, name));
      layers.push({rows, bar});
      return make('div', {}, make('h3', {}, layer.name), make('ul', {className: 'states'}, ...rows), bar);
    });
    panel.replaceChildren(make('div', {className: 'row'}, play), make('div', {className: 'grid'}, ...controls.flat()),
                          ...lists);
  };

  return () => {
    if (shown !== player.character) build();
    const states = player.info?.states;
    if (!states) return;
    const running = app.states;
    setAttribute(play, 'aria-pressed', String(running !== null));
    setters.forEach((set, index) => set(running?.values[index] ?? states.parameters[index].value));
    layers.forEach(({rows, bar}, index) => {
      const {state, progress} = running?.layers[index] ?? {state: -1, progress: 1};
      rows.forEach((row, number) => setAttribute(row, 'aria-current', String(number === state)));
      bar.value = progress < 1 ? progress : 0;
    });
  };
}

/**
 * @param {App} app @param {import('./character.js').StateParameter} parameter @param {number} index
 * @returns {{control: HTMLElement, set: (value: number) => void}}
 */
function parameterControl(app, {name, type, min, max}, index) {
  const id = `parameter-${index}`;
  if (type === 'trigger') {
    const button = make('button', {id, type: 'button', 'aria-label': `Fire ${name}`}, 'Fire');
    button.addEventListener('click', () => setParameter(app, index, 1));
    return {control: button, set: (value) => setAttribute(button, 'aria-pressed', String(value !== 0))};
  }
  const isNumber = type === 'number';
  const input = make('input', isNumber ? {id, type: 'range', min, max, step: 'any'} : {id, type: 'checkbox'});
  input.addEventListener('input', () => setParameter(app, index, isNumber ? input.valueAsNumber : Number(input.checked)));
  return {
    control: input,
    set: (value) => {
      if (!isNumber) input.checked = value !== 0;
      else if (input.valueAsNumber !== value) input.valueAsNumber = value;
    },
  };
}

/**
 * Returns the function that shows the panel for background, zoom and overlays.
 * @param {App} app
 */
export function createView(app) {
  const {player} = app;
  const background = byId('background', HTMLSelectElement);
  const color = byId('color', HTMLInputElement);
  const filter = byId('filter', HTMLSelectElement);
  const zoom = byId('zoom', HTMLElement);
  const stage = byId('stage', HTMLElement);
  const overlays = /** @type {const} */ (['skeleton', 'wireframe', 'bounds']).map(
    (name) => /** @type {const} */ ([name, byId(name, HTMLInputElement)]));
  background.addEventListener('change', () => {
    app.set({background: /** @type {typeof app.background} */ (background.value)});
  });
  color.addEventListener('input', () => app.set({background: 'color', color: color.value}));
  filter.addEventListener('change', () => {
    player.filter = /** @type {typeof player.filter} */ (filter.value);
  });
  for (const [name, input] of overlays) input.addEventListener('change', () => app.set({[name]: input.checked}));
  byId('zoom-out', HTMLButtonElement).addEventListener('click', () => player.zoomBy(1 / 1.25));
  byId('zoom-in', HTMLButtonElement).addEventListener('click', () => player.zoomBy(1.25));
  byId('zoom-full', HTMLButtonElement).addEventListener('click', () => {
    player.zoom = 1 / app.drawn.pixelRatio;
  });
  byId('fit', HTMLButtonElement).addEventListener('click', () => player.fit());

  return () => {
    stage.dataset['background'] = app.background;
    stage.style.backgroundColor = app.background === 'color' ? app.color : '';
    background.value = app.background;
    color.value = app.color;
    filter.value = player.filter;
    for (const [name, input] of overlays) input.checked = app[name];
    // Whole zooms leave enough room.
    setAttribute(player, 'margin', player.hasWholeZooms ? '0.01' : '0.07');
    const percent = player.zoom * app.drawn.pixelRatio * 100;
    setText(zoom, player.character ? `${percent < 10 ? percent.toPrecision(2) : Math.round(percent)}%` : '–');
  };
}

/**
 * Returns the function that shows facts about the character.
 * @param {App} app
 */
export function createInfo(app) {
  const {player} = app;
  const panel = byId('info', HTMLElement);
  const clipFacts = make('dl');
  const size = make('dd');
  const bindPose = createBindPose(app);
  /** @type {import('./character.js').Character | null | undefined} */
  let shown;
  /** @type {App['clip'] | undefined} */
  let shownClip;
  return () => {
    const {character} = player;
    if (shown !== character) {
      shown = character;
      shownClip = undefined;
      bindPose.fill();
      const parts = character ? characterParts(character.info, app.name, size, bindPose.element, clipFacts)
                              : ['No file is open.'];
      panel.replaceChildren(...parts);
    }
    if (!character) return;
    bindPose.update();
    setText(size, sizeText(character.info.bounds));
    if (shownClip === app.clip) return;
    shownClip = app.clip;
    clipFacts.replaceChildren(...clipRows(shownClip));
  };
}

/** @param {string} name @param {string} value */
function fact(name, value) {
  return make('div', {}, make('dt', {}, name), make('dd', {title: value}, value));
}

/**
 * Returns the controls for the bind pose. fill() lists the clips of the open character.
 * @param {App} app
 */
function createBindPose(app) {
  const {player} = app;
  const pose = make('select', {id: 'bind-pose', title: 'The pose that the vertices were made in'});
  const frame = make('input', {id: 'bind-frame', type: 'number', min: '0', 'aria-label': 'Frame of the bind pose'});
  const shown = make('button', {id: 'bind-shown', type: 'button'}, 'Use the frame shown');
  const guess = make('p', {id: 'bind-guess', className: 'dim'});
  const element = make('div', {className: 'bind'},
    make('div', {className: 'row'}, make('label', {htmlFor: 'bind-pose', className: 'dim'}, 'Bind pose'), pose, frame),
    guess, shown);
  const use = (/** @type {string} */ bind) => {
    player.bind = bind;
    app.announce(`Bind pose ${bind}`);
    app.changed();
  };
  pose.addEventListener('change', () => {
    const clip = player.clips[Number(pose.value)];
    use(clip ? `${clip.name}:0` : pose.value);
  });
  frame.addEventListener('change', () => {
    const clip = player.clips[Number(pose.value)];
    if (!clip) return;
    frame.value = String(Math.min(Math.max(Math.round(Number(frame.value)), 0), clip.frames - 1));
    use(`${clip.name}:${frame.value}`);
  });
  shown.addEventListener('click', () => {
    if (app.clip) use(`${app.clip.name}:${player.frame}`);
  });

  function fill() {
    pose.replaceChildren(make('option', {value: 'auto'}, 'Automatic'),
      make('option', {value: 'identity'}, 'As authored'),
      ...player.clips.map((clip, index) => make('option', {value: String(index), disabled: clip.frames === 0},
        clipName(clip))));
  }

  function update() {
    if (!player.info) return;
    const {clips, bindClip, bindFrame, bindGuessed, is3d} = player.info;
    const isClip = player.bind !== 'auto' && player.bind !== 'identity';
    const inUse = bindClip < 0 ? 'as authored' : `${clipName(clips[bindClip])}, frame ${bindFrame}`;
    pose.value = isClip ? String(bindClip) : player.bind;
    frame.hidden = !isClip || clips[bindClip].frames < 2;
    if (!frame.hidden && document.activeElement !== frame) frame.value = String(bindFrame);
    if (isClip) frame.max = String(clips[bindClip].frames - 1);
    guess.hidden = player.bind !== 'auto';
    setText(guess, `${bindGuessed ? 'Guessed' : 'In use'}: ${inUse}`);
    pose.disabled = is3d;
    shown.disabled = is3d || app.clip === null;
  }

  return {element, fill, update};
}

/** @param {readonly number[] | null} bounds */
function sizeText(bounds) {
  if (!bounds) return 'empty';
  const [width, height] = [bounds[2] - bounds[0], bounds[3] - bounds[1]];
  return `${width.toFixed(1)} × ${height.toFixed(1)} px`;
}

/** @param {App['clip']} clip */
function clipRows(clip) {
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

/** @param {string} title @param {(string | HTMLElement)[]} rows */
function listOf(title, rows) {
  const items = rows.map((row) => (typeof row === 'string' ? make('li', {title: row}, row) : row));
  return make('details', {}, make('summary', {}, title), make('ul', {}, ...items));
}

/**
 * @param {import('./character.js').CharacterInfo} info
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

/** @param {string} name @param {string} value */
function row(name, value) {
  const shown = name === '' ? '(unnamed)' : name;
  return make('li', {className: 'pair', title: shown},
    make('span', {className: 'name'}, shown), make('span', {}, value));
}

/**
 * Returns where a problem is: "line 3, column 7" or "byte 105020", or an empty text.
 * @param {{byte: number | null, line: number, column: number}} place
 */
export function placeText({byte, line, column}) {
  if (line > 0) return `line ${line}, column ${column}`;
  return byte === null ? '' : `byte ${byte}`;
}

/** @param {Diagnostic} diagnostic */
function kindOf(diagnostic) {
  if (diagnostic.severity === 'error') return 'error';
  return diagnostic.severity === 'note' || diagnostic.id.startsWith('W4') ? 'hint' : 'warning';
}

const ORDER = ['error', 'warning', 'hint'];

/**
 * Returns the function that shows the file's problems, in the words of `pchr validate`.
 * @param {App} app
 */
export function createProblems(app) {
  const {player} = app;
  const panel = byId('problems', HTMLElement);
  const badge = byId('problem-count', HTMLElement);
  /** @type {readonly Diagnostic[] | null | undefined} */
  let shown;
  return () => {
    const diagnostics = player.info?.diagnostics ?? null;
    if (shown === diagnostics) return;
    shown = diagnostics;
    const problems = [...(diagnostics ?? [])];
    problems.sort((a, b) => ORDER.indexOf(kindOf(a)) - ORDER.indexOf(kindOf(b)));
    setText(badge, problems.length > 0 ? String(problems.length) : '');
    badge.className = problems.length > 0 ? `badge ${kindOf(problems[0])}` : '';
    badge.title = problems.length > 0 ? counted(problems.length, 'problem') : '';
    panel.replaceChildren(...parts(app, problems));
  };
}

/** @param {App} app @param {Diagnostic[]} problems */
function parts(app, problems) {
  if (!app.player.character) return ['No file is open.'];
  if (problems.length === 0) return ['No problems found.'];
  const copy = make('button', {type: 'button', title: 'Copy all problems as text'}, 'Copy all');
  copy.addEventListener('click', () => copyAll(app, problems));
  return [
    make('div', {className: 'row'}, make('h3', {}, counted(problems.length, 'problem')), copy),
    make('ul', {className: 'problems'}, ...problems.map((problem) => {
      const kind = kindOf(problem);
      const place = placeText(problem);
      const where = place === '' ? [] : [make('p', {className: 'dim'}, place)];
      return make('li', {className: kind},
        make('p', {}, make('span', {className: 'kind'}, `${kind} ${problem.id}`), ' ', problem.message),
        ...where, make('p', {className: 'dim'}, problem.hint));
    })),
  ];
}

/** @param {App} app @param {Diagnostic[]} problems */
async function copyAll(app, problems) {
  const lines = problems.map((problem) => {
    const place = placeText(problem);
    const where = place === '' ? '' : ` (${place})`;
    return `${app.name}: ${problem.severity} ${problem.id}: ${problem.message}${where}\n  hint: ${problem.hint}\n`;
  });
  try {
    await navigator.clipboard.writeText(lines.join(''));
    app.announce('Copied');
  } catch {
    app.announce('The browser does not allow copying here');
  }
}
