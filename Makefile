# Every target first installs what it needs into .venv, when that is missing or stale.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help train test fast nojit faults strength lint bench compare docs clean

PYTHON ?= python3
ARGS ?=
RUN := .venv/bin/python
# Named by what was installed and where, so an edit of either file, another branch or a moved checkout installs again.
STAMP := .venv/.stamp-$(shell { pwd; cat pyproject.toml constraints.txt; } | cksum | cut -d' ' -f1)

help:  ## show this list; ARGS="…" is handed on, e.g. make test ARGS="-k secrecy"
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-9s %s\n", $$1, $$2}' Makefile

train: $(STAMP)  ## train a self-play policy with PPO
	@$(RUN) -m experiments.ppo_selfplay $(ARGS)

test: $(STAMP)  ## run all tests, a file at a time on each core
	@$(RUN) -m pytest -n auto --dist loadfile --no-loadscope-reorder $(ARGS)

fast: $(STAMP)  ## run the tests that take about a minute together
	@$(RUN) -m pytest -m "not slow and not strength" $(ARGS)

nojit: $(STAMP)  ## run kernels as pure Python, and report coverage
	@NUMBA_DISABLE_JIT=1 $(RUN) -m pytest -m nojit --cov=pepperenvs --cov-report=term tests $(ARGS)

faults: $(STAMP)  ## put each listed fault into a copy of the rules; a test must notice it
	@$(RUN) -m tests.faults.run $(ARGS)

strength: $(STAMP)  ## play the long matches that rate the agents
	@$(RUN) -m benchmarks.strength $(ARGS)

lint: $(STAMP)  ## check style and types
	@$(RUN) -m ruff check .
	@$(RUN) -m mypy

bench: $(STAMP)  ## measure speed
	@$(RUN) -m benchmarks.run $(ARGS)

compare: $(STAMP)  ## time two revisions against each other: ARGS="A B", a tag and what you have if not named
	@$(RUN) -m benchmarks.compare $(ARGS)

docs: $(STAMP)  ## write the generated tables again; ARGS=--check only compares
	@$(RUN) -m pepperenvs.docs $(ARGS)

clean:  ## remove caches and build outputs; .venv and runs/ stay
	@rm -rf build dist .coverage .coverage.* htmlcov .hypothesis .mypy_cache .pytest_cache .ruff_cache
	@find . -name .venv -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +

# A .venv whose Python no longer runs is made anew. PIP_CONSTRAINT is dropped: constraints.txt names every package.
$(STAMP):
	@$(RUN) -c '' 2>/dev/null || { \
	  $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	    echo "pepperenvs needs Python 3.11 or newer; $(PYTHON) is: $$($(PYTHON) --version 2>&1 | head -n 1)." \
	         "Name another one: make PYTHON=/path/to/python3.11 …" >&2; exit 1; }; \
	  $(PYTHON) -m venv --clear .venv; }
	@echo "Installing pepperenvs and all its extras into .venv (some minutes the first time)"
	@env -u PIP_CONSTRAINT $(RUN) -m pip install -qq --disable-pip-version-check -c constraints.txt -e '.[all]'
	@rm -f .venv/.stamp-*
	@touch $@
