//===- CachedSource.h - a source with cached code ---------------*- C++ -*-===//
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

/// Differs between compilers that may generate different code: identifies the
/// build of Kern and, if they are shared libraries, those of LLVM and MLIR.
const std::string &compilerId();

/// A source whose manifest, loops and kernels come from a cache where possible,
/// without any MLIR context. Otherwise they come from a JitSource, made on
/// first use. A separate cache entry lists the source's imports, so that it
/// need not be parsed to find them. The entry is valid while the same files are
/// found with the same contents. All code of this source is made from those
/// contents, even if files change in between.
class CachedSource : public CodeSource {
public:
  /// KERN_ERROR_COMPILE with the rendered diagnostics if the source has errors.
  static Expected<std::shared_ptr<CodeSource>> open(JitText text, Cache &cache);

  /// Only for open(): nothing is known yet.
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
  /// The key of the list of imports.
  CacheKey importsKey() const;
  CacheKey loopKey(std::string_view kind, const FunctionInfo &function,
                   std::span<const ArgType> arguments) const;
  /// The key of a kernel.
  CacheKey kernelKey(const FunctionInfo &function, const LoopInfo &loop,
                     KernelVariant variant, const Target &target,
                     std::string_view arch) const;
  /// From the cache; null if missing or unusable.
  std::shared_ptr<const KernelCode> find(const CacheKey &key,
                                         const Target &target);
  /// Whether the imports are known and unchanged.
  bool findImports();
  void forgetImports();
  void keepImports();
  bool findManifest();
  void keepManifest();
  /// Compiles the source. Fails with KERN_ERROR_COMPILE.
  Expected<JitSource *> jit();

  JitText source;
  Cache &cache;
  std::string hash;                 ///< of the text
  std::string importsHash;          ///< of all imports; "" without imports
  std::vector<std::string> folders; ///< the include path
  std::shared_ptr<SourceImports> imports;
  /// The source, then its imports.
  std::vector<std::string> fileNames() const;

  Manifest description;
  std::shared_ptr<const kern_diagnostics> report;
  std::mutex mutex;
  std::unique_ptr<JitSource> compiler;
};

} // namespace kern
