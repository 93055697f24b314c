//===- JitSource.h - code on demand --------------------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/driver/Unit.h"
#include "runtime/launch/CodeSource.h"

#include <map>
#include <mutex>

namespace kern {

/// Code made on demand from a source. One loop is compiled at a time; modules
/// compile independently of one another.
class JitSource : public CodeSource {
public:
  /// `unit` must have no errors.
  explicit JitSource(std::unique_ptr<Unit> unit) : unit(std::move(unit)) {}

  const Manifest &manifest() const override { return unit->manifest(); }
  Expected<std::shared_ptr<const LoopCode>>
  loop(const FunctionInfo &function, size_t index, CodeTarget target) override;
  Expected<std::shared_ptr<const LoopCode>>
  specialise(const FunctionInfo &function, std::span<const ArgType> arguments,
             CodeTarget target) override;

private:
  using Key = std::tuple<std::string, std::string, int>;
  Expected<std::shared_ptr<const LoopCode>> compile(FuncOp typed, LoopInfo loop,
                                                    CodeTarget target);

  std::mutex mutex;
  std::unique_ptr<Unit> unit;
  std::map<Key, std::shared_ptr<const LoopCode>> codes;
};

} // namespace kern
