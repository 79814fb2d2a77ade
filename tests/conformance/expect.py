#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Computes the expected poses of a PCHR v1 character in double precision, without using pchr's code.

Usage: expect.py CHARACTER.pchr...

Writes CHARACTER.expected.json next to this script.
"""
import json
import math
import pathlib
import struct
import sys

BIND_NAMES = ("bind", "bind_pose", "bindpose", "rest", "rest_pose", "setup")


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def read(self, form):
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values if len(values) > 1 else values[0]

    def skip(self, count):
        self.at += count
        return self.data[self.at - count:self.at]

    def text(self):
        return self.skip(self.read("H")).decode()


def read_character(data):
    reader = Reader(data)
    assert data[:4] == b"PCHR" and struct.unpack_from("<I", data, 4)[0] == 1
    reader.at = 12
    for _ in range(reader.read("H")):
        reader.text()
        reader.read("HHB")
        reader.skip(reader.read("I"))
    bones = [(reader.text(), reader.read("h")) for _ in range(reader.read("H"))]
    meshes = []
    for _ in range(reader.read("H")):
        name = reader.text()
        _, vertices, indices = reader.read("HHI")
        meshes.append((name, [reader.read("4f4H4f") for _ in range(vertices)]))
        reader.skip(2 * indices)
    clips = []
    for _ in range(reader.read("H")):
        name = reader.text()
        _, frames = reader.read("BH")
        clips.append((name, [[reader.read("5fBh") for _ in bones] for _ in range(frames)]))
    assert reader.at == len(data)
    return bones, meshes, clips


def multiply(a, b):
    """Composes 2D transforms. Each is its columns in sequence: x axis, y axis, origin."""
    def apply(x, y, w):
        return [a[0] * x + a[2] * y + a[4] * w, a[1] * x + a[3] * y + a[5] * w]
    return apply(b[0], b[1], 0) + apply(b[2], b[3], 0) + apply(b[4], b[5], 1)


def invert(m):
    d = m[0] * m[3] - m[1] * m[2]
    a = [m[3] / d, -m[1] / d, -m[2] / d, m[0] / d]
    return a + [-(a[0] * m[4] + a[2] * m[5]), -(a[1] * m[4] + a[3] * m[5])]


def world_of(bones, frame):
    world = []
    for (_, parent), (x, y, rotation, scale_x, scale_y, _, _) in zip(bones, frame):
        c, s = math.cos(math.radians(rotation)), math.sin(math.radians(rotation))
        local = [c * scale_x, s * scale_x, -s * scale_y, c * scale_y, x, y]
        world.append(local if parent < 0 else multiply(world[parent], local))
    return world


def governing_bone(vertices, bone_count):
    sums = [0.0] * bone_count
    for vertex in vertices:
        for bone, weight in zip(vertex[4:8], vertex[8:12]):
            if weight != 0:
                sums[bone] += weight
    return max(range(bone_count), key=lambda bone: (sums[bone], -bone)) if any(sums) else 0


def skinned(vertex, palette):
    x, y = vertex[0], vertex[1]
    result = [0.0, 0.0]
    for bone, weight in zip(vertex[4:8], vertex[8:12]):
        if weight != 0:
            m = palette[bone]
            result[0] += weight * (m[0] * x + m[2] * y + m[4])
            result[1] += weight * (m[1] * x + m[3] * y + m[5])
    return result


def expected(data):
    bones, meshes, clips = read_character(data)
    with_frames = [clip for clip in clips if clip[1]]
    bind_name, bind_frames = next((clip for clip in with_frames if clip[0].lower() in BIND_NAMES), with_frames[0])
    inverse_bind = [invert(m) for m in world_of(bones, bind_frames[0])]
    governing = [governing_bone(vertices, len(bones)) for _, vertices in meshes]
    frames = []
    for name, samples in with_frames:
        for number in sorted({0, len(samples) // 3, len(samples) - 1}):
            frame = samples[number]
            world = world_of(bones, frame)
            palette = [multiply(m, inverse) for m, inverse in zip(world, inverse_bind)]
            visible = [i for i in range(len(meshes)) if frame[governing[i]][5] & 1]
            order = sorted(visible, key=lambda i: (frame[governing[i]][6], i))
            points = [[skinned(vertex, palette) for vertex in vertices] for _, vertices in meshes]
            shown = [point for i in visible for point in points[i]]
            bounds = [f(p[axis] for p in shown) for f in (min, max) for axis in (0, 1)] if shown else [0, 0, 0, 0]
            chosen = [range(0, len(vertices), max(len(vertices) // 8, 1)) for _, vertices in meshes]
            frames.append({
                "animation": name, "frame": number, "world": world, "drawOrder": order, "visibleBounds": bounds,
                "meshes": [{"vertices": list(some), "xy": [points[i][v] for v in some]} for i, some in enumerate(chosen)]})
    return {"boneNames": [name for name, _ in bones], "parents": [parent for _, parent in bones],
            "meshes": [{"name": mesh[0], "controllingBone": bone} for mesh, bone in zip(meshes, governing)],
            "bindAnimation": bind_name, "frames": frames}


def rounded(value):
    if isinstance(value, float):
        return round(value, 5)
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    return [rounded(item) for item in value] if isinstance(value, list) else value


for path in map(pathlib.Path, sys.argv[1:]):
    text = json.dumps(rounded(expected(path.read_bytes())), separators=(",", ":"))
    (pathlib.Path(__file__).parent / f"{path.stem}.expected.json").write_text(text + "\n")
