# SPDX-License-Identifier: MIT
"""Kaeru, a tree frog on a lily pad: pixel art of 48 x 48, as an Aseprite artwork."""

import aseprite
from pixel_art import CLEAR, PING_PONG, SIZE, Tag, blank, outlined, oval, put, rgb, stamp

PAD = 38  # the row it sits on
WATER = 32


INK, SHADE, BODY, LIGHT, SHINE = map(rgb, ("173a35", "1f7a55", "3fb36a", "8fdc78", "dcf7a8"))
CREAM, CREAM_SHADE, BLUSH, WHITE = map(rgb, ("fbf0cf", "e3cf9f", "f2907f", "ffffff"))
PAD_DARK, PAD_MID, PAD_LIGHT = map(rgb, ("2c5a3f", "4d8a4c", "86b85c"))
DEEP, WAVE, FOAM = map(rgb, ("25527f", "3a7fb0", "8fcfe0"))
PETAL, PETAL_SHADE, POLLEN = map(rgb, ("ffd0dd", "f29ab8", "ffd75e"))
PALETTE = (INK, SHADE, BODY, LIGHT, SHINE, CREAM, CREAM_SHADE, BLUSH, WHITE, PAD_DARK, PAD_MID, PAD_LIGHT, DEEP, WAVE,
           FOAM, PETAL, PETAL_SHADE, POLLEN)


class Pose:
    """One frame, in pixels: `rise` is the height above the pad, `squash` how much wider and lower it is than at rest,
    `throat` the size of its vocal sac."""

    def __init__(self, ms, rise=0, squash=0, eyes="open", throat=0.0, ripple=None):
        self.ms, self.rise, self.squash, self.eyes = ms, rise, squash, eyes
        self.throat, self.ripple = throat, ripple
        self.radius_x, self.radius_y = 12 + squash, 8.5 - squash * 0.5
        self.middle = PAD - rise - self.radius_y + 1


# Two tiles of 8 x 8, which flips vary: waves and a glint. Full water is below them.
WAVE_TILE = ("........", "..ff....", "ffwwff..", "wwwwwwff", "wwwwwwww", "wwddwwww", "ddddddww", "dddddddd")
DEEP_TILE = ("dddddddd", "dddddddd", "ddwwdddd", "dddddddd", "dddddddd", "dddddwwd", "dddddddd", "dddddddd")


def tile(rows):
    return [[{"f": FOAM, "w": WAVE, "d": DEEP}.get(letter, CLEAR) for letter in row] for row in rows]


def water(frame):
    """The waves drift by turning every other tile."""
    flip = aseprite.FLIP_X
    waves = [1 | (flip if (column + frame // 3) % 2 else 0) for column in range(SIZE // 8)]
    return [waves, [2 | (flip if column % 2 else 0) | (aseprite.FLIP_Y if column % 3 else 0) for column in range(SIZE // 8)]]


def pad():
    image = blank()
    for x, y, across, down in oval(24, 39.5, 20, 5):
        notch = across > 0.45 and abs(down - 0.2) < (across - 0.45) * 0.5
        tone = PAD_LIGHT if down < -0.5 else PAD_MID if down < 0.35 else PAD_DARK
        if not notch:
            put(image, x, y, tone)
    for step in range(12):
        put(image, 20 - step, 39 + step // 6, PAD_DARK)
        put(image, 26 + step // 2, 38 + step // 3, PAD_DARK)
    return outlined(image, INK)


def flower():
    image = blank()
    stamp(image, 34, 30, ("..p...p..", ".ppp.ppp.", "pqppyppqp", "pqqpyypqp", ".qqqqqqq.", "..qqqqq.."),
          {"p": PETAL, "q": PETAL_SHADE, "y": POLLEN})
    return outlined(image, INK)


def shadow(pose):
    image = blank()
    for x, y, _, _ in oval(24, 38.5, max(13 + pose.squash - pose.rise * 0.6, 4), 2.5):
        put(image, x, y, (120, 150, 150, 255))
    return image


def legs(pose):
    image = blank()
    foot = PAD - pose.rise
    for side in (-1, 1):
        middle = 24 + side * (9 + pose.squash / 2)
        if pose.rise > 2:
            # They hang while it is in the air.
            for x, y, _, _ in oval(middle, foot + 1.5, 2.4, 4.5):
                put(image, x, y, SHADE)
            for x, y, _, _ in oval(middle + side * 1.5, foot + 5.5, 3.4, 1.3):
                put(image, x, y, BODY)
        else:
            for x, y, _, down in oval(middle + side * 2, foot - 3, 4.6, 4.2):
                put(image, x, y, BODY if down < 0 else SHADE)
            for x, y, _, _ in oval(middle + side * 2.5, foot + 0.5, 4.5, 1.3):
                put(image, x, y, LIGHT)
    return outlined(image, INK)


def body(pose):
    image = blank()
    for x, y, across, down in oval(24, pose.middle, pose.radius_x, pose.radius_y):
        light = -0.5 * across - 0.8 * down
        put(image, x, y, LIGHT if light > 0.55 else BODY if light > -0.3 else SHADE)
    for side in (-1, 1):
        for x, y, _, down in oval(24 + side * 7, pose.middle - pose.radius_y + 0.5, 4.2, 4.2):
            put(image, x, y, LIGHT if down < -0.2 and side < 0 else BODY)
    for x, y, across, down in oval(24, pose.middle + 4, 7.5 + pose.squash / 2, max(pose.radius_y - 4, 3)):
        put(image, x, y, CREAM if down < 0.4 else CREAM_SHADE)
    stamp(image, 16, round(pose.middle - pose.radius_y / 2), ("s.", "ss", ".s"), {"s": SHINE})
    return outlined(image, INK)


EYES = {
    "open": (".iii.", "iiwii", "iiiii", ".iii."),
    "half": (".....", "iiiii", "iiiii", ".iii."),
    "shut": (".....", ".....", "i...i", ".iii."),
    "glad": (".....", ".iii.", "i...i", "....."),
}


def face(pose):
    image = blank()
    top = round(pose.middle - pose.radius_y) - 1
    for x in (15, 28):
        stamp(image, x, top, EYES[pose.eyes], {"i": INK, "w": WHITE})
    mouth = ("i........i", ".iiiiiiii.") if pose.eyes != "glad" else ("i........i", ".iirrrrii.", "...iiii...")
    stamp(image, 19, round(pose.middle) - 1, mouth, {"i": INK, "r": BLUSH})
    for x in (14, 32):
        stamp(image, x, round(pose.middle) - 1, ("bb",), {"b": BLUSH})
    return image


def throat(pose):
    """The sac swells in front of the face when it croaks."""
    if not pose.throat:
        return None
    image = blank()
    for x, y, across, down in oval(24, pose.middle + 3, 4 + pose.throat * 5, 2 + pose.throat * 4):
        edge = across * across + down * down
        put(image, x, y, WHITE if across + down < -0.7 and edge < 0.8 else CREAM if down < 0.3 else CREAM_SHADE)
    return outlined(image, INK)


def ripple(pose):
    """A ring on the water, added to it."""
    if pose.ripple is None:
        return None
    image = blank()
    inner = 0.72 + pose.ripple * 0.06
    for x, y, across, down in oval(24, 40, 14 + pose.ripple * 3, 4 + pose.ripple):
        if across * across + down * down > inner:
            put(image, x, y, (90, 120, 110, 220 - pose.ripple * 60))
    return image


IDLE = [Pose(160), Pose(160, squash=0.5), Pose(160, squash=1), Pose(160, squash=1, eyes="half"),
        Pose(90, squash=1, eyes="shut"), Pose(160, squash=0.5)]
CROAK = [Pose(100, squash=1, eyes="half"), Pose(80, eyes="shut", throat=0.4), Pose(70, eyes="shut", throat=0.8),
         Pose(140, squash=1, eyes="shut", throat=1.0)]
HOP = [Pose(120, squash=3, eyes="half"), Pose(60, 5, -2), Pose(70, 11, -2, "glad", ripple=0),
       Pose(90, 14, -1, "glad", ripple=1), Pose(80, 12, 0, "glad", ripple=2), Pose(60, 5, -1), Pose(110, 0, 3, "shut", ripple=0),
       Pose(90, 0, 1, ripple=1), Pose(90, ripple=2)]
POSES = IDLE + CROAK + HOP


def build():
    def layer(name, draw, **more):
        return aseprite.Layer(name, [draw(pose) for pose in POSES], **more)

    still_pad, still_flower = pad(), flower()
    croak, hop = len(IDLE), len(IDLE) + len(CROAK)
    # The flower is behind the frog, except while it hops.
    in_front = {frame: 7 for frame in range(hop + 1, hop + 6)}
    kaeru = aseprite.Group("kaeru", [layer("legs", legs), layer("body", body, text="the outline is drawn by hand"),
                                     layer("face", face), layer("throat", throat, opacity=235)], color=BODY)
    items = [aseprite.Tilemap("pond", [tile(WAVE_TILE), tile(DEEP_TILE)], [water(frame) for frame in range(len(POSES))],
                              WATER, color=WAVE),
             layer("pad", lambda pose: still_pad), layer("shadow", shadow, blend=aseprite.MULTIPLY, opacity=200),
             layer("ripple", ripple, blend=aseprite.ADDITION),
             layer("flower", lambda pose: still_flower, z_index=in_front), kaeru]
    tags = [Tag("idle", 0, croak - 1, BODY), Tag("croak", croak, hop - 1, CREAM, PING_PONG, 4),
            Tag("hop", hop, len(POSES) - 1, WAVE)]
    slices = [aseprite.Slice("feet", (10, 14, 28, 26), BLUSH, pivot=(14, 25), text="where it stands"),
              aseprite.Slice("pad", (3, 33, 42, 13), PAD_LIGHT, center=(12, 4, 14, 4))]
    return aseprite.encode((SIZE, SIZE), [pose.ms for pose in POSES], items, tags, slices, PALETTE)
