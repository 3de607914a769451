"""A person labels by keyboard in a real browser, and the labels are in the store."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import Browser, Dialog, Page

from goldassay.analytics.connect import connect
from goldassay.review.app import About
from goldassay.review.opening import open_session
from goldassay.review.serve import serve_review
from goldassay.review.session import ReviewSession
from goldassay.store import open_store
from tests.review.review_store import SECRET, write_night

pytestmark = pytest.mark.browser


@pytest.fixture
def session(tmp_path: Path) -> ReviewSession:
    """Four answers to label; each holds a script tag."""
    return open_session(write_night(open_store(tmp_path / "store"), range(40)), "last", app="atlas", number=4)


@pytest.fixture
def address(session: ReviewSession) -> Iterator[str]:
    """The page, served."""
    told: list[str] = []
    servers: list[uvicorn.Server] = []
    ready = threading.Event()
    about = About("Is everything supported?", "Look closely.", ("added_claim", "other"))

    def on_ready(address: str) -> None:
        told.append(address)
        ready.set()

    more = {"about": about, "on_ready": on_ready, "on_server": servers.append}
    running = threading.Thread(target=serve_review, args=(session,), kwargs=more)
    running.start()
    assert ready.wait(30)
    yield told[0]
    servers[0].should_exit = True
    running.join(30)


class Noise:
    """What a page complained about, asked another host for, or popped up."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def listen(self, page: Page) -> None:
        """Write down everything from now on."""
        page.on("console", lambda message: self.lines.append(message.text))
        page.on("pageerror", lambda error: self.lines.append(str(error)))
        page.on("dialog", self._dialog)
        page.on("request", lambda request: self._request(request.url))

    def _dialog(self, dialog: Dialog) -> None:
        self.lines.append(dialog.message)
        dialog.dismiss()

    def _request(self, url: str) -> None:
        if not url.startswith("http://127.0.0.1:"):
            self.lines.append(url)


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[tuple[Page, list[str]]]:
    """The page, opened; and whatever it complained about or asked another host for."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    opened = context.new_page()
    noise = Noise()
    noise.listen(opened)
    opened.goto(address)
    opened.wait_for_selector("html[data-ready]")
    yield opened, noise.lines
    context.close()


def rows(session: ReviewSession) -> list[tuple]:
    """Labels in the order they were given."""
    with connect(session.store) as connection:
        sql = "SELECT record_id, outcome, category, comment, blind FROM labels ORDER BY labelled_at"
        return connection.execute(sql).fetchall()


def place(page: Page, number: int) -> None:
    """Wait for an answer to be shown."""
    page.wait_for_selector(f'html[data-place="{number}"]')


def test_three_answers_labelled_by_keyboard_are_in_the_store(page, session):
    """1 passes, 2 fails, 3 skips and goes on; the judge's words come after the label and not before."""
    opened, noise = page
    assert "token" not in opened.url
    assert SECRET not in opened.content()

    opened.keyboard.press("1")
    opened.wait_for_selector("#judge")
    assert SECRET in opened.inner_text("#judge")
    opened.keyboard.press("Enter")
    place(opened, 1)
    assert SECRET not in opened.content()
    opened.select_option("#category", "added_claim")
    opened.fill("#comment", "<img src=x onerror=alert(1)>")
    opened.keyboard.press("Enter")
    opened.keyboard.press("2")
    opened.wait_for_selector("#judge")
    opened.keyboard.press("ArrowRight")
    place(opened, 2)
    opened.keyboard.press("3")
    place(opened, 3)

    names = [item.record.record_id for item in session.items]
    assert rows(session) == [
        (names[0], "pass", None, "", True),
        (names[1], "fail", "added_claim", "<img src=x onerror=alert(1)>", True),
        (names[2], "skip", None, "", True),
    ]
    assert opened.inner_text("#count") == "4 of 4 · 3 labelled"
    assert noise == []


def test_a_slip_is_taken_back_and_a_restart_goes_on(page, session, address):
    """`u` takes the label back; after a reload the page stands at the first answer without one."""
    opened, noise = page
    opened.keyboard.press("2")
    opened.wait_for_selector("#judge")
    opened.keyboard.press("u")
    opened.wait_for_selector('html[data-done="0"]')
    assert [row[1] for row in rows(session)] == ["fail", "skip"]
    opened.keyboard.press("1")
    opened.wait_for_selector('html[data-done="1"]')

    opened.goto(address)
    opened.wait_for_selector("html[data-ready]")

    place(opened, 1)
    assert opened.inner_text("#count") == "2 of 4 · 1 labelled"
    assert noise == []


def test_all_labelled_says_what_comes_next(page, session):
    """The last Enter leads to the end, and back again."""
    opened, _ = page
    for number in range(4):
        place(opened, number)
        opened.keyboard.press("1")
        opened.wait_for_selector(f'html[data-done="{number + 1}"]')
        opened.keyboard.press("Enter")

    opened.wait_for_selector(".done")
    assert "goldassay calibrate" in opened.inner_text(".done")
    opened.keyboard.press("ArrowLeft")
    place(opened, 3)
    assert len(rows(session)) == 4


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_all_of_it(page, scheme):
    """At 400 pixels nothing runs out of the page, and the labels stay in reach."""
    opened, _ = page
    opened.emulate_media(color_scheme=scheme)
    opened.set_viewport_size({"width": 400, "height": 800})
    opened.click("[data-say=fail]")
    opened.wait_for_selector("#judge")

    assert opened.evaluate("document.documentElement.scrollWidth") <= 400
    for button in opened.query_selector_all("[data-say]"):
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 40
        assert box["y"] + box["height"] <= 800


def test_a_label_that_could_not_be_kept_says_so(page, session, monkeypatch):
    """The page stays, and does not claim a label that is not in the store."""
    opened, _ = page

    def full(_labels):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(session.store, "add_labels", full)
    opened.keyboard.press("1")
    opened.wait_for_selector("#told.fail")

    assert opened.inner_text("#told").startswith("Not kept:")
    assert opened.inner_text("#count") == "1 of 4 · 0 labelled"
