//===- ScanBuilder.h - makes the operations of scans ---------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/lowering/Scans.h"
#include "compiler/lowering/Sequences.h"

namespace kern::compiler {

/// The reduction whose partial results the scan returns; nothing for
/// `accumulate`.
std::optional<ir::ReduceKind> scanKind(llvm::StringRef name);

/// The iterations of a scan, from 0.
struct ScanSource {
  Sequence sequence;
  const syntax::GeneratorClause *clause = nullptr;
  const syntax::Expr *element = nullptr; ///< of the generator

  /// The element of an iteration; nothing after an error.
  std::optional<Binding> at(FunctionLowering &fn, mlir::Value iteration,
                            Span span) const;
};

/// What a scan runs over. Reports an argument over which it cannot run.
std::optional<ScanSource> scanSource(FunctionLowering &fn,
                                     const syntax::Expr &expr,
                                     llvm::StringRef name, Span span);

/// Builds a kern.scan, part by part.
class ScanBuilder {
public:
  ScanBuilder(FunctionLowering &fn, Span span)
      : fn(fn), span(span), open(ir::OpenType::get(fn.builder.getContext())) {}

  /// Begins with the elements; null after an error, and for elements that are
  /// neither numbers nor tuples of them.
  ir::ScanOp begin(const ScanSource &source,
                   llvm::ArrayRef<mlir::Value> initial,
                   std::optional<ir::ReduceKind> kind);
  /// False after an error.
  bool combine(Combine combine);
  /// An element; nothing after an error.
  const std::optional<Binding> &element() const { return shape; }
  /// Takes back what was built.
  void erase();
  unsigned width() const { return count; }
  mlir::Value argument(mlir::Region &part) {
    return part.front().addArgument(open, fn.loc(span));
  }
  void give(llvm::ArrayRef<Number> numbers) {
    llvm::SmallVector<mlir::Value> values;
    for (const Number &number : numbers)
      values.push_back(fn.materialize(number, span));
    ir::GiveOp::create(fn.builder, fn.loc(span), values);
  }

private:
  FunctionLowering &fn;
  Span span;
  mlir::Type open;
  ir::ScanOp op;
  std::optional<Binding> shape;
  unsigned count = 0;
};

} // namespace kern::compiler
