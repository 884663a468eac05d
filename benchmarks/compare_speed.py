"""How many growth rates, formulas and equations are judged a second, and which answer takes longest."""

from __future__ import annotations

import argparse
import json
import sys
import time
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from autograder.course.model import Formula, Growth, Key
from autograder.text.equation import judge_equation
from autograder.text.formula.judge import judge_formula
from autograder.text.growth.judge import judge_growth
from autograder.text.verdict import Judgement
from tests.text.equation.labelled import rows
from tests.text.equation.parts import PARTS

TABLE = Path(__file__).parent.parent / "tests" / "text" / "growth_answers.toml"
VERDICTS = ("equivalent", "tighter", "looser", "incomparable", "unparseable")
FORMULAS = (
    (("I", "J", "K"), "2IJ", ("2*I*J", "I J + J I", "IJ", "2J^2/K", "2KIJ", "\\frac{4IJ}{2}")),
    (("I", "J"), "I = J/2", ("J/2", "2I = J", "I = \\frac{J}{2}", "I = J", "2IJ = J^2")),
    (("beta",), "beta*sqrt(2)", ("β√2", "\\sqrt{2}\\beta", "2β/√2", "1.414β")),
    (("L", "w"), "L(w-1)+1", ("Lw - L + 1", "1 + L*(w-1)", "Lw")),
)
HOSTILE = (
    "9^9^9^9",
    "(" * 30 + "T" + ")" * 30,
    "T^" * 120 + "2",
    "+".join("TUVWXYZ" * 20),
    "log " * 100 + "T",
)


def growth_calls() -> Iterator[tuple[str, Callable[[], Judgement]]]:
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    for family in table["family"]:
        part = Growth("part", 1, "", family["variables"], family.get("assumptions", ()))
        key = Key(family["reference"])
        for answer in [answer for verdict in VERDICTS for answer in family.get(verdict, ())]:
            yield answer, lambda answer=answer, part=part, key=key: judge_growth(answer, part, key)
    part, key = Growth("part", 1, "", ("T",)), Key("O(T)")
    for answer in (*table["garbage"], *HOSTILE):
        yield answer, lambda answer=answer, part=part, key=key: judge_growth(answer, part, key)


def formula_calls() -> Iterator[tuple[str, Callable[[], Judgement]]]:
    for variables, reference, answers in FORMULAS:
        part, key = Formula("part", 1, "", variables), Key(reference)
        for answer in (*answers, *HOSTILE):
            yield answer, lambda answer=answer, part=part, key=key: judge_formula(answer, part, key)


def equation_calls() -> Iterator[tuple[str, Callable[[], Judgement]]]:
    """Every tenth answer of the table that the tests hold the engine to."""
    for name, _, answer in rows()[::10]:
        _, part, key, slips = PARTS[name]
        yield (
            answer,
            lambda answer=answer, part=part, key=key, slips=slips: judge_equation(answer, part, key, slips),
        )


def measure(calls: list[tuple[str, Callable[[], Judgement]]], rounds: int) -> dict[str, object]:
    """Processor time, so that a busy machine does not count; a first round warms the imports."""
    calls[0][1]()
    slowest = (0.0, "")
    total = 0.0
    for _ in range(rounds):
        for answer, call in calls:
            start = time.process_time()
            call()
            spent = time.process_time() - start
            total += spent
            slowest = max(slowest, (spent, answer))
    return {
        "answers": len(calls) * rounds,
        "answers_a_second": round(len(calls) * rounds / total),
        "slowest_ms": round(slowest[0] * 1000, 1),
        "slowest_answer": slowest[1][:80],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1, help="more rounds show what the caches give")
    rounds = parser.parse_args().rounds
    kinds = {"growth": growth_calls, "formula": formula_calls, "equation": equation_calls}
    for name, calls in kinds.items():
        print(json.dumps({"kind": name, **measure(list(calls()), rounds)}, ensure_ascii=False))


if __name__ == "__main__":
    main()
