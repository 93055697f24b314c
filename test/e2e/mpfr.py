"""Exact results by MPFR (libmpfr.so.6, which every GCC brings), through ctypes.

    with Precision(300):
        (Real(1) / 3).sqrt().pair()      # (0.5773502691896258, -2.3e-17)

A Real is a number of the precision that was set when it was made; a Complex is
two of them, with the elementary functions from their definitions.
"""

import ctypes as C
import ctypes.util

NEAREST = 0


class _Struct(C.Structure):
    _fields_ = [("precision", C.c_long), ("sign", C.c_int),
                ("exponent", C.c_long), ("limbs", C.c_void_p)]


def _load():
    for name in ("libmpfr.so.6", ctypes.util.find_library("mpfr")):
        try:
            return name and C.CDLL(name)
        except OSError:
            continue
    return None


_mpfr = _load()
ONE = ("sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos "
       "atan sinh cosh tanh asinh acosh atanh erf erfc gamma neg abs").split()
TWO = "add sub mul div pow hypot atan2".split()
precision = 128


def available():
    return _mpfr is not None


if _mpfr:
    _P = C.POINTER(_Struct)
    for _name in ONE:
        getattr(_mpfr, "mpfr_" + _name).argtypes = [_P, _P, C.c_int]
    for _name in TWO:
        getattr(_mpfr, "mpfr_" + _name).argtypes = [_P, _P, _P, C.c_int]
    _mpfr.mpfr_init2.argtypes = [_P, C.c_long]
    _mpfr.mpfr_clear.argtypes = [_P]
    _mpfr.mpfr_set_d.argtypes = [_P, C.c_double, C.c_int]
    _mpfr.mpfr_get_d.argtypes = [_P, C.c_int]
    _mpfr.mpfr_get_d.restype = C.c_double
    _mpfr.mpfr_sub_d.argtypes = [_P, _P, C.c_double, C.c_int]
    _mpfr.mpfr_lgamma.argtypes = [_P, C.POINTER(C.c_int), _P, C.c_int]
    _mpfr.mpfr_const_pi.argtypes = [_P, C.c_int]


class Precision:
    """Reals made inside have this many bits."""

    def __init__(self, bits):
        self.bits = bits

    def __enter__(self):
        global precision
        self.before, precision = precision, self.bits

    def __exit__(self, *_):
        global precision
        precision = self.before


class Real:
    __slots__ = ("raw", "at")

    def __init__(self, value=None):
        self.raw = _Struct()
        self.at = C.byref(self.raw)
        _mpfr.mpfr_init2(self.at, precision)
        if value is not None:
            _mpfr.mpfr_set_d(self.at, value, NEAREST)

    def __del__(self):
        _mpfr.mpfr_clear(self.at)

    def __float__(self):
        return _mpfr.mpfr_get_d(self.at, NEAREST)

    def pair(self):
        """The nearest f64 and the remainder (0 if the f64 is not finite)."""
        high = float(self)
        if high != high or high in (float("inf"), float("-inf")):
            return high, 0.0
        rest = Real()
        _mpfr.mpfr_sub_d(rest.at, self.at, high, NEAREST)
        return high, float(rest)

    def lgamma(self):
        result, sign = Real(), C.c_int()
        _mpfr.mpfr_lgamma(result.at, C.byref(sign), self.at, NEAREST)
        return result

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __rsub__(self, other):
        return Real(other) - self

    def __rtruediv__(self, other):
        return Real(other) / self

    def __neg__(self):
        return self.neg()

    def __gt__(self, other):
        return float(self) > float(other)


def _one(name):
    function = getattr(_mpfr, "mpfr_" + name)

    def method(self):
        result = Real()
        function(result.at, self.at, NEAREST)
        return result
    return method


def _two(name):
    function = getattr(_mpfr, "mpfr_" + name)

    def method(self, other):
        if not isinstance(other, Real):
            other = Real(other)
        result = Real()
        function(result.at, self.at, other.at, NEAREST)
        return result
    return method


if _mpfr:
    for _name in ONE:
        setattr(Real, _name, _one(_name))
    for _name in TWO:
        setattr(Real, _name, _two(_name))
    Real.__add__, Real.__sub__ = Real.add, Real.sub
    Real.__mul__, Real.__truediv__ = Real.mul, Real.div


def pi():
    result = Real()
    _mpfr.mpfr_const_pi(result.at, NEAREST)
    return result


class Complex:
    """re + i im of Reals."""
    __slots__ = ("re", "im")

    def __init__(self, re, im=0.0):
        self.re = re if isinstance(re, Real) else Real(re)
        self.im = im if isinstance(im, Real) else Real(im)

    def __add__(self, o):
        return Complex(self.re + o.re, self.im + o.im)

    def __sub__(self, o):
        return Complex(self.re - o.re, self.im - o.im)

    def __mul__(self, o):
        return Complex(self.re * o.re - self.im * o.im,
                       self.re * o.im + self.im * o.re)

    def __truediv__(self, o):
        size = o.re * o.re + o.im * o.im
        return Complex((self.re * o.re + self.im * o.im) / size,
                       (self.im * o.re - self.re * o.im) / size)

    def times_i(self):
        return Complex(-self.im, self.re)

    def over_i(self):
        return Complex(self.im, -self.re)

    def scaled(self, factor):
        return Complex(self.re * factor, self.im * factor)

    def abs(self):
        return self.re.hypot(self.im)

    def angle(self):
        return self.im.atan2(self.re)

    def exp(self):
        size = self.re.exp()
        return Complex(size * self.im.cos(), size * self.im.sin())

    def exp2(self):
        return self.scaled(Real(2.0).log()).exp()

    def expm1(self):
        return self.exp() - Complex(1.0)

    def log(self):
        return Complex(self.abs().log(), self.angle())

    def log2(self):
        return self.log().scaled(1 / Real(2.0).log())

    def log10(self):
        return self.log().scaled(1 / Real(10.0).log())

    def log1p(self):
        return (self + Complex(1.0)).log()

    def sqrt(self):
        half = self.log().scaled(0.5)
        return half.exp()

    def sinh(self):
        return Complex(self.re.sinh() * self.im.cos(),
                       self.re.cosh() * self.im.sin())

    def cosh(self):
        return Complex(self.re.cosh() * self.im.cos(),
                       self.re.sinh() * self.im.sin())

    def tanh(self):
        return self.sinh() / self.cosh()

    def sin(self):
        return self.times_i().sinh().over_i()

    def cos(self):
        return self.times_i().cosh()

    def tan(self):
        return self.sin() / self.cos()

    def asinh(self):
        return (self + (self * self + Complex(1.0)).sqrt()).log()

    def asin(self):
        return self.times_i().asinh().over_i()

    def acos(self):
        return Complex(pi() * 0.5) - self.asin()

    def acosh(self):
        one = Complex(1.0)
        return (self + (self + one).sqrt() * (self - one).sqrt()).log()

    def atanh(self):
        one = Complex(1.0)
        return ((one + self).log() - (one - self).log()).scaled(0.5)

    def atan(self):
        return self.times_i().atanh().over_i()

    def pow(self, o):
        return (o * self.log()).exp()
