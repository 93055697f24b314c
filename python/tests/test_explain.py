"""kern.Function.explain: how a call is made."""

import os
import subprocess
import sys

import numpy as np
import pytest

import kern

MODULE = kern.compile(
    """
    ufunc add(x, y): return x + y
    ufunc parts(x: f64) -> (f64, bool): return floor(x), x > 0
    gufunc first(v: T[n], k: dim) -> (w: T[k]) where T in (f32, f64):
        for i in prange(k):
            w[i] = v[i]
    gufunc twice(inout v: T[n]) where T in (f32, f64):
        for i in prange(n):
            v[i] = 2 * v[i]
    """,
    "explain.kern",
)
X = np.arange(8, dtype="f4")


def lines(function, *args, **keywords):
    return function.explain(*args, **keywords).splitlines()


def test_the_loop_and_the_place():
    header, place, x, y, result = lines(MODULE.add, X, X)
    assert header == "add(f32, f32) -> f32"
    assert place.startswith("cpu: contiguous, 1 thread, 8 elements, kernel add")
    for line, name in ((x, "argument 1 (`x`)"), (y, "argument 2 (`y`)"),
                       (result, "result 1")):  # fmt: skip
        assert line.startswith(f"{name}: ") and line.endswith(" bytes at a time")


def test_types():
    assert lines(MODULE.add, X, np.float64(1))[0] == "add(f32, f64) -> f64"
    assert lines(MODULE.parts, X)[0] == "parts(f64) -> f64, bool"
    assert lines(MODULE.first, X, 2)[0] == "first(f32, dim) -> f32"
    assert lines(MODULE.twice, X.copy())[0] == "twice(f32)"
    assert lines(MODULE.add, X, X, dtype="f8")[0].endswith("-> f64")


def test_layouts():
    said = MODULE.add.explain(X[::-1], 1.0)
    assert "not contiguous: argument 1 (`x`) runs backwards" in said
    assert "argument 2 (`y`): by value" in said
    assert "no kernel ran" in MODULE.add.explain(X[:0], 1)


def test_the_call_is_made():
    out = np.zeros(8, "f4")
    MODULE.add.explain(X, 1, out=out)
    np.testing.assert_array_equal(out, X + 1)


def test_errors_are_those_of_the_call():
    with pytest.raises(kern.ShapeError):
        MODULE.add.explain(X, X[:3])
    with pytest.raises(TypeError, match="missing"):
        MODULE.add.explain(X)
    pandas = pytest.importorskip("pandas")
    with pytest.raises(TypeError, match="objects whose library makes the call"):
        MODULE.add.explain(pandas.Series(X), 1)


def test_on_a_gpu(gpu):
    said = lines(MODULE.add, X, X, device="cuda")
    assert said[1].startswith("cuda:0: contiguous, grid 1, block ")
    assert "8 elements" in said[1]


def test_a_product_of_cublas(gpu, tmp_path):
    """A new process: the setting is read once."""
    script = (
        "import numpy as np, kern\n"
        "m = kern.compile('gufunc mm(a: f32[m, k], b: f32[k, n]) -> (c: f32[m, n]):\\n'\n"
        "    '    for i, j in prange(m, n):\\n'\n"
        "    '        c[i, j] = sum(a[i, t] * b[t, j] for t in range(k))\\n')\n"
        "x = np.ones((256, 256), 'f4')\n"
        "print(m.mm.explain(x, x, device='cuda').splitlines()[1])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {"KERN_CUBLAS": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    if "cuBLAS" not in done.stdout:
        pytest.skip("no cuBLAS here")
    assert done.stdout.strip() == "cuda:0: cuBLAS, 1 call of cublasGemmEx"
