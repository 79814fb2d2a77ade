# SPDX-License-Identifier: MIT
"""Loads, animates and draws Pachario characters.

Lengths are in pixels with y up, angles in degrees counter-clockwise, times in seconds. Parts of a character are numbers
from 0, or names. A transform is an array of three rows: the images of the x axis and the y axis, and the translation.

Arrays show the library's memory and keep it alive. Those of a character cannot be changed. Those of a pose always show
its current values; those of a draw stream keep showing what they showed first.
"""
import ctypes
import functools
import math
import operator
import os
import pathlib
import re
import struct
import sys
import threading
import weakref
import zlib
from collections.abc import Callable, Sequence
from ctypes import byref, sizeof
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _c

__all__ = ["Animator", "Bone", "Canvas", "Character", "Clip", "Diagnostic", "DrawStream", "Event", "Hit", "Image",
           "LoadError", "Mesh", "Parameter", "Play", "Pose", "Skin", "StateEvent", "StateStatus", "encode_png", "load",
           "placement"]

Part = int | str
"""A clip, bone or mesh: its number or name. KeyError or IndexError if there is none."""
Point = Sequence[float]
Color = Sequence[float]
"""Straight RGBA, 0..1."""
Rgb = Sequence[float]
"""Straight RGB, 0..1. Colors of an image become min(tint * color + dark_tint * (1 - color) + additive, 1)."""
Blend = Literal["normal", "add", "multiply", "screen"]
Rect = tuple[float, float, float, float]
"""min_x, min_y, max_x, max_y."""
Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]
Loop = Literal["from_file", "once", "loop", "ping_pong"]

_BLENDS = ("normal", "add", "multiply", "screen")
_LOOPS = ("from_file", "once", "loop", "ping_pong")
_EVENTS = ("started", "looped", "finished", "marker", "interrupted")
_PARAMETERS = ("number", "boolean", "trigger")
_STATE_EVENTS = ("left", "entered", "named")
_FLOATS = ("x", "y", "rotation_degrees", "scale_x", "scale_y", "opacity")


def _open_libraries():
    name = {"win32": "pchr_c.dll", "darwin": "libpchr_c.dylib"}.get(sys.platform, "libpchr_c.so")
    path = os.environ.get("PCHR_LIBRARY") or str(pathlib.Path(__file__).with_name(name))
    libraries = ctypes.PyDLL(path), ctypes.CDLL(path)
    for library in libraries:
        for function, (result, *arguments) in _c.FUNCTIONS.items():
            if hasattr(library, function):
                getattr(library, function).restype = result
                getattr(library, function).argtypes = arguments
    if libraries[0].pchr_api_version() != _c.PCHR_API_VERSION:
        raise ImportError(f"{path} has API version {libraries[0].pchr_api_version()}, expected {_c.PCHR_API_VERSION}")
    return libraries


# Short functions keep the interpreter lock; those of _slow release it.
_lib, _slow = _open_libraries()
_threads = _lib.pchr_thread_executor(0)


class _Handle(ctypes.c_void_p):
    """An object of the library, freed with the last reference."""

    def __del__(self):
        self.free(self)


def _owned(address, free):
    if not address:
        raise MemoryError
    handle = _Handle(address)
    handle.free = free
    return handle


class _Memory:
    """Memory of the library as numpy reads it. Arrays keep it and so its owner."""

    def __init__(self, owner, address, size, writable):
        self.owner = owner
        self.__array_interface__ = {"data": (address, not writable), "shape": (size,), "typestr": "|u1", "version": 3}


_dtype = functools.cache(np.dtype)


def _view(owner, address, kind, shape, writable=False):
    """Returns an array that shows `address` and keeps `owner` alive."""
    kind = _dtype(kind)
    size = math.prod(shape) * kind.itemsize
    if size == 0:
        return np.zeros(shape, kind)
    return np.asarray(_Memory(owner, address, size, writable)).view(kind).reshape(shape)


def _list_view(owner, function, handle, kind):
    """Returns what a function with the parameters (handle, count) returns."""
    count = ctypes.c_uint32()
    address = function(handle, byref(count))
    return _view(owner, address, kind, (count.value,))


def _sized(kind, **values):
    return kind(struct_size=sizeof(kind), **values)


def _address(array):
    return array.__array_interface__["data"][0]


def _text(text, what):
    if isinstance(text, str):
        return text.encode()
    raise TypeError(f"{what} is {text!r}, expected a str")


def _named(names, name, what):
    if name in names:
        return names.index(name)
    raise ValueError(f"{what} is {name!r}, expected one of {', '.join(map(repr, names))}")


def _floats(values, count, what):
    values = tuple(map(float, values))
    if len(values) != count:
        raise ValueError(f"{what} has {len(values)} numbers, expected {count}")
    return values


def _number_or_none(number):
    return None if number == _c.PCHR_NONE else number


def _rect_or_none(rect):
    if rect.min_x > rect.max_x or rect.min_y > rect.max_y:
        return None
    return rect.min_x, rect.min_y, rect.max_x, rect.max_y


def _affine(transform):
    if transform is None:
        return _c.pchr_affine(1, 0, 0, 1, 0, 0)
    array = np.asarray(transform, np.float32)
    if array.shape != (3, 2):
        raise ValueError("a transform must be an array of the shape (3, 2)")
    return _c.pchr_affine(*array.ravel().tolist())


def _look(tint, dark_tint, additive, blend):
    """Returns the members that the structs with colors share."""
    return {"tint": _floats(tint, 4, "tint"), "dark_tint": _floats(dark_tint, 3, "dark_tint"),
            "additive": _floats(additive, 3, "additive"), "blend": _named(_BLENDS, blend, "blend")}


def _appearance(transform, tint=(1, 1, 1, 1), dark_tint=(0, 0, 0), additive=(0, 0, 0), blend="normal"):
    look = _look(tint, dark_tint, additive, blend)
    return ctypes.pointer(_sized(_c.pchr_appearance, placement=_affine(transform), **look))


def _pixels(pixels):
    if getattr(pixels, "ndim", 0) != 3 or pixels.shape[2] != 4 or pixels.size == 0 or pixels.dtype != np.uint8:
        raise ValueError("an image must be an array of bytes with the shape (height, width, 4)")
    return np.ascontiguousarray(pixels)


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A warning about a file."""
    code: str
    message: str
    path: str
    hint: str

    def __str__(self) -> str:
        return self.message


def _diagnostic(error):
    """Returns an error of C without the file and its position."""
    code, text = error.code.decode(), error.message.decode()
    if code:
        text = re.sub(r" \((byte \d+|line \d+, column \d+)\)$", "", text.partition(f" {code}: ")[2])
    return Diagnostic(code, text, error.path.decode(), (error.hint or b"").decode())


class LoadError(ValueError):
    """A file or image that cannot be read or written."""

    def __init__(self, text: str, diagnostic: Diagnostic = Diagnostic("", "", "", "")) -> None:
        super().__init__(text)
        self.code: str = diagnostic.code
        """Code from docs/errors.md, such as "E114"."""
        self.message: str = diagnostic.message
        """The problem, without the file and its position. str() has both."""
        self.path: str = diagnostic.path
        """The place in the file, such as "meshes[3].vertices[17]", or empty."""
        self.hint: str = diagnostic.hint
        """What the author of the file can do."""


def _tried(function, *arguments, owned_by=None, raises=LoadError):
    """Returns what a function returns whose last parameter is an error, or raises it."""
    error = _c.pchr_error()
    result = function(*arguments, byref(error))
    if not result:
        text = error.message.decode()
        raise LoadError(text, _diagnostic(error)) if raises is LoadError else raises(text)
    return _owned(result, owned_by) if owned_by else result


class _Files:
    """Reads files through a function of the program. An OSError means that there is no such file; any other exception
    is kept, to be raised when the library has returned."""

    def __init__(self, read_file):
        self.read_file = read_file
        self.raised = None
        self.kept = []  # What the library has not copied yet.
        fields = dict(_c.pchr_file_system._fields_)
        self.system = _c.pchr_file_system(fields["read"](self._read), fields["close"](self._close), None)

    def _read(self, user, path, file):
        try:
            contents = self.read_file(os.fsdecode(path))
            if not isinstance(contents, bytes):
                raise TypeError("read_file must return bytes")
        except BaseException as error:
            if not isinstance(error, OSError):
                self.raised = self.raised or error
            self.kept.append(str(error).encode())
            file.contents.error = self.kept[-1]
            return False
        self.kept.append(contents)
        file.contents.bytes = ctypes.cast(contents, ctypes.c_void_p)
        file.contents.size = len(contents)
        return True

    def _close(self, user, file):
        self.kept = [kept for kept in self.kept if ctypes.cast(kept, ctypes.c_void_p).value != file.contents.bytes]


@dataclass(frozen=True, slots=True)
class Bone:
    """A bone of the skeleton."""
    name: str
    parent: int | None
    """An earlier bone."""


@dataclass(frozen=True, slots=True)
class Image:
    """An atlas image."""
    name: str
    width: int
    height: int
    _character: Any
    _number: int

    def decode(self) -> Bytes:
        """Decodes the pixels: (height, width, 4) bytes, premultiplied by alpha."""
        pixels = np.empty((self.height, self.width, 4), np.uint8)
        _tried(_slow.pchr_decode_image, self._character, self._number, _address(pixels), pixels.size)
        return pixels


@dataclass(frozen=True, slots=True)
class Mesh:
    """A range of vertices and triangles drawn with one image."""
    name: str
    image: int
    first_vertex: int
    vertex_count: int
    first_index: int
    index_count: int
    """A multiple of 3. Each index is relative to first_vertex."""
    governing_bone: int
    """The bone that controls its visibility, draw order and opacity."""


def _samples(name) -> Any:
    kind = np.float32 if name in _FLOATS else np.int32 if name == "z_order" else np.uint8

    def get(self):
        samples = _sized(_c.pchr_clip_samples)
        _lib.pchr_get_clip_samples(self._character, self._number, byref(samples))
        shape = samples.frame_count, samples.bone_count
        if name == "opacity" and not samples.opacity:
            return np.ones(shape, kind)
        return _view(self._character, getattr(samples, name), kind, shape)

    return property(get)


@dataclass(frozen=True)
class Clip:
    """An animation, sampled once per frame. Arrays of samples have the shape (frames, bones)."""
    name: str
    looping: bool
    frames_per_second: float
    """0 means the clip holds its first frame."""
    frame_count: int
    """0 means the clip cannot play."""
    loop_start: int
    """Frame at which a loop restarts."""
    duration_seconds: float
    _character: Any
    _number: int

    x = _samples("x")
    y = _samples("y")
    rotation_degrees = _samples("rotation_degrees")
    scale_x = _samples("scale_x")
    scale_y = _samples("scale_y")
    opacity = _samples("opacity")
    visible = _samples("visible")
    z_order = _samples("z_order")

    def frame_seconds(self, frame: int) -> float:
        """Returns the start time of a frame."""
        return _lib.pchr_frame_begin(self._character, self._number, frame)


class Character:
    """A loaded character. It never changes."""

    def __init__(self, handle):
        self._handle = handle
        info = _sized(_c.pchr_character_info)
        _lib.pchr_get_info(handle, byref(info))
        self.format: str = info.format.decode()
        """The format of its file, such as "PCHR v1"."""
        self.title: str = info.title.decode()
        self.author: str = info.author.decode()
        self.is_3d: bool = info.is_3d

    def _list(self, kind):
        """Returns all structs of a kind that C has."""
        out = []
        for number in range(getattr(_lib, f"pchr_{kind}_count")(self._handle)):
            out.append(_sized(getattr(_c, f"pchr_{kind}")))
            getattr(_lib, f"pchr_get_{kind}")(self._handle, number, byref(out[-1]))
        return out

    @functools.cached_property
    def bones(self) -> tuple[Bone, ...]:
        return tuple(Bone(_lib.pchr_bone_name(self._handle, bone).decode(),
                          _number_or_none(_lib.pchr_bone_parent(self._handle, bone)))
                     for bone in range(_lib.pchr_bone_count(self._handle)))

    @functools.cached_property
    def clips(self) -> tuple[Clip, ...]:
        return tuple(Clip(clip.name.decode(), clip.looping, clip.frames_per_second, clip.frame_count, clip.loop_start,
                          clip.duration_seconds, self._handle, number)
                     for number, clip in enumerate(self._list("clip")))

    @functools.cached_property
    def meshes(self) -> tuple[Mesh, ...]:
        return tuple(Mesh(mesh.name.decode(), mesh.image, mesh.first_vertex, mesh.vertex_count, mesh.first_index,
                          mesh.index_count, mesh.governing_bone) for mesh in self._list("mesh"))

    @functools.cached_property
    def images(self) -> tuple[Image, ...]:
        return tuple(Image(image.name.decode(), image.width, image.height, self._handle, number)
                     for number, image in enumerate(self._list("image")))

    @functools.cached_property
    def _numbers(self):
        parts = {"bone": self.bones, "clip": self.clips, "mesh": self.meshes}
        return {kind: {part.name: number for number, part in reversed(list(enumerate(parts[kind])))} for kind in parts}

    def _number(self, kind, part):
        """Returns the number of a part. Raises KeyError or IndexError if there is none."""
        if isinstance(part, str):
            if part in self._numbers[kind]:
                return self._numbers[kind][part]
            raise KeyError(f'the character has no {kind} named "{part}"')
        number, count = operator.index(part), getattr(_lib, f"pchr_{kind}_count")(self._handle)
        if 0 <= number < count:
            return number
        raise IndexError(f"{kind} {number} does not exist; the character has {count}")

    def _require_same(self, other):
        if other._handle is not self._handle:
            raise ValueError("the two belong to different characters")

    @property
    def vertices(self) -> NDArray[np.void]:
        """x, y, u, v, bones (4) and weights (4) of the vertices of all meshes."""
        return _list_view(self._handle, _lib.pchr_vertices, self._handle, _c.pchr_vertex)

    @property
    def indices(self) -> NDArray[np.uint16]:
        return _list_view(self._handle, _lib.pchr_indices, self._handle, np.uint16)

    @property
    def inverse_bind(self) -> Floats:
        """(bones, 3, 2)."""
        return _view(self._handle, _lib.pchr_inverse_bind(self._handle), np.float32, (len(self.bones), 3, 2))

    @functools.cached_property
    def governing_bones(self) -> NDArray[np.uint32]:
        """The bone that controls the visibility, draw order and opacity of each mesh."""
        bones = np.array([mesh.governing_bone for mesh in self.meshes], np.uint32)
        bones.setflags(write=False)
        return bones

    @property
    def warnings(self) -> list[Diagnostic]:
        warnings = (_c.pchr_error * _lib.pchr_warning_count(self._handle))()
        for number, warning in enumerate(warnings):
            _lib.pchr_warning(self._handle, number, byref(warning))
        return list(map(_diagnostic, warnings))

    def validate(self) -> list[Diagnostic]:
        """Finds likely mistakes."""
        mistakes = (_c.pchr_error * _slow.pchr_validate(self._handle, None, 0))()
        _slow.pchr_validate(self._handle, mistakes, len(mistakes))
        return list(map(_diagnostic, mistakes))

    def find_bone(self, name: str) -> int | None:
        """Returns the first bone with that name, or None."""
        return self._numbers["bone"].get(name)

    def find_clip(self, name: str) -> int | None:
        """Returns the first clip with that name, or None."""
        return self._numbers["clip"].get(name)

    def find_mesh(self, name: str) -> int | None:
        """Returns the first mesh with that name, or None."""
        return self._numbers["mesh"].get(name)

    def bounds(self, clip: Part | None = None) -> Rect | None:
        """Computes the exact bounds of a clip, or of all clips. None if nothing shows."""
        rect = _c.pchr_rect()
        if clip is None:
            _slow.pchr_character_bounds(self._handle, byref(_threads), byref(rect))
        else:
            _slow.pchr_clip_bounds(self._handle, self._number("clip", clip), byref(_threads), byref(rect))
        return _rect_or_none(rect)

    def save(self, format: Literal["v1", "json", "packed"], stem: str, *, raw_pixels: bool = False,
             lossy: bool = False, json_dialect: Literal["v1", "pachario"] | None = None) -> dict[str, bytes]:
        """Returns the files of the character in a format: their names and contents."""
        options = _sized(_c.pchr_save_options, raw_pixels=raw_pixels, lossy=lossy)
        if json_dialect is not None:
            options.dialect = _c.PCHR_JSON_V1 + _named(("v1", "pachario"), json_dialect, "json_dialect")
        saved = _tried(_slow.pchr_save, self._handle, _named(("v1", "json", "packed"), format, "format"), stem.encode(),
                       byref(options), owned_by=_lib.pchr_saved_free)
        files, file = {}, _c.pchr_saved_file()
        for number in range(_lib.pchr_saved_file_count(saved)):
            _lib.pchr_get_saved_file(saved, number, byref(file))
            files[file.name.decode()] = ctypes.string_at(file.bytes, file.size)
        return files

    @functools.cached_property
    def _hit_images(self):
        return _tried(_slow.pchr_hit_images_create, self._handle, byref(_threads), owned_by=_lib.pchr_hit_images_free)


class Skin:
    """Changes to the meshes of one character."""

    def __init__(self, character: Character, name: str = "") -> None:
        self.character = character
        self.name = name
        self._handle = _owned(_lib.pchr_skin_create(character._handle, name.encode()), _lib.pchr_skin_free)
        self._images = len(character.images)
        self._version = 0  # Increases with every change.

    def add_image(self, pixels: Bytes) -> int:
        """Adds an image with straight alpha and returns its number for set()."""
        pixels = _pixels(pixels).copy()
        alpha = pixels[..., 3:].astype(np.uint16)
        pixels[..., :3] = (pixels[..., :3] * alpha + 127) // 255
        height, width, _ = pixels.shape
        image = _lib.pchr_skin_add_image(self._handle, _address(pixels), width, height)
        if image == _c.PCHR_NONE:
            raise MemoryError
        self._images, self._version = image + 1, self._version + 1
        return image

    def set(self, mesh: Part, *, visible: bool = True, tint: Color = (1, 1, 1, 1), image: int | None = None,
            dark_tint: Rgb = (0, 0, 0), additive: Rgb = (0, 0, 0), blend: Blend = "normal") -> None:
        """Sets what the skin does to a mesh."""
        number = self.character._number("mesh", mesh)
        if image is not None and not 0 <= image < self._images:
            raise IndexError(f"image {image} does not exist; there are {self._images}")
        part = _sized(_c.pchr_skin_part, visible=visible, image=_c.PCHR_NONE if image is None else image,
                      **_look(tint, dark_tint, additive, blend))
        _lib.pchr_skin_set_part(self._handle, number, byref(part))
        self._version += 1


@dataclass(frozen=True, slots=True)
class Hit:
    """A hit on a mesh."""
    mesh: int
    bone: int
    """The bone with the largest weight at the point."""
    governing_bone: int
    triangle: int
    barycentrics: list[float]
    uv: list[float]
    alpha: int


def _shown(name, writable) -> Any:
    """An array of a pose, which can be changed in place or replaced if `writable`."""
    def change(self, values):
        self._arrays[name][...] = values

    return property(lambda self: self._arrays[name], change if writable else None)


class Pose:
    """A posed character. Starts with the bind pose. After changing values of bones, call update()."""

    def __init__(self, character: Character) -> None:
        self.character = character
        self._handle = handle = _owned(_lib.pchr_pose_create(character._handle), _lib.pchr_pose_free)
        values = _sized(_c.pchr_pose_values)
        _lib.pchr_pose_get_values(handle, byref(values))
        kinds = {**dict.fromkeys(_FLOATS, np.float32), "z_order": np.int32, "visible": np.uint8}
        self._arrays = {name: _view(handle, getattr(values, name), kind, (values.bone_count,), True)
                        for name, kind in kinds.items()}
        for name, function in ("world", _lib.pchr_pose_world), ("palette", _lib.pchr_pose_palette):
            self._arrays[name] = _view(handle, function(handle), np.float32, (values.bone_count, 3, 2))

    x: Floats = _shown("x", True)
    y: Floats = _shown("y", True)
    rotation_degrees: Floats = _shown("rotation_degrees", True)
    scale_x: Floats = _shown("scale_x", True)
    scale_y: Floats = _shown("scale_y", True)
    opacity: Floats = _shown("opacity", True)
    visible: Bytes = _shown("visible", True)
    z_order: NDArray[np.int32] = _shown("z_order", True)
    world: Floats = _shown("world", False)
    """World transforms: (bones, 3, 2)."""
    palette: Floats = _shown("palette", False)
    """Transforms from the bind pose to this pose: (bones, 3, 2)."""

    @property
    def draw_list(self) -> NDArray[np.void]:
        """A copy of the visible meshes, back to front: mesh, opacity, tint (4), image, dark_tint (3), additive (3) and
        blend. Assign one to change it."""
        return _list_view(self._handle, _lib.pchr_pose_draw_list, self._handle, _c.pchr_draw_item).copy()

    @draw_list.setter
    def draw_list(self, items: NDArray[np.void]) -> None:
        array = np.ascontiguousarray(items, _c.pchr_draw_item)
        if array.ndim != 1:
            raise ValueError("a draw list must have one dimension")
        for mesh in array["mesh"].tolist():
            self.character._number("mesh", mesh)
        pointer = ctypes.cast(_address(array), ctypes.POINTER(_c.pchr_draw_item))
        _lib.pchr_pose_set_draw_list(self._handle, pointer, len(array))

    def bind(self) -> None:
        """Shows the bind pose."""
        _lib.pchr_pose_bind(self._handle)

    def clip(self, clip: Part, seconds: float, smooth: bool = False) -> None:
        """Shows a clip at a time."""
        if not _lib.pchr_pose_clip(self._handle, self.character._number("clip", clip), seconds, bool(smooth)):
            raise ValueError("seconds is not finite")

    def update(self) -> None:
        """Recomputes transforms and the draw list after changes to bones."""
        _lib.pchr_pose_update(self._handle)

    def deform(self, mesh: Part) -> Floats:
        """Computes the positions of a mesh's vertices: (count, 2) floats."""
        number = self.character._number("mesh", mesh)
        points = np.empty((self.character.meshes[number].vertex_count, 2), np.float32)
        _lib.pchr_pose_vertices(self._handle, number, _address(points), len(points))
        return points

    def bounds(self) -> Rect | None:
        """Computes the bounds of the visible meshes."""
        return _rect_or_none(_lib.pchr_pose_bounds(self._handle))

    def rotation_towards(self, bone: Part, target: Point, axis: Point = (0, 1)) -> float:
        """Returns the rotation_degrees that point an axis of a bone at a point."""
        return _lib.pchr_pose_rotation_towards(self._handle, self.character._number("bone", bone),
                                               *_floats(target, 2, "target"), *_floats(axis, 2, "axis"))

    def hit_test(self, point: Point, *, placement: ArrayLike | None = None, skin: Skin | None = None,
                 min_alpha: int = 128) -> Hit | None:
        """Finds the topmost mesh at a point. With a min_alpha of 0, everything is opaque."""
        if skin is not None:
            self.character._require_same(skin.character)
        options = _sized(_c.pchr_hit_options, min_alpha=min_alpha, appearance=_appearance(placement),
                         skin=skin and skin._handle)
        hit, images = _sized(_c.pchr_hit), self.character._hit_images if min_alpha else None
        if not _lib.pchr_hit_test(self._handle, images, *_floats(point, 2, "point"), byref(options), byref(hit)):
            return None
        return Hit(hit.mesh, hit.bone, hit.governing_bone, hit.triangle, list(hit.barycentrics), [hit.u, hit.v],
                   hit.alpha)


class _Lease:
    """What arrays of a stream keep alive. While there is one, changes go to a copy of the stream."""

    def __init__(self, handle):
        self.handle = handle


class DrawStream:
    """Skinned triangles of any number of characters. Without looks, dark tints and additive colors are ignored."""

    def __init__(self, with_looks: bool = False) -> None:
        self._data = _c.PCHR_STREAM_LOOKS if with_looks else 0
        self._handle = self._create()
        self._lease = lambda: None

    def _create(self):
        return _owned(_lib.pchr_stream_create(self._data), _lib.pchr_stream_free)

    def clear(self) -> None:
        """Removes everything."""
        if self._lease():
            self._handle, self._lease = self._create(), lambda: None
        _lib.pchr_stream_clear(self._handle)

    def add(self, pose: Pose, *, placement: ArrayLike | None = None, tint: Color = (1, 1, 1, 1),
            dark_tint: Rgb = (0, 0, 0), additive: Rgb = (0, 0, 0), blend: Blend = "normal",
            skin: Skin | None = None, source: int = 0) -> None:
        """Appends a posed character on top."""
        if skin is not None:
            pose.character._require_same(skin.character)
        options = _sized(_c.pchr_stream_options, source=source, skin=skin and skin._handle,
                         appearance=_appearance(placement, tint, dark_tint, additive, blend))
        if self._lease():
            shown, self._handle, self._lease = self._handle, self._create(), lambda: None
            _lib.pchr_stream_copy(self._handle, shown)
        if not _lib.pchr_stream_add(self._handle, pose._handle, byref(options)):
            raise MemoryError

    def _elements(self, function, kind):
        lease = self._lease()
        if lease is None:
            lease = _Lease(self._handle)
            self._lease = weakref.ref(lease)
        return _list_view(lease, function, self._handle, kind)

    @property
    def vertices(self) -> NDArray[np.void]:
        """x, y, u, v and color (4 bytes, premultiplied)."""
        return self._elements(_lib.pchr_stream_vertices, _c.pchr_stream_vertex)

    @property
    def indices(self) -> NDArray[np.uint32]:
        return self._elements(_lib.pchr_stream_indices, np.uint32)

    @property
    def commands(self) -> NDArray[np.void]:
        """source, image, first_index, index_count and blend (0 normal, 2 multiply, 3 screen)."""
        return self._elements(_lib.pchr_stream_commands, _c.pchr_stream_command)

    @property
    def looks(self) -> NDArray[np.void]:
        """dark and additive (4 bytes each, premultiplied) of every vertex, with looks."""
        return self._elements(_lib.pchr_stream_looks, _c.pchr_stream_look)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in one step of time."""
    kind: Literal["started", "looped", "finished", "marker", "interrupted"]
    layer: int
    play: int
    clip: int | None
    """None if rebind() dropped it."""
    marker: str | None
    count: int
    seconds: float
    """Time since the start of the step."""
    weight: float


@dataclass(frozen=True, slots=True)
class Play:
    """A clip that a layer is playing."""
    id: int
    clip: int
    seconds: float
    speed: float
    weight: float


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a character's state machines."""
    name: str
    kind: Literal["number", "boolean", "trigger"]
    value: float
    """0 or 1 unless it is a number."""
    min: float
    max: float
    key: str
    """The key of the keyboard for it, such as "space", or empty."""


@dataclass(frozen=True, slots=True)
class StateStatus:
    """Where one layer of the state machines is."""
    layer: str
    """Name of the layer."""
    name: str
    """Name of the state."""
    from_name: str | None
    """The state that still fades out."""
    transition: int | None
    """The transition that fades, in the order of the file."""
    progress: float
    """0..1, of the fade."""
    phase: float
    """Durations of the state's clip since it was entered."""


@dataclass(frozen=True, slots=True)
class StateEvent:
    """What the state machines did in one step of time."""
    kind: Literal["left", "entered", "named"]
    layer: int
    state: int
    """The state, in the order of the file."""
    name: str
    """Name of the state or, of "named", of the event."""
    seconds: float
    """Time since the start of the step."""


def _layer(layer):
    layer = operator.index(layer)
    if 0 <= layer < _c.PCHR_MAX_LAYERS:
        return layer
    raise IndexError(f"layer is {layer}, expected less than {_c.PCHR_MAX_LAYERS}")


class Animator:
    """Plays clips on one instance of a character."""

    def __init__(self, character: Character) -> None:
        self._character = character
        self._handle = _owned(_lib.pchr_animator_create(character._handle), _lib.pchr_animator_free)
        self._smooth = False
        self._overrides = {}  # By bone.
        self._rig = None

    @property
    def character(self) -> Character:
        return self._character

    @property
    def speed(self) -> float:
        """Negative plays backwards."""
        return _lib.pchr_animator_speed(self._handle)

    @speed.setter
    def speed(self, speed: float) -> None:
        _lib.pchr_animator_set_speed(self._handle, speed)

    @property
    def smooth(self) -> bool:
        """Interpolates between frames."""
        return self._smooth

    @smooth.setter
    def smooth(self, smooth: bool) -> None:
        self._smooth = bool(smooth)
        _lib.pchr_animator_set_sampling(self._handle, self._smooth)

    def _begin(self, function, clip, layer, fade_seconds, speed, start_seconds, loop):
        options = _sized(_c.pchr_play_options, layer=_layer(layer), loop=_named(_LOOPS, loop, "loop"), speed=speed,
                         fade_seconds=fade_seconds, start_seconds=-1 if start_seconds is None else start_seconds)
        return function(self._handle, self._character._number("clip", clip), byref(options))

    def play(self, clip: Part, *, layer: int = 0, fade_seconds: float = 0, speed: float = 1,
             start_seconds: float | None = None, loop: Loop = "from_file") -> int:
        """Starts a clip now and returns the id of this play."""
        return self._begin(_lib.pchr_animator_play, clip, layer, fade_seconds, speed, start_seconds, loop)

    def queue(self, clip: Part, *, layer: int = 0, fade_seconds: float = 0, speed: float = 1,
              start_seconds: float | None = None, loop: Loop = "from_file") -> int:
        """Starts a clip when the layer's last play ends, and returns the id of that play."""
        return self._begin(_lib.pchr_animator_queue, clip, layer, fade_seconds, speed, start_seconds, loop)

    def stop(self, layer: int = 0, fade_seconds: float = 0) -> None:
        """Fades out a layer and clears its queue."""
        _lib.pchr_animator_stop(self._handle, _layer(layer), fade_seconds)

    def queue_stop(self, layer: int = 0, fade_seconds: float = 0) -> None:
        """Fades out a layer when queue() would start a clip."""
        _lib.pchr_animator_queue_stop(self._handle, _layer(layer), fade_seconds)

    def plays(self, layer: int = 0) -> list[Play]:
        """Returns the plays of a layer, oldest first."""
        plays, play = [], _sized(_c.pchr_play)
        for number in range(_lib.pchr_animator_play_count(self._handle, _layer(layer))):
            _lib.pchr_animator_play_at(self._handle, layer, number, byref(play))
            if play.kind == _c.PCHR_PLAY_CLIP:
                plays.append(Play(play.id, play.clip, play.seconds, play.speed, play.weight))
        return plays

    def seek(self, play: int, seconds: float) -> None:
        """Moves a play to a clip time."""
        if not _lib.pchr_animator_seek_play(self._handle, play, seconds):
            raise KeyError(f"play {play} is not showing")

    def set_play_speed(self, play: int, speed: float) -> None:
        """Sets the speed of a play."""
        if not _lib.pchr_animator_set_play_speed(self._handle, play, speed):
            raise KeyError(f"play {play} is not showing")

    def set_layer(self, layer: int, *, weight: float = 1, mode: Literal["override", "additive"] = "override",
                  bones: Sequence[Part] | None = None, subtree: Part | None = None, mask: str | None = None,
                  reference_clip: Part | None = None, reference_frame: int = 0) -> None:
        """Sets how a layer mixes with the layers below, and on which bones: all, those listed, a bone and its
        descendants, or a mask of the loaded rig by name. An additive layer adds the difference between its clips and
        the reference: a frame of a clip, or the bind pose."""
        character = self._character
        choices = sum(choice is not None for choice in (bones, subtree, mask))
        if choices > 1:
            raise ValueError("bones, subtree and mask exclude each other")
        included = (ctypes.c_uint8 * len(character.bones))()
        for bone in bones or ():
            included[character._number("bone", bone)] = 1
        if subtree is not None:
            _lib.pchr_mask_subtree(character._handle, character._number("bone", subtree), included)
        if mask is not None and not _lib.pchr_rig_mask(self._rig, _text(mask, "mask"), included):
            raise KeyError(f'the rig has no mask named "{mask}"')
        reference = _c.PCHR_NONE if reference_clip is None else character._number("clip", reference_clip)
        options = _sized(_c.pchr_layer_options, mode=_named(("override", "additive"), mode, "mode"), weight=weight,
                         mask=ctypes.addressof(included) if choices else None, reference_clip=reference,
                         reference_frame=reference_frame)
        _lib.pchr_animator_set_layer(self._handle, _layer(layer), byref(options))

    def set_layer_weight(self, layer: int, weight: float) -> None:
        """Sets only the weight of a layer."""
        _lib.pchr_animator_set_layer_weight(self._handle, _layer(layer), weight)

    def set_markers(self, markers: str | os.PathLike[str] | Sequence[tuple[Part, int, str]]) -> None:
        """Replaces the markers: a list of (clip, frame, name), or the path of a file."""
        if isinstance(markers, (str, os.PathLike)):
            _tried(_slow.pchr_animator_load_markers, self._handle, os.fsencode(markers), None)
            return
        array = (_c.pchr_marker * len(markers))(*((self._character._number("clip", clip), frame, name.encode())
                                                  for clip, frame, name in markers))
        _lib.pchr_animator_set_markers(self._handle, array, len(array))

    def advance(self, seconds: float) -> list[Event]:
        """Advances and returns everything that happened, in order."""
        count = ctypes.c_uint32()
        address = _lib.pchr_animator_advance(self._handle, seconds, byref(count))
        if not count:
            return []
        return [Event(_EVENTS[event.kind], event.layer, event.play, _number_or_none(event.clip),
                      None if event.marker is None else event.marker.decode(), event.count, event.seconds, event.weight)
                for event in (_c.pchr_event * count.value).from_address(address)]

    def override(self, bone: Part, *, x: float | None = None, y: float | None = None,
                 rotation_degrees: float | None = None, scale_x: float | None = None, scale_y: float | None = None,
                 visible: bool | None = None, z_order: int | None = None, weight: float = 1,
                 relative: bool = False) -> None:
        """Replaces values of a bone after clips are mixed."""
        number = self._character._number("bone", bone)
        values = {"x": x, "y": y, "rotation": rotation_degrees, "scale_x": scale_x, "scale_y": scale_y,
                  "visible": visible, "z_order": z_order}
        override = _sized(_c.pchr_bone_override, relative=relative, keep=1 - weight)
        for name, value in values.items():
            if value is not None:
                override.values |= getattr(_c, f"PCHR_OVERRIDE_{name.upper()}")
                setattr(override, "rotation_degrees" if name == "rotation" else name, value)
        self._overrides[number] = override
        self._set_overrides()

    def clear_overrides(self) -> None:
        """Removes all overrides."""
        self._overrides.clear()
        self._set_overrides()

    def _set_overrides(self):
        for bone, override in self._overrides.items():
            override.bone = bone
        overrides = (_c.pchr_bone_override * len(self._overrides))(*self._overrides.values())
        _lib.pchr_animator_set_overrides(self._handle, overrides, len(overrides))

    def load_rig(self, file: str | os.PathLike[str] | bytes) -> None:
        """Replaces markers, masks and procedural layers with those of a file next to a character, or of its bytes."""
        files = _Files(lambda path: file) if isinstance(file, bytes) else None
        path = b"bytes" if files else os.fsencode(file)
        rig = _tried(_slow.pchr_rig_load, self._character._handle, path, files and byref(files.system),
                     owned_by=_lib.pchr_rig_free)
        _lib.pchr_animator_set_markers(self._handle, None, 0)
        _lib.pchr_animator_set_rig(self._handle, rig)
        self._rig = rig

    def play_states(self) -> None:
        """Lets the state machines of the loaded rig play the clips: advance() then advances them. After another rig,
        it keeps values of parameters and current states of the same names."""
        if self._rig is None:
            raise RuntimeError("call load_rig() first")
        _tried(_lib.pchr_animator_set_states, self._handle, self._rig)

    def stop_states(self) -> None:
        """Removes the state machines. What plays continues."""
        _lib.pchr_animator_set_states(self._handle, None, None)

    @property
    def parameters(self) -> list[Parameter]:
        """Parameters of the state machines, with their current values."""
        parameters, found = [], _sized(_c.pchr_parameter)
        while _lib.pchr_animator_get_parameter(self._handle, len(parameters), byref(found)):
            parameters.append(Parameter(found.name.decode(), _PARAMETERS[found.kind], found.value, found.min, found.max,
                                        found.key.decode()))
        return parameters

    def set_parameter(self, name: str, value: float) -> None:
        """Sets a number, which is kept within its range, or a boolean, for the next advance()."""
        number = _lib.pchr_animator_find_parameter(self._handle, _text(name, "name"))
        if not _lib.pchr_animator_set_parameter(self._handle, number, float(value)):
            raise KeyError(f'the state machines have no parameter named "{name}"')

    def fire(self, trigger: str) -> None:
        """Sets a trigger."""
        number = _lib.pchr_animator_find_parameter(self._handle, _text(str(trigger), "trigger"))
        found = _sized(_c.pchr_parameter)
        if (not _lib.pchr_animator_get_parameter(self._handle, number, byref(found))
                or _PARAMETERS[found.kind] != "trigger"):
            raise KeyError(f'the state machines have no trigger named "{trigger}"')
        _lib.pchr_animator_set_parameter(self._handle, number, 1)

    @property
    def state_layers(self) -> int:
        """Number of layers of the state machines."""
        return _lib.pchr_animator_state_layer_count(self._handle)

    def state(self, layer: int = 0) -> StateStatus:
        """Returns where a layer of the state machines is."""
        layer, found = operator.index(layer), _sized(_c.pchr_state_status)
        if not 0 <= layer < self.state_layers:
            raise IndexError(f"layer {layer} does not exist; the state machines have {self.state_layers}")
        _lib.pchr_animator_get_state(self._handle, layer, byref(found))
        return StateStatus(found.layer_name.decode(), found.name.decode(),
                           None if found.from_name is None else found.from_name.decode(),
                           _number_or_none(found.transition), found.progress, found.phase)

    def enter_state(self, name: str, layer: int = 0, fade_seconds: float = 0) -> None:
        """Enters a state at once, whatever the transitions."""
        if not _lib.pchr_animator_enter_state(self._handle, _layer(layer), _text(name, "name"), fade_seconds):
            raise KeyError(f'layer {layer} of the state machines has no state named "{name}"')

    @property
    def state_events(self) -> list[StateEvent]:
        """What the state machines did in the last advance(), in order."""
        count = ctypes.c_uint32()
        address = _lib.pchr_animator_state_events(self._handle, byref(count))
        if not count:
            return []
        return [StateEvent(_STATE_EVENTS[event.kind], event.layer, event.state, event.name.decode(), event.seconds)
                for event in (_c.pchr_state_event * count.value).from_address(address)]

    def save_states(self) -> str:
        """Returns values and states as text for a saved game."""
        size = _lib.pchr_animator_save_states(self._handle, None, 0)
        saved = ctypes.create_string_buffer(size + 1)
        _lib.pchr_animator_save_states(self._handle, saved, len(saved))
        return saved.value.decode()

    def restore_states(self, saved: str) -> None:
        """Continues from such a text, without fades that were under way."""
        if not _lib.pchr_animator_restore_states(self._handle, _text(saved, "saved")):
            raise ValueError("the text is not of save_states(), or no state machines play")

    def control_rig(self, name: str, target: Point | None = None, weight: float = 1) -> None:
        """Sets the target and the weight of an aim or a limb."""
        point = None if target is None else (ctypes.c_float * 2)(*_floats(target, 2, "target"))
        if not _lib.pchr_animator_set_target(self._handle, _text(name, "name"), point, weight):
            raise KeyError(f'the rig has no aim or limb named "{name}"')

    def place_rig(self, placement: ArrayLike, teleport: bool = False) -> None:
        """Tells the procedural layers where the character is, which swings its springs."""
        _lib.pchr_animator_set_placement(self._handle, byref(_affine(placement)), teleport)

    def set_root_motion(self, bone: Part | None, along_x: bool = True, along_y: bool = False) -> None:
        """Takes a bone's movement out of the pose. None stops that."""
        number = _c.PCHR_NONE if bone is None else self._character._number("bone", bone)
        _lib.pchr_animator_set_root_motion(self._handle, number, along_x, along_y)

    def take_root_motion(self) -> list[float]:
        """Returns that movement since the last call."""
        moved = (ctypes.c_float * 2)()
        _lib.pchr_animator_take_root_motion(self._handle, moved, byref(moved, sizeof(ctypes.c_float)))
        return list(moved)

    def rebind(self, character: Character) -> dict[str, list[str]]:
        """Continues with another version of the character. Returns the names it lacks. To name masks again, load the
        rig again."""
        rebound = _sized(_c.pchr_rebound)
        if not _lib.pchr_animator_rebind(self._handle, character._handle, byref(rebound)):
            raise MemoryError
        bones, self._character, self._rig = self._character.bones, character, None
        found = {character.find_bone(bones[bone].name): override for bone, override in self._overrides.items()}
        self._overrides = {bone: override for bone, override in found.items() if bone is not None}
        self._set_overrides()
        return {kind: [name.decode() for name in names.names[:names.count]]
                for kind, names in (("clips", rebound.clips), ("bones", rebound.bones))}

    def pose(self, out: Pose) -> None:
        """Poses the character as the animator shows it."""
        self._character._require_same(out.character)
        _lib.pchr_animator_pose(self._handle, out._handle)


class _Graphics:
    """OpenGL on one thread, shared by its canvases. Keeps the characters and skins that were drawn last."""
    MAX_KEPT = 8
    of_thread = threading.local()

    def __init__(self):
        self.models, self.drawing = {}, None  # The canvas between clear() and finish().
        self.headless = _tried(_lib.pchr_headless_create, owned_by=_lib.pchr_headless_free, raises=RuntimeError)
        self.get_proc_address = _lib.pchr_headless_get_proc_address(self.headless)
        options = _sized(_c.pchr_renderer_options, executor=ctypes.pointer(_threads))
        self.renderer = _tried(_lib.pchr_renderer_create, self.get_proc_address, byref(options),
                               owned_by=_lib.pchr_renderer_free, raises=RuntimeError)

    def __del__(self):
        self.models.clear()
        self.renderer = None  # Before the context.

    @classmethod
    def here(cls):
        graphics = getattr(cls.of_thread, "graphics", lambda: None)()
        if graphics is None:
            graphics = cls()
            cls.of_thread.graphics = weakref.ref(graphics)
        return graphics

    def kept(self, uploads, source, version, function, *arguments, free):
        """Returns what was uploaded from `source`, with a dict for what belongs to it."""
        if source not in uploads or uploads[source][0] != version:
            uploads.pop(source, None)
            if len(uploads) == self.MAX_KEPT:
                del uploads[next(iter(uploads))]
            handle = _tried(function, self.renderer, *arguments, owned_by=free, raises=RuntimeError)
            uploads[source] = version, handle, {}
        return uploads[source][1:]

    def model(self, character):
        return self.kept(self.models, character, 0, _lib.pchr_renderer_upload, character._handle,
                         free=_lib.pchr_model_free)

    def skin(self, model, skins, skin):
        return self.kept(skins, skin, skin._version, _lib.pchr_renderer_upload_skin, model, skin._handle,
                         free=_lib.pchr_gpu_skin_free)[0]


class Canvas:
    """An image that characters are drawn into, without a display."""

    def __init__(self, width: int, height: int, samples: int = 4) -> None:
        self._graphics = _Graphics.here()
        self._thread = threading.get_ident()
        self._shape = height, width, 4
        self._target = _tried(_lib.pchr_target_create, self._graphics.get_proc_address, width, height, samples,
                              owned_by=_lib.pchr_target_free, raises=RuntimeError)
        self._camera = _sized(_c.pchr_camera, zoom=1, viewport_width=width, viewport_height=height)

    def __del__(self):
        graphics = getattr(self, "_graphics", None)
        if graphics and graphics.drawing == id(self):
            self.finish(True)
        self._target = None  # Before the context.

    def look(self, center: Point = (0, 0), zoom: float = 1, flip_y: bool = False) -> None:
        """Sets the world point in the center and the pixels per world pixel."""
        if not zoom > 0:
            raise ValueError(f"zoom is {zoom}, expected more than 0")
        camera = self._camera
        camera.center_x, camera.center_y = _floats(center, 2, "center")
        camera.zoom, camera.flip_y = zoom, flip_y

    def fit(self, bounds: Rect, margin: float = 0.05) -> None:
        """Shows all of a rectangle."""
        rect = _c.pchr_rect(*_floats(bounds, 4, "bounds"))
        _lib.pchr_camera_fit(byref(self._camera), byref(rect), margin)

    def clear(self, color: Color = (0, 0, 0, 0)) -> None:
        """Starts an image."""
        self._require(threading.get_ident() == self._thread, "a canvas belongs to the thread that created it")
        if self._graphics.drawing == id(self):
            self.finish(True)
        self._require(self._graphics.drawing is None, "another canvas is being drawn; call its finish() first")
        *rgb, alpha = _floats(color, 4, "color")
        _lib.pchr_target_begin(self._target, (ctypes.c_float * 4)(*(value * alpha for value in rgb), alpha))
        self._graphics.drawing = id(self)

    def draw(self, pose: Pose, *, placement: ArrayLike | None = None, tint: Color = (1, 1, 1, 1),
             dark_tint: Rgb = (0, 0, 0), additive: Rgb = (0, 0, 0), blend: Blend = "normal",
             skin: Skin | None = None) -> None:
        """Draws a posed character on top."""
        self._require_drawing()
        if skin is not None:
            pose.character._require_same(skin.character)
        model, skins = self._graphics.model(pose.character)
        options = _sized(_c.pchr_draw_options, skin=skin and self._graphics.skin(model, skins, skin),
                         appearance=_appearance(placement, tint, dark_tint, additive, blend))
        _lib.pchr_renderer_draw_pose(self._graphics.renderer, model, pose._handle, byref(self._camera), byref(options))

    def finish(self, premultiplied: bool = False) -> Bytes:
        """Returns the image: (height, width, 4) bytes with straight alpha, top row first."""
        self._require_drawing()
        pixels = np.empty(self._shape, np.uint8)
        _lib.pchr_target_finish(self._target, _address(pixels), pixels.size)
        self._graphics.drawing = None
        if not premultiplied:
            partial = (pixels[..., 3] > 0) & (pixels[..., 3] < 255)
            colors = pixels[partial].astype(np.uint32)
            alpha = colors[:, 3:]
            colors[:, :3] = np.minimum((colors[:, :3] * 255 + alpha // 2) // alpha, 255)
            pixels[partial] = colors
        return pixels

    @staticmethod
    def _require(condition, why):
        if not condition:
            raise RuntimeError(why)

    def _require_drawing(self):
        self._require(threading.get_ident() == self._thread, "a canvas belongs to the thread that created it")
        self._require(self._graphics.drawing == id(self), "call clear() first")


def load(file: str | os.PathLike[str] | bytes, *, bind_clip: str | None = None, bind_frame: int = 0,
         image_folder: str = "", allow_images_outside: bool = False, follow_links: bool = False,
         text_encoding: str = "", second_player: bool = False, animations: Sequence[str] = (),
         texture_folders: Sequence[str] = (), armature: str = "", skin: str = "", frames_per_second: float = 0,
         deform_tolerance: float = 0.5, flat: bool = False,
         read_file: Callable[[str], bytes] | None = None) -> Character:
    """Loads a character of any format from a path, or from the bytes of a file. `read_file` replaces the file system:
    it returns the contents of a file, or raises an OSError."""
    def names(texts):
        return _c.pchr_names((ctypes.c_char_p * len(texts))(*map(os.fsencode, texts)), len(texts))

    options = _sized(_c.pchr_load_options, executor=ctypes.pointer(_threads), bind_frame=bind_frame,
                     image_folder=os.fsencode(image_folder) if image_folder else None,
                     allow_images_outside=allow_images_outside, follow_links=follow_links,
                     text_encoding=text_encoding.encode() if text_encoding else None, second_player=second_player,
                     animations=names(animations), texture_folders=names(texture_folders),
                     armature=armature.encode() if armature else None, skin=skin.encode() if skin else None,
                     frames_per_second=frames_per_second, deform_tolerance=deform_tolerance, flat=flat)
    if bind_clip is not None:
        options.bind, options.bind_clip = _c.PCHR_BIND_CLIP, bind_clip.encode()
    files = None if read_file is None else _Files(read_file)
    if files is not None:
        options.file_system = ctypes.pointer(files.system)
    is_bytes = isinstance(file, bytes)
    function = _slow.pchr_load_memory if is_bytes else _slow.pchr_load_file
    source = (file, len(file)) if is_bytes else (os.fsencode(file),)
    try:
        return Character(_tried(function, *source, byref(options), owned_by=_lib.pchr_character_free))
    finally:
        if files is not None and files.raised is not None:
            raise files.raised


def encode_png(pixels: Bytes) -> bytes:
    """Encodes pixels with straight alpha as a PNG file."""
    height, width, _ = _pixels(pixels).shape
    lines = _pixels(pixels).reshape(height, width * 4)
    filtered = np.full((height, 1 + width * 4), 2, np.uint8)  # The first byte says: differences from the line above.
    filtered[0, 1:] = lines[0]
    filtered[1:, 1:] = lines[1:] - lines[:-1]

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(filtered)) + chunk(b"IEND", b"")


def placement(position: Point, rotation_degrees: float = 0, scale: float = 1, flip_x: bool = False) -> Floats:
    """Returns the transform that mirrors, scales, rotates, then moves."""
    placed = _lib.pchr_placement(*_floats(position, 2, "position"), rotation_degrees, scale, flip_x)
    return np.array([placed.a, placed.b, placed.c, placed.d, placed.tx, placed.ty], np.float32).reshape(3, 2)
