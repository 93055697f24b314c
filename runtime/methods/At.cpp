//===- At.cpp - a function at indices, one after the other ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/error/Counted.h"
#include "runtime/launch/Call.h"
#include "runtime/methods/Indices.h"
#include "runtime/methods/Methods.h"
#include "runtime/plan/Axes.h"

using namespace kern::runtime;
using Second = MethodGufunc::Second;

Expected<MethodGufunc> kern::runtime::atGufunc(kern_function &function,
                                               DType stored,
                                               std::optional<DType> second,
                                               unsigned indexCount,
                                               bool isArray) {
  const FunctionInfo &info = *function.info;
  if (Status status = checkMethod(info, "at", 0); !status)
    return status.error();
  if (const size_t count = second ? 2 : 1; info.parameters.size() != count)
    return Error(ErrorCode::method_inputs,
                 {count == 2 ? "at with an operand" : "at without an operand",
                  counted(count, "parameter"), info.name,
                  counted(info.parameters.size(), "parameter")});
  Expected<AtTypes> types = atTypes(function, stored, second);
  if (!types)
    return types.error();
  MethodGufunc out;
  out.method = Method::At;
  out.value = stored;
  out.indexCount = indexCount;
  out.taken = types->taken;
  out.returned = types->returned;
  if (second) {
    out.second = isArray ? Second::Array : Second::Number;
    out.element = types->second;
  }
  return out;
}

namespace {
/// The indices along each of an array's first axes.
Expected<std::vector<IndexList>> readIndices(std::span<const kern_value> given,
                                             const StridedView &array,
                                             const kern_call_options &options,
                                             Extents &shape) {
  std::vector<Operand> operands;
  std::vector<std::string> labels;
  for (size_t k = 0; k < given.size(); ++k) {
    labels.push_back("index " + std::to_string(k + 1));
    Expected<Operand> one = Operand::of(given[k], labels[k]);
    if (!one)
      return one.error();
    operands.push_back(std::move(*one));
  }
  std::vector<NamedShape> shapes;
  for (size_t k = 0; k < operands.size(); ++k)
    shapes.push_back({labels[k], operands[k].view.shape});
  Expected<Extents> all = broadcast(shapes);
  if (!all)
    return all.error();
  shape = std::move(*all);
  std::vector<IndexList> out;
  for (size_t k = 0; k < operands.size(); ++k) {
    operands[k].tensor(); // whose address a number's view has
    Expected<StridedView> view =
        broadcastTo(operands[k].view, shape, labels[k]);
    if (!view)
      return view.error();
    Expected<IndexList> read = IndexList::read(*view, labels[k], options);
    if (!read)
      return read.error();
    const int64_t extent = array.shape[k];
    if (Status status = read->check(-extent, extent, k); !status)
      return status.error();
    out.push_back(std::move(*read));
  }
  return out;
}

/// The operand with an element for each index and each of the array's other
/// dimensions: the latter come first.
Status spread(Operand &operand, Extents shape, const StridedView &array,
              size_t indexCount, const kern_call_options &options,
              Buffer &memory) {
  AxisMap map;
  map.isMerged = true;
  if (shape.empty())
    shape.push_back(1); // of indices that are numbers
  for (size_t i = 0; i < shape.size(); ++i)
    map.core.push_back(i);
  shape.insert(shape.end(), array.shape.begin() + long(indexCount),
               array.shape.end());
  Expected<StridedView> whole = broadcastTo(operand.view, shape, "the operand");
  if (!whole)
    return whole.error();
  std::optional<StridedView> view = toKernel(*whole, map);
  if (!view || mayOverlap(*whole, array)) {
    auto copy = packed(*whole, options);
    if (!copy)
      return copy.error();
    memory = std::move(copy->second);
    view = toKernel(copy->first, map);
  }
  operand = Operand(std::move(*view));
  return {};
}
} // namespace

Status kern::runtime::at(kern_function &function, const DLTensor &array,
                         std::span<const kern_value> indices,
                         const kern_value *operand,
                         const kern_call_request &options,
                         kern_call_report *report) {
  const std::string &name = function.info->name;
  if (Status status = checkOptions(Method::At, options); !status)
    return status.error().in(name);
  Expected<StridedView> view = viewOf(&array, "the array");
  if (!view)
    return view.error().in(name);
  if (indices.empty() || indices.size() > view->rank())
    return Error(ErrorCode::index_count,
                 {counted(view->rank(), "array of indices"), text(view->shape),
                  indices.size()})
        .in(name);
  std::optional<Operand> second;
  if (operand) {
    Expected<Operand> read = Operand::of(*operand, "the operand");
    if (!read)
      return read.error().in(name);
    second.emplace(std::move(*read));
  }
  const bool isArray = second && second->view.rank() > 0;
  Expected<MethodGufunc> wanted =
      atGufunc(function, view->dtype,
               second ? std::optional(second->view.dtype) : std::nullopt,
               unsigned(indices.size()), isArray);
  if (!wanted)
    return wanted.error();

  Extents shape;
  auto places = readIndices(indices, *view, options.call, shape);
  if (!places)
    return places.error().in(name);
  Buffer memory;
  if (isArray)
    if (Status status =
            spread(*second, shape, *view, indices.size(), options.call, memory);
        !status)
      return status.error().in(name);

  Expected<kern_function *> gufunc = function.method(*wanted);
  if (!gufunc)
    return gufunc.error();
  std::vector<Operand> operands = {Operand(*view)};
  for (IndexList &place : *places) {
    Expected<StridedView> there = place.besides(*view, options.call);
    if (!there)
      return there.error().in(name);
    operands.emplace_back(std::move(*there));
  }
  if (second)
    operands.push_back(std::move(*second));
  std::vector<kern_value> values;
  std::vector<int> types = {int(view->dtype)};
  std::vector<int64_t> first;
  for (size_t k = 0; k < indices.size(); ++k) {
    first.push_back(int64_t(k));
    types.push_back(KERN_I64);
  }
  if (second)
    types.push_back(int(wanted->element));
  const int64_t last = -1;
  std::vector<kern_axes> axes = {{first.data(), first.size()}};
  for (Operand &one : operands)
    values.push_back(one.value());
  axes.resize(values.size(), {&last, 1});
  if (second && !isArray)
    axes.back().count = 0;

  kern_call_request asked = callOptions(options, wanted->value);
  asked.has_dtype = 0;
  asked.signature = types.data();
  asked.axes = axes.data();
  asked.axes_count = axes.size();
  return call(**gufunc, values, {}, nullptr, &asked, report);
}
