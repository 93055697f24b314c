//===- RobustnessTest.cpp - any bytes, any depth, any size ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Dump.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>

namespace kern::compiler::syntax::test {
namespace {

/// Parses and renders, and checks what must hold for every input.
void checkAny(const std::string &text) {
  Parsed parsed(text);
  for (const Diagnostic &diagnostic : parsed.diagnostics.all()) {
    ASSERT_LE(diagnostic.span.begin, diagnostic.span.end) << text;
    ASSERT_LE(diagnostic.span.end, text.size()) << text;
    ASSERT_FALSE(diagnostic.message.empty()) << text;
  }
  parsed.diagnostics.renderText(true);
  parsed.diagnostics.renderJson();
  dump(parsed.tree);
}

std::string repeat(std::string_view piece, size_t times) {
  std::string text;
  text.reserve(piece.size() * times);
  while (times--)
    text += piece;
  return text;
}

std::vector<std::string> codes(const Parsed &parsed) {
  std::vector<std::string> result;
  for (const Diagnostic &diagnostic : parsed.diagnostics.all())
    result.emplace_back(info(diagnostic.id).code);
  return result;
}

double seconds(auto work) {
  auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}

/// Loose enough for a sanitizer on a busy machine; what is not linear in the
/// size of the input takes hours.
constexpr double timeLimit = 60;

TEST(Robustness, RandomBytes) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::string text(random() % 200, '\0');
    for (char &c : text)
      c = char(random() % (round % 2 ? 256 : 128));
    checkAny(text);
  }
}

TEST(Robustness, RandomTokens) {
  static const char *pieces[] = {"def ",       "ufunc ",   "gufunc ",
                                 "const ",     "import ",  "from ",
                                 "if ",        "elif ",    "else",
                                 "while ",     "for ",     " in ",
                                 "return ",    "assert ",  "pass",
                                 "break",      " and ",    " or ",
                                 " not ",      "None",     "True",
                                 "lambda ",    "try",      "except",
                                 "with ",      "class ",   "yield ",
                                 " is ",       " as ",     "where ",
                                 "f",          "x",        "T",
                                 "n",          "1",        "2.5",
                                 "3j",         "'s'",      "\"\"\"",
                                 "f''",        "(",        ")",
                                 "[",          "]",        "{",
                                 "}",          ",",        ":",
                                 ";",          ".",        "...",
                                 "->",         "@",        "?",
                                 ":=",         "+",        "-",
                                 "*",          "**",       "/",
                                 "//",         "==",       "<",
                                 "=",          "+=",       "&&",
                                 "!",          "\n",       "\n    ",
                                 "\n        ", "\n  ",     "\\\n",
                                 "\t",         "#c",       " ",
                                 "identity=",  "inout ",   "@associative",
                                 "@fastmath",  "\xC3\xA9", "\xFF",
                                 "$"};
  std::mt19937 random(2);
  for (int round = 0; round < 4000; ++round) {
    std::string text = round % 3 ? "def f(x):\n    " : "";
    for (unsigned n = random() % 60; n > 0; --n)
      text += pieces[random() % std::size(pieces)];
    checkAny(text);
  }
}

TEST(Robustness, DamagedProgram) {
  const std::string good =
      "\"\"\"Doc.\"\"\"\nimport numpy as np\nconst C: f32 = sqrt(2 * pi)\n"
      "@associative(identity=0)\n"
      "ufunc f(x: T, y: T) -> (q: T, r: T) where T in (f32, f64):\n"
      "    \"\"\"Doc.\"\"\"\n    if x < y <= 3 and not x == 1:\n"
      "        z = x ** -2 if x else (y, 1)\n    elif x:\n"
      "        return 1\n    else:\n        x += 0x1F\n"
      "    while True: break\n    assert x, 'm'\n    return x, y\n"
      "gufunc g(inout a: T[m?, 3], k: dim) -> (c: T[m - k // 2]):\n"
      "    for i, j in prange(m, n):\n"
      "        c[i, :j:2] = sum(a[i] * p for p in a if p for q in p)\n";
  ASSERT_EQ(Parsed(good).errors(), "");
  std::mt19937 random(3);
  for (int round = 0; round < 3000; ++round) {
    std::string text = good;
    for (unsigned n = 1 + random() % 4; n > 0; --n) {
      size_t at = random() % text.size();
      switch (random() % 4) {
      case 0:
        text.erase(at, random() % 8);
        break;
      case 1:
        text.insert(at, 1, char(random()));
        break;
      case 2:
        text[at] = "()[]{}:,\n\"'\\ \t"[random() % 14];
        break;
      default:
        text.insert(at, text.substr(random() % text.size(), random() % 30));
      }
    }
    checkAny(text);
  }
  for (size_t length = 0; length < good.size(); ++length)
    checkAny(good.substr(0, length));
}

// Nesting: at the limit handled, past it refused, far past it refused too.
TEST(Robustness, DeepNesting) {
  auto nested = [](const char *open, const char *close, size_t depth) {
    return "const X = " + repeat(open, depth) + "a" + repeat(close, depth) +
           "\nconst Y = 1\n";
  };
  struct Shape {
    const char *open, *close;
  };
  for (Shape shape : {Shape{"(", ")"},
                      {"f(", ")"},
                      {"a[", "]"},
                      {"-", ""},
                      {"not ", ""},
                      {"a ** ", ""},
                      {"a if b else ", ""},
                      {"[", "]"},
                      {"(1, ", ")"},
                      {"sum(", " for x in v)"},
                      {"lambda: ", ""},
                      {"f(x=", ")"},
                      {"~", ""}}) {
    EXPECT_EQ(codes(Parsed(nested(shape.open, shape.close, 3000))),
              std::vector<std::string>{"K0118"})
        << shape.open;
    Parsed huge(nested(shape.open, shape.close, 200'000));
    EXPECT_EQ(codes(huge), std::vector<std::string>{"K0118"}) << shape.open;
    EXPECT_EQ(huge.tree.items.size(), 2u) << shape.open;
    EXPECT_EQ(dump(huge.tree.items.back()), "(const Y 1)");
  }
  EXPECT_EQ(Parsed(nested("(", ")", 150)).errors(), "");
  EXPECT_EQ(Parsed(nested("f(", ")", 150)).errors(), "");
}

TEST(Robustness, OpenBracketsWithoutEnd) {
  for (const char *piece : {"(", "[", "{", "f(", "a[", "([{", ")", "(]"}) {
    std::string text = "const X = " + repeat(piece, 100'000);
    EXPECT_LT(seconds([&] { checkAny(text); }), timeLimit) << piece;
  }
}

TEST(Robustness, LongChainsOfOperators) {
  auto chain = [](const char *piece, size_t times) {
    return "const X = a" + repeat(piece, times) + "\n";
  };
  for (const char *piece :
       {" + a", " * a", ".b", "[0]", "(1)", " << a", "(b)[c].d"}) {
    EXPECT_EQ(codes(Parsed(chain(piece, 100'000))),
              std::vector<std::string>{"K0118"})
        << piece;
  }
  EXPECT_EQ(Parsed(chain(" + a", 1900)).errors(), "");
  // Long in each of many places is deep as well.
  std::string nested = "a";
  for (int level = 0; level < 50; ++level)
    nested = "(" + nested + repeat(" + a", 100) + ")";
  EXPECT_EQ(codes(Parsed("const X = " + nested)),
            std::vector<std::string>{"K0118"});
  // These are flat.
  for (const char *piece : {" and a", " < a", ", a", " or a"})
    EXPECT_EQ(Parsed(chain(piece, 100'000)).errors(), "") << piece;
  EXPECT_EQ(Parsed("const X = f(a" + repeat(" + b, a", 100'000) + ")").errors(),
            "");
}

TEST(Robustness, DeepBlocks) {
  std::string text = "def f(x):\n";
  for (size_t depth = 1; depth <= 3000; ++depth)
    text += std::string(depth, ' ') + "if x:\n";
  text += std::string(3001, ' ') + "pass\nconst Y = 1\n";
  Parsed parsed(text);
  EXPECT_EQ(codes(parsed), std::vector<std::string>{"K0118"});
  EXPECT_EQ(dump(parsed.tree.items.back()), "(const Y 1)");

  std::string shallow = "def f(x):\n";
  for (size_t depth = 1; depth <= 150; ++depth)
    shallow += std::string(depth, ' ') + "while x:\n";
  EXPECT_EQ(Parsed(shallow + std::string(151, ' ') + "pass\n").errors(), "");
}

TEST(Robustness, ManyElifs) {
  std::string head = "def f(x):\n    if x: pass\n";
  EXPECT_EQ(Parsed(head + repeat("    elif x: pass\n", 400)).errors(), "");
  Parsed parsed(head + repeat("    elif x: pass\n", 100'000) +
                "    else: pass\nconst Y = 1\n");
  EXPECT_EQ(codes(parsed), std::vector<std::string>{"K0118"});
  EXPECT_EQ(dump(parsed.tree.items.back()), "(const Y 1)");
  EXPECT_EQ(codes(Parsed(head + repeat("    else if x: pass\n", 2000))).size(),
            100u);
}

TEST(Robustness, TenMegabytes) {
  std::string function = "ufunc f(x: T, y: T) -> T where T in (f32, f64):\n"
                         "    \"\"\"Doc.\"\"\"\n"
                         "    if x < y:  # comment\n"
                         "        z = exp(-0.5 * ((x - y) / 2) ** 2)\n"
                         "    else:\n"
                         "        z = sum(a[i, j] for i in range(10))\n"
                         "    return z, x\n\n";
  size_t times = 10'000'000 / function.size();
  std::string text = repeat(function, times);
  EXPECT_LT(seconds([&] {
              Parsed parsed(text);
              EXPECT_EQ(parsed.errors(), "");
              EXPECT_EQ(parsed.tree.items.size(), times);
            }),
            timeLimit);
}

TEST(Robustness, MegabyteOfOneThing) {
  for (const char *piece :
       {"x\n",      "\\\n\n",      "@a\n",     "\"\"\"",
        "'",        "f(\nx = 1\n", "a, ",      "not ",
        "9",        "\t\n",        "\n\t\tx",  "$",
        "\xFF",     "(x\n",        "def f(",   "try:\n",
        "if x: ",   "x = [\n",     "else if ", "\n x\n  x",
        "lambda ",  "é",           "{:",       "const X = (\n",
        "return\n", "elif x:\n"}) {
    std::string text =
        repeat(piece, 1'000'000 / std::string_view(piece).size());
    EXPECT_LT(seconds([&] {
                Parsed parsed(text);
                parsed.diagnostics.renderText();
              }),
              timeLimit)
        << piece;
  }
}

TEST(Robustness, TooLargeFileIsRefused) {
  Parsed parsed(std::string((64 << 20) + 1, '\n'));
  EXPECT_EQ(parsed.errors(), "1:1 K0109");
  EXPECT_EQ(parsed.diagnostics.all()[0].message,
            "this file has 67108865 bytes, and the limit is 67108864");
}

} // namespace
} // namespace kern::compiler::syntax::test
