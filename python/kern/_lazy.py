"""A Python function of numbers without signatures, as a generic Kern ufunc.

A call decides the types. Numba computes integers in 64 bits: unsigned if all operands
are, else signed. A few operations keep the types of their operands. So the conversions
in the body depend on which parameters are signed, unsigned, bools or none of these. The body is
written once for each set of such kinds that needs the same conversions, and the compiler
takes the one that a call needs.
"""

import itertools
import re

from kern._expressions import BOOL, NARROW, SIGNED, WIDE
from kern._names import kern_name

# Types of parameters, each with the test for it.
_CLASSES = {
    "kern_narrow({})": NARROW,
    "kern_u64({})": WIDE,
    "kern_signed({})": SIGNED,
    "kern_bool({})": BOOL,
    "not kern_whole({})": None,
}
# With more parameters there are too many groups: integers are widened on entry, and
# only bools are told from the rest, among as many of them as this.
_MAX_PARAMETERS = 4
_MAX_BOOLS = 6
_BOOL_OR_NOT = {"kern_bool({})": BOOL, "not kern_bool({})": None}

_ALL = "bool, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64, c64, c128"


def _test(name, body):
    return f"ufunc {name}(x: T) -> bool where T in ({_ALL}): return {body}\n"


def _converts(name, **other):
    """A ufunc that converts numbers of some types and leaves the rest."""
    loops = ", ".join(f"({one}, {other.get(one, one)})" for one in _ALL.split(", "))
    return f"ufunc {name}(x: T) -> R where (T, R) in ({loops}): return x\n"


# Numba computes a u16 and an f32 in f64, and the functions of NumPy that give floats in
# f32 for integers of up to 16 bits.
_BESIDE = _converts("kern_beside", u16="u32")
_COUNTED = _converts("kern_counted", bool="i64")
_REAL = _converts("kern_real", i8="f32", i16="f32", u8="f32", u16="f32")

# The end of a module: what calls without signatures ask of numbers.
PRELUDE = f"""
{_BESIDE}{_COUNTED}{_REAL}\
ufunc kern_widen(x: T) -> R where (T, R) in (
    (bool, bool), (i8, i64), (i16, i64), (i32, i64), (i64, i64),
    (u8, i64), (u16, i64), (u32, i64), (u64, u64),
    (f16, f16), (bf16, bf16), (f32, f32), (f64, f64), (c64, c64), (c128, c128)
):
    return x
{_test("kern_narrow", "T in (u8, u16, u32)")}{_test("kern_u64", "T == u64")}\
{_test("kern_signed", "T in signed")}{_test("kern_bool", "T == bool")}\
{_test("kern_whole", "T in integers or T == bool")}"""
PRELUDE_NAMES = set(re.findall(r"^ufunc (\w+)", PRELUDE, re.M))


def bodies(translation, python):
    """[(test, edits)]: the bodies of the function. The test of the last one is None:
    it is taken where no other is. None where one body serves all, and integers are
    widened on entry."""
    parameters = python.parameters
    if not parameters:
        return None
    try:
        if len(parameters) <= _MAX_PARAMETERS:
            classes, asked = _CLASSES, parameters
        else:
            classes, asked = _BOOL_OR_NOT, _changed_by_bools(translation, python)
        groups = {}
        for row in itertools.product(classes, repeat=len(asked)):
            types = dict.fromkeys(parameters)
            types.update(zip(asked, map(classes.get, row)))
            edits, _ = translation.translate(python, types)
            groups.setdefault(edits.key(), (edits, []))[1].append(row)
    except SyntaxError:  # it is one in calls with such types alone
        return None
    names = [kern_name(one) for one in asked]
    # The one for the most kinds is last: its test is the longest.
    found = sorted(groups.values(), key=lambda group: len(group[1]))
    made = []
    for edits, rows in found:
        tests = [
            " and ".join(test.format(one) for test, one in zip(row, names))
            for row in rows
        ]
        made.append((" or ".join(f"({one})" for one in tests), edits))
    made[-1] = (None, made[-1][1])
    return made


def _changed_by_bools(translation, python):
    """The parameters that are computed in another way if they are bools, alone or
    beside bools; none if they are too many."""

    def edits(*bools, others=None):
        types = dict.fromkeys(python.parameters, others)
        types.update(dict.fromkeys(bools, None if others else BOOL))
        return translation.translate(python, types)[0].key()

    none, every = edits(), edits(others=BOOL)
    changed = [
        one
        for one in python.parameters
        if edits(one) != none or edits(one, others=BOOL) != every
    ]
    return changed if len(changed) <= _MAX_BOOLS else []


def write(translation, python, lines, parameters):
    """Writes the function, `lines` before it."""
    from kern._ufunc import begin

    made = bodies(translation, python)
    if parameters and (made is None or len(parameters) > _MAX_PARAMETERS):
        widened = "; ".join(f"{one} = kern_widen({one})" for one in parameters)
        lines += f"    {widened}\n"
        translation.needs_prelude = True
    if made is None or len(made) == 1:
        edits = made[0][1] if made else translation.translate(python)[0]
        begin(translation, python, lines)
        translation.writer.body(python, edits, 4)
        return
    for number, (test, edits) in enumerate(made):
        head = "if" if number == 0 else "elif" if test else "else"
        text = f"    {head}{f' {test}' if test else ''}:\n"
        if number == 0:
            begin(translation, python, lines + text)
        else:
            translation.writer.write(text)
        translation.writer.body(python, edits, 8)
    translation.needs_prelude = True
