import os
from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

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

class LoadError(ValueError):
    """A file or image that cannot be read or written."""
    code: str
    """Code from docs/errors.md, such as "E114"."""
    message: str
    """The problem, without the file and its position. str() has both."""
    path: str
    """The place in the file, such as "meshes[3].vertices[17]", or empty."""
    hint: str
    """What the author of the file can do."""

class Diagnostic:
    """A warning about a file."""
    @property
    def code(self) -> str: ...
    @property
    def message(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def hint(self) -> str: ...

class Bone:
    """A bone of the skeleton."""
    @property
    def name(self) -> str: ...
    @property
    def parent(self) -> int | None:
        """An earlier bone."""

class Image:
    """An atlas image."""
    @property
    def name(self) -> str: ...
    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    def decode(self) -> Bytes:
        """Decodes the pixels: (height, width, 4) bytes, premultiplied by alpha."""

class Mesh:
    """A range of vertices and triangles drawn with one image."""
    @property
    def name(self) -> str: ...
    @property
    def image(self) -> int: ...
    @property
    def first_vertex(self) -> int: ...
    @property
    def vertex_count(self) -> int: ...
    @property
    def first_index(self) -> int: ...
    @property
    def index_count(self) -> int:
        """A multiple of 3. Each index is relative to first_vertex."""

class Clip:
    """An animation, sampled once per frame. Arrays of samples have the shape (frames, bones)."""
    @property
    def name(self) -> str: ...
    @property
    def looping(self) -> bool: ...
    @property
    def frames_per_second(self) -> float:
        """0 means the clip holds its first frame."""
    @property
    def frame_count(self) -> int:
        """0 means the clip cannot play."""
    @property
    def loop_start(self) -> int:
        """Frame at which a loop restarts."""
    @property
    def duration_seconds(self) -> float: ...
    @property
    def x(self) -> Floats: ...
    @property
    def y(self) -> Floats: ...
    @property
    def rotation_degrees(self) -> Floats: ...
    @property
    def scale_x(self) -> Floats: ...
    @property
    def scale_y(self) -> Floats: ...
    @property
    def opacity(self) -> Floats: ...
    @property
    def visible(self) -> Bytes: ...
    @property
    def z_order(self) -> NDArray[np.int32]: ...
    def frame_seconds(self, frame: int) -> float:
        """Returns the start time of a frame."""

class Character:
    """A loaded character. It never changes."""
    @property
    def format(self) -> str:
        """The format of its file, such as "PCHR v1"."""
    @property
    def title(self) -> str: ...
    @property
    def author(self) -> str: ...
    @property
    def is_3d(self) -> bool: ...
    @property
    def bones(self) -> tuple[Bone, ...]: ...
    @property
    def clips(self) -> tuple[Clip, ...]: ...
    @property
    def meshes(self) -> tuple[Mesh, ...]: ...
    @property
    def images(self) -> tuple[Image, ...]: ...
    @property
    def vertices(self) -> NDArray[np.void]:
        """x, y, u, v, bones (4) and weights (4) of the vertices of all meshes."""
    @property
    def indices(self) -> NDArray[np.uint16]: ...
    @property
    def inverse_bind(self) -> Floats:
        """(bones, 3, 2)."""
    @property
    def governing_bones(self) -> NDArray[np.uint32]:
        """The bone that controls the visibility, draw order and opacity of each mesh."""
    @property
    def warnings(self) -> list[Diagnostic]: ...
    def validate(self) -> list[Diagnostic]:
        """Finds likely mistakes."""
    def find_bone(self, name: str) -> int | None:
        """Returns the first bone with that name, or None."""
    def find_clip(self, name: str) -> int | None:
        """Returns the first clip with that name, or None."""
    def find_mesh(self, name: str) -> int | None:
        """Returns the first mesh with that name, or None."""
    def bounds(self, clip: Part | None = None) -> Rect | None:
        """Computes the exact bounds of a clip, or of all clips. None if nothing shows."""
    def save(self, format: Literal["v1", "json", "packed"], stem: str, *, raw_pixels: bool = False,
             lossy: bool = False, json_dialect: Literal["v1", "pachario"] | None = None) -> dict[str, bytes]:
        """Returns the files of the character in a format: their names and contents."""

class Skin:
    """Changes to the meshes of one character."""
    def __init__(self, character: Character, name: str = "") -> None: ...
    @property
    def character(self) -> Character: ...
    @property
    def name(self) -> str: ...
    def add_image(self, pixels: Bytes) -> int:
        """Adds an image with straight alpha and returns its number for set()."""
    def set(self, mesh: Part, *, visible: bool = True, tint: Color = (1, 1, 1, 1), image: int | None = None,
            dark_tint: Rgb = (0, 0, 0), additive: Rgb = (0, 0, 0), blend: Blend = "normal") -> None:
        """Sets what the skin does to a mesh."""

class Hit:
    """A hit on a mesh."""
    @property
    def mesh(self) -> int: ...
    @property
    def bone(self) -> int:
        """The bone with the largest weight at the point."""
    @property
    def governing_bone(self) -> int: ...
    @property
    def triangle(self) -> int: ...
    @property
    def barycentrics(self) -> list[float]: ...
    @property
    def uv(self) -> list[float]: ...
    @property
    def alpha(self) -> int: ...

class Pose:
    """A posed character. Starts with the bind pose. After changing values of bones, call update()."""
    def __init__(self, character: Character) -> None: ...
    @property
    def character(self) -> Character: ...
    x: Floats
    y: Floats
    rotation_degrees: Floats
    scale_x: Floats
    scale_y: Floats
    opacity: Floats
    visible: Bytes
    z_order: NDArray[np.int32]
    draw_list: NDArray[np.void]
    """A copy of the visible meshes, back to front: mesh, opacity, tint (4), image, dark_tint (3),
    additive (3) and blend. Assign one to change it."""
    @property
    def world(self) -> Floats:
        """World transforms: (bones, 3, 2)."""
    @property
    def palette(self) -> Floats:
        """Transforms from the bind pose to this pose: (bones, 3, 2)."""
    def bind(self) -> None:
        """Shows the bind pose."""
    def clip(self, clip: Part, seconds: float, smooth: bool = False) -> None:
        """Shows a clip at a time."""
    def update(self) -> None:
        """Recomputes transforms and the draw list after changes to bones."""
    def deform(self, mesh: Part) -> Floats:
        """Computes the positions of a mesh's vertices: (count, 2) floats."""
    def bounds(self) -> Rect | None:
        """Computes the bounds of the visible meshes."""
    def rotation_towards(self, bone: Part, target: Point, axis: Point = (0, 1)) -> float:
        """Returns the rotation_degrees that point an axis of a bone at a point."""
    def hit_test(self, point: Point, *, placement: ArrayLike | None = None, skin: Skin | None = None,
                 min_alpha: int = 128) -> Hit | None:
        """Finds the topmost mesh at a point."""

class DrawStream:
    """Skinned triangles of any number of characters. Without looks, dark tints and additive colors are ignored."""
    def __init__(self, with_looks: bool = False) -> None: ...
    def clear(self) -> None:
        """Removes everything."""
    def add(self, pose: Pose, *, placement: ArrayLike | None = None, tint: Color = (1, 1, 1, 1),
            dark_tint: Rgb = (0, 0, 0), additive: Rgb = (0, 0, 0), blend: Blend = "normal",
            skin: Skin | None = None, source: int = 0) -> None:
        """Appends a posed character on top."""
    @property
    def vertices(self) -> NDArray[np.void]:
        """x, y, u, v and color (4 bytes, premultiplied)."""
    @property
    def indices(self) -> NDArray[np.uint32]: ...
    @property
    def commands(self) -> NDArray[np.void]:
        """source, image, first_index, index_count and blend (0 normal, 2 multiply, 3 screen)."""
    @property
    def looks(self) -> NDArray[np.void]:
        """dark and additive (4 bytes each, premultiplied) of every vertex, with looks."""

class Event:
    """Something that happened in one step of time."""
    @property
    def kind(self) -> Literal["started", "looped", "finished", "marker", "interrupted"]: ...
    @property
    def layer(self) -> int: ...
    @property
    def play(self) -> int: ...
    @property
    def clip(self) -> int | None:
        """None if rebind() dropped it."""
    @property
    def marker(self) -> str | None: ...
    @property
    def count(self) -> int: ...
    @property
    def seconds(self) -> float:
        """Time since the start of the step."""
    @property
    def weight(self) -> float: ...

class Play:
    """A clip that a layer is playing."""
    @property
    def id(self) -> int: ...
    @property
    def clip(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    @property
    def speed(self) -> float: ...
    @property
    def weight(self) -> float: ...

class Animator:
    """Plays clips on one instance of a character."""
    speed: float
    """Negative plays backwards."""
    smooth: bool
    """Interpolates between frames."""
    def __init__(self, character: Character) -> None: ...
    @property
    def character(self) -> Character: ...
    def play(self, clip: Part, *, layer: int = 0, fade_seconds: float = 0, speed: float = 1,
             start_seconds: float | None = None, loop: Loop = "from_file") -> int:
        """Starts a clip now and returns the id of this play."""
    def queue(self, clip: Part, *, layer: int = 0, fade_seconds: float = 0, speed: float = 1,
              start_seconds: float | None = None, loop: Loop = "from_file") -> int:
        """Starts a clip when the layer's last play ends, and returns the id of that play."""
    def stop(self, layer: int = 0, fade_seconds: float = 0) -> None:
        """Fades out a layer and clears its queue."""
    def queue_stop(self, layer: int = 0, fade_seconds: float = 0) -> None:
        """Fades out a layer when queue() would start a clip."""
    def plays(self, layer: int = 0) -> list[Play]:
        """Returns the plays of a layer, oldest first."""
    def seek(self, play: int, seconds: float) -> None:
        """Moves a play to a clip time."""
    def set_play_speed(self, play: int, speed: float) -> None:
        """Sets the speed of a play."""
    def set_layer(self, layer: int, *, weight: float = 1, mode: Literal["override", "additive"] = "override",
                  bones: Sequence[Part] | None = None, subtree: Part | None = None,
                  reference_clip: Part | None = None, reference_frame: int = 0) -> None:
        """Sets how a layer mixes with the layers below, and on which bones. An additive layer adds the difference
        between its clips and the reference: a frame of a clip, or the bind pose."""
    def set_layer_weight(self, layer: int, weight: float) -> None:
        """Sets only the weight of a layer."""
    def set_markers(self, markers: str | os.PathLike[str] | Sequence[tuple[Part, int, str]]) -> None:
        """Replaces the markers: a list of (clip, frame, name), or the path of a file."""
    def advance(self, seconds: float) -> list[Event]:
        """Advances and returns everything that happened, in order."""
    def override(self, bone: Part, *, x: float | None = None, y: float | None = None,
                 rotation_degrees: float | None = None, scale_x: float | None = None, scale_y: float | None = None,
                 visible: bool | None = None, z_order: int | None = None, weight: float = 1,
                 relative: bool = False) -> None:
        """Replaces values of a bone after clips are mixed."""
    def clear_overrides(self) -> None:
        """Removes all overrides."""
    def load_rig(self, file: str | os.PathLike[str] | bytes) -> None:
        """Replaces markers and procedural layers with those of a file next to a character, or of its bytes."""
    def control_rig(self, name: str, target: Point | None = None, weight: float = 1) -> None:
        """Sets the target and the weight of an aim or a limb."""
    def place_rig(self, placement: ArrayLike, teleport: bool = False) -> None:
        """Tells the procedural layers where the character is, which swings its springs."""
    def set_root_motion(self, bone: Part | None, along_x: bool = True, along_y: bool = False) -> None:
        """Takes a bone's movement out of the pose. None stops that."""
    def take_root_motion(self) -> list[float]:
        """Returns that movement since the last call."""
    def rebind(self, character: Character) -> dict[str, list[str]]:
        """Continues with another version of the character. Returns the names it lacks."""
    def pose(self, out: Pose) -> None:
        """Poses the character as the animator shows it."""

class Canvas:
    """An image that characters are drawn into, without a display."""
    def __init__(self, width: int, height: int, samples: int = 4) -> None: ...
    def look(self, center: Point = (0, 0), zoom: float = 1, flip_y: bool = False) -> None:
        """Sets the world point in the center and the pixels per world pixel."""
    def fit(self, bounds: Rect, margin: float = 0.05) -> None:
        """Shows all of a rectangle."""
    def clear(self, color: Color = (0, 0, 0, 0)) -> None:
        """Starts an image."""
    def draw(self, pose: Pose, *, placement: ArrayLike | None = None, tint: Color = (1, 1, 1, 1),
             dark_tint: Rgb = (0, 0, 0), additive: Rgb = (0, 0, 0), blend: Blend = "normal",
             skin: Skin | None = None) -> None:
        """Draws a posed character on top."""
    def finish(self, premultiplied: bool = False) -> Bytes:
        """Returns the image: (height, width, 4) bytes with straight alpha, top row first."""

def load(file: str | os.PathLike[str] | bytes, *, bind_clip: str | None = None, bind_frame: int = 0,
         image_folder: str = "", allow_images_outside: bool = False, follow_links: bool = False, text_encoding: str = "",
         second_player: bool = False, animations: Sequence[str] = (),
         texture_folders: Sequence[str] = (), read_file: Callable[[str], bytes] | None = None) -> Character:
    """Loads a character of any format from a path, or from the bytes of a file. `read_file` replaces the file system:
    it returns the contents of a file, or raises an OSError."""

def encode_png(pixels: Bytes) -> bytes:
    """Encodes pixels with straight alpha as a PNG file."""

def placement(position: Point, rotation_degrees: float = 0, scale: float = 1, flip_x: bool = False) -> Floats:
    """Returns the transform that mirrors, scales, rotates, then moves."""
