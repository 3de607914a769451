# One command for each job, the same for people and for CI. `make help` lists them.
SHELL := /bin/bash
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# -qq: warnings about other people's mirrors are no news here; errors are still shown.
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check
export PREFECT_SERVER_ANALYTICS_ENABLED := false
export DO_NOT_TRACK := 1

$(VENV)/.run: constraints/run.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "goldassay needs Python 3.11 or newer; found $$($(PYTHON) --version). Name another one: make PYTHON=python3.12 ..."; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing goldassay into $(VENV) (once)"
	@$(PIP) --require-hashes -r constraints/run.txt
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.dev: constraints/dev.txt $(VENV)/.run
	@echo "installing the test tools into $(VENV) (once)"
	@$(PIP) --require-hashes -r constraints/dev.txt
	@touch $@

.PHONY: help
help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-22s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: install
install: $(VENV)/.run ## a virtual environment with goldassay in it

.PHONY: demo
demo: $(VENV)/.run ## two nights of a sample assistant, offline; prints the report, stays in demo-out/
	@$(BIN)/goldassay demo --keep demo-out

.PHONY: test
test: $(VENV)/.dev check ## every check and test (under 15 minutes on two cores)
	$(BIN)/python -m pytest -q -n 2 --dist loadgroup -m "not slow" --durations=15

.PHONY: test-slow
test-slow: $(VENV)/.dev ## the minutes-long proofs: kills, big stores, fuzzing
	$(BIN)/python -m pytest -q -n 2 --dist loadgroup -m slow --timeout 1800 --durations=15

# Found by running each: a name on PATH may be a placeholder that runs nothing.
PYTHONS ?= $(shell for n in 11 12 13 14; do python3.$$n -c "" 2>/dev/null && echo python3.$$n; done)

.PHONY: test-pythons
test-pythons: ## the tests on every Python on PATH; or name them: PYTHONS="python3.12 /opt/bin/python3.13"
	@test -n "$(strip $(PYTHONS))" || { echo "no python3.11 or newer on PATH; name some: make test-pythons PYTHONS=..."; exit 2; }
	@failed=; for python in $(PYTHONS); do \
	  version=$$($$python -c 'import sys; print("%d.%d" % sys.version_info[:2])') || { failed="$$failed $$python"; continue; }; \
	  echo "== Python $$version ($$python), in .venv-$$version"; \
	  $(MAKE) --no-print-directory pytest PYTHON=$$python VENV=.venv-$$version || failed="$$failed $$python"; \
	done; test -z "$$failed" || { echo "failed on:$$failed"; exit 1; }

# Without lint and types, which say the same whichever Python runs them.
.PHONY: pytest
pytest: $(VENV)/.dev
	$(BIN)/python -m pytest -q -n 2 --dist loadgroup -m "not slow"

.PHONY: coverage
coverage: $(VENV)/.dev ## branch coverage of the library
	$(BIN)/python -m pytest -q -n 2 --dist loadgroup -m "not slow" --cov --cov-report=term

.PHONY: check
check: lint types imports ## lint, types and import directions

.PHONY: lint
lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/codespell README.md CHANGELOG.md CONTRIBUTING.md docs flows tasks config deployments goldassay
	$(BIN)/validate-pyproject pyproject.toml

.PHONY: types
types: $(VENV)/.dev
	$(BIN)/mypy goldassay config tasks flows tests benchmarks

.PHONY: imports
imports: $(VENV)/.dev
	$(BIN)/lint-imports

.PHONY: format
format: $(VENV)/.dev ## mend what the linter can mend
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

.PHONY: bench
bench: bench-rules-accuracy bench-rules-speed bench-judge bench-store ## every benchmark (minutes; prints tables)

.PHONY: bench-rules-accuracy
bench-rules-accuracy: $(VENV)/.dev ## rules against people's labels
	$(BIN)/python benchmarks/rules_accuracy.py

.PHONY: bench-rules-speed
bench-rules-speed: $(VENV)/.dev ## answers a second, beside a floor in the same run
	$(BIN)/python benchmarks/rules_speed.py

.PHONY: bench-judge
bench-judge: $(VENV)/.dev ## judge calls beside a bare loop in the same run
	$(BIN)/python benchmarks/judge_throughput.py

.PHONY: bench-store
bench-store: $(VENV)/.dev ## queries over 1 and 10 million verdicts
	$(BIN)/python benchmarks/store_scale.py

.PHONY: docs
docs: $(VENV)/.dev ## docs/settings.md anew, from the settings' own models
	$(BIN)/python -m tests.docs.settings_page

.PHONY: wheel
wheel: $(VENV)/.dev ## dist/*.whl
	$(BIN)/python -m pip wheel -q --no-deps --no-build-isolation -w dist .

.PHONY: lock
lock: ## pin every version anew, by hash (needs uv)
	uv pip compile pyproject.toml --all-extras --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header -q -o constraints/dev.txt
	uv pip compile pyproject.toml --extra build --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header -q -c constraints/dev.txt -o constraints/run.txt
	uv pip compile pyproject.toml --extra build --extra s3 --extra postgres --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header -q -c constraints/dev.txt -o constraints/image.txt

.PHONY: clean
clean: ## remove what was built
	rm -rf dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis .goldassay
