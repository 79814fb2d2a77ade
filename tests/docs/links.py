"""Checks the links, anchors, images and file names in every Markdown file, and the size of README.md.

    links.py REPOSITORY
"""
import pathlib
import re
import sys
import urllib.parse

MAX_README_BYTES = 6144
IMAGES = {".png", ".gif", ".webp", ".jpg", ".svg"}

root = pathlib.Path(sys.argv[1]).resolve()
documents = [path for path in sorted(root.rglob("*.md")) if "build" not in path.relative_to(root).parts]
assert root / "README.md" in documents, f"{root} is not the repository"


def without_code(text):
    text = re.sub(r"^( *)(```+|~~~+).*?^\1\2", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"(`+)(?!`).+?\1", lambda match: match[0].strip("`").replace("(", "").replace("[", ""), text)


def anchors(path):
    """The ids that GitHub gives to the headings of a document."""
    seen = {}
    for heading in re.findall(r"^#{1,6} +(.*?) *#*$", without_code(path.read_text()), re.MULTILINE):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
        count = seen.get(slug, 0)
        seen[slug] = count + 1
        yield f"{slug}-{count}" if count else slug


# `runtime/animation/pose.cpp`, but not `tools/NAME.cpp`.
FILE_NAME = re.compile(r"`((?:addons|assets|cmake|docs|examples|player|runtime|shaders|tests|tools)/[a-z0-9_./-]+\.[a-z0-9]+)`")

problems = []
linked = set()
checked = 0
for document in documents:
    name = document.relative_to(root)
    for target in re.findall(r"\]\(<?([^)>\s]+)>?(?: +\"[^\"]*\")?\)", without_code(document.read_text())):
        if re.match(r"[a-z]+:", target):
            continue
        checked += 1
        path, _, fragment = target.partition("#")
        file = (document.parent / urllib.parse.unquote(path)).resolve() if path else document
        linked.add(file)
        if not file.exists():
            problems.append(f"{name}: {target} does not exist")
        elif not file.is_relative_to(root):
            problems.append(f"{name}: {target} is outside the repository")
        elif fragment and file.suffix == ".md" and fragment not in anchors(file):
            problems.append(f"{name}: {target} names no heading")

for document in documents:
    for name in FILE_NAME.findall(document.read_text()):
        if not (root / name).exists():
            problems.append(f"{document.relative_to(root)}: {name} does not exist")

for image in sorted((root / "docs").iterdir()):
    if image.suffix in IMAGES and image not in linked:
        problems.append(f"docs/{image.name} is not used by any document")

size = (root / "README.md").stat().st_size
if size > MAX_README_BYTES:
    problems.append(f"README.md has {size} bytes, but at most {MAX_README_BYTES} are allowed")

print("\n".join(problems) or f"{checked} links in {len(documents)} documents are valid; README.md has {size} bytes")
sys.exit(bool(problems))
