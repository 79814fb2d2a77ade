"""Runs the command lines of documents and compares their output with what the documents show.

    commands.py [--update] [--path FOLDER]... [--copy FOLDER]... ASSETS DOCUMENT...

A command line is a line of a block ```console that begins with "$ "; a backslash at its end continues it on the next
line. The lines up to the next command are its expected output, standard error included. A line "..." stands for any
number of lines, and "..." inside a line for any text. A command that fails must be followed by "$ echo $?".

The commands of one document run in order, in one empty folder with a copy of ASSETS named "assets", and of each FOLDER
to copy. The folders of --path are searched for programs first. A block marked ```console needs=PROGRAM runs only where
PROGRAM is installed, needs=$NAME only where that environment variable is set, and needs=display only with a display.
Blocks marked ```sh are not run.

With --update, outputs that differ are rewritten in the documents instead.
"""
import argparse
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TIMEOUT_SECONDS = 600
BLOCK = re.compile(r"^( *)```console([^\n]*)\n(.*?)^\1```", re.MULTILINE | re.DOTALL)


def matches(expected, actual):
    """Whether the output fits what the document shows, in which "..." stands for anything."""
    pattern = ""
    for line in expected.splitlines():
        if line.strip() == "...":
            pattern += r"(?:[^\n]*\n)*?"
        else:
            pattern += r"[^\n]*".join(map(re.escape, line.split("..."))) + r"\n"
    return re.fullmatch(pattern, actual) is not None


def commands_of(block):
    """Yields each command, as it is written, with its expected output."""
    command, output, continued = None, [], False
    for line in block.splitlines(keepends=True):
        if continued:
            command += line
        elif line.startswith("$ "):
            if command is not None:
                yield command, "".join(output)
            command, output = line, []
        else:
            if command is None:
                raise ValueError(f'the block begins with "{line.strip()}", not with a command')
            output.append(line)
            continue
        continued = line.endswith("\\\n")
    if command is not None:
        yield command, "".join(output)


def is_needed_missing(info):
    for need in re.findall(r"\bneeds=(\S+)", info):
        if need == "display":
            if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
                return need
        elif need.startswith("$"):
            if need[1:] not in os.environ:
                return need
        elif not shutil.which(need):
            return need
    return None


class Runner:
    def __init__(self, folder, path):
        self.folder = folder
        self.status = 0
        self.environment = dict(os.environ, PATH=os.pathsep.join([*path, os.environ["PATH"]]), LC_ALL="C.UTF-8")

    def run(self, command):
        # "$ echo $?" shows the exit status of the command before.
        done = subprocess.run(["bash", "-c", f"(exit {self.status})\n{command}"], cwd=self.folder, env=self.environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=TIMEOUT_SECONDS)
        self.status = done.returncode
        output = done.stdout.decode(errors="backslashreplace")
        return output if not output or output.endswith("\n") else output + "\n"


def check_document(document, assets, copied, path, update):
    """Runs one document's commands; returns its problems and the number of commands that ran."""
    text = document.read_text()
    problems, count, pieces, end = [], 0, [], 0
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(assets, pathlib.Path(folder) / "assets", ignore=shutil.ignore_patterns("__pycache__"))
        for each in copied:
            shutil.copytree(each, pathlib.Path(folder) / each.name)
        runner = Runner(folder, path)
        for match in BLOCK.finditer(text):
            indent, info, body = match.groups()
            if missing := is_needed_missing(info):
                print(f"{document}: skipped a block that needs {missing}")
                continue
            line = text.count("\n", 0, match.start()) + 2
            block = re.sub(f"^{indent}", "", body, flags=re.MULTILINE)
            try:
                commands = list(commands_of(block))
            except ValueError as error:
                problems.append(f"{document}:{line}: {error}")
                continue
            rewritten = ""
            for command, expected in commands:
                if runner.status != 0 and command != "$ echo $?\n":
                    problems.append(f'{document}:{line}: the command before this one failed; show it with "$ echo $?"')
                actual = runner.run(command[2:])
                count += 1
                differs = not matches(expected, actual)
                if differs and not update:
                    difference = "".join(difflib.unified_diff(expected.splitlines(True), actual.splitlines(True),
                                                              "document", "output"))
                    problems.append(f"{document}:{line}: {command.rstrip()}\n{difference.rstrip()}")
                line += command.count("\n") + expected.count("\n")
                if differs and update:
                    expected = actual
                rewritten += command + expected
            pieces += [text[end:match.start(3)], re.sub("^(?=.)", indent, rewritten, flags=re.MULTILINE)]
            end = match.end(3)
        if runner.status != 0:
            problems.append(f'{document}: the last command failed; show it with "$ echo $?"')
    updated = "".join(pieces) + text[end:]
    if update and updated != text:
        document.write_text(updated)
        print(f"{document}: rewritten")
    return problems, count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true", help="rewrite outputs that differ")
    parser.add_argument("--path", action="append", default=[], help="a folder to search for programs first")
    parser.add_argument("--copy", type=pathlib.Path, action="append", default=[], help="a folder that commands use")
    parser.add_argument("assets", type=pathlib.Path)
    parser.add_argument("documents", type=pathlib.Path, nargs="+")
    arguments = parser.parse_args()
    path = [os.path.abspath(folder) for folder in arguments.path]
    failed = False
    for document in arguments.documents:
        problems, count = check_document(document, arguments.assets, arguments.copy, path, arguments.update)
        failed = failed or bool(problems)
        print("\n".join(problems) or f"{document}: {count} commands")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
