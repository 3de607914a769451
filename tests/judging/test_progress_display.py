import io
import math

from goldassay.judging.progress import ProgressSnapshot
from goldassay.judging.progress_display import PLAIN_EVERY_S, progress_line, progress_reporter

HALF = ProgressSnapshot(
    done=500, total=1000, in_flight=8, rate_per_s=9.5, limit_per_s=10.0, errors=3, cost_usd=1.25, seconds=52.0
)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_line_tells_all_that_one_wants_to_know():
    """Calls, in flight, rate against limit, errors, cost, time left."""
    expected = "judge 500/1,000 calls, 8 in flight, 9.5 of 10.0 a second, 3 errors, $1.25, about 53 s left"

    assert progress_line(HALF) == expected


def test_what_is_unknown_is_left_out():
    """No limit, no price, no total: nothing is made up."""
    start = ProgressSnapshot(done=0, total=None, in_flight=1, rate_per_s=0.0, limit_per_s=math.inf)

    assert progress_line(start) == "judge 0 calls, 1 in flight, 0.0 a second, 0 errors"


def test_without_a_terminal_a_plain_line_comes_every_half_minute():
    """A log is not flooded, and not silent either."""
    lines: list[str] = []
    now = [0.0]

    with progress_reporter(lines.append, stream=io.StringIO(), clock=lambda: now[0]) as on_progress:
        for second in range(100):
            now[0] = float(second)
            on_progress(HALF)

    assert len(lines) == int(99 // PLAIN_EVERY_S)


def test_on_a_terminal_the_line_is_drawn_and_no_plain_line_written():
    """The live line replaces the log lines."""
    lines: list[str] = []
    terminal = Terminal()

    with progress_reporter(lines.append, stream=terminal) as on_progress:
        on_progress(HALF)

    assert not lines
    assert "500/1,000 calls" in terminal.getvalue()
