# SPDX-License-Identifier: MIT
"""Writes archives whose bytes depend only on what is in them. Their times are SOURCE_DATE_EPOCH, or 1980."""
import gzip
import io
import os
import pathlib
import tarfile
import time
import zipfile


def _epoch():
    return int(os.environ.get("SOURCE_DATE_EPOCH", "0"))


def write_zip(path, files):
    """Writes `files`, the contents of each name, as a zip archive."""
    # Archives cannot hold an earlier time.
    date = max(time.gmtime(_epoch())[:6], (1980, 1, 1, 0, 0, 0))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, date)
            entry.create_system = 3
            entry.external_attr = 0o100644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)


def write_tgz(path, files):
    """Writes `files`, the contents of each name, as a compressed tar archive."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, data in files.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime = len(data), _epoch()
            archive.addfile(entry, io.BytesIO(data))
    pathlib.Path(path).write_bytes(gzip.compress(packed.getvalue(), 9, mtime=0))


def read(path):
    """Returns the contents of each file of an archive, without the folder that contains them all. Links are followed."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            files = {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}
    else:
        with tarfile.open(path) as archive:
            files = {member.name: archive.extractfile(member).read() for member in archive.getmembers() if not member.isdir()}
    return {name.partition("/")[2]: data for name, data in files.items()}
