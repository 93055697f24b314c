//===- NativeCode.h - code that was linked into the program --- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/native.h"
#include "runtime/code/CodeSource.h"

#include <memory>

namespace kern {

/// The code of an object file that `kern compile --emit obj` made. `code` and
/// what it points at must outlive what is returned. KERN_ERROR_ARTEFACT if it
/// is of another version, its manifest is malformed or names a kernel that is
/// not there, or this CPU lacks the level that it was made for.
///
/// Its kernel() refuses as an artefact's does, and every GPU.
Expected<std::shared_ptr<CodeSource>> loadNative(const kern_native_code &code);

} // namespace kern
