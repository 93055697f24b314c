//===- Numpy.h - NumPy's C interface ----------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Include this instead of NumPy's headers. Module.cpp defines KERN_NUMPY_HERE
// and imports the tables of functions.
//
//===----------------------------------------------------------------------===//
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION NPY_2_0_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL kernArrayApi
#define PY_UFUNC_UNIQUE_SYMBOL kernUfuncApi
#ifndef KERN_NUMPY_HERE
#define NO_IMPORT_ARRAY
#define NO_IMPORT_UFUNC
#endif
#include <numpy/arrayobject.h>
#include <numpy/ufuncobject.h>
