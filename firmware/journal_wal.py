"""SQLite's write-ahead log, read without SQLite: is it whole, and what does the database look like with it?

Room: firmware. SQLite itself drops what comes after the first frame that is damaged, and says nothing. That is right
after a power cut, when the last transaction may be half written; it is wrong when an older one was damaged on the card.
And opening a damaged database with SQLite may change or remove the evidence. So the log is looked at first.

Source of the format: sqlite.org/fileformat2.html, chapter 4.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

_HEADER = 32
_FRAME = 24
_MAGIC = {0x377F0682: "<", 0x377F0683: ">"}
DATABASE_MAGIC = b"SQLite format 3\0"


@dataclass(frozen=True, slots=True)
class Log:
    """What a log holds. `pages`: page number -> where its newest committed content begins. `lost`: transactions that
    were complete lie behind a damaged place, so they can't be used."""

    page_size: int
    pages: dict[int, int]
    size: int
    """Of the database in pages, after the last commit; 0 if there is none."""
    lost: bool


def _add(order: str, block: bytes, s: tuple[int, int]) -> tuple[int, int]:
    a, b = s
    words = iter(struct.unpack(f"{order}{len(block) // 4}I", block))
    for x, y in zip(words, words, strict=True):
        a = (a + x + b) & 0xFFFFFFFF
        b = (b + y + a) & 0xFFFFFFFF
    return a, b


def scan(wal: bytes, page_size: int = 4096) -> Log:
    """Look through a log. `page_size` is used where the log's header can't tell."""
    head = struct.unpack(">8I", wal[:_HEADER]) if len(wal) >= _HEADER else (0,) * 8
    order = _MAGIC.get(head[0])
    good = order is not None and _add(order, wal[:24], (0, 0)) == head[6:8]
    if good:
        page_size = head[2]
    salts: tuple[int, int] | None = head[4:6] if good else None
    step = _FRAME + page_size
    s = head[6:8]
    pages: dict[int, int] = {}
    fresh: dict[int, int] = {}
    size = behind = 0
    for at in range(_HEADER, len(wal) - step + 1, step):
        number, commit, *found, a, b = struct.unpack(">6I", wal[at : at + _FRAME])
        salt = (found[0], found[1])
        if salts is None:
            # The header is damaged. What SQLite wrote last begins at the front, so its salts are those of frame one.
            salts = salt
        if salt != salts:
            # Left from before the log began anew, or damaged; those that follow tell which.
            good = False
            continue
        if good and order is not None:
            s = _add(order, wal[at + _FRAME : at + step], _add(order, wal[at : at + 8], s))
            good = s == (a, b) and number > 0
        if not good:
            # A torn last transaction ends in one commit frame at most; more of them were complete once.
            behind += commit > 0
            continue
        fresh[number] = at + _FRAME
        if commit:
            pages.update(fresh)
            fresh, size = {}, commit
    return Log(page_size, pages, size, lost=behind > 1)


def image(database: bytes, wal: bytes) -> bytes:
    """The database as it is after the last commit in its log, as one file that needs no log."""
    page_size = int.from_bytes(database[16:18], "big") if len(database) >= 100 else 4096
    log = scan(wal, 65536 if page_size == 1 else max(512, page_size))
    whole = bytearray(database)
    if log.size:
        length = log.size * log.page_size
        whole = whole[:length].ljust(length, b"\0")
        for number, at in log.pages.items():
            if number <= log.size:
                whole[(number - 1) * log.page_size : number * log.page_size] = wal[at : at + log.page_size]
    if len(whole) >= 100:
        whole[18:20] = b"\1\1"  # read without a log
    return bytes(whole)
