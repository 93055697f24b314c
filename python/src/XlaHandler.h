//===- XlaHandler.h - Kern's functions in XLA's programs --------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// XLA calls one function of ours for the CPU and one for GPUs. An attribute of
// the call, a text, says which Kern function is meant: a program of XLA's may
// outlive the process that made it, so that it has no address of ours.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Function.h"

#include <string>

namespace kern::python {

/// Makes a function known to XLA's programs under a name, until forgetForXla();
/// a name that is known keeps its function. `dims` has a bit for
/// each parameter that is a `dim`.
void nameForXla(const std::string &name, FunctionObject &function,
                uint64_t dims);

/// Waits for the calls that run, and forgets all functions: for Python's exit.
void forgetForXla();

/// The functions that XLA calls, as capsules for jax.ffi: a new dict of "cpu"
/// and "CUDA"; NULL with an exception.
PyObject *xlaHandlers();

} // namespace kern::python
