//===- Mutator.cpp - inputs changed by lines and words --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libFuzzer's own mutations change bytes, most of which end in the parser.
// These keep what a line or a word is, so that more inputs come further.
//
//===----------------------------------------------------------------------===//
#include <cctype>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

using Random = std::minstd_rand;

static size_t below(Random &random, size_t count) {
  return count ? random() % count : 0;
}

static std::vector<std::string> linesOf(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    size_t end = text.find('\n');
    size_t length = end == std::string_view::npos ? text.size() : end + 1;
    lines.emplace_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

static std::string textOf(const std::vector<std::string> &lines) {
  std::string text;
  for (const std::string &line : lines)
    text += line;
  return text;
}

static bool isWordPart(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
}

/// Names, numbers and single signs; blanks are not words.
static std::vector<std::string_view> wordsOf(std::string_view text) {
  std::vector<std::string_view> words;
  for (size_t i = 0; i < text.size();) {
    size_t end = i + 1;
    if (isWordPart(text[i]))
      while (end < text.size() && isWordPart(text[end]))
        ++end;
    if (!std::isspace(static_cast<unsigned char>(text[i])))
      words.push_back(text.substr(i, end - i));
    i = end;
  }
  return words;
}

static std::string_view libraryWord(Random &random) {
  static constexpr std::string_view words[] = {
      "x", "v", "n", "T", "0", "1", "-1", "2.5", "1e400", "i8", "u64", "f16",
      "bf16", "f32", "f64", "c64", "c128", "bool", "sum", "min", "argmax",
      "any", "prange", "range", "zip", "zeros", "empty", "fold", "where", "if",
      "else", "while", "for", "in", "return", "break", "inout", "dim", "and",
      "not", "**", "//", "%", "<<", ">>", "~", "==", "<", "+=", "(", ")", "[",
      "]", ",", ":", "sqrt", "exp", "gamma", "clip", "divmod", "len", "real",
      "floats", "(x)", "[i]", "[-1]", "[1:]", "[:, 0]", "pi", "inf", "2j",
      "True", "abs", "numbers", "assert", "@", "\t", "\"", "#",
      "9223372036854775808",
      // of arrays
      "[:]", "[::-1]", "[i]", "[0, :]", "[x > 0]", "[...]", ".T", ".copy()",
      "axis=0", "axis=(0, 1)", "keepdims=True", "matmul", "dot", "outer",
      "cross", "arange", "full", "zeros_like", "transpose", "sort", "argsort",
      "median", "partition", "searchsorted", "cumsum", "accumulate",
      "out=", "a, b = b, a", "(1, n)", "x if n > 1 else v", "[1, 2]", "(1, 2)",
      "not", ".view(u32)",
      // and of what came with them
      "const", "def", "= 3", "lambda", "match", "min(h, v)", "mul_high",
      "popcount", "reversed", "enumerate"};
  return words[below(random, std::size(words))];
}

static std::string mutated(const std::string &text, Random &random) {
  std::vector<std::string> lines = linesOf(text);
  if (lines.empty())
    return std::string(libraryWord(random));
  size_t at = below(random, lines.size());
  size_t other = below(random, lines.size());
  std::string &line = lines[at];
  switch (below(random, 8)) {
  case 0:
    lines.erase(lines.begin() + std::ptrdiff_t(at));
    break;
  case 1: {
    std::string copy = lines[other];
    lines.insert(lines.begin() + std::ptrdiff_t(at), std::move(copy));
    break;
  }
  case 2:
    std::swap(lines[at], lines[other]);
    break;
  case 3: // indentation
    if (below(random, 2))
      line.insert(0, "    ");
    else
      line.erase(0, std::min<size_t>(4, line.find_first_not_of(' ')));
    break;
  default: { // a word for a word
    std::vector<std::string_view> words = wordsOf(line), all = wordsOf(text);
    if (words.empty())
      break;
    std::string_view old = words[below(random, words.size())];
    size_t offset = size_t(old.data() - line.data());
    std::string_view word =
        below(random, 2) ? libraryWord(random) : all[below(random, all.size())];
    bool replaces = below(random, 3) != 0;
    std::string put = replaces ? std::string(word) : std::string(word) + " ";
    line.replace(offset, replaces ? old.size() : 0, put);
    break;
  }
  }
  return textOf(lines);
}

static size_t put(const std::string &text, uint8_t *data, size_t maxSize) {
  size_t size = std::min(text.size(), maxSize);
  std::memcpy(data, text.data(), size);
  return size;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  Random random(seed);
  if (below(random, 4) == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::string text(data, data + size);
  for (size_t rounds = 1 + below(random, 4); rounds-- > 0;)
    text = mutated(text, random);
  return put(text, data, maxSize);
}

/// The first input with some lines of the second.
extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t *first,
                                            size_t firstSize,
                                            const uint8_t *second,
                                            size_t secondSize, uint8_t *out,
                                            size_t maxSize, unsigned seed) {
  Random random(seed);
  std::vector<std::string> lines =
      linesOf({reinterpret_cast<const char *>(first), firstSize});
  std::vector<std::string> others =
      linesOf({reinterpret_cast<const char *>(second), secondSize});
  size_t begin = below(random, others.size() + 1);
  size_t count = below(random, others.size() - begin + 1);
  lines.insert(lines.begin() + std::ptrdiff_t(below(random, lines.size() + 1)),
               others.begin() + std::ptrdiff_t(begin),
               others.begin() + std::ptrdiff_t(begin + count));
  return put(textOf(lines), out, maxSize);
}
