//===- WordPages.cpp - what the language has beside functions -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/Explanations.h"

#include <sstream>

namespace kern::cli {
namespace {

/// docs/reference/words.md, as it was when this tool was built.
struct Page {
  std::string_view name, text;
};
constexpr Page wordsPage[] = {
#include "tools/kern/WordPages.inc"
};

/// A row of its tables.
struct Row {
  std::vector<std::string> words;
  std::string written, meaning;
};

/// Text without the marks of code.
std::string plain(std::string_view cell) {
  std::string text;
  for (char c : cell)
    if (c != '`')
      text += c;
  const size_t begin = text.find_first_not_of(' ');
  const size_t end = text.find_last_not_of(' ') + 1;
  return begin == text.npos ? "" : text.substr(begin, end - begin);
}

/// Nothing for a line that is not a row about a word.
bool readRow(const std::string &line, Row &row) {
  if (!line.starts_with("| `"))
    return false;
  std::istringstream cells(line.substr(1));
  std::string names;
  if (!std::getline(cells, names, '|') ||
      !std::getline(cells, row.written, '|') ||
      !std::getline(cells, row.meaning, '|'))
    return false;
  row.written = plain(row.written);
  row.meaning = plain(row.meaning);
  std::istringstream list(plain(names));
  for (std::string word; list >> word;)
    row.words.push_back(word);
  return true;
}

std::vector<Row> rows() {
  std::vector<Row> list;
  std::istringstream lines{std::string(wordsPage[0].text)};
  for (std::string line; std::getline(lines, line);)
    if (Row row; readRow(line, row))
      list.push_back(std::move(row));
  return list;
}

} // namespace

std::string wordPage(std::string_view word) {
  for (const Row &row : rows())
    for (const std::string &known : row.words)
      if (known == word || (known[0] == '@' && known.substr(1) == word))
        return row.written + "\n    " + row.meaning + "\n";
  return {};
}

std::vector<std::string> words() {
  std::vector<std::string> list;
  for (Row &row : rows())
    for (std::string &word : row.words)
      list.push_back(std::move(word));
  return list;
}

} // namespace kern::cli
