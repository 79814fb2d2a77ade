// SPDX-License-Identifier: MIT
// Animators, which play clips in sequence, crossfaded and in layers, or as state machines do; and rigs: bones that aim,
// limbs that reach, feet that stay on the ground, springs, and the definitions of state machines.

import {Handle, enumNumber, need, wordsOf, writePlacement} from './memory.js';
import {CharacterError, lookUp} from './module.js';
import {ENUMS} from './native.js';

/** @typedef {import('./memory.js').Memory} Memory */
/** @typedef {import('./runtime.js').Character} Character */
/** @typedef {import('./runtime.js').BoneOverride} BoneOverride */
/** @typedef {import('./runtime.js').Part} Part */
/** @typedef {import('./runtime.js').Pose} Pose */
/** @typedef {import('./runtime.js').ClipTime} ClipTime */
/** @typedef {'file' | 'once' | 'always' | 'ping-pong'} Loop What happens at the end of a clip. */

/**
 * How to play a clip.
 * @typedef {object} PlayOptions
 * @property {number} [layer]  0 to 63 (default: 0).
 * @property {Loop} [loop]  What happens at the end (default: what the file says).
 * @property {number} [fade]  Seconds of a crossfade from what the layer shows now.
 * @property {number} [speed]  Negative plays backward.
 * @property {number} [start]  Seconds in the clip (default: its start or, backward, its end).
 */

/**
 * Clip that a layer is playing.
 * @typedef {object} Play
 * @property {'clip' | 'fade-out' | 'still'} kind  What it contributes: a clip, the layers below, or the pose of plays
 *   that are no longer listed.
 * @property {number} id  0 unless it plays a clip.
 * @property {number} clip  -1 unless it plays a clip.
 * @property {Loop} loop
 * @property {number} seconds
 * @property {number} speed
 * @property {number} fade  Seconds of its fade-in.
 * @property {number} weight  Over earlier plays in its layer, 0 to 1.
 * @property {boolean} playing  Not paused and not at the end.
 */

/**
 * Event of one step of time.
 * @typedef {object} AnimatorEvent
 * @property {'started' | 'looped' | 'finished' | 'marker' | 'interrupted'} kind
 * @property {number} layer
 * @property {number} play  Id of the play.
 * @property {number} clip  -1 if a rebind has dropped it.
 * @property {string} marker  Name of the marker; empty for other kinds.
 * @property {number} count  Number of times. Above 1 only if it happened several times in one step.
 * @property {number} seconds  Since the start of the step, for the first of `count`.
 * @property {number} weight  Of the play in its layer at that time.
 */

/**
 * Parameter of a character's state machines.
 * @typedef {object} Parameter
 * @property {string} name
 * @property {'number' | 'boolean' | 'trigger'} kind
 * @property {number} value  0 or 1 unless it is a number.
 * @property {number} min
 * @property {number} max
 * @property {string} key  Key of the keyboard for it, such as `space`, or empty.
 */

/**
 * Where one layer of the state machines is.
 * @typedef {object} StateStatus
 * @property {string} name  Name of the state.
 * @property {number} state  Index of the state in its layer.
 * @property {string} layerName
 * @property {string} fromName  Name of the state that still fades out, or empty.
 * @property {number} from  Index of that state, or -1.
 * @property {number} transition  Index of the transition that fades, or -1.
 * @property {number} progress  Of the fade, 0 to 1.
 * @property {number} phase  Durations of the state's clip since it was entered.
 */

/**
 * What the state machines did in one step of time.
 * @typedef {object} StateEvent
 * @property {'left' | 'entered' | 'named'} kind
 * @property {number} layer
 * @property {number} state  Index of the state in its layer.
 * @property {string} name  Name of the state or, of `named`, of the event.
 * @property {number} seconds  Since the start of the step.
 */

/**
 * How a layer mixes with the layers below.
 * @typedef {object} LayerOptions
 * @property {'override' | 'additive'} [mode]
 * @property {Uint8Array} [mask]  Nonzero for the bones to include, as from Rig.mask() or Character.maskSubtree()
 *   (default: all).
 * @property {number} [weight]
 * @property {Part} [referenceClip]  Clip with the reference pose of an additive layer (default: the bind pose).
 * @property {number} [referenceFrame]
 */

/** Numbers of the override values, by the names that BoneOverride has for them. */
const OVERRIDES = {
  x: 'x', y: 'y', rotation: 'rotation', scaleX: 'scale-x', scaleY: 'scale-y', zOrder: 'z-order', visible: 'visible',
};

/**
 * What pchr.h calls the loops.
 * @type {Record<Loop, string>}
 */
const LOOPS = {'file': 'from-file', 'once': 'once', 'always': 'forever', 'ping-pong': 'ping-pong'};
const PARAMETER = wordsOf('parameter');
/** @type {readonly never[]} */
const NO_EVENTS = Object.freeze([]);

/** Plays clips on one instance of a character. */
export class Animator extends Handle {
  #character;
  #smooth = false;
  #hasStates = false;

  /**
   * Creates an animator that shows the bind pose.
   * @param {Character} character
   * @param {object} [options]
   * @param {Rig | null} [options.rig]  Procedural layers (default: those of the character's `.rig.json`).
   * @param {boolean} [options.smooth]  Interpolates between frames.
   */
  constructor(character, options = {}) {
    const {rig = character.rig, smooth = false} = options;
    const {memory} = character;
    super(memory, memory.call('pchr_animator_create', character.handle), 'pchr_animator_free');
    this.#character = character;
    this.setMarkers(character.info.clips.flatMap(({markers}, clip) => markers.map((marker) => ({clip, ...marker}))));
    if (rig) this.setRig(rig);
    this.smooth = smooth;
  }

  get character() {
    return this.#character;
  }

  /** Factor on the speed of all plays, fades and queues. Negative plays backward. */
  get speed() {
    return /** @type {number} */ (this.memory.call('pchr_animator_speed', this.pointer));
  }

  set speed(speed) {
    this.memory.call('pchr_animator_set_speed', this.pointer, speed);
  }

  /** Whether to interpolate between frames. */
  get smooth() {
    return this.#smooth;
  }

  set smooth(smooth) {
    this.#smooth = smooth;
    this.memory.call('pchr_animator_set_sampling', this.pointer, Number(smooth));
  }

  /**
   * Starts a clip now and clears its layer's queue. Returns the id of this play.
   * @param {Part} clip @param {PlayOptions} [options]
   */
  play(clip, options) {
    return this.#begin('pchr_animator_play', clip, options);
  }

  /**
   * Starts a clip when the layer's last play ends, or at the end of its current loop. Returns the id of this play.
   * @param {Part} clip @param {PlayOptions} [options]
   */
  queue(clip, options) {
    return this.#begin('pchr_animator_queue', clip, options);
  }

  /** @param {string} name @param {Part} clip @param {PlayOptions} [given] */
  #begin(name, clip, given = {}) {
    const {loop = 'file', ...options} = given;
    const memory = this.memory.begin();
    const index = this.#character.clipIndex(clip);
    const written = memory.defaults('play_options', {...options, loop: lookUp(LOOPS, loop, 'loop')});
    const play = Number(memory.call(name, this.pointer, index, written));
    needLayer(play, options.layer ?? 0);
    return play;
  }

  /**
   * Fades out a layer and clears its queue.
   * @param {number} [layer] @param {number} [fade]  Seconds.
   */
  stop(layer = 0, fade = 0) {
    needLayer(this.memory.call('pchr_animator_stop', this.pointer, layer, fade), layer);
  }

  /**
   * Fades out a layer when queue() would start a clip.
   * @param {number} [layer] @param {number} [fade]  Seconds.
   */
  queueStop(layer = 0, fade = 0) {
    needLayer(this.memory.call('pchr_animator_queue_stop', this.pointer, layer, fade), layer);
  }

  /**
   * Returns a play. Null before it starts, and after it has ended or been hidden by later plays.
   * @param {number} play @returns {Play | null}
   */
  getPlay(play) {
    const memory = this.memory.begin();
    const out = memory.struct('play');
    return memory.call('pchr_animator_get_play', this.pointer, BigInt(play), out) ? readPlay(memory, out) : null;
  }

  /**
   * Returns the plays that a layer shows, oldest first.
   * @param {number} [layer] @returns {Play[]}
   */
  plays(layer = 0) {
    const memory = this.memory.begin();
    const out = memory.struct('play');
    return Array.from({length: memory.call('pchr_animator_play_count', this.pointer, layer)}, (_, i) => {
      memory.call('pchr_animator_play_at', this.pointer, layer, i, out);
      return readPlay(memory, out);
    });
  }

  /**
   * Sets the speed of a play. Returns whether it is shown.
   * @param {number} play @param {number} speed
   */
  setPlaySpeed(play, speed) {
    return this.memory.call('pchr_animator_set_play_speed', this.pointer, BigInt(play), speed) !== 0;
  }

  /**
   * Pauses or resumes a play. Returns whether it is shown.
   * @param {number} play @param {boolean} paused
   */
  setPlayPaused(play, paused) {
    return this.memory.call('pchr_animator_set_play_paused', this.pointer, BigInt(play), Number(paused)) !== 0;
  }

  /**
   * Moves a play to a time in its clip, clamped to it. Returns whether it is shown.
   * @param {number} play @param {number} seconds
   */
  seekPlay(play, seconds) {
    return this.memory.call('pchr_animator_seek_play', this.pointer, BigInt(play), seconds) !== 0;
  }

  /**
   * Returns the clip that shows with nothing mixed in, and its time, or null. Such an instance can be drawn as a clip.
   * @returns {{clip: number} & ClipTime | null}
   */
  playsAlone() {
    const {memory} = this;
    const {out} = memory;
    if (!memory.call('pchr_animator_plays_alone', this.pointer, out, out + 4)) return null;
    return {clip: memory.views.words[out >>> 2], ...memory.read('clip_time', out + 4)};
  }

  /**
   * Sets how a layer mixes.
   * @param {number} layer @param {LayerOptions} options
   */
  setLayer(layer, {mask, referenceClip, ...options}) {
    const memory = this.memory.begin();
    const clip = referenceClip === undefined ? undefined : this.#character.clipIndex(referenceClip);
    const written = memory.defaults('layer_options', {
      ...options, mask: writeMask(this.#character, mask), referenceClip: clip,
    });
    needLayer(memory.call('pchr_animator_set_layer', this.pointer, layer, written), layer);
  }

  /**
   * Returns how a layer mixes. The mask is null if it includes all bones.
   * @param {number} layer
   * @returns {{mode: 'override' | 'additive', mask: Uint8Array | null, weight: number, referenceClip: number,
   *   referenceFrame: number}}
   */
  getLayer(layer) {
    const memory = this.memory.begin();
    const out = memory.struct('layer_options');
    needLayer(memory.call('pchr_animator_get_layer', this.pointer, layer, out), layer);
    const options = memory.read('layer_options', out);
    const {length} = this.#character.info.bones;
    return {...options, mask: options.mask === 0 ? null : memory.view(Uint8Array, options.mask, length).slice()};
  }

  /**
   * Changes only the weight of a layer.
   * @param {number} layer @param {number} weight  0 to 1.
   */
  setLayerWeight(layer, weight) {
    needLayer(this.memory.call('pchr_animator_set_layer_weight', this.pointer, layer, weight), layer);
  }

  /**
   * Sets overrides that are applied in order to every pose.
   * @param {readonly BoneOverride[]} overrides
   */
  setOverrides(overrides) {
    const memory = this.memory.begin();
    const written = writeOverrides(this.#character, overrides);
    memory.call('pchr_animator_set_overrides', this.pointer, written, overrides.length);
  }

  /**
   * Replaces the markers, which at first are those of the character's files.
   * @param {readonly {clip: Part, frame: number, name: string}[]} markers
   */
  setMarkers(markers) {
    const memory = this.memory.begin();
    const all = markers.map(({clip, frame, name}) => ({clip: this.#character.clipIndex(clip), frame, name}));
    memory.call('pchr_animator_set_markers', this.pointer, memory.structs('marker', all), all.length);
  }

  /**
   * Markers by clip, then by frame.
   * @returns {{clip: number, frame: number, name: string}[]}
   */
  get markers() {
    const {memory} = this;
    return Array.from({length: memory.call('pchr_animator_marker_count', this.pointer)}, (_, i) => {
      memory.call('pchr_animator_get_marker', this.pointer, i, memory.out);
      return memory.read('marker', memory.out);
    });
  }

  /**
   * Advances by some seconds times the speed. Returns everything that happened, in order.
   * @param {number} seconds @returns {readonly AnimatorEvent[]}
   */
  advance(seconds) {
    const {memory} = this;
    const {out} = memory;
    const start = memory.call('pchr_animator_advance', this.pointer, seconds, out);
    const count = memory.views.words[out >>> 2];
    return count === 0 ? NO_EVENTS : memory.readAll('event', start, count);
  }

  /**
   * Poses the character as the animator shows it.
   * @param {Pose} out
   */
  pose(out) {
    const {memory} = this;
    need(memory.call('pchr_animator_pose', this.pointer, memory.of(out)),
         'the animator and the pose belong to different characters');
    return out;
  }

  /**
   * Takes a bone's movement out of the pose, to move the whole character instead.
   * @param {Part | null} bone  Null stops that.
   * @param {boolean} [alongX] @param {boolean} [alongY]
   */
  setRootMotion(bone, alongX = true, alongY = false) {
    const index = bone === null ? -1 : this.#character.boneIndex(bone);
    this.memory.call('pchr_animator_set_root_motion', this.pointer, index, Number(alongX), Number(alongY));
  }

  /**
   * Returns that bone's movement since the last call, in the space of its parent.
   * @param {number[]} [out]  Array to write to.
   */
  takeRootMotion(out = [0, 0]) {
    const {memory} = this;
    memory.call('pchr_animator_take_root_motion', this.pointer, memory.out, memory.out + 4);
    const {floats} = memory.views;
    [out[0], out[1]] = [floats[memory.out >>> 2], floats[(memory.out >>> 2) + 1]];
    return out;
  }

  /**
   * Sets the procedural layers. Later changes to the rig have no effect.
   * @param {Rig | null} rig
   */
  setRig(rig) {
    need(this.memory.call('pchr_animator_set_rig', this.pointer, this.memory.of(rig)),
         'the animator and the rig belong to different characters');
  }

  /**
   * Lets the state machines of a rig play the clips: advance() then advances them. If there were others, values of
   * parameters and current states of the same names are kept. Null removes them, and what plays continues.
   * @param {Rig | null} [rig]  Default: that of the character's `.rig.json`.
   */
  setStates(rig) {
    if (rig === undefined) need(rig = this.#character.rig, 'the character has no .rig.json');
    const memory = this.memory.begin();
    if (rig) memory.tried('pchr_animator_set_states', this.pointer, memory.of(rig));
    else memory.call('pchr_animator_set_states', this.pointer, 0, 0);
    this.#hasStates = rig !== null;
  }

  /**
   * Parameters of the state machines, with their current values.
   * @returns {Parameter[]}
   */
  get parameters() {
    const memory = this.memory.begin();
    const out = memory.struct('parameter');
    return Array.from({length: memory.call('pchr_animator_parameter_count', this.pointer)}, (_, i) => {
      memory.call('pchr_animator_get_parameter', this.pointer, i, out);
      return memory.read('parameter', out);
    });
  }

  /**
   * Sets a number, which is kept within its range, or a boolean, for the next advance().
   * @param {string} name @param {number | boolean} value
   */
  setParameter(name, value) {
    const {memory} = this;
    const parameter = memory.call('pchr_animator_find_parameter', this.pointer, memory.name(name));
    if (memory.call('pchr_animator_set_parameter', this.pointer, parameter, Number(value))) return;
    throw new CharacterError({message: `the state machines have no parameter named "${name}"`});
  }

  /**
   * Sets a trigger.
   * @param {string} trigger
   */
  fire(trigger) {
    const memory = this.memory.begin();
    const parameter = memory.call('pchr_animator_find_parameter', this.pointer, memory.name(trigger));
    const found = memory.struct('parameter');
    need(memory.call('pchr_animator_get_parameter', this.pointer, parameter, found) &&
         memory.views.words[(found >>> 2) + PARAMETER.kind] === ENUMS.parameter_kind.trigger,
         `the state machines have no trigger named "${trigger}"`);
    memory.call('pchr_animator_set_parameter', this.pointer, parameter, 1);
  }

  /** Number of layers of the state machines. */
  get stateLayerCount() {
    return /** @type {number} */ (this.memory.call('pchr_animator_state_layer_count', this.pointer));
  }

  /**
   * Returns where a layer of the state machines is, or null if there is no such layer.
   * @param {number} [layer] @returns {StateStatus | null}
   */
  state(layer = 0) {
    needNumber(layer);
    const memory = this.memory.begin();
    const out = memory.struct('state_status');
    return memory.call('pchr_animator_get_state', this.pointer, layer, out) ? memory.read('state_status', out) : null;
  }

  /**
   * Enters a state at once, whatever the transitions.
   * @param {string} name @param {number} [layer] @param {number} [fade]  Seconds.
   */
  enterState(name, layer = 0, fade = 0) {
    needNumber(layer);
    const {memory} = this;
    need(memory.call('pchr_animator_enter_state', this.pointer, layer, memory.name(name), fade),
         `layer ${layer} of the state machines has no state named "${name}"`);
  }

  /**
   * What the state machines did in the last advance(), in order.
   * @returns {readonly StateEvent[]}
   */
  get stateEvents() {
    if (!this.#hasStates) return NO_EVENTS;
    const {memory} = this;
    const {out} = memory;
    const start = memory.call('pchr_animator_state_events', this.pointer, out);
    const count = memory.views.words[out >>> 2];
    return count === 0 ? NO_EVENTS : memory.readAll('state_event', start, count);
  }

  /** Returns values and states of the state machines as text for a saved game. */
  saveStates() {
    const memory = this.memory.begin();
    const size = memory.call('pchr_animator_save_states', this.pointer, 0, 0) + 1;
    const saved = memory.take(size);
    memory.call('pchr_animator_save_states', this.pointer, saved, size);
    return memory.textAt(saved);
  }

  /**
   * Continues from such a text, without fades that were under way.
   * @param {string} saved
   */
  restoreStates(saved) {
    const memory = this.memory.begin();
    need(memory.call('pchr_animator_restore_states', this.pointer, memory.text(saved)),
         'the text is not of saveStates(), or no state machines play');
  }

  /**
   * Copies another animator with its state machines, such as one that kept an earlier time.
   * @param {Animator} from
   */
  copy(from) {
    const {memory} = this;
    memory.call('pchr_animator_copy', this.pointer, memory.of(from));
    this.#character = from.#character;
    this.#smooth = from.#smooth;
    this.#hasStates = from.#hasStates;
    return this;
  }

  /**
   * Sets the target of the first aim or limb with a name: a world point, or null for its target bone.
   * @param {string} name @param {ArrayLike<number> | null} target
   * @param {number} [weight]  Multiplies that of the rig.
   */
  setTarget(name, target, weight = 1) {
    const {memory} = this;
    const {out} = memory;
    if (target) {
      const {floats} = memory.views;
      floats[out >>> 2] = target[0];
      floats[(out >>> 2) + 1] = target[1];
    }
    // This can let the memory grow, which ends a target that is a view of it.
    const text = memory.name(name);
    if (memory.call('pchr_animator_set_target', this.pointer, text, target ? out : 0, weight)) return;
    throw new CharacterError({message: `the rig has no aim or limb named "${name}"`});
  }

  /**
   * Sets where the character is drawn: moving it swings its springs.
   * @param {import('./memory.js').Appearance} appearance  Only its placement is used.
   * @param {boolean} [teleport]  Springs and feet come along without swinging.
   */
  setPlacement(appearance, teleport = false) {
    const {memory} = this;
    writePlacement(memory.views.floats, memory.out >>> 2, appearance);
    memory.call('pchr_animator_set_placement', this.pointer, memory.out, Number(teleport));
  }

  /** Puts springs and feet at rest. */
  resetRig() {
    this.memory.call('pchr_animator_reset_rig', this.pointer);
  }

  /**
   * Adds wind to that of the rig, in world pixels per second.
   * @param {number} x @param {number} y
   */
  setWind(x, y) {
    this.memory.call('pchr_animator_set_wind', this.pointer, x, y);
  }

  /**
   * Continues with another version of the character, such as a reloaded file, by the names of clips and bones. Returns
   * the names that it lacks. Its poses must be created anew. State machines stop until setStates().
   * @param {Character} character
   */
  rebind(character) {
    const memory = this.memory.begin();
    memory.of({memory: character.memory, pointer: 1});
    const out = memory.struct('rebound');
    memory.call('pchr_animator_rebind', this.pointer, character.handle, out);
    this.#character = character;
    return memory.rebound(out);
  }
}

/** @param {number} layer */
function needNumber(layer) {
  need(typeof layer === 'number', `layer is "${layer}", expected a number`);
}

/** @param {number} worked @param {number} layer */
function needLayer(worked, layer) {
  if (!worked) throw new CharacterError({message: `layer is ${layer}, expected 0 to 63`});
}

/**
 * Writes a mask of bones to scratch memory.
 * @param {Character} character @param {Uint8Array} [mask]
 */
export function writeMask(character, mask) {
  if (!mask) return 0;
  const {length} = character.info.bones;
  need(mask.length === length, `the mask has ${mask.length} elements, but the character has ${length} bones`);
  return character.memory.array(Uint8Array, mask);
}

/**
 * Writes overrides of bones to scratch memory.
 * @param {Character} character @param {readonly BoneOverride[]} overrides
 */
export function writeOverrides(character, overrides) {
  const all = overrides.map((override) => {
    let values = 0;
    for (const [key, name] of Object.entries(OVERRIDES)) {
      const value = override[/** @type {keyof typeof OVERRIDES} */ (key)];
      if (value !== undefined) values |= enumNumber('override_values', name, key);
    }
    return {...override, bone: character.boneIndex(override.bone), values};
  });
  return character.memory.structs('bone_override', all);
}

/** @param {Memory} memory @param {number} pointer @returns {Play} */
function readPlay(memory, pointer) {
  const play = memory.read('play', pointer);
  const loop = Object.keys(LOOPS).find((name) => LOOPS[/** @type {Loop} */ (name)] === play.loop);
  return {...play, loop};
}

/**
 * Rotates a bone so that one of its axes points at a target.
 * @typedef {object} Aim
 * @property {Part} bone
 * @property {string} [name]  For Animator.setTarget().
 * @property {number} [axis]  Counter-clockwise from the bone's +Y.
 * @property {Part} [target]  Bone whose origin it points at, unless the animator has a target.
 * @property {number} [min]  Limit, relative to the animated rotation.
 * @property {number} [max]  Limit, relative to the animated rotation.
 * @property {number} [softness]  Slows down over this range before a limit.
 * @property {number} [weight]
 */

/**
 * Rotates two bones so that a limb's end reaches a target.
 * @typedef {object} Limb
 * @property {Part} upper
 * @property {Part} lower  Child of `upper`.
 * @property {string} [name]  For Animator.setTarget() and feet.
 * @property {Part} [end]  Child of `lower` whose origin is the end (default: the tip is).
 * @property {[number, number]} [tip]  End in the space of `lower`.
 * @property {Part} [target]  Bone whose origin it reaches for, unless the animator has a target.
 * @property {'animated' | 'counterclockwise' | 'clockwise'} [bend]  Side to which it bends.
 * @property {number} [softness]  Slows down over this many pixels before the limb is straight.
 * @property {number} [stretch]  Scales both bones by up to this factor.
 * @property {number} [weight]
 */

/**
 * Keeps the end of a limb in place while a foot is on the ground.
 * @typedef {object} Foot
 * @property {string} ik  Name of a limb that was added before.
 * @property {string} [name]
 * @property {string} [plant]  Marker at which the foot is planted (default: "plant").
 * @property {string} [lift]  Marker at which it is lifted (default: "lift").
 * @property {number} [fadeIn]  Seconds until a planted foot stands still.
 * @property {number} [fadeOut]  Seconds until a lifted foot is where the animation puts it.
 */

/**
 * Lets bones swing after the movement of the character.
 * @typedef {object} Spring
 * @property {Part | Part[]} bones  From base to tip, or the base of a chain.
 * @property {string} [name]
 * @property {[number, number]} [tip]  End of the last bone in its own space (default: as long as the bone before).
 * @property {number} [frequency]  Swings per second: higher is stiffer.
 * @property {number} [damping]  0 swings forever, 1 returns without swinging over.
 * @property {number} [drag]  How much the air holds the bones back and the wind moves them, per second.
 * @property {[number, number]} [gravity]  Acceleration in world pixels per second squared.
 * @property {number} [limit]  Maximum angle of each bone from its animated rotation.
 * @property {number} [weight]
 */

/**
 * Bones with a name for them, for layers that move only these.
 * @typedef {object} Mask
 * @property {string} name  Different from those of all other masks.
 * @property {Part[]} bones
 */

/**
 * State machines as in a `.rig.json`, whose format docs/formats.md describes.
 * @typedef {object} States
 * @property {Record<string, any>[]} [parameters]
 * @property {Record<string, any>[]} [layers]
 */

/** What JSON calls the sides to which a limb bends, and what pchr.h does. */
const BENDS = {animated: 'as-animated', counterclockwise: 'counter-clockwise', clockwise: 'clockwise'};
/** Lists of masks and constraints in a file, and the methods that add them, in the order in which they are added. */
const LISTS = /** @type {const} */ ([
  ['masks', 'addMask'], ['aim', 'addAim'], ['ik', 'addLimb'], ['feet', 'addFoot'], ['springs', 'addSpring'],
]);
const FIELDS = ['$schema', 'bind', 'markers', 'wind', 'gusts', 'step', 'states'];

/** Procedural layers, masks and state machines of a character, with the fields of a `.rig.json`. */
export class Rig extends Handle {
  /** @type {string[]} */
  #limbs = [];

  /** @param {Character} character */
  constructor(character) {
    const memory = character.memory.begin();
    super(memory, memory.call('pchr_rig_create', character.handle), 'pchr_rig_free');
    this.character = character;
  }

  /**
   * Reads a file such as `hero.rig.json`. Fails with a CharacterError.
   * @param {Character} character @param {string} json
   * @param {string} [name]  Name of the file for messages.
   */
  static fromJson(character, json, name = 'rig.json') {
    const rig = new Rig(character);
    try {
      const values = JSON.parse(json);
      for (const [list, add] of LISTS) within(list, values[list], (fields) => rig[add](fields));
      if (values.markers) at('markers', () => rig.setMarkers(values.markers));
      if (values.states) at('states', () => rig.addStates(values.states));
      const known = [...FIELDS, ...LISTS.map(([list]) => list)];
      for (const key of Object.keys(values)) {
        if (!known.includes(key)) throw new Error(`${key} is not a known field; expected ${known.join(', ')}`);
      }
      const [x, y] = values.wind ?? [0, 0];
      rig.setWind(x, y, values.gusts);
      if (values.step !== undefined) rig.setStep(values.step);
      return rig;
    } catch (cause) {
      rig.free();
      const {id, message, path} = /** @type {CharacterError} */ (cause);
      throw new CharacterError({id, message: `${name}: ${message}`, path}, {cause});
    }
  }

  /** @param {Mask} mask */
  addMask({name, bones, ...others}) {
    need(typeof name === 'string' && name, 'name must be the name of a mask');
    need(Array.isArray(bones) && bones.length > 0, 'bones must be an array of at least one bone');
    const [unknown] = Object.keys(others);
    need(unknown === undefined, `there is no option "${unknown}"; expected name, bones`);
    const mask = new Uint8Array(this.character.info.bones.length);
    for (const bone of bones) mask[this.character.boneIndex(bone)] = 1;
    const memory = this.memory.begin();
    need(memory.call('pchr_rig_add_mask', this.pointer, memory.text(name), memory.array(Uint8Array, mask)),
         `name is "${name}", but an earlier mask has that name`);
    return this;
  }

  /**
   * Returns a mask for Animator.setLayer().
   * @param {string} name
   */
  mask(name) {
    const memory = this.memory.begin();
    const {length} = this.character.info.bones;
    const mask = memory.array(Uint8Array, new Uint8Array(length));
    need(memory.call('pchr_rig_mask', this.pointer, memory.text(name), mask), `the rig has no mask named "${name}"`);
    return memory.view(Uint8Array, mask, length).slice();
  }

  /** @param {Aim} aim */
  addAim({bone, target, ...aim}) {
    return this.#add('aim', {...aim, bone: this.#bone('bone', bone), targetBone: this.#bone('target', target, true)});
  }

  /** @param {Limb} limb */
  addLimb({upper, lower, end, target, tip, bend = 'animated', stretch, ...limb}) {
    this.#add('limb', {
      ...limb, upper: this.#bone('upper', upper), lower: this.#bone('lower', lower), end: this.#bone('end', end, true),
      targetBone: this.#bone('target', target, true), tipX: tip?.[0], tipY: tip?.[1], bend: lookUp(BENDS, bend, 'bend'),
      maxStretch: stretch,
    });
    this.#limbs.push(limb.name ?? '');
    return this;
  }

  /** @param {Foot} foot */
  addFoot({ik, ...foot}) {
    const limb = this.#limbs.indexOf(ik);
    need(limb >= 0, `ik is "${ik}", but no limb has that name`);
    return this.#add('foot', {...foot, limb});
  }

  /** @param {Spring} spring */
  addSpring({bones, tip, gravity, ...spring}) {
    const chain = Array.isArray(bones) ? bones.map((bone) => this.#bone('bones', bone))
      : this.character.chain(this.#bone('bones', bones));
    return this.#add('spring', {
      ...spring, boneCount: chain.length, bones: this.memory.begin().array(Uint32Array, chain),
      tipX: tip?.[0], tipY: tip?.[1], gravityX: gravity?.[0], gravityY: gravity?.[1],
    }, true);
  }

  /**
   * Sets the wind in world pixels per second, which acts on springs with drag.
   * @param {number} x @param {number} y
   * @param {number} [gusts]  How much it varies, 0 to 1.
   */
  setWind(x, y, gusts = 0) {
    need(this.memory.call('pchr_rig_set_wind', this.pointer, x, y, gusts), 'wind and gusts must be finite numbers');
    return this;
  }

  /**
   * Sets the time step of the springs.
   * @param {number} seconds  0.001 to 0.1. The default is 1/120.
   */
  setStep(seconds) {
    need(this.memory.call('pchr_rig_set_step', this.pointer, seconds), `the step is ${seconds}, expected 0.001 to 0.1`);
    return this;
  }

  /**
   * Replaces the markers, which keep the clips of a blend space in step. Animator.setRig() takes them as well.
   * @param {readonly {clip: Part, frame: number, name: string}[]} markers
   */
  setMarkers(markers) {
    const memory = this.memory.begin();
    const all = markers.map(({clip, frame, name}) => ({clip: this.character.clipIndex(clip), frame, name}));
    memory.call('pchr_rig_set_markers', this.pointer, memory.structs('marker', all), all.length);
    return this;
  }

  /**
   * Adds state machines, for Animator.setStates(). That finds names that do not exist.
   * @param {States} states
   */
  addStates({parameters = [], layers = [], ...others}) {
    const [unknown] = Object.keys(others);
    need(unknown === undefined, `there is no option "${unknown}"; expected parameters, layers`);
    within('parameters', parameters, ({type = 'number', value, ...parameter}) => {
      lookUp(ENUMS.parameter_kind, type, 'type');
      this.#addState('parameter', {...parameter, kind: type, value: value === undefined ? undefined : Number(value)});
    });
    within('layers', layers, ({states, transitions, reference, ...options}) => {
      const layer = this.stateLayerCount;
      this.#addState('state_layer', {...options, referenceClip: reference?.clip, referenceFrame: reference?.frame});
      within('states', states, (state) => this.#addState('state', state, layer));
      within('transitions', transitions, (transition) => this.#addState('transition', transition, layer));
    });
    return this;
  }

  /** Number of layers of its state machines. */
  get stateLayerCount() {
    return /** @type {number} */ (this.memory.call('pchr_rig_state_layer_count', this.pointer));
  }

  /** @param {'parameter' | 'state_layer' | 'state' | 'transition'} kind @param {any} values @param {number[]} layer */
  #addState(kind, values, ...layer) {
    const memory = this.memory.begin();
    if (kind === 'state') values = writeState(memory, values);
    if (kind === 'transition') values = writeTransition(memory, values);
    need(memory.call(`pchr_rig_add_${kind}`, this.pointer, ...layer, memory.defaults(kind, values)), 'out of memory');
  }

  /** @param {string} kind @param {Record<string, any>} values @param {boolean} [hasBegun] */
  #add(kind, values, hasBegun = false) {
    const {memory} = this;
    if (!hasBegun) memory.begin();
    memory.tried(`pchr_rig_add_${kind}`, this.pointer, memory.defaults(kind, values));
    return this;
  }

  /** @param {string} field @param {Part | undefined} bone @param {boolean} [optional] */
  #bone(field, bone, optional = false) {
    need(optional || bone !== undefined, `${field} is missing`);
    return bone === undefined ? -1 : this.character.boneIndex(bone);
  }
}

/**
 * Runs `work`, and puts a place in the file before the error of what fails.
 * @template Result @param {string} place @param {() => Result} work @returns {Result}
 */
function at(place, work) {
  try {
    return work();
  } catch (cause) {
    const {id, message, path} = /** @type {CharacterError} */ (cause);
    const separator = path && message.startsWith(path) ? '.' : ': ';
    const whole = !path ? place : path.startsWith(place) ? path : `${place}.${path}`;
    throw new CharacterError({id, message: place + separator + message, path: whole}, {cause});
  }
}

/**
 * Does so for each element of a list, which can be missing.
 * @param {string} list @param {readonly any[] | undefined} elements @param {(element: any) => void} work
 */
function within(list, elements, work) {
  elements?.forEach((element, i) => at(`${list}[${i}]`, () => work(element)));
}

/**
 * Returns the members of a pchr_state for a state in JSON.
 * @param {Memory} memory @param {any} state
 */
function writeState(memory, {clip, blend, parameter, parameters, sequence, loop, enter = [], leave = [], ...state}) {
  const kind = blend ? `blend-${parameters ? 2 : 1}d` : sequence ? 'sequence' : clip === undefined ? 'empty' : 'clip';
  const [x, y] = parameters ?? [parameter];
  const points = (blend ?? []).map((/** @type {any} */ {at, ...point}) => {
    const [pointX, pointY] = Array.isArray(at) ? at : [at];
    return {...point, x: pointX, y: pointY};
  });
  return {
    ...state, kind, x, y, start: sequence?.start, clip: sequence ? sequence.loop : clip, end: sequence?.end,
    points: memory.structs('blend_point', points), pointCount: points.length,
    loop: loop === undefined ? undefined : loop ? 'forever' : 'once',
    onEnter: memory.names(enter), onLeave: memory.names(leave),
  };
}

/**
 * Returns the members of a pchr_transition for a transition in JSON.
 * @param {Memory} memory @param {any} transition
 */
function writeTransition(memory, {when = [], sync, ...transition}) {
  within('when', when, ({is = true}) => {
    if (typeof is === 'boolean') return;
    throw new CharacterError({id: 'E109', message: `is is ${JSON.stringify(is)}, but must be true or false`, path: 'is'});
  });
  const conditions = when.map((/** @type {any} */ {above, below, is = true, ...condition}) => {
    const test = above !== undefined ? 'above' : below !== undefined ? 'below' : String(is);
    return {...condition, test, value: above ?? below};
  });
  return {
    ...transition, conditions: memory.structs('condition', conditions), conditionCount: conditions.length,
    synchronized: sync,
  };
}
