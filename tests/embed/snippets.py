"""Collects the C++ and C snippets of documents and public headers into sources that a test compiles and runs.

    snippets.py OUT_FOLDER DOCUMENT...

The snippet of a header ends its opening comment. A snippet with a main function becomes a program of its own, next to the
CMakeLists.txt before it, if there is one; every other C++ snippet becomes a member function of a struct derived from
Environment, which snippets.hpp declares, and every C snippet a function.
"""
import pathlib
import re
import sys

# Creates a second OpenGL context while the first one is in use.
COMPILE_ONLY = {"offscreen.hpp"}

out = pathlib.Path(sys.argv[1])
documents = [pathlib.Path(argument) for argument in sys.argv[2:]]
cpp = ['#include "snippets.hpp"\n']
c = ["#include <pchr.h>\n#include <stdio.h>\n"]
table = []
programs = 0


def add_cpp(document, line, code):
    name = f"Snippet{len(cpp)}"
    place = f"{document.name}:{line}"
    cpp.append(f"struct {name} : Environment {{\n  using Environment::Environment;\n  void run() {{\n"
               f'#line {line} "{document.name}"\n{code}  }}\n}};\n')
    if document.name not in COMPILE_ONLY:
        is_3d = "true" if re.search("draw_scene|_3d", code) else "false"
        table.append(f'    {{"{place}", {is_3d}, [](Stage& stage) {{ {name}(stage).run(); }}}},\n')


def add_c(document, line, code):
    name = f"c_snippet_{len(c)}"
    c.append(f'int {name}(void) {{\n#line {line} "{document.name}"\n{code}return 0;\n}}\n')
    cpp[0] += f'\nextern "C" int {name}(void);\n'
    table.append(f'    {{"{document.name}:{line}", false, [](Stage&) {{\n'
                 f'       if ({name}() != 0) throw std::runtime_error("it failed");\n     }}}},\n')


for document in documents:
    text = document.read_text()
    cmake = None
    for match in re.finditer(r"^```(cpp|c|cmake)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        language, code = match.groups()
        line = text.count("\n", 0, match.start()) + 2
        if language == "cmake":
            cmake = code if "project(" in code else None
        elif "int main(" in code:
            folder = out / f"program_{programs}"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "main.cpp").write_text(f'#line {line} "{document.name}"\n{code}')
            if cmake:
                (folder / "CMakeLists.txt").write_text(cmake)
            programs += 1
        elif language == "cpp":
            add_cpp(document, line, code)
        else:
            add_c(document, line, code)
for header in (document for document in documents if document.suffix == ".hpp"):
    text = header.read_text()
    code = re.search(r"^((?://   .*\n)+)#pragma once", text, re.MULTILINE)
    assert code, f"{header} has no example"
    line = text.count("\n", 0, code.start(1)) + 1
    add_cpp(header, line, re.sub("^//", "", code[1], flags=re.MULTILINE))

assert len(cpp) > 1 and len(c) > 1 and programs > 0, "snippets are missing"
cpp.insert(1, "namespace {\n")
cpp.append("constexpr Snippet kSnippets[] = {\n" + "".join(table) + "};\n}  // namespace\n"
           "const std::span<const Snippet> snippets = kSnippets;\n")
out.mkdir(parents=True, exist_ok=True)
(out / "functions.cpp").write_text("\n".join(cpp))
(out / "functions.c").write_text("\n".join(c))
