"""Finds the project a command works on, and the flows, tasks and settings that belong to it.

A project is the folder of a goldassay.toml. Where it owns flows/, tasks/ and config/
(`goldassay init` writes them out), those run; elsewhere the shipped ones do. They are
loaded by path, so that nothing generic such as `config` ever lies in site-packages.
"""

from __future__ import annotations

import importlib
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from goldassay.errors import ConfigError

if TYPE_CHECKING:
    from goldassay.store import Store

__all__ = ["Project", "Where", "open_project", "shipped_template"]

_OWN_PARTS = ("flows", "tasks", "config")


@Parameter(name="*")
@dataclass(frozen=True)
class Where:
    """The options every command shares."""

    project: Annotated[
        Path | None, Parameter(help="Folder of goldassay.toml. Default: the nearest one, from here upwards.")
    ] = None
    settings: Annotated[
        list[str],
        Parameter(
            name="--set", negative=(), help="Override one setting, e.g. --set judge.model=judge-large. May be repeated."
        ),
    ] = field(default_factory=list)


@dataclass(frozen=True)
class Project:
    """A folder with settings, and where its flows, tasks and config come from."""

    folder: Path
    """Relative paths in the settings start here."""
    template: Path
    """Folder that holds flows/, tasks/ and config/."""
    overrides: tuple[str, ...]
    """``name=value`` texts from ``--set``."""
    settings: Any
    """The checked `config.settings.Settings`."""

    def open_store(self) -> Store:
        """The project's store."""
        store: Store = self.module("tasks.project").open_project_store(self.settings, self.folder)
        return store

    def existing_store(self) -> Store:
        """The project's store, for commands that only read it.

        Raises:
            ConfigError: If this is no project and there is no store either: mostly the wrong folder.
        """
        is_here = "://" in self.settings.store or (self.folder / self.settings.store).exists()
        if not is_here:
            self._must_be_one("no store")
        return self.open_store()

    def must_name_a_log(self) -> None:
        """Refuse to begin a run in a folder that is no project, before Prefect is started for it.

        Raises:
            ConfigError: There is no goldassay.toml, and no variable or --set names a log either.
        """
        if not self.settings.answers.path and not self.settings.answers.reads_sql:
            self._must_be_one("no log is named (answers.path)")

    def _must_be_one(self, missing: str) -> None:
        if not (self.folder / "goldassay.toml").is_file():
            raise ConfigError(
                f"no goldassay.toml in {str(self.folder)!r} or above it, and {missing}. Go into your project "
                "(the demo's is demo-out), or name it: --project FOLDER"
            )

    def flow(self, name: str) -> Any:
        """The Prefect flow `name` of flows/<name>.py."""
        _put_first(self.template / "flows")
        return getattr(importlib.import_module(name), name)

    def module(self, name: str) -> Any:
        """A module of the template, e.g. 'tasks.judge'."""
        return importlib.import_module(name)


def shipped_template() -> Path:
    """Folder of the shipped flows/, tasks/, config/ and deployments/: inside the wheel, or the checkout itself."""
    package = Path(__file__).resolve().parents[1]
    inside = package / "_project"
    return inside if inside.is_dir() else package.parent


def open_project(where: Where) -> Project:
    """Finds the project and reads its settings.

    Raises:
        ConfigError: If the named folder does not exist, or a setting is wrong.
    """
    if where.project is not None and not where.project.is_dir():
        raise ConfigError(f"no such folder: --project {str(where.project)!r}. Name a folder that holds goldassay.toml.")
    start = (where.project or Path.cwd()).resolve()
    folder = start if where.project is not None else _nearest(start)
    template = _template_of(folder)
    _put_first(template)
    loaded = importlib.import_module("config.settings")
    _refuse_foreign(loaded, template)
    settings = loaded.load_settings(folder, overrides=where.settings)
    return Project(folder=folder, template=template, overrides=tuple(where.settings), settings=settings)


def _nearest(start: Path) -> Path:
    return next((folder for folder in (start, *start.parents) if (folder / "goldassay.toml").is_file()), start)


def _template_of(folder: Path) -> Path:
    owns = all((folder / part).is_dir() for part in _OWN_PARTS) and (folder / "config" / "settings.py").is_file()
    return folder if owns else shipped_template()


def _put_first(folder: Path) -> None:
    text = str(folder)
    if text not in sys.path:
        sys.path.insert(0, text)


def _refuse_foreign(module: Any, template: Path) -> None:
    """Another package named `config` that was imported before would silently replace the project's own."""
    if not Path(str(module.__file__)).resolve().is_relative_to(template.resolve()):
        raise ConfigError(
            f"a module named 'config' was loaded from {module.__file__!r} instead of {str(template)!r}. "
            "Run goldassay in a process of its own."
        )
