#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the types of the web player's JavaScript, and those that its npm package gives TypeScript projects.

    check_types.py OUT

Exits 77 if the TypeScript compiler is not installed.
"""
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WEB = ROOT / "player/web"

if not shutil.which("tsc"):
    print("skipped: tsc is not installed. On Debian or Ubuntu: apt install node-typescript")
    sys.exit(77)


def compile_types(*options):
    if subprocess.run(["tsc", *options]).returncode != 0:
        sys.exit(f"tsc {' '.join(map(str, options))} failed")


out = pathlib.Path(sys.argv[1]) / "types"
shutil.rmtree(out, ignore_errors=True)
compile_types("-p", WEB)
subprocess.run([sys.executable, "-B", WEB / "build_site.py", "0.0.0", out / "node_modules/pchr-player"], check=True)
for name in ("consumer.mts", "runtime_consumer.mts"):
    shutil.copy(ROOT / "tests/web" / name, out)
    compile_types("--strict", "--noEmit", "--skipDefaultLibCheck", "--target", "es2022", "--module", "node16", out / name)
