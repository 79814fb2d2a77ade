# SPDX-License-Identifier: MIT
"""Pachario JSON, with PNG images beside it: reads both dialects, also mixed, and writes that of the exporter."""

import json
import os
import re
import stat
import struct

import numpy as np

from . import png
from .character import (BONE_TRANSFORM, MAX_INFLUENCES, VERTEX, Bone, Character, Clip, FileError, Image, Mesh,
                        find_problem)

MAX_FILE_BYTES = 1 << 30
# (v1 dialect, Pachario dialect)
_PARENT, _IMAGE, _INDICES = ("parent", "parentIdx"), ("image", "imageIdx"), ("indices", "triangles")
_TYPES = {dict: "an object", list: "an array", str: "a string", int: "a number", float: "a number", bool: "a boolean",
          type(None): "null"}
_FLOAT = struct.Struct("<f")


class _Bad(Exception):
    """A value of the wrong kind: the path to it, from the inside out, and what is wrong."""

    def __init__(self, detail, *path):
        super().__init__(detail)
        self.detail, self.path = detail, list(path)


def _typed(value, kind, expected):
    if type(value) is not kind:
        raise _Bad(f"is {_TYPES[type(value)]}, but must be {expected}")
    return value


def _float(value):
    if type(value) not in (int, float):
        raise _Bad(f"is {_TYPES[type(value)]}, but must be a number")
    try:
        number = float(value)
    except OverflowError:
        number = float("inf")
    if not abs(number) < 3.4028235677973366e38:
        raise _Bad(f"is {str(value)[:40]}, which does not fit in a float")
    return _FLOAT.unpack(_FLOAT.pack(number))[0]


def _whole(low, high):
    def read(value):
        if type(value) not in (int, float):
            raise _Bad(f"is {_TYPES[type(value)]}, but must be a whole number")
        if type(value) is float and not value.is_integer():
            raise _Bad(f"is {value}, but must be a whole number")
        if not low <= value <= high:
            raise _Bad(f"is {str(value)[:40]}, but must be between {low} and {high}")
        return int(value)
    return read


def _text(value):
    _typed(value, str, "a string")
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        raise _Bad("has an escape sequence that is not a character")
    return value


def _flag(value):
    return _typed(value, bool, "true or false")


_COUNT, _BYTE, _ANY_INDEX = _whole(0, 65535), _whole(0, 255), _whole(-1 << 63, 1 << 63)


def _list(value, read):
    """Reads each element of an array."""
    items = []
    for number, item in enumerate(_typed(value, list, "an array")):
        try:
            items.append(read(item))
        except _Bad as bad:
            bad.path.append(number)
            raise
    return items


def _get(record, keys, read, *default):
    """Reads the value of a key, or of a pair of keys of both dialects, which must agree."""
    keys = (keys,) if isinstance(keys, str) else keys
    found = []
    for key in keys:
        if key in record:
            try:
                found.append(read(record[key]))
            except _Bad as bad:
                bad.path.append(key)
                raise
    if not found and default:
        return default[0]
    if not found:
        raise _Bad("is missing", keys[-1])
    if found[0] != found[-1]:
        raise _Bad(f'contradicts "{keys[-1]}"', keys[0])
    return found[0]


def _read_flag(record, name):
    """Returns a boolean that is also bit 0 of `flags`, and the other bits."""
    named, flags = _get(record, name, _flag, None), _get(record, "flags", _BYTE, None)
    if named is None and flags is None:
        raise _Bad("is missing", name)
    if named is not None and flags is not None and named != bool(flags & 1):
        raise _Bad(f'contradicts "{name}"', "flags")
    return (named if flags is None else bool(flags & 1)), (flags or 0) & 0xFE


def _read_influences(record):
    """Returns the (bone, weight) pairs of a vertex: its slots as stored, or those with a weight if there are more."""
    def influence(item):
        _typed(item, dict, "an object")
        return _get(item, "idx", _ANY_INDEX), _get(item, "weight", _float)

    listed = _get(record, "bones", lambda value: _list(value, influence), None)
    ids = _get(record, "boneIds", lambda value: _list(value, _ANY_INDEX), None)
    weights = _get(record, "boneWeights", lambda value: _list(value, _float), None)
    if ids is None and weights is None:
        if listed is None:
            raise _Bad("has neither bones nor boneIds and boneWeights")
        pairs = listed
    else:
        if ids is None or weights is None:
            raise _Bad("is missing", "boneIds" if ids is None else "boneWeights")
        if len(ids) != len(weights):
            raise _Bad(f"has {len(ids)} boneIds but {len(weights)} boneWeights")
        pairs = list(zip(ids, weights))
    used = [pair for pair in pairs if pair[1]]
    if listed is not None and pairs is not listed and used != [pair for pair in listed if pair[1]]:
        raise _Bad("has bones that contradict its boneIds and boneWeights")
    for bone, _ in used:
        if not 0 <= bone <= 65535:
            raise _Bad(f"has the bone {bone}, but must have bones between 0 and 65535")
    # A slot without weight can have any bone.
    return used if len(pairs) > MAX_INFLUENCES else [(bone if 0 <= bone <= 65535 else 0, weight)
                                                     for bone, weight in pairs]


def largest_influences(pairs):
    """Returns the four (bone, weight) pairs with the largest weights, in their order, scaled to the sum of all."""
    order = sorted(range(len(pairs)), key=lambda i: -abs(pairs[i][1]))
    kept = [pairs[i] for i in sorted(order[:MAX_INFLUENCES])]
    total, share = sum(weight for _, weight in pairs), sum(weight for _, weight in kept)
    # Weights of both signs may nearly cancel out.
    if share and 0 < total / share <= len(pairs):
        return [(bone, weight * (total / share)) for bone, weight in kept]
    return [(bone, weight + (total - share) / len(kept)) for bone, weight in kept]


def _read_vertex(record, crowded):
    _typed(record, dict, "an object")
    place = tuple(_get(record, key, _float) for key in ("x", "y", "u", "v"))
    used = _read_influences(record)
    if len(used) > MAX_INFLUENCES:
        crowded.append(len(used))
        used = largest_influences(used)
    used += [(0, 0.0)] * (MAX_INFLUENCES - len(used))
    return (*place, tuple(bone for bone, _ in used), tuple(weight for _, weight in used))


def _read_mesh(record, number, warnings):
    _typed(record, dict, "an object")
    crowded = []
    name = _get(record, "name", _text)
    vertices = _get(record, "vertices", lambda value: _list(value, lambda item: _read_vertex(item, crowded)))
    if len(vertices) > 65535:
        raise _Bad(f"has {len(vertices)} vertices, but the maximum is 65535")
    if crowded:
        warnings.append(f'meshes[{number}] "{name}": {len(crowded)} vertices have up to {max(crowded)} bones; the four '
                        "largest weights are used, scaled to the sum of all")
    indices = _get(record, _INDICES, lambda value: _list(value, _COUNT))
    return Mesh(name, _get(record, _IMAGE, _COUNT), np.array(vertices, VERTEX), np.array(indices, "<u2"))


def _read_clip(record, number, bones, warnings):
    _typed(record, dict, "an object")
    reserved, large = 0, 0

    def transform(item):
        nonlocal reserved, large
        _typed(item, dict, "an object")
        visible, bits = _read_flag(item, "visible")
        z_order = _get(item, "zOrder", _whole(-1 << 31, (1 << 31) - 1))
        reserved |= bits
        large += not -32768 <= z_order <= 32767
        return (*(_get(item, key, _float) for key in ("x", "y", "rotation", "scaleX", "scaleY")), visible,
                max(-32768, min(z_order, 32767)))

    def frame(item):
        transforms = _list(item, transform)
        if len(transforms) != bones:
            raise _Bad(f"has {len(transforms)} transforms, but the file has {bones} bones")
        return np.array(transforms, BONE_TRANSFORM)

    name = _get(record, "name", _text)
    loops, bits = _read_flag(record, "loop")
    frames = _get(record, "frames", lambda value: _list(value, frame))
    if len(frames) > 65535:
        raise _Bad(f"has {len(frames)} frames, but the maximum is 65535", "frames")
    if reserved | bits:
        warnings.append(f'animations[{number}] "{name}": reserved flags are set ({reserved | bits}), expected 0')
    if large:
        warnings.append(f'animations[{number}] "{name}": {large} draw orders do not fit in 16 bits; they are clamped')
    return Clip(name, loops, np.stack(frames) if frames else np.zeros((0, bones), BONE_TRANSFORM))


def _image_bytes(path, folder, max_bytes):
    """Returns the bytes of an image file, which must be in or below `folder`."""
    parts = path.replace("\\", "/").split("/")
    if not path or parts[0] == "" or ":" in path or ".." in parts or "\0" in path:
        raise _Bad(f"is {path!r}, but must be a relative path inside the character's folder", "path")
    file = os.path.join(folder, *parts)
    try:
        real, root = os.path.realpath(file), os.path.realpath(folder)
        if os.path.commonpath([real, root]) != root:
            raise _Bad(f"is {path!r}, a link that leaves the character's folder", "path")
        return read_bytes(real, max_bytes)
    except (OSError, ValueError, FileError) as error:
        raise _Bad(f"is {path!r}, but {error}", "path") from None


def read_bytes(path, max_bytes=MAX_FILE_BYTES):
    """Returns the bytes of a regular file. Raises FileError."""
    try:
        # Opening a pipe would wait for its other end.
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            raise FileError(f"{path}: is not a regular file")
        if status.st_size > max_bytes:
            raise FileError(f"{path}: has {status.st_size} bytes, but the limit is {max_bytes}")
        with open(path, "rb") as file:
            data = file.read(max_bytes + 1)
    except (OSError, ValueError) as error:
        raise FileError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > max_bytes:
        raise FileError(f"{path}: has more than {max_bytes} bytes")
    return data


def checker(width, height):
    """Returns the pixels that stand for an image that is missing: a gray checker."""
    y, x = np.ogrid[:height, :width]
    pixels = np.full((height, width, 4), 255, np.uint8)
    pixels[:, :, :3] = np.where((x // 8 + y // 8) % 2, 160, 96)[:, :, None]
    return pixels


def _read_image(record, number, images, budget, warnings):
    _typed(record, dict, "an object")
    name, path = _get(record, "name", _text), _get(record, "path", _text)
    width, height = (_get(record, key, _whole(1, 65535)) for key in ("width", "height"))
    kind = _get(record, "format", _text, "png")
    if kind not in ("png", "rgba8888"):
        raise _Bad(f"is {kind!r}, but must be png or rgba8888", "format")
    budget[0] -= width * height
    if budget[0] < 0:
        raise _Bad(f"has {width} x {height} pixels, but the images of a character have at most {png.MAX_PIXELS} in "
                   "total")
    data = b"".join(images[number:number + 1]) if isinstance(images, list) else _image_bytes(path, images, budget[1])
    budget[1] -= len(data)
    if not data:
        warnings.append(f'images[{number}] "{name}": the image is not in the file; a checker is used instead')
        return Image(name, checker(width, height))
    if kind == "rgba8888" and not data.startswith(b"\x89PNG"):
        if len(data) != width * height * 4:
            raise _Bad(f"has {len(data)} bytes, but {width} x {height} pixels need {width * height * 4}", "path")
        return Image(name, np.frombuffer(data, np.uint8).reshape(height, width, 4).copy())
    try:
        if png.size(data) != (width, height):
            raise FileError("PNG: it has {} x {} pixels, but the JSON says {} x {}".format(
                *png.size(data), width, height))
        return Image(name, png.decode(data))
    except FileError as error:
        raise _Bad(f"is {path!r}: {error}", "path") from None


def _is_no_image(record):
    """Returns whether this is the image that the exporter writes for a character without an atlas."""
    return isinstance(record, dict) and [record.get(key) for key in ("path", "width", "height")] == ["", 0, 0]


def _object(pairs):
    record = {}
    for key, value in pairs:
        if record.setdefault(key, value) != value:
            raise _Bad(f'the key "{key}" is given twice with different values')
    return record


def load_json(text, name):
    """Returns the object in a JSON text (bytes or str). Raises FileError with line and column."""
    def constant(word):
        raise _Bad(f"{word} is not a number in JSON")

    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8-sig")
        record = json.loads(text.lstrip("\ufeff"), object_pairs_hook=_object, parse_constant=constant,
                            parse_int=lambda digits: int(digits) if len(digits) < 20 else float(digits))
    except UnicodeDecodeError as error:
        raise FileError(f"{name}: byte {error.start} is {error.object[error.start]:02x}, which is not valid "
                        "UTF-8") from None
    except json.JSONDecodeError as error:
        raise FileError(f"{name}: line {error.lineno}, column {error.colno}: {error.msg}") from None
    except RecursionError:
        raise FileError(f"{name}: the JSON has too many nested brackets") from None
    except (_Bad, ValueError) as error:
        raise FileError(f"{name}: {error}") from None
    if not isinstance(record, dict):
        raise FileError(f"{name}: the JSON is {_TYPES[type(record)]}, but must be an object")
    return record


def parse(text, images, name="JSON", warnings=None):
    """Returns the Character in a JSON text (bytes or str). `images` is the folder of the image files, or a list of the
    bytes of those that there are, in order. Raises FileError, whose message begins with `name` and has the place and
    the value. What was ignored or changed is appended to the list `warnings`."""
    record = load_json(text, name)
    found = []
    try:
        version = _get(record, "version", _whole(-1 << 63, 1 << 63))
        if version != 1:
            raise _Bad(f"is {version}, but only version 1 is supported", "version")
        character = Character(_get(record, "fps", _COUNT))
        if _get(record, "flags", _COUNT, 0):
            found.append(f"the reserved flags of the file are {record['flags']}, expected 0")
        budget = [png.MAX_PIXELS, MAX_FILE_BYTES]

        def section(key, read):
            numbers = iter(range(1 << 30))
            return _get(record, key, lambda value: _list(value, lambda item: read(item, next(numbers))))

        def bone(item, _):
            _typed(item, dict, "an object")
            return Bone(_get(item, "name", _text), _get(item, _PARENT, _whole(-1, 65534)))

        character.bones = section("bones", bone)
        if len(character.bones) > 65535:
            raise _Bad(f"has {len(character.bones)} entries, but the maximum is 65535", "bones")
        character.meshes = section("meshes", lambda item, number: _read_mesh(item, number, found))
        character.clips = section("animations", lambda item, number: _read_clip(item, number, len(character.bones),
                                                                                found))
        listed = record.get("images")
        if not (isinstance(listed, list) and len(listed) == 1 and _is_no_image(listed[0])):
            character.images = section("images", lambda item, number: _read_image(item, number, images, budget, found))
    except _Bad as bad:
        place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in reversed(bad.path)).lstrip(".")
        raise FileError(f"{name}: {place} {bad.detail}" if place else f"{name}: {bad.detail}") from None
    problem = find_problem(character)
    if problem:
        raise FileError(f"{name}: {problem[3]}")
    if warnings is not None:
        warnings += [f"{name}: {warning}" for warning in found]
    return character


def _numbers(array):
    """Returns the shortest text of each float32 that reads back as the same float32, also through a double."""
    values = np.ascontiguousarray(array, np.float32)
    texts = values.astype(str)
    with np.errstate(over="ignore"):
        changed = texts.astype(np.float64).astype(np.float32) != values
    texts[changed] = [f"{value:.9g}" for value in values[changed]]
    return texts


def _lines(items, indent):
    items = list(items)
    return "[" + ",".join(f"\n{indent}  {item}" for item in items) + (f"\n{indent}]" if items else "]")


def image_names(character, stem, taken=()):
    """Returns a file name for each image: hero.png, or hero_NAME.png if there are several, with what is not safe in
    file names replaced. Names in `taken` (lower case) are not used."""
    used, names = set(taken), []
    for image in character.images:
        word = re.sub(r"[^\w-]+", "_", image.name)[:64].strip("_")
        base = f"{stem}_{word or 'image'}" if len(character.images) > 1 else stem
        name, number = f"{base}.png", 2
        while name.lower() in used:
            name, number = f"{base}_{number}.png", number + 1
        used.add(name.lower())
        names.append(name)
    return names


def encode(character, image_paths):
    """Returns the JSON text of a character, in the dialect of the exporter. Raises FileError if it is not valid."""
    problem = find_problem(character)
    if problem:
        raise FileError(problem[3])

    def quoted(text):
        return json.dumps(text, ensure_ascii=False)

    def mesh(item):
        vertices = np.asarray(item.vertices, VERTEX)
        columns = zip(*(_numbers(vertices[key]) for key in ("x", "y", "u", "v")), vertices["bone_ids"].tolist(),
                      vertices["bone_weights"], _numbers(vertices["bone_weights"]))
        rows = [f'{{"x": {x}, "y": {y}, "u": {u}, "v": {v}, "bones": ['
                + ", ".join(f'{{"idx": {bone}, "weight": {text}}}' for bone, weight, text in zip(ids, weights, texts)
                            if weight) + "]}" for x, y, u, v, ids, weights, texts in columns]
        triangles = [", ".join(map(str, triple)) for triple in np.reshape(item.indices, (-1, 3)).tolist()]
        return (f'{{\n      "name": {quoted(item.name)},\n      "imageIdx": {item.image},\n      "vertices": '
                f'{_lines(rows, "      ")},\n      "triangles": {_lines(triangles, "      ")}\n    }}')

    def frame(transforms):
        columns = zip(*(_numbers(transforms[key]) for key in ("x", "y", "rotation", "scale_x", "scale_y")),
                      transforms["visible"], transforms["z_order"])
        return _lines((f'{{"x": {x}, "y": {y}, "rotation": {rotation}, "scaleX": {scale_x}, "scaleY": {scale_y}, '
                       f'"visible": {"true" if visible else "false"}, "zOrder": {z_order}}}'
                       for x, y, rotation, scale_x, scale_y, visible, z_order in columns), "        ")

    def clip(item):
        return (f'{{\n      "name": {quoted(item.name)},\n      "loop": {"true" if item.loops else "false"},\n'
                f'      "frames": {_lines(map(frame, item.frames), "      ")}\n    }}')

    images = (f'{{"name": {quoted(image.name)}, "path": {quoted(path)}, "width": {image.pixels.shape[1]}, "height": '
              f'{image.pixels.shape[0]}, "format": "png"}}' for image, path in zip(character.images, image_paths))
    bones = (f'{{"name": {quoted(bone.name)}, "parentIdx": {bone.parent}}}' for bone in character.bones)
    return (f'{{\n  "version": 1,\n  "fps": {character.fps},\n  "images": {_lines(images, "  ")},\n'
            f'  "bones": {_lines(bones, "  ")},\n  "meshes": {_lines(map(mesh, character.meshes), "  ")},\n'
            f'  "animations": {_lines(map(clip, character.clips), "  ")}\n}}\n')
