//===- CompilerId.h - which compiler this is --------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string>

namespace kern {

/// Differs for every compiler that may make other code: the build of Kern and,
/// where they are libraries of their own, those of LLVM and MLIR.
const std::string &compilerId();

} // namespace kern
