//===- NativeHeader.h - the header of an object file ---------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/artefact/Manifest.h"

namespace kern {

/// The symbol of the kern_native_code of a source: "gaussian_kern" for
/// "path/gaussian.kern". Characters that C has not in names become `_`.
std::string nativeSymbol(const std::string &source);

/// C that declares it, and lists the manifest's functions and loops.
std::string nativeHeader(const Manifest &manifest);

} // namespace kern
