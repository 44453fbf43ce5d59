"""Draws where the time of each answer went: one bar for each part of the wait, as SVG."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from careline_local.voice.simulate import Reply

PARTS = (
    ("hearing", "transcript", "recognise"),
    ("asking", "asked", "decide to ask"),
    ("orchestrator", "text", "answer"),
    ("voice", "audio", "synthesise"),
    ("line", "line_speaks", "wait for the turn"),
)
"""Name, the moment that ends it, and what happens in it; each begins where the one before ended."""
COLOURS = {"hearing": "#3b6ea5", "asking": "#8a8f98", "orchestrator": "#2f7d5b", "voice": "#b06a2c", "line": "#6d5a8c"}
LEFT, WIDTH, ROW, SCALE_SECONDS = 300, 640, 56, 0.5


@dataclass(frozen=True, slots=True)
class Bar:
    """One part of the wait, in seconds after the end of the caller's speech."""

    name: str
    start: float
    end: float


def bars(reply: Reply, began: float) -> list[Bar]:
    """The parts of one reply that took place, in order. `began` is when the line was taken, by the call_events's clock.

    What was asked in vain, because the caller went on, is left out: the last one before the line spoke counts.
    """
    spoke = next((m.at for m in reply.moments if m.name == "line_speaks" and m.at - began > reply.ended), None)
    made, start = [], 0.0
    for name, moment, _ in PARTS:
        at = [m.at for m in reply.moments if m.name == moment and (spoke is None or m.at <= spoke)]
        if at:
            end = max(start, at[-1] - began - reply.ended)
            made.append(Bar(name, round(start, 3), round(end, 3)))
            start = end
    return made


def draw(replies: list[tuple[str, Reply]], began: float) -> str:
    """An SVG picture; each reply has a title, a row of bars and the seconds to its first audible word."""
    rows = [(title, reply, bars(reply, began)) for title, reply in replies]
    ends = [bar.end for _, _, made in rows for bar in made] + [reply.first_audio or 0.0 for _, reply, _ in rows]
    longest = max([SCALE_SECONDS, *ends])
    scale, height = WIDTH / longest, 70 + ROW * len(rows)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 90} {height}" font-family="sans-serif" '
        f'font-size="13" role="img"><title>Where the time of each answer went</title>'
        f'<rect width="100%" height="100%" fill="#fff"/>',
        *_scale(longest, scale, height),
        *_legend(),
    ]
    for number, (title, reply, made) in enumerate(rows):
        parts += _row(title, reply, made, scale, 50 + ROW * number)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _row(title: str, reply: Reply, made: list[Bar], scale: float, top: int) -> list[str]:
    shown = escape(title if len(title) <= 40 else title[:39] + "…")
    first = "no reply" if reply.first_audio is None else f"{reply.first_audio:.2f} s"
    row = [f'<text x="10" y="{top + 22}" fill="#222">{shown}</text>']
    for bar in made:
        x, width = LEFT + bar.start * scale, max(1.0, (bar.end - bar.start) * scale)
        told = f"{bar.name}: {1000 * (bar.end - bar.start):.0f} ms"
        row.append(
            f'<rect x="{x:.1f}" y="{top + 8}" width="{width:.1f}" height="20" fill="{COLOURS[bar.name]}">'
            f"<title>{told}</title></rect>"
        )
    end = LEFT + (reply.first_audio or 0.0) * scale
    row.append(
        f'<line x1="{end:.1f}" x2="{end:.1f}" y1="{top + 2}" y2="{top + 34}" stroke="#c02020" stroke-width="2"/>'
    )
    row.append(f'<text x="{end + 6:.1f}" y="{top + 46}" fill="#c02020">{first}</text>')
    return row


def _scale(longest: float, scale: float, height: int) -> list[str]:
    marks = range(int(longest / SCALE_SECONDS) + 1)
    return [
        f'<line x1="{LEFT + mark * SCALE_SECONDS * scale:.1f}" x2="{LEFT + mark * SCALE_SECONDS * scale:.1f}" y1="44" '
        f'y2="{height - 14}" stroke="#ddd"/><text x="{LEFT + mark * SCALE_SECONDS * scale:.1f}" y="{height - 2}" '
        f'fill="#666" text-anchor="middle">{mark * SCALE_SECONDS:.1f} s</text>'
        for mark in marks
    ]


def _legend() -> list[str]:
    shown, x = [], LEFT
    for name, _, what in PARTS:
        shown.append(
            f'<rect x="{x}" y="14" width="12" height="12" fill="{COLOURS[name]}"/>'
            f'<text x="{x + 17}" y="25" fill="#222">{what}</text>'
        )
        x += 40 + 7 * len(what)
    return shown
