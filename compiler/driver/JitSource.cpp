//===- JitSource.cpp - code on demand -------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/driver/JitSource.h"

#include "compiler/driver/Driver.h"
#include "compiler/driver/MethodText.h"
#include "compiler/driver/Reports.h"
#include "runtime/trace/Trace.h"

#include <exception>

namespace kern::compiler {

using namespace runtime;

/// The limit of idle units; each holds a whole context.
static constexpr size_t maxIdle = 4;

class JitSource::Lease {
public:
  explicit Lease(JitSource &source) : source(source) {
    {
      std::lock_guard lock(source.mutex);
      if (!source.idle.empty()) {
        unit = std::move(source.idle.back());
        source.idle.pop_back();
      }
    }
    if (!unit)
      unit = std::make_unique<JitUnit>(
          std::make_unique<Unit>(source.source.name, source.source.text,
                                 nullptr, source.source.checks,
                                 source.source.modules.get()),
          source.source.isPrecise);
  }
  ~Lease() {
    if (std::uncaught_exceptions() > exceptions)
      return; // memory may have run out anywhere
    std::lock_guard lock(source.mutex);
    if (source.idle.size() < maxIdle)
      source.idle.push_back(std::move(unit));
  }
  JitUnit *operator->() { return unit.get(); }

private:
  JitSource &source;
  const int exceptions = std::uncaught_exceptions();
  std::unique_ptr<JitUnit> unit;
};

JitSource::JitSource(JitText text, std::unique_ptr<Unit> unit)
    : source(std::move(text)), description(unit->manifest()),
      report(reportOf(unit->diagnostics, source.remarks)) {
  idle.push_back(std::make_unique<JitUnit>(std::move(unit), source.isPrecise));
}

static Expected<std::unique_ptr<Unit>> parse(const JitText &source) {
  auto unit = std::make_unique<Unit>(source.name, source.text, nullptr,
                                     source.checks, source.modules.get());
  if (unit->diagnostics.hasErrors())
    return Error{KERN_ERROR_COMPILE, unit->diagnostics.renderText(),
                 reportOf(unit->diagnostics)};
  if (source.remarks)
    reportRemarks(*unit);
  return unit;
}

Expected<std::unique_ptr<Unit>> unitOf(const JitText &source) {
  return traced(
      [&] { return TraceLabel{KERN_TRACE_COMPILE, "parse", source.name}; },
      [&] { return parse(source); });
}

Expected<std::shared_ptr<CodeSource>>
JitSource::method(const FunctionInfo &function, const MethodGufunc &wanted) {
  JitText text = withMethod(source, function, wanted);
  Expected<std::unique_ptr<Unit>> unit = unitOf(text);
  if (!unit)
    return unit.error();
  return std::shared_ptr<CodeSource>(
      std::make_shared<JitSource>(std::move(text), std::move(*unit)));
}

Expected<LoopInfo> JitSource::specialise(const FunctionInfo &function,
                                         std::span<const ArgType> arguments) {
  return loops.get({function.name, typeList(arguments)}, [&] {
    return traced(
        [&] {
          return TraceLabel{KERN_TRACE_COMPILE, "specialise", function.name};
        },
        [&] { return Lease(*this)->specialise(function, arguments); });
  });
}

Expected<Nest> JitSource::nest(const FunctionInfo &function,
                               const LoopInfo &loop) {
  return Lease(*this)->nest(function, loop);
}

Expected<std::shared_ptr<const KernelCode>>
JitSource::kernel(const FunctionInfo &function, const LoopInfo &loop,
                  const KernelVariant &asked, CodeTarget device) {
  const Target &target = targetOf(device.kind);
  const std::string arch = target.archOf(device);
  const KernelVariant wanted = target.distinct(asked);
  return kernels.get(
      {function.name, typeList(loop.inputs), wanted, &target, arch}, [&] {
        return traced(
            [&] {
              return TraceLabel{KERN_TRACE_COMPILE, "kernel", function.name};
            },
            [&] {
              return Lease(*this)->compile(function, loop, wanted, device);
            });
      });
}

} // namespace kern::compiler
