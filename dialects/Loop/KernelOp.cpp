//===- KernelOp.cpp - the kernel: verifier, printer, parser ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Loop/Loop.h"
#include "runtime/artefact/KernelFacts.h"

using namespace mlir;
using namespace kern::ir::loop;

SmallVector<ArrayType> KernelOp::outputs() {
  SmallVector<ArrayType> types;
  unsigned next = 0;
  for (int64_t rank : getOutputRanks())
    types.push_back(rank == 0
                        ? ArrayType()
                        : cast<ArrayType>(arrayOutputs()[next++].getType()));
  return types;
}

LogicalResult KernelOp::verify() {
  if (getNumDims() && isUfunc())
    return emitOpError("is a ufunc and cannot have dimensions");
  int64_t scalars = 0;
  for (int64_t rank : getOutputRanks()) {
    if (rank < 0)
      return emitOpError("has a negative output rank");
    if (rank > 0 && isUfunc())
      return emitOpError("is a ufunc and cannot have array outputs");
    scalars += rank == 0;
  }
  if (scalars != int64_t(getResultTypes().size()))
    return emitOpError("has ") << scalars << " scalar outputs but "
                               << getResultTypes().size() << " result types";
  for (Attribute type : getResultTypes())
    if (!isElement(cast<TypeAttr>(type).getValue()))
      return emitOpError("has a result that is not a scalar: ") << type;
  if (auto names = getDimNames();
      names && names->size() != uint64_t(getNumDims()))
    return emitOpError("names ")
           << names->size() << " dimensions but has " << getNumDims();
  if (isUfunc() && (getFlatExtents() || getLaunches() || getAcross() ||
                    getResident() || getPrivatised() || getStaged()))
    return emitOpError("is a ufunc and cannot have a mapping");
  if (getTile() && (getTile()->size() != 5 || !getFlatExtents() ||
                    llvm::any_of(*getTile(), [](int64_t n) { return n < 1; })))
    return emitOpError(
        "has a tile without rows, columns, threads, memory, planes or indices");
  if (getLaunches() && *getLaunches() < 1)
    return emitOpError("has no launches");
  if (getCooperative() && getLaunches() != 1)
    return emitOpError("is cooperative and must have one launch");
  if (getAhead() && !getCooperative())
    return emitOpError("fetches ahead and must be cooperative");
  auto isCheck = [](Attribute check) {
    auto facts = dyn_cast<DictionaryAttr>(check);
    auto kind = facts ? facts.getAs<StringAttr>("kind") : StringAttr();
    return kind && kern::runtime::checkKindNamed(kind.getValue()) &&
           facts.getAs<StringAttr>("place") &&
           facts.getAs<StringAttr>("text") && facts.getAs<IntegerAttr>("axis");
  };
  if (getChecks() && !llvm::all_of(*getChecks(), isCheck))
    return emitOpError("has a check without a known kind, place, text or axis");
  auto isExtent = [](Attribute extent) {
    auto tokens = dyn_cast<ArrayAttr>(extent);
    return tokens && !tokens.empty() &&
           llvm::all_of(tokens, llvm::IsaPred<StringAttr>);
  };
  for (std::optional<ArrayAttr> list :
       {getSharedExtents(), getNonempty(), getFlatExtents()})
    for (Attribute extent : list ? list->getValue() : ArrayRef<Attribute>())
      if (!isExtent(extent))
        return emitOpError("has an extent that is not a list of strings: ")
               << extent;
  if (std::optional<ArrayAttr> operands = getCoreExtents()) {
    if (operands->size() != getNumInputs() + getOutputRanks().size())
      return emitOpError("has core extents of ")
             << operands->size() << " operands";
    for (Attribute operand : *operands) {
      auto list = dyn_cast<ArrayAttr>(operand);
      if (!list || !llvm::all_of(list, isExtent))
        return emitOpError("has core extents that are not lists of extents: ")
               << operand;
    }
  }
  return success();
}

LogicalResult KernelOp::verifyRegions() {
  SmallVector<int64_t> arrayRanks;
  for (int64_t rank : getOutputRanks())
    if (rank > 0)
      arrayRanks.push_back(rank);
  size_t numbers = getNumDims() + numFlat() + numMappingArguments();
  size_t expected = getNumInputs() + arrayRanks.size() + numbers;
  if (getNumInputs() < 0 || getNumDims() < 0 ||
      entry().getNumArguments() != expected)
    return emitOpError("has ")
           << entry().getNumArguments() << " block arguments, expected "
           << getNumInputs() << " inputs, " << arrayRanks.size()
           << " array outputs and " << numbers << " dimensions and indices";
  for (BlockArgument input : inputs()) {
    if (isElement(input.getType()))
      continue;
    if (!isa<ArrayType>(input.getType()))
      return emitOpError("has an input that is neither scalar nor array: ")
             << input.getType();
    if (isUfunc())
      return emitOpError("is a ufunc and cannot take an array");
  }
  for (auto [output, rank] : llvm::zip(arrayOutputs(), arrayRanks)) {
    auto type = dyn_cast<ArrayType>(output.getType());
    if (!type || type.getRank() != rank)
      return emitOpError("has an output of type ")
             << output.getType() << ", expected an array of rank " << rank;
  }
  for (BlockArgument number : entry().getArguments().take_back(numbers))
    if (!number.getType().isInteger(64))
      return emitOpError("has a dimension or index of type ")
             << number.getType() << ", expected i64";
  return success();
}

/// The attributes that are part of the custom syntax.
static constexpr StringRef elided[] = {"sym_name", "kind", "result_types"};

static bool isArray(BlockArgument argument) {
  return isa<ArrayType>(argument.getType());
}

size_t KernelOp::numMappingArguments() {
  size_t ahead = getAhead() ? size_t(llvm::count_if(inputs(), isArray)) : 0;
  return (getLaunches() ? 3 : 0) + ahead + (getPrivatised() ? 1 : 0);
}

Value KernelOp::aheadOf(BlockArgument array) {
  auto before = inputs().take_front(array.getArgNumber());
  return entry()
      .getArguments()
      .take_back(numMappingArguments())
      .drop_front(3)[size_t(llvm::count_if(before, isArray))];
}

void KernelOp::print(OpAsmPrinter &p) {
  p << ' ';
  p.printSymbolName(getSymName());
  p << " kind(" << stringifyKernelKind(getKind()) << ") (";
  llvm::interleaveComma(entry().getArguments(), p, [&](BlockArgument argument) {
    p.printRegionArgument(argument);
  });
  p << ')';
  if (!getResultTypes().empty()) {
    p << " -> (";
    llvm::interleaveComma(getResultTypes(), p, [&](Attribute type) {
      p.printType(cast<TypeAttr>(type).getValue());
    });
    p << ')';
  }
  p.printOptionalAttrDictWithKeyword((*this)->getAttrs(), elided);
  p << ' ';
  p.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  StringRef keyword;
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Type> types;
  if (parser.parseSymbolName(name, "sym_name", result.attributes) ||
      parser.parseKeyword("kind") || parser.parseLParen())
    return failure();
  SMLoc place = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<KernelKind> kind = symbolizeKernelKind(keyword);
  if (!kind)
    return parser.emitError(place, "expected ufunc or gufunc");
  if (parser.parseRParen() ||
      parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren,
                               /*allowType=*/true))
    return failure();
  if (succeeded(parser.parseOptionalArrow()) &&
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&] {
        return parser.parseType(types.emplace_back());
      }))
    return failure();
  Builder &builder = parser.getBuilder();
  result.addAttribute("kind", KernelKindAttr::get(builder.getContext(), *kind));
  result.addAttribute("result_types", builder.getTypeArrayAttr(types));
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  return parser.parseRegion(*result.addRegion(), arguments);
}

LogicalResult ReturnOp::verify() {
  auto kernel = cast<KernelOp>((*this)->getParentOp());
  if (kernel.getResultTypes().size() != getValues().size())
    return emitOpError("has ")
           << getValues().size() << " values, the kernel has "
           << kernel.getResultTypes().size() << " scalar results";
  for (auto [value, type] : llvm::zip(getValues(), kernel.getResultTypes()))
    if (value.getType() != cast<TypeAttr>(type).getValue())
      return emitOpError("returns ") << value.getType() << " where the kernel "
                                     << "has " << type;
  return success();
}
