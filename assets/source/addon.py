# SPDX-License-Identifier: MIT
"""The writers of PCHR v1 and PNG, which belong to the Blender add-on."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "addons" / "blender"))
from pachario import pchr_v1, png  # noqa: E402, F401
from pachario.character import BONE_TRANSFORM, VERTEX, Bone, Character, Clip, Image, Mesh  # noqa: E402, F401
