"""Rubric files: the shipped ones load, versions are found, and a mistake is told with place and cure."""

from __future__ import annotations

import pytest

from goldassay.errors import ConfigError
from goldassay.judging import load_rubric, rubric_of_run
from goldassay.judging.rubric import shipped_folder
from goldassay.verdicts import Category

SMALL = """
name = "tone"
version = {version}
system = "You grade."
[[criteria]]
name = "polite"
question = "Is it polite?"
pass_mark = 2
[criteria.scale]
1 = "rude"
2 = "polite"
"""


def write(folder, name, text):
    """A rubric file in the folder."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def small(version='"1"'):
    """The smallest rubric."""
    return SMALL.replace("{version}", version)


@pytest.mark.parametrize("path", sorted(shipped_folder().glob("*.toml")), ids=lambda path: path.name)
def test_every_shipped_rubric_loads_by_its_name(path):
    """Whatever lies in the folder is a valid rubric that is found without naming folders."""
    name = path.name.split(".")[0]

    rubric = load_rubric(name)

    assert rubric.name == name
    assert rubric.system


def test_the_rag_rubric_asks_three_things_on_a_scale_of_five():
    """faithful, relevant and correct, each passing from 4 on, each its own call."""
    rubric = load_rubric("rag")

    assert rubric.criterion_names == ("faithful", "relevant", "correct")
    assert rubric.calls == "separate"
    assert rubric.pass_marks == {"faithful": 4, "relevant": 4, "correct": 4}
    assert all(list(criterion.scale) == [1, 2, 3, 4, 5] for criterion in rubric.criteria)
    assert all(criterion.examples for criterion in rubric.criteria)
    assert "A refusal claims nothing, so it is always supported" in rubric.criterion("faithful").refusal


def test_a_pass_mark_can_be_moved():
    """A 4 passes at mark 4 and fails at mark 5; the rubric itself stays as it is."""
    rubric = load_rubric("rag")

    strict = load_rubric("rag", pass_marks={"faithful": 5})
    all_strict = rubric.with_pass_marks(5)

    assert rubric.criterion("faithful").passes(4)
    assert not strict.criterion("faithful").passes(4)
    assert strict.criterion("relevant").passes(4)
    assert not any(criterion.passes(4) for criterion in all_strict.criteria)


def test_the_highest_version_is_taken_unless_one_is_named(tmp_path):
    """Version 10 comes after 9; an older one is loaded by its number."""
    for version in ("2", "9", "10"):
        write(tmp_path, f"tone.{version}.toml", small(f'"{version}"'))
    write(tmp_path, "tone.toml", small())

    newest = load_rubric("tone", folders=[tmp_path])
    named = load_rubric("tone", version="2", folders=[tmp_path])

    assert newest.version == "10"
    assert named.version == "2"


def test_a_teams_rubric_hides_the_shipped_one_of_that_name(tmp_path):
    """The team's folder is searched first; a version that only the shipped folder has is still found."""
    write(tmp_path, "rag.7.toml", small('"7"').replace('"tone"', '"rag"'))

    assert load_rubric("rag", folders=[tmp_path]).version == "7"
    assert load_rubric("rag", version="1", folders=[tmp_path]).criterion_names[0] == "faithful"


def test_a_rubric_is_loaded_from_a_path(tmp_path):
    """A file anywhere, under any name."""
    path = write(tmp_path, "mine.toml", small("3"))

    assert load_rubric(path).version == "3"
    assert load_rubric(str(path), version="3").name == "tone"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("question =", "qestion ="), ["criteria[1]", "qestion", "'question'"]),
        (("system =", "sytem ="), ["'sytem'", "'system'"]),
        (("pass_mark = 2", "pass_mark = 7"), ["pass_mark 7", "'polite'", "1..2"]),
        (('2 = "polite"', '4 = "polite"'), ["criteria[1].scale", "no text for point 2, 3"]),
        (('2 = "polite"', '2 = ""'), ["no text for point 2"]),
        (('2 = "polite"\n', ""), ["at least two points"]),
        (('2 = "polite"', '200 = "polite"'), ["at most a hundred points"]),
        (('system = "You', 'reply = "claims"\nsystem = "You'), ["'polite'", "0..1"]),
        (("pass_mark = 2\n", ""), ["criteria[1].pass_mark", "missing"]),
        (('name = "polite"', 'name = "Po lite"'), ["criteria[1].name", "Po lite"]),
        (("pass_mark = 2", 'pass_mark = 2\ncategories = ["timed_out"]'), ["'timed_out'", "the check broke"]),
        (("pass_mark = 2", 'pass_mark = 2\ncategories = ["rude"]'), ["criteria[1].categories[1]", "rude"]),
        (('system = "You', 'reply = "pairwise"\nsystem = "You'), ["'polite'", "0..2"]),
        (('system = "You', 'reply = "claims"\ncalls = "together"\nsystem = "You'), ["calls = 'separate'"]),
        (("{version}", "1.10"), ["version", "valid string"]),
        (("[[criteria]]", "[[criteria"), ["not TOML"]),
    ],
)
def test_a_mistake_is_told_with_its_place(tmp_path, change, told):
    """What is wrong, where, with which value; the nearest known name where a key is unknown."""
    text = SMALL.replace(*change).replace("{version}", '"1"')
    path = write(tmp_path, "tone.toml", text)

    with pytest.raises(ConfigError) as caught:
        load_rubric(path)

    for part in ("tone.toml", *told):
        assert part in str(caught.value)


def test_an_example_off_the_scale_is_refused(tmp_path):
    """A worked example that could not be given would teach the judge nonsense."""
    example = '\n[[criteria.examples]]\nanswer = "a"\nreason = "r"\nscore = 3\n'
    path = write(tmp_path, "tone.toml", small() + example)

    with pytest.raises(ConfigError, match=r"score 3, outside 1\.\.2"):
        load_rubric(path)

    path.write_text(small() + example.replace("score = 3", 'score = 1\ncategory = "off_topic"'), encoding="utf-8")
    with pytest.raises(ConfigError, match="category 'off_topic', not in its list"):
        load_rubric(path)


def test_two_criteria_of_one_name_are_refused(tmp_path):
    """Rows are told apart by the criterion's name."""
    text = small()
    path = write(tmp_path, "tone.toml", text + text[text.index("[[criteria]]") :])

    with pytest.raises(ConfigError, match="two criteria are named 'polite'"):
        load_rubric(path)


def test_an_unknown_rubric_is_told_with_the_nearest_name():
    """And an unknown version with those that exist."""
    with pytest.raises(ConfigError, match=r"no rubric 'rga'.*did you mean 'rag'"):
        load_rubric("rga")
    with pytest.raises(ConfigError, match=r"no version '9'.*found '1'.*rag\.9\.toml"):
        load_rubric("rag", version="9")
    with pytest.raises(ConfigError, match=r"no\.toml' cannot be read"):
        load_rubric("no.toml")


def test_file_names_and_versions_agree(tmp_path):
    """A file under a wrong name, a version given twice, or a path of another version is refused."""
    write(tmp_path, "tone.3.toml", small())
    with pytest.raises(ConfigError, match=r"tone\.3\.toml.*Call it tone\.1\.toml or tone\.toml"):
        load_rubric("tone", folders=[tmp_path])
    with pytest.raises(ConfigError, match=r"is version '1', not '3'"):
        load_rubric(tmp_path / "tone.3.toml", version="3")

    (tmp_path / "tone.3.toml").unlink()
    write(tmp_path, "tone.toml", small())
    write(tmp_path, "tone.1.toml", small())
    with pytest.raises(ConfigError, match="two files of rubric 'tone'"):
        load_rubric("tone", folders=[tmp_path])


@pytest.mark.parametrize(("marks", "told"), [(9, "outside its scale"), ({"polite": 2}, "'polite'"), (0, "outside")])
def test_a_pass_mark_that_does_not_fit_is_refused(marks, told):
    """Off the scale, or for a criterion the rubric does not have."""
    with pytest.raises(ConfigError, match=told):
        load_rubric("rag", pass_marks=marks)


def test_other_is_always_among_the_categories():
    """A judge must be able to say that the fault is none of those listed."""
    for name in ("rag", "pairwise", "faithful_claims"):
        for criterion in load_rubric(name).criteria:
            assert Category.OTHER in criterion.categories


def test_the_rubric_in_the_docs_is_a_rubric(project_root, tmp_path):
    """What a team copies from the page loads as it stands."""
    page = (project_root / "docs" / "rubrics.md").read_text(encoding="utf-8")
    example = page.split("```toml\n")[1].split("```")[0]

    rubric = load_rubric(write(tmp_path, "tone.toml", example))

    assert rubric.criterion("polite").severity == "warn"


def test_an_unknown_criterion_is_a_key_error():
    """Asking a rubric for what it does not have is a mistake in the program."""
    with pytest.raises(KeyError):
        load_rubric("rag").criterion("tone")


def test_a_run_refuses_a_rubric_that_compares_two_answers(tmp_path):
    """A run has one answer to each question: nothing would be judged, and all would look well."""
    with pytest.raises(ConfigError, match="compares two answers"):
        rubric_of_run("pairwise", version=None, project=tmp_path)

    assert rubric_of_run("rag", version=None, project=tmp_path).name == "rag"
