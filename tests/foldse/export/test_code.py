"""Programs as source code: compiled once for all models, and run on every row."""

import base64
import ctypes
import json
import math
import shutil
import struct
import subprocess

import numpy as np
import pandas as pd
import pytest

from foldse import Literal, Op, Rule
from foldse.export import to_c, to_java, to_javascript, to_rust
from foldse.export.cells import Cells
from foldse.export.languages import LANGUAGES, Form
from foldse.model.literals import is_number
from tests.foldse.export.models import Model, learned, written
from tests.foldse.export.test_sql import model

pytestmark = pytest.mark.commands


def needs(program, package):
    return pytest.mark.skipif(
        shutil.which(program) is None, reason=f"{program} is missing (Debian: {package})"
    )


NUL = "\0"
ODD = Model(
    model(
        Rule('é"\\', (Literal("x", Op.EQ, 'a"\\u0041??/\n\r\t\x01\x7f'), Literal("*/ \\u000a", Op.LE, -0.5))),
        Rule("1", (Literal("x", Op.EQ, "😀\u2028"), Literal("if", Op.NE, None))),
        Rule("1", (Literal("while", Op.EQ, True), Literal("if", Op.GT, 5e-324))),
        Rule("1", (Literal("while", Op.EQ, None), Literal("if", Op.EQ, None))),
        X=pd.DataFrame({"x": ["a", "b"], "*/ \\u000a": [1.0, 2.0], "if": [0.0, 1.0], "while": [True, False]}),
        classes=("1", 'é"\\'),
    ),
    pd.DataFrame(
        {
            "x": ['a"\\u0041??/\n\r\t\x01\x7f', "😀\u2028", None, "", "a"] * 3,
            "*/ \\u000a": [-0.5, -0.4, np.nan, -np.inf, -5.0] * 3,
            "if": [0.0, 5e-324, 1e-323, np.nan, np.inf] * 3,
            "while": pd.Series([True] * 5 + [False] * 5 + [None] * 5, dtype=object),
        }
    ),
)


def models(without=()):
    """Return all models, without those of which a literal has one of some characters."""
    found = [*learned(), *written(), ODD]

    def is_clean(clf):
        texts = [x.value for x in clf.rules_.literals() if isinstance(x.value, str)]
        return not any(char in text for text in texts for char in without)

    return [found_model for found_model in found if is_clean(found_model.clf)]


def arguments(clf, X, language, name):
    """Return the arguments of each row: the forms of the parameters, and the values, None where missing."""
    forms = {
        Form.NUMBER: lambda v: float(v) if is_number(v) and not math.isnan(v) else None,
        Form.TEXT: lambda v: v if isinstance(v, str) else None,
        Form.TRUTH: lambda v: v if isinstance(v, bool) else None,
    }
    cells = Cells(clf, clf.rules_, LANGUAGES[language].reserved | {name}).cells
    columns = [
        [forms[cell.form](value) for value in X[cell.feature].astype(object).tolist()] for cell in cells
    ]
    forms_there = [cell.form for cell in cells]
    return forms_there, [tuple(column[row] for column in columns) for row in range(len(X))]


def as_text(labels):
    return [None if label is None else str(label) for label in labels]


@needs("gcc", "gcc")
def test_c(tmp_path):
    found = models(without=[NUL])
    source = "\n".join(to_c(clf, f"m{i}") for i, (clf, _) in enumerate(found))
    (tmp_path / "models.c").write_text(source, encoding="ascii")
    strict = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-O0"]
    subprocess.run(
        ["gcc", *strict, "-shared", "-fPIC", "-o", "models.so", "models.c"], cwd=tmp_path, check=True
    )
    library = ctypes.CDLL(str(tmp_path / "models.so"))
    types = {Form.NUMBER: ctypes.c_double, Form.TEXT: ctypes.c_char_p, Form.TRUTH: ctypes.c_int}
    nothing = {Form.NUMBER: math.nan, Form.TEXT: None, Form.TRUTH: -1}
    for number, (clf, X) in enumerate(found):
        rows = X[~X.map(lambda v: isinstance(v, str) and NUL in v).any(axis=1)]
        forms, given = arguments(clf, rows, "c", f"m{number}")
        predict, rule = library[f"m{number}"], library[f"m{number}_rule"]
        predict.argtypes = rule.argtypes = [types[form] for form in forms]
        predict.restype = ctypes.c_char_p
        got = []
        for values in given:
            row = [
                nothing[form] if value is None else value.encode() if isinstance(value, str) else value
                for form, value in zip(forms, values, strict=True)
            ]
            label = predict(*row)
            got.append((None if label is None else label.decode(), rule(*row)))
        expected = Model(clf, rows)
        assert got == list(zip(as_text(expected.labels), expected.rules, strict=True))


DRIVER = """
import java.io.*;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;

public class Driver {
    static String text(String value) {
        return new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8);
    }

    public static void main(String[] files) throws Exception {
        try (PrintWriter out = new PrintWriter(files[1], "ASCII")) {
            for (String line : Files.readAllLines(Paths.get(files[0]))) {
                String[] parts = line.split("\\t", -1);
                Class<?> type = Class.forName(parts[0]);
                Object[] row = new Object[parts.length - 1];
                for (int i = 0; i < row.length; i++) {
                    String value = parts[i + 1].substring(1);
                    switch (parts[i + 1].charAt(0)) {
                        case 'n': row[i] = Double.longBitsToDouble(Long.parseUnsignedLong(value, 16)); break;
                        case 't': row[i] = text(value); break;
                        case 'b': row[i] = Boolean.valueOf(value); break;
                        default: row[i] = null;
                    }
                }
                for (Method method : type.getMethods()) {
                    if (method.getName().equals("rule")) out.print(method.invoke(null, row) + "\\t");
                }
                for (Method method : type.getMethods()) {
                    if (!method.getName().equals("predict")) continue;
                    Object label = method.invoke(null, row);
                    out.println(label == null ? "-" : Base64.getEncoder().encodeToString(
                        ((String) label).getBytes(StandardCharsets.UTF_8)));
                }
            }
        }
    }
}
"""


@needs("javac", "default-jdk-headless")
def test_java(tmp_path):
    found = models()
    (tmp_path / "Driver.java").write_text(DRIVER, encoding="ascii")
    lines = []
    for number, (clf, X) in enumerate(found):
        (tmp_path / f"M{number}.java").write_text(to_java(clf, f"M{number}"), encoding="ascii")
        forms, given = arguments(clf, X, "java", f"M{number}")
        lines += ["\t".join([f"M{number}", *map(_for_java, forms, row)]) for row in given]
    (tmp_path / "rows").write_text("\n".join(lines) + "\n", encoding="ascii")
    sources = [path.name for path in tmp_path.glob("*.java")]
    subprocess.run(["javac", "-nowarn", *sources], cwd=tmp_path, check=True, timeout=300)
    subprocess.run(["java", "Driver", "rows", "answers"], cwd=tmp_path, check=True, timeout=300)
    got = []
    for line in (tmp_path / "answers").read_text("ascii").splitlines():
        rule, label = line.split("\t")
        got.append((None if label == "-" else base64.b64decode(label).decode(), int(rule)))
    assert got == [pair for m in found for pair in zip(as_text(m.labels), m.rules, strict=True)]


def _for_java(form, value):
    if form is Form.NUMBER:
        return "n" + struct.pack(">d", math.nan if value is None else value).hex()
    if value is None:
        return "-"
    return f"t{base64.b64encode(value.encode()).decode()}" if isinstance(value, str) else f"b{value}".lower()


READER = """
const rows = JSON.parse(require("fs").readFileSync(process.argv[2], "utf8"), (key, value) =>
  value !== null && typeof value === "object" && "float" in value ? Number(value.float) : value);
const answers = rows.map((of, i) => of.map(row => [eval("m" + i)(row), eval("m" + i + "_rule")(row)]));
process.stdout.write(JSON.stringify(answers));
"""


@needs("node", "nodejs")
def test_javascript(tmp_path):
    found = models()
    source = "\n".join(to_javascript(clf, f"m{i}") for i, (clf, _) in enumerate(found))
    (tmp_path / "models.js").write_text('"use strict";\n' + source + READER, encoding="ascii")

    def plain(value):
        if is_number(value):
            return None if math.isnan(value) else {"float": repr(float(value)).replace("inf", "Infinity")}
        return value if isinstance(value, bool | str) else None

    rows = [
        [
            {str(name): plain(value) for name, value in row.items()}
            for row in X.astype(object).to_dict("records")
        ]
        for _, X in found
    ]
    (tmp_path / "rows.json").write_text(json.dumps(rows), encoding="ascii")
    done = subprocess.run(
        ["node", "models.js", "rows.json"], cwd=tmp_path, check=True, capture_output=True, timeout=300
    )
    for (clf, X), got in zip(found, json.loads(done.stdout), strict=True):
        expected = Model(clf, X)
        assert got == [list(pair) for pair in zip(expected.labels, expected.rules, strict=True)]


@needs("rustc", "rustc")
def test_rust(tmp_path):
    found = models()
    types = {
        Form.NUMBER: [ctypes.c_double],
        Form.TEXT: [ctypes.c_char_p, ctypes.c_size_t],
        Form.TRUTH: [ctypes.c_int],
    }
    wrappers, rows = [], []
    for number, (clf, X) in enumerate(found):
        forms, given = arguments(clf, X, "rust", f"m{number}")
        rows.append((forms, given))
        taken, passed = [], []
        for i, form in enumerate(forms):
            if form is Form.NUMBER:
                taken, passed = [*taken, f"a{i}: f64"], [*passed, f"a{i}"]
            elif form is Form.TEXT:
                taken, passed = [*taken, f"a{i}: *const u8, n{i}: usize"], [*passed, f"text(a{i}, n{i})"]
            else:
                taken, passed = (
                    [*taken, f"a{i}: i32"],
                    [*passed, f"if a{i} < 0 {{ None }} else {{ Some(a{i} == 1) }}"],
                )
        call = f"({', '.join(passed)})"
        wrappers.append(
            f'#[no_mangle] pub extern "C" fn rule{number}({", ".join(taken)}) -> usize {{\n'
            f"  m{number}_rule{call} }}\n"
            f'#[no_mangle] pub extern "C" fn label{number}({", ".join([*taken, "n: *mut usize"])})\n'
            "  -> *const u8 {\n"
            f"  match m{number}{call} {{ None => std::ptr::null(), "
            "Some(x) => { unsafe { *n = x.len() }; x.as_ptr() } } }"
        )
    helper = (
        "#![allow(warnings)]\nfn text<'a>(a: *const u8, n: usize) -> Option<&'a str> {\n"
        "  if a.is_null() { return None; }\n"
        "  Some(unsafe { std::str::from_utf8_unchecked(std::slice::from_raw_parts(a, n)) }) }\n"
    )
    source = "\n".join([helper, *(to_rust(clf, f"m{i}") for i, (clf, _) in enumerate(found)), *wrappers])
    (tmp_path / "models.rs").write_text(source, encoding="ascii")
    subprocess.run(
        ["rustc", "--crate-type", "cdylib", "-o", "models.so", "models.rs"], cwd=tmp_path, check=True
    )
    library = ctypes.CDLL(str(tmp_path / "models.so"))
    for number, ((clf, X), (forms, given)) in enumerate(zip(found, rows, strict=True)):
        rule, label = library[f"rule{number}"], library[f"label{number}"]
        rule.argtypes = [kind for form in forms for kind in types[form]]
        label.argtypes = [*rule.argtypes, ctypes.POINTER(ctypes.c_size_t)]
        rule.restype, label.restype = ctypes.c_size_t, ctypes.c_void_p
        got = []
        for values in given:
            row = [part for form, value in zip(forms, values, strict=True) for part in _for_rust(form, value)]
            length = ctypes.c_size_t()
            place = label(*row, ctypes.byref(length))
            got.append((ctypes.string_at(place, length.value).decode() if place else None, rule(*row)))
        expected = Model(clf, X)
        assert got == list(zip(as_text(expected.labels), expected.rules, strict=True))


def _for_rust(form, value):
    if form is Form.TEXT:
        return (None, 0) if value is None else (value.encode(), len(value.encode()))
    return [(math.nan if form is Form.NUMBER else -1) if value is None else value]
