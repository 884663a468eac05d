"""A comparison comes in; a sentence goes out that says what to let grow and what each side then does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from autograder.text.expression.tree import Mul, Sym
from autograder.text.growth.assumptions import Domain
from autograder.text.growth.compare import Comparison, Escape, GrowthVerdict, find_escape
from autograder.text.growth.exact_numbers import log_of
from autograder.text.growth.max_of_min_terms import Lattice, pruned
from autograder.text.growth.regime import Regime
from autograder.text.growth.terms import UNIT, Number, Term, collect, fades
from autograder.text.ordered_sets import in_order

BASES = {log_of(Fraction(base)): str(base) for base in (2, 3, 4, 5, 6, 8, 10, 16)} | {Fraction(1): "e"}


@dataclass(frozen=True)
class Stage:
    """Where a scene plays: the domain, and the question's own variables, in which it is told."""

    domain: Domain
    asked: tuple[str, ...]

    @property
    def hidden(self) -> dict[str, tuple[str, list[str]]]:
        """Names that the question does not ask about, by what they are: I is J/K where J = I·K."""
        found: dict[str, tuple[str, list[str]]] = {}
        for whole, parts in _products(self.domain):
            others = sorted(part for part in parts if part in self.asked)
            (*rest,) = parts.difference(others)
            if whole in self.asked and others and len(rest) == 1:
                found[rest[0]] = whole, others
        return found

    def rank(self, name: str) -> tuple[int, str]:
        """What to let grow first: a variable that is asked about and takes no other with it."""
        takes_along = any(name in others for _, others in self.hidden.values())
        return (2 if takes_along else 0 if name in self.asked or name in self.hidden else 1), name

    @property
    def spellings(self) -> dict[str, str]:
        """Those names in the question's own: (J/K) for I."""
        return {name: f"({whole}/{' '.join(others)})" for name, (whole, others) in self.hidden.items()}


def explain(
    comparison: Comparison, answer: Lattice, key: Lattice, domain: Domain, asked: tuple[str, ...] = ()
) -> str:
    """Why the verdict is not `equivalent`, in words and in the variables that are asked about."""
    stage = Stage(domain, asked or domain.names)
    match comparison.verdict:
        case GrowthVerdict.TIGHTER:
            assert comparison.under is not None
            return f"your bound is too small: {_too_small(comparison.under, answer, key, stage)}"
        case GrowthVerdict.LOOSER:
            assert comparison.above is not None
            return f"your bound holds but is too large: {_too_large(comparison.above, answer, key, stage)}"
        case GrowthVerdict.INCOMPARABLE:
            assert comparison.above is not None
            assert comparison.under is not None
            return (
                f"your bound is sometimes too small and sometimes too large: "
                f"{_too_small(comparison.under, answer, key, stage)}; "
                f"but {_too_large(comparison.above, answer, key, stage)}"
            )
    return ""


def _too_small(escape: Escape, answer: Lattice, key: Lattice, stage: Stage) -> str:
    how, mine, cost = _scene(escape, key, answer, stage)
    if mine is None:
        term = show_term(_spelled_term(escape.term, stage.spellings))
        return f"{how}: the cost has {term}, which outgrows your bound there"
    return f"{how}: your bound {mine} while the cost {cost}"


def _too_large(escape: Escape, answer: Lattice, key: Lattice, stage: Stage) -> str:
    how, cost, mine = _scene(escape, answer, key, stage)
    if mine is None:
        return f"{how}: your {show_term(_spelled_term(escape.term, stage.spellings))} outgrows the cost there"
    return f"{how}: your bound {mine} while the cost {cost}"


def _scene(escape: Escape, fast: Lattice, slow: Lattice, stage: Stage) -> tuple[str, str | None, str | None]:
    """What to let grow, and what the slow and the fast side do; the latter only where that is simple."""
    domain = stage.domain
    for name in sorted(_names(fast) | _names(slow), key=stage.rank):
        if not _may_grow_alone(name, domain):
            continue
        quick, still = _along(fast, {name: name}), _along(slow, {name: name})
        if not find_escape(quick, still, Domain((name,))):
            continue
        # With K fixed, J grows as I does where J = I·K; with I fixed, J grows with K.
        grows = stage.hidden[name][0] if name in stage.hidden else name
        along = [whole for whole, others in stage.hidden.values() if name in others]
        spelled = {**stage.spellings, name: grows}
        slow, fast = (_spelled(_asked(side, name, domain), spelled) for side in (slow, fast))
        fixed = _told(_names(fast) | _names(slow) | {grows}, stage) - {grows, *along}
        how = f"let {_list([grows, *along])} grow" + (" in proportion" if along else "")
        how += f" with {_list(sorted(fixed))} fixed" if fixed else ""
        return how, _does(_spelled(still, spelled), slow), _does(_spelled(quick, spelled), fast)
    return _in_words(escape.regime, stage), None, None


def _told(names: set[str], stage: Stage) -> set[str]:
    """Names as the question has them: J and K for what is spelled (J/K)."""
    out = set(names)
    for name, spelled in stage.spellings.items():
        if spelled in out:
            whole, others = stage.hidden[name]
            out = (out - {spelled}) | {whole, *others}
    return out


def _spelled(lattice: Lattice, spellings: Mapping[str, str]) -> Lattice:
    return tuple(tuple(_spelled_term(term, spellings) for term in low) for low in lattice)


def _spelled_term(term: Term, spellings: Mapping[str, str]) -> Term:
    """The term with other names for its variables; for showing, not for comparing."""
    powers = frozenset(((spellings.get(name, name), level), power) for (name, level), power in term.powers)
    return Term(powers, frozenset((_spelled_term(inner, spellings), value) for inner, value in term.exponent))


def _names(lattice: Lattice) -> set[str]:
    return {name for low in lattice for term in low for name in _names_of(term)}


def _names_of(term: Term) -> Iterable[str]:
    for (name, _), _ in term.powers:
        yield name
    for inner, _ in term.exponent:
        yield from _names_of(inner)


def _products(domain: Domain) -> Iterable[tuple[str, set[str]]]:
    """Names that the assumptions make products of others: J and {I, K} where I = J/K."""
    for name, value in domain.values.items():
        if isinstance(value, Mul) and all(isinstance(factor, Sym) for factor in value.factors):
            yield name, {factor.name for factor in value.factors if isinstance(factor, Sym)}


def _asked(lattice: Lattice, growing: str, domain: Domain) -> Lattice:
    """The rate in the question's own names: log J for log I + log K where J = I·K, and J for I·K."""
    for name, parts in _products(domain):
        if growing in parts:
            continue
        logs = {(Term(frozenset([((part, 1), Fraction(1))])),) for part in parts}
        if logs <= set(lattice):
            whole = (Term(frozenset([((name, 1), Fraction(1))])),)
            lattice = (*(low for low in lattice if low not in logs), whole)
        lattice = tuple(tuple(_together(term, parts, name) for term in low) for low in lattice)
    return lattice


def _together(term: Term, parts: set[str], name: str) -> Term:
    powers = dict(term.powers)
    shared = min(powers.get((part, 0), 0) for part in parts)
    if shared <= 0:
        return term
    moved = [(at, power - shared if at[0] in parts and not at[1] else power) for at, power in powers.items()]
    kept = [(at, power) for at, power in moved if power]
    return Term(frozenset([*kept, ((name, 0), powers.get((name, 0), 0) + shared)]), term.exponent)


def _may_grow_alone(name: str, domain: Domain) -> bool:
    """Whether no assumption ties the variable down while the others stay where they are."""
    for case in domain.cases:
        for demand in case:
            here = collect(
                (at, value) for term, value in demand.form.items() for at, _ in term.powers if at[0] == name
            )
            if any(value < 0 for value in here.values()):
                return False
    return True


def _along(lattice: Lattice, kept: dict[str, str]) -> Lattice:
    """The rate when only some variables grow."""
    return pruned(tuple(tuple(_project(term, kept) for term in low) for low in lattice))


def _project(term: Term, kept: dict[str, str]) -> Term:
    powers = frozenset((at, power) for at, power in term.powers if at[0] in kept)
    exponent: dict[object, Number] = collect((_project(inner, kept), value) for inner, value in term.exponent)
    exponent.pop(UNIT, None)
    return Term(powers, frozenset(exponent.items()))  # type: ignore[arg-type]


def _does(along: Lattice, whole: Lattice) -> str:
    if along == ((UNIT,),):
        return f"stays at {show(whole)}" if len(_names(whole)) else "stays constant"
    if all(fades(term) for low in along for term in low):
        return f"shrinks like {show(along)}"
    return f"grows like {show(along)}"


def _in_words(regime: Regime, stage: Stage) -> str:
    """The classes of a regime: which variables race ahead of which."""
    found = [{name for symbol in one for name, at in symbol if at == 1} for one in regime.classes]
    for name, (whole, others) in stage.hidden.items():
        # A product is as fast as its fastest factor.
        first = next((names for names in found if names.intersection((name, *others))), None)
        if first is not None and any(name in names for names in found):
            first.add(whole)
            for names in found:
                names.discard(name)
    classes = [sorted(names) for names in found if names]
    if not classes:
        return "let all variables grow"
    if len(classes) == 1:
        together = " together, each like a power of the other" if len(classes[0]) > 1 else ""
        return f"let {_list(classes[0])} grow{together}"
    return f"let {_list(classes[0])} grow faster than any power of {_list(classes[1])}"


def _list(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


# ---------------------------------------------------------------- terms as text


def show(lattice: Lattice) -> str:
    """A rate as text: log T + log U."""
    parts = [
        show_term(low[0]) if len(low) == 1 else f"min({', '.join(show_term(term) for term in low)})"
        for low in lattice
    ]
    return " + ".join(sorted(parts))


def show_term(term: Term) -> str:
    """A term as text: T^2 log U."""
    if term == UNIT:
        return "1"
    above = [_show_power(name, level, power) for (name, level), power in _sorted(term) if power > 0]
    under = [_show_power(name, level, -power) for (name, level), power in _sorted(term) if power < 0]
    exponents = in_order(term.exponent)
    above += [_show_exponential(inner, value) for inner, value in exponents if value > 0]
    under += [_show_exponential(inner, -value) for inner, value in exponents if value < 0]
    top = " ".join(above) or "1"
    if not under:
        return top
    return f"{top} / {under[0]}" if len(under) == 1 else f"{top} / ({' '.join(under)})"


def _sorted(term: Term) -> list[tuple[tuple[str, int], Number]]:
    return sorted(term.powers, key=lambda item: (item[0][1], item[0][0]))


def _show_power(name: str, level: int, power: Number) -> str:
    base = "log " * level + name
    if power == 1:
        return base
    shown = show_number(power)
    return f"({base})^{shown}" if level else f"{base}^{shown}"


def show_number(value: Number) -> str:
    value = Fraction(value)
    if value.denominator == 1:
        return str(value.numerator)
    if value.denominator < 100:
        return f"({value.numerator}/{value.denominator})"
    return f"{float(value):.4g}"


def _show_exponential(inner: Term, value: Number) -> str:
    value = Fraction(value)
    for log, base in BASES.items():
        if value % log == 0 or (log / value).denominator == 1:
            times = value / log
            scale = "" if times == 1 else f"{show_number(times)} "
            shown = f"{scale}{show_term(inner)}"
            return f"{base}^{shown}" if shown.isalnum() else f"{base}^({shown})"
    return f"e^({show_number(value)} {show_term(inner)})"
