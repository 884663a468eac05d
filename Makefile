# Everything is set up on first use: Python 3.11 or newer and make are all that a fresh machine needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: bench site wheel demo test check e2e format lint types tests verify build clean

demo: $(READY)  ## grade the made-up class in examples/
	$(BIN)/autograder demo

test: $(READY)  ## the tests that need Python alone
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not e2e"

check: format lint types test verify  ## exactly what CI runs before the end-to-end tests

e2e: $(READY)  ## tests with a real browser and a real PostgreSQL; installs them where it can
	./tests/e2e/prepare
	$(BIN)/python -m pytest -m e2e

bench: $(READY)  ## one class graded by us, nbgrader, Otter and a bare fork; takes half an hour
	$(BIN)/python -m benchmarks.side_by_side

format: $(READY)
	$(BIN)/ruff format --check .

lint: $(READY)
	$(BIN)/ruff check .

types: $(READY)
	$(BIN)/mypy

verify: $(READY)  ## prove the course: references pass, stubs fail, mistakes are caught
	$(BIN)/autograder verify

wheel: $(READY)  ## dist/tensor_autograder-….whl, to install anywhere
	rm -rf build  # what an earlier build left there would be packed as well
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .

site: $(READY)  ## the docs as pages in site/, every link checked
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build  # --quiet would let broken links pass

build: $(READY)  ## write the notebooks from the problem files
	$(BIN)/autograder build

# torch comes first and by its exact version: a range would bring the newest build, with gigabytes of CUDA.
$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; set PYTHON=…")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "$$(grep '^torch==' constraints.txt)"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	$(BIN)/python -m compileall -q autograder  # as pip does for all but this folder
	touch $(READY)

clean:
	rm -rf $(VENV) demo-out build dist site *.egg-info
