"""What the tests share."""

import pathlib
import textwrap

import kern
import numpy as np
import pytest

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # an old name that numba-cuda still uses


def pytest_configure(config):
    config.addinivalue_line("markers", "gpu: runs on a GPU where there is one")


def pytest_collection_modifyitems(items):
    """Marks by their fixtures the tests that are about GPUs, for `-m gpu`."""
    for item in items:
        parameters = item.callspec.params if hasattr(item, "callspec") else {}
        if (
            "gpu" in item.fixturenames
            or "cuda" in (parameters.get("device"), parameters.get("target"))
            or "plain_jax" in item.fixturenames  # JAX computes on its first device
        ):
            item.add_marker("gpu")


@pytest.fixture(scope="session")
def gpu():
    """Skips where there is no GPU."""
    if len(kern.devices()) < 2:
        pytest.skip(kern.cuda_unavailable_reason())
    return kern.devices()[1]


@pytest.fixture
def source_file(tmp_path):
    """Writes a `.kern` file and returns its path."""

    def write(text: str, name: str = "source.kern") -> pathlib.Path:
        path = tmp_path / name
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return path

    return write
