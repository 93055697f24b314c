//===- NativeHeader.h - the header of an object file ---------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/artefact/Manifest.h"

#include "llvm/ADT/StringRef.h"

namespace kern {

/// The symbol of a kern_native_code: "gaussian_kern" for "gaussian". What C has
/// not in names becomes one `_`, and a name that does not begin with a letter
/// has `kern_` before it: the rest is reserved.
std::string nativeSymbol(llvm::StringRef name);

/// C that declares it, and lists the manifest's functions and loops.
std::string nativeHeader(const Manifest &manifest, const std::string &symbol);

} // namespace kern
