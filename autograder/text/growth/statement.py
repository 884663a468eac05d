"""An answer in a student's words comes in; the one growth rate that it states goes out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from autograder.errors import AnswerError
from autograder.text.expression.clauses import (
    COSTS,
    DOUBTFUL,
    ORDER,
    SPOKEN,
    Clause,
    Tie,
    is_confining,
    is_doubtful,
    is_wordy,
    said_in,
    split_clauses,
)
from autograder.text.expression.definitions import Definitions, find_definitions
from autograder.text.expression.names import Names, names_of
from autograder.text.expression.quantities import Quantities, quantities
from autograder.text.expression.read import ReadSides, prepare, read
from autograder.text.expression.tree import ONE, Expr, Sym, names_in, substitute
from autograder.text.expression.vocabulary import SHAPES, words
from autograder.text.fold import Folded
from autograder.text.growth.asides import COMPARING, IRRELEVANT, REMARKS, Asides, bare_shape, trim
from autograder.text.growth.claims import (
    SHAPE_WORD,
    Rate,
    StatedRate,
    choose,
    may_claim,
    several_of,
    sides_of,
)
from autograder.text.patience import remembered

TOTALS = re.compile(
    r"(?<![A-Za-z])(?:total|overall|altogether|in\s+all|combined|together)(?![A-Za-z])|\Asum(?=\s)",
    re.IGNORECASE,
)
# per layer, in a remark that reckons on: per layer * L
_RECKONS = re.compile(r"[*+]|\\(?:times|cdot)")
_RATES = re.compile(r"(?<![A-Za-z])[OΘ]\s*\([^()]*\)")
# for all T queries O(…)
_ALL_OF = re.compile(r"(?:all\s+(?:the\s+)?|the\s+)?\$?[A-Za-z]\$?\s+[a-z]+s\W+(?:it\s+is\s+)?\$?[OΘ\\]")
# L layers of O(…)
_SEVERAL = re.compile(
    r"(?<![A-Za-z\\])([A-Za-z](?:\^[({]?\d[)}]?)?)\s+[a-z]+s\s+(?:of|at|with|taking|costing|needing)\s+(?=\$?[OΘ]\s*\()"
)
# … each, T of them
_OF_THEM = re.compile(r"(?<![A-Za-z])[A-Za-z](?:\^[({]?\d[)}]?)?\$?\s+of\s+(?:them|these|those)(?![A-Za-z])")
# O(|V|): the bars of a size
_SIZE = re.compile(r"\|(\s*[A-Za-z]\s*)\|")
# log U [scores]: what a term is of
_NAMED_TERM = re.compile(r"(?<=[\s\w)])[(\[]\s*[A-Za-z][a-z]{3,}(?:\s+[a-z]{2,})*\s*[)\]]")
# QK^T: O(…)
_MATRICES = re.compile(r"\$?(?:[A-Z]\s*(?:\^\{?\\?(?:T|top)\}?\s*)?){1,4}\$?")
_TAKES_ONE = re.compile(
    r"(?<![A-Za-z])(?:takes?|costs?|needs?|requires?)\s+(?:only\s+|just\s+)?(?:an?\s+)?(?:constant|single|one|1|fixed)(?![A-Za-z])"
)
# the normalizing constant, which is no rate
_NOUN = re.compile(r"(?<![A-Za-z])[a-z]+(?:ing|ation)\s+constants?(?![A-Za-z])")
_AMOUNTS = words("number length size dimension amount depth width height")
_ONE_OF_MANY = re.compile(r"(?:of\s+(?:the\s+|these\s+)?[^a-z\s]*[A-Za-z][^a-z\s]*\s+)?([a-z]+)")
_SERIAL = re.compile(
    r"one\s+(?:after|by)\s+(?:another|one|the\s+other)|serial|sequential|in\s+(?:sequence|turn)|successive",
    re.IGNORECASE,
)
_MATTERS = re.compile(r"(?<![A-Za-z])(?<!not )matters?(?![A-Za-z])", re.IGNORECASE)
_STORED = re.compile(r"(?<![A-Za-z])(?:memory|space|storage|bits?|bytes?)(?![A-Za-z])", re.IGNORECASE)
_TIMED = re.compile(r"(?<![A-Za-z\\])(?:(?:run)?time(?!s)|steps?|operation|work|flop|comput)", re.IGNORECASE)
# what growth does not see: N // w, up to a constant factor
_ROUNDED = re.compile(
    r"(?<=/)/(?=\s*[A-Za-z(])|(?P<open>\()?up\s+to\s+(?:an?\s+|some\s+)?(?:multiplicative\s+)?constants?(?:\s+factors?)?"
    r"(?![A-Za-z])(?(open)\s*\))",
    re.IGNORECASE,
)
_AT_ONCE = re.compile(r"parallel|at\s+once|simultaneous|concurrent|same\s+time", re.IGNORECASE)
# of which a sequence has many
_MANY = words("pair query key token position word step row entry score element output")
# standard_time = O(…), C(T, d) = O(…): a name for what is asked
_LABEL = re.compile(r"\s*([A-Za-z]\w*)\s*(\([A-Za-z\s,]*\))?\s*=(?=\s*(?:O|Θ|\\))")


@dataclass(frozen=True)
class StatedAnswer:
    """What an answer says: its rate, and what must hold if it does not contradict itself."""

    rate: Rate
    equals: tuple[Expr, ...] = ()  # rates that it gives as the same
    shapes: tuple[Expr, ...] = ()  # what it says in words of some of the variables alone
    bare: tuple[str, ...] = ()  # 'linear', of a variable that is not named
    free: tuple[str, ...] = ()  # names on which it says nothing depends
    assumed: tuple[tuple[str, Expr], ...] = ()  # what it says of the question's own letters
    constants: tuple[str, ...] = ()  # its own letters for constants
    below: tuple[tuple[str, str], ...] = ()  # letters of which it supposes that one is at most the other
    denied: tuple[Expr, ...] = ()  # rates that it says it is not
    stored: bool = False  # it speaks of memory, and not of time
    both: bool = False  # it gives time and memory, of which the time was taken
    parts: tuple[Expr, ...] = ()  # rates of parts of what is asked, which it must bound
    needs: tuple[str, ...] = ()  # names on which it says that it depends


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
        self.asides = Asides(names, names_of(names), self.quantities)
        self.both = False
        self.serial = False
        self.bare: list[str] = []
        self.passed: list[AnswerError] = []  # on what was passed over
        self.errors: list[tuple[AnswerError, bool, int]] = []  # on what could not be; doubtful; claims before

    @property
    def names(self) -> Names:
        return names_of((*self.known, *self.definitions.names))

    def listen(self, text: str) -> StatedAnswer:
        folded = prepare(text, names_of(self.known), bullets=True)
        folded = self._plainer(folded)
        self.serial = _SERIAL.search(folded.text) is not None
        clauses = split_clauses(folded, names_of(self.known))
        if not clauses:
            raise AnswerError("there is nothing to read: write an answer such as O(n^2 d)")
        if len(clauses) > 1:
            self.definitions = find_definitions(clauses, self.known, self.quantities)
            self.asides = Asides(self.known, self.names, self.quantities)
        claims = self._claims(clauses)
        errors = self._errors_that_count(claims)
        mentioned = self.asides.mentioned
        free = [name for clause in clauses if clause.tie == Tie.FREE for name in mentioned(clause)]
        free += [name for clause in clauses for name in self.asides.irrelevant(clause)]
        on = [clause for clause in clauses if clause.tie in (Tie.ON, Tie.ONLY)]
        on += [clause for clause in clauses if _MATTERS.search(clause.text) and not is_doubtful(clause.text)]
        needs = [name for clause in on for name in mentioned(clause)]
        if needs and any(clause.tie == Tie.ONLY or said_in(clause.text) & {"only", "alone"} for clause in on):
            free += [name for name in self.variables if name not in needs]
        if errors:
            raise errors[0]
        if claims:
            return replace(
                self._statement(claims, free),
                below=self.asides.supposed(clauses),
                denied=self._denied(clauses),
                stored=bool(_STORED.search(text)) and not _TIMED.search(text),
                both=self.both,
                needs=tuple(needs),
            )
        if free and set(free) >= set(self.variables):
            return StatedAnswer(Rate(ONE))
        raise (
            self.passed[0]
            if self.passed
            else AnswerError("there is no rate in it: write one such as O(n^2 d)")
        )

    def _plainer(self, folded: Folded) -> Folded:
        """The text, as long, without what growth does not see: rounding, bars of sizes, names of terms."""
        text = _ROUNDED.sub(_blanked, folded.text)
        if "|" in text:
            text = _SIZE.sub(
                lambda size: f" {size[1]} " if self.names.find(size[1].strip()) else size[0], text
            )
        if "(" in text or "[" in text:
            text = _NAMED_TERM.sub(self._without_name, text)
        return Folded(text, folded.columns, folded.typed)

    def _without_name(self, found: re.Match[str]) -> str:
        """Within a rate, words in brackets that are no quantity and no part of a formula name a term."""
        words = found[0].strip("()[] ")
        before = found.string[: found.start()]
        inside = before.count("(") > before.count(")") and ORDER.search(before)
        said = said_in(words)
        formula = said & (SPOKEN | DOUBTFUL | COMPARING) or any(map(self.names.find, said))
        known = self.quantities.put_in(words) != words or said & _AMOUNTS
        return _blanked(found) if inside and not formula and not known else found[0]

    # ------------------------------------------------------------ claims

    def _claims(self, clauses: list[Clause]) -> list[StatedRate]:
        """The rates that are stated."""
        claims: list[StatedRate] = []
        several = ""
        for clause, follows in zip(clauses, [*clauses[1:], None], strict=True):
            if clause.tie == Tie.FOR and _RECKONS.search(_RATES.sub("", clause.text)):
                unread = f"cannot read '{clause.text[:40]}': write the rate of the whole"
                self.errors.append((AnswerError(unread), False, len(claims)))
            if several and re.match(rf"\W*(?:[A-Za-z]{{2,}}\s+){{0,4}}{several}", clause.text):
                continue  # there are L layers
            doubtful = clause.tie in (Tie.FOR, Tie.ASIDE, Tie.WHERE) and is_doubtful(clause.text)
            confined = clause.tie in REMARKS and is_confining(clause.text)
            if clause.tie == Tie.FOR and re.search(r"(?<![A-Za-z])(?:alone|only)\W*$", clause.text):
                confined = True  # for the scores alone
            if follows and follows.tie == Tie.FOR and clause.text.endswith(" only"):
                confined = True
            if _OF_THEM.search(clause.text):
                unread = f"cannot read '{clause.text[:40]}': write the rate of the whole"
                self.errors.append((AnswerError(unread), False, len(claims)))
            if doubtful or confined:
                unread = f"cannot read '{clause.text[:40]}': write the rate without it"
                self.errors.append((AnswerError(unread), True, len(claims)))
            if clause.tie == Tie.FOR and (part := self._cost_of_one(clause)):
                claims.append(part)
            if not may_claim(clause) or (follows and self.asides.is_label(clause, follows)):
                continue
            try:
                reading = self._read(clause)
            except AnswerError as error:
                self._pass_over(clause, follows, error, len(claims))
                continue
            one_of = follows if follows and self._is_label_of_one(follows, clauses) else None
            if self._is_of_others(clause, follows, reading):
                continue
            partial = clause.tie == Tie.FOR or one_of is not None
            final = clause.tie == Tie.SO or TOTALS.search(f"{clause.label} {clause.text}") is not None
            final = final or (clause.tie == Tie.FOR and _ALL_OF.match(clause.text) is not None)
            sides = tuple(self.definitions.apply(side) for side in sides_of(reading, self.known))
            used = names_in(sides[-1])
            per = self._counted(one_of.text, used) if one_of else self._each(clause, used)
            of_part = self.asides.is_of_part(clause)
            claims.append(
                StatedRate(
                    clause.tie, sides, reading, partial, final, per, of_part, clause.label or clause.text
                )
            )
            if one_of and not final and (found := several_of(clause, one_of, clauses)):
                several, thing = found
                at_once = self.parallel and any(_AT_ONCE.search(clause.text) for clause in clauses)
                claims[-1] = replace(claims[-1], per=per or ("" if at_once else thing))
        return self._of_time(claims)

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
        names_next = follows is not None and follows.label == clause.text and _MATRICES.fullmatch(clause.text)
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

    def _each(self, clause: Clause, used: tuple[str, ...]) -> str:
        """What a rate is of, that begins 'each word takes'; in parallel that for one is that for all."""
        if clause.tie != Tie.FOR or not re.search("each|every|per", clause.word):
            return ""
        thing = _ONE_OF_MANY.match(clause.text)
        if thing is None:
            return ""
        count = {name for word in re.findall(r"[A-Za-z]+", thing[0]) if (name := self.names.find(word))}
        if self.parallel and (not self.serial or count & set(used)):
            return ""
        one = thing[1].removesuffix("s") if thing[0].startswith("of") else thing[1]
        return f"{one}, one after another" if self.parallel else one

    def _of_time(self, claims: list[StatedRate]) -> list[StatedRate]:
        """Of time and memory, the time."""
        timed = [claim for claim in claims if not _STORED.search(claim.said)]
        self.both = any(_TIMED.search(claim.said) for claim in timed) and len(timed) < len(claims)
        return timed if self.both else claims

    def _denied(self, clauses: list[Clause]) -> tuple[Expr, ...]:
        """The rates that an answer says it is not."""
        found: list[Expr] = []
        for clause in clauses:
            if clause.tie == Tie.CONTRAST and ORDER.search(clause.text):
                try:
                    found.append(self.definitions.apply(self._read(clause).sides[-1]))
                except AnswerError:
                    continue
        return tuple(found)

    def _counted(self, text: str, used: tuple[str, ...]) -> str:
        """What a rate is the rate of one of: 'layer', of which there are L; 'of the T' for each of the T."""
        each = re.match(r"(?:each|every(?:\s+one)?|one)?\s*of\s+(?:the\s+|those\s+)?\$?([A-Za-z]\w*)", text)
        each = each or re.match(r"\$?([A-Za-z]\w*)\$?\s+[a-z]+\s+each(?![a-z])", text)
        if each and self.names.find(each[1]):
            return f"of the {each[1]}"
        thing = re.match(r"(?:(?:each|every|one|a|single)\s+)*([a-z]+)", text)
        variable = self.quantities.find(f"number of {thing[1].removesuffix('s')}s") if thing else None
        if thing and not self.parallel and thing[1] in _MANY:
            return thing[1]
        if thing is None or variable is None or (self.parallel and variable not in used):
            return ""
        one = thing[1].removesuffix("s") if thing[0].startswith("of") else thing[1]
        return f"{one}, one after another" if self.parallel else one

    def _pass_over(self, clause: Clause, follows: Clause | None, error: AnswerError, claims: int) -> None:
        """A clause that is no rate: a remark has words, and none that doubts; anything else is an error."""
        bare = bare_shape(clause.text)
        said = IRRELEVANT.sub(" ", clause.text)
        doubtful = is_doubtful(said) or bool(clause.tie == Tie.SAME and said_in(clause.text) & COMPARING)
        claims_rate = ORDER.search(clause.text) or SHAPE_WORD.search(clause.text)
        is_remark = not doubtful and self.asides.has_words(clause.text) and not claims_rate
        if bare:
            self.bare.append(bare)
        elif self.asides.is_step(clause):
            pass
        elif self.asides.names_the_next(clause, follows):
            self.errors.append((error, False, claims))
        elif not is_remark and clause.tie != Tie.WHY:
            self.errors.append((error, doubtful, claims))
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
            trimmed = trim(folded)
            if trimmed is None:
                raise
            around = folded.text.replace(trimmed.text.strip(), " ")
            self.bare += [SHAPES[word.lower()] for word in SHAPE_WORD.findall(_NOUN.sub(" ", around))]
            return self._read_folded(trimmed)

    def _without_label(self, folded: Folded) -> Folded:
        found = _LABEL.match(folded.text)
        if found is None or found[1] == "O" or (self.names.find(found[1]) and not found[2]):
            return folded
        if not found[2] and len(found[1]) > 1 and all(map(self.names.find, found[1])):
            return folded  # Td = O(…) is a product
        return Folded(" " * found.end() + folded.text[found.end() :], folded.columns, folded.typed)

    def _read_folded(self, folded: Folded) -> ReadSides:
        reading = read(folded, (*self.known, *self.definitions.names), self.variables)
        if any(sign != "=" for sign in reading.signs):
            raise AnswerError("a growth rate is one expression, without < or >: write O(n^2 d)")
        return reading

    # ------------------------------------------------------------ the one that counts

    def _statement(self, claims: list[StatedRate], free: list[str]) -> StatedAnswer:
        spoken = [claim for claim in claims if claim.reading.spoken]
        written = [claim for claim in claims if not claim.reading.spoken]
        chosen, same, parts = choose(written or spoken)
        twins = self._twins(chosen.tree) or self._called(chosen.tree)
        notes = [*chosen.reading.notes, *self._notes(chosen)]
        notes += [f"{name} was read as {twin}, the question's letter" for name, twin in twins.items()]
        letters: dict[str, Expr] = {name: Sym(twin) for name, twin in twins.items()}

        def meant(trees: Iterable[Expr]) -> tuple[Expr, ...]:
            return tuple(substitute(tree, letters) for tree in trees) if letters else tuple(trees)

        return StatedAnswer(
            Rate(meant([chosen.tree])[0], tuple(notes), chosen.reading.tight, chosen.per),
            meant((*chosen.sides[:-1], *same)),
            meant(claim.tree for claim in spoken if not claim.partial) if written else (),
            tuple(self.bare),
            tuple(dict.fromkeys(free)),
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


def _blanked(found: re.Match[str]) -> str:
    return " " * len(found[0])
