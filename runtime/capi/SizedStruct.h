//===- SizedStruct.h - structs that say their size --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A struct of the C interface that may grow begins with `size_t size`, which
// the caller sets to the size that it was compiled with. These functions read
// and fill such structs.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/options.h"
#include "runtime/error/Expected.h"

#include <optional>
#include <span>

namespace kern::runtime {

/// The name of a struct and its sizes in all versions of Kern, in ascending
/// order. The last is this library's.
struct StructVersions {
  const char *name;
  std::span<const size_t> sizes;
};

/// Copies the struct at `given`, not NULL, to `known`. Members that a smaller
/// one lacks become 0. KERN_ERROR_ARGUMENT for a size that no version had, and
/// for a larger struct whose unknown bytes are not all 0.
Status readSized(const StructVersions &versions, const void *given,
                 void *known);

/// Checks that the struct at `place`, not NULL, can be filled.
/// KERN_ERROR_ARGUMENT for a size that no version had; larger sizes are valid.
Status checkSizedPlace(const StructVersions &versions, const void *place);

/// Copies as much of `known` as fits into the struct at `place`, and clears the
/// rest of it. Its size stays. checkSizedPlace() must have succeeded.
void writeSized(const StructVersions &versions, const void *known, void *place);

/// The caller's options in this version's struct. Nothing for NULL.
/// KERN_ERROR_ARGUMENT as for readSized(), and for a mask in parts of what is
/// not over parts, or beside another one.
Expected<std::optional<kern_call_request>>
readOptions(const kern_call_options *given, bool isOverParts = false);

} // namespace kern::runtime
