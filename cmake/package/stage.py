#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""stage.py KIND FOLDER VERSION SOURCE [COMMIT]: completes the files of a package in FOLDER with what its users need
besides what the build installs: licenses, and what the rules of its system ask for."""
import email.utils
import gzip
import json
import os
import pathlib
import shutil
import sys

import contents

kind, folder, version, source = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], pathlib.Path(sys.argv[4])
sources = source / "build" / "sources"
epoch = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))


def compress(path):
    path.with_name(path.name + ".gz").write_bytes(gzip.compress(path.read_bytes(), 9, mtime=0))
    path.unlink()


def file_name(name):
    return name.lower().replace(" ", "-")


def write_licenses(to):
    """One file for each component: what Debian's package says, whose notices all its licenses ask to pass on."""
    to.mkdir(parents=True)
    for component in contents.components(kind, sources):
        (to / f"{file_name(component.name)}.txt").write_bytes(component.copyright.read_bytes())


def stage_deb():
    share = folder / "usr/share"
    documents = (share / "doc/pchr").rename(share / "doc/pchr-tool")
    # For the name pchr, where postinst offers it.
    for path in [*share.glob("bash-completion/completions/pchr-tool"), *share.glob("zsh/site-functions/_pchr-tool"),
                 *share.glob("fish/vendor_completions.d/pchr-tool.fish")]:
        alias = share / "pchr/completions" / path.name.replace("-tool", "")
        alias.parent.mkdir(parents=True, exist_ok=True)
        alias.write_text(path.read_text().replace("pchr-tool", "pchr").replace("pchr_tool", "pchr"))
    for page in share.glob("man/man1/*.1"):
        compress(page)
    (documents / "LICENSE").unlink()
    (documents / "licenses.md").unlink()
    text = (source / "LICENSE").read_text() + "\nThe programs and libraries contain these:\n"
    text += "".join(f"- {component.name} {component.version} ({component.license}): licenses/{file_name(component.name)}.txt\n"
                    for component in contents.components("deb", sources))
    # A common license is named, not repeated.
    text += "\nOn Debian systems, the Apache License is in /usr/share/common-licenses/Apache-2.0, and the GNU General Public\n"
    text += "License in /usr/share/common-licenses/GPL-3.\n"
    (documents / "copyright").write_text(text)
    write_licenses(documents / "licenses")
    shutil.copyfile(source / "CHANGES.md", documents / "CHANGES.md")
    compress(documents / "CHANGES.md")
    date = email.utils.formatdate(epoch)
    (documents / "changelog").write_text(f"pchr-tool ({version}) unstable; urgency=medium\n\n  * See CHANGES.md.gz.\n\n"
                                         f" -- the pchr authors <pchr@localhost>  {date}\n")
    compress(documents / "changelog")


def stage_archive():
    shutil.copyfile(source / "LICENSE", folder / "LICENSE")
    shutil.rmtree(folder / "share/doc")
    write_licenses(folder / "licenses")
    text = (source / "cmake/package" / f"README.{kind}").read_text().replace("@version@", version)
    if kind == "zip":
        text = text.replace("\n", "\r\n")
    (folder / "README.txt").write_bytes(text.encode())


def stage_npm():
    """Says what the modules are made of, in a file that tools can read."""
    write_licenses(folder / "licenses")
    document = {
        "package": "pchr-player", "version": version, "license": "MIT", "commit": sys.argv[5],
        "compilers": contents.web_compilers(),
        "components": [{"name": component.name, "license": component.license, "text": f"{file_name(component.name)}.txt",
                        "source": f"pkg:deb/debian/{component.source}@{component.version}?arch=source"}
                       for component in contents.components("npm", sources)]}
    (folder / "licenses/components.json").write_text(json.dumps(document, indent=1) + "\n")


{"deb": stage_deb, "tar": stage_archive, "zip": stage_archive, "npm": stage_npm}[kind]()
for path in [*folder.rglob("*"), folder]:
    if kind == "npm":
        # npm keeps what a umask allows.
        path.chmod(0o755 if path.is_dir() else 0o644)
    os.utime(path, (epoch, epoch), follow_symlinks=False)
