"""Names beside the points of a panel, placed so that none covers another or a point."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.transforms import Bbox

# Where a name is tried around its point, nearest first: direction, then distance in pixels.
_DIRECTIONS = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, 1), (1, -1), (-1, -1))
_DISTANCES = (6, 11, 17, 24, 32, 42)
_LEADER_FROM = 11
# Points nearer to each other than this share a name: their markers lie on one another.
_TOGETHER = 4.0
_MARKER = 3.5
_BOTH = "#222222"
# Over the lines of the panel, which a patch of white interrupts, and below its markers.
_TEXT: dict[str, Any] = {
    "fontsize": 7,
    "zorder": 2.1,
    "bbox": {"fc": "white", "ec": "none", "alpha": 0.75, "pad": 0.2},
}


def label_points(ax: Axes, points: Sequence[tuple[float, float, int, str]], names: Sequence[str]) -> None:
    """Write the names of points beside them.

    The limits of the panel must be final, and the figure laid out.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    points : sequence of (float, float, int, str)
        x, y, the place of the point in `names`, and its colour. Several may have one name; one for points
        of several colours is black.
    names : sequence of str
        In their order: neighbours of a point that has several are written as a range.
    """
    if not points:
        return
    pixels = ax.transData.transform([point[:2] for point in points])
    groups: list[list[int]] = []
    for i in sorted(range(len(points)), key=lambda i: (points[i][2], tuple(pixels[i]))):
        for group in groups:
            if abs(pixels[i] - pixels[group[0]]).max() < _TOGETHER:
                group.append(i)
                break
        else:
            groups.append([i])
    taken = [Bbox.from_extents(x - _MARKER, y - _MARKER, x + _MARKER, y + _MARKER) for x, y in pixels]
    for group in groups:
        colours = {points[i][3] for i in group}
        name = ranges(sorted({points[i][2] for i in group}), names)
        _place(ax, name, points[group[0]][:2], colours.pop() if len(colours) == 1 else _BOTH, taken)


def ranges(places: Sequence[int], names: Sequence[str]) -> str:
    """Return the names at some places, ascending, with runs of three and more as a range."""
    runs: list[list[int]] = []
    for place in places:
        if runs and place == runs[-1][-1] + 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    parts = []
    for run in runs:
        ends = [names[run[0]], names[run[-1]]]
        parts += ["–".join(ends)] if len(run) > 2 else [names[place] for place in run]
    return ", ".join(parts)


def _place(ax: Axes, name: str, at: tuple[float, float], colour: str, taken: list[Bbox]) -> None:
    """Write a name at the first free place, else where it covers least, and note the place as taken."""
    frame = ax.get_window_extent()
    made = ax.annotate(name, at, (0, 0), textcoords="offset points", annotation_clip=False, **_TEXT)
    size = made.get_window_extent()
    best: tuple[float, Bbox, float] | None = None
    for box, distance in _boxes(tuple(ax.transData.transform(at)), size.width, size.height * 0.8):
        outside = box.width * box.height - _common(box, frame)
        cost = 3 * outside + sum(_common(box, other) for other in taken)
        if best is None or cost < best[0]:
            best = (cost, box, distance)
        if cost == 0:
            break
    assert best is not None
    _, box, distance = best
    made.remove()
    x, y = ax.transData.transform(at)
    ax.annotate(
        name,
        at,
        (box.x0 + box.width / 2 - x, box.y0 + box.height / 2 - y),
        textcoords="offset pixels",
        ha="center",
        va="center",
        arrowprops={"arrowstyle": "-", "lw": 0.4, "color": "#888888", "shrinkA": 0, "shrinkB": 2}
        if distance > _LEADER_FROM
        else None,
        annotation_clip=False,
        color=colour,
        **_TEXT,
    )
    taken.append(box)


def _boxes(at: tuple[float, ...], width: float, height: float) -> Iterator[tuple[Bbox, float]]:
    for distance in _DISTANCES:
        for right, up in _DIRECTIONS:
            shift = distance * (0.7 if right and up else 1)
            x = at[0] + right * (shift + width / 2)
            y = at[1] + up * (shift + height / 2)
            yield Bbox.from_extents(x - width / 2, y - height / 2, x + width / 2, y + height / 2), distance


def _common(one: Bbox, other: Bbox) -> float:
    """Return the area that two boxes share."""
    width = min(one.x1, other.x1) - max(one.x0, other.x0)
    height = min(one.y1, other.y1) - max(one.y0, other.y0)
    return width * height if width > 0 and height > 0 else 0.0
