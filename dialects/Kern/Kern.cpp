//===- Kern.cpp - the kern dialect ----------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Kern/Kern.h"

#include "dialects/Kern/ElementTypes.h"
#include "dialects/Kern/ScalarFunctions.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

/// Parses the name of a scalar function, such as `add`.
static ParseResult parseFunctionName(AsmParser &parser,
                                     kern::ir::ScalarFunctionAttr &function) {
  const SMLoc place = parser.getCurrentLocation();
  std::string name;
  if (parser.parseKeywordOrString(&name))
    return failure();
  const kern::ir::ScalarFunctionInfo *info = kern::ir::findScalarFunction(name);
  if (!info)
    return parser.emitError(place, "there is no scalar function `")
           << name << "`";
  function =
      kern::ir::ScalarFunctionAttr::get(parser.getContext(), info->function);
  return success();
}

static void printFunctionName(AsmPrinter &p, Operation *,
                              kern::ir::ScalarFunctionAttr function) {
  p << kern::ir::infoOf(function.getValue()).name;
}

#include "dialects/Kern/KernDialect.cpp.inc"
#include "dialects/Kern/KernEnums.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/Kern/KernTypes.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/Kern/KernAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/Kern/KernOps.cpp.inc"

namespace kern::ir {

bool isScalar(Type type) { return isa<OpenType>(type) || toDType(type); }

void KernDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/Kern/KernTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Kern/KernAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Kern/KernOps.cpp.inc"
      >();
}

void ScalarFunctionAttr::print(AsmPrinter &p) const {
  p << '<' << infoOf(getValue()).name << '>';
}

Attribute ScalarFunctionAttr::parse(AsmParser &parser, Type) {
  ScalarFunctionAttr function;
  if (parser.parseLess() || parseFunctionName(parser, function) ||
      parser.parseGreater())
    return {};
  return function;
}

std::optional<APInt> ConstantOp::integer() {
  auto number = dyn_cast<IntegerAttr>(getValue());
  if (!number || isa<BoolAttr>(number))
    return std::nullopt;
  return number.getValue();
}

LogicalResult ApplyOp::verify() {
  const ScalarFunctionInfo &function = infoOf(getFunction());
  const size_t operands = getOperands().size();
  const bool takesMore =
      function.isChained() &&
      llvm::all_of(getResultTypes(), llvm::IsaPred<OpenType>);
  if (operands < function.inputs || (operands > function.inputs && !takesMore))
    return emitOpError(function.name) << " takes " << unsigned(function.inputs)
                                      << " operands, has " << operands;
  if (getResults().size() != function.outputs)
    return emitOpError(function.name)
           << " has " << unsigned(function.outputs) << " results";
  return success();
}

LogicalResult EnterOp::verify() {
  size_t operands = getOperands().size();
  if (getParameters().size() != operands || getInout().size() != operands)
    return emitOpError("needs an annotation and a mode for each of its ")
           << operands << " operands";
  if (getResults().size() != operands + getTypeVars().size())
    return emitOpError("needs ") << operands + getTypeVars().size()
                                 << " results, has " << getResults().size();
  return success();
}

LogicalResult LocalOp::verify() {
  auto array = cast<ArrayType>(getResult().getType());
  if (getExtents().size() != array.getRank())
    return emitOpError("has ") << getExtents().size() << " extents for "
                               << array.getRank() << " dimensions";
  if (getElement() && getLike())
    return emitOpError("has both an element type and a value of it");
  return success();
}

LogicalResult BitsOp::verify() {
  if (bool(getTarget()) == bool(getLike()))
    return emitOpError("needs either a type or a value of it");
  auto from = toDType(getValue().getType()),
       to = toDType(getResult().getType());
  if (!from || !to)
    return success();
  const bool isReal =
      (isInteger(*from) || isFloat(*from)) && (isInteger(*to) || isFloat(*to));
  if (!isReal || itemSize(*from) != itemSize(*to))
    return emitOpError("is for two real types of one width");
  return success();
}

/// Checks that the body of a loop has one argument for each index.
static LogicalResult verifyIndices(Operation *op, Region &body,
                                   size_t indices) {
  if (body.getNumArguments() != indices)
    return op->emitOpError("body needs ")
           << indices << " arguments, has " << body.getNumArguments();
  return success();
}

LogicalResult ParallelOp::verify() {
  if (getLowers().size() != getUppers().size() ||
      getLowers().size() != getSteps().size() || getLowers().empty())
    return emitOpError("needs as many lower bounds as upper bounds and steps");
  return verifyIndices(*this, getBody(), getLowers().size());
}

LogicalResult ReduceOp::verify() {
  for (Block &block : getBody())
    if (auto yield = dyn_cast<YieldOp>(block.getTerminator()))
      if (yield.getCount() && !getKept())
        return yield.emitOpError("has a number of elements, and the reduction "
                                 "does not count them");
  return verifyIndices(*this, getBody(), 1);
}

LogicalResult ScanOp::verify() {
  const unsigned count = width();
  if (count == 0 || getCombine().getNumArguments() != 2 * count)
    return emitOpError("combines ") << getCombine().getNumArguments()
                                    << " values, not those of two elements";
  if (failed(verifyIndices(*this, getElements(), 1)))
    return failure();
  const bool isFold = getWrite().empty();
  if (!isFold && failed(verifyIndices(*this, getWrite(), 1 + count)))
    return failure();
  if (getInitial().size() != getTotals().size() ||
      getTotals().size() != (isFold ? count : 0))
    return emitOpError("writes what is reached, or has initial values and as "
                       "many results");
  for (Region *part : {&getElements(), &getCombine(), &getWrite()})
    for (Block &block : *part)
      if (auto give = dyn_cast<GiveOp>(block.getTerminator()))
        if (give.getValues().size() != (part == &getWrite() ? 0 : count))
          return give.emitOpError("has ")
                 << give.getValues().size() << " values for an element of "
                 << count;
  return success();
}

ReduceOp ReduceOp::inner() {
  for (Block &block : getBody())
    for (ReduceOp inner : block.getOps<ReduceOp>())
      if (inner.getPartial())
        return inner;
  return {};
}

ReduceOp ReduceOp::innermost() {
  ReduceOp found = *this;
  while (ReduceOp next = found.inner())
    found = next;
  return found;
}

mlir::Value accessedArray(mlir::Operation *op) {
  if (auto load = mlir::dyn_cast<LoadOp>(op))
    return load.getArray();
  if (auto store = mlir::dyn_cast<StoreOp>(op))
    return store.getArray();
  if (auto accumulate = mlir::dyn_cast<AccumulateOp>(op))
    return accumulate.getArray();
  return nullptr;
}

} // namespace kern::ir
