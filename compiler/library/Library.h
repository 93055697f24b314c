//===- Library.h - Kern's own functions as bitcode --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that no target has, or not well enough, are written in C++ in this
// folder, compiled once to bitcode that lies in the compiler, and linked into
// the code of every target that calls them: what they compute is the same
// everywhere but for the elementary functions of real numbers beneath them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/error/Expected.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
} // namespace llvm

namespace kern::library {

/// The LLVM attribute of functions that link() defines.
inline constexpr llvm::StringLiteral functionAttribute = "kern-library";

/// The symbol of a function ("sqrt") for a type ("c64"), or "" if the library
/// has none. Complex operands and results are passed part by part.
llvm::StringRef symbol(llvm::StringRef function, llvm::StringRef type);

/// Defines the library's symbols that `module` declares and uses, as internal
/// functions. `functions` names the target's elementary functions of real
/// numbers: KERN_ERROR_INTERNAL where it lacks one that the library calls.
Status
link(llvm::Module &module,
     llvm::function_ref<llvm::StringRef(llvm::StringRef, llvm::StringRef)>
         functions);

} // namespace kern::library
