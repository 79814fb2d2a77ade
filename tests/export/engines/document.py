# SPDX-License-Identifier: MIT
"""Reads the commands and the lines of code of docs/sheets.md, and runs the commands."""
import os
import re
import shlex
import shutil

from reading import ASSETS, OUT, pchr

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def examples(document, heading):
    """Returns the examples of a section: the options of a command "pchr sheet", and the code that follows."""
    section = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", document.read_text(), re.MULTILINE | re.DOTALL)[1]
    found, options = [], None
    for language, text in BLOCK.findall(section):
        if language == "console":
            options = shlex.split(text.splitlines()[0].removeprefix("$ pchr sheet "))
        else:
            found.append((options, text))
    return found


def make_sheet(name, options, *more):
    """Runs an example's command in an empty folder with the assets, and returns that folder."""
    folder = OUT / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "assets").symlink_to(ASSETS.resolve())
    before = os.getcwd()
    os.chdir(folder)
    try:
        pchr("sheet", *options, *more)
    finally:
        os.chdir(before)
    return folder
