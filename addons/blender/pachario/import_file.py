# SPDX-License-Identifier: MIT
"""Imports PCHR characters: an armature, meshes, materials, images and one action for each clip."""

import json
import os
from dataclasses import dataclass, replace

import bpy
import numpy as np
from bpy.props import CollectionProperty, FloatProperty, StringProperty
from bpy_extras.io_utils import ImportHelper

from . import artist, bind_pose, compat, files, report as reports, rig_file
from .character import (BONE_TRANSFORM, Bone, FileError, compose, governing_bone, inverse, local_transforms,
                        world_transforms)

# Largest errors of linear interpolation between kept keys, well below what a viewer or a comparison notices: of a
# position in pixels, of a rotation in degrees, and of a scale.
POSITION_TOLERANCE = 2e-5
ROTATION_TOLERANCE = 1e-5
SCALE_TOLERANCE = 2e-7
# Degrees of shear that a pose may lose: less than 0.001 pixels at 500 pixels from the bone.
MAX_SHEAR = 1e-4
# Differences from 1 that are noise, of sums of weights, which Blender scales to 1, and of scales in the bind pose.
MAX_WEIGHT_ERROR = MAX_SCALE_ERROR = 1e-3
# Blender takes minutes to make tens of thousands of bones, and cannot be stopped meanwhile.
MAX_BONES = 4096
# The exporter and the drivers agree on this distance between two draw orders, in Blender units.
ORDER_SPACING = 0.01


@dataclass
class Settings:
    """`bind` is the pose in which the vertices were authored: CLIP, CLIP:FRAME, "identity", or "" to let the file
    say."""
    pixels_per_unit: float = 100.0
    bind: str = ""


# ---- The bind pose


def parse_bind(text):
    """Returns (clip name or None for the identity, frame) of CLIP, CLIP:FRAME or "identity"."""
    if text == "identity":
        return None, 0
    clip, colon, frame = text.rpartition(":")
    return (clip, int(frame)) if colon and frame.isascii() and frame.isdigit() else (text, 0)


def choose_bind(character, wanted, rig_bind, report):
    """Returns (index of a clip or None for the identity, frame): the wanted one, else that of hero.rig.json, else the
    first clip with a known name, else the pose that the runtime guesses, too. FileError if the wanted clip or frame
    does not exist."""
    if wanted or rig_bind:
        if wanted:
            name, frame = parse_bind(wanted)
        elif isinstance(rig_bind, dict):
            name, frame = rig_bind["clip"], rig_bind.get("frame", 0)
        else:
            name, frame = parse_bind(rig_bind)
        place = "the chosen bind pose" if wanted else "the bind pose of its .rig.json"
        if name is None:
            return None, 0
        index = next((i for i, clip in enumerate(character.clips) if clip.name == name), None)
        if index is None:
            raise FileError(f'{place}: there is no clip "{name}", only {names_of(character.clips)}')
        if not 0 <= frame < len(character.clips[index].frames):
            raise FileError(f'{place}: clip "{name}" has no frame {frame}, only {len(character.clips[index].frames)} '
                            "(from 0)")
        return index, frame
    named = bind_pose.named(character)
    if named is not None or not character.clips:
        return named, 0
    guess = bind_pose.guess(character)

    def pose(source):
        return "the identity" if source[0] is None else f'frame {source[1]} of clip "{character.clips[source[0]].name}"'
    text = f"the file does not name its bind pose; {pose(guess.chosen)} was guessed"
    if guess.is_uncertain():
        text += f", but {pose(guess.runner_up)} is nearly as likely"
    if guess.is_stretched():
        text += f", but it stretches the character by {100 * guess.stretch:.1f}% on average"
    if guess.runner_up is not None:
        add = report.warn if guess.is_uncertain() or guess.is_stretched() else report.info
        add(f'{text}. If parts are torn apart, choose another as "Bind pose" in the import settings: CLIP, CLIP:FRAME '
            "or identity")
    return guess.chosen


def names_of(items):
    return ", ".join(f'"{item.name}"' for item in items) or "none"


# ---- Transforms


def rotation_matrices(radians):
    c, s = np.cos(radians), np.sin(radians)
    return np.stack([np.stack([c, -s], -1), np.stack([s, c], -1)], -2)


def nearest_rotations(linear):
    """Returns the angles, modulo a half turn, of the products rotation * scale that are nearest to 2x2 matrices."""
    a, b, c, d = linear[..., 0, 0], linear[..., 0, 1], linear[..., 1, 0], linear[..., 1, 1]
    return 0.5 * np.arctan2(2 * (a * c - b * d), a * a + d * d - b * b - c * c)


def bind_transforms(character, bind, report):
    """Returns the world transforms in the bind pose, [bones, 2, 3], and the bind frame or None. A bone without extent
    there takes the first frame of the clip in which it has one, else the identity, as the runtime does."""
    count = len(character.bones)
    world = np.tile(np.eye(2, 3), (count, 1, 1))
    if bind[0] is None:
        return world, None
    frames = character.clips[bind[0]].frames
    candidates = world_transforms(character.bones, frames)
    candidates = np.concatenate([candidates[bind[1]:bind[1] + 1], candidates])
    invertible = bind_pose.is_invertible(candidates[..., :2])
    for i, bone in enumerate(character.bones):
        chosen = int(invertible[:, i].argmax())
        if invertible[chosen, i]:
            world[i] = candidates[chosen, i]
        if chosen or not invertible[0, i]:
            substitute = f"that of frame {chosen - 1}" if chosen else "the identity"
            report.warn(f'bone "{bone.name}": its scale in the bind pose is 0; {substitute} is its rest pose')
    return world, frames[bind[1]]


@dataclass
class Rest:
    """The rest pose of Blender's bones: `world` [bones, 2, 3] is rigid, `angles` in radians, and bind = world * scale,
    where `scale` [bones, 2, 2] is what a rest bone cannot hold."""
    world: np.ndarray
    angles: np.ndarray
    scale: np.ndarray


def rest_pose(bind_world):
    angles = nearest_rotations(bind_world[:, :, :2])
    # A bone lies along its +Y.
    unrotated = rotation_matrices(-angles) @ bind_world[:, :, :2]
    angles = np.where(unrotated[:, 1, 1] < 0, angles + np.pi, angles)
    world = np.concatenate([rotation_matrices(angles), bind_world[..., 2:]], -1)
    return Rest(world, angles, rotation_matrices(-angles) @ bind_world[..., :2])


def uniform_scale(matrix):
    """Returns the factor of a 2x2 matrix that only scales uniformly, else None."""
    factor = matrix[1, 1]
    return factor if np.abs(matrix - factor * np.eye(2)).max() <= 1e-6 * abs(factor) else None


def pose_channels(character, rest):
    """Returns float64 [clip frames, bones, 5], one array for each clip: location x and y in pixels, rotation in radians
    without jumps, scale x and y, relative to the rest pose; and the largest shear in degrees that they leave out of
    each bone.

    With bind = rest * K, a pose bone is world * K^-1, so relative to its parent it is M^-1 K_parent L K^-1, where M is
    the rest pose relative to the parent and L the transform in the file."""
    starts = np.cumsum([0] + [len(clip.frames) for clip in character.clips])
    frames = np.concatenate([np.zeros((0, len(character.bones)), BONE_TRANSFORM)] +
                            [clip.frames for clip in character.clips])
    local = local_transforms(frames)
    channels = np.empty((len(frames), len(character.bones), 5))
    shear = np.zeros(len(character.bones))
    for i, bone in enumerate(character.bones):
        offset, parent_scale, parent_angle = rest.world[i], np.eye(2), 0.0
        if bone.parent >= 0:
            offset = compose(inverse(rest.world[bone.parent]), rest.world[i])
            parent_scale, parent_angle = rest.scale[bone.parent], rest.angles[bone.parent]
        unrotate = offset[:, :2].T
        channels[:, i, :2] = (local[:, i, :, 2] @ parent_scale.T - offset[:, 2]) @ unrotate.T
        above, own = uniform_scale(parent_scale), uniform_scale(rest.scale[i])
        period = 2 * np.pi
        if above is not None and own is not None:
            turned = np.radians(frames["rotation"][:, i].astype(np.float64))
            channels[:, i, 2] = turned - (rest.angles[i] - parent_angle)
            channels[:, i, 3] = frames["scale_x"][:, i] * (above / own)
            channels[:, i, 4] = frames["scale_y"][:, i] * (above / own)
        else:
            linear = unrotate @ parent_scale @ local[:, i, :, :2] @ np.linalg.inv(rest.scale[i])
            channels[:, i, 2] = nearest_rotations(linear)
            period = np.pi
        for start, end in zip(starts[:-1], starts[1:]):
            turns = channels[start:end, i, 2]
            turns -= period * np.round(turns[:1] / period)
            turns[:] = np.unwrap(turns, period=period)
        if period == np.pi:
            straight = rotation_matrices(-channels[:, i, 2]) @ linear
            channels[:, i, 3], channels[:, i, 4] = straight[:, 0, 0], straight[:, 1, 1]
            across = np.abs(straight[:, 0, 1] + straight[:, 1, 0])
            along = np.abs(straight[:, 0, 0]) + np.abs(straight[:, 1, 1])
            shear[i] = np.degrees(np.arctan2(across, along)).max(initial=0)
    return [channels[start:end] for start, end in zip(starts[:-1], starts[1:])], shear


def add_bind_bones(character, rest):
    """Returns a character and its rest pose of which no bone has to be sheared, and what is drawn is the same; and the
    largest shear in degrees without this.

    A bone whose nonuniform scale in the bind pose would cause shear gets a child "NAME bind" that undoes that scale and
    carries the meshes of the bone."""
    kept = rest.scale.copy()
    largest = 0.0
    while True:
        _, shear = pose_channels(character, replace(rest, scale=kept))
        sheared = np.nonzero(shear > MAX_SHEAR)[0]
        causes = {bone for i in sheared for bone in (i, character.bones[i].parent)
                  if bone >= 0 and uniform_scale(kept[bone]) is None}
        if not causes:
            break
        largest = largest or float(shear.max())
        kept[list(causes)] = np.eye(2)
    weighted = {int(bone) for mesh in character.meshes
                for bone in np.unique(mesh.vertices["bone_ids"][mesh.vertices["bone_weights"] != 0])}
    scaled = [i for i in range(len(kept)) if i in weighted and (kept[i] != rest.scale[i]).any()]
    count = len(character.bones)
    left, sizes, right = np.linalg.svd(np.linalg.inv(rest.scale[scaled]))
    # Rotations, not reflections: the sign goes to the scale.
    for factor in (left, right):
        mirrored = np.linalg.det(factor) < 0
        sizes[mirrored, 1] *= -1
        if factor is left:
            left[mirrored, :, 1] *= -1
        else:
            right[mirrored, 1, :] *= -1
    turns = np.arctan2(left[:, 1, 0], left[:, 0, 0])
    angles = rest.angles[scaled] - np.arctan2(right[:, 1, 0], right[:, 0, 0])

    clips = []
    for clip in character.clips:
        added = clip.frames[:, scaled].copy()
        added["x"] = added["y"] = 0
        added["rotation"], added["scale_x"], added["scale_y"] = np.degrees(turns), sizes[:, 0], sizes[:, 1]
        clips.append(replace(clip, frames=np.concatenate([clip.frames, added], axis=1)))
    moved = np.arange(65536)
    moved[scaled] = count + np.arange(len(scaled))
    meshes = []
    for mesh in character.meshes:
        vertices = mesh.vertices.copy()
        vertices["bone_ids"] = moved[vertices["bone_ids"]]
        meshes.append(replace(mesh, vertices=vertices))
    bones = character.bones + [Bone(f"{character.bones[i].name} bind", i) for i in scaled]
    heads = np.concatenate([rotation_matrices(angles), rest.world[scaled][:, :, 2:]], -1)
    rest = Rest(np.concatenate([rest.world, heads]), np.concatenate([rest.angles, angles]),
                np.concatenate([kept, np.tile(np.eye(2), (len(scaled), 1, 1))]))
    return replace(character, bones=bones, meshes=meshes, clips=clips), rest, largest


# ---- Keys


def thin_keys(values, tolerances):
    """Returns bool [frames, channels]: the frames to keep so that linear interpolation differs from `values` by at most
    the tolerance of each channel."""
    frames, channels = values.shape
    keep = np.zeros((frames, channels), bool)
    keep[0] = True
    start = np.zeros(channels, int)
    origin = values[0].copy()
    low, high = np.full(channels, -np.inf), np.full(channels, np.inf)
    # All channels advance together: a line from the last key to this frame has to pass within the tolerance of every
    # frame between them, that is, to have a slope between `low` and `high`.
    for frame in range(1, frames):
        slope = (values[frame] - origin) / (frame - start)
        broken = (slope < low) | (slope > high)
        if broken.any():
            keep[frame - 1, broken] = True
            start[broken] = frame - 1
            origin[broken] = values[frame - 1, broken]
            low[broken], high[broken] = -np.inf, np.inf
            slope = np.where(broken, values[frame] - origin, slope)
        room = tolerances / (frame - start)
        low, high = np.maximum(low, slope - room), np.minimum(high, slope + room)
    moving = np.abs(values - values[0]).max(axis=0) > tolerances
    keep[1:, ~moving] = False
    keep[-1, moving] = True
    return keep


def write_curve(action, owner, path, index, group, frames, values, interpolation):
    curve = compat.new_fcurve(action, owner, path, index, group)
    points = curve.keyframe_points
    points.add(len(frames))
    points.foreach_set("co", np.stack([frames, values], -1).astype(np.float32).ravel())
    kind = bpy.types.Keyframe.bl_rna.properties["interpolation"].enum_items[interpolation].value
    points.foreach_set("interpolation", np.full(len(frames), kind, np.int32))
    curve.update()


def build_actions(character, names, armature, channels, defaults, pixels_per_unit, created, report):
    """Creates an action for each clip and returns them; None for a clip without frames. `names` are those of the bones
    in Blender; `defaults` maps (bone, "visible" or "z_order") to the value in the bind pose."""
    tolerances = np.array([POSITION_TOLERANCE] * 2 + [np.radians(ROTATION_TOLERANCE)] + [SCALE_TOLERANCE] * 2)
    rest = np.array([0.0, 0, 0, 1, 1])
    moves = np.zeros((len(names), 5), bool)
    for part in channels:
        if len(part):
            moves |= (np.abs(part - rest) > tolerances).any(axis=0)
    switches = {key for key, value in defaults.items()
                if any((clip.frames[key[1]][:, key[0]] != value).any() for clip in character.clips)}
    # An action without curves would not be recognized as a clip of this armature.
    if names and not moves.any() and not switches:
        moves[0, 0] = True
    bone_of, channel_of = np.nonzero(moves)
    to_units = np.array([1 / pixels_per_unit] * 2 + [1.0] * 3)
    paths = [f'pose.bones["{bpy.utils.escape_identifier(name)}"]' for name in names]
    properties = [("location", 0), ("location", 1), ("rotation_euler", 2), ("scale", 0), ("scale", 1)]
    actions = []
    for order, (clip, part) in enumerate(zip(character.clips, channels)):
        if not len(part):
            report.warn(f'clip "{clip.name}" has no frames; it is left out')
            actions.append(None)
            continue
        action = bpy.data.actions.new(compat.short_name(clip.name))
        created.append(action)
        actions.append(action)
        compat.keep_name(action, clip.name)
        compat.set_owner(armature, action)
        action["pachario_order"] = order
        action.use_fake_user = True
        action.use_frame_range = True
        action.use_cyclic = clip.loops
        values = part[:, bone_of, channel_of]
        if clip.loops:
            closing = values[:1].copy()
            turns = channel_of == 2
            closing[0, turns] += 2 * np.pi * np.round((values[-1, turns] - values[0, turns]) / (2 * np.pi))
            values = np.concatenate([values, closing])
        action.frame_start, action.frame_end = 1, len(values)
        keep = thin_keys(values, tolerances[channel_of])
        values = values * to_units[channel_of]
        for column, (bone, channel) in enumerate(zip(bone_of, channel_of)):
            frames = np.nonzero(keep[:, column])[0]
            path, index = properties[channel]
            write_curve(action, armature, f"{paths[bone]}.{path}", index, names[bone], frames + 1,
                        values[frames, column], "LINEAR")
        for bone, key in sorted(switches):
            steps = clip.frames[key][:, bone].astype(int)
            if clip.loops:
                steps = np.append(steps, steps[0])
            frames = np.nonzero(np.diff(steps, prepend=steps[0] - 1))[0]
            write_curve(action, armature, f'{paths[bone]}["{key}"]', 0, names[bone], frames + 1, steps[frames],
                        "CONSTANT")
    return actions


# ---- Bones


def bone_lengths(character, rest):
    """Returns a length in pixels for each bone, which only matters for how it is displayed and grabbed: up to a child
    that lies along it, else half the length of its parent."""
    heads = rest.world[:, :, 2]
    points = [heads] + [np.stack([mesh.vertices["x"], mesh.vertices["y"]], -1) for mesh in character.meshes]
    size = max(float(np.ptp(np.concatenate(points), axis=0).max()), 1.0) if len(heads) else 1.0
    ahead = np.zeros(len(heads))
    for i, bone in enumerate(character.bones):
        if bone.parent >= 0:
            x, y = compose(inverse(rest.world[bone.parent]), rest.world[i])[:, 2]
            if y > 0 and abs(x) < 0.05 * y:
                ahead[bone.parent] = max(ahead[bone.parent], y)
    lengths = np.zeros(len(heads))
    for i, bone in enumerate(character.bones):
        inherited = 0.5 * lengths[bone.parent] if bone.parent >= 0 else 0.1 * size
        # Rest matrices are computed from 32-bit heads and tails: a shorter bone would lose precision.
        lengths[i] = max(ahead[i] or inherited, 0.03 * size)
    return lengths


def build_armature(context, character, name, collection, rest, pixels_per_unit, created):
    """Returns the armature object, in object mode, and the names of its bones."""
    data = bpy.data.armatures.new(name)
    created.append(data)
    armature = bpy.data.objects.new(name, data)
    created.append(armature)
    collection.objects.link(armature)
    armature.show_in_front = True
    data.display_type = "STICK"
    artist.activate(context, armature)
    bpy.ops.object.mode_set(mode="EDIT")
    made = []
    ends = rest.world[:, :, 1] * bone_lengths(character, rest)[:, None]
    for bone, head, end in zip(character.bones, rest.world[:, :, 2] / pixels_per_unit, ends / pixels_per_unit):
        edit = data.edit_bones.new(compat.short_name(bone.name))
        edit.head = (head[0], 0, head[1])
        edit.tail = (head[0] + end[0], 0, head[1] + end[1])
        edit.align_roll((0, -1, 0))
        if bone.parent >= 0:
            edit.parent = made[bone.parent]
        made.append(edit)
    names = [edit.name for edit in made]
    bpy.ops.object.mode_set(mode="OBJECT")
    for order, (bone, blender_name) in enumerate(zip(character.bones, names)):
        posed = armature.pose.bones[blender_name]
        posed.rotation_mode = "XYZ"
        posed["pachario_order"] = order
        compat.keep_name(posed, bone.name)
    return armature, names


def add_properties(character, governing, armature, names, bind_frame):
    """Adds `visible` and `z_order` to the bones that need them. Returns their values in the bind pose."""
    defaults = {}
    for key, neutral, limits in (("visible", 1, (0, 1)), ("z_order", 0, (-32768, 32767))):
        for bone, name in enumerate(names):
            if bone not in governing and all((clip.frames[key][:, bone] == neutral).all() for clip in character.clips):
                continue
            value = neutral if bind_frame is None else int(bind_frame[key][bone])
            owner = armature.pose.bones[name]
            owner[key] = value
            owner.id_properties_ui(key).update(min=limits[0], max=limits[1], default=value)
            defaults[bone, key] = value
    return defaults


# ---- Meshes


def build_images(character, created, report):
    """Returns the images, packed into the .blend, and a material for each."""
    materials = []
    if not character.images and character.meshes:
        report.warn("the file has no image; its meshes have no material")
    used = {mesh.image for mesh in character.meshes}
    for index, source in enumerate(character.images):
        image = artist.new_image(compat.short_name(source.name), source.pixels)
        created.append(image)
        compat.keep_name(image, source.name)
        material = compat.image_material(compat.short_name(source.name), image)
        created.append(material)
        materials.append(material)
        if index not in used:
            image.use_fake_user = True
            report.info(f'image "{source.name}" is not used by any mesh; an export leaves it out')
    return materials


def add_weights(mesh, obj, names, report):
    vertices = mesh.vertices
    ids, weights = vertices["bone_ids"], vertices["bone_weights"].astype(np.float64)
    totals = weights.sum(axis=1)
    wrong = np.abs(totals - 1) > MAX_WEIGHT_ERROR
    if wrong.any():
        worst = int(np.abs(totals - 1).argmax())
        report.warn(f'mesh "{mesh.name}": the weights of {int(wrong.sum())} of {len(vertices)} vertices do not sum to '
                    f"1 (vertex {worst}: {totals[worst]:.6g}); Blender scales them to 1, and leaves vertices without "
                    "weights in place")
    if (weights < 0).any():
        worst = int(weights.min(axis=1).argmin())
        report.warn(f'mesh "{mesh.name}": {int((weights < 0).sum())} weights are negative (vertex {worst}: '
                    f"{weights.min():.6g}); Blender has none, so they are left out")
    groups = {bone: obj.vertex_groups.new(name=names[bone]) for bone in np.unique(ids[weights > 0]).tolist()}
    for vertex, bones, amounts in zip(range(len(ids)), ids.tolist(), weights.tolist()):
        for bone, amount in zip(bones, amounts):
            if amount > 0:
                groups[bone].add((vertex,), amount, "ADD")


def add_drivers(obj, armature, bone_name, order):
    """Makes the depth and the visibility of a mesh object follow the properties of its governing bone."""
    path = f'pose.bones["{bpy.utils.escape_identifier(bone_name)}"]'
    for target, index, key, expression in (("location", 1, "z_order", f"-{ORDER_SPACING} * value - {order:.7f}"),
                                           ("hide_render", -1, "visible", "value < 0.5"),
                                           ("hide_viewport", -1, "visible", "value < 0.5")):
        driver = obj.driver_add(target, index).driver
        driver.type = "SCRIPTED"
        variable = driver.variables.new()
        variable.name = "value"
        variable.targets[0].id = armature
        variable.targets[0].data_path = f'{path}["{key}"]'
        driver.expression = expression


def build_meshes(character, governing, armature, names, materials, collection, pixels_per_unit, created, report):
    for order, source in enumerate(character.meshes):
        vertices = source.vertices
        corners = np.asarray(source.indices, np.int64)
        mesh = bpy.data.meshes.new(compat.short_name(source.name))
        created.append(mesh)
        points = np.zeros((len(vertices), 3))
        points[:, 0], points[:, 2] = vertices["x"] / pixels_per_unit, vertices["y"] / pixels_per_unit
        # validate() would drop triangles without area, which the file has for a reason.
        mesh.from_pydata(points.tolist(), [], corners.reshape(-1, 3).tolist())
        uvs = np.stack([vertices["u"], 1 - vertices["v"]], -1)
        mesh.uv_layers.new(name="UVMap").data.foreach_set("uv", uvs[corners].astype(np.float32).ravel())
        if materials:
            mesh.materials.append(materials[source.image])
        obj = bpy.data.objects.new(compat.short_name(source.name), mesh)
        created.append(obj)
        compat.keep_name(obj, source.name)
        obj["pachario_order"] = order
        collection.objects.link(obj)
        obj.parent = armature
        modifier = obj.modifiers.new("Armature", "ARMATURE")
        modifier.object = armature
        obj.visible_shadow = False
        add_weights(source, obj, names, report)
        loose = len(vertices) - len(np.unique(corners))
        if loose:
            report.info(f'mesh "{source.name}": {loose} vertices belong to no triangle; they lose their place in '
                        "the image")
        if names:
            nearness = 0.9 * ORDER_SPACING * order / len(character.meshes)
            add_drivers(obj, armature, names[governing[order]], nearness)


# ---- The whole character


def add_markers(character, actions, markers, report):
    for marker in markers:
        index = next((i for i, clip in enumerate(character.clips) if clip.name == marker.clip), None)
        if index is None or actions[index] is None:
            report.warn(f'marker "{marker.name}": there is no clip "{marker.clip}"; it is left out')
            continue
        made = actions[index].pose_markers.new(compat.short_name(marker.name))
        made.frame = marker.frame + 1
        if made.name != marker.name:
            report.warn(f'marker "{marker.name}" of clip "{marker.clip}" becomes "{made.name}": Blender has 63 bytes '
                        "for it")


def add_masks(character, armature, names, masks, report):
    owner = {}
    for mask in masks:
        members = [names[i] for i, bone in enumerate(character.bones) if bone.name in mask.bones]
        unknown = sorted(set(mask.bones) - {bone.name for bone in character.bones})
        if unknown:
            report.warn(f'mask "{mask.name}": there is no bone "{unknown[0]}"; it is left out')
        if not hasattr(armature.data, "collections"):
            shared = [name for name in members if name in owner]
            if shared:
                report.warn(f'mask "{mask.name}" shares {len(shared)} bones with mask "{owner[shared[0]]}"; a bone has '
                            "only one group in Blender 3, so they leave that mask")
            owner.update((name, mask.name) for name in members)
        made = compat.add_bone_set(armature, compat.short_name(mask.name), members)
        if made.name != mask.name:
            report.warn(f'mask "{mask.name}" becomes "{made.name}": Blender has 63 bytes for it, and each name once')


def set_scene_timing(context, character, action, had_animation, report):
    render = context.scene.render
    if had_animation or character.fps == 0:
        rate = render.fps / render.fps_base
        if rate != character.fps:
            report.info(f"the file has {character.fps} frames per second, but the scene stays at {rate:g}")
        return
    render.fps, render.fps_base = character.fps, 1
    if render.fps != character.fps:
        report.warn(f"the file has {character.fps} frames per second, but Blender at most {render.fps}")
    if action is not None:
        context.scene.frame_start, context.scene.frame_end = 1, int(action.frame_end)
        context.scene.frame_set(1)


def build(context, character, name, rig, settings, report):
    """Adds a character to the scene, in a collection `name`, and returns its armature object.

    `rig` has the keys of rig_file.read(), or is empty. What Blender cannot hold is added to `report`. FileError if the
    wanted bind pose does not exist. After any exception, the file is as before."""
    if len(character.bones) > MAX_BONES:
        raise FileError(f"the file has {len(character.bones)} bones, but Blender is too slow for more than {MAX_BONES}")
    bind = choose_bind(character, settings.bind, rig.get("bind"), report)
    bind_world, bind_frame = bind_transforms(character, bind, report)
    rest = rest_pose(bind_world)
    file_bones = len(character.bones)
    character, rest, shear = add_bind_bones(character, rest)
    channels, _ = pose_channels(character, rest)
    if len(character.bones) > file_bones:
        if bind_frame is not None:
            bind_frame = character.clips[bind[0]].frames[bind[1]]
        bone = character.bones[file_bones]
        report.info(f'bone "{character.bones[bone.parent].name}": scaled differently in x and y in the bind pose, '
                    f"which a rest bone of Blender cannot be, and sheared by up to {shear:.3g} degrees relative to it; "
                    f'{len(character.bones) - file_bones} bones such as "{bone.name}" are added, which carry the '
                    "meshes")
    scaled = [bone.name for bone, scale in zip(character.bones, rest.scale)
              if np.abs(scale - np.eye(2)).max() > MAX_SCALE_ERROR]
    if scaled:
        others = f" and {len(scaled) - 1} more" if len(scaled) > 1 else ""
        report.info(f'bone "{scaled[0]}"{others}: scaled in the bind pose, which a rest bone of Blender cannot be; an '
                    "export has other scales that draw the same")
    had_animation = len(bpy.data.actions) > 0
    created = []
    try:
        if context.view_layer.objects.active and context.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")
        collection = bpy.data.collections.new(compat.short_name(name))
        created.append(collection)
        context.scene.collection.children.link(collection)
        armature, names = build_armature(context, character, compat.short_name(name), collection, rest,
                                         settings.pixels_per_unit, created)
        materials = build_images(character, created, report)
        governing = [governing_bone(mesh.vertices["bone_ids"], mesh.vertices["bone_weights"])
                     for mesh in character.meshes]
        defaults = add_properties(character, governing, armature, names, bind_frame)
        build_meshes(character, governing, armature, names, materials, collection, settings.pixels_per_unit, created,
                     report)
        actions = build_actions(character, names, armature, channels, defaults, settings.pixels_per_unit, created,
                                report)
        add_markers(character, actions, rig.get("markers", ()), report)
        add_masks(character, armature, names, rig.get("masks", ()), report)
        if rig.get("others"):
            armature["pachario_rig"] = json.dumps(rig["others"])
            report.info(f"its .rig.json also has {', '.join(rig['others'])}; an export under another name keeps them")
        moving = [action for i, action in enumerate(actions) if action and i != bind[0]]
        action = next(iter(moving), None) or next(filter(None, actions), None)
        compat.assign(armature, action)
        set_scene_timing(context, character, action, had_animation, report)
    except BaseException:
        if context.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")
        bpy.data.batch_remove(created)
        raise
    return armature


def import_path(context, path, settings, report):
    """Imports a file and the hero.rig.json next to it. Returns the armature object; FileError if they cannot be
    read."""
    character, warnings = files.read_character(path)
    report.warn(*warnings)
    rig = rig_file.read(path)
    try:
        return build(context, character, os.path.splitext(os.path.basename(path))[0], rig, settings, report)
    except FileError as error:
        raise FileError(f"{path}: {error}") from None


class ImportCharacter(bpy.types.Operator, ImportHelper):
    """Import Pachario characters with their clips, images, markers and masks"""
    bl_idname = "import_scene.pachario"
    bl_label = "Import Pachario"
    bl_options = {"REGISTER", "UNDO"}

    filter_glob: StringProperty(default="*.pchr;*.json", options={"HIDDEN"})
    directory: StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})
    files: CollectionProperty(type=bpy.types.OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})
    pixels_per_unit: FloatProperty(name="Pixels per unit", default=100, min=0.001, soft_min=1, soft_max=1000,
                                   description="Pixels of the character that become one Blender unit")
    bind: StringProperty(name="Bind pose", description="Pose in which the vertices were authored: CLIP, CLIP:FRAME or "
                         "identity (empty: what the file says)")

    def invoke(self, context, event):
        # Dropped files are known already.
        if self.files and hasattr(self, "invoke_popup"):
            self.filepath = os.path.join(self.directory, self.files[0].name)
            return self.invoke_popup(context)
        return ImportHelper.invoke(self, context, event)

    def execute(self, context):
        paths = [os.path.join(self.directory, each.name) for each in self.files if each.name] or [self.filepath]
        settings = Settings(self.pixels_per_unit, self.bind)
        report = reports.Report()
        imported = 0
        for path in paths:
            found = reports.Report()
            try:
                import_path(context, bpy.path.abspath(path), settings, found)
                imported += 1
            except FileError as error:
                report.error(str(error))
            file = f"{os.path.basename(path)}: " if len(paths) > 1 else ""
            report.entries += [(severity, file + message) for severity, message in found.entries]
        reports.show(report, self, "Pachario import")
        return {"FINISHED"} if imported else {"CANCELLED"}


def add_menu_entry(self, _context):
    self.layout.operator(ImportCharacter.bl_idname, text="Pachario (.pchr, .json)")


classes = [ImportCharacter]

if hasattr(bpy.types, "FileHandler"):
    class DroppedCharacter(bpy.types.FileHandler):
        bl_idname = "PACHARIO_FH_character"
        bl_label = "Pachario"
        bl_import_operator = "import_scene.pachario"
        bl_file_extensions = ".pchr;.json"

        @classmethod
        def poll_drop(cls, context):
            return context.area is not None and context.area.type in {"VIEW_3D", "OUTLINER"}

    classes.append(DroppedCharacter)


def register():
    for each in classes:
        bpy.utils.register_class(each)
    bpy.types.TOPBAR_MT_file_import.append(add_menu_entry)


def unregister():
    bpy.types.TOPBAR_MT_file_import.remove(add_menu_entry)
    for each in reversed(classes):
        bpy.utils.unregister_class(each)
