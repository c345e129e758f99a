"""Collect the words that players see, bring the translations up to date, and compile them.

Room: none; a tool for people who change or translate words. Needs Babel (`make setup` installs it).

    python scripts/catalogues.py            # collect, update and compile
    python scripts/catalogues.py --check    # say what is not up to date or not translated; exit status 1 if anything is
"""

from __future__ import annotations

import argparse
import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from firmware.language import BUTTON_WORDS, DOMAIN, LANGUAGES, LOCALES

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("rules", "vision", "hardware", "firmware")
KEYWORDS: dict[str, tuple[int | tuple[int, str], ...] | None] = {
    "_": None,
    "_n": (1, 2),
    "_as": ((1, "c"), 2),
    "Code": None,
}
"""What marks words: `_`, `_n` and `_as` (see rules/said.py), and `Code` in hardware/faults.py."""
TEMPLATE = LOCALES / f"{DOMAIN}.pot"
FIELD = re.compile(r"\{(\w+)\}")


def collect() -> Catalog:
    """All words that are marked in the code, as a template."""
    old = read_po(TEMPLATE.open("rb")) if TEMPLATE.exists() else None
    made = Catalog(
        project="dicetable", copyright_holder="The dicetable developers", charset="utf-8", fuzzy=False,
        creation_date=old.creation_date if old else None,
        header_comment="# Words of dicetable. Made by scripts/catalogues.py.",
    )  # fmt: skip
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            name = str(path.relative_to(ROOT))
            for _line, message, comments, context in extract_from_file("python", path, KEYWORDS, ("i18n:",)):
                ids = message[:2] if isinstance(message, tuple) else message.replace("!r}", "}")
                made.add(ids, None, [(name, 1)], auto_comments=comments, context=context)
    return made


def po_path(code: str) -> Path:
    return LOCALES / code / "LC_MESSAGES" / f"{DOMAIN}.po"


def read(code: str) -> Catalog:
    """A language's catalogue as it is; an empty one if there is none yet."""
    path = po_path(code)
    if not path.exists():
        return Catalog(locale=code, project="dicetable", charset="utf-8", fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, locale=code)


def written(catalogue: Catalog) -> bytes:
    """A catalogue as a .po file: no line numbers, so that moving code changes nothing."""
    out = io.BytesIO()
    write_po(out, catalogue, width=110, include_lineno=False, ignore_obsolete=True, sort_by_file=True)
    return out.getvalue()


def compiled(catalogue: Catalog) -> bytes:
    out = io.BytesIO()
    write_mo(out, catalogue)
    return out.getvalue()


def update(code: str, template: Catalog) -> Catalog:
    catalogue = read(code)
    date = catalogue.revision_date
    catalogue.update(template, no_fuzzy_matching=True)
    catalogue.revision_date = date
    return catalogue


def translations() -> list[str]:
    return [code for code in LANGUAGES if code != "en"]


def faults_of(code: str, catalogue: Catalog) -> Iterator[str]:
    """What is wrong in one language's catalogue: missing, fuzzy, or with other fields or buttons than the original."""
    forms = catalogue.num_plurals
    for message in catalogue:
        if not message.id:
            continue
        ids = message.id if isinstance(message.id, list | tuple) else (message.id,)
        said = message.string if isinstance(message.string, list | tuple) else (message.string,)
        where = f"{code}: {ids[0]!r}"
        if message.fuzzy:
            yield f"{where} is fuzzy"
        if len(ids) > 1 and len(said) != forms:
            yield f"{where} has {len(said)} plural forms, not {forms}"
        for text in said:
            if not text:
                yield f"{where} is not translated"
                continue
            found = set(FIELD.findall(text))
            needed, known = (join(*({*FIELD.findall(i)} for i in ids)) for join in (set.intersection, set.union))
            if found - known or needed - found:
                yield f"{where} has the fields {sorted(found)}, not {sorted(known)}"
            for button in BUTTON_WORDS:
                if bool(re.search(rf"\b{button}\b", ids[-1])) != bool(re.search(rf"\b{button}\b", text)):
                    yield f"{where} does not agree on {button}"
            if text != text.strip() or (text[-1:] in ".!?" and ids[-1][-1:] not in ".!?"):
                yield f"{where} begins or ends otherwise than the original"


def problems() -> list[str]:
    """Everything that is not up to date or not complete."""
    template = collect()
    found = []
    if not TEMPLATE.exists() or TEMPLATE.read_bytes() != written(template):
        found.append(f"{TEMPLATE.name} is not what the code says: run make catalogues")
    for code in translations():
        catalogue = update(code, template)
        if not po_path(code).exists() or po_path(code).read_bytes() != written(catalogue):
            found.append(f"{code}: the catalogue is not up to date: run make catalogues")
        mo = po_path(code).with_suffix(".mo")
        if not mo.exists() or mo.read_bytes() != compiled(catalogue):
            found.append(f"{code}: the compiled catalogue is not up to date: run make catalogues")
        found += faults_of(code, catalogue)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description="Collect, update and compile the words that players see.")
    parser.add_argument("--check", action="store_true", help="change nothing; say what is not up to date")
    if not parser.parse_args().check:
        template = collect()
        LOCALES.mkdir(exist_ok=True)
        TEMPLATE.write_bytes(written(template))
        for code in translations():
            catalogue = update(code, template)
            po_path(code).parent.mkdir(parents=True, exist_ok=True)
            po_path(code).write_bytes(written(catalogue))
            po_path(code).with_suffix(".mo").write_bytes(compiled(catalogue))
    found = problems()
    print("\n".join(found) or f"{len(collect())} messages, complete in {len(LANGUAGES)} languages")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
