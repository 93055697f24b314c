//===- ManualPage.cpp - kern(1) -------------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/Help.h"

#include "compiler/source/Utf8.h"
#include "kern/kern.h"

#include <sstream>

namespace kern::cli {
namespace {

/// Text that the formatter prints unchanged: hyphens stay hyphens, a dot does
/// not begin a request, and characters beyond ASCII are written by number.
std::string escaped(std::string_view text) {
  std::string out;
  bool startsLine = true;
  for (size_t i = 0; i < text.size();) {
    const compiler::CodePoint point = compiler::decodeUtf8(text, i);
    i += point.length;
    if (startsLine && (point.value == '.' || point.value == '\''))
      out += "\\&";
    startsLine = point.value == '\n';
    if (point.value == '\\') {
      out += "\\e";
    } else if (point.value == '-') {
      out += "\\-";
    } else if (point.value == 0x2026) { // an ellipsis, which ASCII lacks
      out += "...";
    } else if (point.value < 0x80) {
      out += char(point.value);
    } else {
      char number[16];
      std::snprintf(number, sizeof number, "\\[u%04X]", unsigned(point.value));
      out += number;
    }
  }
  return out;
}

std::string bold(std::string_view text) {
  return "\\fB" + escaped(text) + "\\fR";
}

/// Lines that begin with a blank are shown as they are.
std::string paragraphs(std::string_view text) {
  std::string out;
  bool isShown = false;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(' ') != isShown) {
      isShown = !isShown;
      out += isShown ? ".PP\n.nf\n" : ".fi\n.PP\n";
    }
    out += line.empty() ? ".PP\n" : escaped(line) + "\n";
  }
  return out + (isShown ? ".fi\n" : "");
}

std::string optionList(const std::vector<Option> &options) {
  std::string out;
  for (const Option &option : options)
    out += ".TP\n" + bold(optionSyntax(option, false)) + "\n" +
           escaped(option.description) + "\n";
  return out;
}

} // namespace

std::string manualPage() {
  std::string page = ".TH KERN 1 \"\" \"Kern " + std::string(kern_version()) +
                     "\" \"User Commands\"\n.SH NAME\n"
                     "kern \\- compile and run NumPy\\-style universal "
                     "functions\n.SH SYNOPSIS\n";
  page += bold("kern") + " \\fIVERB\\fR " + escaped("[OPTION]… [OPERAND]…") +
          "\n.SH DESCRIPTION\n" + escaped(toolSummary()) + "\n";
  page += ".SH OPTIONS\n" + optionList(toolOptions()) + ".SH VERBS\n";
  for (const Verb *verb : verbs()) {
    const CommandLine line(*verb);
    page += ".SS " + escaped("kern " + std::string(verb->name)) + "\n" +
            bold("kern " + std::string(verb->name)) + " " +
            escaped("[OPTION]… " + std::string(verb->operands)) + "\n.PP\n" +
            paragraphs(verb->help) + optionList(line.options());
  }
  page += ".SH EXIT STATUS\n";
  for (const StatusHelp &row : exitStatuses())
    page += ".TP\n" + bold(std::to_string(row.status)) + "\n" +
            escaped(row.meaning) + "\n";
  return page;
}

} // namespace kern::cli
