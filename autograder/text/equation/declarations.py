"""What an equation part declares: names in every spelling, sizes, numbered axes and functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from autograder.course.model import Equation
from autograder.text.equation.lexer import Token, read_tokens
from autograder.text.equation.tree import Expr

ELEMENTWISE = frozenset(
    ["exp", "ln", "log", "sqrt", "sigmoid", "tanh", "relu", "abs", "sin", "cos", "softplus"]
)  # applied entry by entry, with the usual meaning
SPELLINGS = {
    "logistic": "sigmoid", "sigm": "sigmoid", "smax": "softmax", "rect": "relu", "cat": "concat",
    "concatenate": "concat", "stack": "concat", "vstack": "concat", "hstack": "beside",
    "kronecker": "kron", "dot": "matmul", "vdot": "inner", "bmm": "matmul", "mm": "matmul",
    "swapaxes": "transpose", "permute": "transpose", "columnsoftmax": "colsoftmax",
}  # fmt: skip
OPERATORS = frozenset(
    [
        "softmax", "rowsoftmax", "colsoftmax", "concat", "beside", "kron", "inner", "outer", "matmul",
        "transpose", "einsum", "diag", "onehot", "ones", "embedding", "take",
    ]
)  # fmt: skip


@dataclass(frozen=True)
class Declared:
    """A tensor the answer may use. `entries` names the axis its whole-number entries point into."""

    name: str
    axes: tuple[str, ...]
    entries: str = ""
    draw: str = "normal"
    slot: bool = False  # its first index is written as a further subscript
    latex: str = ""
    inner: int = 0  # of a name the answer defines: so many more indices may be read off its value


@dataclass(frozen=True)
class Function:
    """A function: elementwise, one with shapes, or one with a definition, the part's or the answer's own."""

    name: str
    takes: tuple[tuple[str, ...], ...] = ()
    gives: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    body: str = ""
    tree: Expr | None = None  # the body, once it is read


@dataclass(frozen=True)
class Vocabulary:
    """Every name that may occur, and what it stands for."""

    tensors: dict[str, Declared]
    spellings: dict[str, tuple[str, ...]]
    axes: tuple[str, ...]
    sizes: dict[str, str]
    numbering: dict[str, str]  # axis -> "1..T"
    fixed: dict[str, str]  # index given from outside -> its range
    functions: dict[str, Function]
    matrix: bool
    columns: bool = False  # items are columns: a softmax without an axis runs down each of them
    own: dict[str, Declared] = field(default_factory=dict)  # names the answer itself defines
    coined: frozenset[str] = frozenset()  # functions the answer itself defines
    ask: str = ""  # the question in words

    def find(self, spelled: str, subscripts: int) -> Declared | None:
        """The tensor of this spelling; of two, the one with a slot where a further subscript fills it."""
        found = [self.tensors.get(name) or self.own[name] for name in self.spellings.get(spelled, ())]
        found.sort(key=lambda declared: declared.slot != (subscripts > 0))
        return found[0] if found else None

    def find_alike(self, spelled: str, subscripts: int) -> Declared | None:
        """As `find`; a word may be written in another case, and a matrix q as Q."""
        found = self.find(spelled, subscripts)
        if found:
            return found
        if len(spelled) == 1:
            small = self.tensors.get(spelled.lower()) if self.matrix and spelled.isupper() else None
            return small if small and len(small.axes) > 1 and spelled not in self.axes else None
        if len(spelled) < 3:
            return None
        known = [name for name in self.spellings if name.lower() == spelled.lower()]
        return self.find(known[0], subscripts) if len(known) == 1 else None

    def is_size(self, name: str) -> bool:
        return name in self.axes or name in self.sizes

    def declared(self, name: str) -> Declared | None:
        return self.tensors.get(name) or self.own.get(name)


def function_name(text: str, vocabulary: Vocabulary) -> str | None:
    """The function a word names, in its usual spelling."""
    if text in vocabulary.functions:
        return text
    lower = text.lower()
    if lower in vocabulary.functions and lower not in vocabulary.coined:
        return lower
    lower = SPELLINGS.get(lower, lower)
    if lower in ELEMENTWISE or lower in OPERATORS:
        return lower
    return "sigmoid" if text == "sigma" else None


def spell(base: str, raised: Sequence[str], lowered: Sequence[str]) -> str:
    """One spelling for `W^Q_l`, `W_l^{Q}` and `WQ_l`."""
    return base + "".join(raised) + "".join(lowered)


def spell_tokens(tokens: Sequence[Token]) -> str:
    """The spelling of a name given as tokens: base, raised marks, lowered marks."""
    raised: list[str] = []
    lowered: list[str] = []
    at = 1
    while at < len(tokens):
        mark = tokens[at].kind
        marked, at = text_after(tokens, at + 1)
        (raised if mark == "^" else lowered).append("".join(marked))
    return spell(tokens[0].text, raised, lowered)


def text_after(tokens: Sequence[Token], at: int) -> tuple[list[str], int]:
    """The items of a subscript or superscript as plain text, and where it ends."""
    if at >= len(tokens):
        return [], at
    if tokens[at].kind != "{":
        return [tokens[at].text], at + 1
    items, depth, at = [""], 1, at + 1
    while at < len(tokens) and depth:
        kind = tokens[at].kind
        depth += (kind == "{") - (kind == "}")
        if kind == "," and depth == 1:
            items.append("")
        elif kind not in ("{", "}", "(", ")", "_", "^"):
            items[-1] += tokens[at].text
        at += 1
    return items, at


def build_vocabulary(part: Equation) -> Vocabulary:
    """The vocabulary of a part, before any answer is read."""
    tensors: dict[str, Declared] = {}
    spellings: dict[str, tuple[str, ...]] = {}
    for tensor in part.tensors:
        # a single letter is its own LaTeX: P stays P, though P_\Phi is read as well
        latex = tensor.latex[0] if tensor.latex and len(tensor.name) > 1 else ""
        tensors[tensor.name] = Declared(
            tensor.name, tuple(tensor.axes), tensor.entries, tensor.draw, "*" in tensor.name, latex
        )
        for written in (tensor.name, *tensor.latex):
            spelled = spell_tokens(read_tokens(written.replace("*", "")))
            known = spellings.get(spelled, ())
            spellings[spelled] = known if tensor.name in known else (*known, tensor.name)
    axes = tuple(dict.fromkeys(axis for tensor in part.tensors for axis in tensor.axes))
    numbering = {name: span for name, span in part.ranges.items() if name in axes}
    fixed = {name: span for name, span in part.ranges.items() if name not in axes}
    functions = {function.name.lower(): function for function in map(_function, part.functions)}
    sizes = dict(part.sizes)
    return Vocabulary(
        tensors, spellings, axes, sizes, numbering, fixed, functions, part.matrix, part.columns, ask=part.ask
    )


def _function(written: str) -> Function:
    """`sigma`, `CELL([J], [K]) -> [J]` or `FF(C) = sigmoid(W C)`."""
    name = written.partition("(")[0].strip()
    if "->" in written:
        before, _, after = written.partition("->")
        shapes = [_axes(piece) for piece in before[len(name) :].split("[")[1:]]
        return Function(name, tuple(shapes), _axes(after.strip().lstrip("[")))
    if "=" in written:
        before, _, after = written.partition("=")
        argument = before.partition("(")[2].rpartition(")")[0].strip()
        return Function(name, arguments=(argument,), body=after.strip())
    return Function(name)


def _axes(piece: str) -> tuple[str, ...]:
    return tuple(axis.strip() for axis in piece.partition("]")[0].split(",") if axis.strip())
