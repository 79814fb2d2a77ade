#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Checks that `pchr validate --sarif` prints SARIF 2.1.0, for a sample of every diagnostic and for unusual names.

Usage: check_sarif.py PCHR SCHEMA DIAGNOSTICS_FOLDER WORK_FOLDER
"""
import copy
import json
import pathlib
import shutil
import subprocess
import sys

import jsonschema

FORMATS = {".pchr", ".json", ".chp", ".px", ".aseprite", ".psk"}


def reject_duplicates(pairs):
    names = [name for name, _ in pairs]
    if len(names) != len(set(names)):
        sys.exit(f"duplicate names: {names}")
    return dict(pairs)


def sarif_of(tool, files):
    done = subprocess.run([tool, "validate", "--sarif", *files], capture_output=True)
    return json.loads(done.stdout.decode("utf-8", errors="strict"), object_pairs_hook=reject_duplicates)


def check_rules(log):
    """Checks that each result names the rule of its index, and that rules are unique."""
    rules = [rule["id"] for rule in log["runs"][0]["tool"]["driver"]["rules"]]
    if len(rules) != len(set(rules)):
        sys.exit("a rule is there twice")
    for result in log["runs"][0]["results"]:
        if rules[result["ruleIndex"]] != result["ruleId"]:
            sys.exit(f"{result['ruleId']} points to {rules[result['ruleIndex']]}")
    return {result["ruleId"] for result in log["runs"][0]["results"]}


def check_spoiled(validator, log):
    """Checks that the schema rejects invalid logs."""
    def spoiled(change):
        other = copy.deepcopy(log)
        change(other["runs"][0])
        return other

    for change in (
        lambda run: run.pop("tool"),
        lambda run: run["results"][0]["message"].update(text="\x1b[2J"),
        lambda run: run["results"][0].update(level="bad"),
        lambda run: run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"].update(uri="a b"),
        lambda run: run["results"][0].update(rule="E101"),
    ):
        if validator.is_valid(spoiled(change)):
            sys.exit("the schema accepts a log that was spoiled")


def main():
    tool, schema_file, findings, work = sys.argv[1], *map(pathlib.Path, sys.argv[2:5])
    schema = json.loads(schema_file.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    samples = sorted(path for path in findings.iterdir() if path.suffix in FORMATS)
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    odd = [work / name for name in ("with space.pchr", "percent%20.pchr", "stra\u00dfe \u7d75.pchr", "line\nfeed.pchr",
                                    "colon: #?.pchr")]
    for path in odd:
        shutil.copy(samples[0], path)
    odd.append(work / "not there.pchr")
    found = set()
    logs = [sarif_of(tool, [path]) for path in samples + odd] + [sarif_of(tool, samples + odd)]
    for log in logs:
        validator.validate(log)
        found |= check_rules(log)
    # Some samples need other options to show their diagnostic.
    if len(found) < 0.9 * len(samples):
        sys.exit(f"only {len(found)} findings were seen")
    check_spoiled(validator, logs[-1])
    print(f"{len(logs)} passed, 0 failed")


main()
