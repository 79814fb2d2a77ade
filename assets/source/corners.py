# SPDX-License-Identifier: MIT
"""A paper mobile that exercises the edge cases of the format.

Two images, one of them raw; several roots; mirrored, nonuniformly scaled and sheared bones; a rotation
across 180 degrees; equal, negative and changing draw orders; a bone that becomes hidden; weights that do
not sum to 1, and unused slots anywhere with invalid bone ids. No clip has a bind pose's name, so frame 0
of the first clip is the bind pose.
"""

import math

import numpy as np

import paper
import puppet
from addon import Character, Image
from paper import blob, ellipse, line, polygon, ribbon, spline

FPS = 12
DENSITY = 0.8
NO_BONE, ALSO_NO_BONE = 65535, 9999

NIGHT = paper.rgb("#3d4a7a")
NIGHT_DEEP = paper.rgb("#2b3560")
MOON = paper.rgb("#f6d77a")
MOON_DEEP = paper.rgb("#e3a94a")
CLOUD = paper.rgb("#f4ecdf")
CORAL = paper.rgb("#e4684f")
CORAL_DEEP = paper.rgb("#bd4640")
MINT = paper.rgb("#7fb8a4")
BARK = paper.rgb("#8a5a44")
INK = paper.rgb("#38283f")
STRING = paper.rgb("#c9b79c")

STARS = ((-34, -84), (2, -98), (36, -80))
TWIN_SCALE = (-1.08, 0.94)


def sheet(name, rect, seed, density=DENSITY):
    return paper.Sheet(name, rect, density, seed)


def thread(s, points):
    s.cut(line(points, 2.0), STRING, lift=0.25, edge=0, grain=0)


def draw_bar():
    s = sheet("bar", (-220, 70, 220, 290), 61)
    thread(s, [(0, 80), (0, 284)])
    s.cut(ellipse(0, 278, 9, 9), CORAL, lift=0.5, grain=0.6)
    center = spline([(-190, 176), (-100, 196), (0, 204), (100, 196), (190, 176)], 30)
    s.cut(ribbon(center, np.interp(np.linspace(0, 1, 30), [0, 0.5, 1], [4, 8.5, 4])), BARK,
          grain=0.7)
    for x, y, tilt in ((-152, 194, 40), (-60, 212, 20), (64, 212, -20), (156, 192, -40)):
        s.cut(ellipse(x, y, 6, 13, tilt), MINT, lift=0.5, grain=0.6)
    return s


def draw_crane():
    s = sheet("crane", (-240, -40, -40, 200), 62)
    thread(s, [(-130, 187), (-130, 52)])
    s.cut(polygon([(-142, 52), (-204, 92), (-212, 86), (-158, 30)]), CORAL_DEEP, grain=0.7)
    s.cut(polygon([(-120, 50), (-76, 88), (-58, 78), (-70, 90), (-110, 34)]), CORAL_DEEP,
          grain=0.7)
    s.cut(polygon([(-164, 34), (-130, 58), (-98, 34), (-130, 6)]), CORAL, grain=0.7)
    s.tint(polygon([(-130, 58), (-98, 34), (-130, 6)]), CORAL_DEEP, 0.35)
    s.cut(ellipse(-71, 84, 1.8, 1.8), INK, lift=0, edge=0, grain=0)
    return s


def draw_wing():
    s = sheet("crane_wing", (-200, -40, -80, 130), 63)
    s.cut(polygon([(-150, 44), (-112, 42), (-146, 112)]), CORAL, grain=0.7)
    s.tint(polygon([(-131, 43), (-112, 42), (-146, 112)]), paper.rgb("#f6a48a"), 0.5)
    return s


def draw_fish(name, x, y, color, deep, string_top, seed):
    s = sheet(name, (x - 70, y - 60, x + 70, string_top + 10), seed)
    thread(s, [(x, string_top), (x, y + 20)])
    s.cut(polygon([(x + 30, y), (x + 58, y + 24), (x + 52, y), (x + 58, y - 24)]), deep, grain=0.7)
    body = blob([(x - 52, y, "corner"), (x - 24, y + 24), (x + 14, y + 20), (x + 42, y, "corner"),
                 (x + 14, y - 20), (x - 24, y - 24)])
    s.cut(body, color, grain=0.7)
    s.cut(blob([(x - 70, y), (x - 30, y + 40), (x - 22, y), (x - 30, y - 40)]), deep, lift=0.4,
          within=body, grain=0.7)
    s.cut(ellipse(x - 36, y + 6, 4.5, 4.5), CLOUD, lift=0.2, edge=0, grain=0)
    s.cut(ellipse(x - 37, y + 6, 2.2, 2.2), INK, lift=0, edge=0, grain=0)
    for column, dx in enumerate((-8, 6, 20)):
        for dy in (-7, 7) if column % 2 else (0,):
            s.cut(polygon([(x + dx - 4, y + dy), (x + dx, y + dy + 5), (x + dx + 4, y + dy),
                           (x + dx, y + dy - 5)]), CLOUD, lift=0.15, edge=0.3, grain=0.5)
    return s


def draw_fin(x, y):
    s = sheet("twin_fin", (x - 40, y - 50, x + 40, y + 30), 66)
    s.cut(blob([(x - 8, y + 4), (x + 8, y + 4), (x + 16, y - 26, "corner"), (x, y - 18)]), CORAL,
          lift=0.6, grain=0.7)
    return s


def draw_star(name, x, y, color, seed):
    s = sheet(name, (x - 50, y - 50, x + 50, y + 60), seed)
    thread(s, [(x, y + 48), (x, y + 20)])
    points = []
    for i in range(10):
        reach = 30 if i % 2 == 0 else 13
        angle = math.radians(90 + 36 * i)
        points.append((x + reach * math.cos(angle), y + reach * math.sin(angle)))
    s.cut(polygon(points), color, grain=0.7)
    for i in range(0, 10, 2):
        s.tint(polygon([points[i], points[i + 1], (x, y)]), INK, 0.14)
    return s


def draw_moon():
    s = sheet("moon", (-90, -90, 90, 120), 70, 0.5)
    s.cut(ellipse(0, 16, 66, 66), NIGHT, grain=0.8)
    s.cut(ellipse(0, 16, 55, 55), NIGHT_DEEP, lift=0.5, grain=0.8)
    s.cut(paper.without(ellipse(2, 16, 46, 46), ellipse(22, 26, 38, 38)), MOON, lift=0.8)
    s.cut(line([(-30, 20), (-25, 16), (-19, 18)], 3), INK, lift=0, edge=0)
    s.tint(ellipse(-22, 4, 7, 5), MOON_DEEP, 0.7, softness=2)
    return s


def draw_glow():
    s = sheet("glow", (0, 0, 60, 70), 71, 0.5)
    s.cut(polygon([(24, 50), (28, 38), (40, 34), (28, 30), (24, 18), (20, 30), (8, 34), (20, 38)]),
          MOON, lift=0.6)
    return s


def draw_cloud():
    s = sheet("cloud", (-90, -50, 90, 50), 72, 0.5)
    s.cut(paper.together(ellipse(-34, -12, 26, 17), ellipse(-6, 0, 30, 25), ellipse(30, -8, 28, 20),
                         polygon([(-40, -29), (36, -29), (36, -10), (-40, -10)])), CLOUD)
    s.tint(line([(-22, -4), (-10, 8), (4, 6), (8, -4)], 3), NIGHT, 0.35)
    s.tint(line([(22, -10), (32, -2), (42, -8)], 3), NIGHT, 0.35)
    return s


def make_rig():
    rig = puppet.Rig()
    rig.add("bar", None, 0, 204)
    rig.add("紙", "bar", -130, 190, 180, z_order=-3)
    rig.add("crane", "紙", -130, 56, 0, z_order=2)
    rig.add("crane_wing", "crane", -131, 43, 20, z_order=3)
    rig.add("fish", "bar", 136, 190, 180, z_order=4)
    rig.add("twin", "fish", 136, 66, 180, z_order=4)
    # The twin is mirrored and stretched, so its fin's place is given before mirroring.
    rig.add("twin_fin", "twin", 136 + 4 / TWIN_SCALE[0], 66 - 86 / TWIN_SCALE[1], -35, z_order=4)
    rig.add("moon", None, 0, 84, 180, z_order=-10)
    rig.add("glow", "moon", 24, 34, 0, z_order=-9)
    rig.add("cloud", None, 0, -10, 0, z_order=-20)
    for i, (x, y) in enumerate(STARS):
        rig.add(f"star_{i + 1}", None, x, y + 48, 0, z_order=5)
    return rig


def crane_weights(x, y):
    share = float(puppet.smoothstep(y, 50, 110))
    return {"crane": 1 - share, "紙": share}


def twin_weights(x, y):
    share = float(puppet.smoothstep(y, 4, 46))
    return {"twin": 1 - share, "fish": share}


def untidy(mesh):
    """Points unused slots at bones that do not exist, and moves used slots after unused ones."""
    for i, vertex in enumerate(mesh.vertices):
        ids, weights = vertex["bone_ids"].copy(), vertex["bone_weights"].copy()
        unused = weights == 0
        ids[unused] = NO_BONE if i % 2 == 0 else ALSO_NO_BONE
        shift = i % 4 if unused.any() else 0
        vertex["bone_ids"], vertex["bone_weights"] = np.roll(ids, shift), np.roll(weights, shift)


def make_meshes(rig):
    day_sheets = [
        draw_crane(), draw_wing(), draw_fish("fish", 136, 62, MINT, NIGHT, 184, 64),
        draw_fish("twin", 136, -20, CORAL, CORAL_DEEP, 46, 65), draw_fin(140, -24),
        *(draw_star(f"star_{i + 1}", x, y, color, 67 + i)
          for i, ((x, y), color) in enumerate(zip(STARS, (MOON, CORAL, MINT)))),
        draw_bar(),
    ]
    night_sheets = [draw_moon(), draw_glow(), draw_cloud()]
    day_parts = [s.part() for s in day_sheets]
    night_parts = [s.part() for s in night_sheets]
    day, night = paper.pack(day_parts, 368), paper.pack(night_parts, 112, padding=4)

    grids = {"crane": (4, 8, crane_weights), "twin": (2, 6, twin_weights), "cloud": (4, 3, "cloud")}
    meshes = []
    for image, atlas, parts in ((1, night, night_parts), (0, day, day_parts)):
        for part in parts:
            columns, rows, weights = grids.get(part.name, (1, 1, part.name))
            meshes.append(puppet.grid_mesh(rig, atlas, part, columns, rows, weights, image))
    by_name = {mesh.name: mesh for mesh in meshes}
    edge = by_name["cloud"].vertices
    edge["bone_weights"][np.abs(edge["x"]) > 55, 0] = 1.1
    edge["bone_weights"][np.abs(edge["x"]) < 5, 0] = 0.9
    for mesh in meshes:
        untidy(mesh)
    return day, night, meshes


def go_along(take, bar_turn):
    """Moves the root bones below the bar with the end of its middle thread."""
    shift = 120 * np.sin(np.radians(bar_turn))
    for name in ("moon", "star_1", "star_2", "star_3"):
        take.move(name, x=shift)


def sway(rig):
    """Sways in still air: a loop of 36 frames. The moon hangs at 180 degrees and rolls to either
    side of it, the cloud passes before the moon and back behind it, the stars show both faces."""
    take = puppet.Take(rig, "sway", 36, FPS, loop=True)
    turn = take.wave(2.2)
    take.rotate("bar", turn)
    go_along(take, turn)
    take.rotate("紙", take.wave(7, 1, 0.12))
    take.scale("紙", x=1 + take.wave(0.16, 2), y=1 + take.wave(0.05, 1))
    take.rotate("crane", take.wave(9, 1, 0.2))
    take.rotate("crane_wing", take.wave(16, 2))
    take.scale("crane_wing", x=1 - take.wave(0.2, 2), y=1 + take.wave(0.12, 2))
    take.rotate("fish", take.wave(6, 1, 0.3))
    take.rotate("twin", take.wave(10, 1, 0.45))
    take.scale("twin", x=TWIN_SCALE[0] + take.wave(0.1, 1), y=TWIN_SCALE[1])
    take.rotate("twin_fin", take.wave(22, 3))
    roll = take.wave(14)
    take.rotate("moon", np.where(roll > 0, roll - 360, roll))
    take.show("glow", (take.frame % 18) < 11)
    take.rotate("glow", 30 * take.wave(1.0, 2))
    ahead = np.cos(2 * math.pi * take.phase)
    take.move("cloud", x=84 * np.sin(2 * math.pi * take.phase), y=take.wave(5, 2))
    take.scale("cloud", x=0.9 + 0.1 * ahead, y=0.9 + 0.1 * ahead)
    take.order(["cloud"], np.where(ahead > 0, 20, -20))
    for i in range(3):
        take.scale(f"star_{i + 1}", x=np.cos(2 * math.pi * take.phase))
        take.rotate(f"star_{i + 1}", take.wave(5, 1, 0.2 * i))
    take.turn -= take.turn[0]  # so that frame 0, the bind pose, is as drawn
    return take.clip()


def gust(rig):
    """A gust swings everything once and dies down: 30 frames that start and end at rest."""
    take = puppet.Take(rig, "gust", 30, FPS, loop=False)
    push = take.keyed((0, 0), (3, 1), (7, -0.7), (12, 0.5), (17, -0.3), (22, 0.15), (26, -0.05),
                      (29, 0))
    late = take.follow(push, 1.6, 0.4) * take.keyed((0, 1), (20, 1), (29, 0))
    take.rotate("bar", 7 * push)
    go_along(take, 7 * push)
    take.rotate("紙", 24 * late)
    take.scale("紙", x=1 - 0.2 * late, y=1 + 0.1 * np.abs(push))
    take.rotate("crane", 20 * late)
    take.rotate("crane_wing", 40 * late)
    take.scale("crane_wing", x=1 - 0.3 * push, y=1 + 0.2 * push)
    take.rotate("fish", 18 * late)
    take.rotate("twin", 12 * late)
    take.scale("twin", *TWIN_SCALE)
    take.rotate("twin_fin", 50 * late)
    take.rotate("moon", 30 * push)
    take.show("glow", np.abs(push) < 0.6)
    take.move("cloud", x=95 * late, y=-12 * np.abs(late))
    take.order(["cloud"], np.where(take.frame < 15, 20, -20))
    for i in range(3):
        take.rotate(f"star_{i + 1}", (28 + 8 * i) * late)
        take.order([f"star_{i + 1}"], np.where((take.frame > 4) & (take.frame < 20), 5 - i, 5))
    return take.clip()


def build():
    rig = make_rig()
    day, night, meshes = make_meshes(rig)
    images = [Image("day", day.pixels), Image("night", night.pixels)]
    return Character(FPS, images, rig.file_bones(), meshes, [sway(rig), gust(rig)])
