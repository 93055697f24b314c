//===- ProductFacts.cpp - which kernels are products ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/Product.h"

#include "dialects/LoopMappings/Flatten.h"
#include "dialects/LoopMappings/PlainProduct.h"
#include "dialects/LoopToLLVM/Extents.h"
#include "dialects/LoopToLLVM/KernelBuilder.h"

#include "mlir/IR/OwningOpRef.h"

#include <utility>

using namespace mlir;
using namespace kern::ir::loop;
using Term = kern::runtime::Nest::Product::Term;

unsigned kern::ir::loop::productColumns(Type element) {
  return 64 / storedSize(element);
}

/// The number of the dimension that an extent is.
static std::optional<int64_t>
dimension(KernelOp kernel, ArrayRef<kern::runtime::DimToken> tokens) {
  if (tokens.size() != 1 || !kernel.getDimNames())
    return std::nullopt;
  for (auto [number, name] : llvm::enumerate(*kernel.getDimNames()))
    if (cast<StringAttr>(name).getValue() == tokens.front().text())
      return int64_t(number);
  return std::nullopt;
}

/// Which core dimension of a term an index runs along; -1: none.
static int64_t place(const Term &term, unsigned index) {
  auto at = llvm::find(term.indices, index);
  return at == term.indices.end() ? -1 : at - term.indices.begin();
}

static bool isLast(const Term &term, unsigned index) {
  return !term.indices.empty() && term.indices.back() == index;
}

namespace {
/// The indices of a flattened kernel by what they are for.
struct Roles {
  std::optional<unsigned> row, column;
  SmallVector<unsigned> batches;
};
} // namespace

/// Nothing if an index is of no operand, if two are rows or columns, or if
/// there are no columns that are neighbours in memory, for one row.
static std::optional<Roles> rolesOf(const Term &left, const Term &right,
                                    unsigned flat) {
  Roles roles;
  for (unsigned index = 0; index < flat; ++index) {
    bool isLeft = place(left, index) >= 0, isRight = place(right, index) >= 0;
    if (isLeft && isRight) {
      roles.batches.push_back(index);
      continue;
    }
    std::optional<unsigned> &role = isLeft ? roles.row : roles.column;
    if ((!isLeft && !isRight) || role)
      return std::nullopt;
    role = index;
  }
  bool fits = roles.column && (roles.row || isLast(right, *roles.column));
  return fits ? std::optional(std::move(roles)) : std::nullopt;
}

/// The facts of a flattened product; nothing if its extents are not dimensions.
static std::optional<ProductFacts>
describe(KernelOp flattened, const kern::runtime::Nest::Product &product) {
  unsigned flat = unsigned(flattened.numFlat());
  const Term *left = &product.left, *right = &product.right;
  if (place(*left, flat) < 0 || place(*right, flat) < 0)
    return std::nullopt;
  // Columns are neighbours in the result, or else in an operand.
  std::optional<Roles> roles = rolesOf(*left, *right, flat);
  if (!roles || !isLast(product.result, *roles->column)) {
    std::swap(left, right);
    if (std::optional<Roles> swapped = rolesOf(*left, *right, flat))
      roles = swapped;
    else
      std::swap(left, right);
  }
  if (!roles)
    return std::nullopt;
  ReduceOp sum;
  flattened->walk([&](ReduceOp op) { sum = op; });
  SmallVector<std::optional<DimTokens>> extents;
  for (auto extent : flattened.getFlatExtents()->getAsRange<ArrayAttr>())
    extents.push_back(tokensOf(extent));
  extents.push_back(dimExpression(flattened, sum.getUpper()));

  ProductFacts facts;
  facts.left.operand = left->operand;
  facts.right.operand = right->operand;
  facts.result.operand = product.result.operand;
  auto add = [&](std::optional<unsigned> index) {
    auto at = [&](const Term &term) {
      return index ? place(term, *index) : -1;
    };
    facts.left.dimensions.push_back(at(*left));
    facts.right.dimensions.push_back(at(*right));
    facts.result.dimensions.push_back(at(product.result));
    std::optional<int64_t> extent = -1;
    if (index)
      extent = extents[*index] ? dimension(flattened, *extents[*index])
                               : std::nullopt;
    facts.extents.push_back(extent.value_or(0));
    return extent.has_value();
  };
  bool areDimensions = add(roles->row);
  areDimensions &= add(roles->column);
  areDimensions &= add(flat);
  for (unsigned batch : roles->batches)
    areDimensions &= add(batch);
  return areDimensions ? std::optional(std::move(facts)) : std::nullopt;
}

/// Inputs, then outputs.
static Type elementOf(KernelOp kernel, int64_t operand) {
  SmallVector<Value> arrays(kernel.inputs());
  llvm::append_range(arrays, kernel.arrayOutputs());
  return cast<ArrayType>(arrays[operand].getType()).getElementType();
}

bool kern::ir::loop::takeProduct(KernelOp kernel) {
  if (kernel.isUfunc() || kernel.getChecks())
    return false;
  OwningOpRef<KernelOp> copy = kernel.clone();
  if (!flatten(*copy))
    return false;
  auto product = plainProductOf(*copy);
  if (!product)
    return false;
  std::optional<ProductFacts> facts = describe(*copy, *product);
  if (!facts)
    return false;
  Type element = elementOf(kernel, facts->left.operand);
  if (!(element.isF32() || element.isF64()) ||
      elementOf(kernel, facts->result.operand) != element)
    return false;

  OpBuilder b(kernel.getContext());
  auto list = [&](int64_t operand, ArrayRef<int64_t> rest) -> Attribute {
    SmallVector<int64_t> values = {operand};
    llvm::append_range(values, rest);
    return b.getDenseI64ArrayAttr(values);
  };
  kernel->setAttr(
      productAttribute,
      b.getArrayAttr({list(facts->left.operand, facts->left.dimensions),
                      list(facts->right.operand, facts->right.dimensions),
                      list(facts->result.operand, facts->result.dimensions),
                      b.getDenseI64ArrayAttr(facts->extents)}));
  Operation *end = kernel.entry().getTerminator();
  while (&kernel.entry().front() != end)
    end->getPrevNode()->erase();
  return true;
}

std::optional<ProductFacts> kern::ir::loop::productOf(KernelOp kernel) {
  auto lists = kernel->getAttrOfType<ArrayAttr>(productAttribute);
  if (!lists)
    return std::nullopt;
  auto values = [&](unsigned i) {
    return cast<DenseI64ArrayAttr>(lists[i]).asArrayRef();
  };
  auto term = [&](unsigned i) {
    return ProductFacts::Term{values(i).front(),
                              SmallVector<int64_t>(values(i).drop_front())};
  };
  return ProductFacts{term(0), term(1), term(2),
                      SmallVector<int64_t>(values(3))};
}

void kern::ir::loop::addPackedColumns(KernelOp kernel,
                                      const ProductFacts &product) {
  ImplicitLocOpBuilder b(kernel.getLoc(), kernel.getContext());
  b.setInsertionPointToStart(&kernel.entry());
  int64_t extent = product.extents[ProductFacts::Sum];
  StringRef name = cast<StringAttr>((*kernel.getDimNames())[extent]).getValue();
  Type element = elementOf(kernel, product.left.operand);
  LocalOp::create(b, ArrayType::get(b.getContext(), element, 1),
                  ValueRange{kernel.dims()[extent]}, /*zeroed=*/false,
                  b.getStrArrayAttr({name, "64", "*"}), b.getI64IntegerAttr(0),
                  /*per_lane=*/false, /*per_slice=*/false, /*shared=*/false);
}
