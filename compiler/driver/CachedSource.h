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

namespace kern::compiler {

/// Differs between compilers that may generate different code: identifies the
/// build of Kern and, if they are shared libraries, those of LLVM and MLIR.
const std::string &compilerId();

/// A source whose manifest, loops and kernels come from a cache where possible,
/// without any MLIR context. Otherwise they come from a JitSource, made on
/// first use. A separate cache entry lists the source's imports, so that it
/// need not be parsed to find them. The entry is valid while the same files are
/// found with the same contents. All code of this source is made from those
/// contents, even if files change in between.
class CachedSource : public runtime::CodeSource {
public:
  /// KERN_ERROR_COMPILE with the rendered diagnostics if the source has errors.
  static runtime::Expected<std::shared_ptr<runtime::CodeSource>>
  open(JitText text, runtime::Cache &cache);

  /// Only for open(): nothing is known yet.
  CachedSource(JitText text, runtime::Cache &cache);

  const runtime::Manifest &manifest() const override { return description; }
  const char *originalText() const override { return source.text.c_str(); }
  const char *digest() const override { return source.digest.c_str(); }
  std::shared_ptr<const kern_diagnostics> diagnostics() const override {
    return report;
  }
  bool makesVariants() const override { return true; }
  runtime::Expected<runtime::LoopInfo>
  specialise(const runtime::FunctionInfo &function,
             std::span<const runtime::ArgType> arguments) override;
  runtime::Expected<runtime::Nest> nest(const runtime::FunctionInfo &function,
                                        const runtime::LoopInfo &loop) override;
  runtime::Expected<std::shared_ptr<const runtime::KernelCode>>
  kernel(const runtime::FunctionInfo &function, const runtime::LoopInfo &loop,
         const runtime::KernelVariant &asked,
         runtime::CodeTarget device) override;
  runtime::Expected<std::shared_ptr<runtime::CodeSource>>
  method(const runtime::FunctionInfo &function,
         const runtime::MethodGufunc &wanted) override;

private:
  runtime::CacheKey key(std::string_view kind) const;
  /// The key of the list of imports.
  runtime::CacheKey importsKey() const;
  runtime::CacheKey loopKey(std::string_view kind,
                            const runtime::FunctionInfo &function,
                            std::span<const runtime::ArgType> arguments) const;
  /// The key of a kernel.
  runtime::CacheKey kernelKey(const runtime::FunctionInfo &function,
                              const runtime::LoopInfo &loop,
                              const runtime::KernelVariant &variant,
                              const Target &target,
                              std::string_view arch) const;
  /// From the cache; null if missing or unusable.
  std::shared_ptr<const runtime::KernelCode> find(const runtime::CacheKey &key,
                                                  const Target &target);
  /// Whether the imports are known and unchanged.
  bool findImports();
  void forgetImports();
  void keepImports();
  /// Sets digest(), once the imports are known.
  void setDigest();
  bool findManifest();
  void keepManifest();
  /// Compiles the source. Fails with KERN_ERROR_COMPILE.
  runtime::Expected<JitSource *> jit();

  JitText source;
  runtime::Cache &cache;
  std::string textHash;
  std::string importsHash;          ///< of all imports; "" without imports
  std::vector<std::string> folders; ///< the include path
  std::shared_ptr<SourceImports> imports;
  /// The source, then its imports.
  std::vector<std::string> fileNames() const;

  runtime::Manifest description;
  std::shared_ptr<const kern_diagnostics> report;
  std::mutex mutex;
  std::unique_ptr<JitSource> compiler;
};

} // namespace kern::compiler
