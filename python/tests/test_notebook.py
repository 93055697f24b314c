"""docs/notebook.ipynb shows what it says."""

import json
import pathlib
import subprocess
import sys

import pytest

pytest.importorskip("IPython")
pytest.importorskip("PIL")
ROOT = pathlib.Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "docs" / "notebook.ipynb"
RUNNER = ROOT / "tools" / "scripts" / "run_notebook.py"


def run(notebook, folder):
    return subprocess.run(
        [sys.executable, RUNNER, notebook],
        cwd=folder, capture_output=True, text=True, timeout=300,
    )  # fmt: skip


@pytest.mark.skipif(not NOTEBOOK.is_file(), reason="the documents are not here")
def test_notebook(tmp_path):
    done = run(NOTEBOOK, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "17 cells, 0 of them wrong" in done.stdout


@pytest.mark.skipif(not NOTEBOOK.is_file(), reason="the documents are not here")
def test_a_wrong_notebook_fails(tmp_path):
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    cells = [one for one in notebook["cells"] if one["cell_type"] == "code"]
    cells[2]["outputs"][0]["data"]["text/plain"] = ["array([1., 2.])"]
    cells[13]["outputs"] = []
    (tmp_path / "wrong.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    done = run(tmp_path / "wrong.ipynb", tmp_path)
    assert done.returncode == 1 and "2 of them wrong" in done.stdout
