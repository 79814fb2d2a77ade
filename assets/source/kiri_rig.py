# SPDX-License-Identifier: MIT
"""Kiri's bones: where they are in the bind pose, and their place in the draw order."""

import puppet

GROUND = -300

HIPS, SPINE, CHEST, NECK, HEAD = (0, -130), (0, -100), (0, -45), (2, 8), (4, 26)
TAIL = [(-30, -122), (-78, -152), (-132, -138), (-160, -84)]
SCARF = [(-44, 14), (-88, 2), (-132, 0), (-176, 8)]
NEAR_ARM = [(-44, -2), (-58, -62), (-64, -118), (-65, -142)]
FAR_ARM = [(44, -2), (56, -62), (62, -118), (63, -142)]
NEAR_LEG = [(-20, -128), (-21, -200), (-22, -271)]
FAR_LEG = [(24, -128), (23, -200), (22, -271)]

NEAR_ARM_BONES = ["near_upper_arm", "near_forearm", "near_hand"]
FAR_ARM_BONES = ["far_upper_arm", "far_forearm", "far_hand"]
NEAR_LEG_BONES = ["near_thigh", "near_shin", "near_foot"]
FAR_LEG_BONES = ["far_thigh", "far_shin", "far_foot"]
TAIL_BONES = ["tail_1", "tail_2", "tail_3"]
SCARF_BONES = ["scarf_1", "scarf_2", "scarf_3"]
MOUTHS = ["mouth_smile", "mouth_open", "mouth_o"]
NEAR_EAR = (-74, 196), (-112, 300)
FAR_EAR = (84, 200), (122, 292)

FAR_ARM_BEHIND, NEAR_ARM_BEHIND, ARM_BEFORE, ARM_ABOVE_HEAD = 19, 20, 45, 80


def make_rig():
    rig = puppet.Rig()
    rig.add("root", None, 0, GROUND)
    rig.add("hips", "root", *HIPS, z_order=30)
    rig.add("spine", "hips", *SPINE, z_order=30)
    rig.add("chest", "spine", *CHEST, z_order=30)
    rig.add("neck", "chest", *NECK, z_order=90)
    rig.add("head", "neck", *HEAD, z_order=50)
    rig.add("near_ear", "head", -74, 196, 22, z_order=49)
    rig.add("far_ear", "head", 84, 200, -20, z_order=48)
    rig.add("hood", "head", 8, 120, z_order=57)
    rig.add("fringe", "head", 40, 168, z_order=55)
    rig.add("eyes_open", "head", 40, 96, z_order=51)
    rig.add("pupils", "eyes_open", 40, 96, z_order=52)
    rig.add("eyes_half", "head", 40, 96, z_order=53, visible=False)
    rig.add("eyes_closed", "head", 40, 96, z_order=53, visible=False)
    rig.add("near_brow", "head", 2, 130, z_order=56)
    rig.add("far_brow", "head", 78, 130, z_order=56)
    for name in MOUTHS:
        rig.add(name, "head", 44, 62, z_order=51, visible=name == "mouth_smile")
    rig.add_chain(TAIL_BONES, "hips", TAIL, z_order=10)
    rig.add_chain(SCARF_BONES, "neck", SCARF, z_order=15)
    rig.add_chain(NEAR_ARM_BONES, "chest", NEAR_ARM + [(-66, -172)], z_order=ARM_BEFORE)
    rig.add_chain(FAR_ARM_BONES, "chest", FAR_ARM + [(64, -172)], z_order=FAR_ARM_BEHIND)
    rig.add_chain(NEAR_LEG_BONES[:2], "hips", NEAR_LEG, z_order=28)
    rig.add("near_foot", "near_shin", *NEAR_LEG[2], -90, z_order=28)
    rig.add_chain(FAR_LEG_BONES[:2], "hips", FAR_LEG, z_order=26)
    rig.add("far_foot", "far_shin", *FAR_LEG[2], -90, z_order=26)
    return rig
