# SPDX-License-Identifier: MIT
"""Konpei's images: the sheet of her poses, the effects, her portraits and her icon."""

import math

import ink
import paper
from ink import oval, shape, stroke
from konpei_art import FIRST, LINE, SECOND, WHITE, draw
from konpei_poses import POSES

WIDTH, HEIGHT = 167, 271
COLUMNS = 6
FEET = (77, 258)  # in a cell
SMALL = 48
EFFECT = 64
ROSE, SKY, LEMON, MINT = map(paper.rgb, ("#ff8fb0", "#7cc8ff", "#ffe27a", "#8ee6d0"))
DUST = paper.rgb("#c9c0e8")


def cell(index):
    """Position of a cell in the sheet: x, y."""
    return index % COLUMNS * WIDTH, index // COLUMNS * HEIGHT


BACKGROUND = cell(len(POSES))
BANNER = (*cell(len(POSES) + 1), 160, 44)
SMALL_AT = {name: (cell(len(POSES) + 2)[0] + 50 * i, cell(len(POSES) + 2)[1])
            for i, name in enumerate(("note", "heart", "sweat", "gloom"))}
EFFECT_AT = {name: (i % 4 * EFFECT, i // 4 * EFFECT)
             for i, name in enumerate(("lemon", "rose", "mint", "sky", "sparkle", "ring", "bolt", "puff"))}


def at(context, position, draw_part, *arguments):
    """Draws a part with its origin at a position."""
    context.save()
    context.translate(*position)
    draw_part(context, *arguments)
    context.restore()


def draw_background(context):
    """A small stage: a curtain of stripes, a spotlight and sugar stars."""
    context.rectangle(0, 0, WIDTH, HEIGHT)
    context.clip()
    for i in range(9):
        context.set_source_rgb(*paper.rgb("#ffe6ef" if i % 2 else "#ffd9e6"))
        context.rectangle(i * 19 - 2, 0, 19, HEIGHT)
        context.fill()
    shape(context, [(60, -4, "corner"), (107, -4, "corner"), (160, 250, "corner"), (7, 250, "corner")],
          paper.rgb("#fff6e6"), None, shadow=None)
    for x, y, radius, turn in ((22, 40, 15, 0), (146, 66, 12, 10), (30, 150, 9, 20), (142, 178, 15, 5), (70, 22, 7, 0)):
        shape(context, ink.sugar_star(x, y, radius, turn), WHITE, None, shadow=None)
    oval(context, WIDTH / 2, 256, 110, 30, paper.rgb("#ffb8ce"))
    oval(context, WIDTH / 2, 256, 66, 15, paper.rgb("#fff0dc"))


LETTERS = {  # strokes on a grid 2 wide and 3 high
    "K": ([(0, 0), (0, 3)], [(1.8, 0), (0.2, 1.6), (1.8, 3)]),
    "o": ([(0.9, 1), (0, 2), (0.9, 3), (1.8, 2), (0.9, 1)],),
    "n": ([(0, 1.1), (0, 3)], [(0, 2), (0.8, 1.1), (1.6, 1.7), (1.6, 3)]),
    "p": ([(0, 1.1), (0, 4)], [(0, 2), (0.9, 1), (1.8, 2), (0.9, 3), (0, 2.1)]),
    "e": ([(0.1, 2), (1.8, 2), (0.9, 1), (0, 2), (0.9, 3), (1.8, 2.7)],),
    "i": ([(0.3, 1.2), (0.3, 3)], [(0.3, 0.1), (0.3, 0.2)])}


def draw_banner(context, palette):
    """Her name, in icing."""
    colors = (palette.hair, palette.trim, palette.star, palette.hair, palette.trim, palette.star)
    for width, outlined in ((10, True), (5, False)):
        x = 12
        for letter, color in zip("Konpei", colors):
            for points in LETTERS[letter]:
                stroke(context, [(x + px * 9, 6 + py * 8) for px, py in points], LINE if outlined else color, width)
            x += 15 if letter == "i" else 27
        shape(context, ink.sugar_star(148, 21, 10, 8), palette.star, LINE, (-1.5, -1.5))


def draw_small(context, name):
    if name == "note":
        for color, width in ((LINE, 8), (SKY, 4)):
            stroke(context, [(17, 36), (17, 10)], color, width)
            stroke(context, [(17, 10), (34, 7)], color, width + 2)
            stroke(context, [(34, 7), (34, 32)], color, width)
            grow = 2 if color == LINE else 0
            for x, y in ((12, 37), (29, 33)):
                oval(context, x, y, 6 + grow, 4.5 + grow, color)
    elif name == "heart":
        shape(context, [(24, 15, "corner"), (33, 7), (42, 16), (37, 29), (24, 41, "corner"), (11, 29), (6, 16),
                        (15, 7)],
              ROSE, LINE)
        oval(context, 15, 16, 3.5, 2.8, ink.lighter(ROSE, 0.7))
    elif name == "sweat":
        shape(context, [(24, 6, "corner"), (34, 26), (24, 40), (14, 26)], SKY, LINE)
        oval(context, 20, 28, 2.4, 4, WHITE)
    else:
        for i, length in enumerate((30, 40, 26, 36)):
            stroke(context, [(7 + 11 * i, 4), (7 + 11 * i, 4 + length)], paper.rgb("#7d76b8"), 3)


def draw_effect(context, name):
    """One effect, around 32, 32."""
    middle = EFFECT / 2
    plain = {"lemon": LEMON, "rose": ROSE, "mint": MINT, "sky": SKY}.get(name)
    if plain:
        shape(context, ink.sugar_star(middle, middle, 26), plain, ink.darker(plain, 0.75), (-4, -4), 2.4)
        oval(context, 24, 22, 5, 4, ink.lighter(plain, 0.75))
    elif name == "sparkle":
        points = [(middle + r * math.cos(a * math.pi / 4), middle + r * math.sin(a * math.pi / 4), "corner")
                  for a, r in enumerate((28, 6) * 4)]
        shape(context, points, paper.rgb("#fff7c8"), paper.rgb("#ffc94a"), None, 2)
    elif name == "ring":
        for radius, color in ((27, LEMON), (22, WHITE)):
            context.set_source_rgb(*color)
            context.set_line_width(4)
            context.arc(middle, middle, radius, 0, 2 * math.pi)
            context.stroke()
    elif name == "bolt":
        points = [(middle + r * math.cos(a * math.pi / 8), middle + r * math.sin(a * math.pi / 8), "corner")
                  for a, r in enumerate((29, 15, 24, 14) * 4)]
        shape(context, points, paper.rgb("#ff9a4a"), LINE, None)
        core = [(middle + (x - middle) * 0.55, middle + (y - middle) * 0.55, "corner") for x, y, _ in points]
        shape(context, core, paper.rgb("#fff2a8"), None, None)
    else:
        shape(context, [(14, 40), (8, 32), (16, 24), (22, 14), (36, 14), (44, 22), (56, 28), (54, 40), (44, 46),
                        (26, 47)], DUST, ink.darker(DUST, 0.7))


def char_bmp(palette):
    """The sheet: all poses, then the background, the name and small images."""
    rows = -(-(len(POSES) + 4) // COLUMNS)
    context = ink.canvas(COLUMNS * WIDTH, rows * HEIGHT)
    for index, pose in enumerate(POSES.values()):
        x, y = cell(index)
        context.save()
        context.rectangle(x, y, WIDTH, HEIGHT)
        context.clip()
        at(context, (x + FEET[0], y + FEET[1]), draw, pose, palette)
        context.restore()
    at(context, BACKGROUND, draw_background)
    at(context, BANNER[:2], draw_banner, palette)
    for name, position in SMALL_AT.items():
        at(context, position, draw_small, name)
    return ink.pixels(context)


def char_tex():
    context = ink.canvas(4 * EFFECT, 2 * EFFECT)
    for name, position in EFFECT_AT.items():
        at(context, position, draw_effect, name)
    return ink.pixels(context)


def draw_portrait(context, palette, pose, feet, scale, area):
    context.save()
    context.rectangle(*area)
    context.clip()
    context.translate(*feet)
    context.scale(scale, scale)
    draw(context, POSES[pose], palette)
    context.restore()


def char_face(palette):
    """Her face on the left, her whole figure on the right."""
    context = ink.canvas(640, 480)
    draw_portrait(context, palette, "wave_in", (118, 374), 1.6, (0, 0, 256, 256))
    draw_portrait(context, palette, "victory", (468, 470), 1.95, (320, 0, 320, 480))
    return ink.pixels(context)


def select_cg(palette):
    context = ink.canvas(72, 72)
    context.set_source_rgb(*ink.lighter(palette.trim, 0.55))
    context.paint()
    shape(context, ink.sugar_star(36, 37.5, 34, 12), ink.lighter(palette.star, 0.3), None, shadow=None)
    draw_portrait(context, palette, "wave_in", (33, 118.5), 0.555, (0, 0, 72, 72))
    return ink.pixels(context)


def images():
    """All images by file name; those that end in .bmp have no transparency."""
    return {"konpei.png": char_bmp(FIRST), "konpei_2p.png": char_bmp(SECOND), "konpei_effects.png": char_tex(),
            "konpei_face.png": char_face(FIRST), "konpei_face_2p.png": char_face(SECOND),
            "konpei_icon.bmp": select_cg(FIRST), "konpei_icon_2p.bmp": select_cg(SECOND)}
