//===- ExpectedCases.h - what NumPy gives on special values -----*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------===//
#pragma once

#include "test/unit/kerntoloop/Jit.h"

#include "runtime/array/DType.h"

#include <string>
#include <vector>

namespace kern::test {

/// A line of expected.inc (expected.py says what is in it).
struct ExpectedCase {
  std::string function;
  unsigned ulp = 0; ///< how far a float result may be off
  std::vector<runtime::DType> inputs, outputs;
  std::vector<std::vector<Slot>> values; ///< of each operand
  std::vector<Slot> results;             ///< `outputs` of them a combination
  std::string signature() const;         ///< "add(f32, f32)", "cast(f32)i8"
};

const std::vector<ExpectedCase> &expectedCases();

} // namespace kern::test
