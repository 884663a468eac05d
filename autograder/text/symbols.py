r"""The signs of written answers: each character and LaTeX command with the one meaning it has everywhere.

A meaning is a plain sign (`*`, `<=`, `||`) where there is one and a word (`dot`, `frac`, `sum`) where there
is none. A reader turns meanings into its own tokens; those that its language lacks it refuses.
"""

from __future__ import annotations

GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ϵ": "epsilon", "ζ": "zeta",
    "η": "eta", "θ": "theta", "ϑ": "theta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu",
    "ξ": "xi", "ο": "omicron", "π": "pi", "ρ": "rho", "σ": "sigma", "ς": "sigma", "τ": "tau",
    "υ": "upsilon", "φ": "phi", "ϕ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega", "Γ": "Gamma",
    "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi", "Σ": "Sigma", "Υ": "Upsilon",
    "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega", "∂": "partial",
}  # fmt: skip

SIGNS = {
    **dict.fromkeys("·⋅∙•", "dot"), **dict.fromkeys("×∗✕✖⨯⨉", "*"), "⊗": "kron",
    **dict.fromkeys("⊙∘", "each"), **dict.fromkeys("÷∕⁄", "/"), **dict.fromkeys("−–—‐‑‒﹣", "-"),
    **dict.fromkeys("“”„‟″", '"'), **dict.fromkeys("‘’‚‛′", "'"), **dict.fromkeys("≤⩽≦", "<="),
    **dict.fromkeys("≥⩾≧", ">="), "≪": "<<", "≫": ">>", "≠": "!=", "√": "sqrt", "∛": "cbrt",
    **dict.fromkeys("∥‖", "||"), "⊕": "stack", "∣": "|", **dict.fromkeys("⟨〈", "<"),
    **dict.fromkeys("⟩〉", ">"), **dict.fromkeys("∼≈∝≃≅", "sim"), **dict.fromkeys("≡≔←", "="),
    **dict.fromkeys("→⟶⇒⟹", "->"), "∈": "in", "∑": "sum", "∏": "prod", **dict.fromkeys("…⋯⋮", "dots"),
    "⊤": "top", "⌈": "lceil", "⌉": "rceil", "⌊": "lfloor", "⌋": "rfloor", "∞": "infty",
}  # fmt: skip

COMMANDS = {
    **dict.fromkeys(("cdot", "bullet"), "dot"), **dict.fromkeys(("times", "ast", "star"), "*"),
    "otimes": "kron", **dict.fromkeys(("odot", "circ"), "each"), "div": "/", "over": "/",
    **dict.fromkeys(("frac", "dfrac", "tfrac", "cfrac", "nicefrac", "sfrac", "flatfrac"), "frac"),
    **dict.fromkeys(("binom", "dbinom", "tbinom"), "binom"), "choose": "choose",
    "sqrt": "sqrt", "cbrt": "cbrt", **dict.fromkeys(("sum", "Sigma"), "sum"), "prod": "prod",
    **dict.fromkeys(("le", "leq", "leqslant"), "<="), **dict.fromkeys(("ge", "geq", "geqslant"), ">="),
    **dict.fromkeys(("ne", "neq"), "!="), "lt": "<", "gt": ">", "ll": "<<", "gg": ">>",
    "langle": "<", "rangle": ">", **dict.fromkeys(("vert", "mid"), "|"), "lvert": "lvert",
    "rvert": "rvert", **dict.fromkeys(("Vert", "lVert", "rVert", "parallel"), "||"),
    **dict.fromkeys(("oplus", "bigoplus"), "stack"),
    **dict.fromkeys(("sim", "approx", "propto", "simeq", "cong"), "sim"),
    **dict.fromkeys(("coloneqq", "equiv", "gets", "leftarrow"), "="),
    **dict.fromkeys(("to", "rightarrow", "longrightarrow", "Rightarrow", "implies"), "->"),
    "in": "in", "prime": "'", "colon": ":", **dict.fromkeys(("lbrace", "lparen"), "("),
    **dict.fromkeys(("rbrace", "rparen"), ")"), "lbrack": "[", "rbrack": "]",
    "lceil": "lceil", "rceil": "rceil", "lfloor": "lfloor", "rfloor": "rfloor", "infty": "infty",
    **dict.fromkeys(("dots", "ldots", "cdots", "vdots", "dotsc", "dotsb"), "dots"),
    **dict.fromkeys(("top", "intercal"), "top"), **dict.fromkeys(("newline", "cr"), "newline"),
    "underset": "underset", **dict.fromkeys(("overbrace", "underbrace"), "overbrace"),
}  # fmt: skip

# The command that spells a meaning for which there is no plain sign.
SPELLED = {
    "dot": "\\cdot", "kron": "\\otimes", "each": "\\odot", "stack": "\\oplus",
    **{word: f"\\{word}" for word in (
        "sqrt", "cbrt", "sim", "in", "sum", "prod", "dots", "top", "lceil", "rceil", "lfloor", "rfloor",
        "infty",
    )},
}  # fmt: skip

# Raised and lowered letters that unicode does not decompose into plain ones.
SMALL = {"ⱽ": ("<super>", "V"), "ꟴ": ("<super>", "Q")}

# Letters of other alphabets that a reader cannot tell from the Latin ones.
LOOKALIKES = str.maketrans("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧАВЕКМНОРСТХаеорсухοϹ", "ABEZHIKMNOPTYXABEKMHOPCTXaeopcyxoC")

# Combining marks that follow their letter, and the command that says the same.
MARKS = {"\u20d7": "vec", "\u0303": "tilde", "\u20d6": "overleftarrow", "\u0302": "hat", "\u0304": "bar"}

DECORATIONS = {
    "vec": "vec", "overrightarrow": "vec", "tilde": "tilde", "widetilde": "tilde", "overleftarrow": "back",
    "hat": "hat", "widehat": "hat", "bar": "bar", "overline": "bar",
}  # fmt: skip

FONTS = frozenset(
    [
        "text", "mathrm", "operatorname", "mathbf", "boldsymbol", "bm", "mathit", "mathsf", "mathtt",
        "textrm", "textbf", "textit", "texttt", "textsf", "mathcal", "mathbb", "mathscr", "mathop", "mbox",
        "hbox", "rm", "bf", "it", "sf", "cal", "ensuremath", "mathnormal", "symbf", "symbfup", "pmb", "emph",
        "textnormal", "mathfrak", "boxed", "fbox",
    ]
)  # fmt: skip

IGNORED = frozenset(
    [
        "left", "right", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "biggl", "biggr",
        "Biggl", "Biggr", "bigm", "middle", "quad", "qquad", "displaystyle", "textstyle", "scriptstyle",
        "limits", "nolimits", "nonumber", "notag", "hfill", "hspace", "thinspace", "enspace", "medspace",
        "thickspace", "negthinspace", "centering", "noindent", "strut", "allowbreak", "relax", "mathstrut",
        "space", "nobreakspace", "mleft", "mright",
    ]
)  # fmt: skip

# Commands whose braces hold no mathematics.
DROPPED = frozenset(["label", "tag", "hspace", "vspace", "phantom", "hphantom", "vphantom", "intertext"])

MATRICES = frozenset(["matrix", "bmatrix", "pmatrix", "Bmatrix", "vmatrix", "smallmatrix"])

OPENING = {"(": ")", "[": "]", "{": "}"}
CLOSING = {close: opening for opening, close in OPENING.items()}
