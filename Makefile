# The words of this project. Each makes .venv first, so a fresh clone needs only Python and make.

PYTHON ?= python3
BIN := .venv/bin

.PHONY: setup demo test check accept tables docs bench

setup: .venv/.stamp

# A virtual environment without a working pip is what an interrupted setup leaves behind.
.venv/.stamp: pyproject.toml
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear .venv
	@$(BIN)/python -m pip install -qq --disable-pip-version-check -e '.[dev]'
	@touch $@

demo: setup
	$(BIN)/keysh check examples/tour.ksh
	$(BIN)/keysh examples/tour.ksh
	$(BIN)/keysh explain E109

# On all processors; one that is done takes tests over from the others.
test: setup
	$(BIN)/pytest --numprocesses auto --dist worksteal

check: setup
	$(BIN)/ruff format --quiet --check .
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy --no-error-summary
	$(BIN)/pytest tests/test_architecture.py

# Rewrites the outputs in pages with what keysh answers; read the difference before a commit.
accept: setup
	$(BIN)/pytest tests/test_spec.py tests/test_documents.py tests/test_examples.py --accept

# The tables are committed; a test says when they are older than the grammar.
tables: setup
	$(BIN)/python grammar/build_tables.py

# docs/language.md and docs/commands/ are committed; a test says when they are old.
docs: setup
	$(BIN)/python docs/build.py

bench: setup
	@set -e; for script in $(sort $(wildcard benchmarks/*.py)); do \
	  echo "$$script"; $(BIN)/python "$$script"; \
	done
