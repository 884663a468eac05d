"""What the names of a question stand for: positive or real numbers, functions, matrices, vectors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from autograder.course.model import Formula
from autograder.course.small_kinds import Derivation
from autograder.text.expression.names import squeeze
from autograder.text.expression.tree import Add, Const, Expr, Mul, Sym, names_in

DERIVED = {"sigmoid'", "tanh'", "relu'", "exp'", "sin'", "cos'", "ln'"}
SPELLINGS = {
    "arcsin": "arcsin", "asin": "arcsin", "arccos": "arccos", "acos": "arccos", "arctan": "arctan",
    "atan": "arctan", "sin": "sin", "cos": "cos", "tan": "tan", "cot": "cot", "sec": "sec", "csc": "csc",
    "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "coth": "coth",
    "sech": "sech", "csch": "csch", "exp": "exp", "ln": "ln", "log": "log",
    "sqrt": "sqrt", "sigmoid": "sigmoid", "logistic": "sigmoid", "sigm": "sigmoid", "relu": "relu",
    "ReLU": "relu", "softplus": "softplus", "abs": "abs", "floor": "floor", "ceil": "ceil",
    "ceiling": "ceil", "max": "max", "min": "min", "sign": "sign", "sgn": "sign", "factorial": "factorial",
    "Gamma": "Gamma", "binom": "binom", "det": "det", "tr": "tr", "trace": "tr", "Tr": "tr", "inv": "inv",
    "transpose": "transpose", "norm": "norm", "logsumexp": "logsumexp", "LSE": "logsumexp",
    "lse": "logsumexp",
}  # fmt: skip
BINDERS = {"sum": "sum", "Sum": "sum", "prod": "prod", "product": "prod"}
BINDING = ("max", "min", "logsumexp")  # which also run over an index: max_i x_i
UNORDERED = ("P", "Pr", "p", "H")  # of which the joint is the same whichever comes first


@dataclass(frozen=True)
class Scope:
    """The declared names by what they stand for; the constants e and pi may be declared over."""

    positive: tuple[str, ...] = ()
    reals: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    matrices: tuple[str, ...] = ()
    vectors: tuple[str, ...] = ()

    @cached_property
    def declared(self) -> dict[str, str]:
        """Every declared name by the form in which its spellings agree."""
        names = (*self.positive, *self.reals, *self.functions, *self.matrices, *self.vectors)
        return {squeeze(name): name for name in names}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.declared.values()))

    def find(self, text: str) -> str | None:
        if text == "Pr" and "P" in self.functions:
            text = "P"
        return self.declared.get(squeeze(text))

    def is_function(self, name: str) -> bool:
        """Whether a name is a declared function, perhaps with a prime or a subscript of its own."""
        return name.rstrip("'").split("_")[0] in self.functions or name in self.functions

    def builtin(self, word: str) -> str | None:
        """The function that a word names, unless the question declares it as something else."""
        if self.find(word) is not None:
            return None
        bare = word.rstrip("'")
        found = SPELLINGS.get(bare) or SPELLINGS.get(bare.lower() if bare.isupper() or bare.istitle() else "")
        if found is None and bare == "sigma":
            found = "sigmoid"
        if found is None or word == bare:
            return found
        return found + word[len(bare) :] if found + word[len(bare) :] in DERIVED else None

    @property
    def is_linear(self) -> bool:
        """Whether the question speaks of matrices, so that products are kept in order."""
        return bool(self.matrices or self.vectors)


def scope_of(part: Formula | Derivation) -> Scope:
    """What a question declares its names to be."""
    reals = tuple(part.reals)
    positive = tuple(name for name in part.variables if name not in reals)
    return Scope(positive, reals, tuple(part.functions), tuple(part.matrices), tuple(part.vectors))


def symbol(name: str, scope: Scope) -> Expr:
    """A name as a constant or a variable."""
    return Const(name) if is_constant(name, scope) else Sym(name)


def is_constant(name: str, scope: Scope) -> bool:
    """Whether a name that the question does not declare is e, pi or the identity."""
    if name in scope.declared.values():
        return False
    return name in ("e", "pi") or (name == "I" and scope.is_linear)


def is_column(node: Expr, scope: Scope) -> bool:
    """Whether that is a vector: one by its name, matrices times one, or a sum of such."""
    match node:
        case Sym(name):
            return name in scope.vectors
        case Add(terms=terms):
            return all(is_column(term, scope) for term in terms)
        case Mul(factors=factors):
            shaped = [each for each in factors if {*names_in(each)} & {*scope.matrices, *scope.vectors}]
            *before, last = shaped or [node]
            if any({*names_in(each)} & {*scope.vectors} for each in before):
                return False  # a row or another vector stands in front
            return bool(shaped) and is_column(last, scope)
    return False
