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
        # The schema and the tool must reject this.
        document["springs"][0]["dampening"] = 1
        wrong = work / sidecar.name
        wrong.write_text(json.dumps(document))
        character = sidecar.name.replace(".rig.json", ".pchr")
        shutil.copy(assets / character, work)
        result = subprocess.run([tool, "validate", work / character], stdout=subprocess.PIPE, text=True)
        if rigs.is_valid(document) or "springs[0].dampening is not a known field" not in result.stdout:
            sys.exit("the schema or the tool accepts a misspelled field of a spring")
        texts.append(("rig", sidecar))
    print(f"{len(texts)} passed, 0 failed")


main()
