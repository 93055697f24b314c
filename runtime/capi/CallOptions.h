//===- CallOptions.h - options that come from C -----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/options.h"
#include "runtime/error/Expected.h"

#include <optional>

namespace kern {

/// The caller's options as this version knows them: the shorter struct leaves
/// the rest 0. Nothing for NULL. KERN_ERROR_ARGUMENT as readSized().
Expected<std::optional<kern_call_request>>
readOptions(const kern_call_options *given);

} // namespace kern
