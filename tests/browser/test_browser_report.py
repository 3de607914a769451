"""The HTML report in a real Chromium: opens from disk, loads nothing, filters, drills down, and runs no data."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldassay.analytics.history import history
from goldassay.reporting.html import render_html
from goldassay.reporting.html.history import history_html

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def report(three_nights, tmp_path_factory) -> Path:
    """The report of the third night."""
    store, run_id = three_nights
    return render_html(store, run_id, tmp_path_factory.mktemp("page") / "report.html")


def test_it_opens_from_disk_without_a_sound(report, open_page):
    """No console message, no request, no dialog; the figures of the run are there before any script."""
    page, noise = open_page(report)

    assert noise == []
    assert page.inner_text("h1").startswith("59 of 120 answers passed every gate check; 1 could not be judged, so the")
    assert page.inner_text("#checks tbody tr:first-child td.check") == "cites"
    assert page.locator(".trends svg.chart").count() == 5
    assert page.locator("#trend table.heat").count() == 1
    changes, checks = (page.locator(name).bounding_box()["y"] for name in ("#changes", "#checks"))
    assert changes < checks


def test_filters_narrow_the_list(report, open_page):
    """Outcome, check, reason, stratum and free text work together, and one click takes them back."""
    page, noise = open_page(report)
    count = page.locator("#count")
    assert count.inner_text() == "1–25 of 120"

    page.click("#outcomes button[data-outcome='fail']")
    assert count.inner_text() == "1–25 of 60"
    page.select_option("#stratum", "refunds")
    assert count.inner_text() == "1–20 of 20"
    page.select_option("#stratum", "")
    page.select_option("#check", "refusal")
    assert count.inner_text() == "1–20 of 20"
    page.click("#clear")
    page.select_option("#category", "unreadable reply")
    assert count.inner_text() == "1–20 of 20"
    page.click("#clear")
    page.fill("#text", "MONEY cancel")
    count.filter(has_text="1–20 of 20").wait_for()
    page.fill("#text", "no such words")
    page.wait_for_selector("#list .empty")
    page.click("#clear")
    assert count.inner_text() == "1–25 of 120"
    assert noise == []


def test_pages_turn(report, open_page):
    """A page holds 25 answers; the last one the rest."""
    page, _ = open_page(report, "#page=5")

    assert page.inner_text("#count") == "101–120 of 120"
    assert page.is_disabled("#next")
    page.click("#previous")
    assert page.inner_text("#count") == "76–100 of 120"


def test_an_answer_opens_with_its_sources_and_marks(report, open_page):
    """The wrong number is red, the cited source stands open with the right number marked, the raw reply is there."""
    page, noise = open_page(report, "#record=n2-00001")

    panel = page.locator(".panel")
    panel.locator(".verdict").first.wait_for()
    assert panel.locator("mark.bad").inner_text() == "4 hours"
    assert panel.locator("mark.cite").inner_text() == "[D2]"
    assert panel.locator(".source").count() == 4
    cited = panel.locator(".source.cited")
    assert cited.get_attribute("open") is not None
    assert "[2] Refunds and cancellation" in cited.locator("summary").inner_text()
    assert cited.locator("mark.own").inner_text() == "2 hours"
    reply = panel.locator(".verdict", has_text="contradicts source").locator("details")
    reply.locator("summary").click()
    assert '"reason": "The source says 2 hours, not 4 hours."' in reply.locator("pre").inner_text()
    assert "Answer in the run before (1.3.1)" in panel.inner_text()
    assert "Key facts: 2 hours / two hours" in panel.inner_text()
    assert noise == []


def test_marks_stand_right_behind_emoji(report, open_page):
    """Offsets count as the browser counts, so the mark is on the time and not beside it."""
    page, _ = open_page(report, "#record=n2-00005")

    page.wait_for_selector(".panel .verdict")
    assert page.locator(".panel mark.bad").inner_text() == "21:00"


def test_a_citation_leads_to_its_source(report, open_page):
    """A click (or Enter) on the mark opens the source it cites."""
    page, _ = open_page(report, "#record=n2-00001")
    mark = page.locator(".panel mark.cite")
    mark.wait_for()
    page.locator(".source.cited summary").click()
    assert page.locator(".source.cited").get_attribute("open") is None

    mark.press("Enter")

    assert page.locator(".source.cited").get_attribute("open") is not None


def test_only_web_addresses_become_links(report, open_page):
    """A javascript: address in a source is text."""
    page, _ = open_page(report, "#record=n2-00001")
    page.wait_for_selector(".panel .verdict")

    hrefs = page.eval_on_selector_all(".panel a", "links => links.map((link) => link.href)")
    assert hrefs
    assert all(href.startswith("https://example.org/") for href in hrefs)


def test_links_in_the_page_set_the_filters(report, open_page):
    """A reason's count, a check's name and 'open the answer' lead into the list."""
    page, _ = open_page(report)

    page.click("#checks td.check a >> text=numbers")
    page.locator("#count").filter(has_text="of 60").wait_for()
    page.locator(".example a").first.click()
    page.locator(".panel .verdict").first.wait_for()


def test_the_keyboard_is_enough(report, open_page):
    """Slash searches, Enter opens, arrows move, Escape closes."""
    page, _ = open_page(report)

    page.keyboard.press("/")
    assert page.evaluate_handle("document.activeElement").get_property("id").json_value() == "text"
    rows = page.locator(".row")
    rows.first.focus()
    page.keyboard.press("Enter")
    page.locator(".panel .verdict").first.wait_for()
    page.keyboard.press("Escape")
    assert page.locator(".panel").count() == 0
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert rows.nth(1).get_attribute("aria-expanded") == "true"


def test_every_control_has_a_name(report, open_page):
    """Screen readers get a name for each button, field and drawing."""
    page, _ = open_page(report, "#record=n2-00001")
    page.wait_for_selector(".panel .verdict")

    controls = page.query_selector_all("button:visible, select:visible, input:visible, svg.chart")
    assert controls
    for control in controls:
        label = control.get_attribute("aria-label") or (control.text_content() or "").strip()
        assert label


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_in_both_schemes(report, open_page, scheme):
    """Contrast of text on its ground is at least 4.5 to 1 (WCAG AA) for the page's own colours."""
    page, _ = open_page(report, color_scheme=scheme)
    names = ["ink", "muted", "accent", "pass", "fail", "error", "unsure"]
    script = """(names) => {
      const probe = document.createElement("span");
      document.body.append(probe);
      const read = (name) => { probe.style.color = `var(--${name})`; return getComputedStyle(probe).color; };
      return Object.fromEntries([...names, "bg", "paper"].map((name) => [name, read(name)]));
    }"""
    colors = page.evaluate(script, names)

    for ground in ("bg", "paper"):
        for name in names:
            assert _contrast(colors[name], colors[ground]) >= 4.5, (name, ground)


def _contrast(one: str, other: str) -> float:
    """Ratio of two CSS colours, https://www.w3.org/TR/WCAG21/#dfn-contrast-ratio."""
    lights = sorted(_luminance(color) for color in (one, other))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def _luminance(color: str) -> float:
    parts = [float(part) / 255 for part in color.removeprefix("rgb(").rstrip(")").split(",")]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_colours_can_be_chosen(report, open_page):
    """The button goes from automatic to light to dark."""
    page, _ = open_page(report)

    for name in ("light", "dark", "auto"):
        page.click("#theme")
        assert page.get_attribute("html", "data-theme") == name


def test_a_narrow_screen_needs_no_sideways_scrolling(report, open_page):
    """At 400 pixels the page itself is no wider than the screen, with an answer open."""
    page, _ = open_page(report, "#record=n2-00001", width=400)
    page.wait_for_selector(".panel .verdict")

    assert page.evaluate("document.documentElement.scrollWidth") <= 400


def test_it_prints(report, open_page):
    """As PDF, with the page's controls left out."""
    page, noise = open_page(report)
    page.emulate_media(media="print")

    assert not page.is_visible("#theme")
    assert not page.is_visible(".filters")
    assert page.pdf(format="A4").startswith(b"%PDF")
    assert noise == []


def test_on_paper_every_change_is_open(report, open_page):
    """Nobody can click on paper: answers and reasons of what broke are printed; then all is as before."""
    page, _ = open_page(report)
    closed = page.locator(".changes details:not([open])")
    before = closed.count()
    assert before > 0

    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert closed.count() == 0
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert closed.count() == before


def test_without_script_the_report_still_tells_the_night(report, browser):
    """Headline, checks, reasons and changes are in the file itself."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report.as_uri())

    assert "59 of 120 answers" in page.inner_text("h1")
    assert "The list of answers needs JavaScript" in page.inner_text("noscript")
    assert page.locator(".changes details").count() > 0
    context.close()


@pytest.mark.parametrize("width", [400, 1280])
def test_the_page_of_a_history_opens_without_a_sound(three_nights, tmp_path, browser, width):
    """It runs no script, asks for nothing, and is no wider than the screen."""
    store, _ = three_nights
    target = tmp_path / "history.html"
    target.write_text(history_html(history(store)), encoding="utf-8")
    context = browser.new_context(viewport={"width": width, "height": 900})
    page = context.new_page()
    noise: list[str] = []
    page.on("console", lambda message: noise.append(message.text))
    page.on("request", lambda request: noise.append(request.url))

    page.goto(target.as_uri())

    assert noise == [target.as_uri()]
    assert page.locator(".trends svg.chart").count() > 0
    assert page.locator("table.heat").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()
