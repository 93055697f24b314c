//===- NestLayout.h - what one call says of a nest --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pure functions from the nest of a gufunc and one call's dimensions and
// operands to what its schedule is chosen from.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/artefact/Dimension.h"
#include "runtime/artefact/Nest.h"
#include "runtime/plan/Words.h"

#include <span>

namespace kern::runtime {

/// The product, INT64_MAX at most. Neither is negative.
int64_t saturatingProduct(int64_t a, int64_t b);

/// The extents of a nest. One record, since a schedule weighs all of them.
struct NestExtents {
  int64_t elements = 1;      ///< loop elements of the call
  std::vector<int64_t> flat; ///< the values of Nest::flat
  int64_t shared = 0;        ///< the longest loop that lanes share
  int64_t resident = 0;      ///< the value of Nest::residentExtent
  /// The iterations of Nest::unrolled, and the largest dimension from which
  /// they follow; 0 without.
  int64_t unrolled = 0, unrolledDim = 0;
  std::vector<int64_t> privatised; ///< the values of Nest::privatised
  std::vector<int64_t> stages;     ///< the bytes of Nest::stages
  /// Nothing of Nest::stages follows from dimensions.
  bool areStagesConstant = false;
  /// The dimensions of the call, if their values can be constants in a kernel
  /// of its own; otherwise empty.
  std::vector<int64_t> dims;
  /// Tests ask for such a kernel, however few loop elements there are.
  bool wantsConstants = false;
  int64_t items() const; ///< elements times flat; INT64_MAX at most
};
/// `lookup` gives the dimensions of the call.
Expected<NestExtents> extentsOf(const Nest &nest, int64_t elements,
                                const DimLookup &lookup);

/// What a call's strides say.
struct StrideFacts {
  /// Neighbouring loop elements lie closer together in memory than neighbouring
  /// iterations of the loops inside: lanes should go across.
  bool goesAcross = false;
  /// All elements that consecutive iterations access one after the other lie in
  /// aligned chunks, and there are such elements.
  bool hasChunks = false;
  /// A thread for each loop element would access memory in parts of lines,
  /// unless its elements are staged.
  bool needsStaging = false;
  /// Elements may be read ahead of what is written.
  bool mayStage = false;
  /// What a nest without loops, or whose loops are unrolled, accesses along its
  /// last index is contiguous along the last core dimension.
  bool isDense = false;
  /// Those arrays are aligned as wide tiles need it (Nest::Tile::isWide).
  bool isAligned = false;
};
/// `disjoint`: no operand that is written shares memory with another one.
StrideFacts strideFacts(const Nest &nest, const Layout &layout,
                        std::span<const KernelOperand> operands,
                        const NestExtents &extents, bool disjoint);

/// The loop of an elementwise nest, as a ufunc's.
struct FlatLoop {
  Layout layout;
  std::vector<KernelOperand> operands; ///< one for each access
};
/// `lookup` gives the dimensions of the call.
Expected<FlatLoop> flatLoop(const Nest &nest, const NestExtents &extents,
                            const Layout &layout,
                            std::span<const KernelOperand> operands,
                            const DimLookup &lookup);

} // namespace kern::runtime
