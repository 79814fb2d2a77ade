# SPDX-License-Identifier: MIT
"""Hotaru, a firefly spirit on a leaf: pixel art of 48 x 48, as a Pixquare artwork."""

import math

import px
from pixel_art import CLEAR, PING_PONG, SIZE, Tag, blank, outlined, oval, put, rgb, stamp

GROUND = 40  # the row it sits on


INK, DEEP, SHADE, BODY, LIGHT, SHINE = map(rgb, ("241a3a", "3b2a63", "55408f", "7a5cc0", "a98ae6", "e2d2ff"))
EMBER, AMBER, GLOW, WHITE = map(rgb, ("c4562e", "f29b38", "ffd75e", "fff8d8"))
ROSE, WING, WING_EDGE = map(rgb, ("f07f9f", "c9f1f2", "7fc3d8"))
MOSS, LEAF, LEAF_LIGHT, LEAF_SHINE = map(rgb, ("1f4a4a", "2f7d5b", "58ad5a", "a5d96a"))
PALETTE = (INK, DEEP, SHADE, BODY, LIGHT, SHINE, EMBER, AMBER, GLOW, WHITE, ROSE, WING, WING_EDGE, MOSS, LEAF, LEAF_LIGHT,
           LEAF_SHINE)


class Pose:
    """One frame, in pixels: `rise` is the height above the leaf, `squash` how much wider and lower it is than at rest."""

    def __init__(self, ms, rise=0, squash=0, wings=0, eyes="open", glow=0.5, look=0):
        self.ms, self.rise, self.squash, self.wings = ms, rise, squash, wings
        self.eyes, self.glow, self.look = eyes, glow, look
        self.radius_x, self.radius_y = 11.5 + squash * 0.5, 11 - squash * 0.5
        self.middle_x, self.middle_y = 24, GROUND - rise - self.radius_y
        self.top = round(self.middle_y - self.radius_y)


def leaf():
    image = blank()
    for x, y, across, down in oval(24, 41.5, 21, 4.6):
        tone = LEAF_SHINE if down < -0.62 else LEAF_LIGHT if down < -0.1 else LEAF if down < 0.5 else MOSS
        put(image, x, y, tone)
    for x in range(6, 42):
        put(image, x, 41 + (x % 12 == 0), LEAF)
    for x in range(9, 42, 7):
        for step in range(3):
            put(image, x + step, 40 - step, LEAF_LIGHT if step else LEAF)
            put(image, x + step, 42 + step, LEAF)
    return outlined(image, INK)


def shadow(pose):
    """The shadow, multiplied with the leaf: smaller and paler the higher it flies."""
    image = blank()
    width = 10 + pose.squash * 0.5 - pose.rise * 0.45
    gray = min(120 + pose.rise * 7, 220)
    for x, y, _, _ in oval(24, 40.5, max(width, 3), max(2.4 - pose.rise * 0.08, 1)):
        put(image, x, y, (gray - 20, gray, gray + 20, 255))
    return image


def wings(pose):
    image = blank()
    # Angle of the upper wing above the horizon, and its apparent length.
    angle, length = ((0.5, 12), (0.9, 12), (0.1, 11))[pose.wings]
    for side in (-1, 1):
        for size, turn in ((1, angle), (0.72, angle - 0.65)):
            reach = length * size
            x0, y0 = pose.middle_x + side * 7, pose.middle_y - 1
            x1, y1 = x0 + side * math.cos(turn) * reach / 2, y0 - math.sin(turn) * reach / 2
            for y in range(SIZE):
                for x in range(SIZE):
                    dx, dy = x + 0.5 - x1, y + 0.5 - y1
                    along = dx * side * math.cos(turn) - dy * math.sin(turn)
                    beside = dx * side * math.sin(turn) + dy * math.cos(turn)
                    if (along / (reach / 2)) ** 2 + (beside / (3.4 * size)) ** 2 <= 1:
                        put(image, x, y, WING_EDGE if beside > 1.2 * size else WING)
    return outlined(image, WING_EDGE)


def body(pose):
    image = blank()
    for x, y, across, down in oval(pose.middle_x, pose.middle_y, pose.radius_x, pose.radius_y):
        light = -0.55 * across - 0.75 * down
        edge = across * across + down * down
        tone = LIGHT if light > 0.5 and edge < 0.86 else BODY if light > -0.12 else SHADE if light > -0.6 else DEEP
        put(image, x, y, tone)
    # A tuft, and feet that hang while it flies.
    for x, height in ((22, 2), (23, 4), (24, 3), (25, 2)):
        for y in range(pose.top - height + 1, pose.top + 2):
            put(image, x, y, BODY if x < 25 else SHADE)
    foot = GROUND - pose.rise
    for x in (18, 26):
        for across in range(4):
            put(image, x + across, foot - 1, SHADE)
            if pose.rise:
                put(image, x + across, foot, DEEP)
    return outlined(image, INK)


def belly(pose):
    """The lantern inside the body, clipped to it."""
    image = blank()
    for x, y, across, down in oval(24, pose.middle_y + 7.6, 6.6, 5.4):
        distance = across * across + down * down
        warmth = distance - pose.glow * 0.5
        put(image, x, y, WHITE if warmth < -0.12 else GLOW if warmth < 0.2 else AMBER if warmth < 0.62 else EMBER)
    return image


def shine(pose):
    """A half-transparent gleam, clipped to the body."""
    image = blank()
    x, y = round(pose.middle_x - pose.radius_x * 0.55), round(pose.middle_y - pose.radius_y * 0.62)
    stamp(image, x - 1, y - 1, (".##.", "###.", "##..", "#..."), {"#": SHINE})
    return image


EYES = {
    "open": (".iii.", "iiwwi", "iiwwi", "iiiii", ".iii."),
    "half": (".....", ".iii.", "iiiwi", "iiiii", ".iii."),
    "shut": (".....", ".....", "i...i", "iiiii", "....."),
    "glad": (".....", ".iii.", "ii.ii", "i...i", "....."),
}


def face(pose):
    image = blank()
    y = round(pose.middle_y) - 5
    for x in (16, 27):
        stamp(image, x + pose.look, y, EYES[pose.eyes], {"i": INK, "w": WHITE})
    for x in (14, 32):
        stamp(image, x + pose.look, y + 5, ("rr",), {"r": ROSE})
    mouth = ("i..i", ".ii.") if pose.eyes != "glad" else ("iiii", ".rr.")
    stamp(image, 22 + pose.look, y + 4, mouth, {"i": INK, "r": ROSE})
    return image


def antennae(pose):
    image = blank()
    lag = (0, 1, -1)[pose.wings]
    for side in (-1, 1):
        for x, y in ((4, 0), (5, -1), (6, -2), (6, -3), (7, -4 + max(lag, 0))):
            put(image, 24 + side * x - (side > 0), pose.top + 1 + y, INK)
        bulb = 24 + side * 8 - (side > 0), pose.top - 4 + lag
        for x, y in ((0, -1), (-1, 0), (0, 0), (1, 0), (0, 1)):
            put(image, bulb[0] + x, bulb[1] + y, AMBER)
        put(image, bulb[0], bulb[1], GLOW)
        put(image, bulb[0], bulb[1] - 1, GLOW)
    return image


def halo(pose):
    """The glow, screened over everything."""
    image = blank()
    reach = 9 + pose.glow * 9
    for x, y, across, down in oval(24, pose.middle_y + 6, reach, reach * 0.85):
        distance = math.sqrt(across * across + down * down)
        step = 0 if distance < 0.4 else 1 if distance < 0.7 else 2
        put(image, x, y, AMBER[:3] + (round((90, 55, 26)[step] * (0.35 + pose.glow)),))
    return image


IDLE = [Pose(140, 0, 0, 0), Pose(140, 0, 1, 0), Pose(140, 0, 2, 2), Pose(140, 0, 2, 2, "half"), Pose(90, 0, 2, 2, "shut"),
        Pose(140, 0, 1, 0, "half")]
HOP = [Pose(110, 0, 4, 2, "shut"), Pose(60, 3, -2, 1, glow=0.6), Pose(60, 8, -2, 0, glow=0.7, eyes="glad"),
       Pose(80, 10, -1, 2, glow=0.8, eyes="glad"), Pose(80, 11, 0, 1, glow=0.9, eyes="glad"),
       Pose(60, 9, 0, 0, glow=0.8, eyes="glad"), Pose(60, 4, -2, 2, glow=0.7), Pose(120, 0, 4, 1, "shut", 0.6),
       Pose(90, 0, 1, 0, "half")]
SHINE_UP = [Pose(110, 0, 0, 0, glow=glow, eyes="glad" if glow > 0.8 else "open") for glow in (0.1, 0.3, 0.55, 0.8, 1.0)]
POSES = IDLE + HOP + SHINE_UP


def build():
    def layer(name, draw, **more):
        return px.Layer(name, [draw(pose) for pose in POSES], **more)

    hotaru = px.Group("hotaru", [
        layer("wings", wings, opacity=0.75),
        layer("antennae", antennae),
        layer("body", body, clipping=[layer("lantern", belly), layer("gleam", shine, opacity=0.75)]),
        layer("face", face)], color=BODY)
    items = [layer("leaf", lambda pose: LEAF_IMAGE), layer("shadow", shadow, blend=px.MULTIPLY), hotaru,
             layer("halo", halo, blend=px.SCREEN, color=GLOW)]
    hop, glow = len(IDLE), len(IDLE) + len(HOP)
    tags = [Tag("idle", 0, hop - 1, LIGHT), Tag("hop", hop, glow - 1, LEAF_LIGHT),
            Tag("glow", glow, len(POSES) - 1, AMBER, PING_PONG)]
    return px.encode((SIZE, SIZE), [pose.ms for pose in POSES], items, tags, PALETTE)


LEAF_IMAGE = leaf()
