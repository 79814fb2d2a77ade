# SPDX-License-Identifier: MIT
"""Kiri's parts, cut from paper."""

import numpy as np

import paper
from kiri_rig import FAR_ARM, FAR_EAR, FAR_LEG, MOUTHS, NEAR_ARM, NEAR_EAR, NEAR_LEG, SCARF, TAIL
from paper import blob, ellipse, line, polygon, ribbon, spline, together, without

DENSITY = 1.25
FAR_SHADE = 0.87

FOX = paper.rgb("#e0662f")
FOX_DEEP = paper.rgb("#c24f25")
CREAM = paper.rgb("#fbeed6")
INK = paper.rgb("#3b2436")
TEAL = paper.rgb("#2c7480")
TEAL_DEEP = paper.rgb("#1f5866")
MUSTARD = paper.rgb("#f2b838")
MUSTARD_DEEP = paper.rgb("#d9932a")
PLUM = paper.rgb("#5b3553")
SKIN = paper.rgb("#f8d0ab")
BLUSH = paper.rgb("#ee8a6c")
LINING = paper.rgb("#7a3038")
HAIR = paper.rgb("#4a2b3f")
BROW = paper.rgb("#8a4a4c")
WHITE = paper.rgb("#fffaf0")


def shaded(color, shade):
    """A paper farther from the light; dark papers lose more than light ones."""
    keep = 1 - (1 - shade) * (1.35 - np.dot(color, (0.30, 0.59, 0.11)))
    return tuple(channel * keep for channel in color)


def sheet(name, rect, seed):
    return paper.Sheet(name, rect, DENSITY, seed)


def draw_hood():
    """The hood: fur that frames the face, with a sleeping fox's face on the forehead."""
    s = sheet("hood", (-170, -20, 190, 260), 11)
    opening = blob([(44, 168), (92, 158), (124, 122), (128, 82), (104, 46), (60, 28), (14, 32),
                    (-30, 60), (-44, 100), (-32, 142), (2, 164)])
    outline = blob([(-2, 240), (8, 256, "corner"), (18, 246), (32, 251, "corner"), (40, 238),
                    (76, 229), (112, 206), (138, 160), (146, 112), (152, 92),
                    (166, 66, "corner"), (142, 64), (150, 36, "corner"), (122, 34),
                    (116, 10, "corner"), (82, 12), (30, 2), (-30, 6), (-62, 14),
                    (-96, 4, "corner"), (-102, 32), (-134, 30, "corner"), (-126, 58),
                    (-150, 66, "corner"), (-132, 92), (-128, 120), (-118, 166), (-88, 210),
                    (-42, 236)])
    cheeks = together(
        polygon([(-172, 92), (-118, 84), (-92, 70), (-66, 40), (-52, 22), (-40, 0), (-60, -20),
                 (-172, -20)]),
        polygon([(190, 100), (140, 96), (128, 78), (112, 50), (88, 28), (78, 4), (120, -20),
                 (190, -20)]))
    s.cut(without(outline, opening), FOX)
    s.cut(without(cheeks, opening), CREAM, lift=0.5, within=without(outline, opening))
    trim = blob([(44, 178), (100, 168), (136, 126), (139, 80), (112, 38), (62, 18), (8, 22),
                 (-40, 54), (-55, 100), (-42, 148), (-4, 174)])
    s.cut(without(trim, opening), CREAM, lift=0.6)
    muzzle = blob([(44, 208), (66, 202), (80, 184), (76, 164), (58, 152), (36, 152), (16, 164),
                   (12, 184), (24, 202)])
    s.cut(muzzle, CREAM, lift=0.8)
    s.cut(blob([(50, 178), (66, 176), (68, 166), (54, 156), (40, 164), (38, 175)]), INK, lift=0.4,
          edge=0.45)
    for eye in ([(-30, 196), (-20, 188), (-6, 188), (4, 194)],
                [(88, 196), (96, 190), (106, 186), (114, 188)]):
        s.cut(line(eye, 5.5), INK, lift=0.25, edge=0.3)
    for strand in ([(-92, 150), (-100, 128), (-101, 108)], [(-76, 134), (-83, 116), (-83, 100)],
                   [(6, 226), (16, 219), (22, 208)], [(24, 230), (32, 223), (36, 212)]):
        s.tint(line(strand, 2.4), FOX_DEEP, 0.7)
    return s


def draw_head():
    """The lining of the hood and the face, without its moving parts."""
    s = sheet("head", (-90, -10, 170, 220), 12)
    s.cut(blob([(44, 186), (110, 170), (142, 110), (132, 50), (84, 14), (14, 14), (-44, 50),
                (-60, 104), (-44, 156), (-4, 182)]), LINING, lift=0.2)
    s.cut(blob([(46, 170), (96, 158), (122, 118), (124, 84), (108, 52), (66, 28), (22, 30),
                (-18, 54), (-36, 92), (-26, 134), (4, 160)]), SKIN, lift=0.7)
    for x, y in ((-12, 70), (98, 70)):
        s.tint(ellipse(x, y, 17, 11), BLUSH, 0.75, softness=3.0)
        for step in (-6, 0, 6):
            s.tint(line([(x + step - 2, y - 4), (x + step + 2, y + 4)], 1.8), FOX_DEEP, 0.45)
    s.cut(blob([(50, 84), (58, 79), (52, 74), (46, 76)]), BLUSH, lift=0.3, edge=0.8)
    return s


def draw_ear(name, at, tip, half_width, inner_shift, seed):
    """A fox ear with a dark tip, from its root to its tip."""
    (x, y), (tip_x, tip_y) = at, tip
    side = np.array([-(tip_y - y), tip_x - x], float)
    side *= half_width / np.hypot(*side)

    def point(along, across):
        return (x + (tip_x - x) * along + side[0] * across,
                y + (tip_y - y) * along + side[1] * across)

    s = sheet(name, (x - 110, y - 80, x + 110, y + 140), seed)
    outer = blob([(*point(1, 0), "corner"), point(0.52, -0.72), point(0.05, -1.0),
                  point(-0.28, -0.9), point(-0.28, 0.9), point(0.05, 1.0), point(0.52, 0.72)])
    s.cut(outer, FOX)
    s.cut(polygon([point(1.2, -0.6), point(1.2, 0.6), point(0.62, 0.9), point(0.72, 0.4),
                   point(0.60, 0.1), point(0.74, -0.2), point(0.62, -0.9)]), INK, lift=0.4,
          within=outer, edge=0.5)
    k = inner_shift
    s.cut(blob([(*point(0.66, k), "corner"), point(0.36, k - 0.40), point(-0.02, k - 0.52),
                point(-0.24, k - 0.4), point(-0.24, k + 0.4), point(-0.02, k + 0.52),
                point(0.36, k + 0.40)]), CREAM, lift=0.5)
    return s


def draw_fringe():
    """Locks of hair that hang from under the hood."""
    s = sheet("fringe", (-70, 80, 160, 210), 13)
    s.cut(blob([(44, 190), (100, 178), (134, 130), (128, 104, "corner"), (120, 128),
                (110, 143), (103, 130, "corner"), (92, 144), (76, 153), (68, 134, "corner"),
                (52, 150), (32, 156), (24, 134, "corner"), (8, 148), (-12, 142),
                (-25, 114, "corner"), (-38, 86, "corner"), (-52, 110), (-48, 150), (-8, 184)]),
          HAIR, lift=0.7, edge=0.7)
    for strand in ([(-30, 112), (-22, 140), (4, 164)], [(26, 132), (34, 152), (46, 168)],
                   [(70, 132), (72, 150), (66, 168)], [(104, 124), (104, 142), (92, 162)]):
        s.tint(line(strand, 1.8), paper.rgb("#8a5a74"), 0.5)
    return s


EYES = ((4, 98, 1.0), (78, 98, 0.9))


def draw_eyes_open():
    s = sheet("eyes_open", (-50, 50, 130, 150), 14)
    for x, y, k in EYES:
        s.cut(ellipse(x, y, 17.5 * k, 22), WHITE, lift=0.35, edge=0)
        lash = [(x - 20 * k, y + 7), (x - 12 * k, y + 19), (x, y + 23), (x + 12 * k, y + 19),
                (x + 20 * k, y + 7)]
        s.cut(line(lash, 5), INK, lift=0, edge=0.2)
        s.cut(line([(x - 19 * k, y + 9), (x - 26 * k, y + 13)] if x < 40 else
                   [(x + 19 * k, y + 9), (x + 26 * k, y + 13)], 4), INK, lift=0, edge=0.2)
    return s


def draw_pupils():
    s = sheet("pupils", (-50, 50, 130, 150), 15)
    for x, y, k in EYES:
        x += 2.5
        s.cut(ellipse(x, y, 13.2 * k, 18), INK, lift=0, edge=0.25)
        s.tint(ellipse(x, y - 7, 9 * k, 8), paper.rgb("#a8604a"), 0.75, softness=1.6)
        s.cut(ellipse(x - 4.5 * k, y + 7.5, 4.8, 5.4), WHITE, lift=0, edge=0, grain=0)
        s.cut(ellipse(x + 5 * k, y - 5, 2.3, 2.6), WHITE, lift=0, edge=0, grain=0)
    return s


def draw_eyes_half():
    """Lids that cover the upper half of the open eyes."""
    s = sheet("eyes_half", (-50, 50, 130, 150), 16)
    for x, y, k in EYES:
        s.cut(blob([(x - 23 * k, y + 1, "corner"), (x - 32 * k, y + 13), (x - 14 * k, y + 28),
                    (x + 14 * k, y + 28), (x + 32 * k, y + 13), (x + 23 * k, y + 1, "corner"),
                    (x + 12 * k, y + 9), (x, y + 11), (x - 12 * k, y + 9)]), SKIN, lift=0, edge=0)
        s.cut(line([(x - 21 * k, y + 2), (x - 12 * k, y + 9), (x, y + 11), (x + 12 * k, y + 9),
                    (x + 21 * k, y + 2)], 5), INK, lift=0.2, edge=0.2)
    return s


def draw_eyes_closed():
    s = sheet("eyes_closed", (-50, 50, 130, 150), 17)
    for x, y, k in EYES:
        s.cut(line([(x - 21 * k, y - 1), (x - 12 * k, y - 9), (x, y - 12), (x + 12 * k, y - 9),
                    (x + 21 * k, y - 1)], 5), INK, lift=0.2, edge=0.2)
        for lash in (-1, 1):
            s.cut(line([(x + lash * 14 * k, y - 9), (x + lash * 19 * k, y - 14)], 3.4), INK,
                  lift=0, edge=0.2)
    return s


def draw_brow(name, points, seed):
    s = sheet(name, (-60, 90, 160, 180), seed)
    s.cut(ribbon(spline(points, 14), 3.6 * np.sin(np.linspace(0.35, 2.8, 14))), BROW, lift=0.3,
          edge=0.4)
    return s


def draw_mouth(name, seed):
    s = sheet(name, (0, 20, 100, 90), seed)
    if name == "mouth_smile":
        s.cut(line([(30, 60), (37, 53.5), (46, 51.5), (55, 54), (61, 61)], 4.4), LINING, lift=0.2,
              edge=0.3)
    elif name == "mouth_open":
        shape = blob([(26, 63, "corner"), (36, 61.5), (46, 61), (56, 62), (65, 64, "corner"),
                      (62, 50), (54, 41), (44, 39), (34, 43), (28, 52)])
        s.cut(shape, LINING, lift=0.2, edge=0.2)
        s.cut(ellipse(46, 41, 12, 8.5), BLUSH, lift=0.15, within=shape, edge=0.5)
        s.cut(polygon([(30, 66), (62, 66), (58, 58.5), (34, 57.5)]), WHITE, lift=0.15,
              within=shape, edge=0)
    else:
        s.cut(ellipse(46, 54, 8.5, 10.5), LINING, lift=0.2, edge=0.3)
        s.tint(ellipse(46, 48, 6, 4), BLUSH, 0.8, softness=0.6)
    return s


def draw_scarf_wrap():
    s = sheet("scarf_wrap", (-100, -50, 110, 70), 20)
    roll = blob([(-62, 30), (-30, 20), (8, 14), (48, 18), (76, 32), (84, 14), (72, -8), (36, -24),
                 (0, -27), (-36, -22), (-66, -4), (-74, 16)])
    s.cut(roll, MUSTARD)
    for x, slant in ((-52, -10), (-24, -6), (8, 0), (40, 6), (66, 12)):
        s.cut(polygon([(x - 5, 40), (x + 5, 40), (x + 5 + slant, -40), (x - 5 + slant, -40)]),
              CREAM, lift=0.25, within=roll, edge=0.5)
    s.cut(blob([(-68, 22), (-34, 8), (6, 1), (46, 5), (80, 20), (46, -2), (6, -6), (-36, 0)]),
          MUSTARD_DEEP, lift=0.3, within=roll, edge=0.6)
    return s


SCARF_LINE = spline(SCARF, 19)
TAIL_LINE = spline(TAIL, 22)


def draw_scarf():
    s = sheet("scarf", (-230, -60, 0, 70), 21)
    center = np.vstack([SCARF_LINE, SCARF_LINE[-1] + [(-6, 1), (-12, 2)]])
    widths = np.interp(np.linspace(0, 1, len(center)), [0, 0.3, 1], [13, 15, 20])
    body = ribbon(center, widths)
    s.cut(body, MUSTARD)
    for i in (5, 6, 11, 12, 17, 18):
        if i % 6 == 5:
            a, b = center[i], center[i + 1]
            normal = paper.normals_of(center)[i] * 30
            s.cut(polygon([a + normal, b + normal, b - normal, a - normal]), CREAM, lift=0.25,
                  within=body, edge=0.5)
    end, normal = center[-1], paper.normals_of(center)[-1]
    along = np.array([normal[1], -normal[0]])
    for across in (-15, -5, 5, 15):
        root = end + normal * across
        s.cut(polygon([root + normal * 4 - along * 3, root - normal * 4 - along * 3,
                       root - normal * 2.5 + along * 13, root + normal * 2.5 + along * 13]),
              MUSTARD_DEEP, lift=0.35)
    return s


def draw_tail():
    s = sheet("tail", (-230, -230, 20, -10), 22)
    center = TAIL_LINE
    t = np.linspace(0, 1, len(center))
    widths = np.interp(t, [0, 0.15, 0.45, 0.7, 0.88, 1.0], [10, 17, 31, 34, 25, 9])
    normals = paper.normals_of(center)
    left = [tuple(p) for p in (center + normals * widths[:, None])[::3]]
    right = [tuple(p) for p in (center - normals * widths[:, None])[::3]]
    tip = center[-1] + (center[-1] - center[-2]) * 1.9
    body = blob([*left, (*tip, "corner"), *right[::-1]])
    s.cut(body, FOX)
    c, n = center[14], normals[14]
    along = np.array([n[1], -n[0]])
    points = [c + n * 60 + along * 4]
    for i, across in enumerate((34, 22, 11, 0, -11, -22, -34)):
        points.append(c + n * across + along * (12 if i % 2 == 0 else -8))
    points += [c - n * 60 + along * 4, c - n * 60 + along * 120, c + n * 60 + along * 120]
    s.cut(polygon(points), CREAM, lift=0.5, within=body)
    for i, across in ((5, 8), (7, -8), (9, 10)):
        p = center[i] + normals[i] * across
        q = center[i + 3] + normals[i + 3] * across * 1.1
        s.tint(line([p, (p + q) / 2 + normals[i], q], 2.2), FOX_DEEP, 0.6)
    return s


def draw_tunic():
    s = sheet("tunic", (-120, -200, 120, 40), 23)
    outline = blob([(-36, 22), (-54, 8), (-57, -30), (-60, -80), (-70, -130), (-80, -168),
                    (-64, -178), (-48, -170), (-32, -180), (-16, -172), (0, -182), (17, -172),
                    (34, -180), (50, -170), (66, -176), (80, -166), (70, -126), (61, -80),
                    (57, -30), (54, 8), (36, 22)])
    s.cut(outline, TEAL)
    s.cut(polygon([(-110, -138), (110, -138), (110, -146), (-110, -146)]), TEAL_DEEP, lift=0.25,
          within=outline, edge=0.7)
    for x in range(-54, 61, 18):
        y = -158 + 0.0006 * x * x
        s.cut(polygon([(x, y + 8), (x + 5, y), (x, y - 8), (x - 5, y)]), CREAM, lift=0.2, edge=0.4)
    s.cut(polygon([(-110, -82), (110, -76), (110, -90), (-110, -96)]), PLUM, lift=0.5,
          within=outline, edge=0.8)
    s.cut(ellipse(22, -84, 11, 11), MUSTARD, lift=0.5)
    s.cut(ellipse(22, -84, 5, 5), MUSTARD_DEEP, lift=0.3, edge=0.6)
    for y in (-38, -60):
        s.cut(ellipse(24, y, 4.6, 4.6), CREAM, lift=0.35)
    s.tint(line([(24, -24), (24, -74)], 1.6), TEAL_DEEP, 0.8)
    return s


def draw_arm(name, joints, seed, shade=1.0):
    """A sleeve with a turned cuff and a mitten, along an arm that hangs."""
    shoulder, elbow, wrist, knuckles = (np.array(joint, float) for joint in joints)
    s = sheet(name, (shoulder[0] - 90, -210, shoulder[0] + 90, 50), seed)
    hand = knuckles + (0, -2)
    thumb = ellipse(hand[0] + 13, hand[1] + 4, 6, 10, -28)
    s.cut(together(ellipse(*hand, 15.5, 18), thumb), shaded(SKIN, shade), lift=0.6)
    for x in (-4, 3):
        s.tint(line([(hand[0] + x, hand[1] - 15), (hand[0] + x, hand[1] - 8)], 1.6), BLUSH, 0.6)
    center = spline([shoulder, elbow, wrist + (0, -4)], 24)
    widths = np.interp(np.linspace(0, 1, 24), [0, 0.2, 0.5, 1], [18, 20.5, 20, 25])
    s.cut(together(ribbon(center, widths), ellipse(*shoulder, 19.5, 19)), shaded(TEAL, shade),
          lift=1.3)
    x, y = wrist
    s.cut(blob([(x - 26, y + 9), (x, y + 12), (x + 26, y + 9), (x + 27, y - 7), (x, y - 9),
                (x - 27, y - 7)]), shaded(CREAM, shade), lift=0.6)
    return s


def draw_leg(name, joints, seed, shade=1.0):
    """A trouser leg and a boot."""
    hip, knee, ankle = (np.array(joint, float) for joint in joints)
    s = sheet(name, (hip[0] - 70, -330, hip[0] + 100, -80), seed)
    center = spline([hip + (0, 14), knee, ankle], 24)
    s.cut(ribbon(center, np.interp(np.linspace(0, 1, 24), [0, 0.5, 1], [25, 21, 18])),
          shaded(PLUM, shade))
    x, y = ankle
    s.cut(blob([(x - 20, y + 22, "corner"), (x + 20, y + 22, "corner"), (x + 21, y + 2),
                (x + 34, y - 5), (x + 49, y - 12), (x + 50, y - 25), (x + 40, y - 29, "corner"),
                (x - 22, y - 29, "corner"), (x - 24, y - 10)]), shaded(FOX_DEEP, shade), lift=0.6)
    s.cut(polygon([(x - 24, y - 22), (x + 52, y - 22), (x + 50, y - 29), (x - 23, y - 29)]), INK,
          lift=0.3, edge=0.6)
    s.cut(blob([(x - 25, y + 30), (x, y + 32), (x + 25, y + 30), (x + 26, y + 14), (x, y + 11),
                (x - 26, y + 14)]), shaded(CREAM, shade), lift=0.6)
    return s


def draw_parts():
    """Every part, back to front."""
    sheets = [
        draw_tail(), draw_scarf(), draw_arm("far_arm", FAR_ARM, 31, FAR_SHADE),
        draw_leg("far_leg", FAR_LEG, 32, FAR_SHADE), draw_leg("near_leg", NEAR_LEG, 33),
        draw_tunic(), draw_arm("near_arm", NEAR_ARM, 34),
        draw_ear("far_ear", *FAR_EAR, 36, 0.12, 35), draw_ear("near_ear", *NEAR_EAR, 42, -0.12, 36),
        draw_head(), draw_eyes_open(),
        *(draw_mouth(name, 40 + i) for i, name in enumerate(MOUTHS)),
        draw_pupils(), draw_eyes_half(), draw_eyes_closed(), draw_fringe(),
        draw_brow("near_brow", [(-18, 133), (0, 139), (18, 135)], 43),
        draw_brow("far_brow", [(64, 136), (80, 139), (96, 132)], 44),
        draw_hood(), draw_scarf_wrap(),
    ]
    return [s.part() for s in sheets]
