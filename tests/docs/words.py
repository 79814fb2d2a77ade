"""Fails on words that the terms of the field replaced here, in code, texts and file names.

    words.py PROJECT_FOLDER
"""
import re
import sys
from pathlib import Path

FOLDERS = (".", ".ci", ".github", "addons", "assets", "bindings", "cmake", "docs", "examples", "packaging", "player", "runtime",
           "shaders", "tests", "tools")
TEXT = {".c", ".cmake", ".cpp", ".cs", ".css", ".def", ".dict", ".frag", ".h", ".hpp", ".html", ".in", ".js", ".json", ".lua", ".map", ".md",
        ".mjs", ".nuspec", ".py", ".pyi", ".rb", ".rockspec", ".sh", ".toml", ".ts", ".txt", ".vert", ".yaml", ".yml", ""}
# What to write instead of each pattern.
WORDS = {
    "picture": "image, frame or screenshot",
    r"\bfilms?\b": "animation",
    r"\bverbs?\b": "subcommand",
    r"\bremarks?\b": "warning",
    r"\bsurveys?\b": "scan",
    r"\bfor ever\b": "forever",
    r"\bbeg[aiu]n anew\b": "restart",
    r"\bfound out\b": "detected",
    r"\btold apart\b": "identified by",
    r"\bk(most|least)[A-Z]|\b(most|least)_(?!different)": "max or min",
    "(?<!American )spelling": "dialect",
    r'(//[/!<]*|\*|#|""") *(?-i:Of (a|an|the)|What (is|are|was|were)) ': "a sentence that starts with its subject or verb",
}
FORBIDDEN = [(re.compile(pattern, re.IGNORECASE), instead) for pattern, instead in WORDS.items()]
# Names that have to stay: of other programs and libraries, of options that were renamed, and of keys in JSON that programs
# parse. Each is a file and a part of the line.
ALLOWED = [
    ("cmake/PchrWebLibraries.cmake", "enc/picture_"),
    ("player/platform/desktop_posix.cpp", "XDG_PICTURES_DIR"),
    ("player/platform/desktop_windows.cpp", "FOLDERID_Pictures"),
    ("runtime/export/animation_formats.cpp", "WebP"),
    ("tests/docs/words.py", ""),
    ("tests/tools/reference_test.cpp", "spelling"),
    ("tests/window/screenshot_test.cpp", "XDG_PICTURES_DIR"),
    ("tools/commands/convert.cpp", "--spelling"),
    ("tools/options.cpp", "kOldNames"),
]


def files(project):
    for folder in FOLDERS:
        found = (project / folder).iterdir() if folder == "." else (project / folder).rglob("*")
        yield from sorted(path for path in found if path.is_file())


def main(project):
    problems = 0
    for path in files(project):
        name = path.relative_to(project).as_posix()
        lines = [(0, name)]
        if path.suffix in TEXT and not name.startswith(("tests/fuzz/corpus/", "tests/diagnostics/", "cmake/package/licenses.md")):
            try:
                lines += enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
            except UnicodeDecodeError:
                pass
        for number, line in lines:
            if any(name == file and text in line for file, text in ALLOWED):
                continue
            for pattern, instead in FORBIDDEN:
                if found := pattern.search(line):
                    problems += 1
                    print(f'{name}:{number}: "{found.group()}": write {instead}')
    return problems


sys.exit(min(main(Path(sys.argv[1])), 1))
