//===- NativeCode.cpp - code linked into the program ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/code/Artefact.h"

#include "runtime/artefact/CpuLevel.h"
#include "runtime/code/CompiledSource.h"

#include <unordered_map>

using namespace kern::runtime;

namespace {
using Entries = std::unordered_map<std::string_view, HostEntry>;

class NativeCode : public CompiledSource {
public:
  NativeCode(Manifest manifest, std::string_view text, Entries entries)
      : CompiledSource(std::move(manifest), "the linked code", text),
        entries(std::move(entries)) {}

  Expected<std::shared_ptr<const KernelCode>>
  kernel(const FunctionInfo &function, const LoopInfo &loop,
         const KernelVariant &wanted, CodeTarget target) override {
    if (target.kind != CodeTarget::Kind::Host)
      return Error(ErrorCode::code_for_cpu, {name, sourceText()});
    Expected<KernelInfo> kernel = pick(function, loop, wanted);
    if (!kernel)
      return kernel.error();
    auto code = std::make_shared<KernelCode>();
    code->kernel = std::move(*kernel);
    code->entry = entries.at(code->kernel.symbol);
    return std::shared_ptr<const KernelCode>(std::move(code));
  }

private:
  Entries entries;
};

} // namespace

Expected<std::shared_ptr<CodeSource>>
kern::runtime::loadNative(const kern_native_code &code) {
  if (code.version != KERN_NATIVE_VERSION)
    return Error(ErrorCode::linked_version,
                 {code.version, KERN_NATIVE_VERSION});
  if (!code.manifest || (code.kernel_count > 0 && !code.kernels))
    return Error(ErrorCode::linked_malformed);
  Expected<Manifest> manifest = manifestFromJson(code.manifest);
  if (!manifest)
    return manifest.error();
  if (manifest->target.kind != TargetKind::Host)
    return Error(ErrorCode::linked_for_other_target,
                 {manifest->target.kindName(), manifest->target.arch});
  if (!cpuHasLevel(manifest->target.arch))
    return Error(ErrorCode::linked_for_higher_level, {manifest->target.arch});
  Entries entries;
  for (size_t i = 0; i < code.kernel_count; ++i)
    if (code.kernels[i].symbol && code.kernels[i].entry)
      entries.emplace(code.kernels[i].symbol, code.kernels[i].entry);
  for (const FunctionInfo &function : manifest->functions)
    for (const LoopInfo &loop : function.loops)
      for (const KernelInfo &kernel : loop.kernels)
        if (!entries.contains(kernel.symbol))
          return Error(ErrorCode::linked_without_kernel, {kernel.symbol});
  return std::shared_ptr<CodeSource>(std::make_shared<NativeCode>(
      std::move(*manifest), code.manifest, std::move(entries)));
}
