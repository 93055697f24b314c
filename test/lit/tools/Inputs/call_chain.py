"""call_chain.py COUNT EXPRESSION: a ufunc that calls a def, which calls another,
and so on COUNT times; the last one returns EXPRESSION of `x`."""

import sys

count, expression = int(sys.argv[1]), sys.argv[2]
print(f"def f0(x):\n    return {expression}")
for i in range(1, count):
    print(f"def f{i}(x):\n    return f{i - 1}(x)")
print(f"ufunc g(x: f64) -> f64:\n    return f{count - 1}(x)")
