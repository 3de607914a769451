"""The documentation tells the truth: links lead somewhere, commands exist, and nothing names one machine."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from goldassay.cli.app import _COMMANDS
from goldassay.rules.registry import RULES
from tests.docs.settings_page import settings_page

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")])
_LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")
_COMMAND = re.compile(r"(?:^|[`(\s])goldassay ([a-z][a-z-]*)\b")
_NO_COMMANDS = {
    "is",
    "and",
    "has",
    "does",
    "says",
    "can",
    "reads",
    "the",
    "itself",
    "wrote",
    "in",
    "with",
    "to",
    "must",
}


def _name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_every_link_leads_somewhere(page):
    """A newcomer finds the way from the README to any stage."""
    for target in _LINK.findall(page.read_text(encoding="utf-8")):
        if "://" not in target and not target.startswith("mailto:"):
            assert (page.parent / target).exists(), f"{_name(page)} links to {target}"


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_every_command_named_exists(page):
    """A command that was renamed is renamed in the docs too."""
    known = {name for commands in _COMMANDS.values() for name in commands}
    text = page.read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"`[^`\n]+`", text) + re.findall(r"(?m)^ {4}.*$", text))

    for command in _COMMAND.findall(code):
        assert command in known | _NO_COMMANDS, f"{_name(page)} names: goldassay {command}"


def test_every_rule_has_its_row():
    """docs/rules.md names each rule."""
    text = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")

    for rule in RULES:
        assert f"`{rule}`" in text, rule


def test_every_page_of_docs_is_reached_from_the_readme():
    """Two steps from the README to any page."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")

    for page in (ROOT / "docs").glob("*.md"):
        assert f"docs/{page.name}" in text, page.name


def test_no_file_names_a_machines_path_or_a_package_index():
    """What is tracked works on any machine."""
    tracked = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split("\0")
    if not any(tracked):
        pytest.skip("this copy of the project is no checkout")
    folders = "tmp|work|farm|root|home"
    path_of_one_machine = rf"(?:^|[^A-Za-z0-9._~-])/(?:{folders})/[A-Za-z0-9._-]+"
    pattern = re.compile(rf"{path_of_one_machine}|--(?:extra-)?index-url|https?://[^ )\"]+\.whl\b")
    for name in tracked:
        path = ROOT / name
        if name and path.is_file() and path.suffix in {".py", ".md", ".toml", ".yaml", ".sh", ".txt", ".sql", ""}:
            if path.resolve() == Path(__file__).resolve():
                continue
            found = pattern.search(path.read_text(encoding="utf-8", errors="replace"))
            assert found is None, f"{name}: {found}"


def test_the_page_of_settings_is_what_the_models_say():
    """A setting without its meaning, or one that was renamed, would mislead; make docs writes the page anew."""
    page = settings_page()

    assert (ROOT / "docs" / "settings.md").read_text(encoding="utf-8") == page
    bare = [line for line in page.splitlines() if line.startswith("| `") and line.endswith("|  |")]
    assert bare == []
