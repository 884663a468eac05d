"""Systems of equations, feedback, readings, and input that is meant to hurt."""

from __future__ import annotations

import pytest

from autograder.course.model import Equation, Reading, Tensor, key
from autograder.errors import CourseError
from autograder.text.equation import judge_equation
from autograder.text.verdict import Judgement
from tests.text.equation.parts import PARTS


def judge(part: str, answer: str) -> Judgement:
    _, equation, right, slips = PARTS[part]
    return judge_equation(answer, equation, right, slips)


# ---------------------------------------------------------------- systems


def test_a_line_handed_in_alone_is_judged_alone() -> None:
    judged = judge("caption_equations", "V[K] = sum_{x,y} alpha[x,y] M[x,y,K]")
    assert judged.verdict == "equal"
    assert judged.share == 0.25
    assert judged.missing == ("P", "alpha", "h")
    assert "missing: P, alpha, h" in judged.feedback
    assert [(line.defines, line.verdict) for line in judged.lines] == [("V", "equal")]


def test_one_slip_costs_one_line() -> None:
    _, _, right, _ = PARTS["caption_equations"]
    wrong = right.answer.replace("softmax_{x,y}", "softmax_{x}")
    judged = judge("caption_equations", wrong)
    assert judged.verdict == "different"
    assert judged.share == 0.75
    assert [line.verdict for line in judged.lines] == ["equal", "different", "equal", "equal"]
    assert judged.mistake == "softmax_over_x"


def test_a_known_slip_is_said_first_and_what_was_found_in_brackets() -> None:
    known = next(one for one in PARTS["caption_equations"][3] if one.id == "softmax_over_x")
    judged = judge("caption_equations", str(known.answer))
    assert judged.feedback.startswith(f"alpha: {known.says} (")
    assert "entries differ on random tensors; first at" in judged.feedback


def test_a_name_or_a_place_is_not_said_twice() -> None:
    judged = judge("caption_equations", "foo bar\nV[K] = V[K]")
    first, second, _ = judged.feedback.split("\n")
    assert first.startswith("line 1, column 1: expected an equation")
    assert second == "V is defined by itself: define it by the tensors that come before"


def test_the_order_of_lines_does_not_matter() -> None:
    _, _, right, _ = PARTS["spatial_equations"]
    judged = judge("spatial_equations", "\n".join(reversed(right.answer.splitlines())))
    assert (judged.verdict, judged.share) == ("equal", 1.0)


def test_the_worst_line_gives_the_verdict() -> None:
    judged = judge(
        "caption_equations",
        "alpha[x,y] = softmax_x h[t-1,J] W_key[J,K] M[x,y,K]\n"
        "V[K] = alpha[x,y] M[x,y,K]\n"
        "h[t,J] = CELL(h[t-1,J]",
    )
    assert [line.verdict for line in judged.lines] == ["different", "ill-typed", "unparseable"]
    assert judged.verdict == "unparseable"


def test_a_system_in_latex_is_read_whole() -> None:
    judged = judge(
        "caption_equations",
        r"""
        % the four equations
        $$\begin{aligned}
        P(w_t \mid w_0, \dots, w_{t-1})
          &= \underset{w_t}{\text{softmax}} \ e[w_t, I] W^{\text{auto}}[I, J] h[t-1, J] \\
        \alpha[x, y] &= \underset{x, y}{\text{softmax}} \ h[t-1, J] W^{\text{key}}[J, K] M[x, y, K] \\[4pt]
        V[K] &= \sum_{x, y} \alpha[x, y] M[x, y, K] \\
        h[t, J] &= \text{CELL}_{\Phi}(h[t-1, J], V[K], e[w_t, I]) \tag{4}
        \end{aligned}$$
        """,
    )
    assert (judged.verdict, judged.share, judged.feedback) == ("equal", 1.0, "")


def test_an_equation_may_go_on_over_several_lines() -> None:
    judged = judge(
        "blank_lm_equation",
        "P(w_t | rest)\n  = softmax_{w_t} [\n e[w_t,I] W_fwd[I,J] h_fwd[t-1,J]\n"
        " + e[w_t,I] W_bwd[I,J] h_bwd[t+1,J]\n]",
    )
    assert judged.verdict == "equal"


def test_equations_on_one_line_are_told_apart() -> None:
    judged = judge(
        "spatial_equations",
        "Query[k,x,y,U] = WQ[k,U,J] h_in[x,y,J]; Key[k,x,y,U] = WK[k,U,J] h_in[x,y,J]",
    )
    assert [line.defines for line in judged.lines] == ["Query", "Key"]
    assert judged.verdict == "equal"


def test_a_definition_by_itself_is_ill_typed() -> None:
    judged = judge("linear_equation", "z_i = z_i + 1\ny_i = z_i (sum_j <q_i,k_j> v_j)")
    assert judged.verdict == "ill-typed"
    assert "z is defined by itself" in judged.feedback


def test_an_answer_that_defines_nothing_asked_for_says_so() -> None:
    judged = judge("linear_equation", "z_i = sum_j <q_i,k_j>")
    assert (judged.verdict, judged.share) == ("ill-typed", 0.0)
    assert judged.feedback == "no line defines what is asked: start a line with y"


# ---------------------------------------------------------------- words


@pytest.mark.parametrize(
    ("part", "answer", "words"),
    [
        ("embedding_equation", "L_0[b,t,i] = e[w[b,t],j]", "index j dangles"),
        ("embedding_equation", "L_0[b,t,i] = E[w[b,t],i]", "E is not declared"),
        ("embedding_equation", "L_0[b,t,i] = e[w[b,t]]", "a vector of length I: write the last index on both"),
        ("embedding_equation", "L_0[b,t,i] = e[w[b,t],i,t]", "e has 2 indices [W,I], found 3"),
        ("embedding_equation", "L_0[b,t,i] = sum_j e[w[b,t],i]", "sum over j is a sum over nothing"),
        ("embedding_equation", "L_0[b,t,i] = e[w[b,0],i]", "index t stands on the left side of L_0 only"),
        ("embedding_equation", "L_0[b,b,i] = e[w[b,b],i]", "has the index b twice"),
        ("embedding_equation", "L_0[b,t,i] = e[w[b,t-1],i]", "w is read at position -1"),
        ("caption_equations", "V[K] = sum_{x,y} alpha[y,x] M[x,y,K]", "over X in alpha and over Y in M"),
        ("linear_equation", "z_m = <q_1,k_1>\ny_i = z_i v_i", "index m stands on the left side of z only"),
        ("head_equation", "H_{l,h} = V H SoftMax((K H)^T Q H", "'(' is never closed"),
        ("head_equation", "H_{l,h} = H V", "a D x N matrix cannot be multiplied by a D x D matrix"),
        ("final_output", "Y_T = sigmoid(sum_{t=1}^{T} X_{2t})", "X is read at position"),
        ("merged_equation", "W_tilde[k,j1,j2] = WQ[k,I,j1] WK[k,I,j2]", "1/sqrt(I) is missing"),
        (
            "head_equation", "H_{l,h} = softmax(Q K^T / sqrt(d_k)) V",
            "this question has no scaling, and items are columns (",
        ),
        ("attention_equation", "alpha[k] = softmax(L W_tilde[k] L^T / sqrt(d_k))", "this question has no scaling"),
        ("merged_equation", "W_tilde[k] = WQ[k]^T WK[k] / sqrt(d_k)", "d_k is nothing here: the lengths are K, I"),
        ("merged_equation", "W_tilde = (1/sqrt(I)) WQ^T WK", "an array with 3 axes is no matrix"),
        ("attention_equation", "alpha[k] = softmax(L W_tilde[k] L^T, dim=2)", "no axis 2 of a T x T matrix"),
        ("embedding_equation", "L_0[b,t,i] = e[w[b,t]-w,i]", "w has 2 indices [B,T], found 0"),
        ("embedding_equation", "L_0[t] = e[w[t]]", "t stands where B belongs"),
        ("layer_equation", "L_{l+1}[b,t,i] = sum_{dt,j} W_{l+1}[dt,i,j] L_l[b,2t+dt,j]", "swap the indices"),
        ("linear_equation", "y_i = weighted average of the values", "these are words"),
        ("linear_equation", "y_i = sum_j sim(q_i,k_j) v_j", "sim is not defined: define it"),
        ("merged_equation", "W_tilde[k,j1,j2] = 3 WQ[k,I,j1] WK[k,I,j2]", "entries differ"),
    ],
)  # fmt: skip
def test_feedback_says_where_and_what(part: str, answer: str, words: str) -> None:
    assert words in judge(part, answer).feedback


def test_a_further_reading_earns_its_share() -> None:
    _, equation, right, _ = PARTS["linear_equation"]
    lenient = key(right.answer, Reading("y_i = sum_j <q_i,k_j> v_j", 0.5, "the weights are not normalised"))
    judged = judge_equation("y_i = sum_l <q_i,k_l> v_l", equation, lenient)
    assert (judged.verdict, judged.share, judged.feedback) == ("equal", 0.5, "the weights are not normalised")


def test_the_same_answer_gets_the_same_report() -> None:
    answer = "y_i = sum_j <q_i,k_j> v_j / T"
    assert judge("linear_equation", answer) == judge("linear_equation", answer)


def test_a_key_that_cannot_be_read_is_the_authors_fault() -> None:
    part = Equation("broken", 1, "", [Tensor("y", ["I"]), Tensor("x", ["I"])])
    with pytest.raises(CourseError, match="the key of 'broken' cannot be read"):
        judge_equation("y[i] = x[i]", part, key("y[i] = (x[i]"))
    with pytest.raises(CourseError, match="the key of 'broken' is ill-typed"):
        judge_equation("y[i] = x[i]", part, key("y[i] = x[j]"))


# ---------------------------------------------------------------- hostile input

FACTORS = " ".join(f"WK[A{n},B{n},C{n}]" for n in range(60))
SUMS = "".join(f"sum_{{a{n},b{n},c{n}}} " for n in range(60))


@pytest.mark.parametrize(
    "answer",
    [
        "W_tilde[k,j1,j2] = " + "WQ[k,I,j1] + " * 900,
        "x" * 10_000,
        "W_tilde[k,j1,j2] = " + "(" * 200 + "1" + ")" * 200,
        "W_tilde[k,j1,j2] = " + "-" * 3_000 + "1",
        "W_tilde[k,j1,j2] = " + "sqrt " * 1_000 + "I",
        "W_tilde[k,j1,j2] = " + "2^" * 2_000 + "2",
        "W_tilde[" + ",".join(f"a{n}" for n in range(40)) + "] = 1",
        "big[" + ",".join(f"a{n}" for n in range(40)) + "] = 1\nW_tilde[k,j1,j2] = big[k]",
        f"W_tilde[k,j1,j2] = {FACTORS}",
        "W_tilde[k,j1,j2] = " + " ".join(f"(WQ[k,I{n},j1] + WK[k,I{n},L{n}])" for n in range(40)),
        "W_tilde[k,j1,j2] = sum_{i=1}^{1000000000} WQ[k,i,j1] WK[k,i,j2]",
        "W_tilde[k,j1,j2] = sum_{i=1}^{900000} WQ[k,I,j1] WK[k,I,j2]",
        "W_tilde[k,j1,j2] = 99999999999999999999999999",
        "W_tilde[k,j1,j2] = 9^9^9^9^9^9 WQ[k,I,j1] WK[k,I,j2]",
        "a = 1\n" * 500,
        "\x00\x01\ufffe",
        "= " * 50,
        r"W_tilde = \underbrace,{WQ}",
        "W_tilde = WQ.transpose() @ WK.pow().softmax(dim=x)",
        "W_tilde = einsum('kkk->', WQ, WK, WQ) + einsum('->', WK)",
        "f(a) = f(f(a))\nW_tilde = f(WQ)",
        "\n".join(f"a{n} = a{n + 1} + a{n + 1}" for n in range(30)) + "\nW_tilde = a0",
        "",
        "   \n\n  ",
    ],
    ids=lambda answer: repr(answer[:30]),
)
def test_hostile_input_is_refused_with_a_sentence(answer: str) -> None:
    judged = judge("merged_equation", answer)
    assert judged.verdict != "equal"
    assert judged.share == 0
    assert judged.feedback


# ---------------------------------------------------------------- remarks

MERGED = "W_tilde[k,j1,j2] = 1/sqrt(I) sum_i WQ[k,i,j1] WK[k,i,j2]"


@pytest.mark.parametrize(
    "remark",
    [
        "(without the scaling)",
        "with no scaling",
        "where the sum is over k",
        ", then transpose it",
        "(this is not right)",
        "where nothing is divided",
    ],
)
def test_a_remark_that_says_something_else_than_the_equation_is_refused(remark: str) -> None:
    judged = judge("merged_equation", f"{MERGED} {remark}")
    assert judged.verdict == "unparseable"
    assert judged.feedback.endswith("write it into the equation, or leave it out")


@pytest.mark.parametrize(
    "remark",
    [
        "where the sum is over i",
        "where i runs over the key dimension",
        "(with the scaling)",
        ", since the key is not used alone",
        "for all k",
    ],
)
def test_a_remark_that_agrees_is_passed_over(remark: str) -> None:
    assert judge("merged_equation", f"{MERGED} {remark}").verdict == "equal"


def test_a_softmax_that_a_remark_moves_to_another_index_is_refused() -> None:
    line = "alpha[k,t1,t2] = softmax_{t2}(L[t1,J1] W_tilde[k,J1,J2] L[t2,J2])"
    assert judge("attention_equation", f"{line} with softmax over t1").verdict == "unparseable"
    assert judge("attention_equation", f"{line} with softmax over t_2").verdict == "equal"


@pytest.mark.parametrize(
    ("part", "answer"),
    [
        ("embedding_equation", "L_0[b,t,i] = e[w[b,t],i] where w[b,t] = w[t,b]"),
        (
            "final_output",
            "Y_T = sigmoid(1000 (sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + H_0)) where H_0 = 0",
        ),
    ],
)
def test_a_given_tensor_must_not_be_restricted(part: str, answer: str) -> None:
    judged = judge(part, answer)
    assert judged.verdict == "unparseable"
    assert "is given, and may have any values: leave this line out" in judged.feedback
