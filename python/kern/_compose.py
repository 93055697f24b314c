"""Gufuncs that walk over an array in order and call a given function for each
element. They are composed with the function's own source, so that they run
compiled, on the CPU and on GPUs, with the function's own types."""

import numpy as np

_NAMES = {
    "?": "bool",
    "b": "i8",
    "B": "u8",
    "h": "i16",
    "H": "u16",
    "i": "i32",
    "I": "u32",
    "l": "i64",
    "L": "u64",
    "q": "i64",
    "Q": "u64",
    "e": "f16",
    "f": "f32",
    "d": "f64",
    "F": "c64",
    "D": "c128",
}
_BF16 = "bf16"

#: Kern's names of NumPy's types, in the order of NumPy's loops.
LETTERS = dict(zip("bool i8 u8 i16 u16 i32 u32 i64 u64".split(), "?bBhHiIlL"))
LETTERS |= dict(zip("f16 f32 f64 c64 c128".split(), "efdFD"))


def type_name(dtype):
    """Kern's name of a NumPy dtype."""
    name = _NAMES.get(dtype.char)
    if name is None and dtype.name == "bfloat16":
        name = _BF16
    if name is None:
        raise TypeError(f"Kern has no element type for {dtype!r}")
    return name


def dtype_of(name):
    """The NumPy dtype of one of Kern's names; bf16 needs ml_dtypes."""
    if name == _BF16:
        import ml_dtypes

        return np.dtype(ml_dtypes.bfloat16)
    return np.dtype(LETTERS[name])


_REDUCE = """
gufunc {p}run({p}initial: {a}, {p}v: {b}[{p}n]) -> {a}:
    {p}acc: {a} = {p}initial
    for {p}i in range({p}n):
        {p}acc = {f}({p}acc, {p}v[{p}i])
    return {p}acc
"""

_REDUCE_FIRST = """
gufunc {p}run({p}v: {b}[{p}n]) -> {a}:
    {p}acc: {a} = {a}({p}v[0])
    for {p}i in range(1, {p}n):
        {p}acc = {f}({p}acc, {p}v[{p}i])
    return {p}acc
"""

_REDUCE_WHERE = """
gufunc {p}run({p}initial: {a}, {p}v: {b}[{p}n], {p}where: bool[{p}n]) -> {a}:
    {p}acc: {a} = {p}initial
    for {p}i in range({p}n):
        if {p}where[{p}i]:
            {p}acc = {f}({p}acc, {p}v[{p}i])
    return {p}acc
"""

_FOLD = """
gufunc {p}run({p}initial: {a}, {p}v: {a}[{p}n]) -> {a}:
    return fold({f}, {p}initial, {p}v)
"""

_ACCUMULATE = """
gufunc {p}run({p}v: {a}[{p}n]) -> ({p}y: {a}[{p}n]):
    if {p}n > 0:
        {p}acc: {a} = {p}v[0]
        {p}y[0] = {p}acc
        for {p}i in range(1, {p}n):
            {p}acc = {f}({p}acc, {p}v[{p}i])
            {p}y[{p}i] = {p}acc
"""

# The same along columns, a row at a time: where elements that follow one another
# lie far apart, and columns side by side.
_REDUCE_COLUMNS = """
gufunc {p}run({p}initial: {a}, {p}v: {b}[{p}n, {p}m]) -> ({p}y: {a}[{p}m]):
    for {p}j in prange({p}m):
        {p}y[{p}j] = {p}initial
    for {p}i in range({p}n):
        for {p}j in prange({p}m):
            {p}y[{p}j] = {f}({p}y[{p}j], {p}v[{p}i, {p}j])
"""

_REDUCE_FIRST_COLUMNS = """
gufunc {p}run({p}v: {b}[{p}n, {p}m]) -> ({p}y: {a}[{p}m]):
    for {p}j in prange({p}m):
        {p}y[{p}j] = {a}({p}v[0, {p}j])
    for {p}i in range(1, {p}n):
        for {p}j in prange({p}m):
            {p}y[{p}j] = {f}({p}y[{p}j], {p}v[{p}i, {p}j])
"""

_ACCUMULATE_COLUMNS = """
gufunc {p}run({p}v: {a}[{p}n, {p}m]) -> ({p}y: {a}[{p}n, {p}m]):
    if {p}n > 0:
        for {p}j in prange({p}m):
            {p}y[0, {p}j] = {p}v[0, {p}j]
        for {p}i in range(1, {p}n):
            for {p}j in prange({p}m):
                {p}y[{p}i, {p}j] = {f}({p}y[{p}i - 1, {p}j], {p}v[{p}i, {p}j])
"""

_REDUCEAT = """
gufunc {p}run({p}v: {a}[{p}n], {p}at: i64[{p}k]) -> ({p}y: {a}[{p}k]):
    for {p}j in prange({p}k):
        {p}end = {p}n
        if {p}j + 1 < {p}k:
            {p}end = {p}at[{p}j + 1]
        {p}acc: {a} = {p}v[{p}at[{p}j]]
        for {p}i in range({p}at[{p}j] + 1, {p}end):
            {p}acc = {f}({p}acc, {p}v[{p}i])
        {p}y[{p}j] = {p}acc
"""

# The same where indices are checked as well: with the number of the first wrong
# one, from 1.
_REDUCEAT_CHECKED = """
gufunc {p}run({p}v: {a}[{p}n], {p}at: i64[{p}k]) -> ({p}y: {a}[{p}k], {p}wrong: i64):
    {p}wrong = 0
    for {p}j in range({p}k):
        if {p}wrong == 0 and ({p}at[{p}j] < 0 or {p}at[{p}j] >= {p}n):
            {p}wrong = {p}j + 1
    for {p}j in prange({p}k):
        {p}y[{p}j] = {a}(0)
        if {p}wrong == 0:
            {p}end = {p}n
            if {p}j + 1 < {p}k:
                {p}end = {p}at[{p}j + 1]
            {p}acc: {a} = {p}v[{p}at[{p}j]]
            for {p}i in range({p}at[{p}j] + 1, {p}end):
                {p}acc = {f}({p}acc, {p}v[{p}i])
            {p}y[{p}j] = {p}acc
"""

_AT = """
gufunc {p}run(inout {p}x: {x}[{p}n], {p}at: i64[{p}k], {p}b: {b}[{p}k]):
    for {p}j in range({p}k):
        {p}old = {p}x[{p}at[{p}j]]
        {p}new = {f}({into}, {p}b[{p}j])
        {p}x[{p}at[{p}j]] = {back}
"""

_AT_UNARY = """
gufunc {p}run(inout {p}x: {x}[{p}n], {p}at: i64[{p}k]):
    for {p}j in range({p}k):
        {p}old = {p}x[{p}at[{p}j]]
        {p}new = {f}({into})
        {p}x[{p}at[{p}j]] = {back}
"""

# In one dimension, where indices may be negative and are checked: the number of
# the first wrong one, from 1, with which nothing is written.
_AT_CHECKED = """
gufunc {p}run(inout {p}x: {x}[{p}n], {p}at: i64[{p}k]PARAMETER) -> i64:
    {p}wrong = 0
    for {p}j in range({p}k):
        if {p}wrong == 0 and ({p}at[{p}j] < -{p}n or {p}at[{p}j] >= {p}n):
            {p}wrong = {p}j + 1
    if {p}wrong == 0:
        for {p}j in range({p}k):
            {p}i = {p}at[{p}j]
            if {p}i < 0:
                {p}i += {p}n
            {p}old = {p}x[{p}i]
            {p}new = {f}({into}ARGUMENT)
            {p}x[{p}i] = {back}
    return {p}wrong
"""


def _at_checked(parameter, argument):
    text = _AT_CHECKED.replace("PARAMETER", parameter)
    return text.replace("ARGUMENT", argument)


_IDENTITY = """
gufunc {p}run({p}v: {a}[{p}n]) -> {a}:
    return fold({f}, {p}v)
"""

_TEXTS = {
    "reduce": _REDUCE,
    "reduce_first": _REDUCE_FIRST,
    "reduce_where": _REDUCE_WHERE,
    "reduce_columns": _REDUCE_COLUMNS,
    "reduce_first_columns": _REDUCE_FIRST_COLUMNS,
    "fold": _FOLD,
    "accumulate": _ACCUMULATE,
    "accumulate_columns": _ACCUMULATE_COLUMNS,
    "reduceat": _REDUCEAT,
    "reduceat_checked": _REDUCEAT_CHECKED,
    "at": _AT,
    "at_unary": _AT_UNARY,
    "at_array": _at_checked(", {p}b: {b}[{p}k]", ", {p}b[{p}j]"),
    "at_number": _at_checked(", {p}b: {b}", ", {p}b"),
    "at_nothing": _at_checked("", ""),
    "identity": _IDENTITY,
}


def _prefix(text):
    """A prefix that no name in a source has."""
    number = 0
    while f"kern{number or ''}_" in text:
        number += 1
    return f"kern{number or ''}_"


def compose(function, kind, *, old=None, new=None, **types):
    """The gufunc `kind` for a function, whose module has a source; made once.

    types: names of Kern's types for the text's places. old: of `at`, the types
    that the first operand has and is taken in; new: those of the result and of
    what it is stored as.
    """
    cache = function.__dict__.setdefault("_composed", {})
    key = (kind, old, new, *types.values())
    made = cache.get(key)
    if made is None:
        recipe = function.module._recipe
        prefix = _prefix(recipe.text)
        if old:
            types["into"] = converted(prefix + "old", *old)
            types["back"] = converted(prefix + "new", *new)
        text = _TEXTS[kind].format(p=prefix, f=function._info["name"], **types)
        whole = recipe.with_text(recipe.text + "\n" + text)
        made = cache[key] = whole.make()[prefix + "run"]
    return made


def converted(expression, source, target):
    """The text that converts a value under `unsafe` casting."""
    if source == target:
        return expression
    if source in ("c64", "c128") and target not in ("c64", "c128", "bool"):
        expression = f"real({expression})"
    return f"{target}({expression})"
