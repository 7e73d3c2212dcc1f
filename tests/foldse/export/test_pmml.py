"""PMML: read by an evaluator of our own, as the standard has it, and by JPMML where it is installed."""

import base64
import math
import struct
import subprocess
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from xml.etree import ElementTree as ET

import pandas as pd
import pytest

from foldse import ConFoldClassifier, FoldSEClassifier, Literal, Op, Rule
from foldse.export import to_pmml
from foldse.model.literals import is_number
from tests.foldse.export.models import Model, is_exact, learned, written
from tests.foldse.export.test_engines import DUCKDB
from tests.foldse.export.test_sql import model

NAMESPACE = "{http://www.dmg.org/PMML-4_4}"
READ = {
    "double": lambda v: float(v) if is_number(v) and not math.isnan(v) else None,
    "string": lambda v: v if isinstance(v, str) else None,
    "boolean": lambda v: v if isinstance(v, bool) else None,
}
PARSED = {"double": float, "string": str, "boolean": lambda text: {"true": True, "false": False}[text]}
COMPARED = {
    "lessOrEqual": lambda a, b: a <= b,
    "greaterThan": lambda a, b: a > b,
    "equal": lambda a, b: a == b,
    "notEqual": lambda a, b: a != b,
}


def is_writable(value):
    odd = isinstance(value, str) and any(ord(char) < 32 and char not in "\t\n\r" for char in value)
    return is_exact(value) and not odd and not (isinstance(value, float) and math.isinf(value))


def models():
    """Return models of which each feature is compared in one way."""
    every = (*learned(), *written(DUCKDB, (), 15, is_writable))
    return [typed(*found) for found in every if found.clf.rules_.otherwise is not None]


def typed(clf, X):
    """Return a model with the rows that have no word where there should be a number."""
    numbers = [name for name, kind in types(ET.fromstring(to_pmml(clf))).items() if kind == "double"]
    is_word = X[numbers].map(lambda value: isinstance(value, str)).any(axis=1)
    return Model(clf, X[~is_word].reset_index(drop=True))


def types(root):
    return {field.get("name"): field.get("dataType") for field in root.iter(f"{NAMESPACE}DataField")}


def truth(predicate, row, kinds):
    """Return whether a predicate holds, None where that is unknown."""
    tag = predicate.tag.removeprefix(NAMESPACE)
    if tag in ("True", "False"):
        return tag == "True"
    if tag == "CompoundPredicate":
        parts = [truth(part, row, kinds) for part in predicate]
        decisive = predicate.get("booleanOperator") == "or"
        if decisive in parts:
            return decisive
        return None if None in parts else not decisive
    value, operator = row[predicate.get("field")], predicate.get("operator")
    if operator in ("isMissing", "isNotMissing"):
        return (value is None) == (operator == "isMissing")
    if value is None:
        return None
    return COMPARED[operator](value, PARSED[kinds[predicate.get("field")]](predicate.get("value")))


def rows_for(X, root):
    """Return the fields of each row, None where a value is missing or of another type."""
    target = next(
        x.get("name") for x in root.iter(f"{NAMESPACE}MiningField") if x.get("usageType") == "target"
    )
    kinds = {name: kind for name, kind in types(root).items() if name != target}
    columns = {name: [READ[kind](v) for v in X[name].astype(object).tolist()] for name, kind in kinds.items()}
    return kinds, [{name: column[row] for name, column in columns.items()} for row in range(len(X))]


def test_as_the_standard_has_it():
    for clf, X in models():
        root = ET.fromstring(to_pmml(clf))
        kinds, rows = rows_for(X, root)
        rule_set = root.find(f".//{NAMESPACE}RuleSet")
        rules = rule_set.findall(f"{NAMESPACE}SimpleRule")
        got = []
        for row in rows:
            scores = (rule.get("score") for rule in rules if truth(rule[0], row, kinds))
            got.append(next(scores, rule_set.get("defaultScore")))
        assert got == [str(label) for label in Model(clf, X).labels]


DRIVER = """
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import org.jpmml.evaluator.*;

public class Score {
    static String text(String value) {
        return new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8);
    }

    public static void main(String[] files) throws Exception {
        Map<String, Evaluator> known = new HashMap<>();
        StringBuilder out = new StringBuilder();
        for (String line : Files.readAllLines(Paths.get(files[0]))) {
            String[] parts = line.split("\\t", -1);
            Evaluator evaluator = known.get(parts[0]);
            if (evaluator == null) {
                evaluator = new LoadingModelEvaluatorBuilder().load(new File(parts[0])).build();
                evaluator.verify();
                known.put(parts[0], evaluator);
            }
            Map<String, Object> row = new HashMap<>();
            for (int i = 1; i < parts.length; i += 2) {
                String value = parts[i + 1].substring(1);
                Object given = null;
                switch (parts[i + 1].charAt(0)) {
                    case 'n': given = Double.longBitsToDouble(Long.parseUnsignedLong(value, 16)); break;
                    case 't': given = text(value); break;
                    case 'b': given = Boolean.valueOf(value); break;
                }
                row.put(text(parts[i]), given);
            }
            Map<String, ?> results = EvaluatorUtil.decodeAll(evaluator.evaluate(row));
            Object label = results.get(evaluator.getTargetFields().get(0).getName());
            byte[] bytes = ((String) label).getBytes(StandardCharsets.UTF_8);
            out.append(Base64.getEncoder().encodeToString(bytes)).append("\\n");
        }
        Files.write(Paths.get(files[1]), out.toString().getBytes(StandardCharsets.UTF_8));
    }
}
"""


def _in_base64(text):
    return base64.b64encode(text.encode()).decode()


def _written(value):
    if value is None:
        return "-"
    if isinstance(value, bool):
        return f"b{value}".lower()
    return f"t{_in_base64(value)}" if isinstance(value, str) else "n" + struct.pack(">d", value).hex()


@pytest.mark.commands
@pytest.mark.skipif(find_spec("jpmml_evaluator") is None, reason="jpmml-evaluator is not installed")
@pytest.mark.skipif(which("javac") is None, reason="javac is missing (Debian: default-jdk-headless)")
def test_as_jpmml_has_it(tmp_path):
    (jars,) = find_spec("jpmml_evaluator").submodule_search_locations
    classes = ":".join([".", *map(str, Path(jars).rglob("*.jar"))])
    (tmp_path / "Score.java").write_text(DRIVER, encoding="ascii")
    lines, expected = [], []
    for number, (clf, X) in enumerate(models()):
        text = to_pmml(clf)
        (tmp_path / f"{number}.pmml").write_text(text, encoding="utf-8")
        _, rows = rows_for(X, ET.fromstring(text))
        for row in rows:
            fields = [part for name, value in row.items() for part in (_in_base64(name), _written(value))]
            lines.append("\t".join([f"{number}.pmml", *fields]))
        expected += [str(label) for label in Model(clf, X).labels]
    (tmp_path / "rows").write_text("\n".join(lines) + "\n", encoding="ascii")
    for command in (
        ["javac", "-cp", classes, "Score.java"],
        ["java", "-cp", classes, "Score", "rows", "found"],
    ):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stderr[-2000:]
    found = (tmp_path / "found").read_text("ascii").splitlines()
    assert [base64.b64decode(label).decode() for label in found] == expected


def test_a_row_without_a_label():
    clf = ConFoldClassifier(abstain=None).fit(pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0]}), ["a", "a", "b", "b"])
    with pytest.raises(ValueError, match="engines of PMML want a label for every row"):
        to_pmml(clf)


def test_a_feature_named_as_the_target():
    X = pd.DataFrame({"y": [1.0, 2.0, 3.0, 4.0]})
    clf = FoldSEClassifier().fit(X, pd.Series(["a", "a", "b", "b"], name="y"))
    assert types(ET.fromstring(to_pmml(clf))) == {"y": "double", "y_2": "string"}


@pytest.mark.parametrize(
    ("literal", "message"),
    [
        (
            Literal("x", Op.EQ, "a\0"),
            r"XML has no way to write '\\x00', which is in 'a\\x00'; clean the text",
        ),
        (Literal("c", Op.EQ, float("inf")), "column 'c' is compared with an infinity, which PMML has not"),
        (
            Literal("c", Op.EQ, 2**53 + 1),
            "column 'c' is compared with 9007199254740993, which is no 64-bit float",
        ),
        (Literal("m", Op.EQ, "a"), "rules compare 'm' with values of several types"),
    ],
)
def test_what_cannot_be_written(literal, message):
    X = pd.DataFrame({"x": ["a", "b"], "c": [1.0, 2.0], "m": [1.0, 2.0]})
    clf = model(Rule("0", (literal, Literal("m", Op.LE, 1.0))), X=X, categorical_features=["c"])
    with pytest.raises(ValueError, match=message):
        to_pmml(clf)
