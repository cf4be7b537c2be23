# Takujō: "make play" sets up and serves, "make test" checks everything. Both need Debian with Python 3.11 or newer.
# Without make: see docs/installing.md.

BIN := .venv/bin
PY := $(BIN)/python
# As many test workers as processors, four at most: every one of them starts a browser.
WORKERS ?= $(shell n=$$(nproc 2>/dev/null || echo 2); [ $$n -gt 4 ] && n=4; echo $$n)
# Neighbours share a worker, which reads the templates of a game once; a worker that is done takes some of another's.
SPREAD := -n $(WORKERS) --dist worksteal

TEMPLATES := templates characters sessions

.DEFAULT_GOAL := help
.PHONY: help setup setup-dev play test test-long test-module pictures bench faults simulate services lint format types contracts messages \
	migrations lock release bundle clean

help: ## Say what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "%-20s %s\n", $$1, $$2 }'

setup: ## Make .venv and install what the product needs; quick when nothing changed
	@.ci/setup requirements.lock

setup-dev: ## The same with the tools for tests and checks
	@.ci/setup requirements-dev.lock

play: setup ## Set up, serve on the local network, print the address and a QR code (ARGS="--port 9000 --no-qr")
	@$(PY) manage.py play $(ARGS)

test: setup-dev services ## Run all tests (ARGS="-k words"; STRICT=1: a missing Redis, PostgreSQL or Chromium fails)
	@$(PY) -m pytest $(SPREAD) -m "not long" $(ARGS)

test-long: setup-dev services ## Run what "make test" leaves out: more seeds of random games, whole games in browsers (ARGS="--minutes 8": what fits)
	@$(PY) -m pytest $(SPREAD) -m long $(ARGS)

bench: setup-dev services ## Print how fast it is, in ratios (ARGS="floor games log pages many hosted reading painted attack": some; ARGS="--into docs/speed.md")
	@$(PY) -m tests.bench $(ARGS)

faults: setup-dev services ## Let an evening go on while all kinds of things fail (ARGS="--seed 7 --rounds 20 --hosted")
	@$(PY) -m tests.faults $(ARGS)

simulate: setup-dev ## Play evenings of the real code without real time (ARGS="--seed 7 --evenings 500 --game uroboros", or "--planted")
	@$(PY) -m tests.simulation $(ARGS)

pictures: setup-dev ## Take the pictures of the help and of the README anew, from the product in Chromium
	@$(PY) -m tests.pictures

test-module: setup-dev ## Run every test that looks at one game: its own, and those for all games (KEY=journey)
	@$(PY) -m pytest $(SPREAD) -m "not long" -k "$(KEY)" tests/sessions sessions/game_tests tests/test_layout.py tests/test_words.py \
		sessions/modules/$(KEY) $(ARGS)

services:
	@.ci/services

lint: setup-dev ## Look for mistakes in the style of the code and of the templates ("make format" mends the templates)
	@$(BIN)/ruff check .
	@$(BIN)/djlint --check --lint $(TEMPLATES)
	@$(BIN)/djlint --lint $(TEMPLATES) --profile jinja --extension jinja

format: setup-dev ## Lay out the templates as "make lint" wants them
	@$(BIN)/djlint --reformat --quiet $(TEMPLATES)

types: setup-dev ## Check the types
	@$(BIN)/mypy

contracts: setup-dev ## Check who imports whom
	@$(BIN)/lint-imports

messages: setup-dev ## Write new words of the sources into the catalogues (needs gettext), and compile them
	@$(PY) manage.py makemessages
	@$(PY) manage.py compile_catalogues

migrations: setup-dev ## Write what changed in the models into migrations
	@$(PY) manage.py makemigrations

lock: setup-dev ## Choose the newest versions that pyproject.toml allows
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		--upgrade pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		--upgrade pyproject.toml --group dev --extra lab -o requirements-dev.lock

release: ## Give the unreleased part of CHANGELOG.md a number, commit and tag it (VERSION=1.2.3)
	@.ci/release $(VERSION)

bundle: setup-dev ## Make dist/takujo-VERSION-windows.zip, which opens by a double click (ARGS="--python FILE": an embeddable Python)
	@$(PY) deploy/windows/bundle.py $(ARGS)

clean: ## Remove what was made, except the database and its secret key in var/
	rm -rf .venv var/static .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +
	find . -name '*.mo' -delete
