# Two commands matter to a newcomer: `make up` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
INSTALL := $(BIN)/python requirements/install.py

# Without them every process of a test compiles the sources anew, and every worker all the tests.
unexport PYTHONDONTWRITEBYTECODE

# Homes of tests lie in memory where there is room: on a disk the tests wait for it, most of all those that kill.
ROOM_KB := 1000000
ifeq ($(shell [ -w /dev/shm ] && [ "$$(df -Pk /dev/shm | awk 'NR == 2 {print $$4}')" -gt $(ROOM_KB) ] && echo yes),yes)
export PYTEST_DEBUG_TEMPROOT := /dev/shm
endif

.PHONY: up voice test others checks calls ring telephone lint style types imports templates synth cloud-local engines bench clean
.PHONY: preflight bootstrap diff deploy destroy rollback

up: $(VENV)/.laptop
	@$(BIN)/careline up $(if $(PORT),--port $(PORT))

voice: $(VENV)/.voice

# The tests make the templates and hold cfn-lint over them, as `lint` does for who wants no tests. Calls run in real
# time and wait for most of it, those by telephone too: all others and the linters go on beside them and stand back.
# These have one worker more than there are processors, as journeys wait for browsers and for processes that they start.
test: $(VENV)/.test
	@$(MAKE) --no-print-directory --jobs 4 ring calls checks others

others: $(VENV)/.test
	nice -n 15 $(BIN)/python -m pytest --ignore tests/voice --ignore tests/telephone --ignore tests/cloud --dist loadfile --no-loadscope-reorder \
	  --numprocesses $$($(BIN)/python -c 'import os; print(min(4, 1 + os.cpu_count()))')

checks: $(VENV)/.test
	@nice $(MAKE) --no-print-directory --jobs 1 types style imports

calls: $(VENV)/.test
	$(BIN)/python -m pytest tests/voice --numprocesses 4 --dist loadfile --no-loadscope-reorder

ring: $(VENV)/.test
	$(BIN)/python -m tests.telephone.isolated $(BIN)/python -m pytest tests/telephone -m "not long_call"

# The calls by telephone that take minutes. Recordings stay in build/telephone.
telephone: $(VENV)/.test
	$(BIN)/python -m tests.telephone.isolated $(BIN)/python -m pytest tests/telephone -m long_call

lint: style types imports templates

style: $(VENV)/.test
	$(BIN)/ruff check .

types: $(VENV)/.test
	$(BIN)/mypy layers/careline functions local infra training voice_worker

imports: $(VENV)/.test
	$(BIN)/lint-imports

templates: synth
	$(BIN)/cfn-lint

synth: $(VENV)/.test
	@rm -rf cdk.out
	JSII_NODE=$$($(BIN)/python -m infra.node) $(BIN)/python -m infra.app dev prod bundle=false

# The stage `dev` on this machine: every function in its built package, with nothing of this folder within its reach.
cloud-local: $(VENV)/.test
	JSII_NODE=$$($(BIN)/python -m infra.node) $(BIN)/python -m pytest tests/cloud -n 0 -v

engines:
	@$(PYTHON) -m tests.engines.servers.install

bench: $(VENV)/.laptop
	$(BIN)/careline bench all

# The cloud: STAGE is dev or prod, REGION that of the AWS environment unless it is given. docs/cloud.md has the order of
# a first deploy. What is missing on this machine or in the account is told before anything is made there.
CDK = JSII_NODE=$$($(BIN)/python -m infra.node) $(BIN)/python -m infra
TO = $(or $(STAGE),$(error Say which: make $@ STAGE=dev, or STAGE=prod)) $(if $(REGION),--region $(REGION))

preflight: $(VENV)/.cloud
	@rm -rf cdk.out/$(or $(STAGE),$(error Say which: make $@ STAGE=dev, or STAGE=prod))
	@$(CDK).app $(STAGE) bundle=false $(if $(ALARMS),alarms=$(ALARMS))
	@$(BIN)/careline cloud preflight --stage $(TO) --assembly cdk.out/$(STAGE)

bootstrap: $(VENV)/.cloud
	@$(CDK).deployment bootstrap $(TO)

diff: $(VENV)/.cloud
	@$(CDK).deployment diff $(TO)

deploy: preflight
	@$(CDK).deployment deploy $(TO) $(if $(STACKS),--stacks $(STACKS)) $(if $(CDK_OPTIONS),-- $(CDK_OPTIONS))

destroy: $(VENV)/.cloud
	@$(CDK).deployment destroy $(TO)

rollback: $(VENV)/.cloud
	@$(CDK).deployment rollback $(TO)

clean:
	rm -rf $(VENV) cdk.out build

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' || \
	  { echo "Careline needs Python 3.11 to 3.13; name one with make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.laptop: requirements/laptop.txt pyproject.toml | $(VENV)/bin/python
	@echo "Installing what Careline runs on into $(VENV) (once) ..."
	@$(INSTALL) requirements/laptop.txt
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.voice: requirements/voice.txt $(VENV)/.laptop
	@echo "Installing what the phone worker runs on into $(VENV) (once) ..."
	@$(INSTALL) requirements/voice.txt
	@touch $@

# `cloud.txt` second: boto3 wants the older python-dateutil, which CDK takes as well.
$(VENV)/.cloud: requirements/cloud.txt requirements/infra.txt $(VENV)/.laptop
	@echo "Installing what the cloud is deployed with into $(VENV) (once) ..."
	@$(INSTALL) requirements/infra.txt
	@$(INSTALL) requirements/cloud.txt
	@touch $@

$(VENV)/.test: requirements/test.txt $(VENV)/.laptop
	@echo "Installing what the tests need into $(VENV) (once) ..."
	@$(INSTALL) requirements/test.txt
	@touch $@
