# SPDX-License-Identifier: MIT
"""Packs images into one."""

import math

import numpy as np

from .character import FileError

_ATTEMPTS = 4000


def _place(sizes, order, width, max_height):
    """Returns (height, positions) of rectangles placed in an order, each as low as it fits on the skyline of those
    before it, then as far left. Returns None above `max_height`."""
    skyline, positions, height = [(0, 0, width)], [None] * len(sizes), 0
    for item in order:
        w, h = sizes[item]
        best = None
        for first, (x, _, _) in enumerate(skyline):
            if x + w > width:
                break
            y, last = 0, first
            while last < len(skyline) and skyline[last][0] < x + w:
                y = max(y, skyline[last][1])
                last += 1
            if best is None or y < best[0]:
                best = y, x, first, last
        if best is None or best[0] + h > max_height:
            return None
        y, x, first, last = best
        end, top, rest = skyline[last - 1][0] + skyline[last - 1][2], skyline[last - 1][1], []
        if end > x + w:
            rest = [(x + w, top, end - x - w)]
        skyline[first:last] = [(x, y + h, w)] + rest
        positions[item] = x, y
        height = max(height, y + h)
    return height, positions


def pack(sizes, padding=2, max_size=4096):
    """Returns (width, height, positions) of an atlas for images of the given (width, height): sides that are multiples
    of 4 and at most `max_size`, with `padding` pixels around each image. Equal sizes give equal results. Raises
    FileError if the images do not fit."""
    padded = [(w + 2 * padding, h + 2 * padding) for w, h in sizes]
    if not padded:
        return 4, 4, []
    area = sum(w * h for w, h in padded)
    limit = max_size // 4 * 4
    orders = [sorted(range(len(padded)), key=key) for key in (
        lambda i: (-padded[i][1], -padded[i][0], i), lambda i: (-max(padded[i]), -min(padded[i]), i),
        lambda i: (-padded[i][0] * padded[i][1], i))]
    narrowest = max(w for w, _ in padded)
    count = max(4, min(40, _ATTEMPTS // len(padded)))
    widths = {limit} | {max(narrowest, int(math.sqrt(area) * (0.7 + 0.9 * step / count))) for step in range(count)}
    best = None
    for width in sorted({-(-width // 4) * 4 for width in widths}):
        for order in orders if width <= limit else ():
            placed = _place(padded, order, width, limit)
            if placed is None:
                continue
            height = -(-placed[0] // 4) * 4
            score = width * height, max(width, height)
            if best is None or score < best[0]:
                best = score, width, height, placed[1]
    if best is None:
        w, h = max(sizes, key=lambda size: size[0] * size[1])
        raise FileError(f"{len(sizes)} images, the largest with {w} x {h} pixels and all together with {area} pixels, "
                        f"do not fit into an atlas of {limit} x {limit} pixels")
    _, width, height, positions = best
    return width, height, [(x + padding, y + padding) for x, y in positions]


def build(images, padding=2, max_size=4096):
    """Returns (pixels, positions) of an atlas of images, uint8 [height, width, 4]. The edges of each continue into its
    padding, so that filtering does not blend it with its neighbors. Raises FileError if they do not fit."""
    width, height, positions = pack([image.shape[1::-1] for image in images], padding, max_size)
    pixels = np.zeros((height, width, 4), np.uint8)
    for image, (x, y) in zip(images, positions):
        h, w, _ = image.shape
        pixels[y - padding:y + h + padding, x - padding:x + w + padding] = np.pad(
            image, ((padding, padding), (padding, padding), (0, 0)), mode="edge")
    return pixels, positions
