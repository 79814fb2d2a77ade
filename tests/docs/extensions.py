"""Fails on extensions of GCC and Clang outside the folder that wraps them. MSVC cannot compile them.

    extensions.py REPOSITORY
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1]).resolve()
EXTENSIONS = re.compile(r"__attribute__|\[\[(gnu|clang)::|\b__builtin_|\b__int128\b|\b__restrict|\btypeof\b|vector_size|"
                        r"\b__(x86_64|SSE2|AVX2)__\b")
ALLOWED = (
    "runtime/compiler/",  # Wraps them.
    "runtime/include/pchr/api.hpp", "runtime/include/pchr.h",  # Ask for the compiler first.
    "player/web/",  # Compiled by Clang only.
)
problems = []
for folder in ("examples", "player", "runtime", "tools"):
    for path in sorted((root / folder).rglob("*.[ch]*")):
        name = path.relative_to(root).as_posix()
        if path.suffix not in (".c", ".h", ".cpp", ".hpp") or name.startswith(ALLOWED) or path.stem.split("_")[-1] == "web":
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if EXTENSIONS.search(line):
                problems.append(f"{name}:{number}: use runtime/compiler instead: {line.strip()}")
print("\n".join(problems) or "no extensions outside runtime/compiler")
sys.exit(bool(problems))
