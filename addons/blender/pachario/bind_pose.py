# SPDX-License-Identifier: MIT
"""Finds the bind pose, which PCHR does not store. The rule, its limits and its order are those of the runtime, in
runtime/character/bind_pose.cpp, which says why it works."""

from dataclasses import dataclass

import numpy as np

from .character import BIND_NAMES, compose, governing_bone, world_transforms

# Limits of the work, whatever the size of the character.
MAX_CLIPS, MAX_CANDIDATES, FRAMES, MESHES, TRIANGLES, NEIGHBORS, CONTACTS = 64, 24, 24, 128, 96, 96, 4
TRIANGLES_OF_MESH, POINTS_OF_MESH, ROUNDS = 64, 24, 4

MAX_SIZE = 1e15        # Squares of larger sizes are not finite.
NEAR_TIE = 1.05        # Scores within this factor are no evidence.
HOPELESS = 2           # Scores beyond this factor of the best are not refined.
MAX_STRETCH = 0.25     # Max for a pose that a character can have been made in.
NOISE = 1e-4           # Stretch that rounding can cause.


@dataclass
class Guess:
    """A guessed bind pose. Poses are (index of a clip or None for the identity, frame). Lower scores are better.
    `runner_up` is None if all poses draw the same."""
    chosen: tuple
    score: float = 0.0
    stretch: float = 0.0
    runner_up: tuple = None
    runner_up_score: float = 0.0

    def is_uncertain(self):
        return self.runner_up is not None and self.runner_up_score <= self.score * NEAR_TIE

    def is_stretched(self):
        return self.stretch > MAX_STRETCH


def is_invertible(linear):
    """Returns which of [..., 2, 2] have a useful inverse: their columns are not parallel to within rounding."""
    lengths = np.linalg.norm(linear, axis=-2)
    return np.abs(np.linalg.det(linear)) > 1e-6 * lengths[..., 0] * lengths[..., 1]


def named(character):
    """Returns the index of the first clip whose name says that it holds the bind pose, or None."""
    return next((i for i, clip in enumerate(character.clips) if len(clip.frames) and clip.name.lower() in BIND_NAMES),
                None)


def guess(character):
    """Returns the Guess of the bind pose of a character without a clip of a known name."""
    with np.errstate(all="ignore"):
        poses = _Poses(character)
        candidates = _find_candidates(poses)
        if len(candidates) == 1:
            return Guess(candidates[0])
        return _best_of(poses, candidates)


def _even_sample(items, count):
    """Keeps every n-th of any number of items: between `count` and twice as many."""
    stride = 1
    while -(-len(items) // stride) > 2 * count:
        stride *= 2
    return items[::stride]


class _Poses:
    """Frames with all that it takes to draw them, or to draw others with them as the bind pose."""

    def __init__(self, character):
        self.character = character
        self.governing = [governing_bone(np.where(mesh.vertices["bone_weights"] != 0, mesh.vertices["bone_ids"], -1),
                                         mesh.vertices["bone_weights"]) for mesh in character.meshes]
        self._known = {}

    def get(self, source):
        """Returns (world, inverse, drawn) of a pose. What cannot be inverted has the identity there."""
        if source not in self._known:
            clip, frame = source
            bones = len(self.character.bones)
            if clip is None:
                identity = np.tile(np.eye(2, 3), (bones, 1, 1))
                self._known[source] = identity, identity, np.ones(bones, bool)
            else:
                row = self.character.clips[clip].frames[frame:frame + 1]
                world = world_transforms(self.character.bones, row)[0]
                good = is_invertible(world[:, :, :2])
                inverted = np.tile(np.eye(2, 3), (bones, 1, 1))
                inverted[good, :, :2] = np.linalg.inv(world[good, :, :2])
                inverted[good, :, 2] = -(inverted[good, :, :2] @ world[good, :, 2, None])[:, :, 0]
                self._known[source] = world, inverted, good & (row["visible"][0] != 0)
        return self._known[source]


def _points(mesh):
    return np.stack([mesh.vertices["x"], mesh.vertices["y"]], axis=-1)


def _find_candidates(poses):
    """Returns one of each group of poses that draw the same frames: a clip of one frame if there is one, else the
    first, in the order of the clips. The identity is last."""
    character = poses.character
    filled = [i for i, clip in enumerate(character.clips) if len(clip.frames)]
    still = [i for i in filled if len(character.clips[i].frames) == 1]
    moving = [i for i in filled if len(character.clips[i].frames) > 1]
    tried = [(i, 0) for part in (still, moving) for i in _even_sample(part, MAX_CLIPS // 2)] + [(None, 0)]

    used = np.zeros(len(character.bones), bool)
    points = np.zeros((0, 2))
    for mesh in character.meshes:
        used[mesh.vertices["bone_ids"][mesh.vertices["bone_weights"] != 0]] = True
        points = np.concatenate([points, _points(mesh)])
    if not used.any():
        return tried[:1]
    low, high = points.min(axis=0), points.max(axis=0)
    corners = np.array([low, high, (low[0], high[1]), (high[0], low[1])])
    # A quarter of a pixel of a character of 1024 pixels.
    tolerance = max(high - low) / 4096

    def alike(a, b):
        world, inverted = poses.get(a)[0], poses.get(b)[1]
        differ = used & (world != poses.get(b)[0]).any(axis=(1, 2))
        move = compose(world[differ], inverted[differ])
        moved = corners @ move[:, :, :2].transpose(0, 2, 1) + move[:, None, :, 2]
        return bool((np.abs(moved - corners) <= tolerance).all())

    candidates = []
    for source in tried:
        if len(candidates) < MAX_CANDIDATES and not any(alike(source, other) for other in candidates):
            candidates.append(source)
    return candidates


@dataclass
class _Neighbors:
    """Vertices of two meshes that must stay together although different bones move them: rows of the evidence."""
    meshes: tuple
    size: float          # that of the smaller mesh
    rows: np.ndarray     # [contacts, 2]


@dataclass
class _Evidence:
    """Places of the character where a wrong bind pose shows."""
    points: np.ndarray
    bones: np.ndarray
    weights: np.ndarray
    mesh_of_triangle: np.ndarray    # of each three rows at the beginning
    neighbors: list


def _move_together(a, b):
    """Returns in which rows the vertices `a` and `b` have the same single bone."""
    same = (a["bone_weights"] == b["bone_weights"]) & ((a["bone_weights"] == 0) | (a["bone_ids"] == b["bone_ids"]))
    return same.all(axis=-1) & ((a["bone_weights"] == 0).sum(axis=-1) == 3)


@dataclass
class _MeshSample:
    mesh: int
    low: np.ndarray
    high: np.ndarray
    corners: np.ndarray     # [triangles, 3] of vertices
    points: np.ndarray      # [points, 2]
    owners: np.ndarray      # vertices whose weights the points have

    def diagonal(self):
        return np.float32(np.hypot(*(self.high - self.low)))


def _sample_mesh(character, number):
    mesh = character.meshes[number]
    place = _points(mesh)
    corners = np.asarray(_even_sample(np.reshape(mesh.indices, (-1, 3)), TRIANGLES_OF_MESH // 2), int)
    points, owners = [], []
    half = np.float32(0.5)

    def mean(p, q):
        return p * half + q * half
    for a, b in ((0, 1), (1, 2), (2, 0)):
        start, end = place[corners[:, a]], place[corners[:, b]]
        middle = mean(start, end)
        points += [start, mean(start, middle), middle, mean(end, middle)]
        owners += [corners[:, a]] * 3 + [corners[:, b]]
    points.append(mean(place[corners[:, 0]], mean(place[corners[:, 1]], place[corners[:, 2]])))
    owners.append(corners[:, 0])
    points, owners = np.stack(points, axis=1).reshape(-1, 2), np.stack(owners, axis=1).ravel()
    return _MeshSample(number, place.min(axis=0), place.max(axis=0), corners, _even_sample(points, POINTS_OF_MESH),
                       _even_sample(owners, POINTS_OF_MESH))


def _find_contacts(character, of, on, reach):
    """Returns (point, its owner, point of the other mesh, its owner) of points of one mesh that lie on the other, or
    nearly."""
    place = _points(character.meshes[on.mesh])[on.corners]     # [triangles, 3, 2]
    a, u, v = place[:, 0], place[:, 1] - place[:, 0], place[:, 2] - place[:, 0]
    area = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    found = []
    near_box = (of.points >= on.low - reach).all(axis=1) & (of.points <= on.high + reach).all(axis=1)
    for point, owner in zip(of.points[near_box], of.owners[near_box]):
        p = point - a
        along_u = (p[:, 0] * v[:, 1] - p[:, 1] * v[:, 0]) / area
        along_v = (u[:, 0] * p[:, 1] - u[:, 1] * p[:, 0]) / area
        rest = 1 - along_u - along_v
        inside = np.flatnonzero((along_u >= 0) & (along_v >= 0) & (rest >= 0))
        if len(inside):
            i = inside[0]
            if rest[i] >= along_u[i] and rest[i] >= along_v[i]:
                corner = 0
            else:
                corner = 1 if along_u[i] >= along_v[i] else 2
            found.append((point, owner, point, on.corners[i, corner]))
            continue
        apart = place - point
        distances = (apart[..., 0] * apart[..., 0] + apart[..., 1] * apart[..., 1]).ravel()
        nearest = int(np.argmin(distances)) if len(distances) else -1
        if nearest >= 0 and distances[nearest] < reach * reach:
            found.append((point, owner, place.reshape(-1, 2)[nearest], on.corners.ravel()[nearest]))
    return found


def _collect_evidence(poses):
    character = poses.character
    bending = []
    for number, mesh in enumerate(character.meshes):
        corners = np.reshape(mesh.indices, (-1, 3)).astype(int)
        a, b, c = (mesh.vertices[corners[:, k]] for k in range(3))
        bends = ~_move_together(a, b) | ~_move_together(b, c)
        bending += [(number, each) for each in corners[bends]]
    bending = _even_sample(bending, TRIANGLES)
    points, owners = [], []

    def append(point, mesh, vertex):
        points.append(point)
        owners.append(character.meshes[mesh].vertices[vertex])
    for number, corners in bending:
        for vertex in corners:
            append(_points(character.meshes[number])[vertex], number, vertex)

    pairs, samples = [], []
    filled = [i for i, mesh in enumerate(character.meshes) if len(mesh.indices)]
    for number in _even_sample(filled, MESHES):
        new = _sample_mesh(character, number)
        for other in samples:
            if poses.governing[number] == poses.governing[other.mesh]:
                continue
            size = min(new.diagonal(), other.diagonal())
            reach = size / 16
            if 0 < size < MAX_SIZE and (new.low - reach <= other.high).all() and (other.low - reach <= new.high).all():
                pairs.append((other, new, size))
        samples.append(new)
    neighbors = []
    for a, b, size in _even_sample(pairs, NEIGHBORS):
        contacts = [(a, b, each) for each in _find_contacts(character, a, b, size / 16)]
        contacts += [(b, a, each) for each in _find_contacts(character, b, a, size / 16)]
        contacts = _even_sample(contacts, CONTACTS)
        if contacts:
            first = len(points)
            for of, on, (point, owner, touched, other) in contacts:
                append(point, of.mesh, owner)
                append(touched, on.mesh, other)
            neighbors.append(_Neighbors((a.mesh, b.mesh), float(size), np.arange(first, len(points)).reshape(-1, 2)))
    owners = np.array(owners)
    if not len(owners):
        return None
    weights = owners["bone_weights"].astype(float)
    return _Evidence(np.array(points, float), np.where(weights != 0, owners["bone_ids"], 0).astype(int), weights,
                     np.array([number for number, _ in bending], int), neighbors)


class _Tally:
    """Sums over frames."""

    def __init__(self, pairs):
        self.edge_change = self.edge_length = 0.0
        self.gaps, self.frames = np.zeros(pairs), np.zeros(pairs, int)

    def means(self):
        return self.gaps / np.maximum(self.frames, 1)

    def stretch(self, weights):
        """Returns the stretch of edges, and the gaps of neighbors with their weights."""
        weight = (weights * self.frames).sum()
        return (self.edge_change / self.edge_length if self.edge_length > 0 else 0.0) + (
            (weights * self.gaps).sum() / weight if weight > 0 else 0.0)


def _measure(evidence, governing, bind, to, shown, tally):
    """Draws the pose `to` with `bind` as the bind pose, and adds up what is stretched."""
    palette = compose(to[0], bind[1])
    used = palette[evidence.bones]
    drawn = ((used[..., :2] @ evidence.points[:, None, :, None])[..., 0] + used[..., 2])
    drawn = (drawn * evidence.weights[..., None]).sum(axis=1)

    def lengths(points, a, b):
        return np.linalg.norm(points[a] - points[b], axis=-1)
    visible = np.flatnonzero(shown[governing[evidence.mesh_of_triangle]]) * 3
    for a, b in ((0, 1), (1, 2), (2, 0)):
        before = lengths(evidence.points, visible + a, visible + b)
        change = np.abs(lengths(drawn, visible + a, visible + b) - before)
        # Also limits what is not finite.
        tally.edge_change += np.where(change < before, change, before).sum()
        tally.edge_length += before.sum()
    for i, pair in enumerate(evidence.neighbors):
        if shown[governing[list(pair.meshes)]].all():
            a, b = pair.rows.T
            # Parts turn around a joint, so they are torn only if they come apart at all their contacts.
            change = np.abs(lengths(drawn, a, b) - lengths(evidence.points, a, b))
            gap = change[change < pair.size].min(initial=pair.size)
            tally.gaps[i] += gap / pair.size
            tally.frames[i] += 1


def _sample_frames(character):
    """Returns frames of all clips, evenly spaced within each."""
    clips = _even_sample([i for i, clip in enumerate(character.clips) if len(clip.frames)], FRAMES // 2)
    of_each, frames = max(1, FRAMES // len(clips)), []
    for clip in clips:
        count = len(character.clips[clip].frames)
        taken = min(count, of_each)
        frames += [(clip, (2 * i + 1) * count // (2 * taken)) for i in range(taken)]
    return frames


def _best_of(poses, candidates):
    evidence = _collect_evidence(poses)
    pairs = len(evidence.neighbors) if evidence else 0
    governing = np.array(poses.governing, int)
    forward, backward = ([_Tally(pairs) for _ in candidates] for _ in range(2))
    stretches, scores = np.zeros(len(candidates)), np.ones(len(candidates))
    hopeless = np.zeros(len(candidates), bool)
    frames = _sample_frames(poses.character)
    for start in range(ROUNDS) if evidence else ():
        for source in frames[start::ROUNDS]:
            frame = poses.get(source)
            for i in np.flatnonzero(~hopeless):
                candidate = poses.get(candidates[i])
                _measure(evidence, governing, candidate, frame, frame[2], forward[i])
                _measure(evidence, governing, frame, candidate, frame[2], backward[i])
        live = np.flatnonzero(~hopeless)
        # Parts that no candidate keeps together, such as two legs or a thrown spear, say little.
        smallest = np.min([np.minimum(forward[i].means(), 1) for i in live], axis=0)
        weights = 1 / (0.02 + smallest) ** 2
        for i in live:
            stretches[i] = forward[i].stretch(weights)
            scores[i] = (stretches[i] + NOISE) / (backward[i].stretch(weights) + NOISE)
        hopeless |= scores > HOPELESS * scores.min()

    # Near ties: the pose of a limb that nothing hangs on leaves no evidence. A clip of one frame was made to be a pose.
    def rank(i):
        clip, _ = candidates[i]
        still = clip is not None and len(poses.character.clips[clip].frames) == 1
        return not (still and scores[i] <= scores.min() * NEAR_TIE), scores[i]
    chosen = min(range(len(candidates)), key=rank)
    runner_up = min((i for i in range(len(candidates)) if i != chosen), key=lambda i: scores[i])
    return Guess(candidates[chosen], float(scores[chosen]), float(stretches[chosen]), candidates[runner_up],
                 float(scores[runner_up]))
