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
inline runtime::Layout plan(runtime::Extents shape,
                            std::vector<runtime::Extents> strides) {
  return runtime::planLayout(shape, strides);
}

inline runtime::KernelInfo kernel(runtime::Form form, unsigned block,
                                  unsigned elements, unsigned rows = 1) {
  runtime::KernelInfo info;
  info.form = form;
  info.block = block;
  info.elements = elements;
  info.rows = rows;
  return info;
}

} // namespace kern::test
