#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the samples as glTF and checks them with Khronos' validator.

    gltf.py PCHR ASSETS OUT MODULES

MODULES is a folder into which npm installed the validator. Exits 77 if it or Node.js is missing.
"""
import json
import pathlib
import shutil
import subprocess
import sys

PCHR, (ASSETS, OUT, MODULES) = sys.argv[1], map(pathlib.Path, sys.argv[2:5])
SAMPLES = ["kiri.pchr", "quad.pchr", "corners.pchr", "konpei/konpei.chp", "akari/akari_ske.json", "koi/koi.psk",
           "hotaru.px", "kaeru.aseprite", "hata.gltf"]
SCRIPT = """
const validator = require(process.argv[1]);
const bytes = new Uint8Array(require('fs').readFileSync(process.argv[2]));
validator.validateBytes(bytes).then((report) => console.log(JSON.stringify(report.issues)));
"""

if not (MODULES / "gltf-validator").is_dir() or not shutil.which("node"):
    print(f"skipped: Node.js or its module gltf-validator in {MODULES} is missing: run ./dev test")
    sys.exit(77)
OUT.mkdir(parents=True, exist_ok=True)
problems = 0
for sample in SAMPLES:
    path = OUT / (pathlib.Path(sample).stem + ".glb")
    subprocess.run([PCHR, "convert", ASSETS / sample, "-o", path, "--force"], check=True, stderr=subprocess.DEVNULL)
    output = subprocess.run(["node", "-e", SCRIPT, MODULES / "gltf-validator", path], check=True, capture_output=True)
    issues = json.loads(output.stdout)
    for issue in issues["messages"]:
        # 0 is an error and 1 a warning. Others are about images of any size, and extensions that it does not know.
        if issue["severity"] < 2:
            problems += 1
            print(f"{path.name}: {issue['pointer']}: {issue['message']}")
print(f"{len(SAMPLES)} files have {problems} errors and warnings")
sys.exit(problems > 0)
