#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what the WebAssembly modules find in files with what the tool finds. Exits 77 if something is missing.

Opens all samples, the files of tests/diagnostics and the conformance files in both, and compares the diagnostics. Then
converts characters with the tool, and compares the pixels of their images: the module decodes the original files."""
import json
import pathlib
import shutil
import subprocess
import sys

SKIPPED = 77
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
site, pchr, out, conformance = (pathlib.Path(argument) for argument in sys.argv[1:5])
if not (site / "pchr.wasm").exists() or not shutil.which("node"):
    print("skipped: build/web/site/pchr.wasm or node is missing")
    sys.exit(SKIPPED)
try:
    from PIL import Image
except ImportError as error:
    print(f"skipped: {error}. On Debian or Ubuntu: apt install python3-pil")
    sys.exit(SKIPPED)


def files_of(path):
    """Returns the folder of a character and the names of all files in it, the character first."""
    names = [file.relative_to(path.parent).as_posix() for file in sorted(path.parent.rglob("*")) if file.is_file()]
    return [str(path.parent), path.name] + [name for name in names if name != path.name]


def open_in_module(module, lists):
    text = "".join(json.dumps(files) + "\n" for files in lists)
    done = subprocess.run(["node", HERE / "formats.mjs", site, module], input=text, stdout=subprocess.PIPE, text=True,
                          check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def make_images(folder):
    """Makes a character for each kind of image that only a library decodes."""
    folder.mkdir(parents=True, exist_ok=True)
    drawing = Image.new("RGB", (67, 45))
    drawing.putdata([(x * 5 % 256, y * 7 % 256, (x * x + y * y) % 256) for y in range(45) for x in range(67)])
    mask = Image.linear_gradient("L").resize(drawing.size)
    clear = drawing.copy()
    clear.putalpha(mask)
    kinds = {"baseline.jpg": (drawing, {"quality": 80}), "progressive.jpg": (drawing, {"progressive": True}),
             "full.jpg": (drawing, {"subsampling": 0}), "half.jpg": (drawing, {"subsampling": 1}),
             "gray.jpg": (drawing.convert("L"), {}), "cmyk.jpg": (drawing.convert("CMYK"), {}),
             "palette.gif": (drawing.convert("P"), {}), "lossy.webp": (clear, {"quality": 70}),
             "lossless.webp": (clear, {"lossless": True}), "plain.bmp": (drawing, {}), "clear.png": (clear, {}),
             "plain.tga": (clear, {})}
    characters = []
    for name, (image, options) in kinds.items():
        image.save(folder / name, **options)
        character = folder / (pathlib.Path(name).name.replace(".", "_") + ".chp")
        character.write_text(f"#CharBMP\t{name}\n#CharName\t{name}\n#00\t0\t0\t67\t45\n")
        characters.append(character)
    broken = folder / "broken.jpg"
    broken.write_bytes((folder / "baseline.jpg").read_bytes()[:700])
    character = folder / "broken_jpg.chp"
    character.write_text("#CharBMP\tbroken.jpg\n#CharName\tbroken\n#00\t0\t0\t67\t45\n")
    return characters, character


def main():
    shutil.rmtree(out, ignore_errors=True)
    kinds = (".pchr", ".json", ".chp", ".px", ".aseprite", ".psk")
    samples = [path for path in sorted((ROOT / "assets").rglob("*")) if path.suffix in kinds and
               "schema" not in path.parts and not path.name.endswith(".rig.json")]
    characters = samples + [path for path in sorted(conformance.rglob("*")) if path.suffix in kinds and
                            "malformed" not in path.parts and not path.name.endswith(".expected.json") and
                            (path.suffix != ".json" or path.with_suffix(".pchr").exists())]
    made, broken = make_images(out / "images")
    characters += made
    damaged = [path for path in sorted((ROOT / "tests/diagnostics").iterdir()) if path.suffix not in (".txt", "")]
    alone = sorted((conformance / "malformed").glob("*.pchr"))
    paths = characters + [broken] + damaged + alone
    opened = open_in_module("pchr.wasm", [files_of(path) for path in characters + [broken] + damaged] +
                            [[str(path.parent), path.name] for path in alone])
    report = subprocess.run([pchr, "validate", "--json", *paths], stdout=subprocess.PIPE, check=False).stdout
    expected = {file["file"]: [each["id"] for each in file["diagnostics"]] for file in json.loads(report)["files"]}
    problems = []
    for path, found in zip(paths, opened):
        ids = [found["error"]] if "error" in found else found.get("diagnostics")
        if ids != expected[str(path)]:
            problems.append(f"{path}: expected {expected[str(path)]}, found {found}")

    converted = []
    for i, path in enumerate(characters):
        target = out / f"{i}.pchr"
        done = subprocess.run([pchr, "convert", "--lossy", path, "-o", target], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, check=path in made)
        # A character in 3D has no other format.
        if done.returncode == 0:
            converted.append((path, opened[i], [str(out), target.name]))
    native = open_in_module("pchr-v1.wasm", [files for _, _, files in converted])
    for (path, found, _), expected_images in zip(converted, native):
        if found.get("images") != expected_images.get("images") or found.get("images") is None:
            problems.append(f"{path}: expected the images {expected_images.get('images')}, found {found.get('images')}")
    print("\n".join(problems) or f"{len(paths)} files have the same diagnostics, {len(converted)} the same images")
    return 1 if problems else 0


sys.exit(main())
