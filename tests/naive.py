"""FOLD-SE and its relatives as plainly as they can be written: the oracle of the tests.

Rows are tuples of Python values (numbers, text, None), a literal is a tuple (feature, op, value), a rule
a tuple (literals, exceptions). Nothing here imports the library.
"""

from math import inf, log, sqrt

FULL = ("<=", "not<=", ">", "not>")
BASIC = ("<=", ">")


def is_number(v):
    return isinstance(v, (int, float)) and not isinstance(v, bool)


def holds(literal, row):
    feature, op, bound = literal
    value = row[feature]
    if op == "<=":
        return is_number(value) and value <= bound
    if op == "not<=":
        return not (is_number(value) and value <= bound)
    if op == ">":
        return is_number(value) and value > bound
    if op == "not>":
        return not (is_number(value) and value > bound)
    if op == "=":
        return not is_number(value) and type(value) is type(bound) and value == bound
    return is_number(value) or type(value) is not type(bound) or value != bound


def valid(tp, fn, tn, fp):
    return tp + tn >= fp + fn


def magic_gini(tp, fn, tn, fp):
    if not valid(tp, fn, tn, fp):
        return -inf
    return -(sqrt(tp * fp) + sqrt(tn * fn)) / (tp + fn + tn + fp)


def information_gain(tp, fn, tn, fp):
    if not valid(tp, fn, tn, fp):
        return -inf
    n = tp + fn + tn + fp

    def entropy(a, b):
        return (a / n * log(a / (a + b)) if a else 0.0) + (b / n * log(b / (a + b)) if b else 0.0)

    return entropy(tp, fp) + entropy(tn, fn)


def weighted_gini(tp, fn, tn, fp):
    if not valid(tp, fn, tn, fp):
        return -inf

    def gini(a, b):
        return 2 * a * b / (a + b) if a + b else 0.0

    return -(gini(tp, fp) + gini(tn, fn)) / (tp + fn + tn + fp)


def chi_square(tp, fn, tn, fp):
    if not valid(tp, fn, tn, fp):
        return -inf
    margins = (tp + fp) * (tn + fn) * ((tp + fn) * (tn + fp))
    return (tp + fn + tn + fp) * (tp * tn - fp * fn) ** 2 / margins if margins else 0.0


def gini_printed(tp, fn, tn, fp):
    if not valid(tp, fn, tn, fp):
        return -inf

    def part(a, b):
        return sqrt(a * b) / (a + b) if a + b else 0.0

    return -(part(tp, fp) + part(tn, fn))


SCORES = {f.__name__: f for f in (magic_gini, information_gain, weighted_gini, chi_square, gini_printed)}


def category_order(v):
    return (v is not None, isinstance(v, str), isinstance(v, bool), str(v))


def candidates(rows, ops, ties=None):
    """All literals in the order in which ties are broken; `ties` are (feature, last category first) pairs.

    `ops` are the comparisons by size or, as a dict, all comparisons of each feature.
    """
    for feature, last_first in ties or [(i, False) for i in range(len(rows[0]) if rows else 0)]:
        values = [row[feature] for row in rows]
        here = ops[feature] if isinstance(ops, dict) else (*ops, "=", "!=")
        for bound in sorted({v for v in values if is_number(v) and abs(v) < inf}):
            for op in FULL:
                if op in here:
                    yield (feature, op, bound)
        categories = {v for v in values if not is_number(v)}
        for category in sorted(categories, key=category_order, reverse=last_first):
            for op in ("=", "!="):
                if op in here:
                    yield (feature, op, category)


def by_value(feature, _, value):
    """What is blocked once a literal is used: here its value."""
    return feature, value


def by_comparison(feature, op, value):
    """Here its comparison and the negation of that."""
    return feature, op.replace("not", "").replace("!", ""), value


def best_literal(pos, neg, used, score, ops, ties=None, key=by_value):
    best, found = -inf, None
    for literal in candidates(pos + neg, ops, ties):
        if key(*literal) in used:
            continue
        feature, op, _ = literal
        if key is by_comparison and op in (">", "not>") and all(is_number(r[feature]) for r in pos + neg):
            continue  # among numbers it is the negation of <=
        tp = sum(holds(literal, r) for r in pos)
        fp = sum(holds(literal, r) for r in neg)
        s = score(tp, len(pos) - tp, len(neg) - fp, fp)
        if s > best:
            best, found = s, literal
    return found


def covers(rule, row):
    literals, exceptions = rule
    return all(holds(x, row) for x in literals) and not any(covers(e, row) for e in exceptions)


def learn_rule_set(pos, neg, used, score, ops, ratio, tail, prune=True, ties=None, key=by_value):
    rules = []
    while pos:
        rule = learn_rule(pos, neg, used, score, ops, ratio, tail, prune, ties, key)
        if rule is None:
            break
        rules.append(rule)
        pos = [r for r in pos if not covers(rule, r)]
    return rules


def learn_rule(pos, neg, used, score, ops, ratio, tail, prune=True, ties=None, key=by_value):
    literals, exceptions = [], []
    p, n = pos, neg
    while True:
        blocked = used | {key(*literal) for literal in literals}
        literal = best_literal(p, n, blocked, score, ops, ties, key)
        if literal is None:
            break
        literals.append(literal)
        p = [r for r in p if holds(literal, r)]
        n = [r for r in n if holds(literal, r)]
        if len(n) <= len(p) * ratio:
            blocked = used | {key(*literal) for literal in literals}
            least = tail if prune else 0
            exceptions = learn_rule_set(n, p, blocked, score, ops, ratio, least, prune, ties, key)
            break
    rule = (literals, exceptions)
    if not literals or sum(covers(rule, r) for r in pos) < max(1, tail):
        return None
    return rule


def fit_binary(rows, labels, positive, score, ops, ratio=0.5, tail=0, prune=True, ties=None, key=by_value):
    pos = [r for r, y in zip(rows, labels, strict=True) if y == positive]
    neg = [r for r, y in zip(rows, labels, strict=True) if y != positive]
    return learn_rule_set(pos, neg, frozenset(), score, ops, ratio, tail, prune, ties, key)


def fit_multiclass(rows, labels, score, ops, ratio=0.5, tail=0, keep_wrong=True, stop_at_invalid=False):
    """Return (label, rule) pairs."""
    found = []
    rest = list(zip(rows, labels, strict=True))
    while rest:
        left = [y for _, y in rest]
        by_frequency = sorted(set(left), key=lambda y: (-left.count(y), y))
        for label in by_frequency[:1] if stop_at_invalid else by_frequency:
            pos = [r for r, y in rest if y == label]
            neg = [r for r, y in rest if y != label]
            rule = learn_rule(pos, neg, frozenset(), score, ops, ratio, tail)
            if rule is not None:
                break
        else:
            break
        found.append((label, rule))
        rest = [(r, y) for r, y in rest if not covers(rule, r) or (y != label and keep_wrong)]
    return found


def confidence(rule, pos, neg, z=3):
    tp = sum(covers(rule, r) for r in pos)
    n = tp + sum(covers(rule, r) for r in neg)
    return (tp + z * z / 2) / (n + z * z) if n else 0.5


def confold_rule(pos, neg, used, score, ops, ratio):
    """LearnRule of CON-FOLD, in which an exception takes what it covers from both sides."""
    literals, exceptions = [], []
    p, n = pos, neg
    while True:
        literal = best_literal(p, n, used | {by_value(*x) for x in literals}, score, ops)
        if literal is None:
            break
        literals.append(literal)
        p = [r for r in p if holds(literal, r)]
        n = [r for r in n if holds(literal, r)]
        if len(n) <= len(p) * ratio:
            blocked = used | {by_value(*x) for x in literals}
            side, other = n, p
            while side:
                exception = confold_rule(side, other, blocked, score, ops, ratio)
                if exception is None:
                    break
                exceptions.append(exception)
                side = [r for r in side if not covers(exception, r)]
                other = [r for r in other if not covers(exception, r)]
            break
    rule = (literals, exceptions)
    return rule if literals and any(covers(rule, r) for r in pos) else None


def pruned(rule, pos, neg, min_improvement):
    literals, exceptions = rule[0], list(rule[1])
    i = 0
    while i < len(exceptions):
        without = exceptions[:i] + exceptions[i + 1 :]
        gain = confidence((literals, exceptions), pos, neg) - confidence((literals, without), pos, neg)
        if gain < min_improvement:
            exceptions = without
        else:
            exceptions[i] = pruned(exceptions[i], neg, pos, min_improvement)
            i += 1
    return literals, exceptions


def fit_confold(rows, labels, min_improvement, min_confidence, score=information_gain, ops=BASIC, ratio=0.5):
    """Return (label, rule, confidence) triples: CON-FOLD, as its authors' code has it."""
    found = []
    rest = list(zip(rows, labels, strict=True))
    while rest:
        left = [y for _, y in rest]
        label = max(dict.fromkeys(left), key=lambda y: (left.count(y), left.index(y)))
        pos = [r for r, y in rest if y == label]
        neg = [r for r, y in rest if y != label]
        rule = confold_rule(pos, neg, frozenset(), score, ops, ratio)
        if rule is None:
            break
        if min_improvement is not None:
            rule = pruned(rule, pos, neg, min_improvement)
        found.append((label, rule, confidence(rule, pos, neg)))
        rest = [(r, y) for r, y in rest if y == label and not covers(rule, r)] + [
            (r, y) for r, y in rest if y != label and not covers(rule, r)
        ]
    return [x for x in found if min_confidence is None or x[2] >= min_confidence]


def firing(program, rows):
    """For each rule, then each exception, inner first: where it fires, and what it decides or withholds.

    Then the rows that are left for the default.
    """
    decided, withheld = [], []
    undecided = list(range(len(rows)))
    for rule in program:
        withhold(rule, undecided, rows, withheld)
        fires = [r for r, row in enumerate(rows) if covers(rule, row)]
        decided.append((fires, [r for r in undecided if r in fires]))
        undecided = [r for r in undecided if r not in fires]
    return decided + withheld, undecided


def withhold(rule, asked, rows, found):
    literals, exceptions = rule
    satisfied = [r for r in asked if all(holds(x, rows[r]) for x in literals)]
    for exception in exceptions:
        withhold(exception, satisfied, rows, found)
        fires = [r for r, row in enumerate(rows) if covers(exception, row)]
        found.append((fires, [r for r in satisfied if r in fires]))
