"""Right and wrong answers, each written in one of the many ways in which students write: same seed, same text."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from autograder.course.model import Formula, Growth, Key
from autograder.text.formula.judge import judge_formula
from autograder.text.growth.judge import judge_growth

# A rate is a sum of products; a factor is a variable, how often its logarithm is taken, and its power.
Factor = tuple[str, int, int]
Product = tuple[Factor, ...]
Sum = tuple[Product, ...]


@dataclass(frozen=True)
class Rate:
    """A question with its key, and the letters that students use for its variables."""

    key: str
    terms: Sum
    variables: tuple[str, ...]
    letters: dict[str, str]
    words: dict[str, str]
    assumptions: tuple[str, ...] = ()


RATES = (
    Rate(
        "O(T^2 d)", ((("T", 0, 2), ("d", 0, 1)),), ("T", "d"), {"T": "n", "d": "m"}, {"T": "sequence length"}
    ),
    Rate("O(T d^2)", ((("T", 0, 1), ("d", 0, 2)),), ("T", "d"), {"T": "N", "d": "h"}, {"d": "dimension"}),
    Rate(
        "O(ln T + ln U)", ((("T", 1, 1),), (("U", 1, 1),)), ("T", "U"), {"T": "n", "U": "k"}, {"T": "length"}
    ),
    Rate("O(L)", ((("L", 0, 1),),), ("T", "L"), {"L": "n"}, {"L": "number of layers"}),
    Rate("O(N)", ((("N", 0, 1),),), ("N",), {"N": "T"}, {"N": "distance"}),
    Rate("O(N/w)", ((("N", 0, 1), ("w", 0, -1)),), ("N", "w"), {"w": "k"}, {"w": "width"}, ("w <= N",)),
    Rate("O(T + L)", ((("T", 0, 1),), (("L", 0, 1),)), ("T", "L"), {"T": "n"}, {"T": "number of words"}),
    Rate("O(n log n)", ((("n", 0, 1), ("n", 1, 1)),), ("n",), {"n": "m"}, {"n": "length"}),
)
TIMES = (" ", "*", " * ", "·", " \\cdot ", " × ", " \\times ", "⋅", " \\, ")
LOGS = ("log {}", "log({})", "ln {}", "ln({})", "\\log {}", "\\ln({})", "lg {}", "log_2 {}", "log2({})", "np.log({})",
        "\\log_{{2}} {}", "math.log({})", "log₂({})", "\\operatorname{{log}} {}")  # fmt: skip
ORDERS = ("O({})", "O( {} )", "Θ({})", "\\Theta({})", "\\mathcal{{O}}({})", "\\mathcal{{O}}\\left({}\\right)", "O[{}]", "{}",
          "O\\bigl({}\\bigr)", "big-O of {}", "order {}", "𝒪({})", "О({})", "Theta({})", "O({}) + O(1)", "cost = O({})")  # fmt: skip
WRAPS = ("{}", "{}.", " {} ", "${}$", "**{}**", "`{}`", "# Answer\n{}", "- {}", "Time:\n> {}", "\\[{}\\]", "\\({}\\)", '"{}"',
         "Answer: {}", "The running time is {}", "So we get {}", "= {}", "{} steps", "{} time", "{}\n", "**Time:** {}",
         "- setup: O(1)\n- total: {}")  # fmt: skip
REMARKS = ("", "", "", "", ", because the steps wait for one another", " since every position is visited", " (parallel time)",
           ", as one step follows another", ". Every step is counted once.", " (see the lecture)", " when it is implemented well",
           ", thanks to the tree", "\nEach step is counted once.", " using trees",
           ": each step is counted once", ", the setup itself is only O(1)", "  # as in the notes")  # fmt: skip
CONSTANTS = ("", "", "", "2", "3 ", "\\frac{1}{2} ", "½", "5*", "0.5 ", "10^3 ")


class Writer:
    """Writes rates and formulas in ways that a seed chooses."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)

    def factor(self, name: str, logs: int, power: int) -> str:
        braced = f"{{{name}}}" if power != 1 else name  # {T} alone is a template, and refused
        text = self.draw.choice((name, name, name, braced, f"\\mathbf{{{name}}}"))
        for _ in range(logs):
            text = self.draw.choice(LOGS).format(text if text[0] != "{" else name)
        if power == 1:
            return f"({text})" if logs else text
        base = f"({text})" if logs else text
        ways = (
            f"{base}^{power}",
            f"{base}^{{{power}}}",
            f"{base}**{power}",
            f"{base} ^ {power}",
            f"{base}" + "⁰¹²³⁴"[power],
        )
        return self.draw.choice((*ways, self.draw.choice(("*", " ", "·")).join([base] * power)))

    def product(self, factors: Product) -> str:
        above = [self.factor(*factor) for factor in factors if factor[2] > 0]
        under = [self.factor(name, logs, -power) for name, logs, power in factors if power < 0]
        self.draw.shuffle(above)
        top = self.draw.choice(TIMES).join(above) or "1"
        if not under:
            return top
        bottom = "*".join(under)
        return self.draw.choice(
            (f"({top})/({bottom})", f"\\frac{{{top}}}{{{bottom}}}", f"({top}) ÷ ({bottom})")
        )

    def total(self, terms: Sum) -> str:
        products = [self.draw.choice(CONSTANTS) + self.product(term) for term in terms]
        self.draw.shuffle(products)
        text = self.draw.choice((" + ", "+", " +  ")).join(products)
        return self.draw.choice((text, text, text, f"({text})", f"{text} + 1" if "/" not in text else text))

    def rate(self, terms: Sum, rate: Rate) -> str:
        """The rate as one sentence."""
        renamed = {name: letter for name, letter in rate.letters.items() if self.draw.random() < 0.3}
        used = tuple(tuple((renamed.get(name, name), *rest) for name, *rest in term) for term in terms)
        text = self.draw.choice(ORDERS).format(self.total(used))  # type: ignore[arg-type]
        wrap, said = self.draw.choice(WRAPS), self.definitions(renamed, rate)
        if wrap.endswith("}"):
            return wrap.format(text + said) + self.remark(renamed)
        return wrap.format(text) + said + self.remark(renamed)

    def definitions(self, renamed: dict[str, str], rate: Rate) -> str:
        if not renamed:
            return ""
        said = [
            f"{letter} is the {rate.words[name]}"
            if name in rate.words and self.draw.random() < 0.4
            else f"{letter} = {name}"
            for name, letter in renamed.items()
        ]
        listed = self.draw.choice((" and ", ", ")).join(said)
        return self.draw.choice((" where {}", ", where {}", " ({})", " \\text{{ where }} {}")).format(listed)

    def remark(self, renamed: dict[str, str]) -> str:
        return "" if renamed else self.draw.choice(REMARKS)


def _wrong_terms(terms: Sum, rate: Rate, draw: random.Random) -> Sum:
    """Another rate: a term or factor gone, another power, a logarithm opened, two variables exchanged."""
    at = draw.randrange(len(terms))
    term = list(terms[at])
    spot = draw.randrange(len(term))
    name, logs, power = term[spot]
    changes: list[Callable[[], Sum]] = [
        lambda: _replaced(terms, at, [*term[:spot], (name, logs, power + 1 or 2), *term[spot + 1 :]]),
        lambda: _replaced(terms, at, [*term[:spot], (name, 0 if logs else 1, power), *term[spot + 1 :]]),
        lambda: _replaced(terms, at, [*term, ("Q", 0, 1)]),
    ]
    if len(terms) > 1:
        changes.append(lambda: (*terms[:at], *terms[at + 1 :]))
        changes.append(lambda: (tuple(factor for one in terms for factor in one),))
    if len(term) > 1:
        changes.append(lambda: _replaced(terms, at, [*term[:spot], *term[spot + 1 :]]))
    return draw.choice(changes)()


def _replaced(terms: Sum, at: int, term: list[Factor]) -> Sum:
    return (*terms[:at], tuple(term), *terms[at + 1 :])


# What turns a right answer into one that must not pass.
SPOILERS = (
    "not {0}", "{0} or O({1})", "{0}\nO({1})", "{0}, O({1})", "o({2})", "Ω({2})", "less than {0}", "{0}, i.e. O({1})",
    "{0} = O({1})", "between O(1) and {0}", "{0}, independent of {3}", "{0}, so O({1})", "\\Omega({2})", "{0}, which is O({1})",
    "{0} if sequential, else O({1})", "{0} but O({1}) in practice", "O({1}) time and {0} memory", "{0} for short inputs",
    "{0} memory", "- one part: {0}\n- total: O({1})", "{0}, the rest is O(({2})^2)", "O({1}): each part is {0}",
)  # fmt: skip


def growth_answers(count: int, seed: int = 0) -> Iterator[tuple[str, bool, Rate]]:
    """Answers with whether they are right."""
    for number in range(count):
        writer = Writer(seed + number)
        rate = RATES[number % len(RATES)]
        kind = writer.draw.random()
        if kind < 0.5:
            yield writer.rate(rate.terms, rate), True, rate
        elif kind < 0.8:
            yield writer.rate(_wrong_terms(rate.terms, rate, writer.draw), rate), False, rate
        else:
            inner = writer.total(rate.terms)
            wrong = writer.total(_wrong_terms(rate.terms, rate, writer.draw))
            spoiler = writer.draw.choice(SPOILERS)
            free = rate.terms[0][0][0]
            yield spoiler.format(f"O({inner})", wrong, inner, free), False, rate


def judged_growth(answer: str, rate: Rate) -> str:
    part = Growth("part", 1, "", rate.variables, rate.assumptions, words=rate.words)
    return str(judge_growth(answer, part, Key(rate.key)).verdict)


# ---------------------------------------------------------------- formulas

FORMULAS = (
    ("2IJ", ("I", "J", "K"), ("2{x}I{x}J", "I{x}J + J{x}I", "\\frac{{4{x}I{x}J}}{{2}}", "2(I{x}J)", "J{x}(I + I)", "I{x}J{x}2.0"),
     ("I{x}J", "3{x}I{x}J", "2{x}I{x}K", "2{x}I + J", "2{x}I^2{x}J", "2{x}I{x}J + 1", "-2{x}I{x}J", "2{x}I{x}J/K")),
    ("L(w-1) + 1", ("L", "w"), ("L{x}(w-1) + 1", "1 + L{x}(w - 1)", "L{x}w - L + 1", "1 - L + w{x}L"),
     ("L{x}(w-1)", "L{x}w + 1", "L{x}(w+1) + 1", "w{x}(L-1) + 1", "L{x}(w-1) + 2", "L + w - 1", "w^L")),
    ("beta*sqrt(2)", ("beta",), ("β√2", "\\sqrt{{2}}{x}\\beta", "sqrt(2){x}beta", "sqrt(2{x}β^2)", "√(β² + β²)", "2{x}β/√2"),
     ("β", "2{x}β", "β²{x}√2", "sqrt(2{x}β)", "1.414{x}β", "√3{x}β", "\\frac{{β}}{{\\sqrt{{2}}}}")),
    ("J^2", ("I", "J"), ("J^2", "J{x}J", "J**2", "J²", "J^{{2}}", "(J)^{{2}}", "J squared"),
     ("J", "2{x}J", "J^3", "I{x}J", "J^2{x}I", "J^2 + J", "J^2/2")),
)  # fmt: skip
FORMULA_WRAPS = ("{}", "{}.", " {} ", "${}$", "**{}**", "`{}`", "# Answer\n{}", "= {}", "N = {}", "{} parameters",
                 "Answer: {}", "\\boxed{{{}}}", "\\[{}\\]")  # fmt: skip
FORMULA_REMARKS = (
    "",
    "",
    "",
    " since each is counted once",
    ", because both matrices count",
    " (for one head)",
    ". Each entry counts once.",
)


def formula_answers(count: int, seed: int = 0) -> Iterator[tuple[str, bool, str, tuple[str, ...]]]:
    """Answers with whether they are right, their keys and variables."""
    for number in range(count):
        draw = random.Random(f"formula {seed + number}")
        key, variables, right, wrong = FORMULAS[number % len(FORMULAS)]
        is_right = draw.random() < 0.55
        text = draw.choice(right if is_right else wrong).format(
            x=draw.choice(("*", " ", "·", "\\cdot ", " × "))
        )
        yield draw.choice(FORMULA_WRAPS).format(text) + draw.choice(FORMULA_REMARKS), is_right, key, variables


def judged_formula(answer: str, key: str, variables: tuple[str, ...]) -> str:
    return str(judge_formula(answer, Formula("part", 1, "", variables), Key(key)).verdict)


def flips(count: int, seed: int = 0) -> list[tuple[str, str, str]]:
    """The answers whose verdict is not what it was before they were rewritten: three in four are growth rates."""
    found = []
    for answer, right, rate in growth_answers(count - count // 4, seed):
        verdict = judged_growth(answer, rate)
        if (verdict == "equivalent") != right:
            found.append((answer, rate.key, verdict))
    for answer, right, key, variables in formula_answers(count // 4, seed):
        verdict = judged_formula(answer, key, variables)
        if (verdict == "equal") != right:
            found.append((answer, key, verdict))
    return found
