"""A handout becomes one safetensors file and back: numbers as tensors, everything else as JSON beside them.

It is found beside the notebook or above it, else, for authors, made from the course itself.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any

import safetensors.torch
import torch
from torch import Tensor

from autograder.as_json import of_kind
from autograder.calls.compare_tensors import Want, short
from autograder.calls.compare_values import Close, PlainValue, Steps
from autograder.calls.expected import Expected
from autograder.calls.inputs import strided
from autograder.calls.requests_and_outcomes import DtypeArg, FunctionArg
from autograder.calls.script_steps import Held, Step
from autograder.calls.value_as_json import pack_value, read_value
from autograder.course.load import INDEX
from autograder.course.model import Choice, Equation, Formula, Growth, Prose
from autograder.course.model import Tensor as Declared
from autograder.course.small_kinds import SMALL
from autograder.diagnose.hints import Sealed, as_arrays
from autograder.errors import UsageError
from autograder.release.handout import (
    CodeHandout,
    Handout,
    PartHandout,
    TestsHandout,
    VisibleCase,
    kind_of_part,
)

VERSION = 1
KEY = "autograder"  # the one entry of the metadata: several would be written in any order
FOLDER = "checks"  # beside the notebooks
Tensors = dict[str, Tensor]
Words = Mapping[str, Any]  # JSON of ours: whatever it lacks or has too much of is told as damage


def encode(handout: Handout) -> bytes:
    """The file's bytes, the same on every run."""
    tensors: Tensors = {}
    parts = [_describe(part, tensors) for part in handout.parts]
    words = {
        "version": VERSION,
        "problem": handout.problem,
        "title": handout.title,
        "parts": parts,
        "given": handout.given,
        "imports": handout.imports,
    }
    text = json.dumps(words, ensure_ascii=False)
    data: bytes = safetensors.torch.save(tensors, {KEY: text})
    return data


def decode(data: bytes, place: str) -> Handout:
    """The handout in a file's bytes; UsageError names the file where it cannot be read."""
    try:
        words, tensors = _words(data), safetensors.torch.load(data)
        if words["version"] > VERSION:
            raise UsageError(f"{place} was made by a newer autograder: install the one that came with it")
        parts = tuple(_part(part, tensors) for part in words["parts"])
        given, imports = words.get("given", ""), tuple(words.get("imports", ()))
        return Handout(words["problem"], words["title"], parts, given, imports)
    except UsageError:
        raise
    except Exception as error:  # whatever a damaged file makes the reader stumble over
        raise UsageError(f"{place} is damaged: copy it again from what was handed out") from error


def _words(data: bytes) -> Words:
    (length,) = struct.unpack("<Q", data[:8])
    words: Words = json.loads(json.loads(data[8 : 8 + length])["__metadata__"][KEY])
    return words


# ---------------------------------------------------------------- finding


def find_handout(problem: str, start: Path) -> Handout:
    """The handout of a problem for a notebook in the folder `start`; UsageError says where to put it."""
    folders = (start.resolve(), *start.resolve().parents)
    for folder in folders:
        path = folder / FOLDER / f"{problem}.safetensors"
        if path.is_file():
            return _load(path, path.stat().st_mtime_ns)
    course = next((folder for folder in folders if (folder / INDEX).is_file()), None)
    if course is not None:
        return _from_course(course, problem)
    raise UsageError(
        f"the data of this check is missing: put the folder {FOLDER} that was handed out, "
        f"with {problem}.safetensors in it, beside the notebook in {start.resolve()}"
    )


def say_what_is_missing(start: Path) -> None:
    """A notebook whose data is nowhere is told by its first cell, before anything is filled in."""
    folders = (start.resolve(), *start.resolve().parents)
    if not any((folder / FOLDER).is_dir() or (folder / INDEX).is_file() for folder in folders):
        print(
            f"the folder {FOLDER} is not beside this notebook, in {folders[0]}: "
            "put it there as it was handed out, or the check cells have nothing to go by"
        )


@lru_cache(maxsize=8)
def _load(path: Path, changed: int) -> Handout:
    return decode(path.read_bytes(), f"{FOLDER}/{path.name}")


@lru_cache(maxsize=8)
def _from_course(root: Path, problem: str) -> Handout:
    from autograder.course.load import load_course
    from autograder.release.make_handout import make_handout

    course = load_course(root)
    if problem not in course.problems:
        raise UsageError(f"the course has no problem {problem!r}; it has {', '.join(course.problems)}")
    return make_handout(course, course.problems[problem])


# ---------------------------------------------------------------- writing


def _describe(part: PartHandout, tensors: Tensors) -> dict[str, object]:
    common = {"kind": kind_of_part(part), "name": part.name, "points": part.points}
    match part:
        case CodeHandout():
            return {
                **common,
                "parameters": part.parameters,
                "stub": part.stub,
                "axes": part.axes,
                "hidden": part.hidden,
                "measured": part.measured,
                "call_seconds": part.call_seconds,
                "hints": _describe_hints(part, tensors),
                "holds": part.holds,
                "source": part.source,
                "doc": part.doc,
                "numpy": part.numpy,
                "cases": [
                    _describe_case(case, f"{part.name}/{number}", tensors)
                    for number, case in enumerate(part.cases)
                ],
                "small": [
                    _describe_case(case, f"{part.name}/small/{number}", tensors)
                    for number, case in enumerate(part.small)
                ],
            }
        case TestsHandout():
            fields: tuple[str, ...] = ("stub", "defines", "source", "tests", "hidden", "plain")
        case Growth():
            return {
                **common,
                "variables": part.variables,
                "assumptions": part.assumptions,
                "words": dict(part.words),
            }
        case Formula():
            fields = (
                "variables",
                "vectors",
                "assumptions",
                "defines",
                "reals",
                "functions",
                "matrices",
                "unordered",
            )
        case Equation():
            declared = [asdict(tensor) for tensor in part.tensors]
            common["tensors"], fields = declared, ("sizes", "ranges", "functions", "matrix", "columns")
        case Choice():
            fields = ("options",)
        case Prose():
            fields = ()
        case _:
            return common | {name: value for name, value in asdict(part).items() if name != "ask"}
    return {**common, **{name: getattr(part, name) for name in fields}}


def _describe_hints(part: CodeHandout, tensors: Tensors) -> bool:
    for name, array in as_arrays(part.hints).items() if part.hints is not None else ():
        tensors[f"{part.name}/hints/{name}"] = torch.from_numpy(array.copy())
    return part.hints is not None


def _hints(words: Mapping[str, object], tensors: Tensors) -> Sealed | None:
    if not words.get("hints"):
        return None
    arrays = {name: tensors[f"{words['name']}/hints/{name}"].numpy() for name in Sealed.__dataclass_fields__}
    return Sealed(**arrays)


def _describe_case(case: VisibleCase, place: str, tensors: Tensors) -> dict[str, object]:
    expected = case.expected
    for number, along in enumerate(case.cotangents):
        _keep(tensors, f"{place}/along/{number}", along)
    for what, wants in (("out", expected.outputs), ("grad", expected.grads)):
        for number, want in enumerate(wants):
            _keep(tensors, f"{place}/{what}/{number}", want.values)
    if case.sketches is not None:
        tensors[f"{place}/sketches"] = torch.from_numpy(case.sketches.copy())
    closeness = [want.tolerance for want in (*expected.outputs, *expected.grads)]
    tensors[f"{place}/tolerance"] = torch.tensor(closeness, dtype=torch.float64)
    steps = expected.holds.value if expected.holds is not None else None
    script = _describe_steps(case, steps, place, tensors) if isinstance(steps, Steps) else {}
    return {
        "name": case.name,
        "sizes": dict(case.sizes),
        "arguments": [
            _describe_argument(argument, f"{place}/in/{number}", tensors)
            for number, argument in enumerate(case.arguments)
        ],
        "outputs": [[want.name, short(want.dtype)] for want in expected.outputs],
        "grads": [[want.name, short(want.dtype)] for want in expected.grads],
        "many": expected.many,
        "grad": case.grad,
        "dtype": case.dtype,
        **({"holds": _tree(plain_of(expected.holds), f"{place}/holds", tensors)} if expected.holds else {}),
        **script,
    }


def plain_of(holds: PlainValue) -> object:
    """What is asked, the results of steps as a list."""
    return list(holds.value.values) if isinstance(holds.value, Steps) else holds.value


def _describe_steps(case: VisibleCase, want: Steps, place: str, tensors: Tensors) -> dict[str, object]:
    taken = [
        {
            "do": step.do,
            "name": step.name,
            "on": None if step.on is None else step.on.number,
            "args": _tree(list(step.args), f"{place}/steps/{number}", tensors),
            "named": _tree(dict(step.named), f"{place}/steps/{number}/named", tensors),
        }
        for number, step in enumerate(case.steps)
    ]
    return {"steps": taken, "labels": want.labels, "shapes": want.shapes}


def _step(words: Words, place: str, tensors: Tensors) -> Step:
    on = None if words["on"] is None else Held(words["on"])
    args = of_kind(list, _of_tree(words["args"], place, tensors))
    named = of_kind(dict, _of_tree(words["named"], f"{place}/named", tensors))
    return Step(words["do"], words["name"], on, tuple(args), named)


def _tree(value: object, place: str, tensors: Tensors) -> object:
    """A value of any kind, with its tensors kept beside and what is asked of numbers written out."""

    def other(value: object, add: Callable[[Tensor], int]) -> object:
        match value:
            case Want():
                return {"want": add(value.values), "dtype": short(value.dtype), "close": value.tolerance}
            case Close():
                return {"near": value.value, "close": value.tolerance}
            case Held():
                return {"held": value.number, "type": value.type}
            case DtypeArg():
                return {"dtype": value.name}
        raise UsageError(f"a value of type {type(value).__name__} cannot be handed out")

    packed = pack_value(value, other)
    for number, tensor in enumerate(packed.tensors):
        _keep(tensors, f"{place}/{number}", tensor)
    return packed.tree


def _of_tree(tree: object, place: str, tensors: Tensors) -> object:
    def leaf(node: Words) -> object:
        match node:
            case {"want": number, "dtype": dtype, "close": close}:
                return Want("", tensors[f"{place}/{number}"], getattr(torch, dtype), close)
            case {"near": number, "close": close}:
                return Close(number, close)
            case {"held": number, "type": kind}:
                return Held(number, kind)
            case {"dtype": name}:
                return DtypeArg(name)
        return tensors[f"{place}/{node['tensor']}"]

    return read_value(tree, leaf)


def _describe_argument(argument: object, place: str, tensors: Tensors) -> dict[str, object]:
    match argument:
        case Tensor():
            _keep(tensors, place, argument)
            return {"tensor": place, "strided": not argument.is_contiguous()}
        case DtypeArg(name):
            return {"dtype": name}
        case FunctionArg(name, parts):
            for key, tensor in parts.items():
                _keep(tensors, f"{place}/{key}", tensor)
            return {"function": name, "tensors": sorted(parts)}
        case _:
            return {"value": _tree(argument, place, tensors)}


def _keep(tensors: Tensors, place: str, tensor: Tensor) -> None:
    # A copy of its own: the format refuses tensors that share memory.
    tensors[place] = tensor.detach().clone(memory_format=torch.contiguous_format)


# ---------------------------------------------------------------- reading


def _part(words: Words, tensors: Tensors) -> PartHandout:
    name, points = words["name"], words["points"]
    match words["kind"]:
        case "code":
            return CodeHandout(
                name,
                points,
                tuple(words["parameters"]),
                words["stub"],
                tuple(tuple(axes) for axes in words["axes"]),
                tuple(_case(case, f"{name}/{n}", tensors) for n, case in enumerate(words["cases"])),
                tuple(words["hidden"]),
                words["measured"],
                words["call_seconds"],
                _hints(words, tensors),
                tuple(
                    _case(case, f"{name}/small/{n}", tensors) for n, case in enumerate(words.get("small", ()))
                ),
                tuple((function, says) for function, says in words.get("holds", ())),
                words.get("source", ""),
                words.get("doc", ""),
                words.get("numpy", True),
            )
        case "tests":
            tests = tuple((function, says) for function, says in words["tests"])
            stub, defines, hidden = words["stub"], tuple(words["defines"]), tuple(words["hidden"])
            plain = tuple(tuple(paths) for paths in words["plain"])
            return TestsHandout(name, points, stub, defines, words["source"], tests, hidden, plain)
        case "growth":
            variables, assumptions = tuple(words["variables"]), tuple(words["assumptions"])
            return Growth(name, points, "", variables, assumptions, words=words["words"])
        case "formula":
            names, vectors, assumed = (tuple(words[it]) for it in ("variables", "vectors", "assumptions"))
            reals, functions, matrices = (tuple(words[it]) for it in ("reals", "functions", "matrices"))
            return Formula(
                name, points, "", names, vectors, assumed, words["defines"], reals, functions, matrices,
                words["unordered"],
            )  # fmt: skip
        case "equation":
            declared = tuple(_declared(tensor) for tensor in words["tensors"])
            functions = tuple(words["functions"])
            sizes, ranges = words["sizes"], words["ranges"]
            matrix, columns = words["matrix"], words["columns"]
            return Equation(name, points, "", declared, sizes, ranges, functions, matrix, columns)
        case "choice":
            return Choice(name, points, "", words["options"])
        case "prose":
            return Prose(name, points, "")
    small = next((kind for kind in SMALL if kind.__name__.lower() == words["kind"]), None)
    if small is not None:
        return small(ask="", **{name: value for name, value in words.items() if name != "kind"})
    raise ValueError(words["kind"])


def _declared(words: Words) -> Declared:
    axes, latex = tuple(words["axes"]), tuple(words["latex"])
    return Declared(words["name"], axes, latex, words["entries"], words["draw"])


def _case(words: Words, place: str, tensors: Tensors) -> VisibleCase:
    closeness = iter(tensors[f"{place}/tolerance"].tolist())

    def wants(what: str, described: Sequence[Sequence[str]]) -> tuple[Want, ...]:
        return tuple(
            Want(name, tensors[f"{place}/{what}/{number}"], getattr(torch, dtype), next(closeness))
            for number, (name, dtype) in enumerate(described)
        )

    holds = _of_tree(words["holds"], f"{place}/holds", tensors) if "holds" in words else None
    if "steps" in words:
        holds = Steps(tuple(words["labels"]), tuple(words["shapes"]), tuple(of_kind(list, holds)))
    expected = Expected(
        wants("out", words["outputs"]),
        wants("grad", words["grads"]),
        words["many"],
        PlainValue(holds) if "holds" in words else None,
    )
    grad = tuple(words["grad"])
    directions = len(words["outputs"]) if grad else 0
    return VisibleCase(
        words["name"],
        words["sizes"],
        tuple(_argument(spec, f"{place}/in/{n}", tensors) for n, spec in enumerate(words["arguments"])),
        expected,
        grad,
        tuple(tensors[f"{place}/along/{number}"] for number in range(directions)),
        tuple(_step(each, f"{place}/steps/{n}", tensors) for n, each in enumerate(words.get("steps", ()))),
        words.get("dtype", "float32"),
        tensors[f"{place}/sketches"].numpy() if f"{place}/sketches" in tensors else None,
    )


def _argument(words: Words, place: str, tensors: Tensors) -> object:
    match words:
        case {"tensor": str(key), "strided": bool(apart)}:
            return strided(tensors[key]) if apart else tensors[key]
        case {"dtype": str(name)}:
            return DtypeArg(name)
        case {"function": str(name), "tensors": keys}:
            return FunctionArg(name, {key: tensors[f"{place}/{key}"] for key in keys})
    return _of_tree(words["value"], place, tensors)
