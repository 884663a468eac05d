"""A course proves itself: references pass, stubs and empty answers fail, known mistakes are named."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import astuple, replace

import torch
from torch import Tensor

from autograder.calls.compare_tensors import Want
from autograder.calls.compare_values import Steps, compare_value, plainly, show, wanted, whole
from autograder.calls.expected import Expected, Planned, Returned, call_trusted, expect, plan
from autograder.calls.inputs import as_given
from autograder.calls.requests_and_outcomes import Limits, override
from autograder.calls.take_steps import seed
from autograder.cost.prove import cost_checks
from autograder.course.author_tests import Tests
from autograder.course.docstring_shapes import fits, parse_shapes, shape
from autograder.course.load import Course
from autograder.course.model import Code, Key, Problem, Prose
from autograder.course.modules import Module
from autograder.course.varying_problem import count, with_variant
from autograder.diagnose.find_slip import Finder
from autograder.errors import CourseError
from autograder.grade.code import judge_code
from autograder.grade.report import PartReport, Status
from autograder.grade.run_submission import Runner
from autograder.grade.submission import Grader
from autograder.notebook import stub_cells
from autograder.notebook.build_notebooks import build_notebook, stale
from autograder.notebook.fill import answer_cell, fill, reference_answers
from autograder.text.judge import TextPart, judge_text, key_faults
from autograder.verify.checks import STUDENT, Check, as_outcome, caught_by, verdict_on
from autograder.verify.edits import edit_score
from autograder.verify.modules import verify_module
from autograder.verify.own_tests import refuse_what_stays, tests_that_fail
from autograder.verify.properties import many_draws, verify_properties
from autograder.verify.single_precision import rounds_to_single

MOST_WHOLE, MOST_LIGHT = 4, 1000  # variants that are proved wholly, and by their keys alone


def verify_course(course: Course, run: Runner, only: Sequence[str] = ()) -> Iterator[Check]:
    """Every check of every problem, problem by problem."""
    torch.set_num_threads(1)  # the tensors are tiny: more threads only wait for one another
    for name, problem in course.problems.items():
        if not only or name in only:
            yield from prove_problem(course, problem, run)
    yield notebooks_check(course)


def prove_problem(course: Course, problem: Problem, run: Runner) -> Iterator[Check]:
    """Every check of one problem, of all its variants or a spread of them."""
    try:
        yield from (verify_variants if problem.varies else verify_problem)(course, problem, run)
    except CourseError as error:
        yield Check(problem.id, "", "reference", "", False, str(error))


def notebooks_check(course: Course) -> Check:
    """Whether the notebooks are what the problem files say."""
    faults = stale(course)
    return Check(
        "notebooks", "", "notebooks", "", not faults, "; ".join(faults) or "all fresh, nothing stray"
    )


def verify_variants(course: Course, problem: Problem, run: Runner) -> Iterator[Check]:
    """A few variants as any problem; of the others, up to a thousand, every key and listed mistake."""
    everything = count(problem)
    whole = _spread(everything, MOST_WHOLE)
    for number in whole:
        own = with_variant(course, problem, number)
        for check in verify_problem(own, own.problems[problem.id], run):
            place = f"{check.name} of variant {number + 1}".strip()
            yield replace(check, name=place)
    light = [number for number in _spread(everything, MOST_LIGHT) if number not in set(whole)]
    failed = []
    keys: set[tuple[str, ...]] = set()
    for number in [*whole, *light]:
        own = with_variant(course, problem, number)
        answers = own.solutions[problem.id].answers.values()
        keys.add(tuple(each.answer for each in answers if isinstance(each, Key)))
        if number in light:
            failed += [
                check.sentence for check in _verify_texts(own, own.problems[problem.id]) if not check.passed
            ]
    held = f"{len(whole) + len(light)} of {everything} variants hold, with {len(keys)} different sets of keys"
    yield Check(problem.id, "", "variants", "", not failed, "; ".join(failed[:5]) or held)
    if (
        len(keys) < 2
        and everything > 1
        and any(not isinstance(part, Code | Module | Tests | Prose) for part in problem.parts)
    ):
        yield Check(
            problem.id, "", "variants", "keys", False, "every variant has the same keys: a copy is right"
        )


def _spread(everything: int, most: int) -> list[int]:
    """All numbers where they are few, else as many evenly spread ones."""
    if everything <= most:
        return list(range(everything))
    return sorted({at * (everything - 1) // (most - 1) for at in range(most)})


def _verify_texts(course: Course, problem: Problem) -> Iterator[Check]:
    """The keys of a variant earn full marks, and its listed mistakes do not."""
    for part in problem.parts:
        if not isinstance(part, Code | Module | Tests | Prose):
            key = course.solutions[problem.id].answers[part.name]
            judged = judge_text(key.answer, part, key)
            name = f"variant {(problem.variant or 0) + 1}"
            yield Check(
                problem.id, part.name, "reference", name, judged.share == 1, judged.feedback or "right"
            )
            yield from _verify_text(course, problem, part)


def verify_problem(course: Course, problem: Problem, run: Runner) -> Iterator[Check]:
    """The proof of one problem."""
    limits = override(Limits(), course.limits)
    faults = [
        check
        for part in problem.parts
        for check in (
            promises(course, problem, part)
            if isinstance(part, Code | Module)
            else tests_that_fail(course, problem, part)
            if isinstance(part, Tests)
            else ()
        )
    ]
    if faults:  # what comes after would only tell of their symptoms
        yield from faults
        return
    grader = Grader(problem, course.solutions[problem.id], course.secret, limits)
    notebook = build_notebook(problem, "verify", course.root)
    source = course.files[f"solutions/{problem.id}.py"].decode("utf-8")
    answers = reference_answers(problem, grader.solution, source)
    for report in grader.grade(fill(notebook, answers), STUDENT, run):
        passed = report.score == report.max_score or report.status is Status.MANUAL
        yield Check(problem.id, report.part, "reference", "", passed, report.feedback)
    for report in grader.grade(notebook.encode(), STUDENT, run):
        yield Check(problem.id, report.part, "stub", "", report.score == 0, f"{report.score:g} points")
    yield from _verify_after(grader, notebook, answers, run)
    yield from _verify_named(grader, notebook, answers, run)
    yield from (Check(*astuple(proof)) for proof in cost_checks(course, problem))
    for part in problem.parts:
        if isinstance(part, Code) and part.holds:
            yield from verify_properties(course, problem, part)
        elif isinstance(part, Code):
            yield from _verify_code(course, problem, part)
        elif isinstance(part, Module):
            yield from verify_module(course, problem, part)
        elif isinstance(part, Tests):
            yield _verify_tests(problem, part, grader, notebook, run)
        elif not isinstance(part, Prose):
            yield from _verify_text(course, problem, part)


def _verify_after(grader: Grader, notebook: str, answers: Mapping[str, str], run: Runner) -> Iterator[Check]:
    """A part keeps its marks where the one before it is not written: the reference stands in."""
    problem = grader.problem
    for part in problem.parts:
        if isinstance(part, Code) and part.after:
            broken = f"{answers[part.after]}\n\n\n{stub_cells.stub(problem.part(part.after))}"
            reports = grader.grade(fill(notebook, {**answers, part.after: broken}), STUDENT, run)
            report = next(each for each in reports if each.part == part.name)
            passed = report.score == report.max_score
            found = report.feedback.splitlines()[0] if passed else report.feedback
            yield Check(problem.id, part.name, "after", part.after, passed, found)


def _verify_named(grader: Grader, notebook: str, answers: Mapping[str, str], run: Runner) -> Iterator[Check]:
    """What was named at the desk is a student's own answer: it runs where students' answers run."""
    problem = grader.problem
    for each in grader.solution.named:
        part = problem.part(each.of)
        own = each.answer if isinstance(part, Code | Module) else answer_cell(part, each.answer)
        for report in grader.grade(fill(notebook, {**answers, each.of: own}), STUDENT, run):
            if report.part == each.of:
                passed = report.mistake == each.id and report.score < report.max_score
                found = (
                    f"recognised, {report.score:g} points" if passed else f"recognised as {report.mistake}"
                )
                yield Check(problem.id, each.of, "named", each.id, passed, found)


def promises(course: Course, problem: Problem, part: Code | Module) -> Iterator[Check]:
    """What the docstring says of the result and the reference does not keep: shape, type, or no chance."""
    reference = course.solutions[problem.id].answers[part.name]
    if isinstance(part, Code) and part.holds:
        yield from (check for check in [many_draws(course, problem, part)] if not check.passed)
        return
    try:
        calls = plan(problem, part, course.secret, STUDENT, reference)
        for call in calls:
            refuse_what_stays(call)
        expectations = [expect(reference, call) for call in calls]
    except CourseError as error:
        says = str(error).removeprefix(f"{part.name}: ")
        yield Check(problem.id, part.name, "reference", "", False, says)
        return
    for call, expected in zip(calls, expectations, strict=True):
        found = _unkept(part, call, expected) if isinstance(part, Code) else ""
        found = found or _not_a_number(call, expected) or _by_chance(reference, call)
        found = found or rounds_to_single(reference, call, expected)
        if found:
            yield Check(problem.id, part.name, "reference", "", False, found)
            return


def _unkept(part: Code, call: Planned, expected: Expected) -> str:
    """Where the reference returns another shape or type than the docstring says."""
    shapes, place, found = parse_shapes(part.doc, part.parameters), f"case {call.case.name!r}", ""
    if expected.holds is not None and not fits(plainly(expected.holds.value), shapes.type):
        value = show(expected.holds.value)
        found = f"{place}: the docstring says it returns {shapes.type}, the reference returns {value}"
    for out, want in zip(shapes.outputs, expected.outputs, strict=True):
        promised = list(shape(out.axes, call.case.sizes))
        if promised != list(want.values.shape):
            axes = ", ".join(out.axes)
            found = (
                f"{place}: the docstring says it returns {out.name}[{axes}], here {promised}, the "
                f"reference returns {list(want.values.shape)}: mend one of them"
            )
    return found


def _not_a_number(call: Planned, expected: Expected) -> str:
    """A sentence where the reference's own values are NaN, which no answer is right by."""
    for want in (*expected.outputs, *expected.grads):
        count = int(want.values.isnan().sum())
        if count:
            return (
                f"case {call.case.name!r}: {count} of {want.values.numel()} values of "
                f"{want.name or 'the result'} are NaN in the reference, and no answer can be right: mend it, "
                "or the case (a mask may leave nothing, a number be 0)"
            )
    return ""


def _by_chance(reference: Callable[..., object], call: Planned) -> str:
    """A sentence where the reference depends on random numbers, or on the calls before."""
    values = []
    for number in (1, 2, 1):
        seed(number)
        outcome = as_outcome(call_trusted(reference, call, as_given))
        values.append(whole(outcome.kind, outcome.outputs))
    first = values[0]
    if call.steps and isinstance(first, list):
        first = Steps(call.labels, call.shapes, tuple(first))
    want = wanted(first, (), None)
    if compare_value(values[0], want) is not None or compare_value(values[1], want) is None:
        return ""  # NaN differs from itself, and is no chance
    if compare_value(values[2], want) is not None:
        return (
            f"case {call.case.name!r}: the reference gives another result when it is called again: what it "
            "keeps from one call to the next (a list, a counter, a layer) belongs into the function, and "
            "what a generator without a seed draws is handed over as an argument"
        )
    fix = (
        'load its weights, as in load="all", or ask for what holds of it with Tests(…)'
        if call.steps
        else "hand what is random over as an argument, such as a mask"
    )
    return (
        f"case {call.case.name!r}: the reference gives another result when random numbers begin elsewhere: "
        f"no value is right then; {fix}"
    )


def _verify_code(course: Course, problem: Problem, part: Code) -> Iterator[Check]:
    solution = course.solutions[problem.id]
    calls = plan(problem, part, course.secret, STUDENT)
    expected = [expect(solution.answers[part.name], call) for call in calls]
    mistakes = solution.mistakes_of(part.name)

    # Where a found slip earns a share, no empty answer may earn it.
    finder = Finder(problem, part, solution.answers[part.name]) if part.share else None

    def judge(returned: Sequence[Returned]) -> PartReport:
        outcomes = [as_outcome(r) for r in returned]
        return judge_code(part, calls, expected, [*outcomes, outcomes[0]], mistakes, finder=finder)

    for mistake in mistakes:
        report = judge([call_trusted(mistake.answer, call, as_given) for call in calls])
        yield verdict_on(problem, part, mistake, report)
    for way in (each.function for each in solution.further if each.of == part.name):
        report = judge([call_trusted(way, call, as_given) for call in calls])
        right = report.score == report.max_score
        yield Check(problem.id, part.name, "reference", way.__name__, right, report.feedback)
    for name, degenerate in DEGENERATE.items():
        if any(want.holds is not None for want in expected):
            break
        report = judge([degenerate(call, want) for call, want in zip(calls, expected, strict=True)])
        caught = caught_by(report)
        same = report.score and all(_is_constant(want) for want in expected)
        found = caught or ("the right result, which is one number" if same else "earns marks")
        yield Check(problem.id, part.name, "empty", name, report.score == 0 or bool(same), found)
    if any(want.holds is not None for want in expected):
        report = judge([Returned(value=None) for _ in calls])
        caught = caught_by(report)
        yield Check(problem.id, part.name, "empty", "None", report.score == 0, caught or "earns marks")
        yield from _verify_axes(problem, part)
        return
    yield from _verify_axes(problem, part)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a reference with an edit: nothing of the author's
        score = edit_score(course, problem, part, calls)
    if score is not None:
        earns = f"; one slip earns {part.share:.0%} of the marks" if part.share else ""
        yield Check(problem.id, part.name, "edits", "", not score.survivors, score.says + earns)


def _verify_tests(problem: Problem, part: Tests, grader: Grader, notebook: str, run: Runner) -> Check:
    """Names that take anything and give nothing earn nothing."""
    hollow = "class _Nothing:\n    def __init__(self, *args, **named): pass\n"
    hollow += "    def __getattr__(self, name): return lambda *args, **named: None\n\n"
    asked = [stub for other in problem.parts if isinstance(other, Tests) for stub in other.stubs]
    asked += [other.function for other in problem.parts if isinstance(other, Code)]
    asked += [other.made for other in problem.parts if isinstance(other, Module)]
    hollow += "\n".join(
        f"{each.__name__} = _Nothing"
        if isinstance(each, type)
        else f"def {each.__name__}(*args, **named): pass"
        for each in asked
    )
    where = next(
        each.name
        for each in problem.parts
        if isinstance(each, Code | Module | Tests) and stub_cells.stub(each)
    )
    answers = {each.name: "" for each in problem.parts if isinstance(each, Code | Module | Tests)} | {
        where: hollow
    }
    reports = {report.part: report for report in grader.grade(fill(notebook, answers), STUDENT, run)}
    score = reports[part.name].score
    holding = [repr(case.name) for case in reports[part.name].cases if case.passed]
    found = f"earns {score:g} points: of names that do nothing it holds that {'; '.join(holding)}"
    found = found if score else "earns nothing"
    return Check(problem.id, part.name, "empty", "names that do nothing", not score, found)


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
        yield verdict_on(problem, part, mistake, report)


# ---------------------------------------------------------------- answers that show no work


def _each(change: Callable[[Planned, Want], Tensor]) -> Callable[[Planned, Expected], Returned]:
    def answer(call: Planned, expected: Expected) -> Returned:
        return Returned(tuple(change(call, want) for want in expected.outputs), many=expected.many)

    return answer


def _is_constant(expected: Expected) -> bool:
    """Whether every result is one number throughout: then that number, or their mean, is no empty answer."""
    return all(bool((want.values == want.values.flatten()[:1]).all()) for want in expected.outputs)


def _zeros(call: Planned, want: Want) -> Tensor:
    return torch.zeros_like(want.values, dtype=want.dtype)


def _mean(call: Planned, want: Want) -> Tensor:
    # A single number is its own mean: there the mean of the first input stands in.
    tensors = [argument for argument in call.arguments if isinstance(argument, Tensor)]
    values = want.values if want.values.numel() > 1 or not tensors else tensors[0]
    return torch.full_like(want.values, float(values.double().mean()), dtype=want.dtype)


def _nan(call: Planned, want: Want) -> Tensor:
    full = torch.full_like(want.values, torch.nan, dtype=torch.float64)
    return full.to(want.dtype) if want.dtype.is_floating_point else full


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
