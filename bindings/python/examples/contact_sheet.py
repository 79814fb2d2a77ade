# SPDX-License-Identifier: MIT
"""Draws every clip of a character as a row of frames.

    contact_sheet.py CHARACTER IMAGE.png
"""
import sys

import numpy as np
import pchr


def contact_sheet(hero, columns=8, size=160):
    canvas = pchr.Canvas(size, size)
    canvas.fit(hero.bounds())
    pose = pchr.Pose(hero)
    rows = []
    for clip in hero.clips:
        frames = []
        for seconds in np.linspace(0, clip.duration_seconds, columns, endpoint=False):
            pose.clip(clip.name, seconds)
            canvas.clear((0.96, 0.94, 0.92, 1))
            canvas.draw(pose)
            frames.append(canvas.finish())
        rows.append(np.hstack(frames))
    return np.vstack(rows)


if __name__ == "__main__":
    sheet = contact_sheet(pchr.load(sys.argv[1]))
    with open(sys.argv[2], "wb") as file:
        file.write(pchr.encode_png(sheet))
