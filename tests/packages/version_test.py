#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""version_test.py SOURCE VERSION CMAKE: checks that every package takes its version from CMakeLists.txt, and that
programs name the commit they were built from."""
import ast
import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib

source, version, cmake = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3]


def check_versions():
    """The manifests take the version from CMakeLists.txt, or repeat it where a tool reads them as they are."""
    assert json.loads((source / "player/web/package.json.in").read_text())["version"] == "@version@"
    assert "version" in tomllib.loads((source / "pyproject.toml").read_text())["project"]["dynamic"]
    resources = (source / "player/desktop/windows.rc.in").read_text()
    assert "@PROJECT_VERSION" in resources and version not in resources
    addon = source / "addons/blender/pachario"
    manifest = tomllib.loads((addon / "blender_manifest.toml").read_text())
    assert manifest["version"] == version, f"blender_manifest.toml has version {manifest['version']}, CMakeLists.txt {version}"
    # Blender 3.4 to 4.1 read the other without running the module.
    info = next(node.value for node in ast.parse((addon / "__init__.py").read_text()).body
                if isinstance(node, ast.Assign) and node.targets[0].id == "bl_info")
    found = ".".join(str(part) for part in ast.literal_eval(info)["version"])
    assert found == version, f"bl_info has version {found}, CMakeLists.txt {version}"
    found = re.search(r'^version="(.*)"$', (source / "addons/godot/pchr/plugin.cfg").read_text(), re.MULTILINE)[1]
    assert found == version, f"plugin.cfg has version {found}, CMakeLists.txt {version}"
    vcpkg = source / "vcpkg.json"
    if vcpkg.exists():
        manifest = json.loads(vcpkg.read_text())
        found = [value for key, value in manifest.items() if key.startswith("version")]
        assert found in ([], [version]), f"vcpkg.json has version {found}, CMakeLists.txt {version}"
    found = re.search(r"^## (\S+)", (source / "CHANGES.md").read_text(), re.MULTILINE)[1]
    assert found == version, f"CHANGES.md begins with version {found}, CMakeLists.txt has {version}"
    # Names of packages and calls of find_package(), in documents and examples.
    named = re.compile(r"\bpchr[a-z-]*[-_](\d+\.\d+\.\d+)|find_package\(pchr (\d+\.\d+)")
    texts = [*source.glob("*.md"), *(path for folder in ("docs", "examples", "bindings", "player/web", "addons")
                                     for path in (source / folder).rglob("*") if path.suffix in (".md", ".yml", ".txt"))]
    for path in texts:
        for match in named.finditer(path.read_text()):
            found, expected = match[1] or match[2], version if match[1] else version.rpartition(".")[0]
            assert found == expected, f"{path.relative_to(source)} names {match[0]}, CMakeLists.txt has version {version}"


def run(*command, cwd):
    subprocess.run(command, cwd=cwd, check=True, stdout=subprocess.DEVNULL)


def git(folder, *arguments):
    run("git", "-c", "user.name=test", "-c", "user.email=test@localhost", "-c", "init.defaultBranch=main",
        "-c", "commit.gpgsign=false", *arguments, cwd=folder)


def written(folder):
    """What the build of the sources in `folder` writes, between the quotes."""
    output = folder.parent / "version.cpp"
    run(cmake, "-D", f"SOURCE={folder}", "-D", "VERSION=1.2.3", "-D", f"OUTPUT={output}",
        "-P", source / "cmake/write_version.cmake", cwd=folder)
    return output.read_text().split('"')[3]


def check_commits(scratch):
    clone = scratch / "clone"
    (clone / "cmake").mkdir(parents=True)
    shutil.copyfile(source / ".gitattributes", clone / ".gitattributes")
    # In an unpacked archive, the one in `source` names its commit.
    (clone / "cmake/commit.txt").write_text("$Format:%H$\n")
    (clone / "file").write_text("as committed\n")
    assert written(clone) == "1.2.3", "sources from nowhere name no commit"
    git(clone, "init", "-q")
    assert written(clone) == "1.2.3", "a repository without commits names none"
    git(clone, "add", ".")
    git(clone, "commit", "-q", "-m", "first")
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=clone, check=True, capture_output=True, text=True).stdout
    commit = head[:10]
    assert written(clone) == f"1.2.3 (commit {commit})"
    (clone / "untracked").write_text("not in the build\n")
    assert written(clone) == f"1.2.3 (commit {commit})"
    (clone / "file").write_text("changed\n")
    assert written(clone) == f"1.2.3 (commit {commit}-modified)"

    # In another repository, as if a project had unpacked the archive.
    archive = clone / "archive"
    archive.mkdir()
    run("sh", "-c", "git archive HEAD | tar -x -C archive", cwd=clone)
    assert written(archive) == f"1.2.3 (commit {commit})"
    (archive / "cmake/commit.txt").write_text("$Format:%H$\n")
    assert written(archive) == "1.2.3", "not the commit of the repository around it"


def check_manifests(scratch):
    """They name the packages that are there, by their checksums. Only the templates of others are left out."""
    for name in ["source.tar.gz", "linux-x86_64.tar.gz"]:
        (scratch / f"pchr-{version}-{name}").write_text(name)
    run(sys.executable, "-B", source / "cmake/package/ecosystems.py", "manifests", source, scratch, cwd=scratch)
    files = {path.parent.relative_to(scratch / "manifests").parts[0]: path.read_text()
             for path in (scratch / "manifests").rglob("*") if path.is_file() and path.name != "vcpkg.json"}
    assert set(files) == {"conan", "flatpak", "homebrew", "luarocks", "vcpkg"}, files.keys()
    for name, text in files.items():
        package = "linux-x86_64" if name in ("flatpak", "homebrew") else "source"
        assert f"pchr-{version}-{package}.tar.gz" in text, f"the manifest for {name} does not name its package"
        digests = [hashlib.new(kind, f"{package}.tar.gz".encode()).hexdigest() for kind in ["sha256", "sha512"]]
        assert name == "luarocks" or any(digest in text for digest in digests), f"the manifest for {name} has no checksum"
    for template in (source / "packaging").iterdir():
        assert version not in template.read_text(), f"{template.name} repeats the version"


check_versions()
with tempfile.TemporaryDirectory() as folder:
    check_manifests(pathlib.Path(folder))
if shutil.which("git"):
    with tempfile.TemporaryDirectory() as folder:
        check_commits(pathlib.Path(folder))
