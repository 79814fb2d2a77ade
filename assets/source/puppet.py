# SPDX-License-Identifier: MIT
"""Bones, skinned meshes and sampled motion for a puppet of paper parts.

A rig is drawn in its bind pose; a take is one clip, authored as offsets from that pose. Angles are
degrees, counter-clockwise; a bone lies along its local +Y.
"""

import math
from dataclasses import dataclass

import numpy as np

from addon import BONE_TRANSFORM, VERTEX, Bone, Clip, Mesh

WEIGHT_STEP = 1 / 1024


# ---------------------------------------------------------------- bones

@dataclass
class RigBone:
    """A bone's bind pose in the world, and its place in the draw order."""
    name: str
    parent: int
    x: float
    y: float
    heading: float
    z_order: int
    visible: bool


class Rig:
    """Bones in topological order, with their bind pose."""

    def __init__(self):
        self.bones = []
        self.index = {}

    def add(self, name, parent, x, y, heading=0.0, z_order=0, visible=True):
        """A bone whose joint is at world (x, y); heading 0 points up, positive turns left."""
        self.index[name] = len(self.bones)
        above = -1 if parent is None else self.index[parent]
        self.bones.append(RigBone(name, above, x, y, heading, z_order, visible))

    def add_chain(self, names, parent, joints, z_order=0):
        """Bones through `joints`, one more joint than names; each points at the next joint."""
        for name, start, end in zip(names, joints, joints[1:]):
            heading = math.degrees(math.atan2(start[0] - end[0], end[1] - start[1]))
            self.add(name, parent, *start, heading, z_order)
            parent = name

    def local(self, bone):
        """The bind pose relative to the parent: x, y, rotation."""
        if bone.parent < 0:
            return bone.x, bone.y, bone.heading
        above = self.bones[bone.parent]
        turn = math.radians(above.heading)
        dx, dy = bone.x - above.x, bone.y - above.y
        return (dx * math.cos(turn) + dy * math.sin(turn),
                dy * math.cos(turn) - dx * math.sin(turn), bone.heading - above.heading)

    def file_bones(self):
        return [Bone(bone.name, bone.parent) for bone in self.bones]


# ---------------------------------------------------------------- meshes

def smoothstep(value, low, high):
    t = np.clip((value - low) / (high - low), 0.0, 1.0)
    return t * t * (3 - 2 * t)


def chain_weights(names, joints, radius):
    """Weights along a chain as a function of the distance along its joints; at each inner
    joint two neighbors share the skin over `radius` to either side."""
    lengths = [math.dist(a, b) for a, b in zip(joints, joints[1:])]
    starts = np.concatenate([[0], np.cumsum(lengths)])

    def at(way):
        weights, rest = {}, 1.0
        for i in range(len(names) - 1, 0, -1):
            share = float(smoothstep(way, starts[i] - radius, starts[i] + radius))
            weights[names[i]] = rest * share
            rest *= 1 - share
        weights[names[0]] = rest
        return weights
    return at


def curve_weights(names, joints, radius, center):
    """Weights of a chain drawn along a center line, [n, 2], as a function of world (x, y): those
    of the nearest place on the line."""
    chain = chain_weights(names, joints, radius)
    steps = np.hypot(*np.diff(center, axis=0).T)
    way = np.concatenate([[0], np.cumsum(steps)])
    way *= sum(math.dist(a, b) for a, b in zip(joints, joints[1:])) / way[-1]
    return lambda x, y: chain(way[np.argmin(np.hypot(center[:, 0] - x, center[:, 1] - y))])


def vertices(rig, points, uv, weights):
    """Vertices at `points`, [n, 2]. Each entry of `weights` maps bone names to weights: the four
    largest are kept, in steps of WEIGHT_STEP, so that they sum to exactly 1 as floats."""
    out = np.zeros(len(points), VERTEX)
    out["x"], out["y"] = points[:, 0], points[:, 1]
    out["u"], out["v"] = uv
    for i, influences in enumerate(weights):
        top = sorted(((w, rig.index[name]) for name, w in influences.items() if w > 1e-3),
                     key=lambda pair: (-pair[0], pair[1]))[:4]
        total = sum(w for w, _ in top)
        steps = [round(w / total / WEIGHT_STEP) for w, _ in top]
        steps[0] += round(1 / WEIGHT_STEP) - sum(steps)
        for slot, (_, bone) in enumerate(top):
            if steps[slot] > 0:
                out[i]["bone_ids"][slot] = bone
                out[i]["bone_weights"][slot] = steps[slot] * WEIGHT_STEP
    return out


def grid_mesh(rig, atlas, part, columns, rows, weights, image=0):
    """A grid over a part's rectangle, without the empty cells. `weights` is a
    bone name, or a function from world (x, y) to weights."""
    left, bottom, right, top = part.rect
    xs, ys = np.linspace(left, right, columns + 1), np.linspace(top, bottom, rows + 1)
    height, width, _ = part.pixels.shape
    covered = part.pixels[..., 3] > 2
    triangles = []
    for row in range(rows):
        for column in range(columns):
            texels = covered[row * height // rows:-(-(row + 1) * height // rows),
                             column * width // columns:-(-(column + 1) * width // columns)]
            if texels.any():
                a = row * (columns + 1) + column
                b, c, d = a + 1, a + columns + 1, a + columns + 2
                triangles += [a, c, b, b, c, d]
    used, indices = np.unique(triangles, return_inverse=True)
    points = np.array([(x, y) for y in ys for x in xs])[used]
    by_vertex = [{weights: 1.0} if isinstance(weights, str) else weights(x, y) for x, y in points]
    uv = atlas.uv(part, points[:, 0], points[:, 1])
    return Mesh(part.name, image, vertices(rig, points, uv, by_vertex), indices)


# ---------------------------------------------------------------- motion

def wave(phase, amplitude, cycles=1, delay=0.0):
    """A sine of whole cycles per loop; `delay` is in loops."""
    return amplitude * np.sin(2 * math.pi * cycles * (phase - delay))


def keyed(frames, keys, loop=None):
    """A curve through (frame, value) keys, eased at its extremes so that it never overshoots a
    key. With `loop`, a length in frames, it is periodic."""
    at = np.array([key[0] for key in keys], float)
    value = np.array([key[1] for key in keys], float)
    if loop is not None:
        at = np.concatenate([at - loop, at, at + loop])
        value = np.tile(value, 3)
    slope = np.diff(value) / np.diff(at)
    tangent = np.zeros(len(at))
    for i in range(1, len(at) - 1):
        if slope[i - 1] * slope[i] > 0:
            before, after = at[i] - at[i - 1], at[i + 1] - at[i]
            tangent[i] = 3 * (before + after) / ((2 * after + before) / slope[i - 1]
                                                 + (after + 2 * before) / slope[i])
    x = np.clip(np.asarray(frames, float), at[0], at[-1])
    i = np.clip(np.searchsorted(at, x, "right") - 1, 0, len(at) - 2)
    span = at[i + 1] - at[i]
    t = (x - at[i]) / span
    return ((2 * t ** 3 - 3 * t ** 2 + 1) * value[i] + (t ** 3 - 2 * t ** 2 + t) * span * tangent[i]
            + (3 * t ** 2 - 2 * t ** 3) * value[i + 1] + (t ** 3 - t ** 2) * span * tangent[i + 1])


def follow(target, fps, frequency, damping, loop):
    """The response of a damped spring to a signal: lag, drag and overshoot. In a loop
    it runs until it repeats."""
    steps = 16
    omega = 2 * math.pi * frequency
    dt = 1 / (fps * steps)
    count = len(target)
    position, speed = float(target[0]), 0.0
    out = np.zeros(count)
    for lap in range(8 if loop else 1):
        for i in range(count):
            out[i] = position
            ahead = target[(i + 1) % count] if loop else target[min(i + 1, count - 1)]
            for step in range(steps):
                goal = target[i] + (ahead - target[i]) * step / steps
                speed += (omega * omega * (goal - position) - 2 * damping * omega * speed) * dt
                position += speed * dt
    return out


def change(values, fps, loop):
    """The rate of change of a sampled signal, per second."""
    if loop:
        return (np.roll(values, -1) - np.roll(values, 1)) * fps / 2
    return np.gradient(values) * fps


def two_bone(hip, ankle, thigh, shin, knee_side):
    """Headings of two bones that reach from hip to ankle, arrays [n, 2]; out of reach they point
    at it. `knee_side` is +1 for a joint that bends to the right of the way down, as a knee of
    someone who looks right does, and -1 for the other side."""
    dx, dy = (ankle - hip).T
    reach = np.clip(np.hypot(dx, dy), abs(thigh - shin) + 1e-3, (thigh + shin) * 0.9995)
    aim = np.degrees(np.arctan2(-dx, dy))
    opening = np.degrees(np.arccos((thigh ** 2 + reach ** 2 - shin ** 2) / (2 * thigh * reach)))
    bend = np.degrees(np.arccos((thigh ** 2 + shin ** 2 - reach ** 2) / (2 * thigh * shin)))
    upper = aim + knee_side * opening
    return upper, upper - knee_side * (180 - bend)


def near_zero_turn(angle):
    """Wraps angles to -180..180."""
    return (np.asarray(angle) + 180) % 360 - 180


class Take:
    """A clip under construction: an offset from the bind pose per frame and bone."""

    def __init__(self, rig, name, frames, fps, loop):
        self.rig, self.name, self.fps, self.loop = rig, name, fps, loop
        self.frame = np.arange(frames)
        self.phase = self.frame / frames
        shape = (frames, len(rig.bones))
        self.x, self.y, self.turn = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        self.scale_x, self.scale_y = np.ones(shape), np.ones(shape)
        self.visible = np.tile([bone.visible for bone in rig.bones], (frames, 1))
        self.z_order = np.tile([bone.z_order for bone in rig.bones], (frames, 1))

    def keyed(self, *keys):
        """A curve through (frame, value) keys, periodic if the clip is."""
        return keyed(self.frame, keys, len(self.frame) if self.loop else None)

    def wave(self, amplitude, cycles=1, delay=0.0):
        return wave(self.phase, amplitude, cycles, delay)

    def follow(self, target, frequency, damping):
        return follow(target, self.fps, frequency, damping, self.loop)

    def change(self, values):
        return change(values, self.fps, self.loop)

    def rotate(self, name, degrees):
        self.turn[:, self.rig.index[name]] += degrees

    def move(self, name, x=0.0, y=0.0):
        """Moves a bone in its parent's axes."""
        self.x[:, self.rig.index[name]] += x
        self.y[:, self.rig.index[name]] += y

    def scale(self, name, x=1.0, y=1.0):
        self.scale_x[:, self.rig.index[name]] *= x
        self.scale_y[:, self.rig.index[name]] *= y

    def show(self, name, when):
        self.visible[:, self.rig.index[name]] = when

    def order(self, names, z_order):
        for name in names:
            self.z_order[:, self.rig.index[name]] = z_order

    def plant(self, leg, ankle, foot_turn, knee_side=1):
        """Poses a leg (thigh, shin, foot) so that its ankle is at world positions [n, 2], as long
        as the root is unscaled, and its foot turned by `foot_turn` from the bind pose. The thigh's
        ancestors must be posed already."""
        thigh, shin, foot = (self.rig.bones[self.rig.index[name]] for name in leg)
        x, y, heading = self._joint(thigh)
        lengths = math.dist((thigh.x, thigh.y), (shin.x, shin.y)), \
            math.dist((shin.x, shin.y), (foot.x, foot.y))
        upper, lower = two_bone(np.column_stack([x, y]), ankle, *lengths, knee_side)
        posed = {thigh.name: (upper, heading), shin.name: (lower, upper),
                 foot.name: (foot.heading + foot_turn, lower)}
        for bone in (thigh, shin, foot):
            target, above = posed[bone.name]
            rest = self.rig.local(bone)[2]
            self.turn[:, self.rig.index[bone.name]] = near_zero_turn(target - above - rest)

    def _joint(self, bone):
        """World x, y of a bone's joint, and its parent's heading, below an unmoved root."""
        chain = []
        while bone is not None:
            chain.insert(0, bone)
            bone = self.rig.bones[bone.parent] if bone.parent >= 0 else None
        x = y = heading = above = np.zeros(len(self.frame))
        for bone in chain:
            i = self.rig.index[bone.name]
            rest_x, rest_y, rest_turn = self.rig.local(bone)
            dx, dy = rest_x, rest_y
            if bone.parent >= 0:
                dx, dy = rest_x + self.x[:, i], rest_y + self.y[:, i]
            turn = np.radians(heading)
            x = x + dx * np.cos(turn) - dy * np.sin(turn)
            y = y + dx * np.sin(turn) + dy * np.cos(turn)
            above, heading = heading, heading + rest_turn + self.turn[:, i]
        return x, y, above

    def clip(self):
        rest = np.array([self.rig.local(bone) for bone in self.rig.bones])
        frames = np.zeros(self.x.shape, BONE_TRANSFORM)
        frames["x"], frames["y"] = rest[:, 0] + self.x, rest[:, 1] + self.y
        frames["rotation"] = rest[:, 2] + self.turn
        frames["scale_x"], frames["scale_y"] = self.scale_x, self.scale_y
        frames["visible"] = self.visible
        frames["z_order"] = self.z_order
        return Clip(self.name, self.loop, frames)
