//===- Scope.h - what `with kern.on(…)` asks for ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A device, a stream and a number of threads for the calls of a block that name
// none. They are kept in a context variable, so that they belong to a thread or
// a task.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Reference.h"

namespace kern::python {

/// Makes the context variable; false with an exception.
bool makeScopes();

/// What the calling thread or task is in: a tuple of a device, a stream
/// and a number of threads, each None if it is not named, or NULL if it is in
/// no scope. Cheap until the first scope of the process.
Reference currentScope();

/// Begins a scope; what is None is taken from the one around it, and so is the
/// device if `isDefault`. The token of leaveScope(), or NULL with an exception
/// if it is not a device, stream or number of threads.
PyObject *enterScope(PyObject *device, PyObject *stream, PyObject *threads,
                     bool isDefault);
/// Whether a scope's device is another one than the CPU; not if there is none.
bool namesAnotherDevice(PyObject *device);
/// False with an exception.
bool leaveScope(PyObject *token);

} // namespace kern::python
