# SPDX-License-Identifier: MIT
"""Cut paper: shapes, sheets of stacked layers, and the atlas they are packed into.

Shapes are functions that fill themselves on a cairo context whose units are world pixels, y up.
A sheet stacks them as paper: each layer has grain, a light cut edge, and casts a soft shadow on
what lies below it.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import cairo
import numpy as np

SHADOW_COLOR = np.array([0.20, 0.10, 0.20], np.float32)
GRAIN_SIZE = 1024


def rgb(text):
    """'#e0703a' as three numbers in 0..1."""
    return tuple(int(text[i:i + 2], 16) / 255 for i in (1, 3, 5))


# ---------------------------------------------------------------- shapes

def trace(context, points, closed):
    """A smooth path through `points`; a point (x, y, 'corner') stays sharp."""
    count = len(points)
    xy = [np.array(point[:2], float) for point in points]
    tangents = []
    for i in range(count):
        if len(points[i]) > 2:
            tangents.append(np.zeros(2))
        elif closed or 0 < i < count - 1:
            tangents.append((xy[(i + 1) % count] - xy[i - 1]) / 6)
        else:
            tangents.append(np.zeros(2))
    context.move_to(*xy[0])
    for i in range(count if closed else count - 1):
        j = (i + 1) % count
        context.curve_to(*(xy[i] + tangents[i]), *(xy[j] - tangents[j]), *xy[j])
    if closed:
        context.close_path()


def blob(points):
    """A filled smooth outline."""
    def fill(context):
        trace(context, points, True)
        context.fill()
    return fill


def polygon(points):
    """A filled outline of straight cuts."""
    return blob([(*point[:2], "corner") for point in points])


def ellipse(x, y, radius_x, radius_y, tilt=0.0):
    def fill(context):
        context.save()
        context.translate(x, y)
        context.rotate(math.radians(tilt))
        context.scale(radius_x, radius_y)
        context.arc(0, 0, 1, 0, 2 * math.pi)
        context.restore()
        context.fill()
    return fill


def line(points, width):
    """A smooth line with round ends."""
    def fill(context):
        context.set_line_width(width)
        context.set_line_cap(cairo.LINE_CAP_ROUND)
        context.set_line_join(cairo.LINE_JOIN_ROUND)
        trace(context, points, False)
        context.stroke()
    return fill


def ribbon(center, half_widths):
    """The outline around a center line, [n, 2], whose half width is given at each point."""
    center = np.asarray(center, float)
    normals = normals_of(center)
    widths = np.asarray(half_widths, float)[:, None]
    left, right = center + normals * widths, center - normals * widths
    return polygon([*map(tuple, left), *map(tuple, right[::-1])])


def together(*shapes):
    """The union of shapes."""
    def fill(context):
        for shape in shapes:
            shape(context)
    return fill


def without(shape, *holes):
    """A shape with holes cut out of it."""
    def fill(context):
        shape(context)
        context.save()
        context.set_operator(cairo.OPERATOR_CLEAR)
        for hole in holes:
            hole(context)
        context.restore()
    return fill


def spline(points, count):
    """`count` points spread evenly along a smooth curve through `points`."""
    points = np.asarray(points, float)
    padded = np.vstack([2 * points[0] - points[1], points, 2 * points[-1] - points[-2]])
    dense = []
    for i in range(len(points) - 1):
        a, b, c, d = padded[i:i + 4]
        for t in np.linspace(0, 1, 64, endpoint=False):
            dense.append(0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t
                                + (3 * b - a - 3 * c + d) * t ** 3))
    dense = np.array(dense + [points[-1]])
    along = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(dense, axis=0).T))])
    at = np.linspace(0, along[-1], count)
    return np.column_stack([np.interp(at, along, dense[:, 0]), np.interp(at, along, dense[:, 1])])


def normals_of(center):
    """Unit normals, to the left of the direction of travel, at each point of a center line."""
    direction = np.gradient(center, axis=0)
    direction /= np.hypot(*direction.T)[:, None]
    return np.column_stack([-direction[:, 1], direction[:, 0]])


# ---------------------------------------------------------------- paper

def _blur(values, sigma):
    """A Gaussian blur of a 2D array; pixels beyond the border count as 0."""
    if sigma <= 0:
        return values
    radius = int(math.ceil(3 * sigma))
    kernel = np.exp(-0.5 * (np.arange(-radius, radius + 1) / sigma) ** 2)
    kernel = (kernel / kernel.sum()).astype(np.float32)
    for axis in (0, 1):
        pad = [(radius, radius) if a == axis else (0, 0) for a in (0, 1)]
        padded = np.pad(values, pad)
        size = values.shape[axis]
        values = sum(k * np.take(padded, range(i, i + size), axis)
                     for i, k in enumerate(kernel))
    return values


def _shifted(values, right, down):
    """A 2D array moved by whole pixels; what comes in from outside is 0."""
    out = np.zeros_like(values)
    height, width = values.shape
    target = (slice(max(0, down), min(height, height + down)),
              slice(max(0, right), min(width, width + right)))
    source = (slice(max(0, -down), min(height, height - down)),
              slice(max(0, -right), min(width, width - right)))
    out[target] = values[source]
    return out


def _wrapped_blur(values, sigma):
    """A Gaussian blur of a square array that tiles."""
    frequency = np.fft.fftfreq(len(values))
    response = np.exp(-2 * (math.pi * sigma) ** 2 * frequency ** 2)
    spectrum = np.fft.fft2(values) * response[:, None] * response[None, :]
    return np.fft.ifft2(spectrum).real


@lru_cache
def _grain():
    """Tooth and fibers of a sheet, mean 0, deviation 1; rounded so that platforms agree."""
    random = np.random.Generator(np.random.PCG64(20240229))
    noise = random.standard_normal((2, GRAIN_SIZE, GRAIN_SIZE))
    tooth = _wrapped_blur(noise[0], 0.9)
    cloud = _wrapped_blur(noise[1], 9.0)
    surface = cairo.ImageSurface(cairo.FORMAT_A8, GRAIN_SIZE, GRAIN_SIZE)
    context = cairo.Context(surface)
    for x, y, heading, bend, length, strength in random.random((5200, 6)):
        context.set_source_rgba(0, 0, 0, 0.25 + 0.6 * strength)
        context.set_line_width(0.8)
        context.save()
        context.translate(x * GRAIN_SIZE, y * GRAIN_SIZE)
        context.rotate(heading * 2 * math.pi)
        reach = 6 + 22 * length
        context.move_to(0, 0)
        context.curve_to(reach / 3, (bend - 0.5) * reach, reach * 2 / 3, (0.5 - bend) * reach,
                         reach, (bend - 0.5) * reach * 0.6)
        context.stroke()
        context.restore()
    surface.flush()
    fibres = np.frombuffer(surface.get_data(), np.uint8).reshape(GRAIN_SIZE, -1) / 255.0

    def unit(values):
        return (values - values.mean()) / values.std()

    mixed = unit(0.75 * unit(tooth) + 0.55 * unit(cloud) + 0.55 * unit(fibres))
    return np.round(mixed, 2).astype(np.float32)


@dataclass
class Part:
    """A finished piece: straight-alpha pixels and the world rectangle (left, bottom, right, top)
    they cover."""
    name: str
    pixels: np.ndarray
    rect: tuple


class Sheet:
    """A stack of paper layers over a world rectangle, `density` texels per world pixel."""

    def __init__(self, name, rect, density, seed):
        self.name, self.rect, self.density = name, rect, density
        left, bottom, right, top = rect
        self.width = int(math.ceil((right - left) * density))
        self.height = int(math.ceil((top - bottom) * density))
        self.color = np.zeros((self.height, self.width, 3), np.float32)
        self.alpha = np.zeros((self.height, self.width), np.float32)
        self.random = np.random.Generator(np.random.PCG64(seed))

    def mask(self, shape):
        """Coverage of a shape, 0..1 per texel."""
        surface = cairo.ImageSurface(cairo.FORMAT_A8, self.width, self.height)
        context = cairo.Context(surface)
        context.set_antialias(cairo.ANTIALIAS_BEST)
        context.set_tolerance(0.05)
        context.scale(self.density, -self.density)
        context.translate(-self.rect[0], -self.rect[3])
        shape(context)
        surface.flush()
        rows = np.frombuffer(surface.get_data(), np.uint8).reshape(self.height, -1)
        return rows[:, :self.width].astype(np.float32) / 255

    def _lay(self, color, alpha):
        self.color = color * alpha[..., None] + self.color * (1 - alpha[..., None])
        self.alpha = alpha + self.alpha * (1 - alpha)

    def cut(self, shape, color, lift=1.0, within=None, edge=1.0, grain=1.0):
        """Lays a cut shape on the stack. `lift` is its height above what lies below: the size and
        strength of its shadow. `within` trims it, shadow and all, to another shape."""
        mask = self.mask(shape)
        if within is not None:
            mask = mask * self.mask(within)
        step = self.density
        if lift > 0:
            shadow = _shifted(mask, round(2.6 * lift * step), round(3.6 * lift * step))
            shadow = _blur(shadow, 3.4 * lift * step)
            contact = _blur(mask, 1.4 * step)
            shadow = np.maximum(0.36 * min(lift, 1.3) * shadow, 0.26 * contact)
            if within is not None:
                shadow = shadow * self.mask(within)
            self._lay(SHADOW_COLOR, shadow)

        row, column = self.random.integers(0, GRAIN_SIZE, 2)
        tooth = np.take(np.take(_grain(), range(row, row + self.height), 0, mode="wrap"),
                        range(column, column + self.width), 1, mode="wrap")
        paper = np.asarray(color, np.float32) * (1 + 0.024 * grain * tooth[..., None])
        fall = np.linspace(0.025, -0.035, self.height, dtype=np.float32)[:, None, None]
        paper = paper * (1 + fall)

        inner = _blur(mask, 0.55 * step)
        rim = np.clip(1 - inner, 0, 1) * 1.1
        lit = mask * np.clip(1 - _shifted(_blur(mask, 0.5 * step), round(step), round(step)), 0, 1)
        away = _shifted(mask, -round(1.5 * step), -round(1.5 * step))
        dim = mask * np.clip(1 - _blur(away, step), 0, 1)
        glow = np.clip(edge * (0.30 * rim + 0.34 * lit), 0, 1)[..., None]
        paper = paper * (1 - 0.12 * edge * dim[..., None])
        paper = paper + (1.0 - paper) * glow
        self._lay(np.clip(paper, 0, 1), mask)

    def tint(self, shape, color, strength, softness=0.0):
        """A wash of color on the paper below, with no edge or shadow."""
        wash = _blur(self.mask(shape), softness * self.density) * strength * (self.alpha > 0.98)
        self._lay(np.asarray(color, np.float32), wash)

    def part(self):
        """The stack as one piece, trimmed to its visible part."""
        seen = self.alpha > 1.5 / 255
        rows, columns = np.flatnonzero(seen.any(1)), np.flatnonzero(seen.any(0))
        top, bottom = rows[0], rows[-1] + 1
        left, right = columns[0], columns[-1] + 1
        alpha = np.where(seen, self.alpha, 0)[top:bottom, left:right]
        straight = self.color[top:bottom, left:right] / np.maximum(alpha, 1e-3)[..., None]
        pixels = np.dstack([np.where(alpha[..., None] > 0, straight, 0), alpha])
        pixels = np.rint(np.clip(pixels, 0, 1) * 255).astype(np.uint8)
        x, y = self.rect[0], self.rect[3]
        return Part(self.name, pixels, (x + left / self.density, y - bottom / self.density,
                                        x + right / self.density, y - top / self.density))


# ---------------------------------------------------------------- atlas

@dataclass
class Atlas:
    """Packed parts. `corners[name]` is the texel of a part's top left corner."""
    pixels: np.ndarray
    corners: dict

    def uv(self, part, x, y):
        """Texture coordinates of world positions on a part."""
        height, width, _ = self.pixels.shape
        left, bottom, right, top = part.rect
        rows, columns, _ = part.pixels.shape
        column, row = self.corners[part.name]
        return ((column + (x - left) / (right - left) * columns) / width,
                (row + (top - y) / (top - bottom) * rows) / height)


def _bleed(pixels, reach):
    """Carries the color of visible texels outwards under the transparent ones."""
    color = pixels[..., :3].astype(np.float32)
    known = pixels[..., 3] > 0
    for _ in range(reach):
        total = np.zeros_like(color)
        count = np.zeros(known.shape, np.float32)
        for right, down in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            neighbor = _shifted(known.astype(np.float32), right, down)
            count += neighbor
            for channel in range(3):
                total[..., channel] += _shifted(color[..., channel] * known, right, down)
        fresh = ~known & (count > 0)
        color[fresh] = total[fresh] / count[fresh][:, None]
        known |= fresh
    return np.dstack([np.rint(color).astype(np.uint8), pixels[..., 3]])


def pack(parts, width, padding=5, align=4):
    """Packs parts into one image of the given width, tallest first, each as high as it fits."""
    skyline = np.zeros(width, int)
    corners = {}
    for part in sorted(parts, key=lambda p: (-p.pixels.shape[0], p.name)):
        rows, columns = part.pixels.shape[0] + 2 * padding, part.pixels.shape[1] + 2 * padding
        tops = [skyline[x:x + columns].max() for x in range(width - columns + 1)]
        x = int(np.argmin(tops))
        corners[part.name] = (x + padding, int(tops[x]) + padding)
        skyline[x:x + columns] = tops[x] + rows
    height = -(-int(skyline.max()) // align) * align
    pixels = np.zeros((height, width, 4), np.uint8)
    for part in parts:
        column, row = corners[part.name]
        rows, columns, _ = part.pixels.shape
        pixels[row:row + rows, column:column + columns] = part.pixels
    return Atlas(_bleed(pixels, padding), corners)
