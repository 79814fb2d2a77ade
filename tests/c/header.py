# SPDX-License-Identifier: MIT
"""Tests with what pchr.h declares.

    header.py layout PCHR_H OUT      writes a C program that prints the sizes of structs and the offsets of members
    header.py called PCHR_H FILE...  fails if a function is not called in the files, or if something has no comment
    header.py exports PCHR_H TOOL LIBRARY
        fails unless a shared library exports all functions and nothing else, as nm or objdump sees it, or if it needs
        a DLL that is not part of Windows
"""
import pathlib
import re
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).parents[2] / "bindings"))
import declarations

task, source, *files = sys.argv[1:]
header = declarations.parse(source)
assert len(header.functions) > 190 and len(header.structs) > 50, (len(header.functions), len(header.structs))
if task == "layout":
    lines = [f'  printf("{name} %zu\\n", sizeof({name}));' for name in header.structs]
    lines += [f'  printf("{name}.{member.name} %zu\\n", offsetof({name}, {member.name}));'
              for name, struct in header.structs.items() for member in struct.values]
    program = "#include <pchr.h>\n#include <stdio.h>\nint main(void) {\n" + "\n".join(lines) + "\n}\n"
    pathlib.Path(files[0]).write_text(program)
elif task == "exports":
    tool, library = files
    is_dll = library.endswith(".dll")
    text = subprocess.run([tool, *(["-p"] if is_dll else ["-D", "--defined-only"]), library], check=True,
                          stdout=subprocess.PIPE, encoding="utf-8").stdout
    # Versions are absolute symbols.
    exported = set(re.findall(r"^\t\[ *\d+\] (\w+)$" if is_dll else r"^\w+ [^A] (\w+)", text, re.MULTILINE))
    exported ^= set(header.functions)
    exported and sys.exit(f"exported but not declared, or declared but not exported: {sorted(exported)}")
    system = r"(?i)(kernel32|user32|gdi32|shell32|advapi32|opengl32|msvcrt|ucrtbase|api-ms-win-[a-z0-9-]*)\.dll"
    needed = [dll for dll in re.findall(r"DLL Name: (\S+)", text) if not re.fullmatch(system, dll)]
    needed and sys.exit(f"needs {needed}")
else:
    tests = "".join(pathlib.Path(file).read_text(encoding="utf-8") for file in files)
    missing = [name for name in header.functions if not re.search(rf"\b{name}\b", tests)]
    missing and sys.exit("no test calls " + ", ".join(missing))
    groups = {**header.structs, **header.enums}
    described = {name: found.doc for name, found in {**header.functions, **groups, **header.callbacks}.items()}
    described |= header.handles
    described |= {f"{name}.{value.name}": value.doc for name, group in groups.items() for value in group.values}
    missing = [name for name, doc in described.items() if not doc]
    missing and sys.exit("no comment describes " + ", ".join(missing))
    print(f"{len(header.functions)} functions are called")
