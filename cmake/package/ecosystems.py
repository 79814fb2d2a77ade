#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""ecosystems.py KIND SOURCE PACKAGES [ADDRESS]: writes a package of KIND into the folder PACKAGES, from the templates in
SOURCE/packaging and from the packages for Linux and, if it is there, for Windows:

    manifests  what package managers need to find and check the packages, in PACKAGES/manifests; those of packages that
               are not there are left out. ADDRESS is the folder that has the packages (default: the published one)
    wheel      the package for Python
    nuget      the binding for C#, for NuGet
    unity      the binding for C#, for Unity
"""
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import archive
import contents

kind, source, packages = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve()
templates = source / "packaging"
project = (source / "CMakeLists.txt").read_text()
version, description, homepage = re.search(
    r'project\(pchr VERSION ([\d.]+) DESCRIPTION "(.*?)" HOMEPAGE_URL "(.*?)"', project).groups()
domain = re.search(r"set\(PCHR_DOMAIN (\S+)\)", project)[1]
application = f"{domain}.player"
VALUES = {"version": version, "description": description, "homepage": homepage, "application": application, "domain": domain}
FILES = {"source": f"pchr-{version}-source.tar.gz", "tar": f"pchr-{version}-linux-x86_64.tar.gz",
         "zip": f"pchr-{version}-windows-x86_64.zip"}
FOLDERS = {"source": f"pchr-{version}", "tar": f"pchr-{version}-linux-x86_64", "zip": f"pchr-{version}-windows-x86_64"}
# Each manifest of a single file, and where its package manager looks for it.
MANIFESTS = {"conanfile.py": "conan/conanfile.py", "portfile.cmake": "vcpkg/pchr/portfile.cmake",
             "pchr.rb": "homebrew/pchr.rb", "scoop.json": "scoop/pchr.json", "flatpak.yaml": f"flatpak/{application}.yaml",
             "pchr.rockspec": f"luarocks/pchr-{version}-1.rockspec"}


def fill(name, values=VALUES):
    """Returns a template with its @names@ replaced. Raises KeyError if a value is not known."""
    return re.sub(r"@([a-z0-9:]+)@", lambda match: values[match[1]], (templates / name).read_text())


def manifests(address):
    """Writes the manifests of those packages that are there."""
    values = dict(VALUES)
    for name, file in FILES.items():
        if (packages / file).exists():
            data = (packages / file).read_bytes()
            values |= {f"file:{name}": file, f"url:{name}": f"{address}/{file}", f"folder:{name}": FOLDERS[name],
                       f"sha256:{name}": hashlib.sha256(data).hexdigest(), f"sha512:{name}": hashlib.sha512(data).hexdigest()}
    files = {}
    for name in [*MANIFESTS, "winget.yaml"]:
        try:
            text = fill(name, values)
        except KeyError as missing:
            print(f"ecosystems.py: {name} is left out, because {missing} is of a package that is not there", file=sys.stderr)
            continue
        if name != "winget.yaml":
            files[MANIFESTS[name]] = text
            continue
        for document in text.split("---\n"):
            ending = {"version": "", "installer": ".installer", "defaultLocale": ".locale.en-US"}
            files[f"winget/pchr.pchr{ending[re.search('ManifestType: (.*)', document)[1]]}.yaml"] = document
    if MANIFESTS["portfile.cmake"] in files:
        port = json.loads((source / "vcpkg.json").read_text())
        del port["features"]["tests"], port["default-features"]
        port["homepage"] = homepage
        port["dependencies"] += [{"name": name, "host": True}
                                 for name in ["vcpkg-cmake", "vcpkg-cmake-config", "vcpkg-get-python-packages"]]
        files["vcpkg/pchr/vcpkg.json"] = json.dumps(port, indent=2) + "\n"
    shutil.rmtree(packages / "manifests", ignore_errors=True)
    for name, text in files.items():
        path = packages / "manifests" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def installed():
    """Returns the files of the package for Linux, and of the package for Windows or nothing."""
    if not (packages / FILES["tar"]).exists():
        sys.exit(f"ecosystems.py: {kind} is made from {FILES['tar']}, which is not there; ./dev package tar makes it")
    windows = packages / FILES["zip"]
    return archive.read(packages / FILES["tar"]), archive.read(windows) if windows.exists() else {}


def wheel():
    """The platform of the wheel is the version of the C library that the library needs."""
    linux, _ = installed()
    with tempfile.TemporaryDirectory() as folder:
        library = pathlib.Path(folder) / "libpchr_c.so"
        library.write_bytes(linux["lib/libpchr_c.so"])
        needs = subprocess.run(["readelf", "-V", library], check=True, capture_output=True, text=True).stdout
        major, minor = max((int(major), int(minor)) for major, minor in re.findall(r"Name: GLIBC_(\d+)\.(\d+)", needs))
        sys.path.append(str(source / "bindings/python"))
        import build_package
        os.environ["pchr_ROOT"] = folder
        build_package.build_wheel(packages, {"platform": f"manylinux_{major}_{minor}_x86_64"})


def bindings_for_csharp():
    """Returns the sources, and the libraries by the name of the system in NuGet."""
    linux, windows = installed()
    sources = {name: linux[f"share/pchr/csharp/{name}"] for name in ["Pchr.cs", "Native.cs"]}
    libraries = {"linux-x64": ("libpchr_c.so", linux["lib/libpchr_c.so"])}
    if windows:
        libraries["win-x64"] = ("pchr_c.dll", windows["bin/pchr_c.dll"])
    return sources, libraries


def texts(names):
    """Returns the license, the manual, and the licenses of what the libraries contain."""
    inside = contents.components(contents.variant("c_library", names), source / "build/sources")
    return {"LICENSE.md": (source / "LICENSE").read_bytes(), "README.md": (source / "bindings/csharp/README.md").read_bytes(),
            **{f"licenses/{part.name.lower().replace(' ', '-')}.txt": part.copyright.read_bytes() for part in inside}}


def nuget():
    sources, libraries = bindings_for_csharp()
    files = {f"contentFiles/cs/any/{name}": data for name, data in sources.items()}
    files |= {f"runtimes/{system}/native/{name}": data for system, (name, data) in libraries.items()}
    files |= texts(files)
    files["pchr.nuspec"] = fill("pchr.nuspec").encode()
    types = "".join(f'<Default Extension="{extension}" ContentType="application/octet"/>'
                    for extension in sorted({name.rpartition(".")[2] for name in files}))
    head = '<?xml version="1.0" encoding="utf-8"?>\n'
    files["[Content_Types].xml"] = (
        f'{head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">{types}'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/></Types>\n').encode()
    files["_rels/.rels"] = (
        f'{head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="R1" '
        'Type="http://schemas.microsoft.com/packaging/2010/07/manifest" Target="/pchr.nuspec"/></Relationships>\n').encode()
    archive.write_zip(packages / f"pchr.{version}.nupkg", files)


def meta_of(name, system=None):
    """Returns what Unity knows of a file or folder of a package. In a package, it ignores files without it."""
    text = f"fileFormatVersion: 2\nguid: {hashlib.md5(f'pchr/{name}'.encode()).hexdigest()}\n"
    if system:
        editor, standalone = {"linux-x64": ("Linux", "Linux64"), "win-x64": ("Windows", "Win64")}[system]
        text += ("PluginImporter:\n  serializedVersion: 2\n  platformData:\n"
                 "  - first:\n      Any: \n    second:\n      enabled: 0\n      settings: {}\n"
                 "  - first:\n      Editor: Editor\n    second:\n      enabled: 1\n      settings:\n"
                 f"        CPU: x86_64\n        DefaultValueInitialized: true\n        OS: {editor}\n"
                 f"  - first:\n      Standalone: {standalone}\n    second:\n      enabled: 1\n      settings:\n"
                 "        CPU: x86_64\n")
    return text.encode()


def unity():
    sources, libraries = bindings_for_csharp()
    files = {f"Runtime/{name}": data for name, data in sources.items()}
    files["Runtime/Pchr.asmdef"] = b'{"name": "Pchr"}\n'
    systems = {f"Plugins/x86_64/{name}": system for system, (name, _) in libraries.items()}
    files |= {f"Plugins/x86_64/{name}": data for name, data in libraries.values()}
    files |= texts(files)
    files["package.json"] = fill("unity.json").encode()
    folders = {str(folder) for name in files for folder in pathlib.PurePath(name).parents if str(folder) != "."}
    files |= {f"{name}.meta": meta_of(name, systems.get(name)) for name in [*files, *folders]}
    archive.write_tgz(packages / f"pchr-unity-{version}.tgz", {f"package/{name}": files[name] for name in sorted(files)})


if kind == "manifests":
    manifests(sys.argv[4] if len(sys.argv) > 4 else f"{homepage}/releases/download/v{version}")
else:
    {"wheel": wheel, "nuget": nuget, "unity": unity}[kind]()
