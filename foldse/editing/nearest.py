"""What a name that is not known may have meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = ["close_matches"]


def close_matches(wanted: str, known: Iterable[str], what: str) -> str:
    """Return a hint at what was meant: the names that are close, else the first of all."""
    names = list(known)
    folded: dict[str, str] = {}
    for name in names:
        folded.setdefault(name.casefold(), name)
    near = [folded[name] for name in difflib.get_close_matches(wanted.casefold(), folded, n=3, cutoff=0.6)]
    if near:
        return f"did you mean {' or '.join(map(repr, near))}?"
    more = ", ..." if len(names) > 20 else ""
    return f"the {what} are {', '.join(map(repr, names[:20]))}{more}"
