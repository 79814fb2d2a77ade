# SPDX-License-Identifier: MIT
"""Konpei, a dancer with sugar stars in her hair: her body, from the feet up."""

import math
from dataclasses import dataclass

import ink
import paper
from ink import limb, oval, shape, stroke
from konpei_face import draw_face

SKIN = paper.rgb("#ffe3cf")
LINE = paper.rgb("#4b2a4e")
WHITE = paper.rgb("#fffdf8")


@dataclass
class Palette:
    """The differences between the first and the second player."""
    hair: tuple
    jacket: tuple
    trim: tuple
    skirt: tuple
    star: tuple
    eye: tuple


FIRST = Palette(*map(paper.rgb, ("#ff9fb4", "#47508f", "#7fe0cf", "#fff0d2", "#ffd659", "#2fa58f")))
SECOND = Palette(*map(paper.rgb, ("#8fc7f7", "#a8477b", "#ffd659", "#fff0f4", "#c9a2ff", "#b8577e")))


@dataclass
class Pose:
    """Pixels, y down, in the order left, right as seen on screen. Hands are relative to their shoulder, feet to the
    ground below the middle; `toes` turn them outwards, in degrees."""
    hips: tuple = (0, 0)
    lean: float = 0
    hands: tuple = ((-20, 38), (20, 38))
    elbows: tuple = (1, -1)
    shapes: tuple = ("fist", "fist")
    feet: tuple = ((-12, 0), (12, 0))
    knees: tuple = (1, -1)
    toes: tuple = (0, 0)
    head: tuple = (0, 0)
    tilt: float = 0
    look: tuple = (0, 0)
    eyes: str = "open"
    mouth: str = "smile"
    swing: float = 0
    flare: float = 0
    before: tuple = ()  # the arms in front of the head: 0 left, 1 right


SIDES = (-1, 1)


def draw_leg(context, pose, palette, i):
    side = SIDES[i]
    hip = (pose.hips[0] + side * 9, -62 + pose.hips[1])
    foot = (pose.feet[i][0], pose.feet[i][1] - 9)
    knee, ankle = ink.bend(hip, foot, 27.2, 27.2, pose.knees[i])
    center = [hip, knee, ankle]
    shape(context, limb(center, (8.5, 7.5, 6.5)), SKIN, LINE)
    shape(context, limb(center, (8.5, 8.0, 7.0), 0.5, 1.0), WHITE, LINE)
    shape(context, limb(center, (7.4, 7.0, 6.2), 0.55, 0.66), palette.trim, None, shadow=None)

    context.save()
    context.translate(*ankle)
    context.rotate(math.radians(-side * pose.toes[i]))
    context.scale(side, 1)
    shape(context, [(-8, -7), (6, -7), (13, 0), (15, 7), (12, 10), (-7, 10), (-10, 6), (-9, -2)], palette.jacket, LINE)
    shape(context, [(-9, 5), (14, 5), (15, 8), (12, 11), (-7, 11), (-10, 8)], WHITE, LINE, width=1.8)
    shape(context, ink.sugar_star(1, -1, 4.5), palette.star, None, shadow=None)
    context.restore()


def draw_torso(context, pose, palette):
    """In the torso's own space: the hips at 0, 0."""
    flare, swing = pose.flare, pose.swing * 0.25
    hem = [(-25 - flare + swing, 13 - flare * 0.6), (-14 + swing, 18), (0 + swing, 20), (14 + swing, 18),
           (25 + flare + swing, 13 - flare * 0.6)]
    skirt = [(-13, -14, "corner"), (*hem[0], "corner"), *hem[1:-1], (*hem[-1], "corner"), (13, -14, "corner")]
    shape(context, skirt, palette.skirt, None)
    with ink.inside(context, skirt):
        for x in (-8, 0, 8):
            stroke(context, [(x * 0.8, -6), (x * 1.3 + swing * 0.8, 11)], ink.darker(palette.skirt, 0.3), 1.4)
        stroke(context, [(x, y - 4.5) for x, y in hem], palette.trim, 3.2)
    shape(context, skirt, None, LINE)

    shape(context, [(-5, -58), (5, -58), (6, -44), (-6, -44)], ink.darker(SKIN), LINE, shadow=None)
    shape(context, [(-10, -48), (-18, -43), (-17, -28), (-14, -10), (0, -7), (14, -10), (17, -28), (18, -43),
                    (10, -48)], palette.jacket, LINE)
    shape(context, [(-5, -47, "corner"), (5, -47, "corner"), (7, -24), (6, -9, "corner"), (-6, -9, "corner"),
                    (-7, -24)], WHITE, None)
    for side in SIDES:
        stroke(context, [(side * 6, -44), (side * 8, -26), (side * 6.5, -9)], palette.trim, 2.6)
        shape(context, [(0, -44, "corner"), (side * 13, -50), (side * 15, -42), (side * 9, -35, "corner")], WHITE, LINE,
              width=1.7)
        shape(context, [(0, -38), (side * 11, -44, "corner"), (side * 12, -32, "corner")], palette.trim, LINE,
              width=1.7)
    shape(context, ink.sugar_star(0, -37, 5.5), palette.star, LINE, shadow=(-1, -1), width=1.6)


def draw_hand(context, hand, angle, kind, side):
    context.save()
    context.translate(*hand)
    context.rotate(angle)
    fingers = {"peace": ((-0.35, 14), (0.35, 14)), "point": ((0, 14.5),), "thumb": (), "fist": (),
               "open": ((-0.75, 10), (-0.25, 12.5), (0.25, 12.5), (0.75, 10))}[kind]
    thumb = {"thumb": (-math.pi / 2, 14), "open": (-1.5 * side, 9)}.get(kind)
    lines = [((0, 0), (math.cos(a) * r, math.sin(a) * r)) for a, r in (*fingers, *((thumb,) if thumb else ()))]
    for color, width in ((LINE, 6.8), (SKIN, 3.4)):
        for finger in lines:
            stroke(context, finger, color, width)
        if color is LINE:
            shape(context, [(-6, 0), (-4, -6), (2, -7), (7, -3), (7, 3), (2, 7), (-4, 6)], SKIN, LINE, (-1.2, -1.5))
    context.restore()


def draw_arm(context, pose, palette, i):
    side = SIDES[i]
    shoulder = (side * 14.5, -40)
    target = (shoulder[0] + pose.hands[i][0], shoulder[1] + pose.hands[i][1])
    elbow, wrist = ink.bend(shoulder, target, 23, 25, pose.elbows[i])
    angle = math.atan2(wrist[1] - elbow[1], wrist[0] - elbow[0])
    reach = (wrist[0] + 4 * math.cos(angle), wrist[1] + 4 * math.sin(angle))
    # The thumb points up wherever the arm points.
    turn = 0 if pose.shapes[i] == "thumb" else angle
    draw_hand(context, reach, turn, pose.shapes[i], side)
    center = [shoulder, elbow, wrist]
    shape(context, limb(center, (7, 8, 10.5), 0, 0.96), palette.jacket, LINE)
    shape(context, limb(center, (7, 8, 11), 0.8, 0.98), WHITE, LINE, width=1.8)
    shape(context, limb(center, (7, 8, 10.2), 0.70, 0.76), palette.trim, None, shadow=None)


def draw_tail(context, palette, swing):
    """The tail at the side of the head, behind it."""
    context.save()
    context.translate(33, -38)
    context.rotate(math.radians(-swing))
    context.scale(0.86, 1)
    shape(context, [(0, -6), (18, -15), (36, -4), (42, 22), (36, 48), (39, 62), (24, 76, "corner"), (25, 62),
                    (14, 68, "corner"), (17, 52), (14, 26), (8, 10), (-3, 4)], palette.hair, LINE)
    shine = ink.lighter(palette.hair, 0.5)
    stroke(context, [(20, -5), (30, 6), (33, 24)], shine, 2.6)
    stroke(context, [(20, 12), (26, 34), (25, 50)], ink.darker(palette.hair), 1.6)
    context.restore()


def draw_back_hair(context, palette):
    shape(context, [(0, -50), (-34, -42), (-49, -8), (-51, 22), (-56, 42, "corner"), (-42, 41), (-36, 49, "corner"),
                    (-20, 40), (0, 42), (20, 40), (36, 49, "corner"), (42, 41), (56, 42, "corner"), (51, 22),
                    (49, -8), (34, -42)], ink.darker(palette.hair, 0.34), LINE, shadow=None)


def fringe(look):
    """The outline of the hair over the forehead, which partly follows the face."""
    x, y = look[0] * 0.5, look[1] * 0.5
    return [(0, -53), (-30, -46), (-47, -20), (-48, 8, "corner"), (-40 + x, 2), (-34 + x, 3 + y, "corner"),
            (-31 + x, -7 + y), (-26 + x, -11 + y), (-21 + x, -6 + y), (-15 + x, y, "corner"), (-12 + x, -10 + y),
            (-4 + x, -12 + y), (4 + x, -7 + y), (10 + x, y - 1, "corner"), (13 + x, -8 + y), (20 + x, -13 + y),
            (27 + x, -8 + y), (34 + x, 3 + y, "corner"), (39 + x, 1), (48, 8, "corner"), (47, -20), (30, -46)]


def draw_front_hair(context, palette, look):
    x, y = look[0] * 0.5, look[1] * 0.5
    hair = palette.hair
    for side in SIDES:
        shape(context, [(side * 36 + x * 0.3, -20), (side * 47, -6), (side * 49, 18), (side * 47, 36),
                        (side * 38, 43, "corner"), (side * 40, 26), (side * 34 + x * 0.3, 6)], hair, LINE)
    shape(context, fringe(look), hair, LINE)
    shine = ink.lighter(hair, 0.62)
    stroke(context, [(-33, -24), (-22, -32), (-6, -35.5)], shine, 5)
    stroke(context, [(3, -36), (9, -35.5)], shine, 5)
    stroke(context, [(-20 + x, -13 + y), (-16 + x, -24), (-9, -31)], ink.darker(hair), 1.4)
    stroke(context, [(14 + x, -15 + y), (13 + x, -26), (8, -34)], ink.darker(hair), 1.4)
    shape(context, [(3, -50), (-5, -60), (-4, -71), (4, -77), (14, -75, "corner"), (5, -70), (4, -63), (10, -54)], hair,
          LINE)


def draw_headset(context, palette):
    for width, color in ((8.5, LINE), (4.6, WHITE)):
        stroke(context, [(-47, 0), (-46, -22), (-32, -46), (0, -56), (32, -46), (46, -22), (47, 0)], color, width)
    for side in SIDES:
        shape(context, [(side * 40, -10), (side * 51, -11), (side * 56, 2), (side * 52, 16), (side * 41, 15)],
              palette.trim, LINE)
        shape(context, ink.sugar_star(side * 49, 2.5, 5.5), WHITE, None, shadow=None)
    shape(context, ink.sugar_star(35, -39, 13, 8), palette.star, LINE, (-2, -2))
    oval(context, 31, -43, 3, 2.2, ink.lighter(palette.star, 0.75))


def draw_head(context, pose, palette):
    """In the head's own space: the middle of the face at 0, 0."""
    draw_back_hair(context, palette)
    face = [(-38, -16), (-39, 8), (-33, 25), (-16, 36), (0, 39.5), (16, 36), (33, 25), (39, 8), (38, -16), (0, -44)]
    shape(context, face, SKIN, LINE, shadow=None)
    with ink.inside(context, face):
        context.translate(-1, 5)
        shape(context, fringe(pose.look), ink.darker(SKIN, 0.16), None, shadow=None)
    draw_face(context, pose, palette)
    draw_front_hair(context, palette, pose.look)
    draw_headset(context, palette)


def draw(context, pose, palette):
    """The whole figure; the ground below it is at 0, 0."""
    context.save()
    lean = math.radians(pose.lean)
    torso = (pose.hips[0], -62 + pose.hips[1])
    neck = (torso[0] + 48 * math.sin(lean), torso[1] - 48 * math.cos(lean))

    def in_torso(draw_part, *arguments):
        context.save()
        context.translate(*torso)
        context.rotate(lean)
        draw_part(context, pose, palette, *arguments)
        context.restore()

    def in_head(draw_part, *arguments):
        context.save()
        context.translate(neck[0] + pose.head[0], neck[1] - 35 + pose.head[1])
        context.rotate(math.radians(pose.tilt))
        draw_part(context, *arguments)
        context.restore()

    in_head(draw_tail, palette, pose.swing)
    for i in sorted((0, 1), key=lambda i: pose.feet[i][1]):
        draw_leg(context, pose, palette, i)
    in_torso(draw_torso)
    for i in (0, 1):
        if i not in pose.before:
            in_torso(draw_arm, i)
    in_head(draw_head, pose, palette)
    for i in pose.before:
        in_torso(draw_arm, i)
    context.restore()
