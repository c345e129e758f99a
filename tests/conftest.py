"""Options of the test run that several folders share."""

from __future__ import annotations

import os

import pytest

# Tests play to nowhere, in this process and in those that they start.
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--vectors",
        metavar="DIR",
        default=None,
        help="folder with conformance vectors for the rules (default: the copies in tests/rules/vectors)",
    )
