"""Spelling: letters as numbers and back, and a table that learns its letters."""

from autograder import Problem, Tests


def spell(text):
    """The places of the letters of `text` in the alphabet, as a list of whole numbers: "abc" gives [0, 1, 2]."""


def unspell(numbers):
    """The text that was spelled."""


class Alphabet:
    """The letters of some texts, in the order of the alphabet."""

    def __init__(self, texts):
        """`texts` is a list of texts; `self.size` is how many letters there are in them."""

    def number(self, letter):
        """The place of a letter among those of the texts; KeyError for a letter that none of them has."""


_WORDS = ("attention", "softmax", "a")


def test_spelling_and_back(names):
    """what was spelled can be read again"""
    for word in _WORDS:
        assert names.unspell(names.spell(word)) == word


def test_spelling_is_a_list_of_numbers(names):
    """ "abc" is spelled [0, 1, 2]"""
    assert names.spell("abc") == [0, 1, 2]


def test_empty_text(names):
    """a text without letters is a list without numbers, and back"""
    assert names.spell("") == []
    assert names.unspell([]) == ""


def test_an_alphabet_counts_each_letter_once(names):
    """the size of an alphabet is the number of different letters"""
    assert names.Alphabet(["banana", "band"]).size == 4


def test_letters_are_in_order(names):
    """letters are numbered in the order of the alphabet"""
    letters = names.Alphabet(["cab", "d"])
    assert [letters.number(letter) for letter in "abcd"] == [0, 1, 2, 3]


def test_letters_that_are_not_there(names):
    """a letter that no text has raises KeyError"""
    letters = names.Alphabet(["ab"])
    assert letters.number("b") == 1
    try:
        letters.number("z")
    except KeyError:
        return
    raise AssertionError("number('z') gives a value where no text has a z")


problem = Problem(
    title="Spelling",
    source="in our own words",
    statement="Write letters as numbers, first of the whole alphabet, then of the letters that are in use.",
    parts=[
        Tests(
            "spelling_round_trip",
            points=3,
            stubs=[spell, unspell],
            visible=[test_spelling_and_back, test_spelling_is_a_list_of_numbers],
            hidden=[test_empty_text],
        ),
        Tests(
            "alphabet",
            points=3,
            stubs=[Alphabet],
            visible=[test_an_alphabet_counts_each_letter_once, test_letters_that_are_not_there],
            hidden=[test_letters_are_in_order],
        ),
    ],
)
