//===- NativeCode.cpp - code that was linked into the program -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/code/NativeCode.h"

#include "runtime/artefact/CpuLevel.h"
#include "runtime/code/CompiledSource.h"

#include <unordered_map>

using namespace kern;

namespace {
using Entries = std::unordered_map<std::string_view, HostEntry>;

class NativeCode : public CompiledSource {
public:
  NativeCode(Manifest manifest, Entries entries)
      : CompiledSource(std::move(manifest), "the linked code"),
        entries(std::move(entries)) {}

  Expected<std::shared_ptr<const KernelCode>>
  kernel(const FunctionInfo &function, const LoopInfo &loop,
         KernelVariant wanted, CodeTarget target) override {
    if (target.kind != CodeTarget::Kind::Host)
      return refuse(name + " of " + sourceText() +
                    " is for the CPU; call it there, or load what `kern "
                    "compile` makes for the GPU");
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

Error malformed(const std::string &what) {
  return {KERN_ERROR_ARTEFACT, "the linked code " + what};
}
} // namespace

Expected<std::shared_ptr<CodeSource>>
kern::loadNative(const kern_native_code &code) {
  if (code.version != KERN_NATIVE_VERSION)
    return malformed("is of version " + std::to_string(code.version) +
                     ", this library reads version " +
                     std::to_string(KERN_NATIVE_VERSION) +
                     "; compile it again");
  if (!code.manifest || (code.kernel_count > 0 && !code.kernels))
    return malformed("is not what `kern compile --emit obj` makes");
  Expected<Manifest> manifest = manifestFromJson(code.manifest);
  if (!manifest)
    return manifest.error();
  if (manifest->target.kind != "host")
    return malformed("is for " + manifest->target.kind + " " +
                     manifest->target.arch + ", not for a CPU");
  if (!cpuHasLevel(manifest->target.arch))
    return malformed("was made for " + manifest->target.arch +
                     ", of which this CPU lacks something; compile it again "
                     "with --target x86-64");
  Entries entries;
  for (size_t i = 0; i < code.kernel_count; ++i)
    if (code.kernels[i].symbol && code.kernels[i].entry)
      entries.emplace(code.kernels[i].symbol, code.kernels[i].entry);
  for (const FunctionInfo &function : manifest->functions)
    for (const LoopInfo &loop : function.loops)
      for (const KernelInfo &kernel : loop.kernels)
        if (!entries.contains(kernel.symbol))
          return malformed("has no kernel " + kernel.symbol);
  return std::shared_ptr<CodeSource>(
      std::make_shared<NativeCode>(std::move(*manifest), std::move(entries)));
}
