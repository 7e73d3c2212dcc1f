import pytest

from experiments.config import compose
from experiments.tables.published import Published, PublishedError, column_of
from scripts.audit_paper import audit, disagreements, wrong_averages

HEADER = "table,dataset,rows,cols,learner,metric,mean,std\n"


def read(tmp_path, rows):
    path = tmp_path / "published.csv"
    path.write_text(HEADER + rows, encoding="utf-8")
    return Published.read(path)


def test_the_first_table_counts_unless_one_is_asked_for(tmp_path):
    published = read(tmp_path, "first,d,9,2,foldse,accuracy,0.8,\nsecond,d,9,2,foldse,accuracy,0.9,0.1\n")

    assert published.lookup("d", "foldse", "accuracy").mean == 0.8
    assert published.lookup("d", "foldse", "accuracy", "second").mean == 0.9
    assert published.lookup("d", "foldse", "accuracy", "second").std == 0.1
    assert published.lookup("d", "foldse", "accuracy", "third").table == "first"
    assert published.lookup("d", "foldse", "accuracy").std is None
    assert published.lookup("d", "foldse", "f1") is None


def test_times_come_in_seconds_and_a_printed_na_is_no_figure(tmp_path):
    published = read(tmp_path, "t,d,9,2,foldse,train_ms,1238,\nt,d,9,2,foldse,accuracy,,\n")

    assert published.lookup("d", "foldse", "fit_seconds").mean == pytest.approx(1.238)
    assert published.lookup("d", "foldse", "accuracy") is None


def test_xgboost_and_the_network_have_published_figures_only_in_the_published_setting(tmp_path):
    published = read(tmp_path, "t,d,9,2,xgboost,accuracy,0.6,\nt,d,9,2,mlp,accuracy,0.7,\n")

    assert published.lookup("d", "xgboost", "accuracy") is None
    assert published.lookup("d", "mlp", "accuracy") is None
    assert published.lookup("d", "xgboost_paper", "accuracy").mean == 0.6
    assert published.lookup("d", "mlp_paper", "accuracy").mean == 0.7


def test_of_more_than_two_classes_both_settings_have_the_published_figures(tmp_path):
    published = read(tmp_path, "multiclass,d,9,2,xgboost,accuracy,0.6,\n")

    for learner in ("xgboost", "xgboost_paper"):
        assert published.lookup("d", learner, "accuracy", "multiclass").mean == 0.6
    assert published.lookup("d", "xgboost", "accuracy", "field") is None


def test_the_file_of_the_repository_has_the_figures_of_the_paper():
    published = Published.read(compose().paths.published)

    assert sum(map(len, published.figures.values())) > 1300
    assert published.lookup("kr_vs_kp", "foldse", "rules", "rule_learners").mean == 5.0
    assert published.lookup("wine", "tree_mgi", "nodes").mean == 5.8


def test_a_file_that_is_not_there_or_has_other_columns_is_named(tmp_path):
    with pytest.raises(PublishedError, match=r"nowhere\.csv cannot be read"):
        Published.read(tmp_path / "nowhere.csv")
    path = tmp_path / "other.csv"
    path.write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(PublishedError, match="must have the columns table,dataset"):
        Published.read(path)


def test_an_average_is_wrong_where_rows_give_it_neither_rounded_nor_cut_off(tmp_path):
    rows = "".join(
        f"t,d{i},9,2,foldse,{metric},{value},\n"
        for metric in ("accuracy", "f1", "rules")
        for i, value in enumerate((0.8, 0.81, 0.81))  # mean 0.8067
    )
    printed = {"accuracy": 0.81, "f1": 0.80, "rules": 0.9}
    averages = "".join(f"t,average,9,2,foldse,{metric},{value},\n" for metric, value in printed.items())

    assert [(w.metric, w.rows) for w in wrong_averages(read(tmp_path, rows + averages))] == [("rules", 3)]


def test_the_paper_has_thirteen_averages_that_do_not_follow_and_tables_that_disagree():
    published = Published.read(compose().paths.published)
    wrong = wrong_averages(published)
    assert len(wrong) == 13
    (mlp,) = [w for w in wrong if (w.table, w.learner, w.metric) == ("black_box", "mlp", "accuracy")]
    assert (mlp.printed, round(mlp.recomputed, 3)) == (0.86, 0.848)
    lines = disagreements(published)
    assert any(line.startswith("parkinson: rows 765 in ") for line in lines)
    assert any(line.startswith("adult: columns 15 in ") for line in lines)

    assert audit(published).startswith("13 printed averages do not follow")


def test_settings_of_foldse_and_a_second_reading_are_held_to_the_same_column(tmp_path):
    published = read(tmp_path, "t,breast_w,9,2,foldse,accuracy,0.9,\n")
    assert published.lookup("breast_w_numeric", "foldse", "accuracy", "", {"tail": "0.01"}).mean == 0.9


def test_foldrpp_and_the_tree_are_held_to_the_column_of_their_score():
    assert column_of("foldrpp", {"heuristic": "magic_gini"}) == "foldrpp_mgi"
    assert column_of("foldrpp_ig", {"heuristic": "magic_gini"}) == "foldrpp_mgi"
    assert column_of("foldrpp", {"heuristic": "chi_square"}) is None  # the paper has no such column
    assert column_of("tree", {"heuristic": "chi_square"}) == "tree_chi_square"
    assert column_of("tree_ig", {"heuristic": "information_gain"}) == "tree_ig"
    assert column_of("tree", {"heuristic": "gini_printed"}) == "tree_mgi"
    assert column_of("foldse", {"heuristic": "information_gain"}) == "foldse"
