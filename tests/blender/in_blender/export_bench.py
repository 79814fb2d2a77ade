# SPDX-License-Identifier: MIT
"""Prints the seconds of an export: a walk of 250 frames, 60 bones and 40 meshes of about 200 vertices.
Run: blender --background --factory-startup --python export_bench.py -- PCHR_TOOL OUT"""

import os
import sys
import time

import bpy

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import scene as made  # noqa: E402
from pachario import export_scene, files  # noqa: E402
from pachario.report import Report  # noqa: E402

FRAMES, BONES, MESHES = 250, 60, 40


def build():
    """Builds ten limbs of six bones, each with four meshes."""
    made.new()
    bones = []
    for limb in range(BONES // 6):
        for i in range(6):
            bones.append((f"bone{limb}.{i}", f"bone{limb}.{i - 1}" if i else "", (limb, i / 2), (limb, i / 2 + 0.5)))
    rig = made.armature(bones)
    for i in range(MESHES):
        limb = i % (BONES // 6)
        mesh = made.grid(f"mesh{i}", limb - 0.4, 0, limb + 0.4, 3, 7, 24, i * 0.01)
        made.bind(mesh, rig, {f"bone{limb}.{k}": made.falloff(k / 2 + 0.25, 0.5) for k in range(6)})
    made.keys(rig, "walk", {(made.bone_path(name, "rotation_euler"), 2): [(1, 0), (80, 0.3), (170, -0.3), (FRAMES, 0)]
                            for name, *_ in bones})


if __name__ == "__main__":
    build()
    start = time.perf_counter()
    character, markers, masks = export_scene.capture(bpy.context, export_scene.Settings(), Report())
    captured = time.perf_counter()
    os.makedirs(made.OUT, exist_ok=True)
    files.write_files(os.path.join(made.OUT, "bench.pchr"), character, {"PCHR", "JSON"}, markers, masks)
    print(f"capture {captured - start:.2f} s, write {time.perf_counter() - captured:.2f} s: "
          f"{len(character.clips[1].frames)} frames, {len(character.bones)} bones, {len(character.meshes)} meshes, "
          f"{sum(len(mesh.vertices) for mesh in character.meshes)} vertices")
