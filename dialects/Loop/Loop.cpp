//===- Loop.cpp - the loop dialect: verifiers, printers, parsers ----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Loop/Loop.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kern::ir::loop;

#include "dialects/Loop/LoopDialect.cpp.inc"
#include "dialects/Loop/LoopEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/Loop/LoopTypes.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Loop/LoopAttrs.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/Loop/LoopOps.cpp.inc"

void LoopDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/Loop/LoopTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Loop/LoopAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Loop/LoopOps.cpp.inc"
      >();
}

bool kern::ir::loop::isElement(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignless() &&
           llvm::is_contained({1u, 8u, 16u, 32u, 64u}, integer.getWidth());
  if (auto complex = dyn_cast<ComplexType>(type))
    return isa<Float32Type, Float64Type>(complex.getElementType());
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type);
}

LogicalResult ArrayType::verify(function_ref<InFlightDiagnostic()> error,
                                Type elementType, unsigned rank) {
  if (!isElement(elementType))
    return error() << elementType << " is not an element type";
  if (rank == 0)
    return error() << "an array has at least one dimension; a scalar is a "
                      "value";
  return success();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static LogicalResult verifyIndices(Operation *op, Type array, size_t count) {
  unsigned rank = cast<ArrayType>(array).getRank();
  if (count != rank)
    return op->emitOpError("has ")
           << count << " indices for an array of rank " << rank;
  return success();
}

LogicalResult LoadOp::verify() {
  return verifyIndices(*this, getArray().getType(), getIndices().size());
}

/// Checks the array, indices and dimension of an operation on chunks.
template <typename Op> static LogicalResult verifyPlace(Op op) {
  if (uint64_t(op.getDimension()) >= op.getIndices().size())
    return op.emitOpError("has no dimension ") << op.getDimension();
  return verifyIndices(op, op.getArray().getType(), op.getIndices().size());
}

LogicalResult HasChunksOp::verify() {
  if (!llvm::isPowerOf2_64(uint64_t(getSize())))
    return emitOpError("has chunks of ") << getSize();
  return verifyPlace(*this);
}

/// Checks an operation on a chunk of an array.
template <typename Op> static LogicalResult verifyChunk(Op op) {
  Type element = op.getArray().getType().getElementType();
  if (op.getElements().empty() ||
      !llvm::all_equal(op.getElements().getTypes()) ||
      op.getElements().front().getType() != element)
    return op.emitOpError("has elements other than ") << element;
  return verifyPlace(op);
}

LogicalResult LoadChunkOp::verify() { return verifyChunk(*this); }

LogicalResult StoreChunkOp::verify() { return verifyChunk(*this); }

/// Checks that an iteration of a reduction writes only to arrays that it made.
/// In a kernel with checks, iterations run in order and may also write to the
/// arrays that record what they read.
static LogicalResult verifyWrite(Operation *op, Value array) {
  auto reduce = op->getParentOfType<ReduceOp>();
  Operation *maker = array.getDefiningOp();
  auto kernel = op->getParentOfType<KernelOp>();
  bool isNote = maker && kernel && kernel.getChecks();
  if (reduce && !isNote && !(maker && reduce->isProperAncestor(maker)))
    return op->emitOpError("is not allowed in a reduction");
  return success();
}

LogicalResult AccumulateOp::verify() {
  if (failed(verifyWrite(*this, getArray())))
    return failure();
  const Type type = getValue().getType();
  const AccumulateKind kind = getKind();
  const bool isFloat = isa<FloatType>(type);
  if (kind >= AccumulateKind::And && kind <= AccumulateKind::Xor &&
      !type.isInteger())
    return emitOpError("joins bits, and has ") << type;
  if (kind >= AccumulateKind::FMinNan && !isFloat)
    return emitOpError("compares floats, and has ") << type;
  if (kind >= AccumulateKind::SMin && !isFloat && !type.isInteger())
    return emitOpError("compares bits, and has ") << type;
  return verifyIndices(*this, getArray().getType(), getIndices().size());
}

LogicalResult LocalOp::verify() {
  return verifyIndices(*this, getResult().getType(), getExtents().size());
}

LogicalResult StrideOp::verify() {
  if (getDimension() >= getArray().getType().getRank())
    return emitOpError("has an array without that dimension");
  return success();
}

LogicalResult StoreOp::verify() {
  if (failed(verifyWrite(*this, getArray())))
    return failure();
  return verifyIndices(*this, getArray().getType(), getIndices().size());
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

LogicalResult YieldOp::verify() {
  auto reduce = dyn_cast<ReduceOp>((*this)->getParentOp());
  if (!reduce) {
    if (!getValues().empty())
      return emitOpError("of a parallel loop has no operands");
    return success();
  }
  const size_t maxOperands = reduce.getKept() ? 3 : 2;
  if (getValues().empty() || getValues().size() > maxOperands)
    return emitOpError("of a reduction has a value and perhaps whether to keep "
                       "it")
           << (maxOperands == 3 ? " and for how many elements it stands" : "");
  if (getValues()[0].getType() != reduce.getValueType())
    return emitOpError("gives ") << getValues()[0].getType() << " to a "
                                 << "reduction of " << reduce.getValueType();
  if (getValues().size() == 2 && !getValues()[1].getType().isInteger(1))
    return emitOpError("has a second operand that is not i1");
  if (getValues().size() == 3 && !getValues()[2].getType().isInteger(64))
    return emitOpError("has a third operand that is not i64");
  return success();
}

void ParallelOp::build(OpBuilder &builder, OperationState &state,
                       ValueRange lower, ValueRange upper, ValueRange step) {
  state.addOperands(lower);
  state.addOperands(upper);
  state.addOperands(step);
  OpBuilder::InsertionGuard guard(builder);
  Block *entry = builder.createBlock(state.addRegion());
  for (size_t i = 0; i < lower.size(); ++i)
    entry->addArgument(builder.getI64Type(), state.location);
}

LogicalResult ParallelOp::verifyRegions() {
  if (getLower().empty())
    return emitOpError("has no range");
  if (entry().getNumArguments() != getLower().size())
    return emitOpError("has ")
           << entry().getNumArguments() << " induction variables for "
           << getLower().size() << " ranges";
  for (Type type : entry().getArgumentTypes())
    if (!type.isInteger(64))
      return emitOpError("has an induction variable that is not i64");
  return success();
}

/// Prints `(%i, …) =` with the names of the entry block's arguments.
static void printVariables(OpAsmPrinter &p, Block &entry) {
  p << " (";
  llvm::interleaveComma(entry.getArguments(), p, [&](BlockArgument argument) {
    p.printRegionArgument(argument, {}, /*omitType=*/true);
  });
  p << ") = ";
}

void ParallelOp::print(OpAsmPrinter &p) {
  printVariables(p, entry());
  p << '(' << getLower() << ") to (" << getUpper() << ") step (" << getStep()
    << ')';
  p.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  p << ' ';
  p.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

/// Parses `(%i, …)` as induction variables of type i64.
static ParseResult
parseVariables(OpAsmParser &parser,
               SmallVectorImpl<OpAsmParser::Argument> &variables) {
  if (parser.parseArgumentList(variables, OpAsmParser::Delimiter::Paren))
    return failure();
  for (OpAsmParser::Argument &variable : variables)
    variable.type = parser.getBuilder().getI64Type();
  return success();
}

ParseResult ParallelOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> variables;
  if (parseVariables(parser, variables))
    return failure();
  for (StringRef word : {"=", "to", "step"}) {
    if (word == "=" ? parser.parseEqual() : parser.parseKeyword(word))
      return failure();
    SMLoc place = parser.getCurrentLocation();
    SmallVector<OpAsmParser::UnresolvedOperand> bounds;
    if (parser.parseOperandList(bounds, OpAsmParser::Delimiter::Paren))
      return failure();
    if (bounds.size() != variables.size())
      return parser.emitError(place)
             << "expected " << variables.size() << " bounds";
    if (parser.resolveOperands(bounds, parser.getBuilder().getI64Type(),
                               result.operands))
      return failure();
  }
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  return parser.parseRegion(*result.addRegion(), variables);
}

void ReduceOp::build(OpBuilder &builder, OperationState &state, ReduceKind kind,
                     Type valueType, Value lower, Value upper, Value step,
                     bool isCounted) {
  auto &properties = state.getOrAddProperties<Properties>();
  properties.kind = ReduceKindAttr::get(builder.getContext(), kind);
  properties.value_type = TypeAttr::get(valueType);
  state.addOperands({lower, upper, step});
  state.addTypes(isArg(kind) ? builder.getI64Type() : valueType);
  if (isCounted)
    state.addTypes(builder.getI64Type());
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(state.addRegion())
      ->addArgument(builder.getI64Type(), state.location);
}

bool kern::ir::loop::carriesPosition(ReduceKind kind, Type type) {
  bool isExtremum = kind == ReduceKind::FMinNan || kind == ReduceKind::FMaxNan;
  return isArg(kind) || (isExtremum && isa<ComplexType, VectorType>(type));
}

/// Empty if a kind takes values of a type; else the values that it takes.
static StringRef wantedValues(ReduceKind kind, Type type) {
  switch (kind) {
  case ReduceKind::Sum:
  case ReduceKind::Prod:
    return "";
  case ReduceKind::Any:
  case ReduceKind::All:
    return type.isInteger(1) ? "" : "i1";
  case ReduceKind::FMinNan:
  case ReduceKind::FMaxNan:
  case ReduceKind::ArgFMin:
  case ReduceKind::ArgFMax:
    return isa<FloatType, ComplexType>(type) ? "" : "floats";
  default:
    return isa<IntegerType>(type) ? "" : "integers";
  }
}

static LogicalResult verifyKind(Operation *op, ReduceKind kind, Type value,
                                Type result) {
  if (!isElement(value))
    return op->emitOpError("cannot combine ") << value;
  StringRef wanted = wantedValues(kind, value);
  if (!wanted.empty())
    return op->emitOpError() << "of kind " << stringifyReduceKind(kind)
                             << " combines " << wanted << ", not " << value;
  Type expected = isArg(kind) ? IntegerType::get(op->getContext(), 64) : value;
  if (result != expected)
    return op->emitOpError("has result ")
           << result << ", expected " << expected;
  return success();
}

LogicalResult ReduceOp::verify() {
  return verifyKind(*this, getKind(), getValueType(), getResult().getType());
}

LogicalResult ReduceOp::verifyRegions() {
  if (entry().getNumArguments() != 1 || !inductionVar().getType().isInteger(64))
    return emitOpError("has one induction variable, an i64");
  return success();
}

void ReduceOp::print(OpAsmPrinter &p) {
  p << ' ' << stringifyReduceKind(getKind());
  if (getKept())
    p << " counted";
  printVariables(p, entry());
  p << getLower() << " to " << getUpper() << " step " << getStep() << " : "
    << getValueType();
  p.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                     {"kind", "value_type"});
  p << ' ';
  p.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  StringRef keyword;
  SMLoc place = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<ReduceKind> kind = symbolizeReduceKind(keyword);
  if (!kind)
    return parser.emitError(place, "unknown kind of reduction");
  result.addAttribute("kind", ReduceKindAttr::get(builder.getContext(), *kind));
  bool isCounted = succeeded(parser.parseOptionalKeyword("counted"));
  SmallVector<OpAsmParser::Argument> variables;
  SmallVector<OpAsmParser::UnresolvedOperand, 3> bounds(3);
  Type type;
  if (parseVariables(parser, variables) || parser.parseEqual() ||
      parser.parseOperand(bounds[0]) || parser.parseKeyword("to") ||
      parser.parseOperand(bounds[1]) || parser.parseKeyword("step") ||
      parser.parseOperand(bounds[2]) || parser.parseColonType(type) ||
      parser.resolveOperands(bounds, builder.getI64Type(), result.operands) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  result.addAttribute("value_type", TypeAttr::get(type));
  result.addTypes(isArg(*kind) ? builder.getI64Type() : type);
  if (isCounted)
    result.addTypes(builder.getI64Type());
  return parser.parseRegion(*result.addRegion(), variables);
}

LogicalResult ScanOp::verify() {
  const unsigned count = width();
  SmallVector<Type> types(getInitial().getTypes());
  if (count == 0 || getTotals().getTypes() != types)
    return emitOpError("has results of other types than its elements");
  if (!getWords().empty() && (getWords().size() != count || !getKept()))
    return emitOpError("has words for other values than its elements'");
  SmallVector<Type> index = {IntegerType::get(getContext(), 64)}, pair(types),
                    place(index);
  pair.append(types);
  place.append(types);
  auto check = [&](Region &part, ArrayRef<Type> arguments,
                   ArrayRef<Type> values) -> LogicalResult {
    if (part.getArgumentTypes() != arguments)
      return emitOpError("has a region with other arguments");
    for (Block &block : part)
      if (auto give = dyn_cast<GiveOp>(block.getTerminator()))
        if (give.getValues().getTypes() != values)
          return give.emitOpError("gives other values than an element's");
    return success();
  };
  if (failed(check(getElements(), index, types)) ||
      failed(check(getCombine(), pair, types)))
    return failure();
  return getWrite().empty() ? success() : check(getWrite(), place, {});
}

LogicalResult CombineOp::verify() {
  bool isPlaced = carriesPosition(getKind(), getValue().getType());
  if (isPlaced != bool(getIndex()))
    return emitOpError(isPlaced ? "lacks the position of its value"
                                : "takes no position");
  return verifyKind(*this, getKind(), getValue().getType(),
                    getResult().getType());
}
