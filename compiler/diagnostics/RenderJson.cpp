//===- RenderJson.cpp - diagnostics for editors ---------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written by hand, because the front end links only the standard library: one
// flat object of strings and numbers per line.
//
//===----------------------------------------------------------------------===//
#include "compiler/diagnostics/Diagnostics.h"
#include "compiler/source/Utf8.h"

namespace kern::compiler {

/// Invalid UTF-8 becomes U+FFFD, so that the line is valid JSON.
static std::string quoted(std::string_view text) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string out = "\"";
  for (size_t i = 0; i < text.size();) {
    CodePoint point = decodeUtf8(text, i);
    i += point.length;
    if (!point.valid) {
      appendUtf8(out, 0xFFFD);
    } else if (point.value == '"' || point.value == '\\') {
      out += '\\';
      out += char(point.value);
    } else if (point.value == '\n') {
      out += "\\n";
    } else if (point.value < 0x20) {
      out += "\\u00";
      out += digits[point.value >> 4];
      out += digits[point.value & 15];
    } else {
      appendUtf8(out, point.value);
    }
  }
  return out + "\"";
}

static void appendPlace(std::string &out, const SourceManager &sources,
                        Span span) {
  if (span.file >= sources.size())
    return;
  const SourceFile &file = sources.file(span.file);
  LineColumn begin = file.position(span.begin);
  LineColumn end = file.position(span.end);
  out += "\"file\":" + quoted(file.name()) +
         ",\"line\":" + std::to_string(begin.line) +
         ",\"column\":" + std::to_string(begin.column) +
         ",\"endLine\":" + std::to_string(end.line) +
         ",\"endColumn\":" + std::to_string(end.column) + ",";
}

static void appendFixes(std::string &out, const SourceManager &sources,
                        const std::vector<Fix> &fixes) {
  for (size_t i = 0; i < fixes.size(); ++i) {
    out += i ? ",{" : ",\"fixes\":[{";
    appendPlace(out, sources, fixes[i].span);
    out += "\"replacement\":" + quoted(fixes[i].replacement) + "}";
  }
  out += fixes.empty() ? "" : "]";
}

std::string DiagnosticEngine::renderJson(bool remarks) const {
  std::string out;
  for (const Diagnostic *entry : inOrder(remarks)) {
    const Diagnostic &diagnostic = *entry;
    const DiagInfo &row = info(diagnostic.id);
    out += "{";
    appendPlace(out, sources, diagnostic.span);
    out += "\"severity\":" + quoted(name(severity(diagnostic.id))) +
           ",\"code\":" + quoted(row.code) +
           ",\"message\":" + quoted(diagnostic.message) + ",\"notes\":[";
    for (size_t i = 0; i < diagnostic.notes.size(); ++i) {
      out += i ? ",{" : "{";
      appendPlace(out, sources, diagnostic.notes[i].span);
      out += "\"message\":" + quoted(diagnostic.notes[i].text) + "}";
    }
    out += "]";
    if (!diagnostic.help.empty())
      out += ",\"help\":" + quoted(diagnostic.help);
    appendFixes(out, sources, diagnostic.fixes);
    out += "}\n";
  }
  return out;
}

} // namespace kern::compiler
