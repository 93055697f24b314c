"""Every elementwise function of docs/reference/stdlib.md, as Kern and its peers write it.

A row of the table: the function; its kinds; of each argument the interval that
numbers are drawn from; then C (CUDA C and C++), NumPy and torch, of arguments
a, b, c. An empty cell is a call of the same name, `=` what C has, `-` that there
is none. In C `$` is `f` where numbers are f32 (cosf) and T their type.

Kinds: f all floats, n floats that NumPy has, s f32 alone, d f64 alone, c c64,
i i32 and i64, w i32 alone, l i64 alone; after a colon the results, if not the
arguments' type; then `!` where results jump, and `.` where the function is not
a part of random bodies.
"""

import dataclasses
import math
import re

KINDS = {"f": ("f16", "bf16", "f32", "f64"), "n": ("f16", "f32", "f64"),
         "s": ("f32",), "d": ("f64",), "c": ("c64",), "i": ("i32", "i64"),
         "w": ("i32",), "l": ("i64",)}

TABLE = """
add              ; fci       ; -4:4 -4:4         ; a + b ; = ; =
subtract         ; fci       ; -4:4 -4:4         ; a - b ; = ; =
multiply         ; fci       ; -4:4 -4:4         ; a * b ; = ; =
true_divide      ; fc        ; -4:4 0.5:4        ; a / b ; = ; =
floor_divide     ; f !       ; -40:40 0.5:4      ; floored(a, b) ;  ; torch.div(a, b, rounding_mode='floor')
floor_divide     ; i         ; -400:400 1:40     ; floored(a, b) ;  ; torch.div(a, b, rounding_mode='floor')
remainder        ; f !       ; -40:40 0.5:4      ; modulo(a, b)
remainder        ; i         ; -400:400 1:40     ; modulo(a, b)
fmod             ; f !       ; -40:40 0.5:4
fmod             ; i         ; -400:400 1:40     ; a % b
divmod           ; f:=,= !   ; -40:40 0.5:4      ; - ;  ; (torch.div(a, b, rounding_mode='floor'), torch.remainder(a, b))
power            ; f         ; 0.1:4 -3:3        ; pow$(a, b) ;  ; torch.pow(a, b)
power            ; c         ; -3:3 -3:3         ; pow(a, b) ;  ; torch.pow(a, b)
power            ; i         ; -9:9 0:9          ; - ;  ; torch.pow(a, b)
a ** 2           ; fc        ; -4:4              ; a * a
a ** 3           ; fc        ; -4:4              ; a * a * a
a ** 7           ; f         ; -2:2              ; -
a ** 0.5         ; f         ; 0.1:9             ; sqrt$(a)
a ** -1.5        ; f         ; 0.1:9             ; pow$(a, T(-1.5))
float_power      ; d         ; 0.1:4 -3:3        ; pow$(a, b)
negative         ; fci       ; -4:4              ; -a ; = ; =
positive         ; fci .     ; -4:4              ; a ; np.positive(a) ; -
absolute         ; f         ; -4:4              ; fabs$(a) ;  ; torch.abs(a)
absolute         ; c:f32     ; -4:4              ; abs(a) ;  ; torch.abs(a)
absolute         ; i         ; -400:400          ; abs(a) ;  ; torch.abs(a)
fabs             ; f         ; -4:4              ;  ;  ; torch.abs(a)
sign             ; f !       ; -4:4              ; T((a > 0) - (a < 0))
sign             ; c         ; -4:4              ; a / abs(a) ; a / np.abs(a) ; torch.sgn(a)
square           ; fci       ; -4:4              ; a * a ; =
reciprocal       ; fc        ; 0.5:4             ; T(1) / a ; 1 / a
fma              ; f         ; -4:4 -4:4 -4:4    ; fma$(a, b, c) ; a * b + c ; torch.addcmul(c, a, b)
less             ; fi:bool   ; -4:4 -4:4         ; a < b ; = ; =
less_equal       ; fi:bool   ; -4:4 -4:4         ; a <= b ; = ; =
greater          ; fi:bool   ; -4:4 -4:4         ; a > b ; = ; =
greater_equal    ; fi:bool   ; -4:4 -4:4         ; a >= b ; = ; =
equal            ; fci:bool  ; -4:4 -4:4         ; a == b ; = ; =
not_equal        ; fci:bool  ; -4:4 -4:4         ; a != b ; = ; =
logical_and      ; fi:bool   ; -4:4 -4:4         ; a != 0 && b != 0
logical_or       ; fi:bool   ; -4:4 -4:4         ; a != 0 || b != 0
logical_xor      ; fi:bool   ; -4:4 -4:4         ; (a != 0) != (b != 0)
logical_not      ; fi:bool   ; -4:4              ; a == 0
isnan            ; f:bool    ; -4:4              ; isnan(a)
isinf            ; f:bool    ; -4:4              ; isinf(a)
isfinite         ; fc:bool   ; -4:4              ; isfinite(a)
signbit          ; f:bool    ; -4:4              ; signbit(a)
isposinf         ; f:bool    ; -4:4              ; isinf(a) && a > 0
isneginf         ; f:bool    ; -4:4              ; isinf(a) && a < 0
isreal           ; c:bool    ; -4:4              ; a.imag() == 0
iscomplex        ; c:bool    ; -4:4              ; a.imag() != 0 ;  ; torch.imag(a) != 0
isclose          ; f:bool    ; -4:4 -4:4         ; fabs$(a - b) <= T(1e-8) + T(1e-5) * fabs$(b)
maximum          ; f         ; -4:4 -4:4         ; a > b || a != a ? a : b
minimum          ; f         ; -4:4 -4:4         ; a < b || a != a ? a : b
maximum          ; i         ; -4:4 -4:4         ; a > b ? a : b
minimum          ; i         ; -4:4 -4:4         ; a < b ? a : b
fmax             ; f         ; -4:4 -4:4
fmin             ; f         ; -4:4 -4:4
where            ; fci .     ; bool -4:4 -4:4    ; a ? b : c
clip             ; f         ; -4:4 -3:-1 1:3    ; fmin$(fmax$(a, b), c) ;  ; torch.clamp(a, b, c)
heaviside        ; f !       ; -4:4 0:1          ; a < 0 ? T(0) : a > 0 ? T(1) : a == 0 ? b : a
nan_to_num       ; f .       ; -4:4              ; -
bitwise_and      ; i         ; -400:400 -400:400 ; a & b ; = ; =
bitwise_or       ; i         ; -400:400 -400:400 ; a | b ; = ; =
bitwise_xor      ; i         ; -400:400 -400:400 ; a ^ b ; = ; =
invert           ; i         ; -400:400          ; ~a ; = ; =
left_shift       ; i         ; -400:400 0:9      ; a << b ;  ; torch.bitwise_left_shift(a, b)
right_shift      ; i         ; -400:400 0:9      ; a >> b ;  ; torch.bitwise_right_shift(a, b)
bitwise_count    ; w:u8      ; -400:400          ; popcount(abs(a)) ;  ; -
popcount         ; w:i32     ; -400:400          ; popcount(a) ; np.bitwise_count(a & 0xffffffff) ; -
clz              ; w:i32     ; 1:400             ; leading(a) ; 32 - np.frexp(a)[1] ; -
ctz              ; w:i32     ; 1:400             ; popcount(~a & (a - 1)) ; np.frexp(a & -a)[1] - 1 ; -
bit_reverse      ; w         ; -400:400          ; - ; np.vectorize(reversed_bits)(a) ; -
mul_high         ; w         ; -400:400 -400:400 ; T((long long)a * b >> 32) ; a * b >> 32 ; -
gcd              ; i         ; 1:4000 1:4000     ; -
lcm              ; i         ; 1:4000 1:4000     ; -
isqrt            ; i         ; 0:400000          ; - ; np.vectorize(math.isqrt)(a) ; -
factorial        ; l         ; 0:20              ; - ; np.vectorize(math.factorial)(a) ; -
perm             ; l         ; 12:20 0:9         ; - ; np.vectorize(math.perm)(a, b) ; -
comb             ; l         ; 12:40 0:12        ; - ; np.vectorize(math.comb)(a, b) ; -
floor            ; f !       ; -40:40
ceil             ; f !       ; -40:40
trunc            ; f !       ; -40:40
rint             ; f !       ; -40:40            ;  ;  ; torch.round(a)
round            ; f !       ; -40:40            ; rint$(a) ; np.rint(a)
copysign         ; f !       ; -4:4 -4:4
nextafter        ; n .       ; -4:4 -4:4         ; -
spacing          ; n .       ; -4:4              ; - ; np.copysign(step(a), a) ; -
ulp              ; n .       ; -4:4              ; - ; step(a) ; -
modf             ; f:=,= !   ; -40:40            ; - ;  ; (a - torch.trunc(a), torch.trunc(a))
ldexp            ; f .       ; -4:4 int -9:9     ;  ; np.ldexp(a, b.astype('i4'))
frexp            ; n:=,i32 . ; -40:40            ; - ;  ; torch.frexp(a)
sqrt             ; fc        ; 0.1:9
cbrt             ; f         ; -4:4              ;  ;  ; -
hypot            ; f         ; -4:4 -4:4
exp              ; fc        ; -9:9
exp2             ; f         ; -9:9
expm1            ; f         ; -4:4
log              ; fc        ; 0.1:40
log2             ; f         ; 0.1:40
log10            ; f         ; 0.1:40
log1p            ; f         ; -0.9:9
exp2             ; c         ; -3:3              ; -
expm1            ; c         ; -3:3              ; -
log2             ; c         ; -3:3              ; -
log10            ; c         ; -3:3
log1p            ; c         ; -3:3              ; -
log(a, b)        ; f         ; 0.1:40 1.5:9      ; log$(a) / log$(b) ; np.log(a) / np.log(b) ; torch.log(a) / torch.log(b)
logaddexp        ; f         ; 0.1:9 0.1:9       ; fmax$(a, b) + log1p$(exp$(-fabs$(a - b)))
logaddexp2       ; f         ; 0.1:9 0.1:9       ; fmax$(a, b) + log2$(T(1) + exp2$(-fabs$(a - b)))
sin              ; fc        ; -4:4
cos              ; fc        ; -4:4
tan              ; fc        ; -1.4:1.4
arcsin           ; fc        ; -0.99:0.99        ; asin$(a)
arccos           ; fc        ; -0.99:0.99        ; acos$(a)
arctan           ; fc        ; -4:4              ; atan$(a)
arctan2          ; f         ; -4:4 0.1:4        ; atan2$(a, b)
deg2rad          ; f         ; -180:180          ; a * T(0.017453292519943295)
rad2deg          ; f         ; -4:4              ; a * T(57.29577951308232)
sinc             ; f         ; 0.1:0.9           ; sin$(T(3.141592653589793) * a) / (T(3.141592653589793) * a) ; np.sin(PI * a) / (PI * a)
sinh             ; fc        ; -4:4
cosh             ; fc        ; -4:4
tanh             ; fc        ; -4:4
arcsinh          ; fc        ; -4:4              ; asinh$(a)
arccosh          ; fc        ; 1.1:9             ; acosh$(a)
arctanh          ; fc        ; -0.9:0.9          ; atanh$(a)
erf              ; f         ; -3:3              ;  ; erf(a)
erfc             ; f         ; -3:3              ;  ; erfc(a)
gamma            ; f         ; 0.5:7             ; tgamma$(a) ; gamma(a) ; -
lgamma           ; f         ; 0.5:40            ;  ; lgamma(a)
real             ; c:f32     ; -4:4              ; a.real()
imag             ; c:f32     ; -4:4              ; a.imag()
conjugate        ; c         ; -4:4              ; conj(a) ;  ; torch.conj_physical(a)
angle            ; c:f32     ; -4:4              ; arg(a)
polar            ; c:f32,f32 ; -4:4              ; - ; (np.abs(a), np.angle(a)) ; (torch.abs(a), torch.angle(a))
complex          ; s:c64 .   ; -4:4 -4:4         ; complex<float>(a, b) ; a + 1j * b
rect             ; s:c64 .   ; 0.1:4 -4:4        ; - ; a * np.exp(1j * b) ; torch.polar(a, b)
"""


@dataclasses.dataclass(frozen=True)
class Function:
    """A row of the table: text of arguments a, b, c, or None."""
    name: str
    types: tuple
    results: tuple      # types, or "=": the arguments'
    domains: tuple      # (low, high), ("int", low, high) or ("bool",)
    c: str | None
    numpy: str | None
    torch: str | None
    jumps: bool
    composes: bool

    @property
    def arity(self):
        return len(self.domains)

    @property
    def kern(self):
        return self.name if not self.name.isidentifier() else \
            f"{self.name}({', '.join('abc'[:self.arity])})"


def domains_of(text):
    found = []
    for word in re.findall(r"bool|int \S+|\S+:\S+", text):
        low_high = tuple(map(float, re.findall(r"-?[\d.]+", word)))
        kind = word.split()[0] if word[0] in "bi" else None
        found.append((kind, *low_high) if kind else low_high)
    return tuple(found)


def row(line):
    cells = [cell.strip() for cell in line.split(";")]
    name, kinds, domains, c, numpy, torch = cells + [""] * (6 - len(cells))
    marks = kinds.split()[1:]
    letters, _, results = kinds.split()[0].partition(":")
    domains = domains_of(domains)
    arguments = ", ".join("abc"[:len(domains)])

    def cell(text, default):
        return {"": default, "-": None, "=": c}.get(text, text)
    word = name if name.isidentifier() else None
    return Function(
        name, tuple(t for k in letters for t in KINDS[k]),
        tuple((results or "=").split(",")), domains,
        cell(c, f"{name}$({arguments})"),
        cell(numpy, f"np.{name}({arguments})" if word else name),
        cell(torch, f"torch.{name}({arguments})" if word else name),
        "!" in marks,
        "." not in marks and word is not None and not results)


FUNCTIONS = [row(line) for line in TABLE.strip().splitlines()]


def named(name, kind="f32"):
    """The function of that name which takes that type."""
    return next(f for f in FUNCTIONS if f.name == name and kind in f.types)
