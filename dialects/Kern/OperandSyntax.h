//===- OperandSyntax.h - the assembly syntax of operands --------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Kern/Kern.h"

#include "llvm/ADT/DenseMap.h"

#include <string>

namespace kern::ir {

/// Whether an operand has an annotation to print after its name.
bool hasAnnotation(OperandAttr operand);

/// Prints `T[m, k - 1]`, `f32` or `dim`, and `_` for an operand without an
/// annotation. Core dimensions named in `optionalDims` get a `?`.
void printAnnotation(mlir::AsmPrinter &p, OperandAttr operand,
                     llvm::ArrayRef<mlir::Attribute> optionalDims = {});

/// Prints the name of an operand that is not a block argument.
void printOperandName(mlir::AsmPrinter &p, mlir::StringAttr name);

/// A parsed operand.
struct ParsedOperand {
  std::string name;
  mlir::Attribute type;
  llvm::SmallVector<DimExprAttr> core;
  bool isInout = false;
  bool isDim = false;

  /// The attribute. Reports an error at `place` and returns null.
  OperandAttr build(mlir::AsmParser &parser, mlir::SMLoc place) const;
};

/// Parses annotations and collects the optional dimensions.
class OperandParser {
public:
  explicit OperandParser(mlir::AsmParser &parser) : parser(parser) {}

  /// Parses an annotation as printAnnotation writes it.
  mlir::ParseResult parseAnnotation(ParsedOperand &operand);
  /// Likewise, when its first word has been read.
  mlir::ParseResult parseAnnotation(llvm::StringRef word,
                                    ParsedOperand &operand);
  /// Parses core dimensions, if there are any.
  mlir::ParseResult parseCore(ParsedOperand &operand);

  /// Names with a `?`, in order of first appearance.
  llvm::SmallVector<mlir::Attribute> optionalDims;

private:
  mlir::ParseResult parseDim(ParsedOperand &operand);

  mlir::AsmParser &parser;
  llvm::DenseMap<mlir::StringAttr, bool> isOptional;
};

} // namespace kern::ir
