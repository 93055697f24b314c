//===- CachedSource.h - code that may have been made before -----*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/driver/JitSource.h"
#include "compiler/driver/SourceImports.h"
#include "compiler/targets/Target.h"
#include "runtime/cache/Cache.h"

namespace kern {

/// Differs for every compiler that may make other code: the build of Kern and,
/// where they are libraries of their own, those of LLVM and MLIR.
const std::string &compilerId();

/// A source whose manifest, loops and kernels come from a cache where they are
/// known, before there is any context of MLIR, and from a JitSource that is
/// made when it is first needed. What it imports is known without reading it
/// from an entry of its own, which holds for as long as the same files are
/// found with the same contents. All of this source's code is made from those,
/// even if files change in between.
class CachedSource : public CodeSource {
public:
  /// KERN_ERROR_COMPILE with the rendered diagnostics if the source has errors.
  static Expected<std::shared_ptr<CodeSource>> open(JitText text, Cache &cache);

  /// For open() alone: nothing is known yet.
  CachedSource(JitText text, Cache &cache);

  const Manifest &manifest() const override { return description; }
  std::shared_ptr<const kern_diagnostics> diagnostics() const override {
    return report;
  }
  bool makesVariants() const override { return true; }
  Expected<LoopInfo> specialise(const FunctionInfo &function,
                                std::span<const ArgType> arguments) override;
  Expected<std::shared_ptr<const KernelCode>>
  kernel(const FunctionInfo &function, const LoopInfo &loop,
         KernelVariant wanted, CodeTarget device) override;

private:
  CacheKey key(std::string_view kind) const;
  /// Of the list of what the source imports.
  CacheKey importsKey() const;
  CacheKey loopKey(std::string_view kind, const FunctionInfo &function,
                   std::span<const ArgType> arguments) const;
  /// Of a kernel.
  CacheKey kernelKey(const FunctionInfo &function, const LoopInfo &loop,
                     KernelVariant variant, const Target &target,
                     std::string_view arch) const;
  /// From the cache; NULL if it is not there or of no use.
  std::shared_ptr<const KernelCode> find(const CacheKey &key,
                                         const Target &target);
  /// Whether it is known what the source imports, and all that is as it was.
  bool findImports();
  void forgetImports();
  void keepImports();
  bool findManifest();
  void keepManifest();
  /// Compiles the source; KERN_ERROR_COMPILE.
  Expected<JitSource *> jit();

  JitText source;
  Cache &cache;
  std::string hash;        ///< of the text
  std::string importsHash; ///< of all that it imports; "" if it is nothing
  std::vector<std::string> folders; ///< the include path
  std::shared_ptr<SourceImports> imports;
  /// The source, then what it imports.
  std::vector<std::string> fileNames() const;

  Manifest description;
  std::shared_ptr<const kern_diagnostics> report;
  std::mutex mutex;
  std::unique_ptr<JitSource> compiler;
};

} // namespace kern
