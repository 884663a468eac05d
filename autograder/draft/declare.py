"""Equations of a sheet come in; the part that declares their tensors, axes and functions goes out."""

from __future__ import annotations

import re

from autograder.course.model import Equation, Tensor
from autograder.draft.formulas import assumed
from autograder.errors import AnswerError

_NAME = (
    r"\\(?:text|mathrm|operatorname)\{[A-Za-z]+\}|\\(?:vec|tilde|hat|bar)\{[A-Za-z]\}|\\[A-Za-z]+|[A-Za-z]"
)
_MARKS = r"(?:[_^](?:\{(?:[^{}]|\{[^{}]*\})*\}|\\[A-Za-z]+|\w))*"
_OCCURS = re.compile(
    rf"(?P<name>{_NAME})(?P<marks>{_MARKS})\s*(?:\\left)?\[(?P<axes>[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*)\]"
)
_CHANCE = re.compile(
    rf"(?P<name>\\?[Pp]r?)(?P<marks>{_MARKS})\s*(?:\\left)?\((?P<word>[a-z])_\{{?(?P<at>[a-z])\}}?\s*(?:\||\\mid)"
)
_CALL = re.compile(
    rf"\\(?:text|mathrm|operatorname)\{{(?P<name>[A-Z]\w*)\}}{_MARKS}\s*(?:\\left)?\((?P<args>[^()]*)\)"
)
_SOFTMAX = re.compile(
    r"\\underset\{(?P<under>[^{}]*(?:\{[^{}]*\}[^{}]*)*)\}\{\\(?:text|operatorname)\{softmax\}\}"
    r"|\\(?:text|operatorname)\{softmax\}_\{?(?P<below>[a-z](?:_\w|')?(?:\s*,\s*[a-z](?:_\w|')?)*)\}?"
)
_NOT_TENSORS = (
    "softmax", "left", "right", "sum", "sigma", "underset", "begin", "end", "big", "Big", "bigl", "Bigl",
)  # fmt: skip


def declared(name: str, ask: str, lines: list[str], context: str) -> Equation:
    """The part; AnswerError where two uses of a tensor disagree, or an index names no axis."""
    tensors = _tensors(lines)
    text = "\n".join(lines)
    ranges: dict[str, str] = {}
    if chance := next((found for line in lines if (found := _CHANCE.search(line))), None):
        letter, time = chance["word"], chance["at"]
        latex = [chance["name"] + chance["marks"]] if chance["marks"] else []
        tensors.append(Tensor("P", [letter.upper()], latex))
        tensors.append(Tensor(letter, [time.upper()], entries=letter.upper()))
        ranges = _inner(time)
    elif shifted := re.search(r"[\[,]\s*([a-z])\s*[-+]\s*1\s*[,\]]", text):
        ranges = _inner(shifted[1])
    functions = ["sigma"] if "\\sigma" in text else []
    for line in lines:
        for call in _CALL.finditer(line):
            functions.append(_signature(call["name"], call["args"], line))
    sizes = {}
    if ";" in text:  # put end to end: J = K*I where the sheet says I = J/K
        for bound in assumed(context, [axis for each in tensors for axis in each.axes]):
            if found := re.fullmatch(r"(\w) = (\w)/(\w)", bound):
                sizes[found[2]] = f"{found[3]}*{found[1]}"
    return Equation(
        name, 1, ask, tensors, sizes=sizes, ranges=ranges, functions=list(dict.fromkeys(functions))
    )


def _inner(index: str) -> dict[str, str]:
    """An index of which the neighbours are spoken of stays inside of its axis."""
    axis = index.upper()
    return {axis: f"0..{axis}-1", index: f"1..{axis}-2"}


def part_names(lines: list[str], part: Equation) -> list[str]:
    """The plain names of what the lines define."""
    names = []
    for line in lines:
        if found := _OCCURS.match(line):
            names.append(_plain_name(found["name"] + re.sub(r"\s+", "", found["marks"])))
        elif _CHANCE.match(line):
            names.append("P")
    return [name for name in names if any(each.name == name for each in part.tensors)]


def dangling(lines: list[str]) -> list[str]:
    """The softmaxes over an index that does not stand behind them: those make all entries equal."""
    found = []
    for line in lines:
        for softmax in _SOFTMAX.finditer(line):
            behind = _spaceless(line[softmax.end() :])
            for index in _spaceless(softmax["under"] or softmax["below"]).split(","):
                if index and index not in behind:
                    found.append(f"a softmax over {index} is followed by no {index}: is another index meant?")
    return list(dict.fromkeys(found))


def _spaceless(text: str) -> str:
    return re.sub(r"[\s{}]", "", text)


def _signature(name: str, args: str, line: str) -> str:
    """CELL([J], [K]) -> [J] from the last axis of each argument and of the left side."""
    shapes = [_last_axis(found["axes"]) for found in _OCCURS.finditer(args)]
    left = _OCCURS.match(line)
    if not shapes or left is None or not all(shapes):
        raise AnswerError(f"{name} has arguments whose axes are not said: declare it by hand")
    return f"{name}({', '.join(f'[{axis}]' for axis in shapes)}) -> [{_last_axis(left['axes'])}]"


def _last_axis(axes: str) -> str:
    return _axis(axes.rpartition(",")[2])


def _occurrences(text: str) -> list[re.Match[str]]:
    """Every name with brackets behind it, those within the brackets of another among them."""
    found = []
    for occurs in _OCCURS.finditer(text):
        found += [occurs, *_occurrences(occurs["axes"])]
    return found


def _tensors(lines: list[str]) -> list[Tensor]:
    """Every name with brackets behind it, its axes from the indices; two uses that disagree are said."""
    found: dict[str, tuple[str, list[str]]] = {}
    entries: dict[str, str] = {}
    for line in lines:
        for occurs in _occurrences(line):
            written = occurs["name"] + re.sub(r"\s+", "", occurs["marks"])
            plain = _plain_name(written)
            if not plain or plain.split("_")[0].lower() in _NOT_TENSORS:
                continue
            indices = re.split(r",(?![^\[]*\])", occurs["axes"])
            axes = [_axis(index) for index in indices]
            entries |= {
                inner["name"]: _axis(index) for index in indices if (inner := _OCCURS.match(index.strip()))
            }
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
        Tensor(plain, axes, [written] if written != plain else [], entries=entries.get(plain, ""))
        for plain, (written, axes) in found.items()
    ]


def _axis(index: str) -> str:
    """The axis that an index runs over: t_1, t' and t-1 run over T; a number says nothing of it."""
    if re.fullmatch(r"\s*\\?(?:Delta|Δ)\s*_?\{?[a-z]\}?\s*", index):
        return "D"
    letter = re.search(r"[A-Za-z]", re.sub(r"\\(?:text|mathrm)\{[^{}]*\}|\\[A-Za-z]+", "", index))
    return letter[0].upper() if letter else ""


def _plain_name(written: str) -> str:
    name = re.sub(r"\\(?:text|mathrm|operatorname)\{([A-Za-z]+)\}", r"\1", written)
    for mark, word in (("vec", "fwd"), ("tilde", "tilde"), ("hat", "hat"), ("bar", "bar")):
        name = re.sub(rf"\\{mark}\{{([A-Za-z])\}}", rf"\1_{word}", name)
    name = re.sub(r"[\\{}^+\-]", "", name.replace("_{", "_").replace("^{", "_"))
    return name if name.isidentifier() else ""
