//===- ManifestText.h - a manifest for people -------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/artefact/Manifest.h"

#include <string>

namespace kern::cli {

/// NumPy's form of a function's signature and loops, on one line:
/// "matmul  (m,k),(k,n)->(m,n)  ff->f dd->d". A generic function with no loops
/// of its own shows "generic" for them.
std::string signatureText(const runtime::FunctionInfo &);

/// Every function: signature, parameters and results with their types, the
/// first line of the docstring. With `kernels`, what a compiled file holds as
/// well: the target, the compiler, and the kernels of each loop.
std::string manifestText(const runtime::Manifest &, bool kernels);

/// The same as one JSON object; docs/reference/cli.md has its fields.
std::string manifestJson(const runtime::Manifest &, bool kernels);

} // namespace kern::cli
