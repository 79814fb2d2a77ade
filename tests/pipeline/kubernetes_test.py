#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Compares examples/pipeline/kubernetes.yaml with the types of Kubernetes' own client, and runs each pod's command.

    kubernetes_test.py PCHR REPOSITORY WORK_FOLDER

Exits with 77 without Debian's python3-kubernetes.
"""
import json
import pathlib
import shutil
import subprocess
import sys

import farm

try:
    import kubernetes.client
    import yaml
except ImportError:
    print("needs python3-kubernetes")
    sys.exit(farm.SKIPPED)


class Response:
    """What the client expects of an answer of a server."""

    def __init__(self, data):
        self.data = data


def check_types(job):
    """Requires that the client knows every key, and that every value has its type."""
    client = kubernetes.client.ApiClient()
    read = client.deserialize(Response(kubernetes.client.rest.json.dumps(job)), "V1Job")
    assert client.sanitize_for_serialization(read) == job, "Kubernetes does not know some keys"


def variables(container, index):
    """The environment of a container of the pod with this index."""
    values = {"JOB_COMPLETION_INDEX": str(index)}
    for each in container["env"]:
        if "value" in each:
            values[each["name"]] = each["value"]
        else:
            kind, resource = each["valueFrom"]["resourceFieldRef"]["resource"].split(".")
            values[each["name"]] = container["resources"][kind][resource]
    return values


def main():
    pchr, repository, work = map(pathlib.Path, sys.argv[1:])
    shutil.rmtree(work, ignore_errors=True)
    cast = farm.make_cast(repository, work / "cast", 12)
    expected = farm.draw(pchr, cast, work / "expected")

    job = yaml.safe_load((repository / "examples/pipeline/kubernetes.yaml").read_text())
    check_types(job)
    misspelled = yaml.safe_load((repository / "examples/pipeline/kubernetes.yaml").read_text())
    misspelled["spec"]["completionmode"] = misspelled["spec"].pop("completionMode")
    try:
        check_types(misspelled)
    except AssertionError:
        pass
    else:
        sys.exit("a misspelled key went unnoticed")

    pod = job["spec"]["template"]["spec"]
    container, = pod["containers"]
    mounts = {mount["name"]: mount for mount in container["volumeMounts"]}
    assert mounts.keys() == {volume["name"] for volume in pod["volumes"]}
    assert container["securityContext"]["readOnlyRootFilesystem"] and pod["securityContext"]["runAsNonRoot"]
    pods = job["spec"]["completions"]
    assert variables(container, 0)["SHARDS"] == str(pods)

    def run(index, **more):
        # Each mount path is a folder here.
        here = lambda text: text.replace("/cast/", f"{work}/cast/").replace("/thumbnails/", f"{work}/thumbnails/")
        subprocess.run([here(part) for part in container["command"] + container["args"]], check=True,
                       env=farm.environment(pchr, **variables(container, index) | more))

    for index in range(pods):
        run(index)
    farm.check(work / "thumbnails", (work / "thumbnails/manifests").iterdir(), cast, expected)
    broken = work / "cast/broken.pchr"
    broken.write_text("broken")
    with cast.open("a") as names:
        print(broken, file=names)
    run(0, SHARDS="1")
    statuses = [each["status"] for each in json.loads((work / "thumbnails/manifests/1.json").read_text())["inputs"]]
    assert statuses == ["unchanged"] * 12 + ["failed"], statuses
    print(f"{pods + 3} passed, 0 failed")


main()
