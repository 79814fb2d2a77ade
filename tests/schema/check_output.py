#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Validates the JSON that the tool writes against its schemas: for the sample characters, for a sample of every
diagnostic, and for the conformance files if they are there.

Usage: check_output.py PCHR ASSETS DIAGNOSTICS_FOLDER CONFORMANCE_FOLDER
"""
import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import jsonschema

from strict import strict

FORMATS = {".pchr", ".chp", ".px", ".aseprite", ".psk"}


def load_validators(folder):
    validators, shared = {}, {}
    for name in ("inspect", "validate", "pose", "diff", "report", "log", "progress"):
        schema = json.loads((folder / f"{name}.schema.json").read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        diagnostic = schema.get("$defs", {}).get("diagnostic")
        if diagnostic and shared.setdefault("diagnostic", diagnostic) != diagnostic:
            sys.exit(f"the diagnostics of {name} differ from those of another schema")
        validators[name] = jsonschema.Draft202012Validator(strict(schema))
    return validators


def reject_duplicates(pairs):
    names = [name for name, _ in pairs]
    if len(names) != len(set(names)):
        sys.exit(f"duplicate keys: {names}")
    return dict(pairs)


def read_json(data):
    return json.loads(data.decode("utf-8", errors="strict"), object_pairs_hook=reject_duplicates)


def output_of(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return read_json(done.stdout) if done.stdout else None


def report_on(tool, first, second):
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report"
        subprocess.run([tool, "diff", first, second, "--html", report, "--size", "32", "--frames", "1", "--quiet"],
                       check=False)
        return read_json((report / "report.json").read_bytes())


def check_spoiled(validator, document):
    """Checks that the schema requires every key, the version 1, and no others."""
    for key in document:
        spoiled = copy.deepcopy(document)
        del spoiled[key]
        if validator.is_valid(spoiled):
            sys.exit(f"the schema does not require {key}")
    if validator.is_valid({**document, "version": 2}) or validator.is_valid({**document, "extra": 1}):
        sys.exit("the schema accepts another version or unknown keys")


def characters_in(folder, formats):
    return sorted(path for path in folder.rglob("*") if path.suffix in formats and path.is_file())


def check_lines(validators, command):
    """Checks the lines that a batch writes to standard error."""
    done = subprocess.run([*command, "--keep-going", "--log-format", "json", "--progress", "json"],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    lines = [json.loads(line, object_pairs_hook=reject_duplicates) for line in done.stderr.splitlines()]
    for line in lines:
        validator = validators["log" if line["type"] == "message" else "progress"]
        error = jsonschema.exceptions.best_match(validator.iter_errors(line))
        if error:
            sys.exit(f"{line}: {error}")
        check_spoiled(validator, line)
    if {line["type"] for line in lines} != {"message", "progress"}:
        sys.exit(f"lines are missing: {lines}")


def main():
    tool, (assets, diagnostics, conformance) = sys.argv[1], map(pathlib.Path, sys.argv[2:5])
    validators = load_validators(assets / "schema")
    samples = characters_in(assets, FORMATS)
    files = samples + characters_in(diagnostics, FORMATS | {".json"})
    if conformance.is_dir():
        files += characters_in(conformance, FORMATS)
    commands = [("validate", ["--json", *files, assets / "missing.pchr"])]
    commands += [(subcommand, [*options, file]) for file in files
                 for subcommand, options in (("inspect", ["--json"]), ("pose", []))]
    commands += [("inspect", ["--json", *samples]), ("pose", samples)]
    commands += [("diff", ["--json", "--no-pixels", file, assets / "kiri.pchr"]) for file in samples]
    commands.append(("diff", ["--json", assets / "corners.pchr", assets / "kiri.pchr"]))
    commands.append(("diff", ["--json", "--no-pixels", assets, diagnostics]))
    counts = dict.fromkeys(validators, 0)
    for subcommand, arguments in commands:
        document = output_of([tool, subcommand, *arguments])
        if document is None:
            continue
        error = jsonschema.exceptions.best_match(validators[subcommand].iter_errors(document))
        if error:
            sys.exit(f"{' '.join(map(os.fspath, arguments))[:200]}: {subcommand}: {error}")
        if counts[subcommand] == 0:
            check_spoiled(validators[subcommand], document)
        counts[subcommand] += 1
    # Every state is there, and every kind of diagnostic.
    report = report_on(tool, assets, diagnostics)
    validators["report"].validate(report)
    check_spoiled(validators["report"], report)
    counts["report"] += 1
    check_lines(validators, [tool, "inspect", *files, assets / "missing.pchr"])
    # A file that does not load has only a report of validate.
    if min(counts[name] for name in ("inspect", "pose", "diff")) < len(samples):
        sys.exit(f"too few files were checked: {counts}")
    print(f"{sum(counts.values())} passed, 0 failed")


if __name__ == "__main__":
    main()
