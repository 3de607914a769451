"""``goldassay compare``: what its sides may be, what it writes, and how both sides are graded alike first."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from goldassay.cli import main, rejudging


def _runs(capsys) -> tuple[str, str]:
    main(["query", "SELECT run_id FROM runs ORDER BY run_at", "--format", "csv"])
    first, second = capsys.readouterr().out.split()[1:]
    return first, second


def test_sides_may_be_values_of_any_version_column(project, capsys) -> None:
    """Two models are found without being told that they are models."""
    main(["query", "SELECT DISTINCT model FROM answers ORDER BY 1", "--format", "csv"])
    models = capsys.readouterr().out.split()[1:]

    main(["compare", *models])

    assert "by model" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["c.html", "c.md", "c.xml"])
def test_a_comparison_of_runs_is_written_by_ending(project, capsys, name) -> None:
    """The page is the head's own, against the base."""
    assert main(["compare", *_runs(capsys), "-o", name]) in {0, 1}

    text = (project / name).read_text(encoding="utf-8")
    assert len(text) > 1000
    assert "may not fall" in text or "no fall is proven" in text


def test_a_comparison_of_versions_is_a_page_of_its_own(project) -> None:
    """Versions are many runs, and a page of a run is of one: this one has the questions that changed."""
    assert main(["compare", "2026.10.1", "2026.11.0", "-o", "c.html"]) in {0, 1}

    text = (project / "c.html").read_text(encoding="utf-8")
    assert "<title>2026.10.1 → 2026.11.0: comparison by app version</title>" in text
    assert "how long may a ride be with the annual pass" in text
    assert "<script" not in text


def test_an_unknown_ending_is_a_message(project, capsys) -> None:
    """It names those that are known."""
    assert main(["compare", "2026.10.1", "2026.11.0", "-o", "c.txt"]) == 2
    assert "not '.txt'" in capsys.readouterr().err


@pytest.mark.parametrize(("given", "shown"), [("0.02", "0.02"), ("2%", "0.02"), ("50 %", "0.5")])
def test_an_allowance_is_a_share_or_a_percentage(project, capsys, given, shown) -> None:
    """As conditions of --fail-on take both."""
    main(["compare", "2026.10.1", "2026.11.0", "--max-drop", given, "--verbose"])

    assert f"whole answers may fall by {shown} at most" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("words", [["--max-drop=-1"], ["--max-drop=much"], ["--min-questions=-1"]])
def test_a_gate_that_cannot_be_set_so_is_a_message(project, capsys, words) -> None:
    """No traceback, and not the exit code of a gate that failed."""
    assert main(["compare", "2026.10.1", "2026.11.0", *words]) == 2
    assert "the gate cannot be set so" in capsys.readouterr().err


def test_the_accepted_run_is_called_baseline(project, capsys) -> None:
    """On either side."""
    first, second = _runs(capsys)
    main(["accept", first])
    capsys.readouterr()

    main(["compare", "baseline", second])
    assert f"{first} " in capsys.readouterr().out
    main(["compare", second, "baseline"])
    assert f"{second} " in capsys.readouterr().out


def test_rejudge_grades_before_it_compares(project, capsys, monkeypatch) -> None:
    """The option reaches the flow, with the settings given here."""
    _, second = _runs(capsys)
    asked: list[dict[str, object]] = []

    def run_flow(_project: object, _name: str, parameters: dict[str, object]) -> dict[str, object]:
        asked.append(parameters)
        return {"run_id": parameters["run"]}

    monkeypatch.setattr(rejudging, "run_flow", run_flow)
    main(["compare", "2026.10.1", second, "--by", "app_version", "--rejudge"])
    assert asked == []
    assert "no verdict with app_version" in capsys.readouterr().err

    main(["compare", "2026.10.1", "2026.11.0", "--rejudge", "--set", "judge.model=j"])
    assert asked[0]["settings"] == ["judge.model=j"]


class _Judge:
    """Stands for the flow that judges a run again, and for the comparison."""

    def __init__(self, *differ: bool) -> None:
        self.differ = list(differ)
        self.judged: list[str] = []
        self.compared: list[tuple[str | None, ...]] = []

    def run_flow(self, _project: object, name: str, asked: dict[str, object]) -> dict[str, object]:
        assert name == "rejudge"
        self.judged.append(str(asked["run"]))
        return {"run_id": f"again-{asked['run']}"}

    def build(self, *sides: str | None) -> SimpleNamespace:
        self.compared.append(sides)
        return SimpleNamespace(rejudge_command="compare" if self.differ.pop(0) else None)


@pytest.mark.parametrize(
    ("by", "differ", "judged", "last"),
    [
        ("run", (True, False), ["a"], ("again-a", "b", None, None)),
        ("run", (True, True, False), ["a", "b"], ("again-a", "again-b", None, None)),
        ("model", (True, False), ["run-of-a"], ("a", "b", "again-run-of-a", None)),
        ("model", (True, True, False), ["run-of-a", "run-of-b"], ("a", "b", "again-run-of-a", "again-run-of-b")),
    ],
)
def test_both_sides_are_graded_alike(monkeypatch, by, differ, judged, last) -> None:
    """The base is judged again, the head only where it was graded otherwise; versions stay versions."""
    judge = _Judge(*differ)
    project = SimpleNamespace(existing_store=lambda: None, settings=SimpleNamespace(app="atlas"), overrides=())
    monkeypatch.setattr(rejudging, "run_flow", judge.run_flow)
    monkeypatch.setattr(
        "goldassay.analytics.labels.newest_run_with", lambda _store, _by, side, *, app: f"run-of-{side}"
    )

    rejudging.compare_rejudged(project, "a", "b", by, judge.build)  # type: ignore[arg-type]  # what it uses of them

    assert judge.judged == judged
    assert judge.compared[0] == ("a", "b", None, None)
    assert judge.compared[-1] == last
