# SPDX-License-Identifier: MIT
"""A paper pennant on a pole, as a glTF scene: the pole follows its node, four joints bend the cloth, and a morph target
curls its tip."""

import base64
import json

import numpy as np

import image_file

COLUMNS, ROWS, JOINTS = 24, 8, 4
LENGTH, HEIGHT = 1.6, 0.8
FRAMES, RATE = 48, 24
FLOAT, SHORT, BYTE = 5126, 5123, 5121
TYPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
NUMBERS = {FLOAT: np.float32, SHORT: np.uint16, BYTE: np.uint8}


class Buffer:
    def __init__(self):
        self.data, self.views, self.accessors = b"", [], []

    def view(self, data, **more):
        self.views.append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data)} | more)
        self.data += data + bytes(-len(data) % 4)
        return len(self.views) - 1

    def add(self, values, component=FLOAT, target=None, bounds=False):
        values = np.asarray(values, NUMBERS[component])
        values = values.reshape(len(values), -1)
        view = self.view(values.tobytes(), **({"target": target} if target else {}))
        accessor = {"bufferView": view, "componentType": component, "count": len(values), "type": TYPES[values.shape[1]]}
        if bounds:
            accessor |= {"min": values.min(0).tolist(), "max": values.max(0).tolist()}
        self.accessors.append(accessor)
        return len(self.accessors) - 1


def texture():
    """Three bands of paper with a light grain."""
    grain = np.random.default_rng(7).normal(0, 3, (32, 64, 1))
    bands = np.array([[194, 74, 60], [243, 233, 214], [194, 74, 60]], float)[np.minimum(np.arange(32) * 3 // 32, 2)]
    pixels = np.clip(bands[:, None, :] + grain, 0, 255).astype(np.uint8)
    return image_file.encode_indexed_png(np.dstack([pixels, np.full((32, 64), 255, np.uint8)]))


def cloth(buffer):
    """A pennant in the plane z = 0 that narrows toward its tip."""
    u, v = np.meshgrid(np.linspace(0, 1, COLUMNS + 1), np.linspace(0, 1, ROWS + 1))
    u, v = u.ravel(), v.ravel()
    place = np.stack([u * LENGTH, (0.5 - v) * HEIGHT * (1 - 0.7 * u), 0 * u], 1)
    share = np.clip(u * JOINTS - 0.5, 0, JOINTS - 1)
    first = np.minimum(share.astype(int), JOINTS - 2)
    joints = np.stack([first, first + 1, 0 * first, 0 * first], 1)
    weights = np.stack([first + 1 - share, share - first, 0 * u, 0 * u], 1)
    joints[weights == 0] = 0
    curl = np.maximum(u - 0.6, 0)
    offsets = np.stack([-curl * curl, 0 * u, 1.2 * curl * curl], 1)
    corner = np.arange(ROWS)[:, None] * (COLUMNS + 1) + np.arange(COLUMNS)
    below = corner + COLUMNS + 1
    triangles = np.stack([corner, below, corner + 1, corner + 1, below, below + 1], -1)
    add = lambda values, *more, **named: buffer.add(values, *more, target=34962, **named)
    return {"attributes": {"POSITION": add(place, bounds=True), "NORMAL": add(np.tile([0, 0, 1], (len(u), 1))),
                           "TEXCOORD_0": add(np.stack([u, v], 1)), "JOINTS_0": add(joints, BYTE), "WEIGHTS_0": add(weights)},
            "targets": [{"POSITION": add(offsets, bounds=True)}], "material": 0,
            "indices": buffer.add(triangles.reshape(-1, 1), SHORT, 34963)}


def pole(buffer):
    """Six sides, without normals of its own."""
    angles = np.arange(7) * np.pi / 3
    ring = np.stack([0.05 * np.cos(angles), 0 * angles, 0.05 * np.sin(angles)], 1)
    places = np.concatenate([ring + [0, -2.2, 0], ring + [0, 0.6, 0]])
    triangles = [[i, i + 7, i + 1, i + 1, i + 7, i + 8] for i in range(6)]
    return {"attributes": {"POSITION": buffer.add(places, target=34962, bounds=True)}, "material": 1,
            "indices": buffer.add(np.reshape(triangles, (-1, 1)), SHORT, 34963)}


def build():
    buffer = Buffer()
    step = LENGTH / JOINTS
    inverse = np.tile(np.eye(4), (JOINTS, 1, 1))
    inverse[:, 3, 0] = -step * np.arange(JOINTS)
    nodes = [{"name": "pole", "mesh": 0, "children": [1]}]
    nodes += [{"name": f"cloth_{i + 1}", "translation": [step if i else 0.05, 0, 0]} for i in range(JOINTS)]
    for i in range(JOINTS):
        nodes[i + 1] |= {"children": [i + 2]} if i + 1 < JOINTS else {}
    nodes.append({"name": "pennant", "mesh": 1, "skin": 0})
    meshes = [{"name": "pole", "primitives": [pole(buffer)]}, {"name": "pennant", "primitives": [cloth(buffer)]}]
    skin = {"joints": list(range(1, JOINTS + 1)), "inverseBindMatrices": buffer.add(inverse.reshape(JOINTS, 16))}
    seconds = np.arange(FRAMES + 1) / RATE
    turn = 2 * np.pi * seconds / seconds[-1]
    times = buffer.add(seconds, bounds=True)
    samplers, channels = [], []
    for i in range(JOINTS):
        half = np.radians(14 + 3 * i) * np.sin(turn - 0.9 * i) / 2
        keys = buffer.add(np.stack([0 * half, np.sin(half), 0 * half, np.cos(half)], 1))
        channels.append({"sampler": len(samplers), "target": {"node": i + 1, "path": "rotation"}})
        samplers.append({"input": times, "output": keys})
    channels.append({"sampler": len(samplers), "target": {"node": JOINTS + 1, "path": "weights"}})
    samplers.append({"input": times, "output": buffer.add(0.5 - 0.5 * np.cos(turn))})
    image = buffer.view(texture())
    scene = {
        "asset": {"version": "2.0", "generator": "assets/source/hata.py"},
        "scene": 0, "scenes": [{"nodes": [0, JOINTS + 1]}], "nodes": nodes, "meshes": meshes, "skins": [skin],
        "materials": [
            {"name": "cloth", "doubleSided": True, "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, "metallicFactor": 0}},
            {"name": "wood", "pbrMetallicRoughness": {"baseColorFactor": [0.22, 0.12, 0.06, 1], "metallicFactor": 0}}],
        "textures": [{"source": 0}], "images": [{"name": "cloth", "bufferView": image, "mimeType": "image/png"}],
        "animations": [{"name": "wave", "samplers": samplers, "channels": channels}],
        "accessors": buffer.accessors, "bufferViews": buffer.views,
        "buffers": [{"byteLength": len(buffer.data), "uri": "data:application/octet-stream;base64," +
                     base64.b64encode(buffer.data).decode()}]}
    return (json.dumps(scene, separators=(",", ":")) + "\n").encode()
