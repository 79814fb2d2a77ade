#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Checks the structure of examples/pipeline/opencue.xml, and runs the command of each frame.

    opencue_test.py PCHR REPOSITORY WORK_FOLDER
"""
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

import farm

# Children of an element in the order of OpenCue's document type 1.15. A question mark means that it can be left out.
CHILDREN = {
    "spec": "facility? dept? show shot user email? uid? job",
    "job": "paused? priority? maxretries? maxcores? maxgpus? autoeat? localbook? os? env? layers",
    "layers": "layer",
    "layer": "cmd range chunk cores? threadable? memory? gpus? gpu_memory? timeout? timeout_llu? tags? limits? env? "
             "services?",
    "services": "service",
}
ATTRIBUTES = {"job": {"name"}, "layer": {"name", "type"}}


def check_structure(element):
    """Requires the children and attributes of the document type."""
    names = [child.tag for child in element]
    order = [(name.rstrip("?"), name.endswith("?")) for name in CHILDREN.get(element.tag, "").split()]
    left = [name for name, optional in order if name in names or not optional]
    assert names == left, f"{element.tag} has {names}, not {left}"
    assert set(element.keys()) == ATTRIBUTES.get(element.tag, set()), f"{element.tag} has {element.attrib}"
    assert element.get("type", "Render") in ("Render", "Util", "Post")
    assert re.fullmatch("[\\w.:-]+", element.get("name", "name"))
    for child in element:
        check_structure(child)


def main():
    pchr, repository, work = map(pathlib.Path, sys.argv[1:])
    shutil.rmtree(work, ignore_errors=True)
    cast = farm.make_cast(repository, work / "cast", 12)
    expected = farm.draw(pchr, cast, work / "expected")

    spec = xml.etree.ElementTree.parse(repository / "examples/pipeline/opencue.xml").getroot()
    check_structure(spec)
    layer = spec.find("job/layers/layer")
    assert re.fullmatch("[0-9]+[mg]", layer.findtext("memory")) and layer.findtext("chunk") == "1"
    first, last = map(int, layer.findtext("range").split("-"))
    command = layer.findtext("cmd").replace("/cast/", f"{work}/cast/").replace("/thumbnails/", f"{work}/thumbnails/")
    (work / "thumbnails").mkdir()
    for frame in range(first, last + 1):
        filled = command.replace("#IFRAME#", str(frame)).replace("#ZFRAME#", f"{frame:04}")
        subprocess.run(["sh", "-euc", filled], check=True, env=farm.environment(pchr))
    farm.check(work / "thumbnails", (work / "thumbnails").glob("manifest-*.json"), cast, expected)
    print(f"{last - first + 2} passed, 0 failed")


main()
