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

#include "mlir/Dialect/Func/IR/FuncOps.h"
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

namespace {
/// A product, and which of the flat indices its rows and columns are.
struct KnownProduct {
  ProductFacts facts;
  std::optional<unsigned> row;
  unsigned column = 0;
};
} // namespace

/// The facts of a flattened product; nothing if its extents are not dimensions.
static std::optional<KnownProduct>
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
  return areDimensions ? std::optional(KnownProduct{std::move(facts),
                                                    roles->row, *roles->column})
                       : std::nullopt;
}

/// Inputs, then outputs.
static Type elementOf(KernelOp kernel, int64_t operand) {
  SmallVector<Value> arrays(kernel.inputs());
  llvm::append_range(arrays, kernel.arrayOutputs());
  return cast<ArrayType>(arrays[operand].getType()).getElementType();
}

/// The product of f32 or f64 that a kernel is.
static std::optional<KnownProduct> findWhole(KernelOp kernel) {
  OwningOpRef<KernelOp> copy = kernel.clone();
  if (!flatten(*copy))
    return std::nullopt;
  auto product = plainProductOf(*copy);
  if (!product)
    return std::nullopt;
  std::optional<KnownProduct> found = describe(*copy, *product);
  if (!found)
    return std::nullopt;
  Type element = elementOf(kernel, found->facts.left.operand);
  bool fits = (element.isF32() || element.isF64()) &&
              elementOf(kernel, found->facts.result.operand) == element;
  return fits ? found : std::nullopt;
}

namespace {
/// Iterations that store what they compute of one sum, and nothing else.
struct Iterations {
  ParallelOp loop;
  ReduceOp sum;
  StoreOp store;
};
} // namespace

/// Nothing if the kernel is not one such loop, or reads its result.
static std::optional<Iterations> iterationsOf(KernelOp kernel) {
  Iterations found;
  if (!kernel.getBody().hasOneBlock())
    return std::nullopt;
  for (Operation &op : kernel.entry().without_terminator())
    if (auto loop = dyn_cast<ParallelOp>(op); loop && !found.loop)
      found.loop = loop;
    else if (!isMemoryEffectFree(&op))
      return std::nullopt;
  if (!found.loop || !found.loop.getBody().hasOneBlock() ||
      kernel.entry().getTerminator()->getNumOperands() != 0)
    return std::nullopt;
  for (Operation &op : found.loop.entry().without_terminator())
    if (auto sum = dyn_cast<ReduceOp>(op); sum && !found.sum)
      found.sum = sum;
    else if (auto store = dyn_cast<StoreOp>(op); store && !found.store)
      found.store = store;
    else if (!isa<LoadOp, func::CallOp>(op) &&
             (op.getNumRegions() != 0 || !isMemoryEffectFree(&op)))
      return std::nullopt;
  if (!found.sum || !found.store ||
      found.sum->getResult(0).getType() != found.store.getValue().getType())
    return std::nullopt;
  bool isRead =
      llvm::any_of(found.store.getArray().getUsers(), [&](Operation *user) {
        return user != found.store.getOperation();
      });
  return isRead ? std::nullopt : std::optional(found);
}

/// The product whose results a kernel computes something of.
static std::optional<KnownProduct> findBehindRest(KernelOp kernel) {
  OwningOpRef<KernelOp> copy = kernel.clone();
  Iterations all = *iterationsOf(*copy);
  all.store.getValueMutable().assign(all.sum->getResult(0));
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(all.loop.entry())))
    if (isOpTriviallyDead(&op) || (isa<func::CallOp>(op) && op.use_empty()))
      op.erase();
  return findWhole(*copy);
}

/// Leaves what an iteration computes of its sum, over a span of rows and
/// columns.
static void leaveRest(KernelOp kernel, Iterations all,
                      const KnownProduct &found) {
  ImplicitLocOpBuilder b(all.sum.getLoc(), all.store);
  // The value stored may be any operation's, so the sum is read before them.
  b.setInsertionPoint(all.sum);
  for (Value index : all.store.getIndices())
    if (Operation *op = index.getDefiningOp();
        op && op->getBlock() == all.sum->getBlock() &&
        !op->isBeforeInBlock(all.sum))
      op->moveBefore(all.sum);
  Value sum = LoadOp::create(b, all.store.getArray(), all.store.getIndices());
  all.sum->getResult(0).replaceAllUsesWith(sum);
  all.sum.erase();

  SmallVector<Value> bounds =
      addDims(kernel, {"$firstRow", "$endRow", "$firstColumn", "$endColumn"});
  auto limit = [&](unsigned index, Value begin, Value end) {
    all.loop.getLowerMutable().slice(index, 1).assign(begin);
    all.loop.getUpperMutable().slice(index, 1).assign(end);
  };
  if (found.row)
    limit(*found.row, bounds[0], bounds[1]);
  limit(found.column, bounds[2], bounds[3]);
  kernel->setAttr(restAttribute, b.getUnitAttr());
}

bool kern::ir::loop::takeProduct(KernelOp kernel) {
  if (kernel.isUfunc() || kernel.getChecks())
    return false;
  std::optional<KnownProduct> found = findWhole(kernel);
  std::optional<Iterations> rest;
  if (!found && (rest = iterationsOf(kernel)))
    found = findBehindRest(kernel);
  if (!found)
    return false;

  OpBuilder b(kernel.getContext());
  auto list = [&](int64_t operand, ArrayRef<int64_t> others) -> Attribute {
    SmallVector<int64_t> values = {operand};
    llvm::append_range(values, others);
    return b.getDenseI64ArrayAttr(values);
  };
  const ProductFacts &facts = found->facts;
  kernel->setAttr(
      productAttribute,
      b.getArrayAttr({list(facts.left.operand, facts.left.dimensions),
                      list(facts.right.operand, facts.right.dimensions),
                      list(facts.result.operand, facts.result.dimensions),
                      b.getDenseI64ArrayAttr(facts.extents)}));
  addPart(kernel);
  if (rest) {
    leaveRest(kernel, *rest, *found);
    return true;
  }
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
