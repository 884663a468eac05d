"""A panel as one block of HTML: no scripts, no files, light and dark, for every notebook front end."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from html import escape
from pathlib import Path

from autograder.calls.requests_and_outcomes import Smallest
from autograder.calls.syntax_fault import Pointed
from autograder.check.panel import (
    MARKS,
    CaseView,
    LineView,
    Panel,
    PartView,
    State,
    hidden_words,
    points,
    summary_words,
)
from autograder.drawing import heatmaps
from autograder.drawing.mathml import to_mathml

_DARK = (
    "--ag-good:#4cc38a;--ag-bad:#ff9a62;--ag-open:#98a3b0;--ag-read:#7db8f7;"
    "--ag-soft:#1d232a;--ag-warn:#3a2f14;--ag-amber:#e8b64c;--ag-line:#39424d;--ag-shade:rgba(255,255,255,.3);"
    "--ag-paper:var(--jp-layout-color1,#14181d);--ag-ink:var(--jp-content-font-color1,#e4e9ee);"
)
# Each front end says in its own way that it is dark; where none says anything, the system does.
_DARK_PAGES = (
    'body[data-jp-theme-light="false"]',
    "body.vscode-dark",
    "body.vscode-high-contrast:not(.vscode-high-contrast-light)",
    'html[theme="dark"]',
)
_QUOTED = re.compile(r"`([^`\n]+)`")
_PRE = '<pre tabindex="0">'  # what may scroll is reached with the keyboard
_SILENT_PAGE = "body:not([data-jp-theme-light]):not([data-vscode-theme-kind]):not(.notebook_app)"
TONES = {
    State.PASSES: "good",
    State.FAILS: "bad",
    State.UNREADABLE: "warn",
    State.READ: "read",
    State.BY_HAND: "read",
}


def draw_html(panel: Panel) -> str:
    """The panel. Front ends that typeset dollar signs are asked to leave a student's text alone."""
    body = "".join(_body(panel))
    tone = _tone_of(panel)
    label = escape(f"check of {_about(panel)}")
    classes = f"ag {tone}{' whole' if panel.whole else ''} tex2jax_ignore mathjax_ignore"
    return (
        f'<div class="{classes}" role="region" aria-label="{label}"><style>{stylesheet()}</style>{body}</div>'
    )


@lru_cache(maxsize=1)
def stylesheet() -> str:
    """The rules of the panel and its pictures, as small as they are plain."""
    rules = Path(__file__).with_name("panel.css").read_text(encoding="utf-8")
    dark, silent = (
        f"{page} .ag{{{_DARK}}}{page} .ag .heat{{{heatmaps.dark_style()}}}"
        for page in (f":is({','.join(_DARK_PAGES)})", _SILENT_PAGE)
    )
    return f"{' '.join(rules.split())}{heatmaps.style()}{dark}@media (prefers-color-scheme:dark){{{silent}}}"


def _about(panel: Panel) -> str:
    if panel.trouble or panel.whole or not panel.parts:
        return panel.title
    return f"{panel.parts[0].name}: {panel.parts[0].headline}"


def _tone_of(panel: Panel) -> str:
    if panel.trouble:
        return "bad"
    if panel.whole:
        return "good" if panel.passed else "open"
    return tone(panel.parts[0].state)


def tone(state: State) -> str:
    return TONES.get(state, "open")


def _body(panel: Panel) -> Iterator[str]:
    if panel.trouble:
        yield f'<div class="head bad"><span class="i">✗</span><span>{escape(panel.trouble)}</span></div>'
        return
    if panel.whole:
        words = escape(summary_words(panel))
        yield f'<div class="head"><b>{escape(panel.title)}</b><span>{words}</span></div>'
    for slip in panel.slips:
        yield f'<div class="body"><p class="slip">{_words(slip)}</p></div>'
    for part in panel.parts:
        yield _folded(part) if panel.whole else f"{_head(part)}{_inside(part)}"


def _folded(part: PartView) -> str:
    inside = _inside(part)
    if not inside:
        return f'<div class="row">{_head(part)}</div>'
    return f'<details class="row"><summary>{_head(part)}</summary>{inside}</details>'


def _head(part: PartView) -> str:
    return (
        f'<div class="head {tone(part.state)}">{_mark(part.state)}<b>{escape(part.name)}</b>'
        f'<span>{escape(part.headline)}</span><span class="pt">{points(part.points)}</span></div>'
    )


def _mark(state: State) -> str:
    return f'<span class="i" role="img" aria-label="{state}">{MARKS[state]}</span>'


def _words(text: str) -> str:
    """A sentence; what it quotes of the student's code is set as code."""
    return _QUOTED.sub(r"<code>\1</code>", escape(text))


def _inside(part: PartView) -> str:
    pieces = [f'<p class="slip">{_words(slip)}</p>' for slip in part.slips]
    if part.hint:
        pieces.append(f'<p class="hint">{_words(part.hint)}</p>')
    if part.steps:
        pieces.append(_steps(part.steps))
    if part.closer:
        pieces.append(f"<p>{_words(part.closer)}</p>")
    if part.smallest:
        pieces.append(_smallest(part.smallest))
    pieces += [_line(line) for line in part.lines]
    failing = [case.name for case in part.cases if case.state == State.FAILS]
    pieces += [_case(case, case.name == failing[0] if failing else False) for case in part.cases]
    pieces += [f'<p class="muted">{_words(note)}</p>' for note in (*part.notes, hidden_words(part)) if note]
    return f'<div class="body">{"".join(pieces)}</div>' if pieces else ""


def _steps(steps: Sequence[tuple[str, str]]) -> str:
    """The first step of a hint; each further one is opened from the one before."""
    (about, says), *rest = steps
    further = f"<details><summary>{escape(rest[0][0])}?</summary>{_steps(rest)}</details>" if rest else ""
    return f'<p class="hint">{escape(about)}: {_words(says)}</p>{further}'


def _smallest(case: Smallest) -> str:
    rows = "".join(
        f"<dt>{side}</dt><dd>{'<br>'.join(_named(*each) for each in getattr(case, side))}</dd>"
        for side in ("given", "right", "yours")
    )
    table = f'<div class="wide" tabindex="0"><dl class="facts">{rows}</dl></div>'
    return f"<p>A small case that shows it:</p>{table}"


def _named(name: str, text: str) -> str:
    return f"<code>{escape(f'{name} = {text}' if name else text)}</code>"


def _line(line: LineView) -> str:
    if line.fault is not None:
        return _pointed(line.fault)
    about = f'<span class="muted">{escape(line.about)}</span>' if line.about else ""
    return (
        f'<div class="eq"><div class="wide" tabindex="0">{typeset(line.latex, line.plain)}</div>{about}</div>'
    )


def typeset(latex: str, plain: str) -> str:
    """Mathematics as HTML. The plain text is the label for a screen reader, and stands in where need be."""
    shown = to_mathml(latex) if latex else None
    if shown:
        return f'<span role="math" aria-label="{escape(plain)}">{shown}</span>'
    return f"<code>{escape(plain)}</code>"


def _pointed(fault: Pointed) -> str:
    """The line as it was typed, with a caret under the place; the place itself is marked too."""
    says = f"<p>{escape(fault.says)}</p>"
    if not fault.column:
        return f"{_PRE}{escape(fault.line)}</pre>{says}"
    at = fault.column - 1
    before, here, after = (
        escape(piece) for piece in (fault.line[:at], fault.line[at : at + 1], fault.line[at + 1 :])
    )
    caret = f'<span class="caret" aria-hidden="true">{" " * at}^</span>'
    return f"{_PRE}{before}<mark>{here}</mark>{after}{caret}</pre>{says}"


def _case(case: CaseView, opened: bool) -> str:
    says = f' <span class="says">{escape(case.message)}</span>' if case.message else ""
    title = f"{_mark(case.state)}<span>{escape(case.name)}</span>{says}"
    body = "".join(_case_body(case))
    if not body:
        return f'<div class="case {tone(case.state)}">{title}</div>'
    state = " open" if opened else ""
    return (
        f'<details class="case"{state}><summary class="{tone(case.state)}">{title}</summary>'
        f'<div class="in">{body}</div></details>'
    )


def _case_body(case: CaseView) -> Iterator[str]:
    if case.picture is not None:
        yield heatmaps.heat_maps(case.picture.maps, case.picture.alt)
    elif case.facts:
        rows = "".join(
            f"<dt>{escape(name)}</dt><dd><code>{escape(words)}</code></dd>" for name, words in case.facts
        )
        yield f'<dl class="facts">{rows}</dl>'
    if case.trace:
        yield f"{_PRE}{escape(case.trace)}</pre>"
    for title, block in (("what it printed", case.printed), ("try this case yourself", case.reproduction)):
        if block:
            yield f'<details class="more"><summary>{title}</summary>{_PRE}{escape(block)}</pre></details>'
