"""A question and its solution come in; a part that our own readers accept goes out, or a FILL IN and why."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from autograder.course.model import Equation, Formula, Growth, Key, Tensor
from autograder.draft.sheet import Question
from autograder.errors import AnswerError, CourseError
from autograder.text.formula.judge import read_formula
from autograder.text.judge import key_faults

_DISPLAY = re.compile(
    r"\$\$(.*?)\$\$|\\begin\{(?:align|equation|gather)\*?\}(.*?)\\end\{(?:align|equation|gather)\*?\}", re.S
)
_INLINE = re.compile(r"(?<!\$)\$(?!\$)([^$]+)\$(?!\$)")
_RATE = re.compile(r"(?:\\mathcal\{O\}|\\Theta|O|Θ)\s*(?:\\left)?\(")
_COUNTED = re.compile(r"how many|number of|count|what is|compute|express|how large|parameters", re.I)
_OCCURS = re.compile(
    r"(?P<name>\\(?:text|mathrm|operatorname)\{[A-Za-z]+\}|\\(?:vec|tilde|hat|bar)\{[A-Za-z]\}|\\[A-Za-z]+|[A-Za-z])"
    r"(?P<marks>(?:[_^](?:\{(?:[^{}]|\{[^{}]*\})*\}|\w))*)\s*(?:\\left)?"
    r"\[(?P<axes>[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*)\]"
)
_LISTED = re.compile(
    r"(?:as a function of|in terms of|\bin)"
    r"((?:[\s,]|\b(?:and|the|input|sequence|length|number|of|layers|heads)\b|\$\s*[A-Z]\s*\$)+)"
)
_NOT_TENSORS = (
    "softmax",
    "left",
    "right",
    "sum",
    "sigma",
    "underset",
    "begin",
    "end",
    "big",
    "Big",
    "bigl",
    "Bigl",
)


@dataclass(frozen=True)
class Drafted:
    """One part: its kind, its lines in the problem and the solutions file, and what to tell the author."""

    name: str
    kind: str
    problem: str
    solution: str
    notes: tuple[str, ...] = field(default=())
    imports: tuple[str, ...] = field(default=())

    @property
    def is_read(self) -> bool:
        return self.kind != "prose"


def draft_part(name: str, question: Question, statement: str) -> Drafted:
    """The most exact kind that holds the solution; prose with a FILL IN where none does."""
    if not question.solution:
        return _prose(name, question, "the sheet gives no solution: FILL IN the kind of the part and its key")
    reasons: list[str] = []
    for attempt in (_growth, _equations, _formula):
        try:
            found = attempt(name, question, statement)
        except (AnswerError, CourseError) as error:
            reasons.append(str(error).replace("\n", "; "))
            continue
        if found is not None:
            return found
    why = "; ".join(reasons) or "the solution is text that no reader takes for an answer"
    return _prose(name, question, f"{why}: FILL IN a kind and a key, or leave it to a marker")


def _prose(name: str, question: Question, why: str) -> Drafted:
    ask = question.ask or "FILL IN: what is asked?"
    guide = question.solution or "FILL IN"
    problem = f"        Prose({name!r}, points=1, ask={_quoted(ask)}),\n"
    return Drafted(name, "prose", problem, f"{name} = {_quoted(guide)}\n", (why,), ("Prose",))


# ---------------------------------------------------------------- growth rates


def _growth(name: str, question: Question, statement: str) -> Drafted | None:
    rates = [rate for math in _math(question.solution) for rate in _rates(math)]
    if not rates:
        return None
    asked = _asked_variables(question.ask)
    used = _capitals(rates[0])
    variables = asked or used
    part = Growth(name, 1, question.ask, variables)
    _sound(part, Key(rates[0]))
    notes = [f"key {rates[0]}, in {', '.join(variables)}"]
    notes += [
        f"asks for a function of {name}, and the solution has no {name}" for name in asked if name not in used
    ]
    notes += [
        f"the solution has {name}, which is not asked about" for name in used if asked and name not in asked
    ]
    if len(rates) > 1:
        others = ", ".join(rates[1:])
        notes.append(f"FILL IN: the solution also says {others}: a further reading, or a step on the way?")
    fields = {"points": "1", "ask": _quoted(question.ask), "variables": repr(variables)}
    problem = _part("Growth", name, fields)
    return Drafted(name, "growth", problem, f"{name} = key({_quoted(rates[0])})\n", tuple(notes), ("Growth",))


def _part(kind: str, name: str, fields: dict[str, str]) -> str:
    """The lines of a part in a problem file."""
    lines = "".join(f"            {field}={value},\n" for field, value in fields.items())
    return f"        {kind}(\n            {name!r},\n{lines}        ),\n"


def _capitals(rate: str) -> list[str]:
    """The variables of a rate: XY is two of them."""
    letters = re.findall(r"[A-Z]", re.sub(r"\\[A-Za-z]+|O\s*\(", " ", rate))
    return list(dict.fromkeys(letters))


def _rates(math: str) -> list[str]:
    """Each O(…) with its brackets closed."""
    found = []
    for start in _RATE.finditer(math):
        depth = 0
        for at in range(start.end() - 1, len(math)):
            depth += {"(": 1, ")": -1}.get(math[at], 0)
            if depth == 0:
                found.append(math[start.start() : at + 1])
                break
    return found


def _asked_variables(ask: str) -> list[str]:
    """The letters of 'as a function of $T$, $J$ and $K$', up to the end of the list."""
    for found in _LISTED.finditer(ask):
        if letters := re.findall(r"\$\s*([A-Z])\s*\$", found[1]):
            return list(dict.fromkeys(letters))
    return []


# ---------------------------------------------------------------- equations


def _equations(name: str, question: Question, statement: str) -> Drafted | None:
    lines = [line for block in _blocks(question.solution) for line in _lines(block)]
    lines = [line for line in lines if "=" in line and _OCCURS.search(line)]
    if not lines:
        return None
    tensors = _tensors(lines)
    key = "\n".join(lines)
    part = Equation(name, 1, question.ask, tensors)
    _sound(part, Key(key))
    declared = "".join(
        f"\n                Tensor({tensor.name!r}, {list(tensor.axes)!r}, {list(tensor.latex)!r}),"
        for tensor in tensors
    )
    fields = {
        "points": str(len(lines)),
        "ask": _quoted(question.ask),
        "tensors": f"[{declared}\n            ]",
    }
    problem = _part("Equation", name, fields)
    shapes = ", ".join(f"{tensor.name}[{', '.join(tensor.axes)}]" for tensor in tensors)
    said = (f"{len(lines)} equations over {shapes}",)
    return Drafted(name, "equation", problem, f"{name} = key({_quoted(key)})\n", said, ("Equation", "Tensor"))


def _tensors(lines: list[str]) -> list[Tensor]:
    """Every name with brackets behind it, its axes from the indices; two uses that disagree are said."""
    found: dict[str, tuple[str, list[str]]] = {}
    for line in lines:
        for occurs in _OCCURS.finditer(line):
            written = occurs["name"] + re.sub(r"\s+", "", occurs["marks"])
            plain = _plain_name(written)
            if not plain or plain.split("_")[0].lower() in _NOT_TENSORS:
                continue
            axes = [_axis(index) for index in re.split(r",(?![^\[]*\])", occurs["axes"])]
            known = found.setdefault(plain, (written, axes))[1]
            if len(known) != len(axes) or any(a != b for a, b in zip(known, axes, strict=True) if a and b):
                shown = [", ".join(axis or "?" for axis in each) for each in (known, axes)]
                raise AnswerError(
                    f"{plain} stands with the axes {shown[0]} and with {shown[1]}: "
                    "an index is missing or exchanged in one of them"
                )
            found[plain] = written, [a or b for a, b in zip(known, axes, strict=True)]
    if unknown := next((plain for plain, (_, axes) in found.items() if not all(axes)), None):
        raise AnswerError(f"{unknown} has an index that names no axis: declare it by hand")
    return [
        Tensor(plain, axes, [written] if written != plain else []) for plain, (written, axes) in found.items()
    ]


def _axis(index: str) -> str:
    """The axis that an index runs over: t_1, t' and t-1 run over T; a number says nothing of it."""
    letter = re.search(r"[A-Za-z]", re.sub(r"\\(?:text|mathrm)\{[^{}]*\}|\\[A-Za-z]+", "", index))
    return letter[0].upper() if letter else ""


def _plain_name(written: str) -> str:
    name = re.sub(r"\\(?:text|mathrm|operatorname)\{([A-Za-z]+)\}", r"\1", written)
    for mark, word in (("vec", "fwd"), ("tilde", "tilde"), ("hat", "hat"), ("bar", "bar")):
        name = re.sub(rf"\\{mark}\{{([A-Za-z])\}}", rf"\1_{word}", name)
    name = re.sub(r"[\\{}^+\-]", "", name.replace("_{", "_").replace("^{", "_"))
    return name if name.isidentifier() else ""


# ---------------------------------------------------------------- formulas


def _formula(name: str, question: Question, statement: str) -> Drafted | None:
    """A solution that is one formula, asked for in so many words."""
    math = [piece.strip(" .,") for piece in _math(question.solution)]
    bare = _INLINE.sub("", _DISPLAY.sub("", question.solution)).strip(" .,\n")
    if len(math) != 1 or len(bare.split()) > 12 or not _COUNTED.search(question.ask):
        return None
    key = math[0]
    letters = sorted(
        set(re.findall(r"(?<![A-Za-z\\])[A-Za-z](?![A-Za-z])", re.sub(r"\\[A-Za-z]+", " ", key))) - {"e"}
    )
    greek = re.findall(r"\\(alpha|beta|gamma|lambda|eta|mu|theta|epsilon|delta)\b", key)
    variables = [*letters, *dict.fromkeys(greek)]
    part = Formula(name, 1, question.ask, variables)
    _sound(part, Key(key))
    shown = read_formula(key, part).plain
    fields = {"points": "1", "ask": _quoted(question.ask), "variables": repr(variables)}
    problem = _part("Formula", name, fields)
    taken = (
        f"{', '.join(variables)} taken as positive: write reals=[…] for others" if variables else "a number"
    )
    note = f"key read as {shown}; {taken}"
    return Drafted(name, "formula", problem, f"{name} = key({_quoted(key)})\n", (note,), ("Formula",))


# ---------------------------------------------------------------- text


def _sound(part: Growth | Equation | Formula, key: Key) -> None:
    """Our own reader's word on a key; what it finds wrong is what the sheet got wrong, or we cannot read."""
    faults = key_faults(part, key)
    if faults:
        raise AnswerError("; ".join(fault.removeprefix(f"{part.name}: ") for fault in faults))


def _blocks(text: str) -> list[str]:
    return [found[1] or found[2] for found in _DISPLAY.finditer(text)]


def _lines(block: str) -> list[str]:
    block = re.sub(r"\\(?:begin|end)\{(?:aligned|align|array|cases|split)\*?\}(?:\{[lcr ]*\})?", "", block)
    rows = [row.replace("&", " ").strip() for row in re.split(r"\\\\(?:\[[^\]]*\])?", block)]
    joined: list[str] = []
    for row in rows:
        if row.startswith("=") and joined and "=" not in joined[-1]:
            joined[-1] += " " + row
        elif row:
            joined.append(re.sub(r"\s+", " ", row))
    return joined


def _math(text: str) -> list[str]:
    return [*_blocks(text), *_INLINE.findall(_DISPLAY.sub(" ", text))]


def _quoted(text: str) -> str:
    """A Python literal in which LaTeX stays readable."""
    safe = "\\" in text and '"""' not in text and not text.endswith(("\\", '"'))
    if "\n" in text or safe:
        return f'r"""{text}"""' if '"""' not in text and not text.endswith(("\\", '"')) else repr(text)
    return repr(text)
