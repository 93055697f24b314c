//===- Source.cpp - source files and spans --------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/source/Source.h"
#include "compiler/source/Utf8.h"

#include <algorithm>

namespace kern::compiler {

/// Lines end with "\n", "\r\n" or a lone "\r", as in Python.
SourceFile::SourceFile(std::string name, std::string text)
    : fileName(std::move(name)), contents(std::move(text)) {
  lineStarts.push_back(0);
  for (size_t i = 0, end = contents.size(); i < end; ++i) {
    bool lineEnd =
        contents[i] == '\n' ||
        (contents[i] == '\r' && (i + 1 == end || contents[i + 1] != '\n'));
    if (lineEnd)
      lineStarts.push_back(uint32_t(i + 1));
    isAscii &= (unsigned char)contents[i] < 0x80;
  }
}

LineColumn SourceFile::position(uint32_t offset) const {
  offset = std::min(offset, uint32_t(contents.size()));
  auto after = std::upper_bound(lineStarts.begin(), lineStarts.end(), offset);
  unsigned number = unsigned(after - lineStarts.begin());
  if (isAscii)
    return {number, offset - lineStarts[number - 1] + 1};
  unsigned column = 1;
  for (uint32_t i = lineStarts[number - 1]; i < offset; ++column)
    i += (unsigned char)contents[i] < 0x80 ? 1 : decodeUtf8(contents, i).length;
  return {number, column};
}

uint32_t SourceFile::offset(LineColumn place) const {
  if (place.line == 0)
    return 0;
  if (place.line > lineCount())
    return uint32_t(contents.size());
  uint32_t begin = lineStarts[place.line - 1];
  uint32_t end = begin + uint32_t(line(place.line).size());
  if (isAscii)
    return begin + std::min(std::max(place.column, 1u) - 1, end - begin);
  uint32_t result = begin;
  for (unsigned column = 1; column < place.column && result < end; ++column)
    result += decodeUtf8(contents, result).length;
  return std::min(result, end);
}

std::string_view SourceFile::line(unsigned number) const {
  if (number == 0 || number > lineCount())
    return {};
  uint32_t begin = lineStarts[number - 1];
  uint32_t end =
      number == lineCount() ? uint32_t(contents.size()) : lineStarts[number];
  std::string_view text = std::string_view(contents).substr(begin, end - begin);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

uint32_t SourceManager::add(std::string name, std::string text) {
  files.emplace_back(std::move(name), std::move(text));
  return uint32_t(files.size() - 1);
}

std::optional<uint32_t> SourceManager::find(std::string_view name) const {
  for (size_t i = 0; i < files.size(); ++i)
    if (files[i].name() == name)
      return uint32_t(i);
  return std::nullopt;
}

std::string_view SourceManager::text(Span span) const {
  if (span.file >= files.size())
    return {};
  std::string_view all = files[span.file].text();
  size_t begin = std::min<size_t>(span.begin, all.size());
  size_t end = std::clamp<size_t>(span.end, begin, all.size());
  return all.substr(begin, end - begin);
}

} // namespace kern::compiler
