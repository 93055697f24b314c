//===- diagnostics.hpp - errors and diagnostics of Kern ---------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Errors, and the compiler's diagnostics (kern/diagnostics.h) as values that
// own their text. Included by elements.hpp.
//
//     for (const kern::Diagnostic &each : module.diagnostics())
//       std::printf("%s:%u: %s\n", each.place.file.c_str(), each.place.line,
//                   each.text.c_str());
//
//===----------------------------------------------------------------------===//
#ifndef KERN_DIAGNOSTICS_HPP
#define KERN_DIAGNOSTICS_HPP

#include "kern/diagnostics.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// On a parameter or a member function: the result refers to it. Clang then
/// warns if the result outlives it.
#if defined(__has_cpp_attribute)
#if __has_cpp_attribute(clang::lifetimebound)
#define KERN_LIFETIME_BOUND [[clang::lifetimebound]]
#endif
#endif
#ifndef KERN_LIFETIME_BOUND
#define KERN_LIFETIME_BOUND
#endif
/// For member functions whose result would outlive a temporary: temporaries do
/// not have them.
#if defined(__cpp_deleted_function) && __cplusplus > 202302L
#define KERN_DELETE_DANGLING                                                   \
  delete ("of a temporary, this would dangle; give the object a name")
#else
#define KERN_DELETE_DANGLING delete
#endif

namespace kern {
// A namespace of its own keeps these names apart from the library's.
inline namespace api {

enum class Severity {
  Remark = KERN_SEVERITY_REMARK,
  Warning = KERN_SEVERITY_WARNING,
  Error = KERN_SEVERITY_ERROR
};

/// A range of a file: bytes [begin, end), and lines and columns from 1.
struct Place {
  std::string file; ///< "": in no file
  size_t begin = 0, end = 0;
  unsigned line = 0, column = 0, endLine = 0, endColumn = 0;
};

/// Another place that a diagnostic points to, with a text.
struct Note {
  Place place;
  std::string text;
};

/// A change of the source: what replaces the text at a place.
struct Fix {
  Place place;
  std::string replacement;
};

struct Diagnostic {
  Severity severity = Severity::Error;
  std::string code; ///< "K0201"
  std::string text; ///< one line
  std::string help; ///< "" if nothing is known
  Place place;
  std::vector<Note> notes;
  std::vector<Fix> fixes; ///< apply all together; often none
};

/// What functions here throw.
class Error : public std::runtime_error {
public:
  Error(kern_status status, const std::string &message,
        std::vector<Diagnostic> diagnostics = {})
      : std::runtime_error(message), code(status),
        list(std::make_shared<const std::vector<Diagnostic>>(
            std::move(diagnostics))) {}
  /// What kind of failure it is.
  kern_status status() const noexcept { return code; }
  /// Those of a rejected source; else none. Valid as long as this error or a
  /// copy of it.
  const std::vector<Diagnostic> &
  diagnostics() const & noexcept KERN_LIFETIME_BOUND {
    return *list;
  }
  const std::vector<Diagnostic> &diagnostics() const && = KERN_DELETE_DANGLING;

private:
  kern_status code;
  std::shared_ptr<const std::vector<Diagnostic>> list;
};

namespace detail {
inline Place placeOf(const kern_place &place) {
  Place made;
  if (!place.file)
    return made;
  made.file = place.file;
  made.begin = place.begin;
  made.end = place.end;
  made.line = place.line;
  made.column = place.column;
  made.endLine = place.end_line;
  made.endColumn = place.end_column;
  return made;
}

/// The diagnostic with number `index`.
inline Diagnostic diagnosticAt(const kern_diagnostics *list, size_t index) {
  Diagnostic made;
  kern_diagnostic from = {};
  from.size = sizeof from;
  if (kern_diagnostics_get(list, index, &from) != KERN_OK)
    return made;
  made.severity = Severity(from.severity);
  made.code = from.code;
  made.text = from.text;
  made.help = from.help;
  made.place = placeOf(from.place);
  for (size_t i = 0; i < from.note_count; ++i) {
    kern_note note = {};
    note.size = sizeof note;
    if (kern_diagnostics_note(list, index, i, &note) == KERN_OK)
      made.notes.push_back({placeOf(note.place), note.text});
  }
  for (size_t i = 0; i < from.fix_count; ++i) {
    kern_fix fix = {};
    fix.size = sizeof fix;
    if (kern_diagnostics_fix(list, index, i, &fix) == KERN_OK)
      made.fixes.push_back({placeOf(fix.place), fix.replacement});
  }
  return made;
}

inline std::vector<Diagnostic> diagnosticsOf(const kern_diagnostics *list) {
  std::vector<Diagnostic> all;
  for (size_t i = 0; i < kern_diagnostics_count(list); ++i)
    all.push_back(diagnosticAt(list, i));
  return all;
}

inline void check(kern_status status) {
  if (status != KERN_OK)
    throw Error(status, kern_last_error(),
                diagnosticsOf(kern_last_diagnostics()));
}
} // namespace detail

} // namespace api
} // namespace kern

#endif
