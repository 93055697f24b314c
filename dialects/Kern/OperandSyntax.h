//===- OperandSyntax.h - operands as they read in assembly ------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Kern/Kern.h"

#include "llvm/ADT/DenseMap.h"

#include <string>

namespace kern {

/// Whether anything is written after an operand's name.
bool hasAnnotation(OperandAttr operand);

/// `T[m, k - 1]`, `f32`, `dim`; `_` where there is nothing. Core dimensions of
/// `optionalDims`, names, are written with a `?`.
void printAnnotation(mlir::AsmPrinter &p, OperandAttr operand,
                     llvm::ArrayRef<mlir::Attribute> optionalDims = {});

/// The name of an operand that is no argument.
void printOperandName(mlir::AsmPrinter &p, mlir::StringAttr name);

/// What is parsed of an operand.
struct ParsedOperand {
  std::string name;
  mlir::Attribute type;
  llvm::SmallVector<DimExprAttr> core;
  bool isInout = false;
  bool isDim = false;

  /// Null after an error, which is reported at `place`.
  OperandAttr build(mlir::AsmParser &parser, mlir::SMLoc place) const;
};

/// Reads annotations, and which core dimensions arrays may lack.
class OperandParser {
public:
  explicit OperandParser(mlir::AsmParser &parser) : parser(parser) {}

  /// An annotation as printAnnotation writes it.
  mlir::ParseResult parseAnnotation(ParsedOperand &operand);
  /// Likewise, of which the first word has been read.
  mlir::ParseResult parseAnnotation(llvm::StringRef word,
                                    ParsedOperand &operand);
  /// Core dimensions, if there are any.
  mlir::ParseResult parseCore(ParsedOperand &operand);

  /// Names with a `?`, in order of first appearance.
  llvm::SmallVector<mlir::Attribute> optionalDims;

private:
  mlir::ParseResult parseDim(ParsedOperand &operand);

  mlir::AsmParser &parser;
  llvm::DenseMap<mlir::StringAttr, bool> isOptional;
};

} // namespace kern
