#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""spdx.py FOLDER VERSION COMMIT SOURCES: writes FOLDER/SHA256SUMS, and FOLDER/pchr-VERSION.spdx.json in the format SPDX
2.3, which lists the packages in FOLDER, what each contains, and the licenses."""
import datetime
import hashlib
import json
import os
import pathlib
import re
import sys

import archive
import contents

folder, version, commit, sources = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3], pathlib.Path(sys.argv[4])
KINDS = [("deb", f"pchr-tool_{version}_*.deb"), ("tar", f"pchr-{version}-linux-*.tar.gz"), ("zip", f"pchr-{version}-*.zip"),
         ("npm", f"pchr-player-{version}.tgz"), ("blender", f"pchr-blender-{version}.zip"), ("godot", f"pchr-godot-{version}.zip"),
         ("wheel", f"pchr-{version}-*.whl"), ("nuget", f"pchr.{version}.nupkg"), ("unity", f"pchr-unity-{version}.tgz"),
         ("source", f"pchr-{version}-source.tar.gz")]


def identifier(*parts):
    return "SPDXRef-" + re.sub("[^A-Za-z0-9.]+", "-", "-".join(parts))


packages, relationships, sums = [], [], []
for kind, pattern in KINDS:
    for path in sorted(folder.glob(pattern)):
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        sums.append(f"{digest}  {path.name}\n")
        package = identifier("Package", kind)
        packages.append({
            "SPDXID": package,
            "name": {"npm": "pchr-player", "blender": "pchr-blender", "godot": "pchr-godot", "deb": "pchr-tool"}.get(kind, "pchr"),
            "versionInfo": version, "packageFileName": path.name, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "checksums": [{"algorithm": "SHA256", "checksumValue": digest}], "supplier": "NOASSERTION",
            "licenseConcluded": "NOASSERTION", "licenseDeclared": "MIT", "copyrightText": "NOASSERTION",
            "primaryPackagePurpose": "SOURCE" if kind == "source" else "APPLICATION",
            **({"sourceInfo": f"commit {commit}"} if commit else {})})
        relationships.append({"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                              "relatedSpdxElement": package})
        inside = "c_library" if kind in ("wheel", "nuget", "unity") else kind
        if inside in ("godot", "c_library"):
            inside = contents.variant(inside, archive.read(path))
        for component in contents.components(inside, sources):
            inside = identifier("Component", component.name)
            relationships.append({"spdxElementId": package, "relationshipType": "CONTAINS", "relatedSpdxElement": inside})
            if any(other["SPDXID"] == inside for other in packages):
                continue
            packages.append({
                "SPDXID": inside, "name": component.name, "versionInfo": component.version,
                "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "supplier": "Organization: Debian",
                "sourceInfo": f"Debian source package {component.source} {component.version}",
                "licenseConcluded": "NOASSERTION", "licenseDeclared": component.license, "copyrightText": "NOASSERTION",
                "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                  "referenceLocator": f"pkg:deb/debian/{component.source}@{component.version}?arch=source"}],
                "primaryPackagePurpose": "LIBRARY"})

created = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), datetime.timezone.utc)
# Unique for these packages.
namespace = hashlib.sha256("".join(sums).encode()).hexdigest()
document = {
    "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"pchr-{version}",
    "documentNamespace": f"https://spdx.org/spdxdocs/pchr-{version}-{namespace}",
    "creationInfo": {"created": created.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: pchr-package"]},
    "packages": packages, "relationships": relationships}
name = f"pchr-{version}.spdx.json"
text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
(folder / name).write_text(text)
sums.append(f"{hashlib.sha256(text.encode()).hexdigest()}  {name}\n")
(folder / "SHA256SUMS").write_text("".join(sums))
