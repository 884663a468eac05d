"""The text of a new problem, its solution and its test, with every gap marked FILL IN."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

GAP = "FILL IN"


@dataclass(frozen=True)
class Template:
    """One kind of part: what the problem file and the solution file say of it.

    `{name}` stands for the part's name. `imports` and `answers` are what each file takes from autograder.
    """

    imports: tuple[str, ...]
    part: str
    answer: str
    stub: str = ""
    answers: tuple[str, ...] = ()


TEMPLATES = {
    "code": Template(
        ("Code", "case"),
        """\
        Code(
            {name},
            points=3,
            cases=[
                case("every axis has a size of its own", I=2, J=5, D=3),
                case("one of each", I=1, J=1, D=1, hidden=True, hint="FILL IN: what to think of"),
            ],
        ),
""",
        """\
def {name}(q, k):
    raise NotImplementedError("FILL IN: the reference")


@mistake("{name}", "FILL IN: what somebody who made this mistake should read")
def forgets_something(q, k):
    raise NotImplementedError("FILL IN: a mistake that many make")
""",
        '''\
def {name}(q, k):
    """FILL IN: what it computes, and the axes.   q[I, D]   k[J, D]   returns [I, J]"""
''',
        ("mistake",),
    ),
    "module": Template(
        ("Module", "case", "do"),
        """\
        Module(
            {name},
            points=3,
            cases=[
                case(
                    "a batch",
                    init=dict(inputs=4, outputs=5),
                    load={{"weight": "W[outputs, inputs]"}},
                    call="x[B, inputs]",
                    B=3,
                ),
                case(
                    "its gradients",
                    init=dict(inputs=3, outputs=2),
                    load="all",
                    steps=[do.call("x[B, inputs]"), do.backward("g[B, outputs]"), do.gradients()],
                    B=4,
                    hidden=True,
                    hint="FILL IN: what to think of",
                ),
            ],
        ),
""",
        """\
class {name}(torch.nn.Module):
    def __init__(self, inputs, outputs):
        raise NotImplementedError("FILL IN: the reference")
""",
        '''\
class {name}(torch.nn.Module):
    """FILL IN: what it is, and the names and shapes of its parameters, such as `weight` [outputs, inputs]."""

    def __init__(self, inputs, outputs):
        """FILL IN: what is made here."""

    def forward(self, x):
        """FILL IN: x[B, inputs] becomes [B, outputs]."""
''',
    ),
    "property": Template(
        ("Code", "case", "prop"),
        """\
        Code(
            {name},
            points=2,
            holds=[prop("FILL IN: what must hold, such as: rows sum to one", {name}_holds)],
            cases=[
                case("every axis has a size of its own", I=2, J=5),
                case("another draw", I=7, J=3, hidden=True, hint="FILL IN: what to think of"),
            ],
        ),
""",
        """\
def {name}(x):
    raise NotImplementedError("FILL IN: a reference, which may draw random numbers")
""",
        '''\
def {name}(x):
    """FILL IN: what it computes, and the axes.   x[I, J]   returns [I, J]"""


def {name}_holds({name}, x):
    y = {name}(x)  # FILL IN: return whether it holds; every call is the student's, by value
    return bool(((y.sum(-1) - 1).abs() < 1e-5).all())
''',
    ),
    "tests": Template(
        ("Tests",),
        """\
        Tests(
            "{name}",
            points=2,
            stubs=[{name}_encode, {name}_decode],
            visible=[test_{name}_round_trip],
            hidden=[test_{name}_of_nothing],
        ),
""",
        """\
def {name}_encode(text):
    raise NotImplementedError("FILL IN: the reference")


def {name}_decode(numbers):
    raise NotImplementedError("FILL IN: the reference")
""",
        '''\
def {name}_encode(text):
    """FILL IN: what the student writes."""


def {name}_decode(numbers):
    """FILL IN: what the student writes."""


def test_{name}_round_trip(names):
    """FILL IN: what holds, for the student to read, such as: decoding undoes encoding."""
    for text in ("a", "banana"):
        assert names.{name}_decode(names.{name}_encode(text)) == text


def test_{name}_of_nothing(names):
    """FILL IN: what a student whose answer fails this hidden test should think of."""
    assert names.{name}_encode("") == []
''',
    ),
    "growth": Template(
        ("Growth",),
        """\
        Growth("{name}", points=1, ask="FILL IN: the time of what, in n and m?", variables=["n", "m"]),
""",
        """\
{name} = key("FILL IN: such as O(n log m)")
""",
        answers=("key",),
    ),
    "formula": Template(
        ("Formula",),
        """\
        Formula("{name}", points=1, ask="FILL IN: how many of what, in n and m?", variables=["n", "m"]),
""",
        """\
{name} = key("FILL IN: such as 2*n*m")
""",
        answers=("key",),
    ),
    "equation": Template(
        ("Equation", "Tensor"),
        """\
        Equation(
            "{name}",
            points=2,
            ask="FILL IN: write y in index notation.",
            tensors=[Tensor("A", ["I", "J"]), Tensor("x", ["J"]), Tensor("y", ["I"])],
        ),
""",
        """\
{name} = key("FILL IN: such as y[i] = A[i,J] x[J]")
""",
        answers=("key",),
    ),
    "choice": Template(
        ("Choice",),
        """\
        Choice("{name}", points=1, ask="FILL IN: which one?", options={{"a": "FILL IN", "b": "FILL IN"}}),
""",
        """\
{name} = "a"  # FILL IN: the right label
""",
    ),
    "derivation": Template(
        ("Derivation",),
        """\
        Derivation("{name}", points=2, ask="FILL IN: show that what is what.", reals=["x"], steps=2),
""",
        """\
{name} = "FILL IN: such as (x + 1)^2 - 1 = x^2 + 2x = x (x + 2)"
""",
    ),
    "number": Template(
        ("Number",),
        """\
        Number("{name}", points=1, ask="FILL IN: how much?", tolerance=0.001, unit="nats"),
""",
        """\
{name} = "FILL IN: such as 0.611"
""",
    ),
    "shape": Template(
        ("Shape",),
        """\
        Shape("{name}", points=1, ask="FILL IN: the shape of what?", variables=["B"]),
""",
        """\
{name} = "FILL IN: such as (B, 64, 7, 7)"
""",
    ),
    "matrix": Template(
        ("Matrix",),
        """\
        Matrix("{name}", points=1, ask="FILL IN: which matrix?"),
""",
        """\
{name} = "FILL IN: such as [[2, 1], [4, 3]]"
""",
    ),
    "interval": Template(
        ("Interval",),
        """\
        Interval("{name}", points=1, ask="FILL IN: for which x?", variable="x", variables=["L"]),
""",
        """\
{name} = "FILL IN: such as 0 < x < 2/L"
""",
    ),
    "select": Template(
        ("Select",),
        """\
        Select("{name}", points=1, ask="FILL IN: which ones?", options={{"a": "FILL IN", "b": "FILL IN"}}),
""",
        """\
{name} = "a, b"  # FILL IN: every label that applies
""",
    ),
    "order": Template(
        ("Order",),
        """\
        Order("{name}", points=1, ask="FILL IN: in which order?", options={{"a": "FILL IN", "b": "FILL IN"}}),
""",
        """\
{name} = "b, a"  # FILL IN: the right order
""",
    ),
    "prose": Template(
        ("Prose",),
        """\
        Prose("{name}", points=2, ask="FILL IN: why?", guide="FILL IN: what a good answer says"),
""",
        """\
{name} = "FILL IN: a model answer"
""",
    ),
}


def part_names(problem: str, kinds: Sequence[str]) -> list[str]:
    """A function is called like its problem, another part like its kind; further ones are numbered."""
    names: list[str] = []
    for kind in kinds:
        first = problem if kind == "code" else f"{problem}_{kind}"
        name, number = first, 1
        while name in names:
            number += 1
            name = f"{first}_{number}"
        names.append(name)
    return names


def problem_text(problem: str, kinds: Sequence[str]) -> str:
    templates = [TEMPLATES[kind] for kind in kinds]
    names = part_names(problem, kinds)
    imports = sorted({name for template in templates for name in template.imports} | {"Problem"}, key=_order)
    stubs = "".join(
        f"\n\n{template.stub.format(name=name)}"
        for template, name in zip(templates, names, strict=True)
        if template.stub
    )
    parts = "".join(t.part.format(name=name) for t, name in zip(templates, names, strict=True))
    return (
        f'"""{GAP}: one sentence on what is asked."""\n\n'
        f"{'import torch' + chr(10) * 2 if 'torch.' in stubs else ''}"
        f"from autograder import {', '.join(imports)}\n{stubs}\n\n"
        f'problem = Problem(\n    title="{problem.replace("_", " ").capitalize()}",\n'
        f'    source="{GAP}: where the question comes from",\n'
        f'    statement=r"""\n{GAP}: the question, in Markdown with $\\LaTeX$.\n""",\n'
        f"    parts=[\n{parts}    ],\n)\n"
    )


def solution_text(problem: str, kinds: Sequence[str]) -> str:
    templates = [TEMPLATES[kind] for kind in kinds]
    names = part_names(problem, kinds)
    words = sorted({word for template in templates for word in template.answers})
    torch = ["import torch\n"] if {"code", "module", "property"} & set(kinds) else []
    ours = [f"from autograder import {', '.join(words)}\n"] if words else []
    answers = "\n\n".join(
        template.answer.format(name=name) for template, name in zip(templates, names, strict=True)
    )
    head = f'"""{problem.replace("_", " ").capitalize()}, answered."""\n'
    return "\n".join([head, *torch, *ours]) + ("\n\n" if torch or ours else "") + answers


def test_text(problem: str, up: int) -> str:
    """The test; the course lies `up` folders above it."""
    return f'''\
"""The problem {problem} has no gaps left, and the course proves it."""

from pathlib import Path

from autograder.course.load import load_course
from autograder.calls.requests_and_outcomes import Limits
from autograder.sandbox.parent_pool import Sandbox
from autograder.verify.proof import verify_course

COURSE = Path(__file__).resolve().parents[{up}]


def test_{problem}_has_no_gaps_left():
    for folder in ("problems", "solutions"):
        lines = (COURSE / folder / "{problem}.py").read_text(encoding="utf-8").splitlines()
        assert [line.strip() for line in lines if "{GAP}" in line] == []


def test_{problem}_is_proved():
    course = load_course(COURSE)
    with Sandbox(workers=1, limits=Limits(**course.limits), imports=course.imports) as sandbox:
        checks = list(verify_course(course, sandbox.run, ["{problem}"]))
    assert [check.sentence for check in checks if not check.passed] == []
'''


def _order(name: str) -> tuple[bool, str]:
    return name.islower(), name
