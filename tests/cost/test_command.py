"""The command that measures, on a small course: table, formulas, curves, JSON and an SVG file."""

from __future__ import annotations

import json

import pytest
import typer
from typer.testing import CliRunner

from autograder.cli.costs import cost
from autograder.errors import UsageError

PROBLEM = '''"""Products."""
from autograder import Code, Growth, Problem, case

def product(a, b):
    """a[N, M]  b[M, N]   returns [N, N]"""

def double(a):
    """a[N]   returns [N]"""

problem = Problem(
    title="Products", source="", statement="Multiply.",
    parts=[
        Code(product, points=1, cases=[case("small", N=2, M=3, hint="…")], work="N^2 M"),
        Code(double, points=1, cases=[case("small", N=2)]),
        Growth("product_time", points=1, ask="?", variables=["N", "M"], measures="product", serial=["M"]),
    ],
)
'''
SOLUTION = """from autograder import Reading, key

def product(a, b):
    return a @ b

def double(a):
    return 2 * a

product_time = key("O(ln M)", Reading("O(M)"))
"""


@pytest.fixture
def course(tmp_path):
    for folder in ("problems", "solutions"):
        (tmp_path / folder).mkdir()
    (tmp_path / "problems/course.toml").write_text('[sets.one]\nproblems = ["products"]\n')
    (tmp_path / "problems/products.py").write_text(PROBLEM)
    (tmp_path / "solutions/products.py").write_text(SOLUTION)
    (tmp_path / "solutions/secret.txt").write_text("secret")
    return tmp_path


@pytest.fixture
def run(course):
    app = typer.Typer()
    app.command()(cost)

    def call(*arguments):
        return CliRunner().invoke(app, [*map(str, arguments), "--course", str(course)])

    return call


def test_the_table_the_formulas_and_the_curves_are_printed(run):
    done = run("products")
    assert done.exit_code == 0, done.output
    assert "product (stated by product)" in done.output
    assert "N\tM\twork\tspan\tmemory in bytes" in done.output
    assert "work    Θ(N^2 M) = N^2 M   stated: N^2 M" in done.output
    assert "span    Θ(ln M) = lg M + 1   stated: O(ln M)" in done.output
    assert "memory  Θ(N^2) = 4 N^2" in done.output
    assert "● N (M = 8)  ▲ M (N = 8)" in done.output


def test_a_function_can_be_named_though_its_cost_is_not_stated(run):
    done = run("products", "double")
    assert done.exit_code == 0, done.output
    assert "work    Θ(N) = N" in done.output


def test_serial_inner_products_are_an_option(run):
    assert "span    Θ(M) = M" in run("products", "--serial").output


def test_json_has_the_table_the_rates_and_what_is_stated(run):
    data = json.loads(run("products", "product", "--json").stdout)
    assert data[0]["growth"] == {"work": "N^2 M", "span": "ln M", "memory": "N^2"}
    assert data[0]["formula"]["span"] == "lg M + 1"
    assert data[0]["stated"] == {"work": "N^2 M"}
    assert {"sizes": {"N": 4, "M": 8}, "work": 128, "span": 4, "memory": 64} in data[0]["rows"]


def test_the_curves_go_into_a_file(run, tmp_path):
    assert run("products", "product", "--svg", tmp_path / "curves.svg").exit_code == 0
    assert (tmp_path / "curves.svg").read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["sums"], "the course has no problem 'sums'; it has products"),
        (["products", "sum"], "products has no function 'sum'; it has product, double"),
    ],
    ids=["problem", "function"],
)
def test_what_does_not_exist_is_told_in_a_sentence(run, arguments, says):
    done = run(*arguments)
    assert isinstance(done.exception, UsageError)
    assert str(done.exception) == says
