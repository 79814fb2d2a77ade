# SPDX-License-Identifier: MIT
"""Tako, an octopus that plays with a bubble, as Spine 4.2 exports it: y up, angles in degrees, counter-clockwise."""

import json
import math
import sys
from pathlib import Path

import numpy as np

import ink
import paper
from addon import png

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "import" / "spine"))
from write_skel import Writer  # noqa: E402

INK = paper.rgb("#3a2347")
SKINS = {"coral": (paper.rgb("#f0705a"), paper.rgb("#ffc6a3")), "lagoon": (paper.rgb("#3f9fb5"), paper.rgb("#bff0dc"))}
WHITE, BLUSH = paper.rgb("#fffaf0"), paper.rgb("#f79aa0")
LEGS, JOINTS = 6, 3
LENGTH = 34  # of a bone of a leg
ROWS, COLUMNS = 6, 7  # vertices of the head


def drawing(width, height, draw):
    """An image of `width` x `height` pixels whose origin is its center, y down."""
    context = ink.canvas(width, height)
    context.translate(width / 2, height / 2)
    draw(context)
    return ink.pixels(context)


def head(color, light):
    def draw(context):
        outline = [(0, -68), (48, -57), (76, -18), (70, 32), (44, 60), (0, 66), (-44, 60), (-70, 32), (-76, -18), (-48, -57)]
        ink.shape(context, outline, color, None, shadow=(-8, -6))
        with ink.inside(context, outline):
            ink.oval(context, -22, -34, 30, 20, ink.lighter(color, 0.25))
            for x, y, size in ((40, -42, 7), (54, -25, 4.5), (27, -54, 4), (-58, 6, 5), (-50, 20, 3)):
                ink.oval(context, x, y, size, size * 0.85, light)
        ink.shape(context, outline, None, INK)
    return draw


def leg(color, light):
    def draw(context):
        outline = [(-17, -60, "corner"), (17, -60, "corner"), (15, -10), (9, 40), (0, 58), (-9, 40), (-15, -10)]
        ink.shape(context, outline, color, INK, shadow=(-5, 0))
        for y, size in ((-36, 5.5), (-16, 5), (3, 4.3), (20, 3.5), (35, 2.7)):
            ink.oval(context, 3, y, size, size * 0.8, light)
    return draw


def eye_open(context):
    ink.oval(context, 0, 0, 15, 17, INK)
    ink.oval(context, 0, 1, 12.5, 14.5, WHITE)
    ink.oval(context, 2, 3, 8, 9.5, INK)
    ink.oval(context, -1, -1, 3, 3.4, WHITE)


def eye_shut(context):
    ink.stroke(context, [(-13, -2), (0, 5), (13, -2)], INK, 3.4)


def mouth(context):
    outline = [(-9, -5), (9, -5), (12, 3), (0, 9), (-12, 3)]
    ink.shape(context, outline, paper.rgb("#8c2f4a"), INK, shadow=None)


def blush(context):
    ink.oval(context, 0, 0, 11, 6, BLUSH)


def bubble(context):
    for i in range(10):
        context.set_source_rgba(*paper.rgb("#9fe6ff"), 0.05)
        paper.ellipse(0, 0, 26 - i * 0.6, 26 - i * 0.6)(context)
    ink.stroke(context, [(26 * math.cos(a), 26 * math.sin(a)) for a in np.linspace(0, 2 * math.pi, 24)],
               paper.rgb("#5bb8dc"), 2.2)
    ink.stroke(context, [(-17, -4), (-13, -12), (-6, -17)], WHITE, 3)


DRAWINGS = {"eye-open": (36, 40, eye_open), "eye-shut": (34, 18, eye_shut), "mouth": (32, 24, mouth),
            "blush": (26, 16, blush), "bubble": (60, 60, bubble)}
for skin, colors in SKINS.items():
    DRAWINGS[f"{skin}/head"] = (160, 140, head(*colors))
    DRAWINGS[f"{skin}/leg"] = (44, 124, leg(*colors))


def trimmed(pixels):
    """The part that is not transparent, and how much was cut off at the left and at the bottom."""
    rows, columns = np.flatnonzero(pixels[..., 3].any(1)), np.flatnonzero(pixels[..., 3].any(0))
    part = pixels[rows[0]:rows[-1] + 1, columns[0]:columns[-1] + 1]
    return part, int(columns[0]), int(pixels.shape[0] - 1 - rows[-1])


def atlas():
    """All drawings on one page, trimmed; tall ones are turned by 90 degrees counter-clockwise, as packers do."""
    images = {name: drawing(*drawn) for name, drawn in DRAWINGS.items()}
    width, padding, shelf = 512, 4, 0
    x = y = padding
    page, lines = np.zeros((512, width, 4), np.uint8), []
    for name in sorted(images, key=lambda each: (-images[each].shape[0], each)):
        full = images[name]
        part, left, bottom = trimmed(full)
        turned = part.shape[0] > 1.5 * part.shape[1]
        stored = np.rot90(part) if turned else part
        rows, columns = stored.shape[:2]
        if x + columns + padding > width:
            x, y, shelf = padding, y + shelf + padding, 0
        page[y:y + rows, x:x + columns] = stored
        lines += [name, f"bounds:{x},{y},{part.shape[1]},{part.shape[0]}"]
        if part.shape != full.shape:
            lines.append(f"offsets:{left},{bottom},{full.shape[1]},{full.shape[0]}")
        lines += ["rotate:90"] * turned
        x, shelf = x + columns + padding, max(shelf, rows)
    page = page[:y + shelf + padding]
    return page, "\n".join(["tako.png", f"size:{width},{page.shape[0]}", "filter:Linear,Linear", *lines, ""])


def bones():
    result = [{"name": "root"}, {"name": "body", "parent": "root", "y": 40},
              {"name": "face", "parent": "body", "y": -6}]
    for number in range(LEGS):
        side = number - (LEGS - 1) / 2
        turn = -90 + side * 22
        result.append({"name": f"leg {number} 0", "parent": "body", "x": round(side * 23, 2), "y": -50 + abs(side) * 4,
                       "rotation": turn, "length": LENGTH})
        result += [{"name": f"leg {number} {joint}", "parent": f"leg {number} {joint - 1}", "x": LENGTH,
                    "rotation": round(side * 6, 2), "length": LENGTH} for joint in range(1, JOINTS)]
    return [*result, {"name": "bubble", "parent": "root", "x": 136, "y": 10}]


def leg_mesh(number, path, names):
    """A strip along the bones of a leg, all of whose vertices lie on its outline: down the left side, up the right."""
    rows = 7
    width, height = DRAWINGS[path][:2]
    places = [(side, row) for side, order in ((-1, range(rows)), (1, reversed(range(rows)))) for row in order]
    vertices, uvs, triangles = [], [], []
    for side, row in places:
        part = row / (rows - 1)
        # Along the leg, from its root. The image begins a little above it.
        along = part * height - 10
        share = min(max(along / LENGTH - 0.5, 0), JOINTS - 1)
        first = min(int(share), JOINTS - 2)
        used = [(first, 1 - share + first), (first + 1, share - first)]
        used = [(joint, round(weight, 4)) for joint, weight in used if weight > 1e-4]
        vertices.append(len(used))
        for joint, weight in used:
            # The leg is bound straight: its bones point to the right, and what is at the left of the image is above them.
            vertices += [names.index(f"leg {number} {joint}"), round(along - joint * LENGTH, 3), -side * width / 2, weight]
        uvs += [(side + 1) / 2, round(part, 4)]
    for row in range(rows - 1):
        left, right = row, 2 * rows - 1 - row
        triangles += [left, left + 1, right - 1, left, right - 1, right]
    return {"type": "mesh", "path": path, "uvs": uvs, "triangles": triangles, "vertices": vertices, "hull": 2 * rows,
            "width": width, "height": height}


def head_places():
    """Columns and rows of the vertices of the head. Those of the outline come first."""
    last_row, last_column = ROWS - 1, COLUMNS - 1
    outline = [(0, row) for row in range(last_row)] + [(column, last_row) for column in range(last_column)]
    outline += [(last_column, last_row - row) for row in range(last_row)]
    outline += [(last_column - column, 0) for column in range(last_column)]
    return outline, outline + [(column, row) for row in range(1, last_row) for column in range(1, last_column)]


def head_mesh(path):
    width, height = DRAWINGS[path][:2]
    outline, places = head_places()
    at = {place: i for i, place in enumerate(places)}
    vertices = [number for column, row in places for number in
                (round((column / (COLUMNS - 1) - 0.5) * width, 2), round((0.5 - row / (ROWS - 1)) * height, 2))]
    uvs = [round(number, 4) for column, row in places for number in (column / (COLUMNS - 1), row / (ROWS - 1))]
    triangles = []
    for row in range(ROWS - 1):
        for column in range(COLUMNS - 1):
            a, b, c, d = (at[column + x, row + y] for x, y in ((0, 0), (0, 1), (1, 1), (1, 0)))
            triangles += [a, b, c, a, c, d]
    return {"type": "mesh", "path": path, "uvs": uvs, "triangles": triangles, "vertices": vertices, "hull": len(outline),
            "width": width, "height": height}


def puffed(mesh, amount):
    """Moves of the vertices of the head when it fills with water: its upper half swells, its lower half narrows."""
    moves = []
    for x, y in zip(mesh["vertices"][::2], mesh["vertices"][1::2]):
        up = y / 75
        moves += [round(amount * x / 82 * (9 * up + 2), 2), round(amount * (6 * up - 5 * (x / 82) ** 2), 2)]
    return moves


def eased(keys, *names):
    """Adds Bézier curves that start and end gently between keys."""
    for key, following in zip(keys, keys[1:]):
        start, end = key.get("time", 0), following["time"]
        key["curve"] = [round(number, 4) for name in names for number in
                        (start + (end - start) * 0.4, key.get(name, 0), start + (end - start) * 0.6, following.get(name, 0))]
    return keys


def swing(seconds, degrees, phase):
    """Keys of a bone that swings once, from where a sine has the given phase."""
    return [{"time": round(i * seconds / 8, 4), "value": round(degrees * math.sin(2 * math.pi * (i / 8 + phase)), 2)}
            for i in range(9)]


def moved(seconds, places):
    return eased([{"time": round(seconds * part, 4), "x": x, "y": y} for part, x, y in places], "x", "y")


def blink(*starts):
    keys = [{"time": 0, "name": "eye-open"}]
    for start in starts:
        keys += [{"time": start, "name": "eye-shut"}, {"time": round(start + 0.12, 4), "name": "eye-open"}]
    return {name: {"attachment": keys} for name in ("eye left", "eye right")}


def legs(seconds, degrees, still=()):
    return {f"leg {number} {joint}": {"rotate": swing(seconds, degrees * (1 + joint * 0.6),
                                                      number * 0.13 - joint * 0.16)}
            for number in range(LEGS) if number not in still for joint in range(JOINTS)}


def animations(mesh):
    def breath(seconds, amount):
        keys = [{"time": 0}, {"time": seconds / 2, "vertices": puffed(mesh, amount)}, {"time": seconds}]
        for key, following in zip(keys, keys[1:]):
            span = following["time"] - key["time"]
            key["curve"] = [round(key["time"] + span * 0.4, 4), 0, round(key["time"] + span * 0.6, 4), 1]
        return {"default": {"head": {"head": {"deform": keys}}}}

    drift, play = 3, 2
    yield "drift", {
        "slots": blink(1.9), "bones": {
            "body": {"translate": moved(drift, [(0, 0, 0), (0.5, 0, 12), (1, 0, 0)]), "rotate": swing(drift, 3, 0)},
            "face": {"translate": moved(drift, [(0, 0, 0), (0.3, 4, 1), (0.7, -4, 0), (1, 0, 0)])},
            "bubble": {"translate": moved(drift, [(0, 0, 0), (0.25, 8, 14), (0.5, 0, 26), (0.75, -8, 14), (1, 0, 0)])},
            **legs(drift, 9, (LEGS - 1,))},
        "attachments": breath(drift, 1)}
    yield "play", {
        "slots": {**blink(0.2, 1.3), "bubble": {"rgba": [
            {"time": 0, "color": "ffffffff"}, {"time": 1, "color": "ffffff80"}, {"time": 2, "color": "ffffffff"}]}},
        "bones": {
            "body": {"translate": moved(play, [(0, 0, 0), (0.2, -6, -12), (0.5, 4, 30), (1, 0, 0)]),
                     "scale": [{"time": 0, "x": 1, "y": 1}, {"time": 0.4, "x": 1.1, "y": 0.88},
                               {"time": 0.9, "x": 0.94, "y": 1.1}, {"time": play, "x": 1, "y": 1}]},
            "bubble": {"translate": moved(play, [(0, 0, 0), (0.25, -60, 104), (0.5, -230, 110), (0.75, -130, -60),
                                                 (1, 0, 0)]), "rotate": [{"time": 0, "value": 0},
                                                                        {"time": play, "value": -360}]},
            **legs(play, 15, (LEGS - 1,))},
        "ik": {"reach": [{"time": 0, "mix": 1, "bendPositive": False},
                         {"time": 0.6, "mix": 0.2, "bendPositive": False},
                         {"time": 1.5, "mix": 0.2, "bendPositive": False},
                         {"time": play, "mix": 1, "bendPositive": False}]},
        "attachments": breath(play, 1.6),
        # The bubble passes behind the octopus.
        "drawOrder": [{"time": 0.45, "offsets": [{"slot": "bubble", "offset": -12}]}, {"time": 1.6}],
        "events": [{"time": 0.5, "name": "toss"}]}


def skeleton():
    bone_list = bones()
    names = [bone["name"] for bone in bone_list]
    slots = [*({"name": f"leg {number}", "bone": f"leg {number} 0", "attachment": "leg"} for number in (0, 5, 1, 4, 2, 3)),
             {"name": "head", "bone": "body", "attachment": "head"},
             {"name": "blush left", "bone": "face", "attachment": "blush", "color": "ffffffb0"},
             {"name": "blush right", "bone": "face", "attachment": "blush", "color": "ffffffb0"},
             {"name": "mouth", "bone": "face", "attachment": "mouth"},
             {"name": "eye left", "bone": "face", "attachment": "eye-open"},
             {"name": "eye right", "bone": "face", "attachment": "eye-open"},
             {"name": "bubble", "bone": "bubble", "attachment": "bubble"}]

    def region(name, x=0, y=0):
        width, height = DRAWINGS[name][:2]
        return {key: value for key, value in (("x", x), ("y", y)) if value} | {"width": width, "height": height}

    head_part = head_mesh("coral/head")
    default = {
        **{f"leg {number}": {"leg": leg_mesh(number, "coral/leg", names)} for number in range(LEGS)},
        "head": {"head": head_part}, "mouth": {"mouth": region("mouth", 0, -22)}, "bubble": {"bubble": region("bubble")},
        **{f"blush {side}": {"blush": region("blush", sign * 48, -18)} for side, sign in (("left", -1), ("right", 1))},
        **{f"eye {side}": {"eye-open": region("eye-open", sign * 26, 2), "eye-shut": region("eye-shut", sign * 26, -2)}
           for side, sign in (("left", -1), ("right", 1))}}
    linked = {"type": "linkedmesh", "skin": "default"}
    lagoon = {"head": {"head": {**linked, "parent": "head", "path": "lagoon/head", "width": 160, "height": 140}},
              **{f"leg {number}": {"leg": {**linked, "parent": "leg", "path": "lagoon/leg", "width": 44, "height": 124}}
                 for number in range(LEGS)}}
    return {"skeleton": {"hash": "tako", "spine": "4.2.22", "x": -140, "y": -150, "width": 306, "height": 280,
                         "images": "", "audio": ""},
            "bones": bone_list, "slots": slots,
            "ik": [{"name": "reach", "bones": [f"leg {LEGS - 1} 0", f"leg {LEGS - 1} 1"], "target": "bubble",
                    "bendPositive": False}],
            "skins": [{"name": "default", "attachments": default}, {"name": "lagoon", "attachments": lagoon}],
            "events": {"toss": {}}, "animations": dict(animations(head_part))}


def build():
    """The files of the character."""
    page, text = atlas()
    source = skeleton()
    return {"tako.json": (json.dumps(source, separators=(",", ":")) + "\n").encode(), "tako.skel": Writer(source).write(),
            "tako.atlas": text.encode(), "tako.png": png.encode(page, 9)}
