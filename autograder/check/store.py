"""A sheet becomes one safetensors file and back: numbers as tensors, everything else as JSON beside them."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import safetensors.torch
import torch
from torch import Tensor

from autograder.answers.tensors import Want, short
from autograder.cases import strided
from autograder.check.sheet import CodeSheet, PartSheet, Sheet, VisibleCase, kind_of_part
from autograder.errors import UsageError
from autograder.expect import Expected
from autograder.model import Choice, Equation, Formula, Growth, Prose
from autograder.model import Tensor as Declared
from autograder.sandbox.records import DtypeArg, FunctionArg

VERSION = 1
KEY = "autograder"  # the one entry of the metadata: several would be written in any order
Tensors = dict[str, Tensor]


def encode(sheet: Sheet) -> bytes:
    """The file's bytes, the same on every run."""
    tensors: Tensors = {}
    parts = [_describe(part, tensors) for part in sheet.parts]
    words = {"version": VERSION, "problem": sheet.problem, "title": sheet.title, "parts": parts}
    text = json.dumps(words, ensure_ascii=False)
    data: bytes = safetensors.torch.save(tensors, {KEY: text})
    return data


def decode(data: bytes, place: str) -> Sheet:
    """The sheet in a file's bytes; UsageError names the file where it cannot be read."""
    try:
        words, tensors = _words(data), safetensors.torch.load(data)
        if words["version"] > VERSION:
            raise UsageError(f"{place} was made by a newer autograder: install the one that came with it")
        parts = tuple(_part(part, tensors) for part in words["parts"])
        return Sheet(words["problem"], words["title"], parts)
    except UsageError:
        raise
    except Exception as error:  # whatever a damaged file makes the reader stumble over
        raise UsageError(f"{place} is damaged: copy it again from what was handed out") from error


def _words(data: bytes) -> dict[str, Any]:
    (length,) = struct.unpack("<Q", data[:8])
    words: dict[str, Any] = json.loads(json.loads(data[8 : 8 + length])["__metadata__"][KEY])
    return words


# ---------------------------------------------------------------- writing


def _describe(part: PartSheet, tensors: Tensors) -> dict[str, Any]:
    common = {"kind": kind_of_part(part), "name": part.name, "points": part.points}
    match part:
        case CodeSheet():
            return {
                **common,
                "parameters": part.parameters,
                "stub": part.stub,
                "axes": part.axes,
                "hidden": part.hidden,
                "measured": part.measured,
                "call_seconds": part.call_seconds,
                "cases": [
                    _describe_case(case, f"{part.name}/{number}", tensors)
                    for number, case in enumerate(part.cases)
                ],
            }
        case Growth():
            return {**common, "variables": part.variables, "assumptions": part.assumptions}
        case Formula():
            fields: tuple[str, ...] = ("variables", "vectors", "assumptions", "defines")
        case Equation():
            declared = [asdict(tensor) for tensor in part.tensors]
            common["tensors"], fields = declared, ("sizes", "ranges", "functions", "matrix")
        case Choice():
            fields = ("options",)
        case Prose():
            fields = ()
    return {**common, **{name: getattr(part, name) for name in fields}}


def _describe_case(case: VisibleCase, place: str, tensors: Tensors) -> dict[str, Any]:
    expected = case.expected
    for number, along in enumerate(case.cotangents):
        _keep(tensors, f"{place}/along/{number}", along)
    for what, wants in (("out", expected.outputs), ("grad", expected.grads)):
        for number, want in enumerate(wants):
            _keep(tensors, f"{place}/{what}/{number}", want.values)
    closeness = [want.tolerance for want in (*expected.outputs, *expected.grads)]
    tensors[f"{place}/tolerance"] = torch.tensor(closeness, dtype=torch.float64)
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
    }


def _describe_argument(argument: Any, place: str, tensors: Tensors) -> dict[str, Any]:
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
            return {"value": argument}


def _keep(tensors: Tensors, place: str, tensor: Tensor) -> None:
    # A copy of its own: the format refuses tensors that share memory.
    tensors[place] = tensor.detach().clone(memory_format=torch.contiguous_format)


# ---------------------------------------------------------------- reading


def _part(words: Mapping[str, Any], tensors: Tensors) -> PartSheet:
    name, points = words["name"], words["points"]
    match words["kind"]:
        case "code":
            return CodeSheet(
                name,
                points,
                tuple(words["parameters"]),
                words["stub"],
                tuple(tuple(axes) for axes in words["axes"]),
                tuple(_case(case, f"{name}/{n}", tensors) for n, case in enumerate(words["cases"])),
                tuple(words["hidden"]),
                words["measured"],
                words["call_seconds"],
            )
        case "growth":
            return Growth(name, points, "", tuple(words["variables"]), tuple(words["assumptions"]))
        case "formula":
            names, vectors, assumed = (tuple(words[it]) for it in ("variables", "vectors", "assumptions"))
            return Formula(name, points, "", names, vectors, assumed, words["defines"])
        case "equation":
            declared = tuple(_declared(tensor) for tensor in words["tensors"])
            functions = tuple(words["functions"])
            sizes, ranges = words["sizes"], words["ranges"]
            return Equation(name, points, "", declared, sizes, ranges, functions, words["matrix"])
        case "choice":
            return Choice(name, points, "", words["options"])
        case "prose":
            return Prose(name, points, "")
    raise ValueError(words["kind"])


def _declared(words: Mapping[str, Any]) -> Declared:
    axes, latex = tuple(words["axes"]), tuple(words["latex"])
    return Declared(words["name"], axes, latex, words["entries"], words["draw"])


def _case(words: Mapping[str, Any], place: str, tensors: Tensors) -> VisibleCase:
    closeness = iter(tensors[f"{place}/tolerance"].tolist())

    def wants(what: str, described: Sequence[Sequence[str]]) -> tuple[Want, ...]:
        return tuple(
            Want(name, tensors[f"{place}/{what}/{number}"], getattr(torch, dtype), next(closeness))
            for number, (name, dtype) in enumerate(described)
        )

    expected = Expected(wants("out", words["outputs"]), wants("grad", words["grads"]), words["many"])
    grad = tuple(words["grad"])
    directions = len(words["outputs"]) if grad else 0
    return VisibleCase(
        words["name"],
        words["sizes"],
        tuple(_argument(spec, f"{place}/in/{n}", tensors) for n, spec in enumerate(words["arguments"])),
        expected,
        grad,
        tuple(tensors[f"{place}/along/{number}"] for number in range(directions)),
    )


def _argument(words: Mapping[str, Any], place: str, tensors: Tensors) -> Any:
    match words:
        case {"tensor": str(key), "strided": bool(apart)}:
            return strided(tensors[key]) if apart else tensors[key]
        case {"dtype": str(name)}:
            return DtypeArg(name)
        case {"function": str(name), "tensors": keys}:
            return FunctionArg(name, {key: tensors[f"{place}/{key}"] for key in keys})
    return words["value"]
