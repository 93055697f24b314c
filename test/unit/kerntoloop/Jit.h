//===- Jit.h - typed ufuncs as machine code ---------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------===//
#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <memory>
#include <string_view>

namespace kern::test {

/// The place of an operand's or a result's bits, from the low end on.
struct alignas(16) Slot {
  unsigned char bytes[16] = {};
};

/// The loop.kernels of ufuncs of a module, compiled for this machine with
/// upstream's lowerings alone; library functions are those of libm.
class Jit {
public:
  /// Takes the module apart. Reports a test failure and gives null where a
  /// lowering fails.
  static std::unique_ptr<Jit> compile(mlir::ModuleOp module);
  ~Jit();

  using Entry = void (*)(const Slot *inputs, Slot *outputs);
  /// The kernel `symbol`; null if there is none.
  Entry lookup(std::string_view symbol) const;

private:
  struct State;
  explicit Jit(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

} // namespace kern::test
