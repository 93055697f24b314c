//===- NumpyTables.h - what NumPy says --------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rows of NumpyTables.inc, which make_numpy_tables.py writes.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/StridedView.h"

namespace kern::numpy {

using runtime::DType;
using runtime::Extents;

struct CastRow {
  DType from, to;
  bool can;
};
struct PromotionRow {
  DType a, b, c, result;
};
/// A file and its elements in C order, little-endian.
struct NpyRow {
  const char *label;
  DType dtype;
  Extents shape;
  bool fortran;
  std::string file, values;
};
/// One element before and after astype().
struct ConversionRow {
  DType from, to;
  std::string source, result;
};

#include "NumpyTables.inc"

} // namespace kern::numpy
