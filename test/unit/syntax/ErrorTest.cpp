//===- ErrorTest.cpp - every K01xx, at its place --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Dump.h"

#include <gtest/gtest.h>

#include <set>

namespace kern::compiler::syntax::test {
namespace {

struct Row {
  const char *source;
  const char *errors; ///< all of the file's: line:column code
};

/// One bit more than an integer may have.
const std::string wideConstant =
    "const X = 0x1" + std::string(1024, '0') + "\n";

/// The first of a code is the plainest way to get it.
const Row rows[] = {
    // Text
    {"const X = 1 # \xE9t\xE9\n", "1:15 K0101"},
    {"const X = a\xFFz\n", "1:12 K0101"},
    {"const X = 1 $ 2\n", "1:13 K0102"},
    {"const X = a \xE2\x88\x92 b\n", "1:13 K0102"},
    {"const X = 1\x01\n", "1:12 K0102"},
    {"def f():\n\treturn 1\n", "2:1 K0103"},
    {"def f():\n\treturn 1\n\tpass\n", "2:1 K0103"},
    {"def f():\n    x = 1\n  return x\n", "3:1 K0104"},
    {"def f():\n    x = 1\n   y = 2\n   return x\n", "3:1 K0104"},
    {"const X = 'abc\nconst Y = 1\n", "1:11 K0105"},
    {"\"\"\"abc\ndef f(): pass\n", "1:1 K0105"},
    {"const X = 012\n", "1:11 K0106"},
    {"const X = 0x\n", "1:11 K0106"},
    {"const X = 1__0\n", "1:11 K0106"},
    {"const X = 1_\n", "1:11 K0106"},
    {"const X = 1.5f\n", "1:11 K0106"},
    {"const X = 2x\n", "1:11 K0106"},
    {"const X = 1e+\n", "1:11 K0106"},
    {"const X = 0b12\n", "1:11 K0106"},
    {wideConstant.c_str(), "1:11 K0107"},
    {"const X = 1 \\ + 2\n", "1:13 K0108"},
    {"const X = 1 \\", "1:13 K0108"},
    // Syntax
    {"const = 3\n", "1:7 K0110"},
    {"const if = 3\n", "1:7 K0110"},
    {"const X 3\n", "1:9 K0110"},
    {"def f(x):\n    print x\n", "2:11 K0110"},
    {"def f(x):\n    for i = 0:\n        pass\n", "2:11 K0110"},
    {"def f(x):\n    y: f32\n", "2:11 K0110"},
    {"def (x): pass\n", "1:5 K0110"},
    {"def f: pass\n", "1:6 K0110"},
    {"def f(if): pass\n", "1:7 K0110"},
    {"ufunc f(x: T) -> T where T = f32: return x\n", "1:28 K0110"},
    {"ufunc f(x: T) -> T, T: return x\n", "1:19 K0110"},
    {"ufunc f(x: T) where T in [f32]: return x\n", "1:26 K0110"},
    {"ufunc f(x: 3) : return x\n", "1:12 K0110"},
    {"import\n", "1:7 K0110"},
    {"from m\n", "1:7 K0110"},
    {"def f(x):\n    if x: if x: pass\n", "2:11 K0110"},
    {"function f(x):\n    return x\n", "1:1 K0110"},
    {"const X = * 3 +\n", "1:11 K0155, 1:16 K0111"},
    {"const X = 3 +\n", "1:14 K0111"},
    {"const X = ()\n", "1:12 K0111"},
    {"def f(x):\n    // old\n    return x\n", "2:5 K0111"},
    {"def f(x):\n    return x +* 2\n", "2:15 K0111"},
    {"def f(x):\n    y = (x + 1\n    z = 2\n    return y\n", "2:9 K0112"},
    {"def f(x):\n    y = g(x,\n    return y\n", "2:10 K0112"},
    {"const X = (1 + 2\nconst Y = 1\n", "1:11 K0112"},
    {"const X = (1 + 2", "1:11 K0112"},
    {"def f(x,\n    return x\n", "1:6 K0112"},
    {"const X = (1 + 2]\n", "1:17 K0113"},
    {"const X = a[1)\n", "1:14 K0113"},
    {"const X = 1 + 2)\n", "1:16 K0114"},
    {")\nconst X = 1\n", "1:1 K0114"},
    {"def f(x)\n    return x\n", "1:9 K0115"},
    {"def f(x):\n    if x > 0\n        return x\n", "2:13 K0115"},
    {"def f(x):\n    if (x) {\n        return x\n    }\n", "2:12 K0115"},
    {"def f(x):\n    while x y:\n        pass\n", "2:13 K0115"},
    {"def f(x):\nreturn x\n", "1:9 K0116, 2:1 K0119"},
    {"def f(x):\n    if x:\n    return x\n", "2:9 K0116"},
    {"def f(x):\n    y = 1\n        z = 2\n    return y\n", "3:9 K0117"},
    {"  const X = 1\n", "1:3 K0117"},
    {"x = 3\n", "1:1 K0119"},
    {"if x:\n    pass\nelse:\n    pass\nconst X = 1\n", "1:1 K0119"},
    {"f(3)\n", "1:1 K0119"},
    {"const X = 1\n'text'\n", "2:1 K0119"},
    {"kernel f(x):\n    return x\n", "1:1 K0120"},
    {"grad f of g\n", "1:1 K0120"},
    {"def f(x):\n    def g(y):\n        return y\n    return g(x)\n",
     "2:5 K0121"},
    {"def f(x):\n    import math\n    return x\n", "2:5 K0121"},
    {"def f(x):\n    const y = 1\n    return x\n", "2:5 K0121"},
    {"@njit\nufunc f(x): return x\n", "1:2 K0122"},
    {"@cuda.jit(device=True)\ndef f(x): return x\n", "1:2 K0122"},
    {"@fastmath\ndef f(x): return x\n", "1:1 K0123"},
    {"@fastmath\nconst X = 1\n", "1:1 K0123"},
    {"@fastmath(True)\nufunc f(x): return x\n", "1:1 K0124"},
    {"@associative\nufunc f(x, y): return x\n", "1:1 K0124"},
    {"def f(x):\n    x + 1 = 2\n", "2:5 K0125"},
    {"def f(x):\n    f(x) = 2\n", "2:5 K0125"},
    {"def f(x):\n    3 += 2\n", "2:5 K0125"},
    {"def f(x):\n    a, b += 1, 2\n", "2:5 K0125"},
    {"def f(x):\n    x.real = 2\n", "2:5 K0125"},
    {"def f(x):\n    for x[0] in v: pass\n", "2:9 K0125"},
    {"def f(x):\n    return (y for y in x)\n", "2:12 K0126"},
    {"def f(x):\n    return sum((y for y in x) + 1)\n", "2:16 K0126"},
    {"def f(x):\n    return fold(y for y in x, 0)\n", "2:17 K0126"},
    {"def f(x):\n    else:\n        pass\n", "2:5 K0128"},
    {"def f(x):\n    elif x:\n        pass\n", "2:5 K0128"},
    {"gufunc f(x: T[n / 2]): pass\n", "1:17 K0129"},
    {"gufunc f(x: T[n ** 2]): pass\n", "1:17 K0129"},
    {"gufunc f(x: T[f(n)]): pass\n", "1:15 K0129"},
    {"gufunc f(x: T[3?]): pass\n", "1:16 K0129"},
    {"gufunc f(x: f32[:]): pass\n", "1:17 K0130"},
    {"gufunc f(x: f32[:, :], y: T[]): pass\n", "1:17 K0130, 1:29 K0130"},
    {"gufunc f(x: f32[...]): pass\n", "1:17 K0130"},
    {"const X = f(a b)\n", "1:15 K0131"},
    {"const X = (a b)\n", "1:14 K0131"},
    {"def f(x y): pass\n", "1:9 K0131"},
    {"const X = a[1 2]\n", "1:15 K0131"},
    {"const X = 1 if a\n", "1:17 K0132"},
    // Python
    {"const X = [1, 2]\n", ""},
    {"const X = []\n", "1:11 K0140"},
    {"def f(x):\n    [a, b] = x\n", "2:5 K0125"},
    {"const X = sum([x for x in v])\n", "1:15 K0141"},
    {"const X = {'a': 1, 'b': [2]}\n", "1:11 K0142"},
    {"const X = {1, 2}\n", "1:11 K0142"},
    {"const X = {}\n", "1:11 K0142"},
    {"const X = 'abc'\n", "1:11 K0143"},
    {"def f(x: 'f32'): pass\n", "1:10 K0143"},
    {"def f(x):\n    print('x', x)\n", "2:11 K0143"},
    {"const X = f'{a}'\n", "1:11 K0144"},
    {"def f(x):\n    assert x, f'{x}'\n", "2:15 K0144"},
    {"const X = lambda a, b=(1, 2): a + b\n", "1:11 K0145"},
    {"const X = fold(lambda a, b: a + b, 0, v)\n", "1:16 K0145"},
    {"def f(x):\n    try:\n        y = 1\n    except E as e:\n        y = 2\n"
     "    finally:\n        pass\n    return y\n",
     "2:5 K0146"},
    {"def f(x):\n    raise ValueError('x')\n", "2:5 K0146"},
    {"def f(x):\n    with g(x) as y:\n        return y\n", "2:5 K0147"},
    {"class A:\n    def f(self): pass\n", "1:1 K0148"},
    {"async def f(x): return x\n", "1:1 K0149"},
    {"def f(x):\n    yield x\n", "2:5 K0149"},
    {"def f(x):\n    y = await x\n", "2:9 K0149"},
    {"def f(x):\n    del x\n", "2:5 K0150"},
    {"def f(x):\n    global y\n", "2:5 K0151"},
    {"def f(x):\n    nonlocal y\n", "2:5 K0151"},
    {"def f(x):\n    while (y := x) > 0: pass\n", "2:14 K0152"},
    {"def f(x):\n    y := x\n", "2:7 K0152"},
    {"const X = a is b\n", "1:13 K0153"},
    {"const X = a is not None\n", "1:13 K0153"},
    {"const X = a in 1\n", "1:13 K0154"},
    {"const X = 1 < a not in (1, b)\n", "1:17 K0154"},
    {"const X = f(*v)\n", "1:13 K0155"},
    {"def f(*args, **kwargs): pass\n", "1:7 K0155, 1:14 K0155"},
    {"def f(a, /, b, *, c): pass\n", "1:10 K0155, 1:16 K0155"},
    {"def f(x):\n    a, *b = x\n", "2:8 K0155"},
    {"gufunc f(x: f32[n] = 1): return x\n", "1:20 K0156"},
    {"gufunc f(inout x = 1): return x\n", "1:18 K0156"},
    {"ufunc f(x, y=1, z): return x\n", "1:17 K0166"},
    {"def f(x, y=1, z): return x\n", "1:15 K0166"},
    {"const X = f(a, b=1, 2)\n", "1:21 K0167"},
    {"def f(x):\n    x++\n", "2:6 K0157"},
    {"def f(x):\n    x--;\n", "2:6 K0157"},
    {"const X = a && b\n", "1:13 K0158"},
    {"const X = a || b\n", "1:13 K0158"},
    {"const X = !a\n", "1:11 K0158"},
    {"const X = a ? b : c\n", "1:13 K0158"},
    {"def f(x):\n    if x: return 1\n    else if x > 2: return 2\n"
     "    else: return 3\n",
     "3:5 K0159"},
    {"def f(x):\n    if x = 3: return 1\n", "2:10 K0160"},
    {"def f(x):\n    x @= b\n", "2:7 K0161"},
    {"const X = None\n", "1:11 K0162"},
    {"def f(x) -> None: pass\n", "1:13 K0162"},
    {"const X = a[..., 0, ...]\n", "1:21 K0163"},
    {"def f(x): ...\n", "1:11 K0163"},
    {"from math import *\n", "1:18 K0164"},
    {"def f(x):\n    match x:\n        case 1:\n            pass\n",
     "2:5 K0165"},
};

TEST(Error, EachAtItsPlace) {
  for (const Row &row : rows)
    EXPECT_EQ(Parsed(row.source).errors(), row.errors) << row.source;
}

TEST(Error, EveryCodeHasACase) {
  std::set<std::string_view> seen = {"K0109", "K0118"}; // in RobustnessTest
  for (const Row &row : rows) {
    Parsed parsed(row.source);
    for (const Diagnostic &diagnostic : parsed.diagnostics.all())
      seen.insert(info(diagnostic.id).code);
  }
  static const std::string_view codes[] = {
#define KERN_DIAGNOSTIC(CODE, SEVERITY, NAME, TEXT) CODE,
#include "compiler/diagnostics/Diagnostics.def"
  };
  for (std::string_view code : codes)
    EXPECT_TRUE(!code.starts_with("K01") || seen.count(code)) << code;
}

TEST(Error, HabitsComeWithHelp) {
  for (const Row &row : rows) {
    Parsed parsed(row.source);
    for (const Diagnostic &diagnostic : parsed.diagnostics.all()) {
      std::string_view code = info(diagnostic.id).code;
      if (code >= "K0140" && code <= "K0165") {
        EXPECT_FALSE(diagnostic.help.empty()) << code << " " << row.source;
      }
    }
  }
}

TEST(Error, WhereRowsAreAsLongAsTheVariables) {
  Parsed parsed("ufunc f(x: T) where (T, I) in ((f32, i32), (f64)): return x");
  ASSERT_EQ(parsed.errors(), "1:44 K0221");
  EXPECT_EQ(parsed.diagnostics.all()[0].message,
            "this row has 1 type, and there are 2 type variables");
  const Function &function = std::get<Function>(parsed.tree.items.at(0).node);
  ASSERT_EQ(function.where.size(), 1u);
  EXPECT_EQ(function.where[0].rows.size(), 1u);
}

TEST(Error, TextsNameWhatWasFound) {
  auto message = [](const char *source) {
    Parsed parsed(source);
    return parsed.diagnostics.all().empty()
               ? std::string()
               : parsed.diagnostics.all()[0].message;
  };
  EXPECT_EQ(message("const X = f(a b)"), "expected `,` or `)`, found `b`");
  EXPECT_EQ(message("def f(x)\n    pass"),
            "expected `:` at the end of the `def`, found the end of the line");
  EXPECT_EQ(message("const X = 3 +"),
            "expected an expression, found the end of the line");
  EXPECT_EQ(message("const X = (1"), "this `(` is never closed");
  EXPECT_EQ(message("const X = (1]"), "`]` does not close `(`");
  EXPECT_EQ(message("const X = a is not b"),
            "Kern has no `is not`: values have no identity");
  EXPECT_EQ(message("const X = 1 \xE2\x88\x92 2"),
            "unexpected character `\xE2\x88\x92` (U+2212)");
}

} // namespace
} // namespace kern::compiler::syntax::test
