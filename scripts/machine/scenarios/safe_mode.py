"""Two starts that fail lead to safe mode, which says what is wrong; mended, the same turn is on the screen."""

from __future__ import annotations

from lab import Lab
from twin import Rehearsal

TITLE = "safe mode after starts that fail"
FILE = "/etc/dicetable/dicetable.toml"


def rehearse(evening: Rehearsal) -> None:
    evening.restart("the configuration is mended")
    evening.press("score")


def prove(lab: Lab) -> str:
    old = lab.pid()
    lab.run(f"cp {FILE} /run/good.toml && printf '[panel]\\nbuttons = 7\\n' >> {FILE}")
    lab.run("systemctl --no-block restart dicetable")
    lab.back(old, 600.0)
    why = lab.run("cat /var/lib/dicetable/.incomplete_start")
    lab.until("grep -q '\"fails\": 2' /var/lib/dicetable/.incomplete_start", 30.0, f"this is not safe mode: {why}")
    lab.snapshot("safe")
    old = lab.pid()
    lab.run(f"cp /run/good.toml {FILE} && systemctl restart dicetable", 600.0)
    lab.back(old)
    lab.perform()
    return "third start in safe mode with a picture; mended, the same turn"
