//===- SizedStruct.h - structs that say their size --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A struct of the C interface that may grow begins with `size_t size`, which
// the caller sets to the size that it was compiled with. Every such struct goes
// through here, both those that the library reads and those that it fills.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/options.h"
#include "runtime/error/Expected.h"

#include <optional>
#include <span>

namespace kern::runtime {

/// The name of a struct and its size in each version of Kern, rising. The last
/// is the one that this library knows.
struct StructVersions {
  const char *name;
  std::span<const size_t> sizes;
};

/// Copies the struct at `given`, not NULL, to `known`; what a smaller one lacks
/// becomes 0. KERN_ERROR_ARGUMENT for a size that no version had, and for a
/// larger one that asks for something: its unknown bytes must all be 0.
Status readSized(const StructVersions &versions, const void *given,
                 void *known);

/// Whether the struct at `place`, not NULL, can be filled: KERN_ERROR_ARGUMENT
/// for a size that no version had. A larger one can.
Status checkSizedPlace(const StructVersions &versions, const void *place);

/// Copies as much of `known` as the struct at `place` has, and clears what it
/// has more. Its size stays. checkSizedPlace() must have allowed it.
void writeSized(const StructVersions &versions, const void *known, void *place);

/// The caller's options as this version knows them: the shorter struct leaves
/// the rest 0. Nothing for NULL. KERN_ERROR_ARGUMENT as readSized().
Expected<std::optional<kern_call_request>>
readOptions(const kern_call_options *given);

} // namespace kern::runtime
