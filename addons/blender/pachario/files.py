# SPDX-License-Identifier: MIT
"""Character files of all kinds, by content, and writing several files at once."""

import os
import re
import shutil
import struct
import tempfile

from . import pachario_json, pchr_v1, png, rig_file
from .character import FileError


def read_character(path):
    """Returns (Character, warnings: list of text) of a v1, older packed, or JSON file. Raises FileError."""
    path = os.fspath(path)
    data = pachario_json.read_bytes(path)
    warnings = []
    if data.startswith(pchr_v1.MAGIC):
        packed = _is_packed(data)
        if not packed:
            try:
                return pchr_v1.decode(data, path, warnings), warnings
            except FileError:
                if packed is None:
                    raise
                warnings.clear()
        return _read_packed(data, path, warnings), warnings
    if data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
        folder = os.path.dirname(os.path.realpath(path))
        try:
            return pachario_json.parse(data, folder, path, warnings), warnings
        except FileError:
            other = _other_format(data, path)
            if other:
                raise FileError(f"{path}: {other}") from None
            raise
    raise FileError(f"{path}: the file starts with {data[:8].hex(' ') or 'nothing'}, expected PCHR or a JSON object")


def _other_format(data, path):
    """Returns what a JSON file of another format is, and what to do with it, or None."""
    try:
        record = pachario_json.load_json(data, path)
    except FileError:
        return None
    name = os.path.basename(path)
    target = os.path.splitext(name)[0].removesuffix("_ske") + ".pchr"
    convert = f'convert it first: pchr convert "{name}" -o "{target}" (--lossy leaves out what PCHR cannot store)'
    if isinstance(record.get("armature"), list):
        return f"this is a skeleton of DragonBones; {convert}"
    if "SubTexture" in record:
        return "this is a texture atlas of DragonBones; convert the skeleton beside it, whose name ends in _ske.json"
    if isinstance(record.get("asset"), dict) and "version" in record["asset"]:
        return f"this is a glTF file; {convert}"
    if isinstance(record.get("bones"), list) and "slots" in record and ("skeleton" in record or "skins" in record):
        return f"this is a skeleton of Spine; {convert}"
    return None


def _is_packed(data):
    """Returns whether a file is an older packed one: None if not, False if it resembles one, but has another size."""
    if len(data) < 16:
        return None
    version, text_size, image_size = struct.unpack_from("<III", data, 4)
    # As v1, these bytes are the start of a name.
    if version != 1 or not re.match(rb"\s*\{\s*\"", data[16:16 + min(text_size, 4096)]):
        return None
    return 16 + text_size + image_size == len(data)


def _read_packed(data, path, warnings):
    text_size, image_size = struct.unpack_from("<II", data, 8)
    left = len(data) - 16 - text_size - image_size
    if left < 0:
        raise FileError(f"{path}: byte 8 (0x8): the header declares an older packed file of 16 + {text_size} + "
                        f"{image_size} bytes, but this one has {len(data)}")
    if left:
        warnings.append(f"{path}: {left} bytes follow the character at byte {len(data) - left}")
    image = data[16 + text_size:16 + text_size + image_size]
    return pachario_json.parse(data[16:16 + text_size], [image], path, warnings)


def write_files(path, character, formats=("PCHR",), markers=None, masks=None, level=6, avoid=(), warnings=None):
    """Writes a character next to `path`, in each of `formats` ("PCHR", "JSON"), with hero.rig.json if there are
    `markers` or `masks` (None keeps those of an existing file). Returns the paths written. All files are complete
    before the first is replaced; if one cannot be written, none is changed, and FileError is raised. Image files are
    not named as those in `avoid`, the paths of other images. Masks that the runtime would refuse are left out or
    renamed; what the rig names but the character lacks stays; the other entries of the character's rig go to a new
    file, but not to one that exists: all that is appended to the list `warnings`."""
    path = os.fspath(path)
    stem, extension = os.path.splitext(path)
    if extension.lower() not in (".pchr", ".json"):
        stem = path
    if not os.path.basename(stem):
        raise FileError(f"{os.path.abspath(path)}: is a folder; expected the name of a file")
    contents = {}
    if "JSON" in formats:
        folder = os.path.dirname(os.path.abspath(stem))
        taken = [os.path.basename(each).lower() for each in avoid if _same_folder(each, folder)]
        names = pachario_json.image_names(character, os.path.basename(stem), taken)
        for name, image in zip(names, character.images):
            contents[os.path.join(os.path.dirname(stem), name)] = png.encode(image.pixels, level)
        contents[stem + ".json"] = pachario_json.encode(character, names).encode()
    # A "bind" in the rig would replace the clip.
    clips = [clip.name for clip in character.clips]
    found = []
    if masks is not None:
        masks = rig_file.valid_masks(masks, found)
    missing = rig_file.lacking(stem + ".pchr", character.rig)
    if missing:
        found.append(f"{rig_file.path_for(stem)}: it exists, and has no {', '.join(missing)}; those of the character "
                     "that was imported are not added")
    rig = rig_file.updated(stem + ".pchr", clips, markers, masks, "bind" in clips, character.rig)
    if rig is not None:
        contents[stem + ".rig.json"] = rig
    if "PCHR" in formats:
        contents[stem + ".pchr"] = pchr_v1.encode(character, level)
    replace_files(contents)
    if warnings is not None:
        warnings += found + rig_file.problems(stem + ".pchr", character)
    return list(contents)


def _same_folder(path, folder):
    return os.path.realpath(os.path.dirname(os.path.abspath(path))) == os.path.realpath(folder)


def replace_files(contents):
    """Writes {path: bytes}. Files that have these bytes already are left alone. If one file cannot be written, all are
    as before, and FileError is raised."""
    steps, done, kept = [], [], []
    path = ""
    try:
        for path, data in contents.items():
            target = os.path.realpath(path)
            if os.path.isdir(target):
                raise IsADirectoryError(21, "a folder has this name")
            if _holds(target, data):
                continue
            folder = tempfile.mkdtemp(prefix=".pachario-", dir=os.path.dirname(target))
            new, old = os.path.join(folder, "new"), os.path.join(folder, "old")
            steps.append((path, target, new, old))
            with open(new, "xb") as file:
                file.write(data)
            if len(contents) > 1 and os.path.exists(target):
                try:
                    os.link(target, old)
                except OSError:
                    shutil.copy2(target, old)
        for path, target, new, old in steps:
            os.replace(new, target)
            done.append((target, old))
    except BaseException as error:
        for target, old in done:
            try:
                os.replace(old, target) if os.path.exists(old) else os.remove(target)
            except OSError:
                kept.append(old)
        if not isinstance(error, OSError):
            raise
        state = f"the old files are kept as {', '.join(kept)}" if kept else "no file was changed"
        raise FileError(f"{path}: cannot be written: {error.strerror or error}; {state}") from None
    finally:
        for _, _, new, old in steps:
            if old not in kept:
                shutil.rmtree(os.path.dirname(new), ignore_errors=True)


def _holds(path, data):
    """Returns whether a file has these bytes."""
    try:
        if os.path.isfile(path) and os.path.getsize(path) == len(data):
            with open(path, "rb") as file:
                return file.read() == data
    except OSError:
        pass
    return False
