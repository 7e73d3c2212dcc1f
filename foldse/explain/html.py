"""A justification as HTML, for notebooks and browsers: a tree that folds."""

from __future__ import annotations

from foldse.explain.proof import Decision, LiteralNode, RuleNode, State
from foldse.explain.wording import requirement
from foldse.model.html import element, escaped
from foldse.model.literals import quote

__all__ = ["justification_to_html"]


def justification_to_html(justification: Decision) -> str:
    """Return a justification as a tree that folds.

    Parameters
    ----------
    justification : Decision

    Returns
    -------
    str
        One HTML element; rules that were not needed are folded.
    """
    nodes = justification.rules
    head = f"{justification.target}({justification.subject},{quote(str(justification.prediction))})"
    if justification.fired is None and justification.prediction is None:
        head, why = f"no label of {justification.subject}", "as no rule fires" if nodes else "ever"
    elif justification.fired is None:
        why = "by default, as no rule fires" if nodes else "always"
    else:
        why = f"by rule {justification.fired + 1} of {len(nodes)}" if len(nodes) > 1 else "because"
    parts = [f"<p><code><b>{escaped(head)}</b></code> {why}</p>"]
    for node in nodes:
        called = escaped(f"{node.name}(X,{quote(str(node.head))})")
        parts.append(_rule(node, called, justification.program.predicates))
    return element(parts)


def _rule(node: RuleNode, head: str, names: dict[str, str]) -> str:
    items = [_literal(part, names) for part in node.literals]
    items += [f"<li>{_rule(part, f'exception {escaped(part.name)}', names)}</li>" for part in node.exceptions]
    is_open = "" if node.state is State.NOT_NEEDED else " open"
    return (
        f"<details{is_open}><summary>{_marked(node.state, f'<code>{head}</code>')}</summary>"
        f"<ul>{''.join(items)}</ul></details>"
    )


def _literal(node: LiteralNode, names: dict[str, str]) -> str:
    name, value = escaped(names[node.literal.feature]), escaped(str(node.observed))
    text = f"<code>{name}</code> is <code>{value}</code>, {escaped(requirement(node.literal))}"
    return f"<li>{_marked(node.state, text)}</li>"


def _marked(state: State, text: str) -> str:
    kind = {State.TRUE: " true", State.FALSE: " false"}.get(state, "")
    unused = "" if kind else ' class="unused"'
    return f'<span class="mark{kind}">{state}</span><span{unused}>{text}</span>'
