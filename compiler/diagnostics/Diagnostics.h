//===- Diagnostics.h - messages as data -------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every compiler message is one line of Diagnostics.def: a code, a severity, a
// name and a text with placeholders `{0}`. Every diagnostic has a span.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/source/Source.h"
#include "runtime/error/Messages.h"

#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kern::compiler {

enum class Severity : uint8_t { Error, Warning, Remark };

/// Names one row of Diagnostics.def.
enum class Diag : uint16_t {
#define KERN_DIAGNOSTIC(CODE, SEVERITY, NAME, TEXT) NAME,
#include "compiler/diagnostics/Diagnostics.def"
};

struct DiagInfo {
  std::string_view code; ///< "K0101"
  Severity severity;
  std::string_view text; ///< with placeholders {0}, {1} …
};
const DiagInfo &info(Diag id);

/// "error", "warning" or "remark".
std::string_view name(Severity severity);

struct Note {
  Span span;
  std::string text;
};

/// Text to write in place of a span. An empty span is an insertion.
struct Fix {
  Span span;
  std::string replacement;
};

/// What to do about a diagnostic: in words, and as replacement text where
/// replacing its span fixes it.
struct Help {
  Help() = default;
  Help(std::string text, std::string instead = "")
      : text(std::move(text)), instead(std::move(instead)) {}
  Help(std::string_view text) : text(text) {}
  Help(const char *text, std::string instead = "")
      : text(text), instead(std::move(instead)) {}
  /// "did you mean `name`?"; no help for "".
  static Help didYouMean(std::string_view name);

  std::string text;
  std::string instead; ///< empty: none is known
};

struct Diagnostic {
  Diag id;
  Span span;
  std::string message;
  std::vector<Note> notes = {};
  std::string help = {}; ///< empty: no likely fix is known
  /// The same for programs: edits to apply together. Usually empty.
  std::vector<Fix> fixes = {};

  void give(Help help);
  /// Adds a note for each call that leads here, the innermost first. A long
  /// chain keeps its first and last few calls, with the number of the others
  /// between them.
  void addCalls(std::vector<Note> calls);
};

/// How many of each, including those past the limits.
struct DiagnosticCounts {
  unsigned errors = 0, warnings = 0;
};

/// Text for people, JSON for editors, or workflow commands that GitHub turns
/// into annotations of a pull request.
enum class DiagnosticForm : uint8_t { Text, Json, GitHub };

/// Collects diagnostics. Past a limit it only counts them.
class DiagnosticEngine {
public:
  explicit DiagnosticEngine(const SourceManager &sources) : sources(sources) {}

  /// Adds a diagnostic; the reference is valid until the next report. A second
  /// error with the same id and span is dropped and the first is returned, so
  /// that error recovery does not repeat itself.
  Diagnostic &report(Diag id, Span span,
                     std::initializer_list<std::string> arguments = {});

  /// A syntax error left this name's meaning uncertain. From now on, errors
  /// that it is unknown or has no value are counted but not reported.
  void markUncertain(std::string_view name) { uncertain.emplace(name); }
  /// The function with this span has a syntax error. Its warnings, and the
  /// error that it returns nothing, are counted but not reported.
  void markBroken(Span function) { broken.push_back(function); }

  /// Turns warnings into errors, including those already reported.
  void denyWarnings();
  /// The severity in Diagnostics.def; a denied warning is an error.
  Severity severity(Diag id) const;

  /// Errors, including suppressed ones that follow from others.
  bool hasErrors() const { return errors() != 0; }
  unsigned errors() const { return errorCount + followUps; }
  /// Whether further errors are only counted. Callers can then skip the work of
  /// improving them.
  bool isFull() const;
  DiagnosticCounts counts() const;
  const std::vector<Diagnostic> &all() const { return list; }

  /// The state before an attempt, which may report what does not count.
  struct Mark {
    size_t reported;
    unsigned errorCount, followUps;
  };
  Mark mark() const { return {list.size(), errorCount, followUps}; }
  /// Forgets what was reported since.
  void rollBack(const Mark &mark) {
    list.erase(list.begin() + ptrdiff_t(mark.reported), list.end());
    errorCount = mark.errorCount;
    followUps = mark.followUps;
  }
  const SourceManager &sourceManager() const { return sources; }

  /// Errors and warnings in order of position, and remarks too if `remarks`:
  /// `file:line:column: error[K0123]: message`, the source line with the span
  /// underlined, notes, help. `color` adds ANSI colours. A diagnostic
  /// whose span is in no file has no location.
  std::string renderText(bool color = false, bool remarks = false) const;
  /// The same as JSON, one object per line. docs/reference/diagnostics.md lists
  /// the fields.
  std::string renderJson(bool remarks = false) const;
  /// The same as GitHub workflow commands, `::error file=…,line=…::message`,
  /// one per line. Warnings are `warning`, remarks `notice`.
  std::string renderGitHub(bool remarks = false) const;
  /// Renders in the given form.
  std::string render(DiagnosticForm form, bool remarks = false) const;

  /// The diagnostics that renderText() shows, in the same order.
  std::vector<const Diagnostic *> inOrder(bool remarks) const;

private:
  bool isFollowUp(Diag id, Span span,
                  std::initializer_list<std::string> arguments) const;

  const SourceManager &sources;
  std::vector<Diagnostic> list;
  unsigned errorCount = 0, followUps = 0;
  bool deniesWarnings = false;
  std::set<std::string, std::less<>> uncertain;
  std::vector<Span> broken;
  Diagnostic dropped{}; ///< what report() returns past the limit
};

} // namespace kern::compiler
