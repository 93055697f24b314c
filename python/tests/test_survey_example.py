"""examples/13_survey.py, at a small size."""

import pathlib
import subprocess
import sys
import zlib

import numpy as np
import pytest

pytest.importorskip("distributed")
PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "examples" / "13_survey.py"


def clipped_mean(v, limit):
    """By NumPy, along the first axis."""
    inside = np.ones(v.shape, bool)
    for _ in range(3):
        mean = v.mean(0, where=inside)
        spread = v.std(0, where=inside)
        inside = abs(v - mean) <= limit * spread
    return mean


@pytest.mark.skipif(not PROGRAM.is_file(), reason="the examples are not here")
@pytest.mark.parametrize("store", ["npy", "zarr"])
def test_survey(tmp_path, store):
    if store == "zarr":
        pytest.importorskip("zarr")
    command = [sys.executable, PROGRAM, tmp_path / "data", "--exposures", "14",
               "--size", "90", "--rows", "32", "--picture", tmp_path / "sky.png",
               *["--zarr"] * (store == "zarr")]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "14 exposures" in done.stdout and "100% Completed" in done.stdout
    files = sorted((tmp_path / "data").glob("exposure-*.npy"))
    exposures = np.stack([np.load(one) for one in files])
    assert exposures.shape == (14, 90, 90) and exposures.max() > 2000
    if store == "zarr":
        import zarr

        kept = zarr.open_array(str(tmp_path / "data" / "exposures.zarr"), mode="r")
        np.testing.assert_array_equal(kept[:], exposures)
    sky = np.load(tmp_path / "data" / "sky.npy")
    np.testing.assert_allclose(sky, clipped_mean(exposures.astype("f8"), 3), 1e-4)
    png = (tmp_path / "sky.png").read_bytes()
    start = png.index(b"IDAT") + 4
    length = int.from_bytes(png[start - 8 : start - 4], "big")
    lines = np.frombuffer(zlib.decompress(png[start : start + length]), "u1")
    grey = lines.reshape(90, 181)[:, 1:]
    assert grey.max() == 255 and grey.min() < 60
    # Rays are in the exposure, on the left, and not in the sky.
    assert (grey[:, :90] > grey[:, 90:].astype(int) + 60).any()
