//===- Linker.h - loading machine code into this process --------*- C++ -*-===//
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

namespace kern::compiler::host {

/// `void kernel(const int64_t *words)` (docs/explanation/kernel-abi.md).
using EntryPoint = void (*)(const int64_t *);

/// The code of one object file in this process. Entry points are valid while it
/// lives. Any thread may use and destroy it.
class Code {
public:
  virtual ~Code() = default;
  /// The entry point of a symbol. KERN_ERROR_NOT_FOUND if there is none, or if
  /// it calls a function that this process lacks.
  virtual runtime::Expected<EntryPoint> find(std::string_view symbol) = 0;
  /// The object file, from which link() makes the same code again.
  virtual const std::shared_ptr<const std::string> &object() const = 0;
};

/// Loads an object file that codegen() made (Codegen.h). This machine's CPU
/// must be like the one it was made for. Needs no compiler, and takes a
/// fraction of a millisecond. KERN_ERROR_INTERNAL if it is not an object file.
runtime::Expected<std::shared_ptr<Code>>
link(std::shared_ptr<const std::string> object);

} // namespace kern::compiler::host
