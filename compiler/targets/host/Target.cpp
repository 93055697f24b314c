//===- Target.cpp - CPUs like this machine's ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/Target.h"

#include "compiler/targets/host/Codegen.h"
#include "compiler/targets/host/Functions.h"
#include "compiler/targets/host/Linker.h"
#include "dialects/LoopToHost/LoopToHost.h"
#include "runtime/artefact/CpuLevel.h"

#include "llvm/ADT/bit.h"

#include <cstdlib>
#include <gnu/libc-version.h>

using namespace kern::compiler;
using namespace kern::ir;
using namespace kern::runtime;

/// The elements of a vector that tests ask for, a power of two; 0 if none do.
static unsigned askedLanes() {
  const char *text = std::getenv("KERN_LANES");
  unsigned lanes = text ? unsigned(std::strtoul(text, nullptr, 10)) : 0;
  return lanes <= 64 && llvm::has_single_bit(lanes) ? lanes : 0;
}

/// The level that tests ask for, of which this CPU's code is to be; empty if
/// none do, or the CPU lacks it.
static std::string askedLevel() {
  const char *text = std::getenv("KERN_CPU_LEVEL");
  return text && cpuHasLevel(text) ? text : "";
}

namespace {
class HostTarget : public Target {
public:
  constexpr HostTarget()
      : Target({.name = "host",
                .device = CodeTarget::Kind::Host,
                .lowering = "loop-to-host",
                .isSequential = true,
                .tellsDisjoint = false,
                .hasMappings = false,
                .isText = false}) {}

  std::vector<std::string> archs() const override {
    return {std::begin(cpuLevels), std::end(cpuLevels)};
  }
  std::string archOf(CodeTarget) const override { return askedLevel(); }
  /// Files for a linker may go to other machines, so they are for a CPU level.
  /// Other stages show the code for this CPU.
  std::string defaultArch(Stage stage) const override {
    bool isFile = stage == Stage::Object || stage == Stage::Header;
    return isFile ? std::string(highestCpuLevel()) : "";
  }
  /// The name and all features, so that no code runs on a CPU that lacks some.
  /// Newer C libraries have more vector functions.
  std::vector<std::pair<std::string, std::string>>
  identity(llvm::StringRef) const override {
    static const host::CpuText cpu = host::cpuText();
    return {{"target", cpu.name},
            {"features", cpu.features},
            {"libc", ::gnu_get_libc_version()},
            {"lanes", std::to_string(askedLanes())},
            {"level", askedLevel()}};
  }

  void mapKernels(mlir::ModuleOp module,
                  const KernelRequest &request) const override {
    loop::mapToHost(module,
                    request.variant && request.variant->form == Form::Across);
  }
  void lowerKernels(mlir::ModuleOp module, const KernelRequest &request,
                    llvm::StringRef) const override {
    loop::HostOptions options;
    options.isStreamed =
        request.variant && request.variant->form == Form::Streamed;
    options.lanes = askedLanes();
    loop::lowerToHost(module, options);
  }
  loop::VectorUse vectorUse(loop::KernelOp kernel) const override {
    return loop::vectorUse(kernel);
  }
  llvm::StringRef
  functionSymbol(const library::ElementaryFunction &function) const override {
    return host::functionSymbol(function);
  }
  llvm::StringRef
  librarySymbol(const library::ElementaryFunction &function) const override {
    return host::scalarSymbol(function);
  }
  Expected<std::unique_ptr<Codegen>>
  codegen(const CodegenOptions &options) const override {
    return host::codegen(options);
  }

  Expected<KernelCode>
  load(KernelInfo kernel,
       std::shared_ptr<const std::string> code) const override {
    Expected<std::shared_ptr<host::Code>> linked = host::link(std::move(code));
    if (!linked)
      return linked.error();
    Expected<host::EntryPoint> entry = (*linked)->find(kernel.symbol);
    if (!entry)
      return entry.error();
    KernelCode loaded;
    loaded.kernel = std::move(kernel);
    loaded.entry = *entry;
    loaded.object = (*linked)->object();
    loaded.keepAlive = std::move(*linked);
    return loaded;
  }
};
} // namespace

namespace kern::compiler::host {
const Target &target() {
  static const HostTarget only;
  return only;
}
} // namespace kern::compiler::host
