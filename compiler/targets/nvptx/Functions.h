//===- Functions.h - elementary functions on the GPU ------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"

namespace kern::nvptx {

/// libdevice's symbol of an elementary function for "f32" or "f64"; "" if
/// there is none. "fast." before a function asks for an approximation, where
/// there is one.
llvm::StringRef functionSymbol(llvm::StringRef function, llvm::StringRef type);

} // namespace kern::nvptx
