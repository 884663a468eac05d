"""Names, letter by letter: how likely a table of pairs makes a name."""

from autograder import Code, Problem, case, positive, whole


def name_losses(table, which):
    """The sum of -ln table[letter, next] over the pairs of letters of each name NAMES[which[b]].

    table[L, L]   which[B]   returns [B]
    """


def mean_loss(table, which):
    """The mean of -ln table[letter, next] over all pairs of letters of the names NAMES[which[b]] together.

    table[L, L]   which[B]   returns []
    """


problem = Problem(
    title="Names, letter by letter",
    source="in our own words",
    statement=r"""
`NAMES` holds the names of `data/names.txt`, and `encode("ada")` is the tensor `[0, 1, 4, 1, 0]`: a name has a dot
before its first letter and after its last. Both are given in the cell below, and so is `LETTERS`. The rows and
columns of `table` are for the 27 `LETTERS`.
""",
    given="given/letters.py",
    files=["data/names.txt"],
    parts=[
        Code(
            name_losses,
            points=2,
            draws={"table": positive(), "which": whole("N")},
            cases=[
                case("three names", L=27, B=3, N=36),
                case("many names", L=27, B=200, N=36, hidden=True, hint="every name has a length of its own"),
            ],
        ),
        Code(
            mean_loss,
            points=1,
            draws={"table": positive(), "which": whole("N")},
            cases=[
                case("four names", L=27, B=4, N=36),
                case(
                    "many names",
                    L=27,
                    B=200,
                    N=36,
                    hidden=True,
                    hint="long names have more pairs than short ones",
                ),
            ],
        ),
    ],
)
