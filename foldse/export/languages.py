"""What differs between programming languages: how they write values, functions and what is missing."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["LANGUAGES", "Cell", "Form", "Language"]


class Form(StrEnum):
    """What a function takes for a feature; where a row holds another kind of value, that is missing."""

    NUMBER = "number"
    TEXT = "text"
    TRUTH = "truth value"


@dataclass(frozen=True, slots=True)
class Cell:
    """A parameter of a function: a feature, in one form.

    Attributes
    ----------
    feature : str
    form : Form
    name : str
        Of the variable.
    """

    feature: str
    form: Form
    name: str


@dataclass(frozen=True, slots=True)
class Language:
    """How one language writes a program.

    Attributes
    ----------
    title : str
    text : callable
        Writes text as a literal.
    infinity : str
    equals : mapping of Form to callable
        Write that a variable holds a number, text or truth value, which is given as the language writes it.
    missing : mapping of Form to str
        How it is written that ``{x}`` is missing.
    nothing : mapping of Form to str
        How a missing value is given, for the comment.
    truths : tuple of str
        False and true.
    functions : callable
        Writes the program: of its name, its cells, its conditions in order, its labels as written (that of
        the default first), and the lines of its comment.
    reserved : frozenset of str
        Names that no variable can have.
    """

    title: str
    text: Callable[[str], str]
    infinity: str
    equals: Mapping[Form, Callable[[str, str], str]]
    missing: Mapping[Form, str]
    nothing: Mapping[Form, str]
    truths: tuple[str, str]
    functions: Callable[[str, Sequence[Cell], Sequence[str], Sequence[str | None], Sequence[str]], str]
    reserved: frozenset[str]

    def number(self, value: float) -> str:
        """Write a float so that the same float is read."""
        if math.isinf(value):
            return self.infinity if value > 0 else f"-{self.infinity}"
        return repr(float(value))


def _block(first: str, lines: Sequence[str]) -> list[str]:
    """Return a comment that C, Java, JavaScript and Rust understand."""
    text = "\n   ".join(line.replace("*/", "* /").replace("/*", "/ *") for line in (first, *lines))
    return f"/* {text} */".split("\n")


RULE = "Return the number of the rule that decides a row, from 1; 0 for the default."
LABEL = "Return the label of a row"


def _decided(conditions: Sequence[str], indent: str, form: str) -> list[str]:
    return [indent + form.format(condition, number) for number, condition in enumerate(conditions, 1)]


# C

_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def _c_text(text: str) -> str:
    """Write UTF-8; octal escapes have three digits at most, and question marks make no trigraphs."""
    if "\0" in text:
        raise ValueError(f"C ends text at the NUL character, which is in {text[:40]!r}; clean the text")
    written = "".join(
        _SHORT.get(chr(byte)) or (chr(byte) if 32 <= byte < 127 and byte != 63 else f"\\{byte:03o}")
        for byte in text.encode()
    )
    return f'"{written}"'


_C_TYPES = {Form.NUMBER: "double ", Form.TEXT: "const char *", Form.TRUTH: "int "}


def _c(
    name: str,
    cells: Sequence[Cell],
    conditions: Sequence[str],
    labels: Sequence[str | None],
    comment: Sequence[str],
) -> str:
    parameters = ", ".join(f"{_C_TYPES[cell.form]}{cell.name}" for cell in cells) or "void"
    written = ", ".join("NULL" if label is None else label for label in labels)
    return "\n".join(
        [
            "#include <math.h>",
            "#include <string.h>",
            "",
            *_block(RULE, comment),
            f"int {name}_rule({parameters})",
            "{",
            *_decided(conditions, "    ", "if ({}) return {};"),
            "    return 0;",
            "}",
            "",
            *_block(f"{LABEL}, NULL where there is none; as for {name}_rule.", ()),
            f"const char *{name}({parameters})",
            "{",
            f"    static const char *const labels[] = {{{written}}};",
            f"    return labels[{name}_rule({', '.join(cell.name for cell in cells)})];",
            "}",
            "",
        ]
    )


# Java


def _java_text(text: str) -> str:
    r"""Write ASCII: Java reads \u before anything else, so that control characters are octal."""
    written = []
    for unit in memoryview(text.encode("utf-16-le")).cast("H"):
        char = chr(unit)
        if char in _SHORT:
            written.append(_SHORT[char])
        elif unit < 32:
            written.append(f"\\{unit:03o}")
        else:
            written.append(char if unit < 127 else f"\\u{unit:04x}")
    return f'"{"".join(written)}"'


_JAVA_TYPES = {Form.NUMBER: "double", Form.TEXT: "String", Form.TRUTH: "Boolean"}


def _java(
    name: str,
    cells: Sequence[Cell],
    conditions: Sequence[str],
    labels: Sequence[str | None],
    comment: Sequence[str],
) -> str:
    parameters = ", ".join(f"{_JAVA_TYPES[cell.form]} {cell.name}" for cell in cells)
    written = ", ".join("null" if label is None else label for label in labels)
    body = [
        f"private static final String[] LABELS = {{{written}}};",
        "",
        *_block(RULE, comment),
        f"public static int rule({parameters}) {{",
        *_decided(conditions, "    ", "if ({}) return {};"),
        "    return 0;",
        "}",
        "",
        *_block(f"{LABEL}, null where there is none; as for rule.", ()),
        f"public static String predict({parameters}) {{",
        f"    return LABELS[rule({', '.join(cell.name for cell in cells)})];",
        "}",
    ]
    indented = "\n".join(f"    {line}" if line else "" for line in "\n".join(body).split("\n"))
    return f"public final class {name} {{\n{indented}\n}}\n"


# JavaScript

_READ = {
    Form.NUMBER: 'typeof {0} === "number" ? {0} : NaN',
    Form.TEXT: 'typeof {0} === "string" ? {0} : null',
    Form.TRUTH: 'typeof {0} === "boolean" ? {0} : null',
}


def _javascript(
    name: str,
    cells: Sequence[Cell],
    conditions: Sequence[str],
    labels: Sequence[str | None],
    comment: Sequence[str],
) -> str:
    written = ", ".join("null" if label is None else label for label in labels)
    read = []
    for cell in cells:
        value = f"row[{json.dumps(cell.feature)}]"
        read.append(f"  const {cell.name} = {_READ[cell.form].format(value)};")
    return "\n".join(
        [
            *_block(RULE, comment),
            f"function {name}_rule(row) {{",
            *read,
            *_decided(conditions, "  ", "if ({}) return {};"),
            "  return 0;",
            "}",
            "",
            *_block(f"{LABEL}, null where there is none; as for {name}_rule.", ()),
            f"function {name}(row) {{",
            f"  return [{written}][{name}_rule(row)];",
            "}",
            "",
        ]
    )


# Rust


def _rust_text(text: str) -> str:
    written = "".join(
        _SHORT.get(char) or (char if 32 <= ord(char) < 127 else f"\\u{{{ord(char):x}}}") for char in text
    )
    return f'"{written}"'


_RUST_TYPES = {Form.NUMBER: "f64", Form.TEXT: "Option<&str>", Form.TRUTH: "Option<bool>"}


def _rust(
    name: str,
    cells: Sequence[Cell],
    conditions: Sequence[str],
    labels: Sequence[str | None],
    comment: Sequence[str],
) -> str:
    parameters = ", ".join(f"{cell.name}: {_RUST_TYPES[cell.form]}" for cell in cells)
    written = ", ".join("None" if label is None else f"Some({label})" for label in labels)
    return "\n".join(
        [
            *_block(RULE, comment),
            f"pub fn {name}_rule({parameters}) -> usize {{",
            *_decided(conditions, "    ", "if {} {{ return {}; }}"),
            "    0",
            "}",
            "",
            *_block(f"{LABEL}, None where there is none; as for {name}_rule.", ()),
            f"pub fn {name}({parameters}) -> Option<&'static str> {{",
            f"    const LABELS: [Option<&str>; {len(labels)}] = [{written}];",
            f"    LABELS[{name}_rule({', '.join(cell.name for cell in cells)})]",
            "}",
            "",
        ]
    )


_C_WORDS = (
    "auto bool break case char const continue default do double else enum extern false float for goto if "
    "inline int long register restrict return short signed sizeof static struct switch true typedef "
    "union unsigned void volatile while labels null strcmp nan main y0 y1 yn j0 j1 jn"
)
_JAVA_WORDS = (
    "abstract assert boolean break byte case catch char class const continue default do double else enum "
    "extends final finally float for goto if implements import instanceof int interface long native new "
    "package private protected public return short static strictfp super switch synchronized this throw "
    "throws transient try void volatile while true false null var record yield"
)
_JAVASCRIPT_WORDS = (
    "arguments await break case catch class const continue debugger default delete do else enum eval export "
    "extends false finally for function if implements import in instanceof interface let new null package "
    "private protected public return row static super switch this throw true try typeof undefined var void "
    "while with yield"
)
_RUST_WORDS = (
    "abstract as async await become box break const continue crate do dyn else enum extern false final fn "
    "for gen if impl in let loop macro match mod move mut override priv pub ref return self static "
    "struct super trait true try type typeof unsafe unsized use virtual where while yield"
)

LANGUAGES = {
    "c": Language(
        title="C",
        text=_c_text,
        infinity="HUGE_VAL",
        equals={
            Form.NUMBER: lambda x, value: f"{x} == {value}",
            Form.TEXT: lambda x, value: f"({x} && strcmp({x}, {value}) == 0)",
            Form.TRUTH: lambda x, value: f"{x} == {value}",
        },
        missing={Form.NUMBER: "{x} != {x}", Form.TEXT: "{x} == NULL", Form.TRUTH: "{x} < 0"},
        nothing={Form.NUMBER: "NaN", Form.TEXT: "NULL", Form.TRUTH: "-1"},
        truths=("0", "1"),
        functions=_c,
        reserved=frozenset(_C_WORDS.split()),
    ),
    "java": Language(
        title="Java",
        text=_java_text,
        infinity="Double.POSITIVE_INFINITY",
        equals={
            Form.NUMBER: lambda x, value: f"{x} == {value}",
            Form.TEXT: lambda x, value: f"{value}.equals({x})",
            Form.TRUTH: lambda x, value: f"Boolean.valueOf({value}).equals({x})",
        },
        missing={Form.NUMBER: "{x} != {x}", Form.TEXT: "{x} == null", Form.TRUTH: "{x} == null"},
        nothing={Form.NUMBER: "NaN", Form.TEXT: "null", Form.TRUTH: "null"},
        truths=("false", "true"),
        functions=_java,
        reserved=frozenset(_JAVA_WORDS.split()),
    ),
    "javascript": Language(
        title="JavaScript",
        text=json.dumps,
        infinity="Infinity",
        equals=dict.fromkeys(Form, lambda x, value: f"{x} === {value}"),
        missing={Form.NUMBER: "{x} !== {x}", Form.TEXT: "{x} === null", Form.TRUTH: "{x} === null"},
        nothing=dict.fromkeys(Form, "null"),
        truths=("false", "true"),
        functions=_javascript,
        reserved=frozenset(_JAVASCRIPT_WORDS.split()),
    ),
    "rust": Language(
        title="Rust",
        text=_rust_text,
        infinity="f64::INFINITY",
        equals={
            Form.NUMBER: lambda x, value: f"{x} == {value}",
            Form.TEXT: lambda x, value: f"{x} == Some({value})",
            Form.TRUTH: lambda x, value: f"{x} == Some({value})",
        },
        missing={Form.NUMBER: "{x}.is_nan()", Form.TEXT: "{x}.is_none()", Form.TRUTH: "{x}.is_none()"},
        nothing={Form.NUMBER: "NaN", Form.TEXT: "None", Form.TRUTH: "None"},
        truths=("false", "true"),
        functions=_rust,
        reserved=frozenset(_RUST_WORDS.split()),
    ),
}
