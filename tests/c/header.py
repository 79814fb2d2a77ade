# SPDX-License-Identifier: MIT
"""Tests with what pchr.h declares.

    header.py layout PCHR_H OUT      writes a C program that prints the sizes of structs and the offsets of members
    header.py called PCHR_H FILE...  fails if a function is not called in the files, or if something has no comment
"""
import pathlib
import re
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
