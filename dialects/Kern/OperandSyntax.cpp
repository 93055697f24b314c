//===- OperandSyntax.cpp - the assembly syntax of operands ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Kern/OperandSyntax.h"

#include "dialects/Kern/ElementTypes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;

namespace kern::ir {

/// The element type that prints as `word`; null if there is none.
static Type elementTypeOf(MLIRContext *context, StringRef word) {
  for (unsigned i = 0; i < runtime::dtypeCount; ++i) {
    Type type = toType(context, runtime::DType(i));
    std::string text;
    llvm::raw_string_ostream(text) << type;
    if (text == word)
      return type;
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

bool hasAnnotation(OperandAttr operand) {
  return operand.getIsDim() || operand.isArray() ||
         !isa<UnitAttr>(operand.getType());
}

void printOperandName(AsmPrinter &p, StringAttr name) {
  if (name == "inout")
    p.printString(name);
  else
    p.printKeywordOrString(name);
}

/// Quotes a name that would mean something else as an annotation.
static void printVariable(AsmPrinter &p, StringAttr name) {
  if (name == "dim" || name == "_" || name == "complex" ||
      elementTypeOf(name.getContext(), name))
    p.printString(name);
  else
    p.printKeywordOrString(name);
}

void printAnnotation(AsmPrinter &p, OperandAttr operand,
                     ArrayRef<Attribute> optionalDims) {
  if (operand.getIsDim()) {
    p << "dim";
    return;
  }
  if (auto variable = dyn_cast<StringAttr>(operand.getType()))
    printVariable(p, variable);
  else if (Type type = operand.elementType())
    p << type;
  else if (!operand.isArray())
    p << '_';
  if (!operand.isArray())
    return;
  p << '[';
  llvm::interleaveComma(operand.getCore(), p, [&](DimExprAttr dim) {
    printDimExpr(p, dim);
    if (dim.isName() && llvm::is_contained(optionalDims, dim.getName()))
      p << '?';
  });
  p << ']';
}

void OperandAttr::print(AsmPrinter &p) const {
  p << '<' << (getIsInout() ? "inout " : "");
  printOperandName(p, getName());
  if (hasAnnotation(*this)) {
    p << ": ";
    printAnnotation(p, *this);
  }
  p << '>';
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

OperandAttr ParsedOperand::build(AsmParser &parser, SMLoc place) const {
  return OperandAttr::getChecked([&] { return parser.emitError(place); },
                                 parser.getContext(),
                                 parser.getBuilder().getStringAttr(name), type,
                                 ArrayRef(core), isInout, isDim);
}

ParseResult OperandParser::parseAnnotation(ParsedOperand &operand) {
  const SMLoc place = parser.getCurrentLocation();
  StringRef word;
  if (succeeded(parser.parseOptionalKeyword(&word)))
    return parseAnnotation(word, operand);
  std::string variable;
  const bool isVariable = succeeded(parser.parseOptionalString(&variable));
  operand.type = isVariable
                     ? Attribute(parser.getBuilder().getStringAttr(variable))
                     : parser.getBuilder().getUnitAttr();
  if (parseCore(operand))
    return failure();
  if (!isVariable && operand.core.empty())
    return parser.emitError(place, "expected an element type, a type "
                                   "variable, `dim` or core dimensions");
  return success();
}

ParseResult OperandParser::parseAnnotation(StringRef word,
                                           ParsedOperand &operand) {
  operand.type = parser.getBuilder().getUnitAttr();
  if (word == "dim") {
    operand.isDim = true;
  } else if (word == "complex") {
    Type part;
    if (parser.parseLess() || parser.parseType(part) || parser.parseGreater())
      return failure();
    auto type = parser.getChecked<ComplexType>(part);
    if (!type)
      return failure();
    operand.type = TypeAttr::get(type);
  } else if (Type type = elementTypeOf(parser.getContext(), word)) {
    operand.type = TypeAttr::get(type);
  } else if (word != "_") {
    operand.type = parser.getBuilder().getStringAttr(word);
  }
  return parseCore(operand);
}

ParseResult OperandParser::parseCore(ParsedOperand &operand) {
  if (failed(parser.parseOptionalLSquare()))
    return success();
  return failure(parser.parseCommaSeparatedList([&] {
    return parseDim(operand);
  }) || parser.parseRSquare());
}

ParseResult OperandParser::parseDim(ParsedOperand &operand) {
  const SMLoc place = parser.getCurrentLocation();
  DimExprAttr dim = parseDimExpr(parser);
  if (!dim)
    return failure();
  operand.core.push_back(dim);
  const bool isMarked = succeeded(parser.parseOptionalQuestion());
  if (isMarked && !dim.isName())
    return parser.emitError(place, "only a name is an optional dimension");
  if (!dim.isName())
    return success();
  auto [known, isNew] = isOptional.try_emplace(dim.getName(), isMarked);
  if (known->second != isMarked)
    return parser.emitError(place, "dimension ")
           << dim.getName() << " is optional in one place and not in another";
  if (isNew && isMarked)
    optionalDims.push_back(dim.getName());
  return success();
}

Attribute OperandAttr::parse(AsmParser &parser, Type) {
  const SMLoc place = parser.getCurrentLocation();
  OperandParser annotations(parser);
  ParsedOperand operand;
  operand.type = parser.getBuilder().getUnitAttr();
  if (parser.parseLess())
    return {};
  operand.isInout = succeeded(parser.parseOptionalKeyword("inout"));
  if (parser.parseKeywordOrString(&operand.name) ||
      (succeeded(parser.parseOptionalColon()) &&
       annotations.parseAnnotation(operand)) ||
      parser.parseGreater())
    return {};
  if (!annotations.optionalDims.empty()) {
    parser.emitError(place, "only a function has optional dimensions");
    return {};
  }
  return operand.build(parser, place);
}

} // namespace kern::ir
