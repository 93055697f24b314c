//===- Module.cpp - the file that a verb works on -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/Module.h"

#include "tools/kern/Console.h"
#include "tools/kern/SourceFiles.h"

#include "compiler/diagnostics/Diagnostics.h"
#include "compiler/syntax/UnicodeLetters.h"
#include "kern/diagnostics.h"
#include "runtime/cache/CacheSettings.h"
#include "runtime/device/host/Cpu.h"

#include <cstdlib>
#include <mutex>

namespace kern::cli {

using compiler::Diag;
using compiler::DiagnosticEngine;
using compiler::Span;
using runtime::Expected;

bool isCompiled(const std::string &path) { return path.ends_with(".ptx"); }

void warnOfSettings() {
  static std::once_flag once;
  std::call_once(once, [] {
    auto environment = [](const char *name) -> const char * {
      return std::getenv(name);
    };
    for (const std::string &problem :
         {runtime::cacheSettings(environment).problem,
          runtime::host::threadSetting(environment("KERN_NUM_THREADS"), nullptr)
              .problem})
      if (!problem.empty())
        printWarning(problem);
  });
}

/// Refuses files that are not modules, and compile options for compiled files.
static std::optional<int> refuseFile(const std::string &path,
                                     const kern_compile_options &options) {
  std::string why;
  if (!isCompiled(path) && path != "-" && !path.ends_with(".kern"))
    why = isDirectory(path) ? "a folder: name a .kern or a .ptx file"
                            : "neither a .kern nor a .ptx file";
  else if (isCompiled(path) && options.fp_mode != KERN_FP_DEFAULT)
    why = "compiled: --fp-mode is for its source";
  else if (isCompiled(path) && options.checks)
    why = "compiled: --check is for its source";
  if (why.empty())
    return std::nullopt;
  printError("'" + path + "' is " + why);
  return Refused;
}

/// The options for an operand that is not a compiled file.
static kern_status compile(const SourceInput &source,
                           const kern_compile_options &options,
                           kern_module **module) {
  return source.text
             ? kern_compile_source_with(source.text->data(),
                                        source.text->size(),
                                        source.name.c_str(), &options, module)
             : kern_compile_file_with(source.name.c_str(), &options, module);
}

static std::optional<int> open(const SourceInput &source,
                               kern_compile_options options, Module &module) {
  options.size = sizeof options;
  const bool isSource = source.text || !isCompiled(source.name);
  if (isSource)
    warnOfSettings();
  kern_module *opened = nullptr;
  const kern_status status = isSource
                                 ? compile(source, options, &opened)
                                 : kern_load_file(source.name.c_str(), &opened);
  if (status != KERN_OK)
    return reportFailure(status);
  module.reset(opened);
  return std::nullopt;
}

std::optional<int> openModule(const CommandLine &line, const std::string &path,
                              const kern_compile_options &options,
                              Module &module) {
  if (std::optional<int> status = refuseFile(path, options))
    return status;
  Expected<SourceInput> source = sourceInput(line, path);
  if (source)
    return open(*source, options, module);
  printError(source.error().message);
  return Refused;
}

std::optional<int> openFunction(const CommandLine &line,
                                const kern_compile_options &options,
                                Module &module, kern_function *&function) {
  const std::string &path = line.operands()[0];
  if (std::optional<int> status = refuseFile(path, options))
    return status;
  Expected<SourceInput> source = sourceInput(line, path);
  if (!source) {
    printError(source.error().message);
    return Refused;
  }
  if (std::optional<int> status = open(*source, options, module))
    return status;
  if (reportWarnings(line, module.get(), *source))
    return Refused;
  // A type as sources write it.
  const std::string name = compiler::syntax::normalName(line.operands()[1]);
  const kern_status status =
      kern_module_find(module.get(), name.c_str(), &function);
  if (status != KERN_OK)
    return reportFailure(status);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Warnings of a module
//===----------------------------------------------------------------------===//

namespace {

/// Converts the library's diagnostics back to the compiler's, which it can
/// render.
class WarningPrinter {
public:
  explicit WarningPrinter(const SourceInput &source) : source(source) {}

  void add(const kern_diagnostics *list, size_t index);
  DiagnosticEngine &engine() { return diagnostics; }

private:
  Span span(const kern_place &place);

  const SourceInput &source;
  compiler::SourceManager sources;
  DiagnosticEngine diagnostics{sources};
};

std::optional<Diag> diagOf(std::string_view code) {
#define KERN_DIAGNOSTIC(CODE, SEVERITY, NAME, TEXT)                            \
  if (code == CODE)                                                            \
    return Diag::NAME;
#include "compiler/diagnostics/Diagnostics.def"
  return std::nullopt;
}

Span WarningPrinter::span(const kern_place &place) {
  const Span nowhere{UINT32_MAX, 0, 0};
  if (!place.file)
    return nowhere;
  std::optional<uint32_t> file = sources.find(place.file);
  if (!file) {
    const bool isSource = place.file == source.name && source.text;
    Expected<std::string> text =
        isSource ? Expected<std::string>(*source.text) : readText(place.file);
    if (!text || text->size() < place.end) // it is gone, or was changed since
      return nowhere;
    file = sources.add(place.file, std::move(*text));
  }
  return {*file, uint32_t(place.begin), uint32_t(place.end)};
}

void WarningPrinter::add(const kern_diagnostics *list, size_t index) {
  kern_diagnostic given{};
  given.size = sizeof given;
  kern_diagnostics_get(list, index, &given);
  const std::optional<Diag> id = diagOf(given.code);
  if (!id)
    return;
  compiler::Diagnostic &made = diagnostics.report(*id, span(given.place));
  made.message = given.text;
  made.help = given.help;
  for (size_t i = 0; i < given.note_count; ++i) {
    kern_note note{};
    note.size = sizeof note;
    kern_diagnostics_note(list, index, i, &note);
    made.notes.push_back({span(note.place), note.text});
  }
}

} // namespace

bool reportWarnings(const CommandLine &line, const kern_module *module,
                    const SourceInput &source) {
  const kern_diagnostics *list = kern_module_diagnostics(module);
  if (kern_diagnostics_count(list) == 0)
    return false;
  WarningPrinter printer(source);
  for (size_t i = 0; i < kern_diagnostics_count(list); ++i)
    printer.add(list, i);
  if (deniesWarnings(line))
    printer.engine().denyWarnings();
  printDiagnostics(printer.engine().renderText());
  return printer.engine().hasErrors();
}

} // namespace kern::cli
