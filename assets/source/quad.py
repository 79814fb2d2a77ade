# SPDX-License-Identifier: MIT
"""One bone, one quad, one small leaf: the smallest possible character."""

import numpy as np

import paper
import puppet
from addon import Character, Image, Mesh

SIZE = 32
FRAMES = 12


def leaf():
    """A maple-red paper leaf on a 32x32 image."""
    sheet = paper.Sheet("leaf", (-16, -16, 16, 16), 1, seed=1)
    body = paper.blob([(0, 13, "corner"), (7.5, 7), (9.5, 0), (6.5, -6), (0, -10, "corner"),
                       (-6.5, -6), (-9.5, 0), (-7.5, 7)])
    sheet.cut(paper.line([(0, -7), (-0.4, -10), (-1.4, -12)], 2.2), paper.rgb("#8c3a2e"), lift=0.4,
              edge=0.4, grain=0)
    sheet.cut(body, paper.rgb("#e2703a"), lift=0.4, edge=0.35, grain=0.6)
    half = paper.blob([(0, 13, "corner"), (7.5, 7), (9.5, 0), (6.5, -6), (0, -10, "corner")])
    sheet.tint(half, paper.rgb("#b8432f"), 0.55)
    for y in (-5, 0, 5):
        for side in (-1, 1):
            sheet.tint(paper.line([(0, y), (side * 5, y + 3.6)], 0.9), paper.rgb("#ffe0b0"), 0.6)
    return sheet


def build():
    sheet = leaf()
    straight = sheet.color / np.maximum(sheet.alpha, 1e-3)[..., None]
    pixels = np.rint(np.clip(np.dstack([straight, sheet.alpha]), 0, 1) * 255).astype(np.uint8)
    pixels[pixels[..., 3] == 0] = 0

    rig = puppet.Rig()
    rig.add("leaf", None, 0, 0)
    half = SIZE / 2
    corners = np.array([(-half, half), (half, half), (-half, -half), (half, -half)])
    uv = np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1])
    quad = Mesh("leaf", 0, puppet.vertices(rig, corners, uv, [{"leaf": 1.0}] * 4), [0, 2, 1, 1, 2, 3])

    turn = puppet.Take(rig, "turn", FRAMES, 12, loop=True)
    turn.rotate("leaf", 360 * turn.phase)
    return Character(12, [Image("leaf", pixels)], rig.file_bones(), [quad], [turn.clip()])
