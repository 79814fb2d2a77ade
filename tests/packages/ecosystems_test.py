#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""ecosystems_test.py SOURCE PACKAGES FILES: installs the packages for Python, C# and Lua, each in an empty folder with its
package manager, and runs a small program with them; and checks the manifests, with addresses of local files. FILES has
characters. Package managers that cannot be had here are replaced by what follows their rules as documented."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import types
import unittest
import zipfile

import yaml

source, packages, files = (pathlib.Path(path).resolve() for path in sys.argv[1:4])
version = re.search(r"project\(pchr VERSION ([\d.]+)", (source / "CMakeLists.txt").read_text())[1]
character = files / "kiri.pchr"
OPTIONS = set(re.findall(r"^option\((PCHR_\w+|BUILD_SHARED_LIBS) ", (source / "CMakeLists.txt").read_text(), re.MULTILINE))

CSHARP = """using System;
static class Program {
  static void Main(string[] arguments) {
    using (var hero = Pchr.Character.Load(arguments[0]))
    using (var pose = new Pchr.Pose(hero))
    using (var stream = new Pchr.DrawStream()) {
      stream.Add(pose, Pchr.Appearance.Default);
      Pchr.StreamVertex[] vertices = null;
      Console.WriteLine(hero.Clips[0].Name + " " + stream.Vertices(ref vertices));
    }
  }
}
"""
LUA = """local pchr = require("pchr")
local hero = assert(pchr.load(arg[1]))
local stream = pchr.stream()
stream:add(hero:pose())
local _, count = stream:vertices()
print(hero:clip(0).name .. " " .. count)
"""
PYTHON = """import sys
import pchr
hero = pchr.load(sys.argv[1])
stream = pchr.DrawStream()
stream.add(pchr.Pose(hero))
print(hero.clips[0].name, len(stream.vertices))
"""
PRINTED = r"^bind [1-9]\d+$"


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    assert done.returncode == 0, f"{command} ended with {done.returncode}: {done.stdout}{done.stderr}"
    return done.stdout.strip()


def package(pattern):
    found = list(packages.glob(pattern.replace("VERSION", version)))
    if not found:
        raise unittest.SkipTest(f"{pattern} is not there")
    return found[0]


class Installed(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def compile_and_run(self, sources, libraries):
        program = self.folder / "program"
        program.with_suffix(".cs").write_text(CSHARP)
        run("mcs", "-langversion:7", "-nologo", f"-out:{program}.exe", program.with_suffix(".cs"), *sorted(sources.glob("*.cs")))
        printed = run("mono", f"{program}.exe", character, env={**os.environ, "LD_LIBRARY_PATH": str(libraries)})
        self.assertRegex(printed, PRINTED)

    def test_wheel(self):
        run("/usr/bin/python3", "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", self.folder / "installed",
            package("pchr-VERSION-*.whl"))
        printed = run("/usr/bin/python3", "-B", "-c", PYTHON, character, env={**os.environ, "PYTHONPATH": str(self.folder / "installed")})
        self.assertRegex(printed, PRINTED)

    def test_nuget(self):
        path = package("pchr.VERSION.nupkg")
        installed = self.folder / f"pchr.{version}"
        if shutil.which("nuget"):
            run("nuget", "install", "pchr", "-Source", packages, "-OutputDirectory", self.folder,
                env={**os.environ, "HOME": str(self.folder)})
        else:
            zipfile.ZipFile(path).extractall(installed)
        self.compile_and_run(installed / "contentFiles/cs/any", installed / "runtimes/linux-x64/native")

    def test_unity(self):
        """Unity unpacks the same archives as npm, and wants a file with a unique id for each file and folder."""
        with tarfile.open(package("pchr-unity-VERSION.tgz")) as archive:
            archive.extractall(self.folder)
        root = self.folder / "package"
        json.loads((root / "package.json").read_text())["unity"]
        ids = []
        for path in root.rglob("*"):
            if path.suffix != ".meta":
                ids.append(yaml.safe_load(path.with_name(path.name + ".meta").read_text())["guid"])
        self.assertEqual(len(set(ids)), len(ids))
        self.assertEqual(len(ids), len(list(root.rglob("*.meta"))))
        self.compile_and_run(root / "Runtime", root / "Plugins/x86_64")


class Manifests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        for path in packages.glob(f"pchr-{version}-*"):
            (cls.folder / path.name).symlink_to(path)
        run(sys.executable, "-B", source / "cmake/package/ecosystems.py", "manifests", source, cls.folder, cls.folder.as_uri())

    def manifest(self, name):
        path = self.folder / "manifests" / name.replace("VERSION", version)
        if not path.exists():
            self.skipTest(f"{name} is not there")
        return path

    def test_luarocks(self):
        """LuaRocks builds and installs the binding."""
        rockspec = self.manifest("luarocks/pchr-VERSION-1.rockspec")
        tree = self.folder / "rocks"
        run("luarocks", "--lua-version=5.1", "--tree", tree, "install", rockspec, env={**os.environ, "HOME": str(self.folder)})
        printed = run("luajit", "-", character, input=LUA, cwd=self.folder, env={
            **os.environ, "LUA_PATH": f"{tree}/share/lua/5.1/?.lua", "LUA_CPATH": f"{tree}/lib/lua/5.1/?.so"})
        self.assertRegex(printed, PRINTED)

    def test_flatpak(self):
        """flatpak-builder reads the manifest, and its commands run on the archive."""
        path = next(self.manifest("flatpak").glob("*.yaml"))
        read = json.loads(run("flatpak-builder", "--show-manifest", path))
        written = yaml.safe_load(path.read_text())
        self.assertEqual({name: read[name] for name in written}, written)
        with tarfile.open(self.folder / f"pchr-{version}-linux-x86_64.tar.gz") as archive:
            archive.extractall(self.folder / "flatpak")
        app = self.folder / "app"
        (app / "share").mkdir(parents=True)
        for command in written["modules"][0]["build-commands"]:
            run("sh", "-euc", command.replace("/app/", f"{app}/"), cwd=self.folder / f"flatpak/pchr-{version}-linux-x86_64")
        self.assertEqual([name.stem for name in (app / "share/mime/packages").iterdir()], [path.stem])
        self.assertIn(f">{path.stem}.desktop<", (app / f"share/metainfo/{path.stem}.metainfo.xml").read_text())
        self.assertTrue((app / f"bin/{written['command']}").exists())

    def test_homebrew(self):
        """Ruby runs the formula with the few methods of Homebrew that it calls."""
        formula = self.manifest("homebrew/pchr.rb")
        with tarfile.open(self.folder / f"pchr-{version}-linux-x86_64.tar.gz") as archive:
            archive.extractall(self.folder / "homebrew")
        (self.folder / "formula.rb").write_text("""
            require "fileutils"
            class String
              def /(name) = File.join(self, name)
              def install(*names) = names.each { |name| FileUtils.cp_r(name, FileUtils.mkdir_p(self).first) }
              def install_symlink(link)
                target, name = link.is_a?(Hash) ? link.first : [link, File.basename(link)]
                FileUtils.ln_s(target, FileUtils.mkdir_p(self).first / name)
              end
            end
            class Formula
              def self.method_missing(*) = nil
              def self.test(&block) = define_method(:test, &block)
              def prefix = ARGV[1]
              def bin = prefix / "bin"
              def libexec = prefix / "libexec"
              def system(*command) = Kernel.system(*command) || raise("it failed")
            end
            load ARGV[0]
            Pchr.new.install
            Pchr.new.test
            """)
        printed = run("ruby", self.folder / "formula.rb", formula, self.folder / "cellar",
                      cwd=self.folder / f"homebrew/pchr-{version}-linux-x86_64")
        self.assertIn(version, printed)

    def test_scoop_and_winget(self):
        """They name programs in the archive."""
        scoop = json.loads(self.manifest("scoop/pchr.json").read_text())
        winget = [yaml.safe_load(path.read_text()) for path in (self.folder / "manifests/winget").iterdir()]
        self.assertEqual({(part["PackageIdentifier"], part["PackageVersion"]) for part in winget}, {("pchr.pchr", version)})
        installer = next(part for part in winget if part["ManifestType"] == "installer")
        programs = [entry if isinstance(entry, list) else [entry, pathlib.PureWindowsPath(entry).stem] for entry in scoop["bin"]]
        named = [scoop["architecture"]["64bit"]["extract_dir"] + "\\" + name for name, alias in programs]
        self.assertEqual([file["RelativeFilePath"] for file in installer["NestedInstallerFiles"]], named)
        self.assertEqual(installer["Commands"], [alias for name, alias in programs])
        with zipfile.ZipFile(self.folder / f"pchr-{version}-windows-x86_64.zip") as archive:
            self.assertLessEqual({name.replace("\\", "/") for name in named}, set(archive.namelist()))

    def configure(self, *options):
        """CMake knows all options."""
        with tarfile.open(self.folder / f"pchr-{version}-source.tar.gz") as archive:
            archive.extractall(self.folder / "unpacked")
        done = subprocess.run(["cmake", "-S", self.folder / f"unpacked/pchr-{version}", "-B", self.folder / self.id(), "-G", "Ninja",
                               *options], capture_output=True, text=True)
        self.assertEqual((done.returncode, "not used" in done.stderr), (0, False), done.stderr)

    def test_conan(self):
        """Python runs the recipe with stand-ins for the classes of Conan that it uses."""
        path = self.manifest("conan/conanfile.py")
        modules = {name: types.ModuleType(name) for name in ["conan", "conan.errors", "conan.tools", "conan.tools.cmake",
                                                             "conan.tools.files"]}
        variables = {}
        modules["conan"].ConanFile = type("ConanFile", (), {"requires": lambda self, name, **traits: self.required.append(name)})
        modules["conan.errors"].ConanInvalidConfiguration = RuntimeError
        cmake = modules["conan.tools.cmake"]
        cmake.CMakeToolchain = lambda recipe: types.SimpleNamespace(cache_variables=variables, generate=lambda: None)
        cmake.CMakeDeps = lambda recipe: types.SimpleNamespace(generate=lambda: None)
        cmake.CMake, cmake.cmake_layout = None, None
        modules["conan.tools.files"].copy, modules["conan.tools.files"].get = None, None
        sys.modules.update(modules)
        namespace = {}
        exec(compile(path.read_text(), path, "exec"), namespace)
        recipe = namespace["Pchr"]()
        self.assertEqual(recipe.version, version)
        recipe.required = []
        recipe.options = types.SimpleNamespace(**recipe.default_options)
        recipe.settings = types.SimpleNamespace(os="Linux")
        recipe.requirements()
        recipe.validate()
        recipe.validate_build()
        recipe.generate()
        self.configure(*(f"-D{name}={'ON' if value else 'OFF'}" for name, value in variables.items()))
        # It needs what the port for vcpkg needs.
        port = json.loads((self.folder / "manifests/vcpkg/pchr/vcpkg.json").read_text())
        ported = {name for name in port["dependencies"] if isinstance(name, str)}
        self.assertEqual({name.partition("/")[0] for name in recipe.required} - {"egl"}, ported)

    def test_vcpkg(self):
        """CMake runs the port with stand-ins for the functions of vcpkg that it calls."""
        port = self.manifest("vcpkg/pchr/portfile.cmake")
        script = self.folder / "port.cmake"
        script.write_text("""
            foreach(name IN ITEMS vcpkg_cmake_install vcpkg_cmake_config_fixup vcpkg_fixup_pkgconfig vcpkg_copy_tools)
              cmake_language(EVAL CODE "function(${name})\\nendfunction()")
            endforeach()
            function(vcpkg_download_distfile variable)
              cmake_parse_arguments(PARSE_ARGV 1 arg "" "URLS;FILENAME;SHA512" "")
              file(DOWNLOAD ${arg_URLS} ${folder}/${arg_FILENAME}.loaded EXPECTED_HASH SHA512=${arg_SHA512})
              set(${variable} ${folder}/${arg_FILENAME}.loaded PARENT_SCOPE)
            endfunction()
            function(vcpkg_extract_source_archive variable)
              cmake_parse_arguments(PARSE_ARGV 1 arg "" "ARCHIVE" "")
              file(ARCHIVE_EXTRACT INPUT ${arg_ARCHIVE} DESTINATION ${folder}/extracted)
              file(GLOB inside ${folder}/extracted/*)
              set(${variable} ${inside} PARENT_SCOPE)
            endfunction()
            function(x_vcpkg_get_python_packages)
              cmake_parse_arguments(PARSE_ARGV 0 arg "" "PYTHON_VERSION;OUT_PYTHON_VAR" "PACKAGES")
              find_program(installed glad REQUIRED)
              cmake_path(REPLACE_FILENAME installed python)
              set(${arg_OUT_PYTHON_VAR} ${installed} PARENT_SCOPE)
            endfunction()
            function(vcpkg_check_features)
              cmake_parse_arguments(PARSE_ARGV 0 arg "" "OUT_FEATURE_OPTIONS" "FEATURES")
              set(${arg_OUT_FEATURE_OPTIONS} -DPCHR_PLAYER=OFF -DPCHR_TOOLS=OFF PARENT_SCOPE)
              file(WRITE ${folder}/features "${arg_FEATURES}")
            endfunction()
            function(vcpkg_cmake_configure)
              cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
              file(WRITE ${folder}/options "${arg_OPTIONS}")
            endfunction()
            function(vcpkg_install_copyright)
              cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
              foreach(file IN LISTS arg_FILE_LIST)
                file(SIZE ${file} size)
              endforeach()
            endfunction()
            include(${port})
            """)
        run("cmake", f"-Dport={port}", f"-Dfolder={self.folder}", f"-DCURRENT_PACKAGES_DIR={self.folder}/none", "-P", script)
        features = dict(re.findall(r"([a-z]+);(\w+)", (self.folder / "features").read_text()))
        self.assertEqual(set(features), set(json.loads((port.parent / "vcpkg.json").read_text())["features"]))
        self.assertLessEqual(set(features.values()), OPTIONS)
        self.configure(*(self.folder / "options").read_text().split(";"))


unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
