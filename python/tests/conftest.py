"""What the tests share."""

import pathlib
import textwrap

import kern
import pytest


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
