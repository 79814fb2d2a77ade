# SPDX-License-Identifier: MIT
"""Kiri: a child in a fox hood, with a scarf and a tail, cut from paper."""

import json

import numpy as np

import paper
import puppet
from addon import Character, Image
from kiri_art import draw_parts
from kiri_motion import FPS, make_clips
from kiri_rig import (FAR_ARM, FAR_ARM_BONES, FAR_EAR, FAR_LEG, FAR_LEG_BONES, NEAR_ARM,
                      NEAR_ARM_BONES, NEAR_EAR, NEAR_LEG, NEAR_LEG_BONES, SCARF, SCARF_BONES, TAIL,
                      TAIL_BONES, make_rig)
from paper import spline


def limb_weights(names, joints, radius):
    """Weights of a hanging limb, by height alone."""
    levels = [(0, joint[1]) for joint in joints]
    chain = puppet.chain_weights(names, levels, radius)
    return lambda x, y: chain(levels[0][1] - y)


def tunic_weights(x, y):
    """Chest, spine and hips from top to bottom; the hem also goes with the thighs."""
    chest = float(puppet.smoothstep(y, -80, -20))
    hips = float(1 - puppet.smoothstep(y, -140, -80))
    hem = 0.5 * float(1 - puppet.smoothstep(y, -178, -120))
    near = float(1 - puppet.smoothstep(x, -45, 45))
    return {"chest": chest, "spine": 1 - chest - hips, "hips": hips - hem,
            "near_thigh": hem * near, "far_thigh": hem * (1 - near)}


def leg_weights(names, joints):
    """Weights of a leg; everything below the ankle, and higher up at the toe, belongs to the foot."""
    ankle = joints[2]
    limb = limb_weights(names[:2], joints, 30)

    def at(x, y):
        weights = limb(x, y)
        height = y - ankle[1] - 1.2 * max(0.0, x - ankle[0] - 20)
        foot = float(1 - puppet.smoothstep(height, -16, 10))
        return {names[0]: weights[names[0]] * (1 - foot),
                names[1]: weights[names[1]] * (1 - foot), names[2]: foot}
    return at


def ear_weights(name, root, tip):
    """An ear stands on the head and bends from a quarter of its length."""
    axis = np.array(tip, float) - root

    def at(x, y):
        along = float(np.dot(np.array([x, y]) - root, axis) / np.dot(axis, axis))
        share = float(puppet.smoothstep(along, -0.25, 0.45))
        return {"head": 0.45 * (1 - share), name: 1 - 0.45 * (1 - share)}
    return at


def make_meshes(rig):
    """The atlas and the meshes, back to front."""
    parts = draw_parts()
    atlas = paper.pack(parts, 1024)

    arm_radius = 30
    grids = {
        "tail": (11, 10, puppet.curve_weights(TAIL_BONES, TAIL, 28, spline(TAIL, 200))),
        "scarf": (16, 5, puppet.curve_weights(SCARF_BONES, SCARF, 24, spline(SCARF, 200))),
        "far_arm": (4, 24, limb_weights(FAR_ARM_BONES, FAR_ARM, arm_radius)),
        "near_arm": (4, 24, limb_weights(NEAR_ARM_BONES, NEAR_ARM, arm_radius)),
        "far_leg": (8, 24, leg_weights(FAR_LEG_BONES, FAR_LEG)),
        "near_leg": (8, 24, leg_weights(NEAR_LEG_BONES, NEAR_LEG)),
        "tunic": (8, 14, tunic_weights),
        "far_ear": (4, 6, ear_weights("far_ear", *FAR_EAR)),
        "near_ear": (4, 6, ear_weights("near_ear", *NEAR_EAR)),
        "fringe": (8, 4, lambda x, y: {
            "head": float(puppet.smoothstep(y, 110, 175)) * 0.49,
            "fringe": 1 - float(puppet.smoothstep(y, 110, 175)) * 0.49}),
        "scarf_wrap": (6, 3, lambda x, y: {"neck": 0.7, "chest": 0.3}),
        "hood": (6, 6, "hood"),
        "head": (4, 4, "head"),
    }
    meshes = []
    for part in parts:
        columns, rows, weights = grids.get(part.name, (1, 1, part.name))
        meshes.append(puppet.grid_mesh(rig, atlas, part, columns, rows, weights))
    return atlas, meshes


def build():
    rig = make_rig()
    atlas, meshes = make_meshes(rig)
    return Character(FPS, [Image("kiri", atlas.pixels)], rig.file_bones(), meshes, make_clips(rig))


def sidecar():
    """The markers, a mask of what is above the waist, and springs for what hangs loosely: they add to the motion in the
    clips."""
    upper_body = []
    bones = make_rig().bones
    for bone in bones:
        if bone.name == "chest" or bone.parent >= 0 and bones[bone.parent].name in upper_body:
            upper_body.append(bone.name)

    def spring(name, bones, tip, **values):
        return {"name": name, "bones": bones, "tip": tip} | values

    ears = {"frequency": 4.5, "damping": 0.35, "limit": 25}
    return {
        "markers": [{"clip": "walk", "frame": 0, "name": "step"},
                    {"clip": "walk", "frame": 15, "name": "step"},
                    {"clip": "jump", "frame": 16, "name": "leap"},
                    {"clip": "jump", "frame": 33, "name": "land"},
                    {"clip": "run", "frame": 0, "name": "step"},
                    {"clip": "run", "frame": 10, "name": "step"}],
        "masks": [{"name": "upper body", "bones": upper_body}],
        "springs": [spring("near ear", ["near_ear"], [0, 110], **ears),
                    spring("far ear", ["far_ear"], [0, 100], **ears),
                    spring("tail", TAIL_BONES, [0, 60], frequency=4, drag=0.5, limit=25),
                    spring("scarf", SCARF_BONES, [0, 45], frequency=3.5, damping=0.35, drag=1.5, limit=30)],
    }


def states():
    """A machine for the body, which stands, walks, runs and jumps, and one above it for the upper body, which waves."""
    when_slow = [{"parameter": "speed", "below": 0.1}]
    when_fast = [{"parameter": "speed", "above": 0.1}]
    return {
        "parameters": [{"name": "speed", "type": "number", "max": 2, "key": "right"},
                       {"name": "jump", "type": "trigger", "key": "space"},
                       {"name": "wave", "type": "trigger", "key": "w"}],
        "layers": [
            {"name": "body",
             "states": [{"name": "idle", "clip": "idle"},
                        {"name": "move", "blend": [{"clip": "walk", "at": 1}, {"clip": "run", "at": 2}],
                         "parameter": "speed"},
                        {"name": "jump", "clip": "jump"}],
             "transitions": [
                 {"to": "jump", "when": [{"parameter": "jump"}], "fade": 0.1},
                 {"from": "idle", "to": "move", "when": when_fast, "fade": 0.2},
                 {"from": "move", "to": "idle", "when": when_slow, "fade": 0.3},
                 {"from": "jump", "to": "move", "when": when_fast, "after": 0.75, "fade": 0.2},
                 {"from": "jump", "to": "idle", "atEnd": True, "fade": 0.2}]},
            {"name": "arms", "mask": "upper body",
             "states": [{"name": "free"}, {"name": "wave", "clip": "wave"}],
             "transitions": [
                 {"from": "free", "to": "wave", "when": [{"parameter": "wave"}], "fade": 0.2},
                 {"from": "wave", "to": "free", "atEnd": True, "fade": 0.3}]}],
    }


def list_text(key, values, indent):
    """A field with one line per value, as the library writes it."""
    return f'{indent}"{key}": [\n' + ",\n".join(f"{indent}  {value}" for value in values) + f"\n{indent}]"


def sidecar_text():
    def layer_text(layer):
        fields = [list_text(key, map(json.dumps, value), " " * 8) if isinstance(value, list)
                  else f'        "{key}": {json.dumps(value)}' for key, value in layer.items()]
        return "{\n" + ",\n".join(fields) + "\n      }"

    lists = [list_text(key, map(json.dumps, values), "  ") for key, values in sidecar().items()]
    machines = states()
    lists.append('  "states": {\n' + list_text("parameters", map(json.dumps, machines["parameters"]), "    ") + ",\n" +
                 list_text("layers", map(layer_text, machines["layers"]), "    ") + "\n  }")
    return "{\n" + ",\n".join(lists) + "\n}\n"
