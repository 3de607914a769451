import json
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest

from goldassay.cli import demo, flows, main
from goldassay.judging.scripted import ScriptedJudge


def test_the_help_loads_nothing_heavy_and_names_every_command(project_root):
    """--help stays fast because Prefect, DuckDB, pyarrow, httpx and pydantic load only where they are used."""
    code = (
        "import sys; from goldassay.cli import main; main(['--help']);"
        "heavy = {'prefect', 'duckdb', 'pyarrow', 'httpx', 'pydantic', 'scipy', 'altair', 'numpy'} & set(sys.modules);"
        "sys.exit(f'loaded: {heavy}' if heavy else 0)"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=project_root)

    assert done.returncode == 0, done.stderr
    for command in ("check", "run", "golden", "compare", "history", "query", "report", "init", "demo", "doctor"):
        assert f" {command} " in done.stdout


@pytest.mark.parametrize(
    "command",
    ["check", "run", "golden", "backfill", "ask", "report", "history", "compare", "query", "demo", "init", "doctor"],
)
def test_every_command_explains_itself(command, capsys):
    """--help of a command names its options and changes nothing."""
    assert main([command, "--help"]) == 0
    assert "Usage: goldassay" in capsys.readouterr().out


def test_check_loads_no_orchestration_and_no_store(project, project_root):
    """A check on every commit pays for rules alone."""
    code = (
        "import sys; from goldassay.cli import main; main(['check']);"
        "heavy = {'prefect', 'duckdb', 'pyarrow', 'httpx', 'scipy', 'altair'} & set(sys.modules);"
        "sys.exit(f'loaded: {heavy}' if heavy else 0)"
    )

    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=project,
        env={"PYTHONPATH": str(project_root), "PATH": ""},
    )  # fmt: skip

    assert done.returncode == 0, done.stderr


def test_check_prints_a_report_and_fails_on_a_gate_failure(project, capsys):
    """Exit code 1: an answer failed a gate rule."""
    assert main(["check"]) == 1

    printed = capsys.readouterr().out
    assert "CHECKS" in printed
    assert "SET ASIDE" in printed


def test_check_gives_the_projects_app_and_a_command_that_works(project, capsys):
    """A record without an app is the project's; the next command names the files that were checked."""
    (project / "mine.jsonl").write_text('{"id": "x 1", "question": "q", "answer": "99 [1].", "sources": ["98"]}\n')
    assert main(["check", "mine.jsonl", "--json"]) == 1
    assert '"app":"atlas"' in capsys.readouterr().out
    assert main(["check", "mine.jsonl"]) == 1
    assert "goldassay check mine.jsonl --explain 'x 1'" in capsys.readouterr().out


def test_doctor_calls_a_log_of_which_nothing_can_be_read_a_problem(project, capsys):
    """Nothing read is no good news, and the reason says what to map."""
    (project / "odd.jsonl").write_text('{"response": {"text": "a"}}\n')
    assert main(["doctor", "--offline", "--set", "answers.path=odd.jsonl"]) == 1
    printed = capsys.readouterr().out
    assert "PROBLEM  answers" in printed
    assert "answers.mapping" in printed


def test_check_of_good_answers_is_fine(tmp_path, monkeypatch, capsys):
    """Exit code 0 where every gate rule that applies passes."""
    monkeypatch.chdir(tmp_path)
    line = {"id": "1", "question": "How large?", "answer": "Up to 20 MB [1].", "sources": ["It may have 20 MB."]}
    (tmp_path / "a.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")

    assert main(["check", "a.jsonl"]) == 0
    assert "1 of 1" in capsys.readouterr().out


def test_check_of_answers_that_no_gate_rule_can_tell_of_is_no_pass(tmp_path, monkeypatch, capsys):
    """Such as a log whose sources were not mapped: it would be green for ever."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.jsonl").write_text('{"question": "How much?", "answer": "Twenty euros.", "context": "Twenty"}')

    assert main(["check", "log.jsonl"]) == 1
    told = capsys.readouterr()
    assert "proves nothing" in told.err
    assert "1 answer read, none could be graded." in told.out
    assert main(["check", "log.jsonl", "--set", "rules.gate=[]"]) == 0


def test_check_prints_one_verdict_a_line_as_json(project, capsysbinary):
    """Every line is one JSON object with record, check and outcome."""
    main(["check", "--json"])

    rows = [json.loads(line) for line in capsysbinary.readouterr().out.splitlines()]
    assert {"record_id", "check", "outcome"} <= set(rows[0])
    assert len({(row["record_id"], row["check"]) for row in rows}) == len(rows)


def test_check_writes_junit_that_counts_what_it_holds(project):
    """A CI server reads failures from it."""
    main(["check", "--junit", "out.xml"])

    root = ET.parse(project / "out.xml").getroot()
    assert int(root.attrib["failures"]) == len(list(root.iter("failure"))) > 0


def test_check_explains_one_answer(project, capsys):
    """Every number and citation with the place it was found, or why not."""
    assert main(["check", "--explain", "2026-11-27-003"]) == 0
    assert "D62" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["check", "nowhere/*.jsonl"], 3, "nowhere"),
        (["check", "--explain", "no-such-id"], 2, "no-such-id"),
        (["chek"], 2, "chek"),
        (["check", "--bogus"], 2, "--bogus"),
        (["report", "no-such-run"], 3, "no-such-run"),
        (["report", "last", "-o", "x.docx"], 2, ".docx"),
        (["query", "DROP TABLE verdicts"], 2, "SELECT"),
        (["query"], 2, "no SQL"),
        (["query", "SELECT 1", "--param", "x"], 2, "name=value"),
        (["compare", "2026.10.1", "9.9"], 2, "9.9"),
        (["check", "--set", "judge.modle=x"], 2, "judge.model"),
        (["check", "--project", "no/such/folder"], 2, "no/such/folder"),
        (["run", "--since", "yesterday"], 2, "yesterday"),
        (["ask", "What?"], 2, "[assistant]"),
        (["judge", "show", "no-such-record"], 2, "no-such-record"),
        (["model-changed", "--model", "m"], 2, "PREFECT_API_URL"),
        (["model-changed"], 2, "nothing changed"),
        (["deploy"], 2, "goldassay init"),
        (["run", "--resume", "zzz"], 3, "zzz"),
        (["check", "--json", "--junit", "x.xml"], 2, "Choose one"),
        (["run", "--set", "answers.url=sqlite:///x.db"], 2, "answers.url_env=RAG_LOG_URL"),
        (["history", "--since", "99999999999d"], 2, "is no moment"),
        (["run", "--estimate", "--since", "2h", "--until", "3h"], 2, "the window is empty"),
        (["report", "last", "-o", "/proc/nowhere/x.html"], 3, "/proc/nowhere"),
        (["init", "/proc/nowhere"], 3, "/proc/nowhere"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_a_mistake_ends_in_one_message_and_its_exit_code(project, capsys, monkeypatch, words, code, message):
    """What happened, the value, what to do; 2 used wrongly, 3 the run broke; never a traceback."""
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    if words[0] == "run" and code:
        pytest.importorskip("prefect")
        done = subprocess.run(
            [sys.executable, "-m", "goldassay", *words], cwd=project, capture_output=True, text=True, check=False
        )
        found, printed = done.returncode, done.stderr
    else:
        found, printed = main(words), capsys.readouterr().err

    assert found == code, printed
    assert message in printed
    assert "Traceback" not in printed


def test_report_history_and_compare_show_the_two_nights(project, capsys):
    """The three commands of the morning after, on the same store."""
    assert main(["report"]) == 0
    assert "WHAT CHANGED" in capsys.readouterr().out
    assert main(["history"]) == 0
    assert "2026.11.0" in capsys.readouterr().out
    main(["compare", "2026.10.1", "2026.11.0"])
    assert "broke" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["r.html", "r.md", "r.xml"])
def test_report_is_written_by_ending(project, name):
    """One command for the page, the pull request and the CI server."""
    assert main(["report", "last", "-o", name]) == 0
    assert (project / name).stat().st_size > 1000


@pytest.mark.parametrize("name", ["h.html", "h.md"])
def test_a_history_is_written_by_ending(project, capsys, name):
    """The page and the Markdown; another ending is refused before anything is read."""
    assert main(["history", "-o", name]) == 0
    assert "2026.11.0" in (project / name).read_text(encoding="utf-8")
    assert main(["history", "-o", "h.pdf"]) == 2
    assert "known endings are .html, .md" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["report"], ["history"], ["compare", "2026.10.1", "2026.11.0"], ["doctor"]])
def test_everything_with_data_is_there_as_json(project, capsysbinary, words):
    """--json gives the numbers behind the tables."""
    main([*words, "--json", *(["--offline"] if words == ["doctor"] else [])])

    assert json.loads(capsysbinary.readouterr().out)


def test_query_prints_tables_csv_and_json(project, capsys):
    """The same result in each form; parameters are bound."""
    sql = 'SELECT "check", count(*) AS n FROM verdicts WHERE "check" = $name GROUP BY 1'
    for form in ("table", "csv", "json"):
        assert main(["query", sql, "--param", "name=numbers", "--format", form]) == 0
        printed = capsys.readouterr().out
        assert "numbers" in printed
        assert "124" in printed


def test_init_keeps_what_is_there_and_its_project_checks(tmp_path, capsys):
    """Run twice it overwrites nothing; the settings it writes are valid."""
    assert main(["init", str(tmp_path / "mine"), "--app", "mine"]) == 0
    (tmp_path / "mine" / "golden.yaml").write_text("- {id: own, question: Mine?}\n", encoding="utf-8")
    assert main(["init", str(tmp_path / "mine")]) == 0

    assert "own" in (tmp_path / "mine" / "golden.yaml").read_text(encoding="utf-8")
    assert 'app = "mine"' in (tmp_path / "mine" / "goldassay.toml").read_text(encoding="utf-8")
    assert (tmp_path / "mine" / "logs").is_dir()
    assert not (tmp_path / "mine" / "config" / "goldassay.toml").exists()  # two would leave open which one is read
    assert "wrote 0 files" in capsys.readouterr().out


def test_accept_and_compact(project, capsys):
    """A run becomes the baseline; files are joined and every number stays."""
    before = main(["query", "SELECT count(*) n FROM verdicts", "--format", "csv"]), capsys.readouterr().out
    assert main(["accept", "last"]) == 0
    assert "is now the baseline of atlas" in capsys.readouterr().out
    assert main(["compact"]) == 0
    capsys.readouterr()
    assert (main(["query", "SELECT count(*) n FROM verdicts", "--format", "csv"]), capsys.readouterr().out) == before


def test_doctor_finds_a_missing_key_and_never_prints_one(project, capsys, monkeypatch):
    """The variable's name, never its value."""
    settings = project / "goldassay.toml"
    text = settings.read_text(encoding="utf-8").replace("[judge]", '[judge]\napi_key_env = "MY_JUDGE_KEY"')
    settings.write_text(text, encoding="utf-8")
    assert main(["doctor", "--offline"]) == 1
    assert "MY_JUDGE_KEY" in capsys.readouterr().out

    monkeypatch.setenv("MY_JUDGE_KEY", "sk-very-secret")
    assert main(["doctor", "--offline"]) == 0
    assert "sk-very-secret" not in capsys.readouterr().out


def test_judge_show_prints_the_prompt_and_the_stored_reply(project, capsys):
    """What would go out, what came back, and how it was read."""
    main(["query", "SELECT record_id FROM verdicts WHERE reply IS NOT NULL LIMIT 1", "--format", "csv"])
    record = capsys.readouterr().out.splitlines()[1]

    assert main(["judge", "show", record]) == 0
    printed = capsys.readouterr().out
    assert printed.count("[system]") == printed.count("[what went out") > 0
    assert "today the very same would be asked" in printed
    assert "None None" not in printed
    assert "[reply]" in printed


def test_judge_show_tells_today_from_then(project, capsys):
    """Without a judge today, what went out then is still shown; a record of the log needs no run."""
    main(["query", "SELECT record_id FROM verdicts WHERE reply IS NOT NULL LIMIT 1", "--format", "csv"])
    record = capsys.readouterr().out.splitlines()[1]

    assert main(["judge", "show", record, "--set", "judge.provider=lexical"]) == 0
    printed = capsys.readouterr().out
    assert "No model is asked: judge.provider is 'lexical'" in printed
    assert "[what went out, by its hash]" in printed
    assert main(["judge", "show", record, "--set", "judge.max_tokens=77"]) == 0
    assert "CAUTION: what went out was another request" in capsys.readouterr().out
    assert main(["judge", "show", record, "--set", "store=fresh"]) == 0
    printed = capsys.readouterr().out
    assert "[system]" in printed
    assert "as it was asked" not in printed
    assert main(["judge", "show", record, "--json", "--set", "judge.provider=lexical"]) == 0
    assert json.loads(capsys.readouterr().out)["calls"] == []


def test_doctor_calls_a_rubric_for_two_answers_a_problem(project, capsys):
    """Nothing would be judged, and the night would look well."""
    assert main(["doctor", "--offline", "--set", "judge.rubric=pairwise"]) == 1
    assert "compares two answers" in capsys.readouterr().out


def test_compare_puts_both_answers_before_the_judge(project, capsysbinary):
    """A judge that always prefers the first place makes ties, and the gate is none of its business."""
    with ScriptedJudge({"": {"reason": "r", "winner": "A", "category": "none"}}) as judge:
        sides = ["compare", "2026.10.1", "2026.11.0", "--set", f"judge.base_url={judge.base_url}"]
        code = main([*sides, "--json"])
        capsysbinary.readouterr()
        assert main([*sides, "--judge", "--json"]) == code
        told = json.loads(capsysbinary.readouterr().out)["side_by_side"]
        calls = judge.calls
        assert main([*sides, "--judge"]) == code
        assert judge.calls == calls > 0
    assert told["equal"] >= told["order_dependent"] > 0
    assert (told["head_better"], told["base_better"], told["errors"]) == (0, 1, 0)  # the head's one empty answer
    assert b"2026.11.0 better on 0, 2026.10.1 on 1" in capsysbinary.readouterr().out


def test_an_estimate_asks_nobody(project, capsys):
    """Records, calls and tokens; the judge of the fixture is long gone, and nobody misses it."""
    assert main(["run", "--estimate", "--since", "2026-11-01", "--until", "2026-12-01"]) == 3
    assert "were taken by an earlier run" in capsys.readouterr().err
    assert main(["run", "--estimate", "--since", "2026-11-01", "--set", "store=fresh"]) == 0
    assert "calls" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("base", "message"),
    [("20260101-000000-nightly-abcd", "no run '20260101"), ("baseline", "goldassay accept RUN"), ("9.9", "version")],
)
def test_compare_says_of_what_kind_the_missing_side_is(project, capsys, base, message):
    """A run id that is not here is no unknown version, and a baseline has first to be accepted."""
    assert main(["compare", base, "20260101-000001-nightly-abcd" if "nightly" in base else "last"]) in {2, 3}
    assert message in capsys.readouterr().err


def test_compare_before_the_first_run_says_what_to_do(project, capsys):
    """No version can be known yet; naming other columns would send people astray."""
    assert main(["compare", "2026.10.1", "2026.11.0", "--set", "store=fresh"]) == 2
    assert "no run is stored yet" in capsys.readouterr().err


def test_the_demo_leaves_its_folder_for_the_commands_it_names(tmp_path, capsys, monkeypatch):
    """The report names commands to run next; a second demo begins the same folder anew and no other."""
    monkeypatch.setattr("goldassay.cli.demo._two_nights", lambda project, *, verbose: 0)
    folder = tmp_path / "demo-out"
    assert main(["demo", "--keep", str(folder)]) == 0
    (folder / "store").mkdir()
    assert main(["demo", "--keep", str(folder)]) == 0
    assert (folder / "goldassay.toml").is_file()
    assert not (folder / "store").exists()
    assert 'provider = "scripted"' in (folder / "goldassay.toml").read_text(encoding="utf-8")

    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "precious.txt").write_text("kept", encoding="utf-8")
    assert main(["demo", "--keep", str(tmp_path / "mine")]) == 2
    assert "holds no earlier demo" in capsys.readouterr().err
    assert (tmp_path / "mine" / "precious.txt").is_file()


def test_the_demo_says_how_to_go_on(tmp_path, capsys):
    """Its last lines name the folder and the page with more to try; the folder's judge starts itself."""
    demo._say_what_next(tmp_path)

    told = capsys.readouterr().err
    assert f"cd {tmp_path} && " in told
    assert f"{tmp_path / 'README.md'}" in told


def test_a_command_of_several_flows_announces_one_server(capsys):
    """It says "once for this command", so it says it once."""
    flows._announced.clear()
    flows._announce("imports took 5.5 s")
    flows._announce("imports took 0.0 s")
    assert capsys.readouterr().err.count("temporary server") == 1
    flows._announced.clear()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["query", "SELECT 1", "--memory", "banana"], "is no amount of memory"),
        (["query", "SELECT 1", "--timeout", "nan"], "is no number of seconds"),
        (["query", "SELECT 1", "-o", "x.xls"], "end it in .csv, .json, .jsonl, .parquet"),
    ],
)
def test_a_limit_that_is_none_is_refused_with_a_word(project, capsys, words, said):
    """Used wrongly, not broken, and no traceback."""
    assert main(words) == 2
    assert said in capsys.readouterr().err


def test_the_ending_of_the_file_says_the_format(project):
    """CSV cells that a spreadsheet would run are made safe."""
    assert main(["query", "SELECT '=1+1' AS a, 2 AS a", "-o", "x.csv"]) == 0
    assert (project / "x.csv").read_text(encoding="utf-8") == "a,a_2\n'=1+1,2\n"


def test_a_folder_that_is_no_project_says_so(tmp_path, monkeypatch, capsys):
    """Nobody looks for runs in a store that is not there, and nobody starts Prefect to find no log."""
    monkeypatch.chdir(tmp_path)
    for command in ("history", "run", "golden", "rejudge"):
        assert main([command]) == 2
        told = capsys.readouterr().err
        assert "no goldassay.toml in" in told
        assert "Prefect" not in told
