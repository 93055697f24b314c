//===- Artefact.h - code from a compiled file -------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/native.h"
#include "runtime/code/CodeSource.h"

#include <memory>
#include <string>

namespace kern::runtime {

/// The code of a PTX text with a manifest. KERN_ERROR_ARTEFACT if there is no
/// manifest, it is malformed, or the file was not made for an NVIDIA GPU.
///
/// Its kernel() fails with KERN_ERROR_ARTEFACT for a loop that was declared but
/// not compiled, a layout that no kernel of the loop can walk, a GPU older than
/// the one the file was made for, and the host.
/// Its specialise() chooses among the loops of the file.
/// `name` stands for the text in messages.
Expected<std::shared_ptr<CodeSource>>
loadArtefact(std::string ptx, std::string name = "the compiled file");

/// The same for a file. Also KERN_ERROR_NOT_FOUND and KERN_ERROR_IO.
Expected<std::shared_ptr<CodeSource>> loadArtefactFile(const std::string &path);

/// True if code made for `arch` ("sm_90", "sm_90a", "sm_100f") runs on a GPU
/// of this compute capability.
bool runsOn(std::string_view arch, int computeCapability);

/// The code of an object file of `kern compile --emit obj`. `code` and what it
/// points to must outlive the result. KERN_ERROR_ARTEFACT if it has another
/// version, if its manifest is malformed or names a missing kernel, or if this
/// CPU lacks the level that it was made for.
///
/// Its kernel() fails as an artefact's does, and for every GPU.
Expected<std::shared_ptr<CodeSource>> loadNative(const kern_native_code &code);

} // namespace kern::runtime
