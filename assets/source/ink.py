# SPDX-License-Identifier: MIT
"""Inked drawings: filled shapes with an outline and one hard shadow, lit from the upper left.

Positions are pixels, y down. Colors are (r, g, b) in 0..1.
"""

import contextlib
import math

import cairo
import numpy as np

import paper

LINE_WIDTH = 2.2


def darker(color, amount=0.22):
    """A color in shadow, which is a little violet."""
    return tuple(channel * (1 - amount * loss) for channel, loss in zip(color, (0.62, 0.92, 0.45)))


def lighter(color, amount=0.4):
    return tuple(channel + (1 - channel) * amount for channel in color)


def canvas(width, height):
    """An empty drawing."""
    surface = cairo.ImageSurface(cairo.FORMAT_ARGB32, width, height)
    context = cairo.Context(surface)
    context.set_antialias(cairo.ANTIALIAS_BEST)
    context.set_tolerance(0.05)
    context.set_line_cap(cairo.LINE_CAP_ROUND)
    context.set_line_join(cairo.LINE_JOIN_ROUND)
    return context


def pixels(context):
    """The drawing as [height, width, 4], straight alpha."""
    surface = context.get_target()
    surface.flush()
    rows = np.frombuffer(surface.get_data(), np.uint8).reshape(surface.get_height(), -1, 4)
    alpha = rows[..., 3:].astype(np.float32)
    straight = rows[..., 2::-1] * (255 / np.maximum(alpha, 1))
    return np.dstack([np.rint(np.clip(straight, 0, 255)), alpha]).astype(np.uint8)


def shape(context, points, color, line, shadow=(-3.0, -2.5), width=LINE_WIDTH):
    """A smooth outline, filled. The part that the same outline moved by `shadow` leaves is darker; `line` is the
    outline's color. Either color may be None."""
    context.save()
    if color:
        paper.trace(context, points, True)
        context.set_source_rgb(*(darker(color) if shadow else color))
        context.fill()
    if color and shadow:
        with inside(context, points):
            context.translate(*shadow)
            paper.trace(context, points, True)
            context.set_source_rgb(*color)
            context.fill()
    if line:
        paper.trace(context, points, True)
        context.set_source_rgb(*line)
        context.set_line_width(width)
        context.stroke()
    context.restore()


@contextlib.contextmanager
def inside(context, points):
    """Clips everything drawn in this context to a smooth outline."""
    context.save()
    paper.trace(context, points, True)
    context.clip()
    yield
    context.restore()


def stroke(context, points, color, width):
    """A smooth line with round ends."""
    context.set_source_rgb(*color)
    context.set_line_width(width)
    paper.trace(context, points, False)
    context.stroke()


def oval(context, x, y, radius_x, radius_y, color):
    context.set_source_rgb(*color)
    paper.ellipse(x, y, radius_x, radius_y)(context)


def limb(center, half_widths, begin=0.0, end=1.0):
    """The outline of the part from `begin` to `end`, 0..1, of a limb that bends along the points of `center`."""
    line = paper.spline(center, 25)
    normals = paper.normals_of(line)
    at = np.linspace(begin, end, 9) * 24
    steps = np.arange(25)

    def sampled(values):
        return np.column_stack([np.interp(at, steps, values[:, i]) for i in (0, 1)])

    widths = np.interp(at / 24, np.linspace(0, 1, len(half_widths)), half_widths)[:, None]
    middle, across = sampled(line), sampled(normals)
    left, right = middle + across * widths, middle - across * widths
    return [(*left[0], "corner"), *map(tuple, left[1:-1]), (*left[-1], "corner"),
            (*right[-1], "corner"), *map(tuple, right[-2:0:-1]), (*right[0], "corner")]


def sugar_star(x, y, radius, turn=0.0, bumps=8):
    """The outline of a konpeito, a candy with round bumps."""
    points = []
    for i in range(bumps * 4):
        angle = i * math.pi / (bumps * 2)
        reach = radius * (0.74 + 0.26 * abs(math.cos(angle * bumps / 2)))
        point = (x + reach * math.cos(angle + math.radians(turn)), y + reach * math.sin(angle + math.radians(turn)))
        points.append((*point, "corner") if i % 4 == 2 else point)
    return points


def bend(root, target, first, second, side):
    """The middle joint and the end of two bones that reach from `root` towards `target`; `side` is +1 or -1."""
    dx, dy = target[0] - root[0], target[1] - root[1]
    distance = max(1e-6, math.hypot(dx, dy))
    reach = min(max(distance, abs(first - second) + 0.5), first + second - 0.2)
    angle = math.atan2(dy, dx)
    inner = math.acos((first * first + reach * reach - second * second) / (2 * first * reach))
    joint = (root[0] + first * math.cos(angle + side * inner), root[1] + first * math.sin(angle + side * inner))
    end = (root[0] + reach * math.cos(angle), root[1] + reach * math.sin(angle))
    return joint, end
