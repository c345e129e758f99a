"""The shell in the emulated machine: what is asked while its line opens anew may be lost, and is asked again."""

from __future__ import annotations

import base64
import importlib.util
import socket
import threading
from pathlib import Path

import pytest

FILE = Path(__file__).resolve().parents[2] / "scripts" / "machine" / "agent.py"
spec = importlib.util.spec_from_file_location("machine_agent", FILE)
assert spec is not None and spec.loader is not None
agent = importlib.util.module_from_spec(spec)
spec.loader.exec_module(agent)


class Guest:
    """The other end of the line: it loses the first `lost` lines, and answers those after them as `echo` does."""

    def __init__(self, path: Path, lost: int) -> None:
        self.heard: list[str] = []
        self._server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._server.bind(str(path))
        self._server.listen(1)
        self._lost = lost
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        line, _ = self._server.accept()
        with line, line.makefile("rb") as asked:
            for said in asked:
                script = base64.b64decode(said).decode()
                self.heard.append(script)
                if len(self.heard) > self._lost:
                    answer = base64.b64encode(script.removeprefix("echo ").encode())
                    line.sendall(b"0 " + answer + b"\n")


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    # A relative path: those of sockets must be short.
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(agent, "ASK_AGAIN_S", 0.02)
    return Path("agent")


@pytest.mark.parametrize("lost", [0, 1, 3])
def test_what_is_lost_while_the_line_opens_is_asked_again(path: Path, lost: int) -> None:
    guest = Guest(path, lost)
    line = agent.Agent(path)
    line.wait(60.0)
    assert len(guest.heard) > lost
    # No answer to what was asked before is taken for one to this.
    assert line.run("echo now") == "now"
    line.close()


def test_a_machine_that_never_answers_is_told(path: Path) -> None:
    Guest(path, lost=1_000_000)
    with pytest.raises(TimeoutError):
        agent.Agent(path).wait(0.1)
