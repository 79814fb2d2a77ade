# SPDX-License-Identifier: MIT
"""Uses the installed Python package as a script would.

    PYTHONPATH=PACKAGE_FOLDER python_test.py REPOSITORY LAYOUT FACTS OUT_FOLDER

LAYOUT is a program that prints the layout of the structs of pchr.h, and FACTS is tests/c/facts.c.
"""
import ctypes
import functools
import gc
import inspect
import io
import json
import pathlib
import re
import subprocess
import sys
import unittest

import numpy as np
import pchr
from PIL import Image

ROOT = pathlib.Path(sys.argv[1])
LAYOUT, FACTS = sys.argv[2:4]
OUT = pathlib.Path(sys.argv[4])
KIRI = ROOT / "assets" / "kiri.pchr"


def address_of(array):
    return array.__array_interface__["data"][0]


def milli(*values):
    return " ".join(str(int(value * 1000 + (0.5 if value >= 0 else -0.5))) for value in map(float, values))


def sum_of(array):
    return functools.reduce(lambda total, byte: (total * 31 + byte) % 65521, array.tobytes(), 0)


class Facts(unittest.TestCase):
    """Does what tests/c/facts.c does."""

    def test_the_package_shows_what_c_shows(self):
        self.lines, rig = [], ROOT / "tests/c/look.rig.json"
        hero = pchr.load(KIRI)
        pose, stream = pchr.Pose(hero), pchr.DrawStream()
        self.parts(hero)
        self.poses(hero, pose, stream)
        self.skins(hero, pose, stream)
        self.animation(hero, pose, stream)
        self.rig(hero, pose, rig)
        self.machine(hero, pose, rig)
        for source in "nowhere.pchr", b"PCHR":
            with self.assertRaises(pchr.LoadError) as caught:
                pchr.load(source)
            self.print(f"{caught.exception.code} {caught.exception}")
        facts = subprocess.run([FACTS, KIRI, rig], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
        for actual, expected in zip(self.lines, facts.splitlines()):
            self.assertEqual(actual, expected)
        self.assertEqual(len(self.lines), len(facts.splitlines()))

    def print(self, line):
        self.lines.append(line)

    def parts(self, hero):
        for bone in hero.bones:
            self.print(f"bone {bone.name} of {-1 if bone.parent is None else bone.parent}")
        for clip in hero.clips:
            self.print(f"clip {clip.name}: {clip.frame_count} frames, {milli(clip.frames_per_second)} per second, "
                       f"{milli(clip.duration_seconds)} s, loop {int(clip.looping)} from {clip.loop_start}, "
                       f"within {milli(*hero.bounds(clip.name))}")
        for mesh in hero.meshes:
            self.print(f"mesh {mesh.name}: image {mesh.image}, vertices {mesh.first_vertex}+{mesh.vertex_count}, "
                       f"indices {mesh.first_index}+{mesh.index_count}, bone {mesh.governing_bone}")
        for image in hero.images:
            self.print(f"image {image.name}: {image.width} x {image.height}, sum {sum_of(image.decode())}")
        self.print(f"{len(hero.vertices)} vertices, sum {sum_of(hero.vertices)}, {len(hero.indices)} indices, "
                   f"sum {sum_of(hero.indices)}, {len(hero.warnings)} warnings")

    def pose(self, pose, bone):
        bone = pose.character.find_bone(bone)
        names = "x", "y", "rotation_degrees", "scale_x", "scale_y", "opacity"
        x, y, degrees, scale_x, scale_y, opacity = (milli(getattr(pose, name)[bone]) for name in names)
        self.print(f"bone at {x} {y}, {degrees} degrees, scale {scale_x} {scale_y}, opacity {opacity}, "
                   f"order {pose.z_order[bone]}, visible {pose.visible[bone]}")
        self.print(f"world {milli(*pose.world[bone].ravel())}, within {milli(*pose.bounds())}")

    def stream(self, stream):
        self.print(f"stream of {len(stream.vertices)} vertices, sum {sum_of(stream.vertices)}, "
                   f"and {len(stream.indices)} indices, sum {sum_of(stream.indices)}")
        for source, image, first, count, blend in stream.commands.tolist():
            self.print(f"command: source {source}, image {image}, indices {first}+{count}, blend {blend}")
        stream.clear()

    def poses(self, hero, pose, stream):
        self.pose(pose, "head")
        pose.clip("walk", 0.3)
        self.pose(pose, "head")
        pose.clip("walk", 0.31, smooth=True)
        self.pose(pose, "head")
        stream.add(pose, placement=pchr.placement((100, -50), 30, 2, True), tint=(1, 0.5, 0.25, 0.5), blend="multiply",
                   source=7)
        head = hero.find_bone("head")
        pose.rotation_degrees[head] = pose.rotation_towards("head", (1000, 300))
        pose.opacity[head] = 0.5
        pose.update()
        self.pose(pose, "head")
        stream.add(pose)
        self.stream(stream)

    def hit(self, what, hit):
        self.print(f"{what}: mesh {hit.mesh}, bone {hit.bone}, alpha {hit.alpha}" if hit else f"{what}: nothing")

    def skins(self, hero, pose, stream):
        pose.bind()
        head = pose.world[hero.find_bone("head"), 2] + (0, 10)
        self.hit("head", pose.hit_test(head))
        self.hit("beside it", pose.hit_test(head + (500, 0)))
        self.hit("placed there", pose.hit_test(head + (500, 0), placement=pchr.placement((500, 0))))
        skin = pchr.Skin(hero, "red")
        red = skin.add_image(np.array([[[255, 0, 0, 255]]], np.uint8))
        skin.set(pose.hit_test(head).mesh, image=red, tint=(1, 1, 1, 0.5), blend="screen")
        stream.add(pose, skin=skin)
        self.stream(stream)
        for mesh in range(len(hero.meshes)):
            skin.set(mesh, visible=False)
        self.hit("hidden", pose.hit_test(head, skin=skin))

    def advance(self, animator, seconds):
        for e in animator.advance(seconds):
            self.print(f"{e.kind}: layer {e.layer}, play {e.play}, clip {e.clip}, marker {e.marker or '-'}, "
                       f"at {milli(e.seconds)}, times {e.count}, weight {milli(e.weight)}")

    def animation(self, hero, pose, stream):
        animator = pchr.Animator(hero)
        animator.set_markers([("walk", 4, "left"), ("walk", 16, "right")])
        animator.smooth = True
        animator.set_root_motion("hips", True, True)
        animator.set_layer(1, subtree="chest", weight=0.75)
        animator.set_layer(2, mode="additive", reference_clip="walk", reference_frame=3)
        animator.set_layer_weight(2, 0.5)
        animator.play("wave", layer=1)
        animator.play("walk", layer=2, start_seconds=0.5)
        animator.play("walk")
        jump = animator.play("jump", fade_seconds=0.25, loop="once")
        last = animator.queue("walk", fade_seconds=0.25, loop="loop", speed=1.5)
        for step in range(6):
            self.advance(animator, 0.4)
            if step == 0:
                animator.seek(jump, 0.1)
                animator.set_play_speed(jump, 2)
                self.assertRaises(KeyError, animator.seek, last + 1, 0)
                self.print("seek 1 1 0")
            if step == 4:
                animator.override("head", rotation_degrees=30, scale_x=1.25, weight=0.5)
            else:
                animator.clear_overrides()
            animator.pose(pose)
            self.pose(pose, "head")
            stream.add(pose)
            self.stream(stream)
        self.print(f"moved {milli(*animator.take_root_motion())}")
        animator.stop(1)
        animator.queue_stop(0, 0.1)
        animator.speed = -1
        self.advance(animator, 0.01)

    def rig(self, hero, pose, file):
        animator = pchr.Animator(hero)
        animator.load_rig(file)
        animator.set_layer(1, mask="arm")
        animator.control_rig("look", (1000, 300))
        animator.play("walk")
        animator.play("wave", layer=1)
        for step in range(10):
            animator.place_rig(pchr.placement((20 * step, 0)))
            self.advance(animator, 1 / 60)
            animator.pose(pose)
        self.pose(pose, "head")
        self.pose(pose, "tail_1")
        self.pose(pose, "near_upper_arm")


    def states(self, animator):
        for e in animator.state_events:
            self.print(f"{e.kind} {e.name}: layer {e.layer}, state {e.state}, at {milli(e.seconds)}")
        for layer in range(animator.state_layers):
            s = animator.state(layer)
            transition = -1 if s.transition is None else s.transition
            self.print(f"{s.layer}: {s.name}, {milli(s.progress)} of {transition} from {s.from_name or '-'}, "
                       f"phase {milli(s.phase)}")
        for p in animator.parameters:
            self.print(f"{p.name} is {milli(p.value)}")

    def machine(self, hero, pose, file):
        animator = pchr.Animator(hero)
        self.assertRaises(RuntimeError, animator.play_states)
        animator.load_rig(file)
        animator.play_states()
        self.print(f"{animator.state_layers} layers")
        for p in animator.parameters:
            self.print(f"{p.kind} {p.name}: {milli(p.value)} from {milli(p.min)} to {milli(p.max)}, key {p.key}")
        for step in range(10):
            if step in (1, 4):
                animator.set_parameter("speed", 0.25 if step == 1 else 7)
            if step == 3:
                animator.set_parameter("wînkt", True)
            if step == 5:
                animator.fire("jump")
            self.advance(animator, 0.3)
            self.states(animator)
            animator.pose(pose)
            self.pose(pose, "head")
            self.pose(pose, "near_forearm")
        animator.enter_state("jump", 0, 0.1)
        self.assertRaises(KeyError, animator.enter_state, "fly")
        for name in "fly", "speed", 99:
            self.assertRaisesRegex(KeyError, f'no trigger named "{name}"', animator.fire, name)
        self.assertRaisesRegex(TypeError, "name is 99, expected a str", animator.set_parameter, 99, 1)
        self.assertRaises(IndexError, animator.state, 2)
        self.assertRaisesRegex(TypeError, "'str' object cannot be interpreted as an integer", animator.state, "arms")
        self.print("enter 1 0")
        self.advance(animator, 0.7)
        self.states(animator)
        saved = animator.save_states()
        self.print(f"saved {len(saved.encode())}, sum {sum_of(np.frombuffer(saved.encode(), np.uint8))}")
        self.advance(animator, 0.7)
        for text in "nothing", "":
            self.assertRaises(ValueError, animator.restore_states, text)
        self.assertRaisesRegex(TypeError, "saved is b'', expected a str", animator.restore_states, b"")
        animator.restore_states(saved)
        self.print("restore 0 1")
        self.advance(animator, 0.3)
        self.states(animator)
        animator.stop_states()
        self.print(f"{animator.state_layers} layers")


class Loading(unittest.TestCase):
    def test_a_character_lists_its_parts(self):
        hero = pchr.load(KIRI)
        self.assertEqual(hero.format, "PCHR v1")
        names = [clip.name for clip in hero.clips]
        self.assertIn("walk", names)
        self.assertEqual(hero.find_clip("walk"), names.index("walk"))
        self.assertIsNone(hero.find_clip("fly"))
        parents = [bone.parent for bone in hero.bones]
        self.assertIsNone(parents[0])
        self.assertTrue(all(parent is None or parent < i for i, parent in enumerate(parents)))
        self.assertEqual(sum(mesh.vertex_count for mesh in hero.meshes), len(hero.vertices))
        self.assertEqual(sum(mesh.index_count for mesh in hero.meshes), len(hero.indices))
        self.assertEqual(hero.governing_bones.shape, (len(hero.meshes),))
        self.assertEqual(hero.warnings, [])

    def test_bytes_and_paths_load_the_same(self):
        a, b = pchr.load(KIRI.read_bytes()), pchr.load(str(KIRI))
        self.assertTrue((a.vertices == b.vertices).all())

    def test_files_come_from_the_program(self):
        pack = pchr.load(KIRI).save("json", "hero")
        asked = []

        def read(path):
            asked.append(path)
            if path not in pack:
                raise FileNotFoundError(f"the pack has no {path}")
            return pack[path]

        self.assertEqual(len(pchr.load("hero.json", read_file=read).clips), len(pchr.load(KIRI).clips))
        self.assertEqual(asked, ["hero.json", "hero.rig.json", "hero.kiri.png"])
        with self.assertRaisesRegex(pchr.LoadError, "the pack has no other.json"):
            pchr.load("other.json", read_file=read)
        with self.assertRaises(ZeroDivisionError):
            pchr.load("hero.json", read_file=lambda path: 1 / 0)
        with self.assertRaises(TypeError):
            pchr.load("hero.json", read_file=lambda path: "text")

    def test_errors_have_code_message_path_and_hint(self):
        with self.assertRaises(pchr.LoadError) as caught:
            pchr.load(ROOT / "tests/diagnostics/E115_image_out_of_range.pchr")
        error = caught.exception
        self.assertIsInstance(error, ValueError)
        self.assertEqual(error.code, "E115")
        self.assertEqual(error.path, "meshes[0].image")
        self.assertIn("E115_image_out_of_range.pchr: error E115", str(error))
        self.assertTrue(error.message and error.hint)
        with self.assertRaises(pchr.LoadError):
            pchr.load("no/such/file.pchr")

    def test_a_saved_character_loads_again(self):
        hero = pchr.load(KIRI)
        files = hero.save("json", "hero")
        self.assertEqual(sorted(files), ["hero.json", "hero.kiri.png"])
        for name, data in files.items():
            (OUT / name).write_bytes(data)
        again = pchr.load(OUT / "hero.json")
        self.assertTrue((again.vertices == hero.vertices).all())
        with self.assertRaises(ValueError) as caught:
            hero.save("gif", "hero")
        self.assertIn("'gif', expected one of 'v1', 'json', 'packed'", str(caught.exception))

    def test_images_decode_to_premultiplied_pixels(self):
        image = pchr.load(KIRI).images[0]
        pixels = image.decode()
        self.assertEqual(pixels.shape, (image.height, image.width, 4))
        self.assertTrue((pixels[..., :3] <= pixels[..., 3:]).all())

    def test_parts_of_other_formats_load(self):
        self.assertEqual(pchr.load(ROOT / "assets/konpei/konpei.chp").format, "Pomyu CHP")
        self.assertTrue(pchr.load(ROOT / "assets/koi/koi.psk").is_3d)
        akari = ROOT / "assets/akari/akari_ske.json"
        one, two = pchr.load(akari), pchr.load(akari, armature="moth", frames_per_second=48)
        self.assertEqual((len(one.clips), len(two.clips)), (3, 1))
        self.assertEqual((one.clips[0].frames_per_second, two.clips[0].frames_per_second), (24, 48))


class Arrays(unittest.TestCase):
    def test_arrays_of_a_character_are_views_that_cannot_be_changed(self):
        hero = pchr.load(KIRI)
        walk = hero.clips[hero.find_clip("walk")]
        for get in (lambda: hero.vertices, lambda: hero.indices, lambda: walk.rotation_degrees):
            self.assertEqual(address_of(get()), address_of(get()))
            self.assertFalse(get().flags.writeable)
            self.assertFalse(get().flags.owndata)
        with self.assertRaises(ValueError):
            hero.vertices["x"] = 0
        self.assertEqual(walk.x.shape, (walk.frame_count, len(hero.bones)))
        pose = pchr.Pose(hero)
        pose.clip("walk", walk.frame_seconds(9))
        for name in "x", "y", "rotation_degrees", "scale_x", "scale_y", "opacity", "visible", "z_order":
            self.assertTrue((getattr(walk, name)[9] == getattr(pose, name)).all(), name)

    def test_arrays_keep_their_memory_alive(self):
        hero = pchr.load(KIRI)
        expected = hero.vertices.tobytes(), hero.clips[0].rotation_degrees.tobytes()
        pose = pchr.Pose(hero)
        world, expected_world = pose.world, pose.world.tobytes()
        vertices, rotations = hero.vertices, hero.clips[0].rotation_degrees
        pixels = hero.images[0].decode()
        del hero, pose
        gc.collect()
        self.assertEqual((vertices.tobytes(), rotations.tobytes()), expected)
        self.assertEqual(world.tobytes(), expected_world)
        self.assertGreater(pixels.sum(), 0)

    def test_arrays_of_a_pose_follow_it(self):
        hero = pchr.load(KIRI)
        pose = pchr.Pose(hero)
        world, rotations = pose.world, pose.rotation_degrees
        before = world.copy()
        animator = pchr.Animator(hero)
        animator.play("wave")
        animator.play("walk", layer=1, fade_seconds=0.2)
        for _ in range(100):
            animator.advance(0.03)
            animator.pose(pose)
            for clip in range(len(hero.clips)):
                pose.clip(clip, 0.1, smooth=True)
            pose.bind()
        self.assertTrue((world == before).all())
        pose.clip("walk", 0.3)
        self.assertFalse((world == before).all())
        self.assertEqual(address_of(world), address_of(pose.world))
        self.assertEqual(address_of(rotations), address_of(pose.rotation_degrees))

    def test_changes_to_bones_show_after_update(self):
        hero = pchr.load(KIRI)
        pose = pchr.Pose(hero)
        head = hero.find_bone("head")
        pose.rotation_degrees[head] += 90
        pose.update()
        turned = pose.world[head]
        bind = pchr.Pose(hero).world[head]
        np.testing.assert_allclose(turned[0], bind[1], atol=1e-4)
        pose.visible = 0
        pose.update()
        self.assertEqual(len(pose.draw_list), 0)

    def test_vertices_follow_the_palette(self):
        hero = pchr.load(KIRI)
        pose = pchr.Pose(hero)
        pose.clip("jump", 0.4)
        for mesh in hero.meshes:
            vertices = hero.vertices[mesh.first_vertex:mesh.first_vertex + mesh.vertex_count]
            points = np.stack([vertices["x"], vertices["y"], np.ones(len(vertices))], axis=-1)
            moved = np.einsum("vb,vc,vbcd->vd", vertices["weights"], points, pose.palette[vertices["bones"]])
            np.testing.assert_allclose(pose.deform(mesh.name), moved, atol=1e-2)

    def test_arrays_of_a_stream_keep_what_they_showed(self):
        hero = pchr.load(KIRI)
        pose = pchr.Pose(hero)
        stream = pchr.DrawStream()
        stream.add(pose)
        vertices, before = stream.vertices, stream.vertices.tobytes()
        stream.add(pose, placement=pchr.placement((50, 0)), source=1)
        self.assertEqual(len(stream.vertices), 2 * len(vertices))
        stream.clear()
        self.assertEqual(len(stream.vertices), 0)
        self.assertEqual(vertices.tobytes(), before)
        del vertices
        stream.add(pose)
        first = address_of(stream.vertices)
        stream.clear()
        stream.add(pose)
        self.assertEqual(address_of(stream.vertices), first)


class Playing(unittest.TestCase):
    def test_a_layer_stops_after_its_clip(self):
        hero = pchr.load(KIRI)
        animator = pchr.Animator(hero)
        animator.set_layer(1, mode="additive", reference_clip="walk", reference_frame=2)
        first = animator.play("wave", layer=1, loop="once")
        second = animator.play("jump", layer=1, loop="once")
        animator.queue_stop(1)
        kinds = [(event.play, event.kind) for event in animator.advance(60)]
        self.assertEqual(kinds, [(first, "started"), (first, "interrupted"), (second, "started"), (second, "finished")])
        self.assertEqual(animator.plays(1), [])

    def test_markers_load_from_a_file(self):
        animator = pchr.Animator(pchr.load(KIRI))
        sidecars = sorted(KIRI.parent.glob("kiri.*.json"))
        animator.set_markers(sidecars[0])
        animator.play("walk")
        self.assertIn("step", [event.marker for event in animator.advance(2)])
        with self.assertRaises(pchr.LoadError):
            animator.set_markers("no/such/markers.json")

    def test_overrides_turn_a_bone_towards_a_point(self):
        hero = pchr.load(KIRI)
        animator = pchr.Animator(hero)
        pose = pchr.Pose(hero)
        animator.pose(pose)
        animator.override("head", rotation_degrees=pose.rotation_towards("head", (1000, 300)))
        animator.pose(pose)
        axis_x, axis_y, origin = pose.world[hero.find_bone("head")]
        wanted = np.array([1000, 300]) - origin
        np.testing.assert_allclose(axis_y / np.linalg.norm(axis_y), wanted / np.linalg.norm(wanted), atol=1e-4)
        animator.clear_overrides()
        animator.pose(pose)
        self.assertTrue((pose.world == pchr.Pose(hero).world).all())

    def test_a_reloaded_character_continues(self):
        hero, again = pchr.load(KIRI), pchr.load(KIRI)
        animator = pchr.Animator(hero)
        play = animator.play("walk")
        animator.advance(0.2)
        self.assertEqual(animator.rebind(again), {"clips": [], "bones": []})
        self.assertIs(animator.character, again)
        self.assertEqual([p.id for p in animator.plays()], [play])
        animator.seek(play, 0.1)
        animator.set_play_speed(play, 2)
        self.assertEqual([(p.seconds, p.speed) for p in animator.plays()], [(0.1, 2)])

    def test_rigs_load_from_bytes(self):
        hero = pchr.load(KIRI)
        animator = pchr.Animator(hero)
        animator.load_rig((ROOT / "tests/c/look.rig.json").read_bytes())
        animator.play("walk")
        self.assertIn("stép", [event.marker for event in animator.advance(1)])
        animator.load_rig(json.dumps({"aim": [{"name": "look", "bone": "head"}]}).encode())
        self.assertNotIn("marker", [event.kind for event in animator.advance(1)])
        animator.control_rig("look", weight=0)
        with self.assertRaises(KeyError):
            animator.control_rig("listen")
        with self.assertRaises(pchr.LoadError):
            animator.load_rig(b'{"springs": 3}')

    def test_layers_move_the_bones_of_a_mask(self):
        hero = pchr.load(KIRI)
        animator, pose, plain = pchr.Animator(hero), pchr.Pose(hero), pchr.Pose(hero)
        with self.assertRaises(KeyError):
            animator.set_layer(1, mask="face")
        animator.load_rig(json.dumps({"masks": [{"name": "face", "bones": ["head", "neck"]}]}).encode())
        animator.set_layer(1, mask="face")
        with self.assertRaises(KeyError):
            animator.set_layer(1, mask="feet")
        with self.assertRaises(ValueError):
            animator.set_layer(1, mask="face", subtree="head")
        animator.play("walk")
        animator.advance(0.3)
        animator.pose(plain)
        animator.play("jump", layer=1, start_seconds=0.5)
        animator.advance(0)
        animator.pose(pose)
        changed = np.nonzero(pose.rotation_degrees != plain.rotation_degrees)[0]
        self.assertEqual({hero.bones[bone].name for bone in changed}, {"head", "neck"})
        animator.rebind(pchr.load(KIRI))
        with self.assertRaises(KeyError):
            animator.set_layer(1, mask="face")

    def test_mistakes_raise(self):
        hero, other = pchr.load(KIRI), pchr.load(ROOT / "assets/quad.pchr")
        animator = pchr.Animator(hero)
        for error, mistake in {
            KeyError: lambda: animator.play("fly"),
            IndexError: lambda: animator.play(999),
            ValueError: lambda: animator.play("walk", loop="sometimes"),
            TypeError: lambda: animator.play(1.5),
        }.items():
            with self.subTest(error=error), self.assertRaises(error):
                mistake()
        for mistake in (lambda: animator.pose(pchr.Pose(other)), lambda: pchr.Pose(hero).clip("walk", float("nan")),
                        lambda: pchr.encode_png(np.zeros((2, 2), np.uint8)),
                        lambda: pchr.DrawStream().add(pchr.Pose(hero), placement=np.eye(2))):
            with self.assertRaises(ValueError):
                mistake()
        for mistake in (lambda: animator.play("walk", layer=64), lambda: pchr.Skin(hero).set("head", image=99),
                        lambda: pchr.Pose(hero).deform(10000)):
            with self.assertRaises(IndexError):
                mistake()


class Drawing(unittest.TestCase):
    def test_a_canvas_draws_the_golden_image(self):
        hero = pchr.load(KIRI)
        pose = pchr.Pose(hero)
        pose.clip("walk", hero.clips[hero.find_clip("walk")].frame_seconds(15))
        golden = np.asarray(Image.open(ROOT / "tests/golden/kiri_walk_0015.png").convert("RGBA"), np.int32)
        canvas = pchr.Canvas(golden.shape[1], golden.shape[0], samples=1)
        canvas.fit(hero.bounds())
        canvas.clear()
        canvas.draw(pose)
        difference = np.abs(canvas.finish().astype(np.int32) - golden).max(axis=-1)
        self.assertLess((difference > 4).mean(), 0.001)

    def test_skins_change_what_is_drawn_and_hit(self):
        hero = pchr.load(KIRI)
        pose = pchr.Pose(hero)
        canvas = pchr.Canvas(64, 64)
        canvas.fit(hero.bounds())

        def draw(**options):
            canvas.clear()
            canvas.draw(pose, **options)
            return canvas.finish()

        plain = draw()
        skin = pchr.Skin(hero, "red")
        red = skin.add_image(np.full((4, 4, 4), (255, 0, 0, 255), np.uint8))
        for mesh in range(len(hero.meshes)):
            skin.set(mesh, image=red)
        solid = draw(skin=skin)
        drawn = solid[..., 3] == 255
        self.assertTrue(drawn.any() and (solid[drawn] == (255, 0, 0, 255)).all())
        self.assertFalse((plain == solid).all())
        self.assertTrue((plain == draw()).all())
        stream = pchr.DrawStream()
        stream.add(pose, skin=skin)
        self.assertEqual(set(stream.commands["image"]), {red})
        for mesh in range(len(hero.meshes)):
            skin.set(mesh, visible=False)
        self.assertFalse(draw(skin=skin).any())

        head = pose.world[hero.find_bone("head"), 2] + (0, 10)
        hit = pose.hit_test(head)
        self.assertIsNotNone(hit)
        self.assertLess(hit.mesh, len(hero.meshes))
        self.assertAlmostEqual(sum(hit.barycentrics), 1, places=5)
        self.assertIsNone(pose.hit_test(head, skin=skin))
        self.assertIsNone(pose.hit_test(head + 10000))
        moved = pchr.placement((500, 20), scale=2)
        self.assertEqual(pose.hit_test(head @ moved[:2] + moved[2], placement=moved).mesh, hit.mesh)

    def test_looks_change_colors(self):
        hero = pchr.load(KIRI)
        pose = pchr.Pose(hero)
        canvas = pchr.Canvas(64, 64)
        canvas.fit(hero.bounds())
        canvas.clear((0, 0, 0, 1))
        canvas.draw(pose, additive=(1, 0, 0), tint=(1, 1, 1, 1))
        flash = canvas.finish()
        self.assertGreater((flash[..., 0] == 255).mean(), 0.1)
        canvas.clear((0.5, 0.5, 0.5, 1))
        canvas.draw(pose, blend="multiply")
        shade = canvas.finish()
        self.assertTrue((shade[..., :3] <= 128).all() and (shade[..., :3] < 100).any())
        stream = pchr.DrawStream(with_looks=True)
        stream.add(pose, dark_tint=(0, 0, 1), blend="screen")
        self.assertEqual(set(stream.commands["blend"]), {3})
        self.assertTrue((stream.looks["dark"][:, 2] == 255).all())
        kept = stream.looks
        stream.clear()
        stream.add(pose, additive=(0, 1, 0))
        self.assertTrue((stream.looks["additive"][:, 1] == 255).all() and (kept["additive"] == 0).all())

    def test_pixels_survive_a_png_file_and_become_premultiplied_in_a_skin(self):
        pixels = np.arange(7 * 5 * 4, dtype=np.uint8).reshape(7, 5, 4) * 9
        with Image.open(io.BytesIO(pchr.encode_png(pixels))) as image:
            self.assertEqual(np.asarray(image).tolist(), pixels.tolist())
        skin = pchr.Skin(pchr.load(KIRI))
        image = skin.add_image(np.array([[[255, 100, 51, 128]]], np.uint8))
        shown = pchr._lib.pchr_skin_image(skin._handle, image, None, None)
        self.assertEqual(list(ctypes.string_at(shown, 4)), [128, 50, 26, 128])

    def test_canvases_take_turns(self):
        hero = pchr.load(KIRI)
        a, b = pchr.Canvas(8, 8), pchr.Canvas(16, 16)
        a.clear((1, 0, 0, 0.5))
        with self.assertRaises(RuntimeError):
            b.clear()
        with self.assertRaises(RuntimeError):
            b.draw(pchr.Pose(hero))
        self.assertEqual(a.finish()[0, 0].tolist(), [255, 0, 0, 128])
        a.clear((0.3, 0.6, 0.9, 0.25))
        self.assertEqual(a.finish()[0, 0].tolist(), [76, 151, 227, 64])
        b.clear((0, 0, 1, 0.5))
        self.assertEqual(b.finish(premultiplied=True)[0, 0].tolist(), [0, 0, 128, 128])

    def test_more_characters_than_are_kept_can_be_drawn(self):
        canvas = pchr.Canvas(32, 32)
        images = []
        for _ in range(10):
            hero = pchr.load(ROOT / "assets/quad.pchr")
            canvas.fit(hero.bounds())
            canvas.clear()
            canvas.draw(pchr.Pose(hero))
            images.append(canvas.finish())
        self.assertTrue(images[0].any() and all((image == images[0]).all() for image in images))

    def test_a_contact_sheet_shows_every_clip(self):
        path = OUT / "contact_sheet.png"
        subprocess.run([sys.executable, ROOT / "bindings/python/examples/contact_sheet.py", KIRI, path], check=True)
        sheet = np.asarray(Image.open(path))
        clips = pchr.load(KIRI).clips
        self.assertEqual(sheet.shape, (160 * len(clips), 160 * 8, 4))
        cells = sheet.reshape(len(clips), 160, 8, 160, 4).swapaxes(1, 2)
        for row in cells:
            for cell in row:
                self.assertGreater((cell != cell[0, 0]).any(axis=-1).mean(), 0.05)
        self.assertTrue(any((row[0] != row[4]).any() for row in cells))


class Documents(unittest.TestCase):
    def test_the_program_of_the_readme_runs(self):
        text = (ROOT / "bindings/python/README.md").read_text()
        code, = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
        for name in ("hero.pchr", "hero.rig.json"):
            (OUT / name).write_bytes((KIRI.parent / name.replace("hero", "kiri")).read_bytes())
        done = subprocess.run([sys.executable, "-c", code], cwd=OUT, check=True, capture_output=True, text=True)
        self.assertIn("interrupted walk", done.stdout)
        with Image.open(OUT / "hero.png") as image:
            self.assertEqual(image.size, (256, 256))


class Declarations(unittest.TestCase):
    def test_structs_have_the_layout_of_c(self):
        lines = subprocess.run([LAYOUT], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
        self.assertGreater(len(lines), 400)
        for line in lines:
            name, expected = line.split()
            struct, _, member = name.partition(".")
            kind = getattr(pchr._c, struct)
            self.assertEqual(getattr(kind, member).offset if member else ctypes.sizeof(kind), int(expected), name)

    def test_functions_accept_nothing_but_zeros(self):
        for name, (_, *parameters) in pchr._c.FUNCTIONS.items():
            zeros = [None if issubclass(kind, (ctypes.c_void_p, ctypes.c_char_p, ctypes._Pointer)) else kind()
                     for kind in parameters]
            getattr(pchr._lib, name)(*zeros)

    def test_everything_public_has_types_and_a_description(self):
        for name in pchr.__all__:
            value = getattr(pchr, name)
            self.assertTrue(value.__doc__, name)
            members = vars(value).items() if inspect.isclass(value) else [(name, value)]
            for member, function in members:
                if inspect.isfunction(function) and not member.startswith("_"):
                    self.assertTrue(function.__doc__, f"{name}.{member}")
                    self.assertIn("return", function.__annotations__, f"{name}.{member}")


if __name__ == "__main__":
    OUT.mkdir(parents=True, exist_ok=True)
    unittest.main(argv=sys.argv[:1], verbosity=1)
