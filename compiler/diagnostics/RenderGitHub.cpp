//===- RenderGitHub.cpp - diagnostics as workflow commands ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// GitHub turns lines such as this one into annotations:
//
//     ::error file=a.kern,line=2,col=17,title=Kern (K0201)::unknown name `x`
//
// The runner's special characters are escaped as `command.ts` of its toolkit
// does.
//
//===----------------------------------------------------------------------===//
#include "compiler/diagnostics/Diagnostics.h"

namespace kern::compiler {

/// `:` and `,` end a property, so they are escaped only there.
static std::string escaped(std::string_view text, bool isProperty) {
  std::string out;
  for (char c : text)
    if (c == '%')
      out += "%25";
    else if (c == '\r')
      out += "%0D";
    else if (c == '\n')
      out += "%0A";
    else if (isProperty && c == ':')
      out += "%3A";
    else if (isProperty && c == ',')
      out += "%2C";
    else
      out += c;
  return out;
}

static std::string_view command(Severity severity) {
  return severity == Severity::Error     ? "error"
         : severity == Severity::Warning ? "warning"
                                         : "notice";
}

/// `file=…,line=…,endLine=…,col=…,endColumn=…,`, with 1-based columns.
static std::string place(const SourceManager &sources, Span span) {
  if (span.file >= sources.size())
    return {};
  const SourceFile &file = sources.file(span.file);
  const LineColumn begin = file.position(span.begin);
  const LineColumn end = file.position(span.end);
  std::string text = "file=" + escaped(file.name(), true) +
                     ",line=" + std::to_string(begin.line) +
                     ",endLine=" + std::to_string(end.line);
  // GitHub has no columns for a span over several lines.
  if (begin.line == end.line)
    text += ",col=" + std::to_string(begin.column) +
            ",endColumn=" + std::to_string(end.column);
  return text + ",";
}

/// The message, its notes and its help, one per line.
static std::string message(const SourceManager &sources,
                           const Diagnostic &diagnostic) {
  std::string text = diagnostic.message;
  for (const Note &note : diagnostic.notes) {
    text += "\n";
    if (note.span.file < sources.size()) {
      const SourceFile &file = sources.file(note.span.file);
      const LineColumn at = file.position(note.span.begin);
      text += file.name() + ":" + std::to_string(at.line) + ":" +
              std::to_string(at.column) + ": ";
    }
    text += "note: " + note.text;
  }
  if (!diagnostic.help.empty())
    text += "\nhelp: " + diagnostic.help;
  return text;
}

std::string DiagnosticEngine::renderGitHub(bool remarks) const {
  std::string out;
  for (const Diagnostic *diagnostic : inOrder(remarks)) {
    const std::string title =
        "Kern (" + std::string(info(diagnostic->id).code) + ")";
    out.append("::").append(command(severity(diagnostic->id))).append(" ");
    out += place(sources, diagnostic->span) + "title=" + title +
           "::" + escaped(message(sources, *diagnostic), false) + "\n";
  }
  return out;
}

} // namespace kern::compiler
