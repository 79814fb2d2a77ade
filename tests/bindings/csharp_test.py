# SPDX-License-Identifier: MIT
"""Compiles the C# binding and a program that uses it, runs the program, and compares the layout of structs with what
the program LAYOUT prints, and what characters do with what FACTS, which is tests/c/facts.c, prints.

    csharp_test.py BINDING LIBRARY_FOLDER CHARACTER LAYOUT FACTS RIG OUT_FOLDER

Exits with 77 without Mono.
"""
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys

missing = [program for program in ["mcs", "mono"] if shutil.which(program) is None]
if missing:
    print(f"skipped: {' and '.join(missing)} not found. On Debian or Ubuntu: apt install mono-mcs mono-runtime")
    sys.exit(77)

binding, libraries, character, layout, facts, rig, out = (pathlib.Path(path).resolve() for path in sys.argv[1:])
out.mkdir(parents=True, exist_ok=True)
test = pathlib.Path(__file__).parent


def run(*command, folder=None):
    environment = {**os.environ, "LD_LIBRARY_PATH": str(libraries), "LC_ALL": "C.UTF-8"}
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8", env=environment,
                          cwd=folder).stdout


program = out / "test.exe"
run("mcs", "-langversion:7", "-warn:4", "-warnaserror", "-nologo", f"-out:{program}", *sorted(binding.glob("*.cs")),
    test / "csharp_test.cs")

# The program of the readme.
readme = (pathlib.Path(__file__).parents[2] / "bindings/csharp/README.md").read_text()
code = re.search(r"^```csharp\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)[1]
(out / "readme.cs").write_text(code)
run("mcs", "-langversion:7", "-nologo", f"-out:{out / 'readme.exe'}", *sorted(binding.glob("*.cs")), out / "readme.cs")
shutil.copy(character, out / "hero.pchr")
printed = run("mono", out / "readme.exe", folder=out)
assert printed.startswith("Started walk\n") and printed.endswith(" vertices\n"), printed

# What it says about engines, with stand-ins for their names.
snippet = next(code for code in re.findall(r"^```csharp\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
               if "using UnityEngine;" in code)
(out / "beside.cs").write_text(snippet)
sources = [*sorted(binding.glob("*.cs")), test / "engines.cs", out / "beside.cs"]
run("mcs", "-langversion:7", "-nologo", "-target:library", f"-out:{out / 'beside.dll'}", *sources)
for engine in ["UnityEngine", "Microsoft.Xna.Framework"]:
    (out / "both.cs").write_text(f"using Pchr;\nusing {engine};\nclass Both {{ Color color; }}\n")
    both = subprocess.run(["mcs", "-nologo", "-target:library", f"-out:{out / 'both.dll'}", *sources, out / "both.cs"],
                          stderr=subprocess.STDOUT, stdout=subprocess.PIPE, encoding="utf-8")
    assert both.returncode != 0 and "CS0104" in both.stdout, both.stdout

expected = set(run(layout).replace("_", "").splitlines())
actual = run("mono", program, "layout").splitlines()
assert len(actual) > 400, actual
wrong = [line for line in actual if not {line, line.replace(" ", "s ")} & expected]
assert not wrong, f"not as in C: {wrong}"
print(f"{len(actual)} sizes and offsets are as in C")

expected, actual = run(facts, character, rig), run("mono", program, "facts", character, rig)
sys.stdout.writelines(difflib.unified_diff(expected.splitlines(True), actual.splitlines(True), "C", "C#"))
assert actual == expected and len(expected) > 1000

subprocess.run(["mono", program, character], check=True, env={**os.environ, "LD_LIBRARY_PATH": str(libraries)})
