#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Validates the tool's JSON output, and the given JSON characters, against their schemas.

Usage: check.py PCHR ASSETS WORK_FOLDER [JSON_IN_THE_PACHARIO_DIALECT...]
"""
import json
import pathlib
import shutil
import subprocess
import sys

import jsonschema


MOVE = ("states", "layers", 0, "states", 1)
JUMP = ("states", "layers", 0, "states", 2)
TRANSITION = ("states", "layers", 0, "transitions", 0)
# Steps to an object in Kiri's rig, a key, its wrong value and what the tool says.
WRONG = [
    ("springs", 0, "dampening", 1, "springs[0].dampening is not a known field"),
    ("states", "layer", [], "states.layer is not a known field"),
    ("states", "parameters", 0, "type", "float", 'type is "float", but must be "number"'),
    ("states", "parameters", 0, "value", False, "value is false, but must be a number"),
    ("states", "parameters", 0, "key", "A", 'key is "A", but must be a letter'),
    ("states", "parameters", 1, "max", 1, "max is not a known field"),
    ("states", "parameters", 1, "name", "", "name is empty"),
    ("states", "layers", 1, "weight", 2, "weight is 2, but must be from 0 to 1"),
    ("states", "layers", 1, "reference", {"clip": "idle"}, "reference is not a known field"),
    ("states", "layers", 1, "states", [], "states has no states"),
    (*MOVE, "clip", "walk", "blend is given"),
    (*MOVE, "blend", [{"clip": "walk", "at": 1}], "blend has 1 clip, but needs at least 2"),
    (*MOVE, "parameters", ["speed", "speed"], "at is 1, but must be two numbers"),
    (*JUMP, "speed", -1, "speed is -1, but must be from 0"),
    (*JUMP, "parameter", "speed", "parameter is not a known field"),
    (*JUMP, "clip", None, "clip is null, but must be a string"),
    (*JUMP, "enter", [""], "enter[0] is empty"),
    (*TRANSITION, "fade", 61, "fade is 61, but must be from 0 to 60"),
    (*TRANSITION, "when", [{"parameter": "speed", "above": 1, "below": 2}], "below is given"),
    (*TRANSITION, "when", [{"above": 1}], "when[0].parameter is missing"),
    (*TRANSITION, "sync", 1, "sync is 1, but must be true or false"),
]


def validator(schema_file):
    schema = json.loads(schema_file.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def main():
    tool, assets, work = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    validators = {
        "v1": validator(assets / "schema/pchr.schema.json"),
        "pachario": validator(assets / "schema/pachario.schema.json"),
    }
    shutil.rmtree(work, ignore_errors=True)
    texts = [("pachario", pathlib.Path(name)) for name in sys.argv[4:]]
    for character in sorted(assets.glob("*.pchr")):
        for dialect in validators:
            folder = work / dialect / character.stem
            subprocess.run([tool, "unpack", character, "-o", folder, "--json-dialect", dialect], check=True)
            texts.append((dialect, folder / (character.stem + ".json")))
    for dialect, text in texts:
        document = json.loads(text.read_text())
        validators[dialect].validate(document)
        # The schema must reject this.
        del document["bones"]
        if validators[dialect].is_valid(document):
            sys.exit(f"the schema of {dialect} accepts a character without bones")
    rigs = validator(assets / "schema/rig.schema.json")
    for sidecar in sorted(assets.glob("*.rig.json")):
        document = json.loads(sidecar.read_text())
        rigs.validate(document)
        # The schema and the tool must reject each of these.
        for *steps, key, value, message in WRONG:
            document = json.loads(sidecar.read_text())
            place = document
            for step in steps:
                place = place[step]
            place[key] = value
            (work / sidecar.name).write_text(json.dumps(document))
            character = sidecar.name.replace(".rig.json", ".pchr")
            shutil.copy(assets / character, work)
            result = subprocess.run([tool, "validate", work / character], stdout=subprocess.PIPE, text=True)
            if rigs.is_valid(document) or message not in result.stdout:
                sys.exit(f"the schema or the tool accepts {key}: {value} of {steps}: {result.stdout}")
        texts.append(("rig", sidecar))
    print(f"{len(texts)} passed, 0 failed")


main()
