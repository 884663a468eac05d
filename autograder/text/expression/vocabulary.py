"""The words and LaTeX commands that an answer may use, each with the token it becomes."""

from __future__ import annotations

from autograder.text.symbols import GREEK


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


THETA = "Θ"  # the value of an ORDER that bounds from both sides
GREEK_NAMES = frozenset(name.lower() for name in GREEK.values())

FUNCTIONS = {
    "log": ("LOG", "log"),
    "ln": ("LOG", "ln"),
    "lg": ("LOG", "log2"),
    "lb": ("LOG", "log2"),
    "sqrt": ("SQRT", "sqrt"),
    "cbrt": ("CBRT", "cbrt"),
    "exp": ("EXP", "exp"),
    "max": ("FUNC", "max"),
    "min": ("FUNC", "min"),
    "maximum": ("FUNC", "max"),
    "minimum": ("FUNC", "min"),
    "abs": ("FUNC", "abs"),
    "ceil": ("FUNC", "ceil"),
    "ceiling": ("FUNC", "ceil"),
    "floor": ("FUNC", "floor"),
    "int": ("FUNC", "floor"),
    "factorial": ("FUNC", "factorial"),
    "binom": ("FUNC", "binom"),
    "binomial": ("FUNC", "binom"),
    "pow": ("FUNC", "pow"),
}
# Only of modules: np.power(T, 2).
OF_MODULES = {"power": "pow", "square": "square"}
# Modules that have them: np.log(T).
LIBRARIES = words("np numpy math cmath torch jnp jax tf scipy cupy")
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
    ("the", "product"): None,
    ("the", "ratio"): None,
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
    ("proportional", "to"): ("PROPORTIONAL", "1"),
    ("proportionally", "to"): ("PROPORTIONAL", "1"),
    ("proportional", "with"): ("PROPORTIONAL", "1"),
    ("inversely", "proportional", "to"): ("PROPORTIONAL", "-1"),
    ("inverse", "proportional", "to"): ("PROPORTIONAL", "-1"),
    ("inversely", "with"): ("PROPORTIONAL", "-1"),
    ("inverse", "in"): ("PROPORTIONAL", "-1"),
    ("inverse", "linear", "in"): ("PROPORTIONAL", "-1"),
    ("inversely", "in"): ("PROPORTIONAL", "-1"),
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
    ("big", "theta", "of"): ("ORDER", THETA),
    ("big", "theta"): ("ORDER", THETA),
    ("theta", "of"): ("ORDER", THETA),
    ("oh", "of"): ("ORDER", "O"),
    ("in",): ("IN", "in"),
    ("with", "respect", "to"): ("IN", "in"),
    ("with",): ("IN", "in"),
    ("in", "terms", "of"): ("IN", "in"),
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
    needed about around roughly approx approximately
    asymptotically growth grows grow rate scales scale we have get i
    think so thus hence therefore big oh flops multiplications additions parameters params weights
    entries numbers in of per head for each must be which are would should only just simply worst case
    all there as computation compute theoretical theoretically final my number length size sequence
    input one position positions word words token tokens dimension hop hops comparison comparisons
    multiplies adds sums products matmuls messages updates applications stages rounds cycles levels
    evaluations scores calls increases increase behaves algorithm model network method solution overall
    altogether together like bound upper tight amount rnn rnns cnn cnns lstm gru mlp gpu multiply add cell
    cells
    """
)
# Of these, the ones that name something that may grow: 'linear in the dimension' is not just 'linear'.
QUANTITIES = words(
    """
    number length size sequence input position positions word words token tokens dimension layer layers head
    heads step steps depth amount parameters params weights entries operations units scores
    """
)
# What there are many of: T tokens.
THINGS = words(
    """
    positions words tokens layers heads steps timesteps scores queries keys values pairs rows columns entries
    dimensions features channels inputs outputs elements items pixels places passes iterations hops
    comparisons sentences sequences samples nodes edges weights
    """
)
PHRASE_WORDS = frozenset(word for phrase in PHRASES for word in phrase)
WORDS = PHRASE_WORDS | FILLERS
# Short words that are never a product of variables.
NOT_PRODUCTS = words(
    """
    tbd idk yes no none null nan inf foo bar baz abc xyz def not let var new try del and but any one two
    bad eof nil etc ans lol hmm huh wtf true or if by us up do go ok os id len sum str int set map zip
    arg all vs ie eg wrt etc
    """
)

# What the meanings of signs and LaTeX commands are in an expression; others have none.
TOKENS: dict[str, tuple[str, str]] = {
    **dict.fromkeys(("dot", "*", "kron"), ("TIMES", "*")),
    "/": ("SLASH", "/"),
    "frac": ("FRAC", "frac"),
    "binom": ("BINOM", "binom"),
    "choose": ("CHOOSE", "choose"),
    "sum": ("SUM", "sum"),
    "sqrt": ("SQRT", "sqrt"),
    "cbrt": ("CBRT", "cbrt"),
    "sim": ("SIM", "~"),
    **{sign: ("REL", sign) for sign in ("<=", ">=", "<", ">", "<<")},
    "(": ("LPAR", "("),
    ")": ("RPAR", ")"),
    "[": ("LSQ", "["),
    "]": ("RSQ", "]"),
    "|": ("BAR", "|"),
    "lvert": ("BAR_OPEN", "|"),
    "rvert": ("BAR_CLOSE", "|"),
}
