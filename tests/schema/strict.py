# SPDX-License-Identifier: MIT
"""Schemas for tests, which notice keys that users need to tolerate."""
import sys


def strict(schema):
    """Returns the schema without tolerance for keys that it does not list, which users need and this test does not."""
    if isinstance(schema, list):
        return [strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: strict(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict):
        closed["additionalProperties"] = False
        missing = set(schema["properties"]) ^ set(schema["required"])
        if missing:
            sys.exit(f"required differs from properties: {missing}")
    return closed
