#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""contents_test.py FOLDER SOURCE: checks the packages in FOLDER: that each has what its list in SOURCE says and nothing
else, what its programs need from a system, the checksums, and the SPDX document. With --update, writes the lists."""
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile

import library_paths

folder, source = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
update = "--update" in sys.argv
lists = source / "tests/packages/lists"
project = (source / "CMakeLists.txt").read_text()
version = re.search(r"project\(pchr VERSION ([\d.]+)", project)[1]
domain = re.search(r"PCHR_DOMAIN (\S+)\)", project)[1]
PATTERNS = {"deb": f"pchr-tool_{version}_*.deb", "tar": f"pchr-{version}-linux-*.tar.gz", "zip": f"pchr-{version}-windows-*.zip",
            "npm": f"pchr-player-{version}.tgz", "blender": f"pchr-blender-{version}.zip", "godot": f"pchr-godot-{version}.zip",
            "wheel": f"pchr-{version}-*.whl", "nuget": f"pchr.{version}.nupkg", "unity": f"pchr-unity-{version}.tgz",
            "source": f"pchr-{version}-source.tar.gz"}
# Libraries that a program can expect of every system: those of the C library and of X11.
SYSTEM = {"libc.so.6", "libm.so.6", "libdl.so.2", "librt.so.1", "libpthread.so.0", "ld-linux-x86-64.so.2", "libX11.so.6",
          "libxcb.so.1"}
NEWEST_C_LIBRARY = (2, 36)
WINDOWS = {"kernel32.dll", "msvcrt.dll", "user32.dll", "gdi32.dll", "shell32.dll", "advapi32.dll", "ole32.dll",
           "opengl32.dll", "comdlg32.dll", "imm32.dll", "winmm.dll", "ws2_32.dll", "psapi.dll", "shcore.dll", "bcrypt.dll",
           "dwmapi.dll", "api-ms-win-core-synch-l1-2-0.dll", "uuid.dll", "shlwapi.dll"}
LICENSES = {"MIT", "Zlib", "IJG", "BSD-2-Clause", "BSD-3-Clause", "ISC", "Apache-2.0", "BSL-1.0", "ZPL-2.1",
            "GPL-3.0-or-later"}
EXCEPTIONS = {"GCC-exception-3.1", "LLVM-exception"}


def run(*command):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True).stdout


def names_in(kind, path):
    """The files of a package, without the folder that contains all others."""
    if kind in ("zip", "blender", "godot", "wheel", "nuget"):
        with zipfile.ZipFile(path) as archive:
            return sorted(name if kind in ("wheel", "nuget") else name.partition("/")[2] for name in archive.namelist()
                          if not name.endswith("/"))
    if kind == "deb":
        lines = run("sh", "-c", 'dpkg-deb --fsys-tarfile "$1" | tar -t', "sh", path)
        return sorted(name.removeprefix("./") for name in lines.splitlines() if not name.endswith("/"))
    with tarfile.open(path) as archive:
        return sorted(member.name.partition("/")[2] for member in archive.getmembers() if not member.isdir())


def unpack(kind, path, to):
    if kind == "deb":
        run("dpkg-deb", "-x", path, to)
    elif kind in ("zip", "godot", "wheel"):
        zipfile.ZipFile(path).extractall(to)
    else:
        run("tar", "-xf", path, "-C", to)


def check_list(kind, path):
    minor = version.rpartition(".")[0]
    found = "".join(name.replace(version, "VERSION").replace(domain, "DOMAIN").replace(f".so.{minor}", ".so.MINOR") + "\n"
                    for name in names_in(kind, path))
    expected = lists / f"{kind}.txt"
    if update:
        expected.parent.mkdir(exist_ok=True)
        expected.write_text(found)
    wanted = expected.read_text()
    if kind in ("godot", "nuget", "unity") and ".dll" not in found:
        wanted = "".join(line for line in wanted.splitlines(True) if not re.search(r"windows|mingw|\.dll|win-x64", line))
    assert found == wanted, f"{path.name}: {sorted(set(found.splitlines()) ^ set(wanted.splitlines()))}"


def check_needs(kind, path):
    """The programs need nothing that their systems may lack."""
    with tempfile.TemporaryDirectory() as scratch:
        unpack(kind, path, scratch)
        root = pathlib.Path(scratch)
        own = {file.name for file in root.rglob("lib*.so*")}
        for file in sorted({*root.rglob("bin/*"), *root.rglob("lib*.so.*")}):
            if file.is_symlink() or file.is_dir():
                continue
            if file.suffix == ".dll" or kind == "zip":
                needs = set(name.lower() for name in re.findall(r"DLL Name: (\S+)", run("objdump", "-p", file)))
                allowed = WINDOWS
            else:
                needs = set(re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-d", file)))
                # Debian's package has shared libraries for programs that share the C++ library with them.
                allowed = SYSTEM | own | ({"libstdc++.so.6", "libgcc_s.so.1"} if kind == "deb" and ".so" in file.name else set())
                versions = re.findall(r"Name: GLIBC_(\d+)\.(\d+)", run("readelf", "-V", file))
                newest = max((int(major), int(minor)) for major, minor in versions)
                assert newest <= NEWEST_C_LIBRARY, f"{file.name} needs the C library {newest}"
            assert needs <= allowed, f"{path.name}: {file.name} needs {sorted(needs - allowed)}"


def check_library_paths(kind, path):
    """The programs load no library from the current folder."""
    with tempfile.TemporaryDirectory() as scratch:
        unpack(kind, path, scratch)
        assert library_paths.check(scratch), f"{path.name} has no program"


def check_source(path):
    """The archive names its commit."""
    with tarfile.open(path) as archive:
        commit = archive.extractfile(f"pchr-{version}/cmake/commit.txt").read().decode()
    assert re.fullmatch("[0-9a-f]{40}\n", commit), commit


def check_spdx(packages):
    path = folder / f"pchr-{version}.spdx.json"
    document = json.loads(path.read_text())
    assert document["spdxVersion"] == "SPDX-2.3" and document["dataLicense"] == "CC0-1.0"
    assert document["SPDXID"] == "SPDXRef-DOCUMENT" and document["documentNamespace"].startswith("https://")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", document["creationInfo"]["created"])
    assert document["creationInfo"]["creators"] and document["name"]
    identifiers = [entry["SPDXID"] for entry in document["packages"]] + ["SPDXRef-DOCUMENT"]
    assert len(set(identifiers)) == len(identifiers)
    for entry in document["packages"]:
        assert re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", entry["SPDXID"]), entry["SPDXID"]
        for field in ["name", "versionInfo", "downloadLocation", "licenseConcluded", "copyrightText"]:
            assert entry[field], f"{entry['name']} has no {field}"
        assert entry["filesAnalyzed"] is False
        for part in entry["licenseDeclared"].split(" AND "):
            license, _, exception = part.partition(" WITH ")
            assert license in LICENSES and (not exception or exception in EXCEPTIONS), entry["licenseDeclared"]
    for relationship in document["relationships"]:
        assert relationship["spdxElementId"] in identifiers and relationship["relatedSpdxElement"] in identifiers
        assert relationship["relationshipType"] in ("DESCRIBES", "CONTAINS")
    described = {entry["packageFileName"]: entry["checksums"][0]["checksumValue"]
                 for entry in document["packages"] if "packageFileName" in entry}
    assert set(described) == {package.name for package in packages}, described.keys()
    sums = dict(reversed(line.split("  ")) for line in (folder / "SHA256SUMS").read_text().splitlines())
    assert set(sums) == {*described, path.name}
    for name, digest in sums.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest, name
        assert described.get(name, digest) == digest, name
    # Every component is described to people, too.
    text = (source / "docs/third-party.md").read_text()
    for entry in document["packages"]:
        if entry.get("primaryPackagePurpose") == "LIBRARY":
            assert entry["name"].split(" for ")[0].lower() in text.lower(), f"{entry['name']} is not in docs/third-party.md"


packages = []
for kind, pattern in PATTERNS.items():
    for path in folder.glob(pattern):
        packages.append(path)
        if kind == "source":
            check_source(path)
            continue
        check_list(kind, path)
        # The others have no programs, or the libraries of these.
        if kind in ("deb", "tar", "zip", "godot"):
            check_needs(kind, path)
        if kind in ("deb", "tar", "godot", "wheel"):
            check_library_paths(kind, path)
check_spdx(packages)
print(f"{len(packages)} packages have what they should: {', '.join(sorted(path.name for path in packages))}")
