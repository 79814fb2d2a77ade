# SPDX-License-Identifier: MIT
"""Tests the import of characters, and that an export of what was imported is the same character."""
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(SOURCE / "addons/blender"))
import bpy  # noqa: E402
import numpy as np  # noqa: E402

import pachario  # noqa: E402
from pachario import compat, export_scene, files, import_file, report as reports, rig_file  # noqa: E402
from pachario.character import BONE_TRANSFORM, VERTEX, Bone, Character, Clip, FileError, Image, Marker, Mask, \
    Mesh  # noqa: E402

TOOL, OUT = sys.argv[sys.argv.index("--") + 1], pathlib.Path(sys.argv[sys.argv.index("--") + 2])
# Characters made by others, which are not part of the project.
CONFORMANCE = SOURCE.parent / "shared/conformance"
PIXELS_PER_UNIT = 100


def run_tool(*arguments):
    """Returns the exit status and output of the tool, or (None, "") where it cannot run."""
    try:
        done = subprocess.run([TOOL, *map(str, arguments)], capture_output=True, text=True)
    except OSError:
        return None, ""
    # 127: a shared library is missing, as in a chroot of another system.
    return (None, "") if done.returncode == 127 else (done.returncode, done.stdout + done.stderr)


def characters():
    """Yields the paths of characters as PCHR v1, those of other formats as the tool converts them: weights, depth,
    masks and markers (kiri), scales in the bind pose and weights that Blender cannot hold (corners), mirrored bones
    (akari) and bones that are stretched (tako). With PCHR_ALL_CHARACTERS, all that there are."""
    every = "PCHR_ALL_CHARACTERS" in os.environ
    yield from (SOURCE / f"assets/{name}.pchr" for name in ("kiri", "corners"))
    others = ("konpei/konpei.chp", "kaeru.aseprite", "hotaru.px") if every else ()
    for sample in ("akari/akari_ske.json", "tako/tako.json", *others):
        made = OUT / f"{pathlib.Path(sample).stem}.pchr"
        status, output = run_tool("convert", SOURCE / "assets" / sample, "-o", made, "--lossy", "--quiet", "--force")
        if status == 0:
            yield made
        elif status is not None:
            raise AssertionError(output)
    if every:
        yield from sorted(path for path in CONFORMANCE.glob("db_*/*.pchr") if "packed" not in path.name)


def reset():
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)


def build(character, wanted="", **rig):
    report = reports.Report()
    settings = import_file.Settings(PIXELS_PER_UNIT, wanted)
    armature = import_file.build(bpy.context, character, "hero", rig, settings, report)
    return armature, [message for _, message in report.entries]


def meshes_of(armature):
    return sorted((each for each in armature.children if each.type == "MESH"), key=lambda each: each["pachario_order"])


def action_of(clip):
    return next(each for each in bpy.data.actions if compat.true_name(each) == clip.name)


# ---- What the runtime does, written down once more


def matrix(transform):
    """Returns the 3x3 matrix of a BONE_TRANSFORM."""
    c, s = math.cos(math.radians(transform["rotation"])), math.sin(math.radians(transform["rotation"]))
    x, y = float(transform["scale_x"]), float(transform["scale_y"])
    return np.array([[c * x, -s * y, transform["x"]], [s * x, c * y, transform["y"]], [0, 0, 1]], float)


def world_matrices(character, transforms):
    world = []
    for bone, transform in zip(character.bones, transforms):
        world.append(world[bone.parent] @ matrix(transform) if bone.parent >= 0 else matrix(transform))
    return np.array(world).reshape(-1, 3, 3)


def skinned(mesh, moves):
    """Returns the vertices of a mesh, moved by the matrices `moves` of the bones, in pixels."""
    vertices = mesh.vertices
    points = np.stack([vertices["x"], vertices["y"], np.ones(len(vertices))], -1).astype(float)
    ids = np.where(vertices["bone_weights"] != 0, vertices["bone_ids"], 0)
    weights = vertices["bone_weights"].astype(float)
    # Blender scales weights to a sum of 1, which the import reports.
    return np.einsum("vk,vkij,vj->vi", weights / weights.sum(axis=1, keepdims=True), moves[ids], points)[:, :2]


def bind_clip(character):
    named = [clip for clip in character.clips if clip.name.lower() in ("bind", "rest", "setup")]
    return named[0] if named else character.clips[0]


def governing_bone(mesh):
    sums = {}
    for vertex in mesh.vertices:
        for bone, weight in zip(vertex["bone_ids"], vertex["bone_weights"]):
            sums[int(bone)] = sums.get(int(bone), 0) + float(weight)
    return min(sums, key=lambda bone: (-sums[bone], bone))


# ---- Small characters


def transforms(frames, bones, **values):
    """Returns an array of BONE_TRANSFORM at rest, with `values` by the name of a field, as arrays [frames, bones]."""
    made = np.zeros((frames, bones), BONE_TRANSFORM)
    made["scale_x"] = made["scale_y"] = made["visible"] = 1
    for name, value in values.items():
        made[name] = value
    return made


def square(name, bone, x=0.0, y=0.0, size=40.0):
    vertices = np.zeros(4, VERTEX)
    vertices["x"], vertices["y"] = x + size * np.array([0, 1, 1, 0]), y + size * np.array([0, 0, 1, 1])
    vertices["u"], vertices["v"] = [0, 1, 1, 0], [1, 1, 0, 0]
    vertices["bone_ids"][:, 0], vertices["bone_weights"][:, 0] = bone, 1
    return Mesh(name, 0, vertices, np.array([0, 1, 2, 0, 2, 3]))


def two_bones(clips, meshes=None):
    pixels = np.arange(4 * 4 * 4, dtype=np.uint8).reshape(4, 4, 4)
    return Character(24, [Image("skin", pixels)], [Bone("hips", -1), Bone("chest", 0)],
                     meshes or [square("legs", 0), square("shirt", 1, 10, 50)], clips)


def rest_clip(**values):
    return Clip("bind", False, transforms(1, 2, **{"y": [[0, 50]], **values}))


def differences(first, second, rescaled):
    """Returns what is not the same in two characters, beyond 0.001 pixels, 0.001 degrees, and 3e-5 of scales: rest
    bones of Blender that point back along their parents are off by 1.5e-5. The second may have a clip `bind` first.
    With `rescaled`, it may have bones for bind scales, and other scales that draw the same."""
    found = []

    def compare(what, one, other, tolerance=0.0):
        one, other = np.asarray(one), np.asarray(other)
        if one.shape != other.shape or one.dtype.kind in "US":
            if one.shape != other.shape or (one != other).any():
                found.append(f"{what}: {one.tolist()} and {other.tolist()}"[:300])
        elif one.size and np.abs(one.astype(float) - other).max() > tolerance:
            found.append(f"{what}: {np.abs(one.astype(float) - other).max():.6g}")

    added = (" bind", " shear") if rescaled else ()
    kept = [i for i, bone in enumerate(second.bones) if not bone.name.endswith(added)]
    # The index in the first character of each bone, or of the bone that an added one hangs on.
    origin = []
    for i, bone in enumerate(second.bones):
        origin.append(kept.index(i) if i in kept else origin[bone.parent])
    compare("fps", first.fps, second.fps)
    compare("bones", [bone.name for bone in first.bones], [second.bones[i].name for i in kept])
    compare("parents", [bone.parent for bone in first.bones],
            [origin[second.bones[i].parent] if second.bones[i].parent >= 0 else -1 for i in kept])
    clips = [clip for clip in second.clips if clip.name != "bind"]
    originals = [clip for clip in first.clips if clip.name != "bind"]
    compare("clips", [clip.name for clip in originals], [clip.name for clip in clips])
    if any(clip.name == "bind" for clip in first.clips):
        originals.append(next(clip for clip in first.clips if clip.name == "bind"))
        clips.append(second.clips[0])
    for one, other in zip(originals, clips):
        compare(f"{one.name}: loops", one.loops, other.loops)
        a, b = one.frames, other.frames[:, kept]
        compare(f"{one.name}: visible", a["visible"], b["visible"])
        compare(f"{one.name}: z_order", a["z_order"], b["z_order"])
        if rescaled:
            binds = [np.linalg.inv(world_matrices(each, bind_clip(each).frames[0])) for each in (first, second)]
            for frame, (before, after) in enumerate(zip(one.frames, other.frames)):
                moves = [world_matrices(each, pose) @ bind
                         for each, pose, bind in zip((first, second), (before, after), binds)]
                for mesh, again in zip(first.meshes, second.meshes):
                    compare(f"{one.name}, frame {frame}: {mesh.name}", skinned(mesh, moves[0]),
                            skinned(again, moves[1]), 0.01)
            continue
        for key, tolerance in (("x", 1e-3), ("y", 1e-3), ("scale_x", 3e-5), ("scale_y", 3e-5)):
            compare(f"{one.name}: {key}", a[key], b[key], tolerance)
        compare(f"{one.name}: rotation", np.sin(np.radians(a["rotation"])), np.sin(np.radians(b["rotation"])), 1.7e-5)
        compare(f"{one.name}: rotation", np.cos(np.radians(a["rotation"])), np.cos(np.radians(b["rotation"])), 1.7e-5)
    compare("meshes", [mesh.name for mesh in first.meshes], [mesh.name for mesh in second.meshes])
    for one, other in zip(first.meshes, second.meshes):
        for key, tolerance in (("x", 1e-3), ("y", 1e-3), ("u", 1e-6), ("v", 1e-6)):
            compare(f"{one.name}: {key}", one.vertices[key], other.vertices[key], tolerance)
        compare(f"{one.name}: triangles", one.indices, other.indices)
        weights = [np.zeros((len(mesh.vertices), len(first.bones))) for mesh in (one, other)]
        for mesh, total, place in ((one, weights[0], range(len(first.bones))), (other, weights[1], origin)):
            for vertex, (bones, values) in enumerate(zip(mesh.vertices["bone_ids"], mesh.vertices["bone_weights"])):
                for bone, weight in zip(bones, values):
                    if weight:
                        total[vertex, place[bone]] += weight
        compare(f"{one.name}: weights", *weights, 1e-6)
        compare(f"{one.name}: image", first.images[one.image].name, second.images[other.image].name)
        compare(f"{one.name}: pixels", first.images[one.image].pixels, second.images[other.image].pixels)
    return found


class Import(unittest.TestCase):
    def setUp(self):
        reset()

    def assert_drawn_alike(self, character, armature, tolerance, bind=None):
        """Compares every frame with what the runtime draws: vertices in pixels, visible meshes, and draw order. `bind`
        is the bind pose, by default that of the clip for it."""
        bind = np.linalg.inv(world_matrices(character, bind_clip(character).frames[0] if bind is None else bind))
        objects = meshes_of(armature)
        governors = [governing_bone(mesh) for mesh in character.meshes]
        scene = bpy.context.scene
        for clip in character.clips:
            compat.assign(armature, action_of(clip))
            for number, frame in enumerate(clip.frames):
                scene.frame_set(number + 1)
                depsgraph = bpy.context.evaluated_depsgraph_get()
                moves = world_matrices(character, frame) @ bind
                depths = []
                for order, (mesh, obj, bone) in enumerate(zip(character.meshes, objects, governors)):
                    where = f"{mesh.name}, clip {clip.name}, frame {number}"
                    evaluated = obj.evaluated_get(depsgraph)
                    self.assertEqual(evaluated.hide_render, not frame["visible"][bone], where)
                    if not frame["visible"][bone]:
                        continue
                    points = np.empty(len(mesh.vertices) * 3, np.float32)
                    evaluated.data.vertices.foreach_get("co", points)
                    world = np.array(evaluated.matrix_world)
                    points = points.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3]
                    if len(points):
                        distance = np.abs(points[:, ::2] * PIXELS_PER_UNIT - skinned(mesh, moves)).max()
                        self.assertLess(distance, tolerance, where)
                        self.assertLess(np.ptp(points[:, 1]), 1e-4, where)
                    depths.append((-int(frame["z_order"][bone]), -order, world[1, 3]))
                depths.sort()
                self.assertTrue(all(a[2] < b[2] for a, b in zip(depths, depths[1:])), f"{clip.name}, frame {number}")

    def test_draws_every_frame_as_the_runtime_does(self):
        for path in characters():
            with self.subTest(path.name):
                reset()
                character, _ = files.read_character(str(path))
                armature, messages = build(character)
                self.assert_drawn_alike(character, armature, 0.01)

    def test_an_export_is_the_character_that_was_imported(self):
        for path in characters():
            with self.subTest(path.name):
                reset()
                shutil.rmtree(OUT / "again", ignore_errors=True)
                (OUT / "again").mkdir()
                again = OUT / "again" / path.name
                character, _ = files.read_character(str(path))
                report = reports.Report()
                import_file.import_path(bpy.context, str(path), import_file.Settings(PIXELS_PER_UNIT), report)
                rescaled = "in the bind pose" in report.text()
                if path.with_suffix(".rig.json").exists():
                    shutil.copy(path.with_suffix(".rig.json"), again.with_suffix(".rig.json"))
                export_scene.export(bpy.context, str(again), export_scene.Settings(), report)
                found = differences(character, files.read_character(str(again))[0], rescaled)
                self.assertEqual(found, ["cloud: weights: 0.1"] if path.name == "corners.pchr" else [], report.text())
                self.assertEqual(path.name == "corners.pchr", "do not sum to 1" in report.text())
                before, after = rig_file.read(path), rig_file.read(again)
                self.assertEqual((before["markers"], before["masks"]), (after["markers"], after["masks"]))
                bind = next((clip.name for clip in character.clips if clip.name == "bind"), None)
                status, output = run_tool("diff", "--no-pixels", "--json", path, again)
                if status is not None and not rescaled and bind:
                    self.assertIn(status, (0,) if path.name == "kiri.pchr" else (0, 5), output)
                    self.assertLess(max(pose["pixels"] for pose in json.loads(output)["poses"]), 3e-3)

    def test_keeps_a_key_only_where_a_line_would_be_wrong(self):
        turns = np.array([[0, 0], [0, 10], [0, 20], [0, 30], [0, 30], [0, 25], [0, 355], [0, 325]], float)
        clip = Clip("wave", False, transforms(8, 2, y=[0, 50], rotation=turns))
        armature, _ = build(two_bones([rest_clip(), clip]))
        curves = compat.fcurves(action_of(clip))
        self.assertEqual([curve.data_path for curve in curves], ['pose.bones["chest"].rotation_euler'])
        keys = [tuple(point.co) for point in curves[0].keyframe_points]
        # 355 follows 25 as -5: the shorter way.
        self.assertEqual([round(math.degrees(angle), 3) for _, angle in keys], [0, 30, 30, 25, -35])
        self.assertEqual([frame for frame, _ in keys], [1, 4, 5, 6, 8])
        # Each clip says where the bones are that another one moves.
        self.assertEqual(len(compat.fcurves(bpy.data.actions["bind"])[0].keyframe_points), 1)
        self.assert_drawn_alike(two_bones([rest_clip(), clip]), armature, 0.002)

    def test_keys_visibility_and_draw_order_in_steps(self):
        clip = Clip("blink", False, transforms(4, 2, y=[0, 50], visible=[[1, 1], [1, 0], [1, 0], [1, 1]],
                                               z_order=[[2, 1], [2, 1], [2, 3], [2, 3]]))
        character = two_bones([rest_clip(z_order=[[2, 1]]), clip])
        armature, _ = build(character)
        keys = {curve.data_path: [tuple(point.co) for point in curve.keyframe_points]
                for curve in compat.fcurves(action_of(clip))}
        self.assertEqual(keys, {'pose.bones["chest"]["visible"]': [(1, 1), (2, 0), (4, 1)],
                                'pose.bones["chest"]["z_order"]': [(1, 1), (3, 3)]})
        self.assertEqual(armature.pose.bones["hips"]["z_order"], 2)
        self.assert_drawn_alike(character, armature, 0.002)

    def test_a_loop_ends_where_it_began(self):
        clip = Clip("spin", True, transforms(4, 2, y=[0, 50], rotation=[[0, 0], [0, 90], [0, 180], [0, 270]]))
        armature, _ = build(two_bones([rest_clip(), clip]))
        action = action_of(clip)
        self.assertTrue(action.use_cyclic)
        self.assertEqual((action.frame_start, action.frame_end), (1, 5))
        points = compat.fcurves(action)[0].keyframe_points
        self.assertEqual([(point.co[0], round(math.degrees(point.co[1]), 3)) for point in points], [(1, 0), (5, 360)])
        self.assertEqual((bpy.context.scene.frame_end, bpy.context.scene.render.fps), (5, 24))
        self.assertEqual(armature.animation_data.action, action)

    def test_takes_the_bind_pose_that_is_wanted(self):
        idle = Clip("idle", True, transforms(2, 2, x=[[1, 0], [30, 0]], y=[0, 50]))
        setup = Clip("Setup", False, transforms(1, 2, x=[[7, 0]], y=[[0, 50]]))
        for clips, wanted, rig_bind, head, warns in (
                ([idle, setup], "", None, 7, False), ([idle], "", None, 1, True),
                ([idle, setup], "idle:1", None, 30, False),
                ([idle, setup], "", {"clip": "idle", "frame": 1}, 30, False), ([idle, setup], "", "identity", 0, False),
                ([idle, setup], "idle", {"clip": "idle", "frame": 1}, 1, False), ([], "", None, 0, False)):
            with self.subTest(wanted=wanted, rig=rig_bind, clips=len(clips)):
                reset()
                armature, messages = build(two_bones(clips), wanted, bind=rig_bind)
                self.assertAlmostEqual(armature.data.bones["hips"].head_local.x * PIXELS_PER_UNIT, head, 4)
                self.assertEqual(any("does not name its bind pose" in message for message in messages), warns)
        for wanted, message in (("fly", 'there is no clip "fly", only "idle"'), ("idle:2", 'has no frame 2, only 2')):
            with self.assertRaisesRegex(FileError, message):
                build(two_bones([idle]), wanted)

    def test_a_bind_pose_that_no_clip_shows_is_guessed_as_the_runtime_does(self):
        turn = np.radians([60, 70])
        clip = Clip("idle", True, transforms(
            2, 2, rotation=np.stack([[-90, -80], [60, 70]], -1), x=np.stack([[0, 0], 50 - 50 * np.cos(turn)], -1),
            y=np.stack([[0, 0], -50 * np.sin(turn)], -1)))
        character = two_bones([clip], [square("upper", 0, 0, -30, 60), square("lower", 1, 40, -30, 60)])
        armature, messages = build(character)
        self.assertEqual([message.partition(";")[2][:29] for message in messages], [" the identity was guessed. If"])
        self.assert_drawn_alike(character, armature, 0.002, transforms(1, 2)[0])
        # An export has a clip for the rest pose.
        export_scene.export(bpy.context, str(OUT / "rest.pchr"), export_scene.Settings(), reports.Report())
        again = files.read_character(str(OUT / "rest.pchr"))[0]
        for mesh, before in zip(again.meshes, character.meshes):
            for frame in range(2):
                poses = ((character, clip.frames[frame], transforms(1, 2)[0]),
                         (again, again.clips[1].frames[frame], again.clips[0].frames[0]))
                moves = [world_matrices(each, pose) @ np.linalg.inv(world_matrices(each, bind))
                         for each, pose, bind in poses]
                np.testing.assert_allclose(skinned(mesh, moves[1]), skinned(before, moves[0]), atol=0.002)

    def test_bones_that_are_scaled_in_the_bind_pose_move_exactly(self):
        turns = [[0, 0], [30, 60], [-45, 200]]
        for scale_x, scale_y, added in ((2, 2, 0), (0.5, 2, 1), (-1, 1, 0), (1, -0.4, 1)):
            with self.subTest(scale=(scale_x, scale_y)):
                reset()
                scales = {"y": [0, 50], "scale_x": [scale_x, 1.3], "scale_y": [scale_y, 1.3]}
                clip = Clip("wave", False, transforms(3, 2, rotation=turns, **scales))
                bind = Clip("bind", False, transforms(1, 2, rotation=[10, 20], **scales))
                character = two_bones([bind, clip])
                armature, messages = build(character)
                self.assertEqual(len(armature.data.bones), 2 + added * 2 if added else 2)
                self.assertEqual(len(messages), 1)
                self.assert_drawn_alike(character, armature, 0.002)

    def test_says_which_weights_blender_cannot_hold(self):
        heavy, negative, none = (square(name, 0) for name in ("heavy", "negative", "none"))
        heavy.vertices["bone_weights"][2, 0] = 1.5
        heavy.vertices["bone_weights"][3, 0] = 1.0009
        negative.vertices["bone_ids"][1] = [0, 1, 1, 0]
        negative.vertices["bone_weights"][1] = [1.25, -0.25, 0, 0]
        none.vertices["bone_weights"] = 0
        _, messages = build(two_bones([rest_clip()], [heavy, negative, none]))
        self.assertEqual(len(messages), 3)
        self.assertIn('mesh "heavy": the weights of 1 of 4 vertices do not sum to 1 (vertex 2: 1.5)', messages[0])
        self.assertIn('mesh "negative": 1 weights are negative (vertex 1: -0.25)', messages[1])
        self.assertIn('mesh "none": the weights of 4 of 4 vertices', messages[2])

    def test_keeps_names_that_blender_changes(self):
        long = "ながい" * 20
        character = Character(24, [], [Bone(long, -1), Bone(long, 0), Bone("", 1), Bone('a "b" \\ c', 2)], [],
                              [Clip("", False, transforms(2, 4, x=[[0] * 4, [1] * 4])),
                               Clip(long, True, transforms(1, 4))])
        armature, _ = build(character, "identity")
        bones = sorted(armature.pose.bones, key=lambda bone: bone["pachario_order"])
        self.assertEqual([compat.true_name(bone) for bone in bones], [bone.name for bone in character.bones])
        self.assertEqual([each.parent for each in bones], [None, *bones[:3]])
        actions = sorted(bpy.data.actions, key=lambda action: action["pachario_order"])
        self.assertEqual([compat.true_name(action) for action in actions], ["", long])
        bones[2].name = "renamed"
        self.assertEqual(compat.true_name(bones[2]), "renamed")
        compat.assign(armature, actions[0])
        bpy.context.scene.frame_set(2)
        self.assertAlmostEqual(bones[3].matrix.translation.x * PIXELS_PER_UNIT, 4, 4)

    def test_adds_markers_and_masks(self):
        clip = Clip("walk", True, transforms(8, 2, y=[0, 50]))
        armature, messages = build(two_bones([rest_clip(), clip]),
                                   markers=[Marker("walk", 3, "step"), Marker("run", 0, "step")],
                                   masks=[Mask("upper body", ["chest"]), Mask("tail", ["tail_1", "hips"])])
        self.assertEqual([(marker.name, marker.frame) for marker in action_of(clip).pose_markers], [("step", 4)])
        self.assertEqual(compat.bone_sets(armature)["upper body"], ["chest"])
        self.assertEqual(compat.bone_sets(armature)["tail"], ["hips"])
        self.assertEqual(messages, ['marker "step": there is no clip "run"; it is left out',
                                    'mask "tail": there is no bone "tail_1"; it is left out'])

    def test_scales_that_are_nearly_1_are_not_reported(self):
        clip = Clip("wave", False, transforms(3, 2, y=[0, 50], rotation=[[0, 0], [30, 60], [0, 0]]))
        _, messages = build(two_bones([rest_clip(scale_x=1.0003, scale_y=1.0003), clip]))
        self.assertEqual(messages, [])

    def test_what_blender_has_not_of_a_rig_goes_to_an_export_under_another_name(self):
        folder = OUT / "rig"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        shutil.copy(SOURCE / "assets/kiri.pchr", folder)
        before = json.loads((SOURCE / "assets/kiri.rig.json").read_text())
        before["springs"], before["later"] = [{"bones": ["hood"], "stiffness": 3}], {"new": [1, 2]}
        before["markers"] = [{"clip": "walk", "frame": 4, "name": "step", "loud": True}]
        (folder / "kiri.rig.json").write_text(json.dumps(before))
        report = reports.Report()
        import_file.import_path(bpy.context, str(folder / "kiri.pchr"), import_file.Settings(), report)
        self.assertIn("its .rig.json also has springs", report.text().replace("states, ", ""))
        other = folder / "other.pchr"

        def export(**settings):
            report = reports.Report()
            export_scene.export(bpy.context, str(other), export_scene.Settings(**settings), report)
            path = other.with_suffix(".rig.json")
            return report.text(), json.loads(path.read_text()) if path.exists() else None
        text, after = export(write_rig=False)
        self.assertIsNone(after)
        self.assertIn('of the character that was imported are not written, because "Markers and masks" is off', text)
        text, after = export()
        self.assertEqual(text, "")
        for key in ("states", "springs", "later"):
            self.assertEqual(after[key], before[key], key)
        self.assertEqual([mask["name"] for mask in after["masks"]], [mask["name"] for mask in before["masks"]])
        other.with_suffix(".rig.json").write_text('{"wind": [1, 0], "states": {}}')
        text, after = export()
        self.assertEqual((after["wind"], "springs" in after), ([1, 0], False))
        self.assertRegex(text, "other.rig.json: it exists, and has no (.*, )?springs, later; those of the character")

    def test_masks_whose_names_blender_changes_are_reported(self):
        _, messages = build(two_bones([rest_clip()]), masks=[Mask("é" * 40, ["chest"]), Mask("é" * 39, ["hips"])])
        self.assertIn(f'mask "{"é" * 40}" becomes "{"é" * 31}": Blender has 63 bytes for it', messages[0])
        self.assertEqual(len(messages), 2)

    def test_two_characters_with_the_same_bones_keep_their_own_clips(self):
        frames = transforms(8, 2, y=[0, 50], x=[[3, 0]] * 4 + [[0, 0]] * 4)
        walk, run = Clip("walk", True, frames), Clip("run", True, frames)
        first, _ = build(two_bones([rest_clip(), walk]))
        second, _ = build(two_bones([rest_clip(), walk, run]))
        for armature, clips in ((first, ["bind", "walk"]), (second, ["bind", "walk", "run"])):
            collection = armature.users_collection[0].name
            export_scene.export(bpy.context, str(OUT / "own.pchr"), export_scene.Settings(collection), reports.Report())
            self.assertEqual([clip.name for clip in files.read_character(str(OUT / "own.pchr"))[0].clips], clips)
        bpy.data.objects.remove(first)
        report = reports.Report()
        export_scene.export(bpy.context, str(OUT / "own.pchr"), export_scene.Settings(), report)
        self.assertEqual([clip.name for clip in files.read_character(str(OUT / "own.pchr"))[0].clips], clips)
        self.assertIn('action "walk": it belongs to an armature that was deleted, and is not exported', report.text())

    def test_leaves_the_timing_of_an_animated_scene(self):
        bpy.data.actions.new("camera")
        bpy.context.scene.render.fps = 60
        _, messages = build(two_bones([rest_clip()]))
        self.assertEqual((bpy.context.scene.render.fps, bpy.context.scene.frame_end), (60, 250))
        self.assertEqual(messages, ["the file has 24 frames per second, but the scene stays at 60"])

    def test_a_failure_leaves_nothing_behind(self):
        build(two_bones([rest_clip()]))
        before = blocks()
        broken = two_bones([rest_clip(), Clip("fall", False, transforms(2, 2, y=[0, 50]))])
        broken.meshes[1].image = 1
        with self.assertRaises(IndexError):
            build(broken)
        self.assertEqual(blocks(), before)
        self.assertEqual(bpy.context.mode, "OBJECT")

    def test_refuses_more_bones_than_blender_can_handle(self):
        character = Character(24, [], [Bone("bone", -1)] * 5000, [], [])
        with self.assertRaisesRegex(FileError, "5000 bones"):
            build(character)
        self.assertEqual(len(bpy.data.armatures), 0)

    def test_malformed_files_leave_nothing_behind(self):
        paths = [path for path in sorted(CONFORMANCE.glob("malformed/*")) if path.suffix in (".pchr", ".json")]
        if not paths:
            self.skipTest(f"there is no {CONFORMANCE}")
        before, refused = blocks(), 0
        for path in paths:
            with self.subTest(path.name):
                try:
                    import_file.import_path(bpy.context, str(path), import_file.Settings(), reports.Report())
                except FileError:
                    refused += 1
                    self.assertEqual(blocks(), before)
                else:
                    reset()
                    before = blocks()
        self.assertGreater(refused, 100)

    def test_is_the_same_after_saving_and_loading_the_scene(self):
        path = SOURCE / "assets/kiri.pchr"
        character, _ = files.read_character(str(path))
        import_file.import_path(bpy.context, str(path), import_file.Settings(PIXELS_PER_UNIT), reports.Report())
        bpy.ops.wm.save_as_mainfile(filepath=str(OUT / "kiri.blend"))
        reset()
        bpy.ops.wm.open_mainfile(filepath=str(OUT / "kiri.blend"))
        settings = export_scene.Settings(use_atlas=False)
        export_scene.export(bpy.context, str(OUT / "saved.pchr"), settings, reports.Report())
        self.assertEqual(differences(character, files.read_character(str(OUT / "saved.pchr"))[0], False), [])

    def test_the_operator_imports_several_files_and_names_broken_ones(self):
        good, broken = SOURCE / "assets/kiri.pchr", OUT / "broken.pchr"
        broken.write_bytes(good.read_bytes()[:5000])
        before = blocks()
        with self.assertRaisesRegex(RuntimeError, "broken.pchr"):
            bpy.ops.import_scene.pachario(filepath=str(broken))
        self.assertEqual(blocks(), before)
        with self.assertRaisesRegex(RuntimeError, 'kiri.pchr: the chosen bind pose: there is no clip "fly"'):
            bpy.ops.import_scene.pachario(filepath=str(good), bind="fly")
        self.assertEqual(blocks(), before)
        (OUT / "kiri.pchr").write_bytes(good.read_bytes())
        # Blender raises the error of one file after it has imported the other.
        with self.assertRaisesRegex(RuntimeError, "broken.pchr"):
            bpy.ops.import_scene.pachario(directory=str(OUT), files=[{"name": "broken.pchr"}, {"name": "kiri.pchr"}])
        self.assertEqual(bpy.context.object.name, "kiri")
        self.assertTrue(all(image.packed_file for image in bpy.data.images))
        self.assertEqual([marker.name for marker in bpy.data.actions["walk"].pose_markers], [])


def blocks():
    """Returns the names of all data-blocks."""
    return sorted(repr(block) for block in bpy.data.user_map())


if __name__ == "__main__":
    pachario.register()
    unittest.main(argv=[sys.argv[0], *sys.argv[sys.argv.index("--") + 3:]])
