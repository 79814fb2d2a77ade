#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Copies all but the WebAssembly modules into the folder that a web server serves, which is also the npm package."""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent
sys.path.append(str(root / "bindings"))
import declarations  # noqa: E402

LICENSE = "// SPDX-License-Identifier: MIT"
SAMPLES = ["kiri.pchr", "kiri.rig.json", "hotaru.px", "kaeru.aseprite", "konpei", "koi", "akari", "tako", "hata.gltf"]


def scripts_to_ship():
    """Returns the scripts by name, in less than half their size if that can be done."""
    sources = [*here.glob("src/*.js"), *here.glob("page/*.js")]
    if not shutil.which("esbuild"):
        print("build_site.py: warning: esbuild is not installed, so the scripts are twice as large as need be.\n"
              "On Debian or Ubuntu: apt install esbuild", file=sys.stderr)
        return {path.name: path.read_bytes() for path in sources}
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["esbuild", "--minify", "--target=es2022", "--log-level=warning", "--banner:js=" + LICENSE,
                        "--outbase=" + str(here), "--entry-names=[name]", f"--outdir={folder}", *sources], check=True)
        return {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()}


def write(path, content):
    """Writes a file unless it is up to date, so that servers and browsers can keep it."""
    if not path.exists() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def formats():
    """Returns what the page says about formats, by the names of its placeholders."""
    table = (root / "runtime/import/formats.def").read_text()
    rows = re.findall(r'^PCHR_FORMAT\(\w+, \w+, "[^"]*", "([^"]*)", "([^"]*)"', table, flags=re.MULTILINE)
    # Formats can share an extension.
    usual = list(dict.fromkeys(extensions.split()[0] for extensions, _ in rows))
    all_extensions = dict.fromkeys(each for extensions, _ in rows for each in extensions.split())
    return {"character_extensions": " ".join(all_extensions),
            "companion_extensions": " ".join(sorted({each for _, files in rows for each in files.split()})),
            "usual_extensions": f"{', '.join(usual[:-1])} or {usual[-1]}"}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("version")
    parser.add_argument("site", type=pathlib.Path)
    arguments = parser.parse_args()
    site = arguments.site
    pages = {path.name: path.read_bytes() for path in here.glob("page/*") if path.suffix != ".js"}
    for name, content in {**scripts_to_ship(), **pages}.items():
        for placeholder, text in formats().items():
            content = content.replace(f"@{placeholder}@".encode(), text.encode())
        write(site / name, content)
    header = declarations.parse(root / "runtime/include/pchr.h")
    write(site / "native.js", declarations.javascript(header).encode())
    scripts = sorted(here.glob("src/*.js"))
    package = (here / "package.json.in").read_text().replace("@version@", arguments.version)
    package = package.replace('"@scripts@"', ", ".join(f'"{path.name}"' for path in [*scripts, site / "native.js"]))
    write(site / "package.json", package.encode())
    write(site / "README.md", (here / "README.md").read_bytes())
    write(site / "LICENSE", (root / "LICENSE").read_bytes())
    for name in SAMPLES:
        source = root / "assets" / name
        for path in sorted(source.iterdir()) if source.is_dir() else [source]:
            write(site / "samples" / path.relative_to(root / "assets"), path.read_bytes())
    examples = root / "examples/web"
    for path in [path for path in examples.rglob("*") if path.is_file() and "node_modules" not in path.parts]:
        write(site / "examples" / path.relative_to(examples), path.read_bytes())
    for path in [here / "index.d.ts", here / "src/native.d.ts", *here.glob("types/*.d.ts")]:
        write(site / path.name, path.read_bytes())
    types = [site / path.with_suffix(".d.ts").name for path in scripts]
    newest = max(path.stat().st_mtime for path in [*scripts, *here.glob("src/*.d.ts")])
    if all(path.exists() and path.stat().st_mtime > newest for path in types):
        return
    if not shutil.which("tsc"):
        print(f"build_site.py: warning: tsc is not installed, so {', '.join(path.name for path in types)} are missing or "
              "old.\nOn Debian or Ubuntu: apt install node-typescript", file=sys.stderr)
    else:
        subprocess.run(["tsc", "--allowJs", "--strict", "--skipDefaultLibCheck", "--target", "es2022",
                        "--moduleResolution", "node", "--declaration", "--emitDeclarationOnly", "--outDir", site,
                        *scripts, *here.glob("src/*.d.ts")], check=True)
        for path in types:
            # They name files of this repository, which projects do not have.
            path.write_text(re.sub(r"^/// <reference path=.*\n", "", path.read_text()))


main()
