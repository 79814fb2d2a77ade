#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the commands of the workflow in examples/github in a repository with a changed, a broken and a removed character.

Usage: github.py PCHR ASSETS OUT WORKFLOW
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys

import yaml

PCHR, ASSETS, OUT, WORKFLOW = pathlib.Path(sys.argv[1]), *map(pathlib.Path, sys.argv[2:5])
STEP_KEYS = {"id", "name", "if", "run", "uses", "with"}


def check(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def load_workflow():
    workflow = yaml.safe_load(WORKFLOW.read_text())
    # YAML 1.1, which this reader follows, takes the key "on" for a truth value.
    check(set(workflow) == {"name", True, "permissions", "env", "jobs"}, "keys of the workflow")
    check(list(workflow["jobs"]) == ["characters"], "names of jobs")
    job = workflow["jobs"]["characters"]
    check(set(job) == {"runs-on", "timeout-minutes", "steps"}, "keys of the job")
    for step in job["steps"]:
        check(set(step) <= STEP_KEYS and ("run" in step) != ("uses" in step), f"keys of {step}")
        check("${{" not in step.get("run", ""), "an expression in a command, where its value would be run")
        check("uses" not in step or "@" in step["uses"], f"no version in {step}")
    return workflow, job["steps"]


def git(*arguments):
    subprocess.run(["git", "-c", "user.name=Test", "-c", "user.email=test@example.com", *arguments], cwd=OUT / "work",
                   check=True, stdout=subprocess.DEVNULL)


def commit(message):
    git("add", "--all")
    git("commit", "--quiet", "--message", message)


def make_repository():
    shutil.rmtree(OUT, ignore_errors=True)
    characters = OUT / "work" / "characters"
    (characters / "same").mkdir(parents=True)
    git("init", "--quiet", "--initial-branch=main")
    for name in ("kiri.pchr", "kiri.rig.json", "quad.pchr"):
        shutil.copy(ASSETS / name, characters)
    shutil.copy(ASSETS / "quad.pchr", characters / "removed.pchr")
    shutil.copy(ASSETS / "corners.pchr", characters / "same")
    commit("Add characters")
    git("update-ref", "refs/remotes/origin/main", "HEAD")
    git("switch", "--quiet", "--create", "changes")
    shutil.copy(ASSETS / "corners.pchr", characters / "quad.pchr")
    (characters / "removed.pchr").unlink()
    (characters / "a <b>|`.pchr").write_bytes((ASSETS / "quad.pchr").read_bytes()[:-10])
    commit("Change characters")


def run_steps(workflow, steps):
    """Returns the exit code of each step with a name."""
    (OUT / "temp").mkdir()
    environment = dict(os.environ, **workflow["env"], GITHUB_BASE_REF="main", RUNNER_TEMP=str(OUT / "temp"),
                       GITHUB_STEP_SUMMARY=str(OUT / "summary.md"), GITHUB_ACTIONS="true",
                       PATH=os.pathsep.join([str(PCHR.parent), os.environ["PATH"]]))
    codes = {}
    for step in steps:
        # The step that installs needs the network.
        if "run" not in step or step.get("id") == "install":
            continue
        # As GitHub runs it.
        done = subprocess.run(["bash", "-e", "-c", step["run"]], cwd=OUT / "work", env=environment)
        codes[step["name"]] = done.returncode
    return codes


def main():
    workflow, steps = load_workflow()
    make_repository()
    codes = run_steps(workflow, steps)
    # One of the two images cannot be drawn.
    check(codes == {"Find characters": 0, "Validate": 1, "Render contact sheets": 6, "Report what changed": 0,
                    "Summarize": 0}, f"exit codes {codes}")
    sarif = json.loads((OUT / "work" / "pchr.sarif").read_text())
    results = sarif["runs"][0]["results"]
    locations = {each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for each in results
                 if each["level"] == "error"}
    check(locations == {"characters/a%20%3Cb%3E%7C%60.pchr"}, f"errors in {locations}")
    art = OUT / "work" / "art"
    sheets = {path.relative_to(art / "sheets").as_posix() for path in art.rglob("sheets/**/*.png")}
    check(sheets == {"characters/kiri.png", "characters/quad.png"}, f"contact sheets {sheets}")
    states = {each["path"]: each["state"] for each in json.loads((art / "report/report.json").read_text())["characters"]}
    check(states == {"a <b>|`.pchr": "broken", "kiri.pchr": "unchanged", "quad.pchr": "changed",
                     "removed.pchr": "removed", "same/corners.pchr": "unchanged"}, f"states {states}")
    summary = (OUT / "summary.md").read_text()
    check("<td>a &lt;b&gt;|`.pchr<td>broken" in summary and "quad.pchr<td>changed<td>0." in summary, summary)
    print(f"{len(codes)} steps")


main()
