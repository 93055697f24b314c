//===- Frameworks.cpp - arrays of frameworks other than NumPy -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Frameworks.h"

using namespace kern::python;

Framework *kern::python::frameworkOf(PyTypeObject *) { return nullptr; }
