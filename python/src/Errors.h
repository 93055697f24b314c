//===- Errors.h - failures of the library as exceptions ---------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Numpy.h"
#include "kern/diagnostics.h"

namespace kern::python {

/// Sets the exception of kern/_errors.py for a failure, with the library's last
/// message and, of a source that was refused, its diagnostics.
void raise(kern_status status);

/// A list of kern.Diagnostic; NULL with an exception. `list` may be NULL.
PyObject *diagnosticsList(const kern_diagnostics *list);

} // namespace kern::python
