"""Prepares a header for Doxygen: its opening comment becomes the documentation of the file. Lines keep their numbers."""
import pathlib
import re
import sys

text = pathlib.Path(sys.argv[1]).read_text()
match = re.match(r"// SPDX[^\n]*\n((?://[^\n]*\n)+)(?=#pragma once)", text)
if match:
    lines = [re.sub("^// ?(  )?", lambda indent: "      " if indent[1] else " ", line) for line in match[1].splitlines()]
    text = "/** @file\n" + "\n".join(lines) + " */\n" + text[match.end():]
sys.stdout.write(text)
