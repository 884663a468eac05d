"""A course proves itself: references pass, stubs and empty answers fail, known mistakes are named."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, dataclass

import torch
from torch import Tensor

from autograder.answers.tensors import Want
from autograder.answers.text import TextPart, judge_text, key_faults
from autograder.cases import as_given
from autograder.cost.prove import cost_checks
from autograder.course import Course
from autograder.errors import CourseError
from autograder.expect import Expected, Planned, Returned, call_trusted, expect, plan
from autograder.grade import Grader, Runner
from autograder.grade_code import judge_code
from autograder.model import Code, Mistake, Part, Problem, Prose
from autograder.notebook.build import build_notebook, stale
from autograder.notebook.fill import fill, reference_answers
from autograder.sandbox import Outcome
from autograder.shapes import parse_shapes
from autograder.verdict import PartReport, Status

STUDENT = "verify"


@dataclass(frozen=True)
class Check:
    """One thing that was proved or not: of which part, what, and what was found."""

    problem: str
    part: str
    what: str  # reference, stub, mistake, empty, axes, key, notebooks
    name: str
    passed: bool
    found: str

    @property
    def sentence(self) -> str:
        place = f"{self.problem}.{self.part}" if self.part else self.problem
        return f"{place}: {self.what}{f' {self.name}' if self.name else ''}: {self.found}"


def verify_course(course: Course, run: Runner, only: Sequence[str] = ()) -> Iterator[Check]:
    """Every check of every problem, problem by problem."""
    torch.set_num_threads(1)  # the tensors are tiny: more threads only wait for one another
    for name, problem in course.problems.items():
        if not only or name in only:
            try:
                yield from verify_problem(course, problem, run)
            except CourseError as error:
                yield Check(name, "", "reference", "", False, str(error))
    faults = stale(course)
    yield Check("notebooks", "", "notebooks", "", not faults, "; ".join(faults) or "all fresh, nothing stray")


def verify_problem(course: Course, problem: Problem, run: Runner) -> Iterator[Check]:
    """The proof of one problem."""
    grader = Grader(problem, course.solutions[problem.id], course.secret)
    notebook = build_notebook(problem, "verify", course.root)
    source = (course.root / "solutions" / f"{problem.id}.py").read_text(encoding="utf-8")
    answers = reference_answers(problem, grader.solution, source)
    for report in grader.grade(fill(notebook, answers), STUDENT, run):
        passed = report.score == report.max_score or report.status is Status.MANUAL
        yield Check(problem.id, report.part, "reference", "", passed, report.feedback)
    for report in grader.grade(notebook.encode(), STUDENT, run):
        yield Check(problem.id, report.part, "stub", "", report.score == 0, f"{report.score:g} points")
    yield from (Check(*astuple(proof)) for proof in cost_checks(course, problem))
    for part in problem.parts:
        if isinstance(part, Code):
            yield from _verify_code(course, problem, part)
        elif not isinstance(part, Prose):
            yield from _verify_text(course, problem, part)


def _verify_code(course: Course, problem: Problem, part: Code) -> Iterator[Check]:
    solution = course.solutions[problem.id]
    calls = plan(problem, part, course.secret, STUDENT)
    expected = [expect(solution.answers[part.name], call) for call in calls]
    mistakes = solution.mistakes_of(part.name)

    def judge(returned: Sequence[Returned]) -> PartReport:
        outcomes = [as_outcome(r) for r in returned]
        return judge_code(part, calls, expected, [*outcomes, outcomes[0]], mistakes)

    for mistake in mistakes:
        report = judge([call_trusted(mistake.answer, call, as_given) for call in calls])
        yield _verdict_on(problem, part, mistake, report)
    for name, degenerate in DEGENERATE.items():
        report = judge([degenerate(call, want) for call, want in zip(calls, expected, strict=True)])
        caught = _caught_by(report)
        yield Check(problem.id, part.name, "empty", name, report.score == 0, caught or "earns marks")
    yield from _verify_axes(problem, part)


def _verdict_on(problem: Problem, part: Part, mistake: Mistake, report: PartReport) -> Check:
    if report.score >= report.max_score:
        found, passed = "earns full marks", False
    elif report.mistake != mistake.id:
        found, passed = f"recognised as {report.mistake}", False
    else:
        found, passed = _caught_by(report) or report.verdict, True
    return Check(problem.id, part.name, "mistake", mistake.id, passed, found)


def _caught_by(report: PartReport) -> str:
    failed = [result.name for result in report.cases if not result.passed]
    return f"caught by {failed[0]!r}" if failed else ""


def _verify_axes(problem: Problem, part: Code) -> Iterator[Check]:
    """Each axis must differ from every other in some case, or a transposed answer could pass."""
    axes = parse_shapes(part.doc, part.parameters).axes
    pairs = [
        f"{a} and {b}"
        for position, a in enumerate(axes)
        for b in axes[position + 1 :]
        if all(case.sizes.get(a) == case.sizes.get(b) for case in part.cases)
    ]
    found = f"always of one size: {', '.join(pairs)}" if pairs else "told apart by their sizes"
    yield Check(problem.id, part.name, "axes", "", not pairs, found)


def _verify_text(course: Course, problem: Problem, part: TextPart) -> Iterator[Check]:
    solution = course.solutions[problem.id]
    key, mistakes = solution.answers[part.name], solution.mistakes_of(part.name)
    faults = key_faults(part, key, mistakes)
    yield Check(problem.id, part.name, "key", "", not faults, "; ".join(faults) or "decided")
    for mistake in mistakes:
        judged = judge_text(mistake.answer, part, key, mistakes)
        score = judged.share * part.points
        text = judged.feedback or judged.verdict
        report = PartReport(
            part.name, score, part.points, Status.GRADED, judged.verdict, text, judged.mistake
        )
        yield _verdict_on(problem, part, mistake, report)


def as_outcome(returned: Returned) -> Outcome:
    """Trusted code's answer in the form in which a student's comes back."""
    if returned.raised:
        return Outcome(status="raised", error=returned.raised)
    kinds = tuple("tensor" if isinstance(out, Tensor) else type(out).__name__ for out in returned.outputs)
    kind = "tensor" if len(kinds) == 1 and not returned.many else "tuple"
    return Outcome(status="ok", outputs=returned.outputs, kind=kind, kinds=kinds, grads=returned.grads)


# ---------------------------------------------------------------- answers that show no work


def _each(change: Callable[[Planned, Want], Tensor]) -> Callable[[Planned, Expected], Returned]:
    def answer(call: Planned, expected: Expected) -> Returned:
        return Returned(tuple(change(call, want) for want in expected.outputs), many=expected.many)

    return answer


def _zeros(call: Planned, want: Want) -> Tensor:
    return torch.zeros_like(want.values, dtype=want.dtype)


def _mean(call: Planned, want: Want) -> Tensor:
    # A single number is its own mean: there the mean of the first input stands in.
    tensors = [argument for argument in call.arguments if isinstance(argument, Tensor)]
    values = want.values if want.values.numel() > 1 or not tensors else tensors[0]
    return torch.full_like(want.values, float(values.double().mean()), dtype=want.dtype)


def _nan(call: Planned, want: Want) -> Tensor:
    return torch.full_like(want.values, torch.nan, dtype=torch.float64).to(want.dtype)


def _other_dtype(call: Planned, want: Want) -> Tensor:
    return want.values.to(torch.float16)


def _echo(call: Planned, want: Want) -> Tensor:
    tensors = [argument for argument in call.arguments if isinstance(argument, Tensor)]
    fitting = [tensor for tensor in tensors if tensor.shape == want.values.shape]
    return (fitting or tensors or [torch.zeros(1)])[0]


DEGENERATE: dict[str, Callable[[Planned, Expected], Returned]] = {
    "zeros": _each(_zeros),
    "echoed input": _each(_echo),
    "mean output": _each(_mean),
    "wrong dtype": _each(_other_dtype),
    "NaN": _each(_nan),
}
