//===- FormatTest.cpp - the canonical form of texts -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Dump.h"

#include "compiler/syntax/format/Format.h"
#include "compiler/syntax/format/Layout.h"

#include <gtest/gtest.h>

using namespace kern::compiler;
using namespace kern::compiler::syntax;

namespace {

std::string formatted(std::string_view text) {
  SourceManager sources;
  const uint32_t file = sources.add("test.kern", std::string(text));
  DiagnosticEngine diagnostics(sources);
  return format(file, diagnostics).value_or("refused");
}

/// One statement of a function's body.
std::string statement(std::string_view text) {
  const std::string head = "ufunc f(x):\n    ";
  const std::string result = formatted(head + std::string(text) + "\n");
  return result.starts_with(head) ? result.substr(head.size()) : result;
}

TEST(Format, DefaultsOfParameters) {
  EXPECT_EQ(formatted("ufunc f(x:T,s:T=2.0,n = 1,k: T= g(a = 1)) -> T where T "
                      "in(f32,f64): return x\n"),
            "ufunc f(x: T, s: T = 2.0, n=1, k: T = g(a=1)) -> T where T in "
            "(f32, f64):\n    return x\n");
}

TEST(Format, SpacesStandAroundOperators) {
  struct {
    const char *text, *canonical;
  } rows[] = {
      {"return x+1", "return x + 1\n"},
      {"return -x", "return -x\n"},
      {"return - x", "return -x\n"},
      {"return x- -1", "return x - -1\n"},
      {"return - - x", "return --x\n"},
      {"return x**-1", "return x ** -1\n"},
      {"return ~ x|1", "return ~x | 1\n"},
      {"return not( x )", "return not (x)\n"},
      {"return(x)", "return (x)\n"},
      {"return f ( x , -1 )", "return f(x, -1)\n"},
      {"return f( x = 1 , y=-2)", "return f(x=1, y=-2)\n"},
      {"y=f(a ==b)", "y = f(a == b)\n"},
      {"y : f64=1", "y: f64 = 1\n"},
      {"x+=1", "x += 1\n"},
      {"y [ 0 ]=a [ 1 : n , : ]", "y[0] = a[1:n, :]\n"},
      {"return a[: :2,-1:]", "return a[::2, -1:]\n"},
      {"return a . shape [0]", "return a.shape[0]\n"},
      {"return 1 .real", "return 1 .real\n"},
      {"return a if b<c else(d)", "return a if b < c else (d)\n"},
      {"return sum(x**2 for x in(v)if x>0)",
       "return sum(x ** 2 for x in (v) if x > 0)\n"},
      {"return(a,b,)", "return (a, b,)\n"},
      {"for i,j in prange(m,n):pass",
       "for i, j in prange(m, n):\n        pass\n"},
      {"where = x<1", "where = x < 1\n"},
      {"return where( x,1,2)", "return where(x, 1, 2)\n"},
  };
  for (auto &row : rows)
    EXPECT_EQ(statement(row.text), row.canonical);
}

TEST(Format, HeadersAreSpaced) {
  EXPECT_EQ(formatted("gufunc f(a:T[m?,k],b:[n],inout c:T[3],d:dim)->(y:T[m,n-k"
                      "+1],z:T)where(T,U)in((f32,i8),(f64,i16)),V in floats:\n"
                      " pass\n"),
            "gufunc f(a: T[m?, k], b: [n], inout c: T[3], d: dim) -> (y: T[m, "
            "n - k + 1], z: T) where (T, U) in ((f32, i8), (f64, i16)), V in "
            "floats:\n    pass\n");
  EXPECT_EQ(formatted("@ associative( identity = -1 )\nufunc f(a,b)->T:\n "
                      "return a\n"),
            "@associative(identity=-1)\nufunc f(a, b) -> T:\n    return a\n");
}

TEST(Format, LiteralsHaveOneSpelling) {
  EXPECT_EQ(statement("return 1E5 + .5 + 1. + 2J + 0XFf + 1.E-3 + 0B1"),
            "return 1e5 + 0.5 + 1.0 + 2j + 0xFf + 1.0e-3 + 0b1\n");
  EXPECT_EQ(statement("return 1E+05 + 1e-007 + 1.5e+0 + 2e00J + 0xE+5"),
            "return 1e5 + 1e-7 + 1.5e0 + 2e0j + 0xE + 5\n");
  EXPECT_EQ(statement("assert x, 'a'"), "assert x, \"a\"\n");
  EXPECT_EQ(statement("assert x, 'a\"'"), "assert x, 'a\"'\n");
  EXPECT_EQ(statement("assert x, 'a\\n'"), "assert x, 'a\\n'\n");
}

TEST(Format, BlocksAreIndentedByFourAndStatementsStandAlone) {
  EXPECT_EQ(formatted("def f(x):\n  if x: return 1;\n  elif x>2:\n     y=1;x=2 "
                      "# why\n  else: pass; y=3\n  return x"),
            "def f(x):\n    if x:\n        return 1\n    elif x > 2:\n"
            "        y = 1\n        x = 2  # why\n    else:\n        pass\n"
            "        y = 3\n    return x\n");
  EXPECT_EQ(formatted("def f(x): 'doc'; return x # c\n"),
            "def f(x):\n    \"doc\"\n    return x  # c\n");
}

TEST(Format, BracketsKeepTheirLineBreaks) {
  EXPECT_EQ(statement("y = f(a,\n b ,\n c)"),
            "y = f(a,\n          b,\n          c)\n");
  EXPECT_EQ(
      statement("y = f(\n a,\n   g(\n b\n)\n  )"),
      "y = f(\n        a,\n        g(\n            b\n        )\n    )\n");
  EXPECT_EQ(statement("y = x+\\\n   1"), "y = x + \\\n        1\n");
}

TEST(Format, CommentsStayWithTheirLines) {
  EXPECT_EQ(formatted("#!x\n#a\n\n\n\n#b \nconst A=1#c\n#d"),
            "#!x\n# a\n\n# b\nconst A = 1  # c\n# d\n");
  EXPECT_EQ(
      statement("y = f( # one\n  # two\n  x, # three\n  # four\n ) # five"),
      "y = f(  # one\n        # two\n        x,  # three\n"
      "        # four\n    )  # five\n");
  // Before a dedent a comment belongs to the block it is indented as.
  EXPECT_EQ(
      formatted("def f(x):\n  if x:\n    y=1\n    # inner\n  # outer\n"
                "# file\n\nconst B=1\n"),
      "def f(x):\n    if x:\n        y = 1\n        # inner\n    # outer\n"
      "\n# file\n\nconst B = 1\n");
  EXPECT_EQ(formatted("if_only = 1"), "refused");
}

TEST(Format, EmptyLinesAreAtMostOneAndSetFunctionsApart) {
  EXPECT_EQ(
      formatted("\n\nconst A=1\n\n\n\nconst B=2\nconst C=3\ndef f(x):\n\n"
                "  y=x\n\n\n  return y\n\n\n\n# of g\n@fastmath\n\n"
                "ufunc g(x):\n  return x\nconst D=1\n\n\n"),
      "const A = 1\n\nconst B = 2\nconst C = 3\n\ndef f(x):\n    y = x\n\n"
      "    return y\n\n# of g\n@fastmath\nufunc g(x):\n    return x\n\n"
      "const D = 1\n");
  EXPECT_EQ(formatted("\n\n"), "");
  EXPECT_EQ(formatted(""), "");
  EXPECT_EQ(formatted("\xEF\xBB\xBF# a\r\n# b\r\n"), "# a\n# b\n");
}

TEST(Format, LinesEndAlikeInsideStringsToo) {
  EXPECT_EQ(formatted("def f(x):\r\n  \"\"\"A.\r\n\r\n  B.\r\n  "
                      "\"\"\"\r\n  return x\r\n"),
            "def f(x):\n    \"\"\"A.\n\n    B.\n    \"\"\"\n    return x\n");
}

/// Names are compared in normal form, and their text stays as written.
TEST(Format, NamesStayAsTheyAreWritten) {
  EXPECT_EQ(formatted("def f(ｘ):\n    ﬁ = x\n    return fi\n"),
            "def f(ｘ):\n    ﬁ = x\n    return fi\n");
  EXPECT_EQ(formatted("import numpy as ｎｐ\ndef f(x):\n    return "
                      "np.sin(x)\n"),
            "def f(x):\n    return sin(x)\n");
  // `sin` is the file's, however either is written.
  const std::string bound =
      "import numpy as np\n\ndef sin(x):\n    return x\n\n"
      "def f(x):\n    return np.ｓｉｎ(x)\n";
  EXPECT_EQ(formatted(bound), bound);
  EXPECT_EQ(formatted("def f(x):\n    return ｆｌｏａｔ３２(x)\n"),
            "def f(x):\n    return f32(x)\n");
}

TEST(Format, DocstringsMoveWithTheirBlock) {
  EXPECT_EQ(
      formatted("def f(x):\n  '''One.\n\n   Two  \n Three'''\n  return x\n"),
      "def f(x):\n    \"\"\"One.\n\n     Two\n   Three\"\"\"\n"
      "    return x\n");
  EXPECT_EQ(formatted("def f(x):\n  \"\"\"A \\\n  b\"\"\"\n  return x\n"),
            "def f(x):\n    \"\"\"A \\\n  b\"\"\"\n    return x\n");
}

TEST(Format, TypesGetTheirShortNames) {
  EXPECT_EQ(formatted("ufunc f(x:float32)->T where T in(int64,complex128):\n"
                      " return bfloat16(x)\n"),
            "ufunc f(x: f32) -> T where T in (i64, c128):\n"
            "    return bf16(x)\n");
  // Another meaning of either name is left alone.
  EXPECT_EQ(statement("float32 = 1; return float32 + int8(x)"),
            "float32 = 1\n    return float32 + i8(x)\n");
  EXPECT_EQ(statement("f32 = 1; return float32(x)"),
            "f32 = 1\n    return float32(x)\n");
  EXPECT_EQ(statement("return x.float32"), "return x.float32\n");
}

TEST(Format, PrefixesAndTheirImportsGo) {
  EXPECT_EQ(formatted("import numpy as np\nimport math # why\n\ndef f(x):\n"
                      " return np.sin(math.pi*x)+np.float32(1)\n"),
            "# why\n\ndef f(x):\n    return sin(pi * x) + f32(1)\n");
  EXPECT_EQ(formatted("from math import sqrt, pi\nconst A=sqrt(pi)\n"),
            "const A = sqrt(pi)\n");
  // A prefix stays, with its import, where the name alone would mean something
  // else.
  const char *shadowed = "import math\n\ndef f(e):\n    return e + math.e\n";
  EXPECT_EQ(formatted(shadowed), shadowed);
  const char *renamed = "from math import sqrt as root\n";
  EXPECT_EQ(formatted(renamed), renamed);
  const char *own = "import mine as np\n\ndef f(x):\n    return np.sin(x)\n";
  EXPECT_EQ(formatted(own), own);
  const char *variable = "def f(np):\n    return np.real\n";
  EXPECT_EQ(formatted(variable), variable);
  EXPECT_EQ(formatted("import numpy as xp, mine\n\ndef f(x):\n"
                      "    return xp.sin(x) + mine.g(x)\n"),
            "import mine\n\ndef f(x):\n"
            "    return sin(x) + mine.g(x)\n");
  EXPECT_EQ(formatted("import numpy as np, math # why\n\ndef f(x):\n"
                      "    return np.sin(math.pi*x)\n"),
            "# why\n\ndef f(x):\n    return sin(pi * x)\n");
  // NumPy's functions that take other arguments than Kern's.
  for (const char *call :
       {"np.max(x, 0)", "np.log(x, y[0, 1])", "np.hypot(f(x, y), x, y)"}) {
    const std::string kept =
        "def f(x):\n    return " + std::string(call) + "\n";
    EXPECT_EQ(formatted(kept), kept);
  }
  for (const char *call : {"max(x, axis=0)", "max(f(x, y),)", "hypot(x, y)"})
    EXPECT_EQ(formatted("def f(x):\n    return np." + std::string(call) + "\n"),
              "def f(x):\n    return " + std::string(call) + "\n");
  EXPECT_EQ(formatted("import numpy as np\n\ndef f(x):\n"
                      "    return np.sin(np.max(x, 0)) + np.sum(x)\n"),
            "import numpy as np\n\ndef f(x):\n"
            "    return sin(np.max(x, 0)) + sum(x)\n");
  EXPECT_EQ(
      formatted("import math as m\n\ndef f(x):\n    return m.log(x, 2)\n"),
      "def f(x):\n    return log(x, 2)\n");
  const char *uses = "\n\ndef f(x):\n    return a.g(x) + b.g(x)\n";
  for (const char *line : {"import np, a, math, b", "import a, np, b, math",
                           "import math, np, a, b", "import a, b, math, np"})
    EXPECT_EQ(formatted(std::string(line) + uses),
              std::string("import a, b") + uses);
}

} // namespace
