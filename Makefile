# Everything runs in .venv, made from pyproject.toml with the versions of constraints.txt.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PYTEST_ARGS ?= -n auto

# pip is told of the constraints through a stamp: a change of either file installs anew.
PINS := pyproject.toml constraints.txt
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.DEFAULT_GOAL := help
.PHONY: help reproduce reproduce-all baselines data export tables bench bench-quick docs packaging test test-commands lint clean

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/\1|\2/' | \
	  while IFS='|' read -r target text; do printf '  make %-13s %s\n' "$$target" "$$text"; done

# So many jobs of a sweep run at once. Their times are no longer those of one alone, and tables leave them out.
JOBS ?= 1
AT_ONCE = $(if $(filter-out 1,$(JOBS)),hydra/launcher=joblib hydra.launcher.n_jobs=$(JOBS))

reproduce: $(VENV)/experiments  ## sweep the bundled data with ten learners; compares the table with the one in results/
	$(BIN)/python -m experiments -m experiment=quickstart $(AT_ONCE) paths.results=$(CURDIR)/outputs/reproduced

# The six tables of the paper, then the ablations and the comparisons with the authors' web service and with
# CON-FOLD. What is finished is found, not run again; what goes wrong in one experiment (a missing data file) does not keep the
# others from running. A fold may take an hour: OVERRIDES="limits.seconds=300" for less.
PAPER := tree_heuristics foldrpp_mgi rule_learners multiclass decision_tree black_box
ABLATIONS := ablation_heuristic ablation_tail ablation_ratio ablation_operators ablation_multiclass ablation_ties service \
	confold
EXPERIMENTS ?= $(PAPER) $(ABLATIONS)
OVERRIDES ?=

reproduce-all: $(VENV)/experiments  ## run what is missing of the paper's tables and the ablations (EXPERIMENTS="multiclass")
	@status=0; for name in $(EXPERIMENTS); do \
	  echo "== $$name"; $(BIN)/python -m experiments -m experiment=$$name $(AT_ONCE) $(OVERRIDES) || status=$$?; \
	done; $(BIN)/python -m experiments.export; exit $$status

baselines: $(VENV)/test  ## run learners that the paper does not have, Weka's JRip (Java 11 or later) among them
	$(BIN)/python -m experiments -m experiment=baselines $(OVERRIDES)

data: $(VENV)/experiments  ## fetch the data files that are not bundled, and say where each one stands
	$(BIN)/python -m experiments.fetch

export: $(VENV)/experiments  ## write all runs to results/runs.csv, with machine, versions and date
	$(BIN)/python -m experiments.export

tables: $(VENV)/experiments  ## rebuild every table from the runs that are logged
	$(BIN)/python -m experiments.tables

bench: $(VENV)/benchmarks  ## compare speed and memory with other learners: about 3 hours, to results/benchmarks
	$(BIN)/python -m benchmarks

bench-quick: $(VENV)/benchmarks  ## the same on a smaller plan, to outputs/benchmarks
	$(BIN)/python -m benchmarks --quick

docs: $(VENV)/docs  ## build the documentation, warnings are errors, to docs/_build/html
	$(BIN)/python -m sphinx -q -E -W --keep-going docs docs/_build/html

packaging: $(VENV)/test  ## install the wheel in fresh environments of every Python that is found
	FOLDSE_ALL_PYTHONS=1 $(BIN)/python -m pytest tests/packaging

# Compiled code leaves no trace: the tests of the kernels run once more as plain Python, for their lines to count.
KERNEL_TESTS := tests/foldse/search tests/foldse/reading/test_factorize.py tests/foldse/reading/test_radix_sort.py
COVERAGE := --cov=foldse --cov-append --cov-report=
TIMED_TESTS := tests/foldse/explain

test: $(VENV)/test  ## run the tests, and print the coverage of foldse (PYTEST_ARGS="-k rules" for some, without it)
ifeq ($(origin PYTEST_ARGS),file)
	rm -f .coverage
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest $(PYTEST_ARGS) --quiet $(COVERAGE) $(KERNEL_TESTS)
	$(BIN)/python -m pytest --quiet -m timed $(TIMED_TESTS)
	$(BIN)/python -m pytest $(PYTEST_ARGS) -m "not commands and not timed" $(COVERAGE)term:skip-covered --cov-fail-under=95
else
	$(BIN)/python -m pytest $(PYTEST_ARGS)
endif

test-commands: $(VENV)/test  ## run the tests that start whole programs: the lines of the documentation, sweeps, the wheel
	$(BIN)/python -m pytest $(PYTEST_ARGS) -m commands

lint: $(VENV)/dev  ## check style, types and layers
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

clean:  ## remove the environment, caches and Hydra's folders; logged runs stay
	rm -rf $(VENV) outputs docs/_build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find foldse experiments benchmarks tests scripts -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/experiments: $(PINS) | $(BIN)/python
	$(INSTALL) -e '.[experiments]'
	@touch $@

$(VENV)/test: $(PINS) | $(BIN)/python
	$(INSTALL) -e '.[experiments,field,weka,test]'
	@touch $@ $(VENV)/experiments

$(VENV)/docs: $(PINS) | $(BIN)/python
	$(INSTALL) -e '.[docs]'
	@touch $@

$(VENV)/benchmarks: $(PINS) | $(BIN)/python
	$(INSTALL) -e '.[experiments,benchmarks]'
	@touch $@ $(VENV)/experiments

$(VENV)/dev: $(PINS) | $(BIN)/python
	$(INSTALL) -e '.[experiments,field,weka,test,dev]'
	@touch $@ $(VENV)/experiments $(VENV)/test
