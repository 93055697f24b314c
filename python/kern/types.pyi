"""Numba's names of types, for signatures."""

from kern._signatures import Scalar

b1: Scalar
bool_: Scalar
boolean: Scalar
byte: Scalar
c16: Scalar
c8: Scalar
char: Scalar
complex128: Scalar
complex64: Scalar
double: Scalar
f2: Scalar
f4: Scalar
f8: Scalar
float16: Scalar
float32: Scalar
float64: Scalar
i1: Scalar
i2: Scalar
i4: Scalar
i8: Scalar
int16: Scalar
int32: Scalar
int64: Scalar
int8: Scalar
int_: Scalar
intc: Scalar
intp: Scalar
long_: Scalar
longlong: Scalar
none: Scalar
short: Scalar
single: Scalar
size_t: Scalar
ssize_t: Scalar
u1: Scalar
u2: Scalar
u4: Scalar
u8: Scalar
uchar: Scalar
uint: Scalar
uint16: Scalar
uint32: Scalar
uint64: Scalar
uint8: Scalar
uintc: Scalar
uintp: Scalar
ulong: Scalar
ulonglong: Scalar
ushort: Scalar
void: Scalar

__all__ = [
    "b1",
    "bool_",
    "boolean",
    "byte",
    "c16",
    "c8",
    "char",
    "complex128",
    "complex64",
    "double",
    "f2",
    "f4",
    "f8",
    "float16",
    "float32",
    "float64",
    "i1",
    "i2",
    "i4",
    "i8",
    "int16",
    "int32",
    "int64",
    "int8",
    "int_",
    "intc",
    "intp",
    "long_",
    "longlong",
    "none",
    "short",
    "single",
    "size_t",
    "ssize_t",
    "u1",
    "u2",
    "u4",
    "u8",
    "uchar",
    "uint",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "uintc",
    "uintp",
    "ulong",
    "ulonglong",
    "ushort",
    "void",
]
