"""The functions of test_cupy_vectorize.py, as a user writes them."""

import numpy as np


def reciprocal(x):
    return 1.0 / (x + 10)


def add(x, y):
    return x + y


def sub(x, y):
    return x - y


def mul(x, y):
    return x * y


def power(x, y):
    return x**y


def minmax(x, y):
    return max(x, y) - min(x, y)


def div(x, y):
    return x / y


def floor_div(x, y):
    return x // y


def mod(x, y):
    return x % y


def lshift(x, y):
    return x << y


def rshift(x, y):
    return x >> y


def bit_or(x, y):
    return x | y


def bit_and(x, y):
    return x & y


def bit_xor(x, y):
    return x ^ y


def invert(x):
    return ~x


def logical_not(x):
    return not x


def eq(x, y):
    return x == y


def neq(x, y):
    return x != y


def lt(x, y):
    return x < y


def le(x, y):
    return x <= y


def gt(x, y):
    return x > y


def ge(x, y):
    return x >= y


def usub(x):
    return -x


def ifexp(c, x, y):
    return x if c else y


def incr(x):
    return x + 1


def ufunc_call(x, y):
    return np.add(x, y)


def typecast(x):
    return np.float32(x)


def assign_new(x):
    y = x + x
    return x + y


def assign_update(x):
    x = x + x
    return x + x


def augassign(x):
    x += x
    return x + x


def nonconst(x):
    result = np.int32(0)
    result = x
    return result


def if_else(x):
    if x % 2 == 0:
        y = x
    else:
        y = -x
    return y


def if_alone(x):
    y = 0
    if x % 2 == 0:
        y = x
    return y


def elif_(x):
    y = 0
    if x % 2 == 0:
        y = x
    elif x % 3 == 0:
        y = -x
    return y


def while_(x):
    y = 0
    while x > 0:
        y += x
        x -= 1
    return y


def for_(x):
    y = 0
    for i in range(x):
        y += i
    return y


def for_const_range(x):
    for i in range(3, 10):
        x += i
    return x


def for_range_step(x, y, z):
    res = 0
    for i in range(x, y, z):
        res += i * i
    return res


def for_compound(x, y):
    res = 0
    for i in range(x * y):
        res += i
    return res


def for_update_condition(x):
    res = 0
    for i in range(x):
        res += i
        x -= 1
    return res


def tuples(x, y):
    x, y = y, x
    z = x, y
    a, b = z
    return a * a + b


def return_tuple(x, y):
    return x + y, x / y


CONST = 8


def const_value(x, y):
    return x - y + CONST


def arithmetic(x1, x2, x3):
    y = x1 + x2 * x3**x1
    x2 = y + x3 * x1
    return x1 + x2 + x3


def relu(x):
    return x if x > 0.0 else 0.0
