# SPDX-License-Identifier: MIT
"""The PCHR v1 binary: images, bones, skinned meshes and sampled clips, written front to back."""

import struct
import zlib
from dataclasses import dataclass, field

import numpy as np

IMAGE_PNG = 0
IMAGE_RGBA8888 = 1
CLIP_LOOPS = 1
BONE_VISIBLE = 1

VERTEX = np.dtype([("x", "<f4"), ("y", "<f4"), ("u", "<f4"), ("v", "<f4"),
                   ("bone_ids", "<u2", 4), ("bone_weights", "<f4", 4)])
BONE_TRANSFORM = np.dtype([("x", "<f4"), ("y", "<f4"), ("rotation", "<f4"),
                           ("scale_x", "<f4"), ("scale_y", "<f4"),
                           ("flags", "u1"), ("z_order", "<i2")])


@dataclass
class Image:
    """An atlas; `pixels` is uint8 [height, width, 4] with straight alpha."""
    name: str
    pixels: np.ndarray
    format: int = IMAGE_PNG


@dataclass
class Bone:
    name: str
    parent: int


@dataclass
class Mesh:
    """`vertices` is an array of VERTEX, `indices` a flat triangle list."""
    name: str
    image: int
    vertices: np.ndarray
    indices: np.ndarray


@dataclass
class Clip:
    """`frames` is an array of BONE_TRANSFORM, [frames, bones]."""
    name: str
    loops: bool
    frames: np.ndarray


@dataclass
class Character:
    fps: int
    images: list = field(default_factory=list)
    bones: list = field(default_factory=list)
    meshes: list = field(default_factory=list)
    clips: list = field(default_factory=list)


def _string(text):
    raw = text.encode("utf-8")
    return struct.pack("<H", len(raw)) + raw


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _filtered_rows(pixels):
    """The PNG rows, each under the filter whose residuals have the smallest absolute sum."""
    height, width, _ = pixels.shape
    raw = pixels.reshape(height, width * 4).astype(np.int16)
    left = np.zeros_like(raw)
    left[:, 4:] = raw[:, :-4]
    up = np.zeros_like(raw)
    up[1:] = raw[:-1]
    corner = np.zeros_like(raw)
    corner[1:, 4:] = raw[:-1, :-4]
    estimate = left + up - corner
    to_left, to_up, to_corner = (np.abs(estimate - side) for side in (left, up, corner))
    paeth = np.where((to_left <= to_up) & (to_left <= to_corner), left,
                     np.where(to_up <= to_corner, up, corner))
    residuals = np.stack([raw, raw - left, raw - up, raw - (left + up) // 2, raw - paeth])
    residuals = residuals.astype(np.uint8)
    cost = np.abs(residuals.view(np.int8).astype(np.int32)).sum(axis=2)
    best = cost.argmin(axis=0)
    rows = np.empty((height, 1 + width * 4), np.uint8)
    rows[:, 0] = best
    rows[:, 1:] = residuals[best, np.arange(height)]
    return rows.tobytes()


def encode_png(pixels):
    """An 8-bit RGBA PNG of `pixels`, the same bytes for the same pixels."""
    height, width, _ = pixels.shape
    deflate = zlib.compressobj(9, zlib.DEFLATED, 15, 9)
    body = deflate.compress(_filtered_rows(pixels)) + deflate.flush()
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body)
            + chunk(b"IEND", b""))


def _image(image):
    height, width, _ = image.pixels.shape
    data = encode_png(image.pixels) if image.format == IMAGE_PNG else image.pixels.tobytes()
    return (_string(image.name) + struct.pack("<HHBI", width, height, image.format, len(data))
            + data)


def _mesh(mesh):
    indices = np.asarray(mesh.indices, "<u2")
    return (_string(mesh.name)
            + struct.pack("<HHI", mesh.image, len(mesh.vertices), len(indices))
            + mesh.vertices.tobytes() + indices.tobytes())


def _clip(clip):
    return (_string(clip.name)
            + struct.pack("<BH", CLIP_LOOPS if clip.loops else 0, len(clip.frames))
            + clip.frames.tobytes())


def _section(items, encode):
    return struct.pack("<H", len(items)) + b"".join(encode(item) for item in items)


def encode(character):
    """The whole file image of `character`."""
    return b"".join([
        b"PCHR", struct.pack("<IHH", 1, character.fps, 0),
        _section(character.images, _image),
        _section(character.bones, lambda bone: _string(bone.name) + struct.pack("<h", bone.parent)),
        _section(character.meshes, _mesh),
        _section(character.clips, _clip),
    ])
