"""Compares every #include with the table of arrows in docs/architecture.md.

    arrows.py REPOSITORY

A row of the table names a folder or a file, the public headers that belong to it, and the rows it may include, or
"every public header".
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1]).resolve()
include_folder = root / "runtime" / "include"

allowed = {}  # folder: the folders it may include
any_header = set()  # folders that may include every public header
owner = {}  # public header: its folder
document = (root / "docs" / "architecture.md").read_text()
table = re.search(r"^\| folder \| public headers \| may include \|\n\|[-|]+\|\n((?:\|.*\n)+)", document, re.MULTILINE)
assert table, "docs/architecture.md has no table of arrows"
for row in table[1].splitlines():
    cells = row.strip("|").split("|")
    folder, headers, targets = (re.findall(r"`([^`]+)`", cell) for cell in cells)
    if "every public header" in cells[2]:
        any_header.add(folder[0])
    allowed[folder[0]] = {*folder, *targets}
    for header in headers:
        owner[include_folder / header] = folder[0]


def folder_of(path):
    """Returns the row that a file belongs to: the longest one that its path begins with."""
    if path in owner:
        return owner[path]
    name = path.relative_to(root).as_posix()
    rows = (row for row in allowed if name == row or name.startswith(row + "/"))
    return max(rows, key=len, default=None)


def target_of(source, name):
    """Returns the file of this repository that an #include in `source` refers to; None for a system header."""
    if (include_folder / name).is_file():
        return include_folder / name
    bases = (source.parent, root / "runtime", root / source.relative_to(root).parts[0], root / "tests",
             root / "tools" / "reference")
    for base in bases:
        if (base / name).is_file():
            return (base / name).resolve()
    return None


problems = [f"docs/architecture.md: {header.relative_to(root)} does not exist" for header in owner if not header.exists()]
used = set()
for folder in ("runtime", "player", "tools", "examples", "bindings"):
    for source in sorted((root / folder).rglob("*.[ch]*")):
        if source.suffix not in (".c", ".h", ".cpp", ".hpp"):
            continue
        source_folder = folder_of(source)
        if not source_folder:
            problems.append(f"{source.relative_to(root)}: no row of docs/architecture.md contains it")
            continue
        for number, line in enumerate(source.read_text().splitlines(), 1):
            match = re.match(r'\s*#\s*include\s*[<"]([^">]+)[">]', line)
            target = match and target_of(source, match[1])
            if not target:
                continue
            target_folder = folder_of(target)
            if target in owner and source_folder in any_header or target.name == "api.hpp":
                continue
            if target_folder in allowed[source_folder]:
                used.add((source_folder, target_folder))
            elif target_folder:
                problems.append(
                    f"{source.relative_to(root)}:{number}: {source_folder} must not include {target_folder} ({match[1]})")
for source_folder, targets in allowed.items():
    for target in sorted(targets - {source_folder}):
        if (source_folder, target) not in used:
            problems.append(f"docs/architecture.md: no file of {source_folder} includes {target}")

for name in re.findall(r"`((?:runtime|player|tools|shaders|tests|docs|cmake)/[\w./]+\.\w+)`", document):
    if not (root / name).exists():
        problems.append(f"docs/architecture.md: {name} does not exist")

print("\n".join(problems) or f"{len(used)} arrows, all in docs/architecture.md")
sys.exit(bool(problems))
