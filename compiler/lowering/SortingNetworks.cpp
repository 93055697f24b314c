//===- SortingNetworks.cpp - sorting of a few elements --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/SortingNetworks.h"

#include "compiler/dependence/Counting.h"
#include "compiler/lowering/Arrays.h"
#include "compiler/lowering/WholeArrays.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

/// Neighbours are compared n (n - 1) / 2 times. A network with exchanges at
/// larger distances has fewer, but does not keep the order of equal elements.
static constexpr int64_t mostElements = 32;

std::vector<size_t> sortingNetwork(size_t count) {
  std::vector<size_t> pairs;
  for (size_t round = 0; round < count; ++round)
    for (size_t i = round % 2; i + 1 < count; i += 2)
      pairs.push_back(i);
  return pairs;
}

static bool isOfLibrary(FunctionLowering &fn, StringRef name) {
  const syntax::Function &function = fn.frame->function;
  return function.name.name == name &&
         llvm::any_of(fn.scope().libraryFunctions(name),
                      [&](const ScopedFunction &each) {
                        return each.function == &function;
                      });
}

static const ArrayView *arrayNamed(FunctionLowering &fn, StringRef name) {
  auto found = fn.env().find(name.str());
  return found == fn.env().end() ? nullptr : found->second.as<ArrayView>();
}

bool lowerNetwork(FunctionLowering &fn, Span span) {
  const bool isOfIndices = isOfLibrary(fn, "argsort");
  if (!isOfIndices && !isOfLibrary(fn, "sort") && !isOfLibrary(fn, "partition"))
    return false;
  const ArrayView *source = arrayNamed(fn, "v"), *target = arrayNamed(fn, "y");
  std::optional<int64_t> count =
      source ? knownExtent(extentOf(*source, 0)) : std::nullopt;
  if (!target || !count || *count > mostElements)
    return false;
  const ArrayView from = *source, to = *target;
  auto at = [&](const ArrayView &view, int64_t index) {
    return elementOf(fn, view,
                     {fn.indexValue(fn.constantInt(index, span), span)}, span);
  };
  SmallVector<Value> values, indices;
  for (int64_t i = 0; i < *count; ++i) {
    values.push_back(load(fn, at(from, i), span));
    if (isOfIndices)
      indices.push_back(fn.indexValue(fn.constantInt(i, span), span));
  }
  auto apply = [&](ScalarFunction function, ArrayRef<Value> operands) {
    return fn.applyValues(function, operands, span);
  };
  for (size_t i : sortingNetwork(size_t(*count))) {
    // Whether the second comes before the first, with NaN last.
    Value first = values[i], second = values[i + 1];
    Value isLess =
        apply(ScalarFunction::logical_and,
              {apply(ScalarFunction::logical_not,
                     {apply(ScalarFunction::greater_equal, {second, first})}),
               apply(ScalarFunction::equal, {second, second})});
    auto exchange = [&](SmallVector<Value> &list) {
      Value one = list[i], other = list[i + 1];
      list[i] = apply(ScalarFunction::where, {isLess, other, one});
      list[i + 1] = apply(ScalarFunction::where, {isLess, one, other});
    };
    exchange(values);
    if (isOfIndices)
      exchange(indices);
  }
  for (auto [i, value] : llvm::enumerate(isOfIndices ? indices : values))
    store(fn, value, at(to, int64_t(i)), span);
  return true;
}

} // namespace kern::compiler
