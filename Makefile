# What people do with this project. `make setup` makes .venv; everything else uses it.
# Targets that need the photos and clips take DATA= (default ../shared) and say so where it is missing.

DATA ?= ../shared
PY := .venv/bin/python
export DICETABLE_DATA := $(abspath $(DATA))

.PHONY: help setup play test lint format accuracy accuracy-table sweeps varied bench powercut soak scenarios soak-long soak-rules fuzz pictures proof catalogues clean

help:  ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

setup:  ## make .venv with everything; a second run takes seconds
	@scripts/setup.sh dev

play:  ## open the simulated table in a window (or, without a screen, play a demonstration game)
	@scripts/setup.sh play
	@$(PY) -m firmware.cli play --platform sim --demo-without-screen

test: setup  ## run the tests
	@$(PY) -m pytest -q

lint: setup  ## style, format and types
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy

format: setup  ## put the format right
	@$(PY) -m ruff check --fix .
	@$(PY) -m ruff format .

accuracy: setup  ## read all photos and renders under DATA and compare with the truth
	@$(PY) scripts/accuracy.py $(DICETABLE_DATA)

accuracy-table: setup  ## the same, and put the tables into docs/vision.md
	@$(PY) scripts/accuracy.py $(DICETABLE_DATA) --write docs/vision.md

sweeps: setup  ## brightness, blur, noise, rotation and scale, step by step, as plots in docs/sweeps
	@$(PY) scripts/sweep_reader.py $(DICETABLE_DATA)

varied: setup  ## photos turned, scaled and in other light: what is read wrong without a doubt?
	@$(PY) scripts/vary_reader.py $(DICETABLE_DATA) --seed $(or $(SEED),1)

bench: setup  ## how long things take
	@for script in scripts/bench_*.py; do echo "== $$script"; $(PY) $$script || exit 1; done

powercut: setup  ## power cuts, failing disks, kill -9 and damaged files: is anything lost? (about 10 minutes)
	@$(PY) scripts/powercut.py

soak: setup  ## 200 simulated throws with faults and 100,000 random events: is any roll wrong, lost or made up?
	@$(PY) scripts/soak.py

scenarios: setup  ## evenings at the simulated table, one for each thing that happens there (about ten minutes)
	@$(PY) -m pytest -q tests/table/scenarios.py

soak-long: setup  ## the same with THROWS throws (default 2000) from SEED (default 1000); in pieces with TABLES= at a time
	@$(PY) scripts/soak.py --throws $(or $(THROWS),2000) --seed $(or $(SEED),1000) \
		$(if $(TABLES),--most $(TABLES) --keep build/soak-$(or $(SEED),1000)-$(or $(THROWS),2000).jsonl)

soak-rules: setup  ## play PLAYOUTS random games of every kind and option through the rules (default 10000)
	@$(PY) scripts/soak_rules.py $(or $(PLAYOUTS),10000)

fuzz: setup  ## read 2,000 random and damaged pictures
	@$(PY) scripts/fuzz_reader.py

.PHONY: evening
evening: setup  ## a whole evening in the simulator, as pictures and sounds in build/evening (about five minutes)
	@$(PY) scripts/evening.py

catalogues: setup  ## collect the words that players see, update and compile the translations
	@$(PY) scripts/catalogues.py

pictures: setup  ## draw every scene at every size and in every language into build/pictures
	@$(PY) scripts/pictures.py

proof: setup  ## proof-read every text of every language, scene and size (about 6 minutes)
	@$(PY) scripts/pictures.py --proof

.PHONY: model
model:  ## render the tray, mast and panel box into build/model: a picture and an STL of each part (needs openscad)
	@scripts/model.sh

.PHONY: install-test
install-test:  ## install, upgrade, roll back and uninstall in fresh Debian 12 and 13, and boot one (root, network; 10 to 20 minutes)
	@scripts/install_test.sh

.PHONY: machine
machine: setup  ## boot the whole machine in QEMU, play at it and break it (root, Debian's QEMU, a network the first time)
	@$(PY) scripts/machine

clean:  ## remove what was built (not .venv)
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
