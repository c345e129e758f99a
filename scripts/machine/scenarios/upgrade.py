"""An upgrade takes its place, one that does not come up is rolled back, and games and configuration are kept.

The versions were built when the image was made, by install.sh itself: an emulated processor takes minutes for that.
What is done here is what can go wrong in a machine that plays: to switch, to start, to go back.
"""

from __future__ import annotations

from lab import Lab, Missing
from twin import Rehearsal

TITLE = "upgrade, and one that is rolled back"
VERSION = "/opt/dicetable/current/bin/python -c 'import importlib.metadata as m; print(m.version(\"dicetable\"))'"
BUILT = "mv /opt/built/* /opt/dicetable/releases/"
INSTALL = "sh /src/systemd/install.sh --platform pi --wheel /wheels/dicetable-{}-py3-none-any.whl"


def rehearse(evening: Rehearsal) -> None:
    evening.restart("upgraded")
    evening.press("score")
    evening.restart("rolled back")
    evening.press("score")


def prove(lab: Lab) -> str:
    config = lab.run("sha256sum /etc/dicetable/dicetable.toml")
    lab.run(BUILT)
    status, said = lab.machine.agent.ask(INSTALL.format("9.0.1"), 900.0)
    expect(status == 0 and lab.run(VERSION) == "9.0.1", f"the upgrade: status {status}, {said}")
    lab.perform(2)
    status, said = lab.machine.agent.ask(INSTALL.format("9.0.3"), 900.0)
    expect(status == 2 and lab.run(VERSION) == "9.0.1", f"the roll-back: status {status}, {said}")
    lab.perform(2)
    expect(lab.run("sha256sum /etc/dicetable/dicetable.toml") == config, "the configuration was changed")
    return "9.0.1 took its place, 9.0.3 did not come up and was rolled back (status 2); same turn each time"


def expect(true: bool, what: str) -> None:
    if not true:
        raise Missing(what)
