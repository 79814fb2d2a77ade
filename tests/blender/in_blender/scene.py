# SPDX-License-Identifier: MIT
"""Scenes built by script, and comparisons of what was exported with what Blender evaluates."""

import functools
import json
import os
import subprocess
import sys

import bpy
import numpy as np
from mathutils import Quaternion, Vector  # noqa: F401

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "addons", "blender"))
import pachario  # noqa: E402
from pachario import compat, export_scene, pchr_v1  # noqa: E402
from pachario.report import Report  # noqa: E402

TOOL, OUT = (sys.argv[sys.argv.index("--") + 1:] + ["", ""])[:2] if "--" in sys.argv else ("", "")


def new():
    """Starts an empty scene in front of which the add-on is registered."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    if not hasattr(bpy.types, "EXPORT_SCENE_OT_pachario"):
        pachario.register()
    return bpy.context.scene


def link(name, data=None):
    """Returns a new object in the scene."""
    obj = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(obj)
    return obj


def armature(bones, name="rig"):
    """Returns an armature object. `bones` is a list of (name, parent or "", head, tail, *settings): points (x, z) or
    (x, y, z), and dictionaries of properties of edit bones. Their local Z axes point at the viewer unless these say
    otherwise."""
    obj = link(name, bpy.data.armatures.new(name))
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="EDIT")
    for bone, parent, head, tail, *settings in bones:
        edit = obj.data.edit_bones.new(bone)
        edit.head, edit.tail = (point if len(point) == 3 else (point[0], 0, point[1]) for point in (head, tail))
        edit.align_roll((0, -1, 0))
        if parent:
            edit.parent = obj.data.edit_bones[parent]
        for key, value in (settings[0] if settings else {}).items():
            setattr(edit, key, value)
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone in obj.pose.bones:
        bone.rotation_mode = "XYZ"
    return obj


def chain(count=3, length=1.0, **settings):
    """Returns the bones of a limb that goes up from the origin."""
    return [(f"bone{i}", f"bone{i - 1}" if i else "", (0, i * length), (0, (i + 1) * length), settings)
            for i in range(count)]


def grid(name, left, bottom, right, top, columns=2, rows=4, y=0.0, material=None):
    """Returns a mesh object of quads in the XZ plane, with an image all over it."""
    xs, zs = np.linspace(left, right, columns + 1), np.linspace(bottom, top, rows + 1)
    points = [(x, y, z) for z in zs for x in xs]
    faces = [(i + j * (columns + 1), i + 1 + j * (columns + 1), i + 1 + (j + 1) * (columns + 1),
              i + (j + 1) * (columns + 1)) for j in range(rows) for i in range(columns)]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    layer = mesh.uv_layers.new(name="UVMap")
    for loop in mesh.loops:
        x, _, z = points[loop.vertex_index]
        layer.data[loop.index].uv = (x - left) / (right - left), (z - bottom) / (top - bottom)
    mesh.materials.append(material or image_material(name))
    return link(name, mesh)


def image_material(name, pixels=None):
    """Returns a material with a packed image of uint8 [height, width, 4], or of an 8x8 gradient."""
    if pixels is None:
        pixels = np.full((8, 8, 4), 255, np.uint8)
        pixels[..., 0] = np.arange(8) * 30
    image = bpy.data.images.new(f"{name}.png", pixels.shape[1], pixels.shape[0], alpha=True)
    image.pixels.foreach_set((pixels[::-1].astype(np.float32) / 255).ravel())
    image.pack()
    return compat.image_material(name, image)


def bind(obj, rig, weights):
    """Makes a mesh follow bones: `weights` is {bone: weight or a function of (x, y, z) of the mesh's vertices}."""
    obj.parent = rig
    obj.modifiers.new("Armature", "ARMATURE").object = rig
    for bone, weight in weights.items():
        group = obj.vertex_groups.new(name=bone)
        for vertex in obj.data.vertices:
            value = weight(*vertex.co) if callable(weight) else weight
            if value > 0:
                group.add([vertex.index], value, "REPLACE")
    return obj


def falloff(center, reach):
    """Returns a weight that is 1 at the height `center` and 0 at the distance `reach` from it."""
    return lambda x, y, z: max(0.0, 1 - abs(z - center) / reach)


def keys(owner, name, channels, constant=False):
    """Returns a new action, assigned to `owner`: `channels` is {(path, index): [(frame, value)]}. If `constant`, values
    are held until the next key."""
    action = bpy.data.actions.new(name)
    compat.assign(owner, action)
    for (path, index), points in channels.items():
        curve = compat.new_fcurve(action, owner, path, index)
        for frame, value in points:
            curve.keyframe_points.insert(frame, value).interpolation = "CONSTANT" if constant else "BEZIER"
        curve.update()
    if getattr(action, "slots", None):
        compat.assign(owner, action)
    return action


def bone_path(bone, channel):
    return f'pose.bones["{bone}"].{channel}'


def export(name="hero", **settings):
    """Exports the scene, and returns (character, markers, masks, report) as read back from the file."""
    os.makedirs(OUT, exist_ok=True)
    report = Report()
    path = os.path.join(OUT, f"{name}.pchr")
    chosen = export_scene.Settings(**settings)
    export_scene.export(bpy.context, path, chosen, report)
    with open(path, "rb") as file:
        character = pchr_v1.decode(file.read(), path)
    _, markers, masks = export_scene.capture(bpy.context, chosen, Report())
    return character, markers, masks, report


def evaluated(obj):
    """Returns the vertices [vertices, 3] of an object in the world, as Blender evaluates them at the current frame."""
    found = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    points = np.empty(len(found.data.vertices) * 3, np.float32)
    found.data.vertices.foreach_get("co", points)
    matrix = np.array(found.matrix_world)
    return points.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]


def distance(character, clip_name, start, objects, origin=(0, 0), scale=100.0):
    """Returns the largest distance in pixels of exported meshes from what Blender evaluates, over all frames of a clip
    that starts at a frame of the scene. `objects` is {mesh: object}; the action is assigned already."""
    clip = next(clip for clip in character.clips if clip.name == clip_name)
    worst = 0.0
    pairs = [(mesh, objects[mesh.name]) for mesh in character.meshes if mesh.name in objects]
    assert len(pairs) == len(objects), (list(objects), [mesh.name for mesh in character.meshes])
    skins = [export_scene.skin(character, mesh, clip.frames) for mesh, _ in pairs]
    for frame in range(len(clip.frames)):
        bpy.context.scene.frame_set(start + frame)
        for skinned, (mesh, obj) in zip(skins, pairs):
            points = (evaluated(obj)[:, [0, 2]] - np.array(origin)) * scale
            if len(points) == len(mesh.vertices):
                off = np.linalg.norm(points - skinned[frame], axis=1)
            else:
                off = np.abs(points[:, None] - skinned[frame][None]).sum(axis=2).min(axis=0)
            worst = max(worst, float(off.max()))
    return worst


@functools.cache
def has_tool():
    """Returns whether pchr runs here: a shared library may be missing, as in a chroot of another system."""
    try:
        return subprocess.run([TOOL, "--version"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def run_tool(*arguments):
    """Runs pchr, and returns its output. Raises if it fails."""
    result = subprocess.run([TOOL, *arguments], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def tool_pose(path, clip, frame):
    """Returns what pchr computes for a frame of a file."""
    return json.loads(run_tool("pose", path, "--clip", clip, "--frame", str(frame), "--quiet"))
