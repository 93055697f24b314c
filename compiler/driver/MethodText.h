//===- MethodText.h - the source of a method's gufunc -----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/driver/JitUnit.h"
#include "runtime/code/MethodGufunc.h"

namespace kern::compiler {

/// The definition of a gufunc of a method of `function`, a ufunc of `source`,
/// as text that can follow the source. No name in it is one of the source's.
std::string methodText(std::string_view source,
                       const runtime::FunctionInfo &function,
                       const runtime::MethodGufunc &wanted);

/// The source with that definition at its end, and no remarks.
JitText withMethod(const JitText &source, const runtime::FunctionInfo &function,
                   const runtime::MethodGufunc &wanted);

} // namespace kern::compiler
