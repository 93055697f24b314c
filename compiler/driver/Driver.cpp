//===- Driver.cpp - compile and check a file ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/Driver.h"

#include "compiler/driver/DefaultTarget.h"
#include "compiler/driver/KernelRemarks.h"
#include "compiler/driver/Kernels.h"
#include "compiler/driver/ModuleFiles.h"
#include "compiler/driver/Reports.h"
#include "compiler/driver/Signature.h"
#include "compiler/driver/Unit.h"
#include "compiler/lowering/Locations.h"
#include "compiler/pipeline/Pipeline.h"
#include "runtime/artefact/Nest.h"

#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace kern::compiler {

using namespace runtime;
using ir::FuncOp;

namespace {
/// A loop to compile, and its function in the manifest.
struct Selected {
  size_t function;
  LoopInfo loop;
  std::string symbol; ///< of the typed function
};

class Compilation {
public:
  Compilation(Unit &unit, const CompileOptions &options, Timing *timing)
      : unit(unit), options(options), timing(timing),
        module(unit.emptyModule()), target(*findTarget(options.emit.target)) {}

  CompileResult run();
  /// Adds a remark for each function with declared loops: the forms of its GPU
  /// kernels.
  void remarkOnForms();

private:
  void selectDeclared();
  void selectSignature(const std::string &text);
  bool add(size_t function, const LoopInfo &loop, FuncOp typed);
  Manifest manifest(const std::vector<ir::loop::Entry> &entries,
                    const Nests &nests = {});
  /// The symbol of the kern_native_code.
  std::string symbol() {
    const std::string source = unit.manifest().source;
    return nativeSymbol(options.name.empty() ? llvm::sys::path::stem(source)
                                             : llvm::StringRef(options.name));
  }
  CompileResult finish(kern_status status, std::string output = "");
  Diagnostic &report(Diag id, std::initializer_list<std::string> arguments,
                     Span span = {}) {
    return unit.diagnostics.report(id, span, arguments);
  }
  /// The span of a function's name in the source.
  Span placeOf(const FunctionInfo &function) {
    return toSpan(unit.diagnostics.sourceManager(),
                  unit.find(function.name).getLoc())
        .value_or(Span{});
  }

  Unit &unit;
  const CompileOptions &options;
  Timing *timing;
  OwningOpRef<ModuleOp> module;
  std::vector<Selected> selected;
  const Target &target;
  std::string arch;
};
} // namespace

static CompileResult resultOf(kern_status status,
                              const DiagnosticEngine &diagnostics,
                              DiagnosticForm form, bool remarks = false) {
  CompileResult result;
  result.status = status;
  result.diagnostics = diagnostics.render(form, remarks);
  result.report = reportOf(diagnostics, remarks);
  result.counts = diagnostics.counts();
  return result;
}

CompileResult Compilation::finish(kern_status status, std::string output) {
  CompileResult result =
      resultOf(status, unit.diagnostics, options.report.form);
  result.output = std::move(output);
  return result;
}

bool Compilation::add(size_t function, const LoopInfo &loop, FuncOp typed) {
  for (const Selected &other : selected)
    if (other.function == function && other.loop.inputs == loop.inputs)
      return false;
  selected.push_back({function, loop, typed.getSymName().str()});
  return true;
}

void Compilation::selectDeclared() {
  const std::vector<FunctionInfo> &functions = unit.manifest().functions;
  for (size_t i = 0; i < functions.size(); ++i)
    for (size_t k = 0; k < functions[i].loops.size(); ++k) {
      auto copy = cast<FuncOp>(unit.declared(functions[i], k)->clone());
      module->push_back(copy);
      add(i, functions[i].loops[k], copy);
    }
  if (!selected.empty())
    return;
  if (functions.empty())
    report(Diag::nothing_to_compile, {});
  for (const FunctionInfo &function : functions)
    if (function.isGeneric) {
      std::string types = "f32";
      for (size_t i = 1; i < function.parameters.size(); ++i)
        types += ", f32";
      report(Diag::signature_needed, {function.name}, placeOf(function)).help =
          "`--signature \"f32(" + types + ")\"`";
    }
}

void Compilation::selectSignature(const std::string &text) {
  const Span place = unit.addText("--signature", text);
  size_t mistake = 0;
  std::optional<Signature> signature = parseSignature(text, &mistake);
  if (!signature) {
    const uint32_t at = place.begin + uint32_t(mistake);
    report(Diag::signature_malformed, {text}, {place.file, at, place.end})
        .help = "write result and parameters: \"f32(f32, f32)\"";
    return;
  }
  const std::vector<FunctionInfo> &functions = unit.manifest().functions;
  if (!canBeOf(*signature, functions, place, unit.diagnostics))
    return;
  bool found = false;
  std::string lastName;
  for (size_t i = 0; i < functions.size(); ++i) {
    const FunctionInfo &function = functions[i];
    if (signature->function.empty()
            ? inputsOf(function) != signature->parameters.size()
            : function.name != signature->function)
      continue;
    lastName = function.name;
    llvm::SmallVector<ArgType> arguments;
    for (DType type : signature->parameters)
      arguments.push_back(ArgType::typed(type));
    LoopInfo loop;
    FuncOp typed;
    if (function.isGeneric) {
      std::optional<Specialization> request =
          specializationFor(unit.find(function.name), arguments);
      if (!request)
        continue;
      OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
      FailureOr<FuncOp> made = specialize(unit.find(function.name), *request,
                                          builder, &unit.diagnostics);
      if (failed(made))
        return;
      typed = *made;
      loop = loopOf(typed, *request);
    } else {
      for (size_t k = 0; k < function.loops.size(); ++k)
        if (llvm::equal(function.loops[k].inputs, arguments)) {
          loop = function.loops[k];
          typed = cast<FuncOp>(unit.declared(function, k)->clone());
          module->push_back(typed);
        }
      if (!typed)
        continue;
    }
    if (!signature->results.empty() && signature->results != loop.outputs) {
      report(Diag::signature_no_loop, {function.name, text}, place).help =
          "with these parameters it is `" + runtime::text(loop) + "`";
      typed.erase();
      return;
    }
    found = true;
    if (!add(i, loop, typed))
      typed.erase();
  }
  if (found)
    return;
  std::string name =
      signature->function.empty() ? lastName : signature->function;
  Diagnostic &diagnostic =
      report(Diag::signature_no_loop,
             {name.empty() ? unit.manifest().source : name, text}, place);
  if (name.empty())
    diagnostic.help = "no function of this file has so many parameters";
  for (const FunctionInfo &function : functions) {
    if (function.name != name)
      continue;
    std::string loops;
    for (const LoopInfo &loop : function.loops)
      loops += (loops.empty() ? "" : ", ") + runtime::text(loop);
    diagnostic.help = "its loops are " + loops;
  }
}

Manifest Compilation::manifest(const std::vector<ir::loop::Entry> &entries,
                               const Nests &nests) {
  Manifest manifest = unit.manifest();
  manifest.target = {target.facts.device, arch};
  for (FunctionInfo &function : manifest.functions)
    function.loops.clear();
  for (const Selected &selection : selected) {
    LoopInfo loop = selection.loop;
    loop.kernels = kernelsOf(entries, selection.symbol);
    if (auto nest = nests.find(selection.symbol); nest != nests.end())
      loop.nest = nest->second;
    manifest.functions[selection.function].loops.push_back(std::move(loop));
  }
  return manifest;
}

void Compilation::remarkOnForms() {
  const std::vector<FunctionInfo> &functions = unit.manifest().functions;
  if (llvm::all_of(functions, [](const auto &f) { return f.loops.empty(); }))
    return;
  selectDeclared();
  PipelineOptions pipeline(target,
                           defaultArch(target, Stage::Target, Cache::shared()));
  pipeline.stage = Stage::Target;
  pipeline.kernels.allForms = true;
  if (!lowerFunctions(*module, pipeline))
    return; // an error belongs to `kern compile`, not to remarks
  std::vector<std::vector<Note>> missing(functions.size());
  for (const Selected &loop : selected)
    if (auto kernel = module->lookupSymbol<ir::loop::KernelOp>(loop.symbol))
      remarkOnKernel(kernel, loop.loop, placeOf(functions[loop.function]),
                     unit.diagnostics, missing[loop.function]);
  Expected<PipelineResult> result =
      runPipelineInParts(std::move(module), pipeline);
  if (!result)
    return;
  const Manifest made = manifest(result->entries, result->nests);
  for (const FunctionInfo &function : made.functions) {
    std::vector<std::pair<std::string, std::string>> forms; // and their loops
    for (const LoopInfo &loop : function.loops) {
      std::string form = describeForms(loop.kernels);
      if (std::string mappings = mappingsText(loop.nest); !mappings.empty())
        form += "; mappings: " + mappings;
      auto same = llvm::find_if(
          forms, [&](const auto &entry) { return entry.first == form; });
      if (same == forms.end())
        forms.push_back({form, runtime::text(loop)});
      else
        same->second += ", " + runtime::text(loop);
    }
    if (forms.empty())
      continue;
    const Span place = placeOf(function);
    Diagnostic &remark = report(
        Diag::kernel_form,
        {function.name, forms.size() == 1 ? forms[0].first : "its type says"},
        place);
    if (forms.size() > 1)
      for (const auto &[form, loops] : forms)
        remark.notes.push_back(
            {place, (llvm::Twine(loops) + ": " + form).str()});
    llvm::append_range(remark.notes,
                       missing[size_t(&function - made.functions.data())]);
  }
}

CompileResult Compilation::run() {
  if (unit.diagnostics.hasErrors())
    return finish(KERN_ERROR_COMPILE);
  const Stage stage = options.emit.stage;
  if (stage == Stage::Kern) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    unit.functions()->print(stream);
    stream << '\n';
    return finish(KERN_OK, text);
  }
  StageTimer timer(timing, "specialise");
  if (options.signatures.empty())
    selectDeclared();
  for (const std::string &signature : options.signatures)
    selectSignature(signature);
  if (unit.diagnostics.hasErrors())
    return finish(KERN_ERROR_COMPILE);

  timer.next("find the target");
  arch = options.arch.empty() ? defaultArch(target, stage, Cache::shared())
                              : options.arch;
  if (stage == Stage::Header)
    return finish(KERN_OK, nativeHeader(manifest({}), symbol()));

  PipelineOptions pipeline(target, arch);
  // A manifest needs no code.
  pipeline.stage = stage == Stage::Manifest ? Stage::Target : stage;
  pipeline.kernels.allForms = options.allForms;
  pipeline.isPrecise = options.isPrecise;
  pipeline.timing = timing;
  if (stage == Stage::Object)
    pipeline.object = {symbol(),
                       [this](const std::vector<ir::loop::Entry> &entries) {
                         return toJson(manifest(entries));
                       }};
  timer.next(nullptr);
  Expected<PipelineResult> result =
      runPipelineInParts(std::move(module), pipeline);
  if (!result) {
    report(Diag::internal_error, {"the compiler", result.error().message});
    return finish(KERN_ERROR_INTERNAL);
  }
  timer.next("manifest");
  if (stage == Stage::Manifest)
    return finish(KERN_OK,
                  toJson(manifest(result->entries, result->nests)) + "\n");
  if (stage != Stage::Code)
    return finish(KERN_OK, result->text);
  return finish(KERN_OK, target.file(manifest(result->entries, result->nests),
                                     result->text));
}

void reportRemarks(Unit &unit) {
  for (const FunctionInfo &function : unit.manifest().functions)
    for (size_t i = 0; i < function.loops.size(); ++i)
      remarkOn(unit.declared(function, i), unit.diagnostics);
  const CompileOptions plain;
  Compilation(unit, plain, nullptr).remarkOnForms();
}

/// The unit of a source; null if its file cannot be read, which `failure` then
/// reports.
static std::unique_ptr<Unit>
readUnit(const SourceInput &input, const ReportOptions &report,
         CompileResult &failure, Timing *timing = nullptr, Checks checks = {}) {
  Expected<std::string> text =
      input.text ? Expected<std::string>(*input.text) : readFile(input.name);
  if (text) {
    auto unit =
        std::make_unique<Unit>(input.name, std::move(*text), timing, checks);
    if (report.denyWarnings)
      unit->diagnostics.denyWarnings();
    return unit;
  }
  SourceManager none;
  DiagnosticEngine diagnostics(none);
  diagnostics.report(Diag::unreadable_file, Span{}, {text.error().message});
  failure = resultOf(text.error().status, diagnostics, report.form);
  return nullptr;
}

/// The files of a source's imports, in the order in which they were read.
static std::vector<std::string> importsOf(const Unit &unit) {
  std::vector<std::string> paths;
  for (uint32_t i = 1; i < unit.files().size(); ++i)
    if (const std::string &name = unit.files().file(i).name();
        !name.starts_with(standardFolder))
      paths.push_back(name);
  return paths;
}

CompileResult compileFile(const SourceInput &input,
                          const CompileOptions &options) {
  CompileResult failure;
  Timing timing;
  Timing *wanted = options.timing ? &timing : nullptr;
  std::unique_ptr<Unit> unit =
      readUnit(input, options.report, failure, wanted, options.checks);
  if (!unit)
    return failure;
  // Before texts that are not files are added.
  std::vector<std::string> imports = importsOf(*unit);
  CompileResult result = Compilation(*unit, options, wanted).run();
  result.imports = std::move(imports);
  if (wanted)
    result.timing = timing.table();
  return result;
}

CompileResult checkFile(const SourceInput &input, const CheckOptions &options) {
  CompileResult failure;
  std::unique_ptr<Unit> unit = readUnit(input, options.report, failure);
  if (!unit)
    return failure;
  if (options.remarks && !unit->diagnostics.hasErrors())
    reportRemarks(*unit);
  CompileResult result =
      resultOf(unit->diagnostics.hasErrors() ? KERN_ERROR_COMPILE : KERN_OK,
               unit->diagnostics, options.report.form, options.remarks);
  result.imports = importsOf(*unit);
  return result;
}

} // namespace kern::compiler
