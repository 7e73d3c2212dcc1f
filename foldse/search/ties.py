"""Orders of ties: which of several literals with the same score is taken."""

from __future__ import annotations

from typing import Final

from foldse.model.literals import is_number
from foldse.reading.encoding import EncodedTable, FeatureCodes

__all__ = ["TIES", "order_ties"]

TIES: Final = ("columns", "categories_first", "last_category_first", "service")
"""The orders: see `order_ties`."""


def order_ties(table: EncodedTable, ties: str) -> EncodedTable:
    """Return a table whose features and categories are searched in an order of ties.

    Parameters
    ----------
    table : EncodedTable
        With its features in column order.
    ties : {"columns", "categories_first", "last_category_first", "service"}
        ``"columns"``: features in column order, categories sorted. ``"categories_first"``: features without
        a number before the others, each in column order. ``"last_category_first"``: moreover categories from
        the last in sorted order to the first. ``"service"``: the same, but for text of two categories, which
        stands in sorted order.

    Returns
    -------
    EncodedTable
        Shares its codes with `table`.

    Notes
    -----
    The paper does not say how ties are broken. ``"service"`` gives each of the 26 programs that are known of
    the authors' own FOLD-SE, which they run as a web service (``results/published/service_programs.csv``).
    It is the simplest description that fits. What ran there looks like the order of a Python set, which
    differs from process to process: nine of the twelve published means come out with ``"service"``, two more
    with ``"categories_first"``.
    """
    if ties == "columns":
        return table
    order = sorted(range(len(table.features)), key=lambda feature: table.features[feature].n_numbers > 0)
    if ties == "service":
        last_first = [not _is_pair_of_texts(table.features[feature]) for feature in order]
    else:
        last_first = [ties == "last_category_first"] * len(order)
    return table.reordered(order, last_first)


def _is_pair_of_texts(feature: FeatureCodes) -> bool:
    # A missing value counts: it was the text "?" there.
    texts = [x for x in feature.categories if not is_number(x) and not (isinstance(x, str) and x.isdecimal())]
    return len(feature.categories) == len(texts) == 2
