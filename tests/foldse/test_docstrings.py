"""Docstrings as numpydoc has them, of all that is public in any module."""

import importlib
import inspect
import pkgutil

import pytest

import foldse

validate = pytest.importorskip("numpydoc.validate").validate

# What is not asked for, and why.
IGNORED = {
    "ES01": "an extended summary, where one line says it",
    "EX01": "examples of everything; the classifiers and the exports have them",
    "SA01": "a section See Also; the text names what is related",
    "PR01": "parameters whose meaning the summary gives, as of small helpers",
    "RT01": "a section Returns, where the summary says what is returned",
    "YD01": "a section Yields, likewise",
    "PR07": "a description of a parameter whose type says it, such as rule : Rule",
    "RT03": "a description of a returned value whose type says it",
    "SS05": "taken for a verb in the third person: Pearson's",
}
CLASSIFIERS = ["FoldSEClassifier", "FoldRPPClassifier", "ConFoldClassifier", "HeuristicTreeClassifier"]
METHODS = ["fit", "predict", "predict_proba", "explain", "save"]
OF_RULES = ["apply", "counterfactual", "decision_path", "describe", "importances", "predict_confidence"]


def modules():
    yield "foldse"
    for found in pkgutil.walk_packages(foldse.__path__, "foldse."):
        if not found.name.rpartition(".")[2].startswith("_"):
            yield found.name


def public():
    """Yield the dotted name of every public module, function, class and method, where it is defined."""
    for name in modules():
        try:
            module = importlib.import_module(name)
        except ImportError:  # of an extra that is not installed, such as that of the command line
            continue
        for attribute in getattr(module, "__all__", ()):
            found = getattr(module, attribute)
            if getattr(found, "__module__", None) != name:
                continue
            if not (inspect.isclass(found) or inspect.isroutine(found)):
                continue
            yield f"{name}.{attribute}"
            if inspect.isclass(found):
                for member, value in vars(found).items():
                    is_code = inspect.isfunction(value) or isinstance(
                        value, property | classmethod | staticmethod
                    )
                    inherits = not value.__doc__ and any(
                        getattr(getattr(base, member, None), "__doc__", None) for base in found.__mro__[1:]
                    )
                    if is_code and not member.startswith("_") and not inherits:
                        yield f"{name}.{attribute}.{member}"


@pytest.mark.parametrize("name", sorted(set(public())))
def test_docstring(name):
    assert [f"{code}: {said}" for code, said in validate(name)["errors"] if code not in IGNORED] == []


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_what_users_call_is_described_in_full(kind):
    """Every parameter, and what is returned."""
    names = [f"foldse.classifiers.{kind}"]
    names += [f"{names[0]}.{method}" for method in METHODS + (OF_RULES if "Tree" not in kind else [])]
    for name in names:
        allowed = {"ES01", "EX01", "SA01"} | ({"RT01"} if name.endswith(".save") else set())
        found = [f"{name}: {code}: {said}" for code, said in validate(name)["errors"] if code not in allowed]
        assert found == []


@pytest.mark.parametrize("name", foldse.__all__)
def test_what_is_public_is_typed(name):
    """py.typed promises annotations."""
    found = getattr(foldse, name)
    if not inspect.isclass(found) or not found.__module__.startswith("foldse."):
        return
    for member, value in vars(found).items():
        if inspect.isfunction(value) and not member.startswith("__") and value.__module__ == found.__module__:
            parameters = list(inspect.signature(value).parameters.values())[1:]
            assert all(p.annotation is not p.empty for p in parameters), f"{name}.{member}"
            assert inspect.signature(value).return_annotation is not inspect.Signature.empty, (
                f"{name}.{member}"
            )
