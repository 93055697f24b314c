//===- ScanEmitter.h - the parts of a scan's code ---------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/LoopSkeleton.h"
#include "dialects/LoopToLLVM/ScanLowering.h"

namespace kern::ir::loop {

/// The base of a scan's lowerings: what the lanes of one warp do with the
/// chunks that they keep.
///
/// Lane l of a warp keeps chunks l, l + 32, … of the warp's part of a range, in
/// registers. It combines the elements of each chunk one after the other. The
/// lanes combine the totals of 32 neighbouring chunks, and these are combined
/// in order.
///
/// One class, since each part of the code is built from the others.
class ScanEmitter : protected LoopSkeleton {
protected:
  static constexpr int64_t warp = 32;
  /// Tiles of a long row whose prefix follows from that of the first one.
  static constexpr int64_t tilesOfGroup = 128;
  /// The values of an element.
  using Element = llvm::SmallVector<mlir::Value>;
  /// The combined value of elements, if there are any.
  struct Sum {
    mlir::Value isAny;
    Element value;
  };
  struct Part {
    mlir::Value first;  ///< the first element of the lane's first chunk
    mlir::Value stride; ///< from there to its next chunk's
    llvm::SmallVector<llvm::SmallVector<Element>> chunks;
    /// The combined value before each chunk in the part. Every chunk but the
    /// first has one.
    llvm::SmallVector<Sum> ahead;
    Element total;
  };

  ScanEmitter(ScanOp op, LoopStyle style)
      : LoopSkeleton(op, style), op(op), chunks(scanChunks(op)),
        kept(unsigned(op.getKept().value_or(chunks.kept))) {}

  mlir::Value indexAt(mlir::Value place) {
    return inductionValue(op.getLower(), op.getStep(), place);
  }
  mlir::Value add(mlir::Value x, mlir::Value y) {
    return fold<mlir::arith::AddIOp>(x, y);
  }
  mlir::Value subtract(mlir::Value x, mlir::Value y) {
    return fold<mlir::arith::SubIOp>(x, y);
  }
  mlir::Value multiply(mlir::Value x, mlir::Value y) {
    return fold<mlir::arith::MulIOp>(x, y);
  }
  mlir::Value both(mlir::Value x, mlir::Value y) {
    return fold<mlir::arith::AndIOp>(x, y);
  }
  mlir::Value either(mlir::Value x, mlir::Value y) {
    return fold<mlir::arith::OrIOp>(x, y);
  }
  mlir::Value least(mlir::Value x, mlir::Value y) {
    return fold<mlir::arith::MinSIOp>(x, y);
  }
  mlir::Value most(mlir::Value x, mlir::Value y) {
    return fold<mlir::arith::MaxSIOp>(x, y);
  }
  mlir::Value flag(bool value) {
    return mlir::arith::ConstantOp::create(b, b.getBoolAttr(value));
  }

  /// Emits a copy of a region. Returns its values.
  Element emit(mlir::Region &part, mlir::ValueRange arguments);
  Element combine(const Element &left, const Element &right);
  Element choose(mlir::Value condition, const Element &x, const Element &y);
  Element ofLane(const Element &element, mlir::Value lane);
  Element earlierLane(const Element &element, int64_t distance);
  /// Lane l of a warp gets the element of the last lane of warp l.
  Element ofWarps(const Element &element);
  Sum join(const Sum &left, const Sum &right);
  Element behind(const Sum &ahead, const Element &element);
  Sum none() { return {flag(false), Element(op.getInitial())}; }
  Sum initial() { return {op.getHasInitial(), Element(op.getInitial())}; }
  /// Runs `then` under a condition. Returns its values, or else `otherwise`.
  llvm::SmallVector<mlir::Value>
  runIf(mlir::Value condition, mlir::ValueRange otherwise,
        llvm::function_ref<llvm::SmallVector<mlir::Value>()> then);

  /// Whether all accesses can be chunks; null if some never can.
  mlir::Value testChunks();
  using Chunk = llvm::SmallVector<Element>;
  /// Reads the lane's chunks, with wide accesses where `isWide`; null: nowhere.
  /// Chunks beyond the end have values that nothing uses. `read` returns a wide
  /// one, given its number and its first element.
  void load(Part &part, mlir::Value isWide,
            llvm::function_ref<Chunk(unsigned, mlir::Value)> read = nullptr);
  /// Reads one chunk; with `arrays`, one for each of the loads, from `place` on
  /// in these.
  Chunk loadWide(mlir::Value first, mlir::ValueRange arrays = {},
                 mlir::Value place = {});
  void store(Part &part, mlir::Value isWide);
  /// The combined value of the lanes up to each lane, for several elements of a
  /// lane at once.
  llvm::SmallVector<Element> scanWarp(llvm::SmallVector<Element> mine,
                                      mlir::Value place);
  /// Scans the lane's chunks; `place` is the lane's number in the warp. Returns
  /// the part's total if asked.
  void scanPart(Part &part, mlir::Value place, mlir::Value lastLane,
                bool hasTotal);
  /// The same, of the chunks' totals.
  void scanTotals(Part &part, llvm::SmallVector<Element> totals,
                  mlir::Value place, mlir::Value lastLane, bool hasTotal);
  /// Combines the elements of each chunk.
  llvm::SmallVector<Element> scanChunksAlone(Part &part);
  /// Combines the elements with the values before the part and before each
  /// chunk.
  void apply(Part &part, const Sum &before);

  ScanOp op;
  ScanChunks chunks;
  unsigned kept; ///< chunks that a lane keeps
  mlir::Value trips;

private:
  /// The first element, as a value that compilers cannot trace: the addresses
  /// of reads and writes would otherwise take the registers of chunks.
  mlir::Value recompute(const Part &part);
  void loadNarrow(Part &part);
  /// Stores a chunk that begins `ahead` elements after `first`.
  void storeWide(mlir::Value first, int64_t ahead,
                 llvm::ArrayRef<Element> sums);
  void storeNarrow(mlir::Value first, llvm::ArrayRef<Element> sums);
};

} // namespace kern::ir::loop
