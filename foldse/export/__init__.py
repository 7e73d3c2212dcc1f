"""Learned programs for other engines: Prolog, s(CASP), clingo, SQL and JSON."""

from foldse.export.clingo import clingo_facts, to_clingo
from foldse.export.prolog import prolog_facts, to_prolog
from foldse.export.sql import to_sql
from foldse.model.document import to_json

__all__ = ["clingo_facts", "prolog_facts", "to_clingo", "to_json", "to_prolog", "to_sql"]
