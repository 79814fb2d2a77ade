# SPDX-License-Identifier: MIT
"""Small image files: PNGs of at most 256 colors, and BMPs."""

import struct
import zlib

import numpy as np

from addon import png


def _boxes(colors, counts, limit):
    """Groups similar colors, as arrays of indices: splits the widest group until there are enough."""
    boxes = [np.arange(len(colors))]
    while len(boxes) < limit:
        spreads = [np.ptp(colors[box], axis=0).max() * np.sqrt(counts[box].sum()) for box in boxes]
        widest = int(np.argmax(spreads))
        if spreads[widest] == 0:
            break
        box = boxes.pop(widest)
        axis = int(np.argmax(np.ptp(colors[box], axis=0)))
        box = box[np.argsort(colors[box, axis], kind="stable")]
        values = colors[box, axis]
        cut = int(np.searchsorted(values, (values[0] + values[-1]) / 2, side="right"))
        boxes += [box[:cut], box[cut:]]
    return boxes


def _palette(pixels, limit):
    """Returns at most `limit` colors, [n, 4], transparent first, and each pixel's index among them."""
    alpha = pixels[..., 3:].astype(np.float32)
    # A nearly transparent color matters little.
    seen = np.dstack([pixels[..., :3] * (alpha / 255), alpha]).astype(np.uint8) // 4 * 4
    keys = seen.astype(np.uint32) @ np.array([1 << 24, 1 << 16, 1 << 8, 1], np.uint32)
    unique, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
    colors = np.column_stack([unique >> shift & 255 for shift in (24, 16, 8, 0)]).astype(np.float64)
    index_of = np.zeros(len(unique), np.uint8)
    entries = [(0, 0, 0, 0)]
    weighted = np.zeros((len(unique), 4))
    for channel in range(4):
        full = pixels[..., channel].ravel() * (alpha.ravel() if channel < 3 else 1.0)
        weighted[:, channel] = np.bincount(inverse.ravel(), full, len(unique))
    visible = np.flatnonzero(colors[:, 3] > 0)
    for box in _boxes(colors[visible], counts[visible], limit - 1):
        members = visible[box]
        total = weighted[members].sum(axis=0)
        index_of[members] = len(entries)
        entries.append((*(total[:3] / total[3]), total[3] / counts[members].sum()))
    return np.rint(np.array(entries)).astype(np.uint8), index_of[inverse].reshape(pixels.shape[:2])


def encode_indexed_png(pixels, max_colors=256):
    """A PNG of at most 256 colors, each with its alpha, from [height, width, 4]."""
    palette, indices = _palette(pixels, max_colors)
    height, width = indices.shape
    rows = np.hstack([np.zeros((height, 1), np.uint8), indices])
    return (b"\x89PNG\r\n\x1a\n" + png.chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0))
            + png.chunk(b"PLTE", palette[:, :3].tobytes()) + png.chunk(b"tRNS", palette[:, 3].tobytes())
            + png.chunk(b"IDAT", zlib.compress(rows.tobytes(), 9)) + png.chunk(b"IEND", b""))


def encode_bmp(pixels):
    """A BMP of 24 bits per pixel, without transparency."""
    height, width, _ = pixels.shape
    row = -(-width * 3 // 4) * 4
    body = b"".join(line[:, 2::-1].tobytes().ljust(row, b"\0") for line in pixels[::-1])
    return (b"BM" + struct.pack("<IHHI", 54 + len(body), 0, 0, 54)
            + struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, len(body), 2835, 2835, 0, 0) + body)
