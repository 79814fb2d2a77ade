# SPDX-License-Identifier: MIT
"""Fails if a function of pchr.h is not called by the tests in this folder.

coverage.py HEADER FILE...
"""
import re
import sys

header, *files = sys.argv[1:]
functions = re.findall(r"^PCHR_C_API [^(]*?\b(pchr_\w+)\(", open(header, encoding="utf-8").read(), re.MULTILINE)
assert len(functions) > 190, len(functions)
tests = "".join(open(file, encoding="utf-8").read() for file in files)
missing = [name for name in functions if not re.search(rf"\b{name}\b", tests)]
if missing:
    sys.exit("no test calls " + ", ".join(missing))
print(f"{len(functions)} functions are called")
