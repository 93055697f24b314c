//===- FormRemarks.h - the forms that functions take ---------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/artefact/Manifest.h"

#include <span>
#include <string>

namespace kern {

/// The forms of a loop's kernels on the GPU as a remark (K0904) says them:
/// "contiguous kernels (4 elements a thread, 16 bytes at a time), inner,
/// tiled and strided ones". Empty for no kernels.
std::string describeForms(std::span<const KernelInfo> kernels);

} // namespace kern
