import json

from config.settings import Settings, load_settings
from goldassay.rules import load_rules
from tasks.project import settings_digest, snapshot

TEXT = """
app = "atlas"
[answers]
url = "postgresql://reader:s3cret@db/rag"
[rules]
length = { max_words = 80 }
[judge]
model = "judge-large"
"""


def test_a_plan_runs_the_same_rules_as_the_settings_it_was_made_of(tmp_path):
    """Rules that are off by default stay off in a run, as they do in `goldassay check`."""
    (tmp_path / "goldassay.toml").write_text(TEXT, encoding="utf-8")
    settings = load_settings(tmp_path, environ={})

    again = Settings(**json.loads(json.dumps(snapshot(settings))))

    assert load_rules(again.rules).names == load_rules(settings.rules).names
    assert "entities" not in load_rules(again.rules).names
    assert again.rules == settings.rules
    assert again.judge == settings.judge


def test_a_plan_holds_no_secret(tmp_path):
    """A database address may hold a password; it stays in the project's file."""
    (tmp_path / "goldassay.toml").write_text(TEXT, encoding="utf-8")

    kept = json.dumps(snapshot(load_settings(tmp_path, environ={})))

    assert "s3cret" not in kept
    assert "judge-large" in kept


def test_settings_that_differ_have_another_digest(tmp_path):
    """The same request with another judge is another request."""
    (tmp_path / "goldassay.toml").write_text(TEXT, encoding="utf-8")
    one = load_settings(tmp_path, environ={})
    other = load_settings(tmp_path, overrides=["judge.model=judge-small"], environ={})

    assert settings_digest(one) == settings_digest(load_settings(tmp_path, environ={}))
    assert settings_digest(one) != settings_digest(other)
