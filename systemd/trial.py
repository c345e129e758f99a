"""Does this version start? And: put the journal back as it was. For install.sh, with the system's Python.

Not part of any room: it must work whatever is wrong with the version that is tried, so it imports nothing of it.

    trial.py PROGRAM FOLDER                 start PROGRAM with a simulated tray, no screen and its data in FOLDER
    trial.py --put-back JOURNAL FOLDER      the newest copy in FOLDER takes JOURNAL's place, if the two differ in shape
"""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path

START_S = 120.0
STOP_S = 10.0


def try_to_start(program: str, folder: Path) -> int:
    """0 if `program` shows a first picture and ends when it is told to; else says what it said."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(folder / "notify"))
        manager.settimeout(0.5)
        arguments = ["play", "--platform", "sim", "--offscreen", str(folder / "picture.png"), "--data", str(folder)]
        empty = folder / "empty.toml"
        empty.touch()
        with (folder / "said").open("w+b") as said:
            process = subprocess.Popen(
                [program, *arguments, "--config", str(empty)],
                cwd=folder,
                env={**os.environ, "NOTIFY_SOCKET": str(folder / "notify"), "HOME": str(folder)},
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
            )
            try:
                why = wait_for_ready(manager, process)
                if not why:
                    process.send_signal(signal.SIGTERM)
                    status = process.wait(STOP_S)
                    why = f"it ended with status {status} after SIGTERM" if status else ""
            except subprocess.TimeoutExpired:
                why = f"it does not end within {STOP_S:.0f} seconds after SIGTERM"
            finally:
                process.kill()
                process.wait()
            if why:
                said.seek(0)
                sys.stderr.write(said.read().decode("utf-8", "replace"))
                print(f"trial: {why}", file=sys.stderr)
                return 1
    return 0


def wait_for_ready(manager: socket.socket, process: subprocess.Popen[bytes]) -> str:
    """ "" once the program has said that it is ready, else why not."""
    for _ in range(round(START_S * 2)):
        if process.poll() is not None:
            return f"it ended with status {process.returncode} before its first picture"
        try:
            if b"READY=1" in manager.recv(4096).splitlines():
                return ""
        except TimeoutError:
            continue
    return f"there is no picture after {START_S:.0f} seconds"


def put_back(journal: Path, folder: Path) -> int:
    """A version that never came up has played no game, so the copy from before it is the whole truth."""
    saved = sorted(folder.glob("journal-*.sqlite3"))
    if not saved or version(saved[-1]) == version(journal):
        return 0
    owner = journal.stat() if journal.exists() else saved[-1].stat()
    for suffix in ("", "-wal", "-shm"):
        there = journal.with_name(journal.name + suffix)
        if there.exists():
            there.replace(journal.with_name(journal.name + ".after-upgrade" + suffix))
    partial = journal.with_name(journal.name + ".part")
    with saved[-1].open("rb") as source, partial.open("wb") as target:
        target.write(source.read())
        target.flush()
        os.fsync(target.fileno())
    os.chmod(partial, 0o640)
    if os.geteuid() == 0:
        os.chown(partial, owner.st_uid, owner.st_gid)
    partial.replace(journal)
    print(f"trial: {journal} is as it was before the upgrade")
    return 0


def version(path: Path) -> int:
    """The journal's own number of its shape; -1 if it can't be told."""
    try:
        db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            found: int = db.execute("pragma user_version").fetchone()[0]
            return found
        finally:
            db.close()
    except sqlite3.Error:
        return -1


if __name__ == "__main__":
    if sys.argv[1] == "--put-back":
        sys.exit(put_back(Path(sys.argv[2]), Path(sys.argv[3])))
    sys.exit(try_to_start(sys.argv[1], Path(sys.argv[2])))
