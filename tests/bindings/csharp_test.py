# SPDX-License-Identifier: MIT
"""Compiles the C# binding and a program that uses it, runs the program, and compares the layout of structs and the
signatures of functions with those of pchr.h.

    csharp_test.py BINDING INCLUDE_FOLDER LIBRARY_FOLDER CHARACTER C_COMPILER OUT_FOLDER
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

binding, include, libraries, character = (pathlib.Path(path).resolve() for path in sys.argv[1:5])
compiler, out = sys.argv[5], pathlib.Path(sys.argv[6])
out.mkdir(parents=True, exist_ok=True)
test = pathlib.Path(__file__).parent
header = re.sub(r"/\*.*?\*/", "", (include / "pchr.h").read_text(), flags=re.DOTALL)


def run(*command, folder=None):
    environment = {**os.environ, "LD_LIBRARY_PATH": str(libraries)}
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment, cwd=folder).stdout


def members(body):
    """Returns the names of a struct's members, without arrays' sizes."""
    for declaration in re.sub(r"\(\*(\w+)\)\([^)]*\)", r"\1", body).split(";"):
        if declaration.strip():
            first, *rest = declaration.split(",")
            yield re.sub(r"\[\d+\]", "", first.split()[-1]).lstrip("*")
            yield from (re.sub(r"\[\d+\]", "", name).strip().lstrip("*") for name in rest)


program = out / "test.exe"
run("mcs", "-langversion:7", "-warn:4", "-warnaserror", "-nologo", f"-out:{program}", *sorted(binding.glob("*.cs")),
    test / "csharp_test.cs")

# The program of the readme.
readme = (pathlib.Path(__file__).parents[2] / "bindings/csharp/README.md").read_text()
code = re.search(r"^```csharp\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)[1]
using, body = code.split("\n\n", 1)
(out / "readme.cs").write_text(f"using System;\n{using}\nstatic class Readme {{ static void Main() {{\n{body}}} }}\n")
run("mcs", "-langversion:7", "-nologo", f"-out:{out / 'readme.exe'}", *sorted(binding.glob("*.cs")), out / "readme.cs")
shutil.copy(character, out / "hero.pchr")
printed = run("mono", out / "readme.exe", folder=out)
assert printed.startswith("Started walk\n") and printed.endswith(" vertices\n"), printed

# The C program prints every struct of the header, the C# program those that it declares.
structs = re.findall(r"typedef struct (pchr_\w+) \{(.*?)\} \1;", header, re.DOTALL)
lines = [f'  printf("{name} %zu\\n", sizeof({name}));' for name, _ in structs]
lines += [f'  printf("{name}.{member} %zu\\n", offsetof({name}, {member}));'
          for name, body in structs for member in members(body)]
source = out / "layout.c"
source.write_text("#include <pchr.h>\n#include <stdio.h>\nint main(void) {\n" + "\n".join(lines) + "\n}\n")
run(compiler, f"-I{include}", str(source), "-o", str(out / "layout"))
expected = set(run(out / "layout").splitlines())
actual = run("mono", program, "layout").splitlines()
assert len(actual) > 100, actual
wrong = [line for line in actual if line not in expected]
assert not wrong, f"not as in C: {wrong}"
print(f"{len(actual)} sizes and offsets are as in C")

functions = {name: 0 if parameters.strip() == "void" else parameters.count(",") + 1
             for name, parameters in re.findall(r"\b(pchr_\w+)\(([^()]*)\);", header)}
declared = re.findall(r"extern \w+ (pchr_\w+)\((.*?)\);", (binding / "Native.cs").read_text(), re.DOTALL)
assert len(declared) > 50
for name, parameters in declared:
    count = len(re.sub(r"\[[^]]*\]", "", parameters).split(",")) if parameters.strip() else 0
    assert functions.get(name) == count, f"{name} has {functions.get(name)} parameters in C, but {count} in C#"
print(f"{len(declared)} functions are as in C")

subprocess.run(["mono", program, character], check=True, env={**os.environ, "LD_LIBRARY_PATH": str(libraries)})
