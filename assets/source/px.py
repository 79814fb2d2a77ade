# SPDX-License-Identifier: MIT
"""Writes Pixquare artworks."""

import struct
import zlib
from dataclasses import dataclass, field

from pixel_art import CLEAR

LAYER, GROUP = 0, 1
NORMAL, MULTIPLY, SCREEN = 0, 1, 2


@dataclass
class Layer:
    """An image for each frame: rows of (red, green, blue, alpha), straight."""
    name: str
    images: list
    opacity: float = 1
    blend: int = NORMAL
    visible: bool = True
    clipping: list = field(default_factory=list)  # layers painted within this one, from bottom to top
    color: tuple = CLEAR


@dataclass
class Group:
    name: str
    children: list  # from bottom to top
    opacity: float = 1
    color: tuple = CLEAR


def premultiplied(color):
    red, green, blue, alpha = color
    return bytes(((red * alpha + 127) // 255, (green * alpha + 127) // 255, (blue * alpha + 127) // 255, alpha))


def deflated(data):
    """The zlib format without its final checksum, which these files lack."""
    return zlib.compress(data, 9)[:-4]


def array(items):
    return struct.pack("<Q", len(items)) + b"".join(items)


def model(header_bytes, size_format, more, content):
    header = struct.pack("<" + size_format, len(content)) + more
    return header.ljust(header_bytes, b"\0") + content


class Writer:
    """Collects the shared objects of a file. Identifiers count up, so the same artwork gives the same bytes."""

    def __init__(self, frame_ms):
        self.frame_ms, self.count = frame_ms, 0
        self.groups, self.layers, self.contents, self.content_of = [], [], [], {}

    def identifier(self):
        self.count += 1
        return b"%08X-0000-4000-8000-000000000000" % self.count

    def content(self, image):
        """Stores equal images once."""
        pixels = b"".join(premultiplied(color) for row in image for color in row)
        if pixels not in self.content_of:
            name, data = self.identifier(), deflated(pixels)
            more = struct.pack("<BII", len(name), len(pixels), len(data))
            self.contents.append(model(32, "Q", more, name + data))
            self.content_of[pixels] = name
        return self.content_of[pixels]

    def frame(self, ms, image):
        name, content = self.identifier(), self.content(image)
        data = name + struct.pack("<I?", ms, False) + content + struct.pack("<eh", 2, 0)
        return model(32, "I", bytes((len(name), len(content))), data)

    def entry(self, kind, name):
        return model(16, "I", bytes((kind,)), bytes((len(name),)) + name)

    def add(self, item):
        """Adds a layer or group with its children; returns its identifier."""
        name, title = self.identifier(), item.name.encode()
        lengths = bytes((len(name), len(title)))
        if isinstance(item, Group):
            children = array([self.add(child) for child in item.children])
            data = name + title + children + struct.pack("<e5?", item.opacity, True, False, False, False, True)
            self.groups.append(model(32, "I", lengths, data + array([]) + array([]) + premultiplied(item.color)))
            return self.entry(GROUP, name)
        clipping = array([self.add(mask) for mask in item.clipping])
        frames = array([self.frame(ms, image) for ms, image in zip(self.frame_ms, item.images, strict=True)])
        data = name + title + frames + struct.pack("<e4?H?", item.opacity, item.visible, False, False, False,
                                                   item.blend, False)
        self.layers.append(model(32, "I", lengths, data + array([]) + clipping + premultiplied(item.color)))
        return self.entry(LAYER, name)


def encode_tag(number, tag):
    name, title = b"TAG%05X-0000-4000-8000-000000000000" % number, tag.name.encode()
    data = name + title + struct.pack("<HH?", tag.first, tag.last, False) + premultiplied(tag.color)
    data += struct.pack("<BH?", tag.direction, tag.repeats, True)
    return model(16, "I", bytes((len(name), len(title))), data)


def encode(size, frame_ms, items, tags, palette):
    """The file of an artwork; `items` are its topmost layers and groups, from bottom to top."""
    writer = Writer(frame_ms)
    name = writer.identifier()
    entries = array([writer.add(item) for item in items])
    empty = array([])
    content = name + struct.pack("<II", *size) + entries + array(writer.groups) + array(writer.layers)
    content += array(writer.contents) + array([premultiplied(color) for color in palette])
    content += empty * 3 + array([encode_tag(number, tag) for number, tag in enumerate(tags)]) + empty * 3
    # Custom colors; no statistics, visible grid, guides or effects.
    content += bytes(1) + model(16, "H", b"", bytes(16)) + bytes(1) + struct.pack("<II", 16, 16) + bytes(8)
    content += struct.pack("<IH8x", 0, 14) + bytes(14) + empty + model(16, "H", b"", b"") + bytes(2)
    return model(64, "Q", struct.pack("<BH", len(name), 2), content)
