"""The command line itself: what it says when something is wrong, and its exit statuses."""

from __future__ import annotations

import pytest

from firmware import cli


def test_a_command_that_there_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["fly"]) == 2
    assert "there is no command 'fly'" in capsys.readouterr().err


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--help"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in cli.COMMANDS)


@pytest.mark.parametrize("name", list(cli.COMMANDS))
def test_every_command_has_help_without_notes_for_builders(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main([name, "--help"])
    assert ended.value.code == 0
    assert "Room:" not in capsys.readouterr().out


def test_a_crash_is_told_with_a_code_and_is_no_success(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from firmware import replay

    def broken(args: object) -> int:
        raise RuntimeError("a wheel came off")

    monkeypatch.setattr(replay, "run", broken)
    assert cli.main(["replay", "x"]) == 1
    said = capsys.readouterr().err
    assert "Traceback" in said
    assert said.splitlines()[-1].startswith("dicetable: APP-01: ")
