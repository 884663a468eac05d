"""An answer in a student's words comes in; the one growth rate that it states goes out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from autograder.errors import AnswerError
from autograder.text.expression.clauses import (
    CORRECTING,
    COSTS,
    DOUBTFUL,
    HOW_MANY,
    ORDER,
    Clause,
    Tie,
    is_confining,
    is_doubtful,
    is_wordy,
    only_joins,
    said_in,
    split_clauses,
)
from autograder.text.expression.definitions import Definitions, find_definitions
from autograder.text.expression.names import Names, names_of
from autograder.text.expression.quantities import Quantities, quantities
from autograder.text.expression.read import ReadSides, prepare, read
from autograder.text.expression.tree import ONE, Expr, Sym, names_in, substitute
from autograder.text.expression.vocabulary import FUNCTIONS, SHAPES
from autograder.text.fold import Folded
from autograder.text.growth.claims import (
    SHAPE_WORD,
    Rate,
    StatedRate,
    choose,
    may_claim,
    several_of,
    sides_of,
)
from autograder.text.growth.dependence import (
    IRRELEVANT,
    NOTHING_SAID,
    Dependence,
    said_of_dependence,
)
from autograder.text.growth.kinds_of_cost import of_time, speaks_of_memory
from autograder.text.growth.other_rates import REMARKS, leading, left_out, refuse_other_bounds, supposed
from autograder.text.growth.passed_over import OPERATIONS, has_words, is_step, names_the_next, speaks_of_rates
from autograder.text.growth.rate_among_words import COMPARING, bare_shape, trimmed
from autograder.text.growth.subjects import MATRICES, Counting, is_multiplied, is_of_part, said_of_one
from autograder.text.growth.times_count import times_count
from autograder.text.growth.variables_added_by_remarks import AT_ONCE, SERIAL, on_top, rises_with, weighing
from autograder.text.growth.without_constants import former, plainer
from autograder.text.step_bound import remembered

TOTALS = re.compile(
    r"(?<![A-Za-z])(?:total|overall|altogether|in\s+all|combined|together)(?![A-Za-z])|\Asum(?=\s)",
    re.IGNORECASE,
)
# per layer, in a remark that reckons on: per layer * L
_RECKONS = re.compile(r"[*+]|\\(?:times|cdot)")
_RATES = re.compile(r"(?<![A-Za-z])[OΘ]\s*\([^()]*\)")
# for all T queries O(…)
_ALL_OF = re.compile(r"(?:all\s+(?:the\s+)?|the\s+)?\$?[A-Za-z]\$?\s+[a-z]+s\W+(?:it\s+is\s+)?\$?[OΘ\\]")
_SEVERAL = re.compile(
    r"(?<![A-Za-z\\])([A-Za-z](?:\^[({]?\d[)}]?)?)\s+[a-z]+s\s+(?:of|at|with|taking|costing|needing)\s+(?=\$?[OΘ]\s*\()"
)
# … each, T of them
_OF_THEM = re.compile(r"(?<![A-Za-z])[A-Za-z](?:\^[({]?\d[)}]?)?\$?\s+of\s+(?:them|these|those)(?![A-Za-z])")
_NOTHING = re.compile(
    r"(?<![A-Za-z])(?:costs?|adds?|contributes?|takes?)\s+nothing(?![A-Za-z])", re.IGNORECASE
)
_IN_ORDER = re.compile(r"\W*(?:first|then|next|second)(?![a-z])", re.IGNORECASE)
# one step per layer: O(L)
_RATED = re.compile(r"(?<![A-Za-z])(?:(?:one|an?|single|constant|fixed|\d+)(?![A-Za-z])|[OΘ]\s*\()")
# attention would need O(1)
_IMAGINED = re.compile(r"(?<![A-Za-z])would(?![A-Za-z])", re.IGNORECASE)
_ONE_END = re.compile(r"\W*the\s+(?:first|last)(?:\s+[a-z]+)?\W*")
# so each position takes O(1)
_OF_ONE = re.compile(r"\W*(?=(?:each|every)\s+[a-z])", re.IGNORECASE)
# there are X*Y positions
_THERE_ARE = re.compile(
    r"\W*(?:[Tt]here\s+are|[Ww]e\s+have|[Ii]t\s+has)\s+\$?[^a-z$]+\$?\s+(?:positions|words|tokens|heads|queries|keys|inputs|pixels|places|rows|entries|pairs)\W*"
)
_TAKES_ONE = re.compile(
    r"(?<![A-Za-z])(?:takes?|costs?|needs?|requires?)\s+(?:only\s+|just\s+)?(?:an?\s+)?(?:constant|single|one|1|fixed)(?![A-Za-z])"
)
# the normalizing constant, which is no rate
_NOUN = re.compile(r"(?<![A-Za-z])[a-z]+(?:ing|ation)\s+constants?(?![A-Za-z])")
# standard_time = O(…), C(T, d) = O(…): a name for what is asked
_LABEL = re.compile(r"\s*\$?([A-Za-z]\w*(?:\{?\\infty\}?)?)\s*(\([A-Za-z\s,]*\))?\s*=(?=\s*(?:O|Θ|\\))")


@dataclass(frozen=True)
class StatedAnswer:
    """What an answer says: its rate, and what must hold if it does not contradict itself."""

    rate: Rate
    equals: tuple[Expr, ...] = ()  # rates that it gives as the same
    shapes: tuple[Expr, ...] = ()  # what it says in words of some of the variables alone
    bare: tuple[str, ...] = ()  # 'linear', of a variable that is not named
    said: Dependence = NOTHING_SAID  # of how the cost depends on the variables
    assumed: tuple[tuple[str, Expr], ...] = ()  # what it says of the question's own letters
    constants: tuple[str, ...] = ()  # its own letters for constants
    below: tuple[tuple[str, str], ...] = ()  # letters of which it supposes that one is at most the other
    denied: tuple[Expr, ...] = ()  # rates that it says it is not
    others: tuple[tuple[str, Expr], ...] = ()  # rates that it gives beside it: 'an RNN', T
    stored: bool = False  # it speaks of memory, and not of time
    both: bool = False  # it gives time and memory, of which the time was taken
    parts: tuple[Expr, ...] = ()  # rates of parts of what is asked, which it must bound
    identities: tuple[tuple[Expr, ...], ...] = ()  # as ln(XY) = ln X + ln Y
    former: tuple[Expr, ...] = ()  # rates that it says are brought down to this one


@remembered(maxsize=8192)
def read_statement(
    text: str,
    names: tuple[str, ...],
    variables: tuple[str, ...],
    spoken: tuple[tuple[str, str], ...] = (),
    parallel: bool = True,
) -> StatedAnswer:
    """What an answer says. `names` are all that may occur, `variables` those that are asked about.

    In parallel, the time for one of many is that for all, unless it already counts them.
    """
    return _Listener(names, variables, dict(spoken), parallel).listen(text)


class _Listener:
    def __init__(
        self, names: tuple[str, ...], variables: tuple[str, ...], spoken: Mapping[str, str], parallel: bool
    ) -> None:
        self.parallel = parallel
        self.known = names
        self.variables = variables
        self.quantities: Quantities = quantities(
            variables, spoken, tuple(name for name in names if name not in variables)
        )
        self.definitions = Definitions()
        self.both = False
        self.serial = False
        self.imagined = False  # it says what another way would cost
        self.lengths: tuple[str, ...] = ()  # notes on what was read as a length
        self.bare: list[str] = []
        self.identities: list[tuple[Expr, ...]] = []
        self.beside: list[str] = []  # names of which remarks speak
        self.passed: list[AnswerError] = []  # on what was passed over
        self.errors: list[tuple[AnswerError, bool, int]] = []  # on what could not be; doubtful; claims before

    @property
    def names(self) -> Names:
        return names_of((*self.known, *self.definitions.names))

    def listen(self, text: str) -> StatedAnswer:
        prepared = prepare(text, names_of(self.known), bullets=True)
        if any(call in prepared.text for call in ("len", ".shape", ".size")):
            coded, self.lengths = self.quantities.in_code(prepared.text, self.variables)
            prepared = replace(prepared, text=coded)
        folded = plainer(prepared, self.names, self.quantities)
        folded = times_count(folded, self.names, self.quantities, self.parallel)
        refuse_other_bounds(folded.text)
        self.serial = SERIAL.search(folded.text) is not None
        clauses = split_clauses(folded, names_of(self.known))
        if not clauses:
            raise AnswerError("there is nothing to read: write an answer such as O(n^2 d)")
        if len(clauses) > 1:
            self.definitions = find_definitions(clauses, self.known, self.quantities)
        claims = self._claims(clauses)
        errors = self._errors_that_count(claims)
        said = said_of_dependence(clauses, self.variables, self._mentioned)
        rises = rises_with(clauses, self._mentioned, self.quantities)
        said = replace(said, rises=(*said.rises, *rises))
        if errors:
            raise errors[0]
        if claims:
            stated = self._statement(claims, said)
            used = {*said.free, *names_in(stated.rate.tree)}
            constant = [name for name, value in stated.assumed if not names_in(value)]
            speaks = (*self.beside, *on_top(clauses, self._mentioned, self.quantities), *constant)
            denied = self._denied(clauses)
            beside = next((name for name in speaks if name in self.variables and name not in used), "")
            return replace(
                stated,
                rate=replace(stated.rate, beside=beside),
                equals=(*stated.equals, *self._rates_at(folded, leading(folded.text))),
                parts=(*stated.parts, *self._rates_at(folded, left_out(folded.text))),
                former=tuple(self._rates_at(prepared, former(prepared.text))),
                below=supposed(clauses, names_of(self.known)),
                denied=tuple(tree for _, tree in denied),
                others=tuple((said, tree) for said, tree in denied if said.strip(" $")),
                stored=speaks_of_memory(text),
                both=self.both,
                identities=tuple(self.identities),
            )
        if said.free and set(said.free) >= set(self.variables):
            return StatedAnswer(Rate(ONE))
        raise (
            self.passed[0]
            if self.passed
            else AnswerError("there is no rate in it: write one such as O(n^2 d)")
        )

    # ------------------------------------------------------------ claims

    def _claims(self, clauses: list[Clause]) -> list[StatedRate]:
        """The rates that are stated."""
        claims: list[StatedRate] = []
        several = ""
        counting = Counting(self.names, self.quantities, self.parallel, self.serial)
        real = any(ORDER.search(each.text) and not _IMAGINED.search(each.text) for each in clauses)
        labels = {
            clause.text
            for before, clause in zip([None, *clauses], clauses, strict=False)
            if clause.tie == Tie.FOR and not (before and _RATED.search(before.text))
        }
        for clause, follows in zip(clauses, [*clauses[1:], None], strict=True):
            if clause.tie == Tie.FOR and _RECKONS.search(_RATES.sub("", clause.text)):
                self._refuse(clause, "write the rate of the whole", False, len(claims))
            if several and re.match(rf"\W*(?:[A-Za-z]{{2,}}\s+){{0,4}}{several}", clause.text):
                continue  # there are L layers
            remark = IRRELEVANT.sub(" ", clause.text)
            doubtful = clause.tie in (Tie.FOR, Tie.ASIDE, Tie.WHERE) and is_doubtful(remark)
            confined = clause.tie in REMARKS and is_confining(clause.text)
            if clause.tie == Tie.FOR and re.search(r"(?<![A-Za-z])(?:alone|only)\W*$", clause.text):
                confined = True  # for the scores alone
            if clause.tie == Tie.FOR and follows is None and _ONE_END.fullmatch(clause.text):
                confined = True  # for the first one
            if follows and follows.tie == Tie.FOR and clause.text.endswith(" only"):
                confined = True
            if clause.word in (",", "with") and claims and (many := HOW_MANY.fullmatch(clause.text)):
                self._count(clause, many, len(claims))
                continue
            if said_in(clause.label) & CORRECTING and claims:
                self._refuse(clause, "give one growth rate", True, len(claims))
            if _OF_THEM.search(clause.text) or is_multiplied(clause, follows, self.names):
                self._refuse(clause, "write the rate of the whole", False, len(claims))
            if doubtful or confined:
                self._refuse(clause, "write the rate without it", True, len(claims))
            if clause.tie == Tie.FOR and (part := self._cost_of_one(clause)):
                claims.append(part)
            if not may_claim(clause) or (follows and self._is_label(clause, follows)):
                continue
            if _THERE_ARE.fullmatch(clause.text):
                continue
            if real and _IMAGINED.search(clause.text):
                self.imagined = True
                continue
            try:
                reading = self._read(clause)
            except AnswerError as error:
                self._pass_over(clause, follows, error, len(claims))
                continue
            one_of = follows if follows and self._is_label_of_one(follows, clauses) else None
            if self._is_of_others(clause, follows, reading):
                continue
            if clause.tie == Tie.WHY and len(reading.sides) > 1 and not reading.orders:
                self.identities.append(tuple(self.definitions.apply(side) for side in reading.sides))
                continue
            of_one = _OF_ONE.match(clause.text) if clause.tie == Tie.SO else None
            partial = clause.tie == Tie.FOR or one_of is not None or of_one is not None
            final = (clause.tie == Tie.SO and not of_one) or TOTALS.search(
                f"{clause.label} {clause.text}"
            ) is not None
            final = final or (clause.tie == Tie.FOR and _ALL_OF.match(clause.text) is not None)
            sides = tuple(self.definitions.apply(side) for side in sides_of(reading, self.known))
            used = names_in(sides[-1])
            said = said_of_one(one_of, clauses) if one_of else clause.text[of_one.end() :] if of_one else ""
            said = said or (clause.label if clause.label in labels else "")
            per = (
                counting.one_said_behind(said, used, one_of.word if one_of else "")
                if said
                else counting.one_said_before(clause, used)
            )
            partial = partial or bool(per) or _IN_ORDER.match(clause.text) is not None
            of_part = is_of_part(clause, self.names)
            claims.append(
                StatedRate(
                    clause.tie, sides, reading, partial, final, per, of_part, clause.label or clause.text
                )
            )
            if one_of and not final and (found := several_of(clause, one_of, clauses)):
                several, thing = found
                at_once = self.parallel and any(AT_ONCE.search(clause.text) for clause in clauses)
                claims[-1] = replace(claims[-1], per=per or ("" if at_once else thing))
        claims, self.both = of_time(claims, self.parallel)
        return claims

    def _count(self, clause: Clause, many: re.Match[str], claims: int) -> None:
        """T tokens, beside a rate: it says what T is, or how often the rate has to be taken."""
        letter = self.names.find(many["count"])
        if self.quantities.find(f"number of {many['things']}") != letter:
            if letter or clause.word == ",":
                self._refuse(clause, "write the rate of the whole", True, claims)
        elif clause.word == "," and not AT_ONCE.search(clause.text):
            self.beside += self._mentioned(many["count"])

    def _refuse(self, clause: Clause, advice: str, doubtful: bool, claims: int) -> None:
        self.errors.append((AnswerError(f"cannot read '{clause.text[:40]}': {advice}"), doubtful, claims))

    def _is_label_of_one(self, follows: Clause, clauses: list[Clause]) -> bool:
        """Whether a rate is said to be for one of many: O(1) per layer; 'each layer takes …' explains."""
        if follows.tie != Tie.FOR or ORDER.search(follows.text):
            return False
        counted = any(each.tie == Tie.FOR and each.begins > follows.begins for each in clauses)
        cost = self._cost_of_one(follows)
        explains = _TAKES_ONE.search(follows.text) or (cost and not cost.reading.spoken)
        return counted or not (follows.word in ("each", "every") and explains)

    def _is_of_others(self, clause: Clause, follows: Clause | None, reading: ReadSides) -> bool:
        """Whether a formula is of other letters than the question's: since (QK^T)V = Q(K^T V)."""
        names = {name for side in reading.sides for name in names_in(side)}
        names_next = follows is not None and follows.label == clause.text and MATRICES.fullmatch(clause.text)
        equation = clause.tie == Tie.WHY and len(reading.sides) > 1
        return (
            bool(equation or names_next) and not reading.orders and not names <= {*self.names.plain.values()}
        )

    def _cost_of_one(self, clause: Clause) -> StatedRate | None:
        """The rate of a part that is said without O: 'each layer takes T steps'."""
        said = COSTS.search(clause.text)
        if said is None or ORDER.search(clause.text):
            return None
        text = clause.folded.text
        start = text.rindex(said["rate"])
        try:
            reading = self._read_folded(replace(clause.folded, text=" " * start + text[start:]))
        except AnswerError:
            return None
        return StatedRate(clause.tie, tuple(map(self.definitions.apply, reading.sides)), reading, True, False)

    def _is_label(self, clause: Clause, follows: Clause) -> bool:
        """Whether a letter of its own only names the rate behind its colon: 'Z: O(log T)'."""
        lone = re.fullmatch(r"\$?([A-Za-z](?:_\w+)?)\$?", clause.text)
        return bool(lone and follows.label == clause.text and not self.names.find(lone[1]))

    def _rates_at(self, folded: Folded, places: Iterable[tuple[int, int]]) -> list[Expr]:
        """The rates that stand at places of the answer, in the question's letters."""
        found: list[Expr] = []
        for start, stop in places:
            try:
                reading = self._read_folded(replace(folded, text=" " * start + folded.text[start:stop]))
            except AnswerError:
                continue
            found += map(self.definitions.apply, reading.sides)
        return found

    def _denied(self, clauses: list[Clause]) -> tuple[tuple[str, Expr], ...]:
        """The rates that an answer says it is not, each with what it says before it."""
        found: list[tuple[str, Expr]] = []
        for clause in clauses:
            if clause.tie == Tie.CONTRAST and ORDER.search(clause.text):
                try:
                    tree = self.definitions.apply(self._read(clause).sides[-1])
                    found.append((ORDER.split(clause.text)[0], tree))
                except AnswerError:
                    continue
        return tuple(found)

    def _pass_over(self, clause: Clause, follows: Clause | None, error: AnswerError, claims: int) -> None:
        """A clause that is no rate: a remark has words, and none that doubts; anything else is an error."""
        bare = bare_shape(clause.text)
        said = _NOTHING.sub(" ", IRRELEVANT.sub(" ", clause.text))
        joins = only_joins(said) and AT_ONCE.search(said) and not speaks_of_rates(said, self.names)
        doubtful = (is_doubtful(said) and not joins) or bool(
            clause.tie == Tie.SAME and said_in(clause.text) & COMPARING
        )
        claims_rate = ORDER.search(clause.text) or SHAPE_WORD.search(clause.text)
        is_remark = not doubtful and has_words(clause.text, self.names) and not claims_rate
        if bare:
            self.bare.append(bare)
        elif is_step(clause, self.names) or (self.imagined and clause.text == "but"):
            pass
        elif names_the_next(clause, follows):
            self.errors.append((error, False, claims))
        elif not is_remark and clause.tie != Tie.WHY:
            sums_up = said_in(said) & DOUBTFUL <= OPERATIONS  # times V, before a conclusion
            self.errors.append((error, doubtful and not sums_up, claims))
        elif clause.tie != Tie.WHY and not AT_ONCE.search(clause.text):
            self.beside += self._mentioned(weighing(clause.text))
        self.passed.append(error)

    def _errors_that_count(self, claims: list[StatedRate]) -> list[AnswerError]:
        """What leads to a conclusion need not be read, if it is said without doubt."""
        final = max((number for number, claim in enumerate(claims) if claim.final), default=-1)
        return [error for error, doubtful, before in self.errors if doubtful or before > final]

    def _read(self, clause: Clause) -> ReadSides:
        folded = self._without_label(clause.folded)
        if is_wordy(folded.text, self.names):
            if several := _SEVERAL.search(folded.text):
                times = " *".ljust(len(several[0]) - len(several[1]))
                text = folded.text[: several.end(1)] + times + folded.text[several.end() :]
                folded = Folded(text, folded.columns, folded.typed)
            inside = ORDER.search(folded.text) is not None
            folded = Folded(self.quantities.put_in(folded.text, inside), folded.columns, folded.typed)
        try:
            return self._read_folded(folded)
        except AnswerError:
            alone = trimmed(folded, self.names)
            if alone is None:
                raise
            around = folded.text.replace(alone.text.strip(), " ")
            self.bare += [SHAPES[word.lower()] for word in SHAPE_WORD.findall(_NOUN.sub(" ", around))]
            return self._read_folded(alone)

    def _without_label(self, folded: Folded) -> Folded:
        found = _LABEL.match(folded.text)
        if (
            found is None
            or found[1] == "O"
            or found[1].lower() in FUNCTIONS
            or (self.names.find(found[1]) and not found[2])
        ):
            return folded
        if not found[2] and len(found[1]) > 1 and all(map(self.names.find, found[1])):
            return folded  # Td = O(…) is a product
        return Folded(" " * found.end() + folded.text[found.end() :], folded.columns, folded.typed)

    def _read_folded(self, folded: Folded) -> ReadSides:
        reading = read(folded, (*self.known, *self.definitions.names), self.variables)
        if any(sign != "=" for sign in reading.signs):
            raise AnswerError("a growth rate is one expression, without < or >: write O(n^2 d)")
        return reading

    def _mentioned(self, said: str) -> list[str]:
        """The names of the question that a text mentions, by letter or in words."""
        text = self.quantities.put_in(f" in {said}")
        found = (self.names.find(word) for word in re.findall(r"\\?[A-Za-zͰ-Ͽ]+(?:_\{?\w+\}?)?", text))
        return [name for name in found if name in self.known]

    # ------------------------------------------------------------ the one that counts

    def _statement(self, claims: list[StatedRate], said: Dependence) -> StatedAnswer:
        spoken = [claim for claim in claims if claim.reading.spoken]
        written = [claim for claim in claims if not claim.reading.spoken]
        chosen, same, parts = choose(written or spoken)
        twins = self._twins(chosen.tree) or self._called(chosen.tree)
        notes = [*chosen.reading.notes, *self._notes(chosen), *self.lengths]
        notes += [f"{name} was read as {twin}, the question's letter" for name, twin in twins.items()]
        letters: dict[str, Expr] = {name: Sym(twin) for name, twin in twins.items()}

        def meant(trees: Iterable[Expr]) -> tuple[Expr, ...]:
            return tuple(substitute(tree, letters) for tree in trees) if letters else tuple(trees)

        return StatedAnswer(
            Rate(meant([chosen.tree])[0], tuple(notes), chosen.reading.tight, chosen.per),
            meant((*chosen.sides[:-1], *same)),
            meant(claim.tree for claim in spoken if not claim.partial) if written else (),
            tuple(self.bare),
            said,
            tuple(self.definitions.claims),
            tuple(sorted(self.definitions.constants)),
            parts=meant(parts),
        )

    def _notes(self, chosen: StatedRate) -> list[str]:
        """What was taken from the answer's own definitions, where it matters."""
        used = {name for side in chosen.reading.sides for name in names_in(side)}
        return [note for name, note in self.definitions.notes.items() if name in used]

    def _called(self, tree: Expr) -> dict[str, str]:
        """Names in code that are the words of a variable: seq_len."""
        names = [name for name in names_in(tree) if "_" in name and name not in self.known]
        found = {name: self.quantities.find(name.replace("_", " ")) for name in names}
        return {name: variable for name, variable in found.items() if variable}

    def _twins(self, tree: Expr) -> dict[str, str]:
        """Letters that differ from the question's in their case alone: n for N, and T D^2 for T d^2."""
        names = names_in(tree)
        strange = [
            name for name in names if name not in self.known and name not in self.definitions.constants
        ]
        used = [name for name in names if name in self.known]
        twins = {name: name.swapcase() for name in strange}
        fits = all(twin in self.known and twin not in used for twin in twins.values())
        clear = len(strange) == 1 and (used or len(self.variables) == 1)
        return twins if fits and clear else {}
