"""Editing the rules of a model file."""

import pytest

from foldse import load_model, parse_rules

from .running import call, people, run


@pytest.fixture
def model(tmp_path):
    people().to_csv(tmp_path / "people.csv", index=False)
    done = call(
        "fit", tmp_path / "people.csv", "-t", "buys", "-p", "yes", "--no-score", "-o", tmp_path / "m.json"
    )
    assert done.exit_code == 0
    return tmp_path / "m.json"


def test_rules_are_shown_edited_and_read_back(model, tmp_path):
    shown = call("show", model, "--rules-only")
    clf = load_model(model)
    assert shown.stdout == f"{clf.rules_}\n% otherwise buys(X,'no')\n"
    for text in (shown.stdout, call("show", model).stdout):
        assert parse_rules(text, clf) == clf.rules_
    rules = tmp_path / "rules.pl"
    rules.write_text("% mine\n" + shown.stdout + "buys(X,'no') :- city(X,?).\n", encoding="utf-8")
    done = call("edit", model, "--rules", rules, "-o", tmp_path / "new.json")
    assert done.exit_code == 0
    assert done.stdout == call("show", tmp_path / "new.json").stdout
    assert "buys(X,'no') :- city(X,?).\n%   coverage unknown; edited\n" in done.stdout
    assert "% otherwise buys(X,'no'): coverage unknown\n" in done.stdout
    assert "training accuracy" not in done.stdout
    assert "wrote" in done.stderr
    edited = load_model(tmp_path / "new.json")
    assert edited.rules_.rules[:-1] == clf.rules_.rules
    assert call("show", tmp_path / "new.json", "--json").stdout.count('"origin": "edited"') == 1


def test_coverage_is_counted_on_data(model, tmp_path):
    rules = tmp_path / "rules.pl"
    rules.write_text("buys(X,'no') :- city(X,?).\nbuys(X,'yes') :- age(X,A), A > 40.\n")
    table = people()
    data = tmp_path / "people.csv"
    done = call("edit", model, "-r", rules, "--data", data, "-o", tmp_path / "new.json", "--default", "yes")
    assert done.exit_code == 0, done.stderr
    edited = load_model(tmp_path / "new.json")
    nowhere, old = table["city"].isna(), table["age"] > 40
    groups = [nowhere, ~nowhere & old, ~nowhere & ~old]
    counts = [tuple(float((table["buys"][g] == label).sum()) for label in ("no", "yes")) for g in groups]
    assert [rule.support for rule in edited.rules_] + [edited.rules_.default_support] == counts
    assert edited.rules_.default == "yes"
    assert "(60 rows)" in done.stdout
    table.assign(count=2).to_csv(data, index=False)
    done = call("edit", model, "-r", rules, "--data", data, "-o", tmp_path / "new.json", "--weight", "count")
    assert load_model(tmp_path / "new.json").rules_[0].support == tuple(2 * n for n in counts[0])


def test_rules_from_standard_input(model, tmp_path):
    text = "buys(X,'yes') :- city(X,'Köln').\n"
    done = run("edit", model, "--rules", "-", "-o", tmp_path / "new.json", stdin=text.encode())
    assert done.returncode == 0
    assert str(load_model(tmp_path / "new.json").rules_) == text.strip()


@pytest.mark.parametrize(
    ("text", "options", "code", "message"),
    [
        (
            "buys(X,'yes') :- cty(X,'K').",
            (),
            1,
            "rules.pl: line 1, column 18: there is no column 'cty'; did you mean 'city'?",
        ),
        (
            "buys(X,'yes') :- age(X,A), A>1",
            (),
            1,
            "rules.pl: line 1, column 31: expected ',' or, at the end of a",
        ),
        ("", ("--default", "maybe"), 1, "--default 'maybe' is not a label"),
        ("", ("--target", "buys"), 2, "--target, --weight and --skip-unlabelled are about --data"),
        (
            "",
            ("--data", "people.csv", "--target", "age"),
            1,
            "y has a label that the model does not know: '18'",
        ),
        ("", ("--data", "people.csv", "--weight", "city"), 1, "--weight 'city' is a column of text"),
        (None, (), 1, "rules.pl: No such file or directory"),
        ("buys(X,'yes') :- city(X,'K\xf6ln').", (), 1, "rules.pl: not UTF-8 text at byte 26"),
    ],
)
def test_errors(model, tmp_path, monkeypatch, text, options, code, message):
    monkeypatch.chdir(tmp_path)
    if text is not None:
        (tmp_path / "rules.pl").write_bytes(text.encode("latin-1"))
    done = call("edit", model, "--rules", "rules.pl", "-o", "new.json", *options)
    assert done.exit_code == code
    assert message in done.stderr
    assert not (tmp_path / "new.json").exists()


def test_a_tree_has_no_rules(tmp_path):
    people().to_csv(tmp_path / "people.csv", index=False)
    tree = tmp_path / "tree.json"
    call("fit", tmp_path / "people.csv", "-t", "buys", "--learner", "tree", "--no-score", "-o", tree)
    (tmp_path / "rules.pl").write_text("")
    done = call("edit", tree, "--rules", tmp_path / "rules.pl", "-o", tmp_path / "new.json")
    assert (done.exit_code, "is a tree, and only rules can be edited" in done.stderr) == (1, True)
    done = call("show", tree, "--rules-only")
    assert (done.exit_code, "is a tree, and has no rules" in done.stderr) == (1, True)
    assert call("show", tree, "--rules-only", "--json").exit_code == 2
