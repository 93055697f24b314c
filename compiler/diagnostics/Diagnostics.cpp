//===- Diagnostics.cpp - messages as data ---------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/diagnostics/Diagnostics.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace kern::compiler {

/// Past these limits the rest is only counted: nobody reads a thousand errors,
/// and hostile input must not fill the memory.
static constexpr unsigned errorLimit = 100;
static constexpr unsigned totalLimit = 1000;

const DiagInfo &info(Diag id) {
  static constexpr DiagInfo table[] = {
#define KERN_DIAGNOSTIC(CODE, SEVERITY, NAME, TEXT)                            \
  {CODE, Severity::SEVERITY, TEXT},
#include "compiler/diagnostics/Diagnostics.def"
  };
  return table[size_t(id)];
}

/// Whether an earlier syntax error most likely caused this.
bool DiagnosticEngine::isFollowUp(
    Diag id, Span span, std::initializer_list<std::string> arguments) const {
  auto isBroken = [&](Span function) {
    return function.file == span.file && function.begin <= span.begin &&
           span.begin < function.end;
  };
  switch (id) {
  case Diag::unknown_name:
  case Diag::unknown_function:
  case Diag::unknown_type:
  case Diag::not_callable:
  case Diag::unbound_name:
  case Diag::unbound_on_path: {
    if (arguments.size() == 0)
      return false;
    std::string_view name = *arguments.begin();
    if (name.size() > 2 && name.front() == '`') // quoted for the message
      name = name.substr(1, name.size() - 2);
    return uncertain.contains(name);
  }
  case Diag::missing_return:
  case Diag::endless_function:
    return std::ranges::any_of(broken, isBroken);
  default:
    return info(id).severity == Severity::Warning &&
           std::ranges::any_of(broken, isBroken);
  }
}

Diagnostic &
DiagnosticEngine::report(Diag id, Span span,
                         std::initializer_list<std::string> arguments) {
  bool isError = severity(id) == Severity::Error;
  if (isFollowUp(id, span, arguments)) {
    followUps += info(id).severity == Severity::Error;
    return dropped = {id, span, {}};
  }
  for (Diagnostic &earlier : list)
    if (earlier.id == id && earlier.span == span)
      return earlier;
  if (isError)
    ++errorCount;
  if ((isError && errorCount > errorLimit) || list.size() >= totalLimit)
    return dropped = {id, span, {}};
  list.push_back({id, span, runtime::fill(info(id).text, arguments)});
  return list.back();
}

void Diagnostic::addCalls(std::vector<Note> calls) {
  constexpr size_t first = 5, last = 3;
  if (calls.size() > first + last + 1) {
    const size_t left = calls.size() - first - last;
    const Span nowhere{UINT32_MAX, 0, 0};
    calls.erase(calls.begin() + first + 1, calls.end() - last);
    calls[first] = {nowhere, "… " + std::to_string(left) + " more calls"};
  }
  notes.insert(notes.end(), std::make_move_iterator(calls.begin()),
               std::make_move_iterator(calls.end()));
}

Severity DiagnosticEngine::severity(Diag id) const {
  const Severity own = info(id).severity;
  return own == Severity::Warning && deniesWarnings ? Severity::Error : own;
}

void DiagnosticEngine::denyWarnings() {
  errorCount += counts().warnings;
  deniesWarnings = true;
}

DiagnosticCounts DiagnosticEngine::counts() const {
  const auto isWarning = [this](const Diagnostic &diagnostic) {
    return severity(diagnostic.id) == Severity::Warning;
  };
  return {errorCount, unsigned(std::ranges::count_if(list, isWarning))};
}

std::string DiagnosticEngine::render(DiagnosticForm form, bool remarks) const {
  switch (form) {
  case DiagnosticForm::Text:
    return renderText(false, remarks);
  case DiagnosticForm::Json:
    return renderJson(remarks);
  case DiagnosticForm::GitHub:
    return renderGitHub(remarks);
  }
  return {};
}

bool DiagnosticEngine::isFull() const {
  return errorCount >= errorLimit || list.size() >= totalLimit;
}

Help Help::didYouMean(std::string_view name) {
  if (name.empty())
    return {};
  return {"did you mean `" + std::string(name) + "`?", std::string(name)};
}

void Diagnostic::give(Help given) {
  help = std::move(given.text);
  fixes.clear();
  if (!given.instead.empty())
    fixes.push_back({span, std::move(given.instead)});
}

std::string_view name(Severity severity) {
  return severity == Severity::Error     ? "error"
         : severity == Severity::Warning ? "warning"
                                         : "remark";
}

/// Sorted by file and position; diagnostics without a position come first.
std::vector<const Diagnostic *> DiagnosticEngine::inOrder(bool remarks) const {
  std::vector<const Diagnostic *> order;
  for (const Diagnostic &diagnostic : list)
    if (remarks || info(diagnostic.id).severity != Severity::Remark)
      order.push_back(&diagnostic);
  // At one position, the first reported comes first.
  auto key = [this](const Diagnostic *diagnostic) {
    const Span span = diagnostic->span;
    const bool placed = span.file < sources.size();
    return std::tuple(placed ? int64_t(span.file) : -1, placed ? span.begin : 0,
                      diagnostic);
  };
  std::ranges::sort(order, {}, key);
  return order;
}

} // namespace kern::compiler
