"""Lays out a real OpenSearch node and DynamoDB Local from Maven artifacts: `python -m tests.engines.servers.install`.

Needs a JDK of 17 or later and Maven; no Docker, no root. Every file is checked against `artefacts.sha256`, which `lock`
after the command writes anew. Half a minute and 130 MB in `build/engines`; nothing is done when it is there already.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path

HERE = Path(__file__).resolve().parent
INSTALLED = HERE.parents[2] / "build" / "engines"
LOCK = HERE / "artefacts.sha256"
OPENSEARCH = "2.19.1"
MODULES = {
    "transport-netty4": (
        "org.opensearch.transport.Netty4Plugin", ("transport-netty4-client-*", "netty-*"), ""
    ),
    "lang-painless": (
        "org.opensearch.painless.PainlessPlugin",
        ("lang-painless-*", "asm-*", "antlr4-runtime-*", "opensearch-scripting-painless-spi-*"), "",
    ),
    "analysis-common": (
        "org.opensearch.analysis.common.CommonAnalysisPlugin", ("analysis-common-*",), "lang-painless"
    ),
    "reindex": (
        "org.opensearch.index.reindex.ReindexPlugin",
        ("reindex-client-*", "opensearch-rest-client-*", "opensearch-ssl-config-*", "http*", "commons-codec-*",
         "commons-logging-*"), "",
    ),
}  # fmt: skip
"""Module → its class, the files that are its own, the modules it extends, as in a distribution of OpenSearch."""
PLUGINS = {"opensearch-knn": f"opensearch-knn-{OPENSEARCH}.0.zip", "neural-search": f"neural-search-{OPENSEARCH}.0.zip"}


def main(arguments: Sequence[str]) -> None:
    """Install, or with `lock` write down what was fetched. Ends with what is missing, if anything is."""
    missing = [tool for tool in ("java", "javac", "mvn") if shutil.which(tool) is None]
    if missing:
        raise SystemExit(f"{', '.join(missing)} is missing: install a JDK of 17 or later and Maven")
    if is_installed() and "lock" not in arguments:
        return
    shutil.rmtree(INSTALLED, ignore_errors=True)
    for name in ("opensearch", "dynamodb"):
        _fetch(name)
    if "lock" in arguments:
        LOCK.write_text("".join(f"{line}\n" for line in _digests()))
    if list(_digests()) != LOCK.read_text().splitlines():
        raise SystemExit(f"what Maven fetched is not what {LOCK.name} says; nothing of it was started")
    _assemble(INSTALLED / "opensearch")
    _compile("opensearch", "OpenSearchNode", INSTALLED / "opensearch" / "home" / "lib")
    _compile("dynamodb", "DynamoDbLocal", INSTALLED / "dynamodb" / "fetched")
    (INSTALLED / "made-of").write_text(_source())


def is_installed() -> bool:
    """Whether the servers are there, made of the files beside this one, and can be started."""
    made_of = INSTALLED / "made-of"
    return shutil.which("java") is not None and made_of.is_file() and made_of.read_text() == _source()


def _source() -> str:
    files = sorted(
        path for path in HERE.rglob("*") if path.suffix in {".java", ".xml", ".sha256"} or path.name == "install.py"
    )
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def _fetch(name: str) -> None:
    target = INSTALLED / name / "fetched"
    goal = ["dependency:copy-dependencies", "-DincludeScope=runtime", f"-DoutputDirectory={target}"]
    subprocess.run(["mvn", "-q", "-B", "-ntp", "-f", str(HERE / name / "pom.xml"), *goal], check=True)


def _digests() -> Iterator[str]:
    """SHA-256 and name of every file that was fetched, as `sha256sum` writes them."""
    for path in sorted(INSTALLED.glob("*/fetched/*")):
        yield f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(INSTALLED)}"


def _assemble(folder: Path) -> None:
    """The layout of a distribution: what is no module's and no plugin's is a library."""
    fetched, home = folder / "fetched", folder / "home"
    left = {path.name for path in fetched.iterdir()}
    for name, (main_class, patterns, extended) in MODULES.items():
        own = {file for file in left if any(fnmatch(file, pattern) for pattern in patterns)}
        _link(fetched, own, home / "modules" / name)
        left -= own
        lines = (
            f"name={name}", f"description={name}", f"version={OPENSEARCH}", f"opensearch.version={OPENSEARCH}",
            "java.version=11", f"classname={main_class}", f"extended.plugins={extended}",
        )  # fmt: skip
        (home / "modules" / name / "plugin-descriptor.properties").write_text("\n".join(lines))
    for name, archive in PLUGINS.items():
        with zipfile.ZipFile(fetched / archive) as content:
            content.extractall(home / "plugins" / name)
        left.discard(archive)
    _link(fetched, left, home / "lib")
    (home / "config").mkdir()


def _link(source: Path, names: set[str], target: Path) -> None:
    target.mkdir(parents=True)
    for name in names:
        os.link(source / name, target / name)


def _compile(name: str, program: str, libraries: Path) -> None:
    classes = INSTALLED / name / "classes"
    command = [
        "javac",
        "--release",
        "17",
        "-cp",
        f"{libraries}/*",
        "-d",
        str(classes),
        str(HERE / name / f"{program}.java"),
    ]
    subprocess.run(command, check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
