# SPDX-License-Identifier: MIT
"""Outlines of images as polygons, points in them, and weights of points for bones."""

import heapq
import math

import numpy as np

# Polygons are computed exactly, in whole units with y up.
_UNITS = 16
_MAX_CORNERS = 4000
_SPECK_PIXELS = 4


def _cross(a, b, c):
    """Returns twice the area of a triangle: positive if it is counterclockwise."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _in_triangle(p, a, b, c):
    """Returns whether a point is in a counterclockwise triangle or on its edge."""
    return _cross(a, b, p) >= 0 and _cross(b, c, p) >= 0 and _cross(c, a, p) >= 0


def _between(a, b, p):
    return min(a[0], b[0]) <= p[0] <= max(a[0], b[0]) and min(a[1], b[1]) <= p[1] <= max(a[1], b[1])


def _touch(a, b, c, d):
    """Returns whether the segments ab and cd have a common point."""
    one, two, three, four = _cross(a, b, c), _cross(a, b, d), _cross(c, d, a), _cross(c, d, b)
    if (one > 0) != (two > 0) and (three > 0) != (four > 0) and one and two and three and four:
        return True
    return ((not one and _between(a, b, c)) or (not two and _between(a, b, d))
            or (not three and _between(c, d, a)) or (not four and _between(c, d, b)))


def _contains(polygon, points):
    """Returns which points [n, 2] are inside a polygon [m, 2]; either for points on its edge."""
    inside = np.zeros(len(points), bool)
    x, y = points[:, 0], points[:, 1]
    for (x0, y0), (x1, y1) in zip(polygon, np.roll(polygon, -1, axis=0)):
        if y0 != y1:
            inside ^= ((y0 > y) != (y1 > y)) & (x < (x1 - x0) * (y - y0) / (y1 - y0) + x0)
    return inside


def _grown(mask, margin):
    """Returns the mask with all pixels within `margin` pixels of it."""
    height, width = mask.shape
    out = mask.copy()
    reach = min(int(margin), height - 1)
    for dy in range(-reach, reach + 1):
        half = int(math.sqrt(margin * margin - dy * dy))
        counts = np.concatenate([np.zeros((height, 1), np.int32), np.cumsum(mask, axis=1, dtype=np.int32)], axis=1)
        x = np.arange(width)
        wide = counts[:, np.minimum(x + half + 1, width)] > counts[:, np.maximum(x - half, 0)]
        top, bottom = max(0, dy), min(height, height + dy)
        out[top:bottom] |= wide[top - dy:bottom - dy]
    return out


def _corners(mask):
    """Returns the grid points [n, (y, x)] where the edge of a mask turns. Pixels that touch at a corner only are joined
    first, in place."""
    while True:
        a, b, c, d = mask[:-1, :-1], mask[:-1, 1:], mask[1:, :-1], mask[1:, 1:]
        touching = (a & d & ~b & ~c) | (b & c & ~a & ~d)
        if not touching.any():
            break
        for side in (a, b, c, d):
            side |= touching
    framed = np.pad(mask, 1)
    return np.argwhere(framed[:-1, :-1] ^ framed[:-1, 1:] ^ framed[1:, :-1] ^ framed[1:, 1:])


def _loops(mask, corners):
    """Returns the outer edges of the islands of a mask, each a list of (x, y), counterclockwise with y up. Holes, and
    islands in them, are left out."""
    # In each row, and in each column, an edge runs from every other corner to the next one.
    count = len(corners)
    across = np.arange(count) ^ 1
    down = np.empty(count, int)
    order = np.lexsort((corners[:, 0], corners[:, 1]))
    down[order] = order[np.arange(count) ^ 1]
    seen = np.zeros(count, bool)
    loops = []
    for start in range(count):
        if seen[start]:
            continue
        # The first corner of a loop is at its top left, so going down is counterclockwise.
        loop, at = [], start
        while not seen[at]:
            below = down[at]
            seen[at] = seen[below] = True
            loop += [at, below]
            at = across[below]
        if mask[tuple(corners[start])]:
            loops.append(corners[loop][:, ::-1])
    first = np.array([loop[0] for loop in loops]) + 0.5
    nested = np.zeros(len(loops), bool)
    for number, loop in enumerate(loops):
        inside = _contains(loop, first)
        inside[number] = False
        nested |= inside
    return [loop for loop, is_nested in zip(loops, nested) if not is_nested]


def _without_specks(loops, opaque):
    """Returns the loops around at least four opaque pixels, and the others as (x, y, pixels). If there are only small
    ones, all are kept."""
    kept, dropped = [], []
    for loop in loops:
        low, high = loop.min(axis=0), loop.max(axis=0)
        y, x = np.nonzero(opaque[low[1]:high[1], low[0]:high[0]])
        pixels = len(x)
        if pixels < 64:
            pixels = int(_contains(loop, np.stack([x + low[0], y + low[1]], axis=1) + 0.5).sum())
        if pixels < _SPECK_PIXELS:
            dropped.append((int(low[0]), int(low[1]), pixels))
        else:
            kept.append(loop)
    return (kept, dropped) if kept else (loops, [])


class _Rings:
    """Polygons that lose corners and never get smaller, and that never touch each other."""

    def __init__(self, loops, size):
        self.size = size
        self.points, self.next, self.previous, self.length, self.ring = [], [], [], [len(loop) for loop in loops], []
        for number, loop in enumerate(loops):
            first = len(self.points)
            self.points += [(int(x) * _UNITS, -int(y) * _UNITS) for x, y in loop]
            ids = np.arange(len(loop))
            self.next += (first + np.roll(ids, -1)).tolist()
            self.previous += (first + np.roll(ids, 1)).tolist()
            self.ring += [number] * len(loop)
        self.count = len(self.points)
        # Room for the new points: one for every two that are removed.
        room = 2 * self.count
        self.xy, self.end, self.alive = np.zeros((room, 2), int), np.zeros(room, int), np.zeros(room, bool)
        self.xy[:self.count], self.end[:self.count], self.alive[:self.count] = self.points, self.next, True

    def simplify(self, max_vertices):
        """Fills steps of pixels, and removes vertices until at most `max_vertices` are left. Returns whether that is
        possible."""
        # Extending the edges of small steps would make larger steps, so all are filled first.
        for self.only_steps in (True, False):
            self.queue = []
            for vertex in np.flatnonzero(self.alive).tolist():
                self.consider(vertex)
            while self.step(math.inf if self.only_steps or self.count > max_vertices else 0):
                pass
        return self.count <= max_vertices

    def consider(self, v):
        """Queues the removal of a vertex, if it is not convex, or that of the edge behind it, by the area added."""
        points, a, b = self.points, self.previous[v], self.next[v]
        turn = _cross(points[a], points[v], points[b])
        if turn <= 0 and not (self.only_steps and -turn > _UNITS * math.dist(points[a], points[b])):
            heapq.heappush(self.queue, (-turn, a, v, b, -1, None))
        if turn <= 0 or self.only_steps:
            return
        d = self.next[b]
        if d == a or _cross(points[v], points[b], points[d]) <= 0:
            return
        (ax, ay), (vx, vy), (bx, by), (dx, dy) = points[a], points[v], points[b], points[d]
        ux, uy, wx, wy = vx - ax, vy - ay, dx - bx, dy - by
        slope = ux * wy - uy * wx
        if slope <= 0:
            return
        # The lines a-v and b-d meet in a + u * along / slope.
        along = (bx - ax) * wy - (by - ay) * wx
        x, y = ux * along // slope + ax, uy * along // slope + ay
        best = None
        for corner in ((x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)):
            if not (0 <= corner[0] <= self.size[0] and -self.size[1] <= corner[1] <= 0):
                continue
            if _cross(points[a], corner, points[v]) < 0 or _cross(corner, points[d], points[b]) < 0:
                continue
            cost = (_cross(points[a], corner, points[v]) + _cross(points[v], corner, points[b])
                    + _cross(corner, points[d], points[b]))
            if best is None or cost < best[0]:
                best = cost, corner
        if best:
            heapq.heappush(self.queue, (best[0], a, v, b, d, best[1]))

    def is_free(self, triangles, edges, own):
        """Returns whether no vertex but `own` is in the triangles, and no edge touches new `edges`: (start, end, the
        vertex at which the edge joins the ring)."""
        corners = np.array([corner for triangle in triangles for corner in triangle])
        triangles = [triangle for triangle in triangles if _cross(*triangle) > 0]
        low, high = corners.min(axis=0), corners.max(axis=0)
        used = len(self.points)
        start = self.xy[:used]
        end = self.xy[self.end[:used]]
        near = np.flatnonzero(self.alive[:used] & (np.minimum(start, end) <= high).all(axis=1)
                              & (np.maximum(start, end) >= low).all(axis=1))
        for vertex in near.tolist():
            point, following = self.points[vertex], self.next[vertex]
            if vertex not in own and any(_in_triangle(point, *triangle) for triangle in triangles):
                return False
            for a, b, shared in edges:
                # The edges that begin at these are about to be replaced.
                if shared not in (vertex, following) and vertex not in own[:3] and _touch(
                        a, b, point, self.points[following]):
                    return False
        return True

    def link(self, a, b):
        self.next[a], self.previous[b], self.end[a] = b, a, b

    def remove(self, v):
        self.alive[v] = False
        self.next[v] = self.previous[v] = -1
        self.count -= 1

    def step(self, max_area):
        """Removes the vertex or edge that adds the least area, in half square units. Returns whether there is one."""
        while self.queue and self.queue[0][0] <= max_area:
            _, a, v, b, d, corner = heapq.heappop(self.queue)
            points, ring = self.points, self.ring[v]
            if self.previous[v] != a or self.next[v] != b or (d >= 0 and self.next[b] != d):
                continue
            if d < 0:
                if self.length[ring] <= 3:
                    continue
                if not self.is_free([(points[a], points[b], points[v])], [], (a, v, b)):
                    continue
                self.remove(v)
                self.link(a, b)
                changed = [self.previous[a], a, b]
            else:
                if self.length[ring] <= 3 or not self.is_free(
                        [(points[a], corner, points[v]), (points[v], corner, points[b]),
                         (corner, points[d], points[b])],
                        [(points[a], corner, a), (corner, points[d], d)], (a, v, b, d)):
                    continue
                new = len(points)
                points.append(corner)
                self.ring.append(ring)
                self.next.append(-1)
                self.previous.append(-1)
                self.xy[new], self.alive[new] = corner, True
                self.count += 1
                self.remove(v)
                self.remove(b)
                self.link(a, new)
                self.link(new, d)
                changed = [self.previous[a], a, new, d]
            self.length[ring] -= 1
            for vertex in changed:
                self.consider(vertex)
            return True
        return False

    def result(self):
        """Returns (points in pixels with y down, rings of their indices)."""
        rings, order, seen = [], [], set()
        for first in np.flatnonzero(self.alive[:len(self.points)]).tolist():
            ring, at = [], first
            while at not in seen:
                seen.add(at)
                ring.append(len(order))
                order.append(self.points[at])
                at = self.next[at]
            if ring:
                rings.append(ring)
        return np.array(order, float) / (_UNITS, -_UNITS), rings


def trace(alpha, threshold=0, margin=2, max_vertices=32):
    """Returns (points, rings, dropped): polygons, at most `max_vertices` in total (at least 4), that cover every pixel
    of `alpha`, uint8 [height, width], above `threshold`, and `margin` pixels around it, within the image. `points` are
    pixels, y down, [n, 2]; each ring is a list of indices, counterclockwise as seen. Rings do not touch, and holes are
    covered. `dropped` lists specks of less than four pixels, away from all else, that were left out: (x, y,
    pixels)."""
    opaque = np.asarray(alpha) > threshold
    if not opaque.any():
        return np.zeros((0, 2)), [], []
    height, width = opaque.shape
    grown, block = _grown(opaque, margin), 1
    mask = grown
    corners = _corners(mask)
    while len(corners) > _MAX_CORNERS:
        # Fine structure is covered by larger blocks of pixels.
        block *= 2
        rows, columns = -(-height // block), -(-width // block)
        padded = np.zeros((rows * block, columns * block), bool)
        padded[:height, :width] = grown
        mask = padded.reshape(rows, block, columns, block).any(axis=(1, 3))
        corners = _corners(mask)
    loops = [np.minimum(loop * block, (width, height)) for loop in _loops(mask, corners)]
    loops, dropped = _without_specks(loops, opaque)
    rings = _Rings(loops, (width * _UNITS, height * _UNITS))
    if not rings.simplify(max(4, max_vertices)):
        low, high = np.min([loop.min(axis=0) for loop in loops], 0), np.max([loop.max(axis=0) for loop in loops], 0)
        box = np.array([(low[0], low[1]), (low[0], high[1]), (high[0], high[1]), (high[0], low[1])])
        rings = _Rings([box], (width * _UNITS, height * _UNITS))
    return (*rings.result(), dropped)


def divided(polygon, spacing):
    """Returns a polygon [n, 2] with points on its long edges, and points [m, 2] inside it, about `spacing` apart."""
    ends = np.roll(polygon, -1, axis=0)
    counts = np.maximum(1, np.round(np.linalg.norm(ends - polygon, axis=1) / spacing).astype(int))
    edges = [a + np.arange(count)[:, None] / count * (b - a) for a, b, count in zip(polygon, ends, counts)]
    return np.concatenate(edges), _grid(polygon, spacing)


def _grid(polygon, spacing):
    """Returns the points of a grid inside a polygon, with every other row shifted, half a `spacing` from its edges."""
    low, high = polygon.min(axis=0), polygon.max(axis=0)
    rows = np.arange(low[1] + spacing / 2, high[1], spacing * math.sqrt(0.75))
    columns = np.arange(low[0] + spacing / 2, high[0], spacing)
    if not len(rows) or not len(columns):
        return np.zeros((0, 2))
    y, x = np.meshgrid(rows, columns, indexing="ij")
    x = x + np.where(np.arange(len(rows)) % 2, spacing / 2, 0)[:, None]
    points = np.stack([x.ravel(), y.ravel()], axis=1)
    points = points[_contains(polygon, points)]
    ends = np.roll(polygon, -1, axis=0)
    near = [_distances(points, a, b) < spacing / 2 for a, b in zip(polygon, ends)]
    return points[~np.any(near, axis=0)]


def _distances(points, a, b):
    """Returns the distances of points [n, 2] from the segment ab."""
    a, along = np.asarray(a, float), np.subtract(b, a, dtype=float)
    length = along @ along
    share = np.clip((points - a) @ along / length, 0, 1) if length else np.zeros(len(points))
    return np.linalg.norm(points - a - share[:, None] * along, axis=1)


def chain_weights(points, segments, power=4.0):
    """Returns weights [n, bones] of points [n, 2] for bones, given as segments (x0, y0, x1, y1) or their ends [2, 2]:
    the inverse of the distance to the given power, of the four nearest bones, with the sum 1."""
    points = np.asarray(points, float).reshape(-1, 2)
    ends = np.asarray(segments, float).reshape(-1, 2, 2)
    distances = np.stack([_distances(points, start, end) for start, end in ends], axis=1)
    # The weights of a point on a bone are finite.
    nearest = np.maximum(distances.min(axis=1, keepdims=True), 1e-6)
    weights = (nearest / np.maximum(distances, nearest)) ** power
    if weights.shape[1] > 4:
        weights[weights < np.sort(weights, axis=1)[:, -4:-3]] = 0
        surplus = np.cumsum(weights > 0, axis=1) > 4
        weights[surplus] = 0
    return weights / weights.sum(axis=1, keepdims=True)
