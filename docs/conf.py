"""How Sphinx builds the documentation: ``sphinx-build -W --keep-going docs docs/_build/html``."""

from __future__ import annotations

from pathlib import Path

from numpydoc.xref import DEFAULT_LINKS

import foldse

ROOT = Path(__file__).resolve().parent.parent

project = "foldse"
author = "The foldse developers"
copyright = author
version = release = foldse.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",  # for its role autolink
    "sphinx_copybutton",
]
exclude_patterns = ["_build"]

# Pages are Markdown, so that a code host shows them, too.
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3

# In docstrings a name in single backquotes is a link where there is something to link to.
default_role = "autolink"
autosummary_generate = False
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the docstrings have the types
numpydoc_show_class_members = False
numpydoc_xref_param_type = True
# Types are linked to what is documented here. numpydoc would link the others to sites that are not looked up.
numpydoc_xref_aliases = {name: name for name in DEFAULT_LINKS}
numpydoc_xref_aliases |= {
    "FoldRPPClassifier": "foldse.FoldRPPClassifier",
    "FoldSEClassifier": "foldse.FoldSEClassifier",
    "HeuristicTreeClassifier": "foldse.HeuristicTreeClassifier",
    "Counterfactual": "foldse.explain.counterfactual.Counterfactual",
    "Justification": "foldse.explain.justification.Justification",
    "Justifications": "foldse.explain.justification.Justifications",
    "Literal": "foldse.model.literals.Literal",
    "Rule": "foldse.model.rule.Rule",
    "RuleSet": "foldse.model.rules.RuleSet",
    "Tree": "foldse.model.tree.Tree",
}
numpydoc_xref_aliases["n_features_in_,"] = "``n_features_in_``,"  # or its end would be taken for a link
numpydoc_xref_ignore = {
    "of",
    "or",
    "shape",
    "default",
    "optional",
    "at",
    "least",
    "a",
    "fitted",
    "row",
    "one",
}

# Nothing is fetched while a page is read: fonts are the reader's own, the search runs in the page.
html_theme = "furo"
html_title = f"foldse {version}"
html_static_path = ["_static"]
html_css_files = ["foldse.css"]
html_extra_path = ["animals.csv"]
html_show_sourcelink = False
html_copy_source = False
html_show_sphinx = False
highlight_language = "text"
pygments_style = "friendly"
pygments_dark_style = "github-dark"
copybutton_prompt_text = "$ "


def include_results(app, docname, source):
    """Put what was measured into the page that asks for it: never copied, and only if it is there.

    A page asks by a comment, ``<!-- results: tables/*.md -->``: a pattern of files below results/.
    """
    opening, closing = "<!-- results: ", " -->"
    lines = []
    for line in source[0].splitlines():
        if not (line.startswith(opening) and line.endswith(closing)):
            lines.append(line)
            continue
        pattern = line.removeprefix(opening).removesuffix(closing)
        found = sorted((ROOT / "results").glob(pattern))
        up = "../" * (docname.count("/") + 1)
        for path in found:
            name = path.relative_to(ROOT).as_posix()
            lines += [f"```{{include}} {up}{name}", ":heading-offset: 1", ":relative-images:", "```", ""]
        if not found:
            lines.append(f"*Not measured yet: there is no `results/{pattern}` in this checkout.*")
    source[0] = "\n".join(lines) + "\n"


def setup(app):
    """Connect the functions above."""
    app.connect("source-read", include_results)
