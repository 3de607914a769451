"""``goldassay review``: read answers in the browser and label them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from goldassay.cli.project import Where, open_project

if TYPE_CHECKING:
    from goldassay.review.app import About
    from goldassay.verdicts import Verdict

_HERE = Where()


def review(
    *,
    run: Annotated[str, Parameter(help="Run id, or the beginning of one, or 'last'.")] = "last",
    check: Annotated[
        str | None, Parameter(help="Criterion or rule to label; default: faithful, else the judge's first.")
    ] = None,
    number: Annotated[int, Parameter(help="Answers in all; those labelled before count.")] = 30,
    labeller: Annotated[str, Parameter(name="--as", help="Your name or initials, kept with each label.")] = "me",
    first: Annotated[
        Literal["mixed", "flagged"],
        Parameter(help="'flagged': answers with a flag, an error or a doubt come first, as half of all."),
    ] = "mixed",
    port: Annotated[int, Parameter(help="Port on this machine; 0: any free one.")] = 0,
    browser: Annotated[bool, Parameter(help="Open the page in the browser.")] = True,
    where: Where = _HERE,
) -> int:
    """A page on this machine: read an answer and its sources, say pass or fail, then see what the judge said."""
    from goldassay.review.opening import open_session
    from goldassay.review.serve import serve_review

    project = open_project(where)
    session = open_session(
        project.existing_store(), run,
        app=project.settings.app, check=check, number=number, labeller=labeller, first=first,
    )  # fmt: skip
    about = _about(session.items[0].verdict, project.folder)
    serve_review(session, port=port, about=about, on_ready=lambda address: _tell(address, browser=browser))
    return 0


def _about(verdict: Verdict, folder: Path) -> About:
    """The criterion as the judge was asked, where its rubric is still there."""
    from goldassay.errors import ConfigError
    from goldassay.judging import load_rubric
    from goldassay.review.app import About

    if verdict.rubric is None:
        return About()
    try:
        rubric = load_rubric(
            verdict.rubric, version=verdict.rubric_version, folders=(folder / "config" / "rubrics", folder / "rubrics")
        )
        criterion = rubric.criterion(verdict.check)
    except (ConfigError, KeyError):
        return About()
    guidance = "\n\n".join(part for part in (criterion.guidance, criterion.refusal) if part)
    return About(criterion.question, guidance, tuple(category.value for category in criterion.categories))


def _tell(address: str, *, browser: bool) -> None:
    import sys
    import threading
    import webbrowser

    sys.stderr.write(f"goldassay: the page is at\n  {address}\nLabels are kept at once. Stop with Ctrl-C.\n")
    sys.stderr.flush()
    if browser:
        # A text browser comes back only when it is closed, and the page would wait for it.
        threading.Thread(target=webbrowser.open, args=(address,), name="open the browser", daemon=True).start()
