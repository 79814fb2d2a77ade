# SPDX-License-Identifier: MIT
"""The PCHR v1 binary: images, bones, skinned meshes and sampled clips, front to back."""

import struct

import numpy as np

from . import png
from .character import BONE_TRANSFORM, VERTEX, Bone, Character, Clip, FileError, Image, Mesh, find_problem

MAGIC = b"PCHR"
PNG, RGBA8888 = 0, 1


def _string(text, place):
    raw = text.encode("utf-8")
    if len(raw) > 65535:
        raise FileError(f"{place}: the name has {len(raw)} bytes, but the limit is 65535")
    return struct.pack("<H", len(raw)) + raw


def _count(value, what, limit=65535):
    if value > limit:
        raise FileError(f"{what}: {value}, but PCHR v1 holds at most {limit}")
    return value


def encode(character, level=6, raw=()):
    """Returns the bytes of a v1 file. `level` is the compression of PNG images; those named in `raw` are stored as
    pixels. Raises FileError if the character is not valid, or does not fit."""
    problem = find_problem(character)
    if problem:
        raise FileError(problem[3])
    out = [MAGIC, struct.pack("<IHH", 1, _count(int(character.fps), "frames per second"), 0)]

    def section(name, items):
        out.append(struct.pack("<H", _count(len(items), f"number of {name}")))
        for number, item in enumerate(items):
            out.append(_string(item.name, f"{name}[{number}]"))
            yield item

    for image in section("images", character.images):
        height, width, _ = image.pixels.shape
        is_raw = image.name in raw
        data = np.ascontiguousarray(image.pixels, np.uint8).tobytes() if is_raw else png.encode(image.pixels, level)
        out += [struct.pack("<HHBI", width, height, RGBA8888 if is_raw else PNG, len(data)), data]
    for bone in section("bones", character.bones):
        out.append(struct.pack("<h", _count(bone.parent, f'parent of bone "{bone.name}"', 32767)))
    for mesh in section("meshes", character.meshes):
        vertices = np.asarray(mesh.vertices, VERTEX)
        indices = np.asarray(mesh.indices, "<u2")
        count = _count(len(vertices), f'number of vertices of mesh "{mesh.name}"')
        out += [struct.pack("<HHI", mesh.image, count, len(indices)), vertices.tobytes(), indices.tobytes()]
    for clip in section("animations", character.clips):
        frames = np.array(clip.frames, BONE_TRANSFORM)
        frames["visible"] = frames["visible"] != 0
        count = _count(len(frames), f'number of frames of animation "{clip.name}"')
        out += [struct.pack("<BH", bool(clip.loops), count), frames.tobytes()]
    return b"".join(out)


class _Reader:
    """Takes values from the front of bytes, and names the place of an error."""

    def __init__(self, data, name):
        self.data, self.name, self.at, self.place = data, name, 0, "the header"

    def refuse(self, detail, at=None):
        at = self.at if at is None else at
        raise FileError(f"{self.name}: {self.place}, byte {at} (0x{at:x}): {detail}")

    def take(self, count, what):
        left = len(self.data) - self.at
        if count > left:
            self.refuse(f"{what} has {count} bytes, but {left} remain")
        self.at += count
        return self.data[self.at - count:self.at]

    def values(self, layout, what):
        return struct.unpack(layout, self.take(struct.calcsize(layout), what))

    def array(self, dtype, count, what):
        return np.frombuffer(self.take(count * dtype.itemsize, what), dtype)

    def section(self, name):
        """Yields (number, name) of each record of a section, with the reader behind the name."""
        self.place = f"the number of {name}"
        for number in range(self.values("<H", "the number")[0]):
            self.place = f"{name}[{number}]"
            start = self.at + 2
            raw = self.take(self.values("<H", "the length of the name")[0], "the name")
            try:
                text = bytes(raw).decode("utf-8")
            except UnicodeDecodeError as error:
                self.refuse(f"the name is not valid UTF-8: it contains the byte {raw[error.start]:02x}",
                            start + error.start)
            self.place += f" {text!r}"
            yield number, text


def decode(data, name="PCHR", warnings=None):
    """Returns the Character in the bytes of a v1 file. Raises FileError, whose message begins with `name` and has the
    place, the byte offset and the value. What was ignored is appended to the list `warnings`."""
    warnings = [] if warnings is None else warnings
    reader = _Reader(bytes(data), name)
    if reader.take(min(4, len(data)), "the signature") != MAGIC:
        reader.refuse(f"the file starts with {bytes(data[:4]).hex(' ') or 'nothing'}, expected PCHR", 0)
    version, = reader.values("<I", "the version")
    if version != 1:
        reader.refuse(f"the version is {version}, but only 1 is supported", 4)
    fps, flags = reader.values("<HH", "the frame rate and flags")
    if flags:
        warnings.append(f"{name}: the reserved flags of the file are {flags}, expected 0")
    character = Character(fps)
    starts = {}

    pixels_left = png.MAX_PIXELS
    for number, text in reader.section("images"):
        width, height, kind, length = reader.values("<HHBI", "the header")
        start = reader.at
        if not width or not height:
            reader.refuse(f"the image has {width} x {height} pixels, expected at least 1 in each direction", start - 9)
        if kind not in (PNG, RGBA8888):
            reader.refuse(f"the image format is {kind}, expected 0 (png) or 1 (rgba8888)", start - 5)
        if width * height > pixels_left:
            reader.refuse(f"the image has {width} x {height} pixels, but the images of a file have at most "
                          f"{png.MAX_PIXELS} in total", start - 9)
        pixels_left -= width * height
        body = reader.take(length, "the image")
        if kind == RGBA8888:
            if length != width * height * 4:
                reader.refuse(f"the image has {length} bytes, but {width} x {height} pixels need "
                              f"{width * height * 4}", start - 4)
            pixels = np.frombuffer(body, np.uint8).reshape(height, width, 4).copy()
        else:
            place = f"{name}: {reader.place}, PNG at byte {start} (0x{start:x})"
            if png.size(body, place) != (width, height):
                reader.refuse("the PNG has {} x {} pixels, but its header in the file says {} x {}".format(
                    *png.size(body, place), width, height), start)
            pixels = png.decode(body, place)
        character.images.append(Image(text, pixels))

    for number, text in reader.section("bones"):
        starts["bones", number] = reader.at
        character.bones.append(Bone(text, *reader.values("<h", "the parent")))

    for number, text in reader.section("meshes"):
        starts["meshes", number] = reader.at
        image, vertex_count, index_count = reader.values("<HHI", "the header")
        starts["vertices", number] = reader.at
        vertices = reader.array(VERTEX, vertex_count, "the list of vertices")
        starts["indices", number] = reader.at
        indices = reader.array(np.dtype("<u2"), index_count, "the list of indices")
        character.meshes.append(Mesh(text, image, vertices.copy(), indices.copy()))

    for number, text in reader.section("animations"):
        starts["animations", number] = reader.at
        clip_flags, frame_count = reader.values("<BH", "the header")
        starts["frames", number] = reader.at
        bones = len(character.bones)
        frames = reader.array(BONE_TRANSFORM, frame_count * bones, "the list of frames").reshape(frame_count, bones)
        frames = frames.copy()
        reserved = clip_flags & 0xFE | int(np.bitwise_or.reduce(frames["visible"] & 0xFE, axis=None))
        if reserved:
            warnings.append(f"{name}: {reader.place}: reserved flags are set ({reserved}), expected 0")
        frames["visible"] &= 1
        character.clips.append(Clip(text, bool(clip_flags & 1), frames))

    if reader.at < len(data):
        warnings.append(f"{name}: {len(data) - reader.at} bytes follow the character at byte {reader.at}")
    problem = find_problem(character)
    if problem:
        raise FileError(f"{name}: {problem[3]}, at byte {_offset(starts, problem, len(character.bones))}")
    return character


def _offset(starts, problem, bones):
    """Returns the byte of a problem that find_problem() found."""
    section, number, field, _ = problem
    if not field:
        return starts[section, number]
    start = starts[field[0], number]
    if field[0] == "indices":
        return start + 2 * field[1]
    if field[0] == "vertices":
        return start + field[1] * VERTEX.itemsize + VERTEX.fields[field[2]][1]
    return start + (field[1] * bones + field[2]) * BONE_TRANSFORM.itemsize + BONE_TRANSFORM.fields[field[3]][1]
