"""The rules in words.

Room: rules.
"""

from __future__ import annotations

from rules.engine import Engine


def rulebook(engine: Engine) -> tuple[str, ...]:
    """See `Game.rulebook`."""
    return (engine.title,)
