#!/usr/bin/env python3
"""Writes NumpyTables.inc: what NumPy (2 or later) says of casts, promotion and
.npy files, as the tests' expected values.

    python3 make_numpy_tables.py > NumpyTables.inc
"""
import io
import itertools

import numpy as np

assert int(np.__version__.split(".")[0]) >= 2
TYPES = {"Bool": "?", "I8": "i1", "U8": "u1", "I16": "i2", "U16": "u2",
         "I32": "i4", "U32": "u4", "I64": "i8", "U64": "u8", "F16": "f2",
         "F32": "f4", "F64": "f8", "C64": "c8", "C128": "c16"}
NAMES = {np.dtype(code): name for name, code in TYPES.items()}


def row(cells):
    print("    {" + ", ".join(cells) + "},")


print("// Made by make_numpy_tables.py with NumPy " + np.__version__ + ".")
print("// clang-format off")
for rule in ("safe", "same_kind"):
    print(f"inline constexpr CastRow {rule.title().replace('_', '')}Casts[] = {{")
    for a, b in itertools.product(TYPES, TYPES):
        can = np.can_cast(TYPES[a], TYPES[b], rule)
        row([f"DType::{a}", f"DType::{b}", str(can).lower()])
    print("};")
print("inline constexpr PromotionRow Promotions[] = {")
for a, b, c in itertools.combinations_with_replacement(TYPES, 3):
    kind = np.result_type(TYPES[a], TYPES[b], TYPES[c])
    row([f"DType::{a}", f"DType::{b}", f"DType::{c}", f"DType::{NAMES[kind]}"])
print("};")


def text(data):
    return '"' + "".join(f"\\x{byte:02x}" for byte in data) + '"'


def file_of(array, version=None):
    out = io.BytesIO()
    np.lib.format.write_array(out, array, version=version)
    return out.getvalue()


print("inline const NpyRow NpyFiles[] = {")


def npy(label, dtype, array, version=None):
    native = np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<")))
    native = native.reshape(array.shape)
    data, values = file_of(array, version), native.tobytes()
    shape = "{" + ", ".join(map(str, array.shape)) + "}"
    fortran = array.flags.f_contiguous and not array.flags.c_contiguous
    print(f'    {{"{label}", DType::{dtype}, {shape}, {str(fortran).lower()},\n'
          f"     std::string({text(data)}, {len(data)}),\n"
          f"     std::string({text(values)}, {len(values)})}},")


rng = np.random.default_rng(7)
for name, code in TYPES.items():
    raw = rng.integers(0, 100, (2, 3))
    array = (raw > 50) if name == "Bool" else raw.astype(code)
    if name.startswith("C"):
        array = array - 1j * raw.astype(array.real.dtype)
        array = array.astype(code)
    npy(f"{name} C", name, array)
    npy(f"{name} F", name, np.asfortranarray(array))
    npy(f"{name} big-endian", name, array.astype(np.dtype(code).newbyteorder(">")))
npy("0-d", "F64", np.array(1.5))
npy("empty", "F32", np.zeros((0, 3), "f4"))
npy("5-d", "I16", np.arange(48, dtype="i2").reshape(2, 3, 1, 4, 2))
npy("version 2", "F32", np.arange(3, dtype="f4"), (2, 0))
npy("version 3", "F32", np.arange(3, dtype="f4"), (3, 0))
print("};")

print("inline const ConversionRow Conversions[] = {")
# Within range, where C and NumPy define the result.
VALUES = {"Bool": [0, 1], "I8": [-128, -1, 0, 127], "U8": [0, 200, 255],
          "I16": [-32768, 300, 32767], "U16": [0, 40000, 65535],
          "I32": [-2147483648, 70000, 2147483647], "U32": [0, 3000000000],
          "I64": [-2**63, 2**40 + 1, 2**63 - 1], "U64": [0, 2**64 - 1],
          "F16": [0.0, -1.5, 65504.0, 6e-8, 0.333],
          "F32": [0.0, -2.75, 3e38, 1e-40, 65519.9, 65520.0, 1.0004883],
          "F64": [0.0, 2.5, -1e300, 1.0000000001, 1 + 2**-11 + 2**-40],
          "C64": [1.5 - 2j], "C128": [-2.5 + 1e10j]}
np.seterr(all="ignore")
for a, b in itertools.product(TYPES, TYPES):
    if a.startswith("C") and not b.startswith("C"):
        continue
    for value in VALUES[a]:
        source = np.array(value, TYPES[a])
        if a[0] in "FC" and b[0] in "IU":
            limits = np.iinfo(TYPES[b])
            if not limits.min <= np.trunc(float(source)) <= limits.max:
                continue
        result = source.astype(TYPES[b])
        row([f"DType::{a}", f"DType::{b}",
             f"std::string({text(source.tobytes())}, {source.itemsize})",
             f"std::string({text(result.tobytes())}, {result.itemsize})"])
print("};")
print("// clang-format on")
