#!/usr/bin/env python3
"""Prints the processor time that each public header takes to compile, beside what it includes of glm.

    header_times.py [COMPILER]
"""
import pathlib
import resource
import subprocess
import sys

compiler = sys.argv[1] if len(sys.argv) > 1 else "g++"
folder = pathlib.Path(__file__).resolve().parents[2] / "runtime" / "include"


def seconds(includes):
    """Returns the shortest of some times, because other programs only make it longer."""
    code = "".join(f"#include <{include}>\n" for include in includes)
    times = []
    for _ in range(7):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([compiler, "-std=c++20", "-fsyntax-only", f"-I{folder}", "-x", "c++", "-"], input=code, text=True,
                       check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(times)


def includes_of_glm(header):
    listing = subprocess.run([compiler, "-std=c++20", "-M", f"-I{folder}", "-x", "c++", "-"],
                             input=f"#include <{header}>\n", text=True, check=True, capture_output=True).stdout
    return [f"glm/{name}.hpp" for name in ("mat3x2", "mat3x3", "mat4x3", "mat4x4", "vec2", "vec3")
            if f"/glm/{name}.hpp" in listing]


for path in sorted(folder.rglob("*.hpp")):
    header = str(path.relative_to(folder))
    glm = includes_of_glm(header)
    alone = seconds(glm) if glm else 0
    print(f"{header:28} {seconds([header]) - alone:.2f} s beside glm's {alone:.2f} s")
