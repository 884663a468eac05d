"""Reports become Gradescope's results.json, one a student and set, with what students may see and when.

What the notebook's own check tells already is `visible`. Marks and hints rest on hidden cases too and are
shown `after_due_date`, so that nobody can probe those by handing in again. Answers that a person reads are
shown `after_published`. No test is `hidden` for good: Gradescope would then never show a total. The ids of
recognised mistakes go into `extra_data`, which is kept and not shown.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from autograder.exports.marks import Work

Report = Mapping[str, Any]
VISIBLE, LATER, PUBLISHED, STAFF = "visible", "after_due_date", "after_published", "hidden"


def gradescope_results(reports: Sequence[Report], final: Mapping[Work, float]) -> dict[tuple[str, str], str]:
    """The text of results.json by student and set."""
    groups: dict[tuple[str, str], list[Report]] = {}
    for report in reports:
        groups.setdefault((report["student"], report["set"]), []).append(report)
    return {
        who: json.dumps(_results(group, final), ensure_ascii=False, indent=1) + "\n"
        for who, group in groups.items()
    }


def _results(reports: Sequence[Report], final: Mapping[Work, float]) -> dict[str, Any]:
    total = sum(
        final.get(
            (report["student"], report["set"], report["problem"]),
            sum(part["score"] for part in report["parts"]),
        )
        for report in reports
    )
    return {
        "score": round(total, 6),
        "execution_time": round(sum(report["seconds"] for report in reports), 3),
        "visibility": LATER,
        "stdout_visibility": STAFF,
        "tests": [
            test
            for number, report in enumerate(reports, start=1)
            for place, part in enumerate(report["parts"], start=1)
            for test in _tests(f"{number}.{place}", report["problem"], part)
        ],
    }


def _tests(number: str, problem: str, part: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    name = f"{problem}: {part['part']}"
    test = {"name": name, "number": number, "max_score": part["max_score"], "visibility": PUBLISHED}
    if part["status"] != "manual":
        full = part["score"] >= part["max_score"]
        status = "passed" if full else "failed"
        test |= {"score": part["score"], "status": status, "visibility": LATER}
    if part["mistake"]:
        test |= {"extra_data": {"mistake": part["mistake"]}}
    yield {**test, "output": part["feedback"], "output_format": "text"}
    shown = [case for case in part.get("cases", ()) if not case["hidden"]]
    if shown:
        lines = [f"{case['name']}: {'passes' if case['passed'] else case['message']}" for case in shown]
        passed = all(case["passed"] for case in shown)
        yield {
            "name": f"{name}: visible cases",
            "number": f"{number}.1",
            "status": "passed" if passed else "failed",
            "output": "\n".join(lines),
            "output_format": "text",
            "visibility": VISIBLE,
        }
