"""Every kernel says what each of its parameters is and what it returns."""

import ast
from pathlib import Path

import pytest

FunctionDoc = pytest.importorskip("numpydoc.docscrape").FunctionDoc

PACKAGE = Path(__file__).parents[2] / "foldse"
KERNELS = [
    pytest.param(node, id=f"{path.stem}.{node.name}")
    for path in sorted(PACKAGE.rglob("*.py"))
    for outer in ast.parse(path.read_text(encoding="utf-8")).body
    if isinstance(node := outer, ast.FunctionDef)
    and {ast.unparse(decorator).split("(")[0] for decorator in node.decorator_list}
    & {"kernel", "register_jitable", "njit"}
]


def undocumented(node):
    """Return what is wrong with the docstring of a function."""
    text = ast.get_docstring(node)
    if text is None:
        return ["no docstring"]
    found = FunctionDoc(None, doc=text)
    named = [name.strip() for parameter in found["Parameters"] for name in parameter.name.split(",")]
    expected = [parameter.arg for parameter in node.args.args]
    faults = [] if sorted(named) == sorted(expected) else [f"Parameters are {named}, not {expected}"]
    faults += [f"nothing about {p.name}" for p in found["Parameters"] if not (p.type or any(p.desc))]
    return faults + ([] if found["Returns"] else ["no Returns"])


def test_kernels_are_found():
    assert len(KERNELS) > 40


@pytest.mark.parametrize("node", KERNELS)
def test_a_kernel_is_documented(node):
    assert undocumented(node) == []


@pytest.mark.parametrize(
    ("docstring", "fault"),
    [
        ("", "no docstring"),
        ("Parameters\n----------\na : int\n\nReturns\n-------\nint", "Parameters are ['a'], not ['a', 'b']"),
        ("Parameters\n----------\na, c : int\n\nReturns\n-------\nint", "['a', 'c'], not ['a', 'b']"),
        ("Parameters\n----------\na : int\nb\n\nReturns\n-------\nint", "nothing about b"),
        ("Parameters\n----------\na, b : int", "no Returns"),
    ],
)
def test_a_fault_is_found(docstring, fault):
    node = ast.parse("def f(a, b):\n    pass").body[0]
    if docstring:
        node.body.insert(0, ast.Expr(ast.Constant(docstring)))
    assert any(fault in found for found in undocumented(node))
