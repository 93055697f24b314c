//===- Reduction.cpp - reduce and accumulate ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/methods/Reduction.h"
#include "runtime/error/LastError.h"
#include "runtime/launch/Call.h"
#include "runtime/launch/DefaultDevice.h"
#include "runtime/methods/KeptAxes.h"

#include <algorithm>

using namespace kern::runtime;
using Start = MethodGufunc::Start;

std::optional<size_t> kern::runtime::columnAxis(const StridedView &array,
                                                size_t axis) {
  auto step = [&](size_t i) {
    return array.shape[i] > 1 ? std::abs(array.strides[i]) : INT64_MAX;
  };
  size_t nearest = 0;
  for (size_t i = 1; i < array.rank(); ++i)
    if (step(i) < step(nearest))
      nearest = i;
  if (step(axis) <= step(nearest))
    return std::nullopt;
  return nearest;
}

Expected<Reduction>
kern::runtime::planReduction(kern_function &function, const StridedView &array,
                             const ReductionRequest &request) {
  const FunctionInfo &info = *function.info;
  const std::string_view method = name(request.method);
  const bool isReduce = request.method == Method::Reduce;
  if (Status status = checkMethod(info, method, 2); !status)
    return status.error();
  Expected<std::vector<size_t>> axes =
      axesOf(request.axis, array.rank(), "the array");
  if (!axes)
    return axes.error().in(info.name);
  if (!isReduce && array.rank() == 0)
    return Error(ErrorCode::method_of_number, {method}).in(info.name);
  if (!isReduce && axes->size() != 1)
    return Error(ErrorCode::method_axes, {method, axes->size()}).in(info.name);
  if (axes->size() > 1 && info.identity.empty())
    return Error(ErrorCode::several_axes, {info.name});
  Expected<ReductionTypes> types = reductionTypes(
      function, request.method, array.dtype, request.output, request.dtype);
  if (!types)
    return types.error();

  Reduction out;
  out.axes = std::move(*axes);
  out.addsAxis = out.axes.empty();
  out.gufunc.method = request.method;
  out.gufunc.value = types->value;
  out.gufunc.taken = types->element;
  // The gufunc converts what loses nothing, so that no array is copied for it.
  out.gufunc.element =
      canCastSafely(array.dtype, types->element) ? array.dtype : types->element;
  if (isReduce) {
    out.gufunc.masked = request.masked;
    out.gufunc.start = request.start.value_or(
        info.identity.empty() ? Start::First : Start::Identity);
    out.gufunc.regroups =
        !info.identity.empty() && types->value == types->element;
    if (out.gufunc.start == Start::First) {
      if (request.masked)
        return Error(ErrorCode::mask_without_identity, {info.name});
      bool isEmpty = false, hasResults = true;
      for (size_t i = 0; i < array.rank(); ++i)
        if (array.shape[i] == 0) {
          const bool isReduced = std::ranges::binary_search(out.axes, i);
          isEmpty |= isReduced;
          hasResults &= isReduced;
        }
      if (isEmpty && hasResults)
        return Error(ErrorCode::nothing_to_reduce,
                     {text(array.shape), info.name});
    }
  }
  if (request.method != Method::Reduceat && request.onHost && !request.masked &&
      out.axes.size() == 1)
    if (std::optional<size_t> column = columnAxis(array, out.axes[0])) {
      out.gufunc.columns = true;
      out.gufunc.regroups = false;
      out.column = *column;
    }
  return out;
}

Status kern::runtime::checkOptions(Method method,
                                   const kern_call_request &options) {
  const bool isReduce = method == Method::Reduce, isAt = method == Method::At;
  const std::pair<const char *, bool> given[] = {
      {"axes", options.axes || options.axes_count},
      {"casting", rawValue(options.casting) != KERN_CASTING_DEFAULT},
      {"signature", options.signature != nullptr},
      {"keepdims", !isReduce && options.keepdims},
      {"where", !isReduce && options.where},
      {"shape", options.shape != nullptr},
      {"axis", isAt && options.axis},
      {"dtype", isAt && options.has_dtype},
  };
  for (auto [option, isGiven] : given)
    if (isGiven)
      return Error(ErrorCode::method_option, {option, name(method)});
  return {};
}

Status kern::runtime::checkOutput(const StridedView &output,
                                  const Extents &shape) {
  if (output.shape == shape)
    return {};
  return Error(ErrorCode::output_shape,
               {"the result", text(output.shape), text(shape)});
}

Expected<std::optional<DType>>
kern::runtime::dtypeOf(const kern_call_request &options) {
  if (!options.has_dtype)
    return std::optional<DType>();
  if (rawValue(options.dtype) >= dtypeCount)
    return Error(ErrorCode::unknown_option, {"type", rawValue(options.dtype)});
  return std::optional(DType(options.dtype));
}

bool kern::runtime::runsOnHost(const StridedView &array,
                               const kern_call_request &options) {
  DLDevice device = array.device;
  if (options.call.has_device)
    device = options.call.device;
  else if (Expected<DLDevice> named = defaultDevice(); named && isHost(device))
    device = *named;
  return isHost(isAsked(device, KERN_AUTO) ? array.device : device);
}

kern_call_request kern::runtime::callOptions(const kern_call_request &options,
                                             DType dtype) {
  kern_call_request out = {};
  out.call = options.call;
  out.order = options.order;
  out.allocator = options.allocator;
  out.explanation = options.explanation;
  out.explanation_size = options.explanation_size;
  out.progress = options.progress;
  out.casting = KERN_CASTING_UNSAFE;
  out.has_dtype = 1;
  out.dtype = kern_dtype(dtype);
  return out;
}

namespace {
/// The lists of `axis` and `axes` that the gufunc of a reduction is called
/// with.
class CoreAxes {
public:
  CoreAxes(const Reduction &reduction, size_t rank, size_t before, size_t after)
      : array(reduction.axes.begin(), reduction.axes.end()) {
    if (reduction.addsAxis)
      array.push_back(int64_t(rank) - 1);
    const bool isReduce = reduction.gufunc.method == Method::Reduce;
    if (reduction.gufunc.columns) {
      array.push_back(int64_t(reduction.column));
      result = array;
      if (isReduce)
        result = {
            int64_t(reduction.column - (reduction.column > reduction.axes[0]))};
      isSpelt = true;
      all.assign(before, {&none, 0});
      all.push_back({array.data(), array.size()});
      all.insert(all.end(), after, {array.data(), array.size()});
      all.push_back({result.data(), result.size()});
    }
    single = {array.data(), array.size()};
  }
  CoreAxes(const CoreAxes &) = delete;
  void putInto(kern_call_request &request) const {
    if (!isSpelt) {
      request.axis = &single;
      return;
    }
    request.axes = all.data();
    request.axes_count = all.size();
  }

private:
  std::vector<int64_t> array, result;
  int64_t none = 0;
  bool isSpelt = false;
  kern_axes single = {};
  std::vector<kern_axes> all;
};

/// The mask over the array's shape.
Expected<StridedView> readMask(const DLTensor *where,
                               const StridedView &array) {
  Expected<StridedView> mask = viewOf(where, "`where`");
  if (!mask)
    return mask.error();
  if (mask->dtype != DType::Bool)
    return Error(ErrorCode::where_type, {name(mask->dtype)});
  return broadcastTo(*mask, array.shape, "`where`");
}

/// The shape of the result of `reduce`, without axes that are kept, or
/// `accumulate`.
Extents resultShape(const Reduction &reduction, const StridedView &array) {
  if (reduction.gufunc.method != Method::Reduce)
    return array.shape;
  Extents shape;
  for (size_t i = 0; i < array.rank(); ++i)
    if (!std::ranges::binary_search(reduction.axes, i))
      shape.push_back(array.shape[i]);
  return shape;
}

void addAxis(StridedView &view) {
  view.shape.push_back(1);
  view.strides.push_back(int64_t(itemSize(view.dtype)));
}
/// Whether it is one number: an array may be one, of no dimensions.
Status checkInitial(const kern_value &initial) {
  const auto kind = rawValue(initial.kind);
  if (kind == KERN_VALUE_RANGE)
    return Error(ErrorCode::initial_not_one, {"a range"});
  if (kind != KERN_VALUE_ARRAY)
    return {};
  Expected<StridedView> view = viewOf(initial.as.array, "`initial`");
  if (!view)
    return view.error();
  if (!view->shape.empty())
    return Error(ErrorCode::initial_not_one,
                 {"an array of shape " + text(view->shape)});
  return {};
}
} // namespace

Status kern::runtime::reduce(kern_function &function, Method method,
                             const kern_value &array, const kern_value *initial,
                             const DLTensor *output, DLManagedTensor **result,
                             const kern_call_request &options,
                             kern_call_report *report) {
  const std::string &name = function.info->name;
  if (Status status = checkMethod(*function.info, runtime::name(method), 2);
      !status)
    return status;
  if (Status status = checkOptions(method, options); !status)
    return status.error().in(name);
  Expected<Operand> operand = Operand::of(array, "the array");
  if (!operand)
    return operand.error().in(name);
  ReductionRequest request;
  request.method = method;
  Expected<std::optional<DType>> dtype = dtypeOf(options);
  if (!dtype)
    return dtype.error().in(name);
  request.dtype = *dtype;
  std::optional<Operand> place;
  if (output) {
    Expected<StridedView> view = viewOf(output, "the array for the result");
    if (!view)
      return view.error().in(name);
    request.output = view->dtype;
    place.emplace(std::move(*view));
  }
  request.axis = options.axis;
  if (initial) {
    if (Status status = checkInitial(*initial); !status)
      return status.error().in(name);
    request.start = Start::Given;
  }
  request.masked = options.where != nullptr;
  request.onHost = runsOnHost(operand->view, options);
  Expected<Reduction> plan = planReduction(function, operand->view, request);
  if (!plan)
    return plan.error();

  std::optional<Operand> mask;
  if (request.masked) {
    Expected<StridedView> view = readMask(options.where, operand->view);
    if (!view)
      return view.error().in(name);
    mask.emplace(std::move(*view));
  }
  const KeptAxes kept(options.keepdims ? plan->axes : std::vector<size_t>());
  if (place) {
    if (Status status = kept.removeFrom(place->view); !status)
      return status.error().in(name);
    const Extents shape = resultShape(*plan, operand->view);
    if (Status status = checkOutput(place->view, shape); !status)
      return status.error().in(name);
  }
  if (plan->addsAxis) {
    addAxis(operand->view);
    if (mask)
      addAxis(mask->view);
  }
  Expected<kern_function *> gufunc = function.method(plan->gufunc);
  if (!gufunc)
    return gufunc.error();
  std::vector<kern_value> values;
  if (initial)
    values.push_back(*initial);
  values.push_back(operand->value());
  if (mask)
    values.push_back(mask->value());
  kern_call_request asked = callOptions(options, plan->gufunc.value);
  const CoreAxes axes(*plan, operand->view.rank(), initial ? 1 : 0,
                      mask ? 1 : 0);
  axes.putInto(asked);
  kern_allocator allocator = {};
  const auto forKept = kept.allocatorFor(options.allocator);
  if (forKept) {
    allocator = forKept->get();
    asked.allocator = &allocator;
  }
  const DLTensor *outputs[] = {place ? place->tensor() : nullptr};
  DLManagedTensor *made = nullptr;
  if (Status status = call(**gufunc, values,
                           place ? std::span<const DLTensor *const>(outputs)
                                 : std::span<const DLTensor *const>(),
                           &made, &asked, report);
      !status)
    return status;
  if (made)
    *result = kept.putInto(made);
  return {};
}
