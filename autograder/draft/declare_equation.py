"""Equations of a sheet come in; the part that declares their tensors, axes and functions goes out."""

from __future__ import annotations

import re

from autograder.course.model import Equation, Tensor
from autograder.draft.equation_axes import MARKS, OCCURS, axis_of, occurrences
from autograder.draft.sheet_formulas import assumed
from autograder.draft.strides import strides_in
from autograder.errors import AnswerError

_CHANCE = re.compile(
    rf"(?P<name>\\?[Pp]r?)(?P<marks>{MARKS})\s*(?:\\left)?\((?P<word>[a-z])_\{{?(?P<at>[a-z])\}}?\s*(?:\||\\mid)"
)
_CALL = re.compile(
    rf"\\(?:text|mathrm|operatorname)\{{(?P<name>[A-Z]\w*)\}}{MARKS}\s*(?:\\left)?\((?P<args>[^()]*)\)"
)
_NOT_TENSORS = (
    "softmax", "left", "right", "sum", "sigma", "underset", "begin", "end", "big", "Big", "bigl", "Bigl",
)  # fmt: skip


def declared(name: str, ask: str, lines: list[str], context: str) -> Equation:
    """The part; AnswerError where two uses of a tensor disagree, or an index names no axis."""
    strides = strides_in(lines)
    tensors = _tensors(lines, _other_letters(lines, context) | {each.index: each.axis for each in strides})
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
    sizes = {each.longer: each.size for each in strides}
    if ";" in text:  # put end to end: J = K*I where the sheet says I = J/K
        for bound in assumed(context, [axis for each in tensors for axis in each.axes]):
            if found := re.fullmatch(r"(\w) = (\w)/(\w)", bound):
                sizes[found[2]] = f"{found[3]}*{found[1]}"
    return Equation(
        name, 1, ask, tensors, sizes=sizes, ranges=ranges, functions=list(dict.fromkeys(functions))
    )


def other_axes(part: Equation, lines: list[str], text: str) -> list[str]:
    """The tensors that the text of the problem gives with other axes than the equations do."""
    found = []
    meant = {each.axis: each.longer for each in strides_in(lines)}
    own = {tensor.name: [meant.get(axis, axis) for axis in tensor.axes] for tensor in part.tensors}
    for occurs in occurrences(text):
        name = _plain_name(occurs["name"] + re.sub(r"\s+", "", occurs["marks"]))
        axes = [axis_of(index) for index in re.split(r",(?![^\[]*\])", occurs["axes"])]
        if name in own and all(axes) and axes != own[name]:
            found.append(
                f"CHECK: {name} stands with the axes {', '.join(axes)} in the text "
                f"and with {', '.join(own[name])} in the solution"
            )
    return list(dict.fromkeys(found))


def _inner(index: str) -> dict[str, str]:
    """An index of which the neighbours are spoken of stays inside of its axis."""
    axis = index.upper()
    return {axis: f"0..{axis}-1", index: f"1..{axis}-2"}


def part_names(lines: list[str], part: Equation) -> list[str]:
    """The plain names of what the lines define."""
    names = []
    for line in lines:
        if found := OCCURS.match(line):
            names.append(_plain_name(found["name"] + re.sub(r"\s+", "", found["marks"])))
        elif _CHANCE.match(line):
            names.append("P")
    return [name for name in names if any(each.name == name for each in part.tensors)]


def _signature(name: str, args: str, line: str) -> str:
    """CELL([J], [K]) -> [J] from the last axis of each argument and of the left side."""
    shapes = [_last_axis(found["axes"]) for found in OCCURS.finditer(args)]
    left = OCCURS.match(line)
    if not shapes or left is None or not all(shapes):
        raise AnswerError(f"{name} has arguments whose axes are not said: declare it by hand")
    return f"{name}({', '.join(f'[{axis}]' for axis in shapes)}) -> [{_last_axis(left['axes'])}]"


def _last_axis(axes: str) -> str:
    return axis_of(axes.rpartition(",")[2])


def _other_letters(lines: list[str], context: str) -> dict[str, str]:
    """The axes of indices with a letter of their own: i runs over H where h[b, i] is called h[b, H], too."""
    written = [(_plain_name(each["name"]), _indices(each["axes"])) for each in occurrences("\n".join(lines))]
    told = [(_plain_name(each["name"]), _indices(each["axes"])) for each in occurrences(context)]
    capitals = {
        index for _, indices in (*written, *told) for index in indices if re.fullmatch("[A-Z]", index)
    }
    found: dict[str, set[str]] = {}
    for name, indices in written:
        for other, axes in (*written, *told):
            if name != other or len(indices) != len(axes):
                continue
            for index, axis in zip(indices, axes, strict=True):
                if re.fullmatch("[a-z]", index) and re.fullmatch("[A-Z]", axis):
                    found.setdefault(index, set()).add(axis)
    return {
        index: axes.pop() for index, axes in found.items() if len(axes) == 1 and index.upper() not in capitals
    }


def under_axes(lines: list[str], context: str) -> list[str]:
    """The lines with such an index under the letter of its axis: h[b, i] as h[b, h]."""
    for index, axis in _other_letters(lines, context).items():
        own = rf"(?<![A-Za-z\\]){index}(?![A-Za-z\[])"
        lines = [re.sub(own, axis.lower(), line) for line in lines]
    return lines


def _indices(axes: str) -> list[str]:
    return [index.strip() for index in re.split(r",(?![^\[]*\])", axes)]


def _tensors(lines: list[str], letters: dict[str, str]) -> list[Tensor]:
    """Every name with brackets behind it, its axes from the indices; two uses that disagree are said."""
    found: dict[str, tuple[str, list[str]]] = {}
    entries: dict[str, str] = {}
    for line in lines:
        for occurs in occurrences(line):
            written = occurs["name"] + re.sub(r"\s+", "", occurs["marks"])
            plain = _plain_name(written)
            if not plain or plain.split("_")[0].lower() in _NOT_TENSORS:
                continue
            indices = _indices(occurs["axes"])
            axes = [letters.get(index) or axis_of(index) for index in indices]
            entries |= {
                inner["name"]: axis_of(index) for index in indices if (inner := OCCURS.match(index.strip()))
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


def _plain_name(written: str) -> str:
    name = re.sub(r"\\(?:text|mathrm|operatorname)\{([A-Za-z]+)\}", r"\1", written)
    for mark, word in (("vec", "fwd"), ("tilde", "tilde"), ("hat", "hat"), ("bar", "bar")):
        name = re.sub(rf"\\{mark}\{{([A-Za-z])\}}", rf"\1_{word}", name)
    name = re.sub(r"[\\{}^+\-]", "", name.replace("_{", "_").replace("^{", "_"))
    return name if name.isidentifier() else ""
