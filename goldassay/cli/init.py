"""``goldassay init``: a project of one's own."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from goldassay.cli.project import shipped_template
from goldassay.errors import ConfigError

_PARTS = ("flows", "tasks", "config", "deployments")
_AT_THE_TOP = frozenset({"goldassay.toml", "golden.yaml"})
"""Written once, beside the folders: a second copy in config/ would be read by nobody and edited by somebody."""
_GITIGNORE = "# written by goldassay init\n.goldassay/\nlogs/\nstore/\n__pycache__/\n"


def init(
    folder: Annotated[Path, Parameter(help="Folder to write into; made if it is not there.")] = Path(),
    /,
    *,
    app: Annotated[str | None, Parameter(help="Name of your assistant; default: the folder's name.")] = None,
) -> int:
    """Write a project to own: goldassay.toml, golden.yaml, rubrics, flows and deployments. Existing files stay."""
    template = shipped_template()
    folder.mkdir(parents=True, exist_ok=True)
    if not folder.is_dir():
        raise ConfigError(f"{str(folder)!r} is no folder. Name another one.")
    (folder / "logs").mkdir(exist_ok=True)
    written = [path for part in _PARTS for path in _copy_tree(template / part, folder / part)]
    written += _own_files(template, folder, app or folder.resolve().name or "app")
    sys.stdout.write(_told(folder, written))
    return 0


def _copy_tree(source: Path, target: Path) -> list[Path]:
    written = []
    for path in sorted(source.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts and path.name not in _AT_THE_TOP:
            written += _write(target / path.relative_to(source), path.read_bytes())
    return written


def _own_files(template: Path, folder: Path, app: str) -> list[Path]:
    settings = (template / "config" / "goldassay.toml").read_text(encoding="utf-8")
    named = settings.replace('app = "atlas"', f'app = "{app}"'.replace("\\", "/"), 1)
    golden = (template / "config" / "golden.yaml").read_bytes()
    return [
        *_write(folder / "goldassay.toml", named.encode()),
        *_write(folder / "golden.yaml", golden),
        *_write(folder / ".gitignore", _GITIGNORE.encode()),
    ]


def _write(path: Path, content: bytes) -> list[Path]:
    if path.exists():
        return []
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        raise ConfigError(f"{str(path)!r} cannot be written: {error.strerror}. Name another folder.") from error
    shutil.copymode(__file__, path)
    return [path]


def _told(folder: Path, written: list[Path]) -> str:
    step = f"cd {folder} && " if folder != Path() else ""
    return (
        f"wrote {len(written)} files into {folder.resolve().name}/ (existing ones stay as they are)\n\n"
        "Next:\n"
        f"  1. {step}edit goldassay.toml: where your answers are, which judge to ask\n"
        "  2. goldassay check          rules only, in seconds\n"
        "  3. goldassay doctor         is everything reachable?\n"
        "  4. goldassay run            one night, now\n"
        "  5. goldassay deploy         every night, by itself\n"
    )
