# SPDX-License-Identifier: MIT
"""Kiri's clips."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import puppet
from kiri_rig import (ARM_ABOVE_HEAD, ARM_BEFORE, FAR_ARM_BEHIND, FAR_ARM_BONES, FAR_LEG,
                      FAR_LEG_BONES, MOUTHS, NEAR_ARM_BEHIND, NEAR_ARM_BONES, NEAR_LEG,
                      NEAR_LEG_BONES, SCARF_BONES, TAIL_BONES)

FPS = 30


def lids(take, *spans):
    """Eyelids as (first frame, last frame, "half" or "closed"); elsewhere the eyes are open."""
    def during(state):
        return np.any([(take.frame >= first) & (take.frame <= last)
                       for first, last, lid in spans if lid == state], axis=0)

    take.show("eyes_open", ~during("closed"))
    take.show("pupils", ~during("closed"))
    take.show("eyes_half", during("half"))
    take.show("eyes_closed", during("closed"))


def blink(take, *starts):
    """Closes the eyes for a moment from each start frame."""
    lids(take, *(span for start in starts for span in (
        (start, start, "half"), (start + 1, start + 3, "closed"), (start + 4, start + 4, "half"))))


def mouth(take, *changes):
    """Mouth shapes as (first frame, name), in order."""
    for name in MOUTHS:
        shown = np.zeros(len(take.frame), bool)
        for start, shape in changes:
            shown[start:] = shape == name
        take.show(name, shown)


def stand(take):
    """Keeps the feet where they are in the bind pose, whatever the hips do."""
    for names, joints in ((NEAR_LEG_BONES, NEAR_LEG), (FAR_LEG_BONES, FAR_LEG)):
        take.plant(names, np.tile(joints[2], (len(take.frame), 1)).astype(float), 0.0)


def flow(take, names, drives):
    """Rotates the bones of a chain, root first."""
    for name, drive in zip(names, drives):
        take.rotate(name, drive)


def bind(rig):
    return puppet.Take(rig, "bind", 1, FPS, loop=False).clip()


def idle(rig):
    """Breathes, blinks twice, looks around once; an ear twitches."""
    take = puppet.Take(rig, "idle", 90, FPS, loop=True)
    breath = take.wave(1.0)
    take.move("hips", x=take.wave(1.2, 1, 0.3), y=-2 + breath)
    take.rotate("hips", take.wave(0.6, 1, 0.3))
    take.move("chest", y=2.0 * breath)
    take.scale("chest", x=1 + 0.012 * breath, y=1 + 0.012 * breath)
    take.rotate("spine", take.wave(-0.7, 1, 0.2))
    take.rotate("neck", take.wave(0.9, 1, 0.32))
    take.rotate("head", take.keyed((0, 0), (14, 0), (26, -3.5), (50, -3.0), (64, 0.8), (78, 0)))
    take.rotate("head", take.wave(0.8, 1, 0.4))
    stand(take)
    for side, name in ((1, "near"), (-1, "far")):
        take.move(f"{name}_upper_arm", y=1.6 * breath)
        take.rotate(f"{name}_upper_arm", -6 * side + take.wave(1.6 * side, 1, 0.55))
        take.rotate(f"{name}_forearm", 12 + take.wave(2.2, 1, 0.65))
        take.rotate(f"{name}_hand", 4 + take.wave(2.4, 1, 0.75))
    flow(take, TAIL_BONES, [take.wave(4, 1, 0.1), take.wave(7, 1, 0.24) + take.wave(2, 2),
                            take.wave(11, 1, 0.4) + take.wave(3, 2, 0.2)])
    flow(take, SCARF_BONES, [9 + take.wave(3, 1, 0.2) + take.wave(1.5, 2, 0.1),
                             8 + take.wave(5, 1, 0.36) + take.wave(2.5, 2, 0.24),
                             4 + take.wave(8, 1, 0.5) + take.wave(4, 2, 0.38)])
    take.rotate("near_ear", take.wave(1.5, 1, 0.5) + take.keyed(
        (0, 0), (52, 0), (55, 13), (58, -4), (61, 10), (65, -2), (69, 0), (89, 0)))
    take.rotate("far_ear", take.wave(-1.5, 1, 0.5) + take.keyed(
        (0, 0), (54, 0), (58, -6), (62, 2), (67, 0), (89, 0)))
    take.rotate("fringe", take.wave(0.8, 1, 0.5))
    take.move("pupils", x=take.keyed((0, 0), (22, 0), (26, 4), (54, 4), (58, -1), (70, 0), (89, 0)),
              y=take.keyed((0, 0), (22, 0), (26, 1.5), (54, 1.5), (58, 0), (89, 0)))
    take.move("near_brow", y=take.keyed((0, 0), (22, 0), (27, 3), (50, 3), (58, 0), (89, 0)))
    take.move("far_brow", y=take.keyed((0, 0), (22, 0), (27, 3.5), (50, 3.5), (58, 0), (89, 0)))
    blink(take, 20, 55)
    return take.clip()


HEEL, TOE = np.array([-20.0, -29.0]), np.array([46.0, -29.0])


@dataclass(frozen=True)
class Gait:
    """The movement of a foot over a step cycle, which starts when the foot meets the ground."""
    stance: float   # when it leaves the ground
    stride: float   # half the distance that it covers on the ground
    heel: float     # until when it turns about its heel, and then about its toe
    roll: tuple     # keys of its rotation
    lift: Callable  # its height by the share of the swing


# Toe up at contact, flat, heel up, toe up again.
WALK = Gait(0.58, 58.0, 0.2, ((0.0, 20), (0.09, 0), (0.36, 0), (0.50, -22), (0.60, -44), (0.72, -40),
                              (0.86, 8), (0.94, 22)), lambda share: 14 * np.sin(np.pi * share) ** 2)
RUN = Gait(0.36, 66.0, 0.12, ((0.0, 10), (0.06, 0), (0.18, 0), (0.36, -42), (0.50, -76), (0.66, -50),
                              (0.84, 6), (0.93, 14)),
           lambda share: puppet.keyed(share, ((0, 0), (0.3, 62), (0.62, 40), (0.88, 9), (1, 0))))


def turned(points, degrees):
    """Rotates one point or many, [n, 2], each about the origin by its own angle."""
    angle = np.radians(degrees)
    x, y = np.atleast_2d(points).T
    return np.column_stack([x * np.cos(angle) - y * np.sin(angle),
                            x * np.sin(angle) + y * np.cos(angle)])


def foot_roll(gait, phase):
    return puppet.keyed(phase, gait.roll, loop=1.0)


def stance_foot(gait, phase):
    """The ankle, relative to rest, of a foot on the ground. Heel, sole or toe moves back with the ground at one
    speed."""
    roll = foot_roll(gait, phase)
    pivot = np.where((phase < gait.heel)[:, None], HEEL, TOE)
    ground = np.column_stack([gait.stride * (1 - 2 * phase / gait.stance), np.zeros_like(phase)])
    return ground + pivot - turned(pivot, roll)


def stepping_foot(gait, phase, rest):
    """The ankle's path and the foot's rotation over a step cycle; the swing leaves and meets the ground at the ground's
    own speed."""
    phase = phase % 1.0
    step = 1e-3
    stance = gait.stance
    land, after, before, leave = stance_foot(gait, np.array([0.0, step, stance - step, stance]))
    span = 1 - stance
    t = np.clip((phase - stance) / span, 0, 1)[:, None]
    swing = ((2 * t ** 3 - 3 * t ** 2 + 1) * leave + (3 * t ** 2 - 2 * t ** 3) * land
             + (t ** 3 - 2 * t ** 2 + t) * span * (leave - before) / step
             + (t ** 3 - t ** 2) * span * (after - land) / step)
    swing[:, 1:] += gait.lift(t)
    ankle = np.where((phase < stance)[:, None], stance_foot(gait, phase), swing)
    return ankle + rest, foot_roll(gait, phase)


def step_legs(take, gait, inward):
    """Moves both legs half a cycle apart, each `inward` from its place below the hips."""
    for names, joints, start, x in ((NEAR_LEG_BONES, NEAR_LEG, 0.0, inward), (FAR_LEG_BONES, FAR_LEG, 0.5, -inward)):
        take.move(names[0], x=x)
        ankle, roll = stepping_foot(gait, take.phase + start, np.array([joints[2][0] + 1.25 * x, joints[2][1]]))
        take.plant(names, ankle, roll)


def swing_arms(take, upper_degrees, forearm_degrees, forearm_swing):
    for bones, delay, rest, passes_at, behind in ((NEAR_ARM_BONES, 0.28, 2, -14, NEAR_ARM_BEHIND),
                                                  (FAR_ARM_BONES, 0.78, -2, 16, FAR_ARM_BEHIND)):
        swing = take.wave(1.0, 1, delay)
        upper = rest + upper_degrees * swing
        take.rotate(bones[0], upper)
        take.rotate(bones[1], forearm_degrees + take.wave(forearm_swing, 1, delay + 0.07))
        take.rotate(bones[2], 4 + take.wave(14, 1, delay + 0.15))
        take.move(bones[0], x=5 * swing, y=1.5 * np.abs(swing))
        take.order(bones, np.where(upper < passes_at, behind, ARM_BEFORE))


def walk(rig):
    """Two steps in place. Frame 0 is the near foot's contact, 15 the far foot's."""
    frames = 30
    take = puppet.Take(rig, "walk", frames, FPS, loop=True)
    bob = -take.wave(1.0, 2, -0.045)
    take.move("hips", x=take.wave(2.0, 2, 0.1), y=-8 + 5.5 * bob)
    take.rotate("hips", -3 + take.wave(2.0, 1, 0.22))
    take.rotate("spine", -3 + take.wave(-2.0, 1, 0.25))
    take.move("chest", y=take.wave(1.5, 2, 0.31))
    take.rotate("chest", take.wave(-1.6, 1, 0.3) + take.wave(1.0, 2, 0.2))
    take.rotate("neck", 2 + take.wave(1.2, 2, 0.40))
    take.rotate("head", 3 + take.wave(1.8, 2, 0.47) + take.wave(0.9, 1, 0.2))
    take.move("head", y=take.wave(2.0, 2, 0.34))

    step_legs(take, WALK, 15)
    swing_arms(take, 36, 22, 16)

    flow(take, TAIL_BONES, [-6 + take.wave(6, 2, 0.36) + take.wave(4, 1, 0.2),
                            -4 + take.wave(10, 2, 0.48) + take.wave(7, 1, 0.32),
                            take.wave(14, 2, 0.62) + take.wave(9, 1, 0.44)])
    flow(take, SCARF_BONES, [-4 + take.wave(8, 2, 0.33), -2 + take.wave(14, 2, 0.47),
                             take.wave(20, 2, 0.63) + take.wave(4, 1, 0.2)])
    take.rotate("near_ear", 6 + take.wave(6, 2, 0.56))
    take.rotate("far_ear", 4 + take.wave(4, 2, 0.58))
    take.rotate("fringe", take.wave(1.6, 2, 0.56))
    take.move("fringe", y=take.wave(1.2, 2, 0.40))
    take.move("pupils", x=2.0)
    blink(take, 18)
    return take.clip()


def run(rig):
    """Two leaps in place, leaning forward. Frame 0 is the near foot's contact, 10 the far foot's."""
    take = puppet.Take(rig, "run", 20, FPS, loop=True)
    bob = -take.wave(1.0, 2, -0.045)
    take.move("hips", x=2 + take.wave(2.0, 2, 0.1), y=-14 + 13 * bob)
    take.rotate("hips", -9 + take.wave(3.0, 1, 0.22))
    take.rotate("spine", -7 + take.wave(-3.0, 1, 0.25))
    take.move("chest", y=take.wave(2.5, 2, 0.31))
    take.rotate("chest", -2 + take.wave(-2.4, 1, 0.3) + take.wave(1.5, 2, 0.2))
    take.rotate("neck", 5 + take.wave(1.6, 2, 0.40))
    take.rotate("head", 9 + take.wave(2.6, 2, 0.47) + take.wave(1.0, 1, 0.2))
    take.move("head", y=take.wave(3.0, 2, 0.34))
    step_legs(take, RUN, 17)
    swing_arms(take, 46, 74, 20)

    flow(take, TAIL_BONES, [-26 + take.wave(9, 2, 0.36) + take.wave(4, 1, 0.2),
                            -14 + take.wave(13, 2, 0.48) + take.wave(6, 1, 0.32),
                            -6 + take.wave(17, 2, 0.62) + take.wave(8, 1, 0.44)])
    flow(take, SCARF_BONES, [-12 + take.wave(9, 2, 0.33), -4 + take.wave(15, 2, 0.47),
                             take.wave(22, 2, 0.63) + take.wave(4, 1, 0.2)])
    take.rotate("near_ear", 16 + take.wave(7, 2, 0.56))
    take.rotate("far_ear", 10 + take.wave(5, 2, 0.58))
    take.rotate("fringe", 2 + take.wave(2.2, 2, 0.56))
    take.move("fringe", y=take.wave(1.8, 2, 0.40))
    take.move("pupils", x=3.0)
    for brow in ("near_brow", "far_brow"):
        take.move(brow, y=-2.5)
    mouth(take, (0, "mouth_open"))
    return take.clip()


def greet(rig):
    """Raises the far arm in front of everything and waves three times; ends as it began."""
    take = puppet.Take(rig, "wave", 75, FPS, loop=False)
    end = 74
    lift = take.keyed((0, 0), (5, -0.08), (17, 1.06), (22, 1), (55, 1), (59, 1.05), (70, -0.03),
                      (end, 0))
    waving = take.keyed((0, 0), (18, 0), (23, 1), (29, -1), (35, 1), (41, -1), (47, 1), (53, -0.4),
                        (58, 0), (end, 0))
    waving_late = take.keyed((0, 0), (20, 0), (25, 1), (31, -1), (37, 1), (43, -1), (49, 1),
                             (55, -0.4), (60, 0), (end, 0))
    take.move("hips", x=-9 * lift, y=-2 + take.keyed((0, 0), (6, -5), (17, 2), (22, 0), (55, 0),
                                                     (61, 1), (70, -3), (end, 0)))
    take.rotate("hips", 1.5 * lift)
    take.rotate("spine", 3.0 * lift + 0.7 * waving)
    take.rotate("chest", 2.0 * lift)
    take.rotate("neck", 2.5 * lift - 0.8 * waving_late)
    take.rotate("head", 4.0 * lift + 1.2 * waving_late)
    stand(take)
    take.rotate("far_upper_arm", 6 + 92 * lift + 5 * waving)
    take.move("far_upper_arm", x=12 * lift, y=6 * lift)
    take.rotate("far_forearm", 12 + 18 * lift + 20 * waving)
    take.rotate("far_hand", 4 - 4 * lift + 17 * waving_late)
    take.order(FAR_ARM_BONES, np.where(lift > 0.22, ARM_ABOVE_HEAD, FAR_ARM_BEHIND))
    take.rotate("near_upper_arm", -6 - 12 * lift)
    take.rotate("near_forearm", 12 + 12 * lift + 2 * waving)
    take.rotate("near_hand", 4 + 6 * lift)
    sway = take.follow(-6 * lift + 2.5 * waving, 2.0, 0.4)
    flow(take, TAIL_BONES, [0.7 * sway + 3 * waving, take.follow(1.2 * sway + 5 * waving, 2.4, 0.4),
                            take.follow(1.6 * sway + 9 * waving, 2.2, 0.35)])
    flow(take, SCARF_BONES, [9 + 0.5 * sway, 8 + take.follow(1.0 * sway, 2.4, 0.35),
                             4 + take.follow(1.6 * sway, 2.2, 0.3)])
    perk = take.follow(lift, 3.0, 0.3)
    take.rotate("near_ear", -9 * perk + 2 * waving_late)
    take.rotate("far_ear", 7 * perk + 2 * waving_late)
    take.rotate("fringe", -1.5 * take.follow(lift, 2.5, 0.3))
    for brow in ("near_brow", "far_brow"):
        take.move(brow, y=4.5 * lift)
    take.move("pupils", x=1.5 * lift, y=lift)
    lids(take, (3, 4, "half"), (5, 8, "closed"), (9, 9, "half"), (34, 34, "half"),
         (35, 46, "closed"), (47, 47, "half"), (62, 62, "half"), (63, 65, "closed"),
         (66, 66, "half"))
    mouth(take, (0, "mouth_smile"), (10, "mouth_o"), (15, "mouth_open"), (57, "mouth_smile"))
    return take.clip()


def jump(rig):
    """Crouches, leaps, lands and settles; ends as it began."""
    take = puppet.Take(rig, "jump", 54, FPS, loop=False)
    end = 53
    rise = np.maximum(122 * (1 - ((take.frame - 24) / 8.5) ** 2), 0)
    crouch = take.keyed((0, 0), (10, 44), (13, 41), (17, -5), (21, 0), (28, 6), (33, 3), (37, 42),
                        (45, -5), (50, 1), (end, 0))
    squash = take.keyed((0, 0), (10, 0.07), (13, 0.065), (18, -0.06), (23, -0.01), (29, -0.03),
                        (33, -0.05), (37, 0.09), (43, -0.035), (48, 0.012), (end, 0))
    take.scale("root", x=1 + 0.8 * squash, y=1 - squash)
    hips_y = -2 + rise - crouch
    take.move("hips", x=take.keyed((0, 0), (10, -12), (16, 4), (24, 3), (33, 0), (37, -7), (46, 1),
                                   (end, 0)), y=hips_y)
    lean = take.keyed((0, 0), (10, -15), (13, -14), (17, 6), (24, 3), (32, -3), (37, -13), (45, 3),
                      (50, 0), (end, 0))
    take.rotate("hips", 0.35 * lean)
    take.rotate("spine", 0.6 * lean)
    take.rotate("chest", 0.4 * lean)
    nod = take.follow(-0.8 * lean, 3.2, 0.55)
    take.rotate("neck", 0.4 * nod)
    take.rotate("head", 0.7 * nod)
    tuck = take.keyed((0, 0), (16, 0), (23, 1), (26, 0.9), (32, 0), (end, 0))
    point_down = take.keyed((0, 0), (12, 0), (15, -22), (18, -46), (24, -18), (30, -26), (33, 0),
                            (end, 0))
    for names, joints, ahead in ((NEAR_LEG_BONES, NEAR_LEG, -1), (FAR_LEG_BONES, FAR_LEG, 1)):
        ankle = np.tile(joints[2], (len(take.frame), 1)).astype(float)
        ankle[:, 0] += tuck * (-4 + 16 * ahead)
        ankle[:, 1] += rise + tuck * (26 + 8 * ahead) + point_down / 8 * (rise > 0)
        ankle += (TOE - turned(TOE, point_down)) * (1 - np.minimum(rise / 40, 1))[:, None]
        take.plant(names, ankle, point_down)
    swing = take.keyed((0, 0), (9, -52), (13, -58), (19, 86), (23, 96), (28, 88), (33, 60),
                       (37, -22), (45, 10), (50, -2), (end, 0))
    near = take.keyed((0, 0), (9, -44), (13, -50), (19, -88), (23, -98), (28, -90), (33, -58),
                      (37, -14), (45, -4), (50, 1), (end, 0))
    bend = take.keyed((0, 0), (10, 16), (14, 6), (18, 8), (23, 18), (33, 10), (38, 30), (46, -2),
                      (end, 0))
    take.rotate("far_upper_arm", 6 + swing)
    take.rotate("far_forearm", 12 + bend)
    take.rotate("near_upper_arm", -6 + near)
    take.rotate("near_forearm", 12 + bend - take.keyed((0, 0), (13, 0), (18, 34), (28, 34), (37, 0),
                                                       (end, 0)))
    take.rotate("far_hand", 4 + take.follow(0.18 * swing, 4, 0.4) - 0.18 * swing)
    take.rotate("near_hand", 4 + take.follow(0.18 * near, 4, 0.4) - 0.18 * near)
    for arm in ("far_upper_arm", "near_upper_arm"):
        take.move(arm, y=take.keyed((0, 0), (10, -3), (18, 10), (26, 9), (34, 2), (38, -3), (46, 0),
                                    (end, 0)))
    take.order(FAR_ARM_BONES, np.where(swing > 20, ARM_BEFORE, FAR_ARM_BEHIND))
    take.order(NEAR_ARM_BONES,
               np.where((near < -30) & (take.frame < 15), NEAR_ARM_BEHIND, ARM_BEFORE))
    rush = np.clip(take.change(hips_y) / 900, -1, 1)
    drag = take.follow(rush, 3.0, 0.35)
    flow(take, TAIL_BONES, [26 * drag, take.follow(34 * drag, 3.4, 0.4),
                            take.follow(40 * drag, 3.2, 0.35)])
    flow(take, SCARF_BONES, [9 + 40 * drag, 8 + take.follow(36 * drag, 3.4, 0.4),
                             4 + take.follow(36 * drag, 3.0, 0.35)])
    take.rotate("near_ear", 26 * drag)
    take.rotate("far_ear", -22 * drag)
    take.rotate("fringe", 3 * drag)
    take.move("fringe", y=-4 * drag)
    for brow in ("near_brow", "far_brow"):
        take.move(brow, y=take.keyed((0, 0), (10, -4), (14, -3), (19, 6), (28, 6), (34, -3),
                                     (42, 0), (end, 0)))
    take.move("pupils", y=take.keyed((0, 0), (8, 2), (20, 3), (27, -4), (34, -2), (44, 0),
                                     (end, 0)))
    lids(take, (6, 8, "half"), (9, 13, "closed"), (14, 14, "half"), (33, 33, "half"),
         (34, 39, "closed"), (40, 41, "half"))
    mouth(take, (0, "mouth_smile"), (6, "mouth_o"), (15, "mouth_open"), (34, "mouth_o"),
          (41, "mouth_smile"))
    return take.clip()


def make_clips(rig):
    return [bind(rig), idle(rig), walk(rig), greet(rig), jump(rig), run(rig)]
