# SPDX-License-Identifier: MIT
"""Draws pixel art of 48 x 48, as rows of (red, green, blue, alpha)."""

from dataclasses import dataclass

SIZE = 48
CLEAR = (0, 0, 0, 0)
FORWARD, BACKWARD, PING_PONG = 0, 1, 2  # in Pixquare and Aseprite


@dataclass
class Tag:
    """Frames `first` to `last`, both included, played `repeats` times; 0 is forever."""
    name: str
    first: int
    last: int
    color: tuple
    direction: int = FORWARD
    repeats: int = 0


def rgb(text, alpha=255):
    return tuple(bytes.fromhex(text)) + (alpha,)


def blank():
    return [[CLEAR] * SIZE for _ in range(SIZE)]


def put(image, x, y, color):
    if 0 <= x < SIZE and 0 <= y < SIZE:
        image[y][x] = color


def stamp(image, x, y, rows, colors):
    """Draws `rows` of letters with their top left at x, y; skips letters without a color."""
    for down, row in enumerate(rows):
        for across, letter in enumerate(row):
            if letter in colors:
                put(image, x + across, y + down, colors[letter])


def oval(center_x, center_y, radius_x, radius_y):
    """Yields its pixels, each with its position from -1 to 1 across and down."""
    for y in range(SIZE):
        for x in range(SIZE):
            across, down = (x + 0.5 - center_x) / radius_x, (y + 0.5 - center_y) / radius_y
            if across * across + down * down <= 1:
                yield x, y, across, down


def outlined(image, color):
    """Adds a one-pixel outline around the drawn pixels."""
    result = [row[:] for row in image]
    for y in range(SIZE):
        for x in range(SIZE):
            if image[y][x][3]:
                continue
            beside = ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
            if any(0 <= i < SIZE and 0 <= j < SIZE and image[j][i][3] for i, j in beside):
                result[y][x] = color
    return result
