# Roofline's commands. Each sets up what it needs; nothing outside of this folder is changed.
.PHONY: setup run test test-llm lint format bench

setup:
	@trainer/ops/setup.sh

run: setup
	@exec .venv/bin/python -m trainer.ops.run

test: setup
	@exec .venv/bin/python -m trainer.ops.test $(ARGS)

test-llm: setup
	@exec .venv/bin/python -m trainer.ops.test_llm

lint: setup
	@exec .venv/bin/python -m trainer.ops.lint

format: setup
	.venv/bin/ruff check --fix-only --quiet .
	.venv/bin/ruff format .

bench: setup
	@exec .venv/bin/python -m trainer.ops.bench $(ARGS)
