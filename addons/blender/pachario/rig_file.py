# SPDX-License-Identifier: MIT
"""The file next to a character, hero.rig.json: its bind pose, markers and masks. All else in it, such as state
machines, is kept."""

import json
import os

from .character import FileError, Marker, Mask
from .pachario_json import load_json, read_bytes

_MAX_BYTES = 16 << 20
_OWN = ("bind", "markers", "masks")


def path_for(path):
    """Returns the path of the rig of a character: hero.rig.json for hero.pchr and hero.json."""
    path = os.fspath(path)
    return path if path.endswith(".rig.json") else os.path.splitext(path)[0] + ".rig.json"


def _load(path):
    """Returns the file next to a character, or {}. The older hero.markers.json counts if there is no other."""
    older = path[:-len("rig.json")] + "markers.json"
    path = path if os.path.lexists(path) or not os.path.lexists(older) else older
    if not os.path.lexists(path):
        return {}
    record = load_json(read_bytes(path, _MAX_BYTES), path)

    def check(correct, place, found, expected):
        if not correct:
            raise FileError(f"{path}: {place} is {json.dumps(found)[:60]}, expected {expected}")

    for key, fields in (("markers", (("clip", str), ("frame", int), ("name", str))),
                        ("masks", (("name", str), ("bones", list)))):
        entries = record.get(key, [])
        check(isinstance(entries, list), key, entries, "a list")
        for number, entry in enumerate(entries):
            check(isinstance(entry, dict), f"{key}[{number}]", entry, "an object")
            for field, kind in fields:
                check(type(entry.get(field)) is kind, f"{key}[{number}].{field}", entry.get(field),
                      {str: "a text", int: "a whole number", list: "a list"}[kind])
            check(all(isinstance(bone, str) for bone in entry.get("bones", [])), f"{key}[{number}].bones",
                  entry.get("bones"), "names of bones")
    return record


def read(path):
    """Returns {"bind": None, "identity" or {"clip", "frame"}, "markers": [Marker], "masks": [Mask], "others": {key:
    value} of all else} of the file next to the character `path`, empty if there is none. Raises FileError."""
    path = path_for(path)
    record = _load(path)
    bind = record.get("bind")
    if isinstance(bind, dict) and isinstance(bind.get("clip"), str) and type(bind.get("frame", 0)) is int:
        bind = {"clip": bind["clip"], "frame": bind.get("frame", 0)}
    elif bind not in (None, "identity"):
        raise FileError(f'{path}: bind is {json.dumps(bind)[:60]}, expected {{"clip": NAME, "frame": NUMBER}} or '
                        '"identity"')
    return {"bind": bind,
            "markers": [Marker(each["clip"], each["frame"], each["name"]) for each in record.get("markers", [])],
            "masks": [Mask(each["name"], list(each["bones"])) for each in record.get("masks", [])],
            "others": {key: value for key, value in record.items() if key not in _OWN}}


def _text(record):
    """Returns JSON with each entry of a list on a line of its own, as the library writes it."""
    def is_list(item):
        return isinstance(item, list) and bool(item) and isinstance(item[0], dict)

    def value(item, indent):
        inner = indent + "  "
        if isinstance(item, dict) and any(is_list(item.get(key)) for key in ("parameters", "layers", "states")):
            return "{\n" + fields(item, inner) + f"\n{indent}}}"
        return json.dumps(item, ensure_ascii=False)

    def fields(items, indent):
        inner = indent + "  "
        return ",\n".join(f"{indent}{json.dumps(key, ensure_ascii=False)}: " + (
            "[\n" + ",\n".join(inner + value(each, inner) for each in item) + f"\n{indent}]" if is_list(item)
            else value(item, indent)) for key, item in items.items())

    return "{\n" + fields(record, "  ") + "\n}\n" if record else "{}\n"


def updated(path, clips, markers=None, masks=None, bind_clip=False, others=None):
    """Returns the new bytes of the file next to the character `path`, or None if it need not be written. The markers of
    the clips named in `clips` become `markers`, and the masks `masks`; None keeps them. With `bind_clip`, the character
    has a clip with the bind pose, so that "bind" is removed. A file that does not exist gets the entries `others`, too.
    Raises FileError if an existing file cannot be read."""
    path = path_for(path)
    before = _load(path)
    record = dict(before or others or {})
    if markers is not None:
        kept = [each for each in record.get("markers", []) if each["clip"] not in clips]
        known = {(each["clip"], each["frame"], each["name"]): each for each in record.get("markers", [])}
        record["markers"] = kept + [known.get((each.clip, int(each.frame), each.name)) or
                                    {"clip": each.clip, "frame": int(each.frame), "name": each.name}
                                    for each in markers]
    if masks is not None:
        record["masks"] = [{"name": mask.name, "bones": list(mask.bones)} for mask in masks]
    for key in ("markers", "masks"):
        if key in record and not record[key] and not before.get(key):
            record.pop(key)
    if bind_clip:
        record.pop("bind", None)
    if record == before:
        return None
    text = _text({key: value for key, value in record.items() if value != [] or key not in ("markers", "masks")})
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        near = text[max(0, error.start - 20):error.end + 20]
        raise FileError(f"{path}: the name in {near!r} cannot be written as UTF-8") from None


def lacking(path, others):
    """Returns the keys of `others` that the file next to the character `path` exists without. Raises FileError."""
    before = _load(path_for(path))
    return [key for key in others if key not in before] if before else []


def valid_masks(masks, warnings):
    """Returns the masks as the runtime accepts them: those with bones, each with a name of its own. What that changes
    is appended to the list `warnings`."""
    valid, names = [], set()
    for mask in masks:
        if not mask.bones:
            warnings.append(f'mask "{mask.name}" has no bones; it is left out')
            continue
        name, number = mask.name or "mask", 2
        while name in names:
            name, number = f"{mask.name or 'mask'} {number}", number + 1
        if name != mask.name:
            reason = "another mask has this name" if mask.name else "the name is empty"
            warnings.append(f'mask "{mask.name}": {reason}; it becomes "{name}"')
        names.add(name)
        valid.append(Mask(name, mask.bones))
    return valid


def _clips_of_states(record):
    """Returns (place, name) of each clip that a state machine plays."""
    def entries(item, key):
        found = item.get(key) if isinstance(item, dict) else None
        return [(number, each) for number, each in enumerate(found if isinstance(found, list) else [])
                if isinstance(each, dict)]

    clips = []
    for number, layer in entries(record.get("states"), "layers"):
        for index, state in entries(layer, "states"):
            sequence = state.get("sequence")
            names = [state.get("clip")] + [point.get("clip") for _, point in entries(state, "blend")]
            names += [sequence.get(part) for part in ("start", "loop", "end")] if isinstance(sequence, dict) else []
            clips += [(f"states.layers[{number}].states[{index}]", name) for name in names if isinstance(name, str)]
    return clips


def problems(path, character):
    """Returns messages about what the file next to the character `path` names, but the character does not have: the
    runtime refuses such a file, or does not run its state machines. Raises FileError."""
    path = path_for(path)
    record = _load(path)
    frames = {}
    for clip in character.clips:
        frames.setdefault(clip.name, len(clip.frames))
    bones, found = {bone.name for bone in character.bones}, []
    for number, marker in enumerate(record.get("markers", [])):
        count = frames.get(marker["clip"])
        if count is None:
            found.append(f'{path}: markers[{number}].clip is "{marker["clip"]}", but the character has no such clip')
        elif not 0 <= marker["frame"] < count:
            found.append(f'{path}: markers[{number}].frame is {marker["frame"]}, but the clip "{marker["clip"]}" has '
                         f"{count} frames")
    for key in ("masks", "aim", "ik", "springs"):
        entries = record.get(key)
        for number, entry in enumerate(entries if isinstance(entries, list) else []):
            for field in ("bone", "bones", "upper", "lower", "end", "target"):
                names = entry.get(field, []) if isinstance(entry, dict) else []
                for name in [names] if isinstance(names, str) else names if isinstance(names, list) else []:
                    if isinstance(name, str) and name not in bones:
                        found.append(f'{path}: {key}[{number}].{field} names "{name}", but the character has no such '
                                     "bone")
    for place, name in _clips_of_states(record):
        if name not in frames:
            found.append(f'{path}: {place} plays "{name}", but the character has no such clip')
    return found
