//===- Difference.cpp - two texts, line by line ---------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/Difference.h"

#include <algorithm>
#include <vector>

namespace kern::cli {
namespace {

constexpr size_t context = 3;
/// Rows times columns of the table of common subsequences.
constexpr size_t tableLimit = 16u << 20;

struct Line {
  char mark; ///< ' ', '-' or '+'
  std::string_view text;
};

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  if (!text.empty() && text.back() != '\n')
    lines.push_back("\\ no end of line at the end of the file");
  return lines;
}

/// The difference without the common first and last lines, by the longest
/// common subsequence.
void compareMiddle(const std::vector<std::string_view> &a,
                   const std::vector<std::string_view> &b, size_t begin,
                   size_t aEnd, size_t bEnd, std::vector<Line> &script) {
  const size_t rows = aEnd - begin, columns = bEnd - begin;
  size_t i = 0, j = 0;
  if ((rows + 1) * (columns + 1) <= tableLimit) {
    // length[i][j] is that of the lines from i and j on.
    std::vector<unsigned> length((rows + 1) * (columns + 1));
    auto at = [&](size_t r, size_t c) -> unsigned & {
      return length[r * (columns + 1) + c];
    };
    for (size_t r = rows; r-- > 0;)
      for (size_t c = columns; c-- > 0;)
        at(r, c) = a[begin + r] == b[begin + c]
                       ? at(r + 1, c + 1) + 1
                       : std::max(at(r + 1, c), at(r, c + 1));
    while (i < rows && j < columns) {
      if (a[begin + i] == b[begin + j]) {
        script.push_back({' ', a[begin + i]});
        ++i, ++j;
      } else if (at(i + 1, j) >= at(i, j + 1)) {
        script.push_back({'-', a[begin + i++]});
      } else {
        script.push_back({'+', b[begin + j++]});
      }
    }
  }
  for (; i < rows; ++i)
    script.push_back({'-', a[begin + i]});
  for (; j < columns; ++j)
    script.push_back({'+', b[begin + j]});
}

std::string range(size_t first, size_t count) {
  std::string text = std::to_string(count == 0 ? first - 1 : first);
  return count == 1 ? text : text + "," + std::to_string(count);
}

} // namespace

std::string lineDifference(std::string_view before, std::string_view after) {
  const std::vector<std::string_view> a = linesOf(before), b = linesOf(after);
  size_t begin = 0, aEnd = a.size(), bEnd = b.size();
  while (begin < aEnd && begin < bEnd && a[begin] == b[begin])
    ++begin;
  while (aEnd > begin && bEnd > begin && a[aEnd - 1] == b[bEnd - 1])
    --aEnd, --bEnd;
  if (begin == aEnd && begin == bEnd)
    return {};
  std::vector<Line> script;
  for (size_t i = 0; i < begin; ++i)
    script.push_back({' ', a[i]});
  compareMiddle(a, b, begin, aEnd, bEnd, script);
  for (size_t i = aEnd; i < a.size(); ++i)
    script.push_back({' ', a[i]});

  std::string out;
  size_t aLine = 1, bLine = 1;
  for (size_t i = 0; i < script.size();) {
    // Where the next change is, and the lines of context before it.
    size_t change = i;
    while (change < script.size() && script[change].mark == ' ')
      ++change;
    if (change == script.size())
      break;
    const size_t first = std::max(i, change - std::min(change, context));
    aLine += first - i;
    bLine += first - i;
    // To the last change that is near enough to the one before it.
    size_t last = change;
    for (size_t k = change; k < script.size() && k <= last + 2 * context + 1;
         ++k)
      if (script[k].mark != ' ')
        last = k;
    const size_t end = std::min(last + 1 + context, script.size());
    size_t removed = 0, added = 0;
    std::string hunk;
    for (size_t k = first; k < end; ++k) {
      removed += script[k].mark != '+';
      added += script[k].mark != '-';
      hunk += script[k].mark;
      hunk.append(script[k].text).append("\n");
    }
    out += "@@ -" + range(aLine, removed) + " +" + range(bLine, added) +
           " @@\n" + hunk;
    aLine += removed;
    bLine += added;
    i = end;
  }
  return out;
}

} // namespace kern::cli
