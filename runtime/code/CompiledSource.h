//===- CompiledSource.h - code that was made before ----------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/cache/CacheKey.h"
#include "runtime/code/CodeSource.h"

#include <string>

namespace kern::runtime {

/// What compiled files and linked code share: a fixed set of loops and kernels.
/// Errors name the command that makes a missing one. `name` stands for the code
/// in messages.
class CompiledSource : public CodeSource {
public:
  const Manifest &manifest() const override { return info; }
  const char *digest() const override { return contentDigest.c_str(); }
  /// Chooses among the existing loops.
  Expected<LoopInfo> specialise(const FunctionInfo &function,
                                std::span<const ArgType> arguments) override;

protected:
  /// `content` is what there is of the code as text.
  CompiledSource(Manifest manifest, std::string name, std::string_view content)
      : info(std::move(manifest)), name(std::move(name)),
        contentDigest(contentHash(content)) {}
  /// The bestKernel() of a loop; KERN_ERROR_ARTEFACT for a loop that was
  /// declared but not compiled, and a layout that no kernel of it can walk.
  Expected<KernelInfo> pick(const FunctionInfo &function, const LoopInfo &loop,
                            const KernelVariant &wanted) const;
  /// "'gaussian.kern'", or "the source".
  std::string sourceText() const;

  const Manifest info;
  const std::string name;

private:
  const std::string contentDigest;
};

} // namespace kern::runtime
