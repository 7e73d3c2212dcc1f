from experiments.metrics import METRICS, SHOWN, TIMES, metric_of, ordered
from experiments.statuses import FINISHED, STATUSES


def test_known_metrics_come_in_the_order_of_tables_and_others_after_them_by_name():
    assert ordered(["zeta", "depth", "alpha", "f1", "accuracy", "f1"]) == [
        "accuracy",
        "f1",
        "depth",
        "alpha",
        "zeta",
    ]


def test_a_figure_is_shown_in_its_unit_with_the_decimals_of_ours_and_of_the_paper():
    assert metric_of("fit_seconds").text(0.0123) == "12"
    assert metric_of("fit_seconds").name == "fit, ms"
    assert metric_of("accuracy").text(0.97512) == "0.975"
    assert metric_of("accuracy").text(0.97512, published=True) == "0.98"
    assert metric_of("rules").text(4.25, published=True) == "4.2"
    assert (metric_of("rules").last_place, metric_of("f1").last_place) == (0.1, 0.01)
    assert metric_of("fit_seconds").last_place == 1  # the paper prints whole milliseconds


def test_a_metric_of_a_learner_has_its_name_as_heading():
    assert metric_of("literals_a_rule").name == "literals a rule"


def test_times_are_never_held_to_the_published_ones():
    assert TIMES == ("fit_seconds", "predict_seconds")
    assert [metric.id for metric in METRICS.values() if metric.tolerance is not None] == [
        "accuracy", "rules", "predicates"
    ]  # fmt: skip
    assert "precision" not in [metric.id for metric in SHOWN]


def test_a_fold_over_a_limit_is_a_result_and_a_failure_is_tried_again():
    assert set(FINISHED) == {"ok", "timeout", "out of memory", "not applicable"}
    assert STATUSES["timeout"].note
