"""The page of plots: one HTML file that needs nothing else, with its pictures as SVG inside.

Room: firmware. Takes figures (`firmware/stats.py`) and returns text. Every plot has a sentence that says what it shows,
and every mark its number, so that nothing is said by colour or length alone.
"""

from __future__ import annotations

from html import escape

from firmware.stats import ENOUGH_DICE, DiceFigures, Figures, PlayerFigures, three_alike_share

_COLOURS = ("#1b6ca8", "#b3541e", "#3d7a2a", "#8a3b8f", "#a8871b", "#5b5b5b", "#b02a4b", "#2a8a8a")
_WIDTH, _BAR, _LEFT = 720, 26, 150

_STYLE = """
:root { color-scheme: light }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #1c1c1c }
h1 { font-size: 1.6rem } h2 { font-size: 1.2rem; margin: 2.5rem 0 .3rem } p { margin: .2rem 0 .6rem }
svg { display: block; width: 100%; height: auto } svg text { font: 13px system-ui, sans-serif; fill: #1c1c1c }
table { border-collapse: collapse; width: 100% } td, th { padding: .25rem .5rem; border-bottom: 1px solid #ddd }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums } th { text-align: left }
.soft { color: #5b5b5b }
"""


def page(found: Figures) -> str:
    """The whole page."""
    parts = ["<h1>dicetable</h1>", f"<p>{_summary(found)}</p>"]
    kinds = sorted({g.game for p in found.players for g in p.games})
    for kind in kinds:
        parts += _kind(kind, found.players)
    parts += _luck(found.players)
    for dice in found.dice:
        parts += _dice(dice)
    parts += _games(found)
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>dicetable: figures</title>\n'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head>\n'
        f"<body>\n{body}\n</body></html>\n"
    )


def _summary(found: Figures) -> str:
    over = sum(g.over and not g.struck for g in found.games)
    dice = sum(d.thrown for d in found.dice)
    return f"{over} finished games, {len(found.players)} players, {dice} dice thrown."


def _svg(height: float, label: str, marks: list[str]) -> str:
    inside = "".join(marks)
    return f'<svg viewBox="0 0 {_WIDTH} {height:.0f}" role="img" aria-label="{escape(label)}">{inside}</svg>'


def _text(x: float, y: float, words: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def _short(name: str, most: int = 18) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"


def _kind(kind: str, players: tuple[PlayerFigures, ...]) -> list[str]:
    rows = [(p.name, g) for p in players for g in p.games if g.game == kind]
    rows.sort(key=lambda r: -r[1].average)
    top = max(max(g.best for _, g in rows), 1)
    scale = (_WIDTH - _LEFT - 170) / top
    marks = []
    for i, (name, g) in enumerate(rows):
        y = i * _BAR + 4
        width, best = max(0.0, g.average * scale), _LEFT + max(0, g.best) * scale
        marks.append(_text(_LEFT - 8, y + 15, _short(name), "end"))
        marks.append(f'<rect x="{_LEFT}" y="{y}" width="{width:.1f}" height="{_BAR - 8}" fill="{_COLOURS[0]}"/>')
        marks.append(f'<path d="M{best:.1f} {y - 2}v{_BAR - 4}" stroke="{_COLOURS[1]}" stroke-width="3"/>')
        said = f"{g.average:.1f}, best {g.best}, {g.won} of {g.played} won"
        marks.append(_text(max(best, _LEFT + width) + 8, y + 15, said))
    parts = [
        f"<h2>{escape(kind)}: points</h2>",
        "<p>Bars are averages; the upright stroke is the best game.</p>",
        _svg(len(rows) * _BAR + 8, f"average and best points at {kind}", marks),
    ]
    lines = [(n, g.results) for n, g in rows if len(g.results) > 1][: len(_COLOURS)]
    return parts + (_lines(kind, lines) if lines else [])


def _lines(kind: str, lines: list[tuple[str, tuple[tuple[int, int], ...]]]) -> list[str]:
    height, bottom, right = 260, 230, _WIDTH - 130
    ids = sorted({g for _, rows in lines for g, _ in rows})
    place = {g: 50 + i * (right - 60) / max(1, len(ids) - 1) for i, g in enumerate(ids)}
    low = min(0, min(p for _, rows in lines for _, p in rows))
    high = max(max(p for _, rows in lines for _, p in rows), low + 1)

    def y(points: float) -> float:
        return bottom - (points - low) / (high - low) * (bottom - 20)

    marks = []
    for points in sorted({low, round((low + high) / 2), high}):
        marks.append(f'<path d="M50 {y(points):.1f}H{right}" stroke="#ddd"/>')
        marks.append(_text(44, y(points) + 4, str(points), "end"))
    ends = sorted((y(rows[-1][1]), n) for n, (_, rows) in enumerate(lines))
    at = -99.0
    for end, n in ends:
        name, rows = lines[n]
        colour = _COLOURS[n]
        path = "M" + "L".join(f"{place[g]:.1f} {y(p):.1f}" for g, p in rows)
        marks.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        marks += [f'<circle cx="{place[g]:.1f}" cy="{y(p):.1f}" r="3" fill="{colour}"/>' for g, p in rows]
        at = max(end, at + 15)
        last = place[rows[-1][0]]
        marks.append(f'<path d="M{last:.1f} {end:.1f}L{right + 4} {at:.1f}" stroke="{colour}" stroke-dasharray="2 3"/>')
        marks.append(_text(right + 8, at + 4, _short(name, 14)))
    marks.append(_text(50, height - 8, f"game {ids[0]}"))
    marks.append(_text(right, height - 8, f"game {ids[-1]}", "end"))
    label = f"points at {kind}, game by game"
    return ["<p>Game by game.</p>", _svg(max(height, at + 12), label, marks)]


def _luck(players: tuple[PlayerFigures, ...]) -> list[str]:
    thrown = sorted((p for p in players if p.dice), key=lambda p: -p.luck)
    if not thrown:
        return []
    middle, scale = 380.0, 60.0
    marks = [f'<path d="M{middle} 0V{len(thrown) * _BAR + 4}" stroke="#999"/>']
    for i, p in enumerate(thrown):
        y = i * _BAR + 4
        end = middle + max(-3.5, min(3.5, p.luck)) * scale
        colour = _COLOURS[2] if p.luck >= 0 else _COLOURS[1]
        marks.append(_text(_LEFT - 8, y + 15, _short(p.name), "end"))
        left, width = min(middle, end), abs(end - middle)
        marks.append(f'<rect x="{left:.1f}" y="{y}" width="{width:.1f}" height="{_BAR - 8}" fill="{colour}"/>')
        said = f"{p.luck:+.1f}"
        marks.append(_text(end + (6 if p.luck >= 0 else -6), y + 15, said, "start" if p.luck >= 0 else "end"))
        marks.append(_text(_WIDTH - 4, y + 15, f"{p.pips / p.dice:.2f} pips", "end"))
    share = three_alike_share()
    alike = "; ".join(
        f"{escape(p.name)} {p.alike} of {p.firsts} (expected {share * p.firsts:.1f})" for p in thrown if p.firsts
    )
    return [
        "<h2>Luck</h2>",
        "<p>Pips of all dice thrown, against 3.5 a die, in standard errors. Beyond 2 either way is rare.</p>",
        _svg(len(thrown) * _BAR + 8, "luck of each player in standard errors", marks),
        f'<p class="soft">First rolls with three alike or more: {alike}.</p>' if alike else "",
    ]


def _dice(dice: DiceFigures) -> list[str]:
    expected = dice.thrown / 6
    top = max(*dice.counts, expected)
    height, bottom = 200, 170
    marks = []
    for i, count in enumerate(dice.counts):
        x, tall = 70 + i * 100, count / top * (bottom - 24)
        marks.append(f'<rect x="{x}" y="{bottom - tall:.1f}" width="60" height="{tall:.1f}" fill="{_COLOURS[0]}"/>')
        marks.append(_text(x + 30, bottom - tall - 6, str(count), "middle"))
        marks.append(_text(x + 30, bottom + 18, str(i + 1), "middle"))
    line = bottom - expected / top * (bottom - 24)
    marks.append(f'<path d="M50 {line:.1f}H670" stroke="{_COLOURS[1]}" stroke-width="2" stroke-dasharray="6 4"/>')
    marks.append(_text(676, line + 4, "fair"))
    if dice.p is None:
        verdict = f"Fewer than {ENOUGH_DICE} dice say nothing about fairness."
    else:
        verdict = f"Fair dice are at least this uneven {dice.p:.1%} of the time "
        verdict += f"(chi-square {dice.chi2:.1f}, p = {dice.p:.3f})."
        verdict += " That is rare enough to look at them." if dice.p < 0.01 else " Nothing to worry about."
    return [
        f"<h2>Faces: {escape(dice.name)}</h2>",
        f"<p>{dice.thrown} dice thrown. {verdict}</p>",
        _svg(height, f"how often each face of {dice.name} was thrown", marks),
    ]


def _games(found: Figures) -> list[str]:
    rows = []
    for g in reversed(found.games):
        seats = ", ".join(f"{escape(n)} {t}{' ★' if won else ''}" for n, t, won in g.seats)
        state = "struck" if g.struck else "" if g.over else "not finished"
        rows.append(
            f'<tr><td class="n">{g.id}</td><td>{escape(g.started[:16].replace("T", " "))}</td>'
            f"<td>{escape(g.game)}</td><td>{seats}</td><td>{state}</td></tr>"
        )
    return [
        "<h2>Games</h2>",
        '<table><tr><th class="n">game</th><th>clock</th><th>rules</th><th>points</th><th></th></tr>',
        *rows,
        "</table>",
    ]
