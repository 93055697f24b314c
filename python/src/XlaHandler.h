//===- XlaHandler.h - Kern's functions in XLA's programs --------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// XLA calls one function of ours for the CPU and one for GPUs. An attribute of
// the call, a text, says which Kern function is meant: a program of XLA may
// outlive the process that made it, so it cannot hold an address.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Function.h"

#include <string>

namespace kern::python {

/// Registers a function for XLA's programs under a name, until forgetForXla();
/// a registered name keeps its function. `dims` has a bit for each parameter
/// that is a `dim`.
void nameForXla(const std::string &name, FunctionObject &function,
                uint64_t dims);

/// Waits for running calls and forgets all functions. For Python's exit.
void forgetForXla();

/// The functions that XLA calls, as capsules for jax.ffi: a new dict of "cpu"
/// and "CUDA"; NULL with an exception.
PyObject *xlaHandlers();

} // namespace kern::python
