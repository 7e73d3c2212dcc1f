import pytest

from experiments.sweep import progress


def test_a_log_gets_one_line_a_job_with_its_number(capsys):
    reporter = progress.Reporter(["a · x", "b · x"], sweep=True)
    reporter.start("a · x", 10)
    reporter.fold()
    reporter.end("a · x: accuracy 0.9", good=True)
    reporter.end("b · x: failed: [bold]no", good=False)

    assert capsys.readouterr().err == "[1/2] a · x: accuracy 0.9\n[2/2] b · x: failed: [bold]no\n"
    assert reporter.broken == 1


def test_a_single_run_gets_none(capsys):
    progress.Reporter(sweep=False).end("a · x: accuracy 0.9", good=True)

    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("jobs", [["a · x"], ["a · x", "b · x", "c · x"]])
def test_the_bars_show_what_runs_and_what_is_left(jobs, capsys):
    reporter = progress.Live(jobs)
    reporter.stop()  # before anything began: Hydra refused the sweep
    reporter.start("a · x", 2)
    reporter.fold()

    running = {task.description: task for task in reporter.bars.tasks}
    assert running["a · x"].completed == 1
    assert running["a · x"].total == 2
    if len(jobs) > 1:
        assert running["jobs"].fields["left"] == "3 left, then b · x"

    reporter.end("a · x: failed: no", good=False)
    reporter.start("b · x", 5)
    shown = {task.description: task for task in reporter.bars.tasks}
    assert "a · x" not in shown
    if len(jobs) > 1:
        assert shown["jobs"].completed == 1
        assert shown["jobs"].fields["left"] == "1 failed, 2 left, then c · x"
    reporter.stop()
    assert "a · x: failed: no" in capsys.readouterr().err
