#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Makes the icons of the programs from Kiri: icon.py PCHR [FOLDER]. PCHR is the built tool."""

import struct
import subprocess
import sys
from pathlib import Path

import numpy as np

import image_file
from addon import png

ASSETS = Path(__file__).resolve().parent.parent
SIZES = (16, 24, 32, 48, 64, 128, 256)
OVERSAMPLING = 4
PLATE = np.array([32, 34, 42], np.float64) / 255  # The background of the player's panels.
GLOW = np.array([64, 88, 104], np.float64) / 255
# World units across the plate, and the point at its center. Small icons show less, so that the face stays readable.
VIEW = (360, (12, 150))
SMALL_VIEW = (310, (16, 150))


def render(tool, side, width, center):
    """Returns Kiri around a world point, with premultiplied alpha, 0 to 1."""
    command = [tool, "render", ASSETS / "kiri.pchr", "--clip", "idle", "--frame", "0", "--size", f"{side}x{side}",
               "--zoom", str(side / width), "--center", f"{center[0]},{center[1]}", "--format", "rgba", "-o", "-"]
    pixels = np.frombuffer(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout, np.uint8)
    image = pixels.reshape(side, side, 4).astype(np.float64) / 255
    image[..., :3] *= image[..., 3:]
    return image


def plate(side, radius):
    """Returns the coverage of a square with round corners, and the distance of each pixel from the square's center."""
    axis = (np.arange(side) + 0.5) / side * 2 - 1
    x, y = np.meshgrid(axis, axis)
    corner = np.hypot(np.maximum(np.abs(x) - 1 + radius, 0), np.maximum(np.abs(y) - 1 + radius, 0))
    return (corner <= radius).astype(np.float64), np.hypot(x, y)


def icon(tool, size):
    side = size * OVERSAMPLING
    width, center = SMALL_VIEW if size < 48 else VIEW
    coverage, distance = plate(side, 0.36)
    shade = np.clip(1.15 - distance, 0, 1)[..., None]
    image = np.dstack([PLATE + (GLOW - PLATE) * shade, np.ones((side, side))])
    kiri = render(tool, side, width, center)
    image = (kiri + image * (1 - kiri[..., 3:])) * coverage[..., None]
    image = image.reshape(size, OVERSAMPLING, size, OVERSAMPLING, 4).mean(axis=(1, 3))
    image[..., :3] /= np.maximum(image[..., 3:], 1e-6)
    return np.rint(np.clip(image, 0, 1) * 255).astype(np.uint8)


def bitmap(pixels):
    """An entry of an icon file: a BMP without a file header, and a mask that nothing uses."""
    size = len(pixels)
    mask = bytes(-(-size // 32) * 4 * size)
    body = pixels[::-1, :, [2, 1, 0, 3]].tobytes() + mask
    return struct.pack("<IiiHHIIiiII", 40, size, size * 2, 1, 32, 0, len(body), 0, 0, 0, 0) + body


def encoded(pixels):
    return image_file.encode_indexed_png(pixels) if len(pixels) > 64 else png.encode(pixels, 9)


def icon_file(images):
    """A Windows icon. Its large images are PNGs, the others are BMPs, which every program understands."""
    entries = [encoded(image) if len(image) > 64 else bitmap(image) for image in images]
    offset = 6 + 16 * len(entries)
    directory = struct.pack("<HHH", 0, 1, len(entries))
    for image, entry in zip(images, entries):
        directory += struct.pack("<BBBBHHII", len(image) % 256, len(image) % 256, 0, 0, 1, 32, len(entry), offset)
        offset += len(entry)
    return directory + b"".join(entries)


def main():
    tool = str(Path(sys.argv[1]).resolve())
    folder = Path(sys.argv[2]) if len(sys.argv) > 2 else ASSETS / "icon"
    folder.mkdir(parents=True, exist_ok=True)
    images = [icon(tool, size) for size in SIZES]
    for size, image in zip(SIZES, images):
        (folder / f"pchr-{size}.png").write_bytes(encoded(image))
    (folder / "pchr.ico").write_bytes(icon_file(images))


if __name__ == "__main__":
    main()
