"""A solved sheet becomes draft problems: what is read is proved by our readers, the rest says FILL IN."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from autograder.cli.app import app
from autograder.course.load import load_course
from autograder.course.model import Equation, Key, Tensor
from autograder.draft.write import draft_sheet, report
from autograder.errors import UsageError
from autograder.text.judge import judge_text, key_faults

SHEET = r"""
# Week 1

**Problem 1. Pooling.** Vectors $x[T, J]$ are pooled with weights $W[K, J]$.

(a) Give the equations of the scores $s[k, t]$ and of the pooled vectors $p[k, J]$.

**Solution:**

$$\begin{aligned} s[k, t] &= W[k, J] x[t, J] \\ p[k, J] &= \sum_{t} s[k, t] x[t, J] \end{aligned}$$

(b) What is the serial running time as a function of $T$, $J$ and $K$?

**Solution:** Each of the $K$ rows takes $O(T J)$ steps, so that we get

$$O(K T J)$$

(c) How many parameters are there?

**Solution:** $K J$.

(d) Why are no biases needed?

**Solution:** A constant would be added to every score, and the next layer can undo it.

**Problem 2. A slip.** As before.

(a) Give the equation of the scores.

**Solution:** $$s[k, t] = W[k, J] x[J]$$

(b) Give the sums.

**Solution:** $$s[k, t] = W[k, J] x[t, J] + x[J, t]$$

(c) And then?
"""


def test_a_sheet_is_drafted_through_our_own_readers() -> None:
    first, second = draft_sheet(SHEET, "week1.md", "week1")
    assert [part.kind for part in first.parts] == ["equation", "growth", "formula", "prose"]
    assert [part.kind for part in second.parts] == ["prose", "prose", "prose"]
    assert first.title == "Pooling"
    text = "\n".join(report((first, second)))
    assert "2 equations over s[K, T], W[K, J], x[T, J], p[K, J]" in text
    assert "index t stands on the left side of s only" in text
    assert "x stands with the axes T, J and with J, T" in text
    assert "the sheet gives no solution" in text
    assert "3 of 7 parts read; 4 left to fill in" in text


def test_what_was_drafted_is_a_course_that_loads(tmp_path: Path) -> None:
    sheet = tmp_path / "week1.md"
    sheet.write_text(SHEET, encoding="utf-8")
    done = CliRunner().invoke(
        app, ["draft", str(sheet), "--set", "week1", "--course", str(tmp_path / "course")]
    )
    assert done.exit_code == 0, done.output
    course = load_course(tmp_path / "course")
    problem, solution = course.problems["week1_1"], course.solutions["week1_1"]
    for name in ("part_a", "part_b", "part_c"):
        key = solution.answers[name]
        assert judge_text(key.answer, problem.part(name), key).share == 1
    again = CliRunner().invoke(
        app, ["draft", str(sheet), "--set", "week1", "--course", str(tmp_path / "course")]
    )
    assert again.exit_code != 0


def test_latex_environments_are_read() -> None:
    sheet = r"""\documentclass{article}\begin{document}
\begin{problem} How many weights has a layer from $I$ to $J$ units?
\begin{solution} There are $I J + J$ with the biases. \end{solution}
\end{problem}
\end{document}"""
    (problem,) = draft_sheet(sheet, "sheet.tex", "week2")
    assert [part.kind for part in problem.parts] == ["formula"]


def test_a_sheet_without_problems_is_refused() -> None:
    with pytest.raises(UsageError, match="has neither a problem nor a formula"):
        draft_sheet("Notes of a lecture.", "notes.md", "week1")


LAYERS = r"""
**Problem 1. Two heads and more.** Vectors $x[T, J]$ go through $K$ heads, where $U < J$ and $I = J/K$.

(a) Give the equations of the layer.

**Solution:**

$$\text{Score}[k, t_1, t_2] = \text{softmax}_{t_2} W^Q[k, J, U] x[t_1, J] W^K[k, J', U] x[t_2, J']$$

$$\text{Out}[k, t, I] = \sum_{t'} \text{Score}[k, t, t'] W^V[k, I, J] x[t', J]$$

$$y[t, J] = \text{Out}[1, t, I]; \dots; \text{Out}[K, t, I]$$

(b) What is its parallel time, as a function of $T$, $J$ and $K$?

**Solution:** $O(\ln T + \ln J)$, or $O(J + \ln T)$ with serial inner products.

**Problem 2. Words.** Each word has a vector $e[W, I]$.

(a) Give the chance of the next word.

**Solution:** $$P_{\Phi}(w_t | w_1, \dots, w_{t-1}) = \underset{w_t}{\text{softmax}} \ e[w_t, I] A[I, J] h[t-1, J]$$

(b) Give the next state.

**Solution:** $$h[t, J] = \text{CELL}_{\Phi}(h[t-1, J], e[t, I])$$

(c) Give the embedding layer.

**Solution:** $$L[b, t, i] = e[w[b, t], i]$$

(d) Give the weights.

**Solution:** $$\begin{aligned} &= \text{softmax}_{s} q[t, I] k[t, I] \\ a[t, s] &= \text{softmax}_{s} q[t, I] k[s, I] \end{aligned}$$
"""


def test_equations_are_declared_with_what_the_sheet_says_of_them() -> None:
    first, second = draft_sheet(LAYERS, "layers.md", "week3")
    assert [part.kind for part in (*first.parts, *second.parts)] == [
        "equation", "growth", "equation", "equation", "equation", "equation",
    ]  # fmt: skip
    text = "\n".join(report((first, second)))
    assert "taken from the sheet: J = K*I" in text
    assert "assumed, as the sheet says: U <= J, I = J/K" in text
    assert "the solution also says O(J + \\ln T)" in text
    assert "CELL([J], [I]) -> [J] is taken for a function of its own" in text
    assert "FILL IN: t is taken to run over 1..T-2" in text
    assert "a softmax over s is followed by no s: is another index meant?" in text
    assert "FILL IN: 1 lines of a derivation before it are left out" in text
    assert "Tensor('w', ['B', 'T'], entries='W')" in second.problem
    assert "# def part_a_code(WQ, x, WK, WV):" in first.problem
    assert "returns [T, K*I]" in first.problem


def test_what_is_drafted_from_layers_is_proved_without_an_edit(tmp_path: Path) -> None:
    sheet, course = tmp_path / "layers.md", str(tmp_path / "course")
    sheet.write_text(LAYERS, encoding="utf-8")
    for command in (["draft", str(sheet), "--set", "week3"], ["build"], ["verify"]):
        done = CliRunner().invoke(app, [*command, "--course", course])
        assert done.exit_code == 0, done.output


def test_answers_without_questions_are_guides_and_ask_for_the_questions() -> None:
    drafted = draft_sheet("## 1 Question 1\n\nIt is $O(T)$.\n\n## Question 2\n\nYes.\n", "hw.md", "hw")
    assert [part.kind for problem in drafted for part in problem.parts] == ["prose", "prose"]
    assert "FILL IN: what is asked?" in drafted[0].problem
    assert "O(T)" not in drafted[0].problem  # what may be an answer is not handed out
    assert "O(T)" in drafted[0].solution


SHEETS = Path(__file__).with_name("sheets")


def told(name: str) -> tuple[dict[str, str], str]:
    """The kind of each part by problem and part, and the report."""
    drafted = draft_sheet((SHEETS / name).read_text(encoding="utf-8"), name, "s")
    kinds = {f"{problem.name}.{part.name}": part.kind for problem in drafted for part in problem.parts}
    return kinds, "\n".join(report(drafted))


def test_short_answers_become_parts_of_their_own_kind() -> None:
    kinds, text = told("attention.md")
    assert [kinds[f"s_2.part_{at}"] for at in "bdef"] == ["formula", "formula", "shape", "choice"]
    kinds, text = told("gradients.tex")
    assert [kinds[f"s_2.part_{at}"] for at in "abcd"] == ["formula", "formula", "interval", "matrix"]
    assert "8 of 9 parts read" in text


def test_a_bound_that_does_not_follow_from_the_equations_is_said() -> None:
    _, text = told("attention.md")
    assert "in parallel; O(K S T) is neither, nor what some of them take" in text
    assert "O(\\ln T + \\ln J) is neither" not in text


def test_a_bound_that_does_not_follow_from_its_own_count_is_said() -> None:
    _, text = told("attention.md")
    assert r"\frac{n(n-1)}{2} is not O(n \log n): the bound does not follow from it" in text


def test_a_chain_with_a_false_step_is_no_key() -> None:
    kinds, text = told("attention.md")
    assert kinds["s_2.part_c"] == "prose"
    assert "sum_{i=1}^{n} i is not equal to n*(n - 1)*(1/2)" in text
    kinds, text = told("gradients.tex")
    assert kinds["s_2.part_e"] == "prose"
    assert "sqrt(a^2 + b^2) is not equal to a + b" in text


def test_the_bound_that_a_solution_concludes_with_is_the_key() -> None:
    _, text = told("gradients.tex")
    assert "key O(J (I + J)), in I, J" in text
    assert "the solution also says O(I + J)" in text


TIME, MEMORY = "What is the running time", "How much memory do the results take"
BOUNDS = [
    # what the equations take, in one way of counting or another
    (TIME, "T^2 U", True), (TIME, "T^2 U + T U J + T^2 J", True), (TIME, "ln T + ln U", True),
    (TIME, "U + ln T", True), (TIME, "ln T", True), (TIME, "ln T + ln J", True),
    # what they do not
    (TIME, "T", False), (TIME, "T ln T", False), (TIME, "J^2", False), (TIME, "T + U + J", False),
    (TIME, "T^2", False), (MEMORY, "T^2", True), (MEMORY, "T^2 + T J", True), (MEMORY, "T^2 U", False),
]  # fmt: skip


@pytest.mark.parametrize(("ask", "rate", "follows"), BOUNDS)
def test_a_bound_is_held_against_the_equations_before_it(ask: str, rate: str, follows: bool) -> None:
    sheet = (
        r"**Problem 1.** From $x[T, J]$, where $U < J$, we get"
        "\n\n"
        r"$$q[t, U] = W[U, J] x[t, J]$$ $$a[t_1, t_2] = \text{softmax}_{t_2} q[t_1, U] q[t_2, U]$$"
        r"$$z[t, J] = \sum_{t'} a[t, t'] x[t', J]$$"
        f"\n\n(a) {ask} as a function of $T$, $U$ and $J$?\n\n**Solution:** $O({rate})$\n"
    )
    text = "\n".join(report(draft_sheet(sheet, "sheet.md", "s")))
    assert ("CHECK: the equations before it" not in text) == follows, text


def test_tensors_whose_axes_change_between_question_and_solution_are_said() -> None:
    sheet = (
        r"**Problem 1.** Each word has a vector $e[w, J]$." + "\n\n(a) Give the embedding.\n\n"
        r"**Solution:** $$x[t, J] = A[J, I] e[t, I]$$"
    )
    text = "\n".join(report(draft_sheet(sheet, "sheet.md", "s")))
    assert "CHECK: e stands with the axes W, J in the text and with T, I in the solution" in text


def test_problems_of_latex_environments_have_their_own_titles_and_questions() -> None:
    kinds, text = told("perceptron.tex")
    assert kinds == {
        "s_1.part_a": "formula", "s_1.part_b": "formula", "s_1.part_c": "formula",
        "s_2.part_a": "equation", "s_2.part_b": "formula", "s_2.part_c": "matrix", "s_2.part_d": "growth",
        "s_2.part_e": "prose", "s_3.answer": "prose",
    }  # fmt: skip
    assert "s_2: Multi-layer perceptron" in text
    assert "2 equations over h[B, H], W[H, D], x[B, D], d[H], z[B, C], U[C, H], e[C]" in text
    assert "(H + 1)^2 is not equal to H^2 + H + 1" in text
    assert "CHECK" not in text


def test_the_slips_of_a_sheet_on_layers_are_said_and_nothing_wrong_is_drafted() -> None:
    kinds, text = told("normalisation.md")
    assert sum(kind == "prose" for kind in kinds.values()) == 3
    assert "16*28*28*75 is not equal to 940000" in text
    assert "y stands with the axes B, S, I and with B, T, I" in text
    assert "T(T-1)/2 is not O(T \\log T)" in text


HOMEWORK = r"""
## 1 Question 1

```
Y_T = sigmoid(1000 * (\sum_{i=1}^{T} X_i + H_0)
Y_T = sigmoid(1000 * (\sum_{i=1}^{T} X_i + H_0))
Hence the last output is: Y_T = sigmoid(\sum_{i=1}^{T} X_i + H_0)
```

## Question 2

a)  $||x_1|| = \sqrt{\beta^2 + \beta^2}$ and so $||x_1|| = \beta\sqrt{2}$

b) $$y_i = \sum_{i=1}^{T} W_{ij} x_j$$
"""


def test_answers_alone_are_drafted_by_their_letters_with_what_they_work_out() -> None:
    first, second = draft_sheet(HOMEWORK, "hw.md", "hw")
    assert [(part.name, part.kind) for part in second.parts] == [
        ("part_a", "prose"), ("part_a_1", "formula"), ("part_b", "prose"),
    ]  # fmt: skip
    assert second.parts[1].solution == 'part_a_1 = key(r"""\\beta\\sqrt{2}""")\n'
    assert "\\sqrt{2}" not in second.problem
    text = "\n".join(report((first, second)))
    assert "opens 2 round brackets and closes 1" in text
    assert "Y_T is said to be sigmoid(1000 * (\\sum_{i=1}^{T} X_i + H_0)) and sigmoid(\\sum" in text
    assert "sums over i, which its left side has" in text
    assert "no question says what is asked; whether the answer is right is not looked into" in text


NOTES = r"""
Lecture 9

9.1 Attention	1

Matrices $\mathbf{Q}, \mathbf{K} \in \mathbb{R}^{D \times D}$ make queries and keys.

9.1 Attention

Each item is a vector $\mathbf{H}_\ell \in \mathbb{R}^{D \times K}$ at a level.

$$\mathbf{S}_\ell = \overbrace{\mathbf{H}_\ell}^{\text{items}} \text{SoftMax}(\underbrace{(\mathbf{K} \mathbf{H}_\ell)^\top}_{\text{keys}} \mathbf{Q} \mathbf{H}_\ell)$$

where $\mathbf{S}_\ell \in \mathbb{R}^{D \times K}$. It takes $O(K^2 D)$ steps.

9.2 Heads

$$\mathbf{H}_\ell = \text{FF}(\sum_h \delta_h \otimes \mathbf{H}_{\ell,h})$$

9.3 Outlook

There is more to say.
"""


def test_notes_without_problems_become_one_a_section_with_the_formulas_left_out(tmp_path: Path) -> None:
    drafted = draft_sheet(NOTES, "notes.md", "notes")
    assert [(problem.title, [part.kind for part in problem.parts]) for problem in drafted] == [
        ("Attention", ["equation", "growth"]), ("Heads", ["prose"]),
    ]  # fmt: skip
    assert "FILL IN: a formula of the notes, which part_1 holds" in drafted[0].problem
    assert "SoftMax" not in drafted[0].problem
    text = "\n".join(report(drafted))
    assert "K is the size of an axis and a matrix of its own" in text
    assert "\\mathbf{H}_\\ell is called a vector and lies in R^{D x K}" in text
    assert "FILL IN: a softmax is taken along rows: write columns=True where items are columns" in text
    assert "matrices are summed over h: declare them with an axis for it by hand" in text
    sheet, course = tmp_path / "notes.md", str(tmp_path / "course")
    sheet.write_text(NOTES, encoding="utf-8")
    for command in (["draft", str(sheet), "--set", "notes"], ["build"], ["verify"]):
        done = CliRunner().invoke(app, [*command, "--course", course])
        assert done.exit_code == 0, done.output


LISTED = r"""\documentclass{article}
\begin{document}
\section*{Problem Set 4}
\begin{problem}[Entropy]
A coin shows heads with probability $p$.
\begin{enumerate}
\item Give its entropy in nats.
\begin{solution}
$-p \ln p - (1-p) \ln (1-p)$
\end{solution}
\item Give the derivative with respect to $p$.
\begin{solution}
$\frac{dH}{dp} = \ln(1 - p) - \ln p$
\end{solution}
\item Show it.
\begin{solution}
\begin{align*}
a &= b
\end{align*}
\end{solution}
\end{enumerate}
\end{problem}
\begin{problem}
Give a sum. \begin{solution} The first secret. \end{solution}
Give a product. \begin{answer} The second secret. \end{answer}
\end{problem}
\end{document}
"""
EXAM = r"""\begin{questions}
\question[10] Layers from $I$ to $J$ units.
\begin{parts}
\part[5] How many weights are there?
\begin{solution}[2cm] $I J$ \end{solution}
\part[5] What is the shape of the result for $B$ rows?
\begin{solution} $(B, J)$ \end{solution}
\end{parts}
\end{questions}
"""


def test_items_of_a_list_are_questions_and_no_solution_stands_in_one() -> None:
    first, second = draft_sheet(LISTED, "sheet.tex", "week2")
    assert [part.kind for part in first.parts] == ["formula", "formula", "prose"]
    assert [part.name for part in second.parts] == ["part_a", "part_b"]
    for part in (*first.parts, *second.parts):
        assert "begin{align" not in part.problem
        assert "secret" not in part.problem
    assert "second secret" in second.parts[1].solution


def test_questions_and_parts_of_the_class_exam_are_read() -> None:
    (problem,) = draft_sheet(EXAM, "exam.tex", "week2")
    assert [part.kind for part in problem.parts] == ["formula", "shape"]


def test_the_heading_of_a_whole_sheet_is_no_problem() -> None:
    problems = draft_sheet("# Problem Set 3\n\n" + SHEET, "week1.md", "week1")
    assert [problem.title for problem in problems] == ["Pooling", "A slip"]


STEPS = r"""
**Problem 1.** Steps.

(a) Derive the slope.

**Solution:**

$$\begin{aligned} \sigma'(z) &= \frac{e^{-z}}{(1+e^{-z})^2} \\ &= \frac{1}{1+e^{-z}} \cdot \frac{e^{-z}}{1+e^{-z}} \\
&= \sigma(z)(1+\sigma(z)) \end{aligned}$$

(b) Solve.

**Solution:** $$\begin{aligned} 2 I J &= J^2 \\ 2 I &= J \\ I &= J/2 \end{aligned}$$

(c) Show the variance.

**Solution:** $$\begin{aligned} V &= E[X^2 - 2 X E[X] + E[X]^2] \\ &= E[X^2] - E[X]^2 \end{aligned}$$

(d) Transpose.

**Solution:** $$\begin{aligned} y &= (A B)^T \\ &= B^T A^T \end{aligned}$$
"""


def test_a_false_step_is_told_and_no_right_one() -> None:
    (problem,) = draft_sheet(STEPS, "steps.md", "week1")
    assert problem.notes == (r"CHECK: = \sigma(z)(1+\sigma(z)) does not follow from the line above it",)


@pytest.mark.parametrize(
    ("solution", "kind", "said"),
    [
        (r"$H = \ln 2 \approx 0.693$ nats", "number", "tolerance 0.001, as the sheet rounds"),
        (r"$\frac{1}{3} ≈ 0.33$", "number", "tolerance 0.01"),
        (r"$H = \ln 2 \approx 0.653$ nats", "prose", r"\ln 2 is not 0.653 to 3 digits: a slip of the sheet"),
    ],
)
def test_a_number_that_is_rounded_is_asked_for_with_that_tolerance(solution, kind, said) -> None:
    sheet = f"**Problem 1.** A coin.\n\n(a) What is the entropy?\n\n**Solution:** {solution}\n"
    (problem,) = draft_sheet(sheet, "coin.md", "week1")
    assert [part.kind for part in problem.parts] == [kind]
    assert said in " ".join(problem.parts[0].notes)


@pytest.mark.parametrize(
    ("equation", "why"),
    [
        (
            r"y[t] = \sum_d w[d] x[2t + d] + x[t]",
            'letter of its own, as in y[S] and x[T] with sizes={"T": "D + 2*S - 2"}',
        ),
        (r"y[t] = \log(-x[t]^2)", "the key gives no finite numbers for y; avoid division by zero"),
        (r"y[2t] = x[t]", "y is defined for some of its entries: give each axis a single letter"),
    ],
)
def test_an_equation_that_leaves_an_axis_or_gives_no_numbers_is_told_which(equation: str, why: str) -> None:
    sheet = (
        f"# Week 1\n\n**Problem 1. Strides.** As before.\n\n(a) Give it.\n\n**Solution:** $${equation}$$\n"
    )
    (problem,) = draft_sheet(sheet, "week1.md", "week1")
    assert [part.kind for part in problem.parts] == ["prose"]
    assert why in problem.parts[0].notes[0]
    assert ("division by zero" in problem.parts[0].notes[0]) == ("log" in equation)


def test_a_stride_is_read_with_the_size_that_the_reason_names() -> None:
    part = Equation(
        "y",
        1,
        "y?",
        [Tensor("y", ["S"]), Tensor("w", ["D"]), Tensor("x", ["T"])],
        sizes={"T": "D + 2*S - 2"},
    )
    assert key_faults(part, Key(r"y[t] = \sum_d w[d] x[2t + d]")) == []


def test_a_stride_is_declared_with_the_length_that_it_reads(tmp_path: Path) -> None:
    sheet, course = tmp_path / "strides.md", str(tmp_path / "course")
    sheet.write_text(
        r"""
**Problem 1. Strides.** From $x[b, t, i]$ of length $T$ we get $y[b, t, j]$.

(a) Give it with stride 2.

**Solution:** $$y[b, t, j] = \sigma(\sum_{\Delta t, i} W[\Delta t, i, j] x[b, 2t + \Delta t, i] - B[j])$$

(b) With stride 1.

**Solution:** $$y[b, t, j] = \sum_{d} W[d, I, j] x[b, t + d, I]$$
""",
        encoding="utf-8",
    )
    (problem,) = draft_sheet(sheet.read_text(encoding="utf-8"), "strides.md", "s")
    assert [part.kind for part in problem.parts] == ["equation", "equation"]
    text = "\n".join(report((problem,)))
    assert "T is taken as D + 2*S - 2: what is read of it, and no more" in text
    assert "T is taken as D + S - 1" in text
    assert "stands with the axes" not in text
    for command in (["draft", str(sheet), "--set", "s"], ["build"], ["verify"]):
        done = CliRunner().invoke(app, [*command, "--course", course])
        assert done.exit_code == 0, done.output


def test_numbered_items_with_a_solution_each_are_questions_with_their_points() -> None:
    kinds, text = told("convolutions.md")
    assert kinds == {
        "s_1.part_1": "equation", "s_1.part_2": "formula", "s_1.part_3": "growth", "s_1.part_4": "formula",
        "s_2.part_1": "formula", "s_2.part_2": "prose", "s_2.part_3": "shape", "s_2.part_4": "choice",
        "s_2.part_5": "prose", "s_2.part_6": "interval",
    }  # fmt: skip
    assert "s_1: A convolutional layer\n" in text
    assert "3*3*64*128 is not equal to 73278" in text
    assert "CHECK: = a x^2 (2 + a^2) does not follow from the line above it" in text
    assert text.count("CHECK") == 1
    (layer, _) = draft_sheet((SHEETS / "convolutions.md").read_text(), "convolutions.md", "s")
    assert [re.findall(r"points=(\w+)", part.problem) for part in layer.parts] == [["4"], ["2"], ["3"], ["3"]]
    assert "pts" not in layer.problem


def test_sections_with_solutions_are_problems_and_every_part_has_its_own_name() -> None:
    kinds, text = told("recurrent.tex")
    assert kinds == {
        "s_1.part_a": "formula", "s_1.part_b": "growth", "s_1.part_c": "formula", "s_1.part_d": "prose",
        "s_2.part_a": "equation", "s_2.part_b": "growth", "s_2.part_c": "formula", "s_2.part_d": "formula",
    }  # fmt: skip
    assert "s_2: Attention over states" in text
    assert "CHECK: = (1 - \\tanh(z))^2 does not follow from the line above it" in text
    assert "in parallel; O(T^2 H) is neither, nor what some of them take" in text
    assert text.count("CHECK") == 2
    twice = "**Problem 1.**\n\n" + "(a) How many?\n\n**Solution:** $I J$\n\n" * 2
    (problem,) = draft_sheet(twice, "twice.md", "s")
    assert [part.name for part in problem.parts] == ["part_a", "part_a_2"]


def test_a_list_within_a_solution_is_no_list_of_questions() -> None:
    sheet = "**Problem 1.** How many?\n\n**Solution:** Count:\n\n1. rows\n2. columns\n"
    (problem,) = draft_sheet(sheet, "list.md", "s")
    assert [part.name for part in problem.parts] == ["answer"]


@pytest.mark.parametrize(
    ("ask", "solution", "key"),
    [
        ("How many weights, in terms of $I$ and $J$?", "Rows have $I$ of them, hence $IJ$.", "IJ"),
        ("What is the field?", "$r = 1 + 2L = 2L + 1$", "1 + 2L = 2L + 1"),
        ("How many?", "$3 \\cdot 1{,}024 = 3{,}072$", "3 \\cdot 1024 = 3072"),
        ("Determine the slope.", "$\\frac{d}{dx} x^2 = 2x$", "2x"),
    ],
)
def test_a_formula_is_the_one_that_is_concluded_with_without_its_name(ask, solution, key) -> None:
    sheet = f"**Problem 1.** As before.\n\n(a) {ask}\n\n**Solution:** {solution}\n"
    (problem,) = draft_sheet(sheet, "sheet.md", "s")
    (part,) = problem.parts
    assert part.kind == "formula"
    assert key in part.solution


CLAIMS = r"""
## Question 1

a)

```
x_1 = d + b
||x_1|| = ||d|| + ||b||
||x_1|| = \sqrt{\beta^2 + \beta^2}
||x_1|| = \beta\sqrt{2}
x_2 = a - c
||x_2|| = \sqrt{||a||^2 + ||c||^2}
||x_2|| = \sqrt{2\beta^2} = \beta\sqrt{2}
```

b)

```
W_{ij} = softmax(\langle x_i, x_j \rangle)
W_{ij} = 1 when i = j
W_{ij} = 0 otherwise
y_i = \sum_{j=1}^{2} W_{ij} x_j
y_1 = x_1 = d + b
z_1 = x_2 = a - c
```
"""


def test_what_a_sheets_own_definitions_refute_is_told_and_no_key_rests_on_it() -> None:
    (problem,) = draft_sheet(CLAIMS, "hw.md", "hw")
    told = "\n".join(report((problem,)))
    assert "||x_1|| is said to be ||d|| + ||b||, and x_1 is d + b: of vectors in any directions" in told
    assert "CHECK: on the way to it, ||x_1||" in told
    assert "||x_2|| is said" not in told  # right of orthogonal vectors
    assert (
        "W_{ij} is said to be a softmax, and to be 1 and 0: of several numbers it is neither 0 nor 1" in told
    )
    assert "no key is made of y_1, worked out from it" in told
    keys = "".join(part.solution for part in problem.parts if part.kind == "formula")
    assert "d + b" not in keys
    assert "a - c" in keys


@pytest.mark.parametrize(
    ("definition", "columns"),
    [
        (r"\frac{\exp(\mathbf{M})}{\mathbf{1}^\top \exp(\mathbf{M})}", True),
        (r"\text{diag}(\exp(\mathbf{M}) \mathbf{1})^{-1} \exp(\mathbf{M})", False),
    ],
)
def test_a_softmax_that_notes_define_is_asked_for_and_taken_as_they_define_it(
    tmp_path, definition, columns
) -> None:
    defined = rf"$$\text{{SoftMax}}(\mathbf{{M}}) = {definition}$$ with $\mathbf{{M}} \in \mathbb{{R}}^{{J \times N}}$"
    sheet, course = tmp_path / "notes.md", str(tmp_path / "course")
    sheet.write_text(NOTES.replace("9.2 Heads", f"{defined}\n\n9.2 Heads"), encoding="utf-8")
    first, _ = draft_sheet(sheet.read_text(encoding="utf-8"), "notes.md", "notes")
    assert [part.kind for part in first.parts] == ["equation", "equation", "growth"]
    assert ("columns=True" in first.parts[0].problem) == columns
    text = "\n".join(report((first,)))
    assert ("a softmax is taken down columns, as the sheet defines it" in text) == columns
    # S is a matrix of the notes already, and R stands for the reals
    assert "SoftMax of a matrix is called Y here, of the only shape that fits" in text
    for command in (["draft", str(sheet), "--set", "notes"], ["build"], ["verify"]):
        done = CliRunner().invoke(app, [*command, "--course", course])
        assert done.exit_code == 0, done.output


def test_answers_in_brackets_of_latex_with_points_and_sizes_that_the_sheet_states() -> None:
    kinds, text = told("transformer.md")
    assert [kinds[f"s_1.part_{at}"] for at in "abc"] == ["equation", "formula", "formula"]
    assert [kinds[f"s_2.part_{at}"] for at in "abcd"] == ["prose", "prose", "choice", "number"]
    assert "s_1: Positional encodings\n" in text
    assert "h stands with the axes B, T, F and with B, T: an index is missing" in text
    assert "2*D*F is not equal to 6*D^2" in text


def test_a_size_that_the_problem_states_is_assumed_of_its_formulas_and_rates() -> None:
    sheet = (
        "**Problem 1.** A block has $D$ inputs and $F = 4D$ units.\n\n"
        "(a) How many weights?\n\n**Solution:** $2 D F = 8 D^2$\n\n"
        "(b) What is its time, as a function of $D$?\n\n**Solution:** $O(D^2)$\n\n"
        "(c) How many biases?\n\n**Solution:** $D + F = 4 D$\n"
    )
    (problem,) = draft_sheet(sheet, "block.md", "s")
    assert [part.kind for part in problem.parts] == ["formula", "growth", "prose"]
    assert "assumptions=['F = 4D']" in problem.parts[0].problem
    assert "D + F is not equal to 4*D" in "\n".join(report((problem,)))
