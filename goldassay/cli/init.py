"""``goldassay init``: a project of one's own, and its refreshing after an upgrade of the library."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from goldassay import __version__
from goldassay.cli.project import shipped_template
from goldassay.cli.template import (
    STAMP,
    FileState,
    compare,
    digest,
    read_stamp,
    shipped_files,
    update,
    write_file,
    write_stamp,
)
from goldassay.errors import ConfigError

_GITIGNORE = "# written by goldassay init\n.goldassay/\nlogs/\nstore/\n__pycache__/\n*.new\n"
_SAID = {
    "outdated": "refreshed",
    "missing": "written",
    "removed": "removed: it is shipped no more",
    "conflict": "kept: you have edited it; the new one is beside it as .new",
    "edited": "kept: you have edited it",
}
_WOULD = {
    "outdated": "would be refreshed",
    "missing": "would be written",
    "removed": "would be removed: it is shipped no more",
    "conflict": "would be kept: you have edited it; the new one would lie beside it as .new",
    "edited": "would be kept: you have edited it",
}


def init(
    folder: Annotated[Path, Parameter(help="Folder to write into; made if it is not there.")] = Path(),
    /,
    *,
    app: Annotated[str | None, Parameter(help="Name of your assistant; default: the folder's name.")] = None,
    refresh: Annotated[
        bool,
        Parameter(
            name="--update",
            help="After an upgrade: refresh the files of the project that you have not edited.",
            negative=(),
        ),
    ] = False,
    dry_run: Annotated[bool, Parameter(help="With --update: say what differs, and stop.", negative=())] = False,
) -> int:
    """Write a project to own: goldassay.toml, golden.yaml, rubrics, flows and deployments. Existing files stay."""
    if dry_run and not refresh:
        raise ConfigError("--dry-run belongs to --update: goldassay init --update --dry-run")
    if refresh:
        return _refresh(folder, dry_run=dry_run)
    folder.mkdir(parents=True, exist_ok=True)
    if not folder.is_dir():
        raise ConfigError(f"{str(folder)!r} is no folder. Name another one.")
    (folder / "logs").mkdir(exist_ok=True)
    written = _write_template(folder)
    written += _own_files(folder, app or folder.resolve().name or "app")
    sys.stdout.write(_told(folder, len(written)))
    return 0


def _write_template(folder: Path) -> list[Path]:
    shipped, stamp = shipped_files(), read_stamp(folder)
    written = [path for name, content in shipped.items() for path in _write(folder / name, content)]
    # Of a file that was there before, the stamp keeps what it knew; one it does not know counts as edited.
    new = {name: digest(content) for name, content in shipped.items() if folder / name in written}
    if new or not stamp.version:
        write_stamp(folder, {**stamp.files, **new})
    return written


def _own_files(folder: Path, app: str) -> list[Path]:
    config = shipped_template() / "config"
    settings = (config / "goldassay.toml").read_text(encoding="utf-8")
    named = settings.replace('app = "atlas"', f'app = "{app}"'.replace("\\", "/"), 1)
    return [
        *_write(folder / "goldassay.toml", named.encode()),
        *_write(folder / "golden.yaml", (config / "golden.yaml").read_bytes()),
        *_write(folder / ".gitignore", _GITIGNORE.encode()),
    ]


def _write(path: Path, content: bytes) -> list[Path]:
    if path.exists():
        return []
    write_file(path, content)
    return [path]


def _told(folder: Path, written: int) -> str:
    step = f"cd {folder} && " if folder != Path() else ""
    return (
        f"wrote {written} files into {folder.resolve().name}/ (existing ones stay as they are)\n\n"
        "Next:\n"
        f"  1. {step}edit goldassay.toml: where your answers are, which judge to ask\n"
        "  2. goldassay doctor         is the log read as you meant, is everything there?\n"
        "  3. goldassay check          rules only, in seconds\n"
        "  4. goldassay run            one night, now\n"
        "  5. goldassay deploy         every night, by itself\n"
    )


def _refresh(folder: Path, *, dry_run: bool) -> int:
    if not (folder / "flows").is_dir() or not (folder / "tasks").is_dir():
        raise ConfigError(
            f"{str(folder)!r} owns no flows and tasks, so there is nothing to update. Write them: goldassay init"
        )
    before = read_stamp(folder).version or "unknown"
    states = compare(folder) if dry_run else update(folder)
    sys.stdout.write(_refreshed(states, before, _WOULD if dry_run else _SAID))
    return 0


def _refreshed(states: Sequence[FileState], before: str, words: dict[str, str]) -> str:
    lines = [f"template {before} -> {__version__} ({STAMP})"]
    lines += [f"  {one.path}: {words[one.state]}" for one in states if one.state in words]
    if len(lines) == 1:
        lines.append("  every file is as this version ships it")
    return "\n".join(lines) + "\n"
