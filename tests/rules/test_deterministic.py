import os
import subprocess
import sys

CODE = """
import sys
from goldassay.rules import RULES, load_rules, RulesConfig
from goldassay.sources import read_answers
rules = load_rules(RulesConfig(enabled=tuple(name for name in RULES if name != "support")))
for batch in read_answers(sys.argv[1]):
    for record in batch.records:
        print(record.record_id, [(name, repr(finding)) for name, finding in rules.check(record)])
"""


def test_no_rule_changes_its_mind_between_two_processes(project_root):
    """Sets are ordered differently in every process; verdicts, scores and evidence are the same to the last bit."""
    logs = str(project_root / "examples" / "data" / "logs" / "*.gz")

    runs = [
        subprocess.run(
            [sys.executable, "-c", CODE, logs], cwd=project_root, capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    ]  # fmt: skip

    assert runs[0] == runs[1]
    assert runs[0].count("\n") == 124
