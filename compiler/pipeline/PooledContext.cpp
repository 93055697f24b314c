//===- PooledContext.cpp - reuse of MLIR contexts -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/pipeline/PooledContext.h"

#include "compiler/pipeline/Pipeline.h"

#include <mutex>
#include <vector>

using namespace kern::compiler;

bool kern::compiler::servesAgain(ContextUse use) {
  constexpr unsigned maxTimes = 64;
  constexpr size_t maxBytes = size_t(1) << 16;
  return use.times < maxTimes && use.bytes < maxBytes;
}

namespace {
struct Idle {
  std::unique_ptr<mlir::MLIRContext> context;
  ContextUse use;
};

struct Pool {
  std::mutex mutex;
  std::vector<Idle> idle;
};
} // namespace

/// Never destroyed: other threads may compile while the process ends.
static Pool &pool() {
  static Pool *only = std::make_unique<Pool>().release();
  return *only;
}

PooledContext::PooledContext() {
  {
    std::lock_guard lock(pool().mutex);
    if (!pool().idle.empty()) {
      context = std::move(pool().idle.back().context);
      use = pool().idle.back().use;
      pool().idle.pop_back();
    }
  }
  if (!context)
    context = makeContext();
  ++use.times;
}

PooledContext::~PooledContext() {
  constexpr size_t maxIdle = 4;
  if (!servesAgain(use) || std::uncaught_exceptions() > exceptions)
    return;
  std::lock_guard lock(pool().mutex);
  if (pool().idle.size() < maxIdle)
    pool().idle.push_back({std::move(context), use});
}
