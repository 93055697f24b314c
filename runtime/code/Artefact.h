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
/// Its kernel() refuses, with KERN_ERROR_ARTEFACT, a loop that was declared but
/// not compiled, a layout that no kernel of the loop can walk, a GPU older than
/// the one the file was made for, and the host.
/// Its specialise() resolves among the loops that were made ahead of time.
/// `name` stands for the text in messages.
Expected<std::shared_ptr<CodeSource>>
loadArtefact(std::string ptx, std::string name = "the compiled file");

/// The same of a file; KERN_ERROR_NOT_FOUND and KERN_ERROR_IO.
Expected<std::shared_ptr<CodeSource>> loadArtefactFile(const std::string &path);

/// True if code made for `arch` ("sm_90", "sm_90a", "sm_100f") runs on a GPU
/// of this compute capability.
bool runsOn(std::string_view arch, int computeCapability);

/// The code of an object file that `kern compile --emit obj` made. `code` and
/// what it points at must outlive what is returned. KERN_ERROR_ARTEFACT if it
/// is of another version, its manifest is malformed or names a kernel that is
/// not there, or this CPU lacks the level that it was made for.
///
/// Its kernel() refuses as an artefact's does, and every GPU.
Expected<std::shared_ptr<CodeSource>> loadNative(const kern_native_code &code);

} // namespace kern::runtime
