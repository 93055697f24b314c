//===- Functions.h - elementary functions on the CPU ------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/library/Library.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace kern::compiler::host {

/// The C library's symbol of an elementary function of f32 or f64; "" if there
/// is none. The host has no approximations.
llvm::StringRef functionSymbol(const library::ElementaryFunction &function);

/// The same function under a name without a vector function. Kern's own library
/// needs functions within a unit in the last place, and calls them in branches,
/// for one value at a time.
inline constexpr char scalarPrefix[] = "kern.scalar.";
llvm::StringRef scalarSymbol(const library::ElementaryFunction &function);

/// The address of such a symbol in this process.
struct FunctionAddress {
  const char *symbol;
  void *address;
};
llvm::ArrayRef<FunctionAddress> functionAddresses();

/// The runtime function that LLVM still calls where it moves bf16 values
/// through f32, as in vector selects. Not every system's library has it.
inline constexpr char bfloatRoundingSymbol[] = "__truncsfbf2";
/// Its implementation: the bf16 number nearest to an f32, in the low half of
/// the result.
float roundToBFloat(float number);

} // namespace kern::compiler::host
