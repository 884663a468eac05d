"""Several labels, or all of them in an order, are compared with the right ones."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping

from autograder.course.small_kinds import Order, Select
from autograder.errors import AnswerError
from autograder.text.small.undress import undressed
from autograder.text.verdict import Judgement

NONE = frozenset({"none", "none of them", "none of these", "none of the above", "nothing", "{}", "[]", "∅"})
ALL_BUT = re.compile(
    r"^(?:all|everything|every\s+one|each)(?:\s+(?:of\s+(?:them|these)|options?))?\s+(?:but|except(?:\s+for)?|without)\s+(?!not\b)"
)
ALL = frozenset({"all", "all of them", "all of these", "all of the above"})
_ARROW = r"-+>|=+>|[→⟶⇒⟹]|\\(?:long)?(?:right|Right)arrow(?![A-Za-z])|\\to(?![A-Za-z])"
_BETWEEN = re.compile(rf"{_ARROW}|[\s,;/&+|><]+|\bfollowed\s+by\b|\b(?:and|then|und|before)\b")
_PARTED = re.compile(
    rf"{_ARROW}|[,;\n]+|\bfollowed\s+by\b|\b(?:and|then|before)\b"
)  # what parts whole options
_BULLET = re.compile(r"^[ \t]*[-*•][ \t]+", re.M)
_NUMBERED = re.compile(r"(?<!\w)(\d+)(?:[.):]|\s)\s*(?=\S)")
_MARKS = re.compile(r"\*\*|[`$]|\\[()\[\]]|\\(?=[{}])|\\operatorname\b")
_SAID = re.compile(r"^(?:the\s+)?(?:(?:correct|right)\s+)?(?:options?|choices?)\b\s*(?:is|are|:|=)?\s*", re.I)
_BESIDE = re.compile(r"\b(?:both|only|just)\b")
_HOLD = re.compile(r"\s+(?:is|are)\s+(?:both\s+|all\s+)?correct$")
_FIRST = re.compile(r"^first(?:ly)?\b[\s,:]*")
_FINALLY = re.compile(r"\b(?:finally|lastly|last)\b[\s,:]*(?!.*(?:[,;\n]|\band\b|\bthen\b))")
_EDGES = "()[]{}\"'.: "
_PRIVATE = 0xE000  # the first character that stands for nothing
_NOT = re.compile(r"^(?:it\s+is\s+)?(?:not|neither|nor)\s+")


def plain_words(answer: str) -> str:
    """The answer in small letters, without marks of Markdown and LaTeX and without 'the answer is'."""
    text = _MARKS.sub("", undressed(_BULLET.sub("", answer.strip()).rstrip(".!"))).strip()
    return _SAID.sub("", text).strip().rstrip(".!").strip().casefold()


def label_of(piece: str, options: Mapping[str, str]) -> str | None:
    """The label that a piece says: by itself, by the text of its option, or by both where they agree."""
    said = piece.strip(_EDGES)
    labels = {label.casefold(): label for label in options}
    if said in labels:
        return labels[said]
    texts = [label for label, text in options.items() if plain_words(text).strip(_EDGES) == said]
    if said and len(texts) == 1:
        return texts[0]
    for label, text in options.items():
        both = re.fullmatch(rf"{re.escape(label.casefold())}(?:\s*[).:,-]|\s)\s*(.+)", said)
        if both and text and both[1].strip(_EDGES) == plain_words(text).strip(_EDGES):
            return label
    return None


def read_labels(answer: str, options: Mapping[str, str], between: str = "") -> tuple[str, ...]:
    """The labels that were typed, in their order; AnswerError names what is none of them.

    `between` are further signs that part labels, where no label holds them.
    """
    text, whole = _with_tokens(_without_numbers(plain_words(answer), options), options)
    for words in (_BESIDE, _HOLD, _FIRST, _FINALLY):
        if not any(words.search(option.casefold()) for option in (*options, *options.values())):
            text = words.sub(" ", text)
    parted = [
        label_of(_in_words(piece, whole), options) for piece in _PARTED.split(text) if piece.strip(_EDGES)
    ]
    found = [label for label in parted if label is not None]
    if not parted or len(found) < len(parted):
        _refuse_mixed(_in_words(text, whole), options)
        found = [_known(_in_words(piece, whole), options) for piece in _pieces(text, options, between)]
    return tuple(found)


def _with_tokens(text: str, options: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """Options whose words part labels elsewhere, 'add and norm', as one sign each, and what these say."""
    said = sorted({plain_words(option) for option in options.values()}, key=len, reverse=True)
    whole: dict[str, str] = {}
    for words in said:
        alone = rf"(?<!\w){re.escape(words)}(?!\w)"
        if _PARTED.search(words) and re.search(alone, text):
            token = chr(_PRIVATE + len(whole))
            whole[token] = words
            text = re.sub(alone, token, text)
    return text, whole


def _refuse_mixed(text: str, options: Mapping[str, str]) -> None:
    """b) with the words of another option behind it says two things."""
    for label in options:
        for other, option in options.items():
            words = re.escape(plain_words(option).strip(_EDGES))
            mixed = re.search(rf"(?<!\w){re.escape(label.casefold())}\s*[).:]\s*{words}(?!\w)", text)
            if mixed and words and option not in options and label != other:
                raise AnswerError(
                    f"'{mixed[0]}' is the label of one and the words of another: write the label"
                )


def _in_words(piece: str, whole: Mapping[str, str]) -> str:
    for token, words in whole.items():
        piece = piece.replace(token, words)
    return piece


def _without_numbers(text: str, options: Mapping[str, str]) -> str:
    """1. a 2. b as a, b: where numbers count from 1, and no option has one."""
    numbers = _NUMBERED.findall(text)
    if numbers != [str(count) for count in range(1, len(numbers) + 1)]:
        return text
    if any(char.isdigit() for option in (*options, *options.values()) for char in option):
        return text
    return _NUMBERED.sub(", ", text)


def _pieces(text: str, options: Mapping[str, str], between: str) -> list[str]:
    known = {label.casefold() for label in options}
    for sign in between:
        if not any(sign in label for label in known):
            text = re.sub(rf"(?<=\w)\s*{re.escape(sign)}\s*(?=\w)", " ", text)
    pieces = [piece for each in _BETWEEN.split(text) if (piece := each.strip(_EDGES))]
    if len(pieces) == 1 and pieces[0] not in known and set(pieces[0]) <= known:
        return list(pieces[0])  # "acd", where every label is a letter
    return pieces


def _known(piece: str, options: Mapping[str, str]) -> str:
    label = label_of(piece, options)
    if label is None:
        labels = ", ".join(options)
        raise AnswerError(f"'{piece}' is none of {labels}: write labels with commas between them")
    return label


def read_select(answer: str, part: Select) -> tuple[str, ...]:
    """The chosen labels in the order of the question."""
    said = plain_words(answer)
    if said in NONE and said not in {label.casefold() for label in part.options}:
        return ()
    if said in ALL and said not in {label.casefold() for label in part.options}:
        return tuple(part.options)
    if but := ALL_BUT.match(said):
        chosen = set(part.options) - set(read_labels(said[but.end() :], part.options))
    elif (denied := _denied(said, part.options)) is not None:
        chosen = set(part.options) - denied
    else:
        chosen = set(read_labels(answer, part.options))
    return tuple(label for label in part.options if label in chosen)


def _denied(said: str, options: Mapping[str, str]) -> set[str] | None:
    """Not b, not e: what is left out, where that is all that is said."""
    pieces = [
        piece.strip()
        for piece in re.split(r"[,;\n]+(?:\s*and\b)?|\band\b|(?=\bnor\b)", said)
        if piece.strip()
    ]
    if not pieces or any(not _NOT.match(piece) or label_of(piece, options) for piece in pieces):
        return None
    return {_known(_NOT.sub("", piece), options) for piece in pieces}


def judge_select(answer: str, part: Select, key: str) -> Judgement:
    """Each right label earns its share of the marks, each wrong one takes as much away."""
    want, got = set(read_select(key, part)), read_select(answer, part)
    right, wrong = want & set(got), set(got) - want
    read_as = ", ".join(f"({label})" for label in got) or "none"
    if not wrong and right == want:
        return Judgement("equal", 1.0, read_as=read_as)
    share = max(0.0, (len(right) - len(wrong)) / len(want)) if want else 0.0
    said = f"{len(right)} of your {len(got)} labels are right" if got else "some label applies"
    if len(right) < len(want) and not wrong:
        said += "; there are more"
    return Judgement("partial" if share else "different", share, said, read_as=read_as)


def read_order(answer: str, part: Order) -> tuple[str, ...]:
    """All labels in the order that was typed."""
    found = read_labels(answer, part.options, between="-–.")
    if "<" in answer and ">" in re.sub(_ARROW, "", answer):
        raise AnswerError("'<' and '>' point both ways: write the labels in order, with commas between them")
    if len(set(found)) < len(found):
        twice = next(label for label in found if found.count(label) > 1)
        raise AnswerError(f"'{twice}' stands there twice: write each label once")
    absent = [label for label in part.options if label not in found]
    if absent:
        raise AnswerError(f"'{absent[0]}' is not in your order: write every label once")
    return found


def judge_order(answer: str, part: Order, key: str) -> Judgement:
    """The share of pairs that stand in the right order; half of them do by chance, and earn nothing."""
    want, got = read_order(key, part), read_order(answer, part)
    read_as = ", ".join(f"({label})" for label in got)
    pairs = list(itertools.combinations(want, 2))
    kept = sum(got.index(first) < got.index(second) for first, second in pairs)
    if kept == len(pairs):
        return Judgement("equal", 1.0, read_as=read_as)
    share = max(0.0, 2 * kept / len(pairs) - 1)
    said = f"{kept} of {len(pairs)} pairs stand in the right order"
    return Judgement("partial" if share else "different", share, said, read_as=read_as)
