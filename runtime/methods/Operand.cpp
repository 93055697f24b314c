//===- Operand.cpp - the arrays of methods --------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/methods/Operand.h"
#include "runtime/error/Counted.h"
#include "runtime/error/LastError.h"
#include "runtime/launch/Arguments.h"

#include <algorithm>

using namespace kern::runtime;

Expected<Operand> Operand::of(const kern_value &value, std::string_view what) {
  if (rawValue(value.kind) == KERN_VALUE_ARRAY) {
    Expected<StridedView> view = viewOf(value.as.array, what);
    if (!view)
      return view.error();
    return Operand(std::move(*view));
  }
  // As the one parameter of a function.
  FunctionInfo function;
  function.parameters.emplace_back().name = what;
  Expected<Arguments> read = gatherArguments(function, {&value, 1});
  if (!read)
    return read.error();
  Argument &argument = read->operands[0];
  if (argument.range) {
    Expected<Buffer> memory = toArray(argument);
    if (!memory)
      return memory.error();
    Operand out(argument.view);
    out.numbers = std::move(*memory);
    return out;
  }
  Operand out{StridedView()};
  out.view.dtype = read->operands[0].type.carrier();
  out.isNumber = true;
  out.number = read->operands[0].value;
  return out;
}

const DLTensor *Operand::tensor() {
  if (isNumber)
    view.data = number.data();
  const auto size = int64_t(itemSize(view.dtype));
  elementStrides = view.strides;
  for (int64_t &stride : elementStrides)
    stride /= size;
  made = {view.data,
          view.device,
          int(view.rank()),
          toDL(view.dtype),
          view.shape.data(),
          elementStrides.data(),
          0};
  return &made;
}

kern_value Operand::value() {
  kern_value out = {};
  out.kind = KERN_VALUE_ARRAY;
  out.as.array = tensor();
  return out;
}

Expected<StridedView> kern::runtime::broadcastTo(const StridedView &view,
                                                 std::span<const int64_t> shape,
                                                 std::string_view what) {
  const size_t missing = shape.size() - std::min(shape.size(), view.rank());
  bool fits = view.rank() <= shape.size();
  for (size_t i = 0; fits && i < view.rank(); ++i)
    fits = view.shape[i] == 1 || view.shape[i] == shape[missing + i];
  if (!fits)
    return Error(ErrorCode::does_not_broadcast,
                 {what, text(view.shape), text(shape)});
  StridedView out = view;
  out.shape.assign(shape.begin(), shape.end());
  out.strides = broadcastStrides(view.shape, view.strides, shape);
  return out;
}

bool kern::runtime::mayOverlap(const StridedView &a, const StridedView &b) {
  const auto first = memoryOf(a), second = memoryOf(b);
  return first && second && first->first <= second->second &&
         second->first <= first->second;
}

Expected<std::vector<size_t>> kern::runtime::axesOf(const kern_axes *axis,
                                                    size_t rank,
                                                    std::string_view what) {
  std::vector<size_t> out;
  if (axis && !axis->axes) {
    for (size_t i = 0; i < rank; ++i)
      out.push_back(i);
    return out;
  }
  static constexpr int64_t firstAxis[] = {0};
  const std::span<const int64_t> given =
      axis ? std::span(axis->axes, axis->count) : std::span(firstAxis);
  const auto limit = int64_t(rank);
  if (limit == 0 && given.size() == 1 && (given[0] == 0 || given[0] == -1))
    return out;
  for (int64_t one : given) {
    if (one < -limit || one >= limit)
      return Error(ErrorCode::axis_out_of_bounds,
                   {one, what, counted(rank, "dimension")});
    const auto normal = size_t(one < 0 ? one + limit : one);
    if (std::ranges::find(out, normal) != out.end())
      return Error(ErrorCode::axis_named_twice, {one, what});
    out.push_back(normal);
  }
  std::ranges::sort(out);
  return out;
}
