"""The words and LaTeX commands that an answer may use, each with the token it becomes."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


GREEK_LETTERS = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ϵ": "epsilon", "ζ": "zeta",
    "η": "eta", "θ": "theta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi",
    "ο": "omicron", "π": "pi", "ρ": "rho", "σ": "sigma", "ς": "sigma", "τ": "tau", "υ": "upsilon",
    "φ": "phi", "ϕ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega", "Γ": "Gamma", "Δ": "Delta",
    "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi", "Σ": "Sigma", "Υ": "Upsilon", "Φ": "Phi",
    "Ψ": "Psi", "Ω": "Omega", "∂": "partial",
}  # fmt: skip
GREEK = frozenset(name.lower() for name in GREEK_LETTERS.values())

FUNCTIONS = {
    "log": ("LOG", "log"),
    "ln": ("LOG", "ln"),
    "lg": ("LOG", "log2"),
    "sqrt": ("SQRT", "sqrt"),
    "cbrt": ("CBRT", "cbrt"),
    "exp": ("EXP", "exp"),
    "max": ("FUNC", "max"),
    "min": ("FUNC", "min"),
    "maximum": ("FUNC", "max"),
    "minimum": ("FUNC", "min"),
    "abs": ("FUNC", "abs"),
    "ceil": ("FUNC", "ceil"),
    "floor": ("FUNC", "floor"),
    "factorial": ("FUNC", "factorial"),
    "binom": ("FUNC", "binom"),
    "binomial": ("FUNC", "binom"),
    "pow": ("FUNC", "pow"),
}
# Those that may be written without a space before their argument: nlogn, lnXY, sqrtn.
GLUED = ("sqrt", "log", "exp", "ln", "lg")

SHAPES = {
    "constant": "constant",
    "linear": "linear",
    "linearly": "linear",
    "quadratic": "quadratic",
    "quadratically": "quadratic",
    "cubic": "cubic",
    "cubically": "cubic",
    "logarithmic": "logarithmic",
    "logarithmically": "logarithmic",
    "linearithmic": "linearithmic",
    "loglinear": "linearithmic",
    "quasilinear": "linearithmic",
    "exponential": "exponential",
    "exponentially": "exponential",
    "factorial": "factorial",
}

# Runs of words that are one token. Longer runs are tried first.
PHRASES: dict[tuple[str, ...], tuple[str, str] | None] = {
    ("to", "the", "power", "of"): ("CARET", "^"),
    ("to", "the", "power"): ("CARET", "^"),
    ("raised", "to"): ("CARET", "^"),
    ("raised", "to", "the", "power", "of"): ("CARET", "^"),
    ("to", "the"): ("CARET", "^"),
    ("square", "root", "of"): ("SQRT", "sqrt"),
    ("the", "square", "root", "of"): ("SQRT", "sqrt"),
    ("square", "root"): ("SQRT", "sqrt"),
    ("cube", "root", "of"): ("CBRT", "cbrt"),
    ("root",): ("SQRT", "sqrt"),
    ("logarithm", "of"): ("LOG", "log"),
    ("the", "logarithm", "of"): ("LOG", "log"),
    ("the", "log", "of"): ("LOG", "log"),
    ("logarithm",): ("LOG", "log"),
    ("the", "product", "of"): ("PRODUCT", "product"),
    ("product", "of"): ("PRODUCT", "product"),
    ("the", "sum", "of"): ("TOTAL", "sum"),
    ("sum", "of"): ("TOTAL", "sum"),
    ("the", "square", "of"): ("SQUARE", "2"),
    ("square", "of"): ("SQUARE", "2"),
    ("max", "of"): ("LARGER", "max"),
    ("the", "max", "of"): ("LARGER", "max"),
    ("maximum", "of"): ("LARGER", "max"),
    ("the", "maximum", "of"): ("LARGER", "max"),
    ("larger", "of"): ("LARGER", "max"),
    ("the", "larger", "of"): ("LARGER", "max"),
    ("min", "of"): ("LARGER", "min"),
    ("the", "minimum", "of"): ("LARGER", "min"),
    ("the", "smaller", "of"): ("LARGER", "min"),
    ("by",): ("TIMES", "*"),
    ("divided", "by"): ("SLASH", "/"),
    ("multiplied", "by"): ("TIMES", "*"),
    ("times",): ("TIMES", "*"),
    ("over",): ("SLASH", "/"),
    ("plus",): ("PLUS", "+"),
    ("minus",): ("MINUS", "-"),
    ("squared",): ("SQUARED", "2"),
    ("cubed",): ("SQUARED", "3"),
    ("choose",): ("CHOOSE", "choose"),
    ("base",): ("SUB", "_"),
    ("to", "base"): ("SUB", "_"),
    ("equals",): ("EQUALS", "="),
    ("is", "equal", "to"): ("EQUALS", "="),
    ("and",): ("AND", "and"),
    ("half",): ("NUMBER", "1/2"),
    ("one", "half"): ("NUMBER", "1/2"),
    ("twice",): ("NUMBER", "2"),
    ("double",): ("NUMBER", "2"),
    ("both",): None,
    ("proportional", "to"): ("ORDER", "O"),
    ("proportionally", "to"): ("ORDER", "O"),
    ("proportional", "with"): ("ORDER", "O"),
    ("on", "the", "order", "of"): ("ORDER", "O"),
    ("in", "the", "order", "of"): ("ORDER", "O"),
    ("of", "the", "order", "of"): ("ORDER", "O"),
    ("of", "order"): ("ORDER", "O"),
    ("of", "the", "order"): ("ORDER", "O"),
    ("the", "order", "of"): ("ORDER", "O"),
    ("order", "of"): ("ORDER", "O"),
    ("order",): ("ORDER", "O"),
    ("big", "oh", "of"): ("ORDER", "O"),
    ("big", "oh"): ("ORDER", "O"),
    ("big", "theta", "of"): ("ORDER", "O"),
    ("big", "theta"): ("ORDER", "O"),
    ("theta", "of"): ("ORDER", "O"),
    ("oh", "of"): ("ORDER", "O"),
    ("in",): ("IN", "in"),
    ("with", "respect", "to"): ("IN", "in"),
    ("with",): ("IN", "in"),
    ("in", "terms", "of"): ("IN", "in"),
    ("in", "the", "length"): ("IN", "in"),
    ("in", "the", "number", "of", "layers"): ("IN", "in"),
    ("of",): None,
    ("less", "than"): ("REL", "<"),
    ("is", "less", "than"): ("REL", "<"),
    ("at", "most"): ("REL", "<="),
    ("is", "at", "most"): ("REL", "<="),
    ("is", "bounded", "by"): ("REL", "<="),
    ("at", "least"): ("REL", ">="),
    ("is", "at", "least"): ("REL", ">="),
    ("greater", "than"): ("REL", ">"),
    ("is", "greater", "than"): ("REL", ">"),
    ("much", "less", "than"): ("REL", "<<"),
    ("is", "much", "less", "than"): ("REL", "<<"),
    ("is", "constant"): ("IS_CONSTANT", ""),
    ("is", "a", "constant"): ("IS_CONSTANT", ""),
    ("is", "bounded"): ("IS_CONSTANT", ""),
    ("is", "fixed"): ("IS_CONSTANT", ""),
    ("fixed",): ("IS_CONSTANT", ""),
    ("bounded",): ("IS_CONSTANT", ""),
    **{(word,): ("SHAPE", shape) for word, shape in SHAPES.items()},
    ("log", "linear"): ("SHAPE", "linearithmic"),
    ("scales", "as"): ("ORDER", "O"),
    ("scales", "like"): ("ORDER", "O"),
    ("grows", "as"): ("ORDER", "O"),
    ("grows", "like"): ("ORDER", "O"),
}
LONGEST_PHRASE = max(len(phrase) for phrase in PHRASES)

# Words that say nothing about the rate and may stand before or after it.
FILLERS = words(
    """
    a an the is it its this that answer result total overall time times runtime running run parallel
    serial sequential sequentially complexity cost costs work span depth step steps operation operations
    op ops iteration iterations layer layers unit units memory space takes take requires need needs
    needed about roughly approximately asymptotically growth grows grow rate scales scale we have get i
    think so thus hence therefore big oh flops multiplications additions parameters params weights
    entries numbers in of per head for each must be which are would should only just simply worst case
    all there as computation compute theoretical theoretically final my number length size sequence
    input one position positions word words token tokens dimension
    """
)
# Words that begin a remark; what follows one says nothing about the rate.
REMARKS = words(
    """
    where since because due given assuming when as for using
    """
)
PHRASE_WORDS = frozenset(word for phrase in PHRASES for word in phrase)
WORDS = PHRASE_WORDS | FILLERS | REMARKS
# Short words that are never a product of variables.
NOT_PRODUCTS = words(
    """
    tbd idk yes no none null nan inf foo bar baz abc xyz def not let var new try del and but any one two
    bad eof nil etc ans lol hmm huh wtf true or if by us up do go ok os id len sum str int set map zip
    arg all
    """
)

STYLES = words(
    """
    mathcal mathrm mathit mathbf mathsf mathbb mathscr text textrm textit textbf textsf operatorname
    mathop mbox boldsymbol bm rm it bf cal hbox ensuremath mathnormal
    """
)
SILENT = words(
    """
    left right big bigl bigr bigg biggl biggr Big Bigl Bigr Bigg Biggl Biggr middle displaystyle
    textstyle limits nolimits quad qquad thinspace enspace space scriptstyle
    """
)
COMMANDS: dict[str, tuple[str, str]] = {
    "log": ("LOG", "log"),
    "ln": ("LOG", "ln"),
    "lg": ("LOG", "log2"),
    "lb": ("LOG", "log2"),
    "sqrt": ("SQRT", "sqrt"),
    "exp": ("EXP", "exp"),
    "max": ("FUNC", "max"),
    "min": ("FUNC", "min"),
    **dict.fromkeys(("frac", "dfrac", "tfrac", "cfrac", "nicefrac", "sfrac"), ("FRAC", "frac")),
    **dict.fromkeys(("binom", "dbinom", "tbinom"), ("BINOM", "binom")),
    **dict.fromkeys(("cdot", "times", "ast", "bullet", "star"), ("TIMES", "*")),
    "div": ("SLASH", "/"),
    "over": ("SLASH", "/"),
    "Theta": ("ORDER", "O"),
    "O": ("ORDER", "O"),
    **dict.fromkeys(("sim", "approx", "propto"), ("ORDER", "O")),
    "choose": ("CHOOSE", "choose"),
    **dict.fromkeys(("le", "leq", "leqslant"), ("REL", "<=")),
    **dict.fromkeys(("ge", "geq", "geqslant"), ("REL", ">=")),
    "lt": ("REL", "<"),
    "gt": ("REL", ">"),
    "ll": ("REL", "<<"),
    **dict.fromkeys(("lbrace", "lbrack", "lparen"), ("LPAR", "(")),
    **dict.fromkeys(("rbrace", "rbrack", "rparen"), ("RPAR", ")")),
    **dict.fromkeys(("vert", "mid"), ("BAR", "|")),
    "lvert": ("BAR_OPEN", "|"),
    "rvert": ("BAR_CLOSE", "|"),
    "ell": ("LETTERS", "ell"),
}
