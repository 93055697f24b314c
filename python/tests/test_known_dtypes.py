"""Known calls (test_known_calls.py) that ask for a dtype."""

import gc
import weakref

import kern
import numpy as np
import pytest

from pairs import same
from test_known_calls import known, module  # noqa: F401


def test_calls_with_a_dtype(module):
    x = np.arange(8, dtype="f4") / 3
    known(module.add, x, x, dtype="f8")
    before = module.add._known_calls
    for dtype in ("f8", np.float64, np.dtype("f8"), float, "f4", np.float32, None, "c16"):
        for _ in range(3):
            got = module.add(x, x, dtype=dtype)
            same(got, np.add(x, x, dtype=dtype))
            out = np.zeros(8, "c16")
            assert module.add(x, x, out=out, dtype=dtype) is out
            same(out, np.add(x, x, out=np.zeros(8, "c16"), dtype=dtype))
    assert module.add._known_calls > before
    for _ in range(3):
        same(module.add(x, 1), np.add(x, 1))
        same(module.add(x.astype("f8"), 1, dtype="f4"), np.add(x.astype("f8"), 1, dtype="f4"))
        with pytest.raises(TypeError):
            module.add(x, x, dtype="i4")
        with pytest.raises(TypeError):
            module.wide(x, x, dtype=np.dtype(">f8"))


def test_texts_that_are_made_at_run_time_are_not_kept(module):
    x = np.arange(8, dtype="f4")
    for bits in ("8", "4") * 20:
        assert module.add(x, x, dtype="".join(["f", bits])).dtype == "f" + bits
    assert module.add._known_calls == 0


def test_a_dtype_is_kept_alive():
    class Double(np.float64):
        pass

    f = kern.compile("ufunc lasting(x, y): return x + y").lasting
    x, weak = np.arange(8.0), weakref.ref(Double)
    known(f, x, x, dtype=Double)
    del Double
    gc.collect()
    assert weak() is not None and f(x, x, dtype="f8").dtype == "f8"
    del f
    gc.collect()
    assert weak() is None
