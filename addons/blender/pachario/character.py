# SPDX-License-Identifier: MIT
"""A PCHR character as plain data, as all files of the add-on and the sample scripts share it."""

from dataclasses import dataclass, field

import numpy as np

MAX_INFLUENCES = 4
BIND_NAMES = ("bind", "bind_pose", "bindpose", "rest", "rest_pose", "setup")

VERTEX = np.dtype([("x", "<f4"), ("y", "<f4"), ("u", "<f4"), ("v", "<f4"),
                   ("bone_ids", "<u2", MAX_INFLUENCES), ("bone_weights", "<f4", MAX_INFLUENCES)])
BONE_TRANSFORM = np.dtype([("x", "<f4"), ("y", "<f4"), ("rotation", "<f4"),
                           ("scale_x", "<f4"), ("scale_y", "<f4"),
                           ("visible", "u1"), ("z_order", "<i2")])


class FileError(Exception):
    """A file that cannot be read or written. The message names the file, the place in it and the value."""


@dataclass
class Image:
    """An image; `pixels` is uint8 [height, width, 4], straight alpha, row 0 at the top."""
    name: str
    pixels: np.ndarray


@dataclass
class Bone:
    """A bone. `parent` is the index of an earlier bone, or -1."""
    name: str
    parent: int


@dataclass
class Mesh:
    """A skinned mesh. `vertices` is an array of VERTEX (pixels in the bind pose, y up; v = 0 is the top of the image),
    `indices` a flat list of triangles."""
    name: str
    image: int
    vertices: np.ndarray
    indices: np.ndarray


@dataclass
class Clip:
    """A sampled clip. `frames` is an array of BONE_TRANSFORM, [frames, bones]: pixels, degrees counterclockwise."""
    name: str
    loops: bool
    frames: np.ndarray


@dataclass
class Marker:
    """A named frame of a clip, for hero.rig.json."""
    clip: str
    frame: int
    name: str


@dataclass
class Mask:
    """Bones that a layer of an animator moves, by name, for hero.rig.json."""
    name: str
    bones: list


@dataclass
class Character:
    """A character. `rig` has what hero.rig.json of an imported one holds besides its bind pose, markers and masks, such
    as springs and state machines."""
    fps: int
    images: list = field(default_factory=list)
    bones: list = field(default_factory=list)
    meshes: list = field(default_factory=list)
    clips: list = field(default_factory=list)
    rig: dict = field(default_factory=dict)


def compose(outer, inner):
    """Returns the transforms [..., 2, 3] that apply `inner`, then `outer`. Columns are x axis, y axis and origin."""
    result = outer[..., :2] @ inner
    result[..., 2] += outer[..., 2]
    return result


def inverse(transforms):
    """Returns the inverses of transforms [..., 2, 3]."""
    linear = np.linalg.inv(transforms[..., :2])
    return np.concatenate([linear, -linear @ transforms[..., 2:]], axis=-1)


def local_transforms(frames):
    """Returns float64 [frames, bones, 2, 3] of an array of BONE_TRANSFORM."""
    angle = np.radians(frames["rotation"].astype(np.float64))
    cos, sin = np.cos(angle), np.sin(angle)
    x, y = frames["scale_x"], frames["scale_y"]
    rows = [cos * x, -sin * y, frames["x"]], [sin * x, cos * y, frames["y"]]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def world_transforms(bones, frames):
    """Returns [frames, bones, 2, 3] of the frames of a clip, as the runtime computes them."""
    world = local_transforms(frames)
    for i, bone in enumerate(bones):
        if bone.parent >= 0:
            world[:, i] = compose(world[:, bone.parent], world[:, i])
    return world


def governing_bone(bones, weights):
    """Returns the bone that a mesh takes its visibility and draw order from: the one with the largest sum of weights,
    the first of equal ones. `bones` and `weights` are [vertices, influences]; bones below 0 do not count."""
    used = bones >= 0
    sums = np.bincount(bones[used], weights[used].astype(np.float32))
    return int(sums.argmax()) if len(sums) else 0


def find_problem(character):
    """Returns the first reason why `character` is not valid as (section, number, field, detail), or None. `field` is
    () or the place of a value: ("indices", i), ("vertices", vertex, name) or ("frames", frame, bone, name)."""
    def problem(section, number, item, detail, field=()):
        return section, number, field, f'{section}[{number}] "{item.name}": {detail}'

    def not_finite(array, names):
        for name in names:
            bad = ~np.isfinite(array[name])
            if bad.any():
                index = tuple(int(i) for i in np.argwhere(bad)[0])
                return index, name, f"{name} is {array[name][index]}, expected a finite number"
        return None

    for section, items in (("images", character.images), ("bones", character.bones), ("meshes", character.meshes),
                           ("animations", character.clips)):
        for number, item in enumerate(items):
            try:
                item.name.encode("utf-8")
            except UnicodeEncodeError:
                return section, number, (), f"{section}[{number}]: the name {item.name!r} cannot be written as UTF-8"
    images, bones = len(character.images), len(character.bones)
    for number, image in enumerate(character.images):
        shape = image.pixels.shape
        if len(shape) != 3 or shape[2] != 4 or 0 in shape or max(shape) > 65535:
            return problem("images", number, image, f"the pixels have the shape {shape}, expected [height, width, 4], "
                           "with 1 to 65535 pixels in each direction")
    for number, bone in enumerate(character.bones):
        if not -1 <= bone.parent < number:
            return problem("bones", number, bone, f"the parent is {bone.parent}, expected -1 or an earlier bone")
    for number, mesh in enumerate(character.meshes):
        vertices, indices = mesh.vertices, np.asarray(mesh.indices)
        if not 0 <= mesh.image < max(1, images):
            return problem("meshes", number, mesh, f"the image is {mesh.image}, but there are {images} images")
        if len(indices) % 3:
            return problem("meshes", number, mesh, f"it has {len(indices)} indices, expected a multiple of 3")
        strays = (indices < 0) | (indices >= len(vertices))
        if strays.any():
            at = int(np.argmax(strays))
            return problem("meshes", number, mesh, f"indices[{at}] is {indices[at]}, but the mesh has {len(vertices)} "
                           "vertices", ("indices", at))
        found = not_finite(vertices, ("x", "y", "u", "v", "bone_weights"))
        if found:
            (vertex, *_), name, detail = found
            return problem("meshes", number, mesh, f"vertices[{vertex}].{detail}", ("vertices", vertex, name))
        strays = (vertices["bone_weights"] != 0) & (vertices["bone_ids"] >= bones)
        if strays.any():
            vertex, slot = (int(i) for i in np.argwhere(strays)[0])
            return problem("meshes", number, mesh, f"vertices[{vertex}].bone_ids[{slot}] is "
                           f"{vertices['bone_ids'][vertex, slot]}, but there are {bones} bones",
                           ("vertices", vertex, "bone_ids"))
    for number, clip in enumerate(character.clips):
        if clip.frames.ndim != 2 or clip.frames.shape[1] != bones:
            return problem("animations", number, clip, f"the frames have the shape {clip.frames.shape}, expected "
                           f"[frames, {bones}]: one transform for each bone")
        found = not_finite(clip.frames, ("x", "y", "rotation", "scale_x", "scale_y"))
        if found:
            (frame, bone), name, detail = found
            return problem("animations", number, clip, f'frame {frame}, bone "{character.bones[bone].name}": {detail}',
                           ("frames", frame, bone, name))
    return None
