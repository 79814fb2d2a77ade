"""Checks that the documents and examples name all formats.

    formats.py REPOSITORY
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
rows = re.findall(r'^PCHR_FORMAT\((\w+), \w+, "([^"]*)", "([^"]*)"', (root / "runtime/import/formats.def").read_text(),
                  flags=re.MULTILINE)
problems = [] if len(rows) >= 5 else [f"formats.def has {len(rows)} formats"]
importer = (root / "addons/godot/pchr/importer.gd").read_text()
for name, title, extensions in rows:
    for extension in extensions.split():
        if not re.search(rf"[\"._]{extension[1:]}\b", importer):
            problems.append(f"importer.gd does not name {extension}, the extension of {title}")
for document in ("README.md", "docs/formats.md", "docs/player.md", "player/web/README.md", "examples/pipeline/configure.py"):
    text = (root / document).read_text()
    for name, title, extensions in rows:
        # Some list only the usual extension of each format.
        for extension in extensions.split()[:1 if document == "player/web/README.md" else None]:
            if not re.search(rf"{re.escape(extension)}\b", text):
                problems.append(f"{document} does not name {extension}, the extension of {title}")
print("\n".join(problems) or f"the documents name all {len(rows)} formats")
sys.exit(bool(problems))
