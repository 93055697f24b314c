//===- DocTests.cpp - the tests in a file's docstrings --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/doctest/DocTests.h"

#include "compiler/syntax/Parser.h"

namespace kern::cli {
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

/// The lines of one docstring, whose quotes stand around `text`.
void collect(std::string_view text, unsigned line,
             std::vector<DocTest> &tests) {
  enum { Prose, Expression, Expected } state = Prose;
  for (size_t begin = 0; begin <= text.size(); ++line) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view words = trimmed(text.substr(begin, end - begin));
    begin = end + 1;
    if (words.starts_with(">>>")) {
      const std::string_view written = trimmed(words.substr(3));
      const std::string_view expression = withoutComment(written);
      // As in Python, a comment alone is no test.
      const bool isComment = expression.empty() && !written.empty();
      if (!isComment)
        tests.push_back({line, std::string(expression), {}});
      state = isComment ? Prose : Expression;
    } else if (words.empty() || state == Prose) {
      state = Prose;
    } else if (state == Expression && words.starts_with("...")) {
      append(tests.back().expression, withoutComment(trimmed(words.substr(3))));
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

std::vector<DocTest> docTests(std::string_view text) {
  SourceManager sources;
  const uint32_t index = sources.add("", std::string(text));
  DiagnosticEngine diagnostics(sources);
  const syntax::File file = syntax::parse(index, diagnostics);

  std::vector<DocTest> tests;
  auto add = [&](const std::optional<syntax::Docstring> &docstring) {
    if (!docstring)
      return;
    const std::string_view inner = insideQuotes(sources.text(docstring->span));
    const auto offset =
        uint32_t(inner.data() - sources.file(index).text().data());
    collect(inner, sources.file(index).position(offset).line, tests);
  };
  add(file.docstring);
  for (const syntax::Item &item : file.items)
    if (const auto *function = std::get_if<syntax::Function>(&item.node))
      add(function->docstring);
  return tests;
}

} // namespace kern::cli
