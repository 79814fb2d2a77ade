# SPDX-License-Identifier: MIT
"""Koi, a carp with orange patches, as Unreal's tools export it: x right, z up, looking along -y; in centimeters."""

import numpy as np

import image_file
import psk

SIDES = 20  # vertices around the body
HEIGHT = 30  # height of its middle above the ground
SHEET = 256
BODY_SHARE = 0.75  # share of the texture's width; fins and eyes use the rest
# Along the body, nose first: y, half width, half height, middle.
RINGS = np.array([(-50, 0.4, 0.4, -1.5), (-49, 2.6, 2.2, -1.4), (-46, 4.8, 4.4, -1), (-41, 7, 7, -0.4),
                  (-34, 8.8, 9.4, 0), (-26, 9.8, 11, 0.2), (-17, 10, 11.6, 0.3), (-8, 9.6, 11.2, 0.3),
                  (1, 8.7, 10, 0.3), (10, 7.3, 8.4, 0.3), (19, 5.6, 6.6, 0.4), (27, 3.9, 5, 0.5),
                  (34, 2.5, 4.2, 0.6), (40, 1.5, 4, 0.6)])
SPINE = (("head", -30.0), ("chest", -14.0), ("waist", 4.0), ("hip", 20.0), ("tail", 34.0), ("fan", 44.0))


def bones():
    found = [psk.Bone("root", None, (0, 0, HEIGHT)), psk.Bone("head", "root", (0, -30, 0))]
    before, y_before = "root", 0.0
    for name, y in SPINE[1:]:
        found.append(psk.Bone(name, before, (0, y - y_before, 0)))
        before, y_before = name, y
    for name, side in (("fin_left", 1), ("fin_right", -1)):
        found.append(psk.Bone(name, "root", (8.5 * side, -26, -6)))
    return found


def spine_weights(y):
    """Weights of the two spine bones around y; everything ahead of the first bone follows it."""
    places = [place for _, place in SPINE]
    after = int(np.searchsorted(places, y))
    if after == 0 or after == len(SPINE):
        return {SPINE[min(after, len(SPINE) - 1)][0]: 1.0}
    share = (y - places[after - 1]) / (places[after] - places[after - 1])
    share = share * share * (3 - 2 * share)
    return {name: weight for (name, _), weight in zip(SPINE[after - 1:after + 1], (1 - share, share)) if weight > 0}


class Builder:
    def __init__(self):
        self.points, self.weights, self.wedges, self.faces = [], [], [], []

    def add(self, point, uv, weights):
        self.wedges.append((len(self.points), *map(float, uv), 0))
        self.points.append(tuple(map(float, point)))
        self.weights.append(weights)
        return len(self.wedges) - 1

    def face(self, *corners):
        self.faces.append((*corners, 0))

    def quad(self, a, b, c, d):
        self.face(a, b, c)
        self.face(a, c, d)


def add_body(build):
    length = RINGS[-1, 0] - RINGS[0, 0]
    rows = []
    for y, wide, high, middle in RINGS:
        row = []
        for side in range(SIDES + 1):
            angle = 2 * np.pi * side / SIDES  # from the belly, up the left side, over the back
            point = (wide * np.sin(angle), y, HEIGHT + middle - high * np.cos(angle))
            row.append(build.add(point, (side / SIDES * BODY_SHARE, (y - RINGS[0, 0]) / length), spine_weights(y)))
        rows.append(row)
    # The ends of a ring differ in the texture only: they share a point, so that lighting has no seam.
    for row in rows:
        point, u, v, material = build.wedges[row[-1]]
        build.wedges[row[-1]] = (build.wedges[row[0]][0], u, v, material)
    for near, far in zip(rows, rows[1:]):
        for side in range(SIDES):
            build.quad(near[side], near[side + 1], far[side + 1], far[side])


def add_fin(build, outline, weights):
    """A thin leaf, seen from both sides. `outline`: rows of (root, edge), each a position; weights of root and edge."""
    for flipped in (False, True):
        rows = []
        for i, (root, edge) in enumerate(outline):
            v = (i + 0.5) / len(outline) * 0.6
            rows.append((build.add(root, (0.8, v), weights(root)), build.add(edge, (0.98, v), weights(edge))))
        for (a, b), (c, d) in zip(rows, rows[1:]):
            build.quad(*((a, b, d, c) if flipped else (a, c, d, b)))


def add_fins(build):
    def along_spine(place):
        return spine_weights(place[1])

    tail = [((0, 38, HEIGHT + z * 0.4), (0, 46 + reach, HEIGHT + z)) for z, reach in
            ((15, 20), (11, 17), (6, 11), (0.5, 7), (-5, 11), (-9, 16), (-12, 18))]
    add_fin(build, tail, along_spine)
    back = [((0, y, HEIGHT + root), (0, y + 5, HEIGHT + edge)) for y, root, edge in
            ((-24, 10, 14), (-20, 11, 19), (-13, 11, 19.5), (-5, 10.5, 17), (3, 9.5, 14), (9, 8, 11))]
    add_fin(build, back, along_spine)
    belly = [((0, y, HEIGHT - root), (0, y + 6, HEIGHT - edge)) for y, root, edge in
             ((12, 7, 8), (15, 6.5, 13), (19, 5.5, 12), (22, 5, 7))]
    add_fin(build, belly, along_spine)
    for side, bone in ((1, "fin_left"), (-1, "fin_right")):
        fin = [((8 * side, y, HEIGHT - 6), ((9 + out) * side, y + back, HEIGHT - 8 - down)) for y, out, back, down in
               ((-30, 3, 2, 1), (-28, 12, 5, 4), (-26, 15, 9, 6), (-24, 11, 13, 6), (-22, 4, 12, 3))]
        add_fin(build, fin, lambda place, bone=bone: {bone: 1.0})


def add_eyes(build):
    """Half a ball on each side; the pupil is the middle of its part of the texture."""
    for side in (1, -1):
        center = np.array((6.0 * side, -42.0, HEIGHT + 2.5))
        out = np.array((0.86 * side, -0.45, 0.25))
        out /= np.linalg.norm(out)
        along = np.cross((0, 0, 1), out)
        along /= np.linalg.norm(along)
        up = np.cross(out, along)
        rows = []
        for ring in range(4):
            bend = np.pi / 2 * ring / 3
            row = []
            for i in range(12):
                angle = 2 * np.pi * i / 12
                aside = along * np.cos(angle) + up * np.sin(angle)
                point = center + 2.0 * (out * np.cos(bend) + aside * np.sin(bend))
                reach = 0.09 * ring / 3
                uv = (0.88 + reach * np.cos(angle), 0.86 + reach * np.sin(angle))
                row.append(build.add(point, uv, {"head": 1.0}))
            rows.append(row)
        for near, far in zip(rows, rows[1:]):
            for i in range(12):
                after = (i + 1) % 12
                build.quad(near[i], far[i], far[after], near[after])


def noise(random, height, width, cells):
    """Smooth noise from 0 to 1 that tiles from left to right."""
    grid = random.random((cells + 1, cells))
    y, x = np.linspace(0, cells, height, endpoint=False), np.linspace(0, cells, width, endpoint=False)
    row, column = y.astype(int)[:, None], x.astype(int)[None, :]
    down, right = (y % 1)[:, None], (x % 1)[None, :]
    down, right = down * down * (3 - 2 * down), right * right * (3 - 2 * right)
    after = (column + 1) % cells
    upper = grid[row, column] * (1 - right) + grid[row, after] * right
    lower = grid[row + 1, column] * (1 - right) + grid[row + 1, after] * right
    return upper * (1 - down) + lower * down


def mixed(below, above, share):
    return below * (1 - share[..., None]) + np.array(above, float) * share[..., None]


def sheet():
    random = np.random.RandomState(11)
    width = int(SHEET * BODY_SHARE)
    high = np.linspace(0, 1, SHEET)[:, None] + np.zeros((1, width))  # from the nose to the tail
    around = 0.5 - 0.5 * np.cos(2 * np.pi * np.linspace(0, 1, width, endpoint=False))[None, :] + 0 * high  # the back: 1
    body = np.zeros((SHEET, width, 3)) + np.array((250.0, 243, 230))
    patches = 0.7 * noise(random, SHEET, width, 4) + 0.3 * noise(random, SHEET, width, 9) + 0.24 * around
    body = mixed(body, (233, 92, 40), np.clip((patches - 0.66) * 18, 0, 1))
    ink = 0.6 * noise(random, SHEET, width, 6) + 0.4 * noise(random, SHEET, width, 14) + 0.1 * around
    body = mixed(body, (52, 48, 58), np.clip((ink - 0.74) * 20, 0, 1))
    y, x = np.mgrid[0:SHEET, 0:width]
    rows = (y // 8) % 2
    scale = np.hypot((x + rows * 6) % 12 - 6, y % 8 - 1)
    is_scaled = np.clip((high - 0.2) * 8, 0, 1) * np.clip(around * 4 - 0.6, 0, 1)
    body *= 1 - 0.13 * (np.clip((scale - 5.2) * 0.7, 0, 1) * is_scaled)[..., None]
    body *= (0.9 + 0.1 * around)[..., None]
    pixels = np.full((SHEET, SHEET, 4), 255, np.uint8)
    pixels[:, :width, :3] = np.rint(np.clip(body, 0, 255))
    fin = np.linspace(0, 1, SHEET - width)[None, :] + np.zeros((SHEET, 1))
    rays = 0.5 + 0.5 * np.cos(np.arange(SHEET)[:, None] * 0.8)
    fins = np.zeros((SHEET, SHEET - width, 3)) + np.array((247.0, 225, 205))
    fins = mixed(fins, (236, 128, 76), np.clip(fin * 1.1 - 0.25, 0, 1))
    fins *= (1 - 0.1 * rays * fin)[..., None]
    yy, xx = np.mgrid[0:SHEET, 0:SHEET - width]
    eye = np.hypot((xx + width) / SHEET - 0.88, yy / SHEET - 0.86) / 0.09
    is_eye = yy > SHEET * 0.72
    for limit, color in ((9, (240, 190, 90)), (0.62, (24, 22, 28))):
        fins[is_eye & (eye < limit)] = color
    fins[np.hypot((xx + width) / SHEET - 0.862, yy / SHEET - 0.875) < 0.014] = (255, 255, 255)
    pixels[:, width:, :3] = np.rint(np.clip(fins, 0, 255))
    return pixels


def keys(frames, pose):
    """`pose(phase)` returns rotations by bone, (sway, roll) in degrees, one of them 0, and the rise of the root."""
    rig = bones()
    result = []
    for frame in range(frames):
        turns, rise = pose(2 * np.pi * frame / frames)
        row = []
        for bone in rig:
            x, y, z = bone.position
            sway, roll = turns.get(bone.name, (0, 0))
            # Fins flap around the long axis of the body; the spine sways around the up axis.
            rotation = psk.turn(1, roll) if roll else psk.turn(2, sway)
            row.append(((x, y, z + (rise if bone.name == "root" else 0)), rotation))
        result.append(row)
    return result


def swim(strength):
    def pose(phase):
        turns = {"root": (1.5 * strength * np.sin(phase + 0.9), 0), "head": (4 * strength * np.sin(phase + 1.4), 0)}
        for i, (name, _) in enumerate(SPINE[1:]):
            turns[name] = ((2.5 + 3.4 * i) * strength * np.sin(phase - 0.75 * i), 0)
        flap = 16 + 14 * np.sin(phase * 2) * strength
        turns["fin_left"], turns["fin_right"] = (0, flap), (0, -flap)
        return turns, 1.2 * np.sin(phase + 0.5)

    return pose


def build():
    """Returns the files by name."""
    rig = bones()
    builder = Builder()
    add_body(builder)
    add_fins(builder)
    add_eyes(builder)
    sequences = [psk.Sequence("swim", 30, keys(40, swim(1.0))), psk.Sequence("dart", 30, keys(16, swim(1.7))),
                 psk.Sequence("rest", 30, keys(90, swim(0.35)))]
    return {"koi.psk": psk.mesh(builder.points, builder.weights, builder.wedges, builder.faces, ["koi"], rig),
            "koi.psa": psk.animation(rig, sequences), "koi.png": image_file.encode_indexed_png(sheet())}
