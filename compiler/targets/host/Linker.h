//===- Linker.h - machine code into this process ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/error/Expected.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace kern::host {

/// `void kernel(const int64_t *words)`, as docs/explanation/kernel-abi.md says.
using EntryPoint = void (*)(const int64_t *);

/// Code of one object file in this process. Entry points are valid while it
/// lives; it may be used and destroyed by any thread.
class Code {
public:
  virtual ~Code() = default;
  /// The entry point of a symbol; KERN_ERROR_NOT_FOUND if there is none, or if
  /// it calls a function that this process has not.
  virtual Expected<EntryPoint> find(std::string_view symbol) = 0;
  /// The object file, from which link() makes the same again.
  virtual const std::shared_ptr<const std::string> &object() const = 0;
};

/// Puts an object file that codegen() made (Codegen.h) into memory, for a CPU
/// like the one it was made for. Needs no compiler, so that it takes a fraction
/// of a millisecond. KERN_ERROR_INTERNAL if it is no object file.
Expected<std::shared_ptr<Code>> link(std::shared_ptr<const std::string> object);

} // namespace kern::host
