"""Collects the C++ and C snippets of documents and public headers into sources that a test compiles.

    snippets.py OUT_FOLDER DOCUMENT...

The snippet of a header ends its opening comment. A snippet with a main function becomes a program of its own; the others become functions, after the header
snippets.hpp, which declares what they use.
"""
import pathlib
import re
import sys

out = pathlib.Path(sys.argv[1])
out.mkdir(parents=True, exist_ok=True)
functions = {"cpp": ['#include "snippets.hpp"\n'], "c": ["#include <pchr.h>\n#include <stdio.h>\n"]}
programs = 0
for document in map(pathlib.Path, sys.argv[2:]):
    text = document.read_text()
    for match in re.finditer(r"^```(cpp|c)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        language, code = match.groups()
        line = text.count("\n", 0, match.start()) + 2
        place = f'#line {line} "{document.name}"\n'
        if "int main(" in code:
            (out / f"program_{programs}.{language}").write_text(place + code)
            programs += 1
            continue
        number = len(functions[language])
        result, end = ("void", "") if language == "cpp" else ("int", "return 0;\n")
        functions[language].append(f"{result} snippet_{number}(void) {{\n{place}{code}{end}}}\n")
for header in (path for path in map(pathlib.Path, sys.argv[2:]) if path.suffix == ".hpp"):
    text = header.read_text()
    code = re.search(r"^((?://   .*\n)+)#pragma once", text, re.MULTILINE)
    assert code, f"{header} has no example"
    line = text.count("\n", 0, code.start(1)) + 1
    lines = re.sub("^//", "", code[1], flags=re.MULTILINE)
    functions["cpp"].append(f'void example_{len(functions["cpp"])}() {{\n#line {line} "{header.name}"\n{lines}}}\n')
for language, parts in functions.items():
    assert len(parts) > 1 or language == "c", "no snippets were found"
    (out / f"functions.{language}").write_text("\n".join(parts))
