# SPDX-License-Identifier: MIT
"""Writes Aseprite artworks."""

import struct
import zlib
from dataclasses import dataclass, field

from pixel_art import CLEAR

NORMAL, MULTIPLY, SCREEN, SOFT_LIGHT, ADDITION = 0, 1, 2, 9, 16
FLIP_X, FLIP_Y, FLIP_DIAGONALLY = 0x20000000, 0x40000000, 0x80000000
LAYER, GROUP, TILEMAP = 0, 1, 2


@dataclass
class Layer:
    """An image for each frame: rows of (red, green, blue, alpha), straight."""
    name: str
    images: list
    opacity: int = 255
    blend: int = NORMAL
    z_index: dict = field(default_factory=dict)  # of single frames
    text: str = ""
    color: tuple = CLEAR


@dataclass
class Tilemap:
    """Cells for each frame: rows of a tile's number, from 1, and its flips; 0 is empty."""
    name: str
    tiles: list
    cells: list
    top: int = 0
    opacity: int = 255
    blend: int = NORMAL
    text: str = ""
    color: tuple = CLEAR


@dataclass
class Group:
    name: str
    children: list  # from bottom to top
    opacity: int = 255
    blend: int = NORMAL
    text: str = ""
    color: tuple = CLEAR


@dataclass
class Slice:
    """`area` and `center` are left, top, width and height."""
    name: str
    area: tuple
    color: tuple
    center: tuple = None
    pivot: tuple = None
    text: str = ""


def string(text):
    return struct.pack("<H", len(text.encode())) + text.encode()


def chunk(kind, content):
    return struct.pack("<IH", len(content) + 6, kind) + content


def pixels(image):
    return b"".join(bytes(color) for row in image for color in row)


def user_data(item):
    if not item.text and item.color == CLEAR:
        return b""
    text = string(item.text) if item.text else b""
    return chunk(0x2020, struct.pack("<I", 2 | bool(item.text)) + text + bytes(item.color))


def trimmed(image):
    """The drawn part of an image with its left and top, or nothing."""
    rows = [y for y, row in enumerate(image) if any(color[3] for color in row)]
    if not rows:
        return None
    columns = [x for x in range(len(image[0])) if any(row[x][3] for row in image)]
    left, right = columns[0], columns[-1] + 1
    return left, rows[0], [row[left:right] for row in image[rows[0]:rows[-1] + 1]]


class Writer:
    def __init__(self, frames):
        self.chunks = [[] for _ in range(frames)]
        self.layers = self.tilesets = 0
        self.cels = []  # Chunks of each frame, after those of all layers.

    def add(self, item, level=0):
        kind = GROUP if isinstance(item, Group) else TILEMAP if isinstance(item, Tilemap) else LAYER
        data = struct.pack("<HHHHHHB3x", 3, kind, level, 0, 0, item.blend, item.opacity) + string(item.name)
        if kind == TILEMAP:
            data += struct.pack("<I", self.add_tileset(item))
        self.chunks[0] += [chunk(0x2004, data), user_data(item)]
        number = self.layers
        self.layers += 1
        if kind == GROUP:
            for child in item.children:
                self.add(child, level + 1)
        elif kind == TILEMAP:
            self.add_cells(number, item)
        else:
            self.add_images(number, item)

    def add_tileset(self, item):
        empty = [[CLEAR] * len(item.tiles[0][0])] * len(item.tiles[0])
        data = zlib.compress(b"".join(pixels(tile) for tile in [empty] + item.tiles), 9)
        header = struct.pack("<IIIHHh14x", self.tilesets, 2 | 4, len(item.tiles) + 1, len(empty[0]), len(empty), 1)
        self.chunks[0].append(chunk(0x2023, header + string(item.name) + struct.pack("<I", len(data)) + data))
        self.tilesets += 1
        return self.tilesets - 1

    def add_cel(self, frame, number, left, top, kind, z_index, data):
        self.cels.append((frame, chunk(0x2005, struct.pack("<HhhBHh5x", number, left, top, 255, kind, z_index) + data)))

    def add_images(self, number, item):
        """Equal images are stored once."""
        first = {}
        for frame, image in enumerate(item.images):
            part = image and trimmed(image)
            if not part:
                continue
            left, top, rows = part
            z_index, same = item.z_index.get(frame, 0), first.setdefault((left, top, pixels(rows)), frame)
            if same < frame:
                self.add_cel(frame, number, left, top, 1, z_index, struct.pack("<H", same))
            else:
                size = struct.pack("<HH", len(rows[0]), len(rows))
                self.add_cel(frame, number, left, top, 2, z_index, size + zlib.compress(pixels(rows), 9))

    def add_cells(self, number, item):
        for frame, rows in enumerate(item.cells):
            header = struct.pack("<HHHIIII10x", len(rows[0]), len(rows), 32, 0x1FFFFFFF, FLIP_X, FLIP_Y, FLIP_DIAGONALLY)
            cells = b"".join(struct.pack("<I", cell) for row in rows for cell in row)
            self.add_cel(frame, number, 0, item.top, 3, 0, header + zlib.compress(cells, 9))


def encode_tags(tags):
    data = struct.pack("<H8x", len(tags))
    for tag in tags:
        data += struct.pack("<HHBH6x", tag.first, tag.last, tag.direction, tag.repeats) + bytes(tag.color[:3]) + b"\0"
        data += string(tag.name)
    colors = [chunk(0x2020, struct.pack("<I", 2) + bytes(tag.color)) for tag in tags]
    return [chunk(0x2018, data)] + colors


def encode_slice(item):
    flags = (1 if item.center else 0) | (2 if item.pivot else 0)
    data = struct.pack("<III", 1, flags, 0) + string(item.name) + struct.pack("<IiiII", 0, *item.area)
    data += struct.pack("<iiII", *item.center) if item.center else b""
    data += struct.pack("<ii", *item.pivot) if item.pivot else b""
    return [chunk(0x2022, data), user_data(item)]


def encode(size, frame_ms, items, tags, slices, palette):
    """The file of an artwork; `items` are its topmost layers and groups, from bottom to top."""
    writer = Writer(len(frame_ms))
    colors = b"".join(struct.pack("<H", 0) + bytes(color) for color in palette)
    writer.chunks[0].append(chunk(0x2007, struct.pack("<HHI8x", 1, 0, 0)))
    writer.chunks[0].append(chunk(0x2019, struct.pack("<III8x", len(palette), 0, len(palette) - 1) + colors))
    for item in items:
        writer.add(item)
    writer.chunks[0] += encode_tags(tags)
    for item in slices:
        writer.chunks[0] += encode_slice(item)
    for frame, data in sorted(writer.cels, key=lambda cel: cel[0]):
        writer.chunks[frame].append(data)
    frames = b""
    for ms, chunks in zip(frame_ms, writer.chunks, strict=True):
        chunks = [data for data in chunks if data]
        content = b"".join(chunks)
        frames += struct.pack("<IHHHHI", len(content) + 16, 0xF1FA, len(chunks), ms, 0, len(chunks)) + content
    # Valid opacities, also of groups.
    header = struct.pack("<IHHHHHIH8xB3xHBBhhHH84x", len(frames) + 128, 0xA5E0, len(frame_ms), *size, 32, 1 | 2, 100, 0,
                         len(palette), 1, 1, 0, 0, 8, 8)
    return header + frames
