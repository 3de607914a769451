import re
from pathlib import Path

import pytest

from config.settings import load_settings
from goldassay.cli.project import Where, open_project
from goldassay.errors import ConfigError


def write(folder: Path, text: str) -> Path:
    """A project with these settings."""
    (folder / "goldassay.toml").write_text(text, encoding="utf-8")
    return folder


def test_defaults_apply_without_a_file(tmp_path):
    """A folder without goldassay.toml has all defaults."""
    settings = load_settings(tmp_path, environ={})

    assert settings.app == "app"
    assert settings.rules.gate == ("cites", "numbers", "refusal", "key_fact")
    assert settings.sampling.nightly == 200


def test_the_later_source_wins(tmp_path):
    """File, then environment, then --set."""
    project = write(tmp_path, '[judge]\nmodel = "from-file"\nmax_in_flight = 7\nrequests_per_minute = 60\n')

    settings = load_settings(
        project,
        overrides=["judge.model=from-set"],
        environ={"GOLDASSAY_JUDGE__MODEL": "from-env", "GOLDASSAY_JUDGE__MAX_IN_FLIGHT": "9"},
    )

    assert settings.judge.model == "from-set"
    assert settings.judge.max_in_flight == 9
    assert settings.judge.requests_per_minute == 60


@pytest.mark.parametrize(
    ("text", "value"),
    [("sampling.nightly=full", "full"), ("sampling.nightly=12", 12), ("sampling.nightly='auto'", "auto")],
)
def test_an_override_is_read_as_toml_or_as_text(tmp_path, text, value):
    """Numbers need no quotes, and neither do words."""
    assert load_settings(tmp_path, overrides=[text], environ={}).sampling.nightly == value


@pytest.mark.parametrize(
    ("text", "unknown", "nearest"),
    [
        ('[judge]\nmodle = "x"\n', "judge.modle", "judge.model"),
        ("[sampeling]\nnightly = 1\n", "sampeling", "sampling"),
        ("[rules]\nlength = { max_word = 3 }\n", "rules.length.max_word", "rules.length.max_words"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest_known_one(tmp_path, text, unknown, nearest):
    """A typing mistake is never silently ignored, at any depth."""
    with pytest.raises(ConfigError) as caught:
        load_settings(write(tmp_path, text), environ={})

    assert repr(unknown) in str(caught.value)
    assert repr(nearest) in str(caught.value)
    assert "goldassay.toml" in str(caught.value)


def test_an_unknown_variable_is_refused_and_its_value_not_shown(tmp_path):
    """GOLDASSAY_JUGDE would be silent otherwise; what it holds may be a secret."""
    with pytest.raises(ConfigError) as caught:
        load_settings(tmp_path, environ={"GOLDASSAY_JUGDE__MODEL": "s3cret"})

    assert "GOLDASSAY_JUDGE" in str(caught.value)
    assert "s3cret" not in str(caught.value)


def test_a_wrong_value_is_named_with_its_place(tmp_path):
    """What happened, the value, the place."""
    with pytest.raises(ConfigError, match=r"judge\.max_in_flight.*got 0"):
        load_settings(write(tmp_path, "[judge]\nmax_in_flight = 0\n"), environ={})


@pytest.mark.parametrize(
    ("setting", "value", "reasons"),
    [
        ("sampling.nightly", "many", "valid integer, unable to parse string as an integer; or: Input should be 'full'"),
        ("sampling.nightly", "-3", "greater than or equal to 0; or: Input should be 'full'"),
        ("run.workers", "all", "unable to parse string as an integer; or: Input should be 'auto'"),
    ],
)
def test_a_setting_of_several_kinds_is_wrong_once_and_by_its_own_name(tmp_path, setting, value, reasons):
    """The name is the one in the file: which kinds were tried stands in the reason."""
    with pytest.raises(ConfigError) as caught:
        load_settings(tmp_path, overrides=[f"{setting}={value}"], environ={})

    assert str(caught.value).startswith(f"settings: setting {setting!r} is wrong (got ")
    assert reasons in str(caught.value)
    assert str(caught.value).count("Correct it and run again.") == 1


@pytest.mark.parametrize(
    "line",
    [
        'api_key_env = "sk-proj-s3cret"',
        'base_url = "http://user:s3cret@h/v1"',
        'base_url = "http://h/v1?key=s3cret"',
        'extra_body = { headers = { authorization = "Bearer s3cret" } }',
    ],
)
def test_a_wrong_value_that_may_be_a_secret_is_not_shown(tmp_path, line):
    """Messages end in the logs of schedulers and build servers."""
    with pytest.raises(ConfigError, match=r"judge\.") as caught:
        load_settings(write(tmp_path, f"[judge]\n{line}\n"), environ={})

    assert "s3cret" not in str(caught.value)


def test_broken_toml_names_the_line(tmp_path):
    """The parser's own place is kept."""
    with pytest.raises(ConfigError, match="line 2"):
        load_settings(write(tmp_path, 'app = "a"\nstore = \n'), environ={})


def test_an_override_without_a_value_says_how_it_is_written(tmp_path):
    """--set judge.model says what is missing."""
    with pytest.raises(ConfigError, match="name=value"):
        load_settings(tmp_path, overrides=["judge.model"], environ={})


def test_the_project_is_found_upwards(tmp_path, monkeypatch):
    """A command works from any folder below goldassay.toml."""
    inner = write(tmp_path, "") / "a" / "b"
    inner.mkdir(parents=True)

    monkeypatch.chdir(inner)
    assert open_project(Where()).folder == tmp_path


def test_the_shipped_settings_file_loads(project_root, tmp_path):
    """The commented default that goldassay init writes out has no mistake of its own."""
    text = (project_root / "config" / "goldassay.toml").read_text(encoding="utf-8")

    assert load_settings(write(tmp_path, text), environ={}).app == "atlas"


def test_every_commented_line_of_the_shipped_settings_file_is_valid(project_root, tmp_path):
    """Uncommenting an example gives a valid file: examples that do not work are worse than none."""
    lines = (project_root / "config" / "goldassay.toml").read_text(encoding="utf-8").splitlines()
    sections: dict[str, list[str]] = {"": []}
    section = ""
    for line in lines:
        text = line.removeprefix("# ") if re.match(r"# ([a-z_]+ =|\[[a-z])", line) else line
        if text.startswith("["):
            section = text.split("]")[0] + "]"
        if "=" in text and not text.startswith("#"):
            # A later example of the same name replaces the line before it, as an editor would do.
            name = text.split("=")[0].strip()
            kept = [each for each in sections.setdefault(section, []) if each.split("=")[0].strip() != name]
            sections[section] = [*kept, text]
    written = "\n".join("\n".join(([name] if name else []) + body) for name, body in sections.items())

    settings = load_settings(write(tmp_path, written), environ={})

    assert settings.judge.provider == "openai"
    assert settings.assistant is not None
