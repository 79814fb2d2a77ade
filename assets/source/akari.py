# SPDX-License-Identifier: MIT
"""Akari, a paper lantern that came to life, as DragonBones exports it: y down, angles in degrees, clockwise."""

import json
import math

import numpy as np

import ink
import paper
from addon import png

INK = paper.rgb("#4a2436")
RED, PAPER, GOLD = paper.rgb("#e8543f"), paper.rgb("#ffd98a"), paper.rgb("#f2b134")
WOOD, PINK, WHITE = paper.rgb("#7b4a3a"), paper.rgb("#ff9fb0"), paper.rgb("#fff6e6")
RATE = 24
GRID = 6  # rows of its mesh


def drawing(width, height, draw):
    """An image of `width` x `height` pixels whose origin is its center."""
    context = ink.canvas(width, height)
    context.translate(width / 2, height / 2)
    draw(context)
    return ink.pixels(context)


def lantern(context):
    outline = [(-30, -66, "corner"), (-52, -44), (-60, 0), (-52, 44), (-30, 66, "corner"),
               (30, 66, "corner"), (52, 44), (60, 0), (52, -44), (30, -66, "corner")]
    ink.shape(context, outline, RED, None, shadow=(-8, -4))
    with ink.inside(context, outline):
        ink.oval(context, -6, 6, 38, 50, ink.lighter(RED, 0.18))
        ink.oval(context, -8, 8, 24, 34, ink.lighter(RED, 0.34))
        for y in range(-55, 66, 11):
            bulge = 1 - (y / 75) ** 2
            rib = [(-62, y - 3 * bulge), (0, y + 4 * bulge), (62, y - 3 * bulge)]
            ink.stroke(context, rib, ink.darker(RED, 0.3), 1.4)
    ink.shape(context, outline, None, INK)


def rim(context):
    ink.shape(context, [(-33, -7, "corner"), (33, -7, "corner"), (31, 7, "corner"), (-31, 7, "corner")], WOOD, INK)
    ink.stroke(context, [(-24, -2), (20, -2)], ink.lighter(WOOD, 0.3), 2)


def cord(context):
    ink.stroke(context, [(0, 24), (-3, 10), (3, -8), (0, -24)], INK, 5)
    ink.stroke(context, [(0, 24), (-3, 10), (3, -8), (0, -24)], GOLD, 2.4)


def eye_open(context):
    ink.oval(context, 0, 0, 12, 14, INK)
    ink.oval(context, 0, 1, 9.5, 11.5, WHITE)
    ink.oval(context, 2, 2, 5.5, 7.5, INK)
    ink.oval(context, 0, -1, 2.2, 2.6, WHITE)


def eye_shut(context):
    ink.stroke(context, [(-10, -2), (0, 4), (10, -2)], INK, 3.2)


def mouth(context):
    outline = [(-24, -8, "corner"), (0, -4), (24, -8, "corner"), (17, 8), (0, 12), (-17, 8)]
    ink.shape(context, outline, paper.rgb("#7a1f35"), INK, shadow=None)


def tongue(context):
    outline = [(-11, -30, "corner"), (11, -30, "corner"), (13, 0), (10, 24), (0, 30), (-10, 24), (-13, 0)]
    ink.shape(context, outline, PINK, INK, shadow=(-4, 0))
    ink.stroke(context, [(0, -24), (1, 0), (0, 14)], ink.darker(PINK, 0.3), 2)


def hand(context):
    ink.shape(context, [(-12, -10), (6, -14), (16, -4), (14, 10), (-2, 14), (-14, 6)], PAPER, INK)
    ink.stroke(context, [(4, 2), (14, 3)], INK, 1.6)


def glow(context):
    for i in range(24):
        part = i / 24
        context.set_source_rgba(*PAPER, 0.028)
        paper.ellipse(0, 0, 118 * (1 - part) + 30, 126 * (1 - part) + 30)(context)


def moth_body(context):
    ink.shape(context, [(0, -11), (4, 0), (0, 12), (-4, 0)], WOOD, INK, width=1.6)


def moth_wing(context):
    ink.shape(context, [(-12, 6, "corner"), (-2, -10), (12, -8), (8, 4), (2, 9)], WHITE, INK, width=1.6)
    ink.oval(context, 3, -2, 3, 2.5, GOLD)


DRAWINGS = {"glow": (300, 310, glow), "lantern": (126, 138, lantern), "rim": (72, 20, rim), "cord": (16, 56, cord),
            "eye_open": (28, 32, eye_open), "eye_shut": (28, 14, eye_shut), "mouth": (54, 26, mouth),
            "tongue": (32, 66, tongue), "hand": (36, 34, hand), "moth/body": (12, 28, moth_body),
            "moth/wing": (30, 24, moth_wing)}


def trimmed(pixels):
    """The part that is not transparent, and where it begins."""
    rows, columns = np.flatnonzero(pixels[..., 3].any(1)), np.flatnonzero(pixels[..., 3].any(0))
    return pixels[rows[0]:rows[-1] + 1, columns[0]:columns[-1] + 1], columns[0], rows[0]


def atlas():
    """All drawings on one page, trimmed; tall ones are turned by 90 degrees clockwise, as packers do."""
    images = {name: drawing(*drawn) for name, drawn in DRAWINGS.items()}
    width, padding, x, y, shelf = 512, 2, 0, 0, 0
    page, textures = np.zeros((512, width, 4), np.uint8), []
    for name in sorted(images, key=lambda each: -images[each].shape[0]):
        full = images[name]
        part, left, top = trimmed(full)
        turned = part.shape[0] > 1.5 * part.shape[1]
        stored = np.rot90(part, -1) if turned else part
        rows, columns = stored.shape[:2]
        if x + columns > width:
            x, y, shelf = 0, y + shelf + padding, 0
        page[y:y + rows, x:x + columns] = stored
        texture = {"name": name, "x": x, "y": y, "width": columns, "height": rows, "frameX": -int(left),
                   "frameY": -int(top), "frameWidth": full.shape[1], "frameHeight": full.shape[0]}
        textures.append(texture | ({"rotated": True} if turned else {}))
        x, shelf = x + columns + padding, max(shelf, rows)
    page = page[:y + shelf]
    return page, {"name": "akari", "imagePath": "akari_tex.png", "width": width, "height": page.shape[0],
                  "SubTexture": textures}


def transform(x=0.0, y=0.0, turn=0.0):
    given = {"x": x, "y": y, "skX": turn, "skY": turn}
    return {"transform": {key: round(value, 3) for key, value in given.items() if value}}


def strip(name, size, rows, bones, pinned):
    """A mesh of `rows` quads, one below the other. Its vertices follow `bones`, (number, y of its middle) from top to
    bottom, all of which were bound upright at x = 0. `pinned` is the y of the mesh's middle in the armature."""
    width, height = size
    vertices, uvs, triangles, weights = [], [], [], []
    places = [place for _, place in bones]
    for row in range(rows + 1):
        part = row / rows
        y = (part - 0.5) * height
        share = float(np.interp(pinned + y, places, range(len(bones))))
        first = min(int(share), len(bones) - 2)
        pairs = [(bones[first][0], round(first + 1 - share, 4)), (bones[first + 1][0], round(share - first, 4))]
        used = [pair for pair in pairs if pair[1] > 0]
        for side in (0, 1):
            vertices += [(side - 0.5) * width, y]
            uvs += [side, part]
            weights += [len(used)] + [number for pair in used for number in pair]
        if row < rows:
            corner = 2 * row
            triangles += [corner, corner + 1, corner + 3, corner + 3, corner + 2, corner]
    poses = [number for bone, place in bones for number in (bone, 1, 0, 0, 1, 0, place)]
    return {"type": "mesh", "name": name, "vertices": vertices, "uvs": uvs, "triangles": triangles, "weights": weights,
            "slotPose": [1, 0, 0, 1, 0, pinned], "bonePose": poses, "width": width, "height": height}


BONES = [("root", None, 0, 0), ("middle", "root", 0, 0), ("cord", "middle", 0, -150), ("top", "cord", 0, 78),
         ("belly", "top", 0, 72), ("bottom", "belly", 0, 66), ("face", "belly", 0, 0), ("tongue", "face", 0, 40),
         ("tongue_tip", "tongue", 0, 34),
         ("hand_left", "belly", -84, 22), ("hand_right", "belly", 84, 22), ("moth", "root", 120, -60)]
SLOTS = [("glow", "belly"), ("cord", "cord"), ("hand_left", "hand_left"), ("lantern", "belly"), ("rim_top", "top"),
         ("rim_bottom", "bottom"), ("mouth", "face"), ("tongue", "tongue"), ("eye_left", "face"), ("eye_right", "face"),
         ("hand_right", "hand_right"), ("moth", "moth")]


def keys(values, curve=None, **more):
    """Keys (frame, {field: value}), each leading to the next one."""
    curve = {"curve": curve} if curve else {"tweenEasing": 0}
    result = []
    for (frame, fields), following in zip(values, [*values[1:], (None, None)]):
        length = following[0] - frame if following[0] is not None else 0
        result.append({"duration": length, **fields, **(curve if length else {}), **more})
    return result


EASE = [0.45, 0, 0.55, 1]


def sway(name, frames, degrees, phase=0.0):
    """A bone that swings once, from where a sine has the given phase."""
    turns = [(frame, {"rotate": round(degrees * math.sin(2 * math.pi * (frame / frames + phase)), 2)})
             for frame in range(0, frames + 1, frames // 8)]
    return {"name": name, "rotateFrame": keys(turns)}


def float_in_air(frames, height):
    moves = [(0, {"y": 0}), (frames // 2, {"y": -height}), (frames, {"y": 0})]
    return {"name": "cord", "translateFrame": keys(moves, EASE)}


def blink(frames, start):
    shown = [(0, {"value": 0}), (start, {"value": 1}), (start + 3, {"value": 0}), (frames, {"value": 0})]
    return [{"name": name, "displayFrame": [{key: value for key, value in each.items() if key != "tweenEasing"}
                                            for each in keys(shown)]} for name in ("eye_left", "eye_right")]


def flicker(frames, levels):
    steps = [(frames * i // len(levels), {"color": {"aM": level}}) for i, level in enumerate([*levels, levels[0]])]
    return {"name": "glow", "colorFrame": keys(steps)}


def raised(name, side, frames):
    """A hand that goes up and waves; `side` is -1 on the left, 1 on the right."""
    angles = ((0, 0), (12, 70), (18, 40), (24, 75), (30, 40), (frames, 0))
    turns = [(at, {"rotate": side * angle}) for at, angle in angles]
    up = {"x": 6 * side, "y": -48}
    return {"name": name, "rotateFrame": keys(turns, EASE),
            "translateFrame": keys([(0, {}), (12, up), (30, up), (frames, {})], EASE)}


def animations():
    idle, peek, spin = 48, 40, 24
    yield {"name": "idle", "duration": idle, "playTimes": 0, "fadeInTime": 0.2,
           "bone": [float_in_air(idle, 10) | {"rotateFrame": sway("cord", idle, 4)["rotateFrame"]},
                    sway("belly", idle, 3, -0.1), sway("bottom", idle, 4, -0.2), sway("tongue", idle, 8, -0.3),
                    sway("tongue_tip", idle, 14, -0.4), sway("hand_left", idle, 12, 0.2),
                    sway("hand_right", idle, -12, 0.1), sway("face", idle, 2, 0.3)],
           "slot": [*blink(idle, 30), flicker(idle, [70, 100, 80, 95])]}
    squash = [(0, {}), (8, {"x": 1.12, "y": 0.8}), (14, {"x": 0.86, "y": 1.2}), (24, {"x": 1.05, "y": 0.94}), (32, {}),
              (peek, {})]
    yield {"name": "boo", "duration": peek, "fadeInTime": 0.1,
           "bone": [{"name": "belly", "scaleFrame": keys(squash, EASE)},
                    raised("hand_left", -1, peek), raised("hand_right", 1, peek),
                    {"name": "tongue", "scaleFrame": keys([(0, {}), (14, {"y": 1.5}), (28, {"y": 1.3}), (peek, {})],
                                                          EASE)}],
           "slot": [*blink(peek, 2), flicker(peek, [70, 100, 100, 80])],
           "frame": [{"duration": 14}, {"duration": peek - 14, "events": [{"name": "boo"}]}],
           # The left hand comes to the front.
           "zOrder": {"frame": [{"duration": 10}, {"duration": 22, "zOrder": [2, 8]}, {"duration": peek - 32}]}}
    yield {"name": "spin", "duration": spin, "playTimes": 0,
           "bone": [{"name": "cord", "translateFrame": keys([(0, {}), (spin // 2, {"y": -40}), (spin, {})], EASE)},
                    {"name": "middle", "rotateFrame": keys([(0, {"clockwise": 2}), (spin, {"rotate": 0})])},
                    {"name": "moth", "rotateFrame": keys([(0, {"clockwise": -2}), (spin, {"rotate": 0})])}],
           "slot": [flicker(spin, [100, 70])]}


def moth():
    """A child armature with its own rate and animation. Its wings are one image, mirrored by a negative scale."""
    flap = [(0, {}), (3, {"x": 0.25}), (6, {})]
    wings = [("wing_left", -1), ("wing_right", 1)]
    wing = {"name": "moth/wing", "transform": {"x": 14, "y": -2}}
    return {"type": "Armature", "name": "moth", "frameRate": 30,
            "bone": [{"name": "body"}, *({"name": name, "parent": "body", "transform": {"y": -3, "scX": side}}
                                         for name, side in wings)],
            "slot": [{"name": name, "parent": name} for name, _ in wings] + [{"name": "body", "parent": "body"}],
            "skin": [{"name": "", "slot": [*({"name": name, "display": [wing]} for name, _ in wings),
                                           {"name": "body", "display": [{"name": "moth/body"}]}]}],
            "animation": [{"name": "flutter", "duration": 6, "playTimes": 0,
                           "bone": [{"name": name, "scaleFrame": keys(flap)} for name, _ in wings]}],
            "defaultActions": [{"gotoAndPlay": "flutter"}]}


def build():
    """The files of the character."""
    page, textures = atlas()
    number = {name: i for i, (name, *_) in enumerate(BONES)}
    lengths = {"cord": 78, "top": 72, "belly": 66, "tongue": 34, "tongue_tip": 26}
    armature_bones = []
    for name, parent, x, y in BONES:
        bone = {"name": name} | ({"parent": parent} if parent else {})
        bone |= {"length": lengths[name]} if name in lengths else {}
        armature_bones.append(bone | (transform(x, y) if x or y else {}))
    spine = [(number["top"], -72), (number["belly"], 0), (number["bottom"], 66)]
    paper_mesh = strip("lantern", DRAWINGS["lantern"][:2], GRID, spine, 0)
    tip = [(number["tongue"], 40), (number["tongue_tip"], 74)]
    tongue_mesh = strip("tongue", DRAWINGS["tongue"][:2], GRID, tip, 66)
    displays = {
        "glow": [{"name": "glow"}], "cord": [{"name": "cord", **transform(0, 48)}], "lantern": [paper_mesh],
        "rim_top": [{"name": "rim", **transform(0, 4)}], "rim_bottom": [{"name": "rim"}],
        "mouth": [{"name": "mouth", **transform(0, 34)}], "tongue": [tongue_mesh],
        "eye_left": [{"name": "eye_open", **transform(-20, 0)}, {"name": "eye_shut", **transform(-20, 2)}],
        "eye_right": [{"name": "eye_open", **transform(20, 0)}, {"name": "eye_shut", **transform(20, 2)}],
        "hand_left": [{"name": "hand", "transform": {"scX": -1}}], "hand_right": [{"name": "hand"}],
        "moth": [{"name": "moth", "type": "armature"}]}
    akari = {"type": "Armature", "name": "akari", "frameRate": RATE, "bone": armature_bones,
             "slot": [{"name": name, "parent": bone} | ({"color": {"aM": 70}} if name == "glow" else {})
                      for name, bone in SLOTS],
             "skin": [{"name": "", "slot": [{"name": name, "display": shown} for name, shown in displays.items()]}],
             "animation": list(animations()), "defaultActions": [{"gotoAndPlay": "idle"}]}
    skeleton = {"frameRate": RATE, "name": "akari", "version": "5.5", "compatibleVersion": "5.5",
                "armature": [akari, moth()]}

    def text(value):
        return (json.dumps(value, separators=(",", ":")) + "\n").encode()

    return {"akari_ske.json": text(skeleton), "akari_tex.json": text(textures), "akari_tex.png": png.encode(page, 9)}
