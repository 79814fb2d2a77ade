# SPDX-License-Identifier: MIT
"""Exports a scene as a Pachario character: evaluates every frame in a temporary scene and fits bones in 2D to it."""

import contextlib
import json
import math
import os
import re
import time
from dataclasses import dataclass, field, fields

import bpy
import numpy as np
from bpy_extras.io_utils import ExportHelper

from . import compat, files, images
from .character import (BONE_TRANSFORM, MAX_INFLUENCES, VERTEX, Bone, Character, Clip, FileError, Marker, Mask, Mesh,
                        compose, governing_bone, inverse, world_transforms)
from .report import Report, show

MAX_VERTICES = 65535
MAX_CHECKED_FRAMES = 8
TEXT_NAME = "Pachario export"
# Seconds in which an operator exports before it lets Blender draw and read keys.
FIRST_SLICE, SLICE = 0.5, 0.15
# The operators that export in slices: the scene is not as it was meanwhile.
running = []

# Matrices of resting bones that point down are up to about 2e-5 off in Blender.
SMALLEST_SHEAR = 3e-5
REPORTED_PIXELS = 0.05
REPORTED_DEGREES = 0.1
SAME_DEPTH = 1e-6
# Of scales, radians and Blender units: what is nearer to the rest pose is noise.
SEEN_DIFFERENCE = 1e-3
# In Blender units.
SAME_PLACE = 1e-5
# Times the size of all else: an object that far away is hardly a part of the character.
FAR_AWAY = 2
# The part of an export's time in which Blender evaluates frames, for the progress.
EVALUATION = 0.8
# Below this scale, a parent cannot be inverted.
SMALLEST_SCALE = 1e-6


@dataclass
class Settings:
    """Settings of an export. An empty `collection` is the scene; `origin` is ARMATURE, WORLD or CURSOR; `clips` is
    ACTIONS, ACTIVE or SCENE; `bones` is DEFORM or ALL; `formats` holds PCHR, JSON or both."""
    collection: str = ""
    use_selection: bool = False
    formats: set = field(default_factory=lambda: {"PCHR"})
    pixels_per_unit: float = 100.0
    origin: str = "ARMATURE"
    clips: str = "ACTIONS"
    bones: str = "DEFORM"
    use_atlas: bool = False
    max_atlas_size: int = 4096
    write_rig: bool = True


@dataclass
class _Take:
    """A clip to sample: frames `start` to `end` of an action; without one, of the scene as it plays. `stretch` is the
    number of frames of the scene in which it plays a frame of the action."""
    name: str
    start: int
    end: int
    action: object = None
    slot: object = None
    loops: bool = False
    stretch: float = 1.0

    @property
    def count(self):
        return round((self.end - self.start) * self.stretch) + 1

    def frame(self, i):
        """Returns which frame of the action or scene becomes frame `i` of the clip."""
        return self.start + i * (self.end - self.start) / max(1, self.count - 1)


@dataclass
class _Samples:
    """Values that Blender computed in the bind pose and then in all frames of all clips. Matrices are of the world."""
    armature: np.ndarray     # [frames, 4, 4]
    bones: np.ndarray        # [frames, bones, 4, 4]
    scales: np.ndarray       # [frames, bones, 3]: pose scales, whose signs tell a mirrored bone from a rotated one
    objects: np.ndarray      # [frames, objects, 4, 4]
    hidden: np.ndarray       # [frames, objects]
    colors: np.ndarray       # [frames, objects, 4]
    visible: np.ndarray      # [frames, bones]: the custom property, NaN without
    z_order: np.ndarray      # [frames, bones]: the same
    segments: dict           # name of a bendy bone -> [frames, ends of segments, 4, 4]
    checks: dict             # frame -> positions [vertices, 3] of each object


@dataclass
class _Joint:
    """A bone to write. `motion` [frames, 4, 4] moves what it carries from the bind pose, in the world."""
    name: str
    parent: int
    motion: np.ndarray
    bind: np.ndarray         # [2, 3]: the rest frame, in pixels
    depth: float             # Y of the plane that it moves, which matters if it turns out of the XZ plane
    signs: np.ndarray        # [frames, 2]: signs of its scale
    visible: np.ndarray = None
    z_order: np.ndarray = None
    bone: str = ""           # its name in the armature


@dataclass
class _Part:
    """A mesh to write. `source` is the vertex of the evaluated mesh behind each vertex; `bones` and `weights` have as
    many columns as the vertex with the most influences, -1 and 0 where there are fewer."""
    name: str
    object: int
    material: object
    points: np.ndarray       # [vertices, 3] of the world
    uv: np.ndarray
    triangles: np.ndarray
    source: np.ndarray
    bones: np.ndarray
    weights: np.ndarray
    image: int = 0


# ---------------------------------------------------------------------------------------------------------------------
# Choice of objects and bones


def _deforming_armature(obj):
    for modifier in obj.modifiers:
        if modifier.type == "ARMATURE" and modifier.show_viewport and modifier.object:
            return modifier.object
    return obj.parent if obj.parent and obj.parent.type == "ARMATURE" and obj.parent_type == "ARMATURE" else None


def _related_armature(obj):
    while obj:
        found = obj if obj.type == "ARMATURE" else _deforming_armature(obj) if obj.type == "MESH" else None
        if found:
            return found
        obj = obj.parent
    return None


def _rendered(collection, found):
    if not collection.hide_render:
        found.update(collection.objects)
        for child in collection.children:
            _rendered(child, found)
    return found


def _hide_render_moves(obj):
    data = obj.animation_data
    if not data:
        return False
    actions = [data.action] + [strip.action for track in data.nla_tracks for strip in track.strips]
    curves = list(data.drivers) + [curve for action in actions if action for curve in compat.fcurves(action)]
    return any(curve.data_path == "hide_render" for curve in curves)


def _chosen(context, settings, report):
    """Returns the mesh objects to export, in the order of their collections, and their armature object or None."""
    scene = context.scene
    context.view_layer.update()
    if settings.use_selection:
        pool, where = [obj for obj in scene.objects if obj.select_get(view_layer=context.view_layer)], "the selection"
        selected = [obj for obj in pool if obj.type == "ARMATURE"]
        if selected and not any(obj.type == "MESH" for obj in pool):
            pool += [obj for obj in scene.objects if obj.type == "MESH" and _related_armature(obj) in selected]
    elif settings.collection:
        collection = bpy.data.collections.get(settings.collection)
        if not collection:
            raise FileError(f'the collection "{settings.collection}" was not found')
        pool, where = list(collection.all_objects), f'the collection "{settings.collection}"'
    else:
        pool, where = [obj for obj in scene.objects if obj.name in context.view_layer.objects], "the scene"
    rendered = _rendered(scene.collection, set())
    shapes = {bone.custom_shape for obj in scene.objects if obj.type == "ARMATURE" for bone in obj.pose.bones}
    meshes = []
    for obj in pool:
        if obj.type in {"CURVE", "SURFACE", "META", "FONT", "CURVES", "GPENCIL", "GREASEPENCIL"}:
            report.warn(f'object "{obj.name}": {obj.type.lower()} is not exported; convert it to a mesh')
        elif obj.type == "EMPTY" and (obj.instance_type == "COLLECTION" or obj.empty_display_type == "IMAGE"):
            report.warn(f'object "{obj.name}": empties are not exported, neither their images nor their instances')
        elif obj.type == "MESH" and obj not in shapes:
            if (obj.hide_render and not _hide_render_moves(obj)) or (obj not in rendered and not settings.collection):
                report.info(f'mesh "{obj.name}": it is hidden in renders, and not exported')
            else:
                meshes.append(obj)
    if not meshes:
        raise FileError(f"{where} has no meshes that renders show; a character needs at least one")
    armatures = list(dict.fromkeys(filter(None, map(_related_armature, meshes))))
    armatures = armatures or [obj for obj in pool if obj.type == "ARMATURE"]
    if len(armatures) > 1:
        names = ", ".join(f'"{obj.name}"' for obj in armatures)
        raise FileError(f"{where} has several armatures: {names}; a character has one. Choose a collection")
    armature = armatures[0] if armatures else None
    if not settings.use_selection and not settings.collection:
        left = set(scene.objects) - set(pool) - shapes
        for obj in scene.objects:
            if obj in left and obj.type == "MESH" and armature and _related_armature(obj) == armature:
                report.info(f'mesh "{obj.name}": its collection is excluded from the view layer; it is not exported')
    return meshes, armature


def _ordered_bones(armature, meshes, settings):
    """Returns the names of the bones to export, parents first."""
    carriers = {obj.parent_bone for obj in meshes if obj.parent == armature and obj.parent_type == "BONE"}
    chosen = [bone for bone in armature.data.bones
              if settings.bones == "ALL" or bone.use_deform or bone.name in carriers]
    rank = {bone.name: (armature.pose.bones[bone.name].get("pachario_order", index), index)
            for index, bone in enumerate(chosen)}
    ordered = []

    def visit(bone):
        if bone.name in rank and bone.name not in ordered:
            for each in reversed(bone.parent_recursive):
                visit(each)
            ordered.append(bone.name)
    for bone in sorted(chosen, key=lambda each: rank[each.name]):
        visit(bone)
    return ordered


# ---------------------------------------------------------------------------------------------------------------------
# Clips


_BONE_PATH = re.compile(r'pose\.bones\["((?:\\.|[^"\\])*)"\](?:\.(\w+))?')


def _bone_of(curve):
    found = _BONE_PATH.match(curve.data_path)
    return (bpy.utils.unescape_identifier(found[1]), found[2]) if found else (None, curve.data_path)


def _strips(owner):
    data = owner.animation_data
    return [strip for track in data.nla_tracks for strip in track.strips if strip.action] if data else []


def _own_actions(owner):
    data = owner.animation_data
    return ([data.action] if data and data.action else []) + [strip.action for strip in _strips(owner)]


def _slots_for(action, armature, current):
    """Returns the slots of an action whose curves animate the armature; [None] if it has no slots, but fits."""
    def fits(slot):
        return any((_bone_of(curve)[0] or "") in armature.pose.bones for curve in compat.fcurves(action, slot))
    if not hasattr(action, "slots"):
        return [None] if current or fits(None) else []
    slots = [slot for slot in action.slots if slot.target_id_type in ("OBJECT", "UNSPECIFIED") and fits(slot)]
    if current:
        data = armature.animation_data
        used = [data.action_slot] if data.action == action else []
        used += [strip.action_slot for strip in _strips(armature) if strip.action == action]
        return [slot for slot in dict.fromkeys(used) if slot] or slots
    named = [slot for slot in slots if slot.name_display == armature.name]
    names = {other.name for other in _others(armature)}
    return named or [slot for slot in slots if slot.name_display not in names]


def _others(armature):
    return [obj for obj in bpy.data.objects if obj.type == "ARMATURE" and obj != armature and obj.users_scene]


def _stranger(action, armature):
    """Returns which other armature an action was made for, as text, or None."""
    if compat.is_owner(armature, action):
        return None
    bones = {_bone_of(curve)[0] for curve in compat.fcurves(action)} - {None}
    if not any(bone in armature.pose.bones for bone in bones):
        return None
    complete = all(bone in armature.pose.bones for bone in bones)
    for other in _others(armature):
        if compat.is_owner(other, action) or action in _own_actions(other) or (
                not complete and all(bone in other.pose.bones for bone in bones)):
            return f'the armature "{other.name}"'
    return "an armature that was deleted" if "pachario_owner" in action else None


def _range(action, slot):
    """Returns the first and last frame of an action."""
    if action.use_frame_range:
        start, end = action.frame_start, action.frame_end
    else:
        # Action.frame_range is a frame too long for a single key, and covers all slots.
        ranges = [curve.range() for curve in compat.fcurves(action, slot)
                  if curve.keyframe_points or curve.sampled_points]
        start, end = min((each[0] for each in ranges), default=1), max((each[1] for each in ranges), default=1)
    return math.floor(start + 1e-4), math.ceil(end - 1e-4)


def _loops(action, slot):
    return action.use_cyclic or any(modifier.type == "CYCLES" and not modifier.mute
                                    for curve in compat.fcurves(action, slot) for modifier in curve.modifiers)


def _report_strips(what, strips, report):
    """Says what NLA strips change of an action that is exported by itself."""
    for strip in strips:
        changes = [text for changed, text in (
            (abs(strip.scale - 1) > 1e-6, f"a scale of {strip.scale:g}"),
            (strip.use_animated_influence, "an influence of its own"),
            (strip.blend_in or strip.blend_out, "blending in or out"),
            (strip.use_animated_time, "an animated time"), (strip.use_reverse, "its frames reversed"),
            (strip.blend_type != "REPLACE", f"the blending {strip.blend_type.lower()}")) if changed]
        if changes:
            report.warn(f'{what}: its NLA strip "{strip.name}" plays it with {" and ".join(changes)}; the clip has the '
                        "action as it is. To export what the strips play, choose Scene for the clips")


def _report_equal_names(takes, report):
    by_name = {}
    for take in takes:
        by_name.setdefault(take.name, []).append(take)
    for name, same in by_name.items():
        if len(same) > 1:
            owners = [f'"{take.action.name}"' + (f" of {take.action.library.filepath}" if take.action.library else "")
                      for take in same if take.action]
            report.warn(f'{len(same)} clips are named "{name}": the actions {", ".join(owners)}; a game that asks for '
                        "that name gets the first")


def _takes(scene, armature, meshes, settings, report):
    """Returns the clips to sample, in file order."""
    takes = []
    stretch = scene.render.frame_map_new / scene.render.frame_map_old
    if armature and settings.clips != "SCENE":
        mine = _own_actions(armature)
        data = armature.animation_data
        if settings.clips == "ACTIVE":
            actions = [data.action] if data and data.action else []
        else:
            actions = list(bpy.data.actions)
        actions.sort(key=lambda action: action.get("pachario_order", len(bpy.data.actions)))
        for action in actions:
            other = None if action in mine else _stranger(action, armature)
            if other:
                report.info(f'action "{action.name}": it belongs to {other}, and is not exported; '
                            f'to export it, add it to an NLA track of "{armature.name}"')
                continue
            slots = _slots_for(action, armature, action in mine)
            if slots and compat.true_name(action) == "bind":
                _check_bind_action(armature, action, slots[0], report)
                continue
            if slots and action.asset_data and _range(action, slots[0])[0] == _range(action, slots[0])[1]:
                report.info(f'action "{action.name}": it is a pose of a library, and not exported')
                continue
            missing = {_bone_of(curve)[0] for curve in compat.fcurves(action)} - {None, *armature.pose.bones.keys()}
            for bone in sorted(missing) if slots else ():
                report.info(f'action "{action.name}": the armature has no bone "{bone}"; its keys are ignored')
            for slot in slots:
                name = compat.true_name(action) + (f".{slot.name_display}" if len(slots) > 1 else "")
                takes.append(_Take(name, *_range(action, slot), action, slot, _loops(action, slot), stretch))
                length = takes[-1].end - takes[-1].start
                if abs(length * stretch - round(length * stretch)) > 1e-3:
                    report.warn(f'clip "{name}": the time stretching of the scene makes its {length} frames '
                                f"{length * stretch:.2f}, which become {round(length * stretch)}")
            if slots:
                _report_strips(f'action "{action.name}"', [strip for strip in _strips(armature)
                                                           if strip.action == action], report)
        if takes and stretch != 1:
            report.info(f"the scene stretches {scene.render.frame_map_old} frames to {scene.render.frame_map_new}; "
                        "clips are as long as they play")
        _report_equal_names(takes, report)
        if settings.clips == "ACTIVE" and not takes:
            report.warn(f'armature "{armature.name}": it has no active action; only the clip bind is exported')
            return takes
    owners = meshes + [armature] if armature else meshes
    if not takes and (settings.clips == "SCENE" or not armature or any(
            compat.true_name(action) != "bind" for owner in owners for action in _own_actions(owner))):
        takes = [_Take(scene.name, scene.frame_start, max(scene.frame_start, scene.frame_end))]
    if not takes:
        report.info("no action animates the character; only the clip bind is exported. To export the scene as it "
                    "plays, choose Scene for the clips")
    return takes


def _check_bind_action(armature, action, slot, report):
    for curve in compat.fcurves(action, slot):
        bone, channel = _bone_of(curve)
        if bone in armature.pose.bones and channel in _TRANSFORMS and curve.keyframe_points:
            default = _default(armature.pose.bones[bone], channel, None, curve.array_index)
            value = curve.evaluate(curve.keyframe_points[0].co.x)
            if abs(value - default) > SEEN_DIFFERENCE:
                report.warn(f'action "{action.name}", bone "{bone}": {channel} is {value:.6g}; the clip "bind" is the '
                            f"rest pose, where it is {default:.6g}")
                return


def _markers(scene, take, count, report):
    found = []
    for marker in take.action.pose_markers if take.action else scene.timeline_markers:
        frame = (marker.frame - take.start) * (take.count - 1) / max(1, take.end - take.start)
        if 0 <= frame <= count - 1:
            found.append(Marker(take.name, round(frame), marker.name))
        else:
            report.warn(f'marker "{marker.name}", clip "{take.name}": frame {marker.frame} is outside the clip, which '
                        f"has frames {take.start} to {take.frame(count - 1):g}; it is not exported")
    return sorted(found, key=lambda marker: marker.frame)


# ---------------------------------------------------------------------------------------------------------------------
# Evaluation


_TRANSFORMS = ("location", "rotation_euler", "rotation_quaternion", "rotation_axis_angle", "scale")
_CUSTOM = re.compile(r'\["((?:\\.|[^"\\])*)"\]$')


def _property(owner, path):
    """Returns (data, name, custom key or None) of a property that a curve of an object animates, or None if the object
    does not have it."""
    custom = _CUSTOM.search(path)
    head, name = (path[:custom.start()], custom[0]) if custom else path.rpartition(".")[::2]
    try:
        data = owner.path_resolve(head) if head else owner
        data.path_resolve(name)
    except (AttributeError, ValueError):
        return None
    return data, name, bpy.utils.unescape_identifier(custom[1]) if custom else None


def _value(data, name):
    value = data.path_resolve(name)
    return tuple(value) if hasattr(value, "__len__") and not isinstance(value, str) else value


def _set(data, name, key, value):
    if key is None:
        setattr(data, name, value)
    elif isinstance(value, tuple):
        data[key][:] = value
    else:
        data[key] = value


def _default(data, name, key, index):
    """Returns the default of a number, or None if it has none."""
    if key is not None:
        default = data.id_properties_ui(key).as_dict().get("default")
    else:
        described = data.bl_rna.properties[name]
        default = tuple(described.default_array) if getattr(described, "is_array", False) else described.default
        # What Blender says is 0, but new constraints have 1.
        default = 1.0 if name == "influence" else default
    if isinstance(default, (tuple, list)):
        default = default[index] if index < len(default) else None
    return default if isinstance(default, (int, float)) else None


def _state(owner, actions):
    """Returns (data, name, custom key, value) of everything of an object that evaluating `actions` may overwrite."""
    paths = {curve.data_path for action in actions for curve in compat.fcurves(action)} | {"hide_viewport"}
    found = [_property(owner, path) for path in sorted(paths)]
    return [(*each, _value(*each[:2])) for each in found if each]


def _write_back(state):
    for data, name, key, value in state:
        if _value(data, name) != value:
            _set(data, name, key, value)


@contextlib.contextmanager
def _evaluation(context, movers, armature, takes):
    """Yields a scene with only what moves, the armature and what they depend on. Restores the originals at the end."""
    owners = movers + [armature] if armature else list(movers)
    mode = None
    if armature and armature.mode == "EDIT":
        # Blender shows the rest pose while bones are edited.
        mode = "EDIT"
        bpy.ops.object.mode_set(mode="OBJECT")
    for obj in movers:
        if obj.mode == "EDIT":
            obj.update_from_editmode()
    played = [take.action for take in takes if take.action]
    state = [entry for owner in owners for entry in _state(owner, played + _own_actions(owner))]
    bare = [owner for owner in owners if not owner.animation_data]
    animated = [owner.animation_data for owner in owners if owner.animation_data]
    tweaked = [data for data in animated if data.use_tweak_mode]
    for data in tweaked:
        # The action of a strip that is edited stands in for the object's own, which cannot be changed then.
        data.use_tweak_mode = False
    animations = [(data, data.action, getattr(data, "action_slot", None), data.use_nla) for data in animated]
    position = armature.data.pose_position if armature else None
    # A copy of the scene would leave its objects with a user too many.
    scene = bpy.data.scenes.new(context.scene.name)
    scene.frame_start = context.scene.frame_start
    for name in ("fps", "fps_base", "frame_map_old", "frame_map_new"):
        setattr(scene.render, name, getattr(context.scene.render, name))
    for key, value in context.scene.items():
        if isinstance(value, (int, float, str)):
            scene[key] = value
    muted, clocks = [], []
    try:
        for block in (*bpy.data.objects, *bpy.data.armatures, *bpy.data.shape_keys, *bpy.data.node_groups):
            for curve in block.animation_data.drivers if block.animation_data else ():
                clocks += [target for variable in curve.driver.variables for target in variable.targets
                           if target.id == context.scene and target.data_path.startswith("frame_")]
        for target in clocks:
            target.id = scene
        for owner in owners:
            scene.collection.objects.link(owner)
            owner.hide_set(False, view_layer=scene.view_layers[0])
        for owner in owners:
            # Blender does not evaluate what is hidden in the viewport.
            curves = list(owner.animation_data.drivers) if owner.animation_data else []
            curves += [curve for action in _own_actions(owner) for curve in compat.fcurves(action)]
            for curve in curves:
                if curve.data_path == "hide_viewport" and not curve.mute:
                    curve.mute = True
                    muted.append(curve)
            owner.hide_viewport = False
        yield scene
    finally:
        for target in clocks:
            target.id = context.scene
        for curve in muted:
            curve.mute = False
        for data, action, slot, use_nla in animations:
            if data.action != action:
                data.action = action
            if hasattr(data, "action_slot") and data.action_slot != slot:
                data.action_slot = slot
            if data.use_nla != use_nla:
                data.use_nla = use_nla
        for data in tweaked:
            data.use_tweak_mode = True
        for owner in bare:
            if owner.animation_data:
                owner.animation_data_clear()
        if armature and armature.data.pose_position != position:
            armature.data.pose_position = position
        bpy.data.scenes.remove(scene)
        context.view_layer.update()
        _write_back(state)
        if mode:
            bpy.ops.object.mode_set(mode=mode)


def _reset(armature, takes):
    """Gives each channel that some clip animates a value that does not depend on the current frame, for the clips that
    do not animate it."""
    for take in takes:
        for curve in compat.fcurves(take.action, take.slot) if take.action else ():
            found = _property(armature, curve.data_path)
            if not found:
                continue
            value = _default(*found, curve.array_index)
            if curve.data_path in _TRANSFORMS:
                value = curve.evaluate(take.start)
            current = _value(*found[:2])
            if isinstance(current, tuple):
                value = None if value is None else (*current[:curve.array_index], value,
                                                    *current[curve.array_index + 1:])
            if value is not None and not isinstance(current, str):
                _set(*found, value)


def _slots_of(take, owner):
    return [slot for slot in getattr(take.action, "slots", ())
            if slot.name_display == owner.name and slot.target_id_type == "OBJECT"]


def _named_strips(take, owner):
    """Returns the strips of an object on tracks with the name of a clip."""
    data = owner.animation_data
    return [strip for track in data.nla_tracks if track.name == take.name
            for strip in track.strips if strip.action] if data else []


def _targets(scene, takes, meshes, armature):
    """Returns the other objects that move differently in some clips, such as targets of constraints."""
    names = {take.name for take in takes}
    return [obj for obj in scene.objects if obj not in meshes and obj != armature and obj.animation_data and (
        any(track.name in names for track in obj.animation_data.nla_tracks)
        or any(_slots_of(take, obj) for take in takes))]


def _play(take, movers, armature, originals):
    """Assigns what moves during a clip: its action, and strips of objects on tracks of the clip's name."""
    for owner in movers + [armature] if armature else movers:
        data = owner.animation_data
        if not take.action:
            if data:
                action, slot, data.use_nla = originals.get(owner, (None, None, False))
                if data.action != action:
                    compat.assign(owner, action, slot)
            continue
        if owner == armature:
            compat.assign(owner, take.action, take.slot)
            owner.animation_data.use_nla = False
            continue
        named = _named_strips(take, owner)
        slots = _slots_of(take, owner)
        action, slot, use_nla = originals.get(owner, (None, None, False))
        if named:
            action, slot = named[0].action, getattr(named[0], "action_slot", None)
        elif slots:
            action, slot = take.action, slots[0]
        if data and (data.action != action or getattr(data, "action_slot", None) != slot) or slots:
            compat.assign(owner, action, slot)
        if owner.animation_data:
            owner.animation_data.use_nla = use_nla and not named and not slots


def _matrix(value):
    return np.array(value, np.float64)


def _checked(count):
    return np.unique(np.linspace(0, count - 1, min(count, MAX_CHECKED_FRAMES)).astype(int))


def _sample(scene, takes, meshes, movers, armature, names, bends, read_bind):
    """Evaluates the bind pose, for which it calls `read_bind(depsgraph)`, and all frames of all clips. Objects
    without size in the bind pose are bound where they have one. A generator that yields the part that is done, and
    returns the samples."""
    originals = {owner: (owner.animation_data.action, getattr(owner.animation_data, "action_slot", None),
                         owner.animation_data.use_nla)
                 for owner in (movers + [armature] if armature else movers) if owner.animation_data}
    total = 1 + sum(take.count for take in takes)
    n, m = len(names), len(meshes)
    samples = _Samples(np.tile(np.eye(4), (total, 1, 1)), np.zeros((total, n, 4, 4)), np.ones((total, n, 3)),
                       np.zeros((total, m, 4, 4)), np.zeros((total, m), bool), np.ones((total, m, 4)),
                       np.full((total, n), np.nan), np.full((total, n), np.nan),
                       {name: np.zeros((total, joints, 4, 4)) for name, joints in bends.items()}, {})
    all_names = [bone.name for bone in armature.pose.bones] if armature else []
    picked = [all_names.index(name) for name in names]
    flags = [(key, values, i, name) for key, values in (("visible", samples.visible), ("z_order", samples.z_order))
             for i, name in enumerate(names) if isinstance(armature.pose.bones[name].get(key), (int, float))]
    changing = {obj for obj in meshes if obj.animation_data or any(_slots_of(take, obj) for take in takes)}
    matrices, scales = np.empty(len(all_names) * 16, np.float32), np.empty(len(all_names) * 3, np.float32)

    def read(row, check):
        depsgraph = scene.view_layers[0].depsgraph
        if armature:
            evaluated = armature.evaluated_get(depsgraph)
            samples.armature[row] = _matrix(evaluated.matrix_world)
            evaluated.pose.bones.foreach_get("matrix", matrices)
            evaluated.pose.bones.foreach_get("scale", scales)
            poses = matrices.reshape(-1, 4, 4)[picked].transpose(0, 2, 1).astype(np.float64)
            samples.bones[row] = poses
            samples.scales[row] = scales.reshape(-1, 3)[picked]
            for key, values, i, name in flags:
                values[row, i] = evaluated.pose.bones[name][key]
            for name, segments in samples.segments.items():
                bone = evaluated.pose.bones[name]
                for i in range(segments.shape[1]):
                    segments[row, i] = _matrix(bone.bbone_segment_matrix(i, rest=row == 0))
        # Numbers in one list become an array much faster than matrices do.
        numbers = []
        for i, obj in enumerate(meshes):
            evaluated = obj.evaluated_get(depsgraph)
            for line in evaluated.matrix_world:
                numbers.extend(line)
            if obj in changing or row <= 1:
                samples.hidden[row, i] = evaluated.hide_render
                samples.colors[row, i] = evaluated.color
            else:
                samples.hidden[row, i], samples.colors[row, i] = samples.hidden[1, i], samples.colors[1, i]
        samples.objects[row] = np.array(numbers).reshape(m, 4, 4)
        if check:
            samples.checks[row] = [_moved(_evaluated_points(obj, depsgraph), matrix)
                                   for obj, matrix in zip(meshes, samples.objects[row])]

    if takes:
        _reset(armature, takes)
    if armature:
        armature.data.pose_position = "POSE"
    place = {}
    row = 1
    for take in takes:
        _play(take, movers, armature, originals)
        checked = set(_checked(take.count))
        for i in range(take.count):
            place[row] = take, take.frame(i) * take.stretch
            _set_time(scene, place[row][1])
            read(row, i in checked)
            row += 1
            yield EVALUATION * row / total
    # Nothing can be bound while the armature object has a scale of zero.
    bind = 1 + int(_sound(samples.armature[1:]).argmax()) if takes else 0
    take, frame = place.get(bind, (None, scene.frame_start))
    if take:
        _play(take, movers, armature, originals)
    if armature:
        armature.data.pose_position = "REST"
    _set_time(scene, frame)
    read(0, False)
    # The curves of bendy bones bend meshes in the rest pose, too.
    bendy = {bone: bone.bbone_segments for bone in armature.data.bones if bone.bbone_segments > 1} if armature else {}
    try:
        for bone in bendy:
            bone.bbone_segments = 1
        if bendy:
            _set_time(scene, frame)
        read_bind(scene.view_layers[0].depsgraph)
    finally:
        for bone, segments in bendy.items():
            bone.bbone_segments = segments
    for matrices in samples.objects.transpose(1, 0, 2, 3):
        usable = _sound(matrices)
        matrices[0] = matrices[0 if usable[0] else int(usable.argmax())]
    samples.bones = samples.armature[:, None] @ samples.bones
    for name, segments in samples.segments.items():
        samples.segments[name] = samples.bones[:, names.index(name), None] @ segments
    return samples


def _set_time(scene, time):
    frame = math.floor(time + 1e-6)
    scene.frame_set(frame, subframe=min(max(time - frame, 0.0), 0.999999))


def _sound(matrices):
    return np.abs(np.linalg.det(matrices[:, :3, :3])) > SMALLEST_SCALE


def _moved(points, matrix):
    return points @ matrix[:3, :3].T + matrix[:3, 3]


# ---------------------------------------------------------------------------------------------------------------------
# Meshes


@dataclass
class _Geometry:
    """An evaluated mesh in the bind pose. `influences` has a list of (group name, weight) per vertex, `slots` the
    materials."""
    points: np.ndarray
    triangles: np.ndarray     # [triangles, 3] of loops
    loop_vertices: np.ndarray
    materials: np.ndarray     # [triangles]
    uv_layers: dict           # name -> [loops, 2]
    active_uv: str
    influences: list
    slots: list


def _evaluated_points(obj, depsgraph):
    evaluated = obj.evaluated_get(depsgraph)
    # Modifiers may be off while a mesh is edited, but not in a mesh that is made with all layers.
    mesh = evaluated.to_mesh(preserve_all_data_layers=obj.mode == "EDIT", depsgraph=depsgraph)
    points = np.empty(len(mesh.vertices) * 3, np.float32)
    mesh.vertices.foreach_get("co", points)
    evaluated.to_mesh_clear()
    return points.reshape(-1, 3)


def _read_geometry(obj, depsgraph):
    evaluated = obj.evaluated_get(depsgraph)
    mesh = evaluated.to_mesh(preserve_all_data_layers=True, depsgraph=depsgraph)
    try:
        mesh.calc_loop_triangles()
        points = np.empty(len(mesh.vertices) * 3, np.float32)
        mesh.vertices.foreach_get("co", points)
        loops = np.empty(len(mesh.loops), np.int32)
        mesh.loops.foreach_get("vertex_index", loops)
        triangles = np.empty(len(mesh.loop_triangles) * 3, np.int32)
        mesh.loop_triangles.foreach_get("loops", triangles)
        materials = np.empty(len(mesh.loop_triangles), np.int32)
        mesh.loop_triangles.foreach_get("material_index", materials)
        layers = {}
        for layer in mesh.uv_layers:
            uv = np.empty(len(mesh.loops) * 2, np.float32)
            layer.data.foreach_get("uv", uv)
            layers[layer.name] = uv.reshape(-1, 2)
        active = next((layer.name for layer in mesh.uv_layers if layer.active_render), "")
        # Geometry nodes can change both.
        names = [group.name for group in evaluated.vertex_groups]
        slots = [slot.material and slot.material.original for slot in evaluated.material_slots]
        influences = [[(names[each.group], each.weight) for each in vertex.groups if each.group < len(names)]
                      for vertex in mesh.vertices]
    finally:
        evaluated.to_mesh_clear()
    return _Geometry(points.reshape(-1, 3), triangles.reshape(-1, 3), loops, materials, layers, active,
                     influences, slots or [None])


def _split(geometry, chosen, uv, keep_all):
    """Returns the vertices, texture coordinates and indices of some triangles of a mesh. A vertex with several texture
    coordinates becomes several vertices; the additional ones come last."""
    loops = geometry.triangles[chosen].ravel()
    vertices = geometry.loop_vertices[loops]
    keys, first, inverse = np.unique(np.column_stack([vertices, uv[loops]]), axis=0, return_index=True,
                                     return_inverse=True)
    order = np.argsort(first, kind="stable")
    owners = keys[order, 0].astype(int)
    kept = np.arange(len(geometry.points)) if keep_all else np.unique(vertices)
    is_first = np.zeros(len(owners), bool)
    is_first[np.unique(owners, return_index=True)[1]] = True
    place = np.where(is_first, np.searchsorted(kept, owners), len(kept) + np.cumsum(~is_first) - 1)
    source = np.concatenate([kept, owners[~is_first]])
    coordinates = np.zeros((len(source), 2))
    coordinates[place] = keys[order, 1:]
    index = np.empty(len(keys), int)
    index[order] = place
    return source, coordinates, index[inverse.ravel()]


def _bendy(armature, meshes, names):
    """Returns {name: number of joints} of the bendy bones that deform meshes: one at each end of a segment."""
    groups = {group.name for obj in meshes if armature and _deforming_armature(obj) == armature
              for group in obj.vertex_groups}
    bones = armature.data.bones if armature else {}
    return {name: bones[name].bbone_segments + 1 for name in names
            if name in groups and bones[name].use_deform and bones[name].bbone_segments > 1}


def _along(points, rest, length, joints):
    """Returns for each vertex the joint of a bendy bone below it, and the weight of the next one, as Blender does:
    by its place along the bone, whose rest matrix in the world is `rest`."""
    inverse_rest = np.linalg.pinv(rest)
    place = np.clip((points @ inverse_rest[1, :3] + inverse_rest[1, 3]) / length, 0, 1) * (joints - 1)
    below = np.minimum(place.astype(int), joints - 2)
    return below, place - below


def _weigh(geometry, deforming, joint_of, bends):
    """Returns [vertices, influences] of joints and of weights, and which vertices have none. `bends` has for joints
    that are bendy bones the first joint of their segments, and what _along() returns."""
    rows = []

    def spread(vertex, joint, weight):
        if joint not in bends:
            return [(joint, weight)]
        first, below, share = bends[joint]
        parts = ((first + below[vertex], weight * (1 - share[vertex])),
                 (first + below[vertex] + 1, weight * share[vertex]))
        return [part for part in parts if part[1] > 0]
    for vertex, influences in enumerate(geometry.influences):
        found = [(joint_of[name], weight) for name, weight in influences if name in joint_of and weight > 0] \
            if deforming else []
        total = sum(weight for _, weight in found)
        # Blender leaves vertices alone whose weights add up to less.
        total = 1 if abs(total - 1) <= 1e-6 else total
        rows.append([part for joint, weight in found for part in spread(vertex, joint, weight / total)]
                    if total > 1e-4 else [])
    width = max([1] + [len(row) for row in rows])
    joints, weights = np.full((len(rows), width), -1), np.zeros((len(rows), width))
    for i, row in enumerate(rows):
        for k, (joint, weight) in enumerate(row):
            joints[i, k], weights[i, k] = joint, weight
    return joints, weights, joints[:, 0] < 0


def _truncate(part):
    """Keeps the largest influences of each vertex, and returns what was there before, or None if that was all."""
    if part.bones.shape[1] <= MAX_INFLUENCES:
        return None
    before = part.bones, part.weights
    order = np.argsort(-part.weights, axis=1, kind="stable")[:, :MAX_INFLUENCES]
    order.sort(axis=1)
    bones, weights = np.take_along_axis(part.bones, order, 1), np.take_along_axis(part.weights, order, 1)
    total = weights.sum(axis=1, keepdims=True)
    part.bones, part.weights = bones, weights / np.where(total > 0, total, 1)
    return before


def _follow(obj, i, samples, bones, armature, names, points):
    """Returns the bone that an object moves with: its index, "root" for the armature object, or "own" for neither."""
    start = samples.objects[0, i]
    motion = samples.objects[:, i] @ np.linalg.pinv(start)
    corners = np.column_stack([[points.min(axis=0), points.mean(axis=0), points.max(axis=0)], np.ones(3)])

    def same(other):
        return np.abs((motion - other)[:, [0, 2]] @ corners.T).max() <= SAME_PLACE
    if obj.parent == armature and obj.parent_type == "BONE" and obj.parent_bone in names:
        if same(bones[:, names.index(obj.parent_bone)]):
            return names.index(obj.parent_bone)
    if armature and same(_root_motion(samples)):
        return "root"
    # Most bones differ in the frames in the middle of the clips already.
    few = np.unique(np.linspace(0, len(motion) - 1, 8).astype(int))
    near = np.abs((motion[few, None] - bones[few])[:, :, [0, 2]] @ corners.T).max(axis=(0, 2, 3)) <= SAME_PLACE
    return next((int(k) for k in np.flatnonzero(near) if same(bones[:, k])), "own")


def _root_motion(samples):
    return samples.armature @ np.linalg.pinv(samples.armature[0])


def _bone_motions(samples):
    return samples.bones @ np.linalg.pinv(samples.bones[0])


# ---------------------------------------------------------------------------------------------------------------------
# Bones in 2D


class _Frames:
    """Where the rows of the samples are: the bind pose, then the frames of each clip."""

    def __init__(self, takes):
        self.takes = takes
        self.starts = np.cumsum([1] + [take.count for take in takes])

    def rows(self, clip):
        return slice(self.starts[clip], self.starts[clip + 1])

    def clips(self):
        """Returns the rows of the bind pose and of each clip."""
        return [slice(0, 1)] + [self.rows(clip) for clip in range(len(self.takes))]

    def where(self, row):
        clip = int(np.searchsorted(self.starts, row, side="right")) - 1
        if clip < 0:
            return 'clip "bind"'
        take = self.takes[clip]
        return f'clip "{take.name}", frame {take.frame(row - self.starts[clip]):g}'


class _View:
    """The XZ plane in pixels from an origin."""

    def __init__(self, origin, scale):
        self.origin, self.scale = np.array([origin[0], origin[2]]), scale

    def points(self, points):
        return (points[..., [0, 2]] - self.origin) * self.scale

    def affine(self, motion, depth):
        """Returns [..., 2, 3], how a motion moves pixels of the plane at Y = depth."""
        rows = motion[..., [0, 2], :]
        linear = rows[..., [0, 2]]
        shift = linear @ self.origin + rows[..., 1] * depth + rows[..., 3] - self.origin
        return np.concatenate([linear, self.scale * shift[..., None]], axis=-1)


def _bone_joints(samples, armature, names, view):
    """Returns a joint for each bone, then those of the segments of bendy bones."""
    motions = _bone_motions(samples)

    def flat(rest):
        direction, angle = rest[[0, 2], 1], 0.0
        if np.linalg.norm(direction) > 1e-3 * np.linalg.norm(rest[:3, 1]):
            angle = math.atan2(-direction[0], direction[1])
        cos, sin = math.cos(angle), math.sin(angle)
        return np.column_stack([[[cos, -sin], [sin, cos]], view.points(rest[:3, 3])])
    joints = []
    for i, name in enumerate(names):
        rest = samples.bones[0, i]
        across = samples.scales[:, i, 0 if abs(rest[1, 2]) >= abs(rest[1, 0]) else 2]
        signs = np.sign(np.column_stack([across, samples.scales[:, i, 1]]))
        ancestors = [each.name for each in armature.data.bones[name].parent_recursive if each.name in names]
        joints.append(_Joint(compat.true_name(armature.pose.bones[name]),
                             names.index(ancestors[0]) if ancestors else -1, motions[:, i], flat(rest), rest[1, 3],
                             signs, samples.visible[:, i], samples.z_order[:, i], name))
    for name, segments in samples.segments.items():
        i = names.index(name)
        for number, matrices in enumerate(segments.transpose(1, 0, 2, 3), 1):
            joints.append(_Joint(f"{joints[i].name} segment {number}", i, matrices @ np.linalg.pinv(matrices[0]),
                                 flat(matrices[0]), matrices[0, 1, 3], np.ones((len(matrices), 2)),
                                 samples.visible[:, i], samples.z_order[:, i], name))
    return joints


def _object_joint(name, motion, place, view):
    bind = np.column_stack([np.eye(2), view.points(place)])
    frames = len(motion)
    return _Joint(name, -1, motion, bind, place[1], np.ones((frames, 2)), np.full(frames, np.nan),
                  np.full(frames, np.nan))


def _report_tilt(joints, frames, report):
    for joint in joints:
        normal = np.cross(joint.motion[:, :3, 0], joint.motion[:, :3, 2])
        length = np.linalg.norm(normal, axis=1)
        cosine = np.where(length > 1e-6, np.abs(normal[:, 1]) / np.maximum(length, 1e-6), 1)
        degrees = np.degrees(np.arccos(np.clip(cosine, 0, 1)))
        row = int(degrees.argmax())
        if degrees[row] > REPORTED_DEGREES:
            report.warn(f'bone "{joint.name}", {frames.where(row)}: turned {degrees[row]:.1f} degrees out of the XZ '
                        "plane; it is flattened")


def _turn(angle, period):
    """Returns an angle less whole periods, between -period / 2 and period / 2."""
    return (angle + period / 2) % period - period / 2


def _decompose(linear, signs):
    """Returns rotations in degrees, scales [frames, 2] and the sines by which the columns of [frames, 2, 2] are not
    orthogonal. A transform can be written in two ways; `signs` of scale choose one."""
    first, second = linear[:, :, 0], linear[:, :, 1]
    lengths = np.linalg.norm(linear, axis=1)
    by_first = lengths[:, 0] >= lengths[:, 1]
    angle = np.where(by_first, np.arctan2(first[:, 1], first[:, 0]), np.arctan2(-second[:, 0], second[:, 1]))
    across = np.where(by_first, np.arctan2(-second[:, 0], second[:, 1]), np.arctan2(first[:, 1], first[:, 0]))
    # Each column is off by half of the error.
    angle = np.where(lengths.min(axis=1) < 1e-6, angle, angle + _turn(across - angle, np.pi) / 2)
    empty = lengths.max(axis=1) < 1e-9
    known = np.maximum.accumulate(np.where(empty, 0, np.arange(len(angle))))
    angle = angle[known]
    cos, sin = np.cos(angle), np.sin(angle)
    scale = np.column_stack([first[:, 0] * cos + first[:, 1] * sin, second[:, 1] * cos - second[:, 0] * sin])
    mirrored = scale[:, 0] * scale[:, 1] < 0
    wanted = np.where((signs[:, 1] < 0) & (signs[:, 0] >= 0), 1, -1)
    wanted = np.where(mirrored, wanted, np.where((signs < 0).all(axis=1), -1, 1))
    turned = np.where(scale[:, 0] != 0, scale[:, 0], scale[:, 1]) * wanted < 0
    angle = np.where(turned, angle + np.pi, angle)
    scale = np.where(turned[:, None], -scale, scale)
    off = np.abs((first * second).sum(axis=1)) / np.maximum(lengths.max(axis=1), 1e-9)
    return np.degrees(_turn(angle, 2 * np.pi)), scale, off


def _decompose_sheared(linear, clips):
    """Returns a, scales and b in degrees so that each of [frames, 2, 2] is R(a) S R(b). Both angles change little from
    frame to frame within a clip, which makes playback between frames right."""
    left, sizes, right = np.linalg.svd(linear)
    flip = np.linalg.det(left) < 0
    left[flip, :, 1] *= -1
    sizes[flip, 1] *= -1
    flip = np.linalg.det(right) < 0
    right[flip, 1, :] *= -1
    sizes[flip, 1] *= -1
    a = np.degrees(np.arctan2(left[:, 1, 0], left[:, 0, 0]))
    b = np.degrees(np.arctan2(right[:, 1, 0], right[:, 0, 0]))
    clear = sizes[:, 0] - np.abs(sizes[:, 1]) > 1e-5 * sizes[:, 0]
    for rows in clips:
        chosen = np.arange(rows.start, rows.stop)[clear[rows]]
        before = 0.0
        for i in chosen:
            quarters = round((before - b[i]) / 90)
            a[i], b[i] = a[i] - 90 * quarters, b[i] + 90 * quarters
            if quarters % 2:
                sizes[i] = sizes[i, ::-1].copy()
            before = b[i]
        # Where both scales are equal, b is free.
        for i in np.arange(rows.start, rows.stop)[~clear[rows]]:
            free = np.interp(i, chosen, b[chosen]) if len(chosen) else 0.0
            a[i] += b[i] - free if sizes[i, 1] >= 0 else free - b[i]
            b[i] = free
    return a, sizes, b


@dataclass
class _Fit:
    """Local transforms of a joint: x, y, rotation, scale_x, scale_y [frames, 5], and the rotation of a second bone or
    None."""
    local: np.ndarray
    second: np.ndarray


def _fit(joints, frames, view, extent, report):
    """Returns a fit for each joint. `extent` is the size of the character in pixels."""
    worlds = [compose(view.affine(joint.motion, joint.depth), joint.bind) for joint in joints]
    fits = []
    for joint, world in zip(joints, worlds):
        local = world
        if joint.parent >= 0:
            parent = worlds[joint.parent]
            size = np.linalg.norm(parent[:, :, :2], axis=(1, 2))
            sound = np.abs(np.linalg.det(parent[:, :, :2])) > SMALLEST_SCALE * np.maximum(size, SMALLEST_SCALE)
            known = np.maximum.accumulate(np.where(sound, np.arange(len(sound)), 0))
            local = compose(inverse(parent[known]), world[known])
            lost = np.abs(compose(parent, local) - world)
            lost = (lost[:, :, :2].max(axis=(1, 2)) * extent + lost[:, :, 2].max(axis=1)) * ~sound
            row = int(lost.argmax())
            if lost[row] > REPORTED_PIXELS:
                report.warn(f'bone "{joint.name}", {frames.where(row)}: its parent "{joints[joint.parent].name}" has a '
                            f"scale of zero; it is up to {lost[row]:.1f} pixels off")
        rotation, scale, off = _decompose(local[:, :, :2], joint.signs)
        second = None
        if off.max() > SMALLEST_SHEAR:
            row = int(off.argmax())
            cosine = off[row] / max(np.linalg.norm(local[row, :, :2], axis=0).min(), 1e-9)
            report.info(f'bone "{joint.name}", {frames.where(row)}: sheared by '
                        f'{math.degrees(math.asin(min(1, cosine))):.1f} degrees; a second bone, "{joint.name} shear", '
                        "keeps that exactly")
            rotation, scale, second = _decompose_sheared(local[:, :, :2], frames.clips())
        fits.append(_Fit(np.column_stack([local[:, :, 2], rotation, scale]), second))
    return fits


# ---------------------------------------------------------------------------------------------------------------------
# Draw order and visibility


def _depths(part, joints, samples, unroot, followed):
    """Returns the mean Y of a mesh in each frame. `unroot` undoes the motion of the armature object, or is None if no
    bones deform the mesh; `followed` are vertices that move with the object."""
    used = np.unique(part.triangles)
    points = np.column_stack([part.points, np.ones(len(part.points))])
    start = np.linalg.pinv(samples.objects[0, part.object])
    motion = samples.objects[:, part.object] @ start
    if unroot is None:
        return motion[:, 1] @ points[used].mean(axis=0)
    # The object may move in depth by itself: deformation by bones comes after.
    inner = unroot @ motion
    total = motion[:, 1] @ points[used[followed[used]]].sum(axis=0) if followed[used].any() else 0
    bent = used[~followed[used]]
    for j in np.unique(part.bones[bent]):
        if j >= 0:
            weights = np.where(part.bones[bent] == j, part.weights[bent], 0).sum(axis=1)
            moment = inner @ (weights @ points[bent])
            total = total + (joints[j].motion[:, 1] * moment).sum(axis=1)
    return total / len(used)


def _ranked(depths, ties):
    """Returns the order back to front [frames, meshes] of depths [frames, meshes]: large first, equal ones by
    `ties`."""
    order = np.argsort(-depths, axis=1, kind="stable")
    steps = np.diff(-np.take_along_axis(depths, order, 1), axis=1) > SAME_DEPTH
    levels = np.zeros_like(order)
    levels[:, 1:] = np.cumsum(steps, axis=1)
    key = levels * (depths.shape[1] + 1) + ties[order]
    return np.take_along_axis(order, np.argsort(key, axis=1, kind="stable"), 1)


@dataclass
class _Group:
    """Meshes that share a bone, and its visibility and draw order in each frame."""
    meshes: list
    visible: np.ndarray
    z_order: np.ndarray


def _groups(governing, shown, ranks, joints):
    """Returns the groups of each joint, as {joint: [group]}, for meshes in file order: `governing` has their joints,
    `shown` [frames, meshes] their visibility and `ranks` the order back to front, which only counts for meshes whose
    bones have no `z_order`."""
    free = [i for i, joint in enumerate(governing) if np.isnan(joints[joint].z_order).all()]
    place = np.full(ranks.shape, -1)
    inside = np.isin(ranks, free)
    order = ranks[inside].reshape(len(ranks), len(free))
    np.put_along_axis(place, order, np.broadcast_to(np.arange(len(free)), order.shape), 1)
    changes = bool(len(free)) and (order != np.array(free)).any()
    groups = {}
    for i, joint in enumerate(governing):
        fitting = [group for group in groups.setdefault(joint, [])
                   if (shown[:, group.meshes[-1]] == shown[:, i]).all()]
        if changes and i in free:
            fitting = [group for group in fitting if (place[:, group.meshes[-1]] + 1 == place[:, i]).all()]
        if fitting:
            fitting[0].meshes.append(i)
        else:
            groups[joint].append(_Group([i], shown[:, i], np.nan_to_num(joints[joint].z_order)))
    ranked = [group for joint in groups for group in groups[joint] if group.meshes[0] in free]
    if not changes:
        # Meshes between two of one bone share its number: among equals, the order is that of the file.
        ends = {i: max(group.meshes) for group in ranked for i in group.meshes}
        number, end = -1, -1
        for i in free:
            number += i > end
            end = max(end, ends[i])
            for group in ranked:
                if group.meshes[0] == i:
                    group.z_order = np.full(len(ranks), number)
    else:
        first = np.column_stack([place[:, group.meshes[0]] for group in ranked])
        numbers = np.argsort(np.argsort(first, axis=1), axis=1)
        for group, column in zip(ranked, numbers.T):
            group.z_order = column
    return groups


# ---------------------------------------------------------------------------------------------------------------------
# The character


def skin(character, mesh, frames, bind=None):
    """Returns the positions [frames, vertices, 2] in pixels of a mesh in `frames` [frames, bones] of a clip. `bind` is
    the bind pose [bones], by default the first frame of the first clip."""
    return _skin(mesh, _palette(character, frames, character.clips[0].frames[0] if bind is None else bind))


def _palette(character, frames, bind):
    return compose(world_transforms(character.bones, frames), inverse(world_transforms(character.bones, bind[None])))


def _skin(mesh, palette):
    points = np.column_stack([mesh.vertices["x"], mesh.vertices["y"], np.ones(len(mesh.vertices))])
    ids, weights = mesh.vertices["bone_ids"], mesh.vertices["bone_weights"]
    moved = sum((palette[:, ids[:, k]] @ points[None, :, :, None])[..., 0] * weights[None, :, k, None]
                for k in range(MAX_INFLUENCES))
    return moved


def _check_poses(character, parts, meshes, samples, frames, view, report):
    """Compares the meshes with what Blender evaluated, in some frames of each clip."""
    worst = {}
    for clip in range(len(frames.takes)):
        rows = [row for row in samples.checks if frames.rows(clip).start <= row < frames.rows(clip).stop]
        picked = [row - frames.rows(clip).start for row in rows]
        picked, rows = zip(*[(each, row) for each, row in zip(picked, rows)
                             if each < len(character.clips[clip + 1].frames)])
        palette = _palette(character, character.clips[clip + 1].frames[list(picked)], character.clips[0].frames[0])
        for part, mesh in zip(parts, character.meshes):
            expected = [samples.checks[row][part.object] for row in rows]
            used = np.unique(part.triangles)
            if any(len(points) <= part.source.max(initial=0) for points in expected):
                report.warn(f'mesh "{part.name}", clip "{frames.takes[clip].name}": its number of vertices changes; '
                            "only what bones move is exported")
                continue
            actual = _skin(mesh, palette)[:, used]
            distances = [np.linalg.norm(view.points(points[part.source[used]]) - each, axis=1).max(initial=0)
                         for points, each in zip(expected, actual)]
            k = int(np.argmax(distances))
            if distances[k] > worst.get(part.name, (REPORTED_PIXELS,))[0]:
                worst[part.name] = distances[k], frames.where(rows[k])
    for name, (distance, where) in worst.items():
        report.warn(f'mesh "{name}": up to {distance:.1f} pixels off in {where}: what moves its vertices besides bones '
                    "is not exported")


def _report_influences(part, before, after, joints, frames, view, report):
    changed = (before[1] > 0).sum(axis=1) > MAX_INFLUENCES
    worst, row = 0.0, 0
    points = np.column_stack([view.points(part.points), np.ones(len(part.points))])[changed]
    involved = np.unique(before[0][changed])
    moved = {}
    for j in involved[involved >= 0]:
        motion = view.affine(joints[j].motion, joints[j].depth)
        moved[j] = np.einsum("fij,vj->fvi", motion, points)
    if moved:
        def total(bones, weights):
            return sum(np.where(bones[changed] == j, weights[changed], 0).sum(axis=1)[None, :, None] * each
                       for j, each in moved.items())
        off = np.linalg.norm(total(*before) - total(*after), axis=2).max(axis=1)
        row = int(off.argmax())
        worst = off[row]
    report.warn(f'mesh "{part.name}": {int(changed.sum())} vertices follow more than {MAX_INFLUENCES} bones; the '
                f"{MAX_INFLUENCES} largest weights are kept, which moves them by up to {worst:.2f} pixels in "
                f"{frames.where(row)}")


def _build_parts(meshes, geometries, armature, names, bends, samples, report):
    """Returns parts whose `bones` are joints, {object: joint} of rigid objects and of vertices without weights as
    ("root" or object index), and which vertices of each object those are."""
    parts, loose, follows, motions = [], {}, {}, None
    joint_of = {name: i for i, name in enumerate(names) if armature.data.bones[name].use_deform} if armature else {}
    for i, (obj, geometry) in enumerate(zip(meshes, geometries)):
        name = compat.true_name(obj)
        if not len(geometry.triangles):
            report.warn(f'mesh "{name}": it has no faces, and is not exported')
            continue
        if len(geometry.points) > 2 and min(np.ptp(geometry.points[:, [0, 2]], axis=0)) < 1e-7:
            report.warn(f'mesh "{name}": it is edge-on in the XZ plane, so nothing of it is seen; characters are made '
                        "for the front view")
        for modifier in obj.modifiers:
            if modifier.show_viewport != modifier.show_render:
                there, other = ("viewports", "renders") if modifier.show_viewport else ("renders", "viewports")
                report.warn(f'mesh "{name}": its modifier "{modifier.name}" is on in {there}, but not in {other}; '
                            "meshes are exported as viewports show them")
        deforming = armature is not None and _deforming_armature(obj) == armature
        spread, first = {}, len(names)
        for bend, joints in bends.items():
            spread[joint_of[bend]] = first, *_along(geometry.points, samples.bones[0, joint_of[bend]],
                                                    armature.data.bones[bend].length, joints)
            first += joints
        bones, weights, ungrouped = _weigh(geometry, deforming, joint_of, spread)
        loose[i] = ungrouped
        if ungrouped.any():
            motions = _bone_motions(samples) if motions is None else motions
            follows[i] = _follow(obj, i, samples, motions, armature, names, geometry.points)
            if deforming:
                target = names[follows[i]] if isinstance(follows[i], int) else "the armature object"
                report.info(f'mesh "{name}": {int(ungrouped.sum())} vertices have no weights; they follow {target}')
        numbers = np.clip(geometry.materials, 0, len(geometry.slots) - 1)
        chosen = np.unique(numbers)
        for count, number in enumerate(chosen):
            material = geometry.slots[number]
            node, changed = images.image_node(material)
            if changed:
                report.warn(f'mesh "{name}": the node "{changed.name}" changes the colors of its image '
                            f'"{node.image.name}"; the image is exported as it is')
            if material and (images.is_animated(material) or images.is_animated(compat.node_tree(material))):
                report.warn(f'mesh "{name}": its material "{material.name}" is animated, which is not exported')
            layer, placed = images.uv_layer(node, geometry)
            if placed:
                report.warn(f'mesh "{name}": the node "{placed.name}" places its image "{node.image.name}"; only its '
                            "UV map is exported")
            if node and not layer:
                report.warn(f'mesh "{name}": it has no UV map; one pixel of its image is shown')
            uv = geometry.uv_layers.get(layer)
            uv = np.zeros((len(geometry.loop_vertices), 2), np.float32) if uv is None else uv
            source, coordinates, triangles = _split(geometry, numbers == number, uv, len(chosen) == 1)
            coordinates[:, 1] = 1 - coordinates[:, 1]
            if len(source) > MAX_VERTICES:
                raise FileError(f'mesh "{name}" has {len(source)} vertices; a mesh can have {MAX_VERTICES}')
            title = f"{name}.{material.name if material else number}" if count else name
            parts.append(_Part(title, i, material, geometry.points[source], coordinates, triangles, source,
                               bones[source], weights[source]))
    if not parts:
        raise FileError("no mesh has faces; a character needs at least one")
    return parts, follows, loose


def _place_objects(parts, follows, loose, joints, meshes, armature, samples, view):
    """Adds the bones that objects need, one for the armature object and one for each object that moves by itself, and
    weights of the vertices that follow them."""
    if "root" in follows.values():
        root = _object_joint(compat.true_name(armature), _root_motion(samples), samples.armature[0, :3, 3], view)
        for joint in joints:
            joint.parent += 1
        for part in parts:
            part.bones = np.where(part.bones >= 0, part.bones + 1, -1)
        follows.update({i: place + 1 for i, place in follows.items() if isinstance(place, int)})
        joints.insert(0, root)
        follows.update({i: 0 for i, place in follows.items() if place == "root"})
    root = 0 if joints and not joints[0].bone else -1
    made = {}

    def make(i):
        if i in made:
            return made[i]
        obj, parent = meshes[i], root
        above = obj
        while above.parent:
            if above.parent == armature and above.parent_type == "BONE":
                parent = next((k for k, joint in enumerate(joints) if joint.bone == above.parent_bone), root)
                break
            above = above.parent
            if above in meshes and follows.get(meshes.index(above)) == "own":
                parent = make(meshes.index(above))
                break
        joint = _object_joint(compat.true_name(obj), samples.objects[:, i] @ np.linalg.pinv(samples.objects[0, i]),
                              samples.objects[0, i, :3, 3], view)
        joint.parent = parent
        joints.append(joint)
        made[i] = len(joints) - 1
        return made[i]
    for part in parts:
        if part.object in follows:
            place = follows[part.object]
            joint = make(part.object) if place == "own" else place
            free = loose[part.object][part.source]
            part.bones[free, 0], part.weights[free, 0] = joint, 1


def _moves(motion, points, view):
    """Returns how far a motion [frames, 4, 4] moves one of the points, in pixels."""
    moved = points @ motion[:, :3, :3].transpose(0, 2, 1) + motion[:, None, :3, 3]
    return np.linalg.norm(view.points(moved) - view.points(points), axis=2).max(axis=1)


def _report_objects(parts, meshes, samples, unroot, frames, armature, view, report):
    """Reports deformed meshes that move relative to their armature, and colors that change."""
    for i in sorted({part.object for part in parts}):
        name = compat.true_name(meshes[i])
        own = [part for part in parts if part.object == i]
        colors = np.abs(samples.colors[:, i] - samples.colors[0, i]).max(axis=1)
        row = int(colors.argmax())
        if colors[row] > 1 / 255:
            found = ", ".join(f"{value:.2f}" for value in samples.colors[row, i])
            report.warn(f'mesh "{name}", {frames.where(row)}: its color changes to {found}; the color of the bind pose '
                        "is kept in all frames")
        if armature and _deforming_armature(meshes[i]) == armature:
            motion = samples.objects[:, i] @ np.linalg.pinv(samples.objects[0, i])
            inner = unroot @ motion
            points = np.concatenate([part.points for part in own])
            # No point moves farther than a corner of the box around all.
            box = np.stack(np.meshgrid(*np.column_stack([points.min(axis=0), points.max(axis=0)]), indexing="ij"))
            if _moves(inner, box.reshape(3, 8).T, view).max() <= REPORTED_PIXELS:
                continue
            off = _moves(inner, points, view)
            row = int(off.argmax())
            if off[row] > REPORTED_PIXELS:
                report.warn(f'mesh "{name}", {frames.where(row)}: it moves by {off[row]:.1f} pixels relative to its '
                            "armature; only bones can move a mesh with weights")


def _report_far(parts, meshes, armature, view, report):
    """Reports objects that do not belong to the armature, far away from all others, such as a cube left behind."""
    boxes = {}
    for part in parts:
        points = view.points(part.points)
        low, high = boxes.get(part.object, (points[0], points[0]))
        boxes[part.object] = np.minimum(low, points.min(axis=0)), np.maximum(high, points.max(axis=0))
    for i, (low, high) in boxes.items():
        others = [box for k, box in boxes.items() if k != i]
        if len(boxes) < (2 if armature else 3) or (armature and _related_armature(meshes[i]) == armature):
            continue
        start, end = np.min([box[0] for box in others], axis=0), np.max([box[1] for box in others], axis=0)
        gap, size = np.maximum(0, np.maximum(low - end, start - high)).max(), (end - start).max()
        if gap > FAR_AWAY * size:
            report.warn(f'mesh "{compat.true_name(meshes[i])}": it is {gap:.0f} pixels away from all else, which is '
                        f"{size:.0f} pixels large, and makes the bounds of the character that large. If it is no part "
                        "of it, disable it in renders, or export a collection")


def _file_order(parts, depths, meshes, joints, governing):
    """Returns the order of meshes in the file: back to front in the bind pose, and as they were in the file they came
    from, where bones give their draw order."""
    orders = np.array([meshes[part.object].get("pachario_order", i) for i, part in enumerate(parts)])
    ties = np.argsort(np.argsort(orders, kind="stable"), kind="stable")
    order = list(_ranked(depths[:1], ties)[0])
    imported = [i for i in order if "pachario_order" in meshes[parts[i].object]
                and not np.isnan(joints[governing[i]].z_order).all()]
    places = [order.index(i) for i in imported]
    for place, i in zip(places, sorted(imported, key=lambda each: ties[each])):
        order[place] = i
    return order


def _write_bones(character, joints, fits, groups, parts, governing):
    """Adds the bones, second bones after them where joints are sheared or have several groups. Returns the tracks
    [frames, bones] of all, and their names in the armature. Gives each part the bones it follows."""
    total = len(joints[0].motion)
    tracks, owners, carriers, group_bones = [], [], [], {}

    def add(name, parent, local, visible, z_order):
        track = np.zeros(total, BONE_TRANSFORM)
        for column, key in enumerate(("x", "y", "rotation", "scale_x", "scale_y")):
            track[key] = np.round(local[:, column], 5 if column < 3 else 7) + 0.0
        track["visible"], track["z_order"] = visible, np.clip(z_order, -32768, 32767)
        character.bones.append(Bone(name, parent))
        tracks.append(track)
        owners.append(joint.bone)
        return len(tracks) - 1

    still = np.tile([0.0, 0.0, 0.0, 1.0, 1.0], (total, 1))
    for j, (joint, fit) in enumerate(zip(joints, fits)):
        own = groups.get(j, [])
        visible = own[0].visible if own else np.nan_to_num(joint.visible, nan=1.0) != 0
        z_order = own[0].z_order if own else np.nan_to_num(joint.z_order)
        bone = add(joint.name, carriers[joint.parent] if joint.parent >= 0 else -1, fit.local, visible, z_order)
        if fit.second is not None:
            turned = still.copy()
            turned[:, 2] = fit.second
            bone = add(f"{joint.name} shear", bone, turned, visible, z_order)
        carriers.append(bone)
        for number, group in enumerate(own):
            name = f"{joint.name} order" + (f" {number}" if number > 1 else "")
            place = add(name, bone, still, group.visible, group.z_order) if number else bone
            group_bones.update({i: place for i in group.meshes})
    carriers = np.array(carriers)
    for i, part in enumerate(parts):
        part.bones = np.where(part.bones == governing[i], group_bones[i], carriers[part.bones])
    return np.column_stack(tracks), owners


def capture(context, settings, report):
    """Returns (Character, markers, masks) of the scene, and adds what cannot be kept to `report`. Raises FileError if
    there is nothing to export or too much. The scene stays as it is. Shows the progress as Blender's cursor."""
    return _run(capture_steps(context, settings, report), context.window_manager)


def _run(steps, manager):
    """Runs all steps with a progress cursor, and returns their result."""
    manager.progress_begin(0, 1)
    try:
        while True:
            manager.progress_update(next(steps))
    except StopIteration as end:
        return end.value
    finally:
        manager.progress_end()


def capture_steps(context, settings, report):
    """Does the same as capture() in steps: a generator that yields the part that is done, from 0 to 1, and returns the
    result. To close it restores the scene, which must not be changed by others meanwhile."""
    scene = context.scene
    rate = scene.render.fps / scene.render.fps_base
    character = Character(max(1, round(rate)))
    if abs(rate - character.fps) > 1e-6:
        report.warn(f"the scene plays {rate:.3f} frames per second; the character plays {character.fps}")
    meshes, armature = _chosen(context, settings, report)
    names = _ordered_bones(armature, meshes, settings) if armature else []
    for name in names:
        for key in ("visible", "z_order"):
            value = armature.pose.bones[name].get(key, 0)
            if not isinstance(value, (int, float)):
                report.warn(f'bone "{name}": its property {key} is {value!r}, expected a number; it is ignored')
    takes = _takes(scene, armature, meshes, settings, report)
    bends = _bendy(armature, meshes, names)
    for name, joints in bends.items():
        report.info(f'bone "{name}": its {joints - 1} segments are exported as {joints} bones, "{name} segment 1" and '
                    "so on")
    geometries = []

    def read_bind(depsgraph):
        geometries.extend(_read_geometry(obj, depsgraph) for obj in meshes)
        makers = {each.parent.original for each in depsgraph.object_instances if each.is_instance and each.parent}
        for obj in meshes:
            if obj in makers:
                report.warn(f'mesh "{compat.true_name(obj)}": its instances are not exported; make them real')
    movers = meshes + _targets(scene, takes, meshes, armature)
    for take in takes:
        for owner in movers if take.action else ():
            _report_strips(f'object "{owner.name}", clip "{take.name}"', _named_strips(take, owner), report)
    with _evaluation(context, movers, armature, takes) as temporary:
        samples = yield from _sample(temporary, takes, meshes, movers, armature, names, bends, read_bind)
    frames = _Frames(takes)
    _hold_infinite(samples.bones, [f'bone "{name}"' for name in names], frames, report)
    _hold_infinite(samples.objects, [f'mesh "{compat.true_name(obj)}"' for obj in meshes], frames, report)
    for geometry, matrix in zip(geometries, samples.objects[0]):
        geometry.points = _moved(geometry.points, matrix)
    _set_bind_properties(samples, takes, armature, names)
    origin = {"ARMATURE": samples.armature[0, :3, 3], "WORLD": np.zeros(3),
              "CURSOR": np.array(scene.cursor.location)}[settings.origin]
    view = _View(origin, settings.pixels_per_unit)

    rendered = _rendered(scene.collection, set())
    shown = ~samples.hidden & np.array([obj in rendered or bool(settings.collection) for obj in meshes])
    parts, follows, loose = _build_parts(meshes, geometries, armature, names, bends, samples, report)
    yield 0.84
    joints = _bone_joints(samples, armature, names, view) if armature else []
    unroot = np.linalg.pinv(_root_motion(samples))
    _report_objects(parts, meshes, samples, unroot, frames, armature, view, report)
    _place_objects(parts, follows, loose, joints, meshes, armature, samples, view)
    for j, joint in enumerate(joints):
        weights = [np.where(part.bones == j, part.weights, 0).sum(axis=1) for part in parts]
        total = sum(each.sum() for each in weights)
        if total > 0:
            joint.depth = sum(each @ part.points[:, 1] for each, part in zip(weights, parts)) / total
    yield 0.88
    _report_tilt(joints, frames, report)
    for part in parts:
        before = _truncate(part)
        if before:
            _report_influences(part, before, (part.bones, part.weights), joints, frames, view, report)
    _report_far(parts, meshes, armature, view, report)
    points = np.concatenate([view.points(part.points) for part in parts])
    fits = _fit(joints, frames, view, max(1.0, float(np.ptp(points, axis=0).max())), report)

    yield 0.92
    governing = [governing_bone(part.bones, part.weights) for part in parts]
    seen = []
    for part, j in zip(parts, governing):
        if np.isnan(joints[j].visible).all() and not shown[:, part.object].any():
            report.info(f'mesh "{part.name}": it is hidden in renders in all frames, and not exported')
        else:
            seen.append(part)
    if not seen:
        raise FileError("all meshes are hidden in renders in all frames; a character needs at least one")
    parts, governing = seen, [governing_bone(part.bones, part.weights) for part in seen]
    depths = np.column_stack([
        _depths(part, joints, samples,
                unroot if armature and _deforming_armature(meshes[part.object]) == armature else None,
                loose[part.object][part.source]) for part in parts])
    order = _file_order(parts, depths, meshes, joints, governing)
    parts, governing, depths = [parts[i] for i in order], [governing[i] for i in order], depths[:, order]
    visible = np.column_stack([shown[:, part.object] if np.isnan(joints[j].visible).all() else joints[j].visible != 0
                               for part, j in zip(parts, governing)])
    for joint in joints:
        if np.abs(np.nan_to_num(joint.z_order)).max() > 32767:
            report.warn(f'bone "{joint.name}": its z_order goes beyond -32768 to 32767, and is clamped')
    groups = _groups(governing, visible, _ranked(depths, np.arange(len(parts))), joints)
    tracks, owners = _write_bones(character, joints, fits, groups, parts, governing)

    yield 0.96
    character.images = images.gather(parts, samples.colors[0], settings, report)
    for part in parts:
        vertices = np.zeros(len(part.points), VERTEX)
        place = view.points(part.points)
        vertices["x"], vertices["y"], vertices["u"], vertices["v"] = place[:, 0], place[:, 1], *part.uv.T
        vertices["bone_ids"][:, :part.bones.shape[1]] = np.where(part.weights > 0, part.bones, 0)
        vertices["bone_weights"][:, :part.bones.shape[1]] = part.weights
        character.meshes.append(Mesh(part.name, part.image, vertices, part.triangles))
    character.clips = [Clip("bind", False, tracks[:1])]
    markers = []
    for i, take in enumerate(takes):
        clip = tracks[frames.rows(i)]
        if take.loops and len(clip) > 1 and _same_pose(clip[0], clip[-1]):
            clip = clip[:-1]
        character.clips.append(Clip(take.name, take.loops, clip))
        markers += _markers(scene, take, len(clip), report)
    _check_poses(character, parts, meshes, samples, frames, view, report)
    character.rig = _imported_rig(armature, report)
    return character, markers, _masks(armature, character, owners)


def _hold_infinite(matrices, users, frames, report):
    """Replaces matrices that have infinite or undefined numbers by those of the frame before."""
    good = np.isfinite(matrices).all(axis=(2, 3))
    for i in np.flatnonzero(~good.all(axis=0)):
        report.warn(f"{users[i]}, {frames.where(int(good[:, i].argmin()))}: Blender computes no finite position; the "
                    "frame before is repeated")
        matrices[:, i] = matrices[np.maximum.accumulate(np.where(good[:, i], np.arange(len(good)), 0)), i]


def _set_bind_properties(samples, takes, armature, names):
    """Gives animated custom properties their defaults in the bind pose."""
    for i, name in enumerate(names):
        bone = armature.pose.bones[name]
        for key, values in (("visible", samples.visible), ("z_order", samples.z_order)):
            if isinstance(bone.get(key), (int, float)) and any(
                    _bone_of(curve)[0] == name and curve.data_path.endswith(f'["{key}"]')
                    for take in takes if take.action for curve in compat.fcurves(take.action, take.slot)):
                values[0, i] = _default(bone, f'["{key}"]', key, 0)


def _same_pose(first, last):
    turn = _turn(first["rotation"] - last["rotation"], 360)
    return (all(np.abs(first[key] - last[key]).max() < 1e-3 for key in ("x", "y"))
            and np.abs(turn).max() < 1e-3 and (first["visible"] == last["visible"]).all()
            and all(np.abs(first[key] - last[key]).max() < 1e-5 for key in ("scale_x", "scale_y"))
            and (first["z_order"] == last["z_order"]).all())


def _imported_rig(armature, report):
    """Returns what an import kept of the file hero.rig.json."""
    text = armature.get("pachario_rig") if armature else None
    try:
        kept = json.loads(text) if isinstance(text, str) else {}
    except ValueError as error:
        report.warn(f'armature "{armature.name}": its property pachario_rig is no JSON ({error}); it is ignored')
        return {}
    return kept if isinstance(kept, dict) else {}


def _masks(armature, character, owners):
    """Returns the sets of bones of the armature that have some, but not all, of its exported bones. Additional bones
    belong to the sets of those they were made for."""
    masks = []
    for name, members in compat.bone_sets(armature).items() if armature else ():
        chosen = [bone.name for bone, owner in zip(character.bones, owners) if owner in members]
        if chosen and len(chosen) < sum(map(bool, owners)):
            masks.append(Mask(name, list(dict.fromkeys(chosen))))
    return masks


def export(context, path, settings, report):
    """Writes the scene as a character beside `path`, and returns the paths of all files. Raises FileError; then no file
    has changed."""
    return _run(export_steps(context, path, settings, report), context.window_manager)


def export_steps(context, path, settings, report):
    """Does the same as export() in steps, like capture_steps(). If it is closed before its end, no file has
    changed."""
    character, markers, masks = yield from capture_steps(context, settings, report)
    textures = [bpy.path.abspath(image.filepath, library=image.library) for image in bpy.data.images
                if image.filepath and not image.packed_file]
    rig = (markers, masks) if settings.write_rig else (None, None)
    if character.rig and not settings.write_rig:
        report.info(f"the {', '.join(character.rig)} of the character that was imported are not written, because "
                    '"Markers and masks" is off')
        character.rig = {}
    warnings = []
    paths = files.write_files(path, character, settings.formats, *rig, avoid=textures, warnings=warnings)
    report.warn(*warnings)
    return paths


# ---------------------------------------------------------------------------------------------------------------------
# Operator


class SharedSettings:
    """Properties of an export and of the preview."""
    pixels_per_unit: bpy.props.FloatProperty(
        name="Pixels per unit", description="Pixels of the character for one unit of Blender", default=100.0,
        min=0.001, soft_min=1.0, soft_max=1000.0)
    origin: bpy.props.EnumProperty(
        name="Origin", description="Point that becomes the origin of the character", default="ARMATURE",
        items=[("ARMATURE", "Armature", "Use the origin of the armature object"),
               ("WORLD", "World", "Use the origin of the world"),
               ("CURSOR", "3D cursor", "Use the 3D cursor")])
    clips: bpy.props.EnumProperty(
        name="Clips", description="Animation to export", default="ACTIONS",
        items=[("ACTIONS", "All actions", "Export every action that animates the armature"),
               ("ACTIVE", "Active action", "Export only the active action of the armature"),
               ("SCENE", "Scene", "Export the scene as it plays, as one clip")])
    bones: bpy.props.EnumProperty(
        name="Bones", description="Bones to export", default="DEFORM",
        items=[("DEFORM", "Deforming", "Export bones that deform meshes or carry objects"),
               ("ALL", "All", "Export all bones, also those of controls")])
    use_atlas: bpy.props.BoolProperty(
        name="Pack images", description="Pack all images into one, which games draw faster", default=False)


class EXPORT_SCENE_OT_pachario(bpy.types.Operator, ExportHelper, SharedSettings):
    """Export a 2D character for the pchr runtime"""
    bl_idname = "export_scene.pachario"
    bl_label = "Export Pachario"
    bl_options = {"PRESET"}

    filename_ext = ".pchr"
    filter_glob: bpy.props.StringProperty(default="*.pchr;*.json", options={"HIDDEN"})
    collection: bpy.props.StringProperty(
        name="Collection", description="Collection to export, or empty for the whole scene")
    use_selection: bpy.props.BoolProperty(
        name="Selection only", description="Export only selected objects")
    formats: bpy.props.EnumProperty(
        name="Formats", description="Files to write", options={"ENUM_FLAG"}, default={"PCHR"},
        items=[("PCHR", "PCHR", "Write one binary file with all images"),
               ("JSON", "JSON", "Write a JSON file with images beside it")])
    max_atlas_size: bpy.props.IntProperty(
        name="Max size", description="Largest width and height of the packed image in pixels", default=4096, min=64,
        max=16384)
    write_rig: bpy.props.BoolProperty(
        name="Markers and masks", description="Write markers of actions and sets of bones to a .rig.json file",
        default=True)

    def draw(self, context):
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.prop(self, "formats")
        for title, names in (("Include", ("use_selection", "collection", "bones")),
                             ("Transform", ("pixels_per_unit", "origin")),
                             ("Animation", ("clips", "write_rig")),
                             ("Images", ("use_atlas", "max_atlas_size"))):
            box = layout.box()
            box.label(text=title)
            for name in names:
                if name == "collection":
                    row = box.column()
                    row.enabled = not self.use_selection
                    row.prop_search(self, name, bpy.data, "collections")
                elif name == "max_atlas_size":
                    row = box.column()
                    row.enabled = self.use_atlas
                    row.prop(self, name)
                else:
                    box.prop(self, name)

    def invoke(self, context, event):
        chosen = context.scene.pachario
        for name in SharedSettings.__annotations__:
            setattr(self, name, getattr(chosen, name))
        self.collection = chosen.collection.name if chosen.collection else ""
        return ExportHelper.invoke(self, context, event)

    def check(self, context):
        self.filename_ext = ".pchr" if "PCHR" in self.formats else ".json"
        return super().check(context)

    def execute(self, context):
        self._report, self._steps = Report(), None
        try:
            if not self.formats:
                raise FileError("no format is chosen; choose PCHR, JSON or both")
            path = bpy.path.abspath(self.filepath)
            if not os.path.basename(path):
                raise FileError(f"{self.filepath or 'no file name'}: expected the name of a file")
            if self.filepath.startswith("//") and not bpy.data.filepath:
                raise FileError(f"{self.filepath}: this file has not been saved; expected an absolute path")
            settings = Settings(**{each.name: getattr(self, each.name) for each in fields(Settings)})
            self._steps = export_steps(context, path, settings, self._report)
            if not self.options.is_invoke or bpy.app.background:
                return self._finish(context, _run(self._steps, context.window_manager))
        except FileError as error:
            self._report.error(str(error))
            return self._finish(context, [])
        # Blender reads no key while an operator runs, so it runs in slices, unless one is enough.
        result = self._slice(context, FIRST_SLICE)
        if result == {"RUNNING_MODAL"}:
            running.append(self)
            context.window_manager.progress_begin(0, 1)
            self._timer = context.window_manager.event_timer_add(0.001, window=context.window)
            context.window_manager.modal_handler_add(self)
        return result

    def modal(self, context, event):
        if event.type == "ESC":
            self.cancel(context)
            self.report({"WARNING"}, "the export was canceled; no file has changed")
            return {"CANCELLED"}
        return self._slice(context, SLICE) if event.type == "TIMER" else {"RUNNING_MODAL"}

    def cancel(self, context):
        self._steps.close()
        self._end(context)

    def _slice(self, context, seconds):
        end = time.monotonic() + seconds
        try:
            part = next(self._steps)
            while time.monotonic() < end:
                part = next(self._steps)
        except StopIteration as result:
            return self._finish(context, result.value)
        except FileError as error:
            self._report.error(str(error))
            return self._finish(context, [])
        except BaseException:
            self._end(context)
            raise
        context.window_manager.progress_update(part)
        context.workspace.status_text_set(f"Exporting {os.path.basename(self.filepath)}: {100 * part:.0f}% "
                                          "(Esc: cancel)")
        return {"RUNNING_MODAL"}

    def _end(self, context):
        if self in running:
            running.remove(self)
            context.window_manager.event_timer_remove(self._timer)
            context.window_manager.progress_end()
        if context.workspace:
            context.workspace.status_text_set(None)

    def _finish(self, context, paths):
        self._end(context)
        if paths:
            self.report({"INFO"}, f"exported {', '.join(os.path.basename(path) for path in paths)}")
        show(self._report, self, TEXT_NAME)
        return {"FINISHED"} if paths else {"CANCELLED"}


def _menu(self, context):
    self.layout.operator(EXPORT_SCENE_OT_pachario.bl_idname, text="Pachario (.pchr, .json)")


def register():
    bpy.utils.register_class(EXPORT_SCENE_OT_pachario)
    bpy.types.TOPBAR_MT_file_export.append(_menu)


def unregister():
    bpy.types.TOPBAR_MT_file_export.remove(_menu)
    bpy.utils.unregister_class(EXPORT_SCENE_OT_pachario)
