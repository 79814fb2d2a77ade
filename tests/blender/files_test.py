#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Tests the files of the Blender add-on that need no Blender: files_test.py SOURCE_FOLDER PCHR_TOOL."""

import contextlib
import io
import json
import os
import resource
import struct
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import zlib
from dataclasses import replace
from pathlib import Path

import jsonschema
import numpy as np
from PIL import Image as PillowImage

SOURCE = Path(sys.argv[1]).resolve()
TOOL = str(Path(sys.argv[2]).resolve())
ASSETS = SOURCE / "assets"
sys.path.insert(0, str(SOURCE / "addons" / "blender"))
from pachario import atlas, bind_pose, files, outline, pachario_json, pchr_v1, png, rig_file  # noqa: E402
from pachario.character import (BONE_TRANSFORM, VERTEX, Bone, Character, Clip, FileError, Image, Marker,  # noqa: E402
                                Mask, Mesh)

SAMPLES = {"quad": (), "corners": ("night",), "kiri": ()}  # and the images that are stored as pixels


def tool(*arguments):
    """Runs the tool and returns its output. Raises AssertionError if it fails."""
    run = subprocess.run([TOOL, *map(str, arguments)], capture_output=True, text=True, encoding="utf-8", check=False)
    if run.returncode:
        raise AssertionError(f"pchr {' '.join(map(str, arguments))}: {run.returncode}\n{run.stdout}{run.stderr}")
    return run.stdout


def sample(name):
    return pchr_v1.decode((ASSETS / f"{name}.pchr").read_bytes(), name)


def small(text="arm"):
    """Returns a character with one of everything."""
    vertices = np.zeros(3, VERTEX)
    vertices["x"], vertices["y"] = (0.1, 1e-7, 300), (0, -1 / 3, 1e20)
    vertices["bone_weights"][:, 0] = 1
    frames = np.zeros((2, 1), BONE_TRANSFORM)
    frames["scale_x"] = frames["scale_y"] = frames["visible"] = 1
    frames["rotation"][1], frames["z_order"][1] = -7.038531e-26, -32768
    pixels = np.arange(48, dtype=np.uint8).reshape(3, 4, 4)
    return Character(24, [Image(text, pixels)], [Bone(text, -1)], [Mesh(text, 0, vertices, np.array([0, 1, 2]))],
                     [Clip("bind", False, frames)])


def arm(bend, still):
    """Returns an arm of two parts that lie along x where both bones are the identity but for their places, and a clip
    in which it hangs, bent, in all frames; `still` adds a clip of one frame."""
    def part(name, bone, left):
        vertices = np.zeros(4, VERTEX)
        vertices["x"], vertices["y"] = left + np.array([0, 60, 60, 0]), 10 * np.array([-1, -1, 1, 1])
        vertices["bone_ids"][:, 0], vertices["bone_weights"][:, 0] = bone, 1
        return Mesh(name, 0, vertices, np.array([0, 1, 2, 0, 2, 3]))
    frames = np.zeros((6, 2), BONE_TRANSFORM)
    frames["scale_x"] = frames["scale_y"] = frames["visible"] = 1
    frames["rotation"][:, 0] = -90 + np.arange(6)
    if bend:
        # The lower part turns around (50, 0), where it overlaps the upper one.
        turn = np.radians(bend + np.arange(6))
        frames["rotation"][:, 1] = np.degrees(turn)
        frames["x"][:, 1], frames["y"][:, 1] = 50 - 50 * np.cos(turn), -50 * np.sin(turn)
    clips = [Clip("idle", True, frames)] + ([Clip("pose", False, frames[:1])] if still else [])
    pixels = np.full((4, 4, 4), 255, np.uint8)
    return Character(24, [Image("skin", pixels)], [Bone("upper", -1), Bone("lower", 0)],
                     [part("upper arm", 0, 0), part("lower arm", 1, 40)], clips)


def png_file(values, depth, color, palette=None, transparency=None, interlaced=False):
    """Returns a PNG of values [height, width, channels], with every filter in turn."""
    height, width, channels = values.shape
    passes = [(0, 0, 1, 1)]
    if interlaced:
        passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
    step, rows = max(1, depth * channels // 8), b""
    for x, y, dx, dy in passes:
        part = values[y::dy, x::dx]
        if 0 in part.shape:
            continue
        before = None
        for number, row in enumerate(part):
            bits = ((row.reshape(-1, 1) >> np.arange(depth - 1, -1, -1)) & 1).astype(np.uint8)
            raw = np.packbits(bits).astype(int)
            up = np.zeros_like(raw) if before is None else before
            left, corner = (np.concatenate([np.zeros(step, int), side])[:len(raw)] for side in (raw, up))
            guesses = np.stack([left + up - corner - side for side in (left, up, corner)])
            paeth = np.stack([left, up, corner])[np.abs(guesses).argmin(axis=0), np.arange(len(raw))]
            guess = (0, left, up, (left + up) // 2, paeth)[number % 5]
            rows += bytes([number % 5]) + ((raw - guess) % 256).astype(np.uint8).tobytes()
            before = raw
    header = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, interlaced)
    packed = zlib.compress(rows)
    extra = png.chunk(b"PLTE", palette) if palette else b""
    extra += png.chunk(b"tRNS", transparency) if transparency else b""
    return (png.SIGNATURE + png.chunk(b"IHDR", header) + extra + png.chunk(b"IDAT", packed[:5])
            + png.chunk(b"IDAT", packed[5:]) + png.chunk(b"IEND", b""))


class OtherFormatTest(unittest.TestCase):
    def test_json_of_other_formats_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, record, message in (
                    ("hero.json", {"skeleton": {"spine": "4.2"}, "bones": [], "slots": []},
                     r'this is a skeleton of Spine; convert it first: pchr convert "hero.json" -o "hero.pchr"'),
                    ("old.json", {"bones": [], "slots": [], "skins": {}}, "this is a skeleton of Spine"),
                    ("hero_ske.json", {"version": "5.5", "armature": []},
                     r'a skeleton of DragonBones; convert it first: pchr convert "hero_ske.json" -o "hero.pchr"'),
                    ("hero_tex.json", {"SubTexture": []}, "this is a texture atlas of DragonBones; convert the"),
                    ("hero.json", {"asset": {"version": "2.0"}}, "this is a glTF file"),
                    ("hero.json", {"bones": []}, "version")):
                path = Path(folder, name)
                path.write_text(json.dumps(record), encoding="utf-8")
                with self.assertRaisesRegex(FileError, f"{name}: .*{message}"):
                    files.read_character(path)
        with self.assertRaisesRegex(FileError, "tako.json: this is a skeleton of Spine"):
            files.read_character(ASSETS / "tako/tako.json")
        with self.assertRaisesRegex(FileError, "akari_ske.json: this is a skeleton of DragonBones"):
            files.read_character(ASSETS / "akari/akari_ske.json")


class NoImageTest(unittest.TestCase):
    def test_the_image_of_a_character_without_an_atlas_is_none(self):
        record = {"version": 1, "fps": 24, "images": [{"name": "", "path": "", "width": 0, "height": 0}],
                  "bones": [{"name": "root", "parentIdx": -1}],
                  "meshes": [{"name": "body", "imageIdx": 0, "vertices": [], "triangles": []}], "animations": []}
        self.assertEqual(pachario_json.parse(json.dumps(record), []).images, [])
        record["images"][0]["height"] = 1
        with self.assertRaisesRegex(FileError, "width"):
            pachario_json.parse(json.dumps(record), [])


class BindPoseTest(unittest.TestCase):
    """Guesses the same pose as the runtime."""

    def variants(self):
        """Yields (name, character without a clip of a known name)."""
        official = SOURCE.parent / "shared/conformance/faults/official_form"
        for path in [ASSETS / "kiri.pchr", *official.glob("character.*"), *official.glob("*atlas*.pchr")]:
            character = files.read_character(path)[0]
            named = bind_pose.named(character)
            if named is None:
                yield path.name, character
                continue
            others = [clip for i, clip in enumerate(character.clips) if i != named]
            yield f"{path.name} without bind", replace(character, clips=others)
            yield f"{path.name} with another name for bind", replace(
                character, clips=others + [replace(character.clips[named], name="stand")])
        for name, bend in (("arm bent at the elbow", 60), ("arm that does not bend", 0)):
            for still in (False, True):
                yield f"{name}, still={still}", arm(bend, still)

    def test_guesses_agree_with_the_runtime(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, character in self.variants():
                with self.subTest(name):
                    path = Path(folder) / "hero.pchr"
                    files.write_files(path, character, level=1)
                    found = json.loads(tool("inspect", "--json", "--quiet", path))
                    guess = bind_pose.guess(character)
                    source = found["bindPose"]
                    self.assertEqual(guess.chosen, (source["clip"], source["frame"]) if source else (None, 0))
                    expected = found["bindPoseGuess"]
                    self.assertEqual(guess.runner_up is None, expected is None)
                    if expected:
                        self.assertAlmostEqual(guess.score, expected["score"], delta=1e-4)
                        self.assertAlmostEqual(guess.stretch, expected["stretch"], delta=1e-4)
                        self.assertAlmostEqual(guess.runner_up_score, expected["runnerUpScore"], delta=1e-4)

    def test_an_arm_that_was_made_stretched_out_is_found(self):
        self.assertEqual(bind_pose.guess(arm(60, False)).chosen, (None, 0))

    def test_even_samples_are_those_of_the_runtime(self):
        for count, expected in ((0, []), (8, list(range(8))), (9, [0, 2, 4, 6, 8]), (17, [0, 4, 8, 12, 16])):
            self.assertEqual(bind_pose._even_sample(list(range(count)), 4), expected)


class PngTest(unittest.TestCase):
    def test_pixels_are_the_same_after_writing(self):
        random = np.random.default_rng(1)
        for shape in ((1, 1), (1, 300), (300, 1), (65, 3), (70, 130)):
            for pixels in (random.integers(0, 256, (*shape, 4), dtype=np.uint8),
                           (np.indices((*shape, 4)).sum(axis=0) * 3 % 251).astype(np.uint8)):
                for level in (1, 9):
                    data = png.encode(pixels, level)
                    np.testing.assert_array_equal(png.decode(data), pixels)
                    np.testing.assert_array_equal(np.array(PillowImage.open(io.BytesIO(data))), pixels)

    def test_all_kinds_are_read(self):
        random = np.random.default_rng(2)
        for color, channels, depths in ((0, 1, (1, 2, 4, 8)), (2, 3, (8,)), (3, 1, (1, 2, 4, 8)), (4, 2, (8,)),
                                        (6, 4, (8,))):
            for depth in depths:
                for interlaced in (False, True):
                    for width, height in ((1, 1), (13, 11), (3, 9), (70, 65)):
                        values = random.integers(0, 1 << depth, (height, width, channels))
                        palette = bytes(random.integers(0, 256, 3 << depth, dtype=np.uint8)) if color == 3 else None
                        alpha = {0: b"\0\1", 2: b"\0\1\0\2\0\3", 3: b"\1\x80"}.get(color)
                        data = png_file(values, depth, color, palette, alpha, interlaced)
                        with self.subTest(color=color, depth=depth, interlaced=interlaced, width=width):
                            expected = np.array(PillowImage.open(io.BytesIO(data)).convert("RGBA"))
                            if color == 0:  # Pillow compares the transparent gray with 8-bit values.
                                expected[:, :, 3] = np.where(values[:, :, 0] == 1, 0, 255)
                            np.testing.assert_array_equal(png.decode(data), expected)

    def test_of_16_bits_the_upper_8_are_read(self):
        values = np.random.default_rng(3).integers(0, 65536, (5, 7, 4))
        np.testing.assert_array_equal(png.decode(png_file(values, 16, 6)), values >> 8)
        gray = png.decode(png_file(values[:, :, :1], 16, 0, transparency=struct.pack(">H", values[2, 3, 0])))
        np.testing.assert_array_equal(gray[:, :, 0], values[:, :, 0] >> 8)
        self.assertEqual(np.argwhere(gray[:, :, 3] == 0).tolist(), [[2, 3]])

    def test_damage_is_an_error(self):
        data = png.encode(np.full((3, 2, 4), 77, np.uint8))
        for length in range(len(data)):
            with self.assertRaises(FileError, msg=length):
                png.decode(data[:length])
        for place in range(len(data)):
            with self.assertRaises(FileError, msg=place):
                png.decode(data[:place] + bytes([data[place] ^ 1]) + data[place + 1:])

    def test_an_image_is_not_larger_than_it_says(self):
        rows = zlib.compress(bytes(50_000_000))
        data = (png.SIGNATURE + png.chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 8, 6, 0, 0, 0))
                + png.chunk(b"IDAT", rows) + png.chunk(b"IEND", b""))
        with self.assertRaisesRegex(FileError, "^arm.png: .* more than 18 bytes, expected 18"):
            png.decode(data, "arm.png")
        with self.assertRaisesRegex(FileError, "has 2 x 2 pixels, but the limit is 3"):
            png.decode(data, max_pixels=3)


class ReadTest(unittest.TestCase):
    def assert_same(self, one, two):
        """Compares all that the formats keep. Unused slots of a vertex are not."""
        def influences(mesh):
            pairs = zip(mesh.vertices["bone_ids"].tolist(), mesh.vertices["bone_weights"].tolist())
            return [[pair for pair in zip(ids, weights) if pair[1]] for ids, weights in pairs]

        self.assertEqual((one.fps, one.bones), (two.fps, two.bones))
        self.assertEqual([image.name for image in one.images], [image.name for image in two.images])
        for first, second in zip(one.images, two.images):
            np.testing.assert_array_equal(first.pixels, second.pixels)
        self.assertEqual([(mesh.name, mesh.image) for mesh in one.meshes],
                         [(mesh.name, mesh.image) for mesh in two.meshes])
        for first, second in zip(one.meshes, two.meshes):
            for key in ("x", "y", "u", "v"):
                np.testing.assert_array_equal(first.vertices[key], second.vertices[key])
            np.testing.assert_array_equal(first.indices, second.indices)
            self.assertEqual(influences(first), influences(second))
        self.assertEqual([(clip.name, clip.loops) for clip in one.clips],
                         [(clip.name, clip.loops) for clip in two.clips])
        for first, second in zip(one.clips, two.clips):
            np.testing.assert_array_equal(first.frames, second.frames)

    def test_v1_is_the_same_byte_for_byte(self):
        for name, raw in SAMPLES.items():
            data = (ASSETS / f"{name}.pchr").read_bytes()
            self.assertTrue(pchr_v1.encode(pchr_v1.decode(data), 9, raw) == data, name)

    def test_all_forms_that_the_tool_writes_are_read_alike(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in SAMPLES:
                for dialect in ("v1", "pachario"):
                    path = Path(folder, f"{name}_{dialect}.json")
                    tool("convert", ASSETS / f"{name}.pchr", "-o", path, "--json-dialect", dialect, "--no-bind-clip")
                    character, warnings = files.read_character(path)
                    self.assert_same(character, sample(name))
                    self.assertEqual(warnings, [])
            for name in ("quad", "kiri"):
                path = Path(folder, f"{name}_packed.pchr")
                tool("convert", ASSETS / f"{name}.pchr", "-o", path, "--to", "packed", "--no-bind-clip")
                character, warnings = files.read_character(path)
                self.assert_same(character, sample(name))
                self.assertEqual(warnings, [])

    def test_the_tool_reads_the_same(self):
        schema = json.loads((ASSETS / "schema/pachario.schema.json").read_text(encoding="utf-8"))
        with tempfile.TemporaryDirectory() as folder:
            for name in SAMPLES:
                rig = rig_file.read(ASSETS / f"{name}.pchr")
                files.write_files(Path(folder, name), sample(name), ("PCHR", "JSON"))
                character, _ = files.read_character(Path(folder, f"{name}.json"))
                self.assert_same(character, sample(name))
                jsonschema.validate(json.loads(Path(folder, f"{name}.json").read_text(encoding="utf-8")), schema)
                if rig["markers"]:
                    Path(folder, f"{name}.rig.json").write_bytes((ASSETS / f"{name}.rig.json").read_bytes())
                tool("diff", ASSETS / f"{name}.pchr", Path(folder, f"{name}.pchr"), "--no-pixels", "--tolerance", "0")
                tool("validate", Path(folder, f"{name}.pchr"), Path(folder, f"{name}.json"))
                if name != "corners":  # JSON of the exporter keeps no unused slots.
                    tool("diff", ASSETS / f"{name}.pchr", Path(folder, f"{name}.json"), "--no-pixels", "--tolerance",
                         "0")

    def test_json_keeps_every_float(self):
        character = small()
        text = pachario_json.encode(character, ["a.png"])
        self.assertIn('"x": 0.1,', text)
        again = pachario_json.parse(text, [png.encode(character.images[0].pixels)])
        self.assert_same(again, character)
        random = np.random.default_rng(5).integers(0, 1 << 32, 100_000, dtype=np.uint32).view(np.float32)
        values = random[np.isfinite(random)]
        read = np.array([float(number) for number in pachario_json._numbers(values)]).astype(np.float32)
        np.testing.assert_array_equal(read.view(np.uint32), values.view(np.uint32))

    def test_every_prefix_is_an_error(self):
        data = (ASSETS / "quad.pchr").read_bytes()
        text = pachario_json.encode(small(), ["a.png"]).encode()
        image = png.encode(small().images[0].pixels)
        for length in range(len(data)):
            with self.assertRaisesRegex(FileError, "^quad: .*byte [0-9]+", msg=length):
                pchr_v1.decode(data[:length], "quad")
        for length in range(len(text) - 2):
            with self.assertRaisesRegex(FileError, "^small: ", msg=length):
                pachario_json.parse(text[:length], [image], "small")

    def test_files_with_mistakes_are_read_or_refused(self):
        """The files that cause a diagnostic, those that a fuzzer found, and random damage."""
        tried = refused = 0
        with tempfile.TemporaryDirectory() as folder:
            paths = [path for path in sorted((SOURCE / "tests/diagnostics").iterdir())
                     if path.suffix in (".pchr", ".json")]
            for kind in ("pchr_v1", "json", "packed", "round_trip"):
                paths += sorted((SOURCE / "tests/fuzz/corpus" / kind).iterdir())
            random = np.random.default_rng(7)
            for original in (ASSETS / "quad.pchr", SOURCE / "tests/diagnostics/W240_transparent.json"):
                if not original.exists():
                    continue
                for number in range(500):
                    data = bytearray(original.read_bytes())
                    for place in random.integers(0, len(data), 1 + number % 3):
                        data[place] = random.integers(0, 256)
                    paths.append(Path(folder, f"{original.stem}_{number}"))
                    paths[-1].write_bytes(data)
            for path in paths:
                tried += 1
                try:
                    character, _ = files.read_character(path)
                except FileError as error:
                    refused += 1
                    self.assertTrue(str(error).startswith(str(path)), error)
                else:
                    pchr_v1.decode(pchr_v1.encode(character))
                    # Files with an error that needs an option, or is about something else than the character.
                    if path.name.startswith("E1") and path.suffix == ".pchr":
                        self.assertIn(path.name[:4], ("E104",), path)
        self.assertGreater(tried, refused)
        self.assertGreater(refused, 100)

    def test_errors_name_the_place_and_the_value(self):
        text = json.loads(pachario_json.encode(small(), ["a.png"]))
        image = [png.encode(small().images[0].pixels)]

        def refused(change):
            record = json.loads(json.dumps(text))
            change(record)
            with self.assertRaises(FileError) as caught:
                pachario_json.parse(json.dumps(record), image, "hero.json")
            return str(caught.exception)

        frame = ("animations", 0, "frames", 1, 0)
        for path, value, message in (
                (("version",), 2, "version is 2, but only version 1 is supported"),
                (("fps",), 29.97, "fps is 29.97, but must be a whole number"),
                (("bones", 0, "parentIdx"), 0, 'bones[0] "arm": the parent is 0, expected -1 or an earlier bone'),
                (("meshes", 0, "vertices", 2, "bones", 0, "idx"), 1,
                 'meshes[0] "arm": vertices[2].bone_ids[0] is 1, but there are 1 bones'),
                (("meshes", 0, "triangles", 1), 3, 'meshes[0] "arm": indices[1] is 3, but the mesh has 3 vertices'),
                (("meshes", 0, "triangles", 1), True,
                 "meshes[0].triangles[1] is a boolean, but must be a whole number"),
                ((*frame, "x"), 1e39, "animations[0].frames[1][0].x is 1e+39, which does not fit in a float"),
                ((*frame, "visible"), 1, "animations[0].frames[1][0].visible is a number, but must be true or false"),
                ((*frame, "flags"), 2, 'animations[0].frames[1][0].flags contradicts "visible"'),
                (("bones", 0, "parent"), 3, 'bones[0].parent contradicts "parentIdx"'),
                (frame[:-1], [], "animations[0].frames[1] has 0 transforms, but the file has 1 bones"),
                (("images", 0, "width"), 9,
                 "images[0].path is 'a.png': PNG: it has 4 x 3 pixels, but the JSON says 9 x 3")):
            def change(record, path=path, value=value):
                for step in path[:-1]:
                    record = record[step]
                record[path[-1]] = value
            with self.subTest(path=path):
                self.assertEqual(refused(change), f"hero.json: {message}")
        self.assertEqual(refused(lambda record: record["bones"][0].pop("name")), "hero.json: bones[0].name is missing")
        with self.assertRaisesRegex(FileError, '^hero.json: the key "fps" is given twice with different values'):
            pachario_json.parse('{"fps": 1, "fps": 2}', [], "hero.json")

    def test_more_than_four_bones_are_a_warning(self):
        record = json.loads(pachario_json.encode(small(), ["a.png"]))
        record["bones"] += [{"name": "more", "parentIdx": 0}] * 5
        record["animations"] = []
        record["meshes"][0]["vertices"][0]["bones"] = [
            {"idx": bone, "weight": weight} for bone, weight in enumerate((0.1, 0.3, 0.05, 0.25, 0.2, 0.1))]
        warnings = []
        image = [png.encode(small().images[0].pixels)]
        vertex = pachario_json.parse(json.dumps(record), image, "hero.json", warnings).meshes[0].vertices[0]
        self.assertEqual(vertex["bone_ids"].tolist(), [0, 1, 3, 4])
        np.testing.assert_allclose(vertex["bone_weights"], np.array([0.1, 0.3, 0.25, 0.2]) / 0.85, rtol=1e-6)
        self.assertRegex(warnings[0], r'^hero.json: meshes\[0\] "arm": 1 vertices have up to 6 bones')

    def test_images_outside_the_folder_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            inside = Path(folder, "hero")
            inside.mkdir()
            image = png.encode(small().images[0].pixels)
            Path(folder, "secret.png").write_bytes(image)
            Path(inside, "sub").mkdir()
            Path(inside, "sub/a.png").write_bytes(image)
            Path(inside, "link.png").symlink_to("../secret.png")
            Path(inside, "near.png").symlink_to("sub/a.png")
            os.mkfifo(Path(inside, "pipe.png"))
            for path, works in (("sub/a.png", True), ("sub\\a.png", True), ("./sub/a.png", True), ("near.png", True),
                                ("../secret.png", False), ("sub/../../secret.png", False), ("..\\secret.png", False),
                                (str(Path(folder, "secret.png")), False), ("C:\\secret.png", False),
                                ("link.png", False), ("pipe.png", False), ("none.png", False), ("sub", False)):
                Path(inside, "hero.json").write_text(pachario_json.encode(small(), [path]), encoding="utf-8")
                with self.subTest(path=path):
                    context = contextlib.nullcontext() if works else self.assertRaisesRegex(
                        FileError, r"hero\.json: images\[0\]\.path is ")
                    with context:
                        files.read_character(Path(inside, "hero.json"))

    def test_what_does_not_fit_is_refused(self):
        character = small()
        character.clips[0].frames["x"][1] = np.nan
        for encode in (pchr_v1.encode, lambda it: pachario_json.encode(it, ["a.png"])):
            with self.assertRaisesRegex(FileError, 'animations.0. "bind": frame 1, bone "arm": x is nan'):
                encode(character)
        for encode in (pchr_v1.encode, lambda it: pachario_json.encode(it, ["a.png"])):
            with self.assertRaisesRegex(FileError, r"images\[0\]: the name '\\udcff' cannot be written as UTF-8"):
                encode(small("\udcff"))
        character = small()
        character.bones = [Bone("b", -1)] * 65536
        character.clips = []
        with self.assertRaisesRegex(FileError, "number of bones: 65536, but PCHR v1 holds at most 65535"):
            pchr_v1.encode(character)


class WriteTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name, "hero.v2.pchr")

    def listing(self):
        return {path.relative_to(self.folder.name).as_posix(): path.read_bytes() if path.is_file() else None
                for path in sorted(Path(self.folder.name).rglob("*"))}

    def test_all_formats_are_written(self):
        written = files.write_files(self.path, small(), ("PCHR", "JSON"), [Marker("bind", 0, "step")])
        self.assertEqual(sorted(Path(path).name for path in written),
                         ["hero.v2.json", "hero.v2.pchr", "hero.v2.png", "hero.v2.rig.json"])
        self.assertEqual(sorted(self.listing()), sorted(Path(path).name for path in written))

    def test_a_path_without_a_name_is_refused(self):
        for path in ("", f"{self.path.parent}/"):
            with self.assertRaisesRegex(FileError, "is a folder; expected the name of a file"):
                files.write_files(path, small())

    def test_nothing_changes_if_one_file_cannot_be_written(self):
        files.write_files(self.path, small(), ("PCHR", "JSON"))
        Path(self.folder.name, "hero.v2.rig.json").mkdir()
        before = self.listing()
        other = small("leg")
        with self.assertRaisesRegex(FileError, "hero.v2.rig.json"):
            files.write_files(self.path, other, ("PCHR", "JSON"), [Marker("bind", 0, "step")])
        self.assertEqual(self.listing(), before)
        with self.assertRaisesRegex(FileError, "b: cannot be written: .*; no file was changed"):
            files.replace_files({Path(self.folder.name, "a"): b"a", Path(self.folder.name, "none", "b"): b"b"})
        self.assertEqual(self.listing(), before)

    def test_files_that_would_not_change_are_left_alone(self):
        arguments = small(), ("PCHR", "JSON"), [Marker("bind", 0, "step")]
        written = files.write_files(self.path, *arguments)
        for path in written:
            os.utime(path, (1, 1))
        os.truncate(written[0], 3)
        os.utime(written[0], (1, 1))
        self.assertEqual(sorted(files.write_files(self.path, *arguments[:2], [])), sorted(written))
        changed = [Path(path).name for path in written if Path(path).stat().st_mtime != 1]
        self.assertEqual(changed, [Path(written[0]).name, "hero.v2.rig.json"])

    def test_nothing_changes_if_the_disk_is_full(self):
        files.write_files(self.path, small(), ("PCHR", "JSON"))
        before, limits = self.listing(), resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (200, limits[1]))
        try:
            with self.assertRaisesRegex(FileError, "hero.v2.json: cannot be written: File too large; no file was "):
                files.write_files(self.path, small("leg"), ("PCHR", "JSON"))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        self.assertEqual(self.listing(), before)

    def test_what_was_replaced_is_kept_if_it_cannot_be_restored(self):
        first, second = Path(self.folder.name, "first"), Path(self.folder.name, "second")
        for path in (first, second):
            path.write_bytes(b"old")
        replace, calls = os.replace, []

        def fail(source, target):
            calls.append(target)
            if len(calls) > 1:
                raise OSError(5, "Input/output error")
            replace(source, target)

        with unittest.mock.patch("os.replace", fail), self.assertRaisesRegex(
                FileError, "second: cannot be written: Input/output error; the old files are kept as (.*)") as caught:
            files.replace_files({first: b"1", second: b"2"})
        self.assertEqual(Path(str(caught.exception).rsplit(" ", 1)[1]).read_bytes(), b"old")

    def test_nothing_changes_if_a_file_cannot_be_replaced(self):
        first, second = Path(self.folder.name, "first"), Path(self.folder.name, "second")
        first.write_bytes(b"old")
        before = self.listing()
        replace = os.replace

        def fail_at_second(source, target):
            if Path(target).name == "second":
                raise PermissionError(13, "Permission denied")
            replace(source, target)

        with unittest.mock.patch("os.replace", fail_at_second), self.assertRaisesRegex(
                FileError, "second: cannot be written: Permission denied"):
            files.replace_files({Path(self.folder.name, "new"): b"1", first: b"2", second: b"3"})
        self.assertEqual(self.listing(), before)

    def test_names_of_images_are_no_paths(self):
        character = small()
        pixels = character.images[0].pixels
        names = ["../../evil", "/etc/passwd", "a:b*c", "A:B*C", "", "..", "x" * 300, "狐"]
        character.images = [Image(name, pixels) for name in names]
        files.write_files(self.path, character, ("JSON",))
        images = [name for name in self.listing() if name.endswith(".png")]
        self.assertEqual(len(images), len(names))
        self.assertEqual(len({name.lower() for name in images}), len(names))
        for name in images:
            self.assertRegex(name, r"^hero\.v2_[\w-]+\.png$")
            self.assertLess(len(name), 100)
        again, _ = files.read_character(Path(self.folder.name, "hero.v2.json"))
        self.assertEqual([image.name for image in again.images], names)
        tool("validate", Path(self.folder.name, "hero.v2.json"))

    def test_images_of_others_are_not_replaced(self):
        drawing = Path(self.folder.name, "hero.v2.PNG")
        drawing.write_bytes(b"a drawing")
        files.write_files(self.path, small(), ("JSON",), avoid=[drawing])
        self.assertEqual(drawing.read_bytes(), b"a drawing")
        self.assertIn("hero.v2_2.png", self.listing())


class RigTest(unittest.TestCase):
    RIG = {"springs": [{"name": "tail", "bones": "tail_1"}], "later": {"kept": 1.5}, "wind": [40, 0],
           "markers": [{"clip": "run", "frame": 1, "name": "a"}, {"clip": "walk", "frame": 2, "name": "b"},
                       {"clip": "walk", "frame": 9, "name": "c"}], "masks": [{"name": "old", "bones": ["x"]}]}

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.character = Path(self.folder.name, "hero.pchr")
        self.path = Path(self.folder.name, "hero.rig.json")

    def update(self, *arguments):
        data = rig_file.updated(self.character, *arguments)
        if data is not None:
            self.path.write_bytes(data)
        return json.loads(self.path.read_bytes()) if self.path.exists() else None

    def test_markers_of_a_clip_and_masks_are_replaced_and_all_else_is_kept(self):
        self.path.write_text(json.dumps(self.RIG), encoding="utf-8")
        record = self.update(["walk", "jump"], [Marker("jump", 3, "leap"), Marker("walk", 2, "b"),
                                                Marker("walk", 4, "d")], [Mask("new", ["y", "z"])])
        self.assertEqual(list(record), list(self.RIG))
        self.assertEqual(record["markers"], [
            {"clip": "run", "frame": 1, "name": "a"}, {"clip": "jump", "frame": 3, "name": "leap"},
            {"clip": "walk", "frame": 2, "name": "b"}, {"clip": "walk", "frame": 4, "name": "d"}])
        self.assertEqual(record["masks"], [{"name": "new", "bones": ["y", "z"]}])
        for key in ("springs", "later", "wind"):
            self.assertEqual(record[key], self.RIG[key])
        rig = rig_file.read(Path(self.folder.name, "hero.json"))
        self.assertEqual((rig["bind"], rig["markers"][1], rig["masks"]),
                         (None, Marker("jump", 3, "leap"), [Mask("new", ["y", "z"])]))

    def test_state_machines_are_kept_as_they_are_written(self):
        text = (ASSETS / "kiri.rig.json").read_text(encoding="utf-8")
        self.path.write_text(text, encoding="utf-8")
        self.update([], None, [Mask("upper body", ["chest"])])
        before, _, rest = text.partition('"bones": ["chest", ')
        self.assertEqual(self.path.read_text(encoding="utf-8"), before + '"bones": ["chest"' + rest[rest.index("]"):])

    def test_removed_markers_and_masks_go(self):
        self.path.write_text(json.dumps(self.RIG), encoding="utf-8")
        self.assertEqual(self.update(["walk"], [], None)["markers"], self.RIG["markers"][:1])
        record = self.update(["run"], [], [])
        self.assertNotIn("markers", record)
        self.assertNotIn("masks", record)

    def test_nothing_is_written_without_a_change(self):
        self.assertIsNone(self.update(["walk"], [], []))
        text = json.dumps(self.RIG, indent=7)
        self.path.write_text(text, encoding="utf-8")
        self.update(["walk"], [Marker("walk", 2, "b"), Marker("walk", 9, "c")], [Mask("old", ["x"])])
        self.update([], None, None)
        self.assertEqual(self.path.read_text(encoding="utf-8"), text)

    def test_the_older_file_is_continued(self):
        older = Path(self.folder.name, "hero.markers.json")
        older.write_text('{"markers": [{"clip": "run", "frame": 1, "name": "a"}]}', encoding="utf-8")
        self.assertEqual(rig_file.read(self.character)["markers"], [Marker("run", 1, "a")])
        self.assertEqual([each["clip"] for each in self.update(["walk"], [Marker("walk", 0, "b")])["markers"]],
                         ["run", "walk"])

    def test_a_file_that_cannot_be_read_stays(self):
        for text, message in (("{", "line 1, column 2"), ("[]", "an array, but must be an object"),
                              ('{"markers": 3}', "markers is 3, expected a list"),
                              ('{"markers": [{"clip": "a", "frame": "1", "name": "b"}]}',
                               r'markers\[0\].frame is "1", expected a whole number'),
                              ('{"masks": [{"name": "a", "bones": [1]}]}', r"masks\[0\].bones is \[1\]"),
                              ('{"wind": NaN}', "NaN is not a number")):
            self.path.write_text(text, encoding="utf-8")
            with self.assertRaisesRegex(FileError, f"hero.rig.json: .*{message}"):
                files.write_files(self.character, small(), ("PCHR",), [Marker("bind", 0, "step")])
            self.assertEqual(self.path.read_text(encoding="utf-8"), text)
            self.assertFalse(self.character.exists())
        self.path.write_text('{"bind": 3}', encoding="utf-8")
        with self.assertRaisesRegex(FileError, "hero.rig.json: bind is 3"):
            rig_file.read(self.character)

    def test_the_bind_pose_of_the_file_gives_way_to_a_clip(self):
        self.path.write_text('{"bind": {"clip": "idle"}}', encoding="utf-8")
        files.write_files(self.character, small())
        self.assertEqual(self.path.read_text(encoding="utf-8"), "{}\n")
        self.assertIn("0 errors", tool("validate", self.character))

    def test_names_that_the_character_does_not_have_are_found(self):
        self.path.write_text(json.dumps(self.RIG), encoding="utf-8")
        character = small()
        character.clips.append(Clip("walk", True, character.clips[0].frames))
        found = [message.split("hero.rig.json: ")[1] for message in rig_file.problems(self.character, character)]
        self.assertEqual(found, [
            'markers[0].clip is "run", but the character has no such clip',
            'markers[1].frame is 2, but the clip "walk" has 2 frames',
            'markers[2].frame is 9, but the clip "walk" has 2 frames',
            'masks[0].bones names "x", but the character has no such bone',
            'springs[0].bones names "tail_1", but the character has no such bone'])
        self.path.write_bytes((ASSETS / "kiri.rig.json").read_bytes())
        kiri = sample("kiri")
        self.assertEqual(rig_file.problems(self.character, kiri), [])
        kiri.clips = [clip for clip in kiri.clips if clip.name not in ("run", "wave", "jump")]
        found = [message.split("hero.rig.json: ")[1] for message in rig_file.problems(self.character, kiri)]
        self.assertEqual([message for message in found if message.startswith("states")], [
            'states.layers[0].states[1] plays "run", but the character has no such clip',
            'states.layers[0].states[2] plays "jump", but the character has no such clip',
            'states.layers[1].states[1] plays "wave", but the character has no such clip'])

    def test_masks_are_written_as_the_runtime_accepts_them(self):
        warnings = []
        masks = [Mask(name, ["arm"]) for name in ("", "up", "up 2", "up")]
        masks += [Mask("none", []), Mask("", ["arm"]), Mask("far", ["leg"])]
        files.write_files(self.character, small(), masks=masks, warnings=warnings)
        self.assertEqual([mask.name for mask in rig_file.read(self.path)["masks"]],
                         ["mask", "up", "up 2", "up 3", "mask 2", "far"])
        self.assertEqual(warnings[:4], [
            'mask "": the name is empty; it becomes "mask"', 'mask "up": another mask has this name; it becomes "up 3"',
            'mask "none" has no bones; it is left out', 'mask "": the name is empty; it becomes "mask 2"'])
        self.assertIn('masks[5].bones names "leg", but the character has no such bone', warnings[4])
        files.write_files(self.character, small(), masks=masks[:6])
        self.assertIn("0 errors", tool("validate", self.character))

    def test_names_must_be_text(self):
        with self.assertRaisesRegex(FileError, "hero.rig.json: the name .* cannot be written as UTF-8"):
            rig_file.updated(self.character, [], [Marker("bind", 0, "\ud800")])

    def test_the_bind_pose_is_read(self):
        for bind, expected in (({"clip": "idle"}, {"clip": "idle", "frame": 0}), ("identity", "identity")):
            self.path.write_text(json.dumps({"bind": bind}), encoding="utf-8")
            self.assertEqual(rig_file.read(self.character)["bind"], expected)

    def test_the_tool_reads_the_rig_of_a_sample(self):
        self.path.write_bytes((ASSETS / "kiri.rig.json").read_bytes())
        self.character.write_bytes((ASSETS / "kiri.pchr").read_bytes())
        self.update(["walk"], [Marker("walk", 4, 'a "step"'), Marker("walk", 20, "狐")])
        self.assertIn("0 errors, 0 warnings", tool("validate", "--strict", self.character))


class AtlasTest(unittest.TestCase):
    def test_images_are_packed_densely_and_apart(self):
        for seed in range(5):
            random = np.random.default_rng(seed)
            sizes = [tuple(map(int, size)) for size in random.integers(20, 401, (40, 2))]
            width, height, positions = atlas.pack(sizes, 2, 4096)
            self.assertEqual((width, height, positions), atlas.pack(sizes, 2, 4096))
            self.assertEqual((width % 4, height % 4), (0, 0))
            cover = np.zeros((height, width), int)
            for (w, h), (x, y) in zip(sizes, positions):
                self.assertGreaterEqual(min(x, y), 2)
                cover[y - 2:y + h + 2, x - 2:x + w + 2] += 1
            self.assertEqual(cover.max(), 1)
            self.assertEqual(cover.sum(), sum((w + 4) * (h + 4) for w, h in sizes))
            self.assertGreater(sum(w * h for w, h in sizes) / (width * height), 0.8)

    def test_special_sizes(self):
        self.assertEqual(atlas.pack([], 2, 64), (4, 4, []))
        self.assertEqual(atlas.pack([(1, 1)], 0, 64), (4, 4, [(0, 0)]))
        self.assertEqual(atlas.pack([(64, 64)], 0, 64), (64, 64, [(0, 0)]))
        width, height, positions = atlas.pack([(32, 32)] * 4, 0, 64)
        self.assertEqual((width, height, len(set(positions))), (64, 64, 4))
        with self.assertRaisesRegex(FileError, "2 images, the largest with 64 x 64 pixels .* into an atlas of 64 x 64"):
            atlas.pack([(64, 64), (1, 1)], 0, 64)
        with self.assertRaisesRegex(FileError, "1 images, the largest with 65 x 2"):
            atlas.pack([(65, 2)], 0, 64)

    def test_edges_continue_into_the_padding(self):
        random = np.random.default_rng(1)
        images = [random.integers(0, 256, (*size, 4), dtype=np.uint8) for size in ((5, 7), (2, 3))]
        pixels, positions = atlas.build(images, 2, 64)
        for image, (x, y) in zip(images, positions):
            h, w, _ = image.shape
            np.testing.assert_array_equal(pixels[y:y + h, x:x + w], image)
            np.testing.assert_array_equal(pixels[y:y + h, x - 2], image[:, 0])
            np.testing.assert_array_equal(pixels[y + h + 1, x:x + w], image[-1])
            np.testing.assert_array_equal(pixels[y - 2, x + w + 1], image[0, -1])


def shapes():
    """Yields (name, mask) of shapes that are hard to trace."""
    y, x = np.mgrid[:120, :120]
    distance = np.hypot(x - 60, y - 60)
    cross = (np.abs(x - 60) < 9) | (np.abs(y - 60) < 9)
    yield "circle", distance < 50
    yield "ring", np.abs(distance - 40) < 6
    yield "letter C", (np.abs(distance - 40) < 9) & ((x < 60) | (np.abs(y - 60) > 20))
    yield "island in a letter", ((np.abs(distance - 40) < 9) & ((x < 60) | (np.abs(y - 60) > 20))) | (distance < 8)
    yield "island in a ring", (np.abs(distance - 40) < 6) | (distance < 8)
    yield "letter X", (np.abs(x - y) < 7) | (np.abs(x + y - 119) < 7)
    yield "plus", cross
    yield "thin diagonal", x == y
    yield "thin line", (y == 40) & (x > 3)
    yield "full", np.ones((37, 50), bool)
    yield "one pixel", np.ones((1, 1), bool)
    yield "corner pixels", np.isin(x + 1000 * y, (0, 119, 119000, 119119))
    yield "spiral", (np.sin(distance / 4 + np.arctan2(y - 60, x - 60)) > 0.3) & (distance < 58)
    yield "comb", (x % 6 < 3) | (y < 5)
    yield "checkers", (x // 3 + y // 3) % 2 == 0
    random = np.random.default_rng(9)
    for share in (0.02, 0.3, 0.6):
        yield f"noise {share}", random.random((90, 120)) < share
    for number in range(12):
        shape = np.zeros((120, 120), bool)
        for _ in range(random.integers(1, 8)):
            cx, cy, radius = *random.integers(0, 120, 2), random.integers(1, 40)
            shape |= (x - cx) ** 2 * random.uniform(0.2, 3) + (y - cy) ** 2 < radius * radius
        yield f"blobs {number}", shape


class OutlineTest(unittest.TestCase):
    def area(self, points, ring):
        x, y = points[ring, 0], -points[ring, 1]
        return 0.5 * float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))

    def assert_covered(self, opaque, points, rings, dropped):
        """Compares the opaque pixels that are not in a ring, with all their corners, with the dropped specks."""
        y, x = np.nonzero(opaque)
        corners = [np.stack([x + dx, y + dy], axis=1) for dx in (0.001, 0.999) for dy in (0.001, 0.999)]
        inside = [np.any([outline._contains(points[ring], each) for ring in rings], axis=0) for each in corners]
        self.assertLessEqual(int((~np.all(inside, axis=0)).sum()), sum(pixels for _, _, pixels in dropped))

    def assert_simple(self, points, rings):
        exact = [tuple(point) for point in np.rint(points * 16).astype(int).tolist()]
        np.testing.assert_array_equal(np.array(exact) / 16, points)
        edges = [(a, b) for ring in rings for a, b in zip(ring, ring[1:] + ring[:1])]
        for number, (a, b) in enumerate(edges):
            for c, d in edges[number + 1:]:
                if len({a, b, c, d}) == 4:
                    self.assertFalse(outline._touch(exact[a], exact[b], exact[c], exact[d]))

    def test_outlines_cover_every_pixel_and_do_not_cross(self):
        for number, (name, opaque) in enumerate(shapes()):
            for margin, max_vertices in ((0, 12), (2, 40), (number % 5, 200)):
                with self.subTest(name=name, margin=margin, max_vertices=max_vertices):
                    alpha = opaque.astype(np.uint8) * 200
                    points, rings, dropped = outline.trace(alpha, 10, margin, max_vertices)
                    self.assertLessEqual(len(points), max_vertices)
                    self.assertEqual(sorted(sum(rings, [])), list(range(len(points))))
                    self.assertTrue((points >= 0).all() and (points <= opaque.shape[::-1]).all())
                    self.assert_covered(opaque, points, rings, dropped)
                    self.assert_simple(points, rings)
                    for ring in rings:
                        self.assertGreater(self.area(points, ring), 0)

    def test_outlines_are_close(self):
        masks = dict(shapes())
        for name, max_vertices, excess in (("circle", 16, 1.05), ("circle", 32, 1.02), ("letter C", 32, 1.15),
                                           ("plus", 12, 1.0), ("full", 4, 1.0), ("thin diagonal", 8, 4)):
            points, rings, _ = outline.trace(masks[name] * 255, 0, 0, max_vertices)
            area = sum(self.area(points, ring) for ring in rings)
            self.assertLessEqual(area / masks[name].sum(), excess + 1e-9, name)

    def test_islands_stay_apart_and_specks_are_named(self):
        alpha = np.zeros((60, 80), np.uint8)
        alpha[5:20, 5:20] = alpha[40:55, 50:70] = 255
        alpha[30, 30] = alpha[57, 2] = alpha[57, 3] = 255
        points, rings, dropped = outline.trace(alpha, 0, 2, 32)
        self.assertEqual(len(rings), 2)
        self.assertEqual(sorted(pixels for _, _, pixels in dropped), [1, 2])
        self.assertEqual(outline.trace(np.zeros((5, 5), np.uint8))[1:], ([], []))

    def test_a_margin_can_be_larger_than_the_image(self):
        strip = np.zeros((2, 65), np.uint8)
        strip[0, 30] = 255
        points, _, _ = outline.trace(strip, 0, 9, 8)
        self.assertEqual((points.min(axis=0).tolist(), points.max(axis=0).tolist()), ([21, 0], [40, 2]))

    def test_only_pixels_above_the_threshold_count(self):
        alpha = np.full((20, 20), 10, np.uint8)
        alpha[4:9, 6:12] = 11
        points, _, _ = outline.trace(alpha, 10, 0, 8)
        self.assertEqual(sorted(map(tuple, points)), [(6, 4), (6, 9), (12, 4), (12, 9)])

    def test_parts_of_a_sample_are_traced(self):
        alpha = sample("kiri").images[0].pixels[:400, :400, 3]
        points, rings, dropped = outline.trace(alpha, 0, 1, 150)
        self.assertGreater(len(rings), 2)
        self.assertLessEqual(len(points), 150)
        self.assert_covered(alpha > 0, points, rings, dropped)
        self.assert_simple(points, rings)

    def test_long_edges_and_the_inside_get_points(self):
        limb = np.array([(0, 0), (0, 200), (30, 200), (30, 0)], float)
        polygon, inside = outline.divided(limb, 15)
        self.assertEqual(len(polygon), 2 * 13 + 2 * 2)
        lengths = np.linalg.norm(polygon - np.roll(polygon, -1, axis=0), axis=1)
        self.assertTrue((lengths > 15 / 1.5).all() and (lengths < 15 * 1.5).all())
        self.assertTrue(outline._contains(limb, inside).all())
        # No place is far from a point.
        places = np.stack(np.meshgrid(np.arange(0, 31, 3), np.arange(0, 201, 3)), -1).reshape(-1, 1, 2)
        distances = np.linalg.norm(places - np.concatenate([polygon, inside]), axis=2)
        self.assertLess(distances.min(axis=1).max(), 15)
        self.assertEqual(len(outline.divided(limb, 1000)[0]), 4)

    def test_weights_follow_the_nearest_bones(self):
        bones = [(0, 0, 0, 10), (0, 10, 0, 20), (0, 20, 0, 30), (50, 0, 50, 30), (90, 0, 90, 30)]
        points = [(0, 5), (0, 10), (4, 15), (50, 10), (1000, 1000)]
        weights = outline.chain_weights(points, bones)
        np.testing.assert_allclose(weights.sum(axis=1), 1)
        self.assertTrue(((weights > 0).sum(axis=1) <= 4).all())
        np.testing.assert_allclose(weights[0], [1, 0, 0, 0, 0], atol=1e-9)
        np.testing.assert_allclose(weights[1], [0.5, 0.5, 0, 0, 0], atol=1e-9)
        self.assertEqual(weights[2].argmax(), 1)
        self.assertAlmostEqual(weights[2, 1] / weights[2, 0], (41 / 16) ** 2)
        np.testing.assert_allclose(outline.chain_weights(points, bones[:1]), np.ones((5, 1)))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
