"""Properties of the comparison, on random rates, and agreement with the slow oracle along paths."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.course.model import Growth, Key
from autograder.text.expression.read import read
from autograder.text.expression.render import plain
from autograder.text.expression.tree import Call, Expr, Num, Pow, Sym, add, mul, names_in, substitute
from autograder.text.growth.assumptions import Domain, domain_of
from autograder.text.growth.compare import GrowthVerdict, compare, find_escape
from autograder.text.growth.judge import judge_growth
from tests.text import rays

NAMES = ("x", "y", "z")
MIRROR = {"tighter": "looser", "looser": "tighter"}
QUICK = settings(max_examples=150)
ASSUMPTIONS = (
    (),
    ("x <= y",),
    ("y <= x^2",),
    ("x <= y", "y <= x^2"),
    ("z = x*y",),
    ("x <= y*z",),
    ("y = x/z",),
    ("x <= log y",),
    ("x*y <= z",),
    ("x <= y", "y <= z"),
)
EXPONENTS = {
    "powers": ((0, 0, 1, 2, Fraction(1, 2)), (0,)),
    "logarithms": ((0,), (0, 0, 1, 2, Fraction(1, 2))),
    "both": ((0, 0, 1, 2), (0, 0, 1, 2)),
    "quotients": ((0, 0, 1, -1, 2), (0, 0, 1, -1)),
}


def power(base: Expr, exponent: Fraction | int) -> Expr:
    return base if exponent == 1 else Pow(base, Num(Fraction(exponent)))


def random_rate(source: random.Random, kind: str, names: tuple[str, ...]) -> Expr:
    powers, logs = EXPONENTS[kind]
    terms = []
    for _ in range(source.randint(1, 3)):
        factors: list[Expr] = [Num(Fraction(1))]
        for name in names:
            factors += [power(Sym(name), p) for p in [source.choice(powers)] if p]
            factors += [power(Call("ln", (Sym(name),)), p) for p in [source.choice(logs)] if p]
        terms.append(mul(*factors))
    return add(*terms)


@st.composite
def rates(draw: st.DrawFn, kinds: tuple[str, ...] = ("powers", "logarithms", "both", "quotients")) -> Expr:
    source = random.Random(draw(st.integers(0, 10**9)))
    return random_rate(source, draw(st.sampled_from(kinds)), NAMES[: draw(st.integers(1, 3))])


domains = st.sampled_from(ASSUMPTIONS).map(lambda assumptions: domain_of(NAMES, assumptions))


def verdict(left: Expr, right: Expr, domain: Domain) -> str:
    return compare(domain.shape(left), domain.shape(right), domain).verdict


@QUICK
@given(rates(), domains)
def test_a_rate_is_equivalent_to_itself(rate: Expr, domain: Domain) -> None:
    assert verdict(rate, rate, domain) == GrowthVerdict.EQUIVALENT


@QUICK
@given(rates(), rates(), domains)
def test_swapping_the_sides_mirrors_the_verdict(left: Expr, right: Expr, domain: Domain) -> None:
    there, back = verdict(left, right, domain), verdict(right, left, domain)
    assert back == MIRROR.get(there, there)


@QUICK
@given(rates(), rates(), domains, st.integers(2, 10**6))
def test_a_constant_factor_changes_nothing(left: Expr, right: Expr, domain: Domain, factor: int) -> None:
    assert verdict(mul(Num(Fraction(factor)), left), right, domain) == verdict(left, right, domain)


@QUICK
@given(rates(), rates(), domains)
def test_adding_a_dominated_term_changes_nothing(left: Expr, right: Expr, domain: Domain) -> None:
    small = power(left, Fraction(1, 2))
    smaller = add(left, Call("min", (left, small)))
    assert verdict(smaller, right, domain) == verdict(left, right, domain)


@QUICK
@given(rates(("logarithms", "both")), rates(("logarithms", "both")), domains)
def test_the_base_of_the_logarithm_changes_nothing(left: Expr, right: Expr, domain: Domain) -> None:
    binary = read(plain(left).replace("ln(", "log_2("), NAMES).sides[0]
    assert verdict(binary, right, domain) == verdict(left, right, domain)


@QUICK
@given(rates(), rates())
def test_renaming_the_variables_changes_nothing(left: Expr, right: Expr) -> None:
    domain = domain_of(NAMES, ())
    renamed = [substitute(rate, {"x": Sym("b"), "y": Sym("a"), "z": Sym("c")}) for rate in (left, right)]
    assert verdict(*renamed, domain_of(("a", "b", "c"), ())) == verdict(left, right, domain)


@QUICK
@given(rates(), rates(), domains)
def test_a_sum_is_as_good_as_a_maximum(left: Expr, right: Expr, domain: Domain) -> None:
    assert verdict(add(left, right), Call("max", (left, right)), domain) == GrowthVerdict.EQUIVALENT


@QUICK
@given(rates(), domains)
def test_the_text_of_a_rate_reads_back_as_the_rate(rate: Expr, domain: Domain) -> None:
    (again,) = read(plain(rate), NAMES).sides
    assert verdict(again, rate, domain) == GrowthVerdict.EQUIVALENT


def paths_within(names: list[str], relations: list[tuple[Expr, Expr]], seed: int) -> list[rays.Path]:
    return [
        path
        for path in rays.paths(names, 300, seed)
        if all(rays.holds(path, small, large) for small, large in relations)
    ]


@pytest.mark.parametrize("kind", EXPONENTS)
@pytest.mark.parametrize("assumptions", ASSUMPTIONS, ids=" and ".join)
def test_verdicts_agree_with_growth_along_many_paths(kind: str, assumptions: tuple[str, ...]) -> None:
    """What is called dominated is outgrown on no path; what is not is outgrown on some path we find."""
    source = random.Random(f"{kind} {assumptions}")
    domain = domain_of(NAMES, assumptions)
    readings = [read(text, NAMES) for text in assumptions]
    relations = [
        (domain.place(reading.sides[0]), domain.place(reading.sides[1]))
        for reading in readings
        if reading.signs == ("<=",)
    ]
    found = missed = 0
    for number in range(15):
        left, right = (random_rate(source, kind, NAMES) for _ in range(2))
        escape = find_escape(domain.shape(left), domain.shape(right), domain)
        placed = [domain.place(rate) for rate in (left, right)]
        mentioned = [*placed, *(side for relation in relations for side in relation)]
        names = sorted({name for tree in mentioned for name in names_in(tree)}) or ["x"]
        outgrown = any(rays.outgrows(*placed, path) for path in paths_within(names, relations, number))
        if escape is None:
            assert not outgrown, f"{plain(left)} outgrows {plain(right)} under {assumptions}"
        else:
            found += outgrown
            missed += not outgrown
    assert 2 * found >= missed, "the paths should show much of what the decision claims"


MUTATIONS = st.sampled_from(
    ["", "(", ")", "^", "log", "ln ", "T", "²", "\\frac", "{", "}", "|", "O(", "!", "/0", "-"]
)


@settings(max_examples=400)
@given(
    st.text(max_size=60),
    st.sampled_from(["O(T^2 d)", "\\mathcal{O}(\\log T)", "linear in T"]),
    MUTATIONS,
    st.integers(0, 20),
)
def test_no_text_makes_the_judge_raise(noise: str, answer: str, inserted: str, at: int) -> None:
    part = Growth("part", 1, "", ("T", "d"))
    for text in (noise, answer[:at] + inserted + answer[at:], answer[:at] + noise + answer[at:]):
        judgement = judge_growth(text, part, Key("O(T^2 d)"))
        assert judgement.verdict in list(GrowthVerdict)


@settings(max_examples=200)
@given(st.binary(max_size=80))
def test_no_bytes_make_the_judge_raise(noise: bytes) -> None:
    part = Growth("part", 1, "", ("T", "d"))
    assert judge_growth(noise.decode("latin-1"), part, Key("O(T d)")).verdict in list(GrowthVerdict)
