# SPDX-License-Identifier: MIT
"""The npm package has what it needs and nothing else, and works where it is unpacked."""
import json
import re
import subprocess

import npm_package
from stage import check, same, test

FRAMEWORKS = ("index.d.ts", "jsx.d.ts", "react.d.ts", "preact.d.ts", "solid.d.ts", "vue.d.ts", "svelte.d.ts")


def imported_by(folder, names):
    """Returns scripts and all files that they import or name by URL."""
    found = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        if name.endswith(".js"):
            text = (folder / name).read_text()
            waiting += re.findall(r"""\b(?:from|import)\s*\(?["']\./([^"']+)""", text)
            waiting += re.findall(r"""new URL\(["']([^"']+)["'],\s*import\.meta\.url\)""", text)
    return found


@test("the npm package has all that it needs, nothing else, and works on a page and in Node", only="chromium",
      needs="npm")
def _(stage):
    packed = npm_package.install(stage.folders["site"], stage.out / "node_modules")
    package = stage.out / "node_modules/pchr-player"
    exports = json.loads((package / "package.json").read_text())["exports"]
    entries = {target if isinstance(target, str) else target["default"] for target in exports.values()}
    scripts = imported_by(package, [entry[2:] for entry in entries if entry.endswith(".js")])
    types = {name.replace(".js", ".d.ts") for name in scripts if name.endswith(".js")}
    same(sorted(file["path"] for file in packed["files"]),
         sorted({*scripts, *types, *FRAMEWORKS, "package.json", "README.md", "LICENSE"}), "files")
    check(packed["size"] < 1_300_000, f"the archive has {packed['size']} bytes")

    page = stage.open("pages/package.html")
    page.wait("() => document.querySelector('pchr-player').frame > 0")

    script = ("import fs from 'node:fs'; import {Character} from 'pchr-player/character.js';"
              "const module = new WebAssembly.Module(fs.readFileSync('node_modules/pchr-player/pchr-v1.wasm'));"
              "const files = [{name: 'kiri.pchr', bytes: fs.readFileSync(process.argv[1])}];"
              "console.log((await Character.open(files, {module})).info.clips.length);")
    done = subprocess.run(["node", "--input-type=module", "-e", script, stage.folders["assets"] / "kiri.pchr"],
                          capture_output=True, text=True, cwd=stage.out)
    same(done.stdout.strip(), "6", f"clips in Node {done.stderr}")
