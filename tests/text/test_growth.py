"""Marks, reasons, readings and assumptions of growth rates, and the faults an author is told of."""

from __future__ import annotations

import subprocess
import sys

import pytest

from autograder.course.model import Growth, Key, Mistake, Reading, key
from autograder.errors import AnswerError
from autograder.text.growth.assumptions import domain_of
from autograder.text.growth.judge import check_growth_key, judge_growth, read_growth

SOFTMAX = Growth("softmax_time", 1, "", ("T", "U"))


def part(variables: str, *assumptions: str) -> Growth:
    return Growth("part", 1, "", tuple(variables.split()), assumptions)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("ln T", "let U grow with T fixed: your bound stays at log T while the cost grows like log U"),
        ("T + ln U", "let T grow with U fixed: your bound grows like T while the cost grows like log T"),
        ("T", "your bound is sometimes too small and sometimes too large: let U grow with T fixed"),
        ("ln T ln U", "your log T log U outgrows the cost"),
        ("1/T", "your bound shrinks like 1 / T"),
    ],
)
def test_a_verdict_short_of_equivalent_says_what_to_let_grow(answer: str, words: str) -> None:
    assert words in judge_growth(answer, SOFTMAX, key("ln T + ln U")).feedback


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("log T", "let J grow with K and T fixed: your bound stays at log T while the cost grows like log J"),
        ("log T + log K", "let J grow with K and T fixed: your bound stays at log K + log T while the cost"),
        (
            "log T + J/K",
            "let K and J grow in proportion with T fixed: your bound stays at (J/K) + log T while",
        ),
        ("log T log J", "let all variables grow: your log (J/K) log T outgrows the cost there"),
        ("K log T + log J", "let K and J grow in proportion with T fixed: your bound grows like K"),
    ],
)
def test_a_student_is_argued_with_in_the_variables_that_are_asked_about(answer: str, words: str) -> None:
    asked = part("T J K", "U <= J", "I = J/K", "K <= J")
    feedback = judge_growth(answer, asked, key("ln T + ln J")).feedback
    assert words in feedback
    assert " I" not in feedback


@pytest.mark.parametrize(
    ("answer", "wanted", "slip"),
    [
        ("ln T", "ln T + ln U", "missing_term"),
        ("ln T ln U", "ln T + ln U", "product_for_sum"),
        ("T + U", "T U", "sum_for_product"),
        ("T", "T ln U", "missing_factor"),
        ("U + ln T", "ln T + ln U", "serial_for_parallel"),
        ("T + U", "ln T + ln U", "serial_for_parallel"),
        ("log(T^2)", "(log T)^2", "log_of_power"),
        ("ln T + ln U + k", "ln T + ln U", "extra_variable"),
    ],
)
def test_a_usual_slip_is_named(answer: str, wanted: str, slip: str) -> None:
    assert judge_growth(answer, SOFTMAX, key(wanted)).mistake == slip


def test_a_variable_that_is_not_declared_is_named() -> None:
    judgement = judge_growth("O(L k)", part("T L"), key("O(L)"))
    assert judgement.verdict == "looser"
    assert judgement.feedback.startswith("k is not a variable of this question; it has T, L")


def test_a_known_mistake_speaks_first() -> None:
    known = Mistake("forgot_u", "softmax_time", "the inner product over U is a tree too", "O(log T)")
    judgement = judge_growth("ln T", SOFTMAX, key("ln T + ln U"), [known])
    assert judgement.mistake == "forgot_u"
    assert judgement.feedback.startswith("the inner product over U is a tree too; your bound is too small")


def test_further_readings_and_one_sided_bounds_earn_their_shares() -> None:
    wanted = key(
        "ln T + ln U",
        Reading("U + ln T", 1.0, "serial reading"),
        Reading("U + T", 0.5, "all serial"),
        looser=0.25,
    )
    judged = {
        answer: judge_growth(answer, SOFTMAX, wanted) for answer in ("U + log T", "T + U", "T U", "ln T")
    }
    assert [(j.verdict, j.share) for j in judged.values()] == [
        ("equivalent", 1.0),
        ("looser", 0.5),
        ("looser", 0.25),
        ("tighter", 0.0),
    ]
    assert judged["U + log T"].feedback == "serial reading"
    assert judged["T + U"].feedback == "all serial"


@pytest.mark.parametrize(
    ("assumptions", "answer", "wanted", "verdict"),
    [
        (("U <= J",), "U + J", "J", "equivalent"),
        (("U ≤ J",), "U + J", "J", "equivalent"),
        (("U \\leq J",), "U + J", "J", "equivalent"),
        (("J >= U",), "U + J", "J", "equivalent"),
        (("U at most J",), "U + J", "J", "equivalent"),
        (("U is at most J",), "U + J", "J", "equivalent"),
        (("U is less than J",), "U + J", "J", "equivalent"),
        (("U, I < J",), "U + I + J", "J", "equivalent"),
        (("1 <= U <= J",), "U + J", "J", "equivalent"),
        (("U <= J <= T",), "U + J + T", "T", "equivalent"),
        (("U = O(J)",), "U + J", "J", "equivalent"),
        (("U = Θ(J)",), "U", "J", "equivalent"),
        (("U = \\Theta(J)",), "U", "J", "equivalent"),
        (("U = Omega(J)",), "U + J", "U", "equivalent"),
        (("U = o(J)",), "U", "J", "tighter"),
        (("U << J",), "U log U", "J log J", "tighter"),
        (("d = O(1)",), "T d^2", "T", "equivalent"),
        (("d = 64",), "T d^2", "T", "equivalent"),
        (("d <= 64",), "T d^2", "T", "equivalent"),
        (("d is constant",), "T d^2", "T", "equivalent"),
        (("d constant",), "T d^2", "T", "equivalent"),
        (("k and d are constant",), "T d k", "T", "equivalent"),
        (("d = O(1)",), "T^d", "T", "looser"),
        (("d >= 2",), "T d", "T", "looser"),
        (("I = J/K",), "I K", "J", "equivalent"),
        (("J = K*I",), "ln I + ln K", "ln J", "equivalent"),
        (("J = KI",), "J/K", "I", "equivalent"),
        (("J = K I", "K <= J"), "J/K", "J", "tighter"),
        (("m = n",), "m n", "n^2", "equivalent"),
        (("m = n^2",), "m", "n^2", "equivalent"),
        (("L = log T",), "2^L", "T", "equivalent"),
        (("L = log_2 T",), "L + log log T", "log T", "equivalent"),
        (("L <= log T",), "L + log T", "log T", "equivalent"),
        (("L = O(log T)",), "L T", "T log T", "tighter"),
        (("E <= V^2",), "log E + log V", "log V", "equivalent"),
        (("E <= V(V-1)/2",), "E + V^2", "V^2", "equivalent"),
        (("V - 1 <= E",), "V + E", "E", "equivalent"),
        (("U + I <= J",), "U + I + J", "J", "equivalent"),
        (("U <= I + J",), "U + I + J", "I + J", "equivalent"),
        (("U <= max(I, J)",), "U + I + J", "I + J", "equivalent"),
        (("U <= min(I, J)",), "U + I", "I", "equivalent"),
        (("n = 2^k",), "k", "log n", "equivalent"),
        (("U <= J",), "2^U", "2^J", "tighter"),
        (("U <= J",), "2^U + 2^J", "2^J", "equivalent"),
        ((), "n^4 + m^3", "n^2 m^2", "incomparable"),
        ((), "max(n, m)", "n + m", "equivalent"),
        ((), "T log U", "T log T + U log U", "tighter"),
        ((), "x^2/y + y", "x", "looser"),
    ],
)  # fmt: skip
def test_assumptions_are_read_and_used(
    assumptions: tuple[str, ...], answer: str, wanted: str, verdict: str
) -> None:
    names = "T J K U I V E m n d L k x y"
    assert judge_growth(answer, part(names, *assumptions), key(wanted)).verdict == verdict


def test_what_was_read_is_shown_with_how_to_force_the_other_reading() -> None:
    back = read_growth("O(ln T * U)", SOFTMAX)
    assert back.plain == "O(ln(T)*U)"
    assert back.notes == ("the logarithm ends before *: ln(T)*U; for the other reading write ln(T*U)",)
    back = read_growth("ln TU + q", SOFTMAX)
    assert back.notes == (
        "the logarithm reaches over all of it: ln(T*U); for the other reading write U*ln(T)",
        "q is not a variable of this question; it has T, U",
    )
    with pytest.raises(AnswerError, match="cannot read '\\^2' at column 3: write an answer such as"):
        read_growth("T^^2", SOFTMAX)


def test_faults_of_the_author_are_told() -> None:
    assert check_growth_key(SOFTMAX, key("ln T + ln U", Reading("U + ln T"))) == []
    same = Mistake("same", "softmax_time", "no", "log TU")
    (fault,) = check_growth_key(SOFTMAX, key("ln T + ln U"), [same])
    assert (
        fault
        == "softmax_time: mistake 'same' equals the key: 'log TU' is the same growth rate as 'ln T + ln U'"
    )
    serial = Mistake("serial", "softmax_time", "no", "U + log T")
    (fault,) = check_growth_key(SOFTMAX, key("ln T + ln U", Reading("U + ln T")), [serial])
    assert "equals a reading that earns marks" in fault
    (fault,) = check_growth_key(SOFTMAX, key("ln T +"))
    assert fault.startswith("softmax_time: key 'ln T +': the answer stops after '+'")
    (fault,) = check_growth_key(SOFTMAX, key("ln J"))
    assert fault == "softmax_time: the key uses J, which the question does not declare"
    (fault,) = check_growth_key(part("T U", "T <="), key("T"))
    assert fault.startswith("part: assumption 'T <='")
    (fault,) = check_growth_key(part("T U", "T U <= 5"), key("T"))
    assert "contradict" in fault
    (fault,) = check_growth_key(part("T U"), key("T - U"))
    assert "subtracts a term" in fault


def test_an_assumption_without_a_relation_is_refused() -> None:
    with pytest.raises(AnswerError, match=r"assumption 'T': an assumption is a relation"):
        domain_of(("T",), ("T",))


def test_reading_an_answer_loads_no_heavy_library() -> None:
    code = (
        "import sys; from autograder.text.growth.judge import read_growth; from autograder.course.model import Growth; "
        "read_growth('O(T)', Growth('p', 1, '', ('T',))); "
        "print([name for name in ('torch', 'scipy', 'sympy', 'numpy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_witness_speaks_in_the_names_of_the_question() -> None:
    spatial = part("X Y J K", "I = J/K", "K <= J")
    judged = judge_growth("O(ln J)", spatial, key("O(ln X + ln Y + ln J)"))
    assert "let X grow with J and Y fixed: your bound stays at log J" in judged.feedback
    judged = judge_growth("O(J^2 K)", spatial, key("O(ln X + ln J)"))
    assert "let X grow with J and K fixed: your bound stays at J^2 K" in judged.feedback


@pytest.mark.parametrize(
    ("answer", "plain", "note"),
    [
        ("O(n^2 U) where n = T", "O(T^2*U)", "n was read as T, as you say"),
        ("O(n U), n is the sequence length", "O(T*U)", "n was read as T, as you say"),
        ("O(c T), c constant", "O(c*T)", "c was read as a constant, as you say"),
        ("O(T u)", "O(T*U)", "u was read as U, the question's letter"),
        ("O(T q)", "O(T*q)", "q is not a variable of this question; it has T, U"),
        ("Θ(T)", "Θ(T)", ""),
    ],
)
def test_the_check_shows_what_was_taken_for_what(answer: str, plain: str, note: str) -> None:
    read = read_growth(answer, SOFTMAX)
    assert (read.plain, "; ".join(read.notes)) == (plain, note)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (
            "O(T U), independent of U",
            "you say that it does not depend on U, but O(T*U) does: give one growth rate",
        ),
        ("O(T^2), linear in T", "you say that it is like T, but O(T^2) is not: give one growth rate"),
        ("O(T^2 U^2) (cubic)", "you say that it is cubic, but O(T^2*U^2) is not: give one growth rate"),
        ("O(T)\nO(U)", "'T' and 'U' differ: give one growth rate"),
        ("O(T U) where U = T", "the question does not say that U = T: give the rate without assuming it"),
        (
            "O(T), where U is the sequence length",
            "you call U the sequence length, which is T here: use the question's",
        ),
        ("o(T)", "little o says that the cost stays strictly below it; write O(…), with a capital O"),
        ("Õ(T)", "a soft O leaves logarithms out; write O(…) with all its factors"),
    ],
)
def test_an_answer_that_contradicts_itself_is_refused_with_the_reason(answer: str, words: str) -> None:
    judged = judge_growth(answer, SOFTMAX, key("O(T)"))
    assert (judged.verdict, judged.share) == ("unparseable", 0.0)
    assert words in judged.feedback


def test_names_in_words_are_the_authors_before_they_are_the_usual_ones() -> None:
    named = Growth("part", 1, "", ("T", "N"), words={"N": "sequence length, number of words"})
    assert read_growth("linear in the sequence length", named).plain == "O(N)"
    with pytest.raises(AnswerError, match="names no variable of the question: write its letter"):
        read_growth("linear in the sequence length", Growth("part", 1, "", ("T", "N")))


def test_a_rate_for_one_is_not_taken_for_that_of_all_where_the_work_is_asked_for() -> None:
    work = Growth("part", 1, "", ("T", "d"), quantity="work")
    judged = judge_growth("O(T d) per position", work, key("O(T d)"))
    assert (judged.verdict, judged.feedback) == (
        "unparseable",
        "you give it for one position: write it for all of them",
    )
    assert judge_growth("O(T d) per head", work, key("O(T d)")).share == 1


def test_words_for_a_name_that_is_not_declared_are_a_fault() -> None:
    faulty = Growth("cost", 1, "", ("T",), words={"Q": "number of queries"})
    assert check_growth_key(faulty, key("O(T)")) == [
        "cost: words are given for Q, which the question does not declare"
    ]


def test_letters_of_the_measured_code_are_the_questions() -> None:
    part = Growth("part", 1, "", ("T", "d"), quantity="work", sizes={"dv": "d"})
    for answer in ("O(T d d_v)", "O(T d_v^2)"):
        assert judge_growth(answer, part, Key("O(T d^2)")).verdict == "equivalent"
    assert judge_growth("O(T^2 d_v)", part, Key("O(T d^2)")).verdict == "incomparable"
    assert "d_v was read as d, as in the code of this problem" in read_growth("O(T d d_v)", part).notes


def test_another_rate_for_what_is_asked_about_is_a_contradiction() -> None:
    part = Growth("part", 1, "What is the time of a CNN?", ("T", "L"))
    assert judge_growth("O(L), while an RNN needs O(T)", part, Key("O(L)")).verdict == "equivalent"
    judged = judge_growth("O(L), while a CNN needs O(T)", part, Key("O(L)"))
    assert judged.verdict == "unparseable"
    assert "O(T) for CNN: give one growth rate" in judged.feedback


def test_a_length_in_code_is_noted() -> None:
    assert "len(x) was read as N" in read_growth("O(len(x))", Growth("part", 1, "", ("N",))).notes
