# SPDX-License-Identifier: MIT
"""Writes Unreal's skeletal meshes and animations."""

import struct
from dataclasses import dataclass

import numpy as np

IDENTITY = (0.0, 0.0, 0.0, 1.0)


@dataclass
class Bone:
    """A bone relative to its parent, which comes before it; the root's parent is None."""
    name: str
    parent: str | None
    position: tuple


@dataclass
class Sequence:
    """Keys by frame, then by bone: (position, rotation) in the parent."""
    name: str
    frames_per_second: float
    keys: list


def turn(axis, degrees):
    """A rotation around the axis 0, 1 or 2, counter-clockwise seen from its end."""
    half = np.radians(degrees) / 2
    rotation = [0.0, 0.0, 0.0, float(np.cos(half))]
    rotation[axis] = float(np.sin(half))
    return tuple(rotation)


def _stored(index, rotation):
    """Files store the inverse rotation of every bone but the root."""
    x, y, z, w = rotation
    return rotation if index == 0 else (-x, -y, -z, w)


def _chunk(name, size=0, records=()):
    flags = 1999801
    return struct.pack("<20siii", name.encode(), flags, size, len(records)) + b"".join(records)


def _bones(name, bones):
    numbers = {bone.name: i for i, bone in enumerate(bones)}
    children = [sum(other.parent == bone.name for other in bones) for bone in bones]
    return _chunk(name, 120, [
        struct.pack("<64sIii4f3f4f", bone.name.encode(), 0, children[i], numbers.get(bone.parent, 0),
                    *IDENTITY, *bone.position, 0, 0, 0, 0) for i, bone in enumerate(bones)])


def mesh(points, weights, wedges, faces, materials, bones):
    """A .psk file. Points are {bone name: weight}, wedges (point, u, v, material), faces three wedges,
    counter-clockwise seen from outside, and the material."""
    numbers = {bone.name: i for i, bone in enumerate(bones)}
    return b"".join((
        _chunk("ACTRHEAD"),
        _chunk("PNTS0000", 12, [struct.pack("<3f", *point) for point in points]),
        _chunk("VTXW0000", 16, [struct.pack("<HHffBBH", point, 0, u, v, material, 0, 0)
                                for point, u, v, material in wedges]),
        # Files store faces clockwise.
        _chunk("FACE0000", 12, [struct.pack("<3HBBI", a, c, b, material, 0, 1) for a, b, c, material in faces]),
        _chunk("MATT0000", 88, [struct.pack("<64siIiIii", name.encode(), i, 0, 0, 0, 0, 0)
                                for i, name in enumerate(materials)]),
        _bones("REFSKELT", bones),
        _chunk("RAWWEIGHTS", 12, [struct.pack("<fii", weight, point, numbers[bone])
                                  for point, of in enumerate(weights) for bone, weight in of.items()])))


def animation(bones, sequences):
    """A .psa file."""
    infos, keys = [], []
    for sequence in sequences:
        frames = len(sequence.keys)
        infos.append(struct.pack("<64s64siiiifffiii", sequence.name.encode(), b"", len(bones), 0, 0,
                                 frames * len(bones), 0, frames, sequence.frames_per_second, 0,
                                 len(keys) // len(bones), frames))
        for frame in sequence.keys:
            for i, (position, rotation) in enumerate(frame):
                keys.append(struct.pack("<3f4ff", *position, *_stored(i, rotation), 1))
    return b"".join((_chunk("ANIMHEAD"), _bones("BONENAMES", bones), _chunk("ANIMINFO", 168, infos),
                     _chunk("ANIMKEYS", 32, keys)))
