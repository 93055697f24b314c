//===- DocTests.cpp - the tests in a file's docstrings --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/doctest/DocTests.h"

#include "compiler/syntax/Parser.h"

#include <algorithm>

namespace kern::cli {

using compiler::LineColumn;

namespace {

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\f");
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\f") - begin + 1);
}

void append(std::string &to, std::string_view line) {
  if (!to.empty() && !line.empty())
    to += ' ';
  to += line;
}

/// A line of an expression without the comment at its end.
std::string_view withoutComment(std::string_view line) {
  char quote = '\0';
  for (size_t i = 0; i < line.size(); ++i) {
    if (quote)
      quote = line[i] == quote ? '\0' : quote;
    else if (line[i] == '"' || line[i] == '\'')
      quote = line[i];
    else if (line[i] == '#')
      return trimmed(line.substr(0, i));
  }
  return line;
}

/// The lines of one docstring, which is `text` within a file, without its
/// quotes.
void collect(const compiler::SourceFile &file, std::string_view text,
             std::vector<DocTest> &tests) {
  const auto placeOf = [&](std::string_view part) {
    return file.position(uint32_t(part.data() - file.text().data()));
  };
  auto extend = [&](DocTest &test, std::string_view expression) {
    append(test.expression, expression);
    if (!expression.empty())
      test.segments.push_back(
          {test.expression.size() - expression.size(), placeOf(expression)});
  };
  enum { Prose, Expression, Expected } state = Prose;
  const unsigned first = placeOf(text).line;
  const unsigned last = placeOf(text.substr(text.size())).line;
  for (unsigned number = first; number <= last; ++number) {
    // Of the first and the last line the part that is inside the quotes.
    std::string_view line = file.line(number);
    if (number == last)
      line = line.substr(0, size_t(text.data() + text.size() - line.data()));
    if (number == first)
      line.remove_prefix(size_t(text.data() - line.data()));
    const std::string_view words = trimmed(line);
    if (words.starts_with(">>>")) {
      const std::string_view written = trimmed(words.substr(3));
      const std::string_view expression = withoutComment(written);
      // As in Python, a comment alone is not a test.
      const bool isComment = expression.empty() && !written.empty();
      if (!isComment) {
        tests.push_back({number, {}, {}, {}});
        extend(tests.back(), expression);
      }
      state = isComment ? Prose : Expression;
    } else if (words.empty() || state == Prose) {
      state = Prose;
    } else if (state == Expression && words.starts_with("...")) {
      extend(tests.back(), withoutComment(trimmed(words.substr(3))));
    } else {
      append(tests.back().expected, words);
      state = Expected;
    }
  }
}

/// A docstring's place in the file without its quotes.
std::string_view insideQuotes(std::string_view literal) {
  const size_t quote = literal.find_first_of("\"'");
  if (quote == std::string_view::npos)
    return {};
  const bool triple =
      literal.substr(quote, 3) == "\"\"\"" || literal.substr(quote, 3) == "'''";
  const size_t width = triple ? 3 : 1;
  if (literal.size() < quote + 2 * width)
    return {};
  return literal.substr(quote + width, literal.size() - quote - 2 * width);
}

} // namespace

LineColumn DocTest::placeOf(size_t offset) const {
  LineColumn place{line, 1};
  for (const Segment &segment : segments) {
    if (segment.begin > offset)
      break;
    const std::string_view before =
        std::string_view(expression)
            .substr(segment.begin, offset - segment.begin);
    place = segment.place;
    place.column += unsigned(std::ranges::count_if(
        before, [](char c) { return (c & 0xC0) != 0x80; }));
  }
  return place;
}

std::vector<DocTest> docTests(std::string_view text) {
  compiler::SourceManager sources;
  const uint32_t index = sources.add("", std::string(text));
  compiler::DiagnosticEngine diagnostics(sources);
  const compiler::syntax::File file =
      compiler::syntax::parse(index, diagnostics);

  std::vector<DocTest> tests;
  auto add = [&](const std::optional<compiler::syntax::Docstring> &docstring) {
    if (!docstring)
      return;
    const std::string_view inner = insideQuotes(sources.text(docstring->span));
    if (!inner.empty())
      collect(sources.file(index), inner, tests);
  };
  add(file.docstring);
  for (const compiler::syntax::Item &item : file.items)
    if (const auto *function =
            std::get_if<compiler::syntax::Function>(&item.node))
      add(function->docstring);
  return tests;
}

} // namespace kern::cli
