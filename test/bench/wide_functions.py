"""The error and gamma functions of arrays in long double, by MPFR where it is
installed and by the C library's where it is not."""

import ctypes
import ctypes.util
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))

import mpfr

C_NAMES = {"erf": "erf", "erfc": "erfc", "gamma": "tgamma", "lgamma": "lgamma"}


def by_mpfr(name):
    function = getattr(mpfr.Real, name)

    def exact(x):
        # A long double is the sum of two f64.
        high = x.astype(np.float64)
        low = (x - high).astype(np.float64)
        with mpfr.Precision(160):
            made = [function(mpfr.Real(h) + mpfr.Real(rest)).pair()
                    for h, rest in zip(high.tolist(), low.tolist())]
        pairs = np.array(made, np.float64).reshape(-1, 2)
        return pairs[:, 0].astype(np.longdouble) + pairs[:, 1]
    return exact


def by_libm(name):
    library = ctypes.CDLL(ctypes.util.find_library("m"))
    function = getattr(library, C_NAMES[name])
    function.argtypes, function.restype = [ctypes.c_double], ctypes.c_double
    return lambda x: np.array(
        [function(float(v)) for v in x], np.float64).astype(np.longdouble)


WIDE = {name: (by_mpfr if mpfr.available() else by_libm)(name)
        for name in C_NAMES}
