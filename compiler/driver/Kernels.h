//===- Kernels.h - descriptions of kernels ----------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For manifests, remarks and the headers of object files.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/Entry.h"
#include "runtime/artefact/Manifest.h"

#include <span>

namespace kern::compiler {

/// The entries of the typed function `symbol`, as in a manifest.
std::vector<runtime::KernelInfo>
kernelsOf(const std::vector<ir::loop::Entry> &entries, llvm::StringRef symbol);

/// The symbol of a kern_native_code: "gaussian_kern" for "gaussian". Characters
/// that C names cannot have become one `_`. A name that does not begin with a
/// letter gets the prefix `kern_`: C reserves names with `_` in front.
std::string nativeSymbol(llvm::StringRef name);

/// Whether code can be called NAME_kern in C as `name` is written.
bool isNativeName(llvm::StringRef name);

/// C code that declares the symbol and lists the manifest's functions and
/// loops.
std::string nativeHeader(const runtime::Manifest &manifest,
                         const std::string &symbol);

} // namespace kern::compiler
