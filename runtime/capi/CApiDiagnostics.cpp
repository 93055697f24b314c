//===- CApiDiagnostics.cpp - diagnostics as data --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/capi/SizedStruct.h"
#include "runtime/error/LastError.h"
#include "runtime/error/Report.h"
#include "runtime/module/Function.h"

using namespace kern::runtime;

static constexpr size_t diagnosticSizes[] = {sizeof(kern_diagnostic)};
static constexpr size_t noteSizes[] = {sizeof(kern_note)};
static constexpr size_t fixSizes[] = {sizeof(kern_fix)};

static kern_place placeOf(const ReportedPlace &place) {
  if (place.file.empty())
    return {};
  return {place.file.c_str(), place.begin,   place.end,      place.line,
          place.column,       place.endLine, place.endColumn};
}

/// Fills the struct at `place` with the result of `make` for the diagnostic.
template <typename Make>
static kern_status fill(const StructVersions &versions,
                        const kern_diagnostics *diagnostics, size_t index,
                        void *place, Make make) {
  return guarded([&]() -> Status {
    if (!place)
      return Error(ErrorCode::null_pointer,
                   {"the place for the " + std::string(versions.name)});
    if (Status status = checkSizedPlace(versions, place); !status)
      return status;
    const size_t count = kern_diagnostics_count(diagnostics);
    if (index >= count)
      return Error(ErrorCode::no_such_diagnostic, {"diagnostic", index, count});
    auto made = make(diagnostics->list[index]);
    if (!made)
      return made.error();
    writeSized(versions, &*made, place);
    return {};
  });
}

static Expected<const ReportedText *>
pick(const std::vector<ReportedText> &texts, const char *what, size_t index) {
  if (index < texts.size())
    return &texts[index];
  return Error(ErrorCode::no_such_diagnostic, {what, index, texts.size()});
}

extern "C" const kern_diagnostics *
kern_module_diagnostics(const kern_module *module) {
  return module ? module->source->diagnostics().get() : nullptr;
}

extern "C" size_t kern_diagnostics_count(const kern_diagnostics *diagnostics) {
  return diagnostics ? diagnostics->list.size() : 0;
}

extern "C" kern_status kern_diagnostics_get(const kern_diagnostics *diagnostics,
                                            size_t index,
                                            kern_diagnostic *diagnostic) {
  return fill({"kern_diagnostic", diagnosticSizes}, diagnostics, index,
              diagnostic, [](const Reported &from) {
                kern_diagnostic made = {};
                made.severity = from.severity;
                made.code = from.code.c_str();
                made.text = from.text.c_str();
                made.help = from.help.c_str();
                made.place = placeOf(from.place);
                made.note_count = from.notes.size();
                made.fix_count = from.fixes.size();
                return Expected<kern_diagnostic>(made);
              });
}

extern "C" kern_status
kern_diagnostics_note(const kern_diagnostics *diagnostics, size_t index,
                      size_t note_index, kern_note *note) {
  return fill({"kern_note", noteSizes}, diagnostics, index, note,
              [&](const Reported &from) -> Expected<kern_note> {
                auto found = pick(from.notes, "note", note_index);
                if (!found)
                  return found.error();
                return kern_note{0, placeOf((*found)->place),
                                 (*found)->text.c_str()};
              });
}

extern "C" kern_status kern_diagnostics_fix(const kern_diagnostics *diagnostics,
                                            size_t index, size_t fix_index,
                                            kern_fix *fix) {
  return fill({"kern_fix", fixSizes}, diagnostics, index, fix,
              [&](const Reported &from) -> Expected<kern_fix> {
                auto found = pick(from.fixes, "fix", fix_index);
                if (!found)
                  return found.error();
                return kern_fix{0, placeOf((*found)->place),
                                (*found)->text.c_str()};
              });
}
