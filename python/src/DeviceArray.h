//===- DeviceArray.h - results that no framework has room for ---*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Reference.h"
#include "kern/kern.h"

namespace kern::python {

/// The type kern.DeviceArray: memory of Kern, on the host or a GPU, which other
/// libraries take by `__dlpack__` or `__cuda_array_interface__`. NULL with an
/// exception.
PyObject *makeDeviceArrayType();

/// A new array in C order with undefined contents, and the address of its first
/// element. `stream` is the one that will write it. NULL with an exception.
PyObject *newDeviceArray(const DLTensor &form, void *stream, void **data);

} // namespace kern::python
