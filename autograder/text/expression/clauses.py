"""An answer in sentences comes in; its clauses go out, each with what ties it to those before."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import pairwise

from autograder.text.expression.names import Names
from autograder.text.expression.strip_markup import closing
from autograder.text.expression.vocabulary import (
    FUNCTIONS,
    GREEK_NAMES,
    LIBRARIES,
    PHRASES,
    SHAPES,
    THINGS,
    words,
)
from autograder.text.fold import Folded


class Tie(Enum):
    """How a clause is joined to those before it."""

    FIRST = auto()
    ALSO = auto()  # a further sentence or line
    ASIDE = auto()  # (…) after what it explains
    SAME = auto()  # i.e., which is, ∈
    SO = auto()  # hence, in total
    PLUS = auto()  # O(…) for this plus O(…) for that
    FOR = auto()  # for the scores, per layer
    WHERE = auto()  # where n = T
    WHY = auto()  # because, since
    FREE = auto()  # independent of
    ONLY = auto()  # depends only on
    ON = auto()  # depends on
    CONTRAST = auto()  # instead of


@dataclass(frozen=True)
class Clause:
    """One clause: its tie, and the answer with everything else blanked out, so that columns stay."""

    tie: Tie
    folded: Folded
    begins: int = 0  # with its tie
    ends: int = 0
    label: str = ""  # what stands before its colon: 'scores: …'
    word: str = ""  # of its tie, as written

    @property
    def text(self) -> str:
        return self.folded.text.strip()

    def leaves_out(self, follows: Clause) -> bool:
        """Whether a tie without words stands between: IJ for each, so …"""
        return follows.begins > self.ends


NOT_BEFORE_AS = words(
    """
    scales scale scaling grows grow growing goes increases increasing same long well such known written
    shrinks shrinking decreases decreasing falls falling rises rising varies varying changes changing up down
    """
)
_FORMULA_TOKENS = words(
    """
    CARET SQRT CBRT LOG PRODUCT TOTAL SQUARE LARGER TIMES SLASH PLUS MINUS SQUARED CHOOSE SUB NUMBER AND
    ORDER SHAPE
    """
)
# The words that may make a formula: plus, squared, the larger of.
SPOKEN = frozenset(
    [
        *(
            word
            for phrase, token in PHRASES.items()
            if token and token[0] in _FORMULA_TOKENS
            for word in phrase
        ),
        *("of", "both", *FUNCTIONS, *LIBRARIES, *SHAPES, *GREEK_NAMES),
    ]
)
# Words in a remark that may turn round what it is about.
DOUBTFUL = words(
    """
    not no never neither nor none isn't doesn't don't can't cannot won't or either unless if else otherwise
    except without minus instead wrong false but however although though whereas while vs versus plus times
    multiplied divided added subtract respectively omega little was were would doubt doubtful far hardly
    barely scarcely unlikely impossible anything nothing incorrect incorrectly untrue mistaken invalid
    opposite contrary converse overestimate overestimates underestimate underestimates somewhere
    sublinear superlinear subquadratic superquadratic sublogarithmic superpolynomial
    """
)
# Words before a colon that take back what stands before.
CORRECTING = words("correction corrected edit edited oops sorry wait")
# Words that only join, where what follows them names nothing of the question.
_JOINING = words("but however although though whereas while")
# A remark that holds a rate for some values only, or exchanges what it speaks of.
_CONFINING = re.compile(
    r"(?<![A-Za-z])(?:up\s+to\s+(?:an?\s+|some\s+)?(?:[a-z]+\s+)?(?:factors?|multiples?)|too\s+[a-z]+|odd|swap(?:ped)?|exchanged|interchanged|switched|only\s+(?:for|if|when)|(?:half|some|most|part|parts|a\s+few|several)\s+of|means?\s+at\s+least"
    r"|^\W*(?:an?\s+)?(?:extra|additional|further|another|multiplicative)(?![A-Za-z])"
    r"|^\W*an?\s+(?!constant)(?:[a-z]+\s+)?(?:factor|overhead)(?!\s+(?:of\s+)?\d)"
    r"|(?:for|when|if)\s+(?:very\s+)?(?:short|small|tiny)|^\W*(?:very\s+)?(?:short|small|tiny)\s+[\w$]+s?\W*$"
    r"|^\W*(?:sparse|local|windowed|sliding|truncated|sampled|approximate)"
    r"|even\s+\$?[B-HJ-Zb-hj-z](?![A-Za-z])|[B-HJ-Zb-hj-z]\$?\s+(?:(?:is|are|being)\s+(?:an\s+)?even"
    r"|(?:is|are|being)\s+(?:very\s+)?(?:small|tiny)|even))(?![A-Za-z])",
    re.IGNORECASE,
)
TIES: dict[Tie, str] = {
    Tie.SO: r"""so(?:\s+that)?|hence|thus|therefore|thereby|giving|yielding|making|totall?ing|resulting\s+in
        |leading\s+to|(?:which|this|that|it)\s+(?:gives|makes|yields|results\s+in|leads\s+to|adds\s+up\s+to)
        |for\s+a\s+total(?:\s+\w+)?\s+of|(?:in|the|a)\s+total(?:\s+of)?(?=\W+(?:is\s+)?(?:O|\\Theta|\\mathcal|Θ)\b)
        |overall(?=\W)|altogether(?=\W)|all\s+in\s+all|in\s+all(?=\W)|we\s+(?:get|obtain)|\\therefore""",
    Tie.SAME: r"""i\.?\s?e\.?(?=[\s,:])|viz\.?(?=\s)|that\s+is(?:\s+to\s+say)?|which
        \s+(?:is|equals|means|simplifies\s+to|reduces\s+to|amounts\s+to)(?:\s+(?:just|simply|the\s+same\s+as|equal\s+to|in))?|namely|in\s+other\s+words
        |(?:or\s+)?equivalently|or(?:\s+(?:just|simply))?|a\.?k\.?a\.?(?=\s)|meaning|\\in|is\s+in(?=\s+O\b)
        |is(?=\s+(?:O|o|Θ)\s*\()""",
    Tie.FREE: r"""(?:and\s+)?(?:is\s+|it\s+is\s+|it's\s+)?(?:independent(?:ly)?\s+(?:of|from)
        |regardless\s+of|irrespective\s+of|no\s+matter|whatever)|(?:(?:and|but|it|which)\s+)*(?:does\s+not|doesn't|do\s+not|don't|not)\s+
        (?:depend(?:ing|ent|s)?|rely(?:ing)?)\s+(?:on|of|upon)
        |(?:with(?:out|\s+no)|(?:(?:there\s+is|it\s+has)\s+)?no)\s+(?:any\s+)?(?:dependen(?:ce|cy)\s+on
        |(?:(?:sequential|serial|temporal)\s+)?(?:recurrence|recursion|loop|iteration|dependen(?:ce|cy))\s+(?:over|in|along|across|through))
        |(?:there\s+is\s+)?no(?=\s+(?:factor\s+(?:of\s+)?)?\$?[A-Za-z]\$?(?:\s+(?:factor|term|dependence|in\s+it))?\s*(?:$|[.,;)]))
        |(?:the\s+)?same\s+for\s+(?:all|every|any|each)
        |constant\s+(?:in|for\s+(?:all|every|any)|w\.?r\.?t\.?|with\s+respect\s+to)""",
    Tie.ONLY: r"""(?:(?:and|but|it|which|that|this)\s+)*(?:(?:only|solely|just)\s+depend(?:s|ing|ent)
        |depend(?:s|ing|ent)\s+(?:only|solely|just))\s+(?:on|upon)""",
    Tie.ON: r"""(?:(?:and|but|it|which|that|this)\s+)*depend(?:s|ing|ent)\s+(?:on|upon)""",
    Tie.CONTRAST: r"""(?:while|whereas|although|though)(?=\s+(?:(?:for|in|with)\s+)?
        (?:(?:an?|the|one)\s+)?(?:[a-z]+[\s-]+){0,2}?(?:[rc]nns?|lstms?|grus?|mlps?|transformers?|attention|convolutions?|(?:recurrent|conv
        olutional)\s+net(?:work)?s?)\s+(?:(?:would|will|only|still)\s+)*
        (?:needs?|takes?|requires?|costs?|is|are|has|have|uses?)\s[^.;,]*\bO\s*\()
        |instead\s+of|rather\s+than|as\s+opposed\s+to|in\s+contrast\s+to|unlike
        |compared\s+(?:to|with)|compare(?=\s+O\b)|vs\.?(?=\s)|versus|(?:down|up)\s+from|(?<=,\s)not(?=\s)|(?<=[\s,(])(?:and\s+)?not
        (?=\s+(?:O|Θ|\\|linear|quadratic|constant|exponential|logarithmic|cubic))""",
    Tie.WHY: r"""because(?:\s+of)?|b/c|bc|since|due\s+to|thanks\s+to|given|assuming|using|when
        |(?:so|as)\s+long\s+as|provided(?:\s+that)?|as|see|cf\.?|according\s+to""",
    Tie.WHERE: r"""where|let(?:ting)?(?=\s)|denoting
        |(?:considering|treating|taking|holding|keeping|regarding|viewing)(?=\s+\$?[A-Za-z]\w*\$?\s+(?:as\s+|to\s+be\s+)?(?:an?\s+)?(?:constant|const|fixed|bounded)\b)
        |with(?=\s+\$?[A-Za-z]\w*(?:_\{?\w+\}?)?\$?\s*(?::?=|being|is|denot|for))
        |with(?=\s+\$?[A-Za-z]\$?\s+(?!times|plus|minus|less)[a-z]{3,}s(?![A-Za-z]))
        |with(?=\s+(?!respect)[a-z]+\s+(?:[a-z]+\s+){0,2}[A-Za-z]\b(?:\s|$|,|\.))
        |with(?=\s+\$?[A-Za-z]\$?\s+(?:(?:the|an?)\s|(?:processors?|workers?|cores|threads|machines|gpus)(?![A-Za-z])))
        |with(?=\s+(?:(?:(?<![A-Za-z\\])[A-Za-z](?![A-Za-z])|\\(?:cdot|times)|[^A-Za-z\s\\])+\s+){1,3}(?:processors?|workers?|cores|threads|machines|gpus)(?![A-Za-z]))|with(?=\s+(?!respect)[a-z]{3})|writing""",
    Tie.FOR: r"for(?:\s+(?:each|every))?|per|in\s+each|at\s+each|each|every|on\s+each",
}
_KEYWORDS = "|".join(f"(?P<{tie.name}>{''.join(pattern.split())})" for tie, pattern in TIES.items())
_STARTS_TIE = re.compile(rf"\s*(?:{_KEYWORDS})(?![A-Za-z])", re.IGNORECASE)
_MARK = re.compile(
    r"(?P<open>(?<!\\)[(\[{]|\\\{)|(?P<close>(?<!\\)[)\]}]|\\\})"
    r"|(?P<line>\n|\\\\(?![A-Za-z])|;|\.(?=\s|$)|:(?=\s))"
    r"|(?P<comma>,)|(?P<equals>(?<![<>!=:])=(?=\s*\$?(?:O|Θ|\\Theta|\\mathcal)))"
    r"|(?P<arrow>=>|->|\\(?:to|implies|[Rr]ightarrow|longrightarrow)(?![A-Za-z]))"
    rf"|(?<![A-Za-z\\'])(?:{_KEYWORDS})(?![A-Za-z])|(?<=\s)(?P<dash>--?)(?=\s)"
    r"|(?P<plus>(?<![A-Za-z])(?:plus|but|and(?:\s+then)?|then|followed\s+by)(?![A-Za-z])|\+)",
    re.IGNORECASE,
)
ORDER = re.compile(
    r"(?<![A-Za-z\\])(?:[Oo]|Θ|[Tt]heta)\s*[(\[{]|\\(?:Theta|O)(?![A-Za-z])|\bbig[\s-]+(?:oh?|theta)\b", re.I
)
_WORD = re.compile(r"(?<![A-Za-z\\_])[A-Za-z]+(?:'[a-z]+)?")
NAME = r"\\?[A-Za-zͰ-Ͽ](?:[A-Za-z]*(?:_\{?\w+\}?|\d+)|'*)"
# which is way better than O(T^2 d)
_COMPARED = re.compile(
    r"\s*(?:(?:an?|[a-z]+ly|way|much|far|lot)\s+){0,3}(?:better|worse|faster|slower|cheaper|smaller|larger|lower|less|more)"
    r"(?:\s+[a-z]+)?\s+than\s+(?:the\s+|standard\s+|an?\s+)*(?=\$?\s*(?:O|Θ|\\))",
    re.IGNORECASE,
)
# vs. O(T) for the RNN: it is said what the other rate is of
_OF_ANOTHER = re.compile(
    r"\s*(?:the\s+)?\$?(?:O|Θ|\\)[^,;]*?\)\$?\s+(?:for|in|of|with|on|by|without)\s+(?:the\s+|an?\s+)?[A-Za-z-]{3}"
)
_STORED_TOO = re.compile(
    r"\s+(?:memory|space|storage)\s+(?:is\s+)?\$?(?:O|Θ|\\)"
)  # time O(…) and memory O(…)
_NAMES_IT = re.compile(r"[)\]}]\$?\s+(?:[a-z]+\s+)*[A-Za-z]{3,}\s*$")  # … O(T) time
_CONSTANT = re.compile(rf"\s*{NAME}\s+(?:is\s+)?(?:an?\s+)?(?:constant|const|fixed)\b", re.IGNORECASE)
DEFINITION = re.compile(
    rf"\s*({NAME})\s*(?::?=(?!=)|\bis\b|\bbeing\b|\bdenotes\b|\bstands\s+for\b|\brepresents\b|:|\s-\s+(?=[a-z]{{3}}))\s*"
)
HOW_MANY = re.compile(
    rf"\s*(?:for\s+|with\s+)?\$?(?P<count>{NAME})\$?\s+(?P<things>{'|'.join(sorted(THINGS))})"
    r"(?P<rest>\s+(?:in\s+parallel|at\s+once|in\s+total|in\s+all))?[\s.]*(?=$|[,;\n])"
)  # T tokens
_OWN_WORD = re.compile(r"\s*\$?([A-Za-z]{2,})\s*=(?!=)")  # dv = d
_ABOUT = re.compile(
    rf"\s*{NAME}\s+(?:does|do|can|drops|cancels|plays|has|matters)(?:n't)?(?![A-Za-z])", re.IGNORECASE
)
_PLAIN = re.compile(r"(?:[A-Za-z' -]|\$\\?[A-Za-z](?:_\w)?\$)+")
_IN_ALL = re.compile(r"(?<![A-Za-z])in\s+(?:total|all)\W*$", re.IGNORECASE)  # L in total
COSTS = re.compile(r"(?<![A-Za-z])(?:takes?|costs?|needs?|requires?)\s+(?P<rate>.+)")
_OF_EACH = re.compile(r"\s*(?:each|every|a\s+single)(?![A-Za-z])", re.IGNORECASE)
_DOES = re.compile(
    r"(?<![A-Za-z])(?:is|are|has|have|must|can|needs?|takes?|attends?|looks?|sees?|meets?)(?![A-Za-z])"
)
_SHAPE = re.compile(rf"\s*(?:{'|'.join(SHAPES)})(?![A-Za-z])", re.IGNORECASE)
_GROWING = re.compile(
    rf"\s*(?:(?:it|this|which|that)\s+)?(?:grow|scale|increase|rise)s?(?:ing)?\s+(?={'|'.join(SHAPES)})",
    re.IGNORECASE,
)
_INVERSE = re.compile(r"\s*(?:inverse(?:ly)?|proportional)(?![A-Za-z])", re.IGNORECASE)
_CALLED = re.compile(
    rf"(?:(?<![A-Za-z])(?:{'|'.join(FUNCTIONS)}|[OoΘ]|theta|of|times|plus|minus|by|over|in|with)|[\^_*/+=<>-]|\\[A-Za-z]+)\s*$",
    re.IGNORECASE,
)
_HELPING = re.compile(
    r"(?<![A-Za-z])(?:can\s*not|can't|do(?:es)?\s+not|do(?:es)?n't|needs?\s+not|no\s+(?:two|longer|need|further))"
    r"(?![A-Za-z])",
    re.IGNORECASE,
)


# ---------------------------------------------------------------- clauses


@dataclass(frozen=True)
class _Span:
    """A clause that begins here; it ends where the next one is cut off."""

    tie: Tie
    start: int
    cut: int = 0  # where the one before it ends


def split_clauses(folded: Folded, names: Names, first: Tie = Tie.FIRST) -> list[Clause]:
    """The clauses of an answer, in order, asides last; an answer that is one expression is one clause."""
    text = folded.text
    spans = [_Span(first, 0)]
    asides: list[tuple[int, int]] = []
    depth = skip = 0
    for found in _MARK.finditer(text):
        kind, start, stop = str(found.lastgroup), found.start(), found.end()
        if start < skip:
            continue
        if kind == "open":
            close = closing(text, stop - 1) if depth == 0 and text[start] in "([" else None
            if close is not None and _is_aside(text[:start], text[stop:close], names):
                asides.append((start, close + 1))
                skip = close + 1
            else:
                depth += 1
        elif kind == "close":
            depth = max(depth - 1, 0)
        elif depth == 0 and (tie := _Joint(text, spans[-1], start, stop, names).tie(kind)) is not None:
            spans.append(_Span(tie, stop, start))
    ends = [*(span.cut for span in spans[1:]), len(text)]
    clauses = [
        Clause(
            span.tie,
            _only(folded, span.start, end, asides),
            span.cut,
            end,
            word=text[span.cut : span.start].strip().lower(),
        )
        for span, end in zip(spans, ends, strict=True)
    ]
    clauses = (
        [
            replace(clause, label=before.text) if text[clause.begins : clause.begins + 1] == ":" else clause
            for clause, before in zip(clauses, [clauses[0], *clauses], strict=False)
        ]
        if ":" in text
        else clauses
    )
    for start, stop in asides:
        for clause in split_clauses(_only(folded, start + 1, stop - 1, []), names, Tie.ASIDE):
            clauses.append(replace(clause, begins=start, ends=stop))
    for before, clause in pairwise(clauses):
        if (
            before.tie == Tie.SO
            and clause.tie == Tie.SAME
            and not before.text
            and clause.begins == before.ends
        ):
            clauses[clauses.index(clause)] = replace(clause, tie=Tie.SO)  # therefore the total is O(…)
    return [clause for clause in clauses if clause.text.strip(" ,.;:-$&")]


def _only(folded: Folded, start: int, stop: int, asides: list[tuple[int, int]]) -> Folded:
    chars = list(" " * start + folded.text[start:stop])
    for first, last in asides:
        chars[first:last] = " " * len(chars[first:last])
    return Folded("".join(chars), folded.columns, folded.typed)


def _is_aside(before: str, inside: str, names: Names) -> bool:
    """Whether a bracket explains: (n = T), (linear), (one step per layer); others hold factors."""
    if _CALLED.search(before) or not before.strip():
        return False
    if _SHAPE.match(inside) or DEFINITION.match(inside) or _STARTS_TIE.match(inside):
        return True
    return is_wordy(inside, names) or (ORDER.match(inside.strip()) is not None and not ORDER.search(before))


def said_in(text: str) -> set[str]:
    """The words of a text."""
    return {word.lower() for word in re.findall(r"\\?[A-Za-z']+", text) if word[0] != "\\"}


def is_doubtful(text: str) -> bool:
    """Whether a remark may turn round what it stands beside; that cells cannot run at once does not."""
    return bool(said_in(_HELPING.sub(" ", text)) & DOUBTFUL)


def only_joins(text: str) -> bool:
    """Whether a remark has no doubt beyond its joining word: 'but all words are read at once'."""
    said = said_in(_HELPING.sub(" ", text))
    return bool(said & _JOINING) and not (said - _JOINING) & DOUBTFUL


def is_confining(text: str) -> bool:
    """Whether a remark holds what it stands beside for some values only: for odd T, when d is small."""
    return _CONFINING.search(text) is not None


def mentions(text: str, names: Names) -> set[str]:
    """The declared names that stand in a text, alone or written together."""
    runs = re.findall(r"(?<![A-Za-z\\])[A-Za-z]+(?:_\{?\w+\}?)?", text)
    whole = {found for run in runs if (found := names.find(run)) is not None}
    letters = (names.find(letter) for run in runs if all(map(names.find, run)) for letter in run)
    return whole | {letter for letter in letters if letter is not None}


def is_wordy(text: str, names: Names) -> bool:
    """Whether a text holds a word that is neither a name nor a part of a formula said in words."""
    return any(
        len(word) > 2
        and word.lower() not in SPOKEN
        and names.find(word) is None
        and not all(names.find(letter) for letter in word)
        and not word.lower().startswith(("log", "ln", "sqrt"))
        for word in _WORD.findall(text)
    )


@dataclass(frozen=True)
class _Joint:
    """A place where a clause may end, with what stands on both sides of it."""

    text: str
    span: _Span
    start: int
    stop: int
    names: Names

    @property
    def left(self) -> str:
        return self.text[self.span.start : self.start]

    @property
    def right(self) -> str:
        return self.text[self.stop :]

    def tie(self, kind: str) -> Tie | None:
        """How what follows is joined to what stands before; None where it is one expression."""
        match kind:
            case "line":
                return self._line()
            case "comma":
                return self._comma()
            case "dash":
                return self._remark() if ORDER.search(self.left) else None
            case "arrow":
                return Tie.SO
            case "equals":
                return Tie.SO if self.span.tie == Tie.FOR else None
            case "plus":
                return self._plus()
            case _:
                return self._keyword(Tie[kind])

    def _line(self) -> Tie | None:
        mark = self.text[self.start]
        if mark == ":":
            if self.span.tie in (Tie.WHERE, Tie.ASIDE) and re.fullmatch(rf"\s*{NAME}\s*", self.left):
                return None  # n: sequence length
            before = self.text[: self.start]
            if ORDER.search(before):
                before = re.split(r"[.;\n]", before)[-1]  # scores: O(…). Softmax: O(…)
            if len(re.findall(r"[a-z]{2,}", before)) > 4 and ORDER.match(self.right.lstrip(" $")):
                return Tie.SO  # first this, then that: O(…)
            if not self.left.strip() and self.span.tie == Tie.SO:
                return Tie.SO  # Overall: O(…)
            return Tie.SAME if self.left.strip() else Tie.ALSO
        if mark == ";":
            let = self.span.tie == Tie.WHERE and "=" in self.left and "=" in self.right
            return Tie.ALSO if let or ORDER.search(self.right) or is_wordy(self.right, self.names) else None
        own = DEFINITION.match(self.right.split("\n")[0])
        if mark == "\n" and own and "=" in own[0] and not self.names.find(own[1]) and self.left.strip():
            return Tie.WHERE
        runs_on = self.left.rstrip()[-1:] in tuple("+-*/=^,") or self.right.lstrip()[:1] in tuple("+-*/=^)")
        joined = runs_on and self.left.strip() and not is_wordy(self.left, self.names)
        return None if mark != "." and joined else Tie.ALSO

    def _comma(self) -> Tie | None:
        rest = re.split(r"[,;\n]", self.right)[0]
        if _COMPARED.match(rest) and ORDER.search(self.left):
            return Tie.CONTRAST
        if HOW_MANY.match(rest) and ORDER.search(self.left):
            return Tie.ALSO
        if (ORDER.search(rest) and not _SHAPE.match(rest)) or _IN_ALL.search(rest):
            return Tie.ALSO
        own = _OWN_WORD.match(rest)
        if (DEFINITION.match(rest) and not _SHAPE.search(self.left)) or _CONSTANT.match(rest):
            return Tie.WHERE
        if own and not all(map(self.names.find, own[1])) and ORDER.search(self.left):
            return Tie.WHERE
        return self._remark()

    def _remark(self) -> Tie | None:
        """A shape after a rate says it again; plain words say something else."""
        if _SHAPE.match(self.right) or _INVERSE.match(self.right) or _GROWING.match(self.right):
            return Tie.SAME if ORDER.search(self.left) else None
        if _ABOUT.match(self.right):
            return Tie.ALSO
        first = _WORD.match(self.right.lstrip())
        if first is None or self.names.find(first[0]) or first[0].lower() in FUNCTIONS:
            return None
        words_only = _PLAIN.match(self.right)
        return Tie.ALSO if words_only and is_wordy(words_only[0], self.names) else None

    def _plus(self) -> Tie | None:
        """Between rates of several things: O(a) for this plus O(b) for that, O(a) time and O(b) memory."""
        sign = self.text[self.start : self.stop].lower()
        if sign == "but":
            return Tie.ALSO if ORDER.search(self.left) and ORDER.match(self.right.lstrip(" $\\")) else None
        if self.span.tie != Tie.FOR:
            two = (
                ORDER.search(self.left)
                and ORDER.match(self.right.lstrip(" $"))
                and _NAMES_IT.search(self.left)
            )
            stored = ORDER.search(self.left) and _STORED_TOO.match(self.right)
            return Tie.ALSO if (two or stored) and sign == "and" else None
        first = re.match(r"\s*([A-Za-z]+)", self.right)
        if sign == "then" and self.text[self.span.cut : self.span.start].strip().lower() in ("each", "every"):
            return None if not ORDER.search(self.left) else Tie.PLUS  # each output then takes O(…)
        term = first is not None and all(map(self.names.find, first[1]))
        rate = re.match(r"\s*(?:[a-z]+\s+){0,3}(?:O|Θ|\\)", self.right) and ORDER.search(
            self.text[: self.span.start]
        )
        if not term and not rate:
            return None
        return Tie.ALSO if sign.startswith("and") else Tie.PLUS

    def _explains(self) -> bool:
        """Whether 'each …' begins a sentence with no rate in it: 'O(T^2): each word looks at each word'."""
        apart = re.search(r"[,:;.]\s*$|\s-+\s*$", self.text[: self.start])
        said = re.split(r"[.;\n]|,\s+(?:so|hence|thus|therefore)(?![a-z])", self.right)[0]
        verb = _DOES.search(said) if said.split()[:1] == ["of"] else len(said.split()) > 2
        return bool(apart and verb) and not ORDER.search(said) and not COSTS.search(said)

    def _keyword(self, tie: Tie) -> Tie | None:
        word = self.text[self.start : self.stop].lower()
        last = re.search(r"([A-Za-z]+)\s*$", self.left)
        if word == "as" and last and last[1].lower() in NOT_BEFORE_AS:
            return None
        if word == "with" and (_SHAPE.search(self.left) or (last and last[1].lower() in NOT_BEFORE_AS)):
            return None
        if word in ("assuming", "given", "when") and DEFINITION.match(self.right):
            return Tie.WHERE
        if tie in (Tie.FOR, Tie.ON, Tie.ONLY) and self.span.tie in (Tie.WHY, Tie.WHERE):
            return None
        if word == "is" and (
            self.span.tie == Tie.FOR or (self.span.tie == Tie.WHY and _OF_EACH.match(self.left))
        ):
            return None  # each layer is O(1)
        if word == "bc" and self.names.find("b"):
            return None
        before = self.text[: self.start]
        if tie == Tie.SAME and _COMPARED.match(self.right) and ORDER.search(before):
            return Tie.CONTRAST
        if word.split()[:1] in (["vs"], ["vs."], ["versus"], ["down"], ["up"]):
            inside = self.span.tie == Tie.ASIDE and not self.left.strip()
            other = _OF_ANOTHER.match(self.right) if word[0] == "v" else ORDER.search(self.right)
            return tie if (ORDER.search(before) or inside) and other else None
        after_rate = ORDER.search(before) or re.search(r":\s*$", before)
        if word in ("each", "every") and after_rate and self._explains():
            return Tie.WHY
        if tie in (Tie.ON, Tie.ONLY) and not ORDER.search(self.left):
            own = not mentions(self.left, self.names) and self.left.strip(" $")
            if own or is_wordy(self.left, self.names):
                return None  # every step depends on the one before, h_t on h_{t-1}
        if (
            word.startswith("constant")
            and self.span.tie != Tie.ASIDE
            and not ORDER.search(self.text[: self.start])
        ):
            return None
        return tie
