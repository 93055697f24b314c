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

/// Every index of `shape`, outermost first.
inline std::vector<runtime::Extents> indicesOf(const runtime::Extents &shape) {
  std::vector<runtime::Extents> all = {{}};
  for (int64_t extent : shape) {
    std::vector<runtime::Extents> next;
    for (const runtime::Extents &prefix : all)
      for (int64_t i = 0; i < extent; ++i) {
        next.push_back(prefix);
        next.back().push_back(i);
      }
    all = std::move(next);
  }
  return all;
}

/// The offset of an element in bytes.
inline int64_t dot(const runtime::Extents &index,
                   const runtime::Extents &strides) {
  int64_t sum = 0;
  for (size_t i = 0; i < index.size(); ++i)
    sum += index[i] * strides[i];
  return sum;
}

inline runtime::KernelInfo kernel(runtime::Form form, unsigned block = 256,
                                  unsigned elements = 4, unsigned rows = 1) {
  runtime::KernelInfo info;
  info.form = form;
  info.block = block;
  info.elements = elements;
  info.rows = rows;
  return info;
}

} // namespace kern::test
