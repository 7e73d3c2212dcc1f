"""What is said of rows without a label, and what would give them one."""

import pandas as pd
import pytest

from foldse import ConFoldClassifier, FoldSEClassifier

TABLE = pd.DataFrame({"kind": ["a"] * 30 + ["b"] * 30 + ["c"] * 3})
LABELS = pd.Series(["p"] * 30 + ["q"] * 30 + ["p"] * 3, name="y")
RULES = "y(X,'p') :- kind(X,'a').\ny(X,'q') :- kind(X,'b')."


def model(abstain):
    return ConFoldClassifier(abstain=abstain).fit(TABLE, LABELS).with_rules(RULES).remeasure(TABLE, LABELS)


@pytest.fixture
def clf():
    return model(None)


@pytest.fixture
def unknown():
    return model("unknown")


def test_texts(clf, unknown):
    row = TABLE.tail(1)
    why = clf.explain(row, names=["it"])[0]
    assert why.prediction is None
    assert why.to_dict()["prediction"] is None
    assert why.to_text().splitlines() == [
        "y(it,'p') does not hold because",
        "    the value of kind is 'c' which should equal 'a' does not hold",
        "y(it,'q') does not hold because",
        "    the value of kind is 'c' which should equal 'b' does not hold",
        "no rule fires, so it has no label",
    ]
    assert why.to_text("short").startswith("no label of it: rule 1 fails as kind is 'c', not 'a'; rule 2")
    assert why.to_text("english").startswith("No rule fires, so it has no label, because\n")
    assert "<b>no label of it</b></code> as no rule fires" in why.to_html()
    assert clf.describe().endswith("If no rule applies, X has no label.")
    own = unknown.explain(row, names=["it"])[0]
    assert own.to_text().endswith("\ny(it,'unknown') does hold by default")
    assert own.to_text("short").startswith("y(it,'unknown') by default: ")
    assert unknown.describe().endswith("If no rule applies, y is unknown for X.")


def test_a_rule_that_fires_is_told_as_ever(clf):
    plain = model(False)
    for style in ("paper", "short", "english"):
        assert clf.explain(TABLE)[0].to_text(style) == plain.explain(TABLE)[0].to_text(style)


def test_the_program_line_by_line_and_its_figures(clf, unknown):
    line = list(clf.rules_.lines())[-1]
    assert (line.text, line.covered, line.correct) == ("otherwise no label", 3, None)
    assert list(unknown.rules_.lines())[-1].text == "otherwise y(X,'unknown')"
    frame = clf.rules_.to_frame(default=True)
    assert frame["label"].tolist() == ["p", "q", None]
    assert frame["covered"].tolist() == [30, 30, 3]
    assert frame["precision"].isna().tolist() == [False, False, True]
    card = clf.rules_.to_html()
    assert "<code>otherwise no label</code></td><td>3</td><td>4.8%</td><td>&ndash;</td>" in card
    assert "training accuracy 95.2%" in card  # 60 of 63


def test_what_would_give_a_label(clf, unknown):
    answers = clf.counterfactual(TABLE.tail(1), n=5)
    assert sorted(answer.prediction for answer in answers) == ["p", "q"]
    assert answers[0].original is None
    assert answers[0].to_dict()["original"] is None
    assert "would hold instead of no label if" in str(answers[0])
    # No label is no other label; a label of its own is one where it is asked for.
    assert clf.counterfactual(TABLE.head(1)).prediction == "q"
    assert unknown.counterfactual(TABLE.head(1)).prediction == "q"
    assert unknown.counterfactual(TABLE.head(1), target="unknown").prediction == "unknown"
    with pytest.raises(ValueError, match="no change of kind leads to a label; restricted by within"):
        clf.counterfactual(TABLE.tail(1), within={"kind": ["d"]})


def test_without_rules():
    with pytest.warns(UserWarning, match="no valid rule was found: no row gets a label;"):
        clf = FoldSEClassifier(tail=100, abstain=None).fit(TABLE, LABELS)
    why = clf.explain(TABLE.head(1))[0]
    assert why.to_text() == "no rule fires, so X0 has no label"
    assert why.to_text("short") == "no label of X0"
    assert clf.describe() == "Always X has no label."
