import pytest

from goldassay.judging.lexical import is_refusal


@pytest.mark.parametrize(
    "answer",
    [
        "I could not find this in the documents.",
        "Dazu habe ich in den Unterlagen nichts gefunden.",
        "Leider steht das nicht in den Quellen.",
        "Je n'ai pas trouvé cela dans les documents.",
        "No he encontrado eso en los documentos.",
        "Non ho trovato questo nei documenti.",
    ],
)
def test_the_scripted_judge_knows_a_refusal_in_the_languages_of_the_demo(answer):
    """A canary must not fail for the demo judge's poor German."""
    assert is_refusal(answer)


def test_an_answer_is_no_refusal():
    """A plain statement claims something."""
    assert not is_refusal("Das Abo kostet 25 Euro im Monat [D2].")
