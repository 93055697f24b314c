//===- Pipeline.h - calls over host arrays on GPUs --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call over host arrays on a GPU is cut into pieces along its loop
// dimensions. While one is computed, the next ones are uploaded and earlier
// ones downloaded. The device has memory for a few pieces, and for the operands
// that all of them read. Page-locked arrays are moved from and to where they
// are; the CPU gathers and scatters the others. Several GPUs take turns with
// the pieces.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/launch/Bind.h"
#include "runtime/launch/CallDevice.h"
#include "runtime/transfer/Array.h"

#include <optional>

namespace kern::runtime {

/// Runs a call whose arrays are on the host on the GPUs of `place`, as
/// execute() does, and returns the same. Nothing if it is not to be cut: it is
/// small, has one loop element, is captured in a graph, or overwrites what
/// later pieces read. When it fails, some pieces of the results may be written.
/// KERN_ERROR_CANCELLED if the caller ends it (BoundCall::progress).
Expected<std::optional<std::vector<ManagedArray>>>
executeInPieces(const BoundCall &call, const CallDevice &place,
                kern_call_report &report, std::string *explanation);

} // namespace kern::runtime
