# SPDX-License-Identifier: MIT
"""A starter character: Neji, a wind-up robot with images, weights and three actions, painted and animated here."""

import math
import os

import bpy
import numpy as np
from mathutils import Quaternion, Vector

from . import artist, compat

PIXELS_PER_UNIT = 100.0

# Bones in pixels, x right and y up, the ground at y = 0: name, parent, head, tail.
BONES = (
    ("root", None, (0, 0), (0, 40)),
    ("hips", "root", (0, 122), (0, 148)),
    ("body", "hips", (0, 148), (0, 222)),
    ("head", "body", (2, 228), (2, 300)),
    ("eyes", "head", (24, 296), (24, 316)),
    ("antenna", "head", (-4, 358), (-4, 404)),
    ("key", "body", (-50, 182), (-96, 182)),
    ("near arm", "body", (-42, 204), (-60, 158)),
    ("near forearm", "near arm", (-60, 158), (-56, 108)),
    ("far arm", "body", (46, 204), (62, 158)),
    ("far forearm", "far arm", (62, 158), (68, 108)),
    ("near thigh", "hips", (-24, 122), (-20, 74)),
    ("near shin", "near thigh", (-20, 74), (-24, 26)),
    ("near foot", "near shin", (-24, 26), (8, 12)),
    ("far thigh", "hips", (22, 122), (26, 74)),
    ("far shin", "far thigh", (26, 74), (22, 26)),
    ("far foot", "far shin", (22, 26), (54, 12)),
)
BONE_SETS = {"upper body": ("body", "head", "eyes", "antenna", "key", "near arm", "near forearm", "far arm",
                            "far forearm"),
             "legs": ("near thigh", "near shin", "near foot", "far thigh", "far shin", "far foot")}

LINE, SHELL, SHADE, LIGHT = "2a2f4a", "5fc6b8", "46a79f", "9ce5d6"
VISOR, GLASS, GLOW, BLUSH = "24335a", "3a4d7d", "ffeeb0", "f58f7c"
HOSE, RIB, CORAL, CLAY = "9aa1c4", "7a81aa", "f47c6c", "d75f59"
CREAM, GOLD, AMBER, FAR = "f9eed6", "f7c755", "db9f38", "6f76a0"

# Shapes of each part, from the back: kind, numbers in pixels, color. "box": x, y, half width, half height, radius;
# "limb": x, y of both ends, both radii; "ring" and "smile": x, y, radius, half width. An outlined shape ("+") is wider
# by a line, and a clipped one ("-") stays inside the outlined shape before it.
LINE_WIDTH = 3.5


def _arm(x, y, elbow, wrist, hose, glove, shade):
    return (("+limb", x, y, *elbow, 9, 8, hose), ("+limb", *elbow, *wrist, 8, 8, hose),
            ("limb", x, y, *elbow, 9, 8, hose),
            ("-box", *wrist, 30, 5, 2, RIB),
            ("+limb", wrist[0] + 9, wrist[1] - 5, wrist[0] + 15, wrist[1] - 13, 6, 6, glove),
            ("+limb", *wrist, wrist[0] + 1, wrist[1] - 16, 11, 15, glove),
            ("-limb", wrist[0] - 10, wrist[1] - 26, wrist[0] + 12, wrist[1] - 32, 9, 9, shade))


def _leg(hip, knee, ankle, hose, boot, shade, sole):
    x, y = ankle
    return (("+limb", *hip, *knee, 11, 10, hose), ("+limb", *knee, *ankle, 10, 10, hose),
            ("limb", *hip, *knee, 11, 10, hose),
            ("+limb", x - 4, y - 10, x + 22, y - 13, 14, 11, boot), ("+box", x, y, 15, 8, 6, shade),
            ("+box", x + 8, 4, 29, 4, 3.5, sole))


# Name, bones that move it, shapes; from the back.
PARTS = (
    ("far arm", ("far arm", "far forearm"), _arm(46, 204, (62, 158), (68, 108), FAR, CLAY, CLAY)),
    ("far leg", ("far thigh", "far shin", "far foot"),
     _leg((22, 122), (26, 74), (22, 26), FAR, CLAY, "b94e4d", "474d75")),
    ("near leg", ("near thigh", "near shin", "near foot"),
     _leg((-24, 122), (-20, 74), (-24, 26), HOSE, CORAL, CLAY, "5a6190")),
    ("key", ("key",), (
        ("+limb", -50, 182, -82, 182, 6, 6, AMBER),
        ("+ring", -98, 199, 12, 5.5, GOLD), ("+ring", -98, 165, 12, 5.5, GOLD), ("+box", -89, 182, 7, 8, 4, GOLD),
        ("ring", -98, 199, 12, 5.5, GOLD), ("ring", -98, 165, 12, 5.5, GOLD))),
    ("body", ("body",), (
        ("+box", 0, 172, 60, 56, 50, SHELL), ("-box", 0, 172, 62, 58, 2, SHADE), ("-box", 5, 181, 58, 54, 49, SHELL),
        ("-limb", -30, 214, 0, 222, 5, 5, LIGHT),
        ("+box", 18, 164, 30, 28, 20, CREAM), ("+box", 18, 170, 13, 13, 13, "ffffff"),
        ("limb", 18, 170, 25, 177, 2, 1.5, CORAL),
        ("box", 18, 170, 3.5, 3.5, 3.5, LINE), ("limb", 5, 147, 31, 147, 2.5, 2.5, "d9c7a2"))),
    ("antenna", ("antenna",), (
        ("+limb", -4, 354, -4, 392, 4, 4, HOSE), ("+box", -4, 406, 14, 14, 14, GOLD),
        ("-box", -10, 398, 13, 12, 12, AMBER), ("-box", -2, 408, 12, 12, 12, GOLD),
        ("box", 0, 412, 4, 4, 4, "fff6d8"))),
    ("head", ("head",), (
        ("+box", -4, 358, 20, 9, 6, SHADE),
        ("+box", 4, 294, 88, 64, 46, SHELL), ("-box", 4, 294, 90, 66, 2, SHADE), ("-box", 10, 303, 86, 62, 46, SHELL),
        ("-limb", -36, 344, 20, 347, 5, 5, LIGHT), ("box", 36, 346, 5, 5, 5, LIGHT),
        ("+box", 26, 290, 56, 41, 30, VISOR), ("-limb", 52, 340, 92, 268, 13, 13, GLASS),
        ("-limb", 28, 340, 72, 262, 4, 4, GLASS),
        ("-box", -12, 274, 10, 6, 6, BLUSH), ("-box", 60, 274, 10, 6, 6, BLUSH), ("smile", 24, 278, 10, 2.4, GLOW),
        ("+box", -54, 290, 18, 18, 18, GOLD), ("box", -54, 290, 8, 8, 8, AMBER))),
    ("eyes", ("eyes",), (("box", 4, 297, 8, 14, 8, GLOW), ("box", 44, 297, 8, 14, 8, GLOW))),
    ("near arm", ("near arm", "near forearm"), _arm(-42, 204, (-60, 158), (-56, 108), HOSE, CORAL, CLAY)),
)


def _distance(kind, numbers, x, y):
    """Returns the signed distance in pixels of each point to the edge of a shape, negative inside."""
    if kind == "box":
        cx, cy, width, height, radius = numbers
        radius = min(radius, width, height)
        dx, dy = np.abs(x - cx) - width + radius, np.abs(y - cy) - height + radius
        return np.hypot(np.maximum(dx, 0), np.maximum(dy, 0)) + np.minimum(np.maximum(dx, dy), 0) - radius
    if kind == "limb":
        x0, y0, x1, y1, start, end = numbers
        dx, dy = x1 - x0, y1 - y0
        along = np.clip(((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy), 0, 1)
        return np.hypot(x - x0 - along * dx, y - y0 - along * dy) - (start + along * (end - start))
    cx, cy, radius, width = numbers
    ring = np.abs(np.hypot(x - cx, y - cy) - radius) - width
    return np.maximum(ring, y - cy) if kind == "smile" else ring


def paint(shapes):
    """Returns (pixels, left, top): uint8 [height, width, 4], row 0 at the top, that hold all shapes, and the
    coordinates of their upper left corner in pixels of the character."""
    centers, sizes = [], [LINE_WIDTH]
    for kind, *numbers, _ in shapes:
        ends = 4 if kind.endswith("limb") else 2
        centers += zip(numbers[0:ends:2], numbers[1:ends:2])
        sizes += numbers[ends:]
    reach = 2 * max(sizes) + 4
    (west, south), (east, north) = np.min(centers, 0) - reach, np.max(centers, 0) + reach
    west, north = np.floor(west), np.ceil(north)
    x, y = np.meshgrid(np.arange(west, east) + 0.5, np.arange(north, south, -1) - 0.5)
    color, alpha, inside = np.zeros((*x.shape, 3)), np.zeros(x.shape), None
    for kind, *numbers, fill in shapes:
        distance = _distance(kind.lstrip("+-"), numbers, x, y)
        layers = [(distance, fill)]
        if kind[0] == "+":
            layers.insert(0, (distance - LINE_WIDTH, LINE))
            inside = distance
        elif kind[0] == "-":
            layers = [(np.maximum(distance, inside), fill)]
        for edge, value in layers:
            cover = np.clip(0.5 - edge, 0, 1)
            total = cover + alpha * (1 - cover)
            rgb = np.array([int(value[i:i + 2], 16) for i in (0, 2, 4)])
            blend = np.divide(cover, total, out=np.zeros_like(cover), where=total > 0)[..., None]
            color, alpha = color + (rgb - color) * blend, total
    rows, columns = np.flatnonzero(alpha.any(1)), np.flatnonzero(alpha.any(0))
    top, bottom, left, right = rows[0] - 2, rows[-1] + 3, columns[0] - 2, columns[-1] + 3
    pixels = np.dstack([color, alpha * 255])[top:bottom, left:right]
    return np.round(pixels).astype(np.uint8), west + left, north - top


def _legs(hips, steps):
    """Returns the turns in degrees of the bones of both legs, whose ankles are `steps` away from rest,
    {side: (x, y, pitch)}, with the hips `hips` pixels above rest."""
    rest = {name: (Vector(head), Vector(tail)) for name, _, head, tail in BONES}
    turns = {}
    for side, (x, y, pitch) in steps.items():
        hip, knee = rest[side + " thigh"]
        ankle = rest[side + " shin"][1]
        upper, lower = (knee - hip).length, (ankle - knee).length
        reach = ankle + Vector((x, y - hips)) - hip
        length = min(reach.length, (upper + lower) * 0.9995)
        bend = math.acos((upper * upper + length * length - lower * lower) / (2 * upper * length))
        thigh = math.atan2(reach.y, reach.x) + bend
        at = hip + Vector((math.cos(thigh), math.sin(thigh))) * upper
        shin = math.atan2(*reversed(hip + reach.normalized() * length - at))
        swung = math.degrees(thigh - math.atan2(*reversed(knee - hip)))
        total = math.degrees(shin - math.atan2(*reversed(ankle - knee)))
        turns |= {side + " thigh": swung, side + " shin": total - swung, side + " foot": pitch - total}
    return turns


def _blink(frame, at):
    return max(0.12, min(1, abs(frame - at) / 3))


def _idle(frame):
    wave = [math.sin(math.tau * (frame / 48 - lag)) for lag in (0, 0.06, 0.12, 0.2)]
    hips = -2.5 + 2.5 * math.cos(math.tau * frame / 48)
    return {"hips": hips, "body": 1.2 * wave[0], "head": 2.2 * wave[1], "antenna": 7 * wave[3],
            "near arm": -4 + 4 * wave[2], "near forearm": 6 + 5 * wave[3], "far arm": 5 - 4 * wave[2],
            "far forearm": 4 + 4 * wave[3], "eyes": _blink(frame, 33),
            "key": 0.6 + 0.4 * math.cos(math.tau * frame / 24),
            **_legs(hips, {"near": (0, 0, 0), "far": (0, 0, 0)})}


def sole_height(pitch):
    """Returns how far the ankle of a turned foot is above rest in pixels while its sole touches the ground."""
    turn, below = math.radians(pitch), BONES[-2][3][1]
    return max(-x * math.sin(turn) + below * math.cos(turn) for x in SOLE) - below


def _walk(frame):
    def step(phase, middle):
        phase %= 1
        swing = max(0, phase * 2 - 1)
        if phase < 0.5:
            pitch = 14 * max(0, 1 - phase * 10) - 22 * max(0, phase * 5 - 1.5)
        else:
            pitch = -22 + 36 * swing
        x = 34 - 136 * phase if phase < 0.5 else -34 * math.cos(math.pi * swing)
        return middle + x, 20 * math.sin(math.pi * swing) ** 1.5 + sole_height(pitch), pitch
    phase = frame / 24
    hips = -10 - 4 * math.cos(2 * math.tau * (phase - 0.05))
    swing, late = math.cos(math.tau * phase), math.cos(math.tau * (phase - 0.1))
    nod = math.sin(2 * math.tau * (phase - 0.1))
    return {"hips": hips, "body": -3 + 1.6 * nod, "head": 2 + 2.4 * math.sin(2 * math.tau * (phase - 0.2)),
            "antenna": 12 * math.sin(2 * math.tau * (phase - 0.32)), "near arm": 4 - 34 * swing,
            "near forearm": 24 - 18 * late, "far arm": -4 + 28 * swing, "far forearm": 16 + 14 * late, "eyes": 1,
            "key": 0.6 + 0.4 * math.cos(2 * math.tau * phase),
            **_legs(hips, {"near": step(phase, 11), "far": step(phase + 0.5, -11)})}


def _wave(frame):
    raised = min(1, frame / 9, (45 - frame) / 12)
    raised = raised * raised * (3 - 2 * raised)
    shake = math.sin(math.tau * (frame - 9) / 9) * raised if 9 <= frame <= 36 else 0
    hips = -3 * math.sin(math.pi * min(1, frame / 12)) - 1.5 * raised
    return {"hips": hips, "body": 3 * raised, "head": 7 * raised + 1.5 * shake, "antenna": -8 * shake,
            "near arm": -114 * raised + 6 * shake, "near forearm": -14 * raised + 28 * shake,
            "far arm": 8 * raised, "far forearm": 14 * raised, "key": 1,
            "eyes": _blink(frame, 15) * (1 - 0.25 * raised),
            **_legs(hips, {"near": (0, 0, 0), "far": (0, 0, 0)})}


# Name, frames, loops, frames between keys, pose, markers.
ACTIONS = (("idle", 48, True, 3, _idle, ()), ("walk", 24, True, 2, _walk, ((0, "step"), (12, "step"))),
           ("wave", 45, False, 3, _wave, ()))
# Where a sole touches the ground, from the ankle.
SOLE = (-20, 36)
# What a number of a pose drives, if it is not a turn about the bone's z axis in degrees.
CHANNELS = {"hips": ("location", 1, 1 / PIXELS_PER_UNIT), "eyes": ("scale", 1, 1), "key": ("scale", 0, 1)}


def _add_action(armature, name, length, loops, step, pose, markers):
    action = bpy.data.actions.new(name)
    compat.set_owner(armature, action)
    compat.assign(armature, action)
    frames = list(range(0, length + 1, step))
    poses = [pose(0 if loops and frame == length else frame) for frame in frames]
    for bone in poses[0]:
        path, index, scale = CHANNELS.get(bone, ("rotation_euler", 2, math.pi / 180))
        curve = compat.new_fcurve(action, armature, f'pose.bones["{bone}"].{path}', index, bone)
        curve.keyframe_points.add(len(frames))
        points = [number for frame, each in zip(frames, poses) for number in (frame + 1, each[bone] * scale)]
        curve.keyframe_points.foreach_set("co", points)
        for key in curve.keyframe_points:
            key.handle_left_type = key.handle_right_type = "AUTO"
        if loops:
            curve.modifiers.new("CYCLES")
        curve.update()
    action.use_fake_user = True
    action.use_frame_range = True
    action.frame_start, action.frame_end, action.use_cyclic = 1, length + 1, loops
    for frame, marker in markers:
        action.pose_markers.new(marker).frame = frame + 1
    return action


def add(context, location=(0, 0, 0)):
    """Adds the starter character in a collection of its own and returns its armature object, which is active.
    `location` is where it stands. Requires object mode."""
    collection = bpy.data.collections.new("Neji")
    context.scene.collection.children.link(collection)
    armature = bpy.data.objects.new("Neji", bpy.data.armatures.new("Neji"))
    armature.location = location
    armature.show_in_front = True
    armature.data.display_type = "STICK"
    collection.objects.link(armature)
    artist.activate(context, armature)
    bpy.ops.object.mode_set(mode="EDIT")
    for name, parent, head, tail in BONES:
        bone = armature.data.edit_bones.new(name)
        bone.head, bone.tail = (Vector((x, 0, y)) / PIXELS_PER_UNIT for x, y in (head, tail))
        bone.align_roll((0, -1, 0))
        bone.parent = armature.data.edit_bones[parent] if parent else None
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone in armature.pose.bones:
        bone.rotation_mode = "XYZ"
    for name, bones in BONE_SETS.items():
        compat.add_bone_set(armature, name, bones)
    context.view_layer.update()
    for index, (name, bones, shapes) in enumerate(PARTS):
        pixels, left, top = paint(shapes)
        image = artist.new_image(f"neji {name}", pixels)
        height, width = pixels.shape[:2]
        center = Vector((left + width / 2, 0, top - height / 2)) / PIXELS_PER_UNIT
        center.y = 0.02 * (len(PARTS) - index)
        bends = len(bones) > 1
        artist.add_part(context, name, image, Vector(location) + center, armature, bones,
                        vertices=48 if bends else 24, spacing=10 if bends else 0)
    actions = [_add_action(armature, *action) for action in ACTIONS]
    compat.assign(armature, actions[0])
    artist.activate(context, armature)
    return armature


def save_template(path):
    """Saves a Blender file with only the starter character, ready to play and to change, in a front view that shows the
    images. Replaces what is open."""
    context = bpy.context
    if context.object and context.object.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    for data in (bpy.data.objects, bpy.data.collections, bpy.data.actions):
        for each in list(data):
            data.remove(each)
    bpy.ops.outliner.orphans_purge(do_recursive=True)
    scene = context.scene
    add(context)
    scene.render.fps, scene.render.fps_base = 24, 1
    scene.frame_start, scene.frame_end = 1, 48
    scene.view_settings.view_transform = "Standard"
    scene.frame_set(1)
    for screen in bpy.data.screens:
        for area in (area for area in screen.areas if area.type == "VIEW_3D"):
            space = area.spaces.active
            space.shading.type, space.shading.light, space.shading.color_type = "SOLID", "FLAT", "TEXTURE"
            view = space.region_3d
            view.view_perspective, view.view_distance = "ORTHO", 7
            view.view_location, view.view_rotation = (0, 0, 2.1), Quaternion((1, 0, 0), math.pi / 2)
    bpy.ops.wm.save_as_mainfile(filepath=os.path.abspath(path), copy=True, compress=True)


class PACHARIO_OT_add_starter(bpy.types.Operator):
    """Add a small character with images, weights and actions to begin with"""
    bl_idname = "pachario.add_starter"
    bl_label = "Pachario character"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return context.mode == "OBJECT"

    def execute(self, context):
        add(context, context.scene.cursor.location)
        return {"FINISHED"}


def _menu(self, _context):
    self.layout.operator(PACHARIO_OT_add_starter.bl_idname, icon="ARMATURE_DATA")


def register():
    bpy.utils.register_class(PACHARIO_OT_add_starter)
    bpy.types.VIEW3D_MT_armature_add.append(_menu)


def unregister():
    bpy.types.VIEW3D_MT_armature_add.remove(_menu)
    bpy.utils.unregister_class(PACHARIO_OT_add_starter)
