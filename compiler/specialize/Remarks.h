//===- Remarks.h - what makes a typed function slow ----------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/diagnostics/Diagnostics.h"
#include "dialects/Kern/Kern.h"

namespace kern {

/// Reports, as remarks, what costs a typed function speed and can be mended in
/// its source: integer divisions by a variable in a loop, and loops that keep
/// the CPU from computing several elements at once. Changes nothing.
void remarkOn(FuncOp typed, DiagnosticEngine &diagnostics);

} // namespace kern
