//===- SomeLayout.h - layouts and kernels for tests of plans -- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/artefact/Manifest.h"
#include "runtime/plan/Layout.h"

namespace kern::test {

/// Strides are in bytes, for each operand, outermost dimension first.
inline Layout plan(Extents shape, std::vector<Extents> strides) {
  return planLayout(shape, strides);
}

inline KernelInfo kernel(Form form, unsigned block, unsigned elements,
                         unsigned rows = 1) {
  KernelInfo info;
  info.form = form;
  info.block = block;
  info.elements = elements;
  info.rows = rows;
  return info;
}

} // namespace kern::test
