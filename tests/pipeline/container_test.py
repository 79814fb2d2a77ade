#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Builds the image of examples/pipeline/Containerfile without a container engine, prints its size, and draws in it as
its user, with a read-only root and without a network.

    container_test.py PCHR REPOSITORY WORK_FOLDER

Needs root, mmdebstrap and a network with Debian's packages. Exits with 77 without the first two.
"""
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

SKIPPED = 77
# As in Debian's image of that name.
WITHOUT_DOCUMENTS = [f"--dpkgopt=path-exclude=/usr/share/{folder}/*" for folder in ("man", "locale", "info", "doc")]


def instructions(containerfile):
    """Yields each instruction's name and text."""
    lines = (line for line in containerfile.read_text().splitlines() if not line.startswith("#"))
    for instruction in "\n".join(lines).replace("\\\n", "").split("\n"):
        if instruction:
            name, text = instruction.split(maxsplit=1)
            yield name, text


def unpack_base(image, root, work):
    release = image.removeprefix("debian:").removesuffix("-slim")
    base = work / f"{release}.tar"
    if not base.exists():
        part = work / f"{release}.part.tar"
        subprocess.run(["mmdebstrap", "--variant=minbase", *WITHOUT_DOCUMENTS, release, part], check=True)
        part.rename(base)
    root.mkdir()
    subprocess.run(["tar", "-C", root, "-xf", base], check=True)


def in_root(root, commands, *, mounts="", namespaces=()):
    """Runs shell commands in a root folder, with `mounts` made first."""
    script = f"mount -t proc proc {root}/proc && mount --rbind /dev {root}/dev && {mounts} exec {commands}"
    return subprocess.run(["unshare", "--mount", "--pid", "--fork", *namespaces, "sh", "-euc", script],
                          env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive"},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


class Image:
    """Carries out the instructions of the last stage, and of those that it copies from."""

    def __init__(self, containerfile, context, work):
        self.context, self.work = context, work
        self.roots, self.root = {}, None
        self.user, self.entry_point = "0:0", []
        carry_out = {"FROM": self.start, "RUN": self.run, "COPY": self.copy, "USER": self.set_user,
                     "ENTRYPOINT": self.set_entry_point}
        for name, text in instructions(containerfile):
            carry_out[name](text)

    def start(self, text):
        image, *name = text.split(" AS ")
        self.root = self.work / f"stage{len(self.roots)}"
        self.roots[name[0] if name else ""] = self.root
        unpack_base(image, self.root, self.work)
        self.user, self.entry_point = "0:0", []

    def run(self, text):
        shutil.copy("/etc/resolv.conf", self.root / "etc/resolv.conf")
        done = in_root(self.root, f"chroot {self.root} sh -c {shlex.quote(text)}")
        if done.returncode != 0:
            sys.exit(f"{done.stdout}\nRUN {text} failed")

    def copy(self, text):
        *sources, target = text.split()
        origin = self.context
        if sources[0].startswith("--from="):
            origin = self.roots[sources.pop(0).removeprefix("--from=")]
        for source in sources:
            path, to = origin / source.lstrip("/"), self.root / target.lstrip("/")
            if path.is_dir():
                shutil.copytree(path, to, dirs_exist_ok=True, symlinks=True)
            else:
                to.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, to)

    def set_user(self, text):
        self.user = text

    def set_entry_point(self, text):
        self.entry_point = json.loads(text)


def main():
    pchr, repository, work = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    if os.geteuid() != 0 or not shutil.which("mmdebstrap"):
        print("needs root and mmdebstrap")
        sys.exit(SKIPPED)
    shutil.rmtree(work, ignore_errors=True)
    (work / "cast").mkdir(parents=True)
    (work / "out").mkdir()
    image = Image(repository / "examples/pipeline/Containerfile", repository, work)
    # A file with several names counts once.
    files = {status.st_ino: status.st_size for status in map(pathlib.Path.lstat, image.root.rglob("*"))}
    print(f"the image has {sum(files.values()) >> 20} MiB")

    shutil.copy(repository / "assets/kiri.pchr", work / "cast")
    uid, gid = map(int, image.user.split(":"))
    os.chown(work / "out", uid, gid)
    for folder in "cast", "out":
        (image.root / folder).mkdir()
    mounts = f"mount --bind {image.root} {image.root} && mount -o remount,bind,ro {image.root} && " \
             f"mount --bind {work}/cast {image.root}/cast && mount -o remount,bind,ro {image.root}/cast && " \
             f"mount --bind {work}/out {image.root}/out && "

    def as_user(*command):
        return in_root(image.root, f"chroot --userspec={image.user} {image.root} {shlex.join(command)}", mounts=mounts,
                       namespaces=("--net",))

    for folder in "", "cast", "tmp":
        assert as_user("touch", f"/{folder}/file").returncode != 0, f"/{folder} is writable"
    drawn = as_user(*image.entry_point, "render", "/cast/kiri.pchr", "--size", "128x128", "-o", "/out/{file}.png")
    assert drawn.returncode == 0 and drawn.stdout == "", drawn.stdout
    subprocess.run([pchr, "render", repository / "assets/kiri.pchr", "--size", "128x128", "--reference",
                    work / "out/kiri.png"], check=True)
    assert (work / "out/kiri.png").stat().st_uid == uid
    shutil.rmtree(work)
    print("3 passed, 0 failed")


main()
