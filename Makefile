# Everything runs in .venv, made from pyproject.toml with the versions of constraints.txt.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PYTEST_ARGS ?= -n auto

# pip is told of the constraints through a stamp: a change of either file installs anew.
PINS := pyproject.toml constraints.txt
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.DEFAULT_GOAL := help
.PHONY: help reproduce tables test lint clean

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/\1|\2/' | \
	  while IFS='|' read -r target text; do printf '  make %-10s %s\n' "$$target" "$$text"; done

reproduce: $(VENV)/experiments  ## sweep the bundled data with every learner; tables go to results/tables
	$(BIN)/python -m experiments -m experiment=quickstart

tables: $(VENV)/experiments  ## rebuild every table from the runs that are logged
	$(BIN)/python -m experiments.tables

test: $(VENV)/test  ## run the tests (PYTEST_ARGS="-k rules" for some of them)
	$(BIN)/python -m pytest $(PYTEST_ARGS)

lint: $(VENV)/dev  ## check style and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

clean:  ## remove the environment, caches and Hydra's folders; logged runs stay
	rm -rf $(VENV) outputs .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find foldse experiments tests scripts -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/experiments: $(PINS) | $(BIN)/python
	$(INSTALL) -e '.[experiments]'
	@touch $@

$(VENV)/test: $(PINS) | $(BIN)/python
	$(INSTALL) -e '.[experiments,test]'
	@touch $@ $(VENV)/experiments

$(VENV)/dev: $(PINS) | $(BIN)/python
	$(INSTALL) -e '.[experiments,test,dev]'
	@touch $@ $(VENV)/experiments $(VENV)/test
