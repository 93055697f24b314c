"""A Python function of numbers without signatures, as a generic Kern ufunc.

A call decides the types. Numba computes integers in 64 bits, signed unless all of
them are unsigned. So integers are widened on entry, and where a parameter is unsigned
the body needs conversions that depend on which ones are: it is written once for each
group of types that need the same, and the compiler takes the one of the call.
"""

import itertools
import re

from kern._expressions import INT64, NARROW, UINT64
from kern._names import kern_name

# Types of parameters, each with the test for it.
_CLASSES = {
    "kern_narrow({})": NARROW,
    "kern_u64({})": UINT64,
    "kern_signed({})": INT64,
    "not kern_integer({})": None,
}
_UNSIGNED = list(_CLASSES)[:2]
# With more parameters there are too many groups: unsigned ones become signed.
_MOST_PARAMETERS = 3

_ALL = "bool, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64, c64, c128"


def _test(name, body):
    return f"ufunc {name}(x: T) -> bool where T in ({_ALL}): return {body}\n"


# The end of a module: what calls without signatures do to numbers on entry.
PRELUDE = f"""
ufunc kern_widen(x: T) -> R where (T, R) in (
    (bool, bool), (i8, i64), (i16, i64), (i32, i64), (i64, i64),
    (u8, i64), (u16, i64), (u32, i64), (u64, u64),
    (f16, f16), (bf16, bf16), (f32, f32), (f64, f64), (c64, c64), (c128, c128)
):
    return x
ufunc kern_widen_unsigned(x: T) -> R where (T, R) in (
    (bool, bool), (i8, i64), (i16, i64), (i32, i64), (i64, i64),
    (u8, u64), (u16, u64), (u32, u64), (u64, u64),
    (f16, f16), (bf16, bf16), (f32, f32), (f64, f64), (c64, c64), (c128, c128)
):
    return x
{_test("kern_narrow", "T in (u8, u16, u32)")}{_test("kern_u64", "T == u64")}\
{_test("kern_signed", "T in signed")}{_test("kern_integer", "T in integers")}"""
PRELUDE_NAMES = set(re.findall(r"^ufunc (\w+)", PRELUDE, re.M))


def bodies(translation, python):
    """[(test, widen, edits)]: the bodies of the function. The test of the last one is
    None: it is taken where no other is. `widen` is the ufunc for parameters."""
    plain, _ = translation.translate(python)
    groups = {}
    try:
        for classes in _combinations(len(python.parameters)):
            types = dict(zip(python.parameters, map(_CLASSES.get, classes)))
            edits, _ = translation.translate(python, types)
            groups.setdefault(edits.key(), (edits, []))[1].append(classes)
    except SyntaxError:  # it is one in calls with such types alone
        groups = {}
    if not groups:
        return [(None, "kern_widen", plain)]
    names = [kern_name(one) for one in python.parameters]
    signed = " and ".join(f"not (kern_narrow({one}) or kern_u64({one}))" for one in names)
    found = [(signed, "kern_widen", plain)]
    for edits, rows in groups.values():
        tests = [
            " and ".join(test.format(one) for test, one in zip(row, names))
            for row in rows
        ]
        text = " or ".join(f"({one})" for one in tests)
        found.append((text, "kern_widen_unsigned", edits))
    found[-1] = (None, *found[-1][1:])
    return found


def _combinations(count):
    """The classes of parameters, one of them unsigned."""
    if 0 < count <= _MOST_PARAMETERS:
        for classes in itertools.product(_CLASSES, repeat=count):
            if any(one in _UNSIGNED for one in classes):
                yield classes


def write(translation, python, lines, parameters):
    """Writes the function, `lines` before it."""
    from kern._ufunc import begin

    made = bodies(translation, python)
    for number, (test, widen, edits) in enumerate(made):
        entry = "; ".join(f"{one} = {widen}({one})" for one in parameters)
        entry = f"{entry}\n" if entry else ""
        if len(made) == 1:
            begin(translation, python, lines + (f"    {entry}" if entry else ""))
            translation.writer.body(python, edits, 4)
            continue
        head = "if" if number == 0 else "elif" if test else "else"
        text = f"    {head}{f' {test}' if test else ''}:\n        {entry}"
        if number == 0:
            begin(translation, python, lines + text)
        else:
            translation.writer.write(text)
        translation.writer.body(python, edits, 8)
    translation.needs_prelude = True
