"""The cells of a stub: what stands in each before a student touches it, and what it is called."""

from __future__ import annotations

import re

from autograder.course.author_tests import Tests, sentence
from autograder.course.case_demands import demands
from autograder.course.model import Choice, Code, Equation, Formula, Growth, Part, Problem, Prose
from autograder.course.modules import Module
from autograder.course.small_kinds import Derivation, Interval, Matrix, Number, Order, Select, Shape

CHECK_SUFFIX = "-check"
ASK_SUFFIX = "-ask"
SETUP = """\
try:
    import torch

    from autograder import check
except ImportError as missing:
    import sys

    raise ImportError(
        f"{missing}. This notebook runs on Python {sys.version.split()[0]} of {sys.prefix}; it needs "
        "3.11 or newer and what requirements.txt brings: see README.md of the folder that was handed out"
    ) from None"""
GIVEN = "# given: run this cell and leave it as it is; when your notebook is graded, it is put back\n\n"
SETUP_ID, SUMMARY_ID, STATEMENT_ID, GIVEN_ID = "setup", "summary", "statement", "given-code"
OTHER_IDS = (SETUP_ID, SUMMARY_ID, STATEMENT_ID, GIVEN_ID)  # of cells that belong to no part
_QUOTED = re.compile(r"(`[^`]*`|\$[^$]*\$)")
_TAG = re.compile(r"<(?=[a-zA-Z/!?])")
FIGURE = re.compile(r"!\[(?P<alt>[^\]]*)\]\(data:image/[^)]*\)")  # as a question carries it
PROSE_STUB = "*Write your answer here.*"


def stub(part: Part) -> str:
    """The text of a part's answer cell as it is handed out."""
    match part:
        case Code() | Module() | Tests():
            return part.stub
        case Growth():
            return f'# a growth rate as text, such as "O(n log n)"\n{part.name} = ""'
        case Formula():
            return f'# an exact expression as text, such as "2*n + 1"\n{part.name} = ""'
        case Equation():
            return f'# one equation a line, such as  y[i] = sum_j A[i,j] x[j]\n{part.name} = r"""\n\n"""'
        case Choice():
            labels = ", ".join(f'"{label}"' for label in part.options)
            return f'# one of {labels}\n{part.name} = ""'
        case Select():
            return f'# every label that applies, with commas between them\n{part.name} = ""'
        case Order():
            return f'# all labels in order, with commas between them\n{part.name} = ""'
        case Number():
            unit = f" {part.unit}" if part.unit else ""
            return f'# a number as text, such as "0.25{unit}" or "3/8{unit}"\n{part.name} = ""'
        case Shape():
            return f'# a shape as text, such as "(2, 3)"\n{part.name} = ""'
        case Matrix():
            return f'# a matrix as text, such as "[[1, 2], [3, 4]]"\n{part.name} = ""'
        case Interval():
            return f'# an interval as text, such as "0 < {part.variable} < 1" or "(0, 1)"\n{part.name} = ""'
        case Derivation():
            if part.tensors:
                return f'# one step a line: {part.defines} = …  and then  = …\n{part.name} = r"""\n\n"""'
            hint = "# one step a line, such as  (a + b)^2 - b^2  and then  = a^2 + 2 a b"
            return f'{hint}\n{part.name} = r"""\n\n"""'
        case Prose():
            return PROSE_STUB


def given(problem: Problem) -> str:
    """The cell of code that the author gives, or nothing."""
    return f"{GIVEN}{problem.given_code}" if problem.given_code else ""


def head(problem: Problem) -> str:
    """The cell at the top: title, statement, and what lies beside the notebook."""
    files = ", ".join(f"`{name}`" for name in problem.files)
    beside = f"\n\n*Beside this notebook, to be read and not changed: {files}.*" if files else ""
    own = "" if problem.variant is None else f"\n\n*Variant {problem.variant + 1}.*"
    return f"# {problem.title}\n\n{problem.statement.strip()}{own}{beside}\n\n*Source: {problem.source}*"


def check_call(problem: Problem, part: Part) -> str:
    return f'check("{problem.id}", "{part.name}")'


def ask(part: Part, number: int, problem: Problem) -> str:
    """The question above an answer cell, with its points."""
    points = f"{part.points:g} point{'' if part.points == 1 else 's'}"
    lines = [f"### {number}. `{part.name}` ({points})"]
    if part.ask.strip():
        lines += ["", part.ask.strip()]
    if isinstance(part, Code) and part.holds:
        lines += ["", "No single result is right. What must hold of yours:", ""]
        lines += [f"- {_no_tags(each.says)}" for each in part.holds]
    elif isinstance(part, Code):
        lines += ["", "Your function is also called", "", *(f"- {demand};" for demand in demands(part))]
        lines[-1] = lines[-1].removesuffix(";") + "."
    if isinstance(part, Code) and part.after:
        lines += ["", f"It may call your `{part.after}`; where that is wrong, a right one stands in."]
    if isinstance(part, Module):
        lines += ["", *module_words(part)]
    if isinstance(part, Tests):
        many = len(part.all)
        lines += ["", f"What is tested{f', {part.points / many:g} points each' if many > 1 else ''}:", ""]
        lines += [f"- {_no_tags(sentence(test))}" for test in part.all]
    if isinstance(part, Code) and (part.work or part.memory):
        lines += ["", cost_note(part, problem)]
    if isinstance(part, Choice | Select | Order):
        lines += ["", *(f"- **{label}**: {text}" for label, text in part.options.items())]
    return "\n".join(lines)


def _no_tags(text: str) -> str:
    """A sentence in which "<unk>" is no tag of HTML; what stands between backticks or dollars is left."""
    parts = _QUOTED.split(text)
    return "".join(each if number % 2 else _TAG.sub(r"\\<", each) for number, each in enumerate(parts))


def module_words(part: Module) -> list[str]:
    """What is done with a class beyond what its docstring says."""
    names = ", ".join(f"`{name}`" for name in part.loaded)
    called = [f"Weights are loaded by name: {names}."] if names else []
    double = any(case.dtype == "float64" for case in part.cases)
    does = "An object is built and used" if isinstance(part.made, type) else "It is called"
    again = f"{does} twice, the same way both times"
    return [" ".join([*called, f"{again}{', and in double precision' if double else ''}."])]


def cost_note(part: Code, problem: Problem) -> str:
    """That the cost is counted and what it is worth; the bound too, unless that answers another question."""
    bounds = {name: bound for name, bound in (("work", part.work), ("memory", part.memory)) if bound}
    asked = any(isinstance(other, Growth) and other.measures == part.name for other in problem.parts)
    limits = ", ".join(f"{name} no faster than `{bound}`" for name, bound in bounds.items())
    are, grow = ("are", "they grow") if len(bounds) > 1 else ("is", "it grows")
    return (
        f"*The {' and '.join(bounds)} of your function {are} counted while it runs, at several sizes: "
        f"{part.points * part.cost_share:g} of the {part.points:g} points are for how {grow}"
        f"{'' if asked else f' ({limits})'}. The feedback draws the curve.*"
    )


def figures_in_words(source: str) -> str:
    """A question without its figures: each is ten times as large as an answer, and the same for everybody."""
    return FIGURE.sub(words_of, source)


def words_of(figure: re.Match[str]) -> str:
    return f"*(figure: {figure['alt']})*" if figure["alt"] else "*(figure)*"
