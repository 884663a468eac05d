"""Byte pairs: how does a text become a few whole numbers?"""

from autograder import Code, Problem, case, given, string


def train_merges(corpus, steps):
    """Learn `steps` merges of the bytes of the corpus.

    Begin with single bytes. In each step count all neighbouring pairs of tokens, merge the one that occurs
    most often (of several, the one that is larger as a pair of bytes), from left to right, and note it.
    Stop early where no pair is left.
    returns list[tuple[bytes, bytes]]
    """


def encode(words, merges):
    """The tokens of a text: its bytes, merged by each pair in turn, in the order in which they were learned.

    returns list[bytes]
    """


def decode(tokens):
    """The text that the tokens stand for; bytes that are no UTF-8 become the sign U+FFFD.

    returns str
    """


def token_counts(tokens):
    """How often each token occurs.   returns dict[bytes, int]"""


def token_ids(words, vocabulary):
    """The numbers of the words, and of those that the vocabulary does not have the number -1.   returns [T]"""


problem = Problem(
    title="Byte pairs",
    source="our own",
    statement="A tokenizer joins bytes that often stand side by side. You write one in five functions.",
    parts=[
        Code(
            train_merges,
            points=4,
            draws={"corpus": string("N", letters="abc "), "steps": given()},
            cases=[
                case("a long text", N=60, steps=6),
                case("a tie", N=7, steps=2),
                case("more steps than pairs", N=3, steps=9),
                case(
                    "another text",
                    N=90,
                    steps=8,
                    hidden=True,
                    hint="of several pairs that occur as often, take the largest",
                ),
            ],
        ),
        Code(
            encode,
            points=2,
            draws={"words": string("N", letters="abt"), "merges": given()},
            cases=[
                case("two merges", N=12, merges=[(b"a", b"t"), (b"at", b"t")]),
                case("no merges", N=4, merges=[]),
                case(
                    "overlapping pairs",
                    N=20,
                    merges=[(b"a", b"a"), (b"b", b"t")],
                    hidden=True,
                    hint="go through the tokens from left to right",
                ),
            ],
        ),
        Code(
            decode,
            points=1,
            draws={"tokens": given()},
            cases=[
                case("a letter in two tokens", tokens=[b"caf", b"\xc3", b"\xa9"]),
                case("bytes that are no text", tokens=[b"a", b"\xff", b"b"]),
            ],
        ),
        Code(
            token_counts,
            points=1,
            draws={"tokens": given()},
            cases=[
                case("three tokens", tokens=[b"a", b"b", b"a", b"ab"]),
                case("nothing", tokens=[]),
            ],
        ),
        Code(
            token_ids,
            points=1,
            draws={"words": given(), "vocabulary": given()},
            cases=[
                case("all known", T=3, words=["b", "a", "b"], vocabulary={"a": 10_000_001, "b": 7}),
                case("one unknown", T=2, words=["a", "z"], vocabulary={"a": 3}),
            ],
        ),
    ],
)
