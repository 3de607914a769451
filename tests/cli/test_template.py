"""``goldassay init`` and ``init --update``: what a project owns, and what an upgrade of the library does to it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from goldassay import __version__
from goldassay.cli import template
from goldassay.cli.app import run_command as main
from goldassay.cli.owned import look_at_own
from goldassay.cli.template import STAMP, compare, shipped_files

ROOT = Path(__file__).resolve().parents[2]
FILE = "flows/freshness.py"


@pytest.fixture
def owned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project that `init` has just written; the current folder of the test."""
    monkeypatch.chdir(tmp_path)
    assert main(["init", ".", "--app", "mine"]) == 0
    return tmp_path


def _ship(monkeypatch: pytest.MonkeyPatch, **changed: bytes | None) -> None:
    """A later version of the library, which ships other files."""
    shipped = {**shipped_files(), **{name.replace("__", "/") + ".py": content for name, content in changed.items()}}
    kept = {name: content for name, content in shipped.items() if content is not None}
    monkeypatch.setattr(template, "shipped_files", lambda: kept)


def _states(folder: Path) -> dict[str, str]:
    return {one.path: one.state for one in compare(folder) if one.state != "same"}


def test_a_new_project_is_stamped_and_as_new_as_the_library(owned):
    """The stamp names the version and every file that was written."""
    stamp = json.loads((owned / STAMP).read_text(encoding="utf-8"))

    assert stamp["version"] == __version__
    assert set(stamp["files"]) == set(shipped_files())
    assert _states(owned) == {}
    assert {finding.level for finding in look_at_own(owned)} == {"ok"}


def test_a_file_nobody_has_edited_is_refreshed(owned, monkeypatch, capsys):
    """And one that is new is written; a dry run says so and writes nothing."""
    _ship(monkeypatch, flows__freshness=b"# newer\n", tasks__brand_new=b"# new\n")

    assert main(["init", "--update", "--dry-run"]) == 0
    assert f"{FILE}: would be refreshed" in capsys.readouterr().out
    assert (owned / FILE).read_bytes() != b"# newer\n"
    assert main(["init", "--update"]) == 0

    assert (owned / FILE).read_bytes() == b"# newer\n"
    assert (owned / "tasks" / "brand_new.py").read_bytes() == b"# new\n"
    assert _states(owned) == {}


def test_an_edited_file_is_kept_and_the_new_one_lies_beside_it(owned, monkeypatch, capsys):
    """Nobody's work is lost, and the next look is quiet about it."""
    (owned / FILE).write_text("# mine\n", encoding="utf-8")
    _ship(monkeypatch, flows__freshness=b"# newer\n")

    main(["init", "--update"])

    assert "kept: you have edited it; the new one is beside it" in capsys.readouterr().out
    assert (owned / FILE).read_text(encoding="utf-8") == "# mine\n"
    assert (owned / f"{FILE}.new").read_bytes() == b"# newer\n"
    assert _states(owned) == {FILE: "edited"}


def test_a_file_that_is_shipped_no_more_goes_unless_it_was_edited(owned, monkeypatch):
    """A renamed module must not stay behind and be imported."""
    (owned / "flows" / "calibration.py").write_text("# mine\n", encoding="utf-8")
    _ship(monkeypatch, flows__freshness=None, flows__calibration=None)

    main(["init", "--update"])

    assert not (owned / FILE).exists()
    assert (owned / "flows" / "calibration.py").exists()


def test_settings_and_golden_set_are_never_touched(owned):
    """They are the owner's from the first day."""
    (owned / "goldassay.toml").write_text('app = "other"\n', encoding="utf-8")

    main(["init", "--update"])
    main(["init"])

    assert (owned / "goldassay.toml").read_text(encoding="utf-8") == 'app = "other"\n'
    assert not {"goldassay.toml", "golden.yaml"} & set(json.loads((owned / STAMP).read_text(encoding="utf-8"))["files"])


def test_doctor_says_that_flows_do_not_load_and_which_files_are_older(owned, capsys):
    """A module that the library renamed breaks every night; doctor finds it on the day of the upgrade."""
    text = (owned / "tasks" / "report.py").read_text(encoding="utf-8")
    (owned / "tasks" / "report.py").write_text(
        text.replace("goldassay.stages.planning", "goldassay.stages.gone"), encoding="utf-8"
    )
    stamp = json.loads((owned / STAMP).read_text(encoding="utf-8"))
    stamp["files"][FILE] = "0" * 64
    (owned / STAMP).write_text(json.dumps({**stamp, "version": "0.0.9"}), encoding="utf-8")

    findings = list(look_at_own(owned))

    broken = [finding.text for finding in findings if finding.level == "problem"]
    assert any(
        "flows/nightly.py: ModuleNotFoundError: No module named 'goldassay.stages.gone'" in one for one in broken
    )
    assert all("goldassay init --update" in one for one in broken)
    assert not any("freshness" in one for one in broken)
    assert [f.level for f in findings if f.about == "template"] == ["ok"]  # same bytes as shipped: nothing to refresh


def test_a_project_without_a_stamp_is_told_what_differs(owned):
    """One from before the stamp, or without it: whatever differs counts as edited."""
    (owned / STAMP).unlink()
    (owned / FILE).write_text("# another\n", encoding="utf-8")

    (finding,) = (one for one in look_at_own(owned) if one.about == "template")

    assert finding.level == "warning"
    assert FILE in finding.text
    assert "an unknown version" in finding.text


@pytest.mark.parametrize(
    ("words", "said"),
    [(["init", "empty", "--update"], "owns no flows"), (["init", "--dry-run"], "belongs to --update")],
)
def test_a_wrong_use_is_one_message(tmp_path, monkeypatch, capsys, words, said):
    """Nothing to update, or nothing to try."""
    monkeypatch.chdir(tmp_path)

    assert main(words) == 2
    assert said in capsys.readouterr().err
