//===- Diagnostics.h - messages as data -------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every message of the compiler is one line of Diagnostics.def: a code, a
// severity, a name and a text with numbered places `{0}`. None can be raised
// without its place in the source.
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

namespace kern {

enum class Severity : uint8_t { Error, Warning, Remark };

/// Names one row of Diagnostics.def.
enum class Diag : uint16_t {
#define KERN_DIAGNOSTIC(CODE, SEVERITY, NAME, TEXT) NAME,
#include "compiler/diagnostics/Diagnostics.def"
};

struct DiagInfo {
  std::string_view code; ///< "K0101"
  Severity severity;
  std::string_view text; ///< with places {0}, {1} …
};
const DiagInfo &info(Diag id);

/// "error", "warning" or "remark".
std::string_view name(Severity severity);

struct Note {
  Span span;
  std::string text;
};

/// Text that is written in place of a span, which may be empty.
struct Fix {
  Span span;
  std::string replacement;
};

/// What to do about a diagnostic: in words, and where its place is to be
/// written in another way, that way.
struct Help {
  Help() = default;
  Help(std::string text, std::string instead = "")
      : text(std::move(text)), instead(std::move(instead)) {}
  Help(std::string_view text) : text(text) {}
  Help(const char *text, std::string instead = "")
      : text(text), instead(std::move(instead)) {}
  /// "did you mean `name`?"; nothing for "".
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
  /// The same for programs, all to be made at once; mostly none.
  std::vector<Fix> fixes = {};

  void give(Help help);
  /// Adds a note for each call that leads to the place, the innermost first. Of
  /// a long chain the first and the last few, and between them how many more
  /// there are.
  void addCalls(std::vector<Note> calls);
};

/// How many of each, those included that a limit keeps from being shown.
struct DiagnosticCounts {
  unsigned errors = 0, warnings = 0;
};

/// For people, for editors, and as workflow commands that make annotations of a
/// pull request on GitHub.
enum class DiagnosticForm : uint8_t { Text, Json, GitHub };

/// Collects diagnostics. Stops taking errors at a limit (the rest are counted).
class DiagnosticEngine {
public:
  explicit DiagnosticEngine(const SourceManager &sources) : sources(sources) {}

  /// Adds one; the reference is valid until the next report.
  /// A second error with the same id at the same span is dropped (the first
  /// one is returned), so that recovery does not repeat itself.
  Diagnostic &report(Diag id, Span span,
                     std::initializer_list<std::string> arguments = {});

  /// A name whose meaning a syntax error has left uncertain: that it is unknown
  /// or has no value is counted from now on, but not reported.
  void doubt(std::string_view name) { doubtful.emplace(name); }
  /// The function of this span has a syntax error: warnings in it, and that it
  /// returns nothing, are counted but not reported.
  void markBroken(Span function) { broken.push_back(function); }

  /// From now on warnings are errors, those reported already included.
  void denyWarnings();
  /// That of its row, but for warnings that are denied.
  Severity severity(Diag id) const;

  /// Errors, those included that only follow from others.
  bool hasErrors() const { return errors() != 0; }
  unsigned errors() const { return errorCount + followUps; }
  /// Whether further errors are only counted: what makes them better reading
  /// need not be looked for.
  bool isFull() const;
  DiagnosticCounts counts() const;
  const std::vector<Diagnostic> &all() const { return list; }
  const SourceManager &sourceManager() const { return sources; }

  /// Errors and warnings in the order of their places, and remarks too if
  /// `remarks`: `file:line:column: error[K0123]: message`, the source line with
  /// the place underlined, notes, help. `color` adds ANSI colours. One whose
  /// span lies in no file has no place.
  std::string renderText(bool color = false, bool remarks = false) const;
  /// The same as JSON, one object a line; docs/reference/diagnostics.md has the
  /// fields.
  std::string renderJson(bool remarks = false) const;
  /// The same as GitHub's workflow commands, `::error file=…,line=…::message`,
  /// one a line: warnings are `warning`, remarks `notice`.
  std::string renderGitHub(bool remarks = false) const;
  /// One of these.
  std::string render(DiagnosticForm form, bool remarks = false) const;

  /// Those that renderText() shows, in its order.
  std::vector<const Diagnostic *> inOrder(bool remarks) const;

private:
  bool isFollowUp(Diag id, Span span,
                  std::initializer_list<std::string> arguments) const;

  const SourceManager &sources;
  std::vector<Diagnostic> list;
  unsigned errorCount = 0, followUps = 0;
  bool deniesWarnings = false;
  std::set<std::string, std::less<>> doubtful;
  std::vector<Span> broken;
  Diagnostic dropped{}; ///< what report() returns past the limit
};

/// The edit distance of two words, in which swapping two neighbours counts as
/// one step (optimal string alignment).
unsigned editDistance(std::string_view a, std::string_view b);

/// The nearest of `candidates` by edit distance, or "" when none is near
/// enough to be a likely fix.
std::string_view nearest(std::string_view name,
                         const std::vector<std::string_view> &candidates);

} // namespace kern
