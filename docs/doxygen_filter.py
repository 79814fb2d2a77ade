"""Prepares a file for Doxygen; lines keep their numbers.

The opening comment of a header becomes the documentation of the file. In Markdown, headings get the ids that GitHub gives
them, after the name of the document, and links to files that Doxygen does not show become plain text.
"""
import pathlib
import re
import sys

path = pathlib.Path(sys.argv[1])
text = path.read_text()
shown = set(re.findall(r"docs/(\w+\.md)", pathlib.Path("docs/Doxyfile").read_text()))


def with_file_comment(text):
    match = re.match(r"// SPDX[^\n]*\n((?://[^\n]*\n)+)(?=#pragma once)", text)
    if not match:
        return text
    lines = [re.sub("^// ?(  )?", lambda indent: "      " if indent[1] else " ", line) for line in match[1].splitlines()]
    return "/** @file\n" + "\n".join(lines) + " */\n" + text[match.end():]


def with_id(match):
    slug = re.sub(r"[^\w\- ]", "", match[2].lower()).replace(" ", "-")
    return f"{match[1]} {match[2]} {{#{path.stem}-{slug}}}"


def link(match):
    target, _, fragment = match[2].partition("#")
    if ":" in target:
        return match[0]
    if not target:
        return f"{match[1]}(#{path.stem}-{fragment})"
    if target in shown:
        return f"{match[1]}(#{target[:-3]}-{fragment})" if fragment else match[0]
    return match[1][1:-1]


if path.suffix == ".md":
    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    for i in range(0, len(parts), 2):
        parts[i] = re.sub(r"^(##+) (.+)$", with_id, parts[i], flags=re.MULTILINE)
        parts[i] = re.sub(r" #(?=[A-Za-z])", r" \\#", parts[i])
        parts[i] = re.sub(r"(?<!!)(\[[^\]]*\])\(([^)\s]+)\)", link, parts[i])
    text = "".join(parts)
else:
    text = with_file_comment(text)
sys.stdout.write(text)
