//===- RenderText.cpp - diagnostics for people ----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/diagnostics/Diagnostics.h"
#include "compiler/source/Utf8.h"

#include <algorithm>

namespace kern::compiler {
namespace {

/// ANSI escape sequences, or empty strings.
struct Palette {
  std::string_view bold, red, magenta, blue, cyan, reset;
};
constexpr Palette plain{};
constexpr Palette colored{"\033[1m",    "\033[1;31m", "\033[1;35m",
                          "\033[1;34m", "\033[1;36m", "\033[0m"};

/// A source line as the terminal shows it, and the span's columns in it.
struct Excerpt {
  std::string text;
  std::string underline;
};

} // namespace

/// Longer lines are shown in part, around the span.
static constexpr unsigned maxColumns = 160;
static constexpr unsigned tabWidth = 4;

static void appendPrintable(std::string &out, CodePoint point) {
  bool control =
      point.value < 0x20 || (point.value >= 0x7F && point.value < 0xA0);
  appendUtf8(out, point.valid && !control ? point.value : 0xFFFD);
}

/// Control characters and invalid bytes must not reach a terminal raw.
static std::string printable(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    CodePoint point = decodeUtf8(text, i);
    if (point.value == '\n')
      result += '\n';
    else
      appendPrintable(result, point);
    i += point.length;
  }
  return result;
}

/// `begin` and `end` are byte offsets in `line`. The span is at least one
/// column wide, even past the end of the line.
static Excerpt excerpt(std::string_view line, size_t begin, size_t end) {
  Excerpt result;
  size_t start = 0;
  if (begin > maxColumns / 2 && line.size() > maxColumns) {
    start = begin - maxColumns / 2;
    while (start > 0 && (line[start] & 0xC0) == 0x80)
      --start;
    result.text = "…";
    result.underline = " ";
  }
  unsigned column = start ? 1 : 0;
  unsigned marked = 0;
  auto mark = [&](size_t at, unsigned width) {
    bool inside = at == begin || (at > begin && at < end);
    for (unsigned k = 0; k < width; ++k)
      result.underline += !inside ? ' ' : marked++ == 0 ? '^' : '~';
  };
  size_t i = start;
  while (i < line.size() && column < maxColumns) {
    CodePoint point = decodeUtf8(line, i);
    unsigned width = displayWidth(point.value);
    if (point.value == '\t') {
      width = tabWidth - column % tabWidth;
      result.text.append(width, ' ');
    } else {
      appendPrintable(result.text, point);
    }
    mark(i, width);
    column += width;
    i += point.length;
  }
  if (i < line.size())
    result.text += "…";
  if (marked == 0)
    result.underline += '^';
  while (!result.underline.empty() && result.underline.back() == ' ')
    result.underline.pop_back();
  return result;
}

/// `  12 | text` with the underline below it.
static void appendExcerpt(std::string &out, const SourceFile &file, Span span,
                          const Palette &colors, std::string_view color) {
  LineColumn place = file.position(span.begin);
  std::string_view line = file.line(place.line);
  size_t lineBegin = file.offset({place.line, 1});
  size_t begin = std::min<size_t>(
      span.begin - std::min<size_t>(lineBegin, span.begin), line.size());
  size_t end = std::min<size_t>(
      std::max<size_t>(span.end, lineBegin) - lineBegin, line.size());
  Excerpt shown = excerpt(line, begin, end);
  std::string number = std::to_string(place.line);
  if (number.size() < 4)
    number.insert(0, 4 - number.size(), ' ');
  out.append(colors.blue).append(number).append(" | ").append(colors.reset);
  out.append(shown.text).append("\n");
  out.append(colors.blue).append(number.size(), ' ').append(" | ");
  out.append(colors.reset).append(color).append(shown.underline);
  out.append(colors.reset).append("\n");
}

static void appendPlace(std::string &out, const SourceFile &file, Span span) {
  LineColumn place = file.position(span.begin);
  out += printable(file.name()) + ":" + std::to_string(place.line) + ":" +
         std::to_string(place.column) + ": ";
}

std::string DiagnosticEngine::renderText(bool color, bool remarks) const {
  const Palette &colors = color ? colored : plain;
  std::string out;
  unsigned shownErrors = 0;
  for (const Diagnostic *entry : inOrder(remarks)) {
    const Diagnostic &diagnostic = *entry;
    const Severity severity = this->severity(diagnostic.id);
    std::string_view tint = severity == Severity::Error     ? colors.red
                            : severity == Severity::Warning ? colors.magenta
                                                            : colors.cyan;
    shownErrors += severity == Severity::Error;
    bool placed = diagnostic.span.file < sources.size();
    out += colors.bold;
    if (placed)
      appendPlace(out, sources.file(diagnostic.span.file), diagnostic.span);
    out.append(tint)
        .append(name(severity))
        .append("[")
        .append(info(diagnostic.id).code)
        .append("]");
    out.append(colors.reset).append(colors.bold).append(": ");
    out.append(printable(diagnostic.message)).append(colors.reset).append("\n");
    if (placed)
      appendExcerpt(out, sources.file(diagnostic.span.file), diagnostic.span,
                    colors, tint);
    for (const Note &note : diagnostic.notes) {
      bool notePlaced = note.span.file < sources.size();
      out += colors.bold;
      if (notePlaced)
        appendPlace(out, sources.file(note.span.file), note.span);
      out.append(colors.blue).append("note").append(colors.reset);
      out.append(": ").append(printable(note.text)).append("\n");
      if (notePlaced)
        appendExcerpt(out, sources.file(note.span.file), note.span, colors,
                      colors.blue);
    }
    if (!diagnostic.help.empty())
      out.append("  ")
          .append(colors.blue)
          .append("= help")
          .append(colors.reset)
          .append(": ")
          .append(printable(diagnostic.help))
          .append("\n");
  }
  if (errorCount > shownErrors)
    out += "and " + std::to_string(errorCount - shownErrors) +
           " more errors, which are not shown\n";
  return out;
}

} // namespace kern::compiler
