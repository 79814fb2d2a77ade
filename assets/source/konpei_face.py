# SPDX-License-Identifier: MIT
"""Konpei's eyes, mouths and cheeks, around the middle of her face."""

import math

import ink
import paper
from ink import oval, shape, stroke

INK = paper.rgb("#4b2a4e")
WHITE = paper.rgb("#fffdf8")
BLUSH = paper.rgb("#ffb3a6")
SKIN = paper.rgb("#ffe3cf")
TONGUE = paper.rgb("#ff7f8a")
MOUTH = paper.rgb("#97344f")
TEAR = paper.rgb("#8fd6ff")


def open_eye(context, x, y, side, eye, look, kind):
    """A wide eye; `kind` is open, wide, sad, smug or star."""
    oval(context, x, y, 10.2, 13.2, WHITE)
    size = 0.55 if kind == "wide" else 1
    iris_x, iris_y = x + look[0] * 0.35, y + 0.8 + look[1] * 0.35
    oval(context, iris_x, iris_y, 8.8 * size, 12.2 * size, ink.darker(eye, 0.75))
    oval(context, iris_x, iris_y + 3.4 * size, 7.2 * size, 8 * size, eye)
    oval(context, iris_x, iris_y + 6.5 * size, 5 * size, 4.2 * size, ink.lighter(eye, 0.55))
    oval(context, iris_x, iris_y - 0.5, 3.4 * size, 5 * size, INK)
    if kind == "star":
        shape(context, ink.sugar_star(iris_x - 1, iris_y - 2.5, 6.2, bumps=5), WHITE, None, shadow=None)
    elif kind != "wide":
        oval(context, iris_x - 3.2, iris_y - 5.2, 3.3, 3.9, WHITE)
    oval(context, iris_x + 3.4 * size, iris_y + 5.6 * size, 1.9 * size, 1.9 * size, WHITE)
    if kind == "smug":
        shape(context, [(x - 13, y - 17, "corner"), (x + 13, y - 17, "corner"), (x + 12, y - 3, "corner"),
                        (x - 12, y - 3, "corner")], SKIN, None, shadow=None)
        stroke(context, [(x - 11, y - 3), (x, y - 4), (x + 11, y - 3)], INK, 3.4)
        return
    droop = 3 if kind == "sad" else 0
    inner, outer = (x - side * 9.2, y - 7 - droop), (x + side * 10.6, y - 5.5 + droop)
    stroke(context, [inner, (x - side * 1, y - 14.2), (x + side * 8, y - 10.5 + droop / 2), outer], INK, 3.5)
    stroke(context, [(x + side * 8, y - 10), (x + side * 13.5, y - 10.5 + droop)], INK, 2.2)
    stroke(context, [(x - 4 + side, y + 12.8), (x + side * 2, y + 13.4), (x + 4 + side, y + 12.6)], INK, 1.3)


def shut_eye(context, x, y, kind, side):
    """An eye as a line; `kind` is happy, calm or tight."""
    lines = {"happy": [[(x - 10, y + 4), (x - 5, y - 4), (x, y - 6), (x + 5, y - 4), (x + 10, y + 4)]],
             "calm": [[(x - 10, y), (x - 5, y + 5), (x, y + 6.5), (x + 5, y + 5), (x + 10, y)],
                      [(x + side * 9, y + 2), (x + side * 13, y + 4)]],
             "tight": [[(x + side * 8, y - 7, "corner"), (x - side * 6, y, "corner"),
                        (x + side * 8, y + 7, "corner")]]}
    for line in lines[kind]:
        stroke(context, line, INK, 3.4)


def dizzy_eye(context, x, y):
    points = [(x + 0.55 * t * math.cos(t), y + 0.6 * t * math.sin(t)) for t in [i * 0.5 for i in range(36)]]
    oval(context, x, y, 11, 12, WHITE)
    stroke(context, points, INK, 1.9)


SHUT = ("happy", "calm", "tight")


def draw_eyes(context, x, y, pose, palette):
    for side in (-1, 1):
        # When the face turns, the far eye moves toward the middle.
        eye_x = x + side * (18.5 - 0.12 * side * pose.look[0])
        kind = pose.eyes if pose.eyes != "wink" else "open" if side < 0 else "happy"
        if kind == "dizzy":
            dizzy_eye(context, eye_x, y + 8)
        elif kind in SHUT:
            shut_eye(context, eye_x, y + 8, kind, side)
        else:
            open_eye(context, eye_x, y + 8, side, palette.eye, pose.look, kind)
        raised = {"wide": -4, "star": -3, "happy": -2, "smug": 2}.get(pose.eyes, 0)
        slope = {"sad": 4, "dizzy": 4, "tight": -3, "smug": -3}.get(pose.eyes, 2)
        brow_y = y - 9 + raised
        stroke(context, [(eye_x - side * 5, brow_y - slope / 2), (eye_x + side * 1, brow_y - 2),
                         (eye_x + side * 7, brow_y + slope)], ink.darker(palette.hair, 0.6), 2)
        if pose.eyes == "sad":
            tear = eye_x + side * 8
            shape(context, [(tear, y + 17, "corner"), (tear + 4, y + 25), (tear, y + 29), (tear - 4, y + 25)], TEAR,
                  ink.darker(TEAR, 0.5), (-1, -1), 1.2)


def draw_mouth(context, x, y, kind):
    lines = {"smile": [(-7, -1), (-4, 1.6), (0, 2.6), (4, 1.6), (7, -1)],
             "cat": [(-8, -1), (-4, 2.5), (0, -0.5), (4, 2.5), (8, -1)],
             "frown": [(-6, 3), (-3.5, 0.4), (0, -0.6), (3.5, 0.4), (6, 3)],
             "wave": [(-9, 1), (-5, -2), (-1, 2), (3, -2), (7, 1), (9, -1)],
             "smirk": [(-5, 2), (2, 2), (8, -2)]}
    if kind in lines:
        stroke(context, [(x + dx, y + dy) for dx, dy in lines[kind]], INK, 2.3)
        return
    width, height = {"open": (8.5, 9), "laugh": (11, 12), "oh": (4.2, 6), "wail": (9, 8)}[kind]
    top = y - 4
    outline = [(x - width, top, "corner"), (x, top + 1.5), (x + width, top, "corner"),
               (x + width * 0.72, top + height * 0.8), (x, top + height * 1.12), (x - width * 0.72, top + height * 0.8)]
    if kind == "oh":
        outline = [(x - width, y), (x, y - height), (x + width, y), (x, y + height)]
    elif kind == "wail":
        outline = [(px, 2 * y - py + 2, *rest) for px, py, *rest in outline]
    shape(context, outline, MOUTH, None, shadow=None)
    with ink.inside(context, outline):
        oval(context, x, y + height * 0.72, width * 0.7, height * 0.42, TONGUE)
        if kind in ("open", "laugh"):
            shape(context, [(x - width, top - 1, "corner"), (x + width, top - 1, "corner"),
                            (x + width * 0.8, top + 3), (x - width * 0.8, top + 3)], WHITE, None, shadow=None)
    shape(context, outline, None, INK, width=2)


def draw_face(context, pose, palette):
    x, y = pose.look
    for side in (-1, 1):
        cheek = x + side * 25, y + 23
        oval(context, *cheek, 8.5, 4.8, BLUSH)
        for step in (-3, 1):
            stroke(context, [(cheek[0] + step, cheek[1] + 2), (cheek[0] + step + 2, cheek[1] - 2)],
                   ink.darker(BLUSH, 0.2), 1.2)
    draw_eyes(context, x, y, pose, palette)
    draw_mouth(context, x * 1.1, y + 28.5, pose.mouth)
