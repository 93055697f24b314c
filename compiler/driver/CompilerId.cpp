//===- CompilerId.cpp - the identity of this compiler ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/driver/CachedSource.h"

#include "runtime/cache/CacheKey.h"

#include "mlir/IR/Verifier.h"
#include "llvm/TargetParser/Host.h"

namespace kern::compiler {

const std::string &compilerId() {
  static const std::string id = [] {
    std::string ids = runtime::buildId();
    // LLVM and MLIR have Kern's ID if they are linked into its library.
    for (const void *code :
         {reinterpret_cast<const void *>(&llvm::sys::getProcessTriple),
          reinterpret_cast<const void *>(&mlir::verify)})
      if (std::string other = runtime::buildIdOf(code);
          ids.find(other) == std::string::npos)
        ids += "+" + other;
    return ids;
  }();
  return id;
}

} // namespace kern::compiler
