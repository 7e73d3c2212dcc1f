from benchmarks import environment
from benchmarks.settings import Settings


def test_environments_are_told_apart():
    before = {"date": "2026-01-01", "threads": 2, "packages": {"numpy": "2.0"}}
    assert environment.differences(before, {**before, "date": "2026-02-01"}) == []
    assert environment.differences(before, {**before, "threads": 4}) == ["threads: 2 before, 4 now"]


def test_the_digest_of_sources_changes_with_them(tmp_path):
    (tmp_path / "a.py").write_text("x = 1\n")
    first = environment.sources_digest(tmp_path)
    assert environment.sources_digest(tmp_path) == first
    (tmp_path / "a.py").write_text("x = 2\n")
    assert environment.sources_digest(tmp_path) != first


def test_an_environment_is_plain_and_does_not_differ_from_itself(tmp_path):
    state = environment.describe(Settings(quick=True, threads=2, data=""))
    assert state["mode"] == "quick"
    assert {"numpy", "pandas", "numba", "scikit-learn"} <= set(state["packages"])
    environment.write(tmp_path / "environment.json", [state])
    (back,) = environment.read(tmp_path / "environment.json")
    assert environment.differences(state, back) == []
