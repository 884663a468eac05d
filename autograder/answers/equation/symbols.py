"""The signs of plain text, unicode and LaTeX, each with the one token it stands for."""

from __future__ import annotations

GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "η": "eta", "θ": "theta",
    "κ": "kappa", "λ": "lambda", "μ": "mu", "π": "pi", "ρ": "rho", "σ": "sigma", "τ": "tau",
    "φ": "phi", "ϕ": "phi", "ψ": "psi", "ω": "omega", "Φ": "Phi", "Θ": "Theta", "ℓ": "l",
}  # fmt: skip

SIGNS = {
    "·": "dot", "⋅": "dot", "∙": "dot", "•": "dot", "×": "*", "∗": "*", "*": "*", "@": "*", "⊗": "kron",
    "⊙": "each", "∘": "each", "∑": "sum", "Σ": "sum", "√": "sqrt", "⟨": "<", "⟩": ">", "〈": "<", "〉": ">",
    "…": "dots", "⋯": "dots", "⋮": "dots", "⊤": "top", "≤": "<=", "≥": ">=", "≠": "!=", "∈": "in",
    "−": "-", "–": "-", "′": "'", "’": "'", "‖": "||", "∥": "||", "⊕": "||", "≡": "=", "←": "=", "∣": "|",
    "：": ":", "，": ",",
}  # fmt: skip

SUBSCRIPTS = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋ₐₑₕᵢⱼₖₗₘₙₒₚₛₜᵤᵥₓ", "0123456789+-aehijklmnopstuvx", strict=True))
SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ᵀᵗⁱⁿᴷᵛ", "0123456789+-TtinKv", strict=True)) | {"ꟴ": "Q", "ⱽ": "V"}

# combining marks that follow their letter
MARKS = {"\u20d7": "vec", "\u0303": "tilde", "\u20d6": "back", "\u0302": "hat", "\u0304": "bar"}

DECORATIONS = {
    "vec": "vec", "overrightarrow": "vec", "tilde": "tilde", "widetilde": "tilde", "overleftarrow": "back",
    "hat": "hat", "widehat": "hat", "bar": "bar", "overline": "bar",
}  # fmt: skip

FONTS = frozenset(
    [
        "text", "mathrm", "operatorname", "mathbf", "boldsymbol", "bm", "mathit", "mathsf", "mathtt",
        "textrm", "textbf", "textit", "texttt", "textsf", "mathcal", "mathbb", "mathop", "mbox", "hbox",
        "rm", "bf", "it", "sf", "cal", "ensuremath", "mathnormal", "symbf", "symbfup", "pmb",
    ]
)  # fmt: skip

IGNORED = frozenset(
    [
        "left", "right", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "biggl", "biggr",
        "Biggl", "Biggr", "bigm", "middle", "quad", "qquad", "displaystyle", "textstyle", "scriptstyle",
        "limits", "nolimits", "nonumber", "notag", "hfill", "hspace", "thinspace", "enspace", "medspace",
        "thickspace", "negthinspace", "centering", "noindent", "strut", "allowbreak", "relax", "mathstrut",
    ]
)  # fmt: skip

# commands whose braces hold no mathematics
DROPPED = frozenset(["label", "tag", "hspace", "vspace", "phantom", "hphantom", "vphantom", "intertext"])

COMMANDS = {
    "cdot": "dot", "bullet": "dot", "times": "*", "ast": "*", "otimes": "kron", "odot": "each",
    "circ": "each", "sum": "sum", "Sigma": "sum", "sqrt": "sqrt", "langle": "<", "rangle": ">", "lt": "<",
    "gt": ">", "dots": "dots", "ldots": "dots", "cdots": "dots", "vdots": "dots", "dotsc": "dots",
    "dotsb": "dots", "top": "top", "intercal": "top", "le": "<=", "leq": "<=", "leqslant": "<=",
    "ge": ">=", "geq": ">=", "ne": "!=", "neq": "!=", "in": "in", "prime": "'", "mid": "|", "vert": "|",
    "lvert": "|", "rvert": "|", "Vert": "||", "parallel": "||", "oplus": "||", "frac": "frac",
    "dfrac": "frac", "tfrac": "frac", "cfrac": "frac", "coloneqq": "=", "equiv": "=", "gets": "=",
    "leftarrow": "=", "lbrack": "[", "rbrack": "]", "lparen": "(", "rparen": ")", "lbrace": "(",
    "rbrace": ")", "newline": "newline", "cr": "newline", "underset": "underset",
    "overbrace": "overbrace", "underbrace": "overbrace", "colon": ":", "bigoplus": "stack",
}  # fmt: skip

MATRICES = frozenset(["matrix", "bmatrix", "pmatrix", "Bmatrix", "vmatrix", "smallmatrix"])

OPENING = {"(": ")", "[": "]", "{": "}"}
CLOSING = {close: opening for opening, close in OPENING.items()}
