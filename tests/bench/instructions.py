#!/usr/bin/env python3
"""Counts the instructions of fixed work with callgrind, and compares them with the table instructions.txt.

    instructions.py [--update]

A row of the table is a program of build/test/tests, its arguments, and its instructions per item. Counts do not
depend on load, but on the compiler: with another one than the table's, they are only printed.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

MAX_GROWTH = 0.03
table_path = pathlib.Path(__file__).with_suffix(".txt")
build = pathlib.Path(__file__).resolve().parents[2] / "build" / "test"


def compiler():
    """Returns the compiler's version, as GCC and Clang print it, without the name of the command."""
    cache = (build / "CMakeCache.txt").read_text()
    path = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.+)$", cache, re.M)[1]
    line = subprocess.run([path, "--version"], text=True, check=True, capture_output=True).stdout.splitlines()[0]
    return line.split(" ", 1)[1]


def count(work):
    """Returns the instructions per item."""
    program, *arguments = work.split()
    run = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                          "--toggle-collect=run_counted*", build / "tests" / program, *arguments],
                         text=True, capture_output=True)
    items = re.match(r"(\d+) ", run.stdout)
    collected = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode != 0 or not items or not collected or collected[1] == "0":
        sys.exit(f"instructions.py: {work} failed:\n{run.stdout}{run.stderr}")
    return int(collected[1]) / int(items[1])


def read_table():
    """Returns the recorded compiler, and the recorded counts by work."""
    lines = table_path.read_text().splitlines()
    rows = [line.rsplit(maxsplit=1) for line in lines[1:]]
    return lines[0].removeprefix("# "), {work.strip(): float(recorded) for work, recorded in rows}


def has_avx2():
    cpu = pathlib.Path("/proc/cpuinfo")
    return cpu.exists() and " avx2 " in cpu.read_text()


if sys.argv[1:] not in ([], ["--update"]):
    sys.exit(__doc__)
update = sys.argv[1:] == ["--update"]
table_compiler, recorded = read_table()
used_compiler = compiler()
if not has_avx2():
    if update:
        sys.exit("instructions.py: this processor has no AVX2, so it cannot record all counts")
    print("This processor has no AVX2; not counting it.")
    recorded = {work: count for work, count in recorded.items() if "AVX2" not in work}
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
    counts = dict(zip(recorded, threads.map(count, recorded)))

grown = False
for work, now in counts.items():
    growth = now / recorded[work] - 1
    grown = grown or growth > MAX_GROWTH
    print(f"{work:36} {now:14,.1f} {recorded[work]:14,.1f} {growth:+8.1%}{'  grown' if growth > MAX_GROWTH else ''}")
if update:
    rows = "".join(f"{work:36} {now:12.1f}\n" for work, now in counts.items())
    table_path.write_text(f"# {used_compiler}\n{rows}")
elif used_compiler != table_compiler:
    print(f"The counts were recorded with {table_compiler}, but this is {used_compiler}: not compared.")
elif grown:
    sys.exit("instructions.py: counts grew. If that is worth it, record them: ./dev instructions --update")
