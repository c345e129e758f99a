"""What can be wrong with the journal's file, in words, and which of it may go away by itself.

Room: firmware. Knows errors of SQLite and of the disk, and no game.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from pathlib import Path

from firmware import journal_rescue as rescue
from firmware.errors import Fault

_SOFT = {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
}


def cant_write(error: Exception) -> Fault:
    """What to say while what was accepted can't be kept."""
    return Fault("JRN-03", f"the journal can't be written ({error}).", "The game goes on; make room on the disk.")


def is_passing(error: Exception, folder: Path) -> bool:
    """May this trouble go away by itself: a full, read-only or failing disk?"""
    if isinstance(error, OSError):
        return error.errno in (errno.ENOSPC, errno.EROFS, errno.EDQUOT, errno.EIO)
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in _SOFT:
        return True
    try:
        disk = os.statvfs(folder)
    except OSError:
        return False
    return code == sqlite3.SQLITE_CANTOPEN and bool(disk.f_flag & os.ST_RDONLY or disk.f_bavail == 0)


def rescued(done: rescue.Rescued, why: str) -> Fault:
    """What was done about a damaged journal, and what to look at. `why` it was damaged."""
    words = f"the journal was damaged ({why})."
    if done.aside.exists():
        words += f" The damaged file is kept as {done.aside.name}."
    if done.from_copy:
        words += " The last good copy was used."
    if not done.events:
        words += " Nothing in it could be read."
    if done.missing or done.cut or not done.events:
        return Fault("JRN-05", words, "Some moves are missing: check the scores.")
    return Fault("JRN-05", words, "Check the last moves.")
