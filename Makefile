# Every target makes .venv first, so a fresh clone needs only Python and make.

PYTHON ?= python3
BIN := .venv/bin

.PHONY: setup demo test fuzz check accept tables docs bench

setup: .venv/.stamp

# An interrupted setup leaves a virtual environment without a working pip behind.
.venv/.stamp: pyproject.toml
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear .venv
	@$(BIN)/python -m pip install -qq --disable-pip-version-check -e '.[dev]'
	@touch $@

# A script is checked and run, a host runs scripts, and a code of an error is explained.
demo: setup
	$(BIN)/keysh check examples/tour.ksh
	$(BIN)/keysh examples/tour.ksh
	$(BIN)/python examples/host.py
	$(BIN)/keysh explain E109

# On all processors; one that is finished takes over tests from the others.
test: setup
	$(BIN)/pytest --numprocesses auto --dist worksteal

# A minute for each parser and reader; inputs that break one are kept as tests.
fuzz: setup
	$(BIN)/python -m tests.fuzz

check: setup
	$(BIN)/ruff format --quiet --check .
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy --no-error-summary
	$(BIN)/pytest tests/test_architecture.py

# Rewrite the outputs in pages with what keysh answers; read the difference before you commit.
accept: setup
	$(BIN)/pytest tests/test_spec.py tests/test_documents.py tests/test_examples.py --accept

# The tables are committed; a test fails when they are older than the grammar.
tables: setup
	$(BIN)/python grammar/build_tables.py

# docs/language.md and docs/commands/ are committed; a test fails when they are out of date.
docs: setup
	$(BIN)/python docs/build.py

bench: setup
	@set -e; for script in $(sort $(wildcard benchmarks/*.py)); do \
	  echo "$$script"; $(BIN)/python "$$script"; \
	done
