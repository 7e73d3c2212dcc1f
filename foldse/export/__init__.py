"""Learned programs for other engines: Prolog, s(CASP), clingo, SQL, source code, PMML, ONNX and JSON."""

from foldse.export.clingo import clingo_facts, to_clingo
from foldse.export.code import to_c, to_java, to_javascript, to_rust
from foldse.export.onnx import to_onnx
from foldse.export.pmml import to_pmml
from foldse.export.prolog import prolog_facts, to_prolog
from foldse.export.sql import to_sql
from foldse.model.document import to_json

__all__ = [
    "clingo_facts",
    "prolog_facts",
    "to_c",
    "to_clingo",
    "to_java",
    "to_javascript",
    "to_json",
    "to_onnx",
    "to_pmml",
    "to_prolog",
    "to_rust",
    "to_sql",
]
