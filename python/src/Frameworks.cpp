//===- Frameworks.cpp - which framework an array type is of ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "NewFrameworks.h"

using namespace kern::python;

Framework *kern::python::nativeFrameworkOf(PyTypeObject *type) {
  Framework *cupy = cupyFrameworkOf(type);
  return cupy ? cupy : exchangeFrameworkOf(type);
}

Framework *kern::python::foreignFrameworkOf(PyTypeObject *type) {
  // JAX has the interface for CUDA on its type also for arrays on the CPU.
  Framework *dlpack = dlpackFrameworkOf(type);
  return dlpack ? dlpack : cudaInterfaceFrameworkOf(type);
}
