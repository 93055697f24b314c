//===- Source.h - source files and spans ------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kern::compiler {

/// A half-open range of bytes `[begin, end)` in one file of a SourceManager.
struct Span {
  uint32_t file = 0;
  uint32_t begin = 0;
  uint32_t end = 0;

  /// The smallest span that covers both. Both must lie in the same file.
  Span to(Span other) const { return {file, begin, other.end}; }
  bool operator==(const Span &) const = default;
};

/// A place as people count: lines and columns start at 1, and columns count
/// Unicode code points.
struct LineColumn {
  unsigned line = 1;
  unsigned column = 1;
};

/// One file's name and text. The text does not change after it is added.
class SourceFile {
public:
  SourceFile(std::string name, std::string text);

  const std::string &name() const { return fileName; }
  std::string_view text() const { return contents; }
  LineColumn position(uint32_t offset) const;
  /// The byte offset of a line and column, clamped to the text.
  uint32_t offset(LineColumn place) const;
  /// The text of a line without its line ending. Lines count from 1.
  std::string_view line(unsigned number) const;
  unsigned lineCount() const { return unsigned(lineStarts.size()); }

private:
  std::string fileName;
  std::string contents;
  std::vector<uint32_t> lineStarts;
  bool isAscii = true; ///< a column is then a byte offset
};

/// Owns the files of one compilation. Files keep their address.
class SourceManager {
public:
  /// Adds a file and returns its index, for `Span::file`.
  uint32_t add(std::string name, std::string text);
  const SourceFile &file(uint32_t index) const { return files[index]; }
  std::optional<uint32_t> find(std::string_view name) const;
  size_t size() const { return files.size(); }
  std::string_view text(Span span) const;

private:
  std::deque<SourceFile> files;
};

} // namespace kern::compiler
